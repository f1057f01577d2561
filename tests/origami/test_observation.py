"""Observations: bounds, other seats' secrets, knowledge; redrawn hidden things."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fold_envs.games.origami.cards import load_cards
from fold_envs.games.origami.game import Origami
from fold_envs.games.origami.observation import observation_layout
from tests.origami.card_files import rows_with, write_cards
from tests.origami.positions import Position

# secret choices and looks at cards, often
SECRETIVE = {
    "Cat": {"effect": "pass_right", "amount": None},
    "Chick": {"effect": "opponents_discard", "amount": 2},
    "Minnow": {"effect": "steal", "kind": "instant", "amount": 2},
    "Monkey": {"effect": "opponents_discard", "amount": 1},
    "Ant": {"effect": "pass_right", "kind": "instant", "amount": None},
    "Fox": {"cost": 2},
    "Fly": {"effect": "play_free", "kind": "special", "amount": None},
    "Zebra": {"effect": "draw3_discard1", "kind": "special", "amount": None},
}


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_nothing_hidden_is_seen(num_players: int) -> None:
    path = write_cards(rows_with(**SECRETIVE))
    game = Origami(200, num_players=num_players, autoreset=True, cards=path)
    game.reset(1)
    high = game.layout.high[:, None]
    public = game.layout.public
    rng = np.random.default_rng(0)
    phases: set[int] = set()
    changed = 0
    for step in range(320):
        game.step(game.random_legal())
        if step % 8:
            continue
        phases |= set(game.phase.tolist())
        seats = rng.integers(0, num_players, 200)
        seen = game.observe(seats).copy()
        assert (seen <= high).all()
        census = game.census()
        twin = game.copy()
        twin.resample_unknown(seats)
        assert np.array_equal(twin.observe(seats), seen)
        assert np.array_equal(twin.census(), census)
        mine = game.to_act == seats
        assert np.array_equal(twin.legal[:, mine], game.legal[:, mine])
        assert twin.legal.any(axis=0).all()
        for seat in range(num_players):
            assert np.array_equal(twin.observe(seat)[public], game.observe(seat)[public])
        # nobody knows of cards that are not there
        known, hands = twin.state.known, twin.state.known[:, 0]
        for observer in range(num_players):
            for away in range(1, num_players):
                assert (known[observer, away] <= hands[(observer + away) % num_players]).all()
        changed += not np.array_equal(twin.state.known, game.state.known)
        for _ in range(3):
            twin.step(twin.random_legal())
        assert np.array_equal(twin.census(), census)
    assert phases == set(range(len(game.phases)))
    assert changed
    Path(path).unlink()


def test_secret_choices_are_not_seen_by_later_seats() -> None:
    views = []
    for chosen in ("Cat", "Pig"):
        hands = [["Zebra", "Rabbit", "Fox"], ["Cat", "Pig"], ["Ant", "Dog"]]
        game = Position(hands).play("play Zebra", "pay Rabbit", "to collection 0", "yes")
        game.play("pass Fox", f"pass {chosen}")
        assert game.to_act == 2
        views.append([game.game.observe(seat).copy() for seat in range(3)])
        own = game.game.layout.views(game.game.observe(1))["aside"][:, 0]
        assert own.sum() == own[game.game.cards.names.index(chosen)] == 1
    assert np.array_equal(views[0][2], views[1][2])
    assert np.array_equal(views[0][0], views[1][0])
    assert not np.array_equal(views[0][1], views[1][1])


def test_cards_looked_at_are_seen_by_the_looker_alone() -> None:
    views = []
    for card in ("Cat", "Pig"):
        game = Position(
            [["Ant"], ["Ant"]], deck=[card] * 4, collections=[[["Fox"], []], [[], []]]
        ).play("use Fox")
        views.append([game.game.observe(seat).copy() for seat in (0, 1)])
    aside = game.game.layout["aside"]
    assert views[1][0][aside].sum() == 3
    assert views[0][1][aside].sum() == 0
    assert np.array_equal(views[0][1], views[1][1])


def test_the_deck_s_order_is_not_seen() -> None:
    views = []
    for deck in (["Cat", "Pig", "Dog"], ["Dog", "Cat", "Pig"]):
        game = Position([["Ant"], ["Ant"]], deck=deck)
        views.append(np.concatenate([game.game.observe(seat).copy() for seat in (0, 1)]))
    assert np.array_equal(*views)


def test_own_seat_comes_first_then_clockwise() -> None:
    laid = [[["Pig"], []], [["Dog"], ["Ant"]], [["Fox"], []]]
    game = Position([["Cat"], ["Owl", "Owl"], []], collections=laid, turn=1, start=2).game
    names = game.cards.names
    seen = {k: v[..., 0] for k, v in game.layout.views(game.observe(1)).items()}
    assert seen["hand"][names.index("Owl")] == 2
    assert seen["hand_sizes"].tolist() == [2, 0, 1]
    assert seen["heights"].tolist() == [[1, 1, 1], [1, 0, 0]]
    assert seen["tops"][0].tolist() == [names.index(name) for name in ("Dog", "Fox", "Pig")]
    assert seen["laid"][names.index("Fox")].tolist() == [0, 1, 0]
    assert seen["turn"].tolist() == [1, 0, 0]
    assert seen["start"].tolist() == [0, 1, 0]
    special = [name for name, code in zip(names, game.cards.special, strict=False) if code]
    assert seen["specials"][0, special.index("Fox")].tolist() == [0, 1, 0]
    assert seen["family_counts"][0, game.cards.families.index("farm")].tolist() == [1, 1, 1]


def test_payable_and_folds_tell_what_the_hand_can_pay() -> None:
    game = Position([["Cat", "Chicken", "Zebra", "Fox"], ["Ant"]], turn=1).game
    seen = {k: v[..., 0] for k, v in game.layout.views(game.observe(0)).items()}
    payable = {game.cards.names[kind] for kind in np.flatnonzero(seen["payable"])}
    assert payable == {"Cat", "Chicken", "Zebra"}  # Fox costs 8, the others have 5
    assert seen["folds"].tolist() == [1, 2, 0, 1]


def test_the_layout_depends_on_the_card_table() -> None:
    cards = load_cards(None)
    sizes = [observation_layout(p, cards).size for p in (2, 3, 4)]
    assert sizes == [Origami(1, num_players=p).layout.size for p in (2, 3, 4)]
    assert Origami(1).num_actions == 44
    assert Origami(1, num_players=4).state.bytes_per_table <= 2048
