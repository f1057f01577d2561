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
        step = self.num_players * self.num_envs  # cells from one kind, or family, to the next
        self._partners = order.T * step  # (R, K)
        self._family_step = table.family[:k].astype(np.intp) * step
        self._partner_points = np.stack([(named + kin)[rows, order].T, named[rows, order].T])
        # by itself a card brings its points; some count themselves
        counts_itself = (effect == PER_FAMILY_ALL) | (table.target[:k] == np.arange(k))
        self._worth = table.points[:k] + np.where(counts_itself, amount, 0).astype(np.int16)
        self._family_points = np.where(by_family, amount, 0).astype(np.int16)
        pair, trio = effect == PAIR_IN_COLLECTION, effect == TRIO_BY_NAME
        self._set_points = (_SET_POINTS[2 * pair + 3 * trio] * amount[:, None]).T.copy()  # (4, K)
        self._set_in_both = trio.view(np.uint8)
        self._is_half_hand = (effect == HALF_HAND).view(np.uint8)

    def _points_for(
        self, t: Tables, place: NDArray[Any], kind: NDArray[np.intp]
    ) -> NDArray[np.int16]:
        """(n,) points that ``kind`` adds when it is laid at ``place``."""
        seats = self.num_players
        laid, step = self._public.laid.reshape(-1), seats * self.num_envs
        here = self._laid_first[place] + t
        there = self._laid_first[(place + seats) % (2 * seats)] + t
        points = self._worth[kind]
        for partner, same, other in zip(self._partners, *self._partner_points, strict=True):
            cell = partner[kind]
            points += same[kind] * laid[here + cell]
            points += other[kind] * laid[there + cell]
        family = self._family_first[place] + self._family_step[kind] + t
        points += self._family_points[kind] * self._public.families.reshape(-1)[family]
        own = kind * step
        alike = laid[here + own] + laid[there + own] * self._set_in_both[kind]
        points += self._set_points[np.minimum(alike, 3), kind]
        return points

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        np.multiply(self.state.half_hands, self._public.hand_sizes >> 1, out=out, dtype=np.int16)
        out += self.state.points
