"""Row tools against NumPy's own."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.engine.rows import pick, running_sums, sort_rows, sorting_network, turn_seats


@pytest.mark.parametrize("size", range(2, 21))
def test_sort_rows_sorts(size: int) -> None:
    rng = np.random.default_rng(size)
    for dtype, high in ((np.uint8, 256), (np.uint8, 3), (np.int16, 900)):
        rows = rng.integers(0, high, (size, 300)).astype(dtype)
        expected = np.sort(rows, axis=0)
        assert sort_rows(rows) is rows
        assert np.array_equal(rows, expected)


@pytest.mark.parametrize("size", range(2, 13))
def test_the_network_sorts_all_zero_one_inputs(size: int) -> None:
    # by the 0-1 principle (Knuth) this proves that it sorts everything
    inputs = (np.arange(2**size) >> np.arange(size)[:, None]) & 1
    rows = inputs.astype(np.uint8)
    sort_rows(rows)
    assert (rows[1:] >= rows[:-1]).all()


def test_sort_rows_takes_axes_between_and_few_rows() -> None:
    rows = np.random.default_rng(0).integers(0, 100, (7, 3, 5)).astype(np.uint8)
    expected = np.sort(rows, axis=0)
    assert np.array_equal(sort_rows(rows), expected)
    one = np.array([[3, 1]], np.uint8)
    assert np.array_equal(sort_rows(one), [[3, 1]])
    assert sorting_network(1) == () and sorting_network(2) == ((0, 1),)


def test_pick_takes_one_row_or_one_for_each_table() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 256, (4, 3, 50)).astype(np.uint8)
    index = rng.integers(0, 4, 50).astype(np.uint8)
    expected = np.take_along_axis(rows, index[None, None].astype(int), axis=0)[0]
    assert np.array_equal(pick(rows, index), expected)
    assert np.array_equal(pick(rows, 2), rows[2])


@pytest.mark.parametrize("num_seats", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("num_envs", [1, 40, 300])
def test_turn_seats_turns_the_table(num_seats: int, num_envs: int) -> None:
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 256, (3, num_seats, num_envs)).astype(np.uint8)
    seat = rng.integers(0, num_seats, num_envs).astype(np.uint8)
    in_place, apart, kept = rows.copy(), np.empty_like(rows), rows.copy()
    turn_seats(in_place, seat, in_place, np.empty_like(rows))
    turn_seats(rows, seat, apart, np.empty_like(rows))
    assert np.array_equal(rows, kept) and np.array_equal(in_place, apart)
    for table in range(num_envs):
        order = [(seat[table] + step) % num_seats for step in range(num_seats)]
        assert np.array_equal(apart[:, :, table], rows[:, order, table])


@pytest.mark.parametrize("num_envs", [1, 30, 500])
def test_running_sums(num_envs: int) -> None:
    for shape in ((6, num_envs), (21, num_envs), (4, 3, num_envs), (1, num_envs)):
        rows = np.random.default_rng(0).integers(0, 9, shape).astype(np.uint8)
        expected = np.cumsum(rows, axis=0)
        assert np.array_equal(running_sums(rows), expected)
