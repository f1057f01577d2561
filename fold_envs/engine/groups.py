"""Rules by groups of tables: computed over whole arrays, written only where the group is.

Tables in the same situation form a group. A rule computes its results for every table and writes
them through ``_put``, ``_add``, ``_set_row`` and ``_set_rows``: when all tables are in the group
these write straight through, else they blend under the group's mask, which for small integers is
far cheaper than gathering tables and scattering them back. The rule cannot tell the difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Groups:
    """The group at work, and the writes that keep to it; a base of BatchGame."""

    def __init__(self, num_envs: int) -> None:
        self.num_envs = num_envs
        self._lanes = np.arange(num_envs)
        self._on: NDArray[np.bool_] | None = None  # the group at work; None: every table
        self._mask: NDArray[np.uint8] | None = None  # the same as 0 / 255
        self._firsts: dict[tuple[int, ...], NDArray[np.intp]] = {}  # of _index, by shape

    def _put(self, target: NDArray[np.uint8], value: Any) -> None:
        """``target[...] = value`` at the tables of the group at work; uint8 or bool arrays."""
        if self._mask is None:
            target[...] = value
        else:
            change = target ^ value
            change &= self._mask
            target ^= change

    def _add(self, target: NDArray[Any], amount: Any) -> None:
        """``target += amount`` at the tables of the group at work; any integer dtype."""
        target += amount if self._on is None else amount * self._on.view(np.uint8)

    def _set_row(self, target: NDArray[np.uint8], rows: NDArray[Any], value: Any) -> None:
        """``target[rows[i], i] = value`` at the tables of the group; ``target`` is (K, N)."""
        index = self._starts(rows) + self._lanes
        if self._on is not None:
            index = index[self._on]
            if isinstance(value, np.ndarray):
                value = value[self._on]
        target.reshape(-1)[index] = value

    def _row(self, source: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
        """(N,) ``source[rows[i], i]``; ``source`` is (K, N) and contiguous.

        Rows of tables outside the group may be anything: they are clipped into the array.
        """
        index = self._starts(rows) + self._lanes
        return source.reshape(-1).take(index, mode="clip")

    def _rows(self, source: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
        """(..., N) ``source[..., rows[i], i]``; ``source`` is (..., K, N) and contiguous."""
        return source.reshape(-1).take(self._index(source.shape, rows), mode="clip")

    def _set_rows(self, target: NDArray[np.uint8], rows: NDArray[Any], value: Any) -> None:
        """``target[..., rows[i], i] = value`` in the group; ``target`` is (..., K, N), contiguous.

        ``value`` broadcasts against (..., N).
        """
        index = self._index(target.shape, rows)
        if self._on is not None:
            if isinstance(value, np.ndarray):
                value = np.broadcast_to(value, index.shape)[..., self._on]
            index = index[..., self._on]
        target.reshape(-1)[index] = value

    def _index(self, shape: tuple[int, ...], rows: NDArray[Any]) -> NDArray[np.intp]:
        """(..., N) flat indices of row ``rows[i]`` of column i in each slice of ``shape``."""
        firsts = self._firsts.get(shape)
        if firsts is None:
            firsts = np.arange(math.prod(shape)).reshape(shape)[..., 0, :].copy()
            self._firsts[shape] = firsts
        return firsts + self._starts(rows)

    def _starts(self, rows: NDArray[Any]) -> NDArray[Any]:
        """(N,) where each row begins in a flat array; at one table a row is its own start."""
        if self.num_envs == 1:
            return rows
        return np.multiply(rows, self.num_envs, dtype=np.intp)

    def _whole(self) -> None:
        """Let the write helpers work on every table."""
        self._on = self._mask = None

    def _groups(
        self, keys: np.uint8 | NDArray[np.uint8], live: NDArray[np.bool_] | None
    ) -> Iterator[int]:
        """Yield each group present among ``live`` tables, with the write helpers set to it."""
        if isinstance(keys, np.ndarray) and len(keys) == 1:
            keys = keys[0]
        if not isinstance(keys, np.ndarray):
            self._on = live
            self._mask = None if live is None else np.negative(live.view(np.uint8))
            yield int(keys)
            self._whole()
            return
        if live is None and not np.count_nonzero(keys != keys[0]):
            self._whole()
            yield int(keys[0])
            return
        keys = keys.copy()  # rules change what it may be a view of
        for key in range(int(keys.max()) + 1):
            on = keys == key
            if live is not None:
                on &= live
            if not np.count_nonzero(on):
                continue
            self._on = on
            self._mask = np.negative(on.view(np.uint8))
            yield int(key)
        self._whole()
