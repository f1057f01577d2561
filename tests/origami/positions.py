"""Positions set by hand: a table with given cards, played by words, an oracle beside it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from tests.oracles.origami import OrigamiOracle
from tests.origami.card_files import ROWS, rows_with, write_cards
from tests.origami.test_oracle import Chance, Recording


class Position:
    """One table at the start of a turn; it need not hold all cards.

    Words are those of ``describe_action``. The oracle gets the same position and the same words,
    and must offer the same ones after each.
    """

    def __init__(
        self,
        hands: list[list[str]],
        *,
        line: list[str] | None = None,
        deck: list[str] | None = None,  # first is the top
        discards: list[str] | None = None,
        collections: list[list[list[str]]] | None = None,
        start: int = 0,
        turn: int = 0,
        emptyings: int = 0,
        final_round: bool = False,
        **changes: dict[str, Any],
    ) -> None:
        p = len(hands)
        rows = rows_with(**changes) if changes else ROWS
        path = write_cards(rows) if changes else None
        self.game = game = Recording(1, num_players=p, cards=path)
        if path:
            Path(path).unlink()
        line = ["Whale"] * 4 if line is None else line
        deck = ["Bee"] * 20 if deck is None else deck
        discards = discards or []
        collections = collections or [[[], []] for _ in range(p)]
        game.reset(0)
        s, names, k = game.state, game.cards.names, game.kinds
        for field in ("known", "line", "discards", "public", "points", "history"):
            getattr(s, field)[...] = 0

        def kinds(cards: list[str]) -> list[int]:
            return [names.index(card) for card in cards]

        for seat, hand in enumerate(hands):
            for kind in kinds(hand):
                s.known[seat, 0, kind, 0] += 1
            game._public.hand_sizes[seat] = len(hand)
        for pile, cards in ((s.line, line), (s.discards, discards)):
            for kind in kinds(cards):
                pile[kind] += 1
        s.line_size[:], s.discard_size[:] = len(line), len(discards)
        s.deck[: len(deck), 0] = kinds(deck)[::-1]
        s.deck_size[:] = len(deck)
        game._public.tops[:] = k
        s.laid[:] = 0
        for seat, pair in enumerate(collections):
            for side, stack in enumerate(pair):
                for kind in kinds(stack):
                    family = game.cards.family[kind]
                    game._public.laid[kind, seat] += 1
                    scorers = game.cards.scorers.tolist()
                    slot = scorers.index(kind) if kind in scorers else len(scorers)
                    game._public.scorers[side, slot, seat] += 1
                    game._public.families[side, family, seat] += 1
                    game._public.heights[side, seat] += 1
                    game._public.tops[side, seat] = kind
                    game._public.half_hands[seat] += names[kind] == "Rabbit"
                    s.history[:, s.laid[0], 0] = kind, side * p + seat
                    s.laid += 1
            s.points[seat] = game._public.points[seat] = points_of(rows, pair)
        s.seats[:, 0] = turn, turn, start
        s.emptyings[:], s.final_round[:] = emptyings, final_round
        s.turns[:] = (turn - start) % p
        game._stale = True
        self.chance = Chance(names)
        self.oracle = OrigamiOracle.position(
            rows,
            [list(hand) for hand in hands],
            line=list(line),
            deck=list(deck),
            discards=list(discards),
            collections=[[list(stack) for stack in pair] for pair in collections],
            start=start,
            turn=turn,
            emptyings=emptyings,
            final_round=final_round,
            chance=self.chance,
        )
        self._same()

    def _same(self) -> None:
        words = self.words
        assert len(set(words)) == len(words)
        if self.game.done[0]:
            assert self.oracle.done
        else:
            assert sorted(words) == self.oracle.legal()
            assert self.game.to_act[0] == self.oracle.to_act
            state = self.oracle.state()
            for name in ("hands", "line", "deck", "discards", "collections", "known"):
                assert self[name] == state[name], name
        assert self.scores == self.oracle.scores

    @property
    def words(self) -> list[str]:
        """What may be done now, sorted."""
        game = self.game
        return sorted(game.describe_action(int(a), 0) for a in np.flatnonzero(game.legal[:, 0]))

    def cards(self, verb: str) -> list[str]:
        """The cards that may be played, taken, paid..."""
        return [word[len(verb) + 1 :] for word in self.words if word.startswith(verb + " ")]

    def play(self, *words: str) -> Position:
        """Play these words one after the other."""
        game = self.game
        for word in words:
            named = {
                game.describe_action(int(a), 0): int(a) for a in np.flatnonzero(game.legal[:, 0])
            }
            assert word in named, f"{word!r} is none of {sorted(named)}"
            game.orders.clear()
            game.received.clear()
            game.step([named[word]])
            self.chance.orders = game.orders.get(0, [])
            self.chance.stolen = game.received.get(0, [])
            self.oracle.step(word)
            self._same()
        return self

    def __getitem__(self, name: str) -> Any:
        return self.game.snapshot(0)[name]

    def hand(self, seat: int = 0) -> list[str]:
        hands: list[list[str]] = self["hands"]
        return hands[seat]

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.game.scores[:, 0]]

    @property
    def phase(self) -> str:
        return str(self["phase"])

    @property
    def to_act(self) -> int:
        return int(self.game.to_act[0])


def points_of(rows: list[dict[str, Any]], pair: list[list[str]]) -> int:
    """Points of two collections, but for half_hand: counted card by card, as the page says."""
    by_name = {row["name"]: row for row in rows}
    both = Counter(pair[0] + pair[1])
    total = 0
    for stack in pair:
        here = Counter(stack)
        family = Counter(by_name[card]["family"] for card in stack)
        for card in stack:
            row = by_name[card]
            amount, effect = row.get("amount", 1), row["effect"]
            total += row["points"]
            if effect == "per_family_all":
                total += amount * family[row["family"]]
            elif effect == "per_family_others":
                total += amount * (family[row["family"]] - 1)
            elif effect == "per_name":
                total += amount * both[row["target"]]
            elif effect == "pair_in_collection":
                total += amount * (here[card] >= 2)
            elif effect == "trio_by_name":
                total += amount * (both[card] >= 3)
    return total
