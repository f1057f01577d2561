"""Rules of Old Men of the Forest on hand-set positions, its lengths and scores, its options."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fold_envs.engine.errors import IllegalActionError, InvalidOptionError
from fold_envs.games.old_men.deck import HOUSE_CARDS, SUITS, ApeDeck, card_name
from fold_envs.games.old_men.game import OldMen

CARD = {card_name(card): card for card in range(50)}
# ids of the house deck
BABY, SEVEN, TWELVE = range(0, 8), range(8, 12), range(12, 16)


def scripted(
    hands: list[str],
    leader: int = 0,
    apes: list[int] | None = None,
    **options: Any,
) -> OldMen:
    """One table whose seats hold the ``hands``: "dollar 3, forest 5"; other cards fill them up.

    ``apes``: the orangutan deck from the top, the rest following by number.
    """
    game = OldMen(1, num_players=len(hands), **options)
    game.reset(0)
    named = [[CARD[name] for name in hand.split(", ") if name] for hand in hands]
    free = [card for card in range(50) if not any(card in hand for hand in named)]
    s = game.state
    s.card_at[:] = game.num_players
    for seat, hand in enumerate(named):
        cards = hand + [free.pop() for _ in range(10 - len(hand))]
        s.card_at[cards, 0] = seat
    top = apes or []
    order = np.array([*top, *(ape for ape in range(16) if ape not in top)], np.uint8)[:, None]
    game._begin_hand(s, s.card_at.copy(), order, np.array([leader], np.uint8))
    game._stale = True
    return game


def act(game: OldMen, *words: str) -> None:
    """Play actions by their words, which must be legal."""
    for word in words:
        named = {game.describe_action(a, 0): int(a) for a in np.flatnonzero(game.legal[:, 0])}
        game.step([named[word]])


def words(game: OldMen) -> set[str]:
    return {game.describe_action(a, 0) for a in np.flatnonzero(game.legal[:, 0])}


def test_ranks_decide_who_claims_and_the_earlier_of_equal_ones() -> None:
    """The page's example: 3, 5, 8, 5 in this order; the 8 claims first, the earlier 5 second."""
    game = scripted(["dollar 3", "vehicle 5", "banana 8", "forest 5"])
    act(game, "play dollar 3", "play vehicle 5", "play banana 8", "play forest 5")
    assert game.to_act[0] == 2
    assert words(game) == {"claim dollar 3", "claim vehicle 5", "claim forest 5"}
    act(game, "claim vehicle 5", "pass")
    # the second claimer still claims although its own card is gone
    assert game.to_act[0] == 1
    assert words(game) == {"claim dollar 3", "claim banana 8", "claim forest 5"}
    act(game, "claim banana 8")
    table = game.snapshot(0)
    assert table["discard"] == ["dollar 3", "forest 5"] and table["trick"] == []
    act(game, "pass")
    assert game.to_act[0] == 2  # the first claimer leads
    assert game.phases[game.phase[0]] == "play"


def test_of_equal_high_ranks_the_leader_claims_first() -> None:
    game = scripted(["deforestation 9", "dollar 9", "forest 9"], leader=2)
    act(game, "play forest 9", "play deforestation 9", "play dollar 9")
    assert game.snapshot(0)["claim_order"] == [2, 0]


def test_seats_play_clockwise_and_any_card_may_be_played() -> None:
    game = scripted(["", "", ""], leader=2)
    order = []
    for _ in range(3):
        order.append(int(game.to_act[0]))
        assert game.legal[:, 0].sum() == 10
        game.step(game.random_legal())
    assert order == [2, 0, 1]


def test_cashing_pays_the_cost_and_puts_the_rest_under_the_orangutan() -> None:
    hands = ["dollar 10, dollar 9, dollar 8", "vehicle 1, deforestation 1, vehicle 2", "forest 2"]
    game = scripted(hands, apes=[4, 8, 12, 15])  # baby banana, 7, 12 without dollar, 12
    act(game, "play dollar 10", "play vehicle 1", "play forest 2")
    act(game, "claim vehicle 1")
    assert words(game) == {"pass"}  # nothing is affordable
    act(game, "pass", "claim dollar 10", "pass")
    act(game, "play dollar 9", "play deforestation 1", *_lowest(game, 1), "claim deforestation 1")
    assert game.scores[0, 0] == -3
    act(game, "pass")
    game.step(game.random_legal())
    act(game, "pass")
    act(game, "play dollar 8", "play vehicle 2", *_lowest(game, 1), "claim vehicle 2", "pass")
    table = game.snapshot(0)
    assert table["won"][0] == ["vehicle 1", "vehicle 2", "deforestation 1"]
    assert table["points_now"][0] == -4


def _lowest(game: OldMen, count: int) -> list[str]:
    """The lowest card of the next ``count`` seats."""
    plays = []
    for step in range(1, count + 1):
        seat = (int(game.to_act[0]) + 1 + step) % game.num_players
        hand = game.snapshot(0)["in_hand"][seat]
        plays.append("play " + min(hand, key=lambda name: int(name.split()[1])))
    return plays


def holding(won: list[str], apes: list[int], **options: Any) -> OldMen:
    """Seat 0 of three has claimed ``won`` in tricks 0, 1... and must cash in or pass."""
    game = scripted(["", "", ""], apes=apes, **options)
    s, trick = game.state, len(won) - 1
    for number, name in enumerate(won):
        card = CARD[name]
        s.card_at[card] = game._claimed + number * 3
        game._won[card // 10, 0] += 1
        game._points[0] -= game._burden[card // 10]
    s.claimer[:, 0] = 0, 1
    s.turn[:] = trick * 7 + 4  # cash of the first claimer
    s.seat[:] = 0
    game._stale = True
    return game


def test_a_cash_in_takes_all_that_was_won() -> None:
    won = ["dollar 6", "vehicle 4", "dollar 2", "deforestation 3", "vehicle 9"]
    game = holding(won, apes=[8, 0, 2, 12])  # 7 for dollar + vehicle, two babies, a 12
    assert words(game) == {"cash slot 0", "cash slot 1", "cash slot 2", "pass"}
    assert game.scores[0, 0] == -6
    act(game, "cash slot 0")
    table = game.snapshot(0)
    assert table["won"][0] == []
    # the lowest fitting cards pay
    assert {"dollar 2", "vehicle 4"} <= set(table["discard"])
    under = ["dollar 6", "vehicle 9", "deforestation 3"]
    assert table["owned"][0] == [{"ape": 8, "under": under}]
    assert game.scores[0, 0] == 7 - 1 - 1 - 2
    assert table["display"][0] is None  # refilled only when the trick ends


@pytest.mark.parametrize("penalty", [0, 2, 7])
def test_deforestation_left_over_costs_the_penalty(penalty: int) -> None:
    game = holding(["deforestation 3", "forest 1"], [6], deforestation_penalty=penalty)
    assert game.scores[0, 0] == -1 - penalty
    act(game, "cash slot 0")  # a baby for forest
    assert game.scores[0, 0] == 3 - penalty


def test_deforestation_paid_as_a_cost_costs_nothing() -> None:
    deck = Path(__file__).with_name("user_deck.toml")
    game = holding(["deforestation 3", "deforestation 8"], [1], cards=deck)
    act(game, "cash slot 0")
    assert game.scores[0, 0] == 1 - 2
    assert "deforestation 3" in game.snapshot(0)["discard"]


def test_of_equal_orangutans_only_the_lowest_slot_is_offered() -> None:
    game = holding(["dollar 6"], apes=[12, 0, 1, 8])
    assert words(game) == {"cash slot 1", "pass"}


def test_the_second_claimer_sees_what_the_first_left_and_then_the_display_is_filled() -> None:
    game = holding(["dollar 6"], apes=[0, 2, 12, 13])
    s = game.state
    s.leader[:] = 2
    game._won[0, 1] = 1
    game._points[1] -= 1
    s.card_at[CARD["dollar 1"]] = game._claimed + 1
    s.card_at[CARD["forest 4"]] = 2
    # the second claimer, seat 1, holds a dollar card as well, but has not claimed yet
    game._trick[:, 2, 0] = 4, 4 * 4 + 3, 1 + CARD["forest 4"]
    act(game, "cash slot 0")
    assert game.to_act[0] == 1 and words(game) == {"claim forest 4"}
    act(game, "claim forest 4")
    assert words(game) == {"pass"}  # the baby for dollar is gone, slot 0 is empty
    assert game.snapshot(0)["display"] == [None, 2, 12, 13]
    act(game, "pass")
    assert game.snapshot(0)["display"] == [1, 2, 12, 13]  # the next of the deck
    assert game.to_act[0] == 0 and game.snapshot(0)["leader"] == 0


def test_with_an_empty_deck_the_display_shrinks() -> None:
    game = holding(["dollar 6"], apes=[0, 2, 12, 13])
    s = game.state
    s.drawn[:] = 16
    s.supply[1] = 0
    game._trick[:, 2, 0] = 4, 4 * 4 + 3, 1 + CARD["forest 4"]
    act(game, "cash slot 0", "claim forest 4", "pass")
    assert game.snapshot(0)["display"] == [None, 2, 12, 13]


def ended(
    points: list[int], taken: list[list[int]], past: list[int] | None = None, **options: Any
) -> OldMen:
    """A match of three after its last decision; ``taken`` counts 3s, 7s and 12s by seat."""
    game = OldMen(1, **options)
    game.reset(3)
    s = game.state
    s.turn[:] = game._turns - 1
    game._points[:, 0] = points
    game._past[:, 0] = past or [0, 0, 0]
    game._taken[:] = np.array(taken, np.uint8).T[..., None]
    game._won[:] = 0
    game._stale = True
    act(game, "pass")
    assert game.done[0]
    return game


@pytest.mark.parametrize(
    ("points", "taken", "winners", "broke"),
    [
        ([5, 9, 4], [[0, 0, 1], [3, 0, 0], [0, 0, 1]], [0, 1, 0], 0),
        ([9, 9, 4], [[0, 0, 1], [0, 2, 0], [0, 0, 3]], [1, 0, 0], 1),
        ([9, 9, 9], [[0, 1, 1], [3, 0, 1], [9, 9, 0]], [1, 0, 0], 1),  # 12 7 over 12 3 3 3
        ([9, 9, 9], [[1, 1, 1], [0, 1, 1], [1, 1, 1]], [1, 0, 1], 1),  # a missing one counts 0
        ([9, 9, 9], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [1, 1, 1], 0),
        ([9, 4, 9], [[2, 0, 0], [0, 0, 9], [2, 0, 0]], [1, 0, 1], 0),
    ],
)
def test_ties_are_broken_by_orangutans_from_the_highest_on(
    points: list[int], taken: list[list[int]], winners: list[int], broke: int
) -> None:
    game = ended(points, taken)
    assert game.winners[:, 0].tolist() == [bool(w) for w in winners]
    assert game.tie_break[0] == broke
    assert game.rewards[:, 0].sum() == pytest.approx(0)


def test_scores_of_both_hands_are_added() -> None:
    game = ended([5, -2, 1], [[0, 0, 0]] * 3, past=[-9, 10, 1])
    assert game.final_scores[:, 0].tolist() == [-4, 8, 2]


def test_the_second_hand_starts_afresh() -> None:
    game = OldMen(20)
    game.reset(0)
    coming = [game.snapshot(t)["coming"][0] for t in range(20)]
    for _ in range(70):
        game.step(game.random_legal())
    for t in range(20):
        table = game.snapshot(t)
        assert (table["hand_number"], table["trick_number"], table["coming"]) == (1, 0, [])
        assert table["in_hand"] == coming[t]["hands"] and table["out"] == coming[t]["out"]
        assert table["leader"] == table["to_act"] == coming[t]["leader"]
        assert table["display"] + table["ape_deck"] == coming[t]["ape_deck"]
        assert table["points_now"] == [0] * 3 and table["scores"] == table["past_points"]
        assert table["won"] == table["owned"] == [[]] * 3
    leaders = {hand["leader"] for hand in coming}
    assert leaders == {0, 1, 2}


# ---------------------------------------------------------------- whole matches


@pytest.mark.parametrize(
    ("num_players", "mean", "spread", "apes"), [(3, 2.35, 8.6, 4.6), (4, 2.07, 7.5, 5.1)]
)
def test_random_play_gives_the_figures_of_the_rules_page(
    num_players: int, mean: float, spread: float, apes: float
) -> None:
    game = OldMen(20000, num_players=num_players)
    game.reset(0)
    leaders = np.bincount(game.state.leader, minlength=num_players)
    assert abs(leaders / 20000 - 1 / num_players).max() < 0.025
    decisions = 0
    while not game.done.all():
        if decisions % 7 == 0:
            assert (game.census() == 1).all()
        game.step(game.random_legal())
        decisions += 1
    assert decisions == 2 * 10 * (num_players + 4)
    scores = game.final_scores
    assert scores.mean() == pytest.approx(mean, abs=0.2)
    assert scores.std() == pytest.approx(spread, abs=0.2)
    assert abs(scores.mean(axis=1) - mean).max() < 0.45  # seats are equal
    assert game._taken.sum(axis=(0, 1)).mean() / 2 == pytest.approx(apes, abs=0.1)


def test_twenty_claims_and_four_deforestation_cards_a_hand() -> None:
    game = OldMen(2000, hands=1)
    game.reset(5)
    while not game.done.all():
        game.step(game.random_legal())
    claimed = game.state.card_at >= game._claimed
    assert (claimed.sum(axis=0) == 20).all()
    assert claimed[40:].sum(axis=0).mean() == pytest.approx(4.0, abs=0.1)


def test_greedy_beats_random() -> None:
    game = OldMen(3000)
    game.reset(7)
    greedy = game.heuristic()
    mine = np.arange(3000) % 3
    while not game.done.all():
        actions = greedy(game.observe(), game.legal, game.side_stream, None)
        game.step(np.where(game.to_act == mine, actions, game.random_legal()))
    share = (game.winners / game.winners.sum(axis=0))[mine, np.arange(3000)].mean()
    assert share > 0.93


@pytest.mark.parametrize("deck", [None, "user_deck.toml", "equal_deck.toml"])
def test_greedy_plays_tables_in_different_phases_as_it_plays_each(deck: str | None) -> None:
    cards = deck and Path(__file__).with_name(deck)
    game = OldMen(64, num_players=4, cards=cards)
    game.reset(0)
    for number in range(40):
        game.step(game.random_legal(), where=np.arange(64) % 16 < number % 17)
    greedy = game.heuristic()
    actions = greedy(game.observe(), game.legal, game.side_stream, None)
    assert len(set(game.phase.tolist())) == 3
    for table in range(64):
        one = game.copy([table])
        assert greedy(one.observe(), one.legal, one.side_stream, None)[0] == actions[table]
    assert game.legal[actions, np.arange(64)].all()


def test_tables_play_alike_alone_and_among_others_in_other_phases() -> None:
    many = OldMen(12, num_players=4, autoreset=True)
    many.reset(50)
    rng = np.random.default_rng(0)
    counts = np.zeros(12, int)
    chosen: list[list[int]] = [[] for _ in range(12)]
    for _ in range(400):
        where = rng.random(12) < 0.7
        where[0] |= not where.any()
        actions = many.random_legal(where)
        for table in np.flatnonzero(where):
            chosen[table].append(int(actions[table]))
        counts += where
        many.step(actions, where)
    for table in range(12):
        one = OldMen(1, num_players=4, autoreset=True)
        one.reset(50 + table)
        for action in chosen[table]:
            one.step([action])
        assert one.snapshot(0) == many.snapshot(table)


# ---------------------------------------------------------------- options, copies, errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 2}, "num_players: 2 is not a whole number from 3 to 4"),
        ({"num_players": 5}, "num_players: 5 is not"),
        ({"hands": 0}, "hands: 0 is not a whole number from 1 to 2"),
        ({"hands": 3}, "hands: 3 is not"),
        ({"hands": True}, "hands: True is not"),
        ({"deforestation_penalty": -1}, "deforestation_penalty: -1 is not a whole number from 0"),
        ({"deforestation_penalty": 2.5}, "deforestation_penalty: 2.5 is not"),
        ({"cards": 3}, "cards: 3 is not the path of a TOML file"),
        ({"cards": "no_such_file.toml"}, "cannot read 'no_such_file.toml'"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        OldMen(2, **options)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("copies = 2", "copies = 3", "20 orangutans in 12 rows; there must be 16"),
        ("cost = { forest = 1 }", "cost = { wood = 1 }", "orangutan 4: unknown suit wood"),
        ("value = 7", "value = 0", "orangutan 5, value: 0 is not a whole number from 1"),
        ("value = 7", "value = 7.5", "orangutan 5, value: 7.5"),
        ("value = 12", "worth = 12", "orangutan 9: value missing"),
        ("value = 12", "value = 12\ncolour = 1", "orangutan 9: unknown colour"),
        ("cost = { banana = 1 }", "cost = {}", "orangutan 3: cost is {}"),
        ("cost = { banana = 1 }", "cost = 1", "orangutan 3: cost is 1"),
        ("cost = { banana = 1 }", "cost = { banana = 0 }", "orangutan 3, cost of banana: 0"),
        ("cost = { banana = 1 }", "cost = { banana = 9, forest = 2 }", "cards of the cost: 11"),
        ("copies = 2", "copies = 0", "orangutan 1, copies: 0"),
        ('"published", cost = "published"', '"guess", cost = "x"', "orangutan 1: provenance"),
        ("ranks = 10", "ranks = 9", "the player cards are fixed"),
        ("[[orangutan]]", "[[ape]]", "orangutan missing"),
        ("[[orangutan]]", "[[", "is not valid TOML"),
    ],
)
def test_wrong_decks_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(HOUSE_CARDS.read_text().replace(old, new))
    with pytest.raises(InvalidOptionError, match=message) as error:
        OldMen(1, cards=deck)
    assert "deck.toml" in str(error.value)


def test_the_house_deck() -> None:
    deck = ApeDeck()
    value, cost = deck.value[deck.kind_of], deck.cost[deck.kind_of]
    assert value.tolist() == [3] * 8 + [7] * 4 + [12] * 4
    assert cost.sum(axis=1).tolist() == [1] * 8 + [2] * 4 + [3] * 4
    assert not cost[:, SUITS.index("deforestation")].any()
    assert cost[list(BABY)].sum(axis=0)[:4].tolist() == [2] * 4
    assert cost[list(SEVEN)].sum(axis=0)[:4].tolist() == [2] * 4
    assert (cost[list(TWELVE)] == 0)[:, :4].argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert deck.best_points() == 39  # nine cards for three 12s, one for a baby


def test_copies_and_pickles_keep_options_and_play_on_alike() -> None:
    deck = Path(__file__).with_name("user_deck.toml")
    game = OldMen(5, num_players=4, hands=1, deforestation_penalty=3, cards=str(deck))
    game.reset(0)
    for _ in range(30):
        game.step(game.random_legal())
    twins = [game.copy(), pickle.loads(pickle.dumps(game)), copy.deepcopy(game)]
    for _ in range(20):
        actions = game.random_legal()
        for twin in (game, *twins):
            twin.step(actions)
    for twin in twins:
        assert twin.options == game.options
        assert [twin.snapshot(t) for t in range(5)] == [game.snapshot(t) for t in range(5)]
        assert (twin.observe() == game.observe()).all()


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    game = scripted(["dollar 3", "vehicle 5", "banana 8"])
    before = game.snapshot(0)
    with pytest.raises(IllegalActionError, match=r"seat 0, phase play: action 14 \(play vehicle 5"):
        game.step([CARD["vehicle 5"]])
    assert game.snapshot(0) == before


def test_actions_have_names_without_a_table() -> None:
    game = OldMen()
    named = [game.describe_action(a) for a in range(game.num_actions)]
    assert len(set(named)) == game.num_actions
    assert named[0] == "play dollar 1" and named[-1] == "pass"
    assert named[50] == "claim the card of seat +1"
    assert named[52] == "cash an orangutan worth 3 for dollar"


def test_render_shows_hands_and_orangutans() -> None:
    game = scripted(["dollar 3", "", "", ""], apes=[8])
    text = game.render(0)
    assert "dollar 3" in text and "7 (dollar+vehicle)" in text and "seat 0 to play" in text
    while not game.done.all():
        game.step(game.random_legal())
        game.render(0)
    assert "match over" in game.render(0)
