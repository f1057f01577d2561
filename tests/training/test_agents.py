from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

import fold_envs
from fold_envs.api.sb3 import FoldVecEnv
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.rng import Streams
from training.agents import Agent, Mixture, SnapshotPool, find_model, load_agent
from training.matches import play_match

ID = "FoldEnvs/Ohanami-v0"
N = 64


@pytest.fixture(scope="module")
def model() -> MaskablePPO:
    env = FoldVecEnv(ID, 4, seed=0)
    return MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, seed=0, device="cpu")


@pytest.fixture
def table() -> tuple[np.ndarray, np.ndarray]:
    """Observations (N, D) and masks (N, A) of a game in its fifth decision."""
    game = fold_envs.make_batch(ID, N)
    game.reset(seeds=0)
    for _ in range(4):
        game.step(game.random_legal())
    observation = (game.observe() / game.layout.high[:, None]).astype(np.float32)
    return np.ascontiguousarray(observation.T), game.legal.T.copy()


def streams(key: int = 0) -> Streams:
    keys = np.arange(key + 1, key + 1 + N, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return Streams(keys, np.zeros(N, np.uint64))


def test_agent_plays_what_the_model_predicts(model: MaskablePPO, table: tuple) -> None:
    observations, masks = table
    expected, _ = model.predict(observations, action_masks=masks, deterministic=True)
    assert (Agent(model.policy).act(observations, masks, None) == expected).all()


def test_draws_follow_the_policy_and_the_tables_streams(model: MaskablePPO, table: tuple) -> None:
    observations, masks = (np.repeat(array[:1], N, axis=0) for array in table)
    agent = Agent(model.policy, deterministic=False)
    before = torch.get_rng_state()
    drawn = np.stack([agent.act(observations, masks, streams(N * k)) for k in range(200)])
    assert torch.equal(before, torch.get_rng_state())
    assert (drawn[0] == agent.act(observations, masks, streams(0))).all()
    assert masks[0][drawn].all()
    tensor = torch.as_tensor(observations[:1])
    distribution = model.policy.get_distribution(tensor, action_masks=masks[:1])
    expected = distribution.distribution.probs.detach().numpy()[0]
    shares = np.bincount(drawn.ravel(), minlength=masks.shape[1]) / drawn.size
    assert shares == pytest.approx(expected, abs=0.02)


def test_loaded_agent_is_the_same(model: MaskablePPO, table: tuple, tmp_path: Path) -> None:
    model.save(tmp_path / "best.zip")
    agent = load_agent(find_model(tmp_path))
    assert (agent.act(*table, None) == Agent(model.policy).act(*table, None)).all()
    with pytest.raises(FileNotFoundError, match="nowhere"):
        find_model(tmp_path / "nowhere")


def test_agent_of_another_game_is_an_error(model: MaskablePPO) -> None:
    with pytest.raises(InvalidOptionError, match="378 features"):
        play_match(ID, Agent(model.policy), "random", games=3, seed=0, num_players=3)


def test_pool_keeps_the_newest_as_they_were(model: MaskablePPO, table: tuple) -> None:
    pool = SnapshotPool(2, "latest")
    observations, masks = table
    assert masks[np.arange(N), pool.act(observations, masks, streams())].all()  # empty: random
    weight = model.policy.action_net.bias
    for number in range(3):
        with torch.no_grad():
            weight.fill_(number)
        pool.add(model.policy)
    with torch.no_grad():
        weight.fill_(0)
    assert [float(s["action_net.bias"][0]) for s in pool.snapshots] == [1.0, 2.0]
    twin = SnapshotPool(2, "latest")
    twin.restore(pool.snapshots, model.policy)
    first, second = (p.act(observations, masks, streams()) for p in (pool, twin))
    assert (first == second).all()


def test_uniform_pool_gives_every_snapshot_its_games(model: MaskablePPO, table: tuple) -> None:
    pool = SnapshotPool(2, "uniform")
    bias = model.policy.action_net.bias
    observations, masks = table
    masks[:] = True
    for action in (3, 7):
        with torch.no_grad():
            bias.zero_()
            bias[action] = 50.0
        pool.add(model.policy)
    with torch.no_grad():
        bias.zero_()
    rng = streams()
    first, again = pool.act(observations, masks, rng), pool.act(observations, masks, rng)
    assert set(first) == {3, 7} and (first == again).all()  # one opponent for a whole game
    assert 0.25 < (first == 3).mean() < 0.75


def test_mixture_draws_one_member_for_each_game_by_weight() -> None:
    def first(observations: np.ndarray, masks: np.ndarray, rng: Streams) -> np.ndarray:
        return masks.argmax(axis=1)

    def last(observations: np.ndarray, masks: np.ndarray, rng: Streams) -> np.ndarray:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    game = fold_envs.make_batch(ID, 400)
    game.reset(seeds=0)
    policy = Mixture({"a": (first, 3.0), "b": (last, 1.0)}).policy(game)
    where = np.arange(400) < 300
    member = []
    for _ in range(6):
        actions = policy(game.observe(), game.legal, game.side_stream, where)
        legal = game.legal
        member.append(np.where(legal.sum(axis=0) > 1, actions == legal.argmax(axis=0), -1)[:300])
        game.step(game.random_legal())
    member = np.stack(member)
    takes_first = member.max(axis=0)
    assert ((member == takes_first) | (member == -1)).all()  # the same to the end of the game
    assert 0.67 < takes_first.mean() < 0.83
