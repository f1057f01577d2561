"""What seats of Old Men of the Forest see: bounds, and nothing that they cannot know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fold_envs.games.old_men.game import OldMen

USER_DECK = Path(__file__).with_name("user_deck.toml")
OPTIONS: list[dict[str, Any]] = [
    {"num_players": 3},
    {"num_players": 4},
    {"num_players": 3, "hands": 1, "deforestation_penalty": 10},
    {"num_players": 4, "cards": USER_DECK},
]


def mixed(**options: Any) -> OldMen:
    """40 tables in all phases, tricks and hands, a few of them over."""
    game = OldMen(40, **options)
    game.reset(8)
    for number in range(200):
        where = ~game.state.over & (np.arange(40) * 5 > number)
        if where.any():
            game.step(game.random_legal(), where)
    return game


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_features_stay_within_their_bounds(options: dict[str, Any]) -> None:
    game = OldMen(500, **options)
    game.reset(1)
    high = game.layout.high[:, None]
    reached = np.zeros(game.layout.size, np.uint8)
    while not game.done.all():
        game.step(game.random_legal())
        observation = game.observe()
        assert (observation <= high).all()
        np.maximum(reached, observation.max(axis=1), out=reached)
    often = [game.layout[name] for name in ("hand", "hidden", "table", "step", "trick", "near")]
    for part in often:
        assert (reached[part] == game.layout.high[part]).all()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_nothing_shows_that_a_seat_cannot_know(options: dict[str, Any]) -> None:
    game = mixed(**options)
    assert len(set(game.phase.tolist())) == 3
    for seat in range(game.num_players):
        twin = game.copy()
        twin.resample_unknown(seat)
        assert (twin.observe(seat) == game.observe(seat)).all()
        assert (twin.census() == 1).all()
        for table in range(40):
            old, new = game.snapshot(table), twin.snapshot(table)
            for name in ("in_hand", "out", "ape_deck", "coming"):
                old.pop(name), new.pop(name)
            assert old == new


def test_what_a_seat_cannot_know_is_drawn_anew() -> None:
    game = OldMen(300)
    game.reset(4)
    for _ in range(9):
        game.step(game.random_legal())
    twin = game.copy()
    twin.resample_unknown(0)
    changed = (twin.state.card_at != game.state.card_at).sum(axis=0)
    assert changed.min() > 0
    assert (twin.state.order[:4] == game.state.order[:4]).all()  # on display
    assert (twin.state.order != game.state.order).any(axis=0).all()
    assert (twin.state.next_card_at != game.state.next_card_at).any(axis=(0, 1)).all()
    # another seat's card is now anywhere among 20 left out and the hands of seats 1 and 2
    theirs = game.state.card_at == 1
    spread = np.bincount(twin.state.card_at[theirs], minlength=4)[:4] / theirs.sum()
    assert spread[0] == 0
    hands = [(game.state.card_at == place).sum() for place in (1, 2, 3)]
    assert spread[1:] == pytest.approx(np.array(hands) / sum(hands), abs=0.03)


@pytest.mark.parametrize("num_players", [3, 4])
def test_seats_are_turned_so_that_the_own_one_comes_first(num_players: int) -> None:
    game = mixed(num_players=num_players)
    views = [
        {name: rows.copy() for name, rows in game.layout.views(game.observe(seat)).items()}
        for seat in range(num_players)
    ]
    by_seat = ("rank", "first", "second", "table", "now", "more", "near", "won", "taken")
    for name in (*by_seat, "points", "past", "leader", "to_act"):
        for seat in range(num_players):
            turned = np.roll(views[0][name], -seat, axis=-2)
            assert (views[seat][name] == turned).all(), name
    for name in ("shown", "unseen", "standing", "step", "trick", "number"):
        assert all((view[name] == views[0][name]).all() for view in views), name


def test_observing_the_seat_to_act_is_the_default() -> None:
    game = mixed()
    assert (game.observe().copy() == game.observe(game.to_act.copy())).all()


def test_public_parts_are_the_same_whatever_others_hold() -> None:
    game = mixed()
    twin = game.copy()
    for seat in range(3):
        twin.resample_unknown(seat)
    public = game.layout.public
    for seat in range(3):
        assert (twin.observe(seat)[public] == game.observe(seat)[public]).all()
