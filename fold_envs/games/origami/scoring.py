"""Points: what a card brings at the moment when it is laid, so that totals are always at hand.

Every scoring effect counts cards that are laid and never leave, so its points can be booked as they
arise: for the new card, and for what it adds to the cards already there. Only cards left in hand
(half_hand) are counted at the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.origami.cards import (
    HALF_HAND,
    PAIR_IN_COLLECTION,
    PER_FAMILY_ALL,
    PER_FAMILY_OTHERS,
    PER_NAME,
    TRIO_BY_NAME,
    CardTable,
)
from fold_envs.games.origami.piles import Bytes, Piles

# points of the n-th card of a set, by the size from which on the cards of a set score
_SET_POINTS = np.zeros((4, 4), np.int16)
_SET_POINTS[2] = 0, 2, 1, 1
_SET_POINTS[3] = 0, 0, 3, 1


class Points(NamedTuple):
    """What laying a card brings; int16 by kind."""

    alone: NDArray[np.int16]  # (K,)
    named: NDArray[np.int16]  # (K, K) for each card of another kind (column) in both collections
    kin: NDArray[np.int16]  # (K, K) the same in the collection where it is laid
    family: NDArray[np.int16]  # (K,) for each card of its family in that collection
    sets: NDArray[np.int16]  # (4, K) if 0, 1, 2, 3 or more cards of the kind are there already
    sets_in_both: NDArray[np.uint8]  # (K,) 1 if they are counted in both collections
    half_hand: NDArray[np.uint8]  # (K,) 1 if it scores for cards in hand


def points_of(cards: CardTable) -> Points:
    """The points of a card table."""
    k = cards.kinds
    effect, amount = cards.effect[:k], cards.amount[:k].astype(np.int16)
    named = np.zeros((k, k), np.int16)
    for scorer in np.flatnonzero(effect == PER_NAME):
        named[scorer, cards.target[scorer]] += amount[scorer]
        named[cards.target[scorer], scorer] += amount[scorer]
    by_family = np.isin(effect, (PER_FAMILY_ALL, PER_FAMILY_OTHERS))
    same = cards.family[:k, None] == cards.family[:k]
    counts_itself = (effect == PER_FAMILY_ALL) | (cards.target[:k] == np.arange(k))
    pair, trio = effect == PAIR_IN_COLLECTION, effect == TRIO_BY_NAME
    return Points(
        (cards.points[:k] + np.where(counts_itself, amount, 0)).astype(np.int16),
        named,
        np.where(by_family & same, amount, 0).astype(np.int16),
        np.where(by_family, amount, 0).astype(np.int16),
        (_SET_POINTS[2 * pair + 3 * trio] * amount[:, None]).T.copy(),
        trio.view(np.uint8),
        (effect == HALF_HAND).view(np.uint8),
    )


# rows of a place: cards like the one that is laid, of its family, cards that score for the hand,
# cards in all, the card on top; cards like it in the other collection; then what scores together
ALIKE, FAMILY, HALF_HANDS, HEIGHT, TOP, ALIKE_THERE = range(6)
COUNTED = slice(ALIKE, TOP)


class Scoring(Piles):
    """The points of laid cards."""

    def _bind(self) -> None:
        super()._bind()
        n, p, k = self.num_envs, self.num_players, self.kinds
        public, families = self._public, len(self.cards.families)
        self._points = points = points_of(self.cards)
        # kinds that score together with a kind: as many columns as the kind with most of them has
        together = points.named + points.kin
        most = int(np.count_nonzero(together, axis=1).max(initial=0))
        partners = np.argsort(together == 0, axis=1, kind="stable")[:, :most]

        # What a place (2 collections x seats) holds that matters when a card is laid there. Each
        # thing is one row of cells: its first cell by place, steps by kind, and by kind the points
        # for each card there.
        side, seat = np.divmod(np.arange(2 * p), p)
        laid = self._first_cell(public.laid) + (side * k * p + seat) * n
        other_laid = np.roll(laid, p)
        in_family = self._first_cell(public.families) + (side * families * p + seat) * n
        kind, family = np.arange(k) * p * n, self.cards.family[:k].astype(np.intp) * p * n
        none = np.zeros(k, np.intp)
        rows = [
            (laid, kind, none),
            (in_family, family, points.family),
            (self._first_cell(self.state.half_hands) + seat * n, none, none),
            (self._first_cell(public.heights) + (side * p + seat) * n, none, none),
            (self._first_cell(public.tops) + (side * p + seat) * n, none, none),
            (other_laid, kind, none),
        ]
        for partner in partners.T:
            rows.append((laid, kind[partner], together[np.arange(k), partner]))
            rows.append((other_laid, kind[partner], points.named[np.arange(k), partner]))
        first, steps, worth = (np.array(column) for column in zip(*rows, strict=True))
        self._row_first, self._row_steps = first, steps
        self._row_points = worth.astype(np.int16)
        self._laid_amounts = np.ones((4, k), np.uint8)  # what a card adds to the rows COUNTED
        self._laid_amounts[HALF_HANDS] = points.half_hand

    def _points_for(self, kind: NDArray[np.intp], counts: Bytes) -> NDArray[np.int16]:
        """(n,) points that ``kind`` adds, from the ``counts`` (rows, n) of the rows of a place."""
        alike = counts[ALIKE] + counts[ALIKE_THERE] * self._points.sets_in_both[kind]
        points = self._points.alone[kind] + self._points.sets[np.minimum(alike, 3), kind]
        points += np.add.reduce(counts * self._row_points[:, kind], axis=0, dtype=np.int16)
        return points

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        np.multiply(self.state.half_hands, self._public.hand_sizes >> 1, out=out, dtype=np.int16)
        out += self.state.points
