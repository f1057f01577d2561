"""The state of Momiji tables: which arrays there are, and views into them by name.

Seats are kept by *place*: place 0 is the seat to act, then clockwise. What belongs to a seat lies
in one block that is turned when the turn passes on, so the rules only ever work on place 0.
Cards are counted by kind: K = 6 types x k kinds, kind = type * k + index.

A pile is one byte: bits 0-3 the values that fit now, bits 4 and 5 an acorn in its left and right
corner, bits 6-7 its top value. A type without a pile has 1 (only a 0 fits), one not in use 0.
The ``spot`` of a pile in the row counts from left to right without gaps; 0 is no pile.

Phase and flags of the turn are one byte, ``situation`` = phase * 16 + flags: what an action does
and what is legal by itself are then tables (moves.py, legal.py).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.state import Field, State
from fold_envs.games.momiji.components import COPIES, TYPES, Components

U8 = NDArray[np.uint8]
# NumPy takes arrays as operands faster than numbers
ZERO, ONE, TWO = (np.array(number, np.uint8) for number in range(3))

PHASES = (
    "turn",
    "second_collect",  # wind: the second type
    "same",  # a same-type play has begun
    "different_first",  # a play of different types: no card, one, more laid
    "different_second",
    "different_more",
    "place_same",  # a new pile waits for its end of the row, then the play goes on
    "place_first",
    "place_more",
    "objective",
    "discard_first",
    "discard_second",
    "pond",
    "bridge",
    "limit",
    "draft",
)
(
    TURN,
    SECOND_COLLECT,
    SAME,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
    DIFFERENT_MORE,
    PLACE_SAME,
    PLACE_FIRST,
    PLACE_MORE,
    OBJECTIVE,
    DISCARD_FIRST,
    DISCARD_SECOND,
    POND,
    BRIDGE,
    LIMIT,
    DRAFT,
) = range(len(PHASES))
# flags of a situation: done in this turn, and: this play may add piles at the right end only
MAIN_DONE, REVEALED, DISCARDED, RIGHT_ONLY = FLAGS = (1, 2, 4, 8)

HAND, DISPLAY, HAND_LIMIT = 6, 4, 8
TOKENS = 2 + TYPES  # objectives: most zeros, highest tops, most of each type
FIRST_SPOT = 8  # of the first pile: at most 5 follow to either side
NO_KIND = 255
_CACHE = 1 << 19  # bytes worked on at a time


class Shape:
    """The sizes that the options fix."""

    def __init__(
        self, num_players: int, components: Components, powers: tuple[str, ...], draft: bool
    ) -> None:
        self.num_players = num_players
        self.each = len(components.kinds)  # kinds of one type
        self.kinds = TYPES * self.each
        self.cards = (num_players + 2) * sum(COPIES)
        self.deck = self.cards - num_players * HAND - DISPLAY
        self.powers = powers  # tiles that may be in play
        self.active = {power: np.uint8(1 + row) for row, power in enumerate(powers)}
        self.draft = draft
        tiles = len(powers)
        sizes = {
            "hand": self.kinds,
            "known": self.kinds,  # cards that everybody knows to be in this hand
            "pile": TYPES,
            "spot": TYPES,
            "height": TYPES,  # cards in the pile
            "founded": 1,  # bits: types with a pile
            "left_end": 1,  # free spots next to the row
            "right_end": 1,
            "zeros": 1,  # cards of value 0 in the row
            "acorns": 1,  # never near 255: a turn brings few, and the cards limit the turns
            "owned": 1,  # bits: objective tokens
            "unused": tiles,
            "used": tiles,
        }
        if draft:
            sizes |= {"offered": tiles, "pick": 1}  # tiles when the round began; 1 + tile
        self.rows: dict[str, slice] = {}
        start = 0
        for name, size in sizes.items():
            self.rows[name] = slice(start, start + size)
            start += size
        self.rows_per_seat = start

    def fields(self) -> list[Field]:
        """The state arrays."""
        p = self.num_players
        fields = [
            Field("first"),  # seat that took the first turn
            Field("seat"),  # seat at place 0
            Field("turns"),  # begun, the one now too
            Field("extra"),  # extra turns left, this one too until its end; else 0
            Field("turn", (5,)),  # cleared when a turn ends; see Board
            Field("placing"),  # 1 + kind of the card that waits for its end of the row, else 0
            Field("torii"),  # in the middle
            Field("middle"),  # bits: objective tokens
            Field("types", (TYPES,)),  # 1: in use
            Field("deck", (self.deck,)),  # kinds in the order they are drawn
            Field("drawn"),  # cards of the deck that are gone
            Field("left", (self.kinds,)),  # cards neither in a row nor discarded
            Field("laid", (p, self.kinds)),  # cards in the row of each absolute seat
            # display and seats: drawn cards go to the display or to the hand that comes next
            Field("cards", (self.kinds + p * self.rows_per_seat,)),
        ]
        if self.draft:
            fields.append(Field("round"))  # of the draft, from 1; 0 afterwards
        return fields


class Board:
    """Views by name into a State of this game; arrays (..., N) uint8.

    Attributes:
        hand, known: (P, 6, k, N) by place, as all of the next two lines.
        pile, spot, height: (P, 6, N). unused, used, offered: (P, tiles, N).
        founded, left_end, right_end, acorns, zeros, owned, pick: (P, N).
        display, left: (6, k, N).
        placing, torii, middle, drawn, turns, extra: (N,) see ``Shape.fields``.
        situation: (N,) phase * 16 + flags.
        low: (N,) bits: the type of a same-type play or of the first half of a wind collect; in a
            play of different types those whose old piles may still get a card.
        rising: (N,) lowest kind that the next discard may be.
        tile: (N,) 1 + tile used in this turn, else 0.
        put: (N,) cards laid by a same-type play; only kept where lanterns may be.
        of_turn: (5, N) the five before, which are cleared when a turn ends.
        kept, set: (3, N), (4, N) the first of these rows, as moves.py has them.
    """

    def __init__(self, state: State, shape: Shape) -> None:
        self.state = state
        n, p, k = state.num_envs, shape.num_players, shape.kinds
        tiles = len(shape.powers)
        self.seats = state.cards[k:].reshape(p, shape.rows_per_seat, n)
        self._num_seats = np.array(p, np.uint8)

        def by_place(name: str, *dims: int) -> U8:
            return self.seats[:, shape.rows[name]].reshape(p, *dims, n)

        self.hand = by_place("hand", TYPES, shape.each)
        self.known = by_place("known", TYPES, shape.each)
        self.pile = by_place("pile", TYPES)
        self.spot = by_place("spot", TYPES)
        self.height = by_place("height", TYPES)
        self.founded = by_place("founded")
        self.left_end = by_place("left_end")
        self.right_end = by_place("right_end")
        self.acorns = by_place("acorns")
        self.zeros = by_place("zeros")
        self.owned = by_place("owned")
        rows = slice(shape.rows["acorns"].start, shape.rows["owned"].stop)
        self.gains = self.seats[:, rows]
        self.unused = by_place("unused", tiles)
        self.used = by_place("used", tiles)
        if shape.draft:
            self.offered = by_place("offered", tiles)
            self.pick = by_place("pick")
        self.display = state.cards[:k].reshape(TYPES, shape.each, n)
        self.left = state.left.reshape(TYPES, shape.each, n)
        self.of_turn: U8 = state.turn
        self.kept, self.set = state.turn[:3], state.turn[:4]
        self.situation, self.low, self.rising, self.tile, self.put = state.turn
        self.placing: U8 = state.placing
        self.torii: U8 = state.torii
        self.middle: U8 = state.middle
        self.drawn: U8 = state.drawn
        self.turns: U8 = state.turns
        self.extra: U8 = state.extra

    @cached_property
    def own(self) -> Own:
        """The views of place 0."""
        return Own(self)

    @cached_property
    def _chunks(self) -> list[tuple[U8, U8, U8, U8]]:
        """Runs of rows, as many as are quick to work on at a time: those of all seats but the
        last, of all but the first, as much space, and those of the last.
        """
        p, rows, n = self.seats.shape
        most = _CACHE // (p * n) + 1
        space = np.empty((p - 1, min(most, rows), n), np.uint8)
        chunks = []
        for start in range(0, rows, most):
            seats = self.seats[:, start : start + most]
            chunks.append((seats[:-1], seats[1:], space[:, : seats.shape[1]], seats[-1]))
        return chunks

    @property
    def phase(self) -> U8:
        """(N,) index into PHASES."""
        return self.situation >> 4

    def turn_seats(self, where: U8) -> None:
        """Move every seat one place on where ``where`` (N,) is 255: the next clockwise acts."""
        for here, after, changes, last in self._chunks:
            np.bitwise_xor(here, after, out=changes)
            changes &= where
            here ^= changes
            for change in changes:
                last ^= change
        seat = self.state.seat
        seat -= where  # 255 is -1
        seat *= (seat < self._num_seats).view(np.uint8)


class Own:
    """Views of place 0, the seat to act: as those of Board without the first axis, and more.

    Attributes:
        cards: (K, N) the hand by kind.
        gains: (2, N) acorns and owned.
    """

    def __init__(self, board: Board) -> None:
        self.hand, self.known = board.hand[0], board.known[0]
        self.pile, self.spot, self.height = board.pile[0], board.spot[0], board.height[0]
        self.founded, self.zeros = board.founded[0], board.zeros[0]
        self.left_end, self.right_end = board.left_end[0], board.right_end[0]
        self.acorns, self.owned = board.acorns[0], board.owned[0]
        self.unused, self.used = board.unused[0], board.used[0]
        self.cards = self.hand.reshape(-1, self.hand.shape[-1])
        self.gains = board.gains[0]


def mask(flags: NDArray[np.bool_]) -> U8:
    """0 / 255 bytes from booleans."""
    return np.negative(flags.view(np.uint8))
