"""Wrappers that put the action mask (and, for critics, the full state) into a Dict observation."""

from __future__ import annotations

from typing import Any, SupportsFloat, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fold_envs.api.env import FoldEnv
from fold_envs.api.seats import LearningSeats
from fold_envs.api.vector import FoldVectorEnv
from fold_envs.engine.errors import InvalidOptionError


class DictObservation(gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """Observations of a ``FoldEnv`` as a Dict with the mask beside them.

    Args:
        env: made by ``gymnasium.make("FoldEnvs/...")``.
        observation_key: where the observation goes; RLlib's masked example wants "observations".
        mask_key: where the int8 mask goes.
        state_key: where the full state as uint8 features goes; None leaves it out. It shows hidden
            things: for critics only.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        observation_key: str = "observation",
        mask_key: str = "action_mask",
        state_key: str | None = None,
    ) -> None:
        if not isinstance(env.unwrapped, FoldEnv):
            raise InvalidOptionError(f"DictObservation wraps envs of fold_envs, not {env!r}")
        gymnasium.utils.RecordConstructorArgs.__init__(
            self, observation_key=observation_key, mask_key=mask_key, state_key=state_key
        )
        gymnasium.Wrapper.__init__(self, env)
        self._fold = env.unwrapped
        self._keys = (observation_key, mask_key, state_key)
        self.observation_space = _dict_space(self._fold.tables, self._keys)

    def reset(self, **kwargs: Any) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """As the env's."""
        observation, info = self.env.reset(**kwargs)
        return _as_dict(self._fold, self._keys, observation, info), info

    def step(
        self, action: SupportsInt
    ) -> tuple[dict[str, NDArray[Any]], SupportsFloat, bool, bool, dict[str, Any]]:
        """As the env's."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return (
            _as_dict(self._fold, self._keys, observation, info),
            reward,
            terminated,
            truncated,
            info,
        )


class DictVectorObservation(VectorWrapper[Any, Any, Any, Any, Any]):
    """The same for ``gymnasium.make_vec("FoldEnvs/...")``; arguments as of ``DictObservation``.

    Under SAME_STEP ``final_obs`` stays a flat observation.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        observation_key: str = "observation",
        mask_key: str = "action_mask",
        state_key: str | None = None,
    ) -> None:
        if not isinstance(env.unwrapped, FoldVectorEnv):
            raise InvalidOptionError(f"DictVectorObservation wraps envs of fold_envs, not {env!r}")
        super().__init__(env)
        self._fold = env.unwrapped
        self._keys = (observation_key, mask_key, state_key)
        self.single_observation_space = _dict_space(self._fold.tables, self._keys)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def reset(self, **kwargs: Any) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """As the env's."""
        observation, info = self.env.reset(**kwargs)
        return _as_dict(self._fold, self._keys, observation, info), info

    def step(self, actions: Any) -> tuple[dict[str, NDArray[Any]], Any, Any, Any, dict[str, Any]]:
        """As the env's."""
        observation, rewards, terminated, truncated, info = self.env.step(actions)
        return (
            _as_dict(self._fold, self._keys, observation, info),
            rewards,
            terminated,
            truncated,
            info,
        )


_Keys = tuple[str, str, "str | None"]


def _as_dict(
    env: FoldEnv | FoldVectorEnv, keys: _Keys, observation: NDArray[Any], info: dict[str, Any]
) -> dict[str, NDArray[Any]]:
    observation_key, mask_key, state_key = keys
    both = {observation_key: observation, mask_key: info["action_mask"].copy()}
    return both if state_key is None else both | {state_key: env.state_vector()}


def _dict_space(tables: LearningSeats, keys: _Keys) -> spaces.Dict:
    observation_key, mask_key, state_key = keys
    named: dict[str, spaces.Space[Any]] = {
        observation_key: tables.observation_space,
        mask_key: spaces.Box(0, 1, (tables.game.num_actions,), np.int8),
    }
    if state_key is not None:
        high = tables.game.state_vector_high()
        named[state_key] = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
    return spaces.Dict(named)
