"""Hand-computed positions for the Fold-it oracle, and the figures of its rules page."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.oracles.fold_it import (
    ADVANCED,
    DECKS,
    STANDARD,
    FoldItOracle,
    cells,
    fewest_folds,
    flat,
    fold,
    outline,
    possible_orders,
    random_deal,
    reachable,
    top_rows,
    top_set,
    turn_over,
)

COLUMN = [0, 4, 8, 12]  # the left column: two folds
FOLD_1 = "fold vertical 2 right under"
FOLD_2 = "fold vertical 1 right under"
RIGHT = [FOLD_1, FOLD_2, "grab"]


def no_chance(kind: str, info: dict) -> object:
    """A chance that must not be asked."""
    raise AssertionError(f"unexpected draw: {kind} {info}")


def game(num_players: int, rounds: int = 20, chance=no_chance, **options) -> FoldItOracle:
    """A game in which every order is the left column."""
    deal = {"num_players": num_players, "deck": [COLUMN] * rounds}
    return FoldItOracle(deal, chance, **options)


def play(table: FoldItOracle, *ticks: dict[int, str]) -> None:
    """Plays ticks, each given as seat -> action; checks who is asked."""
    for tick in ticks:
        for seat in sorted(tick):
            assert table.to_act == seat
            table.step(tick[seat])


def stars(table: FoldItOracle) -> list[int]:
    return [seat["stars"] for seat in table.state()["seats"]]


# -- the cloth ------------------------------------------------------------------------------


def test_flat():
    assert outline(flat()) == [4, 4]
    assert top_rows(flat()) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
    assert flat()[1][2] == ((6, True),)


@pytest.mark.parametrize(
    ("line", "side", "over", "first_row"),
    [
        (1, "left", True, [[(0, 0), (1, 1)], [(2, 1)], [(3, 1)]]),
        (1, "left", False, [[(1, 1), (0, 0)], [(2, 1)], [(3, 1)]]),
        (2, "left", True, [[(1, 0), (2, 1)], [(0, 0), (3, 1)]]),
        (2, "left", False, [[(2, 1), (1, 0)], [(3, 1), (0, 0)]]),
        (2, "right", True, [[(3, 0), (0, 1)], [(2, 0), (1, 1)]]),
        (3, "right", True, [[(0, 1)], [(1, 1)], [(3, 0), (2, 1)]]),
        # The longer side moves and sticks out beyond the resting one.
        (3, "left", True, [[(2, 0), (3, 1)], [(1, 0)], [(0, 0)]]),
        (1, "right", False, [[(3, 0)], [(2, 0)], [(0, 1), (1, 0)]]),
    ],
)
def test_vertical_folds(line, side, over, first_row):
    folded = fold(flat(), "vertical", line, side, over)
    assert len(folded) == 4
    assert folded[0] == tuple(
        tuple((cell, bool(front)) for cell, front in stack) for stack in first_row
    )
    # The other rows do the same, four cells further on.
    for row in range(4):
        assert cells(folded)[row] == tuple(
            tuple(cell + 4 * row for cell, _ in stack) for stack in first_row
        )


@pytest.mark.parametrize(
    ("line", "side", "over", "first_column"),
    [
        (2, "bottom", False, [[(0, 1), (12, 0)], [(4, 1), (8, 0)]]),
        (2, "top", True, [[(4, 0), (8, 1)], [(0, 0), (12, 1)]]),
        (1, "top", True, [[(0, 0), (4, 1)], [(8, 1)], [(12, 1)]]),
        (3, "top", False, [[(12, 1), (8, 0)], [(4, 0)], [(0, 0)]]),
        (1, "bottom", True, [[(12, 0)], [(8, 0)], [(4, 0), (0, 1)]]),
    ],
)
def test_horizontal_folds(line, side, over, first_column):
    folded = fold(flat(), "horizontal", line, side, over)
    assert outline(folded) == [len(first_column), 4]
    for row, stack in enumerate(first_column):
        for column in range(4):
            expected = tuple((cell + column, bool(front)) for cell, front in stack)
            assert folded[row][column] == expected


def test_stacks_are_reversed_when_folded_again():
    once = fold(flat(), "vertical", 2, "left", True)  # row 0: 1F-2T | 0F-3T
    under = fold(once, "vertical", 1, "right", False)
    over = fold(once, "vertical", 1, "right", True)
    assert under[0] == (((1, False), (2, True), (3, False), (0, True)),)
    assert over[0] == (((3, False), (0, True), (1, False), (2, True)),)


def test_lines_count_on_the_current_outline():
    once = fold(flat(), "vertical", 1, "left", True)  # row 0: 0-1 | 2 | 3
    twice = fold(once, "vertical", 1, "left", False)  # row 0: 2-1-0 | 3
    assert cells(twice)[0] == ((2, 1, 0), (3,))
    with pytest.raises(ValueError):
        fold(twice, "vertical", 2, "left", True)
    for wrong in (("vertical", 0, "left"), ("vertical", 1, "top"), ("horizontal", 4, "top")):
        with pytest.raises(ValueError):
            fold(flat(), *wrong, True)


def test_two_folds_show_a_corner():
    cloth = fold(flat(), "vertical", 2, "left", False)
    cloth = fold(cloth, "horizontal", 2, "top", False)
    assert top_rows(cloth) == [[10, 11], [14, 15]]
    assert top_set(cloth) == {10, 11, 14, 15}
    # 10 lay still; 9 came under it first, then 6-on-5 as 5-on-6 under both.
    assert cells(cloth)[0][0] == (10, 9, 5, 6)


def test_turn_over():
    assert top_rows(turn_over(flat()))[0] == [3, 2, 1, 0]
    assert turn_over(flat())[0][0] == ((3, False),)
    assert turn_over(turn_over(flat())) == flat()
    # The same fold seen from behind.
    folded = fold(flat(), "vertical", 1, "left", True)
    assert turn_over(folded) == fold(turn_over(flat()), "vertical", 3, "right", False)
    folded = fold(flat(), "horizontal", 1, "top", True)
    assert turn_over(folded) == fold(turn_over(flat()), "horizontal", 1, "top", False)


def test_facing_is_not_fixed_by_the_cells():
    one = fold(fold(flat(), "vertical", 2, "left", True), "vertical", 1, "right", False)
    other = fold(fold(flat(), "vertical", 2, "right", False), "vertical", 1, "left", False)
    assert cells(one) == cells(other)
    assert one != other


@pytest.mark.slow
def test_figures_of_the_rules_page():
    figures = reachable()
    assert figures["states"] == 35785
    assert figures["by_folds"] == [1, 24, 344, 2232, 7904, 14112, 11168]
    assert figures["single"] == 12960
    assert figures["sets"] == {1: 16, 2: 102, 3: 80, 4: 232, 6: 152, 8: 12, 9: 28, 12: 8, 16: 1}
    assert sum(figures["sets"].values()) == 631
    assert figures["fewest"][1] == {4: 16}
    assert figures["fewest"][2] == {3: 16, 4: 78, 5: 8}
    assert figures["fewest"][3] == {3: 64, 4: 16}
    assert figures["fewest"][4] == {2: 12, 3: 28, 4: 192}
    assert figures["states_turning"] == 35838
    assert figures["turning_shortens"] is False


def test_possible_orders():
    orders = possible_orders()
    assert len(orders) == 430
    assert len(possible_orders(dishes=(1, 1))) == 16
    assert len(possible_orders(folds=(2, 2))) == 12
    assert len(possible_orders(dishes=(2, 2), folds=(5, 5))) == 8
    # Two dishes: all pairs but the 18 diagonal neighbours.
    diagonal = []
    for a in range(16):
        for b in range(a + 1, 16):
            if abs(a // 4 - b // 4) == 1 and abs(a % 4 - b % 4) == 1:
                diagonal.append([a, b])
    assert len(diagonal) == 18
    assert not any(pair in orders for pair in diagonal)
    # Four dishes: 8 of them as 1x4, the rows and the columns.
    lines = [[4 * i + j for j in range(4)] for i in range(4)]
    lines += [[4 * i + j for i in range(4)] for j in range(4)]
    assert all(line in orders for line in lines)
    with pytest.raises(ValueError):
        fewest_folds([0, 5])


def test_deck_is_the_shared_one():
    root = Path(__file__).resolve().parents[2]
    for folder in (root / "shared", root.parent / "shared"):
        path = folder / "data" / "fold_it_orders.json"
        if path.exists():
            break
    else:
        pytest.skip("no shared data here")
    data = json.loads(path.read_text())
    for name, deck in (("standard", STANDARD), ("advanced", ADVANCED)):
        assert [entry["cells"] for entry in data[name]] == deck
        assert [entry["min_folds"] for entry in data[name]] == [fewest_folds(c) for c in deck]


# -- a tick -----------------------------------------------------------------------------------


def test_start_and_legal_actions():
    table = game(3)
    state = table.state()
    assert (table.to_act, table.phase, table.done) == (0, "tick", False)
    assert (state["round"], state["tick"], state["tokens_left"]) == (1, 1, 2)
    assert state["order"] == COLUMN
    assert stars(table) == table.scores == [3, 3, 3]
    legal = table.legal()
    assert legal == sorted(legal)
    assert len(legal) == 24 + 3
    assert {"wait", "turn over", "grab"} <= set(legal)
    for wrong in ("undo", "flat", "fold vertical 4 left over", "fold vertical 1 top over", ""):
        with pytest.raises(ValueError):
            table.step(wrong)
    assert table.to_act == 0


def test_nothing_happens_before_all_have_chosen():
    table = game(2)
    table.step("fold vertical 1 left over")
    state = table.state()
    assert table.to_act == 1
    assert state["seats"][0]["cloth"] == flat()
    assert state["seats"][0]["choice"] == "fold vertical 1 left over"
    table.step("wait")
    state = table.state()
    assert state["tick"] == 2
    assert state["seats"][0]["cells"][0] == ((0, 1), (2,), (3,))
    assert state["seats"][0]["choice"] is None
    assert state["seats"][0]["history"] == [flat()]
    assert state["seats"][1]["cloth"] == flat()
    # 4 rows and 3 columns: 3 horizontal and 2 vertical lines, and now undo and flat.
    assert len(table.legal()) == 4 * (3 + 2) + 5


def test_undo_and_flat():
    table = game(2)
    play(table, {0: FOLD_1, 1: FOLD_1}, {0: FOLD_2, 1: FOLD_2}, {0: "undo", 1: "flat"})
    mine, other = table.state()["seats"]
    assert mine["cloth"] == fold(flat(), "vertical", 2, "right", False)
    assert mine["history"] == [flat()]
    assert mine["counts"] == {"folds": 2, "undos": 1, "flats": 0, "turns": 0}
    assert other["cloth"] == flat()
    assert other["history"] == []
    assert other["counts"] == {"folds": 2, "undos": 0, "flats": 1, "turns": 0}
    play(table, {0: "undo", 1: "wait"})
    assert table.state()["seats"][0]["cloth"] == flat()
    assert "undo" not in table.legal()
    assert "flat" not in table.legal()


def test_undo_after_turning_over():
    table = game(2)
    play(table, {0: FOLD_1, 1: FOLD_1}, {0: FOLD_2, 1: FOLD_2}, {0: "turn over", 1: "turn over"})
    once = fold(flat(), "vertical", 2, "right", False)
    twice = fold(once, "vertical", 1, "right", False)
    seat = table.state()["seats"][0]
    assert seat["cloth"] == turn_over(twice)
    assert seat["history"] == [turn_over(flat()), turn_over(once)]
    play(table, {0: "undo", 1: "flat"})
    assert table.state()["seats"][0]["cloth"] == turn_over(once)
    assert table.state()["seats"][1]["cloth"] == flat()  # front up again
    play(table, {0: "undo", 1: "wait"})
    # Turned over and without folds: neither undo nor flat, only turning back.
    assert table.state()["seats"][0]["cloth"] == turn_over(flat())
    assert "undo" not in table.legal()
    assert "flat" not in table.legal()
    play(table, {0: "turn over", 1: "wait"})
    assert table.state()["seats"][0]["cloth"] == flat()


def test_either_face_may_be_up():
    # Left column by way of the back: fold everything over it, then turn the cloth over.
    table = game(2)
    play(
        table,
        {0: "fold vertical 2 right over", 1: "wait"},
        {0: "fold vertical 1 right over", 1: "wait"},
        {0: "turn over", 1: "wait"},
        {0: "grab", 1: "wait"},
    )
    assert table.state()["last_round"]["wrong"] == []
    assert stars(table) == [3, 2]


# -- tokens and the end of a round ------------------------------------------------------------


@pytest.mark.parametrize("wrong_claim", ["both", "instead"])
def test_right_claim(wrong_claim):
    table = game(2, wrong_claim=wrong_claim)
    play(table, *({0: act, 1: "wait"} for act in RIGHT))
    state = table.state()
    assert stars(table) == [3, 2]
    assert (state["round"], state["tick"], state["tokens_left"]) == (2, 1, 1)
    assert state["discards"] == [COLUMN]
    assert state["seats"][0]["cloth"] == flat()
    assert state["seats"][0]["token"] is False
    assert state["seats"][0]["counts"]["folds"] == 0
    last = state["last_round"]
    assert (last["round"], last["tick"], last["timed_out"]) == (1, 3, False)
    assert (last["tokens"], last["wrong"], last["lost"]) == ([0], [], [1])
    assert last["tops"][0] == [[0], [4], [8], [12]]


@pytest.mark.parametrize(("wrong_claim", "left"), [("both", [2, 2]), ("instead", [2, 3])])
def test_wrong_grab_in_tick_1(wrong_claim, left):
    table = game(2, wrong_claim=wrong_claim)
    play(table, {0: "grab", 1: FOLD_1})
    assert stars(table) == left
    assert table.state()["last_round"]["wrong"] == [0]
    assert table.state()["last_round"]["tops"][1][0] == [0, 1]  # the fold of that tick happened


@pytest.mark.parametrize(("wrong_claim", "left"), [("both", [2, 3, 2]), ("instead", [2, 3, 3])])
def test_one_right_and_one_wrong_claim(wrong_claim, left):
    table = game(3, wrong_claim=wrong_claim)
    play(
        table,
        {0: "grab", 1: FOLD_1, 2: "wait"},
        {1: FOLD_2, 2: "wait"},  # who holds a token isn't asked
        {1: "grab", 2: "wait"},
    )
    assert stars(table) == left
    assert table.state()["last_round"]["tokens"] == [0, 1]


def test_more_grab_than_tokens_are_left():
    asked = []

    def chance(kind: str, info: dict) -> list[int]:
        asked.append((kind, info))
        return [2]

    table = game(3, chance=chance)
    play(table, {0: "grab", 1: "wait", 2: "wait"}, {1: "grab", 2: "grab"})
    assert asked == [("tokens", {"round": 1, "tick": 2, "seats": [1, 2], "tokens": 1})]
    assert table.state()["last_round"]["tokens"] == [0, 2]
    assert table.state()["last_round"]["wrong"] == [0, 2]
    assert stars(table) == [2, 2, 2]


def test_losing_the_draw_is_no_wrong_claim():
    table = game(2, chance=lambda kind, info: [0], wrong_claim="instead")
    play(table, {0: "grab", 1: "grab"})
    assert stars(table) == [2, 3]
    table = game(2, chance=lambda kind, info: [0])
    play(table, *[{0: "grab", 1: "grab"}] * 3)
    assert table.winners == [False, True]


@pytest.mark.parametrize(("wrong_claim", "left"), [("both", [2, 2, 2]), ("instead", [2, 3, 3])])
def test_max_ticks_with_a_wrong_claim(wrong_claim, left):
    table = game(3, wrong_claim=wrong_claim, max_ticks=2)
    play(table, {0: "wait", 1: "wait", 2: "wait"}, {0: "grab", 1: "wait", 2: "wait"})
    last = table.state()["last_round"]
    assert (last["timed_out"], last["tick"], last["tokens"]) == (True, 2, [0])
    assert stars(table) == left


@pytest.mark.parametrize("wrong_claim", ["both", "instead"])
def test_max_ticks_without_a_wrong_claim(wrong_claim):
    table = game(3, wrong_claim=wrong_claim, max_ticks=3)
    play(table, *({0: act, 1: "wait", 2: "wait"} for act in RIGHT))
    assert table.state()["last_round"]["timed_out"] is True
    assert stars(table) == [3, 2, 2]


def test_last_token_in_the_last_tick_is_no_timeout():
    table = game(2, max_ticks=3)
    play(table, *({0: act, 1: "wait"} for act in RIGHT))
    assert table.state()["last_round"]["timed_out"] is False


# -- the end of the game ----------------------------------------------------------------------


def test_out_of_stars_and_last_one_in():
    table = game(3)
    for _ in range(3):
        play(table, *({0: act, 1: act, 2: "wait"} for act in RIGHT))
    assert stars(table) == [3, 3, 0]
    assert table.state()["tokens_left"] == 1
    for _ in range(3):
        assert not table.done
        play(table, *({0: act, 1: "wait"} for act in RIGHT))  # seat 2 isn't asked any more
    assert table.done
    assert (table.phase, table.to_act, table.legal()) == ("done", -1, [])
    assert table.winners == [True, False, False]
    assert table.tie_break is None
    assert table.scores == [3, 0, 0]
    assert table.rewards() == [1, -0.5, -0.5]
    assert table.rewards("margin") == [1, -1, -1]
    assert table.rewards("score") == [1, 0, 0]
    state = table.state()
    assert (state["round"], state["tick"], state["order"]) == (6, 3, COLUMN)
    assert len(state["discards"]) == 5  # the last order still lies there
    assert state["seats"][0]["token"] is True
    with pytest.raises(ValueError):
        table.step("wait")
    with pytest.raises(ValueError):
        table.rewards("stars")


def test_grabbing_wrongly_does_not_force_a_draw():
    table = game(2)
    play(table, *[{0: "grab", 1: "wait"}] * 2)
    assert table.rewards() == [0, 0]
    play(table, {0: "grab", 1: "wait"})
    assert table.scores == [0, 0]
    assert table.winners == [False, True]
    assert table.tie_break == "no wrong claim"
    assert table.rewards() == [-1, 1]
    assert table.rewards("margin") == [0, 0]


def test_grabbing_wrongly_under_instead():
    table = game(2, wrong_claim="instead")
    play(table, *[{0: "grab", 1: "wait"}] * 3)
    assert table.winners == [False, True]
    assert table.tie_break is None
    assert table.scores == [0, 3]


def test_wrong_claims_of_earlier_rounds_do_not_count():
    table = game(2, max_ticks=1)
    play(table, *[{0: "grab", 1: "wait"}] * 2, {0: "wait", 1: "wait"})
    assert table.winners == [True, True]
    assert table.tie_break is None
    assert table.rewards() == [0, 0]


def test_two_of_three_share():
    table = game(3, max_ticks=1)
    play(table, *[{0: "grab", 1: "wait", 2: "wait"}] * 3)
    assert table.winners == [False, True, True]
    assert table.tie_break == "no wrong claim"
    assert table.rewards() == [-0.5, 0.25, 0.25]


def test_who_was_out_before_does_not_share():
    # Seat 2 goes out alone, then seats 0 and 1 together without a claim.
    table = game(3, max_ticks=3)
    for _ in range(3):
        play(table, *({0: act, 1: act, 2: "wait"} for act in RIGHT))
    play(table, *[{0: "wait", 1: "wait"}] * 9)
    assert table.winners == [True, True, False]
    assert table.rewards() == [0.25, 0.25, -0.5]


def test_all_claimed_wrongly_cannot_be():
    # There is one token fewer than players, so somebody in is always without a claim.
    table = game(4)
    play(table, *[{0: "grab", 1: "grab", 2: "grab", 3: "wait"}] * 3)
    assert table.winners == [False, False, False, True]
    assert table.rewards() == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])


# -- cards ------------------------------------------------------------------------------------


def test_an_empty_deck_is_reshuffled():
    asked = []

    def chance(kind: str, info: dict) -> list[list[int]]:
        asked.append((kind, info))
        return [[2, 1], [5]]

    table = FoldItOracle({"num_players": 2, "deck": [[5], [2, 1]]}, chance, wrong_claim="instead")
    assert table.state()["deck"] == [[1, 2]]
    play(table, {0: "grab", 1: "wait"})
    state = table.state()
    assert (state["order"], state["deck"], state["discards"]) == ([1, 2], [], [[5]])
    assert asked == []
    play(table, {0: "wait", 1: "grab"})
    state = table.state()
    assert asked == [("reshuffle", {"round": 3, "discards": [[5], [1, 2]]})]
    assert (state["order"], state["deck"], state["discards"]) == ([1, 2], [[5]], [])


def test_random_orders():
    asked = []

    def chance(kind: str, info: dict) -> list[int]:
        asked.append((kind, info["round"], len(info["orders"])))
        return info["orders"][0]

    options = {"orders": "random", "dishes": (4, 4), "folds": (2, 2), "wrong_claim": "instead"}
    table = FoldItOracle({"num_players": 2, "deck": []}, chance, **options)
    assert table.state()["order"] == [0, 1, 2, 3]
    play(table, {0: "grab", 1: "wait"})
    assert asked == [("order", 1, 12), ("order", 2, 12)]
    assert table.state()["discards"] == []
    assert table.knowledge(0)["deck_count"] is None
    deal = random_deal(2, random.Random(1), **options)
    assert len(deal["deck"]) == 1
    assert FoldItOracle(deal, chance, **options).state()["order"] == deal["deck"][0]
    with pytest.raises(ValueError):
        FoldItOracle({"num_players": 2, "deck": []}, orders="random", dishes=(1, 1), folds=(2, 2))


def test_random_deal():
    for name, size in (("standard", 22), ("advanced", 20), ("mixed", 42)):
        deal = random_deal(2, random.Random(3), deck=name)
        assert len(deal["deck"]) == size
        assert sorted(deal["deck"]) == sorted(DECKS[name])
    assert random_deal(2, random.Random(3)) == random_deal(2, random.Random(3))


@pytest.mark.parametrize(
    "options",
    [{"deck": "big"}, {"orders": "none"}, {"wrong_claim": "?"}, {"max_ticks": 0}, {"stars": 2}],
)
def test_wrong_options(options):
    with pytest.raises(ValueError):
        game(2, **options)


# -- one player -------------------------------------------------------------------------------


def test_puzzle():
    table = game(1, orders_per_game=4, max_ticks=6)
    assert table.state()["tokens_left"] == 1
    play(table, *({0: act} for act in RIGHT))  # 2 of 2
    play(table, *({0: act} for act in [FOLD_1, "undo", "wait", *RIGHT]))  # 2 of 4
    play(table, {0: "grab"})  # wrong
    assert table.state()["order_scores"] == [1.0, 0.5, 0.0]
    assert table.state()["last_round"]["lost"] == []
    assert table.rewards() == [0.0]
    play(table, *[{0: "wait"}] * 5, {0: FOLD_1})  # out of ticks
    assert table.done
    assert table.state()["last_round"]["timed_out"] is True
    assert table.state()["order_scores"] == [1.0, 0.5, 0.0, 0.0]
    assert table.winners == [True]
    assert stars(table) == [3]
    for kind in ("win", "margin", "score"):
        assert table.rewards(kind) == table.scores == [0.375]


def test_puzzle_counts_flats_and_turns():
    table = game(1, orders_per_game=1)
    acts = [FOLD_1, "flat", "turn over", "turn over", *RIGHT]
    play(table, *({0: act} for act in acts))
    assert table.scores == [2 / 6]


# -- who knows what ---------------------------------------------------------------------------


def test_knowledge():
    table = game(3)
    play(table, {0: FOLD_1, 1: "grab", 2: "wait"}, {0: FOLD_2, 2: "turn over"})
    table.step("wait")
    own = table.knowledge(2)
    assert [player["seat"] for player in own["players"]] == [2, 0, 1]
    assert set(own["players"][1]) == {"seat", "stars", "token", "outline", "top"}
    assert own["players"][1]["outline"] == [4, 1]
    assert own["players"][1]["top"] == [[0], [4], [8], [12]]
    assert own["players"][0]["top"][0] == [3, 2, 1, 0]
    assert own["players"][2]["token"] is True
    assert own["cloth"] == turn_over(flat())
    assert own["choice"] is None
    assert own["own_choices"] == [[1, 1, "wait"], [1, 2, "turn over"]]
    assert own["deck_count"] == 19
    assert "deck" not in own
    assert table.knowledge(0)["choice"] == "wait"
    assert table.knowledge(0)["own_choices"][-1] == [1, 3, "wait"]
    assert [entry["tick"] for entry in own["log"]] == [1, 2]
    assert own["log"][0]["tokens"] == [1]
    with pytest.raises(ValueError):
        table.knowledge(3)


def test_knowledge_hides_the_deck():
    first = [COLUMN, [5], [7], [1, 2]]
    second = [COLUMN, [1, 2], [5], [7]]
    tables = [FoldItOracle({"num_players": 2, "deck": deck}) for deck in (first, second)]
    for seat in (0, 1):
        assert tables[0].knowledge(seat) == tables[1].knowledge(seat)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_choices_stay_secret_until_the_tick_is_over(num_players):
    rng = random.Random(num_players)
    for _ in range(2):
        table = FoldItOracle(random_deal(num_players, rng))
        while not table.done:
            acting = table.to_act
            others = [seat for seat in range(num_players) if seat != acting]
            before = [table.knowledge(seat) for seat in others]
            ticks = len(before[0]["log"])
            table.step(rng.choice(table.legal()))
            if len(table.knowledge(acting)["log"]) == ticks:
                assert [table.knowledge(seat) for seat in others] == before


# -- random play ------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "page"), [(2, 44), (3, 83), (4, 122)])
def test_random_play(num_players, page):
    rng = random.Random(10 + num_players)
    games = 300
    decisions = 0
    for _ in range(games):
        table = FoldItOracle(random_deal(num_players, rng))
        left = stars(table)
        while not table.done:
            table.step(rng.choice(table.legal()))
            decisions += 1
            now = [seat.stars for seat in table._seats]
            assert all(0 <= b <= a <= b + 1 for a, b in zip(left, now, strict=False))
            left = now
        assert sum(score > 0 for score in table.scores) <= 1
        assert any(table.winners)
        for kind in ("win", "margin", "score"):
            assert len(table.rewards(kind)) == num_players
        assert sum(table.rewards()) == pytest.approx(0)
    assert decisions / games == pytest.approx(page, rel=0.1)


@pytest.mark.parametrize("wrong_claim", ["both", "instead"])
def test_random_play_with_a_short_round(wrong_claim):
    rng = random.Random(7)
    options = {"wrong_claim": wrong_claim, "max_ticks": 2, "deck": "mixed"}
    for number in range(100):
        num_players = 2 + number % 3
        table = FoldItOracle(random_deal(num_players, rng, **options), **options)
        while not table.done:
            table.step(rng.choice(table.legal()))
        assert sum(table.rewards()) == pytest.approx(0)


def test_random_puzzles():
    rng = random.Random(11)
    for _ in range(10):
        table = FoldItOracle(random_deal(1, rng), orders_per_game=3)
        while not table.done:
            table.step(rng.choice(table.legal()))
        assert len(table.state()["order_scores"]) == 3
        assert 0 <= table.rewards()[0] <= 1
