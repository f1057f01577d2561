"""The greedy Fold-it player: shortest ways to the order, from the observation alone.

A move is a fold, an undo, laying flat or turning over. From a cloth x the order is E(x) = min(folds
from x, 1 + folds from x turned over) folds and turns away: turning over can be moved to any place
of a row of folds and is needed at most once. With undoing and laying flat the distance is the
least of k + E(the cloth k folds ago) and 1 + E(flat cloth).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.layout import Layout
from fold_envs.engine.rng import Streams
from fold_envs.games.fold_it.actions import ACTIONS, GRAB, LAY_FLAT, TURN_OVER, UNDO, WAIT
from fold_envs.games.fold_it.board import STEP
from fold_envs.games.fold_it.cloth import (
    CELLS,
    COLUMNS,
    FIRST_FOLD,
    FLAT,
    FOLDS,
    MOST_FOLDED,
    NEVER,
    blocks,
    cloths,
    lines_of,
)
from fold_envs.games.fold_it.orders import OrderTable

U8 = NDArray[np.uint8]
Index = NDArray[np.intp]


def check_speed(speed: Any) -> float:
    """``speed`` if it is a number in [0, 1].

    Raises:
        InvalidOptionError: it is not.
    """
    if isinstance(speed, bool) or not isinstance(speed, (int, float)) or not 0 <= speed <= 1:
        raise InvalidOptionError(f"speed: {speed!r} is not a number from 0 to 1")
    return float(speed)


@lru_cache(maxsize=8)
def fold_distances(tops: tuple[int, ...]) -> U8:
    """(S, C) fewest folds from each state until exactly ``tops[c]`` lies on top; or NEVER."""
    table = cloths()
    wanted = np.array(tops, np.uint16)
    away = np.where(table.top[:, None] == wanted, 0, NEVER).astype(np.uint8)
    for block in reversed(blocks()):
        for fold in lines_of(block):
            after = away[table.next[block, FIRST_FOLD + fold]]
            after += 1
            np.minimum(away[block], after, out=away[block])
    np.minimum(away, NEVER, out=away)
    return away


_LATEST_FIRST = STEP * np.arange(MOST_FOLDED, dtype=np.uint32)[:, None]


class Solver:
    """A policy (see ``BatchGame.heuristic``): acts with probability ``speed``, else waits.

    It grabs as soon as exactly the order lies on top; before, it plays one of the moves that bring
    it nearer, each equally likely.
    """

    def __init__(self, layout: Layout, table: OrderTable, speed: float) -> None:
        self._layout = layout
        self._acts_below = np.uint64(round(speed * (1 << 53)))
        self._next = cloths().next
        self._turned = cloths().turned
        self._away = fold_distances(tuple(table.masks.tolist())).reshape(-1)
        self._orders = len(table.orders)
        self._order_of = np.zeros(1 << CELLS, np.intp)
        self._order_of[table.masks] = np.arange(self._orders)

    def __call__(
        self,
        observation: U8,
        legal: NDArray[np.bool_],
        stream: Streams,
        where: NDArray[np.bool_] | None = None,
    ) -> Index:
        """Choose for every table; see ``Policy``."""
        views = self._layout.views(observation)
        acts = stream.word(where) >> np.uint64(11) < self._acts_below
        ordered = np.packbits(views["ordered"], axis=0, bitorder="little")
        order = self._order_of[ordered[0] + ordered[1].astype(np.intp) * 256]
        path, turned = views["path"], views["turned"] > 0
        folds = np.bitwise_or.reduce(path.astype(np.uint32) << _LATEST_FIRST, axis=0)
        front = cloths().folded(folds)
        cloth: Index = np.where(turned, self._turned[front], front).astype(np.intp)

        best = np.zeros((ACTIONS, len(order)), bool)
        after = self._next[cloth, FIRST_FOLD : FIRST_FOLD + FOLDS].T
        away = self._distance(cloth, order)
        best[:FOLDS] = self._distance(after, order) == away - 1
        best[GRAB] = away == 0
        # one fold too many, or the wrong one: look at all moves
        lost = np.count_nonzero(path, axis=0) + away > self._distance(FLAT, order)
        if lost.any():
            back = np.flatnonzero(lost & (away > 0))
            best[:, back] = self._best_moves(
                cloth[back], path[:, back], turned[back], order[back], legal[:, back]
            )
        best &= legal
        return np.where(acts, stream.choose(best, where), WAIT)

    def _best_moves(
        self, cloth: Index, path: U8, turned: NDArray[np.bool_], order: Index, legal: Any
    ) -> NDArray[np.bool_]:
        """(A, M) the moves on shortest ways, undoing, laying flat and turning over included."""
        ago = [np.zeros(len(order), np.intp)]  # the cloth as it was, the oldest first
        for fold in path[::-1]:
            ago.append(self._after(ago[-1], fold))
        front = np.stack(ago[::-1])  # (7, M) after 0, 1, ... undos, the front up
        back = self._turned[front]
        as_it_lies = self._distance(np.where(turned, back, front), order).astype(int)
        other_side = self._distance(np.where(turned, front, back), order).astype(int)
        undos = np.arange(len(front))[:, None]
        here = undos + np.minimum(as_it_lies, 1 + other_side)
        there = undos + np.minimum(other_side, 1 + as_it_lies)
        from_flat = 1 + self._distance(FLAT, order).astype(int)
        distance = np.minimum(here.min(axis=0), from_flat)

        best = np.zeros((ACTIONS, len(order)), bool)
        after = self._next[cloth, FIRST_FOLD : FIRST_FOLD + FOLDS].T
        then = np.minimum(
            self._distance(after, order).astype(int),
            1 + self._distance(self._turned[after], order).astype(int),
        )
        best[:FOLDS] = 1 + then == distance
        best[UNDO] = here[1:].min(axis=0) == distance
        best[LAY_FLAT] = from_flat == distance
        best[TURN_OVER] = 1 + there.min(axis=0) == distance
        best &= legal
        return best

    def _after(self, cloth: Index, fold: U8) -> Index:
        """The cloths after the folds of one place of ``path``."""
        return self._next.reshape(-1)[cloth * COLUMNS + fold].astype(np.intp)

    def _distance(self, cloth: Any, order: Index) -> U8:
        return self._away[np.multiply(cloth, self._orders, dtype=np.intp) + order]
