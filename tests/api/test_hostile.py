"""Bad input to the gymnasium faces: an error of the package that names it, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from fold_envs.api.env import FoldEnv
from fold_envs.api.vector import FoldVectorEnv
from fold_envs.engine.errors import (
    FoldEnvsError,
    GameOverError,
    IllegalActionError,
    InvalidOptionError,
)
from fold_envs.testing import _everything

NAN = float("nan")


def env_of(toy: str, **options: Any) -> FoldEnv:
    env = gymnasium.make(toy, **options).unwrapped
    assert isinstance(env, FoldEnv)
    return env


def vector_of(toy: str, **options: Any) -> FoldVectorEnv:
    env = gymnasium.make_vec(toy, num_envs=3, **options).unwrapped
    assert isinstance(env, FoldVectorEnv)
    return env


def assert_unchanged(
    env: FoldEnv | FoldVectorEnv, call: Callable[[], Any], names: str | None
) -> None:
    before, seats = _everything(env.game), env.tables.seats.copy()
    generator = env.np_random.bit_generator.state
    with pytest.raises(FoldEnvsError, match=names):
        call()
    for name, values in _everything(env.game).items():
        assert np.array_equal(values, before[name]), name
    assert np.array_equal(env.tables.seats, seats)
    assert env.np_random.bit_generator.state == generator


# -------------------------------------------------------------------- making

BAD_OPTIONS = [
    {"seat": -1},
    {"seat": 2},
    {"seat": 0.0},
    {"seat": "first"},
    {"seat": None},
    {"seat": True},
    {"seat": [0]},
    {"skip_forced": 1},
    {"skip_forced": "yes"},
    {"obs_dtype": "float64"},
    {"obs_dtype": np.float32},
    {"obs_dtype": None},
    {"on_illegal": "ignore"},
    {"on_illegal": "trust"},
    {"num_players": 0},
    {"num_players": 2.0},
    {"num_players": "2"},
    {"reward": "points"},
    {"reward": 1},
    {"autoreset": True},
    {"autoreset": False},
    {"check": "no"},
    {"limits": 15},
    {"render_mode": "human"},
    {"render_mode": "rgb_array"},
]


@pytest.mark.filterwarnings("ignore:.*render_mode")
@pytest.mark.parametrize("options", BAD_OPTIONS, ids=str)
def test_bad_options_are_named(toy: str, options: dict[str, Any]) -> None:
    name = next(iter(options))
    for make in (gymnasium.make, lambda *a, **k: gymnasium.make_vec(*a, num_envs=2, **k)):
        with pytest.raises(InvalidOptionError, match=name):
            make(toy, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"autoreset_mode": "SOMETIMES"},
        {"autoreset_mode": None},
        {"autoreset_mode": 3},
        {"autoreset_mode": ["NEXT_STEP"]},
        {"copy": "no"},
        {"copy": 1},
        {"max_episode_steps": 10},
    ],
    ids=str,
)
def test_bad_options_of_the_vector_env(toy: str, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError, match=next(iter(options))):
        FoldVectorEnv(toy, 2, **options)


@pytest.mark.parametrize("num_envs", [0, -1, 2.5, "2", None, True, 2**40])
def test_bad_numbers_of_tables(toy: str, num_envs: Any) -> None:
    with pytest.raises(InvalidOptionError, match="num_envs"):
        FoldVectorEnv(toy, num_envs)
    with pytest.raises(InvalidOptionError, match="num_envs"):
        FoldEnv(toy, num_envs=num_envs)


# -------------------------------------------------------------------- reset

BAD_SEEDS = [-1, 1.0, NAN, "1", 2**64, [1, 2], [[1]], {"a": 1}, object]


@pytest.mark.parametrize("seed", [*BAD_SEEDS, True, [1], np.array([1])], ids=str)
def test_bad_seeds_of_an_env(toy: str, seed: Any) -> None:
    env = env_of(toy)
    env.reset(seed=0)
    assert_unchanged(env, lambda: env.reset(seed=seed), "seed")


@pytest.mark.parametrize(
    "seed", [*BAD_SEEDS, True, [1, 2, -3], [1, 2, None], [1.0, 2.0, 3.0], "abc"], ids=str
)
def test_bad_seeds_of_a_vector_env(toy: str, seed: Any) -> None:
    env = vector_of(toy)
    env.reset(seed=0)
    assert_unchanged(env, lambda: env.reset(seed=seed), "seed")


@pytest.mark.parametrize("options", [{"deck": 1}, {"seed": 1}, [1], "deck", {"reset_mask": [1]}])
def test_bad_reset_options_of_an_env(toy: str, options: Any) -> None:
    env = env_of(toy)
    env.reset(seed=0)
    assert_unchanged(env, lambda: env.reset(seed=1, options=options), "reset has no options")


@pytest.mark.parametrize(
    "options",
    [
        {"deck": 1},
        {"reset_mask": np.ones(3, bool), "deck": 1},
        {"reset_mask": [True, False, True]},
        {"reset_mask": np.ones(3, int)},
        {"reset_mask": np.ones(2, bool)},
        {"reset_mask": np.ones((3, 1), bool)},
        {"reset_mask": "all"},
        {"reset_mask": 1},
        [1],
        "deck",
    ],
    ids=str,
)
def test_bad_reset_options_of_a_vector_env(toy: str, options: Any) -> None:
    for mode in ("NEXT_STEP", "SAME_STEP", "DISABLED"):
        env = vector_of(toy, autoreset_mode=mode)
        env.reset(seed=0)
        assert_unchanged(env, lambda env=env: env.reset(seed=1, options=options), "reset")


# -------------------------------------------------------------------- step


@pytest.mark.parametrize("on_illegal", ["lose", "raise"])
@pytest.mark.parametrize(
    "action", [None, "0", 1.5, NAN, [], [0, 1], [[0, 1]], {}, True, np.zeros(1), 1j], ids=str
)
def test_bad_actions_of_an_env(toy: str, action: Any, on_illegal: str) -> None:
    env = env_of(toy, on_illegal=on_illegal)
    env.reset(seed=0)
    assert_unchanged(env, lambda: env.step(action), "actions must be integers")
    env.step(int(env.action_masks().argmax()))


@pytest.mark.parametrize("on_illegal", ["lose", "raise"])
@pytest.mark.parametrize(
    "actions",
    [
        None,
        0,
        "000",
        [0, 0],
        [0, 0, 0, 0],
        [[0, 0, 0]],
        [0.0, 0.0, 0.0],
        [NAN, 0, 0],
        ["0", "0", "0"],
        [None, 0, 0],
        [True, True, True],
        [[0], [0, 1], [0]],
        np.zeros((3, 1), int),
    ],
    ids=str,
)
def test_bad_actions_of_a_vector_env(toy: str, actions: Any, on_illegal: str) -> None:
    env = vector_of(toy, on_illegal=on_illegal)
    env.reset(seed=0)
    assert_unchanged(env, lambda: env.step(actions), "actions")
    env.step(env.action_masks().argmax(axis=1))


@pytest.mark.parametrize("action", [-1, 5, 10**9, 2**62, -(2**62)])
def test_actions_out_of_range_are_illegal_actions(toy: str, action: int) -> None:
    strict = env_of(toy, on_illegal="raise")
    strict.reset(seed=0)
    with pytest.raises(IllegalActionError, match=f"action {action} is not legal; legal are 0"):
        strict.step(action)
    env = env_of(toy)
    env.reset(seed=0)
    _, reward, over, cut, info = env.step(action)
    assert (reward, over, cut, info["illegal_action"]) == (-1, True, False, True)


def test_illegal_actions_in_a_batch(toy: str) -> None:
    strict = vector_of(toy, on_illegal="raise")
    _, infos = strict.reset(seed=0)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = infos["action_mask"][1].argmin()
    assert_unchanged(strict, lambda: strict.step(actions), "table 1, seat 0")
    env = vector_of(toy)
    env.reset(seed=0)
    _, rewards, over, _, infos = env.step(actions)
    assert over[1] and rewards[1] == -1 and infos["illegal_action"][1]
    assert not infos["illegal_action"][[0, 2]].any()


def test_steps_out_of_order(toy: str) -> None:
    for env, action in ((env_of(toy), 0), (vector_of(toy), np.zeros(3, int))):
        with pytest.raises(GameOverError, match="call reset"):
            env.step(action)
    env = env_of(toy)
    env.reset(seed=0)
    over = False
    while not over:
        _, _, over, _, _ = env.step(int(env.action_masks().argmax()))
    assert_unchanged(env, lambda: env.step(0), "call reset")
    env.reset()
    env.step(int(env.action_masks().argmax()))


# -------------------------------------------------------------------- the rest


@pytest.mark.parametrize("action", [None, -1, 5, "0", 1.0, NAN, [0]])
def test_words_of_no_action(toy: str, action: Any) -> None:
    env = env_of(toy)
    env.reset(seed=0)
    with pytest.raises(InvalidOptionError, match="action"):
        env.describe_action(action)


def test_set_state_takes_only_what_get_state_gave(toy: str) -> None:
    env = env_of(toy)
    env.reset(seed=0)
    tables, seats = env.get_state()
    other = env_of(toy, num_players=3)
    other.reset(seed=0)
    batch = vector_of(toy)
    batch.reset(seed=0)
    bad: list[Any] = [
        None,
        3,
        tables,
        (tables,),
        (tables, seats, 1),
        (seats, tables),
        (None, seats),
        (tables, None),
        (tables, np.array([7])),
        (tables, np.array([0, 1])),
        (tables, np.array([0.0])),
        other.get_state(),
        (batch.game.get_state(), seats),
    ]
    for state in bad:
        assert_unchanged(env, lambda state=state: env.set_state(state), None)


def test_a_vector_env_takes_only_what_get_state_gave(toy: str) -> None:
    env, other = vector_of(toy), vector_of(toy, num_players=3)
    env.reset(seed=0)
    other.reset(seed=0)
    games, seats = env.get_state()
    bad: list[Any] = [
        (None, None),
        (3, None),
        ({}, None),
        (games, None),
        ((games,), None),
        ((games, seats, seats), None),
        ((games, None), None),
        ((games, seats.astype(float)), None),
        ((games, seats[:1]), None),
        (other.get_state(), None),
        ((games, seats), [0]),
        (env.get_state([0]), None),
        (env.get_state([0, 1]), [1, 1]),
        (env.get_state([0]), [99]),
    ]
    for state, tables in bad:
        assert_unchanged(env, lambda state=state, tables=tables: env.set_state(state, tables), None)


@pytest.mark.parametrize("odd", ["Toy-v0x", None, 3])
def test_unknown_ids(odd: Any) -> None:
    for make in (FoldEnv, FoldVectorEnv):
        with pytest.raises(InvalidOptionError, match="no game"):
            make(odd)
