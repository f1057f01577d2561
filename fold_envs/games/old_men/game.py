"""Old Men of the Forest (Martin Wallace, 2011): win cards to pay for orangutans. Rules: README.md.

A decision's number in the match ("turn") alone says what is decided: ten tricks a hand, each with
P plays and then claim, cash, claim, cash. So tables that started together stay in step for good;
which seat decides differs from table to table.

Where a won card lies, and who took an orangutan, is kept as the trick and the seat of that event:
what a seat has won and not cashed lies in front of it, everything else went with the orangutan
that it took next. Rules need no more than counts of these cards.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import BatchGame, Policy
from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rng import Streams
from fold_envs.engine.rows import running_sums
from fold_envs.engine.state import Field, State
from fold_envs.engine.tables import check_int
from fold_envs.games.old_men.deck import (
    APES,
    CARDS,
    DEFORESTATION,
    HAND,
    HOUSE_CARDS,
    RANKS,
    SUITS,
    ApeDeck,
    card_name,
)
from fold_envs.games.old_men.heuristic import Greedy
from fold_envs.games.old_men.observation import Observer, observation_layout
from fold_envs.games.old_men.snapshot import take_snapshot
from fold_envs.games.old_men.view import render_text

MAX_HANDS = 2
PLAY, CLAIM, CASH = range(3)  # phases, and the groups of tables; of these one more:
LAST_PLAY = 3
NOTHING, TRICK_ENDS, HAND_ENDS, MATCH_ENDS = range(4)

_ALL = np.uint8(255)
_CARD = np.arange(CARDS, dtype=np.uint8)
_SUIT, _RANK = np.divmod(_CARD, np.uint8(RANKS))
# What a seat shows in a trick when it has played a card: 1 + suit while the card can be claimed;
# strength, to which the leader adds 3, the next seat 2...; 1 + card.
_TRICK_ROWS = np.stack([1 + _SUIT, 4 * (1 + _RANK), 1 + _CARD])


class OldMen(BatchGame):
    """Batched Old Men of the Forest; README.md has rules and spaces.

    Args:
        num_envs: number of tables.
        hands: hands a match, 1 or 2.
        deforestation_penalty: what a deforestation card left over costs, 0 to 10.
        cards: a TOML file with another orangutan deck, of the shape of components.toml.
        options: those of ``BatchGame``.
    """

    name = "Old Men of the Forest"
    players = range(3, 5)
    default_players = 3
    phases = ("play", "claim", "cash")
    tie_breaks = ("orangutans",)
    score_scale = 40.0
    margin_scale = 40.0
    mask_is_all = True

    def __init__(
        self,
        num_envs: int = 1,
        *,
        hands: int = 2,
        deforestation_penalty: int = 2,
        cards: str | PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        self.hands = check_int(hands, 1, MAX_HANDS, "hands")
        self.deforestation_penalty = check_int(
            deforestation_penalty, 0, 10, "deforestation_penalty"
        )
        self.deck = deck = ApeDeck(HOUSE_CARDS if cards is None else cards)
        self.cards = None if cards is None else str(Path(cards).absolute())
        super().__init__(num_envs, **options)
        p = self.num_players
        # what a card left over costs, and so what an orangutan is worth to its buyer
        self._burden = np.ones(len(SUITS), np.int16)
        self._burden[DEFORESTATION] = self.deforestation_penalty
        self._gain = deck.value.astype(np.int16) + deck.cost.astype(np.int16) @ self._burden
        self._kind_or_none = np.append(np.uint8(255), deck.kind_of)  # of 1 + orangutan
        self._value_rank = np.searchsorted(deck.values, deck.value)
        # a key that compares lists of values as the rules do: one digit for each distinct value
        self._digit = np.cumprod([1, *(self.hands * deck.copies_by_value + 1)[:-1]])

        self._turns = self.hands * HAND * (p + 4)
        turns = np.arange(self._turns + 1)
        self._trick_at = (turns // (p + 4) % HAND).astype(np.uint8)  # of the hand
        self._step_at = (turns % (p + 4)).astype(np.uint8)  # of the trick
        self._phase_at = np.array([PLAY] * p + [CLAIM, CASH] * 2, np.uint8)[self._step_at]
        self._group_at = np.where(self._step_at == p - 1, np.uint8(LAST_PLAY), self._phase_at)
        # (3, turns + 1), by phase
        self._in_phase = np.uint8(255) * (self._phase_at == np.arange(3)[:, None])
        self._head_start = np.uint8(3) - np.minimum(self._step_at, 3)  # of the earlier play
        self._second_to_come = (self._step_at < p + 2).view(np.uint8)  # claim
        self._event_at = np.zeros(len(turns), np.uint8)
        self._event_at[p + 4 :: p + 4] = TRICK_ENDS
        self._event_at[HAND * (p + 4) :: HAND * (p + 4)] = HAND_ENDS
        self._event_at[-1] = MATCH_ENDS
        seats = np.arange(p, dtype=np.uint8)
        self._wrap = np.tile(seats, 2)  # modulo p, for sums of two seats
        self._seats, self._to_the_left = seats[:, None], seats[1:, None]
        self._piles = np.arange(len(SUITS) * p, dtype=np.uint8).reshape(-1, p, 1)  # suit * p + seat
        self._observer = Observer(self.layout, p, deck, self.hands, self._offset)

    @property
    def options(self) -> dict[str, Any]:
        """The constructor arguments that build this game."""
        names = ("hands", "deforestation_penalty", "cards")
        return super().options | {name: getattr(self, name) for name in names}

    @property
    def _offset(self) -> int:
        """The most points that a seat can lose in a hand, with ten cards won."""
        return HAND * max(1, self.deforestation_penalty)

    def _layouts(self) -> tuple[Layout, Layout]:
        p, deck = self.num_players, self.deck
        actions = Layout(
            Part("play", (len(SUITS), RANKS), doc="play this card: suits, ranks 1 to 10"),
            Part("claim", (p - 1,), doc="claim the card of the 1st, 2nd... seat to the left"),
            Part("cash", (deck.num_kinds,), doc="take an orangutan of this kind"),
            Part("pass", (), doc="take none"),
        )
        self._first_claim = actions["claim"].start
        self._first_cash = actions["cash"].start
        self._pass = actions["pass"].start
        self._actions_in = (  # by phase
            slice(0, self._first_claim),
            slice(self._first_claim, self._first_cash),
            slice(self._first_cash, actions.size),
        )
        return actions, observation_layout(p, deck, self.hands, self._offset)

    def _fields(self) -> list[Field]:
        p, deck = self.num_players, self.deck
        self._claimed = p + 2  # first code of a claimed card
        return [
            Field("turn"),  # decisions made so far
            Field("seat"),  # who must act
            Field("leader"),  # of this trick
            Field("claimer", (2,)),  # first and second, from the last play of a trick on
            # by card: 0..P-1 in that hand, P left out, P+1 played, P+2 + trick * P + seat claimed
            Field("card_at", (CARDS,)),
            # by seat: cards won and not cashed, by suit; orangutans taken in the match, by rising
            # value; and the three rows of the trick: see _TRICK_ROWS
            Field("public", (len(SUITS) + len(deck.values) + 3, p)),
            Field("order", (APES,)),  # the orangutan deck of this hand, first = top
            Field("drawn"),  # how many of them have been turned up
            Field("display", (p + 1,)),  # 1 + orangutan, 0 an empty slot
            Field("supply", (2, deck.num_kinds)),  # orangutans on display, in the deck
            Field("ape_at", (APES,)),  # 1 + trick * P + seat: taken in this hand
            Field("points", (2, p), np.int16),  # of this hand as if it ended now, of the one before
            # the hand to come
            Field("next_card_at", (self.hands - 1, CARDS)),
            Field("next_order", (self.hands - 1, APES)),
            Field("next_leader", (self.hands - 1,)),
        ]

    def _bind(self) -> None:
        public = self.state.public
        self._won, self._taken, self._trick = np.split(public, (len(SUITS), -3))
        self._table, self._strength, self._played = self._trick
        self._shown, self._unseen = self.state.supply
        self._points, self._past = self.state.points

    # ---------------------------------------------------------------- set-up

    def _deal(self, state: State, streams: Streams) -> None:
        self._begin_hand(state, *self._draw_hand(streams, state.num_envs))
        for number in range(self.hands - 1):
            card_at, order, leader = self._draw_hand(streams, state.num_envs)
            state.next_card_at[number] = card_at
            state.next_order[number] = order
            state.next_leader[number] = leader

    def _draw_hand(self, streams: Streams, n: int) -> tuple[NDArray[np.uint8], ...]:
        """Where each card is (50, n), the orangutan deck (16, n) and the first leader (n,)."""
        p = self.num_players
        places = np.minimum(np.arange(CARDS) // HAND, p).astype(np.uint8)
        card_at = streams.shuffle(np.repeat(places[:, None], n, axis=1))
        order = np.repeat(np.arange(APES, dtype=np.uint8)[:, None], n, axis=1)
        streams.shuffle(order)
        return card_at, order, streams.below(p).astype(np.uint8)

    def _begin_hand(
        self,
        state: State,
        card_at: NDArray[np.uint8],
        order: NDArray[np.uint8],
        leader: NDArray[np.uint8],
    ) -> None:
        self._put(state.card_at, card_at)
        self._put(state.order, order)
        self._put(state.leader, leader)
        self._put(state.seat, leader)
        self._put(state.public[: len(SUITS)], 0)
        for cleared in (state.drawn, state.display, state.ape_at, state.supply[0]):
            self._put(cleared, 0)
        self._put(state.supply[1], self.deck.copies[:, None])
        self._fill_display(state)

    def _fill_display(self, state: State) -> None:
        """Turn up an orangutan in every empty slot, lowest first, while the deck lasts."""
        empty = state.display == 0
        empty &= state.drawn < APES
        if self._on is not None:
            empty &= self._on
        cells = empty.reshape(-1).nonzero()[0]
        if not len(cells):
            return
        slots, tables = np.divmod(cells, state.num_envs)
        # the n-th empty slot takes the n-th card
        drawn, filled = state.drawn, running_sums(empty.view(np.uint8))
        place = drawn[tables] + filled[slots, tables] - np.uint8(1)
        drawn += np.minimum(filled[-1], np.uint8(APES) - drawn)
        there = place < APES
        if np.count_nonzero(there) < len(there):  # the deck ends in between
            slots, tables, place = slots[there], tables[there], place[there]
        ape = state.order[place, tables]
        state.display[slots, tables] = 1 + ape
        piles = np.multiply(self.deck.kind_of[ape], state.num_envs, dtype=np.intp) + tables
        shown, unseen = state.supply.reshape(2, -1)
        np.add.at(shown, piles, np.uint8(1))  # two of a kind may come to one table
        np.subtract.at(unseen, piles, np.uint8(1))

    # ---------------------------------------------------------------- turn by turn

    def _turn(self) -> int | NDArray[np.uint8]:
        """The turn that all tables are in, or the turn of each."""
        turn = self.state.turn
        if len(turn) == 1 or not np.count_nonzero(turn != turn[0]):
            return int(turn[0])
        return turn

    def _is(self, seat: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(P, N) 1 for ``seat`` (N,) of each table, else 0."""
        return (seat == self._seats).view(np.uint8)

    def _groups_of(self) -> np.uint8 | NDArray[np.uint8]:
        return self._group_at.take(self._turn())

    def _advance(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        super()._advance(actions, live)
        turn = self.state.turn
        turn += 1 if live is None else live.view(np.uint8)
        events = self._event_at.take(self._turn())
        if not np.count_nonzero(events):
            return
        for event in self._groups(events, live):
            if event != NOTHING:
                self._end_trick()
            if event == HAND_ENDS:
                self._next_hand()
            elif event == MATCH_ENDS:
                self._end_game()

    def _apply(self, group: int, actions: NDArray[np.intp]) -> None:
        if group in (PLAY, LAST_PLAY):
            self._play(actions, last=group == LAST_PLAY)
        elif group == CLAIM:
            self._claim(actions - self._first_claim)
        else:
            self._cash(actions - self._first_cash)
            self._put(self.state.seat, self.state.claimer[1])  # if a trick ends, see _end_trick

    def _play(self, card: NDArray[np.intp], last: bool) -> None:
        """A play of the trick; after the last one it is known who claims."""
        s, seat = self.state, self.state.seat
        self._set_row(s.card_at, card, self.num_players + 1)
        shows = _TRICK_ROWS.take(card, axis=1, mode="clip")
        shows[1] += self._head_start.take(self._turn())
        self._add(self._trick, shows[:, None] * self._is(seat))  # nothing there before
        if not last:
            self._put(seat, self._wrap.take(seat + 1))
            return
        # the two strongest claim: ranks decide, earlier plays among equal ranks
        strength = self._strength.copy()
        for claimer in s.claimer:
            strongest = strength == np.maximum.reduce(strength, axis=0)
            strength *= ~strongest
            self._put(claimer, _number_of(strongest))
        self._put(seat, s.claimer[0])

    def _claim(self, left: NDArray[np.intp]) -> None:
        """Claim the card of the seat ``left`` + 1 places to the left."""
        s, p, seat = self.state, self.num_players, self.state.seat
        owner = self._wrap.take(left.astype(np.uint8) % np.uint8(p) + seat + 1)
        card = self._row(self._played, owner) - np.uint8(1)
        suit = _SUIT.take(card, mode="clip")
        turn = self._turn()
        code = self._trick_at.take(turn) * np.uint8(p) + seat + self._claimed
        self._set_row(s.card_at, card, code)
        stays = (owner != self._seats).view(np.uint8)
        stays &= self._second_to_come.take(turn)
        self._put(self._table, self._table * stays)
        self._add(self._won, (suit * np.uint8(p) + seat == self._piles).view(np.uint8))
        self._add(
            self._points, self._burden.take(suit, mode="clip") * -self._is(seat).view(np.int8)
        )

    def _cash(self, kind: NDArray[np.intp]) -> None:
        """Take an orangutan of ``kind``, from the lowest slot; K is to pass.

        The cost goes to the discard and counts no more, all other cards won go under it for good.
        """
        s, deck = self.state, self.deck
        buying = kind < deck.num_kinds
        if self._on is not None:
            buying &= self._on
        tables = buying.nonzero()[0]
        if not len(tables):
            return
        kind, seat = kind[tables], s.seat[tables]
        apes = s.display[:, tables]
        slot = np.argmax((self._kind_or_none[apes] == kind), axis=0)
        ape = apes[slot, np.arange(len(tables))] - 1
        trick = self._trick_at[s.turn[tables]]
        s.ape_at[ape, tables] = trick * np.uint8(self.num_players) + seat + np.uint8(1)
        s.display[slot, tables] = 0
        self._shown[kind, tables] -= 1
        self._points[seat, tables] += self._gain[kind]
        self._won[:, seat, tables] = 0
        self._taken[self._value_rank[kind], seat, tables] += 1

    def _end_trick(self) -> None:
        """The first claimer leads next, and the display is filled again."""
        s = self.state
        self._put(s.leader, s.claimer[0])
        self._put(s.seat, s.claimer[0])
        self._put(self._trick, 0)
        self._fill_display(s)

    def _next_hand(self) -> None:
        s = self.state
        self._add(self._past, self._points)
        self._add(self._points, -self._points)
        self._begin_hand(s, s.next_card_at[0], s.next_order[0], s.next_leader[0])

    # ---------------------------------------------------------------- what is legal

    def _write_legal(self, legal: NDArray[np.uint8]) -> None:
        turn = self._turn()
        marks = self._mark_plays, self._mark_claims, self._mark_takes
        legal[...] = 0
        if isinstance(turn, int):
            phase = self._phase_at[turn]
            marks[phase](legal[self._actions_in[phase]], _ALL)
            return
        masks = self._in_phase.take(turn, axis=1)
        for mask, actions, mark in zip(masks, self._actions_in, marks, strict=True):
            if np.count_nonzero(mask):
                mark(legal[actions], mask)

    def _mark_plays(self, legal: NDArray[np.uint8], mask: NDArray[np.uint8]) -> None:
        whose = self.state.seat | ~mask  # no card is at 255
        np.equal(self.state.card_at, whose, out=legal.view(np.bool_))

    def _mark_claims(self, legal: NDArray[np.uint8], mask: NDArray[np.uint8]) -> None:
        owners = self._wrap.take(self.state.seat + self._to_the_left)  # (P - 1, N)
        at = np.multiply(owners, self.num_envs, dtype=np.intp) + self._lanes
        np.greater(self._table.reshape(-1).take(at), 0, out=legal.view(np.bool_))
        legal &= mask

    def _mark_takes(self, legal: NDArray[np.uint8], mask: NDArray[np.uint8]) -> None:
        takes, passes = legal[:-1], legal[-1]
        won = self._rows(self._won, self.state.seat)  # (5, N)
        paid = (won >= self.deck.cost[:, :, None]).view(np.uint8)  # (K, 5, N)
        np.bitwise_and.reduce(paid, axis=1, out=takes)
        takes &= (self._shown > 0).view(np.uint8)
        passes[...] = 1
        legal &= mask

    def _write_to_act(self, out: NDArray[np.uint8]) -> None:
        out[:] = self.state.seat

    def _write_phase(self, out: NDArray[np.uint8]) -> None:
        out[:] = self._phase_at[self.state.turn]

    # ---------------------------------------------------------------- seen, scored, told

    def _observe(self, seat: NDArray[np.uint8] | None, out: NDArray[np.uint8]) -> None:
        self._observer.write(self.state, self._turn(), seat, out)

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        np.add(self._past, self._points, out=out)

    def _tie_keys(self, tables: NDArray[np.intp]) -> list[NDArray[Any]]:
        taken = self._taken.take(tables, axis=2).astype(np.int32)
        return [np.tensordot(self._digit, taken, axes=1)]

    def census(self) -> NDArray[np.integer]:
        """(50 + 16, N) in how many places each player card and each orangutan is."""
        s = self.state
        apes = (s.ape_at > 0).astype(np.int64)
        for slot in s.display:
            tables = np.flatnonzero(slot)
            apes[slot[tables] - 1, tables] += 1
        for place, ape in enumerate(s.order):
            apes[ape, self._lanes] += place >= s.drawn
        return np.concatenate([(s.card_at < self._claimed + HAND * self.num_players), apes])

    def _snapshot(self, table: int) -> dict[str, Any]:
        options = {"hands": self.hands, "deforestation_penalty": self.deforestation_penalty}
        return options | take_snapshot(self.state.table(table), self.deck, self.hands)

    def _describe(self, action: int, table: int | None) -> str:
        s, p = self.state, self.num_players
        if action < self._first_claim:
            return f"play {card_name(action)}"
        if action < self._first_cash:
            left = action - self._first_claim + 1
            card = 0 if table is None else int(self._played[(s.seat[table] + left) % p, table])
            return f"claim {card_name(card - 1) if card else f'the card of seat +{left}'}"
        if action == self._pass:
            return "pass"
        kind = action - self._first_cash
        slots = [] if table is None else self._kind_or_none[s.display[:, table]].tolist()
        if kind in slots:
            return f"cash slot {slots.index(kind)}"
        return f"cash an orangutan worth {self.deck.name(kind)}"

    def render(self, table: int = 0) -> str:
        """One table as text, hidden cards included."""
        return render_text(self.snapshot(table))

    def heuristic(self) -> Policy:
        """The greedy player of heuristic.py."""
        player = Greedy(self.layout, self.deck, self._burden)
        return lambda observation, legal, stream, where: player(observation, legal)

    # ---------------------------------------------------------------- hidden things, redrawn

    def _resample(self, seats: NDArray[np.intp]) -> None:
        """Deal anew the cards that a seat has not seen, the orangutan deck and the hand to come."""
        s, streams = self.state, self.side_stream
        hidden = (s.card_at <= self.num_players) & (s.card_at != seats)
        _shuffle_among(s.card_at, hidden, streams)
        _shuffle_among(s.order, np.arange(APES)[:, None] >= s.drawn, streams)
        for number in range(self.hands - 1):
            hand = self._draw_hand(streams, self.num_envs)
            s.next_card_at[number], s.next_order[number], s.next_leader[number] = hand


def _shuffle_among(rows: NDArray[np.uint8], free: NDArray[np.bool_], streams: Streams) -> None:
    """Shuffle the entries of every column of ``rows`` (K, N) that are ``free``, in place."""
    chance = streams.words(len(rows)) >> np.uint64(8)
    old = np.argsort(~free, axis=0, kind="stable")  # the free ones first
    place = np.arange(len(rows), dtype=np.uint64)[:, None]
    new = np.lexsort((np.where(free, chance, place), ~free), axis=0)
    np.put_along_axis(rows, old, np.take_along_axis(rows, new, axis=0), axis=0)


def _number_of(flags: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """(N,) the row of the one flag set in each column of ``flags`` (K, N)."""
    number = np.zeros(flags.shape[1:], np.uint8)
    for row, flag in enumerate(flags.view(np.uint8)[1:], start=1):
        number += flag * np.uint8(row)
    return number
