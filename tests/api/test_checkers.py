"""The checkers of gymnasium, stable-baselines3 and PettingZoo have nothing to say."""

from __future__ import annotations

import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from tests.combos import COMBOS, short

pytestmark = pytest.mark.parametrize(("env_id", "num_players"), COMBOS, ids=short)


@pytest.mark.filterwarnings("error")
def test_gymnasium_check_env(env_id: str, num_players: int) -> None:
    for options in ({}, {"obs_dtype": "uint8", "seat": "random", "opponents": "greedy"}):
        env = gymnasium.make(env_id, num_players=num_players, render_mode="ansi", **options)
        check_env(env.unwrapped)
        env.reset(seed=0)
        assert env.render()


@pytest.mark.filterwarnings("error")
def test_sb3_check_env(env_id: str, num_players: int) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = gymnasium.make(env_id, num_players=num_players)
    checker.check_env(env.unwrapped)


def test_pettingzoo_api_and_seed_test(env_id: str, num_players: int) -> None:
    pettingzoo = pytest.importorskip("pettingzoo.test")
    from fold_envs.api import aec

    for obs_dtype in ("float32", "uint8"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # both say this of every Dict observation that is not in PettingZoo's own list
            warnings.filterwarnings("ignore", "Observation is not a NumPy array")
            warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
            # the masks of all agents are zero when the game is over, as documented
            warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")
            env = aec.env(env_id, num_players=num_players, obs_dtype=obs_dtype)
            pettingzoo.api_test(env, num_cycles=60)
    pettingzoo.seed_test(lambda: aec.env(env_id, num_players=num_players), num_cycles=60)
