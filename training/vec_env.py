"""The training env: timed, and with a state that can be saved and put back."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from fold_envs.api.sb3 import FoldVecEnv


class TrainingEnv(VecEnvWrapper):
    """A FoldVecEnv that counts the seconds it takes, masks and opponents included.

    Attributes:
        seconds: wall time spent in ``step_wait`` and ``env_method`` so far.
    """

    venv: FoldVecEnv

    def __init__(self, venv: FoldVecEnv) -> None:
        super().__init__(venv)
        self.seconds = 0.0

    def reset(self) -> VecEnvObs:
        """See VecEnv."""
        return self.venv.reset()

    def step_wait(self) -> VecEnvStepReturn:
        """See VecEnv."""
        start = perf_counter()
        result = self.venv.step_wait()
        self.seconds += perf_counter() - start
        return result

    def env_method(self, *args: Any, **kwargs: Any) -> list[Any]:
        """See VecEnv."""
        start = perf_counter()
        result = self.venv.env_method(*args, **kwargs)
        self.seconds += perf_counter() - start
        return result

    def get_state(self) -> dict[str, Any]:
        """All tables between two steps, their random streams included."""
        env = self.venv
        return {
            "blocks": env.game.get_state().blocks,
            "seats": env.tables.seats.copy(),
            "returns": env._returns.copy(),
            "lengths": env._lengths.copy(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on where ``get_state`` of an env with the same options was called."""
        env = self.venv
        tables = env.game.get_state()
        for dtype, block in state["blocks"].items():
            tables.blocks[dtype][...] = block
        env.game.set_state(tables)
        np.copyto(env.tables.seats, state["seats"])
        np.copyto(env._returns, state["returns"])
        np.copyto(env._lengths, state["lengths"])
        env._first = False
