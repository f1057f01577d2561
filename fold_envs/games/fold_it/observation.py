"""What a seat of Fold-it sees, own seat first, then clockwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rows import turn_seats
from fold_envs.engine.state import State
from fold_envs.games.fold_it.board import STEP, Board, members
from fold_envs.games.fold_it.cloth import CELLS, FOLDS, MOST_FOLDED, Cloths

U8 = NDArray[np.uint8]
Index = NDArray[np.intp]


def observation_layout(num_players: int, max_ticks: int, rounds: int, cards: int) -> Layout:
    """The features for ``num_players`` seats, a deck of ``cards`` (0: random orders)."""
    p = num_players
    parts = [
        Part("row", (CELLS,), 3, False, "own cloth, by dish: row of the outline, from the top"),
        Part("column", (CELLS,), 3, False, "own cloth, by dish: column, from the left"),
        Part("layers", (CELLS,), 15, False, "own cloth, by dish: layers above it"),
        Part("fold_right", (FOLDS,), 4, False, "by fold: ordered dishes it would show on top"),
        Part("fold_wrong", (FOLDS,), 12, False, "by fold: other dishes it would show on top"),
        Part("fold_done", (FOLDS,), 1, False, "by fold: it would show exactly the order"),
        Part(
            "path",
            (6,),
            FOLDS,
            False,
            "own folds that undo can take back, the latest first: 1 + the fold, numbered as if the "
            "cloth had never been turned over; 0 none",
        ),
        Part("turned", (), 1, False, "own cloth lies turned over"),
        Part("moves", (), max_ticks, False, "own folds, undos, flats and turns in this round"),
        Part("ordered", (CELLS,), 1, True, "by dish: it is ordered"),
        Part("top", (p, CELLS), 1, True, "by seat and dish: lies on top of that cloth"),
        Part("outline", (p, 2), 4, True, "by seat: rows and columns of its cloth"),
        Part("right", (p,), 4, True, "by seat: ordered dishes on top"),
        Part("done", (p,), 1, True, "by seat: exactly the order lies on top"),
        Part("stars", (p,), 3, True, "by seat: stars left"),
        Part("token", (p,), 1, True, "by seat: holds a token"),
        Part("tokens_left", (), max(1, p - 1), True, "tokens in the middle"),
        Part("tick", (), max_ticks, True, "tick of the round, from 1"),
        Part("round", (), rounds, True, "round, from 1"),
    ]
    if cards:
        doc = "by card of the deck: turned up since the deck was last shuffled"
        parts.append(Part("used", (cards,), 1, True, doc))
    return Layout(*parts)


class Observer:
    """Writes observations."""

    def __init__(self, layout: Layout, num_players: int, cloths: Cloths) -> None:
        self._layout = layout
        self._players = num_players
        self._squares = cloths.squares
        self._kind, self._shown = cloths.kind.reshape(-1), cloths.shown
        self._around = np.array(num_players, np.uint8)
        self._seats = members(num_players)
        self._out: U8 | None = None

    def _prepare(self, out: U8) -> None:
        """Views into ``out``, and room to work in: fresh arrays would cost more than the work."""
        p, n = self._players, out.shape[1]

        def run(first: str, last: str) -> U8:
            return out[self._layout[first].start : self._layout[last].stop]

        self._out, self._views = out, self._layout.views(out)
        self._views |= {
            "squares": run("row", "layers").reshape(3, CELLS, n),
            "own": run("turned", "moves"),
            "sets": run("ordered", "top"),
            "counts": run("tokens_left", "round"),
            "fold_right": run("fold_right", "fold_right").reshape(2, 3, 4, n),  # axis, line
            "fold_wrong": run("fold_wrong", "fold_wrong").reshape(2, 3, 4, n),
            "fold_done": run("fold_done", "fold_done").reshape(2, 3, 4, n),
        }
        self._public, self._spare = np.empty((2, 5, p, n), np.uint8)
        self._size = np.empty((2, 3, n), np.uint8)
        self._by_cell = np.empty((CELLS, n), np.uint8)
        self._by_pair = np.empty((FOLDS // 2, n), np.uint8)

    def write(self, state: State, board: Board, seat: U8, pair: Index, out: U8) -> None:
        """Write (D, N) features of ``seat``, one a table; ``pair`` is seat * N + table."""
        if out is not self._out:
            self._prepare(out)
        views = self._views
        cloth = state.cloth.reshape(-1).take(pair).astype(np.intp)
        self._write_squares(cloth, views)
        self._write_own(state.path.reshape(-1).take(pair), board, pair, views)
        self._write_common(state, board, seat, views)
        self._write_public(board, seat, views)
        self._write_folds(board.order, cloth, views)

    def _write_squares(self, cloth: Index, views: dict[str, U8]) -> None:
        self._by_cell[...] = self._squares.take(cloth, axis=0, mode="clip").T
        squares = np.right_shift(self._by_cell, _PLACES, out=views["squares"])
        squares &= _PLACE

    def _write_own(
        self, path: NDArray[np.uint32], board: Board, pair: Index, views: dict[str, U8]
    ) -> None:
        folds = path >> _LATEST_FIRST
        folds &= _FOLD
        views["path"][...] = folds
        private = board.private.reshape(3, -1)
        private[:2].take(pair, axis=1, out=views["own"], mode="clip")

    def _write_common(self, state: State, board: Board, seat: U8, views: dict[str, U8]) -> None:
        held = board.held << self._around
        held |= board.held  # twice around
        held >>= seat
        token = np.right_shift(held, self._seats, out=views["token"])
        token &= _ONE
        views["counts"][...] = board.counts
        if "used" in views:
            views["used"][...] = state.used

    def _write_public(self, board: Board, seat: U8, views: dict[str, U8]) -> None:
        p, n = self._players, len(seat)
        public = self._public
        turn_seats(board.public, seat, public, self._spare)
        tops, sets = public[:2], board.order[:2]  # cells 0-7 and 8-15
        np.right_shift(sets[:, None], _BITS, out=views["ordered"].reshape(2, 8, n))
        top = views["top"].reshape(p, 2, 8, n)
        np.right_shift(tops.swapaxes(0, 1)[:, :, None], _BITS, out=top)
        views["sets"] &= _ONE
        views["outline"][...] = public[2:4].swapaxes(0, 1)
        views["stars"][...] = public[4]
        found = np.bitwise_and(tops, sets[:, None], out=self._spare[:2])
        _count_bits(found, out=views["right"])
        same = tops == sets[:, None]
        np.logical_and(same[0], same[1], out=views["done"].view(np.bool_))

    def _write_folds(self, order: U8, cloth: Index, views: dict[str, U8]) -> None:
        """What each fold would show on top; the outline is written already."""
        cloth *= _KIND_COLUMNS
        kind = self._kind.take(order[2:6] + cloth, mode="clip")
        shown = self._shown.take(kind, axis=0, mode="clip")
        number = np.add.reduce(shown, axis=0)  # 4 bits a fold: never more than four dishes
        self._by_pair[...] = number.view(np.uint8).T[: FOLDS // 2]
        right, wrong, done = views["fold_right"], views["fold_wrong"], views["fold_done"]
        np.right_shift(self._by_pair[:, None], _NIBBLES, out=right.reshape(FOLDS // 2, 2, -1))
        right &= _FIFTEEN

        outline = views["outline"][0]  # rows, columns
        length, across = outline[::-1, None], outline[:, None]
        # dishes on top after a fold: the longer part stays to be seen, whose length is
        # (length - 1) // line * line for lengths up to 4; 0 if there is no such line
        size = self._size
        np.floor_divide(length - _ONE, _LINES, out=size)
        size *= _LINES
        size *= across
        np.subtract(size[:, :, None], right, out=wrong)
        complete = np.equal(right, order[6], out=done.view(np.bool_))
        complete &= (size == order[6])[:, :, None]


def _count_bits(octets: U8, out: U8) -> None:
    """Write how many bits are set in each pair ``octets[:, ...]``, which may be overwritten."""
    if octets.size <= _FEW_OCTETS:
        octets = _NUMBER_OF_BITS.take(octets)
        np.add(octets[0], octets[1], out=out)
        return
    octets -= (octets >> _ONE) & _EVEN_BITS
    octets = (octets & _EVEN_PAIRS) + ((octets >> _TWO) & _EVEN_PAIRS)
    number = np.add(octets[0], octets[1], out=octets[0])
    np.right_shift(number, _FOUR, out=octets[1])
    np.add(number, octets[1], out=out)
    out &= _FIFTEEN


_FEW_OCTETS = 2048  # up to so many a look-up beats more passes
_NUMBER_OF_BITS = np.array([bin(octet).count("1") for octet in range(256)], np.uint8)
# as arrays: on few tables NumPy is several times quicker with them than with numbers
_ONE, _TWO, _FOUR, _FIFTEEN, _EVEN_BITS, _EVEN_PAIRS = (
    np.array(number, np.uint8) for number in (1, 2, 4, 15, 0x55, 0x33)
)
_BITS = np.arange(8, dtype=np.uint8)[:, None]
_NIBBLES = np.array([0, 4], np.uint8)[:, None]
_PLACES = np.array([6, 4, 0], np.uint8)[:, None, None]  # of row, column and layers in a square
_PLACE = np.array([3, 3, 15], np.uint8)[:, None, None]
_LINES = np.array([1, 2, 3], np.uint8)[:, None]
_LATEST_FIRST = STEP * np.arange(MOST_FOLDED, dtype=np.uint32)[:, None]
_FOLD = np.array(31, np.uint32)
_KIND_COLUMNS = np.array(CELLS + 1, np.intp)
