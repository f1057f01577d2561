"""Lengths and scores of whole games, as the README gives them: ``python -m tests.momiji.lengths``.

Every game must end: a table that has not after MOST_DECISIONS stops the script with an error.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.momiji.game import Momiji

MOST_DECISIONS = 1000
SEED = 1


class Games(NamedTuple):
    """Figures of finished games; arrays (..., games)."""

    decisions: NDArray[np.int_]
    turns: NDArray[np.int_]
    scores: NDArray[np.int_]  # (P, games) by seat
    winners: NDArray[np.bool_]  # (P, games)
    by_torii: NDArray[np.bool_]  # the last torii was used
    most_legal: int


def play(
    games: int, greedy_seats: tuple[int, ...] = (), *, seed: int = SEED, **options: Any
) -> Games:
    """Play ``games`` tables to their end; seats play at random or greedily."""
    game = Momiji(games, check=False, **options)
    game.reset(seed)
    policy = game.heuristic()
    decisions = np.zeros(games, int)
    most_legal = 0
    while not game.done.all():
        running = ~game.done
        legal = game.legal
        most_legal = max(most_legal, int(legal[:, running].sum(axis=0).max()))
        assert legal.any(axis=0).all(), "a mask is empty"
        greedy = np.isin(game.to_act, greedy_seats)
        actions = game.random_legal()
        if greedy.any():
            chosen = policy(game.observe(), legal, game.side_stream, greedy)
            actions = np.where(greedy, chosen, actions)
        game.step(actions)
        decisions += running
        assert decisions.max() < MOST_DECISIONS, "a game does not end"
    return Games(
        decisions,
        game.state.turns.astype(int),
        game.final_scores.astype(int),
        game.winners.copy(),
        game.state.torii == 0,
        most_legal,
    )


def _line(name: str, values: NDArray[Any]) -> str:
    low, five, half, most, high = np.percentile(values, (0, 5, 50, 95, 100)).astype(int)
    return (
        f"    {name:9} mean {values.mean():6.1f}   least {low}, 5 % {five}, "
        f"median {half}, 95 % {most}, most {high}"
    )


def report(name: str, games: Games) -> None:
    """Print the figures."""
    print(f"{name}: {len(games.decisions)} games")
    print(_line("decisions", games.decisions))
    print(_line("turns", games.turns))
    print(_line("scores", games.scores))
    wins = " ".join(f"{share:.3f}" for share in games.winners.mean(axis=1))
    print(
        f"    ended by torii {games.by_torii.mean():.3f}, at most {games.most_legal} legal "
        f"actions, (shared) wins by seat {wins}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=100_000, help="games of random play")
    parser.add_argument("--greedy", type=int, default=2_000, help="games with greedy players")
    numbers = parser.parse_args()
    for players in (2, 3, 4):
        title = f"{players} players"
        report(f"{title}, random", play(numbers.random, num_players=players))
        even = play(numbers.random // 10, num_players=players, start_acorns=2)
        report(f"{title}, random, 2 acorns each", even)
        draft = {"landscapes": "draft", "last_round": "extra", "start_acorns": 6}
        title_of = f"{title}, random, draft, extra turns, 6 acorns"
        report(title_of, play(numbers.random // 10, num_players=players, **draft))
        everyone = tuple(range(players))
        report(f"{title}, greedy", play(numbers.greedy, everyone, num_players=players))
        report(f"{title}, greedy seat 0", play(numbers.greedy, (0,), num_players=players))


if __name__ == "__main__":
    main()
