"""Whole games of Momiji: lengths, scores, the greedy player, no dead ends."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.games.momiji.board import TURN
from fold_envs.games.momiji.game import Momiji
from fold_envs.games.momiji.legal import SuffixSums
from tests.momiji.lengths import play
from tests.momiji.tables import Table

GAMES = 2000
FIGURES = {  # decisions, turns, score of uniformly random play with 2 acorns each
    2: (134, 27, 13.8),
    3: (177, 36, 10.7),
    4: (207, 42, 8.9),
}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_end_and_have_the_known_lengths_and_scores(players: int) -> None:
    games = play(GAMES, num_players=players, start_acorns=2)
    decisions, turns, score = FIGURES[players]
    assert games.decisions.mean() == pytest.approx(decisions, rel=0.03)
    assert games.turns.mean() == pytest.approx(turns, rel=0.04)
    assert games.scores.mean() == pytest.approx(score, rel=0.08)
    assert games.by_torii.mean() < 0.01
    assert games.most_legal <= 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_with_all_tiles_and_extra_turns_end(players: int) -> None:
    options = {"landscapes": "draft", "last_round": "extra", "start_acorns": 8}
    games = play(GAMES // 4, num_players=players, **options)
    assert games.most_legal <= 24


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("landscapes", ["first_game", "draft", "none"])
def test_the_greedy_player_beats_random_players(players: int, landscapes: str) -> None:
    games = play(300, (0,), num_players=players, landscapes=landscapes)
    assert games.winners[0].mean() > 0.97
    assert games.scores[0].mean() > 3 * games.scores[1:].mean()


@pytest.mark.parametrize(("players", "score"), [(2, 63), (3, 57), (4, 48)])
def test_greedy_self_play_scores(players: int, score: float) -> None:
    games = play(300, tuple(range(players)), num_players=players)
    assert games.scores.mean() == pytest.approx(score, rel=0.1)


def test_the_greedy_player_is_stronger_when_it_reveals() -> None:
    game = Momiji(400)
    game.reset(5)
    plain, sharp = game.heuristic(), game.heuristic(reveals=True)
    while not game.done.all():
        seen, legal = game.observe(), game.legal
        first = game.to_act == 0
        actions = sharp(seen, legal, game.side_stream, first)
        game.step(np.where(first, actions, plain(seen, legal, game.side_stream, ~first)))
    assert game.winners[0].mean() > 0.6


def test_the_greedy_player_does_not_care_how_many_tables_there_are() -> None:
    game = Momiji(64, num_players=3, landscapes="draft")
    game.reset(1)
    policy = game.heuristic()
    for _ in range(60):
        actions = policy(game.observe(), game.legal, game.side_stream, None)
        one = game.copy([17])
        alone = one.heuristic()(one.observe(), one.legal, one.side_stream, None)
        assert alone[0] == actions[17]
        game.step(actions)


def test_a_begun_move_can_always_be_finished() -> None:
    """From every table in the middle of a move some way leads back to the open turn."""
    game = Momiji(500, landscapes="draft", start_acorns=8, autoreset=True)
    game.reset(3)
    for _ in range(60):
        game.step(game.random_legal())
        inside = np.flatnonzero((game.board.phase != TURN) & (game.state.round == 0))
        if not len(inside):
            continue  # all are in the draft
        twin = game.copy(inside)
        seat = twin.to_act.copy()
        for _ in range(14):
            back = (twin.board.phase == TURN) | (twin.to_act != seat) | twin.done
            if back.all():
                break
            twin.step(twin.random_legal(), where=~back)
        assert back.all()


def test_scores_and_acorns_never_run_out_of_their_bytes() -> None:
    """The fattest row: six closed piles of 13 cards, and every objective."""
    best = "0<> 0<> 0<> 0<> 0<> 1< 1< 1> 1> 2< 2< 2< 3"
    row = [" ".join(f"{t}{card}" for card in best.split()) for t in "ABCDEF"]
    owners = dict.fromkeys(["zeros", "tops", *"ABCD"], 0)
    table = Table(
        "A1<", rows=[row], players=4, owners=owners, acorns=[200, 0, 0, 0], display="E0<>"
    )
    assert table.now["scores"][0] == 6 * 39 + 60 + 200
    views = table.game.layout.views(table.game.observe(0))
    assert (views["pile_points"][0, 0], views["objective_points"][0, 0]) == (234, 60)


@pytest.mark.parametrize("num_envs", [1, 100, 5000])
def test_suffix_sums(num_envs: int) -> None:
    counts = np.random.default_rng(0).integers(0, 6, (30, num_envs), dtype=np.uint8)
    sums = SuffixSums(30, num_envs).of(counts)
    np.testing.assert_array_equal(sums, counts[::-1].cumsum(axis=0, dtype=np.uint8)[::-1])
