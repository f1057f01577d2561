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

BITS = np.array([1, 2, 4, 8], np.uint8)[:, None]  # of the seats
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
        private: (3, P, N) the next three.
        turned: (P, N) 1 if the cloth lies turned over.
        moves: (P, N) folds, undos, flats and turns made in this round.
        choice: (P, N) 1 + the action chosen in this tick, 0: none yet.
        asked: (N,) seats still to be asked in this tick.
        seated: (N,) seats in this round.
        held: (N,) seats that hold a token.
        counts: (3, N) the next three.
        left: (N,) tokens in the middle.
        tick: (N,) of the round, from 1.
        round: (N,) from 1; as many cards were turned up.
        public: (5, P, N) the next two.
        look: (4, P, N) what all see of each cloth, see Cloths.look.
        stars: (P, N).
        order: (7, N) the order in play, see OrderTable.rows.
    """

    private: U8
    turned: U8
    moves: U8
    choice: U8
    asked: U8
    seated: U8
    held: U8
    counts: U8
    left: U8
    tick: U8
    round: U8
    public: U8
    look: U8
    stars: U8
    order: U8


def board_of(rows: U8, num_players: int) -> Board:
    """Names for the rows (R, N)."""
    p, n = num_players, rows.shape[1]
    private, rows = rows[: 3 * p].reshape(3, p, n), rows[3 * p :]
    sets, counts, rows = rows[:3], rows[3:6], rows[6:]
    public, order = rows[: 5 * p].reshape(5, p, n), rows[5 * p :]
    look, stars = public[:4], public[4]
    return Board._make((private, *private, *sets, counts, *counts, public, look, stars, order))


def fresh_rows(num_players: int, flat: U8) -> U8:
    """(R, 16) the rows of ``board`` when a round starts, by the seats in it.

    ``flat`` (4,) is the look of a flat cloth; ``round``, ``stars`` and ``order`` are left out.
    """
    rows = np.zeros((board_rows(num_players), 1 << SEATS), np.uint8)
    board = board_of(rows, num_players)
    board.seated[:] = board.asked[:] = np.arange(1 << SEATS)
    board.left[:] = np.maximum(COUNT, 2) - 1  # one fewer than seats; one for one player
    board.tick[:] = 1
    board.look[:] = flat[:, None, None]
    return rows


def board_rows(num_players: int) -> int:
    """The number of rows R."""
    return 6 + (3 + 5) * num_players + ORDER_ROWS


def fields(num_players: int, cards: int, orders: int) -> list[Field]:
    """The state arrays for a deck of ``cards`` (0: random orders) and a puzzle of ``orders``."""
    p = num_players
    found = [
        Field("board", (board_rows(p),)),
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


def as_set(flags: NDArray[np.bool_]) -> U8:
    """(N,) the seats whose flag (P, N) is set."""
    return np.bitwise_or.reduce(flags.view(np.uint8) * BITS[: len(flags)], axis=0)


def members(num_players: int) -> U8:
    """(P, 1) shifts that bring the bit of each seat of a set down to bit 0."""
    return np.arange(num_players, dtype=np.uint8)[:, None]
