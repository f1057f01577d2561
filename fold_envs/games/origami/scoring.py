"""Points: what a card brings at the moment when it is laid, so that totals are always at hand.

Every scoring effect counts cards that are laid and never leave, so its points can be booked as they
arise: for the new card, and for what it adds to the cards already there. Only cards left in hand
(half_hand) are counted at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.origami.cards import (
    HALF_HAND,
    PAIR_IN_COLLECTION,
    PER_FAMILY_ALL,
    PER_FAMILY_OTHERS,
    PER_NAME,
    TRIO_BY_NAME,
)
from fold_envs.games.origami.piles import Piles, Tables

# points of the n-th card of a set, by the size from which on the cards of a set score
_SET_POINTS = np.zeros((4, 4), np.int16)
_SET_POINTS[2] = 0, 2, 1, 1
_SET_POINTS[3] = 0, 0, 3, 1
# rows of a place: cards like the one that is laid, of its family, cards that score for the hand,
# cards in all, the card on top; cards like it in the other collection; then what scores together
ALIKE, FAMILY, HALF_HANDS, HEIGHT, TOP, ALIKE_THERE = range(6)
COUNTED = slice(ALIKE, TOP)


class Scoring(Piles):
    """The points of laid cards."""

    def _bind(self) -> None:
        super()._bind()
        table, k = self.cards, self.kinds
        effect, amount = table.effect[:k], table.amount[:k].astype(np.int16)
        by_family = np.isin(effect, (PER_FAMILY_ALL, PER_FAMILY_OTHERS))
        # points for laying a kind (row) for each card already there of another kind (column): of
        # names that count in both collections, of families in the same collection
        named = np.zeros((k, k), np.int16)
        for scorer in np.flatnonzero(effect == PER_NAME):
            named[scorer, table.target[scorer]] += amount[scorer]
            named[table.target[scorer], scorer] += amount[scorer]
        kin = np.where(by_family & (table.family[:k, None] == table.family[:k]), amount, 0)
        partners = (named + kin) != 0
        most = int(partners.sum(axis=1).max(initial=0))
        order = np.argsort(~partners, axis=1, kind="stable")[:, :most]
        rows = np.arange(k)[:, None]

        # what a place (2 collections x seats) holds that matters when a card is laid there, each
        # one row of cells: its first cell by place, steps by kind, points by kind for each card
        p, n = self.num_players, self.num_envs
        side, seat = np.divmod(np.arange(2 * p), p)
        laid = self._first_cell(self._public.laid) + (side * k * p + seat) * n
        laid_there = np.roll(laid, p)
        families = side * len(table.families) * p + seat
        kind_step = np.arange(k) * p * n
        nothing = np.zeros(k, np.intp)
        by_family_points = np.where(by_family, amount, 0)
        place_rows = [
            (laid, kind_step, nothing),
            (
                self._first_cell(self._public.families) + families * n,
                table.family[:k].astype(np.intp) * p * n,
                by_family_points,
            ),
            (self._first_cell(self.state.half_hands) + seat * n, nothing, nothing),
            (self._first_cell(self._public.heights) + (side * p + seat) * n, nothing, nothing),
            (self._first_cell(self._public.tops) + (side * p + seat) * n, nothing, nothing),
            (laid_there, kind_step, nothing),
        ]
        for number in range(most):
            step = order[:, number] * p * n
            same, other = ((x)[rows, order][:, number] for x in (named + kin, named))
            place_rows += [(laid, step, same), (laid_there, step, other)]
        first, steps, points = (np.array(column) for column in zip(*place_rows, strict=True))
        self._row_first, self._row_steps = first, steps
        self._row_points = points.astype(np.int16)
        half_hand = effect == HALF_HAND
        self._laid_amounts = np.ones((4, k), np.uint8)  # what a card adds to the first rows
        self._laid_amounts[HALF_HANDS] = half_hand
        # by itself a card brings its points; some count themselves
        counts_itself = (effect == PER_FAMILY_ALL) | (table.target[:k] == np.arange(k))
        self._worth = table.points[:k] + np.where(counts_itself, amount, 0).astype(np.int16)
        pair, trio = effect == PAIR_IN_COLLECTION, effect == TRIO_BY_NAME
        self._set_points = (_SET_POINTS[2 * pair + 3 * trio] * amount[:, None]).T.copy()  # (4, K)
        self._set_in_both = trio.view(np.uint8)

    def _points_for(self, kind: NDArray[np.intp], counts: Bytes) -> NDArray[np.int16]:
        """(n,) points that ``kind`` adds, from the ``counts`` (rows, n) of the rows of a place."""
        alike = counts[ALIKE] + counts[ALIKE_THERE] * self._set_in_both[kind]
        points = self._worth[kind] + self._set_points[np.minimum(alike, 3), kind]
        points += np.add.reduce(counts * self._row_points[:, kind], axis=0, dtype=np.int16)
        return points

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        np.multiply(self.state.half_hands, self._public.hand_sizes >> 1, out=out, dtype=np.int16)
        out += self.state.points
