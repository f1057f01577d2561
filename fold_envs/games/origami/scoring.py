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


MOST_SHOWN = 255  # points are shown up to this


class Points(NamedTuple):
    """What laying a card brings; int16 by kind."""

    alone: NDArray[np.int16]  # (K,)
    named: NDArray[np.int16]  # (K, K) for each card of another kind (column) in both collections
    kin: NDArray[np.int16]  # (K, K) the same in the collection where it is laid
    family: NDArray[np.int16]  # (K,) for each card of its family in that collection
    sets: NDArray[np.int16]  # (4, K) if 0, 1, 2, 3 or more cards of the kind are there already
    sets_in_both: NDArray[np.bool_]  # (K,) whether they are counted in both collections
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
        trio,
        (effect == HALF_HAND).view(np.uint8),
    )


# rows of a place: cards like the one that is laid (in both collections; in this one, if they score
# by collection), of its family, cards that score for the hand, cards in all; the card on top,
# points; then what scores together with it
ALIKE, ALIKE_HERE, FAMILY, HALF_HANDS, HEIGHT, TOP, POINTS = range(7)
COUNTED = slice(ALIKE, TOP)


class Scoring(Piles):
    """The points of laid cards."""

    def _bind(self) -> None:
        super()._bind()
        n, p, k = self.num_envs, self.num_players, self.kinds
        public, families, scorers = self._public, len(self.cards.families), self.cards.scorers
        self._points = points = points_of(self.cards)
        # What a place (2 collections x seats) holds that matters when a card is laid there. Each
        # thing is one row of cells: its first cell by place, steps by kind, and by kind the points
        # for each card there.
        side, seat = np.divmod(np.arange(2 * p), p)

        def first(field: Bytes, rows: int = 1) -> NDArray[np.intp]:
            """By place, for a field of each collection."""
            return self._first_cell(field) + (side * rows * p + seat) * n

        laid, scorer = (
            self._first_cell(public.laid) + seat * n,
            first(public.scorers, len(scorers) + 1),
        )
        slot = np.full(k, len(scorers))  # the last one is for all others
        slot[scorers] = np.arange(len(scorers))
        kind, family = np.arange(k), self.cards.family[:k].astype(np.intp)
        none = np.zeros(k, np.intp)
        rows = [
            (laid, kind, none),
            (scorer, slot, none),
            (first(public.families, families), family, points.family),
            (self._first_cell(public.half_hands) + seat * n, none, none),
            (first(public.heights), none, none),
            (first(public.tops), none, none),
            (self._first_cell(public.points) + seat * n, none, none),
        ]
        for where, step, worth in ((laid, kind, points.named), (scorer, slot, points.kin)):
            # as many partners as the kind with most of them has
            most = int(np.count_nonzero(worth, axis=1).max(initial=0))
            for partner in np.argsort(worth == 0, axis=1, kind="stable")[:, :most].T:
                rows.append((where, step[partner], worth[kind, partner]))
        firsts, steps, worths = (np.array(column) for column in zip(*rows, strict=True))
        self._row_first, self._row_steps = firsts, steps * (p * n)
        self._row_points = worths.astype(np.int16)
        self._laid_amounts = np.ones((COUNTED.stop, k), np.uint8)  # what a card adds to these rows
        self._laid_amounts[HALF_HANDS] = points.half_hand

    def _points_for(self, kind: NDArray[np.intp], counts: Bytes) -> NDArray[np.int16]:
        """(n,) points that ``kind`` adds, from the ``counts`` (rows, n) of the rows of a place."""
        alike = np.where(self._points.sets_in_both[kind], counts[ALIKE], counts[ALIKE_HERE])
        points = self._points.alone[kind] + self._points.sets[np.minimum(alike, 3), kind]
        points += np.add.reduce(counts * self._row_points[:, kind], axis=0, dtype=np.int16)
        return points

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        public = self._public
        np.multiply(public.half_hands, public.hand_sizes >> 1, out=out, dtype=np.int16)
        out += self.state.points
