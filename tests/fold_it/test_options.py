"""Options, and files of one's own cards."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.games.fold_it.game import FoldIt
from fold_envs.games.fold_it.orders import HOUSE_CARDS, Components

USER_CARDS = Path(__file__).with_name("user_cards.toml")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deck": "easy"}, "deck: 'easy' is none of 'standard', 'advanced', 'mixed'"),
        ({"orders": "all"}, "orders: 'all' is none of"),
        ({"wrong_claim": None}, "wrong_claim: None is none of"),
        ({"dishes": 3}, "dishes: 3 is not a pair"),
        ({"dishes": (0, 2)}, "dishes: 0 is not a whole number from 1 to 4"),
        ({"dishes": (3, 2)}, "dishes: .3, 2. has its low end above"),
        ({"folds": (2, 6)}, "folds: 6 is not a whole number from 2 to 5"),
        ({"folds": [2]}, "folds: .2. is not a pair"),
        ({"orders": "random", "dishes": (1, 1), "folds": (2, 3)}, "there is no such order"),
        ({"max_ticks": 0}, "max_ticks: 0 is not a whole number from 1 to 250"),
        ({"max_ticks": 2.5}, "max_ticks: 2.5 is not"),
        ({"orders_per_game": 251}, "orders_per_game: 251 is not"),
        ({"num_players": 5}, "num_players: 5 is not a whole number from 1 to 4"),
        ({"cards": 7}, "cards: 7 is not the path"),
        ({"cards": "no/such/file.toml"}, "cannot read 'no/such/file.toml'"),
        ({"cards": USER_CARDS, "reward": "stars"}, "reward: 'stars' is none of"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        FoldIt(1, **options)


def test_options_come_back() -> None:
    given: dict[str, Any] = {
        "num_envs": 3,
        "num_players": 3,
        "deck": "mixed",
        "orders": "random",
        "dishes": [2, 4],
        "folds": (3, 4),
        "wrong_claim": "instead",
        "max_ticks": 17,
        "orders_per_game": 3,
        "cards": USER_CARDS,
        "reward": "margin",
    }
    game = FoldIt(**given)
    assert {name: game.options[name] for name in given} == given | {"dishes": (2, 4)}
    game.reset(1)
    for _ in range(9):
        game.step(game.random_legal())
    for twin in (game.copy(), pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert twin.options == game.options
        assert (twin.observe(1) == game.observe(1)).all()
        assert twin.snapshot(2) == game.snapshot(2)


def test_own_cards() -> None:
    components = Components(USER_CARDS)
    assert components.decks["standard"] == [(0, 4, 8, 12), (10, 11, 14, 15)]
    assert components.dishes[:4] == ("a", "b", "c", "d")
    game = FoldIt(1, cards=USER_CARDS, deck="advanced")
    game.reset(0)
    assert game.snapshot(0)["dishes"] == ["h"]
    assert "h" in game.render(0)


CLOTH = HOUSE_CARDS.read_text(encoding="utf-8").split("[[card]]")[0]


def card(**changes: str) -> str:
    lines = {"deck": '"standard"', "dishes": '["ramen"]', "provenance": '"house"'} | changes
    return "[[card]]\n" + "\n".join(f"{k} = {v}" for k, v in lines.items() if v) + "\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "card, cloth missing"),
        (CLOTH, "card missing"),
        (CLOTH + card(deck='"easy"'), "card 1: deck: 'easy' is none of 'standard', 'advanced'"),
        (CLOTH + card() + card(dishes='["soup"]'), "card 2: dishes: 'soup' is none of 'sandwich'"),
        (CLOTH + card(dishes='["ramen", "ramen"]'), "names ramen, ramen, one of them twice"),
        (CLOTH + card(dishes="[]"), "card 1: dishes must be a list of 1 to 4 names"),
        (CLOTH + card(dishes='["custard", "spaghetti"]'), "no folding shows exactly custard, spag"),
        (CLOTH + card(provenance=""), "card 1: provenance missing"),
        (CLOTH + card(provenance='"made up"'), "provenance is 'made up'"),
        (CLOTH + card(points="3"), "card 1: unknown points"),
        (CLOTH.replace('"custard"', '"steak"') + card(), "rows must be 4 rows of 4 different"),
        (CLOTH.replace('"custard", ', "") + card(), "rows must be 4 rows of 4 different"),
        (CLOTH.replace("[cloth]", "[cloth]\nsize = 4") + card(), "cloth: unknown size"),
        ("[cloth", "is not valid TOML"),
        (CLOTH + "[card]\na = 1\n", "card must be a list of tables"),
        ("cloth = 1\ncard = [1]", "cloth must be a table"),
    ],
)
def test_wrong_files_are_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "cards.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidOptionError, match=message) as caught:
        FoldIt(1, cards=path)
    assert "cards.toml" in str(caught.value)


def test_a_deck_needs_cards(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text(CLOTH + card(), encoding="utf-8")
    assert FoldIt(1, cards=path).order_table.orders == [(7,)]
    with pytest.raises(InvalidOptionError, match="deck: 'advanced' has 0 cards in this file"):
        FoldIt(1, cards=path, deck="advanced")
