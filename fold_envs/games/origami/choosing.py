"""Cards that change hands, and choices that several seats make in secret."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rng import bits, scale
from fold_envs.engine.rows import running_sums
from fold_envs.games.origami.piles import GIVE_UP, Bytes, Tables, spots
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
            upto = running_sums(self._hand(t, victim))
            kind = np.count_nonzero(upto <= chosen, axis=0)
            self._hand_over(t, victim, self._turn[t].astype(np.intp), kind)

    # ---------------------------------------------------------------- secret choices

    def _begin_choosing(self, t: Tables, phase: int) -> None:
        """Seat by seat chooses: for PASS from the seat at turn on, for GIVE_UP from its left."""
        self.state.phase[t] = phase
        self._actor[t] = self._turn[t]
        self._ask_next(t, int(phase == GIVE_UP))

    def _ask_next(self, t: Tables, first: int = 1) -> Tables:
        """Ask the first seat with cards, ``first`` or more seats on from the one that has chosen.

        Returns:
            The tables where nobody is left to be asked.
        """
        s, p = self.state, self.num_players
        actor = self._actor[t].astype(np.intp)
        steps = np.arange(first, p)[:, None]
        seats = (actor + steps) % p
        sizes = self._hand_size(t, seats)
        chooses = sizes > 0
        chooses &= steps <= (self._turn[t] - actor - 1) % p  # then comes the seat at turn
        rank, which = chooses.argmax(axis=0), np.arange(len(t))
        asked = chooses[rank, which]
        chooser, rank, which = t[asked], rank[asked], which[asked]
        self._actor[chooser] = seats[rank, which]
        most = np.where(s.phase[chooser] == GIVE_UP, s.amount[chooser], np.uint8(1))
        s.left[chooser] = np.minimum(most, sizes[rank, which])
        s.last[chooser] = 0
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
        return self._ask_next(t[s.left[t] == 0])

    def _give_up(self, t: Tables, kind: NDArray[np.intp]) -> None:
        """One card chosen; when all have chosen, all are discarded together."""
        t = self._choose(t, kind)
        if len(t):
            for slot in self.state.chosen.swapaxes(0, 1):
                table, giver, gone = self._reveal(slot, t)
                self._lose(table, giver, gone)
                self._discard(table, gone)
            self._ended[t] = True

    def _pass(self, t: Tables, kind: NDArray[np.intp]) -> None:
        """One card chosen; when all have chosen, all go to the right together."""
        t = self._choose(t, kind)
        if len(t):
            table, giver, gone = self._reveal(self.state.chosen[:, 0], t)
            self._hand_over(table, giver, (giver - 1) % self.num_players, gone)
            self._ended[t] = True

    def _reveal(self, slot: Bytes, t: Tables) -> tuple[Tables, NDArray[np.intp], NDArray[np.intp]]:
        """Tables, seats and kinds chosen in a slot (P, N), which is cleared."""
        chosen = slot.take(t, axis=1)
        giver, which = spots(chosen < self.kinds)
        slot[:, t] = self.kinds
        return t[which], giver, chosen[giver, which].astype(np.intp)
