"""What the state of a table of Fold-it is made of. Sets of seats are bits: bit p for seat p."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.state import Field
from fold_envs.games.fold_it.orders import ORDER_ROWS

U8 = NDArray[np.uint8]

SEATS = 4  # at most
STARS = 3  # at first

# ``path``: the folds still in a cloth, the latest in the lowest 5 bits, each 1 + the fold as it
# would be numbered had the cloth never been turned over; 0: none
STEP = 5
MOST_FOLDED = 6

COUNT = np.array([bin(m).count("1") for m in range(1 << SEATS)], np.uint8)  # seats in a set
FIRST = np.array([max((m & -m).bit_length() - 1, 0) for m in range(1 << SEATS)], np.uint8)
# (seats that grab, tokens left, draw) -> who gets one; and how many draws there are
LUCKY = np.zeros((1 << SEATS, SEATS, 6), np.uint8)
LUCKY_DRAWS = np.ones((1 << SEATS, SEATS), np.uint8)
for _grabbing in range(1 << SEATS):
    _seats = [1 << p for p in range(SEATS) if _grabbing >> p & 1]
    for _left in range(SEATS):
        for _draw, _lucky in enumerate(combinations(_seats, _left)):
            LUCKY[_grabbing, _left, _draw] = sum(_lucky)
            LUCKY_DRAWS[_grabbing, _left] = _draw + 1


class Board(NamedTuple):
    """Named views of the rows of ``board``.

    Attributes:
        asked: (N,) seats still to be asked in this tick.
        seated: (N,) seats in this round.
        held: (N,) seats that hold a token.
        left: (N,) tokens in the middle.
        tick: (N,) of the round, from 1.
        round: (N,) from 1; as many cards were turned up.
        order: (7, N) the order in play, see OrderTable.rows.
        public: (5, P, N) ``look`` and ``stars``.
        private: (3, P, N) ``turned``, ``moves`` and ``choice``.
    """

    asked: U8
    seated: U8
    held: U8
    left: U8
    tick: U8
    round: U8
    order: U8
    public: U8
    private: U8

    @property
    def look(self) -> U8:
        """(4, P, N) what all see of each cloth, see Cloths.look."""
        return self.public[:4]

    @property
    def stars(self) -> U8:
        """(P, N)."""
        return self.public[4]

    @property
    def turned(self) -> U8:
        """(P, N) 1 if the cloth lies turned over."""
        return self.private[0]

    @property
    def moves(self) -> U8:
        """(P, N) folds, undos, flats and turns made in this round."""
        return self.private[1]

    @property
    def choice(self) -> U8:
        """(P, N) 1 + the action chosen in this tick, 0: none yet."""
        return self.private[2]


def board_of(rows: U8, num_players: int) -> Board:
    """Names for the rows (R, N)."""
    p, first = num_players, 6 + ORDER_ROWS
    public, private = rows[first : first + 5 * p], rows[first + 5 * p :]
    shape = (p, rows.shape[1])
    asked, seated, held, left, tick, number = rows[:6]
    return Board(
        *(asked, seated, held, left, tick, number, rows[6:first]),
        *(public.reshape(5, *shape), private.reshape(3, *shape)),
    )


def fields(num_players: int, cards: int, orders: int) -> list[Field]:
    """The state arrays for a deck of ``cards`` (0: random orders) and a puzzle of ``orders``."""
    p = num_players
    found = [
        Field("board", (6 + ORDER_ROWS + (5 + 3) * p,)),
        Field("card", (), np.uint16),  # index of the order in play
        Field("cloth", (p,), np.uint16),  # number of its state, see cloth.py
        Field("path", (p,), np.uint32),
        Field("luck", (), np.uint64),  # added to the key for every draw, see hidden.py
    ]
    if cards:
        found.append(Field("deck", (cards,)))  # used cards, the one in play, unused ones
        found.append(Field("used", (cards,)))  # by card: not in the third part
    if p == 1:
        found.append(Field("filled", (2, orders)))  # fewest folds, moves (0: not filled)
    return found


def as_set(flags: U8) -> U8:
    """(N,) the seats whose flag (P, N), 0 or 1, is set."""
    seats = flags[0].copy()
    for row, shift in zip(flags[1:], _SHIFTS[1:], strict=False):
        seats |= row << shift
    return seats


def members(num_players: int) -> U8:
    """(P, 1) shifts that bring the bit of each seat of a set down to bit 0."""
    return np.arange(num_players, dtype=np.uint8)[:, None]


_SHIFTS = [np.array(p, np.uint8) for p in range(SEATS)]
