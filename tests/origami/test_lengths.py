"""Random games end, with the lengths and scores that the rules page expects; the greedy player."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.games.origami.game import Origami
from tests.origami.lengths import play_random


@pytest.mark.parametrize(
    ("num_players", "decisions", "most"), [(2, 137, 170), (3, 215, 260), (4, 294, 360)]
)
def test_lengths_and_scores_of_random_play(num_players: int, decisions: int, most: int) -> None:
    result = play_random(4000, seed=11, num_players=num_players)
    assert result["decisions"].mean() == pytest.approx(decisions, abs=2)
    assert np.percentile(result["decisions"], 99) < most  # 100,000 games take up to 10 % more
    assert 17.5 < result["scores"].mean() < 19.5
    assert (result["emptyings"] >= 2).all()
    assert (result["turns"] % num_players == 0).all()  # all seats have as many turns
    assert (result["laid"] > 0).all()
    # the seats are worth the same on average, as the start is drawn
    assert np.ptp(result["won"].mean(axis=1)) < 0.06


def test_the_greedy_player_beats_random_ones() -> None:
    game = Origami(600)
    greedy = game.heuristic()
    game.reset(3)
    while not game.done.all():
        actions = greedy(game.observe(), game.legal, game.side_stream, None)
        game.step(np.where(game.to_act == 0, actions, game.random_legal()))
    share = (game.winners / game.winners.sum(axis=0))[0].mean()
    assert share > 0.95
