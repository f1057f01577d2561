"""Small array tools on batch-last arrays (rows, N)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FEW_TABLES = 256  # up to so many, calls cost more than cells


@lru_cache(maxsize=32)
def sorting_network(size: int) -> tuple[tuple[int, int], ...]:
    """Batcher's odd-even merge sort (1968) for ``size`` inputs, as pairs to compare and swap."""
    pairs = []
    step = 1
    while step < size:
        reach = step
        while reach >= 1:
            for start in range(reach % step, size - reach, 2 * reach):
                for low in range(start, min(start + reach, size - reach)):
                    if low // (2 * step) == (low + reach) // (2 * step):
                        pairs.append((low, low + reach))
            reach //= 2
        step *= 2
    return tuple(pairs)


def sort_rows(rows: NDArray[Any]) -> NDArray[Any]:
    """Sort every column of ``rows`` (K, ..., N) in place, ascending.

    A sorting network: whole rows are compared at once, many times faster than ``np.sort`` on
    axis 0 for the small K of a hand of cards.
    """
    lower = np.empty_like(rows[0])
    for a, b in sorting_network(len(rows)):
        np.minimum(rows[a], rows[b], out=lower)
        np.maximum(rows[a], rows[b], out=rows[b])
        rows[a] = lower
    return rows


def pick(rows: NDArray[np.uint8], index: int | NDArray[np.uint8]) -> NDArray[np.uint8]:
    """``rows[index]`` for rows (K, ..., N); with an index a table, (N,), each its own.

    For the small K of seats: one masked pass a row is cheaper than gathering.
    """
    if not isinstance(index, np.ndarray):
        return rows[index]
    masks = np.negative((index == np.arange(len(rows), dtype=np.uint8)[:, None]).view(np.uint8))
    picked = rows[0] & masks[0]
    for row, mask in zip(rows[1:], masks[1:], strict=True):
        picked |= row & mask
    return picked


def turn_seats(
    rows: NDArray[np.uint8],
    seat: NDArray[np.uint8],
    out: NDArray[np.uint8],
    scratch: NDArray[np.uint8],
) -> None:
    """Write ``rows`` (..., P, N) to ``out``, turned: each table's ``seat`` (N,) comes first.

    ``out`` may be ``rows`` itself, else it shares no memory with it; ``scratch`` is another array
    of the same shape, to work in. All are contiguous.
    """
    num_seats, num_envs = rows.shape[-2:]
    if num_envs <= _FEW_TABLES:  # calls cost most: one look-up
        firsts, lanes = _turned_cells(num_seats, num_envs)
        places = firsts.take(seat, axis=1)
        places += lanes
        flat = (-1, num_seats * num_envs)
        target = scratch if out is rows else out
        turned = target.reshape(-1, num_seats, num_envs)
        rows.reshape(flat).take(places, axis=1, out=turned, mode="clip")
        if out is rows:
            out[...] = scratch
        return
    step = 1
    while step < num_seats:  # turn by 1, 2, 4... where that bit of the seat is set
        mask = np.negative(((seat & np.uint8(step)) > 0).view(np.uint8))
        if 2 * step == num_seats:  # swap the halves
            halves = rows.reshape(-1, 2, step, num_envs)
            change = scratch.reshape(2, -1, step, num_envs)[0]
            np.bitwise_xor(halves[:, 0], halves[:, 1], out=change)
            change &= mask
            np.bitwise_xor(halves, change[:, None], out=out.reshape(halves.shape))
        else:
            change = scratch if rows is out else out  # out is free before the first write
            np.bitwise_xor(rows[..., step:, :], rows[..., :-step, :], out=change[..., :-step, :])
            np.bitwise_xor(rows[..., :step, :], rows[..., -step:, :], out=change[..., -step:, :])
            change &= mask
            np.bitwise_xor(rows, change, out=out)
        rows = out
        step *= 2
    if num_seats == 1:
        out[...] = rows


@lru_cache(maxsize=32)
def _turned_cells(num_seats: int, num_envs: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(P, P) where the row of a place starts if a seat comes first, by both; and (N,) tables."""
    seats = np.arange(num_seats)
    return (seats + seats[:, None]) % num_seats * num_envs, np.arange(num_envs)


def running_sums(rows: NDArray[Any]) -> NDArray[Any]:
    """Running totals down the first axis of ``rows`` (K, ..., N), in place.

    ``np.cumsum`` on axis 0 is many times slower than whole rows at a time, but for few columns.
    """
    if rows[0].size < 50:
        np.add.accumulate(rows, axis=0, dtype=rows.dtype, out=rows)
    elif rows[0].nbytes < 1000 and len(rows) > 8:  # calls cost most: sums of 2, 4, 8... rows
        step = 1
        while step < len(rows):
            rows[step:] += rows[:-step].copy()
            step *= 2
    else:
        total, *others = rows
        for row in others:
            total = np.add(total, row, out=row)
    return rows
