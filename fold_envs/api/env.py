"""gymnasium.Env: one table, one learning seat, opponents inside."""

from __future__ import annotations

import secrets
from typing import Any, SupportsInt

import gymnasium
import numpy as np
from numpy.typing import NDArray

from fold_envs.api.seats import LearningSeats
from fold_envs.engine.arguments import plain
from fold_envs.engine.errors import InvalidOptionError, RenderModeError
from fold_envs.engine.layout import Layout
from fold_envs.engine.state import State
from fold_envs.engine.tables import check_int

_FIRST = np.zeros(1, np.intp)


class FoldEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """One table of a game, seen from one seat; made by ``gymnasium.make("FoldEnvs/...")``.

    ``step`` returns when the learning seat must act again or the game is over, with all reward
    since its last action. ``info["action_mask"]`` (int8) fits ``action_space.sample(mask)``;
    ``action_masks()`` (bool) is what sb3-contrib asks for. At the end ``info`` has ``scores`` and
    ``winners`` (P,), ``tie_break`` (its name or None), ``seat`` (the learning seat) and
    ``illegal_action`` (bool).

    Args:
        env_id: the id; set by the registry.
        render_mode: None or "ansi".
        **options: ``seat``, ``opponents``, ``skip_forced``, ``obs_dtype``, ``on_illegal`` (see
            ``LearningSeats``), ``num_players``, ``reward`` and the game's own options.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as gymnasium has it

    def __init__(self, env_id: str, *, render_mode: str | None = None, **options: Any) -> None:
        if render_mode not in (None, "ansi"):
            raise RenderModeError(f"render_mode: {render_mode!r} is none of None, 'ansi'")
        if "num_envs" in options:
            raise InvalidOptionError("num_envs: an Env is one table; use gymnasium.make_vec")
        self.tables = LearningSeats(env_id, 1, **options)
        self.game = self.tables.game
        self.layout: Layout = self.game.layout
        self.actions: Layout = self.game.actions
        self.render_mode = render_mode
        self.observation_space = self.tables.observation_space
        self.action_space = self.tables.action_space
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start a game: that of ``seed``, or without one the next game of the last seed.

        Raises:
            InvalidOptionError: ``options`` is not empty; there are none.
        """
        if options:
            raise InvalidOptionError(f"reset has no options, but got {options!r}")
        if seed is not None:
            seed = check_int(plain(seed), 0, (1 << 64) - 1, "seed")
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = secrets.randbits(48)
        self.tables.reset(seed)
        self._seeded = True
        return self._observation(), self._info()

    def step(self, action: SupportsInt) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play an action of the learning seat."""
        actions = np.asarray(action).reshape(-1)
        reward = self.tables.step(actions)
        over = bool(self.tables.done[0])
        info = self._info()
        if over:
            ending = self.tables.ending(_FIRST)
            broke = int(ending["tie_break"][0])
            info |= {
                "scores": ending["scores"][0],
                "winners": ending["winners"][0],
                "tie_break": self.game.tie_breaks[broke - 1] if broke else None,
                "seat": int(ending["seat"][0]),
                "illegal_action": bool(ending["illegal_action"][0]),
            }
        return self._observation(), float(reward[0]), over, False, info

    def _observation(self) -> NDArray[Any]:
        return self.tables.observe()[0]

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.game.legal[:, 0].astype(np.int8)}

    def action_masks(self) -> NDArray[np.bool_]:
        """(A,) bool, the legal actions, as sb3-contrib asks for them."""
        return self.game.legal[:, 0].copy()

    def state_vector(self) -> NDArray[np.uint8]:
        """(F,) uint8, the full state as features (see ``BatchGame.state_vector``)."""
        return self.game.state_vector()[:, 0]

    def describe_action(self, action: int) -> str:
        """What an action would do now, in the game's words."""
        return self.game.describe_action(action, 0)

    def get_state(self) -> tuple[State, NDArray[np.uint8]]:
        """All there is to restore this moment exactly, random streams included."""
        return self.tables.get_state()

    def set_state(self, state: tuple[State, NDArray[np.uint8]]) -> None:
        """Go back to a moment that ``get_state`` of an env with the same options returned."""
        self.tables.set_state(state)
        self._seeded = True

    def render(self) -> str | None:  # type: ignore[override]
        """The table as text; None without a render mode."""
        return self.game.render(0) if self.render_mode == "ansi" else None
