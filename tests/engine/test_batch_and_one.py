"""A batch under resets in any order is so many one-table games: a game is (seed, episode) alone."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from tests.engine.toy_game import Toy

ENDING = ("done", "final_scores", "winners", "tie_break", "rewards")


def same(game: Toy, ones: list[Toy], what: str) -> None:
    for dtype, block in game.state.blocks.items():
        theirs = np.concatenate([one.state.blocks[dtype] for one in ones], axis=1)
        assert np.array_equal(block, theirs), (what, dtype)
    for name in (*ENDING, "legal", "to_act"):
        theirs = np.concatenate([getattr(one, name) for one in ones], axis=-1)
        assert np.array_equal(getattr(game, name), theirs), (what, name)
    theirs = np.concatenate([one.observe() for one in ones], axis=-1)
    assert np.array_equal(game.observe(), theirs), what


def step(game: Toy, ones: list[Toy]) -> None:
    live = ~game.state.over
    if not live.any():
        return
    game.step(game.random_legal(live))
    for one, plays in zip(ones, live, strict=True):
        if plays:
            one.step(one.random_legal())
        elif one.paid:  # nothing is paid in a step that others played
            one.rewards[:] = 0
            one.paid = False


@pytest.mark.parametrize("autoreset", [False, True])
@pytest.mark.parametrize("num_envs", [1, 2, 5, 70])
def test_resets_in_any_order(num_envs: int, autoreset: bool) -> None:
    rng = np.random.default_rng(num_envs)
    game = Toy(num_envs, autoreset=autoreset)
    ones = [Toy(1, autoreset=autoreset) for _ in range(num_envs)]
    game.reset(100)
    for table, one in enumerate(ones):
        one.reset(100 + table)
    saved = game.get_state(), [one.get_state() for one in ones]
    for _ in range(150):
        some = rng.random(num_envs) < rng.choice([0.05, 0.5, 1.0])
        what = rng.choice(["step"] * 6 + ["next", "seeds", "save", "load", "copy"])
        if what == "step":
            for _ in range(4):
                step(game, ones)
        elif what in ("next", "seeds"):
            seeds = rng.integers(0, 1 << 60, num_envs)
            game.reset(None if what == "next" else seeds, some)
            for table, one in enumerate(ones):
                if some[table]:
                    one.reset(None if what == "next" else int(seeds[table]))
                elif one.paid:
                    one.rewards[:] = 0
                    one.paid = False
        elif what == "save":
            saved = game.get_state(), [one.get_state() for one in ones]
        elif what == "load":
            game.set_state(pickle.loads(pickle.dumps(saved[0])))
            for one, state in zip(ones, saved[1], strict=True):
                one.set_state(state)
        else:
            game = copy.deepcopy(game).copy(np.arange(num_envs))
        same(game, ones, str(what))


def test_a_first_reset_of_some_tables_leaves_the_first_game_to_the_others() -> None:
    for num_envs in (2, 5000):  # dealt ahead, and not
        game = Toy(num_envs)
        game.reset(7, where=[0])
        game.reset(where=[1])
        one = Toy(1)
        one.reset(8)
        assert game.snapshot(1) == one.snapshot(0)
