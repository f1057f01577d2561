"""Plays a batched game and one slow oracle a table with the same actions and compares them.

A game's test gives three small functions; everything else is here, the same for all games.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from fold_envs.engine.batch_game import BatchGame


class Oracle(Protocol):
    """What every oracle in ``tests/oracles`` offers."""

    to_act: int
    done: bool

    def legal(self) -> list[str]: ...
    def step(self, action: str) -> None: ...


def drive(
    game: BatchGame,
    seed: int,
    make_oracle: Callable[[dict[str, Any]], Oracle],
    compare: Callable[[dict[str, Any], Oracle], None],
    compare_end: Callable[[BatchGame, int, Oracle], None],
    *,
    compare_every: int = 1,
    before_step: Callable[[BatchGame, int, Oracle, int], None] | None = None,
    observe: Callable[[BatchGame, dict[int, Oracle]], None] | None = None,
) -> int:
    """Play every table of ``game`` to its end with uniformly random legal actions.

    Args:
        game: without autoreset; it is reset here with ``seed``.
        seed: for the deals and for the choice of actions.
        make_oracle: from a snapshot of the fresh table.
        compare: asserts that a snapshot equals the oracle's state; called every
            ``compare_every`` decisions of a table and at its start and end.
        compare_end: asserts that scores, winners, rewards and tie break agree.
        compare_every: 1 compares the whole state after every action.
        before_step: called with (game, table, oracle, action) before the oracle steps but after the
            core did: the place to hand chance outcomes to the oracle.
        observe: called with the game and the running oracles after every step.

    Returns:
        The number of decisions compared.
    """
    game.reset(seed)
    rng = random.Random(seed)
    oracles: dict[int, Oracle] = {}
    for table in range(game.num_envs):
        snapshot = game.snapshot(table)
        oracles[table] = make_oracle(snapshot)
        compare(snapshot, oracles[table])
    decisions = 0
    while oracles:
        actions = np.zeros(game.num_envs, np.intp)
        words: dict[int, str] = {}
        to_act, legal = game.to_act, game.legal
        for table, oracle in oracles.items():
            assert oracle.to_act == to_act[table], f"table {table}: seat to act"
            named = {game.describe_action(a, table): a for a in np.flatnonzero(legal[:, table])}
            assert len(named) == legal[:, table].sum(), f"table {table}: two actions with one name"
            assert sorted(named) == sorted(oracle.legal()), f"table {table}: legal actions"
            words[table] = rng.choice(sorted(named))
            actions[table] = named[words[table]]
        game.step(actions)
        decisions += len(oracles)
        for table, oracle in list(oracles.items()):
            if before_step is not None:
                before_step(game, table, oracle, int(actions[table]))
            oracle.step(words[table])
            over = bool(game.done[table])
            assert over == oracle.done, f"table {table}: game over"
            if over or rng.randrange(compare_every) == 0:
                compare(game.snapshot(table), oracle)
            if over:
                compare_end(game, table, oracle)
                del oracles[table]
        if observe is not None:
            observe(game, oracles)
    return decisions


class KnowledgeCheck:
    """An ``observe`` for ``drive``: compares what seats see with what their oracle says they know.

    Args:
        check: called with (game, the observation of one table by named slice, seat, what
            ``knowledge`` of the oracle returned).
        every: one table in so many is compared after each step, by turns.

    Attributes:
        compared: how many observations were compared.
    """

    def __init__(self, check: Callable[[Any, dict[str, Any], int, Any], None], every: int) -> None:
        self.check, self.every = check, every
        self.calls = self.compared = 0

    def __call__(self, game: BatchGame, oracles: dict[int, Any]) -> None:
        self.calls += 1
        chosen = [table for table in oracles if (table + self.calls) % self.every == 0]
        for seat in range(game.num_players) if chosen else ():
            views = game.layout.views(game.observe(seat))
            for table in chosen:
                seen = {name: rows[..., table] for name, rows in views.items()}
                self.check(game, seen, seat, oracles[table].knowledge(seat))
                self.compared += 1
