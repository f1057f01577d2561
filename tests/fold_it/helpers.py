"""Positions by hand: actions in words, cloths laid ready."""

from __future__ import annotations

from typing import Any

import numpy as np

from fold_envs.games.fold_it.actions import WORDS
from fold_envs.games.fold_it.cloth import cloths
from fold_envs.games.fold_it.game import FoldIt


def one_table(num_players: int = 2, seed: int = 0, **options: Any) -> FoldIt:
    """A fresh game at one table."""
    game = FoldIt(1, num_players=num_players, **options)
    game.reset(seed)
    return game


def play(game: FoldIt, *words: str) -> None:
    """One action after the other at table 0."""
    for word in words:
        game.step(np.array([WORDS.index(word)]))


def lay(game: FoldIt, seat: int, right: bool = True, table: int = 0) -> None:
    """Lay the cloth of ``seat`` so that it shows exactly the order, or anything else."""
    board, known = game._board, cloths()
    wanted = int(board.order[0, table]) | int(board.order[1, table]) << 8
    states = np.flatnonzero(known.top == wanted)
    state = states[0] if right else 0
    game.state.cloth[seat, table] = state
    board.look[:, seat, table] = known.look[:, state]
    game.set_state(game.get_state())  # masks follow


def stacks(game: FoldIt, seat: int = 0) -> Any:
    """The cloth of ``seat`` at table 0: rows of stacks, top layer first."""
    return game.snapshot(0)["seats"][seat]["cells"]


def stars(game: FoldIt, table: int = 0) -> list[int]:
    """Stars by seat."""
    return game.scores[:, table].tolist()
