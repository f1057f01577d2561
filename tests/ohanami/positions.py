"""Tables of Ohanami with chosen hands, played in the words of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fold_envs.games.ohanami.game import Ohanami

Rule = Callable[[Ohanami], str]


class _Rigged:
    """Stands in for the random streams of a deal."""

    def __init__(self, start: int, order: Sequence[int]) -> None:
        self.start, self.order = start, order

    def below(self, bound: int) -> np.ndarray:
        return np.array([self.start])

    def shuffle(self, pool: np.ndarray, count: int) -> np.ndarray:
        pool[:, 0] = self.order
        return pool


class Table(Ohanami):
    """One table. ``hands[r][seat]`` lists ten cards; missing hands get the lowest cards left."""

    def __init__(self, hands: Sequence[Sequence[Sequence[int]]], start: int = 0) -> None:
        self.given, self.first = hands, start
        super().__init__(1, num_players=len(hands[0]))
        self.reset(0)

    def _deal(self, state: Any, streams: Any) -> None:
        p = self.num_players
        used = {card for hands in self.given for hand in hands for card in hand}
        left = [card for card in range(1, 121) if card not in used]
        order: list[int] = []
        for number in range(3):
            for place in range(p):
                if number < len(self.given):
                    order += self.given[number][(self.first + place) % p]
                else:
                    order += [left.pop(0) for _ in range(10)]
        super()._deal(state, _Rigged(self.first, order + left))

    @property
    def seat(self) -> int:
        return int(self.to_act[0])

    @property
    def table(self) -> dict[str, Any]:
        return self.snapshot(0)

    def words(self) -> list[str]:
        """The legal actions."""
        return [self.describe_action(int(a), 0) for a in np.flatnonzero(self.legal[:, 0])]

    def play(self, *words: str) -> None:
        """Play actions by their words."""
        for word in words:
            actions = [a for a in range(self.num_actions) if self.describe_action(a, 0) == word]
            assert word in self.words(), f"{word!r} is not legal: {self.words()}"
            self.step(np.array([a for a in actions if self.legal[a, 0]]))

    def play_on(self, rule: Rule, decisions: int | None = None) -> None:
        """Play by a rule, to the end or for some decisions."""
        while not self.done[0] and decisions != 0:
            self.play(rule(self))
            decisions = None if decisions is None else decisions - 1


def lowest_in_garden_1(game: Ohanami) -> str:
    """Keep the lowest two; lay the lower one first, in garden 1 if it fits, else discard it."""
    assert isinstance(game, Table)
    words = game.words()
    if words[0].startswith("keep"):
        return words[0]
    card = game.table["kept"][game.seat][0]
    wanted = f"place {card} in garden 1"
    return wanted if wanted in words else f"discard {card}"
