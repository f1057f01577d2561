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
from fold_envs.games.fold_it.cloth import COLUMNS, FIRST_FOLD, FLAT, FOLDS, cloths, mirrored_folds
from fold_envs.games.fold_it.heuristic import Solver, check_speed
from fold_envs.games.fold_it.hidden import redraw_cloths
from fold_envs.games.fold_it.observation import Observer, observation_layout
from fold_envs.games.fold_it.orders import (
    DECKS,
    HOUSE_CARDS,
    MOST_DISHES,
    MOST_FOLDS,
    ORDER_ROWS,
    Components,
    OrderTable,
    random_orders,
)
from fold_envs.games.fold_it.view import render_text

STARS = 3
# ``path``: the folds still in a cloth, the latest in the lowest 5 bits, each 1 + the fold as it
# would be numbered had the cloth never been turned over. An act (1 + action) moves it left, right.
STEP, MOST_FOLDED = 5, 6
LEFT, RIGHT = np.zeros((2, COLUMNS), np.uint32)
LEFT[FIRST_FOLD : FIRST_FOLD + FOLDS] = STEP
RIGHT[1 + UNDO] = STEP
RIGHT[1 + LAY_FLAT] = STEP * MOST_FOLDED
PLACES = STEP * np.arange(MOST_FOLDED - 1, -1, -1, dtype=np.uint32)[:, None]  # oldest fold first

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
    score_scale = float(STARS)
    margin_scale = float(STARS)

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
        cards = len(self.order_table.orders) if self.orders == "deck" else 0
        rounds = self.orders_per_game if self.num_players == 1 else STARS * self.num_players - 1
        return action_layout(), observation_layout(self.num_players, self.max_ticks, rounds, cards)

    def _fields(self) -> list[Field]:
        p = self.num_players
        fields = [
            Field("asked"),  # seats still to be asked in this tick
            Field("seated"),  # seats in this round
            Field("held"),  # seats that hold a token
            Field("left"),  # tokens in the middle
            Field("tick"),  # of the round, from 1
            Field("round"),  # from 1; as many cards were turned up
            Field("card", (), np.uint16),  # index of the order in play
            Field("order", (ORDER_ROWS,)),  # the order in play, see OrderTable.rows
            Field("public", (5, p)),  # what all see of each cloth, see Clothself._look; stars
            Field("cloth", (p,), np.uint16),  # number of its state, see cloth.py
            Field("path", (p,), np.uint32),  # folds still in it, see above
            # lies turned over; folds, undos, flats and turns made in this round; and 1 + the
            # action chosen in this tick, 0: none yet
            Field("private", (3, p)),
            Field("luck", (), np.uint64),  # added to the key for every draw, see hidden.py
        ]
        if self.orders == "deck":
            cards = len(self.order_table.orders)
            fields.append(Field("deck", (cards,)))  # used cards, the one in play, unused ones
            fields.append(Field("used", (cards,)))  # discarded or in play since the last shuffle
        if p == 1:
            fields.append(Field("filled", (2, self.orders_per_game)))  # fewest folds, moves or 0
        return fields

    def _bind(self) -> None:
        self._look, self._stars = self.state.public[:4], self.state.public[4]
        self._turned, self._moves, self._choice = self.state.private

    # ---------------------------------------------------------------- set-up

    def _deal(self, state: State, streams: Streams) -> None:
        state.public[4] = STARS
        state.seated[:] = (1 << self.num_players) - 1
        if self.orders == "deck":
            state.deck[:] = np.arange(len(state.deck))[:, None]
        self._start_round(state, np.arange(state.num_envs))

    def _start_round(self, state: State, tables: NDArray[np.intp]) -> None:
        """Lay all cloths flat, put the tokens in the middle and turn a card up."""
        state.cloth[:, tables] = FLAT
        state.path[:, tables] = 0
        state.private[..., tables] = 0
        state.public[:4, :, tables] = self._look_of[:, FLAT, None, None]
        seated = state.seated[tables]
        state.asked[tables] = seated
        state.held[tables] = 0
        state.left[tables] = self._tokens_for[seated]
        state.tick[tables] = 1
        card = self._turn_up(state, tables)
        state.round[tables] += 1
        state.card[tables] = card
        state.order[:, tables] = self.order_table.rows.take(card, axis=1)

    def _turn_up(self, state: State, tables: NDArray[np.intp]) -> NDArray[np.intp]:
        """Draw a card. The deck is shuffled by and by: each card drawn swaps places with a random
        one of those not used yet; when all are used, they begin anew.
        """
        drawn = state.round[tables].astype(np.intp)
        words = bits(_keys(state, tables), CARD_DRAWS + drawn.astype(np.uint64))
        cards = len(self.order_table.orders)
        if self.orders == "random":
            return scale(words, cards).astype(np.intp)
        place = drawn % cards
        other = place + scale(words, cards - place).astype(np.intp)
        card = state.deck[other, tables]
        state.deck[other, tables] = state.deck[place, tables]
        state.deck[place, tables] = card
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
        s = self.state
        self._set_row(self._choice, self._asked_seat(), actions + 1)
        self._put(s.asked, s.asked & (s.asked - np.uint8(1)))

    def _advance(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        super()._advance(actions, live)
        ticking = self.state.asked == 0
        if live is not None:
            ticking &= live
        if ticking.any():
            self._tick(ticking)

    def _tick(self, ticking: NDArray[np.bool_]) -> None:
        """Carry out what the seats of the ``ticking`` tables chose."""
        s = self.state
        acts = self._choice & np.negative(ticking.view(np.uint8))  # 1 + action, 0: none
        self._choice ^= acts
        self._work_cloths(acts)
        self._hand_out_tokens(acts)
        ended = s.left == 0
        ended |= s.tick == self.max_ticks
        ended &= ticking
        going_on = (ticking ^ ended).view(np.uint8)
        np.add(s.tick, going_on, out=s.tick)
        asked = (s.seated ^ s.held) & np.negative(going_on)
        np.bitwise_or(s.asked, asked, out=s.asked)
        tables = np.flatnonzero(ended)
        if len(tables):
            self._end_round(tables)

    def _work_cloths(self, acts: NDArray[np.uint8]) -> None:
        """Fold, undo, lay flat, turn over."""
        s = self.state
        working = acts - np.uint8(1) <= TURN_OVER  # 0, for no act, wraps to 255
        self._moves += working
        pairs = np.flatnonzero(working)  # seat * N + table
        cloth, path = s.cloth.reshape(-1), s.path.reshape(-1)
        act = acts.reshape(-1).take(pairs)
        before = np.left_shift(cloth.take(pairs), 5, dtype=np.intp)  # COLUMNS a state
        before += act
        after = self._next.take(before)

        turned = self._turned.reshape(-1).take(pairs)
        fold = act * (act <= FOLDS)
        mirrored = np.flatnonzero(turned * fold)
        if len(mirrored):
            columns = self._look[3].reshape(-1).take(pairs[mirrored])
            fold[mirrored] = MIRRORED[columns, fold[mirrored]]
        folds = path.take(pairs)
        folds <<= LEFT.take(act)
        folds >>= RIGHT.take(act)
        folds |= fold
        undone = np.flatnonzero(act == UNDO + 1)
        if len(undone):
            after[undone] = self._fold_up(folds[undone], turned[undone])
        cloth[pairs] = after
        path[pairs] = folds
        self._turned ^= acts == TURN_OVER + 1
        self._turned &= acts != LAY_FLAT + 1
        for plane, value in zip(self._look, self._look_of, strict=True):
            plane.reshape(-1)[pairs] = value.take(after)

    def _fold_up(self, path: NDArray[np.uint32], turned: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """(M,) the cloths that the folds of ``path`` make of a flat one, then ``turned`` over."""
        first, *others = (path >> PLACES & np.uint32(31)).astype(np.intp)  # 0 changes nothing
        cloth = self._next.take(first)
        for fold in others:
            fold += np.left_shift(cloth, 5, dtype=np.intp)
            cloth = self._next.take(fold)
        return np.where(turned, self._cloths.turned.take(cloth), cloth)

    def _hand_out_tokens(self, acts: NDArray[np.uint8]) -> None:
        """Everybody who grabs gets a token; a draw decides if there are too few."""
        s = self.state
        grabs = (acts == GRAB + 1).view(np.uint8)
        seats, wanted = grabs[0].copy(), grabs[0].copy()
        for p in range(1, self.num_players):
            seats |= grabs[p] << np.uint8(p)
            wanted += grabs[p]
        crowded = np.flatnonzero(wanted > s.left)
        if len(crowded):
            grabbing, left = seats[crowded], s.left[crowded]
            draw = scale(
                bits(_keys(s, crowded), s.counter[crowded]), LUCKY_DRAWS[grabbing, left]
            ).astype(np.intp)
            s.counter[crowded] += np.uint64(1)
            seats[crowded] = LUCKY[grabbing, left, draw]
            wanted[crowded] = left
        np.bitwise_or(s.held, seats, out=s.held)
        np.subtract(s.left, wanted, out=s.left)

    # ---------------------------------------------------------------- the end of a round

    def _right(self, tables: NDArray[np.intp] | slice) -> NDArray[np.uint8]:
        """(M,) the seats whose cloth shows exactly the order."""
        s = self.state
        right = (self._look[:2][..., tables] == s.order[:2, None, tables]).all(axis=0)
        return np.packbits(right, axis=0, bitorder="little")[0]

    def _end_round(self, tables: NDArray[np.intp]) -> None:
        """Take the stars; end the game or start the next round."""
        s = self.state
        right = self._right(tables)
        if self.num_players == 1:
            over = self._fill_order(tables, right)
        else:
            lost = self._losers(tables, right)
            stars = self._stars[:, tables] - (lost >> _SEAT[: self.num_players] & np.uint8(1))
            self._stars[:, tables] = stars
            left = np.packbits(stars > 0, axis=0, bitorder="little")[0]
            over = COUNT[left] <= 1
            s.seated[tables[~over]] = left[~over]
        s.over[tables[over]] = True
        tables = tables[~over]
        if len(tables):
            self._start_round(s, tables)

    def _losers(self, tables: NDArray[np.intp], right: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(M,) the seats that lose a star."""
        held = self.state.held[tables]
        wrong = held & ~right
        without = self.state.seated[tables] & ~held
        if self.wrong_claim == "both":
            return wrong | without
        return np.where(wrong > 0, wrong, without)

    def _fill_order(self, tables: NDArray[np.intp], right: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """One player: note how the order went; returns (M,) whether it was the last one."""
        s = self.state
        number = s.round[tables].astype(np.intp)
        s.filled[0, number - 1, tables] = self.order_table.fewest[s.card[tables]]
        s.filled[1, number - 1, tables] = self._moves[0, tables] * (s.held[tables] & right)
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
        s = self.state
        wrong = s.held & ~self._right(slice(None))
        seats = np.arange(self.num_players, dtype=np.uint8)[:, None]
        return [s.seated >> seats & 1, ~wrong >> seats & 1]

    def _write_rewards(self, scores: NDArray[np.int16], winners: NDArray[np.bool_]) -> NDArray[Any]:
        if self.num_players == 1:
            return self._order_scores().mean(axis=0, keepdims=True)
        return super()._write_rewards(scores, winners)

    # ---------------------------------------------------------------- what is legal

    def _asked_seat(self) -> NDArray[np.uint8]:
        return FIRST.take(self.state.asked)

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
        away = self.num_players - COUNT[s.seated]
        kinds = [s.left + COUNT[s.held] + away]
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
                "token": bool(s.held[table] >> p & 1),
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
            "round": int(s.round[table]),
            "tick": int(s.tick[table]),
            "order": list(order),
            "dishes": [self.components.dishes[cell] for cell in order],
            "fewest_folds": int(self.order_table.fewest[s.card[table]]),
            "tokens_left": int(s.left[table]),
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
        drawn = int(s.round[table])
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
        folds = (self.state.path[seat, table] >> PLACES[:, 0] & np.uint32(31)).tolist()
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


_SEAT = np.arange(SEATS, dtype=np.uint8)[:, None]


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
