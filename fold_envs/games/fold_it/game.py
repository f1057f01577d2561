"""Fold-it (Happy Baobab, 2016): fold a cloth until just the ordered dishes lie on top.

Rules: README.md.

Everybody plays at once: in a tick each seat that is in and holds no token chooses one action. The
choices are taken seat by seat and only stored; with the last one the tick is carried out for all.
Sets of seats are bits (bit p for seat p), sets of cells are two bytes (cells 0-7 and 8-15).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import BatchGame, Policy
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.layout import Layout
from fold_envs.engine.rng import Streams, bits, scale
from fold_envs.engine.state import Field, State
from fold_envs.engine.tables import check_choice, check_int
from fold_envs.games.fold_it.actions import (
    GRAB,
    LAY_FLAT,
    TURN_OVER,
    UNDO,
    WORDS,
    action_layout,
    write_legal,
)
from fold_envs.games.fold_it.board import (
    ASKED,
    FOLD_BITS,
    HELD,
    LEFT_OVER,
    LOOK,
    MOST_FOLDED,
    OLDEST_FIRST,
    ROUND,
    SEATED,
    STARS,
    STEP,
    TICK,
    fields,
)
from fold_envs.games.fold_it.cloth import (
    COLUMN_BITS,
    COLUMNS,
    FIRST_FOLD,
    FLAT,
    FOLDS,
    cloths,
    mirrored_folds,
)
from fold_envs.games.fold_it.heuristic import Solver, check_speed
from fold_envs.games.fold_it.hidden import redraw_cloths
from fold_envs.games.fold_it.observation import Observer, observation_layout
from fold_envs.games.fold_it.orders import (
    DECKS,
    HOUSE_CARDS,
    MOST_DISHES,
    MOST_FOLDS,
    Components,
    OrderTable,
    random_orders,
)
from fold_envs.games.fold_it.view import render_text

Index = NDArray[np.intp]

FIRST_STARS = 3
# what an act (1 + action) does to a path: its folds move left or right, and one comes in
LEFT, RIGHT, CODE = np.zeros((3, COLUMNS), np.uint32)
LEFT[FIRST_FOLD : FIRST_FOLD + FOLDS] = STEP
RIGHT[1 + UNDO] = STEP
RIGHT[1 + LAY_FLAT] = STEP * MOST_FOLDED
CODE[FIRST_FOLD : FIRST_FOLD + FOLDS] = 1 + np.arange(FOLDS)
MIRRORED = mirrored_folds()

CARD_DRAWS = np.uint64(1 << 63)  # cards are drawn with counters from here on, tokens from 0 on

SEATS = 4
COUNT = np.array([bin(m).count("1") for m in range(1 << SEATS)], np.uint8)  # seats in a set
FIRST = np.array([max((m & -m).bit_length() - 1, 0) for m in range(1 << SEATS)], np.uint8)
# (seats that grab, tokens left, draw) -> who gets one; and how many draws there are
LUCKY = np.zeros((1 << SEATS, SEATS, 6), np.uint8)
LUCKY_DRAWS = np.ones((1 << SEATS, SEATS), np.uint8)
for _set in range(1 << SEATS):
    _seats = [p for p in range(SEATS) if _set >> p & 1]
    for _left in range(min(SEATS, len(_seats) + 1)):
        for _draw, _who in enumerate(combinations(_seats, _left)):
            LUCKY[_set, _left, _draw] = sum(1 << p for p in _who)
            LUCKY_DRAWS[_set, _left] = _draw + 1


class FoldIt(BatchGame):
    """Batched Fold-it; see ``BatchGame`` for the contract and README.md for rules and spaces.

    Args:
        num_envs: number of tables.
        deck: "standard", "advanced" or "mixed" cards.
        orders: "deck", or "random": any set of dishes that can be folded, drawn anew each round.
        dishes: (low, high) number of dishes of random orders.
        folds: (low, high) fewest folds of random orders.
        wrong_claim: "both": wrong claimers and whoever has no token lose a star; "instead": if a
            claim is wrong, only wrong claimers do.
        max_ticks: a round ends after so many ticks.
        orders_per_game: orders of a puzzle (one player).
        cards: a TOML file of the shape of components.toml.
        **options: as of ``BatchGame``.
    """

    name = "Fold-it"
    players = range(1, SEATS + 1)
    default_players = 2
    phases = ("tick",)
    tie_breaks = ("in the game until the last round", "no wrong claim in it")
    score_scale = float(FIRST_STARS)
    margin_scale = float(FIRST_STARS)

    def __init__(
        self,
        num_envs: int = 1,
        *,
        deck: str = "standard",
        orders: str = "deck",
        dishes: Sequence[int] = (1, MOST_DISHES),
        folds: Sequence[int] = (2, MOST_FOLDS),
        wrong_claim: str = "both",
        max_ticks: int = 40,
        orders_per_game: int = 10,
        cards: str | PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        self.deck = check_choice(deck, DECKS, "deck")
        self.orders = check_choice(orders, ("deck", "random"), "orders")
        self.dishes = _check_range(dishes, 1, MOST_DISHES, "dishes")
        self.folds = _check_range(folds, 2, MOST_FOLDS, "folds")
        self.wrong_claim = check_choice(wrong_claim, ("both", "instead"), "wrong_claim")
        self.max_ticks = check_int(max_ticks, 1, 250, "max_ticks")
        self.orders_per_game = check_int(orders_per_game, 1, 250, "orders_per_game")
        self.cards = cards
        self.components = Components(HOUSE_CARDS if cards is None else cards)
        if self.orders == "deck":
            known = self.components.deck(self.deck)
        else:
            known = random_orders(self.dishes, self.folds)
            if not known:
                raise InvalidOptionError(
                    f"dishes={self.dishes}, folds={self.folds}: there is no such order"
                )
        self.order_table = OrderTable(known)
        self._num_cards = len(known) if self.orders == "deck" else 0
        self._cloths = cloths()
        self._next = self._cloths.next.reshape(-1)
        self._look_of = self._cloths.look
        self._tokens_for = np.maximum(COUNT, 2) - 1  # by seats in: one fewer; one for one player
        super().__init__(num_envs, **options)
        self._observer = Observer(self.layout, self.num_players, self._cloths)

    @property
    def options(self) -> dict[str, Any]:
        """The constructor arguments that build this game."""
        names = "deck orders dishes folds wrong_claim max_ticks orders_per_game cards".split()
        return super().options | {name: getattr(self, name) for name in names}

    def _layouts(self) -> tuple[Layout, Layout]:
        p, cards = self.num_players, self._num_cards
        rounds = self.orders_per_game if p == 1 else FIRST_STARS * p - 1
        return action_layout(), observation_layout(p, self.max_ticks, rounds, cards)

    def _fields(self) -> list[Field]:
        return fields(self.num_players, self._num_cards, self.orders_per_game)

    def _bind(self) -> None:
        s = self.state
        self._asked, self._seated, self._held = s.common[:LEFT_OVER]
        self._left, self._ticks, self._rounds = s.common[LEFT_OVER:]
        self._look, self._stars = s.public[LOOK], s.public[STARS]
        self._turned, self._moves, self._choice = s.private

    # ---------------------------------------------------------------- set-up

    def _deal(self, state: State, streams: Streams) -> None:
        state.public[STARS] = FIRST_STARS
        state.common[SEATED] = (1 << self.num_players) - 1
        if self.orders == "deck":
            state.deck[:] = np.arange(len(state.deck))[:, None]
        self._start_round(state, np.arange(state.num_envs))

    def _start_round(self, state: State, tables: Index) -> None:
        """Lay all cloths flat, put the tokens in the middle and turn a card up."""
        state.cloth[:, tables] = FLAT
        state.path[:, tables] = 0
        state.private[..., tables] = 0
        state.public[LOOK, :, tables] = self._look_of[:, FLAT, None, None]
        common = state.common[:, tables]
        common[ASKED] = common[SEATED]
        common[HELD] = 0
        common[LEFT_OVER] = self._tokens_for.take(common[SEATED])
        common[TICK] = 1
        card = self._turn_up(state, tables, common[ROUND].astype(np.intp))
        common[ROUND] += 1
        state.common[:, tables] = common
        state.card[tables] = card
        state.order[:, tables] = self.order_table.rows.take(card, axis=1)

    def _turn_up(self, state: State, tables: Index, drawn: Index) -> Index:
        """Draw a card when ``drawn`` were drawn before. The deck is shuffled by and by: each card
        swaps places with a random one of those not used yet; when all are used, they begin anew.
        """
        words = bits(_keys(state, tables), CARD_DRAWS + drawn.astype(np.uint64))
        cards = len(self.order_table.orders)
        if self.orders == "random":
            return scale(words, cards).astype(np.intp)
        place = drawn % cards
        other = place + scale(words, cards - place).astype(np.intp)
        deck, n = state.deck.reshape(-1), state.num_envs
        here, there = place * n + tables, other * n + tables
        card = deck.take(there)
        deck[there] = deck.take(here)
        deck[here] = card
        anew = tables[place == 0]
        if len(anew):
            state.used[:, anew] = 0
        state.used[card, tables] = 1
        return card.astype(np.intp)

    # ---------------------------------------------------------------- a tick

    def _groups_of(self) -> np.uint8:
        return np.uint8(0)

    def _apply(self, group: int, actions: NDArray[np.intp]) -> None:
        """Store the choice; nobody sees it before the tick is carried out."""
        self._set_row(self._choice, self._asked_seat(), actions + 1)
        self._put(self._asked, self._asked & (self._asked - np.uint8(1)))

    def _advance(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        super()._advance(actions, live)
        ticking = self._asked == 0
        if live is not None:
            ticking &= live
        if ticking.any():
            self._tick(ticking)

    def _tick(self, ticking: NDArray[np.bool_]) -> None:
        """Carry out what the seats of the ``ticking`` tables chose."""
        acts = self._choice & np.negative(ticking.view(np.uint8))  # 1 + action, 0: none
        self._choice ^= acts
        self._work_cloths(acts)
        self._hand_out_tokens(acts)
        ended = self._left == 0
        ended |= self._ticks == self.max_ticks
        ended &= ticking
        going_on = (ticking ^ ended).view(np.uint8)
        self._ticks += going_on
        self._asked |= (self._seated ^ self._held) & np.negative(going_on)
        tables = np.flatnonzero(ended)
        if len(tables):
            self._end_round(tables)

    def _work_cloths(self, acts: NDArray[np.uint8]) -> None:
        """Fold, undo, lay flat, turn over."""
        working = acts - np.uint8(1) <= TURN_OVER  # 0, for no act, wraps to 255
        self._moves += working
        pairs = np.flatnonzero(working)  # seat * N + table
        act = acts.reshape(-1).take(pairs).astype(np.intp)
        cloth, paths = self.state.cloth.reshape(-1), self.state.path.reshape(-1)
        state = np.left_shift(cloth.take(pairs), COLUMN_BITS, dtype=np.intp)
        state += act
        after = self._next.take(state).astype(np.intp)

        turned = self._turned.reshape(-1).take(pairs)
        fold = CODE.take(act)
        mirrored = np.flatnonzero(turned * fold)
        if len(mirrored):
            columns = self._look[3].reshape(-1).take(pairs[mirrored])
            fold[mirrored] = MIRRORED[columns, fold[mirrored]]
        path = paths.take(pairs)
        path <<= LEFT.take(act)
        path >>= RIGHT.take(act)
        path |= fold
        undone = np.flatnonzero(act == 1 + UNDO)
        if len(undone):
            after[undone] = self._fold_up(path.take(undone), turned.take(undone))
        cloth[pairs] = after
        paths[pairs] = path
        self._turned ^= acts == 1 + TURN_OVER
        self._turned &= acts != 1 + LAY_FLAT
        for seen, look in zip(self._look, self._look_of, strict=True):
            seen.reshape(-1)[pairs] = look.take(after)

    def _fold_up(self, path: NDArray[np.uint32], turned: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """(M,) the cloths that the folds of ``path`` make of a flat one, then ``turned`` over."""
        first, *others = (path >> OLDEST_FIRST & FOLD_BITS).astype(np.intp)  # 0 changes nothing
        cloth = self._next.take(first)
        for fold in others:
            fold += np.left_shift(cloth, COLUMN_BITS, dtype=np.intp)
            cloth = self._next.take(fold)
        return np.where(turned, self._cloths.turned.take(cloth), cloth)

    def _hand_out_tokens(self, acts: NDArray[np.uint8]) -> None:
        """Everybody who grabs gets a token; a draw decides if they are too few."""
        grabs = (acts == 1 + GRAB).view(np.uint8)
        seats, wanted = _as_set(grabs), grabs[0].copy()
        for row in grabs[1:]:
            wanted += row
        crowded = np.flatnonzero(wanted > self._left)
        if len(crowded):
            grabbing, left = seats[crowded], self._left[crowded]
            counter = self.state.counter
            words = bits(_keys(self.state, crowded), counter[crowded])
            counter[crowded] += np.uint64(1)
            draw = scale(words, LUCKY_DRAWS[grabbing, left]).astype(np.intp)
            seats[crowded] = LUCKY[grabbing, left, draw]
            wanted[crowded] = left
        self._held |= seats
        self._left -= wanted

    # ---------------------------------------------------------------- the end of a round

    def _wrong(self, tables: Index | slice) -> NDArray[np.uint8]:
        """(M,) the seats that hold a token, but do not show exactly the order."""
        differs = self._look[:2, :, tables] ^ self.state.order[:2, None, tables]
        differs[0] |= differs[1]
        return _as_set((differs[0] > 0).view(np.uint8)) & self._held[tables]

    def _end_round(self, tables: Index) -> None:
        """Take the stars; end the game or start the next round."""
        wrong = self._wrong(tables)
        if self.num_players == 1:
            over = self._fill_order(tables, wrong)
        else:
            lost = self._losers(tables, wrong)
            stars = self._stars[:, tables]
            stars -= lost >> _SEATS[: self.num_players] & np.uint8(1)
            self._stars[:, tables] = stars
            left = _as_set((stars > 0).view(np.uint8))
            over = COUNT.take(left) <= 1
            self._seated[tables] = np.where(over, self._seated[tables], left)
        self.state.over[tables] = over
        tables = tables[~over]
        if len(tables):
            self._start_round(self.state, tables)

    def _losers(self, tables: Index, wrong: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(M,) the seats that lose a star."""
        without = self._seated[tables] ^ self._held[tables]
        if self.wrong_claim == "both":
            return wrong | without
        return np.where(wrong > 0, wrong, without)

    def _fill_order(self, tables: Index, wrong: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """One player: note how the order went; returns (M,) whether it was the last one."""
        number = self._rounds[tables].astype(np.intp)
        filled = self.state.filled
        filled[0, number - 1, tables] = self.order_table.fewest[self.state.card[tables]]
        filled[1, number - 1, tables] = self._moves[0, tables] * (self._held[tables] & ~wrong)
        return number == self.orders_per_game

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        if self.num_players == 1:  # thousandths of the mean over the orders so far
            finished = np.count_nonzero(self.state.filled[0], axis=0)
            total = self._order_scores().sum(axis=0)
            out[0] = np.rint(1000 * total / np.maximum(finished, 1))
        else:
            out[:] = self._stars

    def _order_scores(self) -> NDArray[np.float64]:
        """(orders, N) what each order of a puzzle scored: fewest folds / moves, 0 if not filled."""
        fewest, moves = self.state.filled.astype(np.float64)
        return np.where(moves > 0, fewest / np.maximum(moves, 1), 0.0)

    def _tie_keys(self) -> list[NDArray[Any]]:
        seats, innocent = _SEATS[: self.num_players], ~self._wrong(slice(None))
        return [rows >> seats & np.uint8(1) for rows in (self._seated, innocent)]

    def _write_rewards(self, scores: NDArray[np.int16], winners: NDArray[np.bool_]) -> NDArray[Any]:
        if self.num_players == 1:
            return self._order_scores().mean(axis=0, keepdims=True)
        return super()._write_rewards(scores, winners)

    # ---------------------------------------------------------------- what is legal

    def _asked_seat(self) -> NDArray[np.uint8]:
        return FIRST.take(self._asked)

    def _mark_legal(self, group: int, legal: NDArray[np.uint8]) -> None:
        index = self._index(self._choice.shape, self._asked_seat())
        rows, columns = (size.reshape(-1).take(index) for size in self._look[2:])
        write_legal(rows, columns, legal.view(np.bool_))

    def _write_to_act(self, out: NDArray[np.uint8]) -> None:
        out[:] = self._asked_seat()

    def _write_phase(self, out: NDArray[np.uint8]) -> None:
        out[:] = 0

    # ---------------------------------------------------------------- seen, told, redrawn

    def _observe(self, seat: NDArray[np.uint8] | None, out: NDArray[np.uint8]) -> None:
        self._observer.write(self.state, self._asked_seat() if seat is None else seat, out)

    def census(self) -> NDArray[np.integer]:
        """(kinds, N): tokens in the middle, held and put away; then each card of the deck."""
        s = self.state
        away = self.num_players - COUNT[self._seated]
        kinds = [self._left + COUNT[self._held] + away]
        if self.orders == "deck":
            kinds += [(s.deck == card).sum(axis=0) for card in range(len(s.deck))]
        return np.stack(kinds).astype(np.int64)

    def _snapshot(self, table: int) -> dict[str, Any]:
        s = self.state
        orders = self.order_table.orders
        order = orders[int(s.card[table])]
        deck, discards = self._cards_of(table)
        seats = [
            {
                "stars": int(self._stars[p, table]),
                "token": bool(self._held[table] >> p & 1),
                "cells": self._cloths.stacks(int(s.cloth[p, table])),
                "history": [self._cloths.stacks(c) for c in self._history(p, table)],
                "moves": int(self._moves[p, table]),
                "choice": WORDS[self._choice[p, table] - 1] if self._choice[p, table] else None,
            }
            for p in range(self.num_players)
        ]
        finished = int(np.count_nonzero(s.filled[0, :, table])) if self.num_players == 1 else 0
        scores = self._order_scores()[:finished, table] if finished else ()
        return {
            "round": int(self._rounds[table]),
            "tick": int(self._ticks[table]),
            "order": list(order),
            "dishes": [self.components.dishes[cell] for cell in order],
            "fewest_folds": int(self.order_table.fewest[s.card[table]]),
            "tokens_left": int(self._left[table]),
            "deck": [list(orders[card]) for card in deck],
            "discards": [list(orders[card]) for card in discards],
            "seats": seats,
            "order_scores": [float(score) for score in scores],
        }

    def _cards_of(self, table: int) -> tuple[list[int], list[int]]:
        """The cards to come in the order in which they will come, and the used ones as they came.

        Neither exists with random orders.
        """
        s = self.state
        if self.orders == "random":
            return [], []
        deck = [int(card) for card in s.deck[:, table]]
        drawn = int(self._rounds[table])
        first = (drawn - 1) % len(deck) + 1
        for place in range(first, len(deck)):
            counter = CARD_DRAWS + np.uint64(drawn + place - first)
            word = bits(_keys(s, np.array([table])), np.array([counter]))
            other = place + int(scale(word, len(deck) - place)[0])
            deck[place], deck[other] = deck[other], deck[place]
        return deck[first:], deck[: first - 1]

    def _history(self, seat: int, table: int) -> list[int]:
        """The states of a cloth before each fold still in it, the oldest first."""
        turned = self._turned[seat, table]
        folds = (self.state.path[seat, table] >> OLDEST_FIRST[:, 0] & FOLD_BITS).tolist()
        cloth, history = FLAT, []
        for fold in (f for f in folds if f):
            history.append(int(self._cloths.turned[cloth]) if turned else cloth)
            cloth = int(self._cloths.next[cloth, fold])
        return history

    def _describe(self, action: int, table: int | None) -> str:
        return WORDS[action]

    def render(self, table: int = 0) -> str:
        """One table as text, hidden layers included."""
        return render_text(self.snapshot(table), self.components.dishes)

    def heuristic(self, *, speed: float = 0.8) -> Policy:
        """The solver of heuristic.py, acting in each tick with probability ``speed``."""
        return Solver(self.layout, self.order_table, check_speed(speed))

    def _resample(self, seats: NDArray[np.intp]) -> None:
        redraw_cloths(self.state, seats, self.side_stream)


_SEATS = np.arange(SEATS, dtype=np.uint8)[:, None]


def _as_set(flags: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(M,) the seats whose flag (P, M), 0 or 1, is set, as bits."""
    seats = flags[0].copy()
    for seat, row in enumerate(flags[1:], start=1):
        seats |= row << np.uint8(seat)
    return seats


def _keys(state: State, tables: NDArray[np.intp]) -> NDArray[np.uint64]:
    """(M,) the keys that cards and tokens are drawn with."""
    return state.key[tables] + state.luck[tables]


def _check_range(value: Any, low: int, high: int, name: str) -> tuple[int, int]:
    """``value`` as a pair (low, high) inside the bounds."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise InvalidOptionError(f"{name}: {value!r} is not a pair (low, high)")
    first, last = (check_int(bound, low, high, name) for bound in value)
    if first > last:
        raise InvalidOptionError(f"{name}: {value!r} has its low end above the high one")
    return first, last
