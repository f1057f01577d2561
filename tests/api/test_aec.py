"""The PettingZoo face, beyond what its own checkers ask and the kit compares."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from fold_envs.api import aec
from fold_envs.engine.errors import (
    FoldEnvsError,
    GameOverError,
    IllegalActionError,
    InvalidOptionError,
)
from tests.combos import COMBOS, short


def play(env: Any, rng: np.random.Generator) -> list[str]:
    """Random legal play to the end; returns who acted."""
    actors = []
    while not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        actors.append(env.agent_selection)
        env.step(int(rng.choice(np.flatnonzero(mask))))
    return actors


@pytest.mark.parametrize(("env_id", "num_players"), COMBOS, ids=short)
def test_a_whole_game(env_id: str, num_players: int) -> None:
    env = aec.env(env_id, num_players=num_players)
    env.reset(seed=1)
    agents = [f"player_{seat}" for seat in range(num_players)]
    assert env.possible_agents == env.agents == agents
    rng = np.random.default_rng(1)
    totals = dict.fromkeys(agents, 0.0)
    last: dict[str, Any] = {}
    for agent in env.agent_iter():
        observation, reward, over, cut, info = env.last()
        totals[agent] += reward
        assert not cut
        if over:
            last[agent] = info
            env.step(None)
            continue
        assert reward == 0 and info == {}
        assert observation["action_mask"].any() and observation["action_mask"].dtype == np.int8
        assert observation["observation"].dtype == np.float32
        for other in agents:
            seen = env.observe(other)
            assert env.observation_space(other).contains(seen)
            assert (other == agent) == bool(seen["action_mask"].any())
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert not env.agents and set(last) == set(agents)
    if num_players > 1:
        assert sum(totals.values()) == pytest.approx(0, abs=1e-6)
    for agent in agents:
        assert set(last[agent]) == {"scores", "winners", "tie_break", "illegal_action"}
        assert last[agent]["scores"].shape == (num_players,)
        assert np.array_equal(last[agent]["winners"], last[agents[0]]["winners"])
        if num_players > 1:
            best = max(totals.values())
            assert last[agent]["winners"][agents.index(agent)] == (totals[agent] == best)


def test_illegal_moves_lose_or_raise(toy: str) -> None:
    env = aec.env(toy, num_players=3)
    env.reset(seed=0)
    loser = env.agent_selection
    env.step(4)
    assert all(env.terminations.values())
    for agent in env.agents:
        assert env.rewards[agent] == (-1 if agent == loser else 0.5)
        assert env.infos[agent]["illegal_action"] == (agent == loser)
    strict = aec.env(toy, on_illegal="raise")
    strict.reset(seed=0)
    before = strict.unwrapped.game.snapshot(0)
    with pytest.raises(IllegalActionError, match="action 4"):
        strict.step(4)
    assert strict.unwrapped.game.snapshot(0) == before
    assert not any(strict.terminations.values())


def test_skip_forced_asks_only_real_questions(toy: str) -> None:
    env, plain = aec.env(toy, skip_forced=True), aec.env(toy)
    for seed in range(5):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            assert mask.sum() > 1
            env.step(int(mask.argmax()))
        plain.reset(seed=seed)
        while not any(plain.terminations.values()):
            plain.step(int(plain.observe(plain.agent_selection)["action_mask"].argmax()))
        assert env.rewards == plain.rewards


def test_options_survive_every_reset(toy: str) -> None:
    env = aec.env(toy, num_players=3, reward="score", obs_dtype="uint8", on_illegal="raise")
    for seed in (None, 3, None, 3):
        env.reset(seed=seed, options={"ignored": 1})
        game = env.unwrapped.game
        assert (game.num_players, game.reward, game.on_illegal) == (3, "score", "raise")
        assert env.observe("player_0")["observation"].dtype == np.uint8
        rng = np.random.default_rng(0)
        play(env, rng)
        assert env.rewards["player_0"] == pytest.approx(env.infos["player_0"]["scores"][0] / 20)


@pytest.mark.parametrize("save", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_alike(toy: str, save: Any) -> None:
    env = aec.env(toy, num_players=3)
    env.reset(seed=4)
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    other = save(env)
    actors = [play(e, np.random.default_rng(2)) for e in (env, other)]
    assert actors[0] == actors[1] and env.rewards == other.rewards


def test_render_state_and_words(toy: str) -> None:
    env = aec.env(toy, render_mode="ansi")
    env.reset(seed=0)
    assert isinstance(env.render(), str)
    assert env.state().shape == (env.unwrapped.layout.size + 3,)
    assert env.unwrapped.describe_action(0).startswith("play")
    quiet = aec.env(toy)
    quiet.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert quiet.render() is None
    assert str(env.unwrapped) == "toy_v0"


@pytest.mark.parametrize(
    "options",
    [
        {"render_mode": "human"},
        {"obs_dtype": "float64"},
        {"on_illegal": "ignore"},
        {"skip_forced": 1},
        {"num_envs": 2},
        {"autoreset": True},
        {"num_players": 9},
        {"opponents": "random"},
        {"seat": 0},
    ],
)
def test_bad_options_are_named(toy: str, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError, match=next(iter(options))):
        aec.env(toy, **options)


@pytest.mark.parametrize("action", [None, "0", 1.5, np.nan, [], [0, 1], True, {}])
def test_bad_actions_are_refused(toy: str, action: Any) -> None:
    env = aec.raw_env(toy)
    env.reset(seed=0)
    before = env.game.snapshot(0)
    with pytest.raises(FoldEnvsError, match="actions must be integers"):
        env.step(action)
    assert env.game.snapshot(0) == before


@pytest.mark.parametrize("seed", [-1, 1.5, "a", [1, 2], float("nan"), 2**64])
def test_bad_seeds_are_refused(toy: str, seed: Any) -> None:
    env = aec.raw_env(toy)
    env.reset(seed=0)
    before = env.game.snapshot(0)
    with pytest.raises(InvalidOptionError, match="seed"):
        env.reset(seed=seed)
    assert env.game.snapshot(0) == before and env.agents


def test_steps_out_of_order(toy: str) -> None:
    env = aec.raw_env(toy)
    with pytest.raises(GameOverError, match="call reset"):
        env.step(0)
    env.reset(seed=0)
    play(env, np.random.default_rng(0))
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    while env.agents:
        env.step(None)
    with pytest.raises(GameOverError, match="call reset"):
        env.step(None)
    env.reset()
    assert len(env.agents) == 2
    for unknown in ("player_2", "", None, 0):
        for ask in (env.observe, env.observation_space, env.action_space):
            with pytest.raises(InvalidOptionError, match=r"no agent .* there are player_0"):
                ask(unknown)
