"""What cards do: the instant effects and special actions, and when they would do nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.origami.cards import (
    ALL_DRAW,
    COPY,
    DRAW,
    DRAW1_PLAY,
    DRAW3_DISCARD1,
    DRAW_DISCARD,
    DRAW_SHEEP,
    LAST_ACTIVE,
    LINE,
    LINE_EXACT,
    MOST_FOLDS,
    OPPONENTS_DISCARD,
    PASS_RIGHT,
    PLACE_UNDER,
    PLAY_DISCOUNT,
    PLAY_FREE,
    STEAL,
    SWEEP_LINE,
    TAKE1_PLAY,
)
from fold_envs.games.origami.choosing import Choosing
from fold_envs.games.origami.payment import LEAST, SUMS
from fold_envs.games.origami.piles import (
    COPY_CHOICE,
    DISCARD_ONE,
    EXTRA,
    GIVE_UP,
    INSTANT,
    LOOK,
    LOOKED,
    PASS,
    STEAL_CHOICE,
    TAKE,
    Bytes,
    Tables,
)

FREE = 255  # a discount that no cost exceeds

# when an effect does anything for the seat at turn: row of the conditions in ``_possible``
_NEVER, _DRAW, _DRAW_OR_HAND, _FITTING, _EXACTLY, _SWEEP, _LINE, _OTHERS, _ANYBODY, _HAND = range(10)
_CONDITION = np.zeros(LAST_ACTIVE + 1, np.intp)
_CONDITION[[DRAW, ALL_DRAW, DRAW_SHEEP, DRAW3_DISCARD1, DRAW1_PLAY]] = _DRAW
_CONDITION[DRAW_DISCARD] = _DRAW_OR_HAND
_CONDITION[LINE] = _FITTING
_CONDITION[LINE_EXACT] = _EXACTLY
_CONDITION[SWEEP_LINE] = _SWEEP
_CONDITION[TAKE1_PLAY] = _LINE
_CONDITION[[STEAL, OPPONENTS_DISCARD]] = _OTHERS
_CONDITION[PASS_RIGHT] = _ANYBODY
_CONDITION[PLAY_FREE] = _HAND

_PHASE_OF_INSTANT = np.full(LAST_ACTIVE + 1, INSTANT, np.uint8)
_PHASE_OF_INSTANT[[LINE, COPY, STEAL]] = TAKE, COPY_CHOICE, STEAL_CHOICE


class Effects(Choosing):
    """Effects by their codes; ``amount`` is the card's number."""

    _line_index: NDArray[np.uint16]  # (N,) the line's index into the payment tables, kept by Masks

    def _bind(self) -> None:
        super()._bind()
        # first kind with an instant effect -> all kinds with the same effect and amount
        self._copyable: dict[int, list[int]] = {}
        first: dict[tuple[int, int], int] = {}
        for kind, code in enumerate(self.cards.instant[:-1].tolist()):
            if code and code not in (COPY, PLACE_UNDER):
                effect = (code, int(self.cards.amount[kind]))
                self._copyable.setdefault(first.setdefault(effect, kind), []).append(kind)

    # ---------------------------------------------------------------- would it do anything?

    def _conditions(self, t: Tables, amount: Bytes) -> NDArray[np.bool_]:
        """(10, n) what effects of these amounts need, as the step (or the mask) finds it."""
        s = self.state
        sizes = self._public.hand_sizes.take(t, axis=1)
        everybody = np.add.reduce(sizes, axis=0, dtype=np.uint8)
        own = self._hand_size(t, self._turn[t])
        line = self._line_index[t]
        met = np.zeros((10, len(t)), bool)
        np.not_equal(s.deck_size[t] | s.discard_size[t], 0, out=met[_DRAW])
        np.not_equal(own, 0, out=met[_HAND])
        np.logical_or(met[_DRAW], met[_HAND], out=met[_DRAW_OR_HAND])
        np.less_equal(LEAST[line], amount, out=met[_FITTING])
        np.not_equal((SUMS[line] >> amount) & 1, 0, out=met[_EXACTLY])
        np.not_equal(s.line_size[t], 0, out=met[_LINE])
        np.logical_or(met[_DRAW], met[_LINE], out=met[_SWEEP])
        np.not_equal(everybody, own, out=met[_OTHERS])
        np.not_equal(everybody, 0, out=met[_ANYBODY])
        return met

    def _possible(self, t: Tables, effect: Bytes, amount: Bytes) -> NDArray[np.bool_]:
        """(n,) whether effects would do anything for the seat at turn.

        False for copy, place_under and play_discount, which need a closer look.
        """
        return self._conditions(t, amount)[_CONDITION[effect], np.arange(len(t))]

    def _copies(self, t: Tables) -> NDArray[np.bool_]:
        """(K, n) what copy offers: for each different effect the first kind of card that has it."""
        seen = np.zeros((self.kinds + 1, len(t)), bool)
        seen[:-1] = self.state.line.take(t, axis=1) > 0
        seen[self._public.tops[..., t], np.arange(len(t))] = True
        offered = np.zeros((self.kinds, len(t)), bool)
        for kind, alike in self._copyable.items():
            effect, amount = self.cards.effect[kind], self.cards.amount[kind]
            met = self._conditions(t, np.full(len(t), amount))[_CONDITION[effect]]
            offered[kind] = seen[alike].any(axis=0) & met
        return offered

    # ---------------------------------------------------------------- instant effects

    def _offer(self, t: Tables, kind: NDArray[np.intp], covers: NDArray[np.bool_]) -> None:
        """A card was laid (``covers``: on others): ask about its effect, or end the turn."""
        s = self.state
        effect, amount = self.cards.instant[kind], self.cards.amount[kind]
        useful = self._possible(t, effect, amount)
        useful |= (effect == PLACE_UNDER) & covers
        copies = (effect == COPY).nonzero()[0]
        if len(copies):
            useful[copies] = self._copies(t[copies]).any(axis=0)
        self._ended[t] = ~useful
        s.phase[t] = _PHASE_OF_INSTANT[effect]
        s.effect[t] = effect
        s.amount[t] = amount
        s.left[t] = amount * (effect == LINE)
        s.refusable[t] = 1

    def _carry_out(self, t: Tables) -> None:
        """The instant effect that was agreed to, or copied."""
        effect = self.state.effect[t]
        self.state.refusable[t] = 0
        for code in np.bincount(effect).nonzero()[0].tolist():
            self._do(code, t[effect == code])

    def _do(self, code: int, t: Tables) -> None:
        s = self.state
        amount = s.amount[t]
        if code == DRAW:
            self._draw_to_hand(t, amount)
            self._ended[t] = True
        elif code == ALL_DRAW:
            self._all_draw(t, amount)
            self._ended[t] = True
        elif code == DRAW_SHEEP:
            self._draw_to_hand(t, self._sheep(t) + np.uint8(1))
            self._ended[t] = True
        elif code == DRAW_DISCARD:
            self._draw_to_hand(t, amount)
            s.phase[t] = DISCARD_ONE
            s.left[t] = 1
        elif code == LINE:
            self._begin_taking(t, amount, True)
        elif code == SWEEP_LINE:
            self._sweep(t, amount)
        elif code == STEAL:
            s.phase[t] = STEAL_CHOICE
        elif code == OPPONENTS_DISCARD:
            self._begin_choosing(t, GIVE_UP)
        elif code == PASS_RIGHT:
            self._begin_choosing(t, PASS)
        elif code == PLACE_UNDER:
            self._move_under(t)
            self._ended[t] = True

    def _all_draw(self, t: Tables, amount: Bytes) -> None:
        """The seat at turn draws twice the amount, then each opponent, clockwise, the amount."""
        turn = self._turn[t].astype(np.intp)
        self._draw_for(t, turn, amount * np.uint8(2))
        for step in range(1, self.num_players):
            self._draw_for(t, (turn + step) % self.num_players, amount)

    def _sheep(self, t: Tables) -> Bytes:
        """(n,) Sheep in all collections and in the Draw Line."""
        count = np.zeros(len(t), np.uint8)
        for kind in self.cards.sheep:
            count += self.state.line[kind, t]
            count += self._public.laid[:, kind][..., t].sum(axis=(0, 1), dtype=np.uint8)
        return count

    def _sweep(self, t: Tables, amount: Bytes) -> None:
        """The line goes to the discards and is refilled, then cards may be taken."""
        s = self.state
        s.discards[:, t] += s.line[:, t]
        s.discard_size[t] += s.line_size[t]
        s.line[:, t] = 0
        s.line_size[t] = 0
        self._refill(t)
        self._settle_draws()
        fits = self._fitting(t, amount).any(axis=0)
        self._ended[t] = ~fits
        self._begin_taking(t[fits], amount[fits], True)

    def _move_under(self, t: Tables) -> None:
        """The card just laid on a collection goes to its bottom."""
        s = self.state
        side, turn, which = s.side[t], self._turn[t], np.arange(len(t))
        stack = s.stacks[side, turn, :, t].T  # (depth, n)
        height = self._public.heights[side, turn, t]
        moved = stack[height - 1, which]
        inside = np.arange(1, len(stack))[:, None] < height
        stack[1:] = np.where(inside, stack[:-1], stack[1:])
        stack[0] = moved
        s.stacks[side, turn, :, t] = stack.T
        self._public.tops[side, turn, t] = stack[height - 1, which]

    # ---------------------------------------------------------------- special actions

    def _use(self, t: Tables, kind: Bytes) -> None:
        """The special action of a top card."""
        s = self.state
        effect, amount = self.cards.special[kind], self.cards.amount[kind]
        s.effect[t] = effect
        s.amount[t] = amount
        for code in np.bincount(effect).nonzero()[0].tolist():
            on = effect == code
            user = t[on]
            if code in (LINE, LINE_EXACT):
                self._begin_taking(user, amount[on], False)
            elif code == TAKE1_PLAY:
                self._begin_taking(user, MOST_FOLDS, False)  # any card
            elif code == DRAW3_DISCARD1:
                self._look_at(user)
            else:
                s.phase[user] = EXTRA
                if code == DRAW1_PLAY:
                    owner, drawn = self._draw(user, np.ones(len(user), np.uint8))
                    s.apart[user[owner]] = drawn
                    s.refusable[user] = 1

    def _look_at(self, t: Tables) -> None:
        """Draw three cards to look at; one of them will be discarded."""
        s = self.state
        owner, kind = self._draw(t, np.full(len(t), LOOKED, np.uint8))
        order = np.argsort(owner, kind="stable")
        owner, kind = owner[order], kind[order]
        slot = np.arange(len(owner)) - np.searchsorted(owner, owner)
        s.looked[slot, t[owner]] = kind
        s.phase[t] = LOOK
        s.left[t] = 1

    def _look(self, t: Tables, kind: NDArray[np.intp]) -> None:
        """One of the cards looked at is discarded, the others go to the hand."""
        s = self.state
        looked = s.looked[:, t]
        gone = (looked == kind).argmax(axis=0)
        looked[gone, np.arange(len(t))] = self.kinds
        for slot in looked:
            kept = t[slot < self.kinds]
            self._gain_unseen(kept, self._turn[kept], slot[slot < self.kinds].astype(np.intp))
        s.looked[:, t] = self.kinds
        self._discard(t, kind)
        self._ended[t] = True

    def _discount(self, t: Tables) -> Bytes:
        """(n,) how much cheaper the play of a special action is."""
        s = self.state
        less = s.amount[t]  # 0 but for play_discount
        effect = s.effect[t]
        less[effect == PLAY_FREE] = FREE
        shown = effect == DRAW1_PLAY  # part of the payment
        less[shown] = self.cards.folds[s.apart[t[shown]]]
        return less

    def _extra(self, t: Tables, action: NDArray[np.intp]) -> None:
        """Play an Origami at a special price, or refuse."""
        s = self.state
        less = self._discount(t)
        shower = t[s.effect[t] == DRAW1_PLAY]
        self._discard(shower, s.apart[shower].astype(np.intp))  # as payment, or unused
        plays = action < self.kinds
        self._ended[t] = ~plays
        t, kind = t[plays], action[plays]
        cost = self.cards.cost[kind]
        self._play(t, kind, cost - np.minimum(cost, less[plays]))
        s.effect[t] = s.amount[t] = s.refusable[t] = 0
