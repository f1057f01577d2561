"""How long games of Ohanami last and what random and greedy players score."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.games.ohanami.game import Ohanami


def play(game: Ohanami, greedy: list[bool]) -> int:
    """Play to the end, each seat greedy or random; returns the number of decisions."""
    policy, decisions = game.heuristic(), 0
    game.reset(0)
    while not game.done.all():
        actions = game.random_legal()
        if any(greedy):
            chosen = policy(game.observe(), game.legal, game.side_stream, None)
            actions = np.where(np.array(greedy)[game.to_act], chosen, actions)
        game.step(actions)
        decisions += 1
        assert game.done.all() or not game.done.any()
    return decisions


@pytest.mark.parametrize(
    ("num_players", "decisions", "games"), [(2, 120, 4000), (3, 180, 1500), (4, 240, 1000)]
)
def test_length_and_scores_of_random_play(num_players: int, decisions: int, games: int) -> None:
    game = Ohanami(games, num_players=num_players)
    assert play(game, [False] * num_players) == decisions
    scores = game.final_scores
    assert scores.mean() == pytest.approx(82.6, abs=0.6)
    assert scores.std() == pytest.approx(14, abs=0.7)
    for seat in scores.mean(axis=1):  # seats are equal
        assert seat == pytest.approx(82.6, abs=1.5)
    shared = (game.winners.sum(axis=0) > 1).mean()
    assert 0.001 < shared < 0.012


@pytest.mark.parametrize(("num_players", "decisions"), [(2, 120), (3, 180), (4, 240)])
def test_greedy_self_play(num_players: int, decisions: int) -> None:
    game = Ohanami(400, num_players=num_players)
    assert play(game, [True] * num_players) == decisions
    assert game.final_scores.mean() == pytest.approx(179, abs=3)


def test_greedy_beats_random() -> None:
    game = Ohanami(300)
    play(game, [True, False])
    assert game.winners[0].mean() > 0.99
