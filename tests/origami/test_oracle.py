"""The batched Origami against the oracle, move by move."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fold_envs.engine.tables import load_toml
from fold_envs.games.origami.cards import DEFAULT_CARDS, EFFECTS
from fold_envs.games.origami.game import Origami
from tests.oracle_driver import drive
from tests.oracles.origami import OrigamiOracle
from tests.origami.card_files import write_cards

GAMES = 90  # for each number of players, a third of it for other options
SAME = (
    *("families", "start", "hands", "line", "discards", "deck", "collections", "emptyings"),
    *("turns", "playing", "shown", "looked", "chosen", "known"),
)
SAME_BEFORE_THE_END = ("turn", "to_act", "phase", "final_round", "waiting", "pending")


class Recording(Origami):
    """Keeps what chance brought in the last step, by table, for the oracles."""

    def _bind(self) -> None:
        super()._bind()
        self.orders: dict[int, list[list[int]]] = {}
        self.received: dict[int, list[int]] = {}

    def _shuffle_under(self, t: Any) -> None:
        sizes = self.state.discard_size[t]
        super()._shuffle_under(t)
        for number, size in zip(t.tolist(), sizes.tolist(), strict=True):
            order = self.state.deck[:size, number].tolist()
            self.orders.setdefault(number, []).append(order[::-1])

    def _hand_over(self, t: Any, giver: Any, receiver: Any, kind: Any) -> None:
        super()._hand_over(t, giver, receiver, kind)
        for number, card in zip(t, kind, strict=True):
            self.received.setdefault(int(number), []).append(int(card))


class Chance:
    """Gives an oracle what came out in the core."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.orders: list[list[int]] = []
        self.stolen: list[int] = []

    def __call__(self, kind: str, info: dict[str, Any]) -> Any:
        if kind == "reshuffle":
            order = [self.names[card] for card in self.orders.pop(0)]
            assert sorted(order, key=self.names.index) == info["cards"]
            return order
        return self.names[self.stolen.pop(0)]


class Match:
    """One batch of tables and their oracles."""

    def __init__(self, games: int = GAMES, **options: Any) -> None:
        self.game = Recording(games, **options)
        self.rows = load_toml(options.get("cards") or DEFAULT_CARDS)["card"]
        self.chances: list[Chance] = []
        self.rng = random.Random(7)
        self.seen: Counter[str] = Counter()

    def make_oracle(self, table: dict[str, Any]) -> OrigamiOracle:
        deal = {name: table[name] for name in ("families", "start", "hands", "line", "deck")}
        self.chances.append(Chance(self.game.cards.names))
        deal["num_players"] = table["num_players"]
        return OrigamiOracle(deal, self.rows, self.chances[-1])

    def before_step(self, game: Any, table: int, oracle: OrigamiOracle, action: int) -> None:
        words = game.describe_action(action)  # without a table: the action alone
        self.seen[f"{oracle.phase}: {words.split()[0]}"] += 1
        self.chances[table].orders = game.orders.pop(table, [])
        self.chances[table].stolen = game.received.pop(table, [])

    def play(self, seed: int, compare_every: int = 1) -> int:
        return drive(
            self.game,
            seed,
            self.make_oracle,
            compare,
            compare_end,
            compare_every=compare_every,
            before_step=self.before_step,
            observe=self.look,
        )

    def look(self, game: Any, oracles: dict[int, OrigamiOracle]) -> None:
        """One seat's observation at some tables against what the oracle says it may know."""
        if not oracles or self.rng.random() > 0.25:
            return
        seat = self.rng.randrange(game.num_players)
        seen = game.layout.views(game.observe(seat).copy())
        for table in self.rng.sample(sorted(oracles), min(4, len(oracles))):
            check_view(game, {k: v[..., table] for k, v in seen.items()}, oracles[table], seat)


def compare(table: dict[str, Any], oracle: OrigamiOracle) -> None:
    state = oracle.state()
    effect = EFFECTS.get(state["pending"].get("effect"))
    if effect is not None and effect.least is None and "amount" in state["pending"]:
        state["pending"]["amount"] = 0  # the effect takes none
    for name in SAME if oracle.done else (*SAME, *SAME_BEFORE_THE_END):
        assert table[name] == state[name], name
    assert table["scores"] == oracle.scores


def compare_end(game: Any, table: int, oracle: OrigamiOracle) -> None:
    assert list(game.final_scores[:, table]) == oracle.scores
    assert list(game.winners[:, table]) == oracle.winners
    # three-way ties may be broken for two of them
    assert bool(game.tie_break[table]) == (
        sum(score == max(oracle.scores) for score in oracle.scores) > sum(oracle.winners)
    )
    np.testing.assert_allclose(game.rewards[:, table], oracle.rewards("win"), atol=1e-6)


def check_view(game: Any, view: dict[str, Any], oracle: OrigamiOracle, seat: int) -> None:
    """``view`` is what ``seat`` sees at one table, by the names of the layout."""
    known = oracle.knowledge(seat)
    names, p = game.cards.names, game.num_players

    def counts(cards: Any) -> list[int]:
        return [Counter(cards)[name] for name in names]

    def is_one_hot(name: str, place: int) -> None:
        assert view[name].tolist() == [int(i == place) for i in range(len(view[name]))], name

    scorers = [names[kind] for kind in game.cards.scorers]
    special = [name for name, code in zip(names, game.cards.special, strict=False) if code]
    assert view["hand"].tolist() == counts(known["hand"])
    assert view["line"].tolist() == counts(known["line"])
    assert view["discards"].tolist() == counts(known["discards"])
    aside = [*known["looked"], *known["chosen"]]
    assert view["aside"].tolist() == counts(aside)
    pending = known["pending"]
    apart = [known["playing"], known["shown"], pending.get("taken")]
    if pending.get("effect") == "place_under":
        apart.append(known["collections"][known["turn"]][pending["collection"]][-2])
        assert view["side"] == pending["collection"]
    assert view["apart"].tolist() == counts([name for name in apart if name])
    for step in range(p):
        other = (seat + step) % p
        assert view["hand_sizes"][step] == known["hand_sizes"][other]
        hand_points = view["half_hands"][step] * (known["hand_sizes"][other] // 2)
        assert view["points"][step] + hand_points == oracle.scores[other]
        both = [card for cards in known["collections"][other] for card in cards]
        assert view["laid"][:, step].tolist() == counts(both)
        if step:
            assert view["known"][step - 1].tolist() == counts(known["known"][other])
        for side in (0, 1):
            cards = known["collections"][other][side]
            by_scorer = [cards.count(name) for name in scorers]
            by_scorer.append(len(cards) - sum(by_scorer))
            assert view["scorers"][side, :, step].tolist() == by_scorer
            assert view["tops"][side, step] == (names.index(cards[-1]) if cards else len(names))
            assert view["heights"][side, step] == len(cards)
            top = [int(bool(cards) and name == cards[-1]) for name in special]
            assert view["specials"][side, :, step].tolist() == top
    assert view["deck_size"] == known["deck_size"]
    assert view["emptied"].tolist() == [int(known["emptyings"] > n) for n in (0, 1)]
    assert view["final_round"] == known["final_round"]
    assert view["families"].tolist() == [int(f in known["families"]) for f in game.cards.families]
    is_one_hot("phase", game.phases.index(known["phase"]))
    for name in ("turn", "to_act", "start"):
        is_one_hot(name, (known[name] - seat) % p)
    if known["phase"] == "turn" and known["to_act"] == seat:
        plays = {word[5:] for word in known["legal"] if word.startswith("play ")}
        assert view["payable"].tolist() == [int(name in plays) for name in names]
    if known["phase"] in ("take", "pay") and pending["left"] is not None:
        assert view["left"] == pending["left"]
    if "last" in pending and known["to_act"] == seat:
        assert view["last"] == (names.index(pending["last"]) + 1 if pending["last"] else 0)
    if known["to_act"] != seat:
        assert view["last"] == 0


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_every_move_agrees_with_the_oracle(num_players: int) -> None:
    match = Match(num_players=num_players)
    decisions = match.play(100 * num_players, compare_every=4)
    assert decisions > GAMES * 60 * num_players
    for phase in match.game.phases:
        assert any(word.startswith(f"{phase}:") for word in match.seen), phase


def test_chosen_families_agree_with_the_oracle() -> None:
    match = Match(GAMES // 3, families=("sky", "sea"))
    match.play(1, compare_every=4)
    assert match.game.snapshot(0)["families"] == ["sky", "sea"]


# amounts other than in the default table, cards that are free or hard to pay, rare effects often
WILD = {
    "Cat": {"cost": 0},
    "Sheep": {"effect": "sweep_line", "amount": 4},
    "Pig": {"effect": "opponents_discard", "amount": 2, "cost": 3},
    "Dog": {"cost": 1},
    "Fox": {"cost": 2},
    "Chick": {"effect": "pass_right", "amount": None},
    "Parrot": {"cost": 2},
    "Dove": {"amount": 3, "cost": 1},
    "Chicken": {"target": "Chicken", "amount": 2},
    "Eagle": {"amount": 3, "cost": 4},
    "Vulture": {"cost": 3},
    "Magpie": {"amount": 1, "cost": 2},
    "Minnow": {"effect": "per_family_others", "amount": 3},
    "Squid": {"amount": 9, "cost": 9},
    "Crab": {"amount": 5, "cost": 0},
    "Dolphin": {"amount": 4, "cost": 2},
    "Shark": {"amount": 3, "cost": 3},
    "Rhino": {"amount": 0, "cost": 2},
    "Zebra": {"effect": "copy", "cost": 1},
    "Monkey": {"effect": "place_under", "amount": None, "cost": 0},
    "Lion": {"cost": 1},
    "Ant": {"effect": "half_hand", "amount": None},
    "Cricket": {"cost": 2, "folds": 1},
    "Spider": {"amount": 3, "cost": 2},
    "Fly": {"effect": "trio_by_name", "amount": 4, "kind": "scoring"},
}


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_wild_table_agrees_with_the_oracle(num_players: int) -> None:
    rows = [{**row, **WILD.get(row["name"], {})} for row in load_toml(DEFAULT_CARDS)["card"]]
    path = write_cards(rows)
    match = Match(GAMES // 3, num_players=num_players, cards=path)
    match.play(7, compare_every=4)
    Path(path).unlink()
