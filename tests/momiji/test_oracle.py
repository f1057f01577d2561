"""The batched Momiji against the oracle, move by move."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fold_envs.games.momiji.game
from fold_envs.games.momiji.game import Momiji
from fold_envs.games.momiji.observation import ACORN_CAP, HAND_CAP
from fold_envs.games.momiji.view import TOKENS
from tests.oracle_driver import drive
from tests.oracles.momiji import MomijiOracle

GAMES = 30  # of every combination of options
COMBINATIONS = [
    (players, landscapes, last_round)
    for players in (2, 3, 4)
    for landscapes in ("first_game", "draft", "none")
    for last_round in ("same", "extra")
]
KINDS = [(0, "both"), (1, "left"), (1, "right"), (2, "left"), (3, "none")]


def make_oracle(table: dict[str, Any], **options: Any) -> MomijiOracle:
    draft = table["draft"]
    return MomijiOracle(
        {
            "num_players": table["num_players"],
            "first": table["first"],
            "types": table["types"],
            "objectives": table["objectives"],
            "hands": cards(table["hands"]),
            "display": cards(table["display"]),
            "deck": cards(table["deck"]),
            "landscapes": draft["offered"] if draft else table["unused"],
        },
        **options,
    )


def cards(thing: Any) -> Any:
    """Cards, which JSON has as lists, as the tuples of the oracle, at any depth."""
    if thing and isinstance(thing[0], int):
        return tuple(thing)
    return [cards(each) for each in thing]


def sorted_pile(pile: list[Any]) -> tuple[Any, Any]:
    """The order of alike values under the top is not kept by the core."""
    return pile[-1], sorted(pile)


def compare(table: dict[str, Any], oracle: MomijiOracle) -> None:
    state = oracle.state()
    for name in ("num_players", "first", "types", "turns", "acorns", "torii", "owners"):
        assert table[name] == state[name], name
    assert table["scores"] == oracle.scores
    for name in ("hands", "display", "deck"):
        assert cards(table[name]) == state[name], name
    assert sorted(cards(table["discards"])) == sorted(state["discards"])
    assert sorted(table["objectives"]) == sorted(state["objectives"])
    for name in ("unused", "used"):
        assert list(map(sorted, table[name])) == list(map(sorted, state[name])), name
    for ours, theirs in zip(cards(table["rows"]), state["rows"], strict=True):
        assert list(map(sorted_pile, ours)) == list(map(sorted_pile, theirs))
    if state["phase"] == "over":
        assert table["over"]
        return
    split = re.match("(different|place|discard)_", table["phase"])  # by what was done already
    assert (split[1] if split else table["phase"]) == state["phase"].replace(" ", "_")
    assert table["to_act"] == state["to_act"]
    assert table["extra_turns"] == state["extra_turns"]
    assert table["turn"] == state["turn"]
    placing = state["move"].get("placing")
    assert table["move"]["placing"] == (list(placing) if placing else None)
    if state["draft"] is None:
        assert table["draft"] is None
    else:
        ours = table["draft"]
        assert ours["round"] == state["draft"]["round"]
        assert ours["picks"] == state["draft"]["picks"]
        passed = state["draft"]["passed"]
        assert list(map(sorted, ours["offered"])) == list(map(sorted, passed))


def compare_end(game: Momiji, table: int, oracle: MomijiOracle) -> None:
    assert list(game.final_scores[:, table]) == oracle.scores
    assert list(game.winners[:, table]) == oracle.winners
    np.testing.assert_allclose(game.rewards[:, table], oracle.rewards("win"), atol=1e-6)


def counts(kinds: dict[Any, int]) -> list[list[int]]:
    return [[kinds.get((t, *kind), 0) for kind in KINDS] for t in range(6)]


class Knowledge:
    """Compares observations with what the oracle says that a seat knows, now and then."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.compared = 0

    def __call__(self, game: Momiji, oracles: dict[int, MomijiOracle]) -> None:
        if not oracles or self.rng.random() > 0.1:
            return
        seat = self.rng.randrange(game.num_players)
        views = game.layout.views(game.observe(seat).copy())
        for table in self.rng.sample(sorted(oracles), min(3, len(oracles))):
            seen = {name: view[..., table].tolist() for name, view in views.items()}
            self.compare(game, seen, oracles[table].knowledge(seat))
            self.compared += 1

    def compare(self, game: Momiji, seen: dict[str, Any], known: dict[str, Any]) -> None:
        p = game.num_players
        seats = [(known["seat"] + step) % p for step in range(p)]

        def by_seat(name: str) -> list[Any]:
            return [known[name][seat] for seat in seats]

        hand = {card: known["hand"].count(card) for card in known["hand"]}
        assert seen["hand"] == counts(hand)
        display = {card: known["display"].count(card) for card in known["display"]}
        assert seen["display"] == counts(display)
        assert seen["known"] == [counts(kinds) for kinds in by_seat("known")[1:]]
        assert seen["unseen"] == counts(known["unseen"])
        assert seen["types"] == [t in known["types"] for t in range(6)]
        assert seen["acorns"] == [min(n, ACORN_CAP) for n in by_seat("acorns")]
        assert seen["hand_size"] == [min(n, HAND_CAP) for n in by_seat("hand_sizes")]
        assert seen["deck"] == known["deck_size"]
        assert seen["torii"] == known["torii"]
        assert seen["middle"] == [token in known["objectives"] for token in TOKENS]
        assert seen["owned"] == [
            [known["owners"].get(token) == seat for token in TOKENS] for seat in seats
        ]
        assert seen["to_act"] == [seat == known["to_act"] for seat in seats]
        turn = known["turn"]
        for name in ("main_done", "revealed", "discarded"):
            assert seen[name] == turn[name], name
        for number, row in enumerate(by_seat("rows")):
            self.compare_row(number, row, seen)
        powers = game.shape.powers
        if powers:
            assert seen["unused"] == [[t.count(x) for x in powers] for t in by_seat("unused")]
            assert seen["active"] == [power == turn["landscape"] for power in powers]
        draft = known["draft"]
        if draft is not None:
            assert seen["offered"] == [draft["hand"].count(power) for power in powers]
            assert seen["pick"] == [power == draft["pick"] for power in powers]
            assert seen["has_picked"] == [draft["has_picked"][seat] for seat in seats]
            assert seen["round"] == draft["round"]
            passed = (draft["seen"][seats[1]] if draft["round"] == 2 else None) or []
            assert seen["passed"] == [passed.count(power) for power in powers]

    def compare_row(self, number: int, row: list[Any], seen: dict[str, Any]) -> None:
        expected = {name: [0] * 6 for name in ("top", "height", "place", "left", "right")}
        for place, pile in enumerate(row, start=1):
            type_, value, corners = pile[-1]
            expected["top"][type_] = 1 + value
            expected["height"][type_] = len(pile)
            expected["place"][type_] = place
            expected["left"][type_] = int(value < 3 and corners in ("left", "both"))
            expected["right"][type_] = int(value < 3 and corners in ("right", "both"))
        for name in ("top", "height", "place"):
            assert seen[name][number] == expected[name], name
        assert seen["left_acorn"][number] == expected["left"]
        assert seen["right_acorn"][number] == expected["right"]
        assert seen["zeros"][number] == sum(card[1] == 0 for pile in row for card in pile)


@pytest.mark.parametrize(("players", "landscapes", "last_round"), COMBINATIONS)
def test_every_move_agrees_with_the_oracle(players: int, landscapes: str, last_round: str) -> None:
    options = {"landscapes": landscapes, "last_round": last_round}
    seed = 10 * players
    # tiles are in nobody's way when there are acorns to pay for them
    acorns = (6, 6, 6, 6) if landscapes == "draft" else (2, 3, 4, 5)
    game = Momiji(GAMES, num_players=players, start_acorns=acorns[:players], **options)
    knowledge = Knowledge(seed)
    drive(
        game,
        seed,
        lambda table: make_oracle(table, start_acorns=list(acorns), **options),
        compare,
        compare_end,
        compare_every=4,
        observe=knowledge,
    )
    assert knowledge.compared > 20


OTHER_CORNERS = {
    0: ["none", "left", "right", "both", "both"],
    1: ["both", "both", "none", "left"],
    2: ["right", "right", "right"],
    3: ["both", "left"],
}


def test_other_acorn_corners_agree_with_the_oracle(tmp_path: Path) -> None:
    """More kinds of cards than in the shipped table, acorns on 3s too."""
    text = Path(fold_envs.games.momiji.__file__).with_name("components.toml").read_text("utf-8")
    first, *leaves = text.split("\ncorners = ")
    for value, leaf in enumerate(leaves):
        first += f"\ncorners = {OTHER_CORNERS[value]}" + leaf[leaf.index("\n") :]
    path = tmp_path / "cards.toml"
    path.write_text(first, encoding="utf-8")
    game = Momiji(GAMES, num_players=3, cards=path)
    assert len(game.components.kinds) == 4 + 3 + 1 + 2
    drive(
        game,
        7,
        lambda table: make_oracle(table, corners=OTHER_CORNERS),
        compare,
        compare_end,
        compare_every=4,
    )
