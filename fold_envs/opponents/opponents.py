"""Opponents. An opponent is batched: one call decides for every table where it must act."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import BatchGame, Policy
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.rng import Streams


@runtime_checkable
class Opponent(Protocol):
    """Anything that chooses actions for many tables at once.

    A plain function of the same three arguments will do as well.
    """

    def act(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_], rng: Streams
    ) -> NDArray[np.integer]:
        """Choose for the n tables where this opponent must act.

        Args:
            observations: (n, D) float32 in [0, 1], each from the seat that must act.
            masks: (n, A) bool, the legal actions.
            rng: n random streams, one a table; ``rng.uniform()`` is (n,) in [0, 1).

        Returns:
            (n,) integers, legal ones.
        """


@runtime_checkable
class BatchOpponent(Protocol):
    """An opponent that works on whole batches of a game, batch last, as the games themselves do.

    Attributes:
        needs_observation: False if its policies never look at observations, which saves them.
    """

    needs_observation: bool

    def policy(self, game: BatchGame) -> Policy:
        """The batch-last policy for a game.

        Called once for every batch that it plays at. Tables move between batches as they fall out
        of step, so a policy must remember nothing by a table's place. With an ``act`` as well, this
        method is the one that is used.
        """


class Random:
    """Uniform among the legal actions."""

    needs_observation = False

    def policy(self, game: BatchGame) -> Policy:
        """The batch-last policy for a game."""
        return lambda observation, legal, stream, where: stream.choose(legal, where)


class Greedy:
    """The game's own heuristic; options are those of its ``heuristic`` method."""

    needs_observation = True

    def __init__(self, **options: Any) -> None:
        self.options = options

    def policy(self, game: BatchGame) -> Policy:
        """The batch-last policy for a game.

        Raises:
            InvalidOptionError: the game's heuristic has no such option.
        """
        try:
            return game.heuristic(**self.options)
        except TypeError as error:
            raise InvalidOptionError(f"{game.name}: greedy opponent: {error}") from error


class SavedPolicy:
    """A model that MaskablePPO of sb3-contrib saved; needs the ``train`` extra.

    Args:
        path: the zip file.
        deterministic: play the likeliest action instead of drawing from the policy. Draws use the
            tables' own streams, so games repeat by seed.
    """

    def __init__(self, path: str | PathLike[str], deterministic: bool = False) -> None:
        self.path = path
        self.deterministic = deterministic
        self._policy: Any = None

    def act(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_], rng: Streams
    ) -> NDArray[np.integer]:
        """See ``Opponent.act``."""
        import torch

        if self._policy is None:
            self._policy = self._load(observations.shape[1], masks.shape[1])
        with torch.no_grad():
            tensor = torch.as_tensor(np.ascontiguousarray(observations))
            distribution = self._policy.get_distribution(tensor, action_masks=masks)
            probabilities = distribution.distribution.probs.numpy()
        if self.deterministic:
            return probabilities.argmax(axis=1)
        totals = probabilities.cumsum(axis=1)
        drawn = rng.uniform()[:, None] * totals[:, -1:]
        chosen = (totals <= drawn).sum(axis=1)
        # rounding at the very end of a row must not land on a masked action
        last_legal = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.minimum(chosen, last_legal)

    def _load(self, features: int, actions: int) -> Any:
        from sb3_contrib import MaskablePPO

        try:
            policy = MaskablePPO.load(fspath(self.path), device="cpu").policy
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidOptionError(f"cannot load a policy from {self.path!r}: {error}") from error
        fits = policy.observation_space.shape, getattr(policy.action_space, "n", None)
        if fits != ((features,), actions):
            raise InvalidOptionError(
                f"the policy of {self.path!r} is for observations {fits[0]} and {fits[1]} actions; "
                f"this game has ({features},) and {actions}"
            )
        policy.set_training_mode(False)
        return policy

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_policy": None}  # workers load their own


# what the faces take for a seat: a name, an opponent, or a function of the arguments of `act`
OpponentSpec = str | BatchOpponent | Opponent | Callable[..., NDArray[np.integer]]

_NAMES: dict[str, Callable[[], Any]] = {"random": Random, "greedy": Greedy}


def as_policy(spec: OpponentSpec, game: BatchGame) -> tuple[Policy, bool]:
    """The batch-last policy of an opponent, and whether it looks at observations.

    Raises:
        InvalidOptionError: ``spec`` is no opponent.
    """
    if isinstance(spec, str) and spec in _NAMES:
        spec = _NAMES[spec]()
    if isinstance(spec, BatchOpponent) and not isinstance(spec, type):
        return spec.policy(game), spec.needs_observation
    act = getattr(spec, "act", spec)
    if isinstance(spec, (str, type)) or not callable(act):
        raise InvalidOptionError(
            f"opponent {spec!r} is none of {', '.join(map(repr, _NAMES))}, has no act method and "
            f"is no function"
        )
    return _compact(act, game), True


def _compact(act: Callable[..., NDArray[np.integer]], game: BatchGame) -> Policy:
    """A batch-last policy that hands ``act`` just the tables asked, batch first."""
    scale = (1 / game.layout.high.astype(np.float32))[:, None]

    def policy(
        observation: NDArray[np.uint8],
        legal: NDArray[np.bool_],
        stream: Streams,
        where: NDArray[np.bool_] | None,
    ) -> NDArray[np.intp]:
        tables = np.arange(legal.shape[1]) if where is None else np.flatnonzero(where)
        own = Streams(stream.key[tables], stream.counter[tables])
        seen = (observation[:, tables] * scale).T
        chosen = np.asarray(act(seen, legal[:, tables].T, own))
        stream.counter[tables] = own.counter
        if chosen.shape != tables.shape or chosen.dtype.kind not in "iu":
            raise InvalidOptionError(
                f"an opponent asked for {len(tables)} actions gave {chosen.dtype} of shape "
                f"{chosen.shape}; integers of shape ({len(tables)},) are expected"
            )
        actions = np.zeros(legal.shape[1], np.intp)
        actions[tables] = chosen
        return actions

    return policy
