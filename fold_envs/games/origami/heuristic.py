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
        if where is None or where.all():
            return player.choose(observation, legal)
        asked = where.nonzero()[0]
        actions = np.zeros(len(where), np.intp)
        actions[asked] = player.choose(observation.take(asked, axis=1), legal.take(asked, axis=1))
        return actions

    return policy


class _Player:
    """What is known of the cards of a game, and the choice for a batch of tables."""

    def __init__(self, game: Origami, price: float) -> None:
        self.layout, self.actions, self.price = game.layout, game.actions, np.float32(price)
        cards, k = game.cards, game.kinds
        self.kinds = k
        self.points = points = points_of(cards)
        self.alone = points.alone.astype(np.float32)[:, None]
        # cards that others score with, and the kinds that score together: few of all
        self.named = points.named.any(axis=0).nonzero()[0]
        self.named_points = points.named[:, self.named].astype(np.float32)
        self.kin_points = points.kin[:, cards.scorers].astype(np.float32)
        self.by_family = points.family.nonzero()[0]
        self.sets = points.sets.any(axis=0).nonzero()[0]
        self.family = cards.family[:k].astype(np.intp)
        self.slot = {int(kind): slot for slot, kind in enumerate(cards.scorers)}
        self.folds, self.cost = (x[:k, None].astype(np.float32) for x in (cards.folds, cards.cost))
        active = np.where(cards.effect <= LAST_ACTIVE, cards.effect, 0)
        gain = _FOLDS[active] + _FOLDS_BY_AMOUNT[active] * cards.amount
        self.instant = (gain * (cards.instant > 0))[:k, None]
        self.special = gain * (cards.special > 0)  # (K + 1,)
        self.special_code = cards.special

    def choose(self, observation: NDArray[np.uint8], legal: NDArray[np.bool_]) -> NDArray[np.intp]:
        """(n,) actions: the legal one that is worth most."""
        v, actions = self.layout.views(observation), self.actions
        k, n = self.kinds, observation.shape[1]
        phase = v["phase"]
        price = np.where(v["final_round"] > 0, np.float32(0), self.price)
        laid = self._laid(v)
        value = np.maximum(laid[0], laid[1])
        value += self.instant * price
        play = value - (self.cost + self.folds) * price
        keep = np.maximum(play, 0)
        keep += self.folds * price

        worth = np.zeros((len(legal), n), np.float32)
        cards, sides = worth[:k], worth[actions["collection"]]
        np.negative(keep, out=cards)  # what is paid, discarded or passed
        np.copyto(cards, play, where=(phase[TURN] | phase[EXTRA]) > 0)
        np.copyto(cards, keep + 1, where=phase[TAKE] > 0)
        effect = v["effect"]
        cheap = (effect[PLAY_FREE - 1] | effect[PLAY_DISCOUNT - 1]) > 0
        t = (cheap & (phase[EXTRA] > 0)).nonzero()[0]  # it is not at full cost
        cards[:, t] = value[:, t] - self.folds * price[t]
        cards[:, phase[COPY_CHOICE] > 0] = self.instant + 1
        worth[actions["draw"]] = DRAWN * price
        worth[actions["yes"]] = 1
        worth[actions["seat"]] = v["hand_sizes"][1:] + 1
        t = v["specials"][:, :, 0].any(axis=(0, 1)).nonzero()[0]
        sides[:, t] = self._uses(
            v["tops"][:, 0, t],
            v["hand"][:, t],
            v["payable"][:, t],
            play[:, t],
            value[:, t],
            price[t],
        )
        t = phase[PLACE].nonzero()[0]
        sides[:, t] = laid[:, v["apart"][:, t].argmax(axis=0), t]
        worth[~legal] = _NEVER
        return worth.argmax(axis=0)

    def _laid(self, v: Views) -> Floats:
        """(2, K, n) points for laying each kind on each own collection; too low where it cannot."""
        own, here = v["laid"][:, 0], v["scorers"][..., 0, :]
        both = self.named_points @ own[self.named].astype(np.float32)
        both += self.alone
        laid = np.stack([self.kin_points @ side[:-1].astype(np.float32) for side in here])
        laid += both
        for kind in self.by_family:
            count = v["family_counts"][:, self.family[kind], 0]
            laid[:, kind] += count * self.points.family[kind]
        for kind in self.sets.tolist():
            slot = self.slot.get(kind)  # None: they are counted in both collections
            count = own[kind] if slot is None else here[:, slot]
            laid[:, kind] += self.points.sets[:, kind][np.minimum(count, 3)]
        low, high = v["heights"][:, 0]
        laid[0] += (low > high) * _NEVER
        laid[1] += ((high > low) | (high + low == 0)) * _NEVER
        return laid

    def _uses(
        self,
        tops: NDArray[np.uint8],
        hand: NDArray[np.uint8],
        payable: NDArray[np.uint8],
        play: Floats,
        value: Floats,
        price: Floats,
    ) -> Floats:
        """(2, n) the worth of using each top."""
        code = self.special_code[tops]
        paid = np.where(payable > 0, play, 0).max(axis=0)
        free = np.where(hand > 0, value - self.folds * price, _NEVER).max(axis=0)
        bought = np.where(hand > 0, play, _NEVER).max(axis=0)  # some of it cheaper
        then = np.select(
            [code == PLAY_FREE, code == PLAY_DISCOUNT, code == TAKE1_PLAY],
            np.broadcast_arrays(free, bought, paid),
            0,
        )
        return then + self.special[tops] * price
