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
from fold_envs.games.origami.piles import Bytes, Piles, Tables

# points of the n-th card of a set, by the size from which on the cards of a set score
_SET_POINTS = np.zeros((4, 4), np.int16)
_SET_POINTS[2] = 0, 2, 1, 1
_SET_POINTS[3] = 0, 0, 3, 1

MOST_SHOWN = 255  # points are shown up to this
_MOST_SHOWN = np.array(MOST_SHOWN, np.int16)


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


# rows of a place: cards whose number decides what a set of them brings; the card on top; points;
# cards like the one that is laid (in both collections; in this one, if they score by collection),
# cards that score for the hand, cards laid by all seats, cards in the collection, cards of the
# family there; then what scores together with it
IN_SET, TOP, POINTS, ALIKE, ALIKE_HERE, HALF_HANDS, LAID, HEIGHT, FAMILY = range(9)
CHANGED, TOGETHER = slice(TOP, FAMILY + 1), slice(FAMILY, None)


class Scoring(Piles):
    """The points of laid cards."""

    def _bind(self) -> None:
        super()._bind()
        n, p, k = self.num_envs, self.num_players, self.kinds
        public, families, scorers = self._public, len(self.cards.families), self.cards.scorers
        points = points_of(self.cards)
        # What a place (2 collections x seats) holds that matters when a card is laid there. Each
        # thing is one row of cells: its first cell by place and kind, and by kind the points for
        # each card there.
        side, seat = np.divmod(np.arange(2 * p), p)

        def first(field: Bytes, rows: int = 1) -> NDArray[np.intp]:
            """By place, for a field of each collection."""
            return (self._first_cell(field) + (side * rows * p + seat) * n)[:, None]

        def seat_first(field: Bytes) -> NDArray[np.intp]:
            """By place, for a field of both collections."""
            return (self._first_cell(field) + seat * n)[:, None]

        slot = np.full(k, len(scorers))  # the last one is for all others
        slot[scorers] = np.arange(len(scorers))
        step = p * n  # from one kind (or slot or family) to the next
        kind_step, slot_step = np.arange(k) * step, slot * step
        laid, scorer = seat_first(public.laid), first(public.scorers, len(scorers) + 1)
        family = first(public.families, families) + self.cards.family[:k].astype(np.intp) * step
        alike, alike_here = laid + kind_step, scorer + slot_step
        rows = [
            np.where(points.sets_in_both, alike, alike_here),
            first(public.tops),
            seat_first(public.points),
            alike,
            alike_here,
            seat_first(public.half_hands),
            np.array([[self._first_cell(self.state.laid)]]),
            first(public.heights),
            family,
        ]
        worths = [points.family]
        for where, steps, worth in (
            (laid, kind_step, points.named),
            (scorer, slot_step, points.kin),
        ):
            # as many partners as the kind with most of them has
            most = int(np.count_nonzero(worth, axis=1).max(initial=0))
            for partner in np.argsort(worth == 0, axis=1, kind="stable")[:, :most].T:
                rows.append(where + steps[partner])
                worths.append(worth[np.arange(k), partner])
        # (rows, 2 P * K)
        self._place_rows = np.array([np.broadcast_to(r, (2 * p, k)).reshape(-1) for r in rows])
        self._together_points = np.array(worths, np.int16)  # (rows TOGETHER, K)
        # what a card adds to the rows CHANGED
        self._laid_amounts = np.zeros((CHANGED.stop - CHANGED.start, k), np.uint8)
        self._laid_amounts[ALIKE - TOP :] = 1
        self._laid_amounts[HALF_HANDS - TOP] = points.half_hand
        # by number of cards in the set (any byte) and kind, what a card brings by itself
        numbers = np.minimum(np.arange(256), 3)
        self._own_points = (points.alone + points.sets[numbers]).reshape(-1)
        self._points_cells = self.state.points.reshape(-1)

    def _add_to_collection(self, t: Tables, kind: Tables, place: Tables, turn: Tables) -> Bytes:
        """A card comes on top of a collection; ``place`` is P * collection + seat.

        Returns:
            (rows, n) what the place held before.
        """
        k = self._K
        rows = self._place_rows.take(place * k + kind, axis=1)
        rows += t
        counts = self._cells[rows]
        together = counts[TOGETHER].astype(np.int16)
        together *= self._together_points.take(kind, axis=1)
        seat = turn * self._N + t
        points = self._points_cells[seat]
        points += self._own_points[counts[IN_SET].astype(np.intp) * k + kind]
        points += np.add.reduce(together, axis=0, dtype=np.int16)
        self._points_cells[seat] = points
        changed = counts[CHANGED] + self._laid_amounts.take(kind, axis=1)
        changed[0] = kind
        changed[1] = np.minimum(points, _MOST_SHOWN)
        self._cells[rows[CHANGED]] = changed
        return counts

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        public = self._public
        np.multiply(public.half_hands, public.hand_sizes >> 1, out=out, dtype=np.int16)
        out += self.state.points
