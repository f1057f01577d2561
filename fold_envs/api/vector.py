"""gymnasium.vector.VectorEnv: N tables, one learning seat each, no Python objects per table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from fold_envs.api.seats import LearningSeats
from fold_envs.engine.arguments import as_seeds, as_tables
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.state import State
from fold_envs.engine.tables import check_choice


class FoldVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """N tables of a game; made by ``gymnasium.make_vec("FoldEnvs/...", num_envs=N)``.

    ``infos["action_mask"]`` is (N, A) int8. Tables whose game just ended have rows in ``scores``,
    ``winners``, ``tie_break`` (0: none, else 1 + index in the game's ``tie_breaks``), ``seat`` and
    ``illegal_action`` (under SAME_STEP inside ``final_info``), with the usual ``_key`` masks.

    Args:
        env_id: the id; set by the registry.
        num_envs: number of tables N.
        autoreset_mode: NEXT_STEP, SAME_STEP or DISABLED, as enum or its name or value.
        copy: False hands out observations and masks that the next call overwrites (faster).
        max_episode_steps: only None; the games end by themselves.
        render_mode: None or "ansi".
        **options: as of ``FoldEnv``.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        max_episode_steps: None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise InvalidOptionError(f"render_mode: {render_mode!r} is none of None, 'ansi'")
        if max_episode_steps is not None:
            raise InvalidOptionError("max_episode_steps: the games end by themselves; leave it out")
        self.autoreset_mode = _as_mode(autoreset_mode)
        self.metadata = type(self).metadata | {"autoreset_mode": self.autoreset_mode}
        self.tables = LearningSeats(env_id, num_envs, **options)
        self.game = self.tables.game
        self.layout, self.actions = self.game.layout, self.game.actions
        self.num_envs = num_envs
        self.copy = check_choice(copy, (True, False), "copy")
        self.render_mode = render_mode
        self.single_observation_space = self.tables.observation_space
        self.single_action_space = self.tables.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._done = np.zeros(num_envs, bool)  # as of the last step

    def reset(
        self,
        *,
        seed: int | Sequence[int] | NDArray[np.integer] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start games.

        Args:
            seed: s (table i gets s + i), one for each table, or None for the next games.
            options: ``{"reset_mask": (N,) bool}`` resets some tables only (DISABLED mode).

        Raises:
            InvalidOptionError: unknown options or a wrong mask.
        """
        if options is None:
            options = {}
        if not isinstance(options, dict) or set(options) - {"reset_mask"}:
            raise InvalidOptionError(f"reset knows only the option reset_mask, not {options!r}")
        where = options.get("reset_mask")
        if where is not None:
            mask = isinstance(where, np.ndarray) and where.dtype == bool
            if not mask or where.shape != (self.num_envs,):
                raise InvalidOptionError(
                    f"reset_mask must be a bool array of shape ({self.num_envs},), not {where!r}"
                )
        if seed is not None:
            as_seeds(seed, self.num_envs)  # before anything changes
        super().reset(seed=int(seed) if isinstance(seed, (int, np.integer)) else None)
        self.tables.reset(seed, where)
        self._done[slice(None) if where is None else where] = False
        return self.tables.observe(self.copy), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[
        NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Play one action of every learning seat.

        Raises:
            InvalidOptionError: DISABLED, and a table's game is over and was not reset.
        """
        tables, before = self.tables, self._done
        live = None
        if before.any():
            if self.autoreset_mode is AutoresetMode.DISABLED:
                raise InvalidOptionError(
                    f"autoreset is disabled and tables {np.flatnonzero(before).tolist()} are over; "
                    'call reset(options={"reset_mask": ...})'
                )
            live = ~before  # NEXT_STEP: this step only resets these tables
        if live is None:
            rewards = tables.step(actions)
        elif live.any():
            rewards = tables.step(actions, live, fresh=before)
        else:
            tables.reset()
            rewards = np.zeros(self.num_envs, np.float32)
        done = tables.done.copy()
        ended = np.flatnonzero(done)
        infos: dict[str, Any] = {}
        if len(ended):
            ending = self._spread(tables.ending(ended), ended)
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                final = np.full(self.num_envs, None, object)
                final[ended] = list(tables.observe_at(ended))
                mask = tables.masks()[ended].astype(np.int8)
                final_info = ending | self._spread({"action_mask": mask}, ended)
                infos = {
                    "final_obs": final,
                    "_final_obs": done.copy(),
                    "final_info": final_info,
                    "_final_info": done.copy(),
                }
                tables.reset(where=done)
            else:
                infos = ending
        self._done = done if self.autoreset_mode is not AutoresetMode.SAME_STEP else before
        infos |= self._infos()
        observations = tables.observe(self.copy)
        return observations, rewards, done.copy(), np.zeros(self.num_envs, bool), infos

    def _infos(self) -> dict[str, Any]:
        mask = self.tables.masks(self.copy).view(np.int8)
        return {"action_mask": mask, "_action_mask": np.ones(self.num_envs, bool)}

    def _spread(self, rows: dict[str, NDArray[Any]], tables: NDArray[np.intp]) -> dict[str, Any]:
        """Arrays of N rows with the given ones at ``tables``, each with its ``_key`` mask."""
        spread: dict[str, Any] = {}
        for key, values in rows.items():
            whole = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            whole[tables] = values
            spread[key] = whole
            spread[f"_{key}"] = np.bincount(tables, minlength=self.num_envs).astype(bool)
        return spread

    def action_masks(self) -> NDArray[np.bool_]:
        """(N, A) bool, the legal actions."""
        return self.tables.masks()

    def get_state(self, tables: ArrayLike | None = None) -> tuple[State, NDArray[np.uint8]]:
        """All there is to restore all tables or ``tables``, random streams included."""
        return self.tables.get_state(tables)

    def set_state(
        self, state: tuple[State, NDArray[np.uint8]], tables: ArrayLike | None = None
    ) -> None:
        """Go on where ``get_state`` of an env with the same options was called.

        ``tables``: as for ``BatchGame.set_state``.

        Raises:
            InvalidOptionError: it is something else; nothing changed.
        """
        self.tables.set_state(state, tables)
        chosen = as_tables(tables, self.num_envs)
        dealt = self.game.state.key[chosen] > 0  # a table that never was is not over
        self._done[chosen] = self.tables.done[chosen] & dealt

    def state_vector(self) -> NDArray[np.uint8]:
        """(N, F) uint8, the full states as features (see ``BatchGame.state_vector``)."""
        return self.game.state_vector().T

    def render(self) -> tuple[str, ...] | None:  # type: ignore[override]
        """Every table as text; None without a render mode."""
        if self.render_mode is None:
            return None
        return tuple(self.game.render(table) for table in range(self.num_envs))


def _as_mode(mode: AutoresetMode | str) -> AutoresetMode:
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    raise InvalidOptionError(
        f"autoreset_mode: {mode!r} is none of {', '.join(known.name for known in AutoresetMode)}"
    )
