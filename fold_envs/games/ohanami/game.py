"""Ohanami (Steffen Benndorf, 2019): draft cards and grow three gardens. Rules: README.md.

The seats are numbered from the start seat on ("places"; place 0 starts), and a decision's place in
the game ("turn") alone says which place chooses, and what. So tables that started together stay in
the same group for the whole game.

Cards are their numbers 1..120, 0 is none. A garden that holds no card has high = 0 and
below = 120 (the numbers free beneath its lowest card), which the formulas need no exception for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import BatchGame, Policy
from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rng import Streams
from fold_envs.engine.rows import pick, sort_rows
from fold_envs.engine.state import Field, State
from fold_envs.games.ohanami.heuristic import greedy
from fold_envs.games.ohanami.observation import Observer, observation_layout
from fold_envs.games.ohanami.view import render_text

CARDS = 120
HAND = 10
ROUNDS, PICKS = 3, 5
GARDENS = 3
COLOURS = ("blue", "green", "grey", "pink")
POINTS = (3, 4, 7)  # blue from round 1 on, green from round 2 on, grey in round 3
PINK_CAP = 120  # n (n + 1) / 2 for n pink cards, 120 from 15 cards on

KEEP_FIRST, KEEP_SECOND, PLACE_FIRST, PLACE_SECOND = range(4)
FIRST_PLACING = HAND  # actions: HAND slots to keep, then (card 0, card 1) x (gardens, discard)


def colour_of(number: int) -> int:
    """Index into COLOURS of card ``number``."""
    if number % 7 == 0:
        return 2
    if number % 3 == 0:
        return 1
    return 0 if number % 2 == 0 else 3


# 1 + colour by card number, 0 for "no card"
COLOUR_CODE = np.array([0] + [1 + colour_of(n) for n in range(1, CARDS + 1)], np.uint8)
PINK_SCORE = np.array([min(n * (n + 1) // 2, PINK_CAP) for n in range(CARDS + 1)], np.int16)

# columns to compare with
_HAND_GAPS = np.arange(HAND - 1)[:, None]
_PAIR = np.arange(2, dtype=np.uint8)[:, None]
_GARDENS = np.arange(GARDENS, dtype=np.uint8)[:, None]
_COLOURS_OR_NONE = np.array([1, 2, 3, 4, 0], np.uint8)[:, None]
_SEEN_NOT_MAYBE = np.array([1, 0], np.uint8)[:, None, None]


class Ohanami(BatchGame):
    """Batched Ohanami; see ``BatchGame`` for the contract and README.md for rules and spaces."""

    name = "Ohanami"
    players = range(2, 5)
    default_players = 2
    phases = ("keep_first", "keep_second", "place_first", "place_second")
    tie_breaks = ("pink cards",)
    score_scale = 200.0
    margin_scale = 100.0
    mask_is_all = True

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        super().__init__(num_envs, **options)
        p = self.num_players
        self._turns = ROUNDS * PICKS * 4 * p
        turns = np.arange(self._turns + 1)
        pick_number, within = np.divmod(turns, 4 * p)
        keeping = within < 2 * p
        order = np.where(keeping, within // 2, p - 1 + (within - 2 * p) // 2)
        self._place_at = ((pick_number + order) % p).astype(np.uint8)
        self._phase_at = (2 * ~keeping + within % 2).astype(np.uint8)
        self._group_at = self._place_at * 4 + self._phase_at
        # what happens before this turn: 0 nothing, 1 pass left, 2 pass right, 3 the round ends
        round_number = (pick_number - 1) // PICKS
        passing = np.where(round_number == 1, 2, 1)
        ends = np.where(pick_number % PICKS == 0, 3 + round_number, passing)
        self._event_at = np.where((within == 0) & (turns > 0), ends, 0).astype(np.uint8)
        self._wrap = np.tile(np.arange(p, dtype=np.uint8), 2)  # modulo p, for sums of two seats
        self._observer = Observer(self.layout, p, self._place_at, self._phase_at)

    def _layouts(self) -> tuple[Layout, Layout]:
        actions = Layout(
            Part("keep", (HAND,), doc="keep the card in this slot of the hand"),
            Part(
                "place",
                (2, GARDENS + 1),
                doc="lay the first / second kept card in garden 1, 2, 3 or discard it",
            ),
        )
        return actions, observation_layout(self.num_players)

    def _fields(self) -> list[Field]:
        p = self.num_players
        return [
            Field("turn"),  # decisions made so far
            Field("start"),  # the seat of place 0
            Field("deck", (ROUNDS, p, HAND)),  # every hand of the game, sorted
            Field("rest", (CARDS - ROUNDS * p * HAND,)),  # never dealt
            # by place: number and colour code of the hand (0-9, sorted) and the kept cards (10, 11)
            Field("cards", (p, 2, HAND + 2)),
            # for each place: room below and top of each garden, cards of each colour in the
            # gardens, cards discarded, scores of the first two rounds
            Field("public", (2 * GARDENS + 4 + 1 + 2, p)),
            # memory[0]: this place has seen the card; memory[1]: n if the card may be in the hand
            # n seats on, as far as this place knows, else 0; row 0 is scrap
            Field("memory", (2, p, CARDS + 1)),
            Field("home", (CARDS + 1,)),  # 1 + 4 * place + garden (3: discarded); row 0 is scrap
            Field("total", (p,), np.int16),  # score so far
        ]

    def _bind(self) -> None:
        public = self.state.public
        self._below, self._high = public[:3], public[3:6]
        self._tallies = public[6:11]  # by colour, and discards
        self._round_scores = public[11:]
        self._seen, self._maybe = self.state.memory

    # ---------------------------------------------------------------- set-up

    def _deal(self, state: State, streams: Streams) -> None:
        p, n = self.num_players, state.num_envs
        state.start[:] = streams.below(p)
        pool = np.repeat(np.arange(1, CARDS + 1, dtype=np.uint8)[:, None], n, axis=1)
        dealt = ROUNDS * p * HAND
        streams.shuffle(pool, dealt)
        hands = pool[:dealt].reshape(ROUNDS * p, HAND, n)
        state.deck[:] = sort_rows(hands.swapaxes(0, 1)).swapaxes(0, 1).reshape(ROUNDS, p, HAND, n)
        state.rest[:] = pool[dealt:]
        state.cards[:, 0, :HAND] = state.deck[0]
        state.cards[:, 1] = COLOUR_CODE[state.cards[:, 0]]
        state.public[:GARDENS] = CARDS
        places = np.arange(p)[:, None, None]
        state.memory[0, places, state.deck[0], np.arange(n)] = 1

    # ---------------------------------------------------------------- turn by turn

    def _turn(self) -> int | NDArray[np.uint8]:
        """The turn that all tables are in, or the turn of each."""
        turn = self.state.turn
        if len(turn) == 1 or not np.count_nonzero(turn != turn[0]):
            return int(turn[0])
        return turn

    def _groups_of(self) -> np.uint8 | NDArray[np.uint8]:
        return self._group_at[self._turn()]

    def _advance(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        super()._advance(actions, live)
        turn = self.state.turn
        turn += 1 if live is None else live.view(np.uint8)
        for event in self._groups(self._event_at[self._turn()], live):
            if event >= 3:
                self._end_round(event - 3)
            elif event:
                self._pass_hands(1 if event == 1 else -1)

    def _apply(self, group: int, actions: NDArray[np.intp]) -> None:
        place, phase = divmod(group, 4)
        if phase in (KEEP_FIRST, KEEP_SECOND):
            self._keep(place, phase, actions)
        else:
            self._place_card(place, actions - FIRST_PLACING)

    def _keep(self, place: int, phase: int, slot: NDArray[np.intp]) -> None:
        cards = self.state.cards[place]  # numbers and colours, (2, 12, N)
        self._put(cards[:, HAND + phase], self._rows(cards, slot))
        # close the gap, so that a hand passed on does not tell where cards were taken
        shift = np.negative((_HAND_GAPS >= slot).view(np.uint8))
        if self._mask is not None:
            shift &= self._mask
        hand = cards[:, :HAND]
        change = hand[:, :-1] ^ hand[:, 1:]
        change &= shift
        hand[:, :-1] ^= change
        self._put(hand[:, -1], 0)

    def _place_card(self, place: int, choice: NDArray[np.intp]) -> None:
        s = self.state
        choice = choice.astype(np.uint8)
        which, garden = choice >> 2, choice & 3
        kept = s.cards[place, :, HAND:]  # numbers and colours, (2, 2, N)
        taken = np.negative((which == _PAIR).view(np.uint8))
        chosen = kept & taken
        number, colour = chosen[:, 0] | chosen[:, 1]
        target = np.negative((garden == _GARDENS).view(np.uint8))
        placed = (garden < GARDENS).view(np.uint8)
        if self._mask is not None:
            taken &= self._mask
            target &= self._mask
        kept &= ~taken
        # outside the chosen garden: minimum with 255 and maximum with 0 change nothing
        below, high = self._below[:, place], self._high[:, place]
        np.minimum(below, (number - 1) | ~target, out=below)
        np.maximum(high, number & target, out=high)
        self._add(self._tallies[:, place], (colour * placed == _COLOURS_OR_NONE).view(np.uint8))
        self._set_row(s.home, number, garden + np.uint8(1 + 4 * place))
        # everybody sees a card laid in a garden, and that it is in nobody's hand
        self._set_rows(s.memory, number * placed, _SEEN_NOT_MAYBE)

    def _pass_hands(self, step: int) -> None:
        """Every hand goes ``step`` seats on; note what each place knows of it."""
        s = self.state
        hands = s.cards[:, :, :HAND]
        passed = hands[:, 0].copy()
        maybe = self._maybe
        if self.num_players == 2:
            self._put(maybe, 0)
        else:
            self._add(maybe, (maybe > 0).view(np.uint8))
            self._put(maybe, maybe * (maybe < self.num_players))
        self._put(hands, np.roll(hands, step, axis=0))
        self._mark(maybe, passed)
        self._mark(self._seen, hands[:, 0])

    def _mark(self, planes: NDArray[np.uint8], cards: NDArray[np.uint8]) -> None:
        """Set ``planes[place, card]`` to 1 for all ``cards`` (P, HAND, N); 0 lands on scrap."""
        p, n = self.num_players, self.num_envs
        index = cards.astype(np.intp)
        index += (np.arange(p) * (CARDS + 1))[:, None, None]
        index *= n
        index += self._lanes
        if self._on is not None:
            index = index[..., self._on]
        planes.reshape(-1)[index] = 1

    def _end_round(self, number: int) -> None:
        s = self.state
        gained = self._round_score(number)
        self._add(s.total, gained)
        if number == ROUNDS - 1:
            self._end_game()
            return
        self._put(self._round_scores[number], gained.astype(np.uint8))
        self._put(self._maybe, 0)
        hands = s.deck[number + 1]
        self._put(s.cards[:, 0, :HAND], hands)
        self._put(s.cards[:, 1, :HAND], COLOUR_CODE[hands])
        self._mark(self._seen, hands)

    def _round_score(self, number: int) -> NDArray[np.int16]:
        counts = self._tallies.astype(np.int16)
        gained = counts[0] * POINTS[0]
        for colour in range(1, number + 1):
            gained += counts[colour] * POINTS[colour]
        if number == ROUNDS - 1:
            gained += PINK_SCORE[counts[3]]
        return gained

    # ---------------------------------------------------------------- what is legal

    def _mark_legal(self, group: int, legal: NDArray[np.uint8]) -> None:
        place, phase = divmod(group, 4)
        cards = self.state.cards[place, 0]
        hand = cards[:HAND]
        if phase == KEEP_FIRST:  # the highest card cannot be the lower of a pair
            self._put(legal[: HAND - 1], hand[1:] > 0)
        elif phase == KEEP_SECOND:
            self._put(legal[:HAND], hand > cards[HAND])
        else:
            below, high = self._below[:, place], self._high[:, place]
            number = cards[HAND:, None]
            fits = number > high
            fits |= number - 1 < below
            fits[:, 1:] &= high[:-1] > 0  # of the empty gardens only the first
            choices = legal[FIRST_PLACING:].reshape(2, GARDENS + 1, -1)
            self._put(choices[:, :GARDENS], fits)
            self._put(choices[:, GARDENS], number[:, 0] > 0)

    def _write_to_act(self, out: NDArray[np.uint8]) -> None:
        np.add(self.state.start, self._place_at[self._turn()], out=out)
        out[...] = self._wrap[out]

    def _write_phase(self, out: NDArray[np.uint8]) -> None:
        out[:] = self._phase_at[self.state.turn]

    # ---------------------------------------------------------------- seen, scored, told

    def _observe(self, seat: NDArray[np.uint8] | None, out: NDArray[np.uint8]) -> None:
        place = None if seat is None else self._places_of(seat)
        self._observer.write(self.state, self._turn(), place, out)

    def _places_of(self, seat: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return self._wrap[seat + self.num_players - self.state.start]

    def _by_seat(self, by_place: NDArray[Any]) -> NDArray[Any]:
        """(P, N) values by place, turned to absolute seats."""
        places = (np.arange(self.num_players)[:, None] - self.state.start) % self.num_players
        return np.take_along_axis(by_place, places.astype(np.intp), axis=0)

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        out[:] = self._by_seat(self.state.total)

    def _tie_keys(self, tables: NDArray[np.intp]) -> list[NDArray[Any]]:
        return [self._by_seat(self._tallies[3])[:, tables]]

    def census(self) -> NDArray[np.integer]:
        """(120, N) in how many places card 1..120 is."""
        s = self.state
        found = np.zeros((CARDS + 1, self.num_envs), np.int64)
        found[1:] += s.home[1:] > 0
        for cards in s.cards[:, 0]:
            for row in cards:
                found[row, self._lanes] += 1
        round_number = self._round_numbers()
        for number in range(ROUNDS):
            coming = (round_number < number).astype(np.int64)
            for row in s.deck[number].reshape(-1, self.num_envs):
                found[row, self._lanes] += coming
        for row in s.rest:
            found[row, self._lanes] += 1
        return found[1:]

    def _round_numbers(self) -> NDArray[np.intp]:
        return np.minimum(self.state.turn // (self._turns // ROUNDS), ROUNDS - 1).astype(np.intp)

    def _snapshot(self, table: int) -> dict[str, Any]:
        s, p = self.state, self.num_players
        start, turn = int(s.start[table]), int(s.turn[table])
        seats = [(seat - start) % p for seat in range(p)]  # the place of each seat
        home = s.home[:, table]

        def cards(rows: NDArray[np.uint8]) -> list[int]:
            return [int(n) for n in rows[..., table].ravel() if n]

        def laid(place: int, garden: int) -> list[int]:
            return [int(n) for n in np.flatnonzero(home[1:] == 1 + 4 * place + garden) + 1]

        number = int(self._round_numbers()[table])
        pick_number = min(turn // (4 * p), ROUNDS * PICKS - 1)
        return {
            "start": start,
            "turn": turn,
            "round": number + 1,
            "pick": pick_number % PICKS + 1,
            "hands": [cards(s.cards[place, 0, :HAND]) for place in seats],
            "kept": [cards(s.cards[place, 0, HAND:]) for place in seats],
            "gardens": [[laid(place, g) for g in range(GARDENS)] for place in seats],
            "discards": [laid(place, GARDENS) for place in seats],
            "round_scores": [
                [int(x) for x in self._round_scores[:number, place, table]] for place in seats
            ],
            "coming_hands": [
                [cards(s.deck[r, place]) for place in seats] for r in range(number + 1, ROUNDS)
            ],
            "undealt": sorted(cards(s.rest)),
        }

    def _describe(self, action: int, table: int | None) -> str:
        place = None
        if table is not None:
            place = int(self._place_at[self.state.turn[table]])
        if action < FIRST_PLACING:
            number = 0 if place is None else int(self.state.cards[place, 0, action, table])
            return f"keep {number or f'the card in slot {action + 1}'}"
        which, garden = divmod(action - FIRST_PLACING, GARDENS + 1)
        number = 0 if place is None else int(self.state.cards[place, 0, HAND + which, table])
        card = number or f"the {('first', 'second')[which]} kept card"
        return f"discard {card}" if garden == GARDENS else f"place {card} in garden {garden + 1}"

    def render(self, table: int = 0) -> str:
        """One table as text, hidden cards included."""
        return render_text(self.snapshot(table))

    def heuristic(self) -> Policy:
        """The greedy player of heuristic.py."""
        return lambda observation, legal, stream, where: greedy(self.layout, observation, legal)

    # ---------------------------------------------------------------- hidden things, redrawn

    def _resample(self, seats: NDArray[np.intp]) -> None:
        """Rename the cards that a seat cannot tell apart: those it never saw, and those that may
        be in the same hand that it passed on. What it knows stays as it is.
        """
        s, p, lanes = self.state, self.num_players, self._lanes
        place = self._places_of(seats.astype(np.uint8))
        seen, maybe = pick(self._seen, place), pick(self._maybe, place)
        alike = np.where(seen == 0, 1, np.where(maybe > 0, 1 + maybe, 0))[1:]
        words = self.side_stream.words(CARDS) >> np.uint64(8)
        by_number = np.argsort(alike, axis=0, kind="stable")
        by_chance = np.lexsort((words, alike), axis=0)
        fixed = np.arange(CARDS)[:, None]
        rename = np.zeros((CARDS + 1, self.num_envs), np.uint8)
        np.put_along_axis(rename[1:], by_number, (by_chance + 1).astype(np.uint8), axis=0)
        rename[1:] = np.where(alike == 0, fixed + 1, rename[1:])

        def renamed(cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
            flat = cards.reshape(-1, self.num_envs)
            return np.take_along_axis(rename, flat.astype(np.intp), axis=0).reshape(cards.shape)

        numbers = renamed(s.cards[:, 0])
        hands = numbers[:, :HAND] - 1  # no card becomes 255 and sorts last
        numbers[:, :HAND] = sort_rows(hands.swapaxes(0, 1)).swapaxes(0, 1) + 1
        kept = numbers[:, HAND:]
        pair = kept.all(axis=1, keepdims=True)
        kept[:] = np.where(pair, np.sort(kept, axis=1), kept)
        # a first kept card must not be the highest: give it back for the lowest
        top = numbers[:, :HAND].max(axis=1)
        half = (self._phase_at[s.turn] == KEEP_SECOND) & (
            self._place_at[s.turn] == np.arange(p)[:, None]
        )
        stuck: NDArray[np.bool_] = half & (kept[:, 0] > top) & (top > 0)
        for number in range(p):
            swap, hand = stuck[number], numbers[number, :HAND]
            lowest = hand[0].copy()
            count = (hand > 0).sum(axis=0)
            shifted = np.roll(hand, -1, axis=0)
            shifted[-1] = 0  # at most nine cards are left
            shifted[np.maximum(count - 1, 0), lanes] = kept[number, 0]
            hand[:] = np.where(swap, shifted, hand)
            kept[number, 0] = np.where(swap, lowest, kept[number, 0])
        s.cards[:, 0] = numbers
        s.cards[:, 1] = COLOUR_CODE[numbers]
        s.deck[:] = renamed(s.deck)
        sort_rows(np.moveaxis(s.deck, 2, 0))
        s.rest[:] = renamed(s.rest)
        back = np.argsort(rename, axis=0)
        s.home[:] = np.take_along_axis(s.home, back, axis=0)
        others = np.arange(p)[:, None, None] != place
        for planes in s.memory:
            moved = np.stack([np.take_along_axis(plane, back, axis=0) for plane in planes])
            planes[:] = np.where(others, moved, planes)
