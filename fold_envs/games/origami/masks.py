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
    EFFECT_NAMES,
    LINE_EXACT,
    MOST_COST,
    MOST_FOLDS,
    PLAY_DISCOUNT,
    PLAY_FREE,
    TAKE1_PLAY,
)
from fold_envs.games.origami.effects import NO_WORD, Effects
from fold_envs.games.origami.payment import (
    CASES,
    SUMS_WITHOUT_ONE,
    index_of,
    packed_units,
    sums_of_packed,
)
from fold_envs.games.origami.piles import (
    COPY_CHOICE,
    DISCARD_ONE,
    EXTRA,
    FEW_TABLES,
    GIVE_UP,
    HAND_LIMIT,
    INSTANT,
    LOOK,
    ONE,
    OWN_HAND,
    PASS,
    PAY,
    PHASES,
    PLACE,
    STEAL_CHOICE,
    TAKE,
    TURN,
    ZERO,
    Bytes,
    Tables,
    spots,
)

_GATES = np.zeros((5, len(PHASES)), np.uint8)  # what is open in a phase
_GATES[0, [TAKE, PAY]] = 255  # cards of at most the folds left
_GATES[1, [DISCARD_ONE, GIVE_UP, PASS, HAND_LIMIT]] = 255  # cards of any folds
_GATES[2, TAKE] = 255  # cards of the line, not of the hand
_GATES[3, TURN] = 1  # to draw, to play
_GATES[4, INSTANT] = 1  # to say yes

_LINE_EXACT, _DRAW1_PLAY, _TAKE1_PLAY = (
    np.array(code, np.uint8) for code in (LINE_EXACT, DRAW1_PLAY, TAKE1_PLAY)
)
_BIT = np.array(1, np.uint16)

_PHASE_BOUNDS = np.arange(len(PHASES) + 1, dtype=np.uint8)

SHOWN = MOST_COST + 1  # above all discounts; from there on the folds of a shown card
_CASES = np.array(CASES)
_SHOWN = np.array(SHOWN, np.uint8)
_DISCOUNT_OF = np.zeros(len(EFFECT_NAMES), np.uint8)  # by effect, beside the amount
_DISCOUNT_OF[PLAY_FREE] = MOST_COST


class Masks(Effects):
    """The legal actions; also the hand of the seat to act, and what it could pay."""

    def _bind(self) -> None:
        super()._bind()
        n, k, table = self.num_envs, self.kinds, self.cards
        self._draw_action, self._no, self._yes, self._first_side = range(k, k + 4)
        self._first_seat = k + 5
        folds = table.folds[:-1]
        # cards of the same folds and cost pass the same tests: a class
        pair_of = list(zip(folds.tolist(), table.cost.tolist(), strict=False))
        pairs = sorted(set(pair_of))
        self._class_folds, cost = np.array(pairs, np.uint8).T[..., None].copy()
        self._class_of = np.array([pairs.index(pair) for pair in pair_of])
        # (classes, discounts * CASES) 1 where a card of the class can be paid for with the rest of
        # the hand, by discount (see _cheaper_at) and payment index of the hand
        less = np.arange(SHOWN + MOST_FOLDS + 1)[:, None]
        shown = np.maximum(less - SHOWN, 0)
        price = np.maximum(cost[..., None] - np.where(less < SHOWN, less, shown), 0)
        sums = SUMS_WITHOUT_ONE[self._class_folds[:, 0] - 1][:, None]
        cheaper = (sums >> price & 1).astype(np.uint8) * (cost[..., None] >= shown)
        self._class_cheaper = cheaper.reshape(len(pairs), -1)
        self._class_payable = cheaper[:, 0].copy()
        # kinds in the order of their folds, and where each of the four groups lies
        self._by_folds = np.argsort(folds, kind="stable")
        ends = np.searchsorted(folds[self._by_folds], range(1, 6)).tolist()
        self._fold_groups = [slice(*pair) for pair in pairwise(ends)]
        self._fold_matrix = (np.arange(1, 5)[:, None] == folds).astype(np.float32)
        self._special_need = np.where(table.special > 0, self._need, np.uint32(0))
        self._is_discount = table.special == PLAY_DISCOUNT
        self._units = packed_units(folds)
        self._wide_folds = table.folds.astype(np.uint16)
        row = np.arange(2 * self.num_players).reshape(2, -1) * n
        self._heights_first = self._first_cell(self._public.heights) + row
        self._tops_first = self._first_cell(self._public.tops) + row

        # what the mask finds out about all tables, for the observation and the next step
        self._in_phase = [self._lanes[:0]] * len(PHASES)  # the tables of each
        self._phase_row = np.zeros(n, np.intp)  # phase * A
        self._turn_now = np.zeros(n, np.intp)  # the seat at turn
        self._own, self._pile, self._scratch = np.zeros((3, k, n), np.uint8)  # own: its hand
        # cards of 1-4 folds in its hand and in the line
        self._folds = np.zeros((MOST_FOLDS, 2, n), np.uint8)
        self._own_index = np.zeros(n, np.intp)  # of its hand, for payments
        self._abilities = np.zeros(n, np.uint32)
        self._payable = np.zeros((len(pairs), n), np.uint8)  # 1 for classes the hand can pay for
        self._less = np.zeros(n, np.uint8)  # how much cheaper a play is

    # ---------------------------------------------------------------- hands and payments

    def _count_folds(self, hand: Bytes, out: Bytes) -> None:
        """``out`` (4, N): how many cards of 1-4 folds are in ``hand`` (K, N)."""
        if self.num_envs <= FEW_TABLES:
            out[...] = self._fold_matrix @ hand.astype(np.float32)
            return
        cards = hand.take(self._by_folds, axis=0)
        for row, group in zip(out, self._fold_groups, strict=True):
            np.add.reduce(cards[group], axis=0, dtype=np.uint8, out=row)

    def _payable_at(self, index: NDArray[np.intp], out: Bytes | None = None) -> Bytes:
        """(classes, n) 1 where hands of this payment ``index`` (n,) can pay for a card."""
        return self._class_payable.take(index, axis=1, out=out, mode="clip")

    def _cheaper_at(self, t: Tables, less: Bytes) -> Bytes:
        """(classes, n) 1 where the seat to act can pay for a card that costs ``less``.

        ``less`` may be SHOWN + folds: of a card that must be part of the payment.
        """
        index = less.astype(np.intp)
        index *= _CASES
        index += self._own_index[t]
        return self._class_cheaper.take(index, axis=1, mode="clip")

    # ---------------------------------------------------------------- the mask

    def _write_legal(self, legal: Bytes) -> None:
        s, k, phase = self.state, self.kinds, self.state.phase
        number = phase.astype(np.intp)
        self._phase_row = number * self._A
        self._turn_now = self._turn.astype(np.intp)
        order = phase.argsort(kind="stable")
        ends = phase[order].searchsorted(_PHASE_BOUNDS).tolist()
        self._in_phase = [order[start:stop] for start, stop in pairwise(ends)]

        self._write_known(self._actor, OWN_HAND, self._own, self._scratch)
        for pile, counts in zip((self._own, s.line), self._folds.swapaxes(0, 1), strict=True):
            self._count_folds(pile, counts)
        own_size = np.add.reduce(self._folds[:, 0], axis=0, dtype=np.uint8)
        own_index, line_index = index_of(self._folds.reshape(MOST_FOLDS, -1)).reshape(2, -1)
        self._own_index = own_index.astype(np.intp)
        self._abilities = self._abilities_of(self._own_index, line_index, own_size)
        self._payable_at(self._own_index, self._payable)

        left, whatever, from_line, plays, offered = _GATES.take(number, axis=1)
        most = s.left & left
        most |= whatever
        allowed = self._payable * plays
        allowed |= (self._class_folds <= most).view(np.uint8)
        pile = np.bitwise_xor(self._own, s.line, out=self._pile)
        pile &= from_line
        pile ^= self._own  # the hand, or the line
        self._mark_extra(allowed, pile)
        kinds, scratch = legal[:k], self._scratch
        allowed.take(self._class_of, axis=0, out=kinds, mode="clip")
        np.minimum(kinds, pile, out=kinds)
        np.greater_equal(self._ranks, s.last, out=scratch.view(np.bool_))
        kinds &= scratch
        pile *= kinds  # the cards that are allowed so far
        self._keep_exact(kinds, pile)
        self._keep_enough(kinds, pile)

        legal[self._draw_action] = plays
        legal[self._no] = s.refusable
        legal[self._yes] = offered
        legal[self._first_side :] = 0
        self._mark_places(legal)
        self._mark_uses(legal)
        self._mark_rare(legal)

    def _mark_extra(self, allowed: Bytes, pile: Bytes) -> None:
        """Plays by a special action: what can be paid for, and what may be played."""
        self._less[...] = 0
        t = self._in_phase[EXTRA]
        if not len(t):
            return
        s = self.state
        effect, less = s.effect[t], s.amount[t]  # 0 but for play_discount
        less += _DISCOUNT_OF.take(effect)
        shown = (effect == _DRAW1_PLAY).nonzero()[0]
        less[shown] = self.cards.folds.take(s.apart[t[shown]])
        self._less[t] = less
        less[shown] += _SHOWN
        allowed[:, t] = self._cheaper_at(t, less)
        taken = t[effect == _TAKE1_PLAY]
        if len(taken):
            cells = np.multiply(s.apart[taken], self._N, dtype=np.intp) + taken
            pile.reshape(-1)[cells] -= ONE  # it may not be played

    def _mark_uses(self, legal: Bytes) -> None:
        """Special actions of cards on top; of two equal ones the first."""
        t = self._in_phase[TURN]
        if not len(t):
            return
        cells = self._tops_first.take(self._turn_now[t], axis=1)
        cells += t
        tops = self._cells[cells]  # (2, n)
        usable = (self._special_need.take(tops) & self._abilities[t]) > NO_WORD
        discounts = self._is_discount.take(tops).reshape(-1).nonzero()[0]
        if len(discounts):  # it must be followed by a play
            table = np.concatenate((t, t))[discounts]
            less = self.cards.amount.take(tops.reshape(-1)[discounts])
            playable = self._cheaper_at(table, less).take(self._class_of, axis=0)
            playable &= np.minimum(self._own.take(table, axis=1), ONE)
            usable.reshape(-1)[discounts] = np.bitwise_or.reduce(playable, axis=0)
        usable[1] &= tops[1] != tops[0]
        legal[self._first_side][t] = usable[0]
        legal[self._first_side + 1][t] = usable[1]

    def _keep_exact(self, kinds: Bytes, pile: Bytes) -> None:
        """Of exact payments keep the cards after which the later ones can meet the rest."""
        s = self.state
        t, takers = self._in_phase[PAY], self._in_phase[TAKE]
        takers = takers[s.effect[takers] == _LINE_EXACT]
        if len(takers):
            t = np.concatenate((t, takers))
        if not len(t):
            return
        cards = pile.take(t, axis=1)
        spot = (cards > ZERO).reshape(-1).nonzero()[0]
        size = np.array(len(t))
        kind = spot // size
        which = spot - kind * size
        later = cards.astype(np.uint32)
        later *= self._units[:, None]
        running_sums(later[::-1])
        rest = later.reshape(-1)[spot] - self._units[kind]  # the card itself is gone
        left = s.left[t].astype(np.uint16)[which] - self._wide_folds[kind]
        cells = kind * self._N
        cells += t[which]
        kinds.reshape(-1)[cells] = (sums_of_packed(rest) >> left) & _BIT

    def _keep_enough(self, kinds: Bytes, pile: Bytes) -> None:
        """Of rising discards keep the cards after which enough are left."""
        s, givers, limited = self.state, self._in_phase[GIVE_UP], self._in_phase[HAND_LIMIT]
        if not len(givers) and not len(limited):
            return
        t = np.concatenate((givers, limited))
        t = t[(s.left[t] > ONE) | (s.last[t] > ZERO)]  # else any card will do
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

    def _mark_places(self, legal: Bytes) -> None:
        """Sizes of collections never differ by more than one; the first card goes to the first."""
        t = self._in_phase[PLACE]
        if len(t):
            cells = self._heights_first.take(self._turn_now[t], axis=1)
            cells += t
            heights = self._cells[cells]
            left, right = heights <= heights[::-1]
            right &= heights[0] > ZERO
            legal[self._first_side][t] = left
            legal[self._first_side + 1][t] = right

    def _mark_rare(self, legal: Bytes) -> None:
        s = self.state
        t = self._in_phase[LOOK]
        if len(t):
            rows = np.multiply(s.looked.take(t, axis=1), self._N, dtype=np.intp)
            rows += t
            legal.reshape(-1)[rows] = 1
            legal[self.kinds][t] = 0  # no card: the draw action
        t = self._in_phase[COPY_CHOICE]
        if len(t):
            legal[: self.kinds, t] = self._copies(t)
        t = self._in_phase[STEAL_CHOICE]
        if len(t):
            for step in range(1, self.num_players):
                victim = (self._turn_now[t] + step) % self._P
                legal[self._first_seat + step - 1][t] = self._hand_size(t, victim) > ZERO
