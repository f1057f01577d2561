"""Small array tools on batch-last arrays (rows, N)."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
    rows: NDArray[np.uint8], seat: NDArray[np.uint8], scratch: NDArray[np.uint8]
) -> None:
    """Turn the seats of ``rows`` (..., P, N), in place: each table's ``seat`` (N,) comes first.

    ``scratch`` is an array of the same shape to work in.
    """
    num_seats = rows.shape[-2]
    if rows.shape[-1] == 1:
        first = int(seat[0])
        scratch[..., : num_seats - first, :] = rows[..., first:, :]
        scratch[..., num_seats - first :, :] = rows[..., :first, :]
        rows[...] = scratch
        return
    step = 1
    while step < num_seats:  # turn by 1, 2, 4... where that bit of the seat is set
        mask = np.negative(((seat & np.uint8(step)) > 0).view(np.uint8))
        order = [(place + step) % num_seats for place in range(num_seats)]
        np.take(rows, order, axis=-2, out=scratch, mode="clip")
        scratch ^= rows
        scratch &= mask
        rows ^= scratch
        step *= 2


def running_sums(rows: NDArray[Any]) -> NDArray[Any]:
    """Running totals down the first axis of ``rows`` (K, ..., N), in place.

    ``np.cumsum`` on axis 0 is many times slower than whole rows at a time, but for few columns.
    """
    if rows[0].size < 40:
        np.cumsum(rows, axis=0, dtype=rows.dtype, out=rows)
    elif rows[0].size < 2000 and len(rows) > 8:  # calls cost most: sums of 2, 4, 8... rows
        step = 1
        while step < len(rows):
            rows[step:] += rows[:-step].copy()
            step *= 2
    else:
        for above, row in pairwise(rows):
            row += above
    return rows
