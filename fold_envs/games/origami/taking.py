"""Taking from the Draw Line, playing, paying and discarding; the end of turns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.origami.cards import EFFECT_NAMES, LINE, LINE_EXACT, MOST_COST, TAKE1_PLAY
from fold_envs.games.origami.piles import (
    EXTRA,
    HAND_LIMIT,
    MOST_CARDS_IN_HAND,
    ONE,
    PAY,
    PLACE,
    TAKE,
    TURN,
    ZERO,
    Bytes,
    Piles,
    Tables,
)

DRAW_FOLDS = 4  # of the draw action
_LINE_EXACT, _TAKE1_PLAY = np.array(LINE_EXACT, np.uint8), np.array(TAKE1_PLAY, np.uint8)
# by effect, 0 for the draw action: from which ``last`` on the line is refilled after taking
_REFILLED_FROM = np.full(len(EFFECT_NAMES), 255, np.uint8)
_REFILLED_FROM[[0, TAKE1_PLAY]], _REFILLED_FROM[LINE] = 0, 1
_TWO = np.array(2, np.uint8)
_ONE_TURN = np.array(1, np.uint16)
_MOST_CARDS = np.array(MOST_CARDS_IN_HAND, np.uint8)
_PHASE_OF_PRICE = np.full(MOST_COST + 1, PAY, np.uint8)
_PHASE_OF_PRICE[0] = PLACE


class Taking(Piles):
    """Moves that take several decisions."""

    # found out by Masks
    _turn_now: Tables  # (N,) the seat at turn
    _less: Bytes  # (N,) how much cheaper a play is by the special action at work; see Masks

    def _bind(self) -> None:
        super()._bind()
        self._folds_column = self.cards.folds[:-1, None]
        self._rank = np.arange(1, self.kinds + 1, dtype=np.uint8)  # by kind, as in ``last``
        self._ranks = self._rank[:, None]
        self._next_seat = np.roll(np.arange(self.num_players, dtype=np.uint8), -1)
        self._taken = np.zeros(self.num_envs, bool)  # taking is over, noted for the end of the step

    # ---------------------------------------------------------------- taking from the Draw Line

    def _begin_taking(self, t: Tables, folds: Any, refusable: bool) -> None:
        """The seat at turn takes cards of at most (or exactly) ``folds``."""
        s = self.state
        s.phase[t] = TAKE
        s.left[t] = folds
        s.last[t] = 0
        s.refusable[t] = refusable

    def _take(self, t: Tables, kind: Tables, turn: Tables) -> None:
        """One card; then on, or the end when nothing of a rising kind fits."""
        s = self.state
        self._gain_from_line(t, kind, turn)
        left = s.left[t] - self.cards.folds[kind]
        last = self._rank[kind]
        effect = s.effect[t]
        s.left[t] = left
        s.last[t] = last
        s.refusable[t] = effect != _LINE_EXACT
        over = ~np.logical_or.reduce(self._fitting(t, left, last), axis=0)
        over |= effect == _TAKE1_PLAY
        self._taken[t] = over

    def _stop(self, t: Tables, action: Tables, turn: Tables) -> None:
        self._taken[t] = True

    def _fitting(self, t: Tables, folds: Any, last: Any) -> NDArray[np.bool_]:
        """(K, n) the line's cards of at most ``folds`` that may follow ``last``."""
        fitting = self.state.line.take(t, axis=1) > ZERO
        fitting &= self._folds_column <= folds
        fitting &= self._ranks >= last
        return fitting

    def _settle_taking(self) -> None:
        t = self._taken.nonzero()[0]
        if not len(t):
            return
        s = self.state
        self._taken[t] = False
        effect = s.effect[t]
        # a stop before the first card of an instant effect was its refusal
        self._refill(t[s.last[t] >= _REFILLED_FROM.take(effect)])
        plays = effect == _TAKE1_PLAY
        self._ended[t] = ~plays
        player = t[plays]
        if len(player):
            s.apart[player] = s.last[player] - ONE
            s.phase[player] = EXTRA
            s.left[player] = s.last[player] = 0
            s.refusable[player] = 1

    # ---------------------------------------------------------------- playing and paying

    def _play(self, t: Tables, kind: Tables, turn: Tables) -> None:
        """A card that left the hand lies apart until it is paid for."""
        s = self.state
        cost = self.cards.cost[kind]
        price = cost - np.minimum(cost, self._less[t])
        s.apart[t] = kind
        s.left[t] = price
        s.phase[t] = _PHASE_OF_PRICE.take(price)
        s.effect[t] = s.amount[t] = s.refusable[t] = 0

    def _spend(self, t: Tables, kind: Tables, turn: Tables) -> None:
        """A card that left the hand is a payment, or one card too many."""
        self.state.last[t] = self._rank[kind]
        self._discard(t, kind)

    def _pay(self, t: Tables, kind: Tables, turn: Tables) -> None:
        s = self.state
        left = s.left[t] - self.cards.folds[kind]
        s.left[t] = left
        paid = t[left == ZERO]
        s.phase[paid] = PLACE
        s.last[paid] = 0

    def _drop(self, t: Tables, kind: Tables, turn: Tables) -> None:
        left = self.state.left[t] - ONE
        self.state.left[t] = left
        self._ended[t] = left == ZERO

    # ---------------------------------------------------------------- the end of a turn

    def _end_turns(self) -> None:
        """Hand limit, then the next seat, the final round, the end of the game."""
        t = self._ended.nonzero()[0]
        if not len(t):
            return
        s = self.state
        self._ended[t] = False
        seat = self._turn_now[t]
        hand = self._hand_size(t, seat)
        s.effect[t] = s.amount[t] = s.last[t] = s.refusable[t] = s.left[t] = 0
        s.apart[t] = self.kinds
        above = hand > _MOST_CARDS
        if np.count_nonzero(above):
            limited = t[above]
            s.phase[limited] = HAND_LIMIT
            s.left[limited] = hand[above] - np.uint8(MOST_CARDS_IN_HAND)
            self._actor[limited] = seat[above]
            np.logical_not(above, out=above)
            t, seat = t[above], seat[above]
        s.turns[t] += _ONE_TURN
        turn = self._next_seat[seat]
        self._turn[t] = self._actor[t] = turn
        s.phase[t] = TURN
        begins = turn == self._start_seat[t]  # a new round
        if np.count_nonzero(begins):
            first = t[begins]
            final = s.final_round[first]
            s.over[first] = final
            s.final_round[first] = final | (s.emptyings[first] >= _TWO)
        # a turn that starts without a card to draw or take counts as the second emptying
        bare = t[s.line_size[t] == ZERO]
        if len(bare):
            bare = bare[(s.deck_size[bare] | s.discard_size[bare]) == ZERO]
            s.emptyings[bare] = np.maximum(s.emptyings[bare], _TWO)
