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
    Bytes,
    Tables,
)
from fold_envs.games.origami.scoring import COUNTED, HEIGHT, MOST_SHOWN, POINTS, TOP, Scoring
from fold_envs.games.origami.taking import DRAW_FOLDS
from fold_envs.games.origami.view import describe, render_text, table_of

Step = Callable[[Tables, NDArray[np.intp]], None]

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
    mask_is_all = False

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
        # what is done with an action in which phases
        self._steps: list[tuple[Step, list[int]]] = [
            (self._turn_action, [TURN]),
            (self._take, [TAKE]),
            (self._extra, [EXTRA]),
            (self._spend, [PAY, DISCARD_ONE, HAND_LIMIT]),
            (self._place_action, [PLACE]),
            (self._instant_action, [INSTANT]),
            (self._copy_action, [COPY_CHOICE]),
            (self._steal_action, [STEAL_CHOICE]),
            (self._look, [LOOK]),
            (self._choose, [GIVE_UP, PASS]),
        ]

    # ---------------------------------------------------------------- set-up

    def _deal(self, state: State, streams: Streams) -> None:
        p, n, k = self.num_players, state.num_envs, self.kinds
        lanes, one = np.arange(n), np.uint8(1)
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

        # hands from the top, one seat after the other, until they hold enough folds
        total = running_sums(self.cards.folds[cards]).astype(np.intp)
        ends, folds = np.empty((2, p, n), np.intp)
        before = np.zeros(n, np.intp)
        for seat in range(p):
            full = total >= before + DEAL_FOLDS
            ends[seat] = full.argmax(axis=0) + 1
            after = total[ends[seat] - 1, lanes]
            folds[seat], before = after - before, after
        public, last = self._public_of(state), ends[-1]
        public.hand_sizes[:] = np.diff(ends, axis=0, prepend=0)
        row, table = (np.arange(size)[:, None] < last).nonzero()
        kind = cards[row, table].astype(np.intp) * n + table
        seat_of = np.add.reduce(row >= ends[:, table], axis=0, dtype=np.intp)
        for observer in range(p):  # dealt face up
            pile = observer * p + (seat_of - observer) % p
            np.add.at(state.known.reshape(-1), pile * (k * n) + kind, one)
        np.add.at(state.line, (cards[last + np.arange(LINE_SIZE)[:, None], lanes], lanes), one)
        state.line_size[:] = LINE_SIZE
        state.deck[:] = cards[::-1]
        state.deck_size[:] = size - LINE_SIZE - last

        lots = words[-p:]  # the fewest folds start, ties by lot
        lots[folds > folds.min(axis=0)] = _LAST_LOT
        state.seats[:] = lots.argmin(axis=0)
        for nothing in (public.tops, state.beneath, state.apart, state.looked, state.chosen):
            nothing[...] = k

    # ---------------------------------------------------------------- decisions

    def _groups_of(self) -> np.uint8:
        return np.uint8(0)  # the layers find the tables of each phase themselves

    def _apply(self, group: int, actions: NDArray[np.intp]) -> None:
        if self._stale:
            self._refresh()  # the step uses what the mask found out
        for step, phases in self._steps:
            groups = [t for t in (self._tables_in[phase] for phase in phases) if len(t)]
            if groups:
                t = groups[0] if len(groups) == 1 else np.concatenate(groups)
                if self._on is not None:
                    t = t[self._on[t]]
                step(t, actions[t])
        self._settle_losses()
        self._settle_draws()
        self._settle_sweeps()
        self._settle_choices()
        self._end_turns()

    def _turn_action(self, t: Tables, action: NDArray[np.intp]) -> None:
        s = self.state
        plays = action < self.kinds
        kind = action[plays]
        self._play(t[plays], kind, self.cards.cost[kind])
        drawer = t[action == self._draw_action]
        self._begin_taking(drawer, DRAW_FOLDS, False)
        bare = drawer[s.line_size[drawer] == 0]
        if len(bare):  # it only refills
            self._refill(bare)
            self._ended[bare] = True
        uses = action > self._yes
        t = t[uses]
        if len(t):
            side = action[uses] - self._first_side
            self._use(t, self._cells[self._tops_first[side, self._turn[t]] + t])

    def _instant_action(self, t: Tables, action: NDArray[np.intp]) -> None:
        refuses = action != self._yes
        self._ended[t] = refuses
        self._carry_out(t[~refuses])

    def _copy_action(self, t: Tables, action: NDArray[np.intp]) -> None:
        copies = action < self.kinds
        self._ended[t] = ~copies
        t, kind = t[copies], action[copies]
        self.state.effect[t] = self.cards.effect[kind]
        self.state.amount[t] = self.cards.amount[kind]
        self._carry_out(t)

    def _steal_action(self, t: Tables, action: NDArray[np.intp]) -> None:
        self._ended[t] = True
        thief = t[action != self._no]
        step = action[action != self._no] - self._first_seat + 1
        self._steal(thief, (self._turn[thief] + step) % self.num_players)

    def _place_action(self, t: Tables, action: NDArray[np.intp]) -> None:
        """Lay the card that was paid for on a collection."""
        s = self.state
        side, turn = action - self._first_side, self._turn[t].astype(np.intp)
        place = side * self.num_players + turn
        kind = s.apart[t].astype(np.intp)
        rows = self._row_first[:, place] + self._row_steps[:, kind] + t
        counts = self._cells[rows]
        points = s.points[turn, t] + self._points_for(kind, counts)
        s.points[turn, t] = points
        self._cells[rows[POINTS]] = np.minimum(points, MOST_SHOWN)
        self._cells[rows[COUNTED]] = counts[COUNTED] + self._laid_amounts[:, kind]
        self._cells[rows[TOP]] = kind
        order = s.laid[t]
        s.history[0, order, t] = kind
        s.history[1, order, t] = place
        s.laid[t] = order + 1
        s.side[t] = side
        s.beneath[t] = counts[TOP]
        s.apart[t] = self.kinds
        self._offer(t, kind, counts[HEIGHT] > 0)

    # ---------------------------------------------------------------- seen and told

    def _write_to_act(self, out: Bytes) -> None:
        out[:] = self._actor

    def _write_phase(self, out: Bytes) -> None:
        out[:] = self.state.phase

    def _observe(self, seat: Bytes | None, out: Bytes) -> None:
        self._observer.write(seat, out)

    def _tie_keys(self) -> list[NDArray[Any]]:
        return [self._public.hand_sizes]

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
