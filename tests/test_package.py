"""Importing, registering and making: what a user meets first."""

from __future__ import annotations

import random
import subprocess
import sys

import gymnasium
import numpy as np
import pytest

import fold_envs
from fold_envs.engine.errors import FoldEnvsError, InvalidOptionError
from tests.combos import IDS, short

IMPORT = """
import gymnasium, sys, time
start = time.process_time()
import fold_envs
env = gymnasium.make(fold_envs.ids()[0])
env.reset(seed=0)
print(time.process_time() - start)
print(*sorted(m for m in ("torch", "matplotlib", "pygame", "pettingzoo", "stable_baselines3", "PIL")
              if m in sys.modules))
"""


def run(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_import_is_light_and_quick() -> None:
    # CPU time, the quicker of two: other work may share the machine
    times, loaded = zip(*(run(IMPORT) for _ in range(2)), strict=True)
    assert not any(loaded), f"importing fold_envs pulls in {loaded}"
    assert min(map(float, times)) < 0.5


def test_a_missing_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "try:\n    import fold_envs.api.aec\n"
        "except ImportError as error:\n    print(error)"
    )
    assert 'pip install "fold-envs[pettingzoo]"' in run(code)[0]


def test_ids_are_registered_once() -> None:
    before = dict(gymnasium.registry)
    fold_envs.register_envs()
    assert gymnasium.registry == before
    for env_id in fold_envs.ids():
        assert env_id.startswith("FoldEnvs/") and env_id in gymnasium.registry


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_the_module_can_be_named_in_the_id(env_id: str) -> None:
    module, name = "fold_envs", env_id
    code = (
        f"import gymnasium\nenv = gymnasium.make('{module}:{name}')\n"
        f"vec = gymnasium.make_vec('{module}:{name}', num_envs=2)\nprint(env.spec.id, vec.num_envs)"
    )
    assert run(code) == [f"{env_id} 2"]


@pytest.mark.parametrize("odd", ["Ohanami", "FoldEnvs/Chess-v0", "", None, 3, ["x"], b"x"])
def test_an_unknown_id_lists_those_there_are(odd: object) -> None:
    for call in (fold_envs.make_batch, fold_envs.game_class):
        with pytest.raises(
            InvalidOptionError, match=r"no game .*; there are .*FoldEnvs/Ohanami-v0"
        ):
            call(odd)


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_an_unknown_option_is_named(env_id: str) -> None:
    for make in (
        lambda **options: fold_envs.make_batch(env_id, 2, **options),
        lambda **options: gymnasium.make(env_id, **options),
        lambda **options: gymnasium.make_vec(env_id, num_envs=2, **options),
    ):
        with pytest.raises(FoldEnvsError, match="num_player"):
            make(num_player=2)
        with pytest.raises(FoldEnvsError, match="num_players"):
            make(num_players=17)


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_global_random_states_are_left_alone(env_id: str) -> None:
    plain, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 - these are meant
    env = gymnasium.make(env_id, opponents="greedy")
    for seed in (0, None):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            action = int(np.flatnonzero(info["action_mask"])[0])
            _, _, over, _, info = env.step(action)
    assert random.getstate() == plain
    after = np.random.get_state()  # noqa: NPY002
    assert all(np.array_equal(a, b) for a, b in zip(numpy, after, strict=True))


def test_global_seeds_do_not_reach_the_games() -> None:
    deals = []
    for _ in range(2):
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        game = fold_envs.make_batch(IDS[0])
        game.reset()
        deals.append(game.snapshot(0))
    assert deals[0] != deals[1]
