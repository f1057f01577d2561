"""A greedy Momiji player, from the observation and the mask alone.

It values a pile by its points now plus, as long as the deck lasts, what it may still grow; a play
by the growth it brings and its acorns; a collect by what the cards will bring once they are played;
and it activates objectives that it leads. If asked to it also pays for more cards to collect from,
which brings fewer points but wins more often.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout
from fold_envs.engine.rng import Streams
from fold_envs.games.momiji.board import (
    DIFFERENT_FIRST,
    DIFFERENT_MORE,
    DIFFERENT_SECOND,
    DISCARD_FIRST,
    DISCARD_SECOND,
    DRAFT,
    HAND_LIMIT,
    LIMIT,
    OBJECTIVE,
    PHASES,
    PLACE_FIRST,
    PLACE_MORE,
    PLACE_SAME,
    POND,
    SAME,
    SECOND_COLLECT,
    TURN,
    Shape,
)
from fold_envs.games.momiji.components import TYPES, VALUES, Components
from fold_envs.games.momiji.moves import ACTIVATION_PRICE, TILE_PRICE

Floats = NDArray[np.float32]
Views = dict[str, Floats]
_TORII = VALUES - 1  # value of the card that closes a pile
_VALUES = np.arange(VALUES, dtype=np.float32)[:, None]


class Weights(NamedTuple):
    """What things are worth to the greedy player, in points; found by trying."""

    hope: float = 3.1  # top value that an open pile may reach, while the deck is full
    opening: float = 4.5  # an open pile, while the deck is full
    later: float = 0.78  # of its growth, a card that is still to be played
    far: float = 0.65  # of that, a card that does not fit yet
    corner: float = 0.7  # an acorn corner that faces another
    new_pile: float = 1.5  # bonus to expect from a new pile at the end of the row
    patience: float = 6.3  # a play must bring so much, while the deck is full
    lead: float = 8.0  # an objective that it leads alone, price not counted
    tie: float = 7.0  # one that it shares
    doubt: float = 0.65  # part of that which is in doubt while the deck is full
    reveal: float = 1.0  # four more cards to choose from
    mountain: float = 5.0  # draw with at most so many cards in hand
    pond: float = 3.5  # take a card from the display if it brings so much
    dead: float = 0.5  # a card that brings less may be discarded for half an acorn


_FIRST, _LAST = 1000.0, -1000.0  # done before anything else; only if nothing else is left

# how much the draft likes a tile; those it never uses last
_LIKES = {"shrine": 8, "mountain": 7, "moon": 6, "teahouse": 5, "pond": 4, "lantern": 3}


class _Columns(dict[str, NDArray[np.uint8]]):
    """Named views of an observation at some tables, gathered when they are asked for."""

    def __init__(
        self,
        parts: dict[str, tuple[slice, tuple[int, ...]]],
        observation: NDArray[np.uint8],
        tables: NDArray[np.intp],
    ) -> None:
        super().__init__()
        self._parts, self._observation, self._tables = parts, observation, tables

    def __missing__(self, name: str) -> NDArray[np.uint8]:
        rows, shape = self._parts[name]
        gathered = self._observation[rows].take(self._tables, axis=1)
        self[name] = gathered.reshape(*shape, len(self._tables))
        return self[name]


class _Sight:
    """What the own cards and piles are worth at some tables; arrays end with their axis M.

    Attributes:
        left: (M,) how much of the game is left, 1 to 0.
        top, height: (6, M) of the own piles; top -1: no pile.
    """

    def __init__(self, greedy: Greedy, views: _Columns) -> None:
        self.views, self._greedy = views, greedy
        deck = views["deck"].astype(np.float32) / greedy.shape.deck
        self.left = np.minimum(deck, views["torii"] / np.float32(greedy.shape.num_players))
        self.top = views["top"][0].astype(np.float32) - 1
        self.height = views["height"][0].astype(np.float32)

    def _pile(self, top: Floats, height: Floats) -> Floats:
        """What a pile is worth: its points, and while it is open what may still come."""
        w = self._greedy.weights
        hope = np.maximum(w.hope - top, 0)
        return height * top + (top < _TORII) * self.left * (height * hope + w.opening)

    @cached_property
    def _after(self) -> Floats:
        """(2, 6, 4, M) what the piles are worth with one / two more cards, by the new top."""
        height = self.height[:, None]
        return np.stack([self._pile(_VALUES, height + 1), self._pile(_VALUES, height + 2)])

    @cached_property
    def grown(self) -> Floats:
        """(6, k, M) growth of the own pile if a card of this kind were laid now; 0: no fit."""
        before = self._pile(self.top, self.height) * (self.top >= 0)
        growth = self._after[0] - before[:, None]
        return growth[:, self._greedy.values] * self.views["fits"]

    @cached_property
    def worth(self) -> Floats:
        """(6, k, M) what a card of this kind may bring in the end."""
        w, top = self._greedy.weights, self.top[:, None]
        later = (_VALUES > top) & (top < _TORII) & (self.views["types"][:, None] > 0)
        hope = _VALUES + self.left * np.maximum(w.hope - _VALUES, 0)
        far = later * (w.far * hope * (0.3 + 0.7 * self.left))
        return np.where(self.views["fits"] > 0, self.grown, far[:, self._greedy.values])

    @cached_property
    def facing(self) -> Floats:
        """(6, k, M) acorn corners of a card that would face another."""
        by_left, by_right = self.views["faced"][:, :, None]
        return (by_left & self._greedy.left) + (by_right & self._greedy.right).astype(np.float32)

    @cached_property
    def same(self) -> Floats:
        """(6, k, M) growth by a same-type play that begins with this card; 0 if impossible."""
        hand, values = self.views["hand"], self._greedy.values
        counts = np.stack([hand[:, values == v].sum(axis=1) for v in range(VALUES)], axis=1)
        one, two = self._after
        second = np.zeros_like(one)  # growth by the second card, by the value of the first
        open_ = slice(0, _TORII)
        alike = (counts[:, open_] >= 2) * (two[:, open_] - one[:, open_])
        higher = (counts[:, 1:] >= 1) * (two[:, 1:] - one[:, open_])
        second[:, open_] = np.maximum(np.maximum(alike, higher), 0)
        can = (self.views["fits"] > 0) & (hand > 0)
        return (self.grown + second[:, values]) * can

    @cached_property
    def different(self) -> tuple[Floats, Floats]:
        """(6, k, M) value of each card in a play of different types, and (M,) of the whole play."""
        w, greedy, hand = self._greedy.weights, self._greedy, self.views["hand"]
        new = self.top[:, None] < 0
        card = self.grown + w.corner * self.facing + np.where(new, w.new_pile, 0)
        card = np.where((self.views["fits"] > 0) & (hand > 0), card, -np.inf)
        best = card.argmax(axis=1)  # (6, M)
        value = np.take_along_axis(card, best[:, None], axis=1)[:, 0]
        plays = value > 0
        # the bonus, with the corners that will show
        old = plays & ~new[:, 0]
        left = np.where(old, greedy.left[best, 0], self.views["left_acorn"][0])
        right = np.where(old, greedy.right[best, 0], self.views["right_acorn"][0])
        place = self.views["place"][0]
        neighbours = (place[:, None] + 1 == place) & (place[:, None] > 0)
        pairs = (neighbours & (right[:, None] > 0) & (left > 0)).sum(axis=(0, 1))
        grown = np.take_along_axis(self.grown, best[:, None], axis=1)[:, 0]
        whole = np.where(plays, grown + np.where(new[:, 0], w.new_pile, 0), 0).sum(axis=0)
        return card, np.where(plays.sum(axis=0) >= 2, whole + 2 * pairs, 0).astype(np.float32)

    @cached_property
    def collects(self) -> Floats:
        """(6, M) what collecting a type brings."""
        w, display = self._greedy.weights, self.views["display"]
        cards = display.sum(axis=1)
        value = w.later * (display * self.worth).sum(axis=1)
        room = HAND_LIMIT + 1 - self.views["hand_size"][0].astype(np.float32)
        return value * np.clip(room / np.maximum(cards, 1), 0.2, 1)

    @cached_property
    def tokens(self) -> Floats:
        """(8, M) what activating an objective brings, price not counted."""
        w, best = self._greedy.weights, self.views["best"]
        shared = best[1:].any(axis=0)
        value = np.where(best[0] == 0, 0, np.where(shared, w.tie, w.lead))
        return value * (1 - w.doubt * self.left) * self.views["middle"]


class Greedy:
    """The policy; see ``BatchGame.heuristic``."""

    def __init__(
        self,
        layout: Layout,
        actions: Layout,
        shape: Shape,
        components: Components,
        *,
        reveals: bool = False,
        weights: Weights | None = None,
    ) -> None:
        self.actions, self.shape = actions, shape
        self._parts = {part.name: (layout[part.name], part.shape) for part in layout}
        self.weights = weights or Weights()
        self._reveals = reveals
        self.values = np.array([value for value, _ in components.kinds])
        corners = np.array([corners for _, corners in components.kinds])
        self.left = (corners & 1).astype(np.uint8)[:, None]
        self.right = (corners >> 1).astype(np.uint8)[:, None]
        self._teahouse = components.amounts["teahouse"]
        judges = {
            self._turn: (TURN,),
            self._same: (SAME,),
            self._different: (DIFFERENT_FIRST, DIFFERENT_SECOND, DIFFERENT_MORE),
            self._end: (PLACE_SAME, PLACE_FIRST, PLACE_MORE),
            self._objective: (OBJECTIVE,),
            self._discard: (DISCARD_FIRST, DISCARD_SECOND, LIMIT),
            self._take: (POND,),
            self._second_collect: (SECOND_COLLECT,),
            self._keep: (DRAFT,),
        }
        self._judges = tuple(judges)
        self._judge_of = np.full(len(PHASES), len(judges))  # the bridge is never used
        for number, phases in enumerate(judges.values()):
            self._judge_of[list(phases)] = number

    def __call__(
        self,
        observation: NDArray[np.uint8],
        legal: NDArray[np.bool_],
        stream: Streams,
        where: NDArray[np.bool_] | None,
    ) -> NDArray[np.intp]:
        """(N,) actions: the best legal one by the judge of the phase, the first among equals."""
        judge_of = self._judge_of[observation[self._parts["phase"][0]].argmax(axis=0)]
        if where is not None:
            judge_of[~where] = len(self._judges)
        actions = legal.argmax(axis=0)
        for number, judge in enumerate(self._judges):
            tables = np.flatnonzero(judge_of == number)
            if len(tables):
                values = np.zeros((self.actions.size, len(tables)), np.float32)
                sight = _Sight(self, _Columns(self._parts, observation, tables))
                judge(sight, self.actions.views(values))
                values[~legal.take(tables, axis=1)] = -np.inf
                actions[tables] = values.argmax(axis=0)
        return actions

    # Each judge writes values into views of the actions.

    def _turn(self, sight: _Sight, value: Views) -> None:
        w, views, left = self.weights, sight.views, sight.left
        waits = w.patience * left  # cards that are kept can still make a better play
        same, different = sight.same, sight.different[1]
        collects = sight.collects
        value["card"][:] = same + 0.1 * sight.facing - waits
        value["play_different"][:] = different - waits
        value["collect"][:] = collects
        value["activate"][:] = sight.tokens.max(axis=0) - self._price(sight)
        value["reveal"][:] = w.reveal + 0.5 * collects.max(axis=0) if self._reveals else _LAST
        # minor actions first, if they help
        dead = (views["hand"] * (sight.worth < w.dead)).sum(axis=(0, 1))
        too_many = views["main_done"] * views["hand_size"][0] > HAND_LIMIT
        value["discard_two"][:] = np.where((dead >= 2) | too_many, _FIRST, _LAST)
        for number, power in enumerate(self.shape.powers):
            helps = self._helps(power, sight, same, different)
            value["tile"][number] = np.where(helps, _FIRST, _LAST)

    def _price(self, sight: _Sight) -> Floats:
        """(M,) acorns for an objective."""
        price = np.full(len(sight.left), ACTIVATION_PRICE, np.float32)
        if "teahouse" in self.shape.active:
            teahouse = sight.views["active"][self.shape.active["teahouse"] - 1] > 0
            price[teahouse] = self._teahouse
        return price

    def _helps(
        self, power: str, sight: _Sight, same: Floats, different: Floats
    ) -> bool | NDArray[np.bool_]:
        """Whether a tile is worth its acorn now."""
        w, views = self.weights, sight.views
        play = same.max(axis=(0, 1))
        if power == "shrine":
            return True
        if power == "mountain":
            return (views["hand_size"][0] <= w.mountain) & (sight.left > 0)
        if power == "pond":
            return (sight.worth * (views["display"] > 0)).max(axis=(0, 1)) >= w.pond
        if power == "moon":
            return (views["pairs"] >= 1) & (play + 2 > different) & (play > w.patience * sight.left)
        if power == "teahouse":
            others = np.maximum(play, different) - w.patience * sight.left
            others = np.maximum(others, sight.collects.max(axis=0))
            return sight.tokens.max(axis=0) - TILE_PRICE - self._teahouse > others
        return False

    def _same(self, sight: _Sight, value: Views) -> None:
        value["card"][:] = sight.grown + 0.1 * sight.facing
        value["done"][:] = 0.01

    def _different(self, sight: _Sight, value: Views) -> None:
        """All cards that bring something: for old piles in rising order, then for new ones."""
        card = sight.different[0]
        order = np.where(sight.top >= 0, 2 * TYPES - np.arange(TYPES)[:, None], 0)
        best = card.max(axis=(1), keepdims=True)
        turn = np.where(best > 0, _FIRST * (1 + order[:, None]), 0)
        value["card"][:] = np.maximum(turn + card, _LAST)

    def _end(self, sight: _Sight, value: Views) -> None:
        """The end of the row that shows an acorn."""
        views = sight.views
        place = views["place"][0]
        value["end"][0] = (views["left_acorn"][0] * (place == 1)).sum(axis=0)
        value["end"][1] = (views["right_acorn"][0] * (place == place.max(axis=0))).sum(axis=0)

    def _objective(self, sight: _Sight, value: Views) -> None:
        value["objective"][:] = sight.tokens

    def _take(self, sight: _Sight, value: Views) -> None:
        value["card"][:] = sight.worth

    def _second_collect(self, sight: _Sight, value: Views) -> None:
        value["collect"][:] = sight.collects

    def _discard(self, sight: _Sight, value: Views) -> None:
        """The cards that are worth least, the lowest kind of them first."""
        views = sight.views
        hand = views["hand"].reshape(self.shape.kinds, -1)
        worth = np.where(hand > 0, sight.worth.reshape(hand.shape), np.inf)
        order = worth.argsort(axis=0, kind="stable")
        sorted_counts = np.take_along_axis(hand, order, axis=0)
        before = np.cumsum(sorted_counts, axis=0, dtype=np.int32) - sorted_counts
        first, second = views["phase"][[DISCARD_FIRST, DISCARD_SECOND]]
        too_many = views["hand_size"][0].astype(int) - HAND_LIMIT
        due = np.where(first, 2, np.where(second, 1, too_many))
        chosen = np.zeros(hand.shape, bool)
        np.put_along_axis(chosen, order, before < due, axis=0)
        kinds = np.arange(self.shape.kinds)[:, None]
        ranked = np.where(chosen, _FIRST - kinds, -np.minimum(worth, _FIRST))
        value["card"][:] = ranked.reshape(value["card"].shape)

    def _keep(self, sight: _Sight, value: Views) -> None:
        value["tile"][:] = np.array([[_LIKES.get(x, 0)] for x in self.shape.powers], np.float32)
