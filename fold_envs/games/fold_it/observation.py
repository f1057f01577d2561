"""What a seat of Fold-it sees, own seat first, then clockwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rows import turn_seats
from fold_envs.engine.state import State
from fold_envs.games.fold_it.board import (
    FOLD_BITS,
    HELD,
    LATEST_FIRST,
    LEFT_OVER,
    MOVES,
    ROUND,
    STARS,
    TICK,
    TURNED,
)
from fold_envs.games.fold_it.cloth import CELLS, FOLDS, Cloths

U8 = NDArray[np.uint8]


def observation_layout(num_players: int, max_ticks: int, rounds: int, cards: int) -> Layout:
    """The features for ``num_players`` seats, a deck of ``cards`` (0: random orders)."""
    p = num_players
    parts = [
        Part("row", (4, CELLS), 1, False, "own cloth, by row 1-4 and dish: lies in this row"),
        Part("column", (4, CELLS), 1, False, "own cloth, by column 1-4 and dish: lies in it"),
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
        self._out: U8 | None = None
        self._views: dict[str, U8] = {}  # of ``_out``

    def write(self, state: State, seat: U8, out: U8) -> None:
        """Write (D, N) features of ``seat``, one a table."""
        if out is not self._out:
            self._out, self._views = out, self._layout.views(out)
        views = self._views
        pair = np.multiply(seat, state.num_envs, dtype=np.intp)  # seat * N + table
        pair += np.arange(state.num_envs)
        cloth = state.cloth.reshape(-1).take(pair).astype(np.intp)
        self._write_squares(cloth, views)
        self._write_own(state, pair, views)
        self._write_common(state, seat, views)
        self._write_public(state, seat, views)
        self._write_folds(state.order, cloth, views)

    def _write_squares(self, cloth: NDArray[np.intp], views: dict[str, U8]) -> None:
        squares = np.ascontiguousarray(self._squares.take(cloth, axis=0).T)  # (16, N)
        np.equal(squares >> _SIX, _PLACES, out=views["row"].view(np.bool_))
        np.equal((squares >> _FOUR) & _THREE, _PLACES, out=views["column"].view(np.bool_))
        np.bitwise_and(squares, _FIFTEEN, out=views["layers"])

    def _write_own(self, state: State, pair: NDArray[np.intp], views: dict[str, U8]) -> None:
        path = state.path.reshape(-1).take(pair)
        views["path"][...] = path >> LATEST_FIRST & FOLD_BITS
        views["turned"][...] = state.private[TURNED].reshape(-1).take(pair)
        views["moves"][...] = state.private[MOVES].reshape(-1).take(pair)

    def _write_common(self, state: State, seat: U8, views: dict[str, U8]) -> None:
        common = state.common
        held = common[HELD] << np.uint8(self._players)
        held |= common[HELD]  # twice around
        held >>= seat
        token = np.right_shift(held, _SEATS[: self._players], out=views["token"])
        token &= _ONE
        for name, row in (("tokens_left", LEFT_OVER), ("tick", TICK), ("round", ROUND)):
            views[name][...] = common[row]
        if "used" in views:
            views["used"][...] = state.used

    def _write_public(self, state: State, seat: U8, views: dict[str, U8]) -> None:
        p, n = self._players, state.num_envs
        public = state.public.copy()  # (5, P, N)
        turn_seats(public, seat, np.empty_like(public))
        tops, sets = public[:2], state.order[:2]  # cells 0-7 and 8-15
        ordered = np.right_shift(sets[:, None], _BITS, out=views["ordered"].reshape(2, 8, n))
        ordered &= _ONE
        top = np.right_shift(
            tops.swapaxes(0, 1)[:, :, None], _BITS, out=views["top"].reshape(p, 2, 8, n)
        )
        top &= _ONE
        views["outline"][...] = public[2:4].swapaxes(0, 1)
        views["stars"][...] = public[STARS]
        found = _count_bits(tops & sets[:, None])
        np.add(found[0], found[1], out=views["right"])
        tops ^= sets[:, None]
        tops[0] |= tops[1]
        np.equal(tops[0], 0, out=views["done"].view(np.bool_))

    def _write_folds(self, order: U8, cloth: NDArray[np.intp], views: dict[str, U8]) -> None:
        """What each fold would show on top; the outline is written already."""
        n = len(cloth)
        cloth *= CELLS + 1
        shown = self._shown.take(order[2:6] + cloth)
        # count the ordered dishes that each fold shows: a full adder for all folds at once
        odd, both = shown[:2] ^ shown[2:], shown[:2] & shown[2:]
        counts = np.empty((3, n), np.uint32)  # ones, twos, fours
        np.bitwise_and(odd[0], odd[1], out=counts[1])
        np.bitwise_xor(odd[0], odd[1], out=counts[0])
        np.bitwise_and(both[0], both[1], out=counts[2])
        counts[1] |= both[0] ^ both[1]
        octets = (counts[:, None] >> _OCTETS).astype(np.uint8)[:, :, None]
        right = (octets[0] >> _BITS) & _ONE  # (3, 8, N)
        for weight in (1, 2):
            bits = octets[weight] >> _BITS
            bits &= _ONE
            bits <<= np.uint8(weight)
            right |= bits
        right = right.reshape(2, 3, 4, n)  # axis, line, side and way
        views["fold_right"].reshape(2, 3, 4, n)[...] = right

        outline = views["outline"][0]  # rows, columns
        length, across = outline[::-1, None], outline[:, None]
        size = np.maximum(length - _LINES, _LINES)  # the longer part stays to be seen
        size *= across
        size *= length > _LINES
        wrong = size[:, :, None] - right
        views["fold_wrong"].reshape(2, 3, 4, n)[...] = wrong
        right ^= order[6]
        wrong |= right
        np.equal(wrong, 0, out=views["fold_done"].reshape(2, 3, 4, n).view(np.bool_))


def _count_bits(octets: U8) -> U8:
    """How many bits are set in each byte; overwrites it."""
    octets -= (octets >> _ONE) & np.uint8(0x55)
    octets = (octets & np.uint8(0x33)) + ((octets >> _TWO) & np.uint8(0x33))
    octets += octets >> _FOUR
    octets &= _FIFTEEN
    return octets


_ONE, _TWO, _THREE, _FOUR, _SIX, _FIFTEEN = np.array([1, 2, 3, 4, 6, 15], np.uint8)
_BITS = np.arange(8, dtype=np.uint8)[:, None]
_PLACES = np.arange(4, dtype=np.uint8)[:, None, None]
_SEATS = np.arange(4, dtype=np.uint8)[:, None]
_LINES = np.arange(1, 4, dtype=np.uint8)[:, None]
_OCTETS = np.array([0, 8, 16], np.uint32)[:, None]
