"""Cards that change hands, and choices that several seats make in secret."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rng import bits, scale
from fold_envs.games.origami.piles import GIVE_UP, PASS, Bytes, Tables
from fold_envs.games.origami.taking import Taking


class Choosing(Taking):
    """Stealing, giving up and passing cards."""

    def _steal(self, t: Tables, victim: NDArray[np.intp]) -> None:
        """The seat at turn takes random cards of ``victim``'s hand."""
        s = self.state
        for number in range(int(s.amount[t].max(initial=0))):
            there = (s.amount[t] > number) & (self._hand_size(t, victim) > 0)
            t, victim = t[there], victim[there]
            word = bits(s.key[t], s.counter[t])
            s.counter[t] += np.uint64(1)
            chosen = scale(word, self._hand_size(t, victim))
            upto = np.cumsum(self._hand(t, victim), axis=0, dtype=np.uint8)
            kind = (upto <= chosen).sum(axis=0)
            self._hand_over(t, victim, self._turn[t], kind)
            self._receive(t, victim, self._turn[t], kind)

    # ---------------------------------------------------------------- secret choices

    def _begin_choosing(self, t: Tables, phase: int) -> None:
        """Seat by seat chooses: for PASS from the seat at turn on, for GIVE_UP from its left."""
        self.state.phase[t] = phase
        self._actor[t] = self._turn[t]
        self._ask_next(t, range(phase == GIVE_UP, self.num_players))

    def _ask_next(self, t: Tables, steps: range) -> Tables:
        """Ask the first seat with cards among those ``steps`` on from the one that has chosen.

        Returns:
            The tables where nobody is left to be asked.
        """
        s, p = self.state, np.uint8(self.num_players)
        actor, turn = self._actor[t], self._turn[t]
        asked, round_over = np.zeros((2, len(t)), bool)
        for step in steps:
            seat = (actor + np.uint8(step)) % p
            if step:
                round_over |= seat == turn
            size = self._hand_size(t, seat)
            chooses = (size > 0) & ~(asked | round_over)
            chooser = t[chooses]
            self._actor[chooser] = seat[chooses]
            most = np.where(s.phase[chooser] == GIVE_UP, s.amount[chooser], np.uint8(1))
            s.left[chooser] = np.minimum(most, size[chooses])
            s.last[chooser] = 0
            asked |= chooses
        return t[~asked]

    def _chosen_of(self, t: Tables, seat: NDArray[Any]) -> Bytes:
        """(M, n) the kinds that ``seat`` has chosen, K where none."""
        return self.state.chosen[seat, :, t].T

    def _choose(self, t: Tables, kind: NDArray[np.intp]) -> Tables:
        """A seat chooses a card, which stays in its hand; returns where all have chosen."""
        s = self.state
        actor = self._actor[t]
        used = (self._chosen_of(t, actor) < self.kinds).sum(axis=0)
        s.chosen[actor, used, t] = kind
        s.left[t] -= 1
        s.last[t] = kind + 1
        return self._ask_next(t[s.left[t] == 0], range(1, self.num_players))

    def _give_up(self, t: Tables, kind: NDArray[np.intp]) -> None:
        """One card chosen; when all have chosen, all are discarded together."""
        t = self._choose(t, kind)
        for seat, slots in enumerate(self.state.chosen):
            for slot in slots:
                giver, gone = self._reveal(slot, t)
                self._lose(giver, np.full(len(giver), seat), gone)
                self._discard(giver, gone)
        self._ended[t] = True

    def _pass(self, t: Tables, kind: NDArray[np.intp]) -> None:
        """One card chosen; when all have chosen, all go to the right together."""
        t = self._choose(t, kind)
        moves = []
        for seat, slots in enumerate(self.state.chosen):
            giver, gone = self._reveal(slots[0], t)
            right = np.full(len(giver), (seat - 1) % self.num_players)
            moves.append((giver, np.full(len(giver), seat), right, gone))
        for move in moves:
            self._hand_over(*move)
        for move in moves:
            self._receive(*move)
        self._ended[t] = True

    def _reveal(self, slot: Bytes, t: Tables) -> tuple[Tables, NDArray[np.intp]]:
        """The tables where something was chosen, and what; the slot is cleared."""
        giver = t[slot[t] < self.kinds]
        kind = slot[giver].astype(np.intp)
        slot[t] = self.kinds
        return giver, kind
