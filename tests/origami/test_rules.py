"""The rulings of Origami outside the effects: deck, line, paying, turns, set-up, options."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.games.origami import piles
from fold_envs.games.origami.cards import load_cards
from fold_envs.games.origami.game import Origami
from fold_envs.games.origami.payment import (
    SUMS,
    SUMS_WITHOUT_ONE,
    index_of,
    packed_units,
    sums_of_packed,
)
from tests.origami.card_files import ROWS, rows_with, write_cards
from tests.origami.positions import Position

# -------------------------------------------------------------------- deck and line


def test_the_deck_is_emptied_when_its_last_card_leaves_it() -> None:
    game = Position([["Cat"], ["Cat"]], line=["Whale"], deck=["Bee"] * 4, discards=["Pig", "Ant"])
    game.play("draw", "take Whale")
    assert (game["emptyings"], game["discards"]) == (1, [])
    assert sorted(game["deck"]) == ["Ant", "Pig"]


def test_one_card_left_is_not_emptied() -> None:
    game = Position([["Cat"], ["Cat"]], line=["Whale"], deck=["Bee"] * 5, discards=["Pig"])
    game.play("draw", "take Whale")
    assert (game["emptyings"], game["deck"], game["discards"]) == (0, ["Bee"], ["Pig"])


def test_decks_shuffled_one_by_one_and_together_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    states = []
    for one_by_one in (0, 300):
        monkeypatch.setattr(piles, "_FEW_DECKS", one_by_one)
        game = Origami(300, num_players=2)
        game.reset(4)
        for _ in range(80):  # before any game ends
            game.step(game.random_legal())
        assert 100 < np.count_nonzero(game.state.emptyings) < 300
        states.append(game.get_state())
    for dtype, block in states[0].blocks.items():
        assert np.array_equal(block, states[1].blocks[dtype])


def test_a_refill_goes_on_with_the_shuffled_discards() -> None:
    game = Position([["Cat"], ["Cat"]], line=["Whale"], deck=["Bee"], discards=["Pig"] * 9)
    game.play("draw", "take Whale")
    assert (game["line"], game["emptyings"], len(game["deck"])) == (["Pig"] * 3 + ["Bee"], 1, 6)


def test_an_emptying_without_discards_counts_and_the_next_deck_does_not_count_again() -> None:
    game = Position([["Cat"], ["Cat", "Minnow", "Minnow"]], line=["Whale"], deck=["Bee"])
    game.play("draw", "take Whale")
    assert (game["emptyings"], game["line"], game["deck"]) == (1, ["Bee"], [])
    game.play("play Cat", "pay Minnow", "pay Minnow", "to collection 0")
    assert (game["deck"], game["discards"]) == ([], ["Minnow"] * 2)  # not wanted yet
    game.play("yes")
    assert (game["emptyings"], game.hand(1), game["deck"]) == (1, ["Minnow"], ["Minnow"])


def test_two_emptyings_in_one_draw() -> None:
    game = Position([["Cat"], []], line=["Whale"], deck=["Bee"], discards=["Pig"])
    game.play("draw", "take Whale")
    assert (game["emptyings"], game["line"], game["deck"]) == (2, ["Pig", "Bee"], [])


def test_draw_with_an_empty_line_only_refills() -> None:
    game = Position([["Cat"], []], line=[], deck=["Bee"] * 3).play("draw")
    assert (game["line"], game.hand(), game.to_act) == (["Bee"] * 3, ["Cat"], 1)


def test_draw_takes_at_most_four_folds_one_card_at_least() -> None:
    game = Position([["Cat"], []], line=["Ant", "Chicken", "Chicken", "Fox"]).play("draw")
    assert game.words == ["take Ant", "take Chicken", "take Fox"]
    game.play("take Chicken")
    assert game.words == ["stop", "take Ant", "take Chicken"]
    game.play("take Chicken")
    assert (game.to_act, game.hand()) == (1, ["Cat", "Chicken", "Chicken"])


# -------------------------------------------------------------------- the end


def test_the_second_emptying_brings_one_more_round_after_this_one() -> None:
    game = Position(
        [["Cat"], ["Cat"], ["Cat"]], line=["Whale"], deck=["Bee"], emptyings=1, start=1, turn=1
    )
    for seat in (1, 2):
        assert (game.to_act, game["final_round"]) == (seat, False)
        game.play("draw", f"take {game['line'][0]}")
    assert game["emptyings"] == 2
    game.play("draw")  # seat 0 is right of the start: now the last round begins
    for seat in (1, 2, 0):
        assert (game.to_act, game["final_round"]) == (seat, True)
        game.play("draw")
    assert game.game.done[0]
    assert game["turns"] == [2, 2, 2]


def test_a_third_emptying_changes_nothing() -> None:
    places: dict[str, Any] = {"line": ["Whale"], "deck": ["Bee"], "discards": ["Pig"]}
    game = Position([["Cat"], ["Cat"]], emptyings=2, final_round=True, **places)
    game.play("draw", "take Whale")
    assert game["emptyings"] == 4
    assert not game.game.done[0]
    game.play("draw", "take Pig")
    assert game.game.done[0]


def test_a_turn_that_starts_without_any_card_is_the_second_emptying() -> None:
    game = Position([["Cat"], ["Cat"]], line=["Whale"], deck=[])
    game.play("draw", "take Whale")
    assert (game["emptyings"], game["final_round"]) == (2, False)
    game.play("draw")
    assert game["final_round"]
    game.play("draw", "draw")
    assert game.game.done[0]


def test_a_turn_that_starts_with_discards_alone_is_no_emptying() -> None:
    game = Position([["Cat", "Sheep"], ["Pig"]], line=[], deck=[])
    game.play("play Cat", "pay Sheep")
    game.play(game.words[0])  # the only collection
    game.play("no")
    assert (game["emptyings"], game["discards"], game.to_act) == (0, ["Sheep"], 1)


def test_a_tie_goes_to_more_cards_in_hand_then_it_is_shared() -> None:
    for hands, winners, broke in (
        ([["Cat"], ["Cat", "Cat"]], [False, True], 1),
        ([["Cat"], ["Cat"]], [True, True], 0),
    ):
        game = Position(hands, line=[], deck=[], final_round=True, emptyings=2, turn=1)
        game.play("draw")
        assert game.game.winners[:, 0].tolist() == winners
        assert game.game.tie_break[0] == broke


def test_hand_limit_in_rising_kinds_at_the_end_of_the_own_turn() -> None:
    hand = ["Cat", "Cat", "Pig", "Pig", "Dog", "Dog", "Fox", "Fox"]
    game = Position([hand, ["Cat"]], line=["Ant", "Ant"])
    game.play("draw", "take Ant", "take Ant")
    assert game.phase == "hand limit"
    assert game.cards("discard") == ["Ant", "Cat", "Dog", "Fox", "Pig"]
    game.play("discard Fox")
    assert game.words == ["discard Ant", "discard Fox"]
    game.play("discard Fox")
    assert (game.to_act, len(game.hand()), game["discards"]) == (1, 8, ["Fox", "Fox"])


def test_hand_limit_offers_only_cards_that_leave_enough() -> None:
    game = Position([["Ant"] + ["Cat"] * 8, ["Cat"]], line=["Chick", "Chick"])
    game.play("draw", "take Chick", "take Chick")  # three too many
    assert game.words == ["discard Cat", "discard Chick"]  # after Ant nothing would follow
    game.play("discard Chick")
    assert game.words == ["discard Chick"]
    game.play("discard Chick")
    assert game.words == ["discard Ant"]
    game.play("discard Ant")
    assert game.hand() == ["Cat"] * 8


def test_a_hand_above_eight_by_others_waits() -> None:
    others = ["Cat"] * 8
    game = Position([["Dove", "Whale"], others], deck=["Ant"] * 9)
    game.play("play Dove", "pay Whale", "to collection 0", "yes")
    assert (len(game.hand(1)), game.to_act, game.phase) == (9, 1, "turn")
    game.play("draw", "take Whale")
    assert game.phase == "hand limit"
    assert game["pending"] == {"last": None}


def test_after_the_last_turn_a_hand_above_eight_stays_and_counts() -> None:
    laid = [[[], []], [["Rabbit"], []]]
    places: dict[str, Any] = {"collections": laid, "deck": ["Bee"] * 9, "emptyings": 2}
    game = Position([["Dove", "Whale"], ["Cat"] * 8], final_round=True, start=1, **places)
    game.play("play Dove", "pay Whale", "to collection 0", "yes")
    assert game.game.done[0]
    assert len(game.hand(1)) == 9
    assert game.scores[1] == 2 + 4


# -------------------------------------------------------------------- playing


def test_only_what_can_be_paid_exactly_with_other_cards_is_offered() -> None:
    game = Position([["Cat", "Chicken", "Minnow"], []])
    assert game.cards("play") == ["Cat", "Minnow"]  # with the Chicken
    assert Position([["Cat", "Minnow"], []]).cards("play") == []
    assert Position([["Cat", "Rabbit"], []]).cards("play") == []  # 3 is not 2


def test_a_begun_payment_can_always_be_finished() -> None:
    # Shell costs 3 and pays with rising kinds: Cat, Cat, Chicken, Minnow
    game = Position([["Shell", "Cat", "Cat", "Chicken", "Minnow"], []]).play("play Shell")
    assert game.words == ["pay Cat", "pay Chicken"]  # after Minnow there is nothing
    game.play("pay Cat")
    assert game.words == ["pay Cat", "pay Chicken"]
    game.play("pay Cat")
    assert game.words == ["pay Minnow"]


def test_the_sizes_of_collections_never_differ_by_more_than_one() -> None:
    def places(*heights: int) -> list[str]:
        pair = [["Bee"] * height for height in heights]
        hand = ["Cat", "Chicken"]
        game = Position([hand, []], collections=[pair, [[], []]])
        return game.play("play Cat", "pay Chicken").words

    assert places(0, 0) == ["to collection 0"]
    assert places(1, 0) == ["to collection 1"]
    assert places(1, 1) == ["to collection 0", "to collection 1"]
    assert places(2, 3) == ["to collection 0"]


def test_of_two_equal_tops_use_is_offered_once() -> None:
    laid = [[["Fox"], ["Fox"]], [[], []]]
    game = Position([["Cat"], []], collections=laid)
    assert game.cards("use") == ["Fox"]
    both = Position([["Cat"], []], collections=[[["Fox"], ["Magpie"]], [[], []]])
    assert both.cards("use") == ["Fox", "Magpie"]


def test_knowledge_of_hands_is_a_lower_bound() -> None:
    laid = [[[], []], [[], []], [["Bee"], ["Bee"]]]
    game = Position([["Eagle", "Minnow", "Whale", "Whale"], ["Cat"], []], collections=laid)
    game.play("play Eagle", "pay Minnow", "pay Whale", "pay Whale", "to collection 0", "no")
    game.play("draw", "take Whale", "draw", "take Whale", "draw", "take Whale")
    assert game["known"][2][1] == {"Whale": 1}
    assert game["known"][1][0] == {"Whale": 1}  # also what was never shown before


def test_an_unseen_loss_lowers_every_known_kind_by_one() -> None:
    hands = [["Eagle", "Minnow", "Whale", "Whale"], [], []]
    game = Position(hands, line=["Ant", "Minnow", "Minnow"], turn=1)
    game.play("draw", "take Minnow", "take Minnow", "take Ant", "draw", "take Bee")
    assert game["known"][2][1] == {"Minnow": 2, "Ant": 1}
    game.play("play Eagle", "pay Minnow", "pay Whale", "pay Whale", "to collection 0")
    game.play("steal from seat 1")
    assert game["known"][2][1] == {"Minnow": 1}  # the Ant may be the card that is gone
    known = Counter(game["known"][0][1])
    assert known == Counter(game.hand(1))  # the thief saw it
    assert game["known"][1][0] == Counter(game.hand(0))  # and so did the victim


def test_render_shows_the_table() -> None:
    game = Position([["Cat"], ["Dog"]], collections=[[["Fox"], []], [["Bee"], ["Pig"]]])
    text = game.game.render()
    for word in ("hand Cat", "collection 0  Fox", "collection 1  Pig", "line Whale", "> seat 0"):
        assert word in text


# -------------------------------------------------------------------- payment


def test_payment_tables_against_counting() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 13, (4, 300)).astype(np.uint8)
    words = (counts.astype(np.uint32) * packed_units(np.arange(1, 5, dtype=np.uint8))[:, None]).sum(
        axis=0, dtype=np.uint32
    )
    for column, index, packed in zip(
        counts.T, index_of(counts), sums_of_packed(words), strict=True
    ):
        folds = [min(int(n), 9) for n in column]
        sums = {
            sum(f * n for f, n in enumerate(used, start=1))
            for used in itertools.product(*(range(n + 1) for n in folds))
        }
        assert SUMS[index] == packed == sum(1 << s for s in sums if s <= 9)


def test_payment_tables_when_one_card_has_left() -> None:
    counts = np.random.default_rng(1).integers(0, 13, (4, 300)).astype(np.uint8)
    for row in range(4):
        there = counts[:, counts[row] > 0]
        without = SUMS_WITHOUT_ONE[row, index_of(there)]
        there[row] -= 1
        assert (without == SUMS[index_of(there)]).all()


# -------------------------------------------------------------------- set-up


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_deal(num_players: int) -> None:
    game = Origami(4000, num_players=num_players)
    game.reset(0)
    s, cards = game.state, game.cards
    copies = game.census()
    assert (copies == cards.copies[:-1, None]).all()
    assert (s.families.sum(axis=0) == num_players).all()
    assert s.families.mean(axis=1) == pytest.approx(num_players / 5, abs=0.03)
    hands = s.known[:, 0].astype(int)
    folds = np.einsum("pkn,k->pn", hands, cards.folds[:-1].astype(int))
    assert (folds >= 10).all()
    assert (folds <= 13).all()
    starter = s.seats[0]
    assert (np.take_along_axis(folds, starter[None].astype(int), 0)[0] == folds.min(axis=0)).all()
    assert np.bincount(starter) / 4000 == pytest.approx(1 / num_players, abs=0.03)
    assert (s.line.sum(axis=0) == 4).all()
    assert (s.deck_size == 18 * num_players - 4 - hands.sum(axis=(0, 1))).all()
    for observer, step in itertools.product(range(num_players), range(num_players)):
        assert (s.known[observer, step] == hands[(observer + step) % num_players]).all()
    if num_players == 3:
        assert hands.sum() / (3 * 4000) == pytest.approx(4.55, abs=0.03)


def test_the_default_table_as_published() -> None:
    cards = load_cards(None)
    assert cards.copies.sum() == 90
    assert [cards.copies[:-1][cards.family[:-1] == f].sum() for f in range(5)] == [18] * 5
    assert [int(cards.copies[cards.folds == f].sum()) for f in (1, 2, 3, 4)] == [21, 29, 24, 16]
    assert cards.kinds == 38


def test_families_can_be_named() -> None:
    game = Origami(50, families=["sky", "sea"])
    game.reset(0)
    assert {tuple(game.snapshot(i)["families"]) for i in range(50)} == {("sky", "sea")}
    assert game.copy().families == ("sky", "sea")


# -------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"families": ["sea"]}, "families: ['sea'] must be 2 different"),
        ({"families": ["sea", "sea"]}, "must be 2 different"),
        ({"families": ["sea", "moon"]}, "farm, sky, sea, savannah, lawn"),
        ({"families": 3}, "families: 3"),
        ({"num_players": 5}, "num_players"),
        ({"cards": "nowhere.toml"}, "nowhere.toml"),
        ({"cards": 3}, "cards: 3 is not the path"),
    ],
)
def test_bad_options(options: dict[str, Any], text: str) -> None:
    with pytest.raises(InvalidOptionError) as error:
        Origami(1, **options)
    assert text in str(error.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"Cat": {"copies": 3}}, ["farm", "17 cards"]),
        ({"Cat": {"copies": 0}}, ["'Cat'", "copies"]),
        ({"Cat": {"folds": 5}}, ["'Cat'", "folds"]),
        ({"Cat": {"cost": 10}}, ["'Cat'", "cost"]),
        ({"Cat": {"cost": 2.0}}, ["'Cat'", "cost"]),
        ({"Cat": {"points": -1}}, ["'Cat'", "points"]),
        ({"Cat": {"effect": "fly"}}, ["'Cat'", "effect 'fly'"]),
        ({"Cat": {"kind": "special"}}, ["'Cat'", "kind 'special'"]),
        ({"Cat": {"amount": 0}}, ["'Cat'", "amount"]),
        ({"Fox": {"amount": 3}}, ["'Fox'", "amount"]),
        ({"Cat": {"target": "Pig"}}, ["'Cat'", "target"]),
        ({"Chicken": {"target": "Hen"}}, ["'Chicken'", "target 'Hen'"]),
        ({"Cat": {"name": "Pig"}}, ["'Pig'", "two cards"]),
        ({"Cat": {"name": ""}}, ["name ''"]),
        ({"Cat": {"colour": "red"}}, ["'Cat'", "colour"]),
        ({"Cat": {"provenance": "dreamt"}}, ["'Cat'", "provenance"]),
        ({"Cat": {"family": 1}}, ["'Cat'", "family"]),
    ],
)
def test_bad_card_tables_name_card_and_field(changes: dict[str, Any], words: list[str]) -> None:
    path = write_cards(rows_with(**changes))
    with pytest.raises(InvalidOptionError) as error:
        Origami(1, cards=path)
    Path(path).unlink()
    assert all(word in str(error.value) for word in [*words, path])


def test_a_cost_that_nobody_could_pay() -> None:
    rows = [{**row, "folds": max(2, row["folds"])} for row in rows_with(Cat={"cost": 1})]
    path = write_cards(rows)
    with pytest.raises(InvalidOptionError, match="'Cat': cost 1 cannot be paid"):
        Origami(1, cards=path)
    rows = [{**row, "folds": 1 if row["family"] == "sea" else 2} for row in ROWS]
    rows = [{**row, "cost": 1 if row["name"] == "Cat" else 2} for row in rows]
    path = write_cards(rows)
    Origami(1, cards=path, families=["farm", "sea"])
    with pytest.raises(InvalidOptionError, match="'Cat': cost 1 cannot be paid"):
        Origami(1, cards=path, families=["farm", "sky"])


def test_too_few_families() -> None:
    path = write_cards([row for row in ROWS if row["family"] in ("sky", "sea")])
    Origami(1, cards=path)
    with pytest.raises(InvalidOptionError, match="too few for 3 players"):
        Origami(1, cards=path, num_players=3)


def test_another_table_is_played_with() -> None:
    path = write_cards(rows_with(Fox={"points": 9}))
    game = Origami(2, cards=path)
    assert game.cards.points[game.cards.names.index("Fox")] == 9
    assert game.copy().options["cards"] == path
    Path(path).unlink()


def test_snapshot_names_every_card_once() -> None:
    game = Origami(30, num_players=3)
    game.reset(5)
    for _ in range(120):
        game.step(game.random_legal())
    for table in range(30):
        there = game.snapshot(table)
        everywhere = Counter(there["line"] + there["deck"] + there["discards"] + there["looked"])
        for seat in range(3):
            everywhere.update(there["hands"][seat])
            everywhere.update(card for stack in there["collections"][seat] for card in stack)
        everywhere.update(card for card in (there["playing"], there["shown"]) if card)
        rows = [row for row in ROWS if row["family"] in there["families"]]
        assert everywhere == {row["name"]: row["copies"] for row in rows}
