"""What a seat of Ohanami sees, recomputed from the snapshot and from the oracle's knowledge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fold_envs.engine.batch_game import BatchGame
from fold_envs.games.ohanami.game import Ohanami, colour_of
from tests.ohanami.positions import Table
from tests.ohanami.test_oracle import make_oracle
from tests.oracle_driver import Oracle, drive
from tests.oracles.ohanami import OhanamiOracle

PLAYERS = [2, 3, 4]


def views(game: BatchGame, seat: int, table: int) -> dict[str, np.ndarray]:
    return game.layout.views(game.observe(seat)[:, table].copy())


def reach(card: int, garden: list[int]) -> int:
    """41 minus the gap to the nearer end, or 0: too far, or it does not fit."""
    if not card:
        return 0
    if not garden:
        gap = 120  # an empty garden takes everything and is near nothing
    elif card > max(garden):
        gap = card - max(garden)
    elif card < min(garden):
        gap = min(garden) - card
    else:
        return 0
    return max(0, 41 - gap)


def expected_views(table: dict[str, Any], seat: int) -> dict[str, Any]:
    """All features but those of memory, from the snapshot, one by one."""
    p = table["num_players"]
    clockwise = [(seat + step) % p for step in range(p)]
    hand, kept = table["hands"][seat], table["kept"][seat]
    cards = [*hand, *[0] * (10 - len(hand)), *kept, *[0] * (2 - len(kept))]
    if table["phase"] == "place_second" and table["to_act"] == seat:
        cards = None  # the slot that is left may be either
    gardens = [table["gardens"][other] for other in clockwise]
    laid = [[card for garden in three for card in garden] for three in gardens]
    first = (table["start"] + (table["round"] - 1) * 5 + table["pick"] - 1) % p
    phases = ["keep_first", "keep_second", "place_first", "place_second"]
    scores = np.zeros((2, p), int)
    for place, other in enumerate(clockwise):
        for number, points in enumerate(table["round_scores"][other]):
            scores[number, place] = points
    expected = {
        "below": [[min(three[g]) - 1 if three[g] else 120 for three in gardens] for g in range(3)],
        "high": [[max(three[g], default=0) for three in gardens] for g in range(3)],
        "counts": [
            [sum(colour_of(card) == colour for card in cards) for cards in laid]
            for colour in range(4)
        ],
        "discards": [len(table["discards"][other]) for other in clockwise],
        "round_scores": scores,
        "phase": [name == table["phase"] for name in phases],
        "to_act": [other == table["to_act"] for other in clockwise],
        "first": [other == first for other in clockwise],
        "round": [number == table["round"] for number in (1, 2, 3)],
        "pick": [number == table["pick"] for number in (1, 2, 3, 4, 5)],
    }
    if cards is not None:
        expected["number"] = cards
    return expected


@pytest.mark.parametrize("num_players", PLAYERS)
def test_every_feature_equals_slow_code(num_players: int) -> None:
    game = Ohanami(3, num_players=num_players)
    game.reset(40)
    rng = np.random.default_rng(0)
    while not game.done.all():
        if rng.random() < 0.4:
            for table in range(3):
                snapshot = game.snapshot(table)
                for seat in range(num_players):
                    seen = views(game, seat, table)
                    for name, values in expected_views(snapshot, seat).items():
                        assert np.array_equal(seen[name], np.array(values, int)), (name, seat)
                    kept = seen["number"][10:]
                    assert sorted(card for card in kept if card) == snapshot["kept"][seat]
                    for slot, card in enumerate(seen["number"].tolist()):
                        colours = [card and colour_of(card) == k for k in range(4)]
                        assert seen["colour"][:, slot].tolist() == colours
                        reaches = [reach(card, garden) for garden in snapshot["gardens"][seat]]
                        assert seen["reach"][:, slot].tolist() == reaches
        game.step(game.random_legal())


@pytest.mark.parametrize("num_players", PLAYERS)
def test_memory_equals_the_knowledge_of_the_oracle(num_players: int) -> None:
    rng = np.random.default_rng(1)
    looks = {"keep": 0, "place": 0}

    def observe(game: BatchGame, oracles: dict[int, Oracle]) -> None:
        for table, oracle in oracles.items():
            if rng.random() > 0.15:
                continue
            assert isinstance(oracle, OhanamiOracle)
            looks[oracle.phase] += 1
            for seat in range(num_players):
                known = oracle.knowledge(seat)
                seen = views(game, seat, table)
                never = np.flatnonzero(seen["seen"] == 0) + 1
                assert never.tolist() == known["never_seen"]
                assert np.array_equal(seen["maybe"], maybe_of(known)), (seat, known)

    game = Ohanami(4, num_players=num_players)
    drive(
        game,
        7,
        make_oracle,
        lambda table, oracle: None,
        lambda game, table, oracle: None,
        compare_every=10**6,
        observe=observe,
    )
    assert min(looks.values()) > 20


def maybe_of(known: dict[str, Any]) -> np.ndarray:
    """The feature ``maybe`` from what the oracle says a seat remembers of the packs."""
    p, seat = known["num_players"], known["seat"]
    step = -1 if known["round"] == 2 else 1
    maybe = np.zeros(120, int)
    for holder, pack in enumerate(known["packs"]):
        if pack is None:
            continue
        distance = (holder - seat) * step % p or p
        if known["phase"] == "place" and known["pick"] < 5:
            distance -= 1  # the oracle has the packs on their way, the core still before it
        if distance:
            maybe[np.array(pack["unplaced"], int) - 1] = distance
    return maybe


def test_hands_that_a_seat_has_not_seen_do_not_change_what_it_sees() -> None:
    own = list(range(41, 51))
    others = [list(range(1, 11)), list(range(61, 71)), [7, 22, 80, 90, 91, 92, 93, 94, 95, 120]]
    seen = [Table([[own, other]]).observe(0)[:, 0].copy() for other in others]
    for other in seen[1:]:
        assert np.array_equal(other, seen[0])


def test_a_secret_choice_shows_only_as_a_smaller_hand_to_its_owner() -> None:
    hands = [[list(range(1, 11)), list(range(11, 21)), list(range(21, 31))]]
    seen = []
    for pair in (("keep 1", "keep 2"), ("keep 5", "keep 9")):
        game = Table(hands)
        game.play(*pair)
        seen.append([game.observe(seat)[:, 0].copy() for seat in range(3)])
    assert not np.array_equal(seen[0][0], seen[1][0])
    for seat in (1, 2):
        assert np.array_equal(seen[0][seat], seen[1][seat])


def test_memory_by_hand() -> None:
    game = Table([[list(range(1, 11)), list(range(11, 21)), list(range(21, 31))]])
    game.play("keep 1", "keep 2", "keep 11", "keep 12", "keep 21", "keep 22")
    game.play("place 21 in garden 1", "discard 22", "discard 1", "discard 2")
    game.play("discard 11", "place 12 in garden 1")
    # hands went left: seat 1 has 3..10, seat 2 13..20, seat 0 23..30
    seen = views(game, 0, 0)
    assert seen["number"][:8].tolist() == list(range(23, 31))
    assert (np.flatnonzero(seen["maybe"] == 1) + 1).tolist() == list(range(3, 11))
    assert not (seen["maybe"] > 1).any()
    known = [*range(1, 11), 12, 21, *range(23, 31)]  # held, or laid by others
    assert (np.flatnonzero(seen["seen"]) + 1).tolist() == known
    # the pack of seat 0 goes on: after the next pick two of its cards are with seat 1 or laid
    game.play("keep 3", "keep 4", "keep 13", "keep 14", "keep 23", "keep 24")
    game.play("discard 23", "discard 24", "place 3 in garden 1", "discard 4")
    game.play("discard 13", "discard 14")
    seen = views(game, 0, 0)
    assert (np.flatnonzero(seen["maybe"] == 2) + 1).tolist() == list(range(4, 11))
    assert (np.flatnonzero(seen["maybe"] == 1) + 1).tolist() == list(range(25, 31))
