"""What a seat sees: bounds, and nothing that it cannot know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fold_envs.games.fold_it.actions import ACTIONS, WORDS
from fold_envs.games.fold_it.cloth import cloths
from fold_envs.games.fold_it.game import FoldIt
from tests.fold_it.helpers import one_table, play

OPTIONS: list[dict[str, Any]] = [
    {"num_players": 1},
    {"num_players": 2, "deck": "mixed"},
    {"num_players": 3, "orders": "random", "max_ticks": 6},
    {"num_players": 4, "wrong_claim": "instead"},
]


def no_grab(game: FoldIt) -> np.ndarray:
    """Random legal actions, mostly without grabbing, so that rounds last."""
    actions = game.random_legal()
    rng = np.random.default_rng(int(game.state.side_counter.sum() % 1000))
    wait = (actions == ACTIONS - 1) & (rng.random(len(actions)) < 0.8)
    return np.where(wait, ACTIONS - 2, actions)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_bounds_are_kept_and_reached(options: dict[str, Any]) -> None:
    game = FoldIt(3000, autoreset=True, **options)
    game.reset(0)
    high, top = game.layout.high[:, None], np.zeros(game.layout.size, np.uint8)
    for _ in range(200):
        for seat in (None, 0, game.num_players - 1):
            seen = game.observe(seat)
            assert (seen <= high).all()
            np.maximum(top, seen.max(axis=1), out=top)
        game.step(no_grab(game))
    views = game.layout.views(top[:, None])
    rare = {"moves", "tick", "round"}  # the very last ones are hardly ever reached at random
    if game.num_players < 3:
        rare.add("token")  # the first one taken ends the round
    for part in game.layout:
        if part.name not in rare:
            assert views[part.name].max() == part.high, part.name


@pytest.mark.parametrize("options", OPTIONS[1:], ids=str)
def test_what_cannot_be_known_is_not_seen(options: dict[str, Any]) -> None:
    game = FoldIt(300, **options)
    game.reset(0)
    redrawn = 0
    for number in range(40):
        if number % 3 == 0:
            for seat in range(game.num_players):
                twin = game.copy()
                mine, census = game.observe(seat).copy(), game.census().copy()
                legal = game.legal.copy()
                twin.resample_unknown(seat)
                assert (twin.observe(seat) == mine).all()
                assert (twin.census() == census).all()
                same = game.to_act == seat
                assert (twin.legal[:, same] == legal[:, same]).all()
                redrawn += int((twin.state.cloth != game.state.cloth).sum())
                check_whole(twin)
        game.step(no_grab(game))
        if game.done.all():
            break
    assert redrawn > 100


def check_whole(game: FoldIt) -> None:
    """Every cloth is what its folds make of it, and shows what is said to be seen."""
    known, board = cloths(), game._board
    for seat in range(game.num_players):
        made = known.folded(game.state.path[seat])
        cloth = np.where(board.turned[seat] > 0, known.turned[made], made)
        assert (cloth == game.state.cloth[seat]).all()
        assert (known.look[:, cloth] == board.look[:, seat]).all()
        folds = (game.state.path[seat][:, None] >> np.arange(0, 30, 5, dtype=np.uint32) & 31) > 0
        acts = folds.sum(axis=1) + board.turned[seat]
        assert (acts <= board.moves[seat]).all()


def test_play_keeps_every_cloth_whole() -> None:
    game = FoldIt(500, num_players=3, autoreset=True)
    game.reset(1)
    for _ in range(150):
        game.step(no_grab(game))
        check_whole(game)


def test_the_same_features_whoever_is_to_act() -> None:
    game = FoldIt(50, num_players=4)
    game.reset(0)
    for _ in range(30):
        seats = np.arange(50) % 4
        mixed = game.observe(seats).copy()
        for seat in range(4):
            assert (game.observe(seat)[:, seats == seat] == mixed[:, seats == seat]).all()
        game.step(no_grab(game))


def test_own_seat_first_then_clockwise() -> None:
    game = one_table(3)
    folds = ["fold vertical 1 left over", "fold horizontal 1 top over", "wait"]
    play(game, *folds)
    outlines = [(4, 3), (3, 4), (4, 4)]
    for seat in range(3):
        seen = game.layout.views(game.observe(seat))
        expected = [outlines[(seat + k) % 3] for k in range(3)]
        assert seen["outline"][..., 0].tolist() == [list(outline) for outline in expected]
    first = game.layout.views(game.observe(0))
    assert first["path"][:, 0].tolist() == [1 + WORDS.index(folds[0]), 0, 0, 0, 0, 0]
    assert game.layout.views(game.observe(2))["path"].sum() == 0


def test_folds_made_turned_over_are_named_as_if_not_turned() -> None:
    game = one_table(1)
    play(game, "fold vertical 1 left over", "turn over", "fold vertical 1 left over")
    seen = game.layout.views(game.observe())
    # from the front: the rightmost of three columns, moved to the left, underneath
    assert seen["path"][:2, 0].tolist() == [
        1 + WORDS.index("fold vertical 2 right under"),
        1 + WORDS.index("fold vertical 1 left over"),
    ]
    assert seen["turned"][0] == 1


def test_the_state_vector_holds_all_private_parts() -> None:
    game = one_table(3)
    play(game, "fold vertical 1 left over", "fold horizontal 1 top over", "wait")
    private = ~game.layout.public
    vector = game.state_vector()[:, 0]
    parts = [game.observe(0)[:, 0].copy()] + [game.observe(s)[private, 0].copy() for s in (1, 2)]
    assert (vector == np.concatenate(parts)).all()
