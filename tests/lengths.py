"""Lengths and scores of whole games of any id, as the READMEs give them.

``python -m tests.lengths FoldEnvs/OldMen-v0`` plays games in which all seats are random, then such
in which all are greedy, at each number of players.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import fold_envs
from fold_envs.opponents import as_policy
from tests.combos import IDS

BATCH = 4096


class Games(NamedTuple):
    """Finished games."""

    decisions: NDArray[np.int_]  # (games,)
    scores: NDArray[np.int_]  # (P, games) by seat
    winners: NDArray[np.bool_]  # (P, games)


def play(env_id: str, who: str, num_players: int, games: int, seed: int = 0) -> Games:
    """Play ``games`` games, with seeds from ``seed`` on and ``who`` (a name) in all seats."""
    played = []
    for first in range(0, games, BATCH):
        tables = min(BATCH, games - first)
        game = fold_envs.make_batch(env_id, tables, num_players=num_players, check=False)
        game.reset(seed + first)
        policy, _ = as_policy(who, game)
        decisions = np.zeros(tables, int)
        while not game.done.all():
            running = ~game.done
            decisions += running
            game.step(policy(game.observe(), game.legal, game.side_stream, running))
        played.append(Games(decisions, game.final_scores.astype(int), game.winners.copy()))
    return Games(*(np.concatenate(parts, axis=-1) for parts in zip(*played, strict=True)))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("env_id", choices=IDS)
    parser.add_argument("--games", type=int, default=20_000, help="of each kind (20000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first game (0)")
    given = parser.parse_args()
    print(
        "players  play    decisions: mean, least, most   score: mean, sd   shared: best score, win"
    )
    for players in fold_envs.game_class(given.env_id).players:
        for who in ("random", "greedy"):
            lengths, scores, winners = play(given.env_id, who, players, given.games, given.seed)
            best = (scores == scores.max(axis=0)).sum(axis=0)
            print(
                f"{players:7}  {who:6} {lengths.mean():16.1f} {lengths.min():6} {lengths.max():6}"
                f" {scores.mean():15.2f} {scores.std():5.2f}"
                f" {(best > 1).mean():18.2%} {(winners.sum(axis=0) > 1).mean():6.2%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
