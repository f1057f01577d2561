"""Positions set by hand, one or more for each effect and ruling of the rules page of Origami.

Fillers used below, all without an instant effect: folds 1: Minnow, Ant (cost 2); folds 2: Chicken
(cost 4); folds 3: Rabbit, Bee, Gorilla; folds 4: Whale.
"""

from __future__ import annotations

import copy as copying
import random
from collections import Counter
from pathlib import Path

import pytest

from .origami import OrigamiOracle, can_total, random_deal

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib


_COMPONENTS = Path(__file__).parents[2] / "fold_envs" / "games" / "origami" / "components.toml"
CARDS = tomllib.loads(_COMPONENTS.read_text(encoding="utf-8"))["card"]
BY_NAME = {row["name"]: row for row in CARDS}
COPIES = {row["name"]: row["copies"] for row in CARDS}


def table(**changes: dict) -> list[dict]:
    """Changes some rows of the default cards, as in Shark={"amount": 2}."""
    return [{**row, **changes.get(row["name"], {})} for row in CARDS]


def first_of_hand(kind: str, info: dict):
    """A chance without chance: the sorted discards are the deck, the first card is stolen."""
    return info["cards"] if kind == "reshuffle" else info["hand"][0]


def position(hands: list[list[str]], cards: list[dict] = CARDS, **places) -> OrigamiOracle:
    """A position with a full line and a deep deck, unless given otherwise."""
    places.setdefault("line", ["Whale"] * 4)
    places.setdefault("deck", ["Bee"] * 20)
    places.setdefault("chance", first_of_hand)
    return OrigamiOracle.position(cards, hands, **places)


def play(game: OrigamiOracle, *words: str) -> OrigamiOracle:
    for word in words:
        game.step(word)
    return game


def top_game(top: str, hand: list[str], **places) -> OrigamiOracle:
    """Seat 0 has this card on top of collection 0, seat 1 holds one Minnow."""
    places.setdefault("collections", [[[top], []], [[], []]])
    return position([hand, ["Minnow"]], **places)


# ---------------------------------------------------------------------- set-up


@pytest.mark.parametrize("players", [2, 3, 4])
def test_deal_is_complete_and_the_fewest_folds_start(players):
    for seed in range(50):
        deal = random_deal(players, random.Random(seed), CARDS)
        totals = [sum(BY_NAME[name]["folds"] for name in hand) for hand in deal["hands"]]
        assert all(10 <= total <= 13 for total in totals)
        for seat, hand in enumerate(deal["hands"]):
            assert totals[seat] - BY_NAME[hand[-1]]["folds"] < 10
        assert totals[deal["start"]] == min(totals)
        assert len(deal["line"]) == 4
        everything = Counter(deal["line"] + deal["deck"])
        for hand in deal["hands"]:
            everything.update(hand)
        wanted = {n: c for n, c in COPIES.items() if BY_NAME[n]["family"] in deal["families"]}
        assert everything == wanted
        game = OrigamiOracle(deal, CARDS)
        assert (game.phase, game.to_act) == ("turn", deal["start"])


def test_deal_draws_families_and_lots_and_takes_given_families():
    deals = [random_deal(2, random.Random(seed), CARDS) for seed in range(200)]
    assert {family for deal in deals for family in deal["families"]} == {
        row["family"] for row in CARDS
    }
    assert {deal["start"] for deal in deals} == {0, 1}
    given = random_deal(2, random.Random(0), CARDS, ["sea", "farm"])
    assert given["families"] == ["sea", "farm"]
    with pytest.raises(ValueError):
        random_deal(3, random.Random(0), CARDS, ["sea", "farm"])


def test_card_table_as_the_page_says():
    assert sum(COPIES.values()) == 90
    folds = Counter()
    for row in CARDS:
        folds[row["folds"]] += row["copies"]
    assert folds == {1: 21, 2: 29, 3: 24, 4: 16}
    families = Counter()
    for row in CARDS:
        families[row["family"]] += row["copies"]
    assert set(families.values()) == {18}


def test_can_total():
    assert can_total([], 0)
    assert can_total([2, 2, 3], 5)
    assert not can_total([2, 2, 3], 6)
    assert not can_total([4], -1)


def test_illegal_words_and_unknown_options_are_refused():
    game = position([["Minnow"], []])
    with pytest.raises(ValueError):
        game.step("play Minnow")
    with pytest.raises(TypeError):
        position([["Minnow"], []], colour="red")


# ---------------------------------------------------------------------- draw


def test_draw_takes_rising_kinds_up_to_four_folds_at_least_one_then_refills():
    line, deck = ["Cat", "Sheep", "Cat", "Ant"], ["Fox", "Owl", "Pig", "Fly"]
    game = position([[], []], line=line, deck=deck)
    play(game, "draw")
    assert game.legal() == ["take Ant", "take Cat", "take Sheep"]  # no stop yet
    play(game, "take Cat")
    assert game.legal() == ["stop", "take Ant", "take Cat", "take Sheep"]
    play(game, "take Sheep")
    assert game.legal() == ["stop", "take Ant"]  # Cat would not rise
    play(game, "stop")
    assert game.hands[0] == ["Cat", "Sheep"]
    assert Counter(game.line) == Counter(["Cat", "Ant", "Fox", "Owl"])
    assert game.deck == ["Pig", "Fly"]
    assert (game.to_act, game.phase) == (1, "turn")


def test_taking_stops_by_itself_when_nothing_of_a_rising_kind_fits():
    game = position([[], []], line=["Cat", "Cat", "Ant", "Whale"])
    play(game, "draw", "take Ant")  # three folds left, but only lower kinds and the Whale
    assert (game.to_act, game.hands[0]) == (1, ["Ant"])


def test_draw_with_an_empty_line_only_refills():
    game = position([[], []], line=[], deck=["Cat", "Owl"])
    assert game.legal() == ["draw"]
    play(game, "draw")
    assert (game.line, game.hands[0], game.to_act) == (["Cat", "Owl"], [], 1)


def test_draw_with_nothing_at_all_passes():
    game = position([["Minnow"], []], line=[], deck=[], collections=[[["Cat"], []], [[], []]])
    play(game, "draw")
    assert (game.to_act, game.line) == (1, [])


# ---------------------------------------------------------------------- playing and paying


def test_playing_is_offered_only_with_an_exact_payment_of_other_cards():
    # Minnow costs 2. One other Minnow is 1 fold, the Rabbit 3: no exact payment.
    assert position([["Minnow", "Minnow", "Rabbit"], []]).legal() == ["draw"]
    game = position([["Minnow", "Minnow", "Minnow"], []])
    assert game.legal() == ["draw", "play Minnow"]


def test_paying_goes_in_rising_kinds_and_never_ends_in_a_dead_end():
    # Pig costs 6: 2+4, 1+2+3 or 1+1+4 ... of Cat Cat Chicken Whale.
    game = position([["Cat", "Cat", "Chicken", "Whale", "Pig"], []])
    play(game, "play Pig")
    assert game.playing == "Pig"
    assert game.legal() == ["pay Cat", "pay Chicken"]  # Whale first would leave 2 unpaid
    play(game, "pay Cat")
    assert game.legal() == ["pay Cat"]  # one fold more is needed beside the Whale
    play(game, "pay Cat")
    assert game.legal() == ["pay Whale"]  # a single word is asked as well
    play(game, "pay Whale")
    assert game.discards == ["Cat", "Cat", "Whale"]
    assert game.phase == "place"


def test_first_origami_goes_to_collection_0_and_sizes_differ_by_at_most_one():
    game = position([["Minnow"] * 9, []])
    for expected in (["0"], ["1"], ["0", "1"]):
        play(game, "play Minnow", "pay Minnow", "pay Minnow")
        assert game.legal() == [f"to collection {index}" for index in expected]
        play(game, f"to collection {expected[-1]}", "draw", "take Whale")
    assert [len(pile) for pile in game.collections[0]] == [1, 2]


def test_of_two_equal_tops_use_is_offered_once():
    game = top_game("Fox", [], collections=[[["Fox"], ["Fox"]], [[], []]])
    assert game.legal() == ["draw", "use Fox"]
    game = top_game("Fox", [], collections=[[["Fox"], ["Magpie"]], [[], []]])
    assert game.legal() == ["draw", "use Fox", "use Magpie"]


def test_a_covered_special_loses_its_action():
    assert top_game("Fox", [], collections=[[["Fox", "Ant"], []], [[], []]]).legal() == ["draw"]


# ---------------------------------------------------------------------- optional instants


PAYMENTS = {
    2: ["Chicken"],
    3: ["Rabbit"],
    4: ["Whale"],
    5: ["Rabbit", "Chicken"],
    6: ["Chicken", "Whale"],
    7: ["Rabbit", "Whale"],
    8: ["Whale", "Whale"],
    9: ["Rabbit", "Chicken", "Whale"],
}


def play_instant(
    name: str, hand: list[str], other: list[str], to: int = 0, **places
) -> OrigamiOracle:
    """Seat 0 holds this card, a payment and this hand, and plays the card."""
    payment = PAYMENTS[BY_NAME[name]["cost"]]
    game = position([[name, *payment, *hand], other], **places)
    words = [f"pay {paid}" for paid in payment]
    return play(game, f"play {name}", *words, f"to collection {to}")


def test_draw_asks_and_draws():
    game = play_instant("Pig", [], [], deck=["Cat", "Owl", "Fox"])
    assert (game.phase, game.legal()) == ("instant", ["no", "yes"])
    refused = copying.deepcopy(game)
    play(game, "yes")
    assert (game.hands[0], game.deck, game.to_act) == (["Cat", "Owl"], ["Fox"], 1)
    play(refused, "no")
    assert (refused.hands[0], refused.to_act) == ([], 1)


def test_what_would_do_nothing_is_not_asked():
    # The paid cards are discards, so that something can be drawn unless nothing was paid.
    lion = [[["Lion"], []], [[], []]]
    for name in ("Cat", "Dove", "Dog", "Sheep", "Shark", "Parrot", "Eagle", "Owl", "Zebra"):
        game = position([[name], []], line=[], deck=[], collections=lion)
        play(game, "use Lion", f"play {name}", "to collection 1")
        assert game.to_act == 1, name
    game = position([["Rhino"], []], line=[], deck=[], collections=lion)
    assert play(game, "use Lion", "play Rhino", "to collection 1").to_act == 1


def test_line_instant_may_stop_at_once_which_is_its_refusal():
    game = play_instant("Caterpillar", [], [], line=["Cat", "Minnow", "Whale"], deck=["Bee"] * 3)
    assert game.legal() == ["stop", "take Cat", "take Minnow"]
    refused = play(copying.deepcopy(game), "stop")
    assert (refused.to_act, refused.hands[0], len(refused.line)) == (1, [], 3)
    play(game, "take Cat")
    assert game.legal() == ["stop", "take Minnow"]
    play(game, "take Minnow")  # two folds: stops by itself, then refill
    assert (game.to_act, game.hands[0]) == (1, ["Cat", "Minnow"])
    assert Counter(game.line) == {"Whale": 1, "Bee": 3}


def test_line_instant_is_not_asked_when_nothing_fits():
    game = play_instant("Monkey", [], [], line=["Whale"] * 4)
    assert game.to_act == 1


def test_all_draw_the_player_first_then_clockwise():
    deck = ["Cat", "Owl", "Fox", "Pig", "Fly"]
    hands = [["Bee"], ["Bee"], ["Dove", "Whale"]]
    game = position(hands, deck=deck, turn=2)
    play(game, "play Dove", "pay Whale", "to collection 0", "yes")
    assert game.hands == [["Fox", "Bee"], ["Pig", "Bee"], ["Cat", "Owl"]]


def test_draw_discard_draws_then_discards_one_of_the_hand():
    game = play_instant("Owl", ["Bee"], [], deck=["Cat", "Cat", "Fox", "Ant"])
    play(game, "yes")
    assert game.legal() == ["discard Bee", "discard Cat", "discard Fox"]
    play(game, "discard Bee")
    assert (game.hands[0], game.to_act) == (["Cat", "Cat", "Fox"], 1)
    assert "Bee" in game.discards


def test_draw_discard_with_nothing_to_draw_is_still_asked_with_cards_in_hand():
    lion = [[["Lion"], []], [[], []]]
    game = position([["Owl", "Bee"], []], line=[], deck=[], collections=lion)
    play(game, "use Lion", "play Owl", "to collection 1", "yes")
    assert game.legal() == ["discard Bee"]


def test_draw_sheep_counts_everybodys_collections_covered_too_and_the_line():
    piles = [[["Sheep", "Ant"], ["Ant"]], [["Cat"], ["Sheep"]]]
    line = ["Sheep", "Whale", "Whale", "Whale"]
    game = play_instant("Dog", ["Sheep"], [], to=1, collections=piles, line=line)
    play(game, "yes")  # 1 + 3; the Sheep in hand does not count
    assert len(game.hands[0]) == 1 + 4


def test_sweep_line_discards_refills_then_takes_at_most_k_folds():
    deck = ["Cat", "Owl", "Minnow", "Fox", "Pig", "Pig"]
    game = play_instant("Roundel Skate", [], [], line=["Whale"] * 3 + ["Sheep"], deck=deck)
    play(game, "yes")
    assert Counter(game.discards) == {"Whale": 4, "Sheep": 1}  # one Whale was the payment
    assert game.legal() == ["stop", "take Cat", "take Minnow"]
    play(game, "take Cat", "take Minnow")
    assert game.hands[0] == ["Cat", "Minnow"]


def test_sweep_line_amount_defaults_to_1_and_0_takes_none():
    deck = ["Cat", "Owl", "Minnow", "Fox", "Pig", "Pig"]
    game = play(play_instant("Rhino", [], [], deck=deck), "yes")
    assert game.legal() == ["stop", "take Cat", "take Minnow"]
    play(game, "take Cat")
    assert game.to_act == 1
    none = play(play_instant("Rhino", [], [], deck=deck, cards=table(Rhino={"amount": 0})), "yes")
    assert none.to_act == 1
    assert Counter(none.line) == Counter(deck[:4])


def test_the_line_is_refilled_only_when_a_draw_or_effect_says_so():
    deck = ["Cat", "Owl", "Minnow", "Fox", "Pig", "Pig"]
    game = play_instant("Roundel Skate", [], [], deck=deck)
    play(game, "yes", "take Minnow")
    assert len(game.line) == 3
    line = ["Chicken", "Whale", "Whale", "Whale"]
    game = play(top_game("Spider", [], line=line), "use Spider", "take Chicken", "take Whale")
    assert game.line == ["Whale", "Whale"]
    game = top_game("Spider", [], line=line, refill_after_exact_and_sweep=True)
    assert len(play(game, "use Spider", "take Chicken", "take Whale").line) == 4


# ---------------------------------------------------------------------- steal, discard, pass


def test_steal_one_opponent_with_cards_a_random_card():
    asked = []

    def chance(kind: str, info: dict) -> str:
        asked.append((kind, info))
        return "Ant"

    hands = [["Eagle", "Chicken", "Rabbit", "Whale"], ["Cat"], [], ["Cat", "Ant"]]
    known = [[{} for _ in hands] for _ in hands]
    known[2][3] = {"Cat": 1}
    game = position(hands, chance=chance, known=known)
    play(game, "play Eagle", "pay Rabbit", "pay Chicken", "pay Whale", "to collection 0")
    assert game.legal() == ["no", "steal from seat 1", "steal from seat 3"]
    refused = play(copying.deepcopy(game), "no")
    assert (refused.to_act, refused.hands[0]) == (1, [])
    play(game, "steal from seat 3")
    assert asked == [("steal", {"by": 0, "from": 3, "hand": ["Cat", "Ant"]})]
    assert game.hands == [["Ant"], ["Cat"], [], ["Cat"]]
    # The victim knows what the thief has; a bystander no longer knows of the Cat.
    assert game.knowledge(3)["known"][0] == {"Ant": 1}
    assert game.knowledge(2)["known"][0] == {}
    assert game.knowledge(2)["known"][3] == {}


def test_opponents_discard_clockwise_from_the_left_secret_and_together():
    hands = [["Cat", "Ant"], ["Shark", "Whale", "Whale"], [], ["Owl"]]
    known = [[{} for _ in hands] for _ in hands]
    known[1][0] = {"Cat": 1}
    game = position(hands, turn=1, known=known)
    play(game, "play Shark", "pay Whale", "pay Whale", "to collection 0", "yes")
    assert (game.phase, game.to_act, game.waiting) == ("give up", 3, [3, 0])  # seat 2 has none
    assert game.legal() == ["discard Owl"]
    before = game.knowledge(0)
    play(game, "discard Owl")
    after = game.knowledge(0)
    for key in ("hand_sizes", "known", "discards", "hand", "chosen"):
        assert before[key] == after[key], key
    assert game.knowledge(3)["chosen"] == ["Owl"]
    assert game.to_act == 0
    play(game, "discard Cat")
    assert game.discards == ["Cat", "Owl", "Whale", "Whale"]
    assert (game.hands, game.to_act) == ([["Ant"], [], [], []], 2)
    assert game.known[1][0] == {}


def test_opponents_discard_more_than_one_in_rising_kinds_with_fewer_cards_all():
    cards = table(Shark={"amount": 2})
    hands = [["Shark", "Whale", "Whale"], ["Cat", "Owl", "Ant"], ["Fly"]]
    game = position(hands, cards)
    play(game, "play Shark", "pay Whale", "pay Whale", "to collection 0", "yes")
    assert game.legal() == ["discard Cat", "discard Owl"]  # after Ant nothing rises
    play(game, "discard Owl")
    assert game.legal() == ["discard Ant"]
    play(game, "discard Ant", "discard Fly")
    assert game.hands == [[], ["Cat"], []]


def test_pass_right_the_player_first_then_clockwise_all_at_once():
    hands = [["Cat"], ["Zebra", "Rabbit", "Owl"], ["Ant", "Fly"]]
    known = [[{} for _ in hands] for _ in hands]
    known[0][1] = {"Owl": 1}
    known[0][2] = {"Ant": 1}
    known[2][0] = {"Cat": 1}
    game = position(hands, turn=1, known=known)
    play(game, "play Zebra", "pay Rabbit", "to collection 0", "yes")
    assert (game.to_act, game.legal()) == (1, ["pass Owl"])
    play(game, "pass Owl")
    assert game.hands[1] == ["Owl"]  # still there for all to count
    assert game.knowledge(2)["chosen"] == []
    assert game.legal() == ["pass Ant", "pass Fly"]
    play(game, "pass Fly", "pass Cat")
    assert game.hands == [["Owl"], ["Fly"], ["Cat", "Ant"]]
    # Seat 0 saw the Owl come, gave the Cat, and saw nothing of what seat 2 lost.
    assert game.knowledge(0)["known"] == [{"Owl": 1}, {}, {"Cat": 1}]
    # Seat 1 gave the Owl to seat 0 and received the Fly.
    assert game.knowledge(1)["known"] == [{"Owl": 1}, {"Fly": 1}, {}]
    # Seat 2 received the Cat, so that it knows seat 0 has no longer this one.
    assert game.knowledge(2)["known"] == [{}, {"Fly": 1}, {"Cat": 1, "Ant": 1}]


def test_pass_right_between_two_players_is_known_to_both():
    known = [[{}, {"Cat": 1, "Fly": 1}], [{"Owl": 1}, {}]]
    game = position([["Zebra", "Rabbit", "Owl"], ["Cat", "Fly"]], known=known)
    play(game, "play Zebra", "pay Rabbit", "to collection 0", "yes", "pass Owl", "pass Fly")
    assert game.hands == [["Fly"], ["Cat", "Owl"]]
    assert game.known == [[{}, {"Cat": 1, "Owl": 1}], [{"Fly": 1}, {}]]


def test_pass_right_with_empty_hands_they_pass_nothing_but_receive():
    game = position([["Zebra", "Rabbit"], ["Cat"], []])
    play(game, "play Zebra", "pay Rabbit", "to collection 0", "yes")
    assert (game.to_act, game.legal()) == (1, ["pass Cat"])  # the player's own hand is empty
    play(game, "pass Cat")
    assert game.hands == [["Cat"], [], []]
    # A seat with an empty hand to its left gives and receives nothing.
    game = position([["Zebra", "Rabbit", "Owl"], [], []])
    play(game, "play Zebra", "pay Rabbit", "to collection 0", "yes", "pass Owl")
    assert game.hands == [[], [], ["Owl"]]


def test_pass_right_is_not_asked_when_all_hands_are_empty():
    game = position([["Zebra", "Rabbit"], [], []])
    play(game, "play Zebra", "pay Rabbit", "to collection 0")
    assert game.to_act == 1


# ---------------------------------------------------------------------- copy


def test_copy_offers_each_different_effect_once_of_tops_and_line():
    # The Pig (draw 2) is covered, the Fox is special, Parrot and Snake are never copied.
    piles = [[["Ant"], []], [["Pig", "Eagle"], ["Fox"]]]
    line = ["Cat", "Raccoon", "Snake", "Parrot"]
    game = play_instant("Parrot", [], ["Owl"], to=1, collections=piles, line=line)
    assert game.legal() == ["copy draw 1", "copy steal 1", "no"]
    play(game, "no")
    assert (game.to_act, game.hands[0]) == (1, [])


def test_copy_does_not_see_the_card_it_covers():
    piles = [[["Pig"], ["Ant"]], [[], []]]
    above = play_instant("Parrot", [], [], to=0, collections=piles)
    assert above.to_act == 1  # nothing is left to be copied, so it is not asked
    beside = play_instant("Parrot", [], [], to=1, collections=piles)
    assert beside.legal() == ["copy draw 2", "no"]


def test_copy_zebra_is_carried_out_without_another_question():
    line = ["Zebra", "Whale", "Whale", "Whale"]
    game = play_instant("Parrot", ["Cat"], ["Ant"], line=line)
    assert game.legal() == ["copy pass_right", "no"]
    play(game, "copy pass_right")
    assert (game.phase, game.legal()) == ("pass", ["pass Cat"])
    play(game, "pass Cat", "pass Ant")
    assert game.hands == [["Ant"], ["Cat"]]


def test_copy_does_not_offer_what_would_do_nothing():
    line = ["Zebra", "Shark", "Eagle", "Whale"]
    assert play_instant("Parrot", [], [], line=line).to_act == 1
    game = play_instant("Parrot", [], ["Ant"], line=[*line[:3], "Squid"])
    wanted = ["copy line 3", "copy opponents_discard 1", "copy pass_right", "copy steal 1", "no"]
    assert game.legal() == wanted


def test_copied_steal_and_line_follow_at_once():
    line = ["Eagle", "Sheep", "Minnow", "Whale"]
    game = play_instant("Parrot", [], ["Ant"], line=line)
    assert game.legal() == ["copy line 2", "copy steal 1", "no"]
    other = play(copying.deepcopy(game), "copy line 2")
    assert other.legal() == ["stop", "take Minnow", "take Sheep"]  # instants may take none
    play(game, "copy steal 1")
    assert game.legal() == ["steal from seat 1"]
    play(game, "steal from seat 1")
    assert game.hands == [["Ant"], []]


def test_the_other_readings_of_copying():
    line = ["Eagle", "Sheep", "Minnow", "Whale"]
    options = {"copied_line_may_stop": False, "copied_steal_may_refuse": True}
    game = play_instant("Parrot", [], ["Ant"], line=line, **options)
    other = play(copying.deepcopy(game), "copy line 2")
    assert other.legal() == ["take Minnow", "take Sheep"]
    assert play(game, "copy steal 1").legal() == ["no", "steal from seat 1"]


# ---------------------------------------------------------------------- place_under


def test_snake_under_a_collection_keeps_the_action_of_its_top():
    piles = [[["Fox"], ["Ant"]], [[], []]]
    game = play_instant("Snake", [], [], collections=piles)
    assert game.legal() == ["no", "yes"]
    over = play(copying.deepcopy(game), "no")
    assert over.collections[0][0] == ["Fox", "Snake"]
    play(game, "yes")
    assert game.collections[0] == [["Snake", "Fox"], ["Ant"]]
    play(game, "draw", "take Whale")
    assert "use Fox" in game.legal()


def test_snake_may_not_go_under_an_empty_collection_and_sizes_stay_as_usual():
    assert play_instant("Snake", [], []).to_act == 1
    piles = [[["Fox"], []], [[], []]]
    game = position([["Snake", "Rabbit", "Chicken"], []], collections=piles)
    play(game, "play Snake", "pay Rabbit", "pay Chicken")
    assert game.legal() == ["to collection 1"]
    assert play(game, "to collection 1").to_act == 1


# ---------------------------------------------------------------------- special actions


def test_magpie_takes_at_least_one_up_to_five_folds():
    line = ["Cat", "Minnow", "Rabbit", "Whale"]
    game = play(top_game("Magpie", [], line=line), "use Magpie")
    assert game.legal() == ["take Cat", "take Minnow", "take Rabbit", "take Whale"]
    play(game, "take Cat")
    assert game.legal() == ["stop", "take Minnow", "take Rabbit", "take Whale"]
    play(game, "take Whale")
    assert (game.hands[0], game.to_act, len(game.line)) == (["Cat", "Whale"], 1, 4)
    assert top_game("Magpie", [], line=[]).legal() == ["draw"]


def test_spider_takes_exactly_6_in_rising_kinds_without_stop():
    line = ["Cat", "Cat", "Chicken", "Whale"]
    game = play(top_game("Spider", [], line=line), "use Spider")
    assert game.legal() == ["take Cat", "take Chicken"]
    play(game, "take Cat")
    assert game.legal() == ["take Cat"]
    play(game, "take Cat")
    assert game.legal() == ["take Whale"]
    play(game, "take Whale")
    assert (game.hands[0], game.to_act) == (["Cat", "Cat", "Whale"], 1)


def test_spider_is_not_usable_when_exactly_6_is_impossible():
    for line in (["Whale"] * 4, ["Cat"] * 4, ["Whale", "Cat"], []):
        assert top_game("Spider", [], line=line).legal() == ["draw"]


def test_fox_draws_three_discards_one_of_these_and_keeps_two():
    game = top_game("Fox", ["Bee"], deck=["Cat", "Owl", "Cat", "Pig"])
    game.known[1][0] = {"Bee": 1}
    play(game, "use Fox")
    assert (game.phase, game.legal()) == ("look", ["discard Cat", "discard Owl"])
    assert game.knowledge(0)["looked"] == ["Cat", "Cat", "Owl"]
    assert game.knowledge(1)["looked"] == []
    assert (game.knowledge(1)["looked_count"], game.knowledge(1)["hand_sizes"]) == (3, [1, 1])
    play(game, "discard Cat")
    assert (game.hands[0], game.discards) == (["Cat", "Owl", "Bee"], ["Cat"])
    assert game.known[1][0] == {"Bee": 1}


def test_fox_discarding_a_looked_at_card_says_nothing_of_an_equal_card_in_hand():
    game = top_game("Fox", ["Cat"], deck=["Cat", "Owl", "Owl", "Pig"])
    game.known[1][0] = {"Cat": 1}
    play(game, "use Fox", "discard Cat")
    assert game.known[1][0] == {"Cat": 1}


def test_fox_with_fewer_than_three_still_discards_one():
    game = play(top_game("Fox", [], deck=["Cat"]), "use Fox")
    assert game.legal() == ["discard Cat"]
    play(game, "discard Cat")
    assert (game.hands[0], game.discards) == ([], ["Cat"])
    assert top_game("Fox", [], deck=[]).legal() == ["draw"]
    assert "use Fox" in top_game("Fox", [], deck=[], discards=["Cat"]).legal()


def test_lion_plays_free_and_may_cover_itself():
    game = top_game("Lion", ["Whale"], collections=[[["Lion"], ["Ant"]], [[], []]])
    play(game, "use Lion")
    assert game.legal() == ["play Whale"]  # it must play
    play(game, "play Whale")
    assert game.legal() == ["to collection 0", "to collection 1"]
    play(game, "to collection 0")
    assert game.collections[0] == [["Lion", "Whale"], ["Ant"]]
    assert (game.discards, game.to_act) == ([], 1)


def test_lion_is_usable_only_with_a_card_to_play_and_the_instant_works():
    assert top_game("Lion", []).legal() == ["draw"]
    game = play(top_game("Lion", ["Pig"]), "use Lion", "play Pig", "to collection 1", "yes")
    assert game.hands[0] == ["Bee", "Bee"]


def test_dolphin_discounts_to_cost_0_and_not_below():
    game = top_game("Dolphin", ["Minnow"])
    assert game.legal() == ["draw", "use Dolphin"]
    play(game, "use Dolphin", "play Minnow")
    assert (game.phase, game.discards) == ("place", [])
    deeper = table(Dolphin={"amount": 5})
    game = position([["Minnow"], []], deeper, collections=[[["Dolphin"], []], [[], []]])
    assert play(game, "use Dolphin", "play Minnow").phase == "place"


def test_dolphin_is_usable_only_when_the_lower_cost_can_be_paid_exactly():
    assert top_game("Dolphin", ["Chicken"]).legal() == ["draw"]  # costs 2, nothing to pay with
    game = play(top_game("Dolphin", ["Chicken", "Minnow", "Ant"]), "use Dolphin")
    assert game.legal() == ["play Ant", "play Chicken", "play Minnow"]
    play(game, "play Chicken", "pay Minnow", "pay Ant", "to collection 1")
    assert game.collections[0][1] == ["Chicken"]


def test_cricket_may_not_play_the_card_just_taken_but_pay_with_it():
    line = ["Minnow", "Whale", "Whale", "Whale"]
    game = play(top_game("Cricket", ["Minnow", "Ant"], line=line), "use Cricket")
    assert game.legal() == ["take Minnow", "take Whale"]
    play(game, "take Minnow")
    assert len(game.line) == 4  # refilled before any playing
    # The second copy held before may be played, and Ant is paid with both Minnows.
    assert game.legal() == ["no", "play Ant", "play Minnow"]
    play(game, "play Minnow", "pay Minnow", "pay Ant", "to collection 1")
    assert (game.hands[0], game.collections[0][1]) == ([], ["Minnow"])


def test_cricket_without_a_second_copy_cannot_play_the_kind_taken():
    line = ["Minnow", "Whale", "Whale", "Whale"]
    game = play(top_game("Cricket", ["Ant", "Ant"], line=line), "use Cricket", "take Minnow")
    assert game.legal() == ["no", "play Ant"]
    play(game, "no")
    assert (game.hands[0], game.to_act) == (["Minnow", "Ant", "Ant"], 1)


def test_cricket_is_usable_when_a_card_can_be_taken_and_asks_with_only_no():
    assert top_game("Cricket", ["Ant", "Ant"], line=[]).legal() == ["draw"]
    game = play(top_game("Cricket", []), "use Cricket", "take Whale")
    assert game.legal() == ["no"]
    game = play(top_game("Cricket", [], ask_when_no_play=False), "use Cricket", "take Whale")
    assert game.to_act == 1


def test_vulture_payment_contains_the_shown_card_which_is_never_played():
    game = top_game("Vulture", ["Ant", "Minnow", "Rabbit"], deck=["Ant", "Owl"])
    play(game, "use Vulture")
    assert (game.shown, game.hands[0]) == ("Ant", ["Rabbit", "Minnow", "Ant"])
    # The Rabbit costs 5: shown Ant and 4 more, which cannot be made of Minnow and Ant.
    assert game.legal() == ["no", "play Ant", "play Minnow"]
    assert game.knowledge(1)["shown"] == "Ant"
    play(game, "play Ant")
    assert (game.discards, game.legal()) == (["Ant"], ["pay Minnow"])
    play(game, "pay Minnow", "to collection 1")
    assert (game.hands[0], game.discards) == (["Rabbit"], ["Minnow", "Ant"])


def test_vulture_shown_card_may_pay_all_but_not_too_much():
    game = play(top_game("Vulture", ["Ant"], deck=["Chicken", "Owl"]), "use Vulture")
    assert play(game, "play Ant").phase == "place"
    game = play(top_game("Vulture", ["Ant", "Ant", "Ant"], deck=["Bee", "Owl"]), "use Vulture")
    assert game.legal() == ["no"]  # an Ant costs 2, the Bee would be 3
    play(game, "no")
    assert (game.shown, game.discards, game.to_act) == (None, ["Bee"], 1)


def test_vulture_is_usable_when_a_card_can_be_drawn():
    assert top_game("Vulture", ["Ant"], deck=[]).legal() == ["draw"]
    assert "use Vulture" in top_game("Vulture", [], deck=[], discards=["Cat"]).legal()


# ---------------------------------------------------------------------- scoring


def score_of(first: list[str], second: list[str], hand: list[str] | None = None) -> int:
    return position([hand or [], []], collections=[[first, second], [[], []]]).scores[0]


def test_points_of_all_cards_covered_too():
    assert score_of(["Eagle", "Cat"], ["Shark"]) == 6 + 1 + 5


def test_rabbit_with_5_cards_in_hand():
    assert score_of(["Rabbit"], [], ["Cat"] * 5) == 2 + 2
    assert score_of(["Rabbit", "Cat"], ["Rabbit"], ["Cat"] * 5) == 2 * (2 + 2) + 1
    assert score_of(["Rabbit"], [], ["Cat"]) == 2


def test_two_whales_together_count_each_other():
    assert score_of(["Whale", "Whale"], ["Minnow"]) == 2 * (4 + 1) + 1
    assert score_of(["Whale"], ["Whale"]) == 8
    assert score_of(["Whale", "Shell", "Cat"], []) == 4 + 1 + 2 + 1


def test_bee_counts_its_family_in_its_collection_with_itself():
    assert score_of(["Bee", "Fly", "Cat"], ["Fly"]) == (2 + 2) + 1 + 1 + 1
    assert score_of(["Bee", "Bee"], []) == 2 * (2 + 2)


def test_chicken_and_gorilla_count_a_name_in_both_collections():
    assert score_of(["Chicken", "Chick"], ["Chick", "Chick"]) == (2 + 3) + 3
    assert score_of(["Gorilla", "Gorilla"], ["Monkey"]) == 2 * (2 + 1) + 1
    assert score_of(["Chicken"], []) == 2


def test_minnow_needs_another_in_the_same_collection():
    assert score_of(["Minnow"], ["Minnow"]) == 2
    assert score_of(["Minnow", "Minnow"], ["Minnow"]) == 2 * 2 + 1
    assert score_of(["Minnow"] * 3, []) == 3 * 2


def test_ant_needs_two_others_in_both_collections_together():
    assert score_of(["Ant", "Ant"], []) == 2
    assert score_of(["Ant", "Ant"], ["Ant"]) == 3 * 2
    assert score_of(["Ant", "Ant"], ["Ant", "Ant", "Ant"]) == 5 * 2


# ---------------------------------------------------------------------- deck


def test_deck_empty_in_the_middle_of_a_draw_is_reshuffled_at_once():
    # Payment: Chicken and Whale. The second card of the effect comes from the new deck.
    game = play_instant("Pig", [], [], deck=["Owl"], discards=["Ant"])
    play(game, "yes")
    assert game.emptyings == 1
    assert game.hands[0] == ["Owl", "Chicken"]
    assert (game.deck, game.discards) == (["Whale", "Ant"], [])


def test_deck_is_emptied_when_its_last_card_leaves_even_if_nothing_more_is_wanted():
    game = play_instant("Cat", [], [], deck=["Owl"])
    play(game, "yes")
    assert (game.emptyings, game.deck, game.discards) == (1, ["Chicken"], [])


def test_deck_emptied_in_a_refill_of_a_swept_line():
    game = play_instant("Rhino", [], [], line=["Cat", "Cat", "Cat", "Cat"], deck=["Owl"])
    play(game, "yes")  # the discards: payment Rabbit Whale, and the four Cats
    assert game.line == ["Cat", "Cat", "Cat", "Owl"]
    assert game.deck == ["Cat", "Rabbit", "Whale"]


def test_cards_shown_looked_at_or_played_are_not_reshuffled():
    game = play(top_game("Vulture", [], deck=["Owl"], discards=["Cat"]), "use Vulture")
    assert (game.deck, game.shown, game.emptyings) == (["Cat"], "Owl", 1)
    game = play(top_game("Fox", [], deck=["Owl", "Pig"], discards=["Cat"]), "use Fox")
    # The third is the last card of the new deck, and nothing is left to be shuffled.
    assert (game.looked, game.deck, game.emptyings) == (["Cat", "Pig", "Owl"], [], 2)


def test_emptying_with_nothing_to_shuffle_counts_once():
    game = top_game("Fox", ["Minnow", "Minnow", "Minnow"], deck=["Owl"], line=["Whale"] * 4)
    play(game, "use Fox", "discard Owl")
    assert (game.emptyings, game.deck, game.discards) == (1, [], ["Owl"])
    game.discards = ["Pig", "Owl"]
    play(game, "draw", "take Whale")  # wants a card: a new deck, not counted again
    assert (game.emptyings, game.deck, game.discards) == (1, ["Owl"], [])


def test_draws_and_refills_stop_while_nothing_is_there():
    game = position([[], []], deck=["Cat"], line=["Chicken", "Chicken", "Owl"])
    play(game, "draw", "take Chicken", "take Chicken")
    assert (game.line, game.deck, game.emptyings) == (["Cat", "Owl"], [], 1)


# ---------------------------------------------------------------------- turns and the end


def test_final_round_begins_after_the_seat_right_of_the_start():
    game = position([[], [], []], start=1, turn=1, emptyings=2, deck=["Bee"] * 50)
    for seat in (1, 2, 0):
        assert (game.to_act, game.final_round) == (seat, False)
        play(game, "draw", "take Whale" if "Whale" in game.line else "take Bee")
    for seat in (1, 2, 0):
        assert (game.to_act, game.final_round) == (seat, True)
        play(game, "draw", "take Whale" if "Whale" in game.line else "take Bee")
    assert game.done
    assert (game.legal(), game.to_act, game.turns) == ([], -1, [2, 2, 2])


def test_one_emptying_does_not_end_the_game():
    game = position([[], []], turn=1, emptyings=1)
    play(game, "draw", "take Whale")
    assert not game.final_round and not game.done


def test_third_emptying_changes_nothing():
    game = position([[], []], turn=1, emptyings=2, deck=["Cat"], discards=["Ant"] * 8)
    play(game, "draw", "take Whale")
    assert (game.emptyings, game.final_round) == (3, True)
    play(game, "draw", "take Cat")
    assert not game.done
    play(game, "draw", "take Whale")
    assert game.done


def test_a_turn_with_deck_discards_and_line_empty_counts_as_the_second_emptying():
    game = position([["Ant"], []], line=[], deck=[], start=0, turn=0)
    assert game.emptyings == 2
    play(game, "draw", "draw")
    assert game.final_round
    play(game, "draw", "draw")
    assert game.done


def test_hand_limit_in_rising_kinds_without_a_dead_end():
    hand = ["Cat"] * 4 + ["Owl"] * 3 + ["Ant"]
    game = position([hand, []], line=["Chicken", "Chicken", "Whale", "Whale"])
    play(game, "draw", "take Chicken", "take Chicken")
    assert game.phase == "hand limit"
    assert game.legal() == ["discard Cat", "discard Chicken", "discard Owl"]  # not the Ant first
    play(game, "discard Chicken")
    assert game.legal() == ["discard Ant", "discard Chicken"]
    play(game, "discard Ant")
    assert (len(game.hands[0]), game.to_act) == (8, 1)
    assert game.discards == ["Chicken", "Ant"]


def test_a_hand_above_8_through_another_seat_waits_for_its_own_turn():
    hands = [["Dove", "Whale"], ["Owl"] * 8]
    game = position(hands, start=1, deck=["Bee"] * 30)
    play(game, "play Dove", "pay Whale", "to collection 0", "yes")
    assert (game.to_act, len(game.hands[1]), game.phase) == (1, 9, "turn")
    play(game, "draw", "take Whale")
    assert game.phase == "hand limit"
    # After its last turn it stays and counts.
    game = position(hands, start=1, final_round=True, deck=["Bee"] * 30)
    play(game, "play Dove", "pay Whale", "to collection 0", "yes")
    assert game.done
    assert len(game.hands[1]) == 9


def ended(hands: list[list[str]], tops: list[str | None]) -> OrigamiOracle:
    """A finished game; the last seat draws one Whale in its last turn."""
    piles = [[[top] if top else [], []] for top in tops]
    last = len(hands) - 1
    game = position(hands, turn=last, final_round=True, collections=piles)
    return play(game, "draw", "take Whale")


def test_winner_tie_break_and_rewards():
    game = ended([[], [], []], ["Eagle", "Cat", "Shark"])
    assert game.scores == [6, 1, 5]
    assert (game.winners, game.tie_break) == ([True, False, False], None)
    assert game.rewards() == [1.0, -0.5, -0.5]
    assert game.rewards("margin") == [1.0, -5.0, -1.0]
    assert game.rewards("score") == [6.0, 1.0, 5.0]


def test_tie_is_broken_by_cards_in_hand_then_shared():
    game = ended([["Ant"] * 2, [], []], ["Eagle", "Cat", "Eagle"])
    assert (game.winners, game.tie_break) == ([True, False, False], "cards in hand")
    game = ended([["Ant"], [], []], ["Eagle", "Cat", "Eagle"])
    assert (game.winners, game.tie_break) == ([True, False, True], "shared")
    assert game.rewards() == [0.25, -0.5, 0.25]
    game = ended([["Ant"], ["Ant"], []], [None, None, None])
    assert game.tie_break == "shared"
    assert game.rewards() == [0.0, 0.0, 0.0]


def test_before_the_end_nobody_won():
    game = position([[], []])
    assert (game.winners, game.tie_break, game.rewards()) == ([False, False], None, [0.0, 0.0])


# ---------------------------------------------------------------------- knowledge


def test_dealt_hands_and_cards_from_the_line_are_public_drawn_cards_are_not():
    deal = {
        "num_players": 2,
        "families": ["farm", "lawn"],
        "start": 0,
        "hands": [["Cat", "Fly", "Fox"], ["Ant"]],
        "line": ["Cat", "Ant", "Bee", "Bee"],
        "deck": ["Owl", "Pig", "Dog", "Ant", "Ant"],
    }
    game = OrigamiOracle(deal, CARDS)
    assert game.knowledge(1)["known"] == [{"Cat": 1, "Fox": 1, "Fly": 1}, {"Ant": 1}]
    play(game, "draw", "take Cat", "take Bee")
    assert game.knowledge(1)["known"][0] == {"Cat": 2, "Fox": 1, "Fly": 1, "Bee": 1}
    play(game, "draw", "take Ant", "stop")
    play(game, "play Cat", "pay Fly")  # playing and paying are public losses
    assert game.knowledge(1)["known"][0] == {"Cat": 1, "Fox": 1, "Bee": 1}
    play(game, "to collection 0", "yes")
    assert game.knowledge(1)["known"][0] == {"Cat": 1, "Fox": 1, "Bee": 1}
    assert game.knowledge(1)["hand_sizes"][0] == 4
    assert sum(game.knowledge(0)["known"][0].values()) == 4


def test_a_discard_of_an_unknown_copy_lowers_the_bound_all_the_same():
    game = play_instant("Owl", ["Fly"], [], deck=["Fly", "Cat", "Cat", "Cat"])
    game.known[1][0] = {"Fly": 1}
    play(game, "yes", "discard Fly")
    assert game.known[1][0] == {}


def test_an_unseen_loss_lowers_every_kind_by_one():
    hands = [["Eagle", "Rabbit", "Chicken", "Whale"], ["Cat", "Cat", "Ant"], ["Fly"]]
    known = [[{} for _ in hands] for _ in hands]
    known[0][1] = {"Cat": 2, "Ant": 1}
    known[2][1] = {"Cat": 2, "Ant": 1}
    game = position(hands, known=known)
    play(game, "play Eagle", "pay Rabbit", "pay Chicken", "pay Whale", "to collection 0")
    play(game, "steal from seat 1")
    assert game.known[0][1] == {"Cat": 1, "Ant": 1}
    assert game.known[2][1] == {"Cat": 1}
    assert game.known[2][0] == {}
    assert game.known[1][0] == {"Cat": 1}


# ---------------------------------------------------------------------- random play


def check(game: OrigamiOracle, everything: Counter) -> None:
    """What must hold after every decision."""
    assert Counter(name for name, _ in game.census()) == everything
    words = game.legal()
    assert game.done or words
    assert len(set(words)) == len(words)
    for piles in game.collections:
        assert abs(len(piles[0]) - len(piles[1])) <= 1
    for observer in range(game.num_players):
        for holder in range(game.num_players):
            assert not Counter(game.known[observer][holder]) - Counter(game.hands[holder])


@pytest.mark.parametrize(
    ("players", "decisions", "most"), [(2, 137, 185), (3, 215, 280), (4, 294, 380)]
)
def test_random_play_shows_what_the_page_says(players, decisions, most):
    games = 200
    counts, scores = [], []
    for seed in range(games):
        rng = random.Random(seed)
        deal = random_deal(players, rng, CARDS)
        game = OrigamiOracle(deal, CARDS, seed=seed)
        everything = Counter(name for name, _ in game.census())
        while not game.done:
            game.step(rng.choice(game.legal()))
            if seed % 20 == 0:
                check(game, everything)
        assert game.emptyings >= 2
        assert len(set(game.turns)) == 1
        assert sum(game.rewards()) == pytest.approx(0)
        counts.append(game.decisions)
        scores += game.scores
    assert sum(counts) / games == pytest.approx(decisions, rel=0.03)
    assert max(counts) <= most
    assert 17.5 <= sum(scores) / len(scores) <= 20


def test_knowledge_does_not_depend_on_what_the_seat_cannot_see():
    """Exchanging unknown cards of another hand and the deck changes nothing for the observer."""
    for seed in range(20):
        rng = random.Random(seed)
        game = OrigamiOracle(random_deal(3, rng, CARDS), CARDS, seed=seed)
        while not game.done:
            for observer in range(3):
                if observer == game.to_act or game.phase not in ("turn", "place"):
                    continue
                holder = game.turn
                bounds = Counter(game.known[observer][holder])
                unknown = list((Counter(game.hands[holder]) - bounds).elements())
                if not unknown or not game.deck:
                    continue
                other = copying.deepcopy(game)
                other.hands[holder].remove(unknown[0])
                other.hands[holder].append(other.deck[-1])
                other.deck[-1] = unknown[0]
                assert other.knowledge(observer) == game.knowledge(observer)
            game.step(rng.choice(game.legal()))
