"""The rulings of Momiji, one test each, on hand-set positions; seat 0 is to act."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.games.momiji.game import Momiji
from tests.momiji.tables import Table

PAIR = ["A0<>", "B0<>"]  # a row with one facing pair


# ---------------------------------------------------------------- set-up


@pytest.mark.parametrize(("players", "deck"), [(2, 40), (3, 48), (4, 56)])
def test_set_up_hand_6_display_4_deck_and_tokens(players: int, deck: int) -> None:
    game = Momiji(20, num_players=players)
    game.reset(3)
    for number in range(20):
        table = game.snapshot(number)
        assert [len(hand) for hand in table["hands"]] == [6] * players
        assert len(table["display"]) == 4
        assert len(table["deck"]) == deck
        assert len(table["types"]) == len(table["objectives"]) == table["torii"] == players + 2
        cards = [*table["deck"], *table["display"], *(c for hand in table["hands"] for c in hand)]
        assert len(cards) == 14 * (players + 2)
        for t in table["types"]:
            values = sorted(card[1] for card in cards if card[0] == t)
            assert values == [0] * 5 + [1] * 4 + [2] * 3 + [3] * 2
        in_use = {f"most type {t}" for t in table["types"]}
        assert set(table["objectives"]) <= in_use | {"most zeros", "highest tops"}


def test_acorns_in_turn_order_2_3_4_5() -> None:
    game = Momiji(20, num_players=4)
    game.reset(3)
    for number in range(20):
        table = game.snapshot(number)
        acorns = [table["acorns"][(table["first"] + place) % 4] for place in range(4)]
        assert acorns == [2, 3, 4, 5]


def test_the_first_player_is_drawn_by_the_seed() -> None:
    game = Momiji(400, num_players=4)
    game.reset(0)
    assert (np.bincount(game.to_act) > 60).all()


def test_first_game_everybody_has_mountain_pond_and_bridge() -> None:
    game = Momiji(1, num_players=3)
    game.reset(0)
    assert game.snapshot(0)["unused"] == [["mountain", "pond", "bridge"]] * 3


# ---------------------------------------------------------------- the turn


def test_collect_takes_all_display_cards_of_one_type() -> None:
    table = Table("C0<>", display="A0<> A0<> A2< B1>").play("collect type 0")
    assert table.hand() == "A0<> A0<> A2< C0<>"
    assert table.display == "B1>"


def test_exactly_one_main_action_then_end_turn() -> None:
    table = Table("A0<> B0<>", display="C0<> D0<>").play("collect type 2")
    assert table.words == ["discard two", "end turn"]


def test_minor_actions_before_and_after_the_main_action_and_between_reveal_and_collect() -> None:
    table = Table("A1< A2<", display="C0<>", acorns=5, tiles="shrine")
    assert table.offers("discard two", "use shrine")
    table.play("reveal")
    assert table.offers("discard two", "use shrine")
    table.play("use shrine", "collect type 2")
    assert table.offers("discard two", "end turn")
    assert table.refuses("use shrine")


def test_no_minor_actions_between_the_cards_of_a_play_or_inside_a_choice() -> None:
    table = Table("A0<> A0<> B1<", display="C0<>", acorns=5, tiles="shrine pond").play("play A0<>")
    assert table.words == ["put type 0 value 0 both", "done"]
    table = Table("A0<>", display="C0<> D0<>", acorns=5, tiles="shrine pond").play("use pond")
    assert table.words == ["take type 2 value 0 both", "take type 3 value 0 both"]


def test_each_minor_action_once_a_turn() -> None:
    table = Table("A1< A2< B1< B2<", display="C0<>", acorns=9, tiles="shrine mountain")
    table.play("discard two", "discard A1<", "discard B1<", "use shrine")
    assert table.refuses("discard two", "use mountain")
    table.play("collect type 2")
    assert table.words == ["end turn"]


def test_discard_two_gives_one_acorn() -> None:
    table = Table("A1< A2< B1<", display="C0<>")
    before = table.now["discards"]  # where all cards lie that the position does not name
    table.play("discard two", "discard A1<", "discard A2<")
    assert (table.acorns(), table.hand()) == (1, "B1<")
    assert table.now["discards"] == sorted([*before, [0, 1, "left"], [0, 2, "left"]])


def test_discard_two_needs_two_cards() -> None:
    assert Table("A1<", display="C0<>").refuses("discard two")


def test_reveal_costs_an_acorn_and_shows_four_cards() -> None:
    table = Table("A0<>", display="A1<", acorns=1, deck="B0<> B1< B2< B3 C0<>").play("reveal")
    assert table.display == "A1< B0<> B1< B2< B3"
    assert table.acorns() == 0


def test_reveal_once_a_turn_and_it_commits_to_a_collect() -> None:
    table = Table("A0<>", display="A1<", acorns=9, objectives="zeros").play("reveal")
    assert table.words == ["collect type 0", "collect type 5"]


def test_reveal_shows_what_the_deck_has_left() -> None:
    table = Table("A0<>", display="A1<", acorns=9, deck="B0<> B1<").play("reveal")
    assert table.display == "A1< B0<> B1<"


def test_no_reveal_with_an_empty_deck_or_without_an_acorn() -> None:
    assert Table("A0<>", display="A1<", acorns=9, deck="").refuses("reveal")
    assert Table("A0<>", display="A1<", acorns=0).refuses("reveal")


def test_an_empty_display_is_filled_for_free_as_a_turn_begins() -> None:
    table = Table("A0<>", display="A1<", deck="B0<> B1< B2< B3 C0<>")
    table.play("collect type 0")
    assert table.display == ""
    table.play("end turn")
    assert table.display == "B0<> B1< B2< B3"
    assert table.acorns() == table.acorns(1) == 0


def test_the_last_cards_fill_the_display_as_far_as_they_go() -> None:
    table = Table("A0<>", display="A1<", deck="B0<> B1<").play("collect type 0", "end turn")
    assert table.display == "B0<> B1<"
    assert not table.now["over"]  # it was not empty in the turn that ended


def test_a_display_emptied_during_a_turn_waits() -> None:
    table = Table(["A0<>", ""], display="C2<", acorns=1, tiles="pond", deck="B0<> B1< B2< B3 C0<>")
    table.play("use pond", "take C2<")
    assert table.display == ""
    table.play("play A0<>", "done")
    assert table.display == ""
    table.play("end turn")
    assert table.display == "B0<> B1< B2< B3"


def test_pass_only_when_neither_collect_nor_play_is_possible() -> None:
    empty = {"acorns": 4, "objectives": "zeros"}
    assert Table("A1<", display="", **empty).words == ["reveal", "activate", "pass"]
    assert Table("A1<", display="C0<>", **empty).refuses("pass")
    assert Table("A0<>", display="", **empty).refuses("pass")


def test_hand_limit_discards_down_to_eight_after_the_turn_in_rising_kinds() -> None:
    table = Table("A1< A2< B1< B2< C1< C2< D1< D2<", display="E1< E2< F1<")
    table.play("collect type 4", "end turn")
    assert table.now["phase"] == "limit"
    assert table.refuses("discard E2<")  # two are due and nothing higher is left
    table.play("discard C2<")
    assert table.refuses("discard C1<", "discard A1<")
    table.play("discard E1<")
    assert table.now["to_act"] == 1
    assert table.hand(0) == "A1< A2< B1< B2< C1< D1< D2< E2<"


def test_alike_cards_may_be_discarded_one_after_the_other() -> None:
    table = Table("A2< A2<", display="C0<>").play("discard two")
    assert table.words == ["discard type 0 value 2 left"]
    assert table.play("discard A2<").words == ["discard type 0 value 2 left"]


def test_of_discard_two_the_first_is_offered_only_if_one_of_its_kind_or_higher_is_left() -> None:
    table = Table("A2< B1<", display="C0<>").play("discard two")
    assert table.words == ["discard type 0 value 2 left"]


# ---------------------------------------------------------------- the end of the game


def test_the_game_ends_with_the_turn_in_which_the_deck_was_emptied() -> None:
    table = Table("A0<>", display="A1<", acorns=1, deck="B0<> B1<").play("reveal")
    assert not table.now["over"]
    table.play("collect type 1", "end turn")
    assert table.now["over"]


def test_the_game_ends_with_the_turn_in_which_the_last_torii_was_used() -> None:
    table = Table("A3", rows=[["A0<> A1< A2<"]], display="C0<>", torii=1)
    table.play("play A3", "done")
    assert table.now["torii"] == 0
    assert not table.now["over"]
    assert table.play("end turn").now["over"]


def test_each_3_uses_a_torii_and_spare_markers_serve_when_none_is_left() -> None:
    rows = [["A0<> A1< A2<", "B0<> B1< B2<"]]
    table = Table("A3 B3", rows=rows, display="C0<>", torii=1)
    table.play("play different", "put A3", "put B3", "done")
    assert table.now["torii"] == 0
    assert table.now["scores"][0] == 12 + 12


def test_no_limit_discard_when_the_game_just_ended() -> None:
    hand = "A1< A2< B1< B2< C1< C2< D1< D2< E1<"
    table = Table(hand, display="E2<", deck="").play("collect type 4", "end turn")
    assert table.now["over"]
    assert len(table.now["hands"][0]) == 10


def test_last_round_extra_gives_the_others_one_more_turn_and_ignores_new_triggers() -> None:
    options = {"players": 3, "last_round": "extra", "display": "A1< A2< B1< C1<", "deck": ""}
    table = Table(["D0<>", "", ""], **options).play("collect type 0", "end turn")
    assert (table.now["to_act"], table.now["extra_turns"]) == (1, 2)
    table.play("collect type 1", "end turn")
    assert (table.now["to_act"], table.now["extra_turns"]) == (2, 1)
    table.play("collect type 2", "end turn")
    assert table.now["over"]


def test_last_round_extra_the_last_seat_discards_nothing_and_the_trigger_does() -> None:
    hand = "A1< A2< B1< B2< C1< C2< D1< D2<"
    options = {"last_round": "extra", "display": "E1< F1<", "deck": ""}
    table = Table([hand, hand], **options).play("collect type 4", "end turn")
    assert table.now["phase"] == "limit"
    table.play("discard A1<", "collect type 5", "end turn")
    assert table.now["over"]


# ---------------------------------------------------------------- plays


def test_a_pile_starts_with_a_0() -> None:
    table = Table("A0<> B1< C2< D3", display="E0<>")
    assert table.offers("play A0<>")
    assert table.refuses("play B1<", "play C2<", "play D3", "play different")


def test_the_next_card_equals_the_top_or_is_one_higher() -> None:
    table = Table("A0<> A1< A2< A3", rows=[["A0<> A1>"]], display="E0<>")
    assert table.offers("play A1<", "play A2<")
    assert table.refuses("play A0<>", "play A3")


def test_one_pile_of_a_type_for_the_whole_game() -> None:
    table = Table("A0<> A0<>", rows=[["A0<> A1>"]], display="E0<>")
    assert table.refuses("play A0<>")


def test_a_3_closes_its_pile() -> None:
    table = Table("A3 A3", rows=[["A0<> A1> A2<"]], display="E0<>").play("play A3")
    assert table.words == ["done"]
    table.play("done", "end turn", "collect type 4", "end turn")
    assert table.refuses("play A3")


def test_a_same_type_play_ends_by_itself_at_two_cards() -> None:
    table = Table("A0<> A0<> A1<", display="E0<>").play("play A0<>", "put A0<>")
    assert table.now["turn"]["main_done"]
    assert table.row() == ["A0<> A0<>"]


def test_a_same_type_play_of_one_card_ends_with_done() -> None:
    table = Table("A0<> A0<>", display="E0<>").play("play A0<>", "done")
    assert table.now["turn"]["main_done"]


def test_no_bonus_for_a_same_type_play() -> None:
    table = Table("A0<> A0<>", rows=[PAIR], display="E0<>").play("play A0<>", "put A0<>")
    assert table.acorns() == 0


def test_bonus_two_acorns_for_each_facing_pair_of_the_whole_row() -> None:
    row = ["A0<>", "B0<>", "C0<> C1<", "D0<>", "E0<> E1>"]
    table = Table("A0<> E1>", rows=[row], players=4, display="F0<>")
    table.play("play different", "put A0<>", "put E1>", "done")
    # A-B face, B-C face, C shows nothing to the right, E nothing to the left
    assert table.acorns() == 4


def test_bonus_is_counted_with_the_corners_as_they_lie_at_done() -> None:
    table = Table("A1< B1<", rows=[PAIR], display="F0<>")
    assert table.play("play different", "put A1<", "put B1<", "done").acorns() == 0
    table = Table("A1> B1<", rows=[PAIR], display="F0<>")
    assert table.play("play different", "put A1>", "put B1<", "done").acorns() == 2


def test_under_a_torii_no_corners() -> None:
    rows = [["A0<>", "B0<> B1> B2<", "C0<>"]]
    table = Table("B3 C0<>", rows=rows, display="F0<>")
    assert table.play("play different", "put B3", "put C0<>", "done").acorns() == 0


def test_done_of_different_types_only_from_two_cards_on_and_always_said() -> None:
    table = Table("A0<> B0<>", rows=[PAIR], display="E0<>").play("play different")
    assert table.refuses("done")
    assert table.play("put A0<>").refuses("done")
    assert table.play("put B0<>").words == ["done"]


def test_one_card_of_each_type_in_a_play_of_different_types() -> None:
    table = Table("A0<> A0<> B0<> C0<>", rows=[["A0<>", "B0<>", "C0<>"]], display="E0<>")
    table.play("play different", "put A0<>")
    assert table.refuses("put A0<>")


def test_cards_for_old_piles_in_rising_order_of_types() -> None:
    table = Table("A0<> B0<> C0<>", rows=[["C0<>", "A0<>", "B0<>"]], display="E0<>")
    table.play("play different")
    assert table.refuses("put C0<>")  # nothing could follow
    table.play("put B0<>")
    assert table.words == ["put type 2 value 0 both"]


def test_new_piles_after_old_ones_in_any_order() -> None:
    table = Table("A0<> B0<> C0<> D0<>", rows=[["B0<>"]], display="E0<>")
    table.play("play different", "put D0<>", "right end")
    assert table.words == ["put type 0 value 0 both", "put type 2 value 0 both"]
    table.play("put A0<>", "put C0<>")
    assert table.row() == ["B0<>", "D0<>", "A0<>", "C0<>"]


def test_all_new_piles_for_the_left_end_come_before_those_for_the_right() -> None:
    table = Table("A0<> B0<> C0<> D0<>", rows=[["D0<>"]], display="E0<>")
    table.play("play different", "put A0<>", "left end", "put B0<>", "left end")
    table.play("put C0<>", "right end", "done")
    assert table.row() == ["B0<>", "A0<>", "D0<>", "C0<>"]


def test_on_an_empty_row_the_first_pile_has_no_side_and_the_rest_go_right() -> None:
    table = Table("A0<> B0<> C0<>", display="E0<>")
    table.play("play different", "put B0<>", "put A0<>", "put C0<>", "done")
    assert table.row() == ["B0<>", "A0<>", "C0<>"]


def test_a_waiting_card_stays_in_hand_until_its_end_is_named() -> None:
    table = Table("A0<> A0<>", rows=[["D0<>"]], display="E0<>").play("play A0<>")
    assert table.words == ["left end", "right end"]
    assert table.hand() == "A0<> A0<>"
    assert table.now["move"]["placing"] == [0, 0, "both"]
    table.play("left end", "put A0<>")
    assert table.row() == ["A0<> A0<>", "D0<>"]


def test_a_play_that_cannot_reach_two_types_is_masked() -> None:
    assert Table("A0<> A0<> B1<", display="E0<>").refuses("play different")
    assert Table("A0<> B0<>", display="E0<>").offers("play different")


def test_a_single_new_pile_cannot_come_first() -> None:
    table = Table("A0<> B0<>", rows=[["A0<>"]], display="E0<>").play("play different")
    assert table.words == ["put type 0 value 0 both"]


def test_the_mask_offers_kinds_not_copies() -> None:
    table = Table("A0<> A0<> A0<> A1< A1>", rows=[["A0<>"]], display="E0<>")
    plays = [word for word in table.words if word.startswith("play type")]
    assert plays == [
        "play type 0 value 0 both", "play type 0 value 1 left", "play type 0 value 1 right"
    ]  # fmt: skip


# ---------------------------------------------------------------- landscapes


def test_a_landscape_costs_an_acorn_and_serves_once_a_game() -> None:
    table = Table("A1<", display="E0<>", acorns=1, tiles="shrine").play("use shrine")
    assert table.acorns() == 2
    assert table.now["used"] == [["shrine"], []]
    table.play("collect type 4", "end turn", "collect type 5", "end turn")
    assert table.now["to_act"] == 0
    assert table.refuses("use shrine")


def test_two_equal_tiles_are_two_uses() -> None:
    deck = "F0<> F0<> F0<> F0<> F0<> E0<> E0<> E0<> E0<>"
    table = Table("A1<", display="E0<>", acorns=2, tiles="shrine shrine", deck=deck)
    table.play("use shrine", "collect type 4", "end turn", "collect type 5", "end turn")
    assert table.offers("use shrine")


def test_no_landscape_without_an_acorn() -> None:
    assert Table("A1<", display="E0<>", tiles="shrine").refuses("use shrine")


def test_mountain_draws_two_cards_secretly() -> None:
    table = Table("A1<", display="E0<>", acorns=1, tiles="mountain", deck="B0<> B1< B2<")
    table.play("use mountain")
    assert table.hand() == "A1< B0<> B1<"
    assert table.now["known"][0] == []


def test_mountain_takes_what_is_there_and_needs_a_card() -> None:
    table = Table("A1<", display="E0<>", acorns=1, tiles="mountain", deck="B0<>")
    assert table.play("use mountain").hand() == "A1< B0<>"
    assert Table("A1<", display="E0<>", acorns=1, tiles="mountain", deck="").refuses("use mountain")


def test_pond_takes_one_card_of_the_display() -> None:
    table = Table("A1<", display="E0<> E1>", acorns=1, tiles="pond").play("use pond", "take E1>")
    assert (table.hand(), table.display) == ("A1< E1>", "E0<>")
    assert Table("A0<>", acorns=1, tiles="pond").refuses("use pond")


def test_wind_collects_two_types_named_in_rising_order() -> None:
    table = Table("A1<", display="B0<> C0<> C1< E0<>", acorns=1, tiles="wind").play("use wind")
    assert table.refuses("collect type 4")
    table.play("collect type 1")
    assert table.words == ["collect type 2", "collect type 4"]
    table.play("collect type 2")
    assert table.hand() == "A1< B0<> C0<> C1<"
    assert table.now["turn"]["main_done"]


def test_wind_needs_two_types_or_a_reveal_to_come() -> None:
    one = {"display": "B0<>", "tiles": "wind"}
    assert Table("A1<", display="B0<> C0<>", acorns=1, tiles="wind").offers("use wind")
    assert Table("A1<", acorns=1, **one).refuses("use wind")  # no acorn left to reveal
    assert Table("A1<", acorns=2, **one).offers("use wind")
    assert Table("A1< A2<", acorns=1, **one).offers("use wind")  # by discarding two
    assert Table("A1<", acorns=2, deck="", **one).refuses("use wind")


def test_wind_over_one_type_is_a_plain_collect() -> None:
    table = Table("A1<", display="B0<>", acorns=2, tiles="wind").play("use wind", "collect type 1")
    assert table.now["turn"]["main_done"]


def test_shrine_takes_two_acorns() -> None:
    table = Table("A1<", display="E0<>", acorns=1, tiles="shrine").play("use shrine")
    assert table.acorns() == 2


def test_bridge_swaps_neighbouring_piles_closed_ones_too() -> None:
    rows = [["A0<> A1< A2< A3", "B0<>", "C0<>"]]
    table = Table("E1<", rows=rows, display="E0<>", acorns=1, tiles="bridge").play("use bridge")
    assert table.words == ["swap piles 0 and 1", "swap piles 1 and 2"]
    table.play("swap piles 0 and 1")
    assert table.row() == ["B0<>", "A0<> A1< A2< A3", "C0<>"]


def test_bridge_needs_two_piles() -> None:
    one = {"display": "E0<>", "acorns": 1, "tiles": "bridge"}
    assert Table("E1<", rows=[["A0<>"]], **one).refuses("use bridge")


def test_lantern_lets_a_same_type_play_have_three_cards() -> None:
    table = Table("A0<> A0<> A1<", display="E0<>", acorns=1, tiles="lantern").play("use lantern")
    table.play("play A0<>", "put A0<>")
    assert table.words == ["put type 0 value 1 left", "done"]
    table.play("put A1<")
    assert table.now["turn"]["main_done"]
    assert table.row() == ["A0<> A0<> A1<"]


def test_lantern_is_offered_only_if_three_cards_can_be_laid() -> None:
    more = {"display": "E0<>", "acorns": 1, "tiles": "lantern"}
    assert Table("A0<> A0<> A2<", **more).refuses("use lantern")  # a gap
    assert Table("A1< A2< A3", **more).refuses("use lantern")  # no 0
    assert Table("A1< A2< A3", rows=[["A0<>"]], **more).offers("use lantern")
    assert Table("A2< A3 A3", rows=[["A0<> A1<"]], **more).refuses("use lantern")  # a 3 is the last
    assert Table("A2< A2< A3", rows=[["A0<> A1<"]], **more).offers("use lantern")


def test_teahouse_activates_for_one_acorn() -> None:
    more = {"display": "E0<>", "tiles": "teahouse", "objectives": "zeros"}
    table = Table("A1<", acorns=2, **more)
    assert table.refuses("activate")
    table.play("use teahouse", "activate", "take most zeros")
    assert table.acorns() == 0


def test_teahouse_only_if_its_acorn_can_be_there() -> None:
    more = {"display": "E0<>", "tiles": "teahouse", "objectives": "zeros"}
    assert Table("A1<", acorns=1, **more).refuses("use teahouse")
    assert Table("A1< A2<", acorns=1, **more).offers("use teahouse")
    assert Table("A1<", acorns=5, display="E0<>", tiles="teahouse").refuses("use teahouse")


def test_moon_pays_the_bonus_for_a_same_type_play_of_one_card_too() -> None:
    table = Table("A0<>", rows=[PAIR], display="E0<>", acorns=1, tiles="moon")
    assert table.play("use moon", "play A0<>", "done").acorns() == 2
    table = Table("A0<> A0<>", rows=[PAIR], display="E0<>", acorns=1, tiles="moon")
    assert table.play("use moon", "play A0<>", "put A0<>").acorns() == 2


def test_moon_needs_a_card_that_fits() -> None:
    assert Table("A1<", display="E0<>", acorns=1, tiles="moon").refuses("use moon")


@pytest.mark.parametrize("tile", ["lantern", "moon", "teahouse", "wind"])
def test_tiles_that_change_the_main_action_come_before_it(tile: str) -> None:
    table = Table("A0<> A0<> A0<>", display="D0<> E0<>", acorns=5, tiles=tile, objectives="zeros")
    assert table.offers(f"use {tile}")
    revealed = table.game.copy()
    table.play("collect type 3")
    assert table.refuses(f"use {tile}")
    table.game = revealed
    table.play("reveal")
    assert table.refuses(f"use {tile}") == (tile != "wind")


def test_effects_of_tiles_last_for_the_turn_only() -> None:
    table = Table(["A0<> A0<> A1<", "F1<"], display="D0<> E0<>", acorns=1, tiles="lantern").play(
        "use lantern", "collect type 3", "end turn", "collect type 4", "end turn"
    )
    table.play("play A0<>", "put A0<>")
    assert table.now["turn"]["main_done"]


# ---------------------------------------------------------------- the draft


def test_draft_keep_one_pass_the_rest_left_until_each_has_three() -> None:
    game = Momiji(1, num_players=3, landscapes="draft")
    game.reset(4)
    table = game.snapshot(0)
    first = table["first"]
    hands = table["draft"]["offered"]
    assert [len(hand) for hand in hands] == [3, 3, 3]
    for round_ in (1, 2):
        for step in range(3):
            assert game.snapshot(0)["to_act"] == (first + step) % 3
            assert game.snapshot(0)["draft"]["round"] == round_
            seat = game.snapshot(0)["to_act"]
            picks = game.snapshot(0)["draft"]["picks"]
            assert picks[seat] is None
            game.step(game.random_legal())
        if round_ == 1:
            after = game.snapshot(0)
            rests = []
            for seat in range(3):
                rest = list(hands[seat])
                rest.remove(after["unused"][seat][0])
                rests.append(sorted(rest))
            passed = [sorted(hand) for hand in after["draft"]["offered"]]
            assert passed == [rests[(seat - 1) % 3] for seat in range(3)]
    table = game.snapshot(0)
    assert table["draft"] is None
    assert [len(tiles) for tiles in table["unused"]] == [3, 3, 3]  # the last came by itself
    assert (table["phase"], table["to_act"], table["turns"]) == ("turn", first, 1)


def test_draft_from_two_tiles_of_each_power() -> None:
    game = Momiji(200, num_players=4, landscapes="draft")
    game.reset(0)
    dealt = game.board.offered.sum(axis=0)
    assert dealt.max() == 2
    assert (dealt.sum(axis=0) == 12).all()


def test_no_landscapes_no_tile_actions() -> None:
    game = Momiji(1, landscapes="none")
    assert "tile" not in game.actions.slices
    assert "swap" not in game.actions.slices


# ---------------------------------------------------------------- objectives and scores


def test_activating_costs_three_acorns_and_needs_them() -> None:
    table = Table("A1<", display="E0<>", acorns=3, objectives="zeros, A, F")
    table.play("activate")
    assert table.words == ["take most zeros", "take most type 0", "take most type 5"]
    table.play("take most type 0")
    assert table.acorns() == 0
    assert table.now["owners"] == {"most type 0": 0}
    assert table.now["objectives"] == ["most zeros", "most type 5"]
    two_short = Table("A1<", display="E0<>", acorns=1, objectives="zeros")
    assert two_short.refuses("activate")
    assert Table("A1<", display="E0<>", acorns=2, objectives="zeros").refuses("activate")


def test_no_activating_with_nothing_in_the_middle() -> None:
    assert Table("A1<", display="E0<>", acorns=9).refuses("activate")


def scores(rows: list[list[str]], owners: dict[str, int], **more: object) -> list[int]:
    return Table("A1<", rows=rows, owners=owners, display="E0<>", **more).now["scores"]


def test_a_pile_scores_its_top_value_times_its_cards() -> None:
    assert scores([["A0<> A0<> A1< A2<", "B0<>"]], {}) == [8, 0]


def test_the_best_pile_is_13_cards_and_39_points() -> None:
    best = "A0<> A0<> A0<> A0<> A0<> A1< A1< A1> A1> A2< A2< A2< A3"
    assert scores([[best]], {}) == [39, 0]


def test_each_acorn_scores_one() -> None:
    assert scores([[], []], {}, acorns=[4, 7]) == [4, 7]


def test_owner_scores_10_and_other_best_players_3() -> None:
    one = [["A0<>"], ["A0<>"], ["B0<>"]]
    assert scores(one, {"A": 0}, players=3) == [10, 3, 0]
    assert scores(one, {"A": 2}, players=3) == [3, 3, 0]


def test_an_owner_who_is_not_best_scores_nothing() -> None:
    assert scores([["A0<>"], ["A0<> A0<>"]], {"A": 0}) == [0, 3]


def test_nobody_scores_an_objective_whose_best_count_is_0() -> None:
    assert scores([["A0<>"], []], {"B": 0, "tops": 1}) == [0, 0]


def test_most_zeros_counts_covered_cards_too() -> None:
    assert scores([["A0<> A0<> A1<"], ["B0<>"]], {"zeros": 0}) == [3 + 10, 0]


def test_highest_tops_counts_a_closed_pile_as_3() -> None:
    rows = [["A0<> A1< A2< A3"], ["B0<> B1<", "C0<> C1<"]]
    assert scores(rows, {"tops": 0}) == [12 + 10, 4]


def test_cards_in_hand_do_not_count_for_objectives() -> None:
    table = Table("A0<> A0<>", rows=[[], ["A0<>"]], owners={"A": 0}, display="E0<>")
    assert table.now["scores"] == [0, 3]


def test_an_objective_in_the_middle_scores_nothing() -> None:
    assert scores([["A0<>"], []], {}, objectives="A") == [0, 0]


def test_a_tie_is_shared() -> None:
    table = Table("A1<", display="E0<>", deck="", acorns=[3, 3]).play("collect type 4", "end turn")
    assert table.game.winners[:, 0].tolist() == [True, True]
    assert table.game.rewards[:, 0].tolist() == [0, 0]
