"""Options and component tables of Momiji."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fold_envs.games.momiji
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.games.momiji.components import load_components
from fold_envs.games.momiji.game import Momiji

SHIPPED = Path(fold_envs.games.momiji.__file__).with_name("components.toml")


def changed(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """The shipped table with some text replaced."""
    text = SHIPPED.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "cards.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_table() -> None:
    shipped = load_components(None)
    assert shipped.kinds == ((0, 3), (1, 1), (1, 2), (2, 1), (3, 0))
    assert shipped.copies == (5, 2, 2, 3, 2)
    assert shipped.start_acorns == (2, 3, 4, 5)
    assert all(shipped.is_house(name) for name in shipped.provenance)


def test_house_values_are_marked_in_snapshot_and_view() -> None:
    game = Momiji(1)
    game.reset(0)
    house = ["corners", "start acorns", "mountain", "pond", "bridge"]
    assert game.snapshot(0)["house"] == house
    assert "house values: corners, start acorns, mountain, pond, bridge" in game.render(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"landscapes": "all"}, "landscapes: 'all' is none of 'first_game', 'draft', 'none'"),
        ({"last_round": True}, "last_round: True is none of 'same', 'extra'"),
        ({"num_players": 5}, "num_players: 5"),
        ({"start_acorns": [1, 2, 3]}, r"start_acorns: \[1, 2, 3\] does not have 2 numbers"),
        ({"start_acorns": -1}, "start_acorns: -1 is not a whole number from 0 to 20"),
        ({"start_acorns": [1, 2.5]}, "start_acorns: 2.5 is not a whole number"),
        ({"start_acorns": "2"}, "start_acorns: '2' is neither a whole number nor a list"),
        ({"start_acorns": True}, "start_acorns: True is neither"),
        ({"cards": "no/such/file.toml"}, "cannot read 'no/such/file.toml'"),
    ],
)
def test_bad_options_say_what_is_expected(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        Momiji(1, **options)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("copies = 5\n", "copies = 6\n", r"leaf.0.copies \(published\): 6"),
        ('corners = ["none", "none"]', 'corners = ["none"]', "leaf.3.corners: .* list of 2 words"),
        (
            'corners = ["none", "none"]',
            'corners = ["none", "top"]',
            "corners: 'top' is none of",
        ),
        ("acorns = [2, 3, 4, 5]", "acorns = [2, 3, 4]", "start.acorns: .* does not have 4 numbers"),
        ('"mountain", "pond", "bridge"', '"mountain", "pond"', "first_game.tiles: .* three names"),
        ('"mountain", "pond", "bridge"', '"mountain", "pond", "lake"', "'lake' is none of"),
        ("amount = 2", "amount = 9", "landscape.mountain.amount: 9 is not a whole number from 1"),
        ("amount = 2\n", "", "landscape.mountain: amount missing"),
        ("amount = 2\n", "amount = 2\ncolour = 1\n", "landscape.mountain: unknown colour"),
        ("amount = 2\ncopies = 2", "amount = 2\ncopies = 9", "landscape.mountain.copies: 9"),
        ("[landscape.moon]", "[landscape.sun]", "moon missing"),
        ('provenance = "house"', 'provenance = "mine"', "start: provenance is 'mine'"),
        ("[start]", "start = 3\n[begin]", "not valid TOML|begin|start"),
        ("[leaf.0]", "[leaf.0", "is not valid TOML"),
    ],
)
def test_a_bad_table_names_the_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        Momiji(1, cards=changed(tmp_path, (old, new)))


def test_too_few_tiles_for_the_draft(tmp_path: Path) -> None:
    text = SHIPPED.read_text(encoding="utf-8").replace("copies = 2\nprov", "copies = 1\nprov")
    path = tmp_path / "cards.toml"
    path.write_text(text, encoding="utf-8")
    Momiji(1, cards=path, landscapes="draft", num_players=2)
    with pytest.raises(InvalidOptionError, match="the draft for 4 needs 12 tiles, there are 8"):
        Momiji(1, cards=path, landscapes="draft", num_players=4)


def test_a_table_of_ones_own_is_played_with(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        ("acorns = [2, 3, 4, 5]", "acorns = [7, 1, 1, 1]"),
        ('["mountain", "pond", "bridge"]', '["shrine", "moon", "shrine"]'),
        ("amount = 2\ncopies = 2\n", "amount = 3\ncopies = 2\n"),
        ('provenance = "house"', 'provenance = "published (page 3)"'),
    )
    game = Momiji(1, cards=path)
    game.reset(0)
    table = game.snapshot(0)
    assert table["acorns"][table["first"]] == 7
    assert table["unused"] == [["shrine", "shrine", "moon"]] * 2
    assert table["house"] == ["corners", "shrine", "moon"]
    assert [game.describe_action(game.actions["tile"].start + i) for i in range(2)] == [
        "use or keep shrine",
        "use or keep moon",
    ]


def test_start_acorns_for_all_or_in_turn_order() -> None:
    game = Momiji(30, start_acorns=9)
    game.reset(0)
    assert (game.board.acorns == 9).all()
    game = Momiji(30, start_acorns=(1, 4))
    game.reset(0)
    assert (game.board.acorns == [[1], [4]]).all()


def test_options_survive_copy_and_pickle(tmp_path: Path) -> None:
    options = {"landscapes": "draft", "last_round": "extra", "start_acorns": [3, 3, 1]}
    game = Momiji(4, num_players=3, cards=changed(tmp_path), **options)
    game.reset(5)
    for _ in range(30):
        game.step(game.random_legal())
    for twin in (game.copy(), pickle.loads(pickle.dumps(game))):
        assert twin.options == game.options
        for _ in range(20):
            twin_actions = twin.random_legal()
            twin.step(twin_actions)
        assert twin.snapshot(0)["turns"] >= game.snapshot(0)["turns"]


def test_at_most_one_and_a_half_kib_a_table() -> None:
    for landscapes in ("first_game", "draft"):
        assert Momiji(1, num_players=4, landscapes=landscapes).state.bytes_per_table <= 1536


def test_actions_are_few() -> None:
    for players in (2, 3, 4):
        assert Momiji(1, num_players=players, landscapes="draft").num_actions < 80
    np.testing.assert_equal(Momiji(1).num_actions, 59)
