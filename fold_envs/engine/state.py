"""Named state arrays of many tables, packed in one block a dtype.

Every field is a view ``shape + (N,)`` into its block, so saving, restoring, copying tables and
counting bytes are a handful of array operations whatever the game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray


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
        self.blocks: dict[np.dtype, NDArray[Any]] = {}
        rows: dict[np.dtype, int] = {}
        for field in self.fields:
            dtype = np.dtype(field.dtype)
            rows[dtype] = rows.get(dtype, 0) + math.prod(field.shape)
        for dtype, count in rows.items():
            self.blocks[dtype] = np.zeros((count, num_envs), dtype)
        used = dict.fromkeys(rows, 0)
        for field in self.fields:
            dtype, start = np.dtype(field.dtype), used[np.dtype(field.dtype)]
            stop = used[dtype] = start + math.prod(field.shape)
            view = self.blocks[dtype][start:stop].reshape(*field.shape, num_envs)
            setattr(self, field.name, view)

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
                put(block, tables, other.blocks[dtype])

    def table(self, index: int) -> dict[str, NDArray[Any]]:
        """Copies of the fields of one table, without the env axis."""
        return {f.name: getattr(self, f.name)[..., index].copy() for f in self.fields}


def _rebuild(
    fields: tuple[Field, ...], num_envs: int, blocks: dict[np.dtype, NDArray[Any]]
) -> State:
    """Unpickle: the fields must be views into the blocks again."""
    state = State(fields, num_envs)
    for dtype, block in blocks.items():
        state.blocks[dtype][...] = block
    return state


def put(block: NDArray[Any], tables: NDArray[np.intp], other: NDArray[Any]) -> None:
    """``block[:, tables] = other[:, :len(tables)]`` for (rows, N) arrays, many times faster."""
    cells = np.arange(0, block.size, block.shape[1])[:, None] + tables
    block.reshape(-1)[cells] = other[:, : len(tables)]
