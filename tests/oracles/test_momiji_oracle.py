"""The referee against the rules page: one hand-set position a ruling, then random play."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from tests.oracles.momiji import (
    DEFAULT_CORNERS,
    LANDSCAPES,
    Card,
    MomijiOracle,
    all_cards,
    kind_order,
    objective_pool,
    random_deal,
)

CORNERS_OF = {"0": "both", "1L": "left", "1R": "right", "2": "left", "3": "none"}


def c(short: str) -> Card:
    """A card from a short word: "4:1L" is type 4 value 1 left."""
    t, rest = short.split(":")
    return (int(t), int(rest[0]), CORNERS_OF[rest])


def cs(words: str) -> list[Card]:
    return [c(short) for short in words.split()]


def w(short: str) -> str:
    card = c(short)
    return f"type {card[0]} value {card[1]} {card[2]}"


def position(players: int = 2, options: dict[str, Any] | None = None, **changes: Any):
    """A table at the open moment of seat 0's turn, nearly bare, with these keys of state() set.

    Hands are empty but for seat 0's if ``hand`` is given, likewise ``row``; the display shows one
    card of type 0, the deck has 10 cards, all objectives are in the middle, nobody has acorns.
    """
    rng = random.Random(1)
    deal = random_deal(players, rng, **(options or {}))
    while deal["types"] != list(range(players + 2)) or deal["first"] != 0:
        deal = random_deal(players, rng, **(options or {}))
    state = MomijiOracle(deal, **(options or {})).state()
    state["hands"] = [[] for _ in range(players)]
    state["display"] = cs("0:0")
    state["deck"] = cs("1:0 1:0 1:1L 1:1R 1:2 2:0 2:0 2:1L 2:1R 2:2")
    state["acorns"] = [0] * players
    state["unused"] = [[] for _ in range(players)]
    if "hand" in changes:
        state["hands"][0] = cs(changes.pop("hand"))
    if "row" in changes:
        state["rows"][0] = [cs(pile) for pile in changes.pop("row")]
    if "display" in changes:
        state["display"] = cs(changes.pop("display"))
    if "deck" in changes:
        state["deck"] = cs(changes.pop("deck"))
    if "acorn" in changes:
        state["acorns"][0] = changes.pop("acorn")
    if "tiles" in changes:
        state["unused"][0] = changes.pop("tiles").split()
    for name, value in changes.items():
        assert name in state
        state[name] = value
    return MomijiOracle.from_state(state)


def go(table: MomijiOracle, *actions: str) -> MomijiOracle:
    for action in actions:
        table.step(action)
    return table


def offered(table: MomijiOracle, first_word: str) -> list[str]:
    return [action for action in table.legal() if action.split()[0] == first_word]


def tops(table: MomijiOracle, seat: int = 0) -> list[int]:
    """The types of a row, left to right."""
    return [pile[0][0] for pile in table.rows[seat]]


# --------------------------------------------------------------------------- components, set-up


def test_each_type_has_five_zeros_four_ones_three_twos_two_threes():
    cards = all_cards([3], DEFAULT_CORNERS)
    assert len(cards) == 14
    assert [sum(1 for card in cards if card[1] == v) for v in range(4)] == [5, 4, 3, 2]
    assert cards.count((3, 1, "left")) == 2 and cards.count((3, 1, "right")) == 2


@pytest.mark.parametrize(("players", "deck"), [(2, 40), (3, 48), (4, 56)])
def test_setup(players, deck):
    deal = random_deal(players, random.Random(3))
    table = MomijiOracle(deal, num_players=players)
    assert len(table.deck) == deck
    assert len(table.types) == table.torii == len(table.objectives) == players + 2
    assert [len(hand) for hand in table.hands] == [6] * players
    assert len(table.display) == 4
    assert table.unused == [["mountain", "pond", "bridge"]] * players
    assert len(table.census()) == 14 * (players + 2)


def test_first_player_is_dealt_and_acorns_rise_in_turn_order():
    deal = random_deal(4, random.Random(3))
    deal["first"] = 2
    table = MomijiOracle(deal)
    assert table.to_act == 2
    assert table.acorns == [4, 5, 2, 3]


def test_only_types_in_use_have_a_token():
    for seed in range(20):
        deal = random_deal(2, random.Random(seed))
        assert set(deal["objectives"]) <= set(objective_pool(deal["types"]))
        assert len(deal["types"]) == 4


def test_a_deal_that_cannot_be_is_refused():
    deal = random_deal(2, random.Random(3))
    deal["deck"][0] = deal["deck"][1] = (9, 0, "both")
    with pytest.raises(ValueError):
        MomijiOracle(deal)
    with pytest.raises(ValueError):
        MomijiOracle(random_deal(2, random.Random(3)), colour="red")


def test_an_illegal_word_is_refused():
    with pytest.raises(ValueError):
        position().step("end turn")


# --------------------------------------------------------------------------- the turn


def test_minor_actions_before_and_after_the_main_action_once_each():
    table = position(hand="1:2 1:2 2:2 2:2", tiles="shrine moon", acorn=1)
    go(table, "use shrine", "discard two", f"discard {w('1:2')}", f"discard {w('1:2')}")
    assert table.acorns[0] == 1 - 1 + 2 + 1
    assert table.legal() == ["activate", "collect type 0", "reveal"]
    table = position(hand="1:2 1:2 2:2 2:2", tiles="shrine shrine", acorn=1)
    go(table, "collect type 0")
    assert table.legal() == ["discard two", "end turn", "use shrine"]
    go(table, "use shrine")
    assert table.legal() == ["discard two", "end turn"]
    go(table, "discard two", f"discard {w('1:2')}", f"discard {w('2:2')}")
    assert table.legal() == ["end turn"]
    go(table, "end turn")
    assert table.to_act == 1


def test_minor_actions_between_reveal_and_collect():
    table = position(hand="1:2 1:2", tiles="mountain", acorn=2)
    go(table, "reveal")
    assert table.legal() == ["collect type 0", "collect type 1", "discard two", "use mountain"]
    go(table, "use mountain")
    assert table.legal() == ["collect type 0", "collect type 1", "discard two"]


def test_no_minor_action_inside_a_play_or_a_sub_choice():
    table = position(hand="0:0 0:0 1:0 2:0", row=["3:0"], tiles="shrine pond", acorn=5)
    go(table, f"play {w('0:0')}")
    assert table.legal() == ["left end", "right end"]
    go(table, "left end")
    assert table.legal() == ["done", f"put {w('0:0')}"]
    table = position(hand="0:0 1:0 2:0", tiles="shrine pond", acorn=5)
    go(table, "play different", f"put {w('0:0')}", f"put {w('1:0')}")
    assert table.legal() == ["done", f"put {w('2:0')}"]
    table = position(hand="0:2 1:2 2:2", tiles="shrine", acorn=5)
    go(table, "discard two", f"discard {w('0:2')}")
    assert all(action.startswith("discard type") for action in table.legal())


def test_reveal_is_once_a_turn_and_commits_to_a_collect():
    table = position(hand="2:0 3:0", acorn=5)
    assert {"reveal", "activate", "play different", f"play {w('2:0')}"} < set(table.legal())
    go(table, "reveal")
    assert table.acorns[0] == 4
    assert table.display == cs("0:0 1:0 1:0 1:1L 1:1R")
    assert table.legal() == ["collect type 0", "collect type 1", "discard two"]


def test_reveal_turns_min_4_deck_cards_and_needs_a_deck_and_an_acorn():
    table = position(deck="3:0 3:1L", acorn=1)
    go(table, "reveal")
    assert table.display == cs("0:0 3:0 3:1L") and table.deck == []
    assert "reveal" not in position(deck="", acorn=1).legal()
    assert "reveal" not in position(acorn=0).legal()


def test_a_display_empty_at_the_start_of_a_turn_is_filled_for_free():
    table = go(position(), "collect type 0")
    assert table.display == []
    go(table, "end turn")
    assert table.display == cs("1:0 1:0 1:1L 1:1R")
    assert len(table.deck) == 6 and table.acorns == [0, 0]


def test_a_display_emptied_by_pond_waits():
    table = position(tiles="pond", acorn=3, display="0:2")
    go(table, "use pond", f"take {w('0:2')}")
    assert table.display == [] and len(table.deck) == 10
    # Neither collect nor play is possible: pass; the paid reveal stays possible.
    assert table.legal() == ["pass", "reveal"]
    go(table, "pass", "end turn")
    assert len(table.display) == 4


def test_pass_only_when_neither_collect_nor_play_is_possible():
    assert "pass" not in position(hand="1:3").legal()
    assert "pass" not in position(hand="1:0", display="").legal()
    table = position(hand="1:3", display="", acorn=3)
    assert table.legal() == ["activate", "pass", "reveal"]
    go(table, "pass")
    assert table.legal() == ["end turn"]


def test_the_emptied_deck_ends_the_game_at_the_end_of_that_turn():
    table = position(deck="3:0 3:1L", acorn=1, hand="1:2 1:2")
    go(table, "reveal", "collect type 0")
    assert not table.done
    go(table, "discard two", f"discard {w('1:2')}", f"discard {w('1:2')}", "end turn")
    assert table.done and table.legal() == []
    with pytest.raises(ValueError):
        table.step("end turn")


def test_the_free_fill_can_empty_the_deck_and_that_turn_is_the_last():
    table = go(position(deck="3:0 3:1L 3:2"), "collect type 0", "end turn")
    assert table.deck == [] and not table.done and table.to_act == 1
    go(table, "collect type 3", "end turn")
    assert table.done


def test_the_last_torii_ends_the_game_and_spare_markers_serve():
    row = ["0:0 0:1L 0:2", "1:0 1:1L 1:2"]
    table = position(hand="0:3 1:3", row=row, torii=1)
    go(table, "play different", f"put {w('0:3')}", f"put {w('1:3')}")
    assert table.torii == 0  # the second closing took a spare marker
    go(table, "done", "end turn")
    assert table.done


def test_a_torii_left_does_not_end_the_game():
    table = position(hand="0:3", row=["0:0 0:1L 0:2"], torii=2)
    go(table, f"play {w('0:3')}", "done", "end turn")
    assert table.torii == 1 and not table.done


def test_last_round_extra_gives_the_others_one_turn_and_ignores_new_triggers():
    extra = {"last_round": "extra"}
    table = position(3, extra, hand="0:3", row=["0:0 0:1L 0:2"], torii=1, display="1:0 2:0 3:0")
    go(table, f"play {w('0:3')}", "done", "end turn")
    assert not table.done and table.to_act == 1
    table.deck = []  # a second trigger
    go(table, "collect type 1", "end turn")
    assert not table.done and table.to_act == 2
    go(table, "collect type 2", "end turn")
    assert table.done


def test_last_round_extra_with_nothing_left_is_a_pass():
    table = position(2, {"last_round": "extra"}, deck="")
    go(table, "collect type 0", "end turn")
    assert table.legal() == ["pass"]
    assert go(table, "pass", "end turn").done


# --------------------------------------------------------------------------- playing


def test_a_pile_starts_with_a_zero_and_goes_on_equal_or_one_higher():
    table = position(hand="0:1L 0:2 0:3 1:0 2:1L 2:1R 2:2 2:3", row=["2:0 2:1L"])
    assert offered(table, "play") == sorted(
        ["play different"] + [f"play {w(x)}" for x in ("1:0", "2:1L", "2:1R", "2:2")]
    )


def test_a_three_comes_last_on_its_pile():
    table = position(hand="0:3 0:3", row=["0:0 0:1L 0:2"])
    go(table, f"play {w('0:3')}")
    assert table.legal() == ["done"]
    go(table, "done")
    assert table.hands[0] == cs("0:3")


def test_one_pile_per_type_for_the_whole_game():
    table = position(hand="0:0 1:0", row=["0:0 0:1L 0:2 0:3"])
    assert offered(table, "play") == [f"play {w('1:0')}"]
    table = position(hand="0:0 0:0", row=["1:0"])
    go(table, f"play {w('0:0')}", "left end", f"put {w('0:0')}")
    assert table.rows[0] == [cs("0:0 0:0"), cs("1:0")]


def test_same_type_play_of_two_cards_ends_by_itself_and_gets_no_bonus():
    table = position(hand="0:0 0:1R 0:1R", row=["1:0"])
    go(table, f"play {w('0:0')}", "left end")
    assert table.legal() == ["done", f"put {w('0:1R')}"]
    go(table, f"put {w('0:1R')}")
    assert table.phase == "turn" and table.turn["main_done"] and table.acorns[0] == 0


def test_one_card_is_a_same_type_play_without_bonus():
    table = position(hand="0:0", row=["1:0"])
    assert offered(table, "play") == [f"play {w('0:0')}"]
    go(table, f"play {w('0:0')}", "right end", "done")
    assert table.acorns[0] == 0 and table.legal() == ["end turn"]


def test_different_type_play_old_piles_in_rising_type_order_then_new_ones():
    table = position(3, hand="0:0 1:1L 2:1L 3:0", row=["2:0", "1:0"])
    go(table, "play different")
    # Type 2 is offered first although type 1 cannot follow it: new piles can.
    assert table.legal() == sorted(f"put {w(x)}" for x in ("0:0", "1:1L", "2:1L", "3:0"))
    go(table, f"put {w('2:1L')}")
    assert table.legal() == sorted(f"put {w(x)}" for x in ("0:0", "3:0"))
    go(table, f"put {w('3:0')}", "right end")
    assert table.legal() == ["done", f"put {w('0:0')}"]
    go(table, f"put {w('0:0')}")  # only the right end is left: no question
    assert tops(table) == [2, 1, 3, 0]
    assert table.legal() == ["done"]


def test_a_different_type_play_is_only_begun_so_that_a_second_card_can_follow():
    table = position(hand="1:1L 2:1L", row=["2:0", "1:0"])
    go(table, "play different")
    assert table.legal() == [f"put {w('1:1L')}"]
    go(table, f"put {w('1:1L')}")
    assert table.legal() == [f"put {w('2:1L')}"]  # "done" only from two cards on
    table = position(hand="1:1L 3:0", row=["2:0", "1:0"])
    go(table, "play different")
    assert table.legal() == [f"put {w('1:1L')}"]


def test_on_an_empty_row_the_first_pile_has_no_side_and_the_rest_go_right():
    table = position(hand="0:0 1:0 2:0")
    go(table, "play different", f"put {w('1:0')}", f"put {w('2:0')}", f"put {w('0:0')}", "done")
    assert tops(table) == [1, 2, 0]


@pytest.mark.parametrize("row", [[], ["3:0"], ["3:0", "4:0"]])
def test_each_resulting_row_is_reached_exactly_once(row):
    hand = "0:0 1:0 2:0 3:1L 3:1R 4:0 4:0"
    reached = []

    def walk(table: MomijiOracle) -> None:
        if table.turn["main_done"]:
            reached.append(tuple(tuple(pile) for pile in table.rows[0]))
            return
        for action in table.legal():
            child = MomijiOracle.from_state(table.state())
            walk(go(child, action))

    table = position(3, hand=hand, row=row)
    walk(go(table, "play different"))
    assert len(reached) == len(set(reached))

    # By hand: any set of cards on old piles, any set of new piles in any order, each left or right.
    old = [c(pile)[0] for pile in row]
    new_types = [t for t in (0, 1, 2, 4) if t not in old]
    grown = [[None, "3:1L", "3:1R"] if t == 3 else [None, "4:0"] for t in old]
    expected = set()
    for cards in itertools.product(*grown):
        for size in range(len(new_types) + 1):
            for order in itertools.permutations(new_types, size):
                for split in range(size + 1):
                    if size + sum(card is not None for card in cards) < 2:
                        continue
                    piles = [
                        (c(pile), c(card)) if card else (c(pile),)
                        for pile, card in zip(row, cards, strict=True)
                    ]
                    left = [(c(f"{t}:0"),) for t in order[:split]]
                    right = [(c(f"{t}:0"),) for t in order[split:]]
                    expected.add(tuple(left + piles + right))
    assert set(reached) == expected


def test_the_bonus_is_counted_at_done_over_the_whole_row():
    # Right corner of the left top, left corner of the right top.
    # 0:0 both | 1:1R right | 2:1L left | 3:0 both
    row = ["0:0", "1:0", "2:0"]
    table = position(hand="1:1R 2:1L 3:0", row=row)
    go(table, "play different", f"put {w('1:1R')}", f"put {w('2:1L')}")
    assert table.acorns[0] == 0
    go(table, f"put {w('3:0')}", "right end", "done")
    # 0-1: right yes, left of 1:1R no. 1-2: both. 2-3: 2:1L has no right corner.
    assert table.acorns[0] == 2
    table = position(hand="3:0 2:1R", row=row)
    go(table, "play different", f"put {w('2:1R')}", f"put {w('3:0')}", "right end", "done")
    # 0-1 yes, also untouched piles count; 1-2: 2:1R has no left corner; 2-3 yes.
    assert table.acorns[0] == 4


def test_a_torii_covers_the_corners_of_its_card():
    corners = {**DEFAULT_CORNERS, 3: ["both", "both"]}
    table = position(2, {"corners": corners})
    state = table.state()
    state["hands"][0] = [(1, 3, "both"), (2, 0, "both")]
    state["rows"][0] = [cs("0:0"), cs("1:0 1:1L 1:2")]
    table = MomijiOracle.from_state(state)
    go(table, "play different", "put type 1 value 3 both", f"put {w('2:0')}", "right end", "done")
    assert table.acorns[0] == 0


def test_alike_cards_are_offered_once_and_the_two_value_1_variants_apart():
    table = position(hand="0:1L 0:1L 0:1R 1:0 1:0", row=["0:0"])
    assert offered(table, "play") == sorted(
        ["play different"] + [f"play {w(x)}" for x in ("0:1L", "0:1R", "1:0")]
    )


def test_discards_for_an_acorn_go_in_rising_kinds_and_can_be_finished():
    table = position(hand="0:1R 0:1L 1:2 2:0")
    go(table, "discard two")
    # The highest kind first would leave no second card.
    assert table.legal() == [f"discard {w(x)}" for x in ("0:1L", "0:1R", "1:2")]
    go(table, f"discard {w('0:1R')}")
    assert table.acorns[0] == 0
    assert table.legal() == [f"discard {w(x)}" for x in ("1:2", "2:0")]
    go(table, f"discard {w('1:2')}")
    assert table.acorns[0] == 1 and table.discards == cs("0:1R 1:2")
    table = position(hand="2:0 2:0")
    go(table, "discard two", f"discard {w('2:0')}", f"discard {w('2:0')}")
    assert table.acorns[0] == 1
    assert "discard two" not in position(hand="2:0").legal()


def test_over_eight_cards_are_discarded_in_rising_kinds_at_the_end_of_the_turn():
    table = position(hand="0:0 0:0 0:1L 0:2 1:0 1:2 2:0 2:2 3:0")
    go(table, "collect type 0", "end turn")  # 10 cards: two to go
    assert table.phase == "limit" and table.to_act == 0
    assert f"discard {w('3:0')}" not in table.legal()
    go(table, f"discard {w('2:2')}")
    assert table.legal() == [f"discard {w('3:0')}"]
    go(table, f"discard {w('3:0')}")
    assert len(table.hands[0]) == 8 and table.to_act == 1 and table.phase == "turn"
    assert table.acorns[0] == 0


def test_no_limit_discard_when_the_game_just_ended():
    table = position(hand="0:0 0:0 0:1L 0:2 1:0 1:2 2:0 2:2 3:0", deck="")
    go(table, "collect type 0", "end turn")
    assert table.done and len(table.hands[0]) == 10


# --------------------------------------------------------------------------- landscapes


@pytest.mark.parametrize(
    ("tile", "works", "does_not"),
    [
        ("mountain", {}, {"deck": ""}),
        ("pond", {}, {"display": ""}),
        ("shrine", {}, {"acorn": 0}),
        ("bridge", {"row": ["0:0 0:1L 0:2 0:3", "1:0"]}, {"row": ["0:0"]}),
        ("wind", {"display": "0:0 1:0"}, {"deck": ""}),
        ("wind", {"acorn": 2}, {"acorn": 1}),  # a reveal to come and its acorn
        ("wind", {"acorn": 1, "hand": "1:2 1:2"}, {"acorn": 1, "hand": "1:2"}),
        ("lantern", {"hand": "0:0 0:1L 0:1R"}, {"hand": "0:0 0:2 0:2"}),
        ("lantern", {"hand": "0:1L 0:2 0:3", "row": ["0:0"]}, {"hand": "0:0 0:1L 1:0"}),
        ("moon", {"hand": "0:0"}, {"hand": "0:1L"}),
        ("teahouse", {"acorn": 2}, {"acorn": 1}),
        ("teahouse", {"acorn": 1, "hand": "1:2 1:2"}, {"objectives": []}),
    ],
)
def test_a_landscape_is_offered_only_when_it_can_do_something(tile, works, does_not):
    assert f"use {tile}" in position(tiles=tile, **{"acorn": 1, **works}).legal()
    assert f"use {tile}" not in position(tiles=tile, **{"acorn": 1, **does_not}).legal()


def test_lantern_moon_teahouse_and_wind_come_before_the_action_they_change():
    four = "lantern moon teahouse wind"
    hand = "1:0 1:0 1:0 2:2"
    table = position(hand=hand, tiles=four, acorn=5, display="0:0 3:0")
    assert offered(table, "use") == [f"use {tile}" for tile in four.split()]
    after_main = go(MomijiOracle.from_state(table.state()), "collect type 0")
    assert offered(after_main, "use") == []
    after_reveal = go(table, "reveal")
    assert offered(after_reveal, "use") == ["use wind"]


def test_each_landscape_once_a_game_and_one_a_turn():
    table = position(tiles="shrine shrine moon", hand="1:0", acorn=1)
    go(table, "use shrine")
    assert offered(table, "use") == []
    assert table.unused[0] == ["shrine", "moon"] and table.used[0] == ["shrine"]


def test_mountain_draws_two_cards_or_what_is_there():
    table = go(position(tiles="mountain", acorn=1), "use mountain")
    assert table.hands[0] == cs("1:0 1:0") and len(table.deck) == 8 and table.acorns[0] == 0
    table = go(position(tiles="mountain", acorn=1, deck="3:3"), "use mountain")
    assert table.hands[0] == cs("3:3") and table.deck == []


def test_pond_takes_one_card_of_choice():
    table = go(position(tiles="pond", acorn=1, display="0:0 0:0 1:2"), "use pond")
    assert table.legal() == [f"take {w('0:0')}", f"take {w('1:2')}"]
    go(table, f"take {w('1:2')}")
    assert table.hands[0] == cs("1:2") and table.display == cs("0:0 0:0")


def test_wind_takes_two_types_in_rising_order():
    table = go(position(tiles="wind", acorn=1, display="0:0 1:0 1:2 3:0"), "use wind")
    assert offered(table, "collect") == ["collect type 0", "collect type 1"]
    go(table, "collect type 1")
    assert table.legal() == ["collect type 3"]
    go(table, "collect type 3")
    assert table.hands[0] == cs("1:0 1:2 3:0")
    assert table.legal() == ["discard two", "end turn"]


def test_wind_with_one_type_takes_it():
    table = go(position(tiles="wind", acorn=2), "use wind", "collect type 0")
    assert table.legal() == ["end turn"]


def test_shrine_takes_two_acorns():
    assert go(position(tiles="shrine", acorn=1), "use shrine").acorns[0] == 2


def test_bridge_swaps_two_neighbouring_piles_closed_ones_too():
    row = ["0:0 0:1L 0:2 0:3", "1:0", "2:0"]
    table = go(position(tiles="bridge", acorn=1, row=row), "use bridge")
    assert table.legal() == ["swap piles 0 and 1", "swap piles 1 and 2"]
    go(table, "swap piles 0 and 1")
    assert tops(table) == [1, 0, 2] and table.acorns[0] == 0


def test_lantern_allows_three_cards_of_one_type():
    table = position(tiles="lantern", acorn=1, hand="1:0 1:0 1:0 1:0")
    go(table, "use lantern", f"play {w('1:0')}", f"put {w('1:0')}")
    assert table.legal() == ["done", f"put {w('1:0')}"]
    go(table, f"put {w('1:0')}")
    assert table.legal() == ["end turn"]


def test_teahouse_makes_activating_cost_one():
    table = go(position(tiles="teahouse", acorn=2), "use teahouse", "activate", "take most zeros")
    assert table.acorns[0] == 0 and table.owners == {"most zeros": 0}


def test_moon_gives_a_same_type_play_the_bonus_one_card_too():
    table = position(tiles="moon", acorn=1, hand="1:0", row=["0:0"])
    go(table, "use moon", f"play {w('1:0')}", "left end", "done")
    assert table.acorns[0] == 2
    table = position(tiles="moon", acorn=1, hand="1:0 1:1R", row=["0:0"])
    go(table, "use moon", f"play {w('1:0')}", "left end", f"put {w('1:1R')}")
    assert table.acorns[0] == 2


def draft_table() -> MomijiOracle:
    deal = random_deal(3, random.Random(5), landscapes="draft")
    deal["first"] = 1
    deal["landscapes"] = [
        ["moon", "moon", "wind"],
        ["shrine", "pond", "lantern"],
        ["bridge", "bridge", "wind"],
    ]
    return MomijiOracle(deal, landscapes="draft")


def test_draft_keep_one_pass_left_and_the_last_tile_comes_by_itself():
    table = draft_table()
    assert table.to_act == 1 and table.legal() == ["keep lantern", "keep pond", "keep shrine"]
    go(table, "keep shrine")
    assert table.to_act == 2 and table.legal() == ["keep bridge", "keep wind"]
    go(table, "keep bridge", "keep moon")
    assert table.unused == [["moon"], ["shrine"], ["bridge"]]
    assert table.legal() == ["keep moon", "keep wind"]  # seat 1 got seat 0's rest
    go(table, "keep moon", "keep pond", "keep bridge")
    assert table.unused == [
        ["moon", "bridge", "lantern"],
        ["shrine", "moon", "wind"],
        ["bridge", "pond", "wind"],
    ]
    assert table.phase == "turn" and table.to_act == 1 and table.turns == 1


def test_draft_picks_are_secret_until_all_have_chosen_then_public():
    one, other = draft_table(), draft_table()
    go(one, "keep shrine")
    go(other, "keep pond")
    for seat in (0, 2):
        assert one.knowledge(seat) == other.knowledge(seat)
    assert one.knowledge(1)["draft"]["pick"] == "shrine"
    go(one, "keep bridge", "keep moon")
    assert one.knowledge(2)["unused"] == [["moon"], ["shrine"], ["bridge"]]
    # In the second round a seat also knows what it passed to the left.
    assert one.knowledge(0)["draft"]["seen"] == [["bridge", "wind"], ["moon", "wind"], None]
    go(one, "keep moon")
    assert one.knowledge(0)["draft"]["seen"] == [["bridge", "wind"], ["moon", "wind"], None]
    assert one.knowledge(0)["draft"]["has_picked"] == [False, True, False]


def test_two_equal_tiles_are_two_uses():
    table = position(tiles="shrine shrine", acorn=1, display="0:0 1:0 2:0")
    go(table, "use shrine", "collect type 0", "end turn", "collect type 1", "end turn")
    assert "use shrine" in table.legal()
    assert go(table, "use shrine").acorns[0] == 3
    assert table.used[0] == ["shrine", "shrine"]


def test_two_tiles_of_each_power_are_dealt_from():
    for seed in range(10):
        deal = random_deal(4, random.Random(seed), landscapes="draft")
        dealt = [tile for tiles in deal["landscapes"] for tile in tiles]
        assert len(dealt) == 12 and all(dealt.count(tile) <= 2 for tile in LANDSCAPES)
    deal = random_deal(2, random.Random(1), landscapes="none")
    assert MomijiOracle(deal, landscapes="none").unused == [[], []]


# --------------------------------------------------------------------------- objectives and score


def test_activate_pays_three_acorns_and_the_objective_leaves_the_middle():
    table = position(acorn=4, objectives=["most zeros", "most type 1"])
    go(table, "activate")
    assert table.legal() == ["take most type 1", "take most zeros"] and table.acorns[0] == 4
    go(table, "take most type 1")
    assert table.acorns[0] == 1 and table.objectives == ["most zeros"]
    assert table.legal() == ["end turn"]
    assert "activate" not in position(acorn=2).legal()
    assert "activate" not in position(acorn=9, objectives=[]).legal()


def scored(rows: list[list[str]], owners: dict[str, int]) -> list[int]:
    table = position(len(rows), owners=owners)
    table.rows = [[cs(pile) for pile in row] for row in rows]
    return table.scores


def test_most_zeros_counts_covered_ones_too_and_owner_gets_10():
    rows = [["0:0 0:0 0:0"], ["1:0"]]
    assert scored(rows, {"most zeros": 0}) == [10, 0]
    rows = [["0:0 0:0 0:0 0:1L"], ["1:0 1:0"]]
    assert scored(rows, {"most zeros": 0}) == [4 + 10, 0]


def test_an_owner_who_is_not_best_gets_nothing_and_the_best_get_3():
    assert scored([["0:0"], ["1:0 1:0"]], {"most zeros": 0}) == [0, 3]


def test_ties_all_score():
    assert scored([["0:0"], ["1:0"], ["2:0"]], {"most zeros": 1}) == [3, 10, 3]


def test_nobody_scores_a_best_count_of_zero():
    assert scored([["0:0"], ["1:0"]], {"highest tops": 0, "most type 3": 1}) == [0, 0]


def test_a_closed_pile_counts_3_for_the_highest_tops():
    rows = [["0:0 0:1L 0:2 0:3"], ["1:0 1:1L", "2:0 2:1L"]]
    assert scored(rows, {"highest tops": 1}) == [12 + 3, 4]


def test_only_cards_in_piles_count():
    table = position(2, owners={"most type 1": 0}, hand="1:0 1:0 1:0", rows=[[], [cs("1:0")]])
    assert table.scores == [0, 3]


def test_objectives_not_activated_do_not_count():
    assert scored([["0:0"], []], {}) == [0, 0]


def test_the_best_pile_is_13_cards_and_39_points():
    pile = "0:0 0:0 0:0 0:0 0:0 0:1L 0:1L 0:1R 0:1R 0:2 0:2 0:2 0:3"
    assert scored([[pile], []], {}) == [39, 0]


def test_a_point_for_each_acorn_and_a_tie_is_shared():
    table = position(acorns=[5, 5], deck="")
    go(table, "collect type 0", "end turn")
    assert table.scores == [5, 5] and table.winners == [True, True] and table.tie_break is None
    assert table.rewards() == [0.0, 0.0]


def test_rewards():
    table = position(3, acorns=[5, 2, 5], phase="over")
    assert table.rewards() == [0.25, -0.5, 0.25]
    assert table.rewards("margin", 10) == [0.0, -0.3, 0.0]
    assert table.rewards("score", 10) == [0.5, 0.2, 0.5]
    table.acorns = [6, 2, 5]
    assert table.winners == [True, False, False]
    assert table.rewards() == [1.0, -0.5, -0.5]
    assert position(3, acorns=[6, 2, 5]).rewards() == [0.0, 0.0, 0.0]


# --------------------------------------------------------------------------- knowledge


def test_known_of_another_hand_is_collected_less_played_less_discarded():
    table = position(hand="0:0", display="0:0 0:0 0:2 1:0", row=["2:0"])
    go(table, "collect type 0", "end turn")
    kinds_known = {c("0:0"): 2, c("0:2"): 1}
    assert table.knowledge(1)["known"][0] == kinds_known
    assert table.knowledge(0)["known"][0] == {c("0:0"): 3, c("0:2"): 1}  # the own hand
    go(table, "collect type 1", "end turn")
    go(table, f"play {w('0:0')}", "left end", f"put {w('0:0')}")
    go(table, "discard two", f"discard {w('0:0')}", f"discard {w('0:2')}")
    view = table.knowledge(1)
    assert view["known"][0] == {} and view["known_by_totals"][0] == {}  # never below 0
    assert view["played"][0] == {c("0:0"): 2} and view["discarded"][0][c("0:2")] == 1
    assert view["collected"][0] == kinds_known and view["hand_sizes"] == [0, 1]


def test_a_card_collected_after_a_like_dealt_one_was_played_is_known():
    table = position(hand="1:0", display="1:0 2:0")
    go(table, f"play {w('1:0')}", "done", "end turn", "collect type 2", "end turn")
    go(table, "collect type 1", "end turn")
    view = table.knowledge(1)
    assert view["known"][0] == {c("1:0"): 1}
    assert view["known_by_totals"][0] == {}


def test_pond_is_public_and_mountain_is_secret():
    table = position(tiles="pond mountain", acorn=2, display="0:0 1:0")
    go(table, "use pond", f"take {w('1:0')}", "collect type 0", "end turn")
    known = {c("0:0"): 1, c("1:0"): 1}
    assert table.knowledge(1)["known"][0] == known
    table.to_act = 0
    table.turn["landscape"] = None
    go(table, "use mountain")
    view = table.knowledge(1)
    assert view["known"][0] == known and view["hand_sizes"][0] == 4 and view["deck_size"] == 4


def test_hidden_cards_do_not_show_in_the_knowledge_of_others():
    deal = random_deal(3, random.Random(8))
    twisted = {**deal, "hands": list(deal["hands"]), "deck": list(deal["deck"])}
    # Seat 1's hand against the bottom of the deck: seats 0 and 2 cannot tell.
    twisted["hands"][1] = deal["deck"][-6:]
    twisted["deck"] = deal["deck"][:-6] + deal["hands"][1]
    one, other = MomijiOracle(deal), MomijiOracle(twisted)
    for seat in (0, 2):
        assert one.knowledge(seat) == other.knowledge(seat)
    assert one.knowledge(1) != other.knowledge(1)


# --------------------------------------------------------------------------- random play


def check_table(table: MomijiOracle, cards: list[Card]) -> None:
    assert sorted([card for _, card in table.census()], key=kind_order) == cards
    assert min(table.acorns) >= 0
    assert 0 <= table.torii <= table.num_players + 2
    for row in table.rows:
        assert len({pile[0][0] for pile in row}) == len(row)
        for pile in row:
            values = [card[1] for card in pile]
            assert values[0] == 0 and values.count(3) <= 1
            assert all(b - a in (0, 1) for a, b in itertools.pairwise(values))
    for seat in range(table.num_players):
        view = table.knowledge(seat)
        unseen = sum(view["unseen"].values())
        others = [other for other in range(table.num_players) if other != seat]
        for other in others:
            for kind, count in view["known"][other].items():
                assert table.hands[other].count(kind) >= count
                assert view["known_by_totals"][other].get(kind, 0) <= count
        known = sum(sum(view["known"][other].values()) for other in others)
        assert unseen + known == len(table.deck) + sum(len(table.hands[other]) for other in others)


@pytest.mark.parametrize(
    "options",
    [
        {"landscapes": "draft", "last_round": "extra"},
        {"landscapes": "draft"},
        {"landscapes": "none"},
        {},
    ],
)
def test_conservation_in_random_play(options):
    rng = random.Random(11)
    for game in range(6):
        players = 2 + game % 3
        table = MomijiOracle(random_deal(players, rng, **options), **options)
        cards = all_cards(table.types, DEFAULT_CORNERS)
        while not table.done:
            if rng.random() < 0.1:
                check_table(table, cards)
                table = MomijiOracle.from_state(table.state())
            legal = table.legal()
            assert legal and legal == sorted(set(legal))
            table.step(rng.choice(legal))
        check_table(table, cards)
        assert any(table.winners)
        assert sum(table.rewards()) == pytest.approx(0)


@pytest.mark.parametrize(
    ("players", "decisions", "turns", "score"),
    [(2, 134, 27, 13.8), (3, 177, 36, 10.7), (4, 207, 42, 8.9)],
)
def test_random_play_is_near_the_figures_of_the_page(players, decisions, turns, score):
    rng = random.Random(players)
    games, said, begun, points, ended_by_deck = 250, 0, 0, 0.0, 0
    acorns = [2] * players
    for _ in range(games):
        table = MomijiOracle(random_deal(players, rng), start_acorns=acorns)
        while not table.done:
            legal = table.legal()
            assert 1 <= len(legal) <= 20
            table.step(rng.choice(legal))
            said += 1
        begun += table.turns
        points += sum(table.scores) / players
        ended_by_deck += not table.deck
    assert said / games == pytest.approx(decisions, rel=0.03)
    assert begun / games == pytest.approx(turns, rel=0.04)
    assert points / games == pytest.approx(score, rel=0.12)
    assert ended_by_deck >= 0.98 * games
