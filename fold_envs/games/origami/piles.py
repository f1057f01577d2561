"""The state of Origami tables, and how cards move between piles.

A pile is a count a kind of card. ``known[o, d]`` is what seat o knows of the hand of seat o + d: for
d = 0 its own hand, exactly; else a lower bound by kind. So a public gain or loss is the same change
for all observers, and there is no other record of the hands.

The rules work on the tables they concern: ``t`` is always an array of different table numbers, and
what belongs to them (seats, kinds...) is parallel to it. "Cells" are flat indices, one a table.
Moves that several rules lead to are noted by table in ``_lost``, ``_wanted`` and ``_ended`` and done
once, for all tables, at the end of the step.
"""

from __future__ import annotations

from collections.abc import Sequence
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

LINE_SEAT = -1  # as a seat that draws: the Draw Line

Tables = NDArray[np.intp]
Bytes = NDArray[np.uint8]


class Public(NamedTuple):
    """Views into the field ``public``: what lies before each seat, by collection."""

    laid: Bytes  # (2, K, P, N) cards by kind
    families: Bytes  # (2, F, P, N) the same by family
    tops: Bytes  # (2, P, N) kind on top, K if none
    heights: Bytes  # (2, P, N) how many cards
    hand_sizes: Bytes  # (P, N)


class Piles(BatchGame):
    """State, and the moves of cards that all rules are made of."""

    cards: CardTable
    kinds: int  # K

    def _fields(self) -> Sequence[Field]:
        p, k, families = self.num_players, self.kinds, len(self.cards.families)
        amounts = self.cards.amount[self.cards.effect == OPPONENTS_DISCARD]
        return [
            Field("known", (p, p, k)),
            Field("line", (k,)),
            Field("discards", (k,)),
            Field("public", (2 * k + 2 * families + 2 + 2 + 1, p)),  # see Public
            Field("stacks", (2, p, FAMILY_SIZE * p // 2)),  # kinds in the collections, bottom first
            Field("deck", (FAMILY_SIZE * p,)),  # from the bottom; rows from deck_size on are scrap
            Field("deck_size"),
            Field("discard_size"),
            Field("line_size"),
            Field("emptyings"),
            Field("half_hands", (p,)),  # cards laid that score for cards in hand
            Field("points", (p,), np.int16),  # all other points so far
            Field("families", (families,)),  # in play
            Field("seats", (3,)),  # whose turn it is, who decides, who started
            Field("turns", (), np.uint16),  # finished
            Field("final_round"),
            Field("phase"),
            Field("effect"),  # code of what is being asked or carried out, 0 for plain moves
            Field("amount"),  # its amount
            Field("left"),  # folds still to take or to pay, cards still to discard
            Field("last"),  # 1 + kind of the last card of a rising sequence, 0 before the first
            Field("refusable"),  # "no" (or "stop") may be said
            # the kind that lies open beside hand and line, K if none: being played (pay, place),
            # shown or, though it is in hand, just taken (extra play)
            Field("apart"),
            Field("side"),  # the collection where the last card was laid
            Field("looked", (LOOKED,)),  # cards looked at, K if none
            # kinds chosen in secret, still in hand, K if none
            Field("chosen", (p, max(1, int(amounts.max(initial=0))))),
        ]

    def _bind(self) -> None:
        s, n, p, k = self.state, self.num_envs, self.num_players, self.kinds
        self._public = self._public_of(s)
        self._turn, self._actor, self._start_seat = s.seats
        seats = np.arange(p)
        step = (seats - seats[:, None]) % p
        # first cell of what observer o knows of the holder's hand: (o, h)
        self._known_first = (seats[:, None] * p + step) * k * n
        self._hand_first = self._known_first.diagonal().copy()
        self._row_first = np.arange(FAMILY_SIZE * p) * n  # first cell of a row of any array
        # places: 2 collections x seats; first cells in public.laid, public.families, stacks
        side, seat = np.divmod(np.arange(2 * p), p)
        self._laid_first = (side * k * p + seat) * n
        self._family_first = (side * len(self.cards.families) * p + seat) * n
        self._stack_first = np.arange(2 * p) * s.stacks.shape[2] * n
        self._kind_column = np.arange(k)[:, None]
        # noted for the end of the step
        self._lost = np.zeros(n, np.uint8)  # 1 + kind that the seat at turn loses before all
        self._wanted = np.zeros(n, np.uint8)  # cards to draw
        self._drawer = np.zeros(n, np.int8)  # by this seat, or LINE_SEAT
        self._ended = np.zeros(n, bool)  # the turn is over

    def _public_of(self, state: State) -> Public:
        k, families, n = self.kinds, len(self.cards.families), state.num_envs
        p, rows = self.num_players, state.public
        ends = np.cumsum([2 * k, 2 * families, 2, 2])
        laid, of_family, tops, heights, hand_sizes = np.split(rows, ends)
        return Public(
            laid.reshape(2, k, p, n),
            of_family.reshape(2, families, p, n),
            tops,
            heights,
            hand_sizes[0],
        )

    # ---------------------------------------------------------------- hands

    def _hand_size(self, t: Tables, seat: NDArray[Any]) -> Bytes:
        return self._public.hand_sizes.reshape(-1)[self._row_first[seat] + t]

    def _hand(self, t: Tables, seat: NDArray[Any]) -> Bytes:
        """(K, n) the hands of ``seat``."""
        cells = self._hand_first[seat] + t + self._kind_column * self.num_envs
        return self.state.known.reshape(-1).take(cells)

    def _gain(self, t: Tables, seat: NDArray[Any], kind: NDArray[np.intp]) -> None:
        """Everybody sees these cards come into the hands of ``seat``."""
        cells = self._known_first[:, seat] + (kind * self.num_envs + t)
        self.state.known.reshape(-1)[cells] += 1
        self._public.hand_sizes.reshape(-1)[self._row_first[seat] + t] += 1

    def _lose(self, t: Tables, seat: NDArray[Any], kind: NDArray[np.intp]) -> None:
        """Everybody sees these cards leave the hands of ``seat``."""
        known = self.state.known.reshape(-1)
        cells = self._known_first[:, seat] + (kind * self.num_envs + t)
        bound = known[cells]
        bound -= bound > 0
        known[cells] = bound
        self._public.hand_sizes.reshape(-1)[self._row_first[seat] + t] -= 1

    def _gain_unseen(self, t: Tables, seat: NDArray[Any], kind: NDArray[np.intp]) -> None:
        """Only ``seat`` knows which cards come into its hand."""
        cells = self._hand_first[seat] + (kind * self.num_envs + t)
        self.state.known.reshape(-1)[cells] += 1
        self._public.hand_sizes.reshape(-1)[self._row_first[seat] + t] += 1

    def _hand_over(
        self, t: Tables, giver: NDArray[Any], receiver: NDArray[Any], kind: NDArray[np.intp]
    ) -> None:
        """The loss of a card that only giver and receiver see; ``_receive`` is the gain."""
        known, n = self.state.known.reshape(-1), self.num_envs
        for observer in range(self.num_players):
            saw = (giver == observer) | (receiver == observer)
            first = self._known_first[observer, giver] + t
            cells = (first + kind * n)[saw]
            known[cells] -= known[cells] > 0
            # to others, whatever they knew of the hand may be what is gone
            cells = first[~saw] + self._kind_column * n
            known[cells] -= known[cells] > 0
        self._public.hand_sizes.reshape(-1)[self._row_first[giver] + t] -= 1

    def _receive(
        self, t: Tables, giver: NDArray[Any], receiver: NDArray[Any], kind: NDArray[np.intp]
    ) -> None:
        self._gain_unseen(t, receiver, kind)
        cells = self._known_first[giver, receiver] + (kind * self.num_envs + t)
        self.state.known.reshape(-1)[cells] += 1

    def _settle_losses(self) -> None:
        t = self._lost.nonzero()[0]
        if len(t):
            kind = self._lost[t].astype(np.intp) - 1
            self._lost[t] = 0
            self._lose(t, self._turn[t], kind)

    # ---------------------------------------------------------------- deck, discards, line

    def _discard(self, t: Tables, kind: NDArray[np.intp]) -> None:
        """Cards come to the discards; where from is the caller's affair."""
        self.state.discards.reshape(-1)[kind * self.num_envs + t] += 1
        self.state.discard_size[t] += 1

    def _refill(self, t: Tables) -> None:
        """Fill the Draw Line up, at the end of this step."""
        self._wanted[t] = LINE_SIZE - self.state.line_size[t]
        self._drawer[t] = LINE_SEAT

    def _draw_to_hand(self, t: Tables, count: Any) -> None:
        """The seat at turn draws cards, at the end of this step."""
        self._wanted[t] = count
        self._drawer[t] = self._turn[t]

    def _settle_draws(self) -> None:
        t = self._wanted.nonzero()[0]
        if len(t):
            count, seat = self._wanted[t], self._drawer[t]
            self._wanted[t] = 0
            self._draw_for(t, seat, count)

    def _draw_for(self, t: Tables, seat: NDArray[Any], count: Bytes) -> None:
        """Draw for hands, unseen, or for the line."""
        n, s = self.num_envs, self.state
        owner, kind = self._draw(t, count)
        cell = kind * n + t[owner]
        drawer = seat[owner]
        lined = drawer == LINE_SEAT
        one = np.uint8(1)
        np.add.at(s.line.reshape(-1), cell[lined], one)
        np.add.at(s.line_size, t[owner[lined]], one)
        held, drawer = ~lined, drawer[~lined]
        np.add.at(s.known.reshape(-1), self._hand_first[drawer] + cell[held], one)
        sizes = self._row_first[drawer] + t[owner[held]]
        np.add.at(self._public.hand_sizes.reshape(-1), sizes, one)

    def _draw(self, t: Tables, count: Bytes) -> tuple[Tables, NDArray[np.intp]]:
        """Take cards off the decks, as many as there are.

        Returns:
            For each card drawn the index into ``t`` and the kind, a table's cards in their order.
        """
        s = self.state
        short = (count >= s.deck_size[t]).nonzero()[0]
        if not len(short):
            return self._draw_off(t, count)
        # the deck runs out: draw what there is, shuffle the discards, go on
        count = count.copy()
        parts = []
        while len(short):
            table = t[short]
            dry = table[s.deck_size[table] == 0]
            self._reshuffle(dry)  # wanted from an empty deck: that does not count as an emptying
            now = np.zeros_like(count)
            now[short] = np.minimum(count[short], s.deck_size[table])
            count -= now
            parts.append(self._draw_off(t, now))
            emptied = table[(s.deck_size[table] == 0) & (now[short] > 0)]
            s.emptyings[emptied] += s.emptyings[emptied] < 255
            self._reshuffle(emptied)
            more = (count[short] > 0) & ((s.deck_size[table] | s.discard_size[table]) > 0)
            count[short[~more]] = 0
            short = short[more]
        parts.append(self._draw_off(t, count))
        owner, kind = (np.concatenate(part) for part in zip(*parts, strict=True))
        return owner, kind

    def _draw_off(self, t: Tables, count: Bytes) -> tuple[Tables, NDArray[np.intp]]:
        """``_draw`` from decks that hold enough."""
        s = self.state
        owner = np.arange(len(t)).repeat(count)
        size = s.deck_size[t]
        # the n-th card drawn in all is one row below the one before it, but for each new table
        top = np.cumsum(count, dtype=np.intp) - count + size
        row = top[owner] - np.arange(1, len(owner) + 1)
        s.deck_size[t] = size - count
        return owner, s.deck.reshape(-1)[row * self.num_envs + t[owner]].astype(np.intp)

    def _reshuffle(self, t: Tables) -> None:
        """Shuffle the discards into new decks; with nothing to shuffle nothing happens."""
        s = self.state
        t = t[s.discard_size[t] > 0]
        if not len(t):
            return
        size = s.discard_size[t]
        counts = s.discards.take(t, axis=1).T.ravel()
        which, kind = np.divmod(np.repeat(np.arange(counts.size), counts), self.kinds)
        row = np.arange(len(which)) - (np.cumsum(size, dtype=np.intp) - size)[which]
        table = t[which]
        words = bits(s.key[table], s.counter[table] + row.astype(np.uint64))
        order = np.lexsort((words, which))
        self._new_order(table, row, kind[order].astype(np.uint8))
        s.deck_size[t] = size
        s.counter[t] += size
        s.discards[:, t] = 0
        s.discard_size[t] = 0

    def _new_order(self, table: Tables, row: Tables, kind: Bytes) -> None:
        """Lay shuffled cards into decks; every table's rows in order from the bottom."""
        self.state.deck.reshape(-1)[row * self.num_envs + table] = kind
