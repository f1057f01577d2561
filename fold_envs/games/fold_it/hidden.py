"""Redraws what a seat of Fold-it cannot know: the layers and folds of other cloths.

Others show their outline and the dishes on top. A cloth that looks the same and could be made in
the ticks gone by takes the place of the real one; how it looked earlier in the round is not used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rng import Streams, scale
from fold_envs.engine.state import State
from fold_envs.games.fold_it.actions import ACTIONS, write_legal
from fold_envs.games.fold_it.board import STEP, Board
from fold_envs.games.fold_it.cloth import (
    FIRST_FOLD,
    FLAT,
    FOLDS,
    MOST_FOLDED,
    NEVER,
    cloths,
    folds_to,
)


class _Lookalikes(NamedTuple):
    """Ways to make cloths: a state made by folds alone, and whether it was then turned over.

    Attributes:
        kind: (S,) what a state looks like, numbered.
        state, turned: the ways, sorted by look and then by fewest acts.
        first: (looks,) the first way of each look.
        number: (looks, 8) how many need at most so many acts.
        before, fold: states before and the fold that leads on, sorted by the state they lead to and
            then by fewest folds.
        first_before: (S,) the first of each state.
        number_before: (S, 7) how many need at most so many folds.
    """

    kind: NDArray[np.intp]
    state: NDArray[np.intp]
    turned: NDArray[np.bool_]
    first: NDArray[np.intp]
    number: NDArray[np.intp]
    before: NDArray[np.intp]
    fold: NDArray[np.intp]
    first_before: NDArray[np.intp]
    number_before: NDArray[np.intp]


@lru_cache(maxsize=1)
def _lookalikes() -> _Lookalikes:
    table, folds = cloths(), folds_to()
    number = len(folds)
    # what lies on top at each place
    on_top = np.zeros((number, 16), np.uint8)
    state, cell = np.nonzero((table.squares & 15) == 0)
    on_top[state, table.squares[state, cell] >> 4] = cell + 1
    _, kind = np.unique(on_top.view("V16").reshape(-1), return_inverse=True)
    kind = kind.reshape(-1)

    made = np.flatnonzero(folds < NEVER)
    states = np.concatenate([made, made])
    turned = np.repeat([False, True], len(made))
    acts = folds[states] + turned
    looks = kind[np.where(turned, table.turned[states], states)]
    order = np.lexsort((acts, looks))
    first, count = _ranges(looks[order], acts[order], kind.max() + 1, MOST_FOLDED + 1)

    source, fold = np.nonzero(
        table.next[:, FIRST_FOLD : FIRST_FOLD + FOLDS] != np.arange(number)[:, None]
    )
    known = folds[source] < NEVER
    source, fold = source[known], fold[known]
    target = table.next[source, FIRST_FOLD + fold].astype(np.intp)
    by_target = np.lexsort((folds[source], target))
    source, fold, target = source[by_target], fold[by_target], target[by_target]
    first_before, number_before = _ranges(target, folds[source], number, MOST_FOLDED)
    return _Lookalikes(
        kind,
        states[order],
        turned[order],
        first,
        count,
        source,
        fold,
        first_before,
        number_before,
    )


def _ranges(
    keys: NDArray[np.intp], costs: NDArray[np.uint8], size: int, most: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each key starts in sorted ``keys``; (size, most + 1) how many cost at most so much."""
    count = np.zeros((size, most + 1), np.intp)
    np.add.at(count, (keys, costs), 1)
    return np.searchsorted(keys, np.arange(size)), count.cumsum(axis=1)


def redraw_cloths(state: State, board: Board, seats: NDArray[np.intp], stream: Streams) -> None:
    """Redraw the other cloths, the choices others made in this tick, and all draws to come."""
    num_players, n = state.cloth.shape
    lanes = np.arange(n)
    for step in range(1, num_players):
        other = (seats + step) % num_players
        _redraw_one(state, board, other * n + lanes, stream)
    state.luck[:] = stream.word()  # cards and token draws to come


def _redraw_one(state: State, board: Board, pairs: NDArray[np.intp], stream: Streams) -> None:
    """``pairs``: seat * N + table, one for each table."""
    like, table = _lookalikes(), cloths()
    words = stream.words(MOST_FOLDED + 1)
    acts = board.tick.astype(np.intp) - 1 + state.over  # that each seat can have made
    time = np.minimum(acts, MOST_FOLDED + 1)
    look = like.kind[state.cloth.reshape(-1)[pairs]]
    way = like.first[look] + scale(words[0], like.number[look, time]).astype(np.intp)
    cloth, turned = like.state[way], like.turned[way]
    state.cloth.reshape(-1)[pairs] = np.where(turned, table.turned[cloth], cloth)

    # any row of folds that ends at this cloth
    time = np.minimum(time - turned, MOST_FOLDED)
    path = np.zeros(len(pairs), np.uint32)
    moves = turned.astype(np.uint8)
    for step in range(MOST_FOLDED):
        folded = cloth != FLAT
        time = np.maximum(time - 1, 0)
        choices = np.maximum(like.number_before[cloth, time], 1)
        back = like.first_before[cloth] + scale(words[1 + step], choices).astype(np.intp)
        back = np.minimum(back, len(like.fold) - 1)
        fold = (1 + like.fold[back]).astype(np.uint32) << np.uint32(STEP * step)
        path |= np.where(folded, fold, 0).astype(np.uint32)
        moves += folded
        cloth = np.where(folded, like.before[back], FLAT)
    state.path.reshape(-1)[pairs] = path
    is_turned, all_moves, choice = (rows.reshape(-1) for rows in board.private)
    is_turned[pairs] = turned
    all_moves[pairs] = moves

    legal = np.empty((ACTIONS, len(pairs)), bool)
    write_legal(board.look[2:].reshape(2, -1)[:, pairs], legal)
    drawn = 1 + stream.choose(legal)
    choice[pairs] = np.where(choice[pairs] > 0, drawn, 0)
