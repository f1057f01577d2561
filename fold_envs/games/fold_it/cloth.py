"""Every way the cloth can lie: 35,838 numbered states and the tables that make play a look-up.

A cloth of 4 x 4 squares is folded along its grid lines. A state says for each square (its "cell",
4 * row + column on the flat cloth) in which row and column of the present outline it lies and how
many layers are above it. The outline only ever shrinks, so the states are found outline by outline,
from 4 x 4 down to 1 x 1. State 0 is the flat cloth, front up; state 1 the same turned over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U64 = NDArray[np.uint64]

SIDE = 4  # squares along an edge
CELLS = SIDE * SIDE
AXES, LINES, WAYS = ("vertical", "horizontal"), (1, 2, 3), ("over", "under")
SIDES = (("left", "right"), ("top", "bottom"))  # by axis
FOLDS = 24  # axis * 12 + (line - 1) * 4 + side * 2 + way
FLAT = 0
MOST_FOLDED = 6  # a cloth takes no more
NEVER = 99  # folds to what cannot be reached

# columns of ``Cloths.next``, 1 + the action of the game that does it; all others change nothing
STAY = 0
FIRST_FOLD = 1
LAY_FLAT = 26
TURN_OVER = 27
COLUMN_BITS = 5
COLUMNS = 1 << COLUMN_BITS  # a state is one cache line

_FOLD = np.array(31, np.uint32)
_LAST_FOLDS = np.array([10, 5, 0], np.uint32)[:, None]
_TURN_OVER = np.array(TURN_OVER, np.uint8)
_HASH = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)


@dataclass(frozen=True)
class Cloths:
    """The states and what can be read off them; S is their number, 35,838.

    Attributes:
        next: (S, 32) uint16, the state after staying as it is (STAY), fold f (FIRST_FOLD + f; the
            same state where the outline has no such line), LAY_FLAT or TURN_OVER.
        three: (32768,) uint16, the state that up to three folds make of the flat cloth: 5 bits
            each, 1 + the fold or 0, the first in the highest bits.
        squares: (S, 16) uint8, by cell: row * 64 + column * 16 + layers above it.
        look: (4, S) uint8, what anybody can see: the sets of cells 0-7 and of cells 8-15 on top
            (bit c for cell c), rows, columns.
        kind: (S, 17) uint16, by cell: its place, the outline, and whether it lies on top and
            undermost, as one number. Column 16 ("no cell") is a kind of its own.
        shown: (kinds, 2) uint64: 4 bits a fold, 1 if such a cell would lie on top after it.
    """

    next: NDArray[np.uint16]
    three: NDArray[np.uint16]
    squares: U8
    look: U8
    kind: NDArray[np.uint16]
    shown: U64

    @property
    def top(self) -> NDArray[np.uint16]:
        """(S,) uint16, the set of cells on top."""
        return self.look[0] | self.look[1].astype(np.uint16) << np.uint16(8)

    @property
    def turned(self) -> NDArray[np.uint16]:
        """(S,) uint16, each state turned over."""
        return self.next[:, TURN_OVER]

    def folded(
        self,
        path: NDArray[np.uint32],
        most: int = MOST_FOLDED,
        turned: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint16]:
        """(M,) the states that some folds make of the flat cloth.

        Args:
            path: (M,) 5 bits a fold, 1 + the fold or 0, the first fold in the highest bits.
            most: so many folds at most, 3 to 6.
            turned: (M,) 1 where the cloth is then turned over, else 0.
        """
        columns = [*(path >> _LAST_FOLDS[MOST_FOLDED - most :] & _FOLD)]
        if turned is not None:
            columns.append(turned * _TURN_OVER)
        state = self.three.take(path >> np.uint32(COLUMN_BITS * (most - 3)))
        for column in columns:
            row = np.multiply(state, COLUMNS, dtype=np.intp)
            row += column
            state = self.next.reshape(-1).take(row)
        return state

    def outline(self, state: int) -> tuple[int, int]:
        """(rows, columns) of a state."""
        return int(self.look[2, state]), int(self.look[3, state])

    def stacks(self, state: int) -> list[list[list[int]]]:
        """Rows of stacks of cells, top layer first."""
        rows, columns = self.outline(state)
        grid: list[list[list[int]]] = [[[] for _ in range(columns)] for _ in range(rows)]
        for cell in np.argsort(self.squares[state] & 15, kind="stable"):
            square = int(self.squares[state, cell])
            grid[square >> 6][square >> 4 & 3].append(int(cell))
        return grid


def fold_words(fold: int) -> str:
    """Fold ``fold`` in words, such as "fold vertical 1 left over"."""
    axis, rest = divmod(fold, 12)
    line, side, way = rest // 4, rest // 2 % 2, rest % 2
    return f"fold {AXES[axis]} {LINES[line]} {SIDES[axis][side]} {WAYS[way]}"


def mirrored_folds() -> U8:
    """(5, 25) by columns and 1 + fold: 1 + the fold that does the same to the cloth turned over.

    Vertical lines are counted from the other end, left is right and over is under. 0 stays 0.
    """
    mirror = np.zeros((SIDE + 1, 1 + FOLDS), np.uint8)
    for columns in range(1, SIDE + 1):
        for fold in range(FOLDS):
            axis, rest = divmod(fold, 12)
            line, side, way = rest // 4 + 1, rest // 2 % 2, rest % 2
            if axis == 0 and line < columns:
                line, side = columns - line, 1 - side
            mirror[columns, 1 + fold] = 1 + axis * 12 + (line - 1) * 4 + side * 2 + (1 - way)
    return mirror


@lru_cache(maxsize=1)
def cloths() -> Cloths:
    """The tables; worked out at the first call (about 0.2 s) and kept."""
    outlines = [(r, c) for r in range(SIDE, 0, -1) for c in range(SIDE, 0, -1)]
    outlines.sort(key=lambda outline: -sum(outline))  # a fold leads to a smaller sum
    arriving: dict[tuple[int, int], list[tuple[U8, NDArray[np.intp], int]]] = {
        outline: [] for outline in outlines
    }
    flat: U8 = np.arange(CELLS, dtype=np.uint8) << np.uint8(
        4
    )  # row * 64 + column * 16, no layer above
    both = np.stack([flat, _turned(flat[None], SIDE)[0]])
    arriving[SIDE, SIDE].append((both, np.zeros(2, np.intp), STAY))

    groups, moves, count = [], [], 0
    for outline in outlines:
        squares, found = _distinct(np.concatenate([a[0] for a in arriving[outline]]))
        found += count
        start = 0
        for children, sources, column in arriving[outline]:
            if column != STAY:
                moves.append((sources, column, found[start : start + len(children)]))
            start += len(children)
        numbers = np.arange(count, count + len(squares))
        moves.append((numbers, TURN_OVER, count + _find(squares, _turned(squares, outline[1]))))
        for fold, children, shape in _all_folds(squares, *outline):
            arriving[shape].append((children, numbers, FIRST_FOLD + fold))
        groups.append(squares)
        count += len(squares)

    squares = np.concatenate(groups)
    after = np.repeat(np.arange(count, dtype=np.uint16)[:, None], COLUMNS, axis=1)
    for sources, column, targets in moves:
        after[sources, column] = targets
    after[:, LAY_FLAT] = FLAT
    look = np.empty((4, count), np.uint8)
    look[:2] = np.packbits((squares & 15) == 0, axis=1, bitorder="little").T
    look[2:] = np.repeat(np.array(outlines).T, [len(group) for group in groups], axis=1)
    three = after[after[after[FLAT]]].reshape(-1)
    return Cloths(after, three, squares, look, *_shown(after, squares, look))


def blocks() -> list[slice]:
    """The states of each outline, in the order of the numbers: a fold leads to a later block."""
    outlines = cloths().look[2:]
    ends = np.flatnonzero(np.diff(outlines).any(axis=0)) + 1
    bounds = [0, *ends.tolist(), outlines.shape[1]]
    return [slice(start, stop) for start, stop in pairwise(bounds)]


@lru_cache(maxsize=1)
def folds_to() -> U8:
    """(S,) fewest folds from the flat cloth to each state; NEVER for those that need turning."""
    after = cloths().next
    needed = np.full(len(after), NEVER, np.uint8)
    needed[FLAT] = 0
    for block in blocks():
        for fold in lines_of(block):
            np.minimum.at(needed, after[block, FIRST_FOLD + fold], needed[block] + 1)
    return needed


def lines_of(block: slice) -> list[int]:
    """The folds that the outline of ``block`` allows."""
    first = cloths().next[block.start, FIRST_FOLD : FIRST_FOLD + FOLDS]
    return np.flatnonzero(first != block.start).tolist()


def fewest_folds(tops: NDArray[np.integer]) -> U8:
    """(C,) fewest folds from the flat cloth until exactly the sets ``tops`` (C,) lie on top."""
    by_top = np.full(1 << CELLS, NEVER, np.uint8)
    np.minimum.at(by_top, cloths().top, folds_to())
    return by_top[tops]


def _all_folds(squares: U8, rows: int, columns: int) -> Iterator[tuple[int, U8, tuple[int, int]]]:
    """Every fold of states (K, 16) of one outline: (fold, states after it, their outline)."""
    row, column, above = squares >> 6, squares >> 4 & 3, squares & 15
    heights = _heights(squares)
    base = np.arange(len(squares), dtype=np.int32)[:, None] * CELLS
    # from the bottom of its own stack: the layers above it once the stack is reversed
    beneath = heights.take(base + (squares >> 4)) - above - 1
    for axis, (place, length) in enumerate(((column, columns), (row, rows))):
        across = row << 2 if axis == 0 else column
        step = 1 if axis == 0 else SIDE
        for line in range(1, length):
            low = place < line
            gap = np.where(low, line - 1 - place, place - line).astype(np.uint8)
            mirror = 2 * line - 1 - place.astype(np.int8)
            inside = (mirror >= 0) & (mirror < length)
            # layers of the stack that comes to lie against this one
            facing = heights.take(base + across + mirror * step, mode="clip") * inside
            now_above = above + facing
            new_length = max(line, length - line)
            shape = (rows, new_length) if axis == 0 else (new_length, columns)
            for side in range(2):
                moved = low if side == 0 else ~low
                to = gap if side == 0 else new_length - 1 - gap
                spot = (row << 6) + (to << 4) if axis == 0 else (to << 6) + (column << 4)
                fold = axis * 12 + (line - 1) * 4 + side * 2
                yield fold, spot + np.where(moved, beneath, now_above), shape
                yield fold + 1, spot + np.where(moved, beneath + facing, above), shape


def _heights(squares: U8) -> U8:
    """(K, 16) how many layers lie at each place of the outline, by row * 4 + column."""
    base = np.arange(len(squares), dtype=np.int32)[:, None] * CELLS
    counts = np.bincount((base + (squares >> 4)).ravel(), minlength=squares.size)
    return counts.astype(np.uint8).reshape(-1, CELLS)


def _turned(squares: U8, columns: int) -> U8:
    """States (K, 16) of an outline of ``columns``, turned over about the vertical axis."""
    base = np.arange(len(squares), dtype=np.int32)[:, None] * CELLS
    height = _heights(squares).take(base + (squares >> 4))
    column = columns - 1 - (squares >> 4 & 3)
    return (squares & 0xC0) + (column << 4) + height - 1 - (squares & 15)


def _hashes(squares: U8) -> U64:
    """One 64-bit word a state; the 35,838 states have different ones (a test counts them)."""
    words = np.ascontiguousarray(squares).view(np.uint64) * _HASH
    return words[:, 0] ^ (words[:, 1] >> np.uint64(29)) ^ (words[:, 1] << np.uint64(35))


def _distinct(squares: U8) -> tuple[U8, NDArray[np.intp]]:
    """The different states among ``squares`` in a fixed order, and where each one went."""
    _, first, found = np.unique(_hashes(squares), return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # by first appearance: state 0 is the flat cloth
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return squares[first[order]], rank[found.reshape(-1)]


def _find(squares: U8, wanted: U8) -> NDArray[np.intp]:
    """Where each of ``wanted`` stands among the different states ``squares``."""
    hashes = _hashes(squares)
    order = np.argsort(hashes)
    return order[np.searchsorted(hashes, _hashes(wanted), sorter=order)]


def _shown(after: NDArray[np.uint16], squares: U8, look: U8) -> tuple[NDArray[np.uint16], U64]:
    """``Cloths.kind`` and ``Cloths.shown``."""
    states, kinds = len(squares), 1 << 10
    on_top = (squares & 15) == 0
    outline = (look[2] - 1 << 2 | look[3] - 1).astype(np.uint16)
    kind = np.full((states, CELLS + 1), kinds, np.uint16)
    kind[:, :CELLS] = squares >> 4
    kind[:, :CELLS] |= outline[:, None] << 4
    kind[:, :CELLS] |= on_top.astype(np.uint16) << 8
    kind[:, :CELLS] |= on_top[after[:, TURN_OVER]].astype(np.uint16) << 9

    example = np.zeros(kinds, np.intp)  # a cell of each kind; some kinds have none
    example[kind[:, :CELLS].reshape(-1)] = np.arange(states * CELLS)
    state, cell = np.divmod(example, CELLS)
    then = after[state, FIRST_FOLD : FIRST_FOLD + FOLDS]
    folds = on_top[then, cell[:, None]] & (then != state[:, None])  # the same: no such line
    shown = np.zeros((kinds + 1, 16), np.uint8)
    shown[:kinds, : FOLDS // 2] = folds[:, ::2] | folds.view(np.uint8)[:, 1::2] << 4
    return kind, shown.view(np.uint64)
