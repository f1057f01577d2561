"""Taking from the Draw Line, playing, paying and discarding; the end of turns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.origami.cards import LINE, LINE_EXACT, TAKE1_PLAY
from fold_envs.games.origami.piles import (
    EXTRA,
    HAND_LIMIT,
    MOST_CARDS_IN_HAND,
    PAY,
    PLACE,
    TAKE,
    TURN,
    Bytes,
    Piles,
    Tables,
)

DRAW_FOLDS = 4  # of the draw action
_ONE_CARD = np.uint8(1)


class Taking(Piles):
    """Moves that take several decisions."""

    def _bind(self) -> None:
        super()._bind()
        self._folds_column = self.cards.folds[:-1, None]
        self._ranks = np.arange(1, self.kinds + 1, dtype=np.uint8)[:, None]  # as in ``last``

    # ---------------------------------------------------------------- taking from the Draw Line

    def _begin_taking(self, t: Tables, folds: Any, refusable: bool) -> None:
        """The seat at turn takes cards of at most (or exactly) ``folds``."""
        s = self.state
        s.phase[t] = TAKE
        s.left[t] = folds
        s.last[t] = 0
        s.refusable[t] = refusable

    def _take(self, t: Tables, action: NDArray[np.intp]) -> None:
        """One card, or "stop"; then on, or the end when nothing of a rising kind fits."""
        s = self.state
        takes = action < self.kinds
        one = takes.view(np.uint8)
        kind = action * one  # what follows changes nothing where it is no card
        self._cells[self._line_first + kind * self.num_envs + t] -= one
        s.line_size[t] -= one
        self._gain(t, self._turn[t], kind, one)
        left = s.left[t] - self.cards.folds[kind] * one
        last = np.where(takes, kind + 1, s.last[t])
        effect = s.effect[t]
        s.left[t] = left
        s.last[t] = last
        s.refusable[t] = effect != LINE_EXACT
        on = np.bitwise_or.reduce(self._fitting(t, left, last).view(np.uint8), axis=0)
        on &= one
        on[effect == TAKE1_PLAY] = 0
        self._finish_taking(t[on == 0])

    def _fitting(self, t: Tables, folds: Any, last: Any) -> NDArray[np.bool_]:
        """(K, n) the line's cards of at most ``folds`` that may follow ``last``."""
        fitting = self.state.line.take(t, axis=1) > 0
        fitting &= self._folds_column <= folds
        fitting &= self._ranks >= last
        return fitting

    def _finish_taking(self, t: Tables) -> None:
        s = self.state
        effect = s.effect[t]
        # a stop before the first card of an instant effect was its refusal
        refilled = (effect == 0) | (effect == TAKE1_PLAY) | ((effect == LINE) & (s.last[t] > 0))
        self._refill(t[refilled])
        plays = effect == TAKE1_PLAY
        self._ended[t] = ~plays
        player = t[plays]
        if len(player):
            s.apart[player] = s.last[player] - 1
            s.phase[player] = EXTRA
            s.left[player] = s.last[player] = 0
            s.refusable[player] = 1

    # ---------------------------------------------------------------- playing and paying

    def _play(self, t: Tables, kind: NDArray[np.intp], price: Bytes) -> None:
        """A card leaves the hand; it lies apart until it is paid for."""
        s = self.state
        self._lost[t] = kind + 1
        s.apart[t] = kind
        s.left[t] = price
        s.phase[t] = np.where(price > 0, np.uint8(PAY), np.uint8(PLACE))

    def _spend(self, t: Tables, kind: NDArray[np.intp]) -> None:
        """One card from hand to the discards: a payment, or one card too many."""
        s = self.state
        self._lost[t] = s.last[t] = kind + 1
        self._discard(t, kind)
        pays = s.phase[t] == PAY
        left = s.left[t] - np.where(pays, self.cards.folds[kind], _ONE_CARD)
        s.left[t] = left
        done = left == 0
        self._ended[t] = done & ~pays
        paid = t[done & pays]
        s.phase[paid] = PLACE
        s.last[paid] = 0

    # ---------------------------------------------------------------- the end of a turn

    def _end_turns(self) -> None:
        """Hand limit, then the next seat, the final round, the end of the game."""
        t = self._ended.nonzero()[0]
        if not len(t):
            return
        s = self.state
        self._ended[t] = False
        turn = self._turn[t]
        hand = self._hand_size(t, turn)
        s.effect[t] = s.amount[t] = s.last[t] = s.refusable[t] = s.left[t] = 0
        s.apart[t] = self.kinds
        above = hand > MOST_CARDS_IN_HAND
        if np.count_nonzero(above):
            limited = t[above]
            s.phase[limited] = HAND_LIMIT
            s.left[limited] = hand[above] - np.uint8(MOST_CARDS_IN_HAND)
            self._actor[limited] = turn[above]
            t, turn = t[~above], turn[~above]
        s.turns[t] += 1
        turn = (turn + np.uint8(1)) % np.uint8(self.num_players)
        self._turn[t] = self._actor[t] = turn
        s.phase[t] = TURN
        begins = turn == self._start_seat[t]  # a new round
        if np.count_nonzero(begins):
            first = t[begins]
            final = s.final_round[first]
            s.over[first] = final
            s.final_round[first] = final | (s.emptyings[first] >= 2)
        # a turn that starts without a card to draw or take counts as the second emptying
        nothing = (s.deck_size[t] | s.discard_size[t] | s.line_size[t]) == 0
        if np.count_nonzero(nothing):
            bare = t[nothing]
            s.emptyings[bare] = np.maximum(s.emptyings[bare], 2)
