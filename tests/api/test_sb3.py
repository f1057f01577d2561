"""FoldVecEnv against the vector env, and stable-baselines3 on top of all ways to make envs."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from fold_envs.engine.errors import InvalidOptionError
from tests.api.test_vector import choose
from tests.combos import IDS, SOME, short

torch = pytest.importorskip("torch")
sb3_contrib = pytest.importorskip("sb3_contrib")

from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import (  # noqa: E402
    DummyVecEnv,
    SubprocVecEnv,
    VecEnv,
    VecMonitor,
    VecNormalize,
)

from fold_envs.api.sb3 import FoldVecEnv  # noqa: E402

torch.set_num_threads(1)
N = 4


@pytest.mark.parametrize(("env_id", "num_players"), SOME, ids=short)
def test_equals_the_vector_env(env_id: str, num_players: int) -> None:
    options = {"num_players": num_players, "opponents": "greedy", "seat": "random"}
    venv = FoldVecEnv(env_id, N, seed=9, **options)
    vector = gymnasium.make_vec(env_id, num_envs=N, autoreset_mode="SAME_STEP", **options)
    ours = venv.reset()
    theirs, _ = vector.reset(seed=9)
    returns, lengths, ended = np.zeros(N), np.zeros(N, int), 0
    for number in range(1000):
        assert np.array_equal(ours, theirs) and ours.dtype == np.float32
        masks = venv.action_masks()
        assert np.array_equal(masks, vector.unwrapped.action_masks())
        actions = choose(masks, number)
        ours, rewards, dones, infos = venv.step(actions)
        theirs, their_rewards, over, _, their_infos = vector.step(actions)
        assert np.array_equal(rewards, their_rewards) and rewards.dtype == np.float32
        assert np.array_equal(dones, over) and dones.dtype == bool
        returns, lengths = returns + rewards, lengths + 1
        for table in range(N):
            info = infos[table]
            if not dones[table]:
                assert info == {}
                continue
            assert np.array_equal(info["terminal_observation"], their_infos["final_obs"][table])
            assert not np.array_equal(info["terminal_observation"], ours[table])
            assert info["TimeLimit.truncated"] is False
            assert info["episode"]["r"] == pytest.approx(returns[table], abs=1e-6)
            assert info["episode"]["l"] == lengths[table] and info["episode"]["t"] >= 0
            final = their_infos["final_info"]
            for key in ("scores", "winners", "tie_break", "seat", "illegal_action"):
                assert np.array_equal(info[key], final[key][table]), key
            returns[table] = lengths[table] = 0
            ended += 1
        if ended >= N:
            break
    assert ended >= N


def test_methods_and_attributes_of_the_tables(toy: str) -> None:
    venv = FoldVecEnv(toy, 3, seed=0)
    venv.reset()
    assert is_masking_supported(venv) and venv.has_attr("action_masks")
    assert not venv.has_attr("nothing")
    masks = get_action_masks(venv)
    assert masks.shape == (3, 5) and masks.dtype == bool
    rows = venv.env_method("action_masks", indices=[2, 0])
    assert np.array_equal(rows, masks[[2, 0]])
    assert venv.get_attr("render_mode") == [None] * 3
    assert venv.env_is_wrapped(Monitor) == [True] * 3
    assert venv.env_is_wrapped(gymnasium.wrappers.TimeLimit, indices=1) == [False]
    with pytest.raises(InvalidOptionError, match="options to FoldVecEnv"):
        venv.set_attr("seat", 1)
    with pytest.raises(AttributeError, match="no method 'fly'"):
        venv.env_method("fly")
    with pytest.raises(InvalidOptionError, match="takes an id"):
        FoldVecEnv(gymnasium.make_vec(toy, num_envs=2), 2)
    venv.close()


def test_seeds_repeat_and_resets_go_on(toy: str) -> None:
    venv = FoldVecEnv(toy, 3, seed=5)
    first, second = venv.reset(), venv.reset()
    assert not np.array_equal(first, second)
    assert venv.seed(5) == [5, 6, 7]
    assert np.array_equal(venv.reset(), first) and np.array_equal(venv.reset(), second)
    assert np.array_equal(gymnasium.make_vec(toy, num_envs=3).reset(seed=5)[0], first)
    assert len(set(FoldVecEnv(toy, 3)._seeds + FoldVecEnv(toy, 3)._seeds)) == 6


def test_rows_are_fresh(toy: str) -> None:
    venv = FoldVecEnv(toy, 3, seed=0)
    first = venv.reset()
    kept = first.copy()
    second, *_ = venv.step(choose(venv.action_masks(), 0))
    assert np.array_equal(first, kept) and not np.shares_memory(first, second)
    assert not np.shares_memory(venv.action_masks(), venv.action_masks())


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_pickled_envs_go_on_alike(env_id: str) -> None:
    venv = FoldVecEnv(env_id, N, seed=2)
    venv.reset()
    for number in range(10):
        venv.step(choose(venv.action_masks(), number))
    copies = [pickle.loads(pickle.dumps(venv)), copy.deepcopy(venv)]
    for number in range(30):
        actions = choose(venv.action_masks(), number)
        expected = venv.step(actions)
        for other in copies:
            for one, two in zip(expected[:3], other.step(actions)[:3], strict=True):
                assert np.array_equal(one, two)


def test_vec_normalize_saves_loads_and_pickles(toy: str, tmp_path: Path) -> None:
    venv = VecNormalize(FoldVecEnv(toy, N, seed=1), gamma=0.9)
    venv.reset()
    for number in range(20):
        venv.step(choose(venv.env_method("action_masks"), number))
    venv.save(str(tmp_path / "norm.pkl"))
    loaded = VecNormalize.load(str(tmp_path / "norm.pkl"), FoldVecEnv(toy, N, seed=1))
    assert np.array_equal(loaded.obs_rms.mean, venv.obs_rms.mean)
    assert loaded.ret_rms.var == venv.ret_rms.var
    assert is_masking_supported(loaded)
    loaded.reset()
    loaded.step(choose(get_action_masks(loaded), 0))
    again = pickle.loads(pickle.dumps(venv))
    again.set_venv(pickle.loads(pickle.dumps(venv.venv)))
    actions = choose(get_action_masks(venv), 3)
    for one, two in zip(venv.step(actions)[:3], again.step(actions)[:3], strict=True):
        assert np.array_equal(one, two)


def test_vec_monitor_and_uint8(toy: str) -> None:
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        venv = VecMonitor(FoldVecEnv(toy, N, seed=1, obs_dtype="uint8"))
    assert venv.reset().dtype == np.uint8
    for number in range(20):
        _, _, dones, infos = venv.step(choose(venv.env_method("action_masks"), number))
        for table in np.flatnonzero(dones):
            assert infos[table]["episode"]["l"] >= 1


def learn(venv: VecEnv, **options: Any) -> Any:
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy", venv, n_steps=16, batch_size=16, n_epochs=1, seed=0, device="cpu", **options
    )
    return model.learn(64)


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_maskable_ppo_learns_on_the_native_env(env_id: str) -> None:
    venv = FoldVecEnv(env_id, N, on_illegal="raise")
    model = learn(venv)
    rewards, lengths = evaluate_policy(
        model, FoldVecEnv(env_id, 2, seed=0), n_eval_episodes=2, return_episode_rewards=True
    )
    assert len(rewards) == 2 and min(lengths) > 0
    assert np.isfinite(rewards).all()


# make_vec_env asks for pictures first and goes on without them
@pytest.mark.filterwarnings("ignore:.*render_mode='rgb_array':UserWarning")
@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_maskable_ppo_learns_on_plain_envs(env_id: str) -> None:
    venv = make_vec_env(env_id, 2, vec_env_cls=DummyVecEnv, env_kwargs={"on_illegal": "raise"})
    assert is_masking_supported(venv)
    learn(venv, policy_kwargs={"net_arch": [16]})
    native = FoldVecEnv(env_id, 2, seed=0)
    single = DummyVecEnv([lambda k=k: gymnasium.make(env_id) for k in range(2)])
    single.seed(0)
    assert np.array_equal(single.reset(), native.reset())
    for number in range(5):  # the same games through SB3's own vectorisation
        actions = choose(native.action_masks(), number)
        assert np.array_equal(single.step(actions)[0], native.step(actions)[0])


def test_maskable_ppo_learns_in_spawned_processes() -> None:
    venv = make_vec_env(
        f"fold_envs:{IDS[0]}",  # names the module, so that a fresh process knows the id
        2,
        vec_env_cls=SubprocVecEnv,
        vec_env_kwargs={"start_method": "spawn"},
        env_kwargs={"on_illegal": "raise"},
    )
    try:
        assert get_action_masks(venv).shape[0] == 2
        learn(venv)
    finally:
        venv.close()


@pytest.mark.parametrize("seed", [-1, 1.5, "a", [1], float("nan"), True, 2**64])
def test_bad_seeds_are_refused(toy: str, seed: Any) -> None:
    with pytest.raises(InvalidOptionError, match="seed"):
        FoldVecEnv(toy, 2, seed=seed)
    venv = FoldVecEnv(toy, 2, seed=3)
    with pytest.raises(InvalidOptionError, match="seed"):
        venv.seed(seed)
    assert venv._seeds == [3, 4]


@pytest.mark.parametrize(
    "actions",
    [None, 0, [0], [0, 1, 0], [0.0, 1.0], ["a", "b"], [[0, 1]], [np.nan, 0], [True, False]],
)
def test_bad_actions_are_refused(toy: str, actions: Any) -> None:
    venv = FoldVecEnv(toy, 2, seed=3)
    venv.reset()
    before = venv.game.state.hand.copy()
    venv.step_async(actions)
    with pytest.raises(InvalidOptionError, match="actions"):
        venv.step_wait()
    assert np.array_equal(venv.game.state.hand, before)
    venv.step(choose(venv.action_masks(), 0))


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_a_saved_state_goes_on_the_same(env_id: str) -> None:
    venv = FoldVecEnv(env_id, N, seed=4, seat="random")
    venv.reset()
    for number in range(20):
        venv.step(choose(venv.action_masks(), number))
    state = pickle.loads(pickle.dumps(venv.get_state()))
    other = FoldVecEnv(env_id, N, seed=77, seat="random")
    other.set_state(state)
    for number in range(200):
        masks = venv.action_masks()
        assert np.array_equal(masks, other.action_masks())
        one, two = (env.step(choose(masks, number)) for env in (venv, other))
        for ours, theirs in zip(one[:3], two[:3], strict=True):
            assert np.array_equal(ours, theirs)
        for ours, theirs in zip(one[3], two[3], strict=True):
            if "episode" in ours:
                assert ours["episode"]["r"] == theirs["episode"]["r"]
                assert ours["episode"]["l"] == theirs["episode"]["l"]
    before = venv.game.get_state().blocks
    for wrong in ({"returns": np.zeros(N + 1)}, {"tables": 3}, {"tables": (3, state["tables"][1])}):
        with pytest.raises(InvalidOptionError):
            venv.set_state(state | wrong)
    for nothing in (None, {}):
        with pytest.raises(InvalidOptionError):
            venv.set_state(nothing)
    for dtype, block in venv.game.state.blocks.items():
        assert np.array_equal(block, before[dtype])
