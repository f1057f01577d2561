"""Trained networks as players: a loader, and opponents for training that change as it goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from fold_envs.engine.batch_game import BatchGame, Policy
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.rng import Streams, mix64
from fold_envs.opponents import OpponentSpec, as_policy
from training.config import RULE_OPPONENTS, SELF

_NEVER = -1e8  # the logit of an illegal action


class Agent:
    """A policy network that plays many tables at once (an ``Opponent`` of fold_envs).

    Args:
        policy: of MaskablePPO.
        deterministic: play the likeliest action; else draw one, from the tables' own streams, so
            that games repeat by seed and no global random state is touched.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, deterministic: bool = True) -> None:
        self.policy = policy
        self.deterministic = deterministic

    def act(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_], rng: Streams | None
    ) -> NDArray[np.intp]:
        """Choose an action at each of n tables.

        Args:
            observations: (n, D) float32 in [0, 1].
            masks: (n, A) bool, legal actions.
            rng: n streams; None will do if deterministic.

        Returns:
            (n,) legal actions.
        """
        logits = self.logits(observations, masks)
        if self.deterministic:
            return logits.argmax(axis=1)
        assert rng is not None
        weights = np.exp(logits - logits.max(axis=1, keepdims=True)) * masks
        totals = weights.cumsum(axis=1)
        drawn = rng.uniform()[:, None] * totals[:, -1:]
        chosen = (totals <= drawn).sum(axis=1)
        last_legal = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.minimum(chosen, last_legal)  # rounding may carry a draw past the end

    def logits(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """(n, A) logits, hugely negative where illegal; the value network is left alone."""
        policy = self.policy
        trained = (policy.features_extractor.features_dim, policy.action_net.out_features)
        given = (observations.shape[1], masks.shape[1])
        if trained != given:
            raise InvalidOptionError(
                f"the agent was trained on a game of {trained[0]} features and {trained[1]} "
                f"actions, this one has {given[0]} and {given[1]}: another num_players or option?"
            )
        policy.set_training_mode(False)
        with torch.no_grad():
            seen = torch.as_tensor(observations, device=policy.device)
            features = policy.pi_features_extractor(seen)
            latent = policy.mlp_extractor.forward_actor(features)
            logits: NDArray[np.float32] = policy.action_net(latent).cpu().numpy()
        return np.where(masks, logits, np.float32(_NEVER))


def load_agent(path: str | PathLike[str], deterministic: bool = True) -> Agent:
    """The agent that MaskablePPO saved at ``path`` (a zip file)."""
    return Agent(MaskablePPO.load(Path(path), device="cpu").policy, deterministic)


def find_model(path: str | PathLike[str]) -> Path:
    """The model file of a run folder (the best agent, or the last if there is none), or the file.

    Raises:
        FileNotFoundError: there is no model.
    """
    path = Path(path)
    candidates = [path / "best.zip", path / "last.zip"] if path.is_dir() else [path]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise FileNotFoundError(f"no saved agent at {' or '.join(map(str, candidates))}")


def named_opponent(name: str) -> OpponentSpec:
    """What "random", "greedy", or the path of a run folder or a saved agent stands for."""
    return name if name in RULE_OPPONENTS else load_agent(find_model(name))


class SnapshotPool:
    """Past selves of the agent in training.

    Args:
        size: how many are kept, the newest ones.
        choice: "uniform": every game draws its opponent from the pool; "latest": the newest.

    Attributes:
        snapshots: the policies' weights, oldest first; what a checkpoint must hold.
    """

    def __init__(self, size: int, choice: str) -> None:
        self.size = size
        self.choice = choice
        self.snapshots: list[dict[str, torch.Tensor]] = []
        self._agents: list[Agent] = []

    def add(self, policy: MaskableActorCriticPolicy) -> None:
        """Keep a copy of ``policy`` as it is now."""
        weights = {name: tensor.clone() for name, tensor in policy.state_dict().items()}
        self.restore([*self.snapshots, weights][-self.size :], policy)

    def restore(
        self, snapshots: Sequence[dict[str, torch.Tensor]], like: MaskableActorCriticPolicy
    ) -> None:
        """Hold ``snapshots``, weights of policies built as ``like`` is."""
        agents = {id(w): a for w, a in zip(self.snapshots, self._agents, strict=True)}
        self.snapshots = list(snapshots)
        self._agents = [agents.get(id(w)) or Agent(_twin(like, w), False) for w in snapshots]

    def act(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_], rng: Streams
    ) -> NDArray[np.integer]:
        """See ``Agent.act``; before the first snapshot, uniform among the legal actions."""
        if not self._agents:
            return rng.choose(np.ascontiguousarray(masks.T))
        if self.choice == "latest" or len(self._agents) == 1:
            return self._agents[-1].act(observations, masks, rng)
        actions = np.zeros(len(observations), np.intp)
        share = _share_of_game(rng.key, salt=1)
        whose = (share * len(self._agents)).astype(np.intp)
        for number in np.unique(whose):
            rows = np.flatnonzero(whose == number)
            own = Streams(rng.key[rows], rng.counter[rows])
            actions[rows] = self._agents[number].act(observations[rows], masks[rows], own)
            rng.counter[rows] = own.counter
        return actions


class Mixture:
    """Several opponents, one of them drawn for each game by weight and kept to its end."""

    needs_observation = True

    def __init__(self, members: Mapping[str, tuple[OpponentSpec, float]]) -> None:
        self.members = dict(members)

    def policy(self, game: BatchGame) -> Policy:
        """See ``BatchOpponent``."""
        policies = [as_policy(spec, game)[0] for spec, _ in self.members.values()]
        weights = np.array([weight for _, weight in self.members.values()])
        ends = weights.cumsum() / weights.sum()

        def choose(
            observation: NDArray[np.uint8],
            legal: NDArray[np.bool_],
            stream: Streams,
            where: NDArray[np.bool_] | None,
        ) -> NDArray[np.intp]:
            whose = np.searchsorted(ends, _share_of_game(stream.key, salt=2), side="right")
            asked = np.ones(legal.shape[1], bool) if where is None else where
            actions = np.zeros(legal.shape[1], np.intp)
            for number, policy in enumerate(policies):
                mine = asked & (whose == number)
                if mine.any():
                    np.copyto(actions, policy(observation, legal, stream, mine), where=mine)
            return actions

        return choose


def training_opponents(weights: Mapping[str, float], pool: SnapshotPool) -> OpponentSpec:
    """The ``opponents`` option of FoldVecEnv for a mix of random, greedy and self."""
    members: dict[str, tuple[OpponentSpec, float]] = {
        name: (pool if name == SELF else name, weight) for name, weight in weights.items()
    }
    if len(members) == 1:
        return next(iter(members.values()))[0]
    return Mixture(members)


def _share_of_game(key: NDArray[np.uint64], salt: int) -> NDArray[np.float64]:
    """(n,) numbers in [0, 1), one for each game: its key does not change while it lasts."""
    words = mix64(key + np.uint64(salt))
    return (words >> np.uint64(11)) * 2.0**-53


def _twin(like: MaskableActorCriticPolicy, weights: dict[str, Any]) -> MaskableActorCriticPolicy:
    twin = type(like)(**like._get_constructor_parameters())
    twin.load_state_dict(weights)
    return twin
