"""What is legal: one mask over all tables, whatever they are deciding.

The rows of the mask for kinds of card are computed for all tables at once: a kind is allowed if it
is in the pile that is chosen from, not below the last card of a rising sequence, and if its folds
and cost pass a test. Situations that few tables are in are then corrected table by table.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rows import running_sums
from fold_envs.games.origami.cards import (
    DRAW1_PLAY,
    LINE_EXACT,
    MOST_FOLDS,
    PLAY_DISCOUNT,
    TAKE1_PLAY,
)
from fold_envs.games.origami.effects import Effects
from fold_envs.games.origami.payment import index_of, packed_units, sums_of_packed, sums_without_one
from fold_envs.games.origami.piles import (
    COPY_CHOICE,
    DISCARD_ONE,
    EXTRA,
    GIVE_UP,
    HAND_LIMIT,
    INSTANT,
    LOOK,
    PASS,
    PAY,
    PHASES,
    PLACE,
    STEAL_CHOICE,
    TAKE,
    TURN,
    Bytes,
    Tables,
    pick_seat,
    spots,
)

# the folds that a card may have at most, by phase: (left & _FOLDS_LEFT) | _FOLDS_ANY
_FOLDS_LEFT, _FOLDS_ANY = np.zeros((2, len(PHASES)), np.uint8)
_FOLDS_LEFT[[TAKE, PAY]] = 255
_FOLDS_ANY[[DISCARD_ONE, GIVE_UP, PASS, HAND_LIMIT]] = 255


class Masks(Effects):
    """The legal actions; also the hand of the seat to act, and what it could pay."""

    def _bind(self) -> None:
        super()._bind()
        n, k, table = self.num_envs, self.kinds, self.cards
        self._draw_action, self._no, self._yes, self._first_side = range(k, k + 4)
        self._first_seat = k + 5
        folds = table.folds[:-1]
        # cards of the same folds and cost pass the same tests: a class
        pairs = sorted(set(zip(folds.tolist(), table.cost.tolist(), strict=False)))
        self._class_folds, self._class_cost = np.array(pairs, np.uint8).T[..., None].copy()
        self._class_row = self._class_folds[:, 0].astype(np.intp) - 1
        self._class_of = np.array(
            [pairs.index(pair) for pair in zip(folds.tolist(), table.cost.tolist(), strict=False)]
        )
        # kinds in the order of their folds, and where each of the four groups lies
        self._by_folds = np.argsort(folds, kind="stable")
        ends = np.searchsorted(folds[self._by_folds], range(1, 6)).tolist()
        self._fold_groups = [slice(*pair) for pair in pairwise(ends)]
        self._is_special = table.special > 0
        self._units = packed_units(folds)[:, None]
        row = np.arange(2 * self.num_players).reshape(2, -1) * n
        self._heights_first = self._first_cell(self._public.heights) + row
        self._tops_first = self._first_cell(self._public.tops) + row
        self._seat_column = np.arange(self.num_players, dtype=np.uint8)[:, None]

        # what the mask finds out about all tables, for the observation and the next step
        self._tables_in: list[Tables] = []  # by phase
        self._seat_masks = np.zeros((self.num_players, n), np.uint8)  # 255 for the seat to act
        self._choices = np.zeros((2, k, n), np.uint8)  # the hand of the seat to act, the line
        self._own = self._choices[0]
        self._pile, self._scratch = np.empty((2, k, n), np.uint8)
        self._folds = np.zeros((MOST_FOLDS, 2, n), np.uint8)  # cards of 1-4 folds in them
        self._abilities = np.zeros(n, np.uint32)
        self._payable = np.zeros((len(pairs), n), np.uint8)  # 1 for classes the hand can pay for

    # ---------------------------------------------------------------- hands and payments

    def _mask_seats(self, seat: Bytes, out: Bytes) -> None:
        """``out`` (P, N): 255 at the row of ``seat``."""
        np.equal(seat, self._seat_column, out=out.view(np.bool_))
        np.negative(out, out=out)

    def _count_folds(self, cards: Bytes, out: Bytes) -> None:
        """``out`` (4, ..., n): how many of ``cards`` (..., K, n) have 1-4 folds."""
        ordered = cards.take(self._by_folds, axis=-2)
        for row, group in zip(out, self._fold_groups, strict=True):
            np.add.reduce(ordered[..., group, :], axis=-2, dtype=np.uint8, out=row)

    def _class_sums(
        self, folds: Bytes, index: NDArray[np.uint16] | None = None
    ) -> NDArray[np.uint16]:
        """(classes, n) what the rest of a hand can total beside a card of the class.

        Args:
            folds: (4, n) cards of the hand by folds.
            index: (n,) their payment index, if known.
        """
        return sums_without_one(folds, index).take(self._class_row, axis=0)

    def _payable_at(self, price: Bytes, sums: NDArray[np.uint16]) -> Bytes:
        """(classes, n) 1 where cards can be paid for."""
        return ((sums >> price) & 1).astype(np.uint8)

    # ---------------------------------------------------------------- the mask

    def _mark_legal(self, group: int, legal: Bytes) -> None:
        s, k, phase = self.state, self.kinds, self.state.phase
        order = np.argsort(phase, kind="stable")
        ends = np.bincount(phase, minlength=len(PHASES)).cumsum().tolist()
        self._tables_in = [order[a:b] for a, b in pairwise([0, *ends])]

        self._mask_seats(self._actor, self._seat_masks)
        pick_seat(s.known[:, 0], self._seat_masks, self._own, self._scratch)
        self._choices[1] = s.line
        self._count_folds(self._choices, self._folds)
        own_index, line_index = index_of(self._folds)
        own_size = np.add.reduce(self._folds[:, 0], axis=0, dtype=np.uint8)
        self._abilities = self._abilities_of(line_index, own_size)
        sums = self._class_sums(self._folds[:, 0], own_index)
        self._payable = self._payable_at(self._class_cost, sums)
        users, uses, tops = self._special_tops(self._tables_in[TURN])
        cheaper = self._cheaper(sums, users, tops)

        turn = np.equal(phase, TURN).view(np.uint8)
        most = (s.left & _FOLDS_LEFT.take(phase)) | _FOLDS_ANY.take(phase)
        allowed = self._payable * turn
        allowed |= (self._class_folds <= most).view(np.uint8)
        pile = np.bitwise_xor(self._own, s.line, out=self._pile)
        pile &= np.negative((phase == TAKE).view(np.uint8))
        pile ^= self._own  # the hand, or the line
        extra = self._tables_in[EXTRA]
        if len(extra):
            allowed |= cheaper * (phase == EXTRA)
            taken = extra[s.effect[extra] == TAKE1_PLAY]
            pile[s.apart[taken], taken] -= 1  # it may not be played
        kinds = legal[:k]
        np.take(allowed, self._class_of, axis=0, out=kinds, mode="clip")
        np.minimum(kinds, pile, out=kinds)
        np.greater_equal(self._ranks, s.last, out=self._scratch.view(np.bool_))
        kinds &= self._scratch
        pile *= kinds  # the cards that are allowed so far
        self._keep_exact(kinds, pile)
        self._keep_enough(kinds, pile)

        legal[self._draw_action] = turn
        legal[self._no] = s.refusable
        np.equal(phase, INSTANT, out=legal[self._yes].view(np.bool_))
        self._mark_places(self._tables_in[PLACE], legal)
        if len(users):
            legal[self._first_side + uses, users] = self._usable(users, tops, cheaper)
        self._mark_rare(legal)

    def _special_tops(self, t: Tables) -> tuple[Tables, Tables, Bytes]:
        """Tables, sides and kinds of the special cards on top; of two equal ones the first."""
        tops = self._cells[self._tops_first[:, self._turn[t]] + t]
        special = self._is_special[tops]
        special[1] &= tops[1] != tops[0]
        side, which = spots(special)
        return t[which], side, tops[side, which]

    def _cheaper(self, sums: NDArray[np.uint16], users: Tables, tops: Bytes) -> Bytes:
        """(classes, N) 1 where cards can be paid at the price of a special action.

        It is the action at work, or play_discount on top; elsewhere the result means nothing.
        """
        extra = self._tables_in[EXTRA]
        discounts = self.cards.special[tops] == PLAY_DISCOUNT
        if not len(extra) and not np.count_nonzero(discounts):
            return self._payable
        less, least = np.zeros((2, self.num_envs), np.uint8)
        less[users[discounts]] = self.cards.amount[tops[discounts]]
        less[extra] = self._discount(extra)
        shown = extra[self.state.effect[extra] == DRAW1_PLAY]
        least[shown] = less[shown]  # a shown card must be part of the payment
        cost = self._class_cost
        cheaper = self._payable_at(cost - np.minimum(cost, less), sums)
        cheaper &= (cost >= least).view(np.uint8)
        return cheaper

    def _usable(self, t: Tables, tops: Bytes, cheaper: Bytes) -> NDArray[np.bool_]:
        """(n,) whether the special actions of these tops can be used now."""
        usable = self._possible(t, tops)
        discounts = (self.cards.special[tops] == PLAY_DISCOUNT).nonzero()[0]
        if len(discounts):  # it must be followed by a play
            table = t[discounts]
            playable = cheaper.take(table, axis=1)[self._class_of]
            playable &= self._own.take(table, axis=1) > 0
            usable[discounts] = np.bitwise_or.reduce(playable, axis=0) > 0
        return usable

    def _keep_exact(self, kinds: Bytes, pile: Bytes) -> None:
        """Of exact payments keep the cards after which the later ones can meet the rest."""
        s, n = self.state, self.num_envs
        t, takers = self._tables_in[PAY], self._tables_in[TAKE]
        takers = takers[s.effect[takers] == LINE_EXACT]
        if len(takers):
            t = np.concatenate((t, takers))
        if not len(t):
            return
        cards = pile.take(t, axis=1)
        spot = cards.reshape(-1).nonzero()[0]
        kind = spot // len(t)
        which = spot - kind * len(t)
        later = cards * self._units
        running_sums(later[::-1])
        rest = later.reshape(-1)[spot] - self._units[kind, 0]  # the card itself is gone
        met = sums_of_packed(rest) >> (s.left[t[which]] - self.cards.folds[kind])
        unmet = (met & 1) == 0
        kinds.reshape(-1)[kind[unmet] * n + t[which[unmet]]] = 0

    def _keep_enough(self, kinds: Bytes, pile: Bytes) -> None:
        """Of rising discards keep the cards after which enough are left."""
        s = self.state
        t = np.concatenate((self._tables_in[GIVE_UP], self._tables_in[HAND_LIMIT]))
        t = t[(s.left[t] > 1) | (s.last[t] > 0)]  # else any card will do
        if not len(t):
            return
        cards = pile.take(t, axis=1)
        for slot in self._chosen_of(t, self._actor[t]):  # chosen cards are still in hand
            cell = slot[slot < self.kinds], np.flatnonzero(slot < self.kinds)
            cards[cell] -= cards[cell] > 0
        bad = cards == 0
        running_sums(cards[::-1])
        bad |= cards < s.left[t]
        kind, which = spots(bad)
        kinds.reshape(-1)[kind * self.num_envs + t[which]] = 0

    def _mark_places(self, t: Tables, legal: Bytes) -> None:
        """Sizes of collections never differ by more than one; the first card goes to the first."""
        if len(t):
            left, right = self._cells[self._heights_first[:, self._turn[t]] + t]
            legal[self._first_side, t] = left <= right
            legal[self._first_side + 1, t] = (right <= left) & (left > 0)

    def _mark_rare(self, legal: Bytes) -> None:
        s = self.state
        t = self._tables_in[LOOK]
        if len(t):
            for slot in s.looked:
                there = t[slot[t] < self.kinds]
                legal[slot[there], there] = 1
        t = self._tables_in[COPY_CHOICE]
        if len(t):
            legal[: self.kinds, t] = self._copies(t)
        t = self._tables_in[STEAL_CHOICE]
        if len(t):
            for step in range(1, self.num_players):
                victim = (self._turn[t].astype(np.intp) + step) % self.num_players
                legal[self._first_seat + step - 1, t] = self._hand_size(t, victim) > 0
