"""Tables that wait move to a smaller batch and back: nobody may notice."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import fold_envs.api.turns as turns
from fold_envs.engine.errors import IllegalActionError
from tests.combos import SOME, short

TABLES = 60


@pytest.fixture(autouse=True)
def halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 30 tables, 15, 7, 3 and 1."""
    monkeypatch.setattr(turns, "_SHARE", 2)
    monkeypatch.setattr(turns, "_LEAST", 1)


def lowest(observations: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
    return masks.argmax(axis=1)


def watch(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tables moved, each time."""
    moved: list[int] = []
    play_apart = turns.Turns._play_apart

    def watched(self: Any, waiting: np.ndarray, *args: Any) -> None:
        moved.append(int(waiting.sum()))
        play_apart(self, waiting, *args)

    monkeypatch.setattr(turns.Turns, "_play_apart", watched)
    return moved


@pytest.mark.parametrize(
    ("opponents", "skip_forced"),
    [("random", False), ("greedy", True), (lowest, False)],
    ids=["random", "greedy", "function"],
)
@pytest.mark.parametrize(("env_id", "num_players"), SOME, ids=short)
def test_play_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
    env_id: str,
    num_players: int,
    opponents: Any,
    skip_forced: bool,
) -> None:
    options = {"num_players": num_players, "opponents": opponents, "skip_forced": skip_forced}
    plain, apart = (
        gymnasium.make_vec(env_id, num_envs=TABLES, seat="random", **options) for _ in range(2)
    )
    moved = watch(monkeypatch)
    monkeypatch.setattr(turns, "_LEAST", TABLES)
    plain.reset(seed=3)
    assert not moved
    monkeypatch.setattr(turns, "_LEAST", 1)
    apart.reset(seed=3)
    ends = 0
    for _ in range(70):
        actions = plain.unwrapped.game.random_legal()
        assert np.array_equal(apart.unwrapped.game.random_legal(), actions)
        monkeypatch.setattr(turns, "_LEAST", TABLES)
        expected = plain.step(actions)
        monkeypatch.setattr(turns, "_LEAST", 1)
        got = apart.step(actions)
        for one, other in zip(expected[:4], got[:4], strict=True):
            assert np.array_equal(one, other)
        assert expected[4].keys() == got[4].keys()
        for key, value in expected[4].items():
            assert np.array_equal(got[4][key], value), key
        ends += int(got[2].sum())
    for dtype, block in plain.unwrapped.game.state.blocks.items():
        assert np.array_equal(apart.unwrapped.game.state.blocks[dtype], block)
    assert ends > 0
    assert moved or num_players == 1


def test_an_illegal_action_names_the_table_of_the_whole(
    monkeypatch: pytest.MonkeyPatch, toy: str
) -> None:
    bad = 33

    def cheat(observations: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
        return np.where(rng.key == wrong, 99, masks.argmax(axis=1))

    env = gymnasium.make_vec(toy, num_envs=TABLES, seat=1, opponents=cheat).unwrapped
    wrong = np.uint64(0)
    env.reset(seed=0)
    wrong = env.game.state.side_key[bad]
    moved = watch(monkeypatch)
    where = np.arange(TABLES) == bad
    with pytest.raises(IllegalActionError, match=f"table {bad}, seat"):
        for _ in range(20):
            env.tables.step(env.game.random_legal(), where)
    assert moved == [1] * 5
    assert np.array_equal(env.game.legal, pickle.loads(pickle.dumps(env.game)).legal)
