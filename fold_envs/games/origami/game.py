"""Origami (Christian Giove, 2017): collect animals, pay with the folds of others. Rules: README.md.

The class is built up in layers, each in its file: piles (state, moves of cards), taking (moves of
several decisions, turns), choosing (cards that change hands), effects, masks (what is legal), and
here the frame: options, deal, the decisions by phase, scoring and what is told about a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import Policy
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rng import Streams
from fold_envs.engine.rows import running_sums
from fold_envs.engine.state import State
from fold_envs.games.origami.cards import FAMILY_SIZE, load_cards
from fold_envs.games.origami.heuristic import greedy
from fold_envs.games.origami.hidden import Hidden
from fold_envs.games.origami.masks import Masks
from fold_envs.games.origami.observation import Observer, observation_layout
from fold_envs.games.origami.piles import (
    COPY_CHOICE,
    DISCARD_ONE,
    EXTRA,
    GIVE_UP,
    HAND_LIMIT,
    INSTANT,
    LINE_SIZE,
    LOOK,
    PASS,
    PAY,
    PHASES,
    PLACE,
    STEAL_CHOICE,
    TAKE,
    TURN,
    ZERO,
    Bytes,
    Tables,
)
from fold_envs.games.origami.scoring import HEIGHT, LAID, TOP, Scoring
from fold_envs.games.origami.taking import DRAW_FOLDS
from fold_envs.games.origami.view import describe, render_text, table_of

Step = Callable[[Tables, Tables, Tables], None]  # of tables, their actions, the seats at turn

# What is done, whatever the phase. Moves that have a step in common follow each other.
MOVES = range(17)
(
    NOTHING,
    REFUSE,
    REFUSE_PLAY,
    PLAY_EXTRA,
    PLAY,
    SPEND,
    DISCARD,
    TAKE_CARD,
    STOP,
    DRAW,
    USE,
    LAY,
    AGREE,
    COPY_CARD,
    STEAL_FROM,
    LOOK_AT,
    CHOOSE,
) = MOVES

_MOVE_BOUNDS = np.arange(len(MOVES) + 1, dtype=np.uint8)

DEAL_FOLDS = 10  # a first hand holds at least this many
_LAST_LOT = np.uint64((1 << 64) - 1)


class Origami(Hidden, Masks, Scoring):
    """Batched Origami; see ``BatchGame`` for the contract and README.md for rules and spaces.

    Args:
        num_envs: number of tables N.
        families: names of as many families as there are players; drawn by the seed if None.
        cards: path of another card table (TOML); the one of this package if None.
        **options: those of ``BatchGame``.
    """

    name = "Origami"
    players = range(2, 5)
    default_players = 2
    phases = PHASES
    tie_breaks = ("cards in hand",)
    score_scale = 50.0
    margin_scale = 25.0

    def __init__(
        self,
        num_envs: int = 1,
        *,
        families: Sequence[str] | None = None,
        cards: str | PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        self.cards_path = cards
        self.cards = load_cards(cards)
        self.kinds = self.cards.kinds
        super().__init__(num_envs, **options)
        self.families = self._check_families(families)
        self._observer = Observer(self)

    def _check_families(self, families: Sequence[str] | None) -> tuple[str, ...] | None:
        known, p = self.cards.families, self.num_players
        if families is None:
            if len(known) < p:
                raise InvalidOptionError(
                    f"cards: {len(known)} families are too few for {p} players"
                )
            return None
        chosen = tuple(families) if isinstance(families, (list, tuple)) else (families,)
        if len(chosen) != p or sorted(map(str, chosen)) != sorted(
            set(known) & set(map(str, chosen))
        ):
            raise InvalidOptionError(
                f"families: {families!r} must be {p} different ones (one a player) of "
                f"{', '.join(known)}"
            )
        self.cards.check_costs(chosen, f"families {chosen}")
        return chosen

    @property
    def options(self) -> dict[str, Any]:
        """The constructor arguments that build this game."""
        return super().options | {"families": self.families, "cards": self.cards_path}

    def _layouts(self) -> tuple[Layout, Layout]:
        actions = Layout(
            Part(
                "card",
                (self.kinds,),
                doc="play, take, pay, discard or pass this card; copy: its effect",
            ),
            Part("draw", doc="the draw action"),
            Part("no", doc="no, or stop taking"),
            Part("yes", doc="use the instant effect"),
            Part("collection", (2,), doc="lay the card here; at a turn: use the card on top"),
            Part("seat", (self.num_players - 1,), doc="steal from the d-th seat to the left"),
        )
        return actions, observation_layout(self.num_players, self.cards)

    def _bind(self) -> None:
        super()._bind()
        family = self.cards.family[:-1]
        copies = self.cards.copies[:-1]
        # (families, 18) the cards of each family
        self._family_cards = np.array(
            [
                np.repeat(np.flatnonzero(family == f), copies[family == f])
                for f in range(len(self.cards.families))
            ],
            np.uint8,
        )
        seats = np.arange(self.num_players)
        self._seat_at = (seats[:, None] + seats) % self.num_players  # as in ``known``
        self._history_first = self._first_cell(self.state.history)
        self._history_step = self.state.history[0].size
        # what an action is in each phase, and the steps that the moves from one to another take
        self._move_of = self._move_table().reshape(-1)
        self._steps: list[tuple[Step, int, int]] = [
            (self._end, REFUSE, REFUSE_PLAY),
            (self._discard_shown, REFUSE_PLAY, PLAY_EXTRA),
            (self._lose, PLAY_EXTRA, DISCARD),
            (self._play, PLAY_EXTRA, PLAY),
            (self._spend, SPEND, DISCARD),
            (self._pay, SPEND, SPEND),
            (self._drop, DISCARD, DISCARD),
            (self._take, TAKE_CARD, TAKE_CARD),
            (self._stop, STOP, STOP),
            (self._draw_cards, DRAW, DRAW),
            (self._use_top, USE, USE),
            (self._lay, LAY, LAY),
            (self._agree, AGREE, AGREE),
            (self._copy_effect, COPY_CARD, COPY_CARD),
            (self._steal_from, STEAL_FROM, STEAL_FROM),
            (self._look, LOOK_AT, LOOK_AT),
            (self._choose, CHOOSE, CHOOSE),
        ]

    def _move_table(self) -> Bytes:
        """(phases, A) which of MOVES an action is."""
        k, no = self.kinds, self._no
        moves = np.zeros((len(PHASES), self.num_actions), np.uint8)
        moves[[INSTANT, COPY_CHOICE, STEAL_CHOICE], no] = REFUSE
        moves[EXTRA, no] = REFUSE_PLAY
        moves[TAKE, no] = STOP
        by_kind = {
            TURN: PLAY,
            EXTRA: PLAY_EXTRA,
            TAKE: TAKE_CARD,
            PAY: SPEND,
            DISCARD_ONE: DISCARD,
            HAND_LIMIT: DISCARD,
            COPY_CHOICE: COPY_CARD,
            LOOK: LOOK_AT,
            GIVE_UP: CHOOSE,
            PASS: CHOOSE,
        }
        for phase, move in by_kind.items():
            moves[phase, :k] = move
        moves[TURN, self._draw_action] = DRAW
        moves[TURN, self._first_side : self._first_seat] = USE
        moves[PLACE, self._first_side : self._first_seat] = LAY
        moves[INSTANT, self._yes] = AGREE
        moves[STEAL_CHOICE, self._first_seat :] = STEAL_FROM
        return moves

    # ---------------------------------------------------------------- set-up

    def _deal(self, state: State, streams: Streams) -> None:
        p, n, k = self.num_players, state.num_envs, self.kinds
        lanes = np.arange(n)
        size, families = FAMILY_SIZE * p, len(self.cards.families)
        words = streams.words(families + size + p)
        if self.families is None:
            in_play = words[:families].argsort(axis=0)[:p]
        else:
            chosen = [[self.cards.families.index(name)] for name in self.families]
            in_play = np.repeat(chosen, n, axis=1)
        state.families[in_play, lanes] = 1
        cards = self._family_cards[in_play].swapaxes(1, 2).reshape(size, n)
        cards = cards[words[families:-p].argsort(axis=0), lanes]  # shuffled

        # hands from the top, one seat after the other, until they hold enough folds; then the line
        total = running_sums(self.cards.folds[cards]).astype(np.intp)
        ends, folds = np.empty((p + 1, n), np.intp), np.empty((p, n), np.intp)
        before = np.zeros(n, np.intp)
        for seat in range(p):
            last = (total < before + DEAL_FOLDS).argmin(axis=0)
            ends[seat] = last + 1
            after = total[last, lanes]
            folds[seat], before = after - before, after
        ends[p] = ends[p - 1] + LINE_SIZE
        # where each card is: 0 to P - 1 in a hand, P in the line, then in the deck
        place = np.add.reduce(np.arange(size)[:, None, None] >= ends, axis=1, dtype=np.intp)
        cell = ((place * k + cards) * n + lanes).reshape(-1)
        counts = np.zeros((p + 2, k, n), np.uint8)
        np.add.at(counts.reshape(-1), cell, np.uint8(1))
        state.known[...] = counts[self._seat_at]  # dealt face up
        state.line[...] = counts[p]
        state.line_size[:] = LINE_SIZE
        state.deck[:] = cards[::-1]
        state.deck_size[:] = size - ends[p]
        public = self._public_of(state)
        public.hand_sizes[:] = ends[:p]
        public.hand_sizes[1:] -= public.hand_sizes[:-1]

        lots = words[-p:]  # the fewest folds start, ties by lot
        lots[folds > folds.min(axis=0)] = _LAST_LOT
        state.seats[:] = lots.argmin(axis=0)
        for nothing in (public.tops, state.beneath, state.apart, state.looked, state.chosen):
            nothing[...] = k

    # ---------------------------------------------------------------- decisions

    def _advance(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        _ = self.legal  # the step uses what the mask found out
        move = self._move_of.take(self._phase_row + actions, mode="clip")
        if live is not None:
            move[~live] = NOTHING
        # tables by move: moves that share a step follow each other
        order = move.argsort(kind="stable")
        action, turn = actions[order], self._turn_now[order]
        ends = move[order].searchsorted(_MOVE_BOUNDS).tolist()  # where each move begins
        for step, first, last in self._steps:
            start, stop = ends[first], ends[last + 1]
            if start < stop:
                step(order[start:stop], action[start:stop], turn[start:stop])
        self._settle_taking()
        self._settle_draws()
        self._settle_sweeps()
        self._settle_choices()
        self._end_turns()

    def _end(self, t: Tables, action: Tables, turn: Tables) -> None:
        self._ended[t] = True

    def _draw_cards(self, t: Tables, action: Tables, turn: Tables) -> None:
        self._begin_taking(t, DRAW_FOLDS, False)
        bare = t[self.state.line_size[t] == ZERO]
        if len(bare):  # it only refills
            self._refill(bare)
            self._ended[bare] = True

    def _agree(self, t: Tables, action: Tables, turn: Tables) -> None:
        self._carry_out(t)

    def _copy_effect(self, t: Tables, kind: Tables, turn: Tables) -> None:
        self.state.effect[t] = self.cards.effect[kind]
        self.state.amount[t] = self.cards.amount[kind]
        self._carry_out(t)

    def _steal_from(self, t: Tables, action: Tables, turn: Tables) -> None:
        self._ended[t] = True
        self._steal(t, (turn + action - (self._first_seat - 1)) % self._P)

    def _use_top(self, t: Tables, action: Tables, turn: Tables) -> None:
        place = (action - self._first_side) * self._P + turn
        self._use(t, self._cells[self._tops_first.take(place) + t].astype(np.intp))

    def _lay(self, t: Tables, action: Tables, turn: Tables) -> None:
        """Lay the card that was paid for on a collection."""
        s = self.state
        side = action - self._first_side
        place = side * self._P + turn
        kind = s.apart[t].astype(np.intp)
        before = self._add_to_collection(t, kind, place, turn)
        where = self._history_first + before[LAID].astype(np.intp) * self._N + t
        self._cells[where] = kind
        self._cells[where + self._history_step] = place
        s.side[t] = side
        s.beneath[t] = before[TOP]
        s.apart[t] = self.kinds
        self._offer(t, kind, before[HEIGHT] > ZERO)

    # ---------------------------------------------------------------- seen and told

    def _write_to_act(self, out: Bytes) -> None:
        out[:] = self._actor

    def _write_phase(self, out: Bytes) -> None:
        out[:] = self.state.phase

    def _observe(self, seat: Bytes | None, out: Bytes) -> None:
        self._observer.write(seat, out)

    def _tie_keys(self, tables: NDArray[np.intp]) -> list[NDArray[Any]]:
        return [self._public.hand_sizes.take(tables, axis=1)]

    def census(self) -> NDArray[np.integer]:
        """(K, N) how many cards of each kind there are, over all places.

        The tables differ by the families in play, so the cards that are out of play count as well.
        """
        s, k, n = self.state, self.kinds, self.num_envs
        found = np.zeros((k + 1, n), np.int64)
        found[:k] = s.line.astype(np.int64) + s.discards
        found[:k] += s.known[:, 0].sum(axis=0, dtype=np.int64)
        found[:k] += self._public.laid.sum(axis=1, dtype=np.int64)
        for row, kind in enumerate(s.deck):
            found[kind, self._lanes] += row < s.deck_size
        for kind in (*s.looked, np.where(self._lies_apart(), s.apart, k)):
            found[kind, self._lanes] += 1
        out_of_play = s.families[self.cards.family[:k]] == 0
        found[:k] += out_of_play * self.cards.copies[:k, None]
        return found[:k]

    def _snapshot(self, table: int) -> dict[str, Any]:
        return table_of(self, table)

    def _describe(self, action: int, table: int | None) -> str:
        return describe(self, action, table)

    def render(self, table: int = 0) -> str:
        """One table as text, hidden cards included."""
        return render_text(self.snapshot(table))

    def heuristic(self) -> Policy:
        """The greedy player of heuristic.py."""
        return greedy(self)
