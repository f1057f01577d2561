"""Group writes: the same rule with and without a mask, and nothing outside the group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fold_envs.engine.groups import Groups

N = 40
RNG = np.random.default_rng(0)


def numbers(*shape: int, high: int = 256, dtype: Any = np.uint8) -> np.ndarray:
    return RNG.integers(0, high, (*shape, N)).astype(dtype)


VALUE, ROWS, FLAGS = numbers(3), numbers(high=3), numbers(3, high=2, dtype=bool)

WRITES: dict[str, Callable[[Groups, np.ndarray], None]] = {
    "put": lambda g, t: g._put(t, VALUE),
    "put scalar": lambda g, t: g._put(t, 5),
    "put flags": lambda g, t: g._put(t, FLAGS),
    "put row": lambda g, t: g._put(t[1], VALUE[0]),
    "add": lambda g, t: g._add(t, VALUE),
    "add scalar": lambda g, t: g._add(t[2], 1),
    "add flags": lambda g, t: g._add(t, FLAGS.view(np.uint8)),
    "set_row": lambda g, t: g._set_row(t, ROWS, VALUE[0]),
    "set_row scalar": lambda g, t: g._set_row(t, ROWS, 9),
    "set_row of a slice": lambda g, t: g._set_row(t[1:], ROWS // 2, VALUE[1]),
    "set_rows": lambda g, t: g._set_rows(t, ROWS, VALUE[0]),
    "set_rows scalar": lambda g, t: g._set_rows(t, ROWS, 9),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_write_under_a_mask_is_the_whole_write_in_the_group_only(name: str) -> None:
    start, write = numbers(3), WRITES[name]
    whole = start.copy()
    write(Groups(N), whole)
    assert not np.array_equal(whole, start)
    for keys in (numbers(high=2), np.zeros(N, np.uint8)):
        target, groups = start.copy(), Groups(N)
        for group in groups._groups(keys, None):
            if group == 0:
                write(groups, target)
        assert np.array_equal(target, np.where(keys == 0, whole, start))


def test_add_takes_wide_integers_and_negative_amounts() -> None:
    target, amount = numbers(3, high=100, dtype=np.int16), numbers(3, high=9, dtype=np.int16)
    expected = target - amount * (np.arange(N) % 2 == 1)
    groups = Groups(N)
    for group in groups._groups((np.arange(N) % 2).astype(np.uint8), None):
        if group == 1:
            groups._add(target, -amount)
    assert np.array_equal(target, expected)


def test_rows_are_read_and_clipped() -> None:
    source, groups = numbers(2, 3), Groups(N)
    expected = np.take_along_axis(source, np.broadcast_to(ROWS, (2, 1, N)).astype(int), 1)[:, 0]
    assert np.array_equal(groups._rows(source, ROWS), expected)
    assert np.array_equal(groups._row(source[1], ROWS), expected[1])
    for wild in (np.full(N, 10**6), np.full(N, -(10**6)), np.full(N, 2**62)):
        groups._row(source[0], wild)  # outside the group anything goes, but nothing crashes
        groups._rows(source, wild)


def test_set_rows_in_each_slice() -> None:
    target = np.zeros((2, 3, N), np.uint8)
    groups = Groups(N)
    keys = numbers(high=2)
    for group in groups._groups(keys, None):
        if group == 1:
            groups._set_rows(target, ROWS, VALUE[:2])
    for table in range(N):
        expected = np.zeros((2, 3), np.uint8)
        if keys[table]:
            expected[:, ROWS[table]] = VALUE[:2, table]
        assert np.array_equal(target[..., table], expected)


@pytest.mark.parametrize("num_envs", [1, 6])
def test_groups_visits_each_table_once(num_envs: int) -> None:
    keys = np.array([3, 0, 3, 7, 0, 9], np.uint8)[:num_envs]
    for live in (None, np.array([1, 1, 0, 1, 0, 0], bool)[:num_envs], np.zeros(num_envs, bool)):
        groups = Groups(num_envs)
        visits = np.zeros(num_envs, np.uint8)
        seen = []
        for group in groups._groups(keys, live):
            on = np.ones(num_envs, bool) if groups._on is None else groups._on
            assert (keys[on] == group).all()
            groups._add(visits, 1)
            seen.append(group)
        expected = np.ones(num_envs, bool) if live is None else live
        assert np.array_equal(visits, expected)
        assert len(seen) == len(set(seen))
        assert groups._on is None and groups._mask is None


def test_groups_takes_one_key_for_all() -> None:
    live = np.arange(6) < 2
    for mask in (None, live):
        groups, visits = Groups(6), np.zeros(6, np.uint8)
        for group in groups._groups(np.uint8(4), mask):
            assert group == 4
            groups._add(visits, 1)
        assert np.array_equal(visits, np.ones(6) if mask is None else live)


def test_keys_may_change_while_groups_are_visited() -> None:
    keys, groups = np.array([0, 1, 2, 0], np.uint8), Groups(4)
    visits = np.zeros(4, np.uint8)
    for _ in groups._groups(keys, None):
        groups._add(visits, 1)
        groups._put(keys, 2)
    assert visits.tolist() == [1, 1, 1, 1]
