"""Positions computed by hand from the rules page, and random play, for the Old Men oracle."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest

from tests.oracles.old_men import (
    ALL_CARDS,
    OldMenOracle,
    decide_winners,
    house_apes,
    order_of_claims,
    payment,
    random_deal,
    suit_of,
)


def make_hand(
    holdings: list[list[str]], leader: int = 0, apes_on_top: list[int] | None = None, apes: int = 16
) -> dict[str, Any]:
    """Deals a hand in which each seat holds at least the cards given; the rest is filled up."""
    named = [card for cards in holdings for card in cards]
    rest = [card for card in ALL_CARDS if card not in named]
    seats = []
    for cards in holdings:
        missing = 10 - len(cards)
        seats.append(list(cards) + rest[:missing])
        rest = rest[missing:]
    top = apes_on_top or []
    ape_deck = top + [ape for ape in range(apes) if ape not in top]
    return {"leader": leader, "seats": seats, "out": rest, "ape_deck": ape_deck}


def table(holdings: list[list[str]], **more: Any) -> OldMenOracle:
    """A one-hand match with the given holdings; `more` goes to make_hand or to the oracle."""
    for_hand = {name: more.pop(name) for name in ("leader", "apes_on_top") if name in more}
    apes = more.get("apes") or house_apes()
    hand = make_hand(holdings, apes=len(apes), **for_hand)
    deal = {"num_players": len(holdings), "hands": [hand]}
    return OldMenOracle(deal, hands=1, **more)


def do(oracle: OldMenOracle, *actions: str) -> None:
    """Plays the actions one after the other."""
    for action in actions:
        oracle.step(action)


def play_randomly(oracle: OldMenOracle, rng: random.Random) -> int:
    """Plays to the end, uniformly at random; returns the number of decisions."""
    decisions = 0
    while not oracle.done:
        oracle.step(rng.choice(oracle.legal()))
        decisions += 1
    return decisions


# ---- Components -----------------------------------------------------------------------------


def test_house_apes() -> None:
    apes = house_apes()
    assert [ape["value"] for ape in apes] == [3] * 8 + [7] * 4 + [12] * 4
    assert [sum(ape["cost"].values()) for ape in apes] == [1] * 8 + [2] * 4 + [3] * 4
    assert all("deforestation" not in ape["cost"] for ape in apes)
    for suit in ("dollar", "vehicle", "banana", "forest"):
        assert [ape["cost"] for ape in apes].count({suit: 1}) == 2
        assert sum(suit in ape["cost"] for ape in apes[8:12]) == 2
        assert sum(suit not in ape["cost"] for ape in apes[12:]) == 1
    assert apes[11]["cost"] == {"forest": 1, "dollar": 1}


def test_fifty_cards() -> None:
    assert len(ALL_CARDS) == len(set(ALL_CARDS)) == 50


def test_display_has_one_ape_more_than_players_from_the_top() -> None:
    three = table([[], [], []], apes_on_top=[9, 4, 15, 0, 2]).state()
    assert three["display"] == [9, 4, 15, 0] and three["ape_deck"][0] == 2
    four = table([[], [], [], []], apes_on_top=[9, 4, 15, 0, 2]).state()
    assert four["display"] == [9, 4, 15, 0, 2]
    assert (len(three["out"]), len(four["out"])) == (20, 10)


# ---- Tricks and claims ----------------------------------------------------------------------


def test_page_example_3_5_8_5() -> None:
    oracle = table([["dollar 8"], ["banana 5"], ["dollar 3"], ["forest 5"]], leader=2)
    do(oracle, "play dollar 3", "play forest 5", "play dollar 8")
    assert oracle.state()["claim_order"] == []
    do(oracle, "play banana 5")
    assert oracle.state()["claim_order"] == [0, 3]
    assert (oracle.phase, oracle.to_act) == ("claim", 0)


def test_of_equal_ranks_the_earlier_counts_higher_whatever_the_suit() -> None:
    assert order_of_claims([[1, "deforestation 9"], [2, "dollar 9"], [0, "dollar 1"]]) == [1, 2]
    assert order_of_claims([[1, "dollar 9"], [2, "deforestation 9"], [0, "banana 9"]]) == [1, 2]
    assert order_of_claims([[3, "dollar 1"], [0, "forest 4"], [1, "banana 4"]]) == [0, 1]


def test_any_card_may_be_played() -> None:
    oracle = table([["dollar 10"], ["banana 1"], []])
    do(oracle, "play dollar 10")
    assert oracle.to_act == 1
    assert len(oracle.legal()) == 10
    assert oracle.legal() == sorted(oracle.legal())


def test_second_claimer_has_one_card_when_the_first_takes_the_third_players() -> None:
    oracle = table([["dollar 9"], ["banana 8"], ["forest 1"]])
    do(oracle, "play dollar 9", "play banana 8", "play forest 1")
    assert oracle.legal() == ["claim banana 8", "claim forest 1"]
    do(oracle, "claim forest 1", "pass")
    assert (oracle.phase, oracle.to_act) == ("claim", 1)
    assert oracle.legal() == ["claim dollar 9"]


def test_second_claimer_keeps_its_claim_when_its_own_card_is_taken() -> None:
    oracle = table([["dollar 9"], ["banana 8"], ["forest 7"]])
    do(oracle, "play dollar 9", "play banana 8", "play forest 7", "claim banana 8", "pass")
    assert oracle.to_act == 1
    assert oracle.legal() == ["claim dollar 9", "claim forest 7"]


def test_claimer_never_takes_the_own_card() -> None:
    oracle = table([["dollar 9"], ["banana 8"], ["forest 1"], ["vehicle 2"]])
    do(oracle, "play dollar 9", "play banana 8", "play forest 1", "play vehicle 2")
    with pytest.raises(ValueError):
        oracle.step("claim dollar 9")
    do(oracle, "claim forest 1", "pass")
    assert oracle.legal() == ["claim dollar 9", "claim vehicle 2"]


def test_unclaimed_cards_are_discarded_and_first_claimer_leads() -> None:
    oracle = table([["dollar 1"], ["banana 8"], ["forest 10"], ["vehicle 2"]], leader=1)
    do(oracle, "play banana 8", "play forest 10", "play vehicle 2", "play dollar 1")
    do(oracle, "claim banana 8", "pass")
    assert oracle.state()["discard"] == []
    assert oracle.state()["trick"] == [[2, "forest 10"], [3, "vehicle 2"], [0, "dollar 1"]]
    do(oracle, "claim dollar 1")
    assert oracle.state()["trick"] == []
    assert oracle.state()["discard"] == ["vehicle 2", "forest 10"]
    do(oracle, "pass")
    state = oracle.state()
    assert state["won"] == [[], ["dollar 1"], ["banana 8"], []]
    assert (state["phase"], state["to_act"], state["leader"]) == ("play", 2, 2)
    assert state["trick_number"] == 1 and state["plays"] == [] and state["claims"] == []


# ---- Cashing in -----------------------------------------------------------------------------


def test_pass_alone_when_nothing_is_affordable() -> None:
    # The display asks for vehicle and more, the claimer has a banana only.
    oracle = table([["dollar 9"], ["banana 8"], ["forest 1"]], apes_on_top=[2, 8, 12, 13])
    do(oracle, "play dollar 9", "play banana 8", "play forest 1", "claim banana 8")
    assert (oracle.phase, oracle.to_act) == ("cash", 0)
    assert oracle.legal() == ["pass"]


def test_cashing_empties_the_won_pile() -> None:
    # Seat 0 wins all tricks: banana 9, deforestation 3, banana 2; then a baby costs one banana.
    oracle = table(
        [
            ["dollar 10", "dollar 9", "dollar 8", "dollar 7"],
            ["banana 9", "deforestation 3", "banana 2", "banana 1"],
            ["forest 1", "forest 2", "forest 3", "forest 4"],
        ],
        apes_on_top=[6, 4, 12, 13, 5],
    )
    do(oracle, "play dollar 10", "play banana 9", "play forest 1", "claim banana 9", "pass")
    do(oracle, "claim dollar 10", "pass")
    do(oracle, "play dollar 9", "play deforestation 3", "play forest 2")
    do(oracle, "claim deforestation 3", "pass", "claim dollar 9", "pass")
    do(oracle, "play dollar 8", "play banana 2", "play forest 3", "claim banana 2")
    assert oracle.state()["points_now"] == [-4, -2, 0]
    assert oracle.legal() == ["cash slot 1", "pass"]
    do(oracle, "cash slot 1")
    state = oracle.state()
    # The lowest-ranked banana pays, all the rest goes under the ape.
    assert state["owned"][0] == [{"ape": 4, "under": ["banana 9", "deforestation 3"]}]
    assert state["won"][0] == []
    assert "banana 2" in state["discard"]
    # 3 - 1 for the banana - 2 for the deforestation card.
    assert state["points_now"] == [0, -2, 0]
    # What lies under an ape cannot be spent: the second banana baby, now in slot 1, is not offered.
    do(oracle, "claim dollar 8", "pass")
    assert oracle.state()["display"] == [6, 5, 12, 13]
    do(oracle, "play dollar 7", "play banana 1", "play forest 4", "claim forest 4")
    assert oracle.legal() == ["cash slot 0", "pass"]


def test_lowest_ranked_cards_pay() -> None:
    pile = ["banana 9", "forest 4", "banana 10", "banana 2", "dollar 1"]
    assert payment(pile, {"banana": 1, "forest": 1}) == ["banana 2", "forest 4"]
    assert payment(pile, {"banana": 2}) == ["banana 2", "banana 9"]
    assert payment(pile, {"vehicle": 1}) is None
    assert payment(pile, {"banana": 4}) is None


def test_several_affordable_apes_and_one_cash_per_claim() -> None:
    # Banana and forest in hand: baby banana, baby forest and the seven are all in reach.
    oracle = table(
        [["dollar 10", "dollar 9"], ["banana 9", "banana 8"], ["forest 1", "forest 2"]],
        apes_on_top=[4, 6, 10, 13],
    )
    do(oracle, "play dollar 10", "play banana 9", "play forest 1", "claim banana 9")
    assert oracle.legal() == ["cash slot 0", "pass"]
    do(oracle, "pass", "claim dollar 10", "pass")
    do(oracle, "play dollar 9", "play banana 8", "play forest 2", "claim forest 2")
    assert oracle.legal() == ["cash slot 0", "cash slot 1", "cash slot 2", "pass"]
    do(oracle, "cash slot 2")
    # No second ape for the same claim, although both cards are gone anyway.
    assert (oracle.phase, oracle.to_act) == ("claim", 1)
    assert oracle.state()["owned"][0] == [{"ape": 10, "under": []}]
    assert oracle.state()["points_now"][0] == 7


def test_equal_apes_are_one_choice_at_the_lowest_slot() -> None:
    oracle = table([["dollar 9"], ["banana 8"], ["forest 1"]], apes_on_top=[12, 5, 4, 0])
    do(oracle, "play dollar 9", "play banana 8", "play forest 1", "claim banana 8")
    assert oracle.legal() == ["cash slot 1", "pass"]
    with pytest.raises(ValueError):
        oracle.step("cash slot 2")
    # Unlike in value is unlike: then both are offered. A zero count is no difference.
    apes = house_apes()
    apes[4]["value"] = 4
    oracle = table([["dollar 9"], ["banana 8"], ["forest 1"]], apes_on_top=[12, 5, 4, 0], apes=apes)
    do(oracle, "play dollar 9", "play banana 8", "play forest 1", "claim banana 8")
    assert oracle.legal() == ["cash slot 1", "cash slot 2", "pass"]
    apes = house_apes()
    apes[4]["cost"] = {"banana": 1, "dollar": 0}
    oracle = table([["dollar 9"], ["banana 8"], ["forest 1"]], apes_on_top=[12, 5, 4, 0], apes=apes)
    assert oracle.kind_of(5) == oracle.kind_of(4) == 4


def test_second_claimer_sees_what_the_first_left_and_refill_order() -> None:
    # First claimer takes slot 3, second claimer slot 1; then slot 1 is filled before slot 3.
    oracle = table(
        [["dollar 9"], ["banana 8"], ["forest 1"]],
        apes_on_top=[12, 0, 13, 4, 14, 15],
    )
    do(oracle, "play dollar 9", "play banana 8", "play forest 1", "claim banana 8", "cash slot 3")
    assert oracle.state()["display"] == [12, 0, 13, None]
    do(oracle, "claim dollar 9")
    assert oracle.legal() == ["cash slot 1", "pass"]
    do(oracle, "cash slot 1")
    state = oracle.state()
    assert state["display"] == [12, 14, 13, 15]
    assert len(state["ape_deck"]) == 10
    assert state["owned"] == [[{"ape": 4, "under": []}], [{"ape": 0, "under": []}], []]
    assert state["points_now"] == [3, 3, 0]


def test_equal_ape_taken_by_the_first_leaves_the_other_to_the_second() -> None:
    oracle = table([["dollar 9"], ["banana 8"], ["banana 1"]], apes_on_top=[4, 5, 13, 14])
    do(oracle, "play dollar 9", "play banana 8", "play banana 1", "claim banana 8", "cash slot 0")
    do(oracle, "claim banana 1")
    assert oracle.to_act == 1 and oracle.legal() == ["cash slot 1", "pass"]


def test_empty_ape_deck_shrinks_the_display() -> None:
    apes = [{"value": 3, "cost": {"banana": 1}} for _ in range(5)]
    oracle = table(
        [["dollar 9", "dollar 8"], ["banana 8", "banana 7"], ["banana 1", "banana 2"]],
        apes_on_top=[0, 1, 2, 3, 4],
        apes=apes,
    )
    do(oracle, "play dollar 9", "play banana 8", "play banana 1", "claim banana 8", "cash slot 0")
    do(oracle, "claim banana 1", "cash slot 1")
    # One ape left in the deck: it fills the lowest empty slot, the other stays empty.
    assert oracle.state()["display"] == [4, None, 2, 3]
    assert oracle.state()["ape_deck"] == []
    do(oracle, "play dollar 8", "play banana 7", "play banana 2", "claim banana 7", "cash slot 0")
    do(oracle, "claim banana 2")
    assert oracle.legal() == ["cash slot 2", "pass"]
    do(oracle, "cash slot 2")
    assert oracle.state()["display"] == [None, None, None, 3]
    assert oracle.knowledge(2)["unseen_apes"] == []


def test_deforestation_paid_as_cost_costs_nothing() -> None:
    apes = [{"value": 5, "cost": {"deforestation": 1}}, {"value": 9, "cost": {"banana": 3}}]
    oracle = table([["dollar 9"], ["deforestation 8"], ["forest 1"]], apes=apes)
    assert oracle.state()["display"] == [0, 1, None, None]
    do(oracle, "play dollar 9", "play deforestation 8", "play forest 1", "claim deforestation 8")
    assert oracle.state()["points_now"][0] == -2
    do(oracle, "cash slot 0")
    assert oracle.state()["points_now"][0] == 5
    assert oracle.state()["discard"] == ["deforestation 8"]


# ---- Scores, ties, rewards ------------------------------------------------------------------


def same_suit_table(**options: Any) -> OldMenOracle:
    """Seat 0 holds all dollars, seat 1 all vehicles, seat 2 all deforestation cards."""
    holdings = []
    for suit in ("dollar", "vehicle", "deforestation"):
        holdings.append([card for card in ALL_CARDS if suit_of(card) == suit])
    return table(holdings, **options)


def play_same_rank_tricks(
    oracle: OldMenOracle, seat_1_claims: str, cash: dict[int, tuple[str, str]]
) -> None:
    """Plays ten tricks of equal ranks, so that seat 0 claims first and seat 1 second.

    Seat 0 always claims the vehicle; seat 1 the suit given, but a dollar in the tricks in `cash`,
    which holds the cash actions of both claimers by trick.
    """
    for trick in range(10):
        rank = trick + 1
        assert oracle.to_act == 0
        for suit in ("dollar", "vehicle", "deforestation"):
            oracle.step(f"play {suit} {rank}")
        cash_0, cash_1 = cash.get(trick, ("pass", "pass"))
        suit = "dollar" if trick in cash else seat_1_claims
        do(oracle, f"claim vehicle {rank}", cash_0, f"claim {suit} {rank}", cash_1)


def test_whole_hand_scored_by_hand() -> None:
    # Two babies each in the first two tricks; then 8 vehicles cost 8, 8 deforestation cards 16.
    oracle = same_suit_table(apes_on_top=[2, 0, 14, 15, 3, 1])
    both = ("cash slot 0", "cash slot 1")
    play_same_rank_tricks(oracle, "deforestation", {0: both, 1: both})
    assert oracle.done and oracle.to_act == -1 and oracle.phase == "done" and oracle.legal() == []
    assert oracle.scores == [6 - 8, 6 - 16, 0]
    assert oracle.winners == [False, False, True] and oracle.tie_break is None
    assert oracle.rewards() == [-0.5, -0.5, 1.0]
    assert oracle.rewards("margin") == [-2.0, -10.0, 2.0]
    assert oracle.rewards("score", scale=10.0) == [-0.2, -1.0, 0.0]
    assert oracle.state()["leader"] == 0 and oracle.state()["trick_number"] == 10
    with pytest.raises(ValueError):
        oracle.step("pass")
    with pytest.raises(ValueError):
        oracle.rewards("fame")


@pytest.mark.parametrize(("penalty", "score"), [(0, 6), (1, -2), (2, -10), (3, -18)])
def test_deforestation_penalty_is_the_whole_cost(penalty: int, score: int) -> None:
    oracle = same_suit_table(apes_on_top=[2, 0, 14, 15, 3, 1], deforestation_penalty=penalty)
    both = ("cash slot 0", "cash slot 1")
    play_same_rank_tricks(oracle, "deforestation", {0: both, 1: both})
    assert oracle.scores == [-2, score, 0]


def test_apes_break_a_tie_in_play() -> None:
    # Seat 0: 4 + 4 - 8 = 0 equals seat 2, which has no ape.
    apes = [{"value": 4, "cost": {"vehicle": 1}}, {"value": 4, "cost": {"vehicle": 1}}]
    oracle = same_suit_table(apes=apes)
    play_same_rank_tricks(
        oracle, "deforestation", {0: ("cash slot 0", "pass"), 1: ("cash slot 1", "pass")}
    )
    assert oracle.scores == [0, -2 - 16, 0]
    assert oracle.winners == [True, False, False] and oracle.tie_break == "apes"


def test_shared_win_in_play() -> None:
    # 9 + 9 - 8 = 10 for both, with equal apes.
    apes = [{"value": 9, "cost": {suit: 1}} for suit in ("vehicle", "dollar", "vehicle", "dollar")]
    oracle = same_suit_table(apes=apes)
    play_same_rank_tricks(
        oracle, "dollar", {0: ("cash slot 0", "cash slot 1"), 1: ("cash slot 2", "cash slot 3")}
    )
    assert oracle.scores == [10, 10, 0]
    assert oracle.winners == [True, True, False] and oracle.tie_break == "shared"
    assert oracle.rewards() == [0.25, 0.25, -0.5]


@pytest.mark.parametrize(
    ("scores", "apes", "winners", "tie_break"),
    [
        ([5, 4, 4], [[], [12], [12]], [True, False, False], None),
        ([5, 5, 4], [[7, 3], [3, 12], [12, 12]], [False, True, False], "apes"),
        ([5, 5, 4], [[3, 12], [12, 7], []], [False, True, False], "apes"),
        ([5, 5, 4], [[12, 3], [3, 12, 3], []], [False, True, False], "apes"),
        ([5, 5, 4], [[12, 3], [3, 12], [12, 12]], [True, True, False], "shared"),
        ([0, 0, 0], [[], [], []], [True, True, True], "shared"),
        ([0, 0, 0], [[3], [], [3]], [True, False, True], "shared"),
        ([-1, -1, -1, -9], [[7], [7, 3], [7, 3, 3], [12]], [False, False, True, False], "apes"),
    ],
)
def test_tie_breaks(
    scores: list[int], apes: list[list[int]], winners: list[bool], tie_break: str | None
) -> None:
    assert decide_winners(scores, apes) == (winners, tie_break)


def test_rewards_with_four_players() -> None:
    oracle = OldMenOracle(random_deal(4, random.Random(1)))
    assert oracle.rewards() == [0.0] * 4
    play_randomly(oracle, random.Random(2))
    for winners, rewards in [
        ([True, False, False, False], [1, -1 / 3, -1 / 3, -1 / 3]),
        ([True, False, True, False], [1 / 3, -1 / 3, 1 / 3, -1 / 3]),
        ([False, True, True, True], [-1 / 3, 1 / 9, 1 / 9, 1 / 9]),
        ([True, True, True, True], [0, 0, 0, 0]),
    ]:
        oracle.winners = winners
        assert oracle.rewards() == pytest.approx(rewards)


# ---- Two hands ------------------------------------------------------------------------------


def test_second_hand_comes_from_chance_and_scores_are_added() -> None:
    asked: list[tuple[str, dict[str, Any]]] = []
    second: dict[str, Any] = random_deal(3, random.Random(8), hands=1)["hands"][0]
    second["leader"] = 2

    def chance(kind: str, info: dict[str, Any]) -> dict[str, Any]:
        asked.append((kind, info))
        return second

    deal = random_deal(3, random.Random(7), hands=1)
    untouched = deepcopy(deal)
    oracle = OldMenOracle(deal, chance)
    rng = random.Random(9)
    for _ in range(70):
        assert oracle.state()["hand_number"] == 0 and oracle.scores == [0, 0, 0]
        oracle.step(rng.choice(oracle.legal()))
    assert asked == [("hand", {"hand": 1, "num_players": 3})]
    state = oracle.state()
    assert state["hand_number"] == 1 and state["trick_number"] == 0 and state["to_act"] == 2
    assert state["in_hand"] == second["seats"] and state["out"] == second["out"]
    assert state["display"] + state["ape_deck"] == second["ape_deck"]
    assert state["discard"] == [] and state["won"] == [[], [], []] == state["owned"]
    assert state["scores"] == state["past"][0]["points"]
    assert play_randomly(oracle, rng) == 70
    assert len(asked) == 1 and deal == untouched
    hands = oracle.state()["past"]
    assert oracle.scores == [sum(hand["points"][seat] for hand in hands) for seat in range(3)]
    # Apes of both hands together decide ties.
    values: list[list[int]] = [[], [], []]
    for hand in hands:
        for seat in range(3):
            values[seat] += [house_apes()[ape]["value"] for ape in hand["apes"][seat]]
    assert (oracle.winners, oracle.tie_break) == decide_winners(oracle.scores, values)


def test_bad_deals_and_options_are_refused() -> None:
    deal = random_deal(3, random.Random(1), hands=1)
    with pytest.raises(ValueError):
        OldMenOracle(deal)  # the second hand is missing
    with pytest.raises(ValueError):
        OldMenOracle(deal, hands=1, num_players=4)
    with pytest.raises(ValueError):
        OldMenOracle(deal, hands=3)
    twice = deepcopy(deal)
    twice["hands"][0]["out"][0] = twice["hands"][0]["out"][1]
    with pytest.raises(ValueError):
        OldMenOracle(twice, hands=1)
    short = deepcopy(deal)
    short["hands"][0]["ape_deck"].pop()
    with pytest.raises(ValueError):
        OldMenOracle(short, hands=1)


# ---- Knowledge ------------------------------------------------------------------------------


def hide_otherwise(
    deal: dict[str, Any], oracle: OldMenOracle, seat: int, rng: random.Random
) -> dict[str, Any]:
    """Another deal of the first hand that looks the same to a seat up to now."""
    state = oracle.state()
    hidden: list[str] = list(state["out"])
    for other in range(oracle.num_players):
        if other != seat:
            hidden += state["in_hand"][other]
    rng.shuffle(hidden)
    changed = deepcopy(deal)
    hand = changed["hands"][0]
    for other in range(oracle.num_players):
        if other != seat:
            size = len(state["in_hand"][other])
            played = [card for card in hand["seats"][other] if card not in state["in_hand"][other]]
            hand["seats"][other] = played + hidden[:size]
            hidden = hidden[size:]
    hand["out"] = hidden
    unturned = list(state["ape_deck"])
    rng.shuffle(unturned)
    turned = len(hand["ape_deck"]) - len(unturned)
    hand["ape_deck"] = hand["ape_deck"][:turned] + unturned
    return changed


@pytest.mark.parametrize("num_players", [3, 4])
def test_knowledge_does_not_depend_on_what_is_hidden(num_players: int) -> None:
    rng = random.Random(20 + num_players)
    for _ in range(25):
        deal = random_deal(num_players, rng)
        oracle = OldMenOracle(deal)
        actions = []
        for _ in range(rng.randrange(10 * (num_players + 4))):
            actions.append(rng.choice(oracle.legal()))
            oracle.step(actions[-1])
        for seat in range(num_players):
            twin = OldMenOracle(hide_otherwise(deal, oracle, seat, rng))
            do(twin, *actions)
            assert twin.knowledge(seat) == oracle.knowledge(seat)


def test_knowledge_after_one_trick() -> None:
    oracle = table([["dollar 9"], ["banana 8"], ["forest 1"]], apes_on_top=[12, 1, 13, 5, 4])
    do(oracle, "play dollar 9", "play banana 8")
    known = oracle.knowledge(0)
    assert known["legal"] == [] and len(oracle.knowledge(2)["legal"]) == 10
    assert known["hand_sizes"] == [9, 9, 10] and known["num_out"] == 20
    assert len(known["unseen_cards"]) == 50 - 10 - 1
    assert known["display"] == [12, 0, 13, 4]  # kinds: baby 1 looks like baby 0, 5 like 4
    assert known["ape_deck_size"] == 12 and known["unseen_apes"].count(4) == 1
    do(oracle, "play forest 1", "claim banana 8", "cash slot 3", "claim dollar 9", "pass")
    known = oracle.knowledge(2)
    assert known["played"] == [["dollar 9"], ["banana 8"], ["forest 1"]]
    assert known["owned"] == [[{"ape": 4, "under": []}], [], []]
    assert known["won"] == [[], ["dollar 9"], []]
    assert known["discard"] == ["banana 8", "forest 1"]
    assert len(known["unseen_cards"]) == 50 - 10 - 2
    assert known["display"] == [12, 0, 13, 4] and known["unseen_apes"].count(4) == 0
    assert known["history"][-1] == {"hand": 0, "trick": 0, "slot": 3, "kind": 4}
    assert known["history"][-2] == {"hand": 0, "trick": 0, "seat": 1, "action": "pass"}
    assert "in_hand" not in known and "out" not in known and "ape_deck" not in known


# ---- Random play ----------------------------------------------------------------------------


def check_table(oracle: OldMenOracle) -> None:
    """Checks what must hold at every moment."""
    whats = [what for what, _ in oracle.census()]
    assert sorted(whats) == sorted(ALL_CARDS + [f"ape {ape}" for ape in range(16)])
    assert oracle.done or oracle.legal()
    state = oracle.state()
    for seat in range(oracle.num_players):
        known = oracle.knowledge(seat)
        hidden = list(state["out"])
        for other in range(oracle.num_players):
            if other != seat:
                hidden += state["in_hand"][other]
        assert sorted(known["unseen_cards"]) == sorted(hidden)
        assert known["unseen_apes"] == sorted(oracle.kind_of(ape) for ape in state["ape_deck"])


@pytest.mark.parametrize("num_players", [3, 4])
def test_every_card_and_ape_in_one_place(num_players: int) -> None:
    rng = random.Random(5)
    oracle = OldMenOracle(random_deal(num_players, rng))
    check_table(oracle)
    while not oracle.done:
        oracle.step(rng.choice(oracle.legal()))
        check_table(oracle)


@pytest.mark.parametrize(
    ("num_players", "decisions", "mean", "sd", "apes"),
    [(3, 140, 2.35, 8.6, 4.6), (4, 160, 2.07, 7.5, 5.1)],
)
def test_random_play_shows_the_figures_of_the_page(
    num_players: int, decisions: int, mean: float, sd: float, apes: float
) -> None:
    rng = random.Random(2011)
    games = 400
    scores: list[int] = []
    by_seat: list[list[int]] = [[] for _ in range(num_players)]
    taken = 0
    deforestation = 0
    for _ in range(games):
        oracle = OldMenOracle(random_deal(num_players, rng))
        assert play_randomly(oracle, rng) == decisions
        claims = [
            event["action"]
            for event in oracle.history
            if event.get("action", "").startswith("claim ")
        ]
        assert len(claims) == 2 * 20
        deforestation += sum(suit_of(claim[6:]) == "deforestation" for claim in claims)
        taken += sum(len(owned) for hand in oracle.past for owned in hand["apes"])
        scores += oracle.scores
        for seat in range(num_players):
            by_seat[seat].append(oracle.scores[seat])
        assert sum(oracle.rewards()) == pytest.approx(0.0)
    average = sum(scores) / len(scores)
    spread = (sum((score - average) ** 2 for score in scores) / len(scores)) ** 0.5
    # Tolerances of about three standard errors.
    assert average == pytest.approx(mean, abs=0.8)
    assert spread == pytest.approx(sd, abs=0.6)
    for seat in range(num_players):
        assert sum(by_seat[seat]) / games == pytest.approx(mean, abs=1.3)
    assert taken / (2 * games) == pytest.approx(apes, abs=0.2)
    assert deforestation / (2 * games) == pytest.approx(4.0, abs=0.2)
