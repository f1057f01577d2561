"""Points of Momiji, by place: piles and objectives; acorns count one each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.momiji.board import TOKENS, U8, Board

OWNER_POINTS, BEST_POINTS = 10, 3
TOKEN_BITS = (1 << np.arange(TOKENS)).astype(np.uint8)[:, None]

_TOKENS_IN = np.array([bin(bits).count("1") for bits in range(256)])
_BEST = (BEST_POINTS * _TOKENS_IN).astype(np.uint8)  # points by bits of tokens
_OWNER = ((OWNER_POINTS - BEST_POINTS) * _TOKENS_IN).astype(np.uint8)


def points(board: Board) -> NDArray[np.int16]:
    """(P, N) points of piles (top value x cards) and of activated objectives."""
    top = board.pile >> 6
    best = np.empty((len(top), TOKENS, top.shape[-1]), np.uint8)
    best_players(board.zeros, np.add.reduce(top, axis=1, dtype=np.uint8), board.height, best)
    piles = np.add.reduce(top * board.height, axis=1, dtype=np.uint8)  # at most 6 x 39
    return np.add(piles, objective_points(board.owned, best), dtype=np.int16)


def best_players(zeros: U8, tops: U8, height: U8, out: U8) -> None:
    """Write (P, 8, N) 0 or 1: this place has the best count for the token, and not 0."""
    out[:, 0] = zeros
    out[:, 1] = tops
    out[:, 2:] = height
    best = np.maximum.reduce(out, axis=0, initial=1)
    np.equal(out, best, out=out.view(np.bool_))


def objective_points(owned: U8, best: U8) -> U8:
    """(P, N) points of activated objectives, from bits owned (P, N) and ``best_players``."""
    best_bits = np.bitwise_or.reduce(best * TOKEN_BITS, axis=1)
    activated = np.bitwise_or.reduce(owned, axis=0)
    points = _BEST.take(best_bits & activated, mode="clip")
    points += _OWNER.take(best_bits & owned, mode="clip")
    return points
