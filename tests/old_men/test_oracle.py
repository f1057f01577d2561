"""The batched Old Men of the Forest against the oracle, move by move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fold_envs.games.old_men.deck import RANKS, SUITS
from fold_envs.games.old_men.game import OldMen
from tests.oracle_driver import KnowledgeCheck, drive
from tests.oracles.old_men import OldMenOracle

GAMES = 60  # for each set of options
USER_DECK = Path(__file__).with_name("user_deck.toml")
EQUAL_DECK = Path(__file__).with_name("equal_deck.toml")
OPTIONS: list[dict[str, Any]] = [
    {"num_players": 3},
    {"num_players": 4},
    {"num_players": 3, "hands": 1, "deforestation_penalty": 0},
    {"num_players": 4, "hands": 1, "deforestation_penalty": 5},
    {"num_players": 3, "cards": USER_DECK},
    {"num_players": 4, "cards": USER_DECK, "deforestation_penalty": 1},
    {"num_players": 4, "hands": 1, "cards": EQUAL_DECK},
]


def make_oracle(table: dict[str, Any]) -> OldMenOracle:
    first = {
        "leader": table["leader"],
        "seats": table["in_hand"],
        "out": table["out"],
        "ape_deck": [ape for ape in table["display"] if ape is not None] + table["ape_deck"],
    }
    coming = [
        {name: hand[name] for name in ("leader", "out", "ape_deck")} | {"seats": hand["hands"]}
        for hand in table["coming"]
    ]
    return OldMenOracle(
        {"num_players": table["num_players"], "hands": [first, *coming]},
        hands=table["hands"],
        deforestation_penalty=table["deforestation_penalty"],
        apes=table["apes"],
    )


def compare(table: dict[str, Any], oracle: OldMenOracle) -> None:
    state = oracle.state()
    same = (
        *("hand_number", "trick_number", "leader", "plays", "trick", "claim_order", "claims"),
        *("in_hand", "won", "owned", "discard", "out", "display", "ape_deck", "points_now"),
        *("apes", "deforestation_penalty", "num_players"),
    )
    for name in same:
        assert table[name] == state[name], name
    assert table["hands"] == state["num_hands"]
    if not oracle.done:
        assert (table["phase"], table["to_act"]) == (state["phase"], state["to_act"])
        assert table["past_points"] == state["scores"]
    points = [sum(both) for both in zip(table["past_points"], table["points_now"], strict=True)]
    assert table["scores"] == points
    for seat, values in enumerate(table["taken"]):
        ids = [one["ape"] for one in state["owned"][seat]] if not oracle.done else []
        ids += [ape for hand in state["past"] for ape in hand["apes"][seat]]
        assert values == sorted((state["apes"][ape]["value"] for ape in ids), reverse=True)


def compare_end(game: OldMen, table: int, oracle: OldMenOracle) -> None:
    state = oracle.state()
    assert game.final_scores[:, table].tolist() == state["scores"]
    assert game.winners[:, table].tolist() == state["winners"]
    if state["tie_break"] != "shared":  # then a third one may or may not have lost the comparison
        assert bool(game.tie_break[table]) == (state["tie_break"] == "apes")
    np.testing.assert_allclose(game.rewards[:, table], oracle.rewards("win"), atol=1e-6)


def check_knowledge(game: OldMen, seen: dict[str, Any], seat: int, known: dict[str, Any]) -> None:
    p = game.num_players
    seats = [(seat + k) % p for k in range(p)]
    apes = known["apes"]
    value = {k: apes[k]["value"] for k in range(len(apes))}
    kinds = list(dict.fromkeys(game_kind(apes, ape) for ape in range(len(apes))))
    top = max(sum(ape["cost"].values()) for ape in apes) + 1

    def cards(flags: Any) -> list[str]:
        return [
            f"{SUITS[s]} {r + 1}" for s in range(len(SUITS)) for r in range(RANKS) if flags[s, r]
        ]

    def counts(names: list[str]) -> list[int]:
        return [sum(name.startswith(f"{suit} ") for name in names) for suit in SUITS]

    def lacks(have: list[int], kind: int) -> int:
        cost = apes[kind]["cost"]
        return sum(max(cost.get(suit, 0) - n, 0) for suit, n in zip(SUITS, have, strict=True))

    def best(have: list[int], lacking: int = 0) -> int:
        shown = [kind for kind in known["display"] if kind is not None]
        return max([value[kind] for kind in shown if lacks(have, kind) == lacking], default=0)

    def promise(have: list[int], suit: int) -> int:
        """The best value that lacks two cards of which one is of the suit."""
        more = [n + (k == suit) for k, n in enumerate(have)]
        shown = [kind for kind in known["display"] if kind is not None]
        two = [kind for kind in shown if (lacks(have, kind), lacks(more, kind)) == (2, 1)]
        return max([value[kind] for kind in two], default=0)

    assert cards(seen["hand"]) == known["my_hand"]
    assert cards(seen["hidden"]) == known["unseen_cards"]
    played = dict(known["plays"])
    lies = dict(known["trick"])
    ranks = [int(played[s].split()[1]) if s in played else 0 for s in seats]
    assert seen["rank"].tolist() == ranks
    higher = [sum(r >= k for r in ranks) for k in range(1, RANKS + 1)]
    assert seen["standing"].tolist() == [[n == k for n in higher] for k in (0, 1)]
    mine = counts(known["won"][seat])
    assert seen["promise"].tolist() == [promise(mine, suit) for suit in range(len(SUITS))]
    for place, s in enumerate(seats):
        shown = counts([lies[s]] if s in lies else [])
        assert seen["table"][:, place].tolist() == shown
        have = counts(known["won"][s])
        assert seen["won"][:, place].tolist() == have
        assert seen["now"][place] == best(have)
        more = [[n + (k == suit) for k, n in enumerate(have)] for suit in range(len(SUITS))]
        assert seen["more"][:, place].tolist() == [
            max(best(one), best(have)) - best(have) for one in more
        ]
        shown_kinds = {kind for kind in known["display"] if kind is not None}
        assert seen["near"][:, place].tolist() == [
            top - lacks(have, kind) if kind in shown_kinds else 0 for kind in kinds
        ]
        values = [value[one["ape"]] for one in known["owned"][s]]
        values += [value[ape] for hand in known["past"] for ape in hand["apes"][s]]
        assert seen["taken"][:, place].tolist() == [
            values.count(v) for v in sorted(set(value.values()))
        ]
        offset = 10 * max(1, known["deforestation_penalty"])
        high = game.layout.high[game.layout["points"]][0]
        assert seen["points"][place] == min(known["points_now"][s] + offset, high)
        assert seen["past"][place] == min(known["scores"][s] + offset, high)
        if place:
            own = [n + m for n, m in zip(mine, shown, strict=True)]
            later = promise(mine, shown.index(1)) if s in lies else 0
            assert seen["offers"][:, place - 1].tolist() == [best(own) if s in lies else 0, later]
    strength = {s: (int(card.split()[1]), -k) for k, (s, card) in enumerate(known["plays"])}
    order = sorted(strength, key=strength.__getitem__, reverse=True)
    assert seen["first"].tolist() == [s in order[:1] for s in seats]
    assert seen["second"].tolist() == [s in order[1:2] for s in seats]
    assert seen["shown"].tolist() == [known["display"].count(kind) for kind in kinds]
    assert seen["unseen"].tolist() == [known["unseen_apes"].count(kind) for kind in kinds]
    assert seen["leader"].tolist() == [s == known["leader"] for s in seats]
    assert seen["to_act"].tolist() == [s == known["to_act"] for s in seats]
    assert seen["trick"].tolist() == [k == known["trick_number"] for k in range(10)]
    assert seen["number"].tolist() == [k == known["hand_number"] for k in range(known["num_hands"])]
    done = {"play": len(known["plays"]), "claim": p + 2 * len(known["claims"])}
    step = done.get(known["phase"], p - 1 + 2 * len(known["claims"]))
    assert seen["step"].tolist() == [k == step for k in range(p + 4)]


def game_kind(apes: list[dict[str, Any]], ape: int) -> int:
    """The lowest id of an orangutan equal to ``ape``."""
    return next(k for k in range(ape + 1) if apes[k] == apes[ape])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_move_agrees_with_the_oracle(options: dict[str, Any]) -> None:
    game = OldMen(GAMES, **options)
    check = KnowledgeCheck(check_knowledge, every=20)
    decisions = drive(game, 100, make_oracle, compare, compare_end, compare_every=2, observe=check)
    p, hands = game.num_players, options.get("hands", 2)
    assert decisions == GAMES * hands * 10 * (p + 4)
    assert check.compared > 500
