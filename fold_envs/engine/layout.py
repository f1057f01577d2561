"""Named slices of a vector: a game describes its observation and its actions once, here.

The same description sizes the buffers, fills the README tables, names the slices for tests and
tells which parts of an observation every seat may see.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Part(NamedTuple):
    """A named run of features (or of actions).

    Attributes:
        name: what the run is called.
        shape: its shape without the env axis.
        high: the largest value any of its features takes (1: flags and one-hots).
        public: True if every seat knows these values; unused for actions.
        doc: what they mean, for people.
    """

    name: str
    shape: tuple[int, ...] = ()
    high: int = 1
    public: bool = True
    doc: str = ""

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class Layout:
    """An ordered list of parts; ``layout["hand"]`` is the slice of that part."""

    def __init__(self, *parts: Part) -> None:
        self.parts = parts
        self.slices: dict[str, slice] = {}
        start = 0
        for part in parts:
            if part.name in self.slices:
                raise ValueError(f"layout names {part.name!r} twice")
            self.slices[part.name] = slice(start, start + part.size)
            start += part.size
        self.size = start
        self.high: NDArray[np.uint8] = np.repeat(
            np.array([p.high for p in parts], np.uint8), [p.size for p in parts]
        )
        self.public: NDArray[np.bool_] = np.repeat(
            np.array([p.public for p in parts], bool), [p.size for p in parts]
        )

    def __getitem__(self, name: str) -> slice:
        try:
            return self.slices[name]
        except KeyError:
            raise KeyError(f"no part {name!r}; there are {', '.join(self.slices)}") from None

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"Layout({', '.join(f'{p.name}{list(p.shape)}' for p in self.parts)})"

    def views(self, rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Named views ``shape + (N,)`` into an array (size, N); ``shape`` into one (size,)."""
        return {
            part.name: rows[self.slices[part.name]].reshape((*part.shape, *rows.shape[1:]))
            for part in self.parts
        }

    def locate(self, index: int) -> tuple[Part, tuple[int, ...]]:
        """The part that holds ``index`` and the place inside its shape."""
        for part in self.parts:
            piece = self.slices[part.name]
            if piece.start <= index < piece.stop:
                place = np.unravel_index(index - piece.start, part.shape) if part.shape else ()
                return part, tuple(int(p) for p in place)
        raise IndexError(f"{index} lies outside this layout of {self.size}")

    def markdown(self, kind: str = "observation") -> str:
        """The table of a game's README; ``kind`` is "observation" or "action"."""
        if kind == "action":
            lines = ["| actions | name | shape | meaning |", "|---|---|---|---|"]
        else:
            lines = [
                "| index | name | shape | high | seen by | meaning |",
                "|---|---|---|---|---|---|",
            ]
        for part in self.parts:
            piece = self.slices[part.name]
            span = f"{piece.start}" if part.size == 1 else f"{piece.start}-{piece.stop - 1}"
            shape = " x ".join(map(str, part.shape)) or "1"
            seen = f" {part.high} | {'all' if part.public else 'own seat'} |"
            middle = "" if kind == "action" else seen
            lines.append(f"| {span} | `{part.name}` | {shape} |{middle} {part.doc} |")
        return "\n".join(lines)
