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
    BITS,
    COUNT,
    FIRST,
    LUCKY,
    LUCKY_DRAWS,
    SEATS,
    STARS,
    STEP,
    as_set,
    board_of,
    fields,
    fresh_rows,
    members,
)
from fold_envs.games.fold_it.cloth import (
    COLUMNS,
    FIRST_FOLD,
    FLAT,
    FOLDS,
    MOST_FOLDED,
    SIDE,
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

# what an act (1 + action) does to a path: its folds move left, then right, and one comes in; by
# columns of the cloth (4 as 0), whether it lies turned over, and act
_effects = np.zeros((3, SIDE, 2, COLUMNS), np.uint32)
_effects[0, ..., FIRST_FOLD : FIRST_FOLD + FOLDS] = STEP
_effects[1, ..., 1 + UNDO] = STEP
_effects[1, ..., 1 + LAY_FLAT] = STEP * MOST_FOLDED
_effects[2, :, 0, FIRST_FOLD : FIRST_FOLD + FOLDS] = 1 + np.arange(FOLDS)
_effects[2, :, 1, FIRST_FOLD : FIRST_FOLD + FOLDS] = mirrored_folds()[[4, 1, 2, 3], 1:]
PATH = _effects.reshape(3, -1)

# as arrays: on few tables NumPy is several times quicker with them than with numbers
_ZERO, _ONE, _LAST_WORK = (np.array(number, np.uint8) for number in (0, 1, TURN_OVER))
_UNDO, _FLAT, _TURN, _GRAB = (np.array(1 + a, np.uint8) for a in (UNDO, LAY_FLAT, TURN_OVER, GRAB))
_BY_COLUMNS, _BY_SIDE_UP = (np.array(stride, np.uint8) for stride in (2 * COLUMNS, COLUMNS))
_SEATS, _STARS = np.array(SEATS, np.uint8), np.array(STARS, np.uint8)
_FEW_CLOTHS = 4096  # to work on all of so many costs less than to pick some


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
        # four bytes as one word: a single look-up
        self._looks = np.ascontiguousarray(self._cloths.look.T).view(np.uint32).reshape(-1)
        self._last_tick = np.array(self.max_ticks, np.uint8)
        super().__init__(num_envs, **options)
        p, n = self.num_players, self.num_envs
        self._seats, self._bits = members(p), BITS[:p]
        self._fresh = fresh_rows(p, self._cloths.look[:, FLAT])
        self._seat_starts = np.arange(p)[:, None] * n
        self._row_starts = np.arange(len(self._fresh))[:, None] * n
        self._look_starts = np.arange(4)[:, None] * (p * n)
        # rows of the board that a round does not start with alike: round, stars, order
        place = board_of(np.arange(len(self._fresh), dtype=np.uint8)[:, None], p)
        self._set_anew = (
            int(place.round[0]),
            slice(int(place.stars[0, 0]), int(place.order[0, 0])),
            slice(int(place.order[0, 0]), None),
        )
        self._first_asked = FIRST.astype(np.intp) * n
        # how the next card is drawn, by the number of those drawn before
        drawn = np.arange(256)
        self._card_draws = CARD_DRAWS + drawn.astype(np.uint64)
        self._place = drawn % (self._num_cards or 1)
        self._unused = len(known) - self._place
        self._observer = Observer(self.layout, self.num_players, self._cloths)

    @property
    def options(self) -> dict[str, Any]:
        """The constructor arguments that build this game."""
        names = "deck orders dishes folds wrong_claim max_ticks orders_per_game cards".split()
        return super().options | {name: getattr(self, name) for name in names}

    def _layouts(self) -> tuple[Layout, Layout]:
        p, cards = self.num_players, self._num_cards
        rounds = self.orders_per_game if p == 1 else STARS * p - 1
        self._shuffled_again = rounds > cards
        return action_layout(), observation_layout(p, self.max_ticks, rounds, cards)

    def _fields(self) -> list[Field]:
        return fields(self.num_players, self._num_cards, self.orders_per_game)

    def _bind(self) -> None:
        state = self.state
        self._board = board_of(state.board, self.num_players)
        # one row for all cloths: seat * N + table
        self._cloth, self._path = state.cloth.reshape(-1), state.path.reshape(-1)
        self._look = self._board.look.reshape(4, -1)

    # ---------------------------------------------------------------- set-up

    def _deal(self, state: State, streams: Streams) -> None:
        n = state.num_envs
        if self._num_cards:
            state.deck[:] = np.arange(self._num_cards)[:, None]
        seated = np.full(n, (1 << self.num_players) - 1)
        drawn = np.zeros(n, np.uint8)
        state.board[:] = self._start_round(state, np.arange(n), seated, _STARS, drawn)

    def _start_round(
        self,
        state: State,
        tables: Index,
        seated: NDArray[np.integer],
        stars: NDArray[np.uint8],
        drawn: NDArray[np.uint8],
    ) -> NDArray[np.uint8]:
        """Turn a card up. All cloths lie flat and the tokens are in the middle.

        Args:
            state: where the deck is.
            tables: (M,).
            seated: (M,) the seats still in.
            stars: (P, M) theirs.
            drawn: (M,) cards turned up so far.

        Returns:
            (R, M) the board of these tables.
        """
        rows = self._fresh.take(seated, axis=1)
        card = self._turn_up(state, tables, drawn)
        state.card[tables] = card
        round_at, stars_at, order_at = self._set_anew
        np.add(drawn, _ONE, out=rows[round_at])
        rows[stars_at] = stars
        self.order_table.rows.take(card, axis=1, out=rows[order_at], mode="clip")
        return rows

    def _turn_up(self, state: State, tables: Index, drawn: NDArray[np.uint8]) -> Index:
        """Draw a card when ``drawn`` were drawn before. The deck is shuffled by and by: each card
        swaps places with a random one of those not used yet; when all are used, they begin anew.
        """
        keys = state.key.take(tables)
        keys += state.luck.take(tables)
        words = bits(keys, self._card_draws.take(drawn))
        other = scale(words, self._unused.take(drawn)).view(np.int64)
        if self.orders == "random":
            return other
        place, deck, n = self._place.take(drawn), state.deck.reshape(-1), state.num_envs
        other += place
        here, there = place * n + tables, other * n + tables
        card = deck.take(there).astype(np.intp)
        deck[there] = deck.take(here)
        deck[here] = card
        if self._shuffled_again:
            state.used[:, tables[place == 0]] = 0
        state.used.reshape(-1)[card * n + tables] = 1
        return card

    # ---------------------------------------------------------------- a tick

    def _groups_of(self) -> np.uint8:
        return np.uint8(0)

    def _apply(self, group: int, actions: Index) -> None:
        """Store the choice; nobody sees it before the tick is carried out."""
        asked = self._board.asked
        first = asked & np.negative(asked)
        if self._mask is not None:
            first &= self._mask
        asked ^= first
        acts = actions.astype(np.uint8)
        acts += _ONE
        choice = self._board.choice
        choice |= (first == self._bits).view(np.uint8) * acts

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
        board, cloth, path = self._board, self._cloth, self._path
        moves, turned = board.moves, board.turned
        working = acts - _ONE <= _LAST_WORK  # 0, for no act, wraps to 255
        moves += working.view(np.uint8)
        key = board.look[3] * _BY_COLUMNS  # columns, side up and act; 4 columns wrap to 0
        key += turned * _BY_SIDE_UP
        key += acts
        act, key = acts.reshape(-1), key.reshape(-1)
        pairs = None  # all
        if len(act) > _FEW_CLOTHS and 2 * np.count_nonzero(working) < len(act):
            pairs = working.reshape(-1).nonzero()[0]  # seat * N + table
            act, key, cloth, path = (rows.take(pairs) for rows in (act, key, cloth, path))

        row = np.multiply(cloth, COLUMNS, dtype=np.intp)
        row += act
        after = self._next.take(row, mode="clip")
        left, right, code = PATH.take(key, axis=1, mode="clip")
        path <<= left
        path >>= right
        path |= code
        undone = (act == _UNDO).nonzero()[0]
        if len(undone):
            over = key.take(undone) // _BY_SIDE_UP & _ONE
            after[undone] = self._cloths.folded(path.take(undone), MOST_FOLDED - 1, over)

        turned ^= (acts == _TURN).view(np.uint8)
        turned &= (acts != _FLAT).view(np.uint8)
        look = self._looks.take(after, mode="clip").view(np.uint8).reshape(-1, 4).T
        if pairs is None:
            cloth[...] = after
            self._look[...] = look
        else:
            self._cloth[pairs] = after
            self._path[pairs] = path
            self._look.reshape(-1)[self._look_starts + pairs] = look

    def _hand_out_tokens(self, acts: NDArray[np.uint8]) -> None:
        """Everybody who grabs gets a token; a draw decides if they are too few."""
        held, left, s = self._board.held, self._board.left, self.state
        seats = as_set(acts == _GRAB)
        wanted = COUNT.take(seats, mode="clip")
        crowded = (wanted > left).nonzero()[0]
        if len(crowded):
            tokens = left.take(crowded)
            case = seats.take(crowded) * _SEATS + tokens
            words = bits(s.key.take(crowded) + s.luck.take(crowded), s.counter.take(crowded))
            s.counter[crowded] += _ONE
            draw = scale(words, LUCKY_DRAWS.take(case)).view(np.int64)
            draw += np.multiply(case, LUCKY.shape[-1], dtype=np.int64)
            seats[crowded] = LUCKY.take(draw)
            wanted[crowded] = tokens
        held |= seats
        left -= wanted

    # ---------------------------------------------------------------- the end of a round

    def _end_round(self, tables: Index) -> None:
        """Take the stars; end the game or start the next round."""
        board, state = self._board, self.state
        wrong, seated = self._wrong(tables), board.seated.take(tables)
        stars = board.stars.take(tables, axis=1)
        if self.num_players == 1:
            over = self._fill_order(tables, wrong)
        else:
            losers = self._losers(wrong, seated ^ board.held.take(tables))
            stars -= losers >> self._seats & _ONE
            seated = as_set(stars > _ZERO)
            over = COUNT.take(seated) <= _ONE
        if np.count_nonzero(over):  # those tables stay as they are, but for the stars
            ended, going_on = over.nonzero()[0], (~over).nonzero()[0]
            state.over[tables.take(ended)] = True
            board.stars[:, tables] = stars
            if not len(going_on):
                return
            tables, seated = tables.take(going_on), seated.take(going_on)
            stars = stars.take(going_on, axis=1)
        pairs = self._seat_starts + tables
        self._cloth[pairs] = FLAT
        self._path[pairs] = 0
        rows = self._start_round(state, tables, seated, stars, board.round.take(tables))
        state.board.reshape(-1)[self._row_starts + tables] = rows

    def _wrong(self, tables: Index) -> NDArray[np.uint8]:
        """(M,) the seats that hold a token, but do not show exactly the order."""
        board = self._board
        differs = board.look[:2].take(tables, axis=2)
        differs ^= board.order[:2].take(tables, axis=1)[:, None]
        differs[0] |= differs[1]
        return as_set(differs[0] > _ZERO) & board.held.take(tables)

    def _losers(self, wrong: NDArray[np.uint8], without: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The seats that lose a star: some claimed wrongly, some are ``without`` a token."""
        if self.wrong_claim == "both":
            return wrong | without
        return np.where(wrong > 0, wrong, without)

    def _fill_order(self, tables: Index, wrong: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """One player: note how the order went; returns (M,) whether it was the last one."""
        board, filled = self._board, self.state.filled
        number = board.round.take(tables).astype(np.intp)
        filled[0, number - 1, tables] = self.order_table.fewest[self.state.card[tables]]
        filled[1, number - 1, tables] = board.moves[0, tables] * (board.held[tables] ^ wrong)
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

    def _tie_keys(self, tables: Index) -> list[NDArray[Any]]:
        innocent = ~self._wrong(tables)
        seated = self._board.seated.take(tables)
        return [sets >> self._seats & _ONE for sets in (seated, innocent)]

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

    def _asked_pairs(self) -> Index:
        """(N,) seat to act * N + table, as an index into (P, N)."""
        pairs = self._first_asked.take(self._board.asked, mode="clip")
        pairs += self._lanes
        return pairs

    def _mark_legal(self, group: int, legal: NDArray[np.uint8]) -> None:
        self._pairs = self._asked_pairs()  # for _observe as well
        outlines = self._look[2:].take(self._pairs, axis=1, mode="clip")
        write_legal(outlines, legal.view(np.bool_))

    def _write_to_act(self, out: NDArray[np.uint8]) -> None:
        FIRST.take(self._board.asked, out=out, mode="clip")

    def _write_phase(self, out: NDArray[np.uint8]) -> None:
        out[:] = 0

    # ---------------------------------------------------------------- seen, told, redrawn

    def _observe(self, seat: NDArray[np.uint8] | None, out: NDArray[np.uint8]) -> None:
        if seat is None:
            seat = self.to_act
            pairs = self._pairs
        else:
            pairs = np.multiply(seat, self.num_envs, dtype=np.intp)
            pairs += self._lanes
        self._observer.write(self.state, self._board, seat, pairs, out)

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
            self._turn_up(twin, np.array([0]), np.array([draw], np.uint8))
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


def _check_range(value: Any, low: int, high: int, name: str) -> tuple[int, int]:
    """``value`` as a pair (low, high) inside the bounds."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise InvalidOptionError(f"{name}: {value!r} is not a pair (low, high)")
    first, last = (check_int(bound, low, high, name) for bound in value)
    if first > last:
        raise InvalidOptionError(f"{name}: {value!r} has its low end above the high one")
    return first, last
