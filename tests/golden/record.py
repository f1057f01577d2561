"""Writes one whole game as text, for people to read and for tests to compare."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import fold_envs
from fold_envs.engine.batch_game import BatchGame

FOLDER = Path(__file__).parent
SEED = 2
LOOK_EVERY = 15  # decisions between two full looks at what every seat sees
DIGITS = ".123456789"


def path_of(env_id: str) -> Path:
    """The golden file of an id."""
    return FOLDER / f"{env_id.rpartition('/')[2]}.txt"


def record(env_id: str) -> str:
    """The golden game of an id: three players if it can be, uniformly random legal actions."""
    cls = fold_envs.game_class(env_id)
    game = fold_envs.make_batch(env_id, 1, num_players=min(3, cls.players[-1]))
    game.reset(SEED)
    return "\n".join(_lines(env_id, game)) + "\n"


def _lines(env_id: str, game: BatchGame) -> Iterator[str]:
    yield f"{env_id}, {game.num_players} players, seed {SEED}, random legal actions"
    yield "regenerate: python -m tests.golden.update"
    yield ""
    for title, layout in (("actions", game.actions), ("observation", game.layout)):
        yield f"{title} ({layout.size})"
        for part in layout:
            piece = layout[part.name]
            seen = "" if layout is game.actions else f", high {part.high}"
            seen += "" if part.public or layout is game.actions else ", own seat only"
            yield f"  {piece.start}-{piece.stop - 1} {part.name} {list(part.shape)}{seen}"
        yield ""
    number = 0
    shown: dict[str, Any] = {}
    while not game.done[0]:
        yield f"--- decision {number}"
        yield from _changes(game, shown)
        if number % LOOK_EVERY == 0:
            yield from _views(game)
        legal = np.flatnonzero(game.legal[:, 0])
        words = [f"{a} {game.describe_action(int(a), 0)}" for a in legal]
        yield f"legal: {' | '.join(words)}"
        action = int(game.random_legal()[0])
        yield f"seat {game.to_act[0]} plays {action} {game.describe_action(action, 0)}"
        game.step(np.array([action]))
        number += 1
    yield f"--- over after {number} decisions"
    yield from _changes(game, shown)
    yield from _views(game)
    broke = int(game.tie_break[0])
    yield f"scores: {game.final_scores[:, 0].tolist()}"
    yield f"winners: {game.winners[:, 0].astype(int).tolist()}"
    yield f"tie break: {game.tie_breaks[broke - 1] if broke else 'none'}"
    yield f"rewards: {[round(float(reward), 4) for reward in game.rewards[:, 0]]}"


def _changes(game: BatchGame, shown: dict[str, Any]) -> Iterator[str]:
    """The entries of the snapshot that differ from those shown before."""
    for key, value in game.snapshot(0).items():
        if key not in shown or shown[key] != value:
            shown[key] = value
            yield f"{key}: {json.dumps(value, ensure_ascii=False)}"


def _views(game: BatchGame) -> Iterator[str]:
    """What every seat sees, by named slice; slices that are all zero are left out."""
    for seat in range(game.num_players):
        seen = game.observe(seat)[:, 0]
        yield f"seat {seat} sees"
        for part in game.layout:
            values = seen[game.layout[part.name]]
            if values.any():
                yield f"  {part.name}: {_compact(values, part.high)}"


def _compact(values: np.ndarray, high: int) -> str:
    """Small numbers as one character each, 0 as a dot; larger ones apart."""
    if high < len(DIGITS):
        return "".join(DIGITS[value] for value in values)
    return " ".join(map(str, values))
