"""The vector env against single envs, in all three autoreset modes, and under wrappers."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import NormalizeReward, RecordEpisodeStatistics

from fold_envs.api.vector import FoldVectorEnv
from fold_envs.engine.errors import GameOverError, InvalidOptionError
from tests.combos import COMBOS, IDS, short

MODES = list(AutoresetMode)
N = 3


def choose(masks: np.ndarray, number: int) -> np.ndarray:
    """Legal actions, by a rule that needs no state."""
    choices = [np.flatnonzero(mask) for mask in masks]
    return np.array([c[(5 * number + 2 * k) % len(c)] for k, c in enumerate(choices)])


def assert_same_infos(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Same entries under the same masks; a tie break is a name in one and a number in the other."""
    assert set(ours) == set(theirs)
    for key, values in theirs.items():
        if key.startswith("_"):
            assert np.array_equal(ours[key], values), key
        elif isinstance(values, dict):
            assert_same_infos(ours[key], values)
        elif key == "tie_break":
            named = [value is not None for value in np.atleast_1d(values)]
            assert np.array_equal(ours[key] > 0, named)
        else:
            for mine, other, there in zip(ours[key], values, theirs["_" + key], strict=True):
                assert not there or np.array_equal(mine, other), key


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize(("env_id", "num_players"), COMBOS, ids=short)
def test_equals_single_envs_step_by_step(
    env_id: str, num_players: int, mode: AutoresetMode
) -> None:
    options = {"num_players": num_players, "seat": "random" if num_players % 2 else 0}
    ours = gymnasium.make_vec(env_id, num_envs=N, autoreset_mode=mode, **options)
    theirs = gymnasium.make_vec(
        env_id,
        num_envs=N,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **options,
    )
    assert isinstance(ours.unwrapped, FoldVectorEnv)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    pair = [env.reset(seed=5) for env in (ours, theirs)]
    over, ended = np.zeros(N, bool), 0
    for number in range(1000):
        assert np.array_equal(pair[0][0], pair[1][0]) and pair[0][0].dtype == pair[1][0].dtype
        assert_same_infos(pair[0][-1], pair[1][-1])
        if mode is AutoresetMode.DISABLED and over.any():
            pair = [env.reset(options={"reset_mask": over.copy()}) for env in (ours, theirs)]
            # gymnasium's own hands out infos of the tables that were reset only
            assert np.array_equal(pair[0][0], pair[1][0])
            masks = pair[0][1]["action_mask"]
            assert np.array_equal(masks[over], pair[1][1]["action_mask"][over])
        else:
            masks = pair[0][-1]["action_mask"]
        if number > 40 and ended >= N:
            break
        actions = choose(masks, number)
        pair = [env.step(actions) for env in (ours, theirs)]
        (_, rewards, over, cut, infos), (_, their_rewards, their_over, their_cut, their_infos) = (
            pair
        )
        assert np.allclose(rewards, their_rewards) and rewards.dtype == np.float32
        assert np.array_equal(over, their_over) and over.dtype == bool
        assert np.array_equal(cut, their_cut) and not cut.any() and cut.dtype == bool
        ended += over.sum()
        if mode is AutoresetMode.SAME_STEP and over.any():
            for table in np.flatnonzero(over):
                assert np.array_equal(infos["final_obs"][table], their_infos["final_obs"][table])
            assert all(infos["final_obs"][table] is None for table in np.flatnonzero(~over))
            pair = [
                (*result[:-1], {k: v for k, v in result[-1].items() if k != "final_obs"})
                for result in pair
            ]
    assert ended >= N


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_what_infos_hold(toy: str, mode: AutoresetMode) -> None:
    env = gymnasium.make_vec(toy, num_envs=6, autoreset_mode=mode, num_players=3)
    _, infos = env.reset(seed=0)
    assert set(infos) == {"action_mask", "_action_mask"} and infos["_action_mask"].all()
    assert infos["action_mask"].dtype == np.int8
    ending = {"scores", "winners", "tie_break", "seat", "illegal_action"}
    for number in range(40):
        _, rewards, over, _, infos = env.step(choose(infos["action_mask"], number))
        found = infos
        if mode is AutoresetMode.SAME_STEP:
            assert ("final_obs" in infos) == ("final_info" in infos) == over.any()
            assert not ending & set(infos)
            if over.any():
                found = infos["final_info"]
                assert np.array_equal(infos["_final_obs"], over)
                assert np.array_equal(infos["_final_info"], over)
                assert found["action_mask"][over].all()  # the end allows everything
        for key in ending:
            assert (key in found) == over.any()
            if over.any():
                assert np.array_equal(found[f"_{key}"], over)
        if over.any():
            wins = found["winners"].sum(axis=1)[over]
            own = found["winners"][over, 0]
            expected = np.where(own, (3 - wins) / (2 * wins), -0.5)
            assert np.allclose(rewards[over], expected)
        if mode is AutoresetMode.DISABLED and over.any():
            _, infos = env.reset(options={"reset_mask": over})
        elif mode is AutoresetMode.NEXT_STEP:
            assert infos["action_mask"][over].all()
    env.close()


def test_disabled_refuses_to_play_at_tables_that_are_over(toy: str) -> None:
    env = gymnasium.make_vec(toy, num_envs=4, autoreset_mode="DISABLED")
    _, infos = env.reset(seed=1)
    over = np.zeros(4, bool)
    while not over.any():
        _, _, over, _, infos = env.step(choose(infos["action_mask"], 0))
    table = int(np.flatnonzero(over)[0])
    with pytest.raises(InvalidOptionError, match=rf"tables \[{table}.*reset_mask"):
        env.step(np.zeros(4, int))
    before = env.unwrapped.game.state.hand.copy()
    env.reset(options={"reset_mask": over})
    after = env.unwrapped.game.state.hand
    assert np.array_equal(after[..., ~over], before[..., ~over])
    env.step(choose(env.unwrapped.action_masks(), 0))


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_the_mode_is_kept_on_the_instance(toy: str, mode: AutoresetMode) -> None:
    for given in (mode, mode.name, mode.value):
        env = gymnasium.make_vec(toy, num_envs=2, autoreset_mode=given)
        assert env.metadata["autoreset_mode"] is mode
    assert "autoreset_mode" not in FoldVectorEnv.metadata
    assert gymnasium.make_vec(toy, num_envs=1).metadata["autoreset_mode"] is MODES[0]


# -------------------------------------------------------------------- wrappers


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_record_episode_statistics_and_normalize_reward(env_id: str, mode: AutoresetMode) -> None:
    plain = gymnasium.make_vec(env_id, num_envs=N, autoreset_mode=mode)
    inner = gymnasium.make_vec(env_id, num_envs=N, autoreset_mode=mode)
    env = NormalizeReward(RecordEpisodeStatistics(inner))
    _, infos = env.reset(seed=3)
    plain.reset(seed=3)
    lengths, returns = np.zeros(N, int), np.zeros(N)
    before, episodes = np.zeros(N, bool), []
    while len(episodes) < 2 * N:
        actions = choose(infos["action_mask"], len(episodes))
        _, scaled, over, _, infos = env.step(actions)
        _, rewards, _, _, _ = plain.step(actions)
        counted = ~before if mode is AutoresetMode.NEXT_STEP else np.ones(N, bool)
        lengths += counted
        returns += rewards
        assert np.array_equal(scaled != 0, rewards != 0)
        for table in np.flatnonzero(over):
            # before 1.4 the wrapper missed the first step of an episode under SAME_STEP
            if mode is not AutoresetMode.SAME_STEP or gymnasium.__version__ >= "1.4":
                assert infos["episode"]["l"][table] == lengths[table]
            assert np.isclose(infos["episode"]["r"][table], returns[table])
            episodes.append(lengths[table])
        lengths[over] = returns[over] = 0
        before = over
        if mode is AutoresetMode.DISABLED and over.any():
            _, infos = env.reset(options={"reset_mask": over.copy()})
            plain.reset(options={"reset_mask": over.copy()})
            before = np.zeros(N, bool)
    assert env.return_rms.count > 1


# -------------------------------------------------------------------- memory


@pytest.mark.parametrize("obs_dtype", ["float32", "uint8"])
@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_arrays_are_fresh_or_reused_as_asked(env_id: str, obs_dtype: str) -> None:
    for keep in (True, False):
        env = gymnasium.make_vec(env_id, num_envs=4, copy=keep, obs_dtype=obs_dtype)
        observation, infos = env.reset(seed=0)
        pairs = []
        for number in range(8):
            kept = (observation.copy(), infos["action_mask"].copy())
            result = env.step(choose(infos["action_mask"], number))
            pairs.append((observation, result[0], infos["action_mask"], result[-1]["action_mask"]))
            if keep:  # what was handed out before has not changed
                assert np.array_equal(observation, kept[0])
                assert np.array_equal(infos["action_mask"], kept[1])
            observation, infos = result[0], result[-1]
            for mine in (observation, infos["action_mask"]):
                inside = [env.unwrapped.game._legal, env.unwrapped.game._obs]
                assert not keep or not any(np.shares_memory(mine, buffer) for buffer in inside)
        for first, second, mask, next_mask in pairs:
            assert np.shares_memory(first, second) != keep
            assert np.shares_memory(mask, next_mask) != keep


def test_single_env_and_core_memory(toy: str) -> None:
    env = gymnasium.make(toy)
    first, info = env.reset(seed=0)
    second, _, _, _, later = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(info["action_mask"], later["action_mask"])
    masks = env.unwrapped.action_masks()
    assert masks.dtype == bool and not np.shares_memory(masks, env.unwrapped.action_masks())


# -------------------------------------------------------------------- saving, seeds, rendering


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_pickled_and_deepcopied_envs_go_on_alike(env_id: str) -> None:
    env = gymnasium.make_vec(env_id, num_envs=N, seat="random", opponents="greedy").unwrapped
    single = gymnasium.make(env_id, seat="random", opponents="greedy").unwrapped
    _, infos = env.reset(seed=1)
    _, info = single.reset(seed=1)
    for number in range(8):
        _, _, _, _, infos = env.step(choose(infos["action_mask"], number))
        _, _, _, _, info = single.step(choose(info["action_mask"][None], number)[0])
    for save in (copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))):
        one, other, again, twin = (
            copy.deepcopy(env),
            save(env),
            copy.deepcopy(single),
            save(single),
        )
        masks, mask = infos["action_mask"], info["action_mask"]
        for number in range(30):
            actions = choose(masks, number)
            mine, theirs = one.step(actions), other.step(actions)
            assert all(np.array_equal(a, b) for a, b in zip(mine[:4], theirs[:4], strict=True))
            masks = mine[-1]["action_mask"]
            action = choose(mask[None], number)[0]
            mine, theirs = again.step(action), twin.step(action)
            assert np.array_equal(mine[0], theirs[0]) and mine[1:4] == theirs[1:4]
            mask = mine[-1]["action_mask"]
            if mine[2]:
                mask = again.reset()[1]["action_mask"]
                twin.reset()
        assert one.tables.done is one.game.done


def test_get_state_and_set_state_of_an_env(toy: str) -> None:
    env = gymnasium.make(toy, seat="random", num_players=3).unwrapped
    env.reset(seed=4)
    state = env.get_state()
    runs = []
    for _ in range(2):
        env.set_state(state)
        run, over = [], False
        while not over:
            action = int(np.flatnonzero(env.action_masks())[-1])
            observation, reward, over, _, info = env.step(action)
            run.append((observation.tolist(), reward))
        runs.append((run, info["scores"].tolist(), info["seat"]))
        env.reset(seed=99)
    assert runs[0] == runs[1]


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
@pytest.mark.parametrize("tables", [None, [3, 0]])
def test_get_state_and_set_state_of_a_vector_env(toy: str, mode: str, tables: Any) -> None:
    env = gymnasium.make_vec(
        toy, num_envs=5, seat="random", num_players=3, autoreset_mode=mode
    ).unwrapped
    env.reset(seed=4)
    mine = slice(None) if tables is None else tables

    def play(steps: int) -> list[Any]:
        seen = []
        for _ in range(steps):
            actions = env.action_masks()[:, ::-1].argmax(axis=1)
            observations, rewards, done, _, _ = env.step(env.single_action_space.n - 1 - actions)
            seen.append([part[mine].tolist() for part in (observations, rewards, done)])
        return seen

    while not env._done.any() and mode == "NEXT_STEP":
        play(1)  # a table that ended is among those saved
    state = pickle.loads(pickle.dumps(env.get_state(tables)))
    first = play(30)
    assert any(any(done) for _, _, done in first)
    other, done = env.get_state([1, 2, 4]), env._done[[1, 2, 4]]
    env.set_state(state, tables)
    if tables is not None:  # the others stay where they are
        assert np.array_equal(env._done[[1, 2, 4]], done)
        (games, seats), (games_then, seats_then) = env.get_state([1, 2, 4]), other
        assert np.array_equal(seats, seats_then)
        for dtype, block in games.blocks.items():
            assert np.array_equal(block, games_then.blocks[dtype])
    assert play(30) == first


def test_a_vector_env_that_was_never_reset_is_restored_as_such(toy: str) -> None:
    env, unused = (gymnasium.make_vec(toy, num_envs=2).unwrapped for _ in range(2))
    env.reset(seed=0)
    env.set_state(unused.get_state())
    for one in (env, unused):
        with pytest.raises(GameOverError, match="call reset first"):
            one.step([0, 0])


def test_seeds_may_be_one_or_many(toy: str) -> None:
    one, many, none = (gymnasium.make_vec(toy, num_envs=3) for _ in range(3))
    first, _ = one.reset(seed=7)
    second, _ = many.reset(seed=[9, 8, 7])
    assert np.array_equal(first, second[::-1])
    assert np.array_equal(many.reset(seed=np.array([7, 8, 9]))[0], first)
    assert not np.array_equal(one.reset()[0], first)
    assert not np.array_equal(none.reset()[0], gymnasium.make_vec(toy, num_envs=3).reset()[0])


def test_render_and_attributes(toy: str) -> None:
    env = gymnasium.make_vec(toy, num_envs=3, render_mode="ansi")
    env.reset(seed=0)
    assert len(env.render()) == 3 and all(isinstance(text, str) for text in env.render())
    assert gymnasium.make_vec(toy, num_envs=3).unwrapped.render() is None
    assert env.unwrapped.layout["hand"] == slice(0, 3)
    assert env.unwrapped.state_vector().shape == (3, env.unwrapped.layout.size + 3)
    assert env.unwrapped.action_masks().shape == (3, 5)
    single = gymnasium.make(toy)
    single.reset(seed=0)
    assert single.unwrapped.describe_action(0).startswith("play")
    assert single.unwrapped.state_vector().shape == (single.unwrapped.layout.size + 3,)


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_options_survive_every_reset(env_id: str) -> None:
    options = {
        "num_players": 3,
        "reward": "score",
        "seat": 2,
        "skip_forced": True,
        "obs_dtype": "uint8",
        "on_illegal": "raise",
        "opponents": "greedy",
    }
    env = gymnasium.make(env_id, **options).unwrapped
    fresh = gymnasium.make(env_id, **options).unwrapped
    for seed in (None, 3, None, 3):
        observation, _ = env.reset(seed=seed)
        expected, _ = fresh.reset(seed=3)
        game, tables = env.game, env.tables
        assert (game.num_players, game.reward, game.on_illegal) == (3, "score", "raise")
        assert tables.seats.tolist() == [2] and tables.skip_forced
        assert observation.dtype == np.uint8 and game.to_act[0] == 2
        assert game.legal.sum() > 1
        if seed == 3:
            assert np.array_equal(observation, expected)
