"""What a seat of Fold-it sees, own seat first, then clockwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rows import turn_seats
from fold_envs.engine.state import State
from fold_envs.games.fold_it.board import MOST_FOLDED, STEP, Board, members
from fold_envs.games.fold_it.cloth import CELLS, FOLDS, Cloths

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
        self._shown = cloths.shown.reshape(-1)
        self._around = np.array(num_players, np.uint8)
        self._out: U8 | None = None

    def _prepare(self, out: U8) -> None:
        """Views into ``out``, and room to work in: fresh arrays would cost more than the work."""
        p, n = self._players, out.shape[1]
        self._out, self._views = out, self._layout.views(out)
        self._public, self._spare = np.empty((2, 5, p, n), np.uint8)
        self._counts = np.empty((3, n), np.uint32)
        self._bits = np.empty((3, 3, 8, n), np.uint8)
        self._size = np.empty((2, 3, n), np.uint8)
        self._squares_here = np.empty((CELLS, n), np.uint8)

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
        squares = self._squares_here
        squares[...] = self._squares.take(cloth, axis=0).T
        np.bitwise_and(squares, _FIFTEEN, out=views["layers"])
        np.right_shift(squares, _SIX, out=views["row"])
        squares >>= _FOUR
        np.bitwise_and(squares, _THREE, out=views["column"])

    def _write_own(
        self, path: NDArray[np.uint32], board: Board, pair: Index, views: dict[str, U8]
    ) -> None:
        folds = path >> _LATEST_FIRST
        folds &= _FOLD
        views["path"][...] = folds
        views["turned"][...] = board.turned.reshape(-1).take(pair)
        views["moves"][...] = board.moves.reshape(-1).take(pair)

    def _write_common(self, state: State, board: Board, seat: U8, views: dict[str, U8]) -> None:
        held = board.held << self._around
        held |= board.held  # twice around
        held >>= seat
        token = np.right_shift(held, members(self._players), out=views["token"])
        token &= _ONE
        views["tokens_left"][...] = board.left
        views["tick"][...] = board.tick
        views["round"][...] = board.round
        if "used" in views:
            views["used"][...] = state.used

    def _write_public(self, board: Board, seat: U8, views: dict[str, U8]) -> None:
        p, n = self._players, len(seat)
        public = self._public
        public[...] = board.public
        turn_seats(public, seat, self._spare)
        tops, sets = public[:2], board.order[:2]  # cells 0-7 and 8-15
        ordered = np.right_shift(sets[:, None], _BITS, out=views["ordered"].reshape(2, 8, n))
        ordered &= _ONE
        top = views["top"].reshape(p, 2, 8, n)
        np.right_shift(tops.swapaxes(0, 1)[:, :, None], _BITS, out=top)
        top &= _ONE
        views["outline"][...] = public[2:4].swapaxes(0, 1)
        views["stars"][...] = public[4]
        found = _count_bits(np.bitwise_and(tops, sets[:, None], out=self._spare[:2]))
        np.add(found[0], found[1], out=views["right"])
        tops ^= sets[:, None]
        tops[0] |= tops[1]
        np.equal(tops[0], _ZERO, out=views["done"].view(np.bool_))

    def _write_folds(self, order: U8, cloth: Index, views: dict[str, U8]) -> None:
        """What each fold would show on top; the outline is written already."""
        n = len(cloth)
        cloth *= _SHOWN_COLUMNS
        shown = self._shown.take(order[2:6] + cloth)
        # count the ordered dishes that each fold shows: a full adder for all folds at once
        odd, both = shown[:2] ^ shown[2:], shown[:2] & shown[2:]
        ones, twos, fours = counts = self._counts
        np.bitwise_xor(odd[0], odd[1], out=ones)
        np.bitwise_xor(both[0], both[1], out=twos)
        np.bitwise_and(both[0], both[1], out=fours)
        twos |= np.bitwise_and(odd[0], odd[1], out=odd[0])
        octets = (counts[:, None] >> _OCTETS).astype(np.uint8)
        bits = np.right_shift(octets[:, :, None], _BITS, out=self._bits)
        bits &= _ONE
        bits[1:] += bits[1:]  # several times quicker than a shift
        bits[2] += bits[2]
        bits[0] |= bits[1]
        bits[0] |= bits[2]
        right, wrong = bits[:2].reshape(2, 2, 3, 4, n)  # axis, line, side and way
        views["fold_right"].reshape(2, 3, 4, n)[...] = right

        outline = views["outline"][0]  # rows, columns
        length, across = outline[::-1, None], outline[:, None]
        size = self._size  # dishes on top after a fold: the longer part stays to be seen
        np.subtract(length, _ONE, out=size[:, :1])
        np.multiply(length > _FAR_LINES, _FAR_LINES, out=size[:, 1:])
        size *= across
        np.subtract(size[:, :, None], right, out=wrong)
        views["fold_wrong"].reshape(2, 3, 4, n)[...] = wrong
        right ^= order[6]
        wrong |= right
        np.equal(wrong, _ZERO, out=views["fold_done"].reshape(2, 3, 4, n).view(np.bool_))


def _count_bits(octets: U8) -> U8:
    """How many bits are set in each byte; overwrites it."""
    octets -= (octets >> _ONE) & _EVEN_BITS
    octets = (octets & _EVEN_PAIRS) + ((octets >> _TWO) & _EVEN_PAIRS)
    octets += octets >> _FOUR
    octets &= _FIFTEEN
    return octets


# as arrays: on few tables NumPy is several times quicker with them than with numbers
_ZERO, _ONE, _TWO, _THREE, _FOUR, _SIX, _FIFTEEN, _EVEN_BITS, _EVEN_PAIRS = (
    np.array(number, np.uint8) for number in (0, 1, 2, 3, 4, 6, 15, 0x55, 0x33)
)
_BITS = np.arange(8, dtype=np.uint8)[:, None]
_FAR_LINES = np.array([2, 3], np.uint8)[:, None]
_OCTETS = np.array([0, 8, 16], np.uint32)[:, None]
_LATEST_FIRST = STEP * np.arange(MOST_FOLDED, dtype=np.uint32)[:, None]
_FOLD = np.array(31, np.uint32)
_SHOWN_COLUMNS = np.array(CELLS + 1, np.intp)
