"""The batched Fold-it against the oracle, move by move."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from fold_envs.engine.rng import bits, scale
from fold_envs.games.fold_it.actions import WORDS
from fold_envs.games.fold_it.game import FoldIt
from tests.oracle_driver import KnowledgeCheck, drive
from tests.oracles.fold_it import FoldItOracle, cells, fold_by_words, outline, top_set

GAMES = 45  # for each set of options
USER_CARDS = Path(__file__).with_name("user_cards.toml")
OPTIONS: list[dict[str, Any]] = [
    {"num_players": 1},
    {"num_players": 2},
    {"num_players": 3},
    {"num_players": 4},
    {"num_players": 2, "wrong_claim": "instead", "deck": "advanced"},
    {"num_players": 3, "wrong_claim": "instead", "max_ticks": 4},
    {"num_players": 4, "wrong_claim": "instead", "orders": "random"},
    {"num_players": 4, "max_ticks": 2, "deck": "mixed"},
    {"num_players": 2, "orders": "random", "dishes": (4, 4), "folds": (2, 2)},
    {"num_players": 3, "cards": USER_CARDS},
    {"num_players": 4, "cards": USER_CARDS, "deck": "mixed", "max_ticks": 3},
    {"num_players": 1, "cards": USER_CARDS, "orders_per_game": 7, "max_ticks": 9},
    {"num_players": 1, "orders": "random", "orders_per_game": 3, "folds": (2, 3)},
]
NOT_FOR_THE_ORACLE = ("num_players", "cards", "deck")


def factory(game: FoldIt, seed: int, options: dict[str, Any]) -> Any:
    """Makes the oracle of a table from its first snapshot; chance is asked of the core."""
    rules = {name: value for name, value in options.items() if name not in NOT_FOR_THE_ORACLE}

    def make_oracle(table: dict[str, Any]) -> FoldItOracle:
        number = table["seed"] - seed

        def chance(kind: str, info: dict[str, Any]) -> Any:
            now = game.snapshot(number)
            if kind == "order":
                known = sorted(map(list, game.order_table.orders))
                assert sorted(map(list, info["orders"])) == known
                return tuple(now["order"])
            if kind == "reshuffle":
                return [tuple(order) for order in [now["order"], *now["deck"]]]
            # the draw of the core, again: it was the last one of its stream
            key, counter = game.state.key[[number]], game.state.counter[[number]]
            word = bits(key, counter - np.uint64(1))
            lucky = list(combinations(info["seats"], info["tokens"]))
            return list(lucky[int(scale(word, len(lucky))[0])])

        deck = [tuple(order) for order in [table["order"], *table["deck"]]]
        deal = {"num_players": table["num_players"], "deck": deck}
        return FoldItOracle(deal, chance=chance, **rules)

    return make_oracle


def compare(table: dict[str, Any], oracle: FoldItOracle) -> None:
    state = oracle.state()
    for name in ("round", "tick", "tokens_left"):
        assert table[name] == state[name], name
    assert table["order"] == list(state["order"])
    assert table["deck"] == [list(order) for order in state["deck"]]
    assert table["discards"] == [list(order) for order in state["discards"]]
    np.testing.assert_allclose(table["order_scores"], state["order_scores"])
    for mine, theirs in zip(table["seats"], state["seats"], strict=True):
        for name in ("stars", "token", "choice"):
            assert mine[name] == theirs[name], name
        assert mine["cells"] == as_lists(theirs["cells"])
        assert mine["history"] == [as_lists(cells(cloth)) for cloth in theirs["history"]]
        assert mine["moves"] == sum(theirs["counts"].values())
    if state["num_players"] > 1:
        assert table["scores"] == [seat["stars"] for seat in state["seats"]]


def as_lists(grid: Any) -> list[list[list[int]]]:
    return [[list(stack) for stack in row] for row in grid]


def compare_end(game: FoldIt, table: int, oracle: FoldItOracle) -> None:
    state = oracle.state()
    scores = game.final_scores[:, table]
    if game.num_players == 1:
        assert scores[0] == round(1000 * oracle.scores[0])
    else:
        assert scores.tolist() == list(oracle.scores)
    assert game.winners[:, table].tolist() == state["winners"]
    decided = game.tie_breaks.index("no wrong claim in it") + 1
    assert (game.tie_break[table] == decided) == (state["tie_break"] is not None)
    np.testing.assert_allclose(game.rewards[:, table], oracle.rewards("win"), atol=1e-6)


def check_knowledge(game: FoldIt, seen: dict[str, Any], seat: int, known: dict[str, Any]) -> None:
    order = set(known["order"])
    assert flags(seen["ordered"]) == order
    assert (seen["tick"], seen["round"]) == (known["tick"], known["round"])
    assert seen["tokens_left"] == known["tokens_left"]
    assert seen["moves"] == sum(known["counts"].values())
    for k, player in enumerate(known["players"]):
        top = {cell for row in player["top"] for cell in row}
        assert flags(seen["top"][k]) == top
        assert seen["outline"][k].tolist() == list(player["outline"])
        assert seen["right"][k] == len(top & order)
        assert seen["done"][k] == (top == order)
        assert seen["stars"][k] == player["stars"]
        assert seen["token"][k] == player["token"]
    if game.orders == "deck":
        used = [*known["discards"], known["order"]]
        cards = [game.order_table.orders[c] for c in np.flatnonzero(seen["used"])]
        assert sorted(map(list, cards)) == sorted(map(list, used))

    layers: dict[tuple[int, int], list[int]] = {}
    for cell in np.argsort(seen["layers"], kind="stable").tolist():
        row, column = int(seen["row"][cell]), int(seen["column"][cell])
        stack = layers.setdefault((row, column), [])
        assert seen["layers"][cell] == len(stack)
        stack.append(cell)
    assert layers == {
        (r, c): list(stack) for r, row in enumerate(known["cells"]) for c, stack in enumerate(row)
    }
    check_folds(seen, known["cloth"], order)
    # the folds still in the cloth tell what undoing leads to
    folds = [f for f in seen["path"].tolist()[::-1] if f]
    assert len(folds) == len(known["history"])
    assert not seen["path"][len(folds) :].any()
    cloth = known["history"][0] if folds else known["cloth"]
    assert seen["turned"] == (not cloth[0][0][0][1])
    assert list(outline(cloth)) == [4, 4]


def check_folds(seen: dict[str, Any], cloth: Any, order: set[int]) -> None:
    """What the features say of each fold is what the oracle's fold shows."""
    rows, columns = outline(cloth)
    for fold in range(24):
        axis, line = divmod(fold, 12)[0], fold % 12 // 4 + 1
        if line >= (columns if axis == 0 else rows):
            found = seen["fold_right"][fold], seen["fold_wrong"][fold], seen["fold_done"][fold]
            assert found == (0, 0, 0)
            continue
        top = top_set(fold_by_words(cloth, WORDS[fold]))
        assert seen["fold_right"][fold] == len(top & order)
        assert seen["fold_wrong"][fold] == len(top - order)
        assert seen["fold_done"][fold] == (set(top) == order)


def flags(row: Any) -> set[int]:
    return set(np.flatnonzero(row).tolist())


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_move_agrees_with_the_oracle(options: dict[str, Any]) -> None:
    game = FoldIt(GAMES, **options)
    check = KnowledgeCheck(check_knowledge, every=40)
    make_oracle = factory(game, 100, options)
    decisions = drive(game, 100, make_oracle, compare, compare_end, compare_every=3, observe=check)
    assert decisions > 4 * GAMES
    assert check.compared > 30


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_skilled_play_agrees_with_the_oracle(options: dict[str, Any]) -> None:
    """Random play hardly ever fills an order; here most moves are the solver's."""
    game = FoldIt(GAMES // 3, **options)
    game.reset(500)
    make_oracle = factory(game, 500, options)
    oracles = {table: make_oracle(game.snapshot(table)) for table in range(game.num_envs)}
    check = KnowledgeCheck(check_knowledge, every=20)
    solver, rng = game.heuristic(speed=0.95), Random(0)
    right_claims = 0
    while oracles:
        running = ~game.done
        best = solver(game.observe(), game.legal, game.side_stream, running)
        others = game.random_legal(running)
        skilled = np.array([rng.random() < 0.9 for _ in range(game.num_envs)])
        actions, legal = np.where(skilled, best, others), game.legal.copy()
        game.step(actions)
        for table, oracle in list(oracles.items()):
            named = {WORDS[action] for action in np.flatnonzero(legal[:, table])}
            assert named == set(oracle.legal())
            before = oracle.state()["last_round"]
            oracle.step(WORDS[actions[table]])
            state = oracle.state()
            if state["last_round"] != before:
                last = state["last_round"]
                right_claims += len(set(last["tokens"]) - set(last["wrong"]))
            assert bool(game.done[table]) == oracle.done
            if oracle.done or rng.random() < 0.3:
                compare(game.snapshot(table), oracle)
            if oracle.done:
                compare_end(game, table, oracle)
                del oracles[table]
        check(game, oracles)
    assert right_claims > 0 or options.get("max_ticks", 40) < 3
