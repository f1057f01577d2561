"""Games go other ways for few tables than for many; nobody must be able to tell."""

from __future__ import annotations

import numpy as np
import pytest

import fold_envs
from fold_envs.engine.rng import Streams
from tests.combos import COMBOS, short

MANY = 600  # more than any game or tool takes for few
FEW = (1, 2, 100, 200, 400)
STEPS = 150


@pytest.mark.parametrize(("env_id", "players"), COMBOS, ids=short)
def test_few_tables_play_as_many_do(env_id: str, players: int) -> None:
    many, *parts = (
        fold_envs.make_batch(env_id, n, num_players=players, autoreset=True, check=False)
        for n in (MANY, *FEW)
    )
    for game in (many, *parts):
        game.reset(3)
    chooser = Streams(np.arange(MANY, dtype=np.uint64), np.zeros(MANY, np.uint64))
    for step in range(STEPS):
        actions = chooser.choose(many.legal)
        many.step(actions)
        for part in parts:
            part.step(actions[: part.num_envs])  # the mask may not have been asked for before
        if step % 10:
            continue
        for seat in (None, 0, players - 1):
            seen = many.observe(seat)
            for part in parts:
                assert np.array_equal(part.observe(seat), seen[:, : part.num_envs])
        for part in parts:
            assert np.array_equal(part.legal, many.legal[:, : part.num_envs])
            assert np.array_equal(part.to_act, many.to_act[: part.num_envs])
    for part in parts:
        for dtype, block in part.state.blocks.items():
            assert np.array_equal(block, many.state.blocks[dtype][:, : part.num_envs])
