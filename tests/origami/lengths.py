"""Plays whole batches at random and prints lengths, scores and how often each card is played.

Run as ``python -m tests.origami.lengths [games]`` (default 100000 a number of players).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from fold_envs.games.origami.game import Origami

BATCH = 4096


def play_random(games: int, seed: int = 0, **options: Any) -> dict[str, Any]:
    """Random games to their ends.

    Returns:
        decisions, turns and emptyings of each game (games,), scores (P, games), ``won`` (P, games)
        bool, ``laid`` (K,) cards laid and ``in_play`` (K,) cards in play, in all games.
    """
    found: dict[str, list[Any]] = {name: [] for name in ("decisions", "turns", "emptyings")}
    scores, won, laid, in_play = [], [], 0, 0
    for first in range(0, games, BATCH):
        game = Origami(min(BATCH, games - first), check=False, **options)
        game.reset(seed + first)
        decisions = np.zeros(game.num_envs, int)
        while not game.done.all():
            decisions += ~game.done
            game.step(game.random_legal())
        s = game.state
        for name, values in (
            ("decisions", decisions),
            ("turns", s.turns.copy()),
            ("emptyings", s.emptyings.copy()),
        ):
            found[name].append(values)
        scores.append(game.final_scores.copy())
        won.append(game.winners.copy())
        kinds = s.history[0].T[np.arange(len(s.history[0])) < s.laid[:, None]]
        laid = laid + np.bincount(kinds, minlength=game.kinds)
        families = s.families[game.cards.family[:-1]].sum(axis=1, dtype=int)
        in_play = in_play + families * game.cards.copies[:-1]
    return {
        **{name: np.concatenate(values) for name, values in found.items()},
        "scores": np.concatenate(scores, axis=1),
        "won": np.concatenate(won, axis=1),
        "laid": laid,
        "in_play": in_play,
    }


def main() -> None:
    """Print a report for each number of players."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    played = []
    for num_players in (2, 3, 4):
        result = play_random(games, num_players=num_players)
        played.append(result["laid"] / result["in_play"])
        print(f"{num_players} players, {games} games, seeds 0 to {games - 1}; all have ended")
        for name in ("decisions", "turns", "emptyings", "scores"):
            values = result[name]
            low, *middle, high = np.percentile(values, [0, 5, 25, 50, 75, 95, 100]).astype(int)
            print(
                f"  {name:10s} mean {values.mean():6.1f}  sd {values.std():5.1f}  least {low}  "
                f"5/25/50/75/95 %: {' '.join(map(str, middle))}  most {high}"
            )
        print(f"  shared wins {(result['won'].sum(axis=0) > 1).mean():.3f}")
    print("share of the cards in play that are laid, by kind, at 2 / 3 / 4 players")
    for name, shares in zip(Origami().cards.names, zip(*played, strict=True), strict=True):
        print(f"  {name:14s} " + " ".join(f"{share:.2f}" for share in shares))


if __name__ == "__main__":
    main()
