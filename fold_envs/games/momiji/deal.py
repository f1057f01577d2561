"""Setting up new games of Momiji."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rng import Streams, scale
from fold_envs.engine.state import State
from fold_envs.games.momiji.board import (
    DISPLAY,
    DRAFT,
    FIRST_SPOT,
    HAND,
    U8,
    Board,
    Shape,
)
from fold_envs.games.momiji.components import TILES_EACH, TYPES, Components

_TYPES = np.arange(TYPES, dtype=np.uint8)[:, None]


class Dealer:
    """Deals; holds what is the same in every game.

    Args:
        shape: the sizes.
        components: the cards and tiles.
        start_acorns: in turn order.
    """

    def __init__(self, shape: Shape, components: Components, start_acorns: tuple[int, ...]) -> None:
        self._shape = shape
        self._start_acorns = np.array(start_acorns, np.uint8)[:, None]
        copies = np.array(components.copies, np.uint8)
        self._copies = copies[:, None]
        self._one_type = np.repeat(np.arange(shape.each, dtype=np.uint8), copies)[:, None]
        self._kinds = np.arange(shape.kinds, dtype=np.uint8).reshape(TYPES, shape.each, 1)
        self._tiles = np.arange(len(shape.powers), dtype=np.uint8)[:, None]
        tile_copies = components.tile_copies if shape.draft else 0
        self._tile_pool = np.repeat(self._tiles, tile_copies, axis=0)
        names = components.first_game
        self._first_tiles = np.array([names.count(x) for x in shape.powers], np.uint8)[:, None]

    def deal(self, state: State, streams: Streams) -> None:
        """Set up a new game in every table of ``state``, which is zero but for the streams."""
        shape, n = self._shape, state.num_envs
        board, p = Board(state, shape), shape.num_players
        words = streams.words(1 + TYPES + (p + 4) + shape.cards + len(self._tile_pool))
        state.first[:] = state.seat[:] = scale(words[0], p)
        types = _shuffled(words[1 : 1 + TYPES], _TYPES)[: p + 2]
        types.sort(axis=0)
        np.equal(types[:, None], _TYPES).any(axis=0, out=state.types.view(np.bool_))
        words = words[1 + TYPES :]
        # objectives: most zeros, highest tops, most of a type in use
        tokens = np.empty((p + 4, n), np.uint8)
        tokens[0], tokens[1] = 0, 1
        np.add(types, 2, out=tokens[2:])
        tokens = _shuffled(words[: p + 4], tokens)[: p + 2]
        np.bitwise_or.reduce(np.uint8(1) << tokens, axis=0, out=state.middle)
        words = words[p + 4 :]
        # cards
        pack = (types * np.uint8(shape.each))[:, None] + self._one_type
        pack = _shuffled(words[: shape.cards], pack.reshape(shape.cards, n))
        hands, display, state.deck[:] = np.split(pack, (p * HAND, p * HAND + DISPLAY))
        same = hands.reshape(p, HAND, 1, 1, n) == self._kinds
        np.add.reduce(same.view(np.uint8), axis=1, dtype=np.uint8, out=board.hand)
        same = display[:, None, None] == self._kinds
        np.add.reduce(same.view(np.uint8), axis=0, dtype=np.uint8, out=board.display)
        np.multiply(state.types[:, None], self._copies, out=board.left)
        board.pile[:] = state.types  # where no pile lies a 0 fits
        board.left_end[:], board.right_end[:] = FIRST_SPOT - 1, FIRST_SPOT
        board.acorns[:] = self._start_acorns
        board.torii[:] = p + 2
        if shape.draft:
            offered = _shuffled(words[shape.cards :], self._tile_pool)[: p * TILES_EACH]
            same = offered.reshape(p, TILES_EACH, 1, n) == self._tiles
            np.add.reduce(same.view(np.uint8), axis=1, dtype=np.uint8, out=board.offered)
            state.round[:] = 1
            board.situation[:] = DRAFT << 4
        else:
            board.unused[:] = self._first_tiles
            board.turns[:] = 1


def _shuffled(words: NDArray[np.uint64], items: U8) -> U8:
    """(C, N) ``items`` (C, N) or (C, 1), below 256, in the random order of ``words`` (C, N).

    56-bit keys are sorted with the item in their low byte: few calls, also for a single table.
    """
    keys = (words & ~np.uint64(255)) | items
    keys = np.sort(np.ascontiguousarray(keys.T), axis=1)
    return np.ascontiguousarray(keys.T.astype(np.uint8))
