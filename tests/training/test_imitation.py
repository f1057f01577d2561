from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from fold_envs.api.seats import LearningSeats
from training.agents import SnapshotPool
from training.config import ConfigError, load_config
from training.imitation import collect, imitate, study
from training.train import make_env, make_model

ID = "FoldEnvs/Ohanami-v0"


def tables(num_envs: int = 16) -> LearningSeats:
    return LearningSeats(
        ID, num_envs, opponents="greedy", seat="random", obs_dtype="uint8", reward="margin"
    )


def test_lessons_are_the_teachers_legal_choices_in_whole_games() -> None:
    seats = tables()
    lessons = collect(seats, "greedy", 16 * 150, seed=1, gamma=1.0, noise=0.1)
    count = len(lessons.actions)
    assert count == 16 * 120  # 60 own decisions a game: two whole games a table
    assert lessons.observations.shape == (count, seats.game.layout.size)
    assert lessons.masks[np.arange(count), lessons.actions].all()
    # without a discount, all decisions of a game have its final reward as their return
    by_game = lessons.returns.reshape(2, 60, 16)
    assert (by_game == by_game[:, :1]).all() and len(np.unique(by_game)) > 16


def test_returns_are_discounted() -> None:
    lessons = collect(tables(4), "greedy", 4 * 60, seed=1, gamma=0.5, noise=0.0)
    returns = lessons.returns.reshape(60, 4)
    assert returns[:-1] == pytest.approx(0.5 * returns[1:])


def test_same_seed_same_lessons() -> None:
    first, again, other = (
        collect(tables(4), "greedy", 4 * 60, seed=seed, gamma=1.0, noise=0.2) for seed in (1, 1, 2)
    )
    assert (first.observations == again.observations).all()
    assert (first.actions == again.actions).all()
    assert (first.observations != other.observations).any()


def test_study_learns_and_repeats(tiny: Path) -> None:
    config = load_config(tiny, ["policy_kwargs.net_arch=[64]"])
    env = make_env(config, {"greedy": 1.0}, SnapshotPool(1, "latest"))
    seats = tables(32)
    lessons = collect(seats, "greedy", 32 * 60, seed=1, gamma=1.0, noise=0.1)
    outcome = []
    for _ in range(2):
        model = make_model(config, env)
        progress = study(
            model,
            lessons,
            seats.game.layout.high,
            epochs=8,
            batch_size=64,
            learning_rate=1e-2,
            seed=0,
        )
        outcome.append((progress, model.policy.action_net.weight.detach().clone()))
    (progress, weight), (_, again) = outcome
    assert progress[-1][0] > progress[0][0] + 0.1 and progress[-1][0] > 0.5
    assert torch.equal(weight, again)


def test_imitate_does_what_the_config_says(tiny: Path) -> None:
    config = load_config(tiny, ["imitation.decisions=1000", "imitation.epochs=1"])
    model = make_model(config, make_env(config, {"greedy": 1.0}, SnapshotPool(1, "latest")))
    before = model.policy.action_net.weight.detach().clone()
    assert imitate(model, config).startswith("imitation of greedy: 960 decisions")
    assert not torch.equal(before, model.policy.action_net.weight)
    assert model.num_timesteps == 0


def test_too_few_decisions_are_named(tmp_path: Path) -> None:
    path = tmp_path / "few.yaml"
    path.write_text(f"env_id: {ID}\nn_envs: 32\nimitation: {{decisions: 64}}\n")
    config = load_config(path)
    model = make_model(config, make_env(config, {"greedy": 1.0}, SnapshotPool(1, "latest")))
    with pytest.raises(ConfigError, match=r"imitation\.decisions"):
        imitate(model, config)
