"""What the state of a table of Fold-it is made of. Sets of seats are bits: bit p for seat p."""

from __future__ import annotations

import numpy as np

from fold_envs.engine.state import Field
from fold_envs.games.fold_it.orders import ORDER_ROWS

# rows of ``common``: seats still to be asked in this tick; seats in this round; seats that hold a
# token; tokens in the middle; tick of the round; round (as many cards were turned up), from 1
ASKED, SEATED, HELD, LEFT_OVER, TICK, ROUND = range(6)
# rows of ``public``, by seat: what lies on top, rows, columns (see Cloths.look); stars
LOOK, STARS = slice(0, 4), 4
# rows of ``private``, by seat: lies turned over; folds, undos, flats and turns made in this round;
# 1 + the action chosen in this tick, 0: none yet
TURNED, MOVES, CHOICE = range(3)

# ``path``: the folds still in a cloth, the latest in the lowest 5 bits, each 1 + the fold as it
# would be numbered had the cloth never been turned over; 0: none
STEP = 5
MOST_FOLDED = 6
FOLD_BITS = np.uint32(31)
LATEST_FIRST = STEP * np.arange(MOST_FOLDED, dtype=np.uint32)[:, None]
OLDEST_FIRST = LATEST_FIRST[::-1]


def fields(num_players: int, cards: int, orders: int) -> list[Field]:
    """The state arrays for a deck of ``cards`` (0: random orders) and a puzzle of ``orders``."""
    p = num_players
    found = [
        Field("common", (6,)),
        Field("card", (), np.uint16),  # index of the order in play
        Field("order", (ORDER_ROWS,)),  # the order in play, see OrderTable.rows
        Field("public", (5, p)),
        Field("private", (3, p)),
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
