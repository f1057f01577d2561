"""The state of Origami tables, and how cards move between piles.

A pile is a count a kind of card. ``known[o, d]`` is what seat o knows of the hand of seat o + d:
for d = 0 its own hand, exactly; else a lower bound by kind. So a public gain or loss is the same
change for all observers, and there is no other record of the hands.

The rules work on the tables they concern: ``t`` is an array of table numbers, different ones unless
said otherwise, and what belongs to them (seats, kinds...) is parallel to it. All byte fields of the
state lie in one block; ``_cells`` is the block as one row of bytes, so that a "cell" (first cell of
a row of a field, plus the table) reaches any of them, and several at once. Moves that many rules
lead to are noted by table in ``_taken``, ``_wanted`` and ``_ended`` and done once, for all tables,
at the end of the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import BatchGame
from fold_envs.engine.rng import bits
from fold_envs.engine.state import Field, State
from fold_envs.games.origami.cards import FAMILY_SIZE, OPPONENTS_DISCARD, CardTable

LINE_SIZE = 4
MOST_CARDS_IN_HAND = 8
LOOKED = 3  # cards that draw3_discard1 looks at
_LAST = np.uint64((1 << 64) - 1)
OWN_HAND = slice(0, 1)  # of the holders, as counted in ``known``
FEW_TABLES = 128  # up to so many, calls cost more than cells
_FEW_OBSERVERS = 512  # up to so many, all that observers know is masked in one call
_FEW_DECKS = 4  # that are shuffled one by one

# numbers as arrays, in which NumPy computes several times faster than with plain numbers
ZERO, ONE = np.array(0, np.uint8), np.array(1, np.uint8)
_LINE_SIZE = np.array(LINE_SIZE, np.uint8)

PHASES = (
    "turn",
    "take",
    "extra play",
    "pay",
    "place",
    "instant",
    "copy",
    "steal",
    "look",
    "discard one",
    "give up",
    "pass",
    "hand limit",
)
(
    TURN,
    TAKE,
    EXTRA,
    PAY,
    PLACE,
    INSTANT,
    COPY_CHOICE,
    STEAL_CHOICE,
    LOOK,
    DISCARD_ONE,
    GIVE_UP,
    PASS,
    HAND_LIMIT,
) = range(len(PHASES))

Tables = NDArray[np.intp]
Bytes = NDArray[np.uint8]


def spots(flags: NDArray[np.bool_]) -> tuple[Tables, Tables]:
    """Rows and columns where ``flags`` (R, n) are True; faster than ``flags.nonzero()``."""
    spot = flags.reshape(-1).nonzero()[0]
    row = spot // flags.shape[1]
    return row, spot - row * flags.shape[1]


class Public(NamedTuple):
    """Views into the field ``public``: what lies before each seat.

    Where a card lies matters to scoring by collection alone, so ``laid`` counts both collections.
    """

    laid: Bytes  # (K, P, N) cards in both collections by kind
    scorers: Bytes  # (2, S + 1, P, N) by collection: kinds that score there, all others
    families: Bytes  # (2, F, P, N) by collection: cards of each family
    tops: Bytes  # (2, P, N) kind on top, K if none
    heights: Bytes  # (2, P, N) how many cards
    half_hands: Bytes  # (P, N) cards laid that score for cards in hand
    points: Bytes  # (P, N) all other points so far, at most 255
    hand_sizes: Bytes  # (P, N)


class Piles(BatchGame):
    """State, and the moves of cards that all rules are made of."""

    cards: CardTable
    kinds: int  # K

    def _fields(self) -> Sequence[Field]:
        p, k, families = self.num_players, self.kinds, len(self.cards.families)
        scorers = len(self.cards.scorers) + 1
        amounts = self.cards.amount[self.cards.effect == OPPONENTS_DISCARD]
        return [
            Field("known", (p, p, k)),
            Field("public", (k + 2 * scorers + 2 * families + 7, p)),  # see Public
            # told to all as they are, in this order
            Field("line", (k,)),
            Field("discards", (k,)),
            Field("families", (families,)),  # in play
            Field("deck_size"),
            Field("final_round"),
            Field("amount"),  # of the effect
            Field("left"),  # folds still to take or to pay, cards still to discard
            Field("side"),  # the collection where the last card was laid
            # all cards laid so far, in order: kind, and place (+ 2 P if laid under the collection);
            # a place is P * collection + seat
            Field("history", (2, FAMILY_SIZE * p)),
            Field("laid"),  # how many
            Field("beneath"),  # kind that the last card laid covers, K if none
            Field("deck", (FAMILY_SIZE * p,)),  # from the bottom; rows from deck_size on are scrap
            Field("discard_size"),
            Field("line_size"),
            Field("emptyings"),
            Field("points", (p,), np.int16),  # of laid cards, but for those that score for the hand
            Field("seats", (3,)),  # whose turn it is, who decides, who started
            Field("turns", (), np.uint16),  # finished
            Field("phase"),
            Field("effect"),  # code of what is being asked or carried out, 0 for plain moves
            Field("last"),  # 1 + kind of the last card of a rising sequence, 0 before the first
            Field("refusable"),  # "no" (or "stop") may be said
            # the card that matters now, K if none: being played (pay, place), shown or, though in
            # hand, just taken (extra play), covered by the card that may go under it (instant)
            Field("apart"),
            Field("looked", (LOOKED,)),  # cards looked at, K if none
            # kinds chosen in secret, still in hand, K if none
            Field("chosen", (p, max(1, int(amounts.max(initial=0))))),
        ]

    def _bind(self) -> None:
        s, n, p, k = self.state, self.num_envs, self.num_players, self.kinds
        self._public = self._public_of(s)
        # as ZERO and ONE; for intp arrays (of smaller ones NumPy 1 would make no wider ones)
        self._N, self._K, self._P, self._A = map(np.array, (n, k, p, self.num_actions))
        self._turn, self._actor, self._start_seat = s.seats
        self._cells = s.blocks[np.dtype(np.uint8)].reshape(-1)
        seats, step = np.arange(p), np.arange(p) - np.arange(p)[:, None]
        known = self._first_cell(s.known) + (seats[:, None] * p + step % p) * k * n
        self._known_first = known  # of what an observer (row) knows of the hand of a holder
        self._size_first = self._first_cell(self._public.hand_sizes) + seats * n
        self._hand_first = known.diagonal().copy()
        self._knowledge = s.known.reshape(p, p * k, n)  # by observer
        self._seat_column = np.arange(p, dtype=np.uint8)[:, None]
        # by giver and receiver (P * P), what all others know of the hand of the giver
        others = [np.delete(known[:, giver], [giver, to]) for giver in seats for to in seats]
        self._blind_first = np.array([rows[: p - 2] for rows in others]).T
        # by seat and kind (P * K), of what changes for all when a hand does: every observer's
        # knowledge, and the size; with a card from the line that as well
        kind = np.arange(k) * n
        by_kind = [(first[:, None] + kind).reshape(-1) for first in known]
        self._hand_rows = np.array([*by_kind, self._size_first.repeat(k)])
        line = np.tile(self._first_cell(s.line) + kind, p)
        size = np.full(p * k, self._first_cell(s.line_size))
        self._line_rows = np.vstack((self._hand_rows, line, size))
        self._line_change = np.array([1] * (p + 1) + [255] * 2, np.uint8)[:, None]
        # who draws: seats 0 to P - 1, then
        self._line_drawer, self._look_drawer, self._show_drawer, self._all_drawer = range(p, p + 4)
        self._line_first = self._first_cell(s.line)
        self._drawn_first = np.append(self._hand_first, self._line_first)
        self._drawn_size_first = np.append(self._size_first, self._first_cell(s.line_size))
        self._kinds_sorted = np.arange(k, dtype=np.uint8)
        self._number_column = np.arange(len(s.deck))[:, None]
        self._deck_rows = self._first_cell(s.deck) + self._number_column * n
        self._discards_first = self._first_cell(s.discards)
        # by kind, of what changes when a card is discarded
        self._discard_rows = np.vstack(
            (self._discards_first + kind, np.full(k, self._first_cell(s.discard_size)))
        )
        self._kind_column = np.arange(k)[:, None]
        self._kind_cells = self._kind_column * n
        # noted for the end of the step
        self._wanted = np.zeros(n, np.uint8)  # cards to draw
        self._drawer = np.zeros(n, np.uint8)  # by whom
        self._ended = np.zeros(n, bool)  # the turn is over

    def _first_cell(self, field: Bytes) -> int:
        return int(field.ctypes.data - self._cells.ctypes.data)  # a cell is a byte

    def _public_of(self, state: State) -> Public:
        k, scorers, families = self.kinds, len(self.cards.scorers) + 1, len(self.cards.families)
        p, n, rows = self.num_players, state.num_envs, state.public
        ends = list(accumulate((k, 2 * scorers, 2 * families, 2, 2)))
        return Public(
            rows[:k],
            rows[k : ends[1]].reshape(2, scorers, p, n),
            rows[ends[1] : ends[2]].reshape(2, families, p, n),
            rows[ends[2] : ends[3]],
            rows[ends[3] : ends[4]],
            *rows[ends[4] :],
        )

    # ---------------------------------------------------------------- hands

    def _hand_size(self, t: Tables, seat: NDArray[Any]) -> Bytes:
        return self._cells[self._size_first[seat] + t]

    def _hand(self, t: Tables, seat: NDArray[Any]) -> Bytes:
        """(K, n) the hands of ``seat``."""
        return self._cells[self._hand_first[seat] + t + self._kind_cells]

    def _write_known(self, seat: Bytes, holders: slice, out: Bytes, scratch: Bytes) -> None:
        """Write what ``seat`` (N,) knows of the hands of ``holders``, counted from itself.

        ``out`` is (holders * K, N); ``scratch``, of the same shape, is to work in. One table needs
        no masks; for few calls cost most, for many a copy by observer would leave the cache.
        """
        rows = self._knowledge[:, holders.start * self.kinds : holders.stop * self.kinds]
        if self.num_envs == 1:
            out[...] = rows[seat[0]]
            return
        masks = np.negative(np.equal(seat, self._seat_column).view(np.uint8))
        if self.num_envs <= _FEW_OBSERVERS:
            np.bitwise_or.reduce(rows & masks[:, None], axis=0, out=out)
            return
        np.bitwise_and(rows[0], masks[0], out=out)
        for known, mask in zip(rows[1:], masks[1:], strict=True):
            np.bitwise_and(known, mask, out=scratch)
            out |= scratch

    def _gain_from_line(self, t: Tables, kind: Tables, seat: Tables) -> None:
        """These cards come from the Draw Line into the hands of ``seat``."""
        cells = self._line_rows.take(seat * self._K + kind, axis=1)
        cells += t
        self._cells[cells] += self._line_change

    def _lose(self, t: Tables, kind: Tables, seat: Tables) -> None:
        """Everybody sees these cards leave the hands of ``seat``."""
        cells = self._hand_rows.take(seat * self._K + kind, axis=1)
        cells += t
        known = self._cells[cells]
        known -= np.minimum(known, ONE)
        self._cells[cells] = known

    def _gain_unseen(self, t: Tables, seat: NDArray[Any], kind: NDArray[np.intp]) -> None:
        """Only ``seat`` knows which cards come into its hand; tables and kinds may repeat."""
        np.add.at(self._cells, self._hand_first[seat] + kind * self._N + t, ONE)
        np.add.at(self._cells, self._size_first[seat] + t, ONE)

    def _hand_over(
        self, t: Tables, giver: NDArray[Any], receiver: NDArray[Any], kind: NDArray[np.intp]
    ) -> None:
        """Cards go from hand to hand, which only these two see; tables may repeat.

        All losses come before all gains.
        """
        cells = self._cells
        cell = kind * self._N + t
        for seat in (giver, receiver):
            seen = self._known_first[seat, giver] + cell
            cells[seen] -= np.minimum(cells[seen], ONE)
        if self.num_players > 2:  # to others, whatever they knew of the hand may be what is gone
            first = self._blind_first.take(giver * self._P + receiver, axis=1) + t
            unseen = first + self._kind_cells[:, None]
            known = cells[unseen]
            known -= np.minimum(known, ONE)
            cells[unseen] = known
        cells[self._size_first[giver] + t] -= ONE
        self._gain_unseen(t, receiver, kind)
        cells[self._known_first[giver, receiver] + cell] += ONE

    # ---------------------------------------------------------------- deck, discards, line

    def _discard(self, t: Tables, kind: Tables) -> None:
        """Cards come to the discards, from wherever."""
        cells = self._discard_rows.take(kind, axis=1)
        cells += t
        self._cells[cells] += ONE

    def _discard_several(self, t: Tables, kind: Tables) -> None:
        """Cards come to the discards; tables may repeat."""
        cells = self._discard_rows.take(kind, axis=1)
        cells += t
        np.add.at(self._cells, cells.reshape(-1), ONE)

    def _want(self, t: Tables, drawer: Any, count: Any) -> None:
        """Cards are drawn at the end of this step, by a seat or one of the other drawers."""
        self._wanted[t] = count
        self._drawer[t] = drawer

    def _refill(self, t: Tables) -> None:
        """Fill the Draw Line up, at the end of this step."""
        self._want(t, self._line_drawer, _LINE_SIZE - self.state.line_size[t])

    def _settle_draws(self) -> None:
        """Draw for hands (unseen), the line, and to look at or to show."""
        t = (self._wanted > ZERO).nonzero()[0]
        if not len(t):
            return
        drawer = self._drawer[t].astype(np.intp)
        owner, table, kind = self._draw(t, self._wanted[t].astype(np.intp))
        pile = drawer[owner]
        if np.count_nonzero(drawer > self._line_drawer):
            special = pile > self._line_drawer
            self._draw_specially(table[special], pile[special], kind[special])
            table, pile, kind = table[~special], pile[~special], kind[~special]
        kind *= self._N
        kind += table
        np.add.at(self._cells, self._drawn_first[pile] + kind, ONE)
        np.add.at(self._cells, self._drawn_size_first[pile] + table, ONE)
        self._wanted[t] = 0

    def _draw_specially(self, table: Tables, drawer: Tables, kind: Tables) -> None:
        """Cards drawn to look at, to show, or by all seats in turn."""
        s = self.state
        shows = drawer == self._show_drawer
        s.apart[table[shows]] = kind[shows]
        several = (~shows).nonzero()[0]
        if not len(several):
            return
        table, drawer, kind = table[several], drawer[several], kind[several]
        number = np.arange(len(table)) - np.searchsorted(table, table)  # within a table's draw
        looks = drawer == self._look_drawer
        s.looked[number[looks], table[looks]] = kind[looks]
        everybody = (~looks).nonzero()[0]
        if len(everybody):
            table, kind, number = table[everybody], kind[everybody], number[everybody]
            # the seat at turn draws first, twice as many as the others
            step = np.maximum(number // s.amount[table], 1) - 1
            self._gain_unseen(table, (self._turn[table] + step) % self._P, kind)

    def _draw(self, t: Tables, count: Tables) -> tuple[Tables, Tables, Tables]:
        """Take cards off the decks, as many as there are.

        Returns:
            For each card drawn the index into ``t``, the table and the kind, a table's cards in
            their order.
        """
        s = self.state
        size = s.deck_size[t].astype(np.intp)
        short = (count >= size).nonzero()[0]
        if len(short):  # the deck is emptied: the discards go under it, shuffled
            wanted, table = count[short], t[short]
            below = s.discard_size[table]
            some = below > ZERO
            self._shuffle_under(table[some])
            most = s.deck_size[table].astype(np.intp)
            # a deck that was empty before is not emptied again, but the new one may be
            emptied = (most > below).view(np.uint8) + (some & (wanted >= most)).view(np.uint8)
            times = s.emptyings[table]
            s.emptyings[table] = times + np.minimum(emptied, ~times)  # at most 255
            size[short] = most
            count[short] = np.minimum(wanted, most)
        size -= count
        s.deck_size[t] = size
        owner = np.arange(len(t)).repeat(count)
        # the n-th card drawn in all is one row below the one before it, but for each new table
        top = count.cumsum()
        top += size
        row = top[owner]
        row -= np.arange(1, len(owner) + 1)
        table = t[owner]
        cell = self._deck_rows.take(row)
        cell += table
        return owner, table, self._cells[cell].astype(np.intp)

    def _shuffle_under(self, t: Tables) -> None:
        """Shuffle the discards and lay them under the decks."""
        if len(t) <= _FEW_DECKS:
            for table in t.tolist():
                self._shuffle_under_one(table)
            return
        s, n = self.state, self.num_envs
        below, above = s.discard_size[t], s.deck_size[t]
        size = below.astype(np.intp)
        row = self._deck_rows[: np.maximum.reduce(above)] + t
        kept = self._cells[row]
        # a row of the matrix is a table; what lies beyond its own cards is left out at the end
        step = np.arange(np.maximum.reduce(size))
        words = bits(s.key[t][:, None], s.counter[t][:, None] + step.astype(np.uint64))
        own = step < size[:, None]
        words[~own] = _LAST
        order = words.argsort(axis=1)
        order += (size.cumsum() - size)[:, None]
        counts = s.discards.take(t, axis=1).T.reshape(-1)
        cards = np.arange(len(counts)).repeat(counts) % self.kinds
        self._cells[(self._deck_rows[: len(step), 0] + t[:, None])[own]] = cards[order[own]]
        own = self._number_column[: len(row)] < above
        row += size * n
        self._cells[row[own]] = kept[own]
        s.counter[t] += below
        s.deck_size[t] = above + below
        self._cells[self._discards_first + self._kind_cells + t] = 0
        s.discard_size[t] = 0

    def _shuffle_under_one(self, table: int) -> None:
        """``_shuffle_under`` of one table."""
        s, here = self.state, slice(table, table + 1)
        deck, discards = s.deck[:, table], s.discards[:, table]
        below, above = int(s.discard_size[table]), int(s.deck_size[table])
        deck[below : below + above] = deck[:above].copy()
        words = bits(s.key[here], s.counter[here] + np.arange(below, dtype=np.uint64))
        deck[:below] = self._kinds_sorted.repeat(discards)[words.argsort()]
        s.counter[here] += np.uint64(below)
        s.deck_size[table] = below + above
        discards[...] = 0
        s.discard_size[table] = 0
