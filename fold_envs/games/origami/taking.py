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
        stops = action >= self.kinds
        stopped = t[stops]
        if len(stopped):
            self._finish_taking(stopped)
            goes_on = ~stops
            t, action = t[goes_on], action[goes_on]
        s.line.reshape(-1)[action * self.num_envs + t] -= 1
        s.line_size[t] -= 1
        self._gain(t, self._turn[t], action)
        left = s.left[t] - self.cards.folds[action]
        effect = s.effect[t]
        s.left[t] = left
        s.last[t] = action + 1
        s.refusable[t] = effect != LINE_EXACT
        more = np.bitwise_or.reduce(self._fitting(t, left, action).view(np.uint8), axis=0)
        over = (more == 0) | (effect == TAKE1_PLAY)
        self._finish_taking(t[over])

    def _fitting(self, t: Tables, folds: Any, first: Any = 0) -> NDArray[np.bool_]:
        """(K, n) the line's cards of at most ``folds``, from kind ``first`` on."""
        fitting = self.state.line.take(t, axis=1) > 0
        fitting &= self.cards.folds[:-1, None] <= folds
        fitting &= self._kind_column >= first
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
