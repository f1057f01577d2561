"""Points of Momiji, by place: piles and objectives; acorns count one each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.momiji.board import TOKENS, U8, ZERO

TOP_AT = np.array(6, np.uint8)  # of the top value in the bits of a pile
OWNER_POINTS, BEST_POINTS = 10, 3
TOKEN_BITS = (1 << np.arange(TOKENS)).astype(np.uint8)[:, None]

# NumPy takes arrays as operands faster than numbers
_BEST, _OWNER_TOO = np.array([BEST_POINTS, OWNER_POINTS - BEST_POINTS], np.uint8)[:, None, None]


def points(pile: U8, height: U8, zeros: U8, owned: U8) -> NDArray[np.int16]:
    """(P, N) points of piles (top value x cards) and of activated objectives."""
    top = pile >> TOP_AT
    best = np.empty((len(top), TOKENS, top.shape[-1]), np.uint8)
    best_players(zeros, np.add.reduce(top, axis=1, dtype=np.uint8), height, best)
    piles = np.add.reduce(top * height, axis=1, dtype=np.uint8)  # at most 6 x 39
    owned = ((owned[:, None] & TOKEN_BITS) != ZERO).view(np.uint8)
    objectives = np.empty_like(piles)
    objective_points(owned, best, objectives)
    return np.add(piles, objectives, dtype=np.int16)


def best_players(zeros: U8, tops: U8, height: U8, out: U8) -> None:
    """Write (P, 8, N) 0 or 1: this place has the best count for the token, and not 0."""
    out[:, 0] = zeros
    out[:, 1] = tops
    out[:, 2:] = height
    best = np.maximum.reduce(out, axis=0, initial=1)
    np.equal(out, best, out=out.view(np.bool_))


def objective_points(owned: U8, best: U8, out: U8) -> None:
    """Write (P, N) points of activated objectives; owned, best: (P, 8, N) 0 or 1."""
    activated = np.bitwise_or.reduce(owned, axis=0)
    activated *= _BEST
    worth = owned * _OWNER_TOO
    worth += activated
    worth *= best
    np.add.reduce(worth, axis=1, dtype=np.uint8, out=out)
