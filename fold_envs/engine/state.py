"""Named state arrays of many tables, packed in one block a dtype.

Every field is a view ``shape + (N,)`` into its block, so saving, restoring, copying tables and
counting bytes are a handful of array operations whatever the game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

_FEW = 4  # tables that are copied one by one
_ROWS = 64  # that are written at a time, with the same indices


class Field(NamedTuple):
    """One state array: ``shape`` without the env axis, which always comes last."""

    name: str
    shape: tuple[int, ...] = ()
    dtype: DTypeLike = np.uint8


class State:
    """The fields of ``num_envs`` tables as attributes; all zero at first."""

    def __init__(self, fields: Iterable[Field], num_envs: int) -> None:
        self.fields = tuple(fields)
        self.num_envs = num_envs
        rows, places = _layout(self.fields)
        self.blocks: dict[np.dtype, NDArray[Any]] = {
            dtype: np.zeros((count, num_envs), dtype) for dtype, count in rows.items()
        }
        for name, dtype, own, shape in places:
            setattr(self, name, self.blocks[dtype][own].reshape(*shape, num_envs))

    def __getattr__(self, name: str) -> Any:  # only called for what __init__ did not set
        raise AttributeError(f"state has no field {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.fields, self.num_envs, self.blocks)

    @property
    def bytes_per_table(self) -> int:
        """Bytes of state that one table takes."""
        return sum(block.shape[0] * block.itemsize for block in self.blocks.values())

    def take(self, tables: NDArray[np.intp], out: State | None = None) -> State:
        """A new State that holds copies of ``tables``, in that order; or ``out``, of that size."""
        new = State(self.fields, len(tables)) if out is None else out
        for dtype, block in self.blocks.items():
            block.take(tables, axis=1, out=new.blocks[dtype], mode="clip")
        return new

    def put(self, tables: NDArray[np.intp] | slice, other: State) -> None:
        """Overwrite ``tables`` with the first tables of ``other``, in order."""
        for dtype, block in self.blocks.items():
            if isinstance(tables, slice):
                block[:, tables] = other.blocks[dtype]
            else:
                put_columns(block, tables, other.blocks[dtype])

    def copy_from(self, other: State, tables: NDArray[np.intp]) -> None:
        """Overwrite ``tables`` with the same tables of ``other``, which has as many."""
        for dtype, block in self.blocks.items():
            source = other.blocks[dtype]
            if len(tables) <= _FEW:
                for table in tables.tolist():
                    block[:, table] = source[:, table]
            else:
                put_columns(block, tables, source.take(tables, axis=1, mode="clip"))

    def table(self, index: int) -> dict[str, NDArray[Any]]:
        """Copies of the fields of one table, without the env axis."""
        return {f.name: getattr(self, f.name)[..., index].copy() for f in self.fields}


@lru_cache(maxsize=64)
def _layout(
    fields: tuple[Field, ...],
) -> tuple[dict[np.dtype, int], list[tuple[str, np.dtype, slice, tuple[int, ...]]]]:
    """How many rows each block has; the name, block, rows and shape of each field."""
    rows: dict[np.dtype, int] = {}
    places = []
    for field in fields:
        dtype = np.dtype(field.dtype)
        start = rows.get(dtype, 0)
        rows[dtype] = start + math.prod(field.shape)
        places.append((field.name, dtype, slice(start, rows[dtype]), field.shape))
    return rows, places


def _rebuild(
    fields: tuple[Field, ...], num_envs: int, blocks: dict[np.dtype, NDArray[Any]]
) -> State:
    """Unpickle: the fields must be views into the blocks again."""
    state = State(fields, num_envs)
    for dtype, block in blocks.items():
        state.blocks[dtype][...] = block
    return state


def put_columns(block: NDArray[Any], tables: NDArray[np.intp], other: NDArray[Any]) -> None:
    """``block[:, tables] = other[:, :len(tables)]`` for (rows, N) arrays, many times faster."""
    rows, num_envs = block.shape
    flat, values = block.reshape(-1), np.ascontiguousarray(other[:, : len(tables)])
    cells = np.arange(0, min(rows, _ROWS) * num_envs, num_envs)[:, None] + tables
    for row in range(0, rows, _ROWS):
        some = values[row : row + _ROWS]
        flat[row * num_envs :][cells[: len(some)]] = some
