"""Fold-it (Happy Baobab, 2016): fold a cloth until just the ordered dishes lie on top.

Rules: README.md. What the state is made of: board.py.

Everybody plays at once: in a tick each seat that is in and holds no token chooses one action. The
choices are taken seat by seat and only stored; with the last one the tick is carried out for all.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    COUNT,
    FIRST,
    LUCKY,
    LUCKY_DRAWS,
    MOST_FOLDED,
    SEATS,
    STARS,
    STEP,
    Board,
    as_set,
    board_of,
    fields,
    members,
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
from fold_envs.games.fold_it.view import history_of, render_text

Index = NDArray[np.intp]

CARD_DRAWS = np.uint64(1 << 63)  # cards are drawn with counters from here on, tokens from 0 on

# what an act (1 + action) does to a path: its folds move left or right, and one comes in
LEFT, RIGHT, CODE = np.zeros((3, COLUMNS), np.uint32)
LEFT[FIRST_FOLD : FIRST_FOLD + FOLDS] = STEP
RIGHT[1 + UNDO] = STEP
RIGHT[1 + LAY_FLAT] = STEP * MOST_FOLDED
CODE[FIRST_FOLD : FIRST_FOLD + FOLDS] = 1 + np.arange(FOLDS)
MIRRORED = mirrored_folds()

# as arrays: on few tables NumPy is several times quicker with them than with numbers
_ZERO, _ONE, _LAST_WORK = (np.array(number, np.uint8) for number in (0, 1, TURN_OVER))
_UNDO, _FLAT, _TURN, _GRAB = (np.array(1 + a, np.uint8) for a in (UNDO, LAY_FLAT, TURN_OVER, GRAB))


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
        self._num_cards = len(known) if self.orders == "deck" else 0
        self._cloths = cloths()
        self._next = self._cloths.next.reshape(-1)
        self._tokens_for = np.maximum(COUNT, 2) - 1  # by seats in: one fewer; one for one player
        self._last_tick = np.array(self.max_ticks, np.uint8)
        super().__init__(num_envs, **options)
        self._seats = members(self.num_players)
        self._first_pair = np.arange(self.num_players) * self.num_envs
        self._observer = Observer(self.layout, self.num_players, self._cloths)

    @property
    def options(self) -> dict[str, Any]:
        """The constructor arguments that build this game."""
        names = "deck orders dishes folds wrong_claim max_ticks orders_per_game cards".split()
        return super().options | {name: getattr(self, name) for name in names}

    def _layouts(self) -> tuple[Layout, Layout]:
        p, cards = self.num_players, self._num_cards
        rounds = self.orders_per_game if p == 1 else STARS * p - 1
        return action_layout(), observation_layout(p, self.max_ticks, rounds, cards)

    def _fields(self) -> list[Field]:
        return fields(self.num_players, self._num_cards, self.orders_per_game)

    def _bind(self) -> None:
        self._board = board_of(self.state.board, self.num_players)

    # ---------------------------------------------------------------- set-up

    def _deal(self, state: State, streams: Streams) -> None:
        board = board_of(state.board, self.num_players)
        board.stars[:] = STARS
        board.seated[:] = (1 << self.num_players) - 1
        if self._num_cards:
            state.deck[:] = np.arange(self._num_cards)[:, None]
        self._start_round(state, np.arange(state.num_envs), board)

    def _start_round(self, state: State, tables: Index, board: Board) -> None:
        """Lay all cloths flat, put the tokens in the middle and turn a card up.

        ``board`` holds M columns, those of the ``tables`` (M,).
        """
        pairs = np.arange(self.num_players)[:, None] * state.num_envs + tables
        state.cloth.reshape(-1)[pairs] = FLAT
        state.path.reshape(-1)[pairs] = 0
        board.look[:] = self._cloths.look[:, FLAT, None, None]
        board.private[:] = 0
        board.asked[:] = board.seated
        board.held[:] = 0
        board.left[:] = self._tokens_for.take(board.seated)
        board.tick[:] = 1
        card = self._turn_up(state, tables, board.round.astype(np.intp))
        board.round[:] += _ONE
        board.order[:] = self.order_table.rows.take(card, axis=1)
        state.card[tables] = card

    def _turn_up(self, state: State, tables: Index, drawn: Index) -> Index:
        """Draw a card when ``drawn`` were drawn before. The deck is shuffled by and by: each card
        swaps places with a random one of those not used yet; when all are used, they begin anew.
        """
        keys = state.key[tables] + state.luck[tables]
        words = bits(keys, CARD_DRAWS + drawn.astype(np.uint64))
        cards = len(self.order_table.orders)
        if self.orders == "random":
            return scale(words, cards).astype(np.intp)
        place = drawn % cards
        other = place + scale(words, cards - place).astype(np.intp)
        deck, n = state.deck.reshape(-1), state.num_envs
        here, there = place * n + tables, other * n + tables
        card = deck[there].astype(np.intp)
        deck[there] = deck[here]
        deck[here] = card
        anew = tables[place == 0]
        if len(anew):
            state.used[:, anew] = 0
        state.used.reshape(-1)[card * n + tables] = 1
        return card

    # ---------------------------------------------------------------- a tick

    def _groups_of(self) -> np.uint8:
        return np.uint8(0)

    def _apply(self, group: int, actions: Index) -> None:
        """Store the choice; nobody sees it before the tick is carried out."""
        pairs, acts, asked = self._asked_pairs(), actions + 1, self._board.asked
        if self._on is not None:
            pairs, acts = pairs[self._on], acts[self._on]
        self._board.choice.reshape(-1)[pairs] = acts
        self._put(asked, asked & (asked - _ONE))

    def _advance(self, actions: Index, live: NDArray[np.bool_] | None) -> None:
        super()._advance(actions, live)
        ticking = self._board.asked == _ZERO
        if live is not None:
            ticking &= live
        if np.count_nonzero(ticking):
            self._tick(ticking)

    def _tick(self, ticking: NDArray[np.bool_]) -> None:
        """Carry out what the seats of the ``ticking`` tables chose."""
        board = self._board
        asked, choice, tick = board.asked, board.choice, board.tick
        acts = choice & np.negative(ticking.view(np.uint8))  # 1 + action, 0: none
        choice ^= acts
        self._work_cloths(acts)
        self._hand_out_tokens(acts)
        ended = board.left == _ZERO
        ended |= tick == self._last_tick
        ended &= ticking
        ticking ^= ended  # where the round goes on
        going_on = ticking.view(np.uint8)
        tick += going_on
        asked |= (board.seated ^ board.held) & np.negative(going_on)
        tables = ended.nonzero()[0]
        if len(tables):
            self._end_round(tables)

    def _work_cloths(self, acts: NDArray[np.uint8]) -> None:
        """Fold, undo, lay flat, turn over."""
        board, moves, turned = self._board, self._board.moves, self._board.turned
        working = acts - _ONE <= _LAST_WORK  # 0, for no act, wraps to 255
        moves += working.view(np.uint8)
        pairs = working.reshape(-1).nonzero()[0]  # seat * N + table
        act = acts.reshape(-1).take(pairs).astype(np.intp)
        all_cloths, all_paths = self.state.cloth.reshape(-1), self.state.path.reshape(-1)
        row = all_cloths.take(pairs).astype(np.intp)
        row <<= COLUMN_BITS
        row += act
        after = self._next.take(row)

        over = turned.reshape(-1).take(pairs)
        path = self._longer_or_shorter(all_paths.take(pairs), act, over, pairs)
        undone = (act == 1 + UNDO).nonzero()[0]
        if len(undone):
            cloth = self._cloths.folded(path[undone])
            after[undone] = np.where(over[undone], self._cloths.turned[cloth], cloth)
        all_cloths[pairs] = after
        all_paths[pairs] = path
        turned ^= (acts == _TURN).view(np.uint8)
        turned &= (acts != _FLAT).view(np.uint8)
        after = after.astype(np.intp)
        for seen, look in zip(board.look, self._cloths.look, strict=True):
            seen.reshape(-1)[pairs] = look.take(after)

    def _longer_or_shorter(
        self, path: NDArray[np.uint32], act: Index, over: NDArray[np.uint8], pairs: Index
    ) -> NDArray[np.uint32]:
        """(M,) ``path`` after the acts; ``over`` tells where the cloth lay turned over."""
        path <<= LEFT.take(act)
        path >>= RIGHT.take(act)
        fold = CODE.take(act)
        mirrored = (over * fold).nonzero()[0]
        if len(mirrored):
            columns = self._board.look[3].reshape(-1)[pairs[mirrored]]
            fold[mirrored] = MIRRORED[columns, fold[mirrored]]
        path |= fold
        return path

    def _hand_out_tokens(self, acts: NDArray[np.uint8]) -> None:
        """Everybody who grabs gets a token; a draw decides if they are too few."""
        held, left, s = self._board.held, self._board.left, self.state
        grabs = (acts == _GRAB).view(np.uint8)
        seats, wanted = as_set(grabs), grabs[0].copy()
        for row in grabs[1:]:
            wanted += row
        crowded = (wanted > left).nonzero()[0]
        if len(crowded):
            grabbing, tokens = seats[crowded], left[crowded]
            words = bits(s.key[crowded] + s.luck[crowded], s.counter[crowded])
            s.counter[crowded] += np.uint64(1)
            draw = scale(words, LUCKY_DRAWS[grabbing, tokens]).astype(np.intp)
            seats[crowded] = LUCKY[grabbing, tokens, draw]
            wanted[crowded] = tokens
        held |= seats
        left -= wanted

    # ---------------------------------------------------------------- the end of a round

    def _end_round(self, tables: Index) -> None:
        """Take the stars; end the game or start the next round."""
        rows = self.state.board.take(tables, axis=1)
        board = board_of(rows, self.num_players)
        wrong = _wrong(board)
        if self.num_players == 1:
            over = self._fill_order(tables, board, wrong)
        else:
            stars = board.stars
            stars -= self._losers(board, wrong) >> self._seats & _ONE
            left = as_set((stars > _ZERO).view(np.uint8))
            over = COUNT[left] <= _ONE
            board.seated[:] = np.where(over, board.seated, left)
        if over.any():  # those tables stay as they are
            self.state.over[tables] = over
            self._board.stars[:, tables[over]] = board.stars[:, over]
            going_on = ~over
            tables, rows = tables[going_on], rows[:, going_on]
            board = board_of(rows, self.num_players)
        if len(tables):
            self._start_round(self.state, tables, board)
            self.state.board[:, tables] = rows

    def _losers(self, board: Board, wrong: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The seats that lose a star."""
        without = board.seated ^ board.held
        if self.wrong_claim == "both":
            return wrong | without
        return np.where(wrong > 0, wrong, without)

    def _fill_order(
        self, tables: Index, board: Board, wrong: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        """One player: note how the order went; returns (M,) whether it was the last one."""
        number, filled = board.round.astype(np.intp), self.state.filled
        filled[0, number - 1, tables] = self.order_table.fewest[self.state.card[tables]]
        filled[1, number - 1, tables] = board.moves[0] * (board.held ^ wrong)
        return number == self.orders_per_game

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        if self.num_players == 1:  # thousandths of the mean over the orders so far
            finished = np.count_nonzero(self.state.filled[0], axis=0)
            total = self._order_scores().sum(axis=0)
            out[0] = np.rint(1000 * total / np.maximum(finished, 1))
        else:
            out[:] = self._board.stars

    def _order_scores(self) -> NDArray[np.float64]:
        """(orders, N) what each order of a puzzle scored: fewest folds / moves, 0 if not filled."""
        fewest, moves = self.state.filled.astype(np.float64)
        return np.where(moves > 0, fewest / np.maximum(moves, 1), 0.0)

    def _tie_keys(self) -> list[NDArray[Any]]:
        innocent = ~_wrong(self._board)
        return [sets >> self._seats & _ONE for sets in (self._board.seated, innocent)]

    def _write_rewards(
        self,
        scores: NDArray[np.int16],
        winners: NDArray[np.bool_],
        tables: NDArray[np.intp],
    ) -> NDArray[Any]:
        if self.num_players == 1:
            return self._order_scores()[:, tables].mean(axis=0, keepdims=True)
        return super()._write_rewards(scores, winners, tables)

    # ---------------------------------------------------------------- whose turn, what is legal

    def _asked_seat(self) -> NDArray[np.uint8]:
        return FIRST.take(self._board.asked)

    def _asked_pairs(self) -> Index:
        """(N,) seat * N + table, as an index into (P, N)."""
        return self._first_pair.take(self._asked_seat()) + self._lanes

    def _mark_legal(self, group: int, legal: NDArray[np.uint8]) -> None:
        pairs = self._asked_pairs()
        rows, columns = (size.reshape(-1).take(pairs) for size in self._board.look[2:])
        write_legal(rows, columns, legal.view(np.bool_))

    def _write_to_act(self, out: NDArray[np.uint8]) -> None:
        out[:] = self._asked_seat()

    def _write_phase(self, out: NDArray[np.uint8]) -> None:
        out[:] = 0

    # ---------------------------------------------------------------- seen, told, redrawn

    def _observe(self, seat: NDArray[np.uint8] | None, out: NDArray[np.uint8]) -> None:
        if seat is None:
            seat = self._asked_seat()
        self._observer.write(self.state, self._board, seat, out)

    def census(self) -> NDArray[np.integer]:
        """(kinds, N): tokens in the middle, held and put away; then each card of the deck."""
        board = self._board
        kinds = [board.left + COUNT[board.held] + (self.num_players - COUNT[board.seated])]
        kinds += [(self.state.deck == card).sum(axis=0) for card in range(self._num_cards)]
        return np.stack(kinds).astype(np.int64)

    def _snapshot(self, table: int) -> dict[str, Any]:
        s, known = self.state, self.order_table
        board = board_of(s.board[:, [table]].copy(), self.num_players)
        card = int(s.card[table])
        coming, used = self._cards_of(table) if self._num_cards else ([], [])
        seats = [
            {
                "stars": int(board.stars[p, 0]),
                "token": bool(board.held[0] >> p & 1),
                "cells": self._cloths.stacks(int(s.cloth[p, table])),
                "history": history_of(int(s.path[p, table]), bool(board.turned[p, 0])),
                "moves": int(board.moves[p, 0]),
                "choice": (None, *WORDS)[board.choice[p, 0]],
            }
            for p in range(self.num_players)
        ]
        finished = np.count_nonzero(s.filled[0, :, table]) if self.num_players == 1 else 0
        scores = self._order_scores()[:finished, table] if finished else ()
        return {
            "round": int(board.round[0]),
            "tick": int(board.tick[0]),
            "order": list(known.orders[card]),
            "dishes": [self.components.dishes[cell] for cell in known.orders[card]],
            "fewest_folds": int(known.fewest[card]),
            "tokens_left": int(board.left[0]),
            "deck": [list(known.orders[c]) for c in coming],
            "discards": [list(known.orders[c]) for c in used],
            "seats": seats,
            "order_scores": [float(score) for score in scores],
        }

    def _cards_of(self, table: int) -> tuple[list[int], list[int]]:
        """The cards to come, in the order in which they will, and the used ones as they came."""
        twin, drawn = self.state.take(np.array([table])), int(self._board.round[table])
        place = (drawn - 1) % self._num_cards
        for draw in range(drawn, drawn + self._num_cards - 1 - place):
            self._turn_up(twin, np.array([0]), np.array([draw]))
        deck = twin.deck[:, 0].tolist()
        return deck[place + 1 :], deck[:place]

    def _describe(self, action: int, table: int | None) -> str:
        return WORDS[action]

    def render(self, table: int = 0) -> str:
        """One table as text, hidden layers included."""
        return render_text(self.snapshot(table), self.components.dishes)

    def heuristic(self, *, speed: float = 0.8) -> Policy:
        """The solver of heuristic.py, acting in each tick with probability ``speed``."""
        return Solver(self.layout, self.order_table, check_speed(speed))

    def _resample(self, seats: Index) -> None:
        redraw_cloths(self.state, self._board, seats, self.side_stream)


def _wrong(board: Board) -> NDArray[np.uint8]:
    """(M,) the seats that hold a token, but do not show exactly the order."""
    differs = board.look[:2] ^ board.order[:2, None]
    differs[0] |= differs[1]
    return as_set((differs[0] > _ZERO).view(np.uint8)) & board.held


def _check_range(value: Any, low: int, high: int, name: str) -> tuple[int, int]:
    """``value`` as a pair (low, high) inside the bounds."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise InvalidOptionError(f"{name}: {value!r} is not a pair (low, high)")
    first, last = (check_int(bound, low, high, name) for bound in value)
    if first > last:
        raise InvalidOptionError(f"{name}: {value!r} has its low end above the high one")
    return first, last
