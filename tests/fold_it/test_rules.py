"""The rules in positions by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.engine.errors import IllegalActionError
from fold_envs.games.fold_it.actions import GRAB, WAIT, WORDS
from fold_envs.games.fold_it.game import FoldIt
from fold_envs.games.fold_it.orders import to_mask
from tests.fold_it.helpers import lay, one_table, play, stacks, stars

FLAT = [[[4 * r + c] for c in range(4)] for r in range(4)]


def legal_words(game: FoldIt) -> list[str]:
    return [WORDS[a] for a in np.flatnonzero(game.legal[:, 0])]


# ---------------------------------------------------------------- the cloth


def test_a_fold_lands_mirrored_on_top_or_underneath() -> None:
    game = one_table()
    play(game, "fold vertical 1 left over", "fold horizontal 3 bottom under")
    assert stacks(game, 0)[0] == [[0, 1], [2], [3]]
    assert stacks(game, 1)[2] == [[8, 12], [9, 13], [10, 14], [11, 15]]
    # the longer side may be folded over the shorter: the outline is shifted to the origin
    play(game, "fold vertical 1 right over", "wait")
    assert stacks(game, 0)[0] == [[3], [2, 0, 1]]


def test_all_layers_fold_and_lines_are_counted_on_the_outline() -> None:
    game = one_table()
    play(game, "fold vertical 2 left over", "wait")
    assert stacks(game)[0] == [[1, 2], [0, 3]]
    assert "fold vertical 2 left over" not in legal_words(game)
    assert "fold horizontal 3 top under" in legal_words(game)
    play(game, "fold vertical 1 right over", "wait")
    assert stacks(game)[0] == [[3, 0, 1, 2]]


def test_undo_goes_back_to_the_start() -> None:
    game = one_table()
    folds = ("vertical 1 left over", "horizontal 2 top under", "vertical 2 right over")
    seen = []
    for fold in folds:
        seen.append(stacks(game))
        play(game, f"fold {fold}", "wait")
    for cloth in reversed(seen):
        play(game, "undo", "wait")
        assert stacks(game) == cloth
    assert "undo" not in legal_words(game) and "flat" not in legal_words(game)


def test_undo_after_turning_over_gives_the_earlier_cloth_turned_over() -> None:
    game = one_table()
    play(game, "fold vertical 1 left over", "wait", "fold horizontal 2 top over", "wait")
    play(game, "turn over", "wait", "undo", "wait")
    turned = [[[r + 3], [r + 2], [r + 1, r]] for r in (0, 4, 8, 12)]
    assert stacks(game) == turned
    play(game, "fold vertical 2 left over", "wait")  # folds made turned over are undone turned over
    play(game, "turn over", "wait", "undo", "wait", "turn over", "wait")
    assert stacks(game) == turned
    play(game, "undo", "wait")
    assert stacks(game) == [[[r * 4 + c] for c in (3, 2, 1, 0)] for r in range(4)]
    # nothing is folded any more, though the cloth lies turned over
    assert {"undo", "flat"}.isdisjoint(legal_words(game))
    play(game, "turn over", "wait")
    assert stacks(game) == FLAT


def test_lying_flat_again_front_up_without_a_past() -> None:
    game = one_table()
    play(game, "turn over", "wait", "fold vertical 2 left over", "wait", "flat", "wait")
    assert stacks(game) == FLAT
    assert game.snapshot(0)["seats"][0]["history"] == []
    play(game, "turn over", "wait", "turn over", "wait")
    assert stacks(game) == FLAT


def test_a_single_stack_cannot_be_folded() -> None:
    game = one_table()
    for axis, sides in (("vertical", "left"), ("horizontal", "top")):
        for line in (2, 1):
            play(game, f"fold {axis} {line} {sides} over", "wait")
    assert legal_words(game) == ["undo", "flat", "turn over", "wait", "grab"]
    with pytest.raises(IllegalActionError, match=r"seat 0.*fold vertical 1 left over"):
        play(game, "fold vertical 1 left over")


# ---------------------------------------------------------------- ticks


def test_nothing_of_a_choice_shows_before_the_tick_is_over() -> None:
    views = []
    for word in ("wait", "fold vertical 2 left over", "grab", "turn over"):
        game = one_table(3)
        play(game, word)
        assert game.to_act[0] == 1
        views.append([game.observe(seat).copy() for seat in (0, 1, 2)] + [game.legal.copy()])
    for view in views[1:]:
        for before, after in zip(views[0], view, strict=True):
            assert (before == after).all()


def test_all_choices_of_a_tick_are_carried_out_together() -> None:
    game = one_table(3)
    play(game, "fold vertical 2 left over", "grab")
    assert stacks(game, 0) == FLAT and game.snapshot(0)["tokens_left"] == 2
    play(game, "wait")
    assert stacks(game, 0)[0] == [[1, 2], [0, 3]]
    assert game.snapshot(0)["tokens_left"] == 1
    assert game.to_act[0] == 0
    play(game, "wait")
    assert game.to_act[0] == 2  # who holds a token is not asked any more


def test_three_tokens_for_four_are_drawn_evenly() -> None:
    n = 6000
    game = FoldIt(n, num_players=4)
    game.reset(3)
    for seat in range(4):
        lay_all(game, seat)
        game.step(np.full(n, GRAB))
    lost = game.scores < 3
    assert (lost.sum(axis=0) == 1).all()
    assert np.abs(lost.mean(axis=1) - 1 / 4).max() < 4 * np.sqrt(3 / 16 / n)


def test_two_tokens_for_three_are_drawn_evenly() -> None:
    n = 6000
    game = FoldIt(n, num_players=4)
    game.reset(5)
    for action in (GRAB, WAIT, WAIT, WAIT):
        game.step(np.full(n, action))
    for seat in (1, 2, 3):
        assert (game.to_act == seat).all()
        lay_all(game, seat)
        game.step(np.full(n, GRAB))
    lost = game.scores < 3
    assert lost[0].all()  # wrong
    assert (lost[1:].sum(axis=0) == 1).all()
    assert np.abs(lost[1:].mean(axis=1) - 1 / 3).max() < 4 * np.sqrt(2 / 9 / n)


def lay_all(game: FoldIt, seat: int) -> None:
    """``lay`` at every table."""
    board, known = game._board, game._cloths
    wanted = board.order[0].astype(int) | board.order[1].astype(int) << 8
    any_right = {int(m): int(np.flatnonzero(known.top == m)[0]) for m in np.unique(wanted)}
    right = np.array([any_right[int(m)] for m in wanted])
    game.state.cloth[seat] = right
    board.look[:, seat] = known.look[:, right]


# ---------------------------------------------------------------- rounds


def claim(game: FoldIt, right: str, grabs: str) -> None:
    """One tick: seats marked 1 in ``right`` show the order, those in ``grabs`` grab."""
    seats = [seat for seat in range(game.num_players) if game.scores[seat, 0] > 0]
    for seat in seats:
        lay(game, seat, right[seat] == "1")
    play(game, *("grab" if grabs[seat] == "1" else "wait" for seat in seats))


@pytest.mark.parametrize(
    ("rule", "right", "grabs", "left"),
    [
        ("both", "100", "110", [3, 2, 2]),  # seat 1 wrong, seat 2 last
        ("instead", "100", "110", [3, 2, 3]),
        ("both", "110", "110", [3, 3, 2]),
        ("instead", "110", "110", [3, 3, 2]),
        ("both", "000", "110", [2, 2, 2]),
        ("instead", "000", "110", [2, 2, 3]),
        ("both", "001", "110", [2, 2, 2]),  # to show the order does not help without a token
    ],
)
def test_who_loses_a_star(rule: str, right: str, grabs: str, left: list[int]) -> None:
    game = one_table(3, wrong_claim=rule)
    claim(game, right, grabs)
    assert stars(game) == left
    table = game.snapshot(0)
    assert (table["round"], table["tick"], table["tokens_left"]) == (2, 1, 2)
    assert all(seat["cells"] == FLAT and not seat["token"] for seat in table["seats"])


def test_a_round_goes_on_until_no_token_is_left() -> None:
    game = one_table(3)
    lay(game, 1)
    play(game, "wait", "grab", "wait")
    assert game.snapshot(0)["round"] == 1
    play(game, "wait", "wait")
    lay(game, 2)
    play(game, "wait", "grab")
    assert stars(game) == [2, 3, 3]


@pytest.mark.parametrize(
    ("rule", "right", "grabs", "left"),
    [
        ("both", "000", "000", [2, 2, 2]),
        ("instead", "000", "000", [2, 2, 2]),
        ("both", "100", "100", [3, 2, 2]),  # grabs of the last tick count
        ("both", "000", "100", [2, 2, 2]),
        ("instead", "000", "100", [2, 3, 3]),  # a wrong claim spares those without a token
    ],
)
def test_out_of_ticks(rule: str, right: str, grabs: str, left: list[int]) -> None:
    game = one_table(3, wrong_claim=rule, max_ticks=3)
    play(game, *["wait"] * 6)
    assert game.snapshot(0)["tick"] == 3
    claim(game, right, grabs)
    assert stars(game) == left
    assert game.snapshot(0)["round"] == 2


def test_out_of_the_game() -> None:
    game = one_table(3)
    for _ in range(3):
        claim(game, "110", "110")
    assert stars(game) == [3, 3, 0]
    assert game.snapshot(0)["tokens_left"] == 1  # one fewer
    play(game, "wait")
    assert game.to_act[0] == 1
    play(game, "wait")
    assert game.to_act[0] == 0  # seat 2 is not asked any more
    lay(game, 0)
    play(game, "grab", "wait")
    assert stars(game) == [3, 2, 0]


def test_the_last_with_a_star_wins() -> None:
    game = one_table(2)
    for number in range(3):
        assert not game.done[0]
        claim(game, "01", "01")
        assert stars(game) == [2 - number, 3]
    assert game.done[0]
    assert game.winners[:, 0].tolist() == [False, True]
    assert game.rewards[:, 0].tolist() == [-1, 1]
    assert game.tie_break[0] == 0
    table = game.snapshot(0)  # the table stays as it was
    assert (table["round"], table["seats"][1]["token"]) == (3, True)


@pytest.mark.parametrize(
    ("grabs", "winners", "broke"),
    [
        ("110", [False, False, True], "no wrong claim in it"),
        ("100", [False, True, True], "no wrong claim in it"),
        ("000", [True, True, True], None),
    ],
)
def test_all_out_at_once(grabs: str, winners: list[bool], broke: str | None) -> None:
    game = one_table(3, max_ticks=1)
    claim(game, "000", "000")
    claim(game, "000", "000")
    assert stars(game) == [1, 1, 1]
    claim(game, "000", grabs)
    assert stars(game) == [0, 0, 0] and game.done[0]
    assert game.winners[:, 0].tolist() == winners
    assert [None, *game.tie_breaks][game.tie_break[0]] == broke


def test_all_out_at_once_by_wrong_claims_of_all() -> None:
    game = one_table(2, wrong_claim="both")
    for _ in range(3):
        lay(game, 0, False)
        play(game, "grab", "wait")
    # seat 1 lost its stars for having no token, but never claimed wrongly
    assert stars(game) == [0, 0] and game.winners[:, 0].tolist() == [False, True]


def test_who_went_out_earlier_has_no_part_in_the_last_tie() -> None:
    game = one_table(3, max_ticks=1)
    for _ in range(3):
        claim(game, "110", "110")
    for _ in range(2):
        claim(game, "000", "000")
    assert stars(game) == [1, 1, 0]
    claim(game, "000", "000")
    assert stars(game) == [0, 0, 0] and game.done[0]
    assert game.winners[:, 0].tolist() == [True, True, False]
    assert game.tie_breaks[game.tie_break[0] - 1] == "in the game until the last round"
    np.testing.assert_allclose(game.rewards[:, 0], [0.25, 0.25, -0.5])


# ---------------------------------------------------------------- cards


def test_every_card_comes_once_before_the_deck_is_shuffled_again() -> None:
    game = one_table(1, orders_per_game=50, max_ticks=1)
    first = game.snapshot(0)
    assert len(first["deck"]) == 21 and first["discards"] == []
    coming = [first["order"], *first["deck"]]
    seen = []
    for _ in range(22):
        seen.append(game.snapshot(0)["order"])
        play(game, "wait")
    assert seen == coming and len({tuple(order) for order in seen}) == 22
    again = game.snapshot(0)
    assert again["discards"] == [] and len(again["deck"]) == 21
    second = [again["order"], *again["deck"]]
    assert sorted(second) == sorted(coming) and second != coming


def test_cards_are_drawn_evenly() -> None:
    game = FoldIt(22_000, num_players=1, orders_per_game=3, max_ticks=1)
    game.reset(1)
    for _ in range(3):
        counts = np.bincount(game.state.card, minlength=22)
        assert np.abs(counts - 1000).max() < 5 * np.sqrt(1000)
        game.step(np.full(22_000, WAIT))


def test_random_orders() -> None:
    game = FoldIt(43_000, orders="random")
    game.reset(0)
    counts = np.bincount(game.state.card, minlength=430)
    assert len(counts) == 430 and np.abs(counts - 100).max() < 5 * 10
    hard = FoldIt(200, orders="random", dishes=(2, 3), folds=(4, 4))
    hard.reset(0)
    orders = {tuple(hard.snapshot(t)["order"]) for t in range(200)}
    assert all(2 <= len(order) <= 3 for order in orders) and len(orders) > 50
    assert {hard.snapshot(t)["fewest_folds"] for t in range(200)} == {4}


@pytest.mark.parametrize(("deck", "cards"), [("standard", 22), ("advanced", 20), ("mixed", 42)])
def test_decks(deck: str, cards: int) -> None:
    table = one_table(2, deck=deck).snapshot(0)
    assert len(table["deck"]) == cards - 1


# ---------------------------------------------------------------- the puzzle


def test_a_puzzle_pays_by_folds() -> None:
    game = one_table(1, orders_per_game=5, orders="random", dishes=(4, 4), folds=(2, 2))
    way = two_folds(game)
    play(game, *way, "grab")  # as few as can be
    way = two_folds(game)
    play(game, "wait", "turn over", "turn over", *way, "undo", way[1], "grab")  # 2 / 6
    play(game, "grab")  # wrong
    way = two_folds(game)
    play(game, *way, "flat", *way, "grab")  # 2 / 5
    play(game, *["wait"] * 40)  # out of time
    assert game.done[0]
    assert game.snapshot(0)["order_scores"] == pytest.approx([1, 1 / 3, 0, 2 / 5, 0])
    assert game.rewards[0, 0] == pytest.approx((1 + 1 / 3 + 2 / 5) / 5)
    assert game.final_scores[0, 0] == round(1000 * (1 + 1 / 3 + 2 / 5) / 5)
    assert game.winners.all()


def two_folds(game: FoldIt) -> tuple[str, str]:
    """Folds that fill an order of the easiest kind."""
    table = game._cloths
    wanted = to_mask(tuple(game.snapshot(0)["order"]))
    for first in range(24):
        middle = table.next[0, 1 + first]
        for second in range(24):
            if table.top[table.next[middle, 1 + second]] == wanted:
                return WORDS[first], WORDS[second]
    raise AssertionError(wanted)


@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_a_puzzle_pays_the_same_under_every_scheme(reward: str) -> None:
    game = one_table(1, reward=reward, orders_per_game=2, max_ticks=5)
    lay(game, 0)
    play(game, "turn over", "turn over")
    lay(game, 0)
    play(game, "grab")
    fewest = game.snapshot(0)
    play(game, "grab")
    expected = fewest["order_scores"][0] / 2
    assert 0.5 <= expected <= 1 and game.rewards[0, 0] == pytest.approx(expected)


# ---------------------------------------------------------------- margin


def test_rewards_of_the_other_schemes() -> None:
    for reward, expected in (("margin", [-1, 1]), ("score", [0, 1])):
        game = one_table(2, reward=reward)
        for _ in range(3):
            claim(game, "01", "01")
        assert game.rewards[:, 0].tolist() == expected
