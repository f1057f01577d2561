"""The table of cloths against the figures of the rules, and against folding by hand."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from fold_envs.games.fold_it.cloth import (
    FIRST_FOLD,
    FOLDS,
    LAY_FLAT,
    STAY,
    TURN_OVER,
    cloths,
    fewest_folds,
    fold_words,
    folds_to,
    mirrored_folds,
)
from fold_envs.games.fold_it.heuristic import fold_distances
from fold_envs.games.fold_it.orders import Components, all_orders, random_orders, to_mask

TABLE = cloths()
STATES = len(TABLE.squares)
NEXT = TABLE.next


def breadth_first(*starts: int) -> list[int]:
    """How many states are first reached after 0, 1, ... folds from ``starts``."""
    seen, reached = set(starts), [len(starts)]
    front = np.array(starts)
    while len(front):
        front = np.setdiff1d(NEXT[front, FIRST_FOLD : FIRST_FOLD + FOLDS], list(seen))
        seen.update(front.tolist())
        if len(front):
            reached.append(len(front))
    return reached


def dishes_on_top() -> list[frozenset[int]]:
    return [
        frozenset(c for c in range(16) if mask >> c & 1) for mask in np.unique(TABLE.top).tolist()
    ]


def test_as_many_states_as_there_are() -> None:
    assert STATES == 35_838
    assert len(np.unique(TABLE.squares, axis=0)) == STATES
    by_folds = [1, 24, 344, 2232, 7904, 14112, 11168]
    assert breadth_first(0) == by_folds and sum(by_folds) == 35_785
    counts = np.bincount(folds_to())
    assert counts[:7].tolist() == by_folds
    assert counts[7:].sum() == 53  # need turning over
    reached = folds_to() < 7
    assert (TABLE.look[2:].prod(axis=0)[reached] == 1).sum() == 12_960
    # turned over, all of them are reached too
    assert set(TABLE.turned[reached]) | set(np.flatnonzero(reached)) == set(range(STATES))


def test_as_many_sets_on_top_as_there_are() -> None:
    sizes = Counter(map(len, dishes_on_top()))
    assert sizes == {1: 16, 2: 102, 3: 80, 4: 232, 6: 152, 8: 12, 9: 28, 12: 8, 16: 1}
    assert sum(sizes.values()) == 631
    four = Counter()
    for mask, outline in {
        (int(top), tuple(outline))
        for top, outline in zip(TABLE.top, TABLE.look[2:].T.tolist(), strict=True)
        if bin(top).count("1") == 4
    }:
        four[mask] |= 1 << (2 in outline)
    assert Counter(four.values()) == {2: 224, 1: 8}  # 2x2, 1x4 or 4x1


def test_pairs_are_all_but_the_diagonal_neighbours() -> None:
    pairs = {top for top in dishes_on_top() if len(top) == 2}
    missing = {frozenset((a, b)) for a in range(16) for b in range(a)} - pairs
    assert len(missing) == 18
    for a, b in map(tuple, missing):
        assert abs(a // 4 - b // 4) == 1 and abs(a % 4 - b % 4) == 1


def test_fewest_folds() -> None:
    orders = all_orders()
    needed = fewest_folds(np.array([to_mask(order) for order in orders]))
    assert len(orders) == 430
    assert Counter(zip(map(len, orders), needed.tolist(), strict=True)) == {
        **{(1, 4): 16, (2, 3): 16, (2, 4): 78, (2, 5): 8, (3, 3): 64, (3, 4): 16},
        **{(4, 2): 12, (4, 3): 28, (4, 4): 192},
    }
    assert len(random_orders((2, 3), (4, 5))) == 78 + 8 + 16
    away = fold_distances(tuple(to_mask(order) for order in orders))
    assert away[0].tolist() == needed.tolist()
    assert away[1].tolist() == needed.tolist()  # turning over never shortens a solution


def test_the_house_cards() -> None:
    decks = Components().decks
    assert {name: len(cards) for name, cards in decks.items()} == {"standard": 22, "advanced": 20}
    assert len(set(decks["standard"] + decks["advanced"])) == 42


def folded(
    grid: list[list[list[int]]], axis: str, line: int, side: str, way: str
) -> list[list[list[int]]]:
    """The same by lists: columns (or rows) on one side of the line land on those beyond it."""
    if axis == "horizontal":
        side = {"top": "left", "bottom": "right"}[side]
        turned = folded([list(row) for row in zip(*grid, strict=True)], "vertical", line, side, way)
        return [list(row) for row in zip(*turned, strict=True)]
    result = []
    for row in grid:
        near, far = row[:line][::-1], row[line:]  # both from the line outwards
        moved, resting = (near, far) if side == "left" else (far, near)
        out = []
        for k in range(max(len(near), len(far))):
            top = moved[k][::-1] if k < len(moved) else []
            under = resting[k] if k < len(resting) else []
            out.append(top + under if way == "over" else under + top)
        result.append(out if side == "left" else out[::-1])
    return result


def test_every_fold_of_a_sample_by_lists() -> None:
    rng = np.random.default_rng(0)
    for state in [0, 1, *rng.choice(STATES, 400, replace=False).tolist()]:
        grid = TABLE.stacks(state)
        rows, columns = TABLE.outline(state)
        assert NEXT[state, STAY] == state and NEXT[state, LAY_FLAT] == 0
        turned = [[stack[::-1] for stack in row[::-1]] for row in grid]
        assert TABLE.stacks(NEXT[state, TURN_OVER]) == turned
        assert [stack[0] for row in grid for stack in row] == top_by_place(state)
        for fold in range(FOLDS):
            after = int(NEXT[state, FIRST_FOLD + fold])
            _, axis, line, side, way = fold_words(fold).split()
            if int(line) >= (columns if axis == "vertical" else rows):
                assert after == state
            else:
                assert TABLE.stacks(after) == folded(grid, axis, int(line), side, way)


def top_by_place(state: int) -> list[int]:
    square = TABLE.squares[state]
    on_top = np.flatnonzero(square % 16 == 0)
    assert set(on_top) == {c for c in range(16) if TABLE.top[state] >> c & 1}
    return sorted(on_top.tolist(), key=lambda cell: square[cell])


def test_folds_seen_from_the_other_side() -> None:
    mirrored = mirrored_folds()
    states = np.arange(STATES)
    for fold in range(FOLDS):
        for columns in range(1, 5):
            some = states[TABLE.look[3] == columns]
            there = NEXT[TABLE.turned[some], mirrored[columns, 1 + fold]]
            assert (TABLE.turned[NEXT[some, FIRST_FOLD + fold]] == there).all()


def test_shown() -> None:
    octets = TABLE.shown.view(np.uint8)  # two folds each
    folds = np.stack([octets & 15, octets >> 4], axis=-1).reshape(len(octets), -1)
    assert folds.max() == 1
    assert not folds[:, FOLDS:].any()
    bits = folds.astype(bool)[TABLE.kind]
    for fold in range(FOLDS):
        after = NEXT[:, FIRST_FOLD + fold]
        tops = (TABLE.top[after][:, None] >> np.arange(16) & 1).astype(bool)
        tops[after == np.arange(STATES)] = False
        assert (bits[:, :16, fold] == tops).all()
    assert not bits[:, 16].any()


@pytest.mark.slow
def test_the_table_is_there_in_a_moment() -> None:
    code = (
        "import time, numpy; from fold_envs.games.fold_it import cloth\n"
        "best = 9.0\n"
        "for _ in range(3):\n"
        "    cloth.cloths.cache_clear(); start = time.process_time()\n"
        "    cloth.cloths(); best = min(best, time.process_time() - start)\n"
        "print(best)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(found.stdout) < 0.3 * 2  # twice the aim: machines differ
