"""The rules of Ohanami on positions worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.games.ohanami.game import Ohanami, colour_of
from tests.ohanami.positions import Table, lowest_in_garden_1

PINK = [n for n in range(1, 121) if n % 7 and n % 3 and n % 2]


def test_colours() -> None:
    assert [colour_of(n) for n in (2, 4, 8, 100)] == [0] * 4
    assert [colour_of(n) for n in (3, 6, 9, 120)] == [1] * 4  # also the even ones
    assert [colour_of(n) for n in (7, 14, 21, 42, 84, 105)] == [2] * 6  # also multiples of 3
    assert [colour_of(n) for n in (1, 5, 11, 113)] == [3] * 4
    assert np.bincount([colour_of(n) for n in range(1, 121)]).tolist() == [34, 35, 17, 34]
    assert len(PINK) == 34


def test_scoring_of_a_whole_game_by_hand() -> None:
    # Seats take the lowest two and lay them in garden 1 while they fit. The numbers up to 40 and
    # those from 101 on change hands as packs, so each seat lays 1, 2 or 3 and then only high ones.
    hands = [[list(range(low, low + 10)) for low in lows] for lows in ((1, 101), (11, 111))]
    game = Table(hands)
    game.play_on(lowest_in_garden_1, 40)
    table = game.table
    assert table["gardens"][0][0] == [1, 2, 103, 104, 107, 108]
    assert table["gardens"][1][0] == [3, 101, 102, 105, 106, 109, 110]
    assert table["discards"] == [[5, 6, 9, 10], [4, 7, 8]]
    # round 1, blue 3 each: 2 104 / 106 110
    assert table["round_scores"] == [[6], [6]] and table["scores"] == [6, 6]

    game.play_on(lowest_in_garden_1, 40)
    table = game.table
    assert table["gardens"][0][0][6:] == [113, 114, 117, 118]
    assert table["gardens"][1][0][7:] == [111, 112, 115, 116, 119, 120]
    # round 2, blue 3 and green 4 each: 2 104 118, 108 114 117 / 106 110 116, 3 102 111 120
    assert table["round_scores"] == [[6, 21], [6, 25]] and table["scores"] == [27, 31]

    game.play_on(lowest_in_garden_1)  # round 3 brings 21..40 only, which fit nowhere
    # seat 0: 9 + 12, no grey, pink 1 103 107 113 are 10; seat 1: 9 + 16, grey 105 112 119 are 21,
    # pink 101 109 115 are 6
    assert game.final_scores[:, 0].tolist() == [27 + 31, 31 + 52]
    assert game.winners[:, 0].tolist() == [False, True] and game.tie_break[0] == 0
    assert game.rewards[:, 0].tolist() == [-1, 1]


def pink_table(last: int) -> Table:
    """Each seat gets five pink cards a round, in rising order; ``last`` is seat 1's very last card.

    The pink cards of the two packs interleave, so that those a seat takes in turn keep rising.
    """
    others = [card for card in range(1, 121) if card not in PINK and card != last]
    hands: list[list[list[int]]] = []
    for number in range(3):
        pinks = PINK[10 * number : 10 * number + 10]
        fill = [others.pop(0) for _ in range(10)]
        hands.append([pinks[0::2] + fill[:5], pinks[1::2] + fill[5:]])
    hands[2][1][-1] = last
    return Table(hands)


def keep_by_plan(game: Ohanami) -> str:
    """One pink card and one other a pick; the lower of the two is named first."""
    assert isinstance(game, Table)
    table, seat, words = game.table, game.seat, game.words()
    hand, kept = table["hands"][seat], table["kept"][seat]
    if words[0].startswith("keep"):
        whole = sorted(hand + kept)
        pinks = [card for card in whole if card in PINK]
        others = [card for card in whole if card not in PINK]
        pair = sorted([pinks[0], others[0]]) if others else pinks[:2]
        return f"keep {pair[1] if kept else pair[0]}"
    card = kept[0]
    return f"place {card} in garden 1" if card in PINK else f"discard {card}"


def test_pink_counts_to_120_and_breaks_the_tie_beyond() -> None:
    game = pink_table(last=PINK[30])
    game.play_on(keep_by_plan)
    assert [len(gardens[0]) for gardens in game.table["gardens"]] == [15, 16]
    assert game.final_scores[:, 0].tolist() == [120, 120]
    assert game.winners[:, 0].tolist() == [False, True] and game.tie_break[0] == 1
    assert game.tie_breaks == ("pink cards",)
    assert game.rewards[:, 0].tolist() == [-1, 1]


def test_equal_points_and_pink_cards_share_the_win() -> None:
    game = pink_table(last=120)
    game.play_on(keep_by_plan)
    assert [len(gardens[0]) for gardens in game.table["gardens"]] == [15, 15]
    assert game.final_scores[:, 0].tolist() == [120, 120]
    assert game.winners.all() and game.tie_break[0] == 0 and not game.rewards.any()


@pytest.mark.parametrize(
    ("num_players", "start", "keeping", "placing", "next_keeping", "next_placing"),
    [
        (2, 0, [0, 1], [1, 0], [1, 0], [0, 1]),
        (2, 1, [1, 0], [0, 1], [0, 1], [1, 0]),
        (3, 1, [1, 2, 0], [0, 1, 2], [2, 0, 1], [1, 2, 0]),
        (4, 3, [3, 0, 1, 2], [2, 3, 0, 1], [0, 1, 2, 3], [3, 0, 1, 2]),
    ],
)
def test_orders_of_choosing_and_placing(
    num_players: int,
    start: int,
    keeping: list[int],
    placing: list[int],
    next_keeping: list[int],
    next_placing: list[int],
) -> None:
    game = Table([[list(range(10 * s + 1, 10 * s + 11)) for s in range(num_players)]], start)
    seats, phases = [], []
    for _ in range(8 * num_players):
        seats.append(game.seat)
        phases.append(game.table["phase"])
        game.step(game.random_legal())
    expected = keeping + placing + next_keeping + next_placing
    assert seats == [seat for seat in expected for _ in range(2)]
    pick = ["keep_first", "keep_second"] * num_players + ["place_first", "place_second"] * (
        num_players
    )
    assert phases == pick * 2


def test_the_first_chooser_runs_on_across_rounds() -> None:
    game = Ohanami(1, num_players=3)
    game.reset(3)
    start, firsts = game.snapshot(0)["start"], []
    for number in range(180):
        if number % 12 == 0:
            firsts.append(int(game.to_act[0]))
        game.step(game.random_legal())
    assert firsts == [(start + k) % 3 for k in range(15)]


def test_hands_go_left_right_left() -> None:
    game = Ohanami(1, num_players=4)
    game.reset(8)
    for number in range(240):
        before = game.snapshot(0)
        game.step(game.random_legal())
        if number % 16 != 15 or number % 80 == 79:
            continue
        after = game.snapshot(0)  # a pick is over, the hands have moved
        step = -1 if before["round"] == 2 else 1
        for seat in range(4):
            assert after["hands"][(seat + step) % 4] == before["hands"][seat]


def test_a_pair_is_named_lower_card_first() -> None:
    game = Table([[[5, 9, 20, 33, 40, 51, 66, 70, 88, 119], list(range(90, 100))]])
    all_ten = [5, 9, 20, 33, 40, 51, 66, 70, 88, 119]
    assert game.words() == [f"keep {n}" for n in all_ten[:-1]]  # the highest cannot be the lower
    game.play("keep 66")
    assert game.words() == ["keep 70", "keep 88", "keep 119"] and game.seat == 0
    game.play("keep 119")
    assert game.seat == 1 and game.table["kept"] == [[66, 119], []]
    assert game.table["hands"][0] == [5, 9, 20, 33, 40, 51, 70, 88]


def placing_table() -> Table:
    """Seat 1 is to place 50 and 60, with nothing in its gardens."""
    game = Table([[list(range(1, 11)), [20, 30, 40, 50, 60, 70, 80, 90, 100, 110]]])
    game.play("keep 1", "keep 2", "keep 50", "keep 60")
    assert game.seat == 1
    return game


def test_only_the_first_empty_garden_is_offered() -> None:
    game = placing_table()
    assert game.words() == [
        "place 50 in garden 1",
        "discard 50",
        "place 60 in garden 1",
        "discard 60",
    ]
    game.play("place 60 in garden 1")  # either card may go first
    assert game.words() == ["place 50 in garden 1", "place 50 in garden 2", "discard 50"]
    game.play("place 50 in garden 2")
    assert game.table["gardens"][1] == [[60], [50], []] and game.seat == 0


def test_cards_go_above_the_highest_or_below_the_lowest_only() -> None:
    game = placing_table()
    game.play("place 50 in garden 1", "place 60 in garden 1", "discard 1", "discard 2")
    # seat 1 now holds 3..10 and chooses first; seat 0 has 20 30 40 70 80 90 100 110
    game.play("keep 3", "keep 4", "keep 40", "keep 70")
    game.play("place 40 in garden 1", "place 70 in garden 1")
    game.play("place 4 in garden 1", "place 3 in garden 2")
    assert game.table["gardens"] == [[[40, 70], [], []], [[4, 50, 60], [3], []]]
    # seat 0 holds 5..10, seat 1 the rest of the other pack
    game.play("keep 5", "keep 6", "keep 20", "keep 80")
    assert [w for w in game.words() if "20" in w] == [  # 4 < 20 < 50: not in garden 1
        "place 20 in garden 2",
        "place 20 in garden 3",
        "discard 20",
    ]
    game.play("place 80 in garden 1")
    game.play("place 20 in garden 3")
    assert game.table["gardens"][1] == [[4, 50, 60, 80], [3], [20]]
    assert [w for w in game.words() if " 6" in w] == [
        "place 6 in garden 1",
        "place 6 in garden 2",
        "discard 6",
    ]


def test_discarding_is_always_allowed_and_hidden_from_gardens() -> None:
    game = placing_table()
    game.play("discard 60", "discard 50")
    table = game.table
    assert table["discards"] == [[], [50, 60]] and table["gardens"][1] == [[], [], []]
    seen = game.layout.views(game.observe(0)[:, 0])
    assert seen["discards"].tolist() == [0, 2] and not seen["seen"][[49, 59]].any()


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_fifth_pick_keeps_both_last_cards_and_passes_nothing(num_players: int) -> None:
    game = Ohanami(1, num_players=num_players)
    game.reset(1)
    coming = game.snapshot(0)["coming_hands"]
    for _ in range(4 * 4 * num_players):
        game.step(game.random_legal())
    assert game.snapshot(0)["pick"] == 5
    for _ in range(num_players):
        seat = int(game.to_act[0])
        hand = game.snapshot(0)["hands"][seat]
        assert len(hand) == 2
        for card in hand:  # both forced, lower first
            assert game.legal.sum() == 1
            action = int(game.legal[:, 0].argmax())
            assert game.describe_action(action, 0) == f"keep {card}"
            game.step(np.array([action]))
        assert game.snapshot(0)["kept"][seat] == hand
    assert game.snapshot(0)["hands"] == [[]] * num_players
    for _ in range(2 * num_players):
        game.step(game.random_legal())
    table = game.snapshot(0)
    assert (table["round"], table["pick"]) == (2, 1)
    assert table["hands"] == coming[0] and table["coming_hands"] == coming[1:]


@pytest.mark.parametrize(("num_players", "undealt"), [(2, 60), (3, 30), (4, 0)])
def test_the_deal(num_players: int, undealt: int) -> None:
    game = Ohanami(200, num_players=num_players)
    game.reset(0)
    starts = []
    for table in range(200):
        deal = game.snapshot(table)
        hands = [*deal["hands"], *(hand for hands in deal["coming_hands"] for hand in hands)]
        assert [len(hand) for hand in hands] == [10] * 3 * num_players
        assert all(hand == sorted(hand) for hand in hands)
        assert len(deal["undealt"]) == undealt
        assert sorted(sum(hands, deal["undealt"])) == list(range(1, 121))
        starts.append(deal["start"])
    assert set(starts) == set(range(num_players))
    assert game.to_act.tolist() == starts
