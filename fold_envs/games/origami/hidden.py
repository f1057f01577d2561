"""What a seat cannot know, redrawn: for search by determinisation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rng import bits
from fold_envs.games.origami.cards import DRAW1_PLAY
from fold_envs.games.origami.piles import EXTRA, GIVE_UP, PASS, PAY, PLACE, Bytes, Piles, Tables

TRIES = 30  # redraws until a begun move can be finished; then the true cards stay


class Hidden(Piles):
    """Redraws the deck, unknown cards in hands, cards looked at and secret choices."""

    def _lies_apart(self) -> NDArray[np.bool_]:
        """(N,) whether ``apart`` is a card in no hand: being played or shown."""
        s = self.state
        shown = (s.phase == EXTRA) & (s.effect == DRAW1_PLAY)
        return (s.phase == PAY) | (s.phase == PLACE) | shown

    def _resample(self, seats: NDArray[np.intp]) -> None:
        state = self.state
        before = self.get_state()
        t = np.flatnonzero(~state.over)
        for _ in range(TRIES):
            self._redraw(t, seats[t])
            self._stale = True
            t = t[~self.legal[:, t].any(axis=0)]
            if not len(t):
                return
        counter = state.side_counter[t]
        state.put(t, before.take(t))
        state.side_counter[t] = counter

    def _redraw(self, t: Tables, seat: NDArray[np.intp]) -> None:
        """Deal anew what ``seat`` does not know: to those who look, hands, and deck."""
        s, p, k, n = self.state, self.num_players, self.kinds, len(t)
        held = s.known[..., t]  # (P, P, K, n)
        hand = held[:, 0]
        bound = np.zeros_like(hand)
        for observer in range(p):
            for holder in range(p):
                mine = seat == observer
                bound[holder][:, mine] = held[observer, (holder - observer) % p][:, mine]
        unknown = (hand - bound).sum(axis=0, dtype=np.intp)  # (K, n)
        looked = s.looked[:, t]
        looker_hidden = (self._actor[t] != seat) & (looked < k)
        np.add.at(unknown, (looked[looker_hidden], np.nonzero(looker_hidden)[1]), 1)
        row, which = np.nonzero(np.arange(len(s.deck))[:, None] < s.deck_size[t])
        np.add.at(unknown, (s.deck[row, t[which]], which), 1)

        which, row, kind = self._shuffled(t, unknown)
        # looked at, then each hand, then the deck
        needs = [looker_hidden.sum(axis=0), *(hand - bound).sum(axis=1, dtype=np.intp)]
        start = np.zeros(n, np.intp)
        for number, need in enumerate(needs):
            mine = (row >= start[which]) & (row < (start + need)[which])
            if number:
                np.add.at(bound[number - 1], (kind[mine], which[mine]), np.uint8(1))
            else:  # the cards looked at fill the first slots
                looked[(row - start[which])[mine], which[mine]] = kind[mine]
            start = start + need
        rest = row >= start[which]
        s.deck[(row - start[which])[rest], t[which[rest]]] = kind[rest]
        s.looked[:, t] = looked
        for holder in range(p):
            held[holder, 0] = bound[holder]
            for observer in range(p):  # others may have known more; they know no more than is true
                if observer != holder:
                    known = held[observer, (holder - observer) % p]
                    other = seat != holder
                    known[:, other] = np.minimum(known, bound[holder])[:, other]
        s.known[..., t] = held
        self._choose_again(t, seat)

    def _choose_again(self, t: Tables, seat: NDArray[np.intp]) -> None:
        """Secret choices of other seats, from their new hands."""
        s, k = self.state, self.kinds
        choosing = (s.phase[t] == GIVE_UP) | (s.phase[t] == PASS)
        t, seat = t[choosing], seat[choosing]
        for holder in range(self.num_players):
            mine = t[seat != holder]
            used = (s.chosen[holder][:, mine] < k).sum(axis=0)
            mine, used = mine[used > 0], used[used > 0]
            if not len(mine):
                continue
            acting = self._actor[mine] == holder
            more = np.where(acting, s.left[mine], 0)  # must still follow in rising order
            which, row, kind = self._shuffled(mine, s.known[holder, 0][:, mine].astype(np.intp))
            drawn = row < (used + more)[which]
            which, kind = which[drawn], kind[drawn]
            order = np.lexsort((kind, which))
            which, kind = which[order], kind[order]
            slot = np.arange(len(which)) - np.searchsorted(which, which)
            chosen = slot < used[which]
            which, kind, slot = which[chosen], kind[chosen], slot[chosen]
            s.chosen[holder, slot, mine[which]] = kind
            last = s.chosen[holder, used - 1, mine] + np.uint8(1)
            s.last[mine[acting]] = last[acting]

    def _shuffled(
        self, t: Tables, counts: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], Bytes]:
        """The cards of ``counts`` (K, n) in random order, table by table.

        Returns:
            For each card the index into ``t``, its number among the table's cards, and its kind.
        """
        s = self.state
        each: NDArray[Any] = counts.T.ravel()
        which, kind = np.divmod(np.repeat(np.arange(each.size), each), self.kinds)
        row = np.arange(len(which)) - np.searchsorted(which, which)
        table = t[which]
        words = bits(s.side_key[table], s.side_counter[table] + row.astype(np.uint64))
        s.side_counter[t] += counts.sum(axis=0).astype(np.uint64)
        return which, row, kind[np.lexsort((words, which))].astype(np.uint8)
