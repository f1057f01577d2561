"""stable-baselines3 VecEnv with action masks, without N Python objects."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import (
    VecEnv,
    VecEnvIndices,
    VecEnvObs,
    VecEnvStepReturn,
)

from fold_envs.api.seats import LearningSeats
from fold_envs.engine.arguments import plain
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.tables import check_int


class FoldVecEnv(VecEnv):
    """N tables of a game for SB3 and sb3-contrib; games restart in the step that ends them.

    Infos of games that ended hold ``terminal_observation``, ``TimeLimit.truncated`` (False),
    ``episode`` (reward r, length l in own decisions, seconds t), ``scores``, ``winners``,
    ``seat``, ``tie_break`` and ``illegal_action``; all other tables share one empty dict.

    Args:
        env_id: which game.
        num_envs: number of tables N.
        seed: table i gets seed + i; None takes one from the system.
        **options: as of ``FoldEnv``.
    """

    def __init__(
        self, env_id: str, num_envs: int, *, seed: int | None = None, **options: Any
    ) -> None:
        if isinstance(env_id, gymnasium.vector.VectorEnv):
            raise InvalidOptionError(
                "FoldVecEnv takes an id, not a gymnasium vector env: FoldVecEnv("
                '"FoldEnvs/...", num_envs=64)'
            )
        self.tables = LearningSeats(env_id, num_envs, **options)
        self.game = self.tables.game
        self.layout, self.actions = self.game.layout, self.game.actions
        super().__init__(num_envs, self.tables.observation_space, self.tables.action_space)
        self.seed(seed)
        self._first = True
        self._returns = np.zeros(num_envs, np.float32)
        self._lengths = np.zeros(num_envs, np.int64)
        self._born = time.time()
        self._pending: Any = None

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds of the next reset: seed + i for table i, from the system if None."""
        high = (1 << 64) - self.num_envs
        seed = secrets.randbits(48) if seed is None else check_int(plain(seed), 0, high, "seed")
        self._seeds = [seed + table for table in range(self.num_envs)]
        self._first = True
        return self._seeds

    def reset(self) -> VecEnvObs:
        """Start a game at every table; a second reset goes on to each seed's next game."""
        self.tables.reset(np.array(self._seeds, np.uint64) if self._first else None)
        self._first = False
        self._returns[:] = 0
        self._lengths[:] = 0
        return self.tables.observe()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions for ``step_wait``."""
        self._pending = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions of ``step_async``."""
        tables = self.tables
        rewards = tables.step(self._pending)
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [_NOTHING] * self.num_envs
        dones = tables.done.copy()
        ended = np.flatnonzero(dones)
        if len(ended):
            final = tables.observe_at(ended)
            ending = tables.ending(ended)
            seconds = round(time.time() - self._born, 6)
            for row, table in enumerate(ended):
                infos[table] = {
                    "terminal_observation": final[row],
                    "TimeLimit.truncated": False,
                    "episode": {
                        "r": float(self._returns[table]),
                        "l": int(self._lengths[table]),
                        "t": seconds,
                    },
                    **{key: values[row] for key, values in ending.items()},
                }
            self._returns[ended] = 0
            self._lengths[ended] = 0
            tables.reset(where=dones)
        return tables.observe(), rewards, dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """(N, A) bool, the legal actions."""
        return self.tables.masks()

    def get_state(self) -> dict[str, Any]:
        """All tables between two steps, their random streams included; it can be pickled."""
        return {
            "tables": self.tables.get_state(),
            "returns": self._returns.copy(),
            "lengths": self._lengths.copy(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on where ``get_state`` of an env with the same options was called.

        Raises:
            InvalidOptionError: the state is of another game, size or option set.
        """
        try:
            tables, returns, lengths = (state[key] for key in ("tables", "returns", "lengths"))
        except (TypeError, KeyError) as error:
            raise InvalidOptionError(f"this is not what get_state returned: {error!r}") from error
        if np.shape(returns) != (self.num_envs,) or np.shape(lengths) != (self.num_envs,):
            raise InvalidOptionError(f"this state is not of {self.num_envs} tables")
        self.tables.set_state(tables)
        self._returns[:], self._lengths[:] = returns, lengths
        self._first = False

    def close(self) -> None:
        """Nothing to release."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """One value for each table; all tables share their attributes."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether ``get_attr`` or ``env_method`` would answer."""
        return attr_name == "render_mode" or hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: the tables are rows of shared arrays, set options when making the env."""
        raise InvalidOptionError(
            f"cannot set {attr_name!r} for single tables; give options to FoldVecEnv instead"
        )

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """``action_masks``: the rows of one array. No other method exists per table."""
        if method_name != "action_masks":
            raise AttributeError(f"FoldVecEnv has no method {method_name!r} per table")
        masks = self.action_masks()
        return [masks[index] for index in self._get_indices(indices)]

    def env_is_wrapped(
        self,
        wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]],
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """True for SB3's Monitor, whose episode statistics this env gives itself, else False."""
        from stable_baselines3.common.monitor import Monitor

        return [wrapper_class is Monitor for _ in self._get_indices(indices)]


_NOTHING: dict[str, Any] = {}
