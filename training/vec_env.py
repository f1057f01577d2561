"""The training env: timed."""

from __future__ import annotations

from time import perf_counter
from typing import Any

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
