"""What a seat of Momiji sees: all it can know, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.games.momiji.board import DIFFERENT_MORE, DRAFT, PHASES, SAME
from fold_envs.games.momiji.game import Momiji
from tests.momiji.tables import Table

OPTIONS = [
    (players, landscapes) for players in (2, 3, 4) for landscapes in ("first_game", "draft", "none")
]


def mixed(num_envs: int, steps: int, **options: object) -> Momiji:
    """Tables in all sorts of phases."""
    game = Momiji(num_envs, autoreset=True, **options)
    game.reset(11)
    for _ in range(steps):
        game.step(game.random_legal())
    return game


@pytest.mark.parametrize(("players", "landscapes"), OPTIONS)
def test_every_feature_stays_in_its_bounds(players: int, landscapes: str) -> None:
    game = mixed(300, 0, num_players=players, landscapes=landscapes, last_round="extra")
    most = np.zeros(game.layout.size, np.uint8)
    for step in range(400):
        game.step(game.random_legal())
        seen = game.observe(None if step % 4 else step // 4 % players)
        np.maximum(most, seen.max(axis=1), out=most)
    assert (most <= game.layout.high).all()
    flags = game.layout.high == 1
    seldom = {"right_only", "placing", "pairs"}
    for part in game.layout:
        if part.name not in seldom and flags[game.layout[part.name]].all():
            assert most[game.layout[part.name]].any(), f"{part.name} is always 0"


@pytest.mark.parametrize(("players", "landscapes"), OPTIONS)
def test_no_seat_sees_what_it_cannot_know(players: int, landscapes: str) -> None:
    options = {"num_players": players, "landscapes": landscapes, "start_acorns": 6}
    changed = 0
    for steps in (1, 3, 5, 7, 40, 60, 80):
        game = mixed(200, steps, **options)
        for seat in range(players):
            twin = game.copy()
            census, seen = twin.census().copy(), twin.observe(seat).copy()
            mask = twin.legal.copy()
            twin.resample_unknown(seat)
            np.testing.assert_array_equal(twin.observe(seat), seen)
            np.testing.assert_array_equal(twin.census(), census)
            own = twin.to_act == seat
            np.testing.assert_array_equal(twin.legal[:, own], mask[:, own])
            assert twin.legal.any(axis=0).all()  # moves begun can still be finished
            assert (twin.board.hand >= twin.board.known).all()
            changed += (twin.board.hand != game.board.hand).any()
    assert changed


def test_a_redrawn_hand_still_has_the_card_that_waits_for_its_place() -> None:
    table = Table(["A0<> B1< B2<", "C1< C2<"], rows=[["D0<>"]], display="E0<>")
    table.play("play A0<>")
    for _ in range(20):
        table.game.resample_unknown(1)
        assert [0, 0, "both"] in table.now["hands"][0]


def test_known_cards_of_another_hand_are_those_collected_and_not_yet_gone() -> None:
    hands = ["A0<> A1<", ""]
    table = Table(hands, display="A1< E0<>", acorns=2, tiles="mountain", deck="B2< C2< F0<>")
    table.play("use mountain")  # secret
    table.play("collect type 0")
    assert table.now["known"][0] == [[0, 1, "left"]]
    table.play("end turn", "collect type 4", "end turn", "play A0<>", "put A1<")
    assert table.now["known"][0] == []  # one of two: the known one counts as gone


def test_a_dealt_card_played_before_a_like_one_is_collected_leaves_that_one_known() -> None:
    table = Table(["A0<> E1<", ""], display="A0<> E0<> F1< F2<")
    table.play("play A0<>", "done", "end turn", "collect type 4", "end turn", "collect type 0")
    assert table.now["known"][0] == [[0, 0, "both"]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_gain_is_what_laying_the_card_adds_to_the_score(players: int) -> None:
    compared = 0
    for steps in range(40, 100, 10):
        game = mixed(200, steps, num_players=players)
        tables = np.flatnonzero(game.board.phase == SAME)
        if not len(tables):
            continue
        cards = game.legal[game.actions["card"]][:, tables]
        views = game.layout.views(game.observe())
        gain = views["gain"].reshape(len(cards), -1)[:, tables].astype(int)
        before = views["pile_points"][0, tables].astype(int)
        for kind in np.flatnonzero(cards.any(axis=1)):
            chosen = tables[cards[kind]]
            twin = game.copy(chosen)
            seats = twin.to_act.copy()
            twin.step(np.full(len(chosen), kind))
            after = twin.layout.views(twin.observe(seats))["pile_points"][0]
            np.testing.assert_array_equal(
                after.astype(int) - before[cards[kind]], gain[kind, cards[kind]]
            )
            compared += len(chosen)
    assert compared > 20


def test_pairs_are_what_the_bonus_pays_for() -> None:
    compared = 0
    for steps in range(20, 100, 8):
        game = mixed(200, steps)
        tables = np.flatnonzero(game.board.phase == DIFFERENT_MORE)
        if not len(tables):
            continue
        pairs = game.layout.views(game.observe())["pairs"][tables].astype(int)
        acorns = game.board.acorns[0, tables].astype(int)
        twin = game.copy(tables)
        twin.step(np.full(len(tables), twin.actions["done"].start))
        np.testing.assert_array_equal(twin.board.acorns[0] - acorns, 2 * pairs)
        compared += (pairs > 0).sum()
    assert compared > 10


@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_add_up_to_the_scores(players: int) -> None:
    game = mixed(300, 90, num_players=players)
    scores = game.scores
    for seat in range(players):
        views = game.layout.views(game.observe(seat))
        points = views["pile_points"].astype(int) + views["objective_points"]
        points += views["acorns"]  # far below its cap here
        for step in range(players):
            np.testing.assert_array_equal(points[step], scores[(seat + step) % players])


def test_fits_and_faced_are_those_of_the_observer() -> None:
    rows = [["A0<>", "B0<> B1>"], ["C0<> C1<"]]
    table = Table(["A0<>", "B0<>"], rows=rows, display="E0<>")
    views = table.game.layout.views(table.game.observe(1))
    fits = views["fits"][..., 0]
    assert fits[0].tolist() == [1, 0, 0, 0, 0]  # no A yet: a 0
    assert fits[2].tolist() == [0, 1, 1, 1, 0]  # on a 1: a 1 or a 2
    views = table.game.layout.views(table.game.observe(0))
    assert views["fits"][1, :, 0].tolist() == [0, 1, 1, 1, 0]
    assert views["faced"][..., 0].tolist() == [[0, 1, 0, 0, 0, 0], [0] * 6]
    assert views["top"][..., 0].tolist() == [[1, 2, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0]]
    assert views["place"][..., 0].tolist() == [[1, 2, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]


def test_left_and_right_ends_leave_no_trace_but_the_order() -> None:
    """The same row, grown to the left or to the right, is the same observation."""
    hands = ["A0<> B0<>", ""]
    first = Table(hands, display="E0<> E0<> E0<> F0<> F0<>", deck="F1< F1< F1< F1< F1< F1< F1<")
    first.play("play different", "put A0<>", "put B0<>", "done")
    second = Table(hands, display="E0<> E0<> E0<> F0<> F0<>", deck="F1< F1< F1< F1< F1< F1< F1<")
    second.play("play different", "put B0<>", "put A0<>", "done")
    assert first.row() == list(reversed(second.row()))
    third = Table(hands, rows=[["B0<>"]], display="E0<>").play("play A0<>", "left end", "done")
    fourth = Table(hands, rows=[["A0<>"]], display="E0<>").play("play B0<>", "right end", "done")
    names = ("place", "top", "faced", "pairs", "left_acorn", "right_acorn", "fits")
    for name in names:
        ours = third.game.layout.views(third.game.observe(0))[name]
        theirs = fourth.game.layout.views(fourth.game.observe(0))[name]
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_pick_in_the_draft_is_secret_until_all_have_chosen(players: int) -> None:
    game = Momiji(300, num_players=players, landscapes="draft")
    game.reset(2)
    for round_ in (1, 2):
        for step in range(players):
            tables = np.flatnonzero(game.legal.sum(axis=0) >= 2)
            one, other = game.copy(tables), game.copy(tables)
            one.step(np.argmax(one.legal, axis=0))
            other.step(one.num_actions - 1 - np.argmax(other.legal[::-1], axis=0))
            if step < players - 1:
                chooser = game.to_act[tables]
                for distance in range(1, players):
                    seat = (chooser + distance) % players
                    np.testing.assert_array_equal(one.observe(seat), other.observe(seat))
                assert (one.observe(chooser) != other.observe(chooser)).any(axis=0).all()
            assert (game.board.phase == DRAFT).all()
            assert (game.state.round == round_).all()
            game.step(game.random_legal())


def test_in_the_second_round_of_the_draft_a_seat_knows_what_it_passed() -> None:
    game = Momiji(50, num_players=3, landscapes="draft")
    game.reset(2)
    for _ in range(3):
        game.step(game.random_legal())
    for seat in range(3):
        passed = game.layout.views(game.observe(seat))["passed"]
        for number in range(50):
            hand = game.snapshot(number)["draft"]["offered"][(seat + 1) % 3]
            expected = [hand.count(power) for power in game.shape.powers]
            assert passed[:, number].tolist() == expected


def test_phases_are_named_and_one_hot() -> None:
    game = mixed(400, 60, landscapes="draft", start_acorns=8)
    phase = game.layout.views(game.observe())["phase"]
    assert (phase.sum(axis=0) == 1).all()
    assert (phase.argmax(axis=0) == game.phase).all()
    assert game.phases == PHASES
