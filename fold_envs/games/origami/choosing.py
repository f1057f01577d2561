"""Cards that change hands, and choices that several seats make in secret."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rng import bits, scale
from fold_envs.engine.rows import running_sums
from fold_envs.games.origami.piles import ONE, PASS, ZERO, Bytes, Tables, spots
from fold_envs.games.origami.taking import Taking


@lru_cache(maxsize=8)
def _next_asked(num_players: int) -> Bytes:
    """(3, P, P, 2**P) the seat that is asked, P if none.

    By ``_asked_from``, actor, seat at turn, and which seats have cards (a bit each).
    """
    p = num_players
    asked = np.full((3, p, p, 1 << p), p, np.uint8)
    for first, actor, turn, holders in np.ndindex(2, *asked.shape[1:]):
        last = (turn - actor - 1) % p  # the seat before the one at turn
        seats = [(actor + step) % p for step in range(first, last + 1)]
        having = [seat for seat in seats if holders >> seat & 1]
        if having:
            asked[1 + first, actor, turn, holders] = having[0]
    return asked


class Choosing(Taking):
    """Stealing, giving up and passing cards."""

    def _bind(self) -> None:
        super()._bind()
        p, slots = self.num_players, self.state.chosen.shape[1]
        # (M, P) first cells of the slots of a seat
        number = np.arange(p) * slots + np.arange(slots)[:, None]
        self._chosen_first = self._first_cell(self.state.chosen) + number * self.num_envs
        # 1 + how many seats on from the actor somebody is asked at the end of the step, 0 for none
        self._asked_from = np.zeros(self.num_envs, np.uint8)
        self._next_asked = _next_asked(p)
        self._seat_bits = np.left_shift(1, np.arange(p)).astype(np.uint8)
        self._holder_sets = np.array(1 << p)

    def _steal(self, t: Tables, victim: NDArray[np.intp]) -> None:
        """The seat at turn takes random cards of ``victim``'s hand."""
        s = self.state
        for number in range(int(s.amount[t].max(initial=0))):
            there = (s.amount[t] > number) & (self._hand_size(t, victim) > ZERO)
            t, victim = t[there], victim[there]
            word = bits(s.key[t], s.counter[t])
            s.counter[t] += np.uint64(1)
            chosen = scale(word, self._hand_size(t, victim))
            upto = running_sums(self._hand(t, victim))
            kind = np.add.reduce(upto <= chosen, axis=0, dtype=np.intp)
            self._hand_over(t, victim, self._turn[t].astype(np.intp), kind)

    # ---------------------------------------------------------------- secret choices

    def _begin_choosing(self, t: Tables, phase: int) -> None:
        """Seat by seat chooses: for PASS from the seat at turn on, for GIVE_UP from its left."""
        self.state.phase[t] = phase
        self._actor[t] = self._turn[t]
        self._asked_from[t] = 1 if phase == PASS else 2

    def _choose(self, t: Tables, kind: Tables, turn: Tables) -> None:
        """A seat chooses a card, which stays in its hand."""
        s = self.state
        cells = self._chosen_cells(t, self._actor[t])
        used = np.add.reduce(self._cells[cells] < self.kinds, axis=0, dtype=np.intp)
        self._cells[cells[used, np.arange(len(t))]] = kind
        s.last[t] = self._rank[kind]
        left = s.left[t] - ONE
        s.left[t] = left
        self._asked_from[t[left == ZERO]] = 2

    def _chosen_cells(self, t: Tables, seat: NDArray[Any]) -> NDArray[np.intp]:
        """(M, n) the cells where the choices of ``seat`` are."""
        cells = self._chosen_first.take(seat, axis=1)
        cells += t
        return cells

    def _chosen_of(self, t: Tables, seat: NDArray[Any]) -> Bytes:
        """(M, n) the kinds that ``seat`` has chosen, K where none."""
        return self._cells[self._chosen_cells(t, seat)]

    def _settle_choices(self) -> None:
        """Ask the next seat with cards; where all have chosen, their cards go at once."""
        t = (self._asked_from > ZERO).nonzero()[0]
        if not len(t):
            return
        s = self.state
        index = self._asked_from[t].astype(np.intp)
        self._asked_from[t] = 0
        for seat in (self._actor[t], self._turn[t]):
            index *= self._P
            index += seat
        index *= self._holder_sets
        holders = self._public.hand_sizes.take(t, axis=1) > ZERO
        index += self._seat_bits @ holders.view(np.uint8)
        seat = self._next_asked.take(index)
        asked = seat < self._P
        done = t[~asked]
        if len(done):
            self._ended[done] = True
            self._reveal(done)
            t, seat = t[asked], seat[asked]
        self._actor[t] = seat
        # pass_right, which has no amount, asks for one card
        s.left[t] = np.minimum(np.maximum(s.amount[t], ONE), self._hand_size(t, seat))
        s.last[t] = 0

    def _reveal(self, t: Tables) -> None:
        """GIVE_UP: all chosen cards are discarded; PASS: all go to the right."""
        s = self.state
        passing = s.phase[t] == PASS
        for slot in s.chosen.swapaxes(0, 1):
            chosen = slot.take(t, axis=1)
            giver, which = spots(chosen < self.kinds)
            if not len(which):
                break  # slots are filled in order
            slot[:, t] = self.kinds
            kind, table, passed = chosen[giver, which].astype(np.intp), t[which], passing[which]
            if np.count_nonzero(passed):
                seat = giver[passed]
                self._hand_over(table[passed], seat, (seat - 1) % self._P, kind[passed])
                gone = ~passed
                table, kind, giver = table[gone], kind[gone], giver[gone]
            if len(table):
                self._lose(table, kind, giver)
                self._discard_several(table, kind)
