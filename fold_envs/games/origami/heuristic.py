"""A greedy Origami player: one turn ahead, with a price on folds, from observation and mask alone.

A card is worth the points that it adds when it is laid and the folds that its effect brings, less
the folds that are spent on it. The best affordable card is played if it is worth more than the
folds of a draw; what to take, to keep and to pay with goes by the same worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import Policy
from fold_envs.engine.rng import Streams
from fold_envs.games.origami.cards import (
    ALL_DRAW,
    COPY,
    DRAW,
    DRAW3_DISCARD1,
    DRAW_DISCARD,
    DRAW_SHEEP,
    LAST_ACTIVE,
    LINE,
    LINE_EXACT,
    OPPONENTS_DISCARD,
    PLAY_DISCOUNT,
    PLAY_FREE,
    STEAL,
    SWEEP_LINE,
    TAKE1_PLAY,
)
from fold_envs.games.origami.piles import COPY_CHOICE, EXTRA, PLACE, TAKE, TURN
from fold_envs.games.origami.scoring import points_of

if TYPE_CHECKING:
    from fold_envs.games.origami.game import Origami

Floats = NDArray[np.float32]
Views = dict[str, NDArray[np.uint8]]

PRICE = 0.33  # points that a fold is worth, until the last round
CARD = 2.5  # folds of a card, on average
DRAWN = 3.5  # folds that the draw action brings, on average
_NEVER = np.float32(-1e6)

# folds that effects bring: at all, and by their amount
_FOLDS, _FOLDS_BY_AMOUNT = np.zeros((2, LAST_ACTIVE + 1), np.float32)
_FOLDS[[DRAW_SHEEP, COPY, DRAW3_DISCARD1, TAKE1_PLAY]] = 2 * CARD, CARD, 2 * CARD, CARD
_FOLDS[DRAW_DISCARD] = -1
_FOLDS_BY_AMOUNT[[DRAW, DRAW_DISCARD, ALL_DRAW, STEAL]] = CARD
_FOLDS_BY_AMOUNT[[LINE, SWEEP_LINE, LINE_EXACT, PLAY_DISCOUNT, OPPONENTS_DISCARD]] = 1


def greedy(game: Origami, price: float = PRICE) -> Policy:
    """The greedy player for a game; ``price`` is that of a fold."""
    player = _Player(game, price)

    def policy(
        observation: NDArray[np.uint8],
        legal: NDArray[np.bool_],
        stream: Streams,
        where: NDArray[np.bool_] | None,
    ) -> NDArray[np.intp]:
        return player.choose(observation, legal)

    return policy


class _Player:
    """What is known of the cards of a game, and the choice for a batch of tables."""

    def __init__(self, game: Origami, price: float) -> None:
        self.layout, self.actions, self.price = game.layout, game.actions, np.float32(price)
        cards, k = game.cards, game.kinds
        points = points_of(cards)
        self.kinds = k
        self.named = points.named.astype(np.float32)
        # by kind and slot of the observation's scorers; the last slot is for all others
        others = len(cards.scorers)
        self.kin = np.pad(points.kin[:, cards.scorers], ((0, 0), (0, 1))).astype(np.float32)
        self.slot = np.full(k, others)
        self.slot[cards.scorers] = np.arange(others)
        self.alone, self.of_family, self.in_both = (
            values[:, None] for values in (points.alone, points.family, points.sets_in_both)
        )
        self.sets = points.sets
        self.family = cards.family[:k].astype(np.intp)
        self.folds, self.cost = (x[:k, None].astype(np.float32) for x in (cards.folds, cards.cost))
        active = np.where(cards.effect <= LAST_ACTIVE, cards.effect, 0)
        gain = _FOLDS[active] + _FOLDS_BY_AMOUNT[active] * cards.amount
        self.instant = (gain * (cards.instant > 0))[:k, None]
        self.special = gain * (cards.special > 0)  # (K + 1,)
        self.special_code = cards.special

    def choose(self, observation: NDArray[np.uint8], legal: NDArray[np.bool_]) -> NDArray[np.intp]:
        """(N,) actions: the legal one that is worth most."""
        v, actions = self.layout.views(observation), self.actions
        k, n = self.kinds, observation.shape[1]
        phase = v["phase"].argmax(axis=0)
        price = np.where(v["final_round"] > 0, np.float32(0), self.price)
        laid = self._points(v)
        value = laid.max(axis=0) + self.instant * price
        play = value - (self.cost + self.folds) * price
        keep = self.folds * price + np.maximum(play, 0)

        worth = np.zeros((len(legal), n), np.float32)
        cards, sides = worth[:k], worth[actions["collection"]]
        cards[:] = -keep  # what is paid, discarded or passed
        for at, better in (
            (TURN, play),
            (EXTRA, np.where(_cheap(v), value - self.folds * price, play)),
            (TAKE, keep + 1),
            (COPY_CHOICE, np.broadcast_to(self.instant + 1, cards.shape)),
        ):
            cards[:, phase == at] = better[:, phase == at]
        worth[actions["draw"]] = DRAWN * price
        worth[actions["yes"]] = 1
        worth[actions["seat"]] = v["hand_sizes"][1:] + 1
        sides[:] = self._uses(v, play, value, price)
        t = np.flatnonzero(phase == PLACE)
        sides[:, t] = laid[:, v["apart"].argmax(axis=0)[t], t]
        return np.where(legal, worth, _NEVER).argmax(axis=0)

    def _points(self, v: Views) -> Floats:
        """(2, K, N) points for laying each kind on each own collection; too low where it cannot."""
        laid, here = (v[name][..., 0, :].astype(np.float32) for name in ("laid", "scorers"))
        points = np.stack([self.kin @ here[0], self.kin @ here[1]])
        points += self.alone + self.named @ laid
        points += self.of_family * v["family_counts"][:, self.family, 0]
        alike = np.where(self.in_both, laid, here[:, self.slot])
        points += self.sets[np.minimum(alike, 3).astype(np.intp), np.arange(self.kinds)[:, None]]
        low, high = v["heights"][:, 0]
        points[0, :, low > high] = _NEVER
        points[1, :, (high > low) | (high + low == 0)] = _NEVER
        return points

    def _uses(self, v: Views, play: Floats, value: Floats, price: Floats) -> Floats:
        """(2, N) the worth of using each top."""
        tops = v["tops"][:, 0]
        code = self.special_code[tops]
        held = v["hand"] > 0
        payable = np.where(v["payable"] > 0, play, 0).max(axis=0)
        free = np.where(held, value - self.folds * price, _NEVER).max(axis=0)
        bought = np.where(held, play, _NEVER).max(axis=0)  # some of it cheaper
        then = np.select(
            [code == PLAY_FREE, code == PLAY_DISCOUNT, code == TAKE1_PLAY],
            np.broadcast_arrays(free, bought, payable),
            0,
        )
        return then + self.special[tops] * price


def _cheap(v: Views) -> NDArray[np.bool_]:
    """(N,) whether the extra play is not at full cost."""
    effect = v["effect"]
    return (effect[PLAY_FREE - 1] | effect[PLAY_DISCOUNT - 1]) > 0
