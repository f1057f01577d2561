"""BatchGame: N tables of one game at once, every seat, in NumPy. The truth that all faces adapt.

Arrays end with the env axis N ("batch last"): each NumPy call is one long loop over tables. How a
rule is written once for tables in different phases is said in groups.py.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fold_envs.engine.arguments import (
    as_actions,
    as_mask,
    as_seats,
    as_seeds,
    as_tables,
    plain,
)
from fold_envs.engine.errors import GameOverError, IllegalActionError, InvalidOptionError
from fold_envs.engine.groups import Groups
from fold_envs.engine.layout import Layout
from fold_envs.engine.rng import Streams, derive_keys
from fold_envs.engine.state import Field, State, put_columns
from fold_envs.engine.tables import check_choice, check_int

REWARDS = ("win", "margin", "score")
_DEALT_AHEAD = 4096  # most tables of a game that deals ahead; more next games leave the cache
_BELOW_ALL_KEYS = np.int32(np.iinfo(np.int32).min)
_ON_ILLEGAL = ("raise", "lose", "trust")  # of a step

# (observation (D, N), legal (A, N), side stream, tables asked (N,) bool or None) -> actions (N,)
Policy = Callable[
    [NDArray[np.uint8], NDArray[np.bool_], Streams, "NDArray[np.bool_] | None"], NDArray[np.intp]
]

_STREAM_FIELDS = (
    Field("seed", (), np.uint64),  # as given to reset
    Field("episode", (), np.uint64),  # number of this game since the seed, from 0
    Field("key", (), np.uint64),  # the game's own random stream
    Field("counter", (), np.uint64),
    Field("side_key", (), np.uint64),  # the stream for whoever plays at this table
    Field("side_counter", (), np.uint64),
    Field("over", (), np.bool_),
    Field("illegal", (), np.uint8),  # 1 + the seat that lost by an illegal action, else 0
)


class BatchGame(Groups, ABC):
    """``num_envs`` tables of one game.

    Args:
        num_envs: number of tables N.
        num_players: seats P at every table; the game's default if None.
        reward: "win", "margin" or "score"; paid once, when a game ends.
        on_illegal: "raise" an IllegalActionError and change nothing, or "lose": the seat that
            chose it loses at once with reward -1 and the others share +1.
        autoreset: start the next game of a table in the step that ends one; ``done``, ``rewards``,
            ``final_scores``, ``winners`` and ``tie_break`` then tell how the old one ended.
        check: False skips the check of actions (for benchmarks); illegal ones are then undefined.

    Attributes:
        num_envs, num_players, num_actions: N, P, A.
        actions: Layout of the A actions.
        layout: Layout of the D observation features.
        done: (N,) bool, the game is over (with autoreset: it ended in the last step).
        rewards: (P, N) float32, what the last step paid to each seat.
        paid: the last step ended a game somewhere; if False, ``rewards`` is all zero.
        final_scores: (P, N) int16, scores of the last game that ended at each table.
        winners: (P, N) bool, who won it (several when shared).
        tie_break: (N,) uint8, 0 if scores alone decided it, else 1 + index in ``tie_breaks``.

    All arrays named here and returned by ``legal``, ``to_act`` and ``observe`` are the game's own
    buffers, overwritten by later calls: copy what you keep.
    """

    name: ClassVar[str]
    players: ClassVar[range]
    default_players: ClassVar[int]
    phases: ClassVar[tuple[str, ...]]
    tie_breaks: ClassVar[tuple[str, ...]] = ()
    score_scale: ClassVar[float] = 1.0  # reward="score" is own score / this
    margin_scale: ClassVar[float] = 1.0  # reward="margin" is the lead / this
    # True: computing the mask leaves nothing in the game that steps or observations read
    mask_is_all: ClassVar[bool] = False

    def __init__(
        self,
        num_envs: int = 1,
        *,
        num_players: int | None = None,
        reward: str = "win",
        on_illegal: str = "raise",
        autoreset: bool = False,
        check: bool = True,
    ) -> None:
        super().__init__(check_int(plain(num_envs), 1, 1 << 24, "num_envs"))
        if num_players is None:
            num_players = self.default_players
        self.num_players = check_int(
            plain(num_players), self.players[0], self.players[-1], f"{self.name}: num_players"
        )
        self.reward = check_choice(reward, REWARDS, "reward")
        self.on_illegal = check_choice(on_illegal, ("raise", "lose"), "on_illegal")
        self.autoreset = check_choice(autoreset, (True, False), "autoreset")
        self.check = check_choice(check, (True, False), "check")
        self.actions, self.layout = self._layouts()
        self.num_actions = self.actions.size

        n, p = self.num_envs, self.num_players
        self.state = State((*_STREAM_FIELDS, *self._fields()), n)
        self.state.over[:] = True  # nothing runs before reset
        self.done = np.ones(n, bool)
        self.rewards = np.zeros((p, n), np.float32)
        self.final_scores = np.zeros((p, n), np.int16)
        self.winners = np.zeros((p, n), bool)
        self.tie_break = np.zeros(n, np.uint8)
        # of the winner-takes-all reward, by number of winners what each gets; at 0 what losers do
        number = np.arange(1, p + 1, dtype=np.float32)
        others = np.float32(max(1, p - 1))
        self._shares = np.append(np.float32(-1) / others, (p - number) / (number * others))
        self._legal = np.zeros((self.num_actions, n), bool)
        self._legal_bytes = self._legal.view(np.uint8)
        self._obs = np.zeros((self.layout.size, n), np.uint8)
        self._to_act = np.zeros(n, np.uint8)
        self._ahead: State | None = None  # the next games: see _start_ahead
        self._stale = True  # _legal and _to_act lag behind the state
        self._any_over = True
        self.paid = False
        self._started = False
        self._numbers: NDArray[np.intp] | None = None  # of lent tables, where they came from
        self._bind()

    # ---------------------------------------------------------------- what a game provides

    @abstractmethod
    def _layouts(self) -> tuple[Layout, Layout]:
        """The layouts of actions and of the observation."""

    @abstractmethod
    def _fields(self) -> Sequence[Field]:
        """The state arrays of the game."""

    def _bind(self) -> None:
        """Called once, when ``self.state`` is there: keep shortcuts to its arrays here."""

    @abstractmethod
    def _deal(self, state: State, streams: Streams) -> None:
        """Set up a new game in every table of ``state``, which is zero but for the streams."""

    def _advance(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        """Play ``actions`` (legal ones) at the ``live`` tables (None: all), by groups.

        A game may add steps after it, or override it to play all groups together.
        """
        for group in self._groups(self._groups_of(), live):
            self._apply(group, actions)

    def _write_legal(self, legal: NDArray[np.uint8]) -> None:
        """Write the mask (A, N), by groups; a game that knows a shorter way overrides it."""
        legal[...] = 0
        for group in self._groups(self._groups_of(), None):
            self._mark_legal(group, legal)

    def _groups_of(self) -> np.uint8 | NDArray[np.uint8]:
        """(N,) small numbers: tables with the same number form a group; one number if all do.

        This and the next two are for games that do not override the two above.
        """
        raise NotImplementedError

    def _apply(self, group: int, actions: NDArray[np.intp]) -> None:
        """Play ``actions`` at the tables of ``group``."""
        raise NotImplementedError

    def _mark_legal(self, group: int, legal: NDArray[np.uint8]) -> None:
        """Write (through ``_put``) the mask of ``group`` into ``legal`` (A, N), zero so far."""
        raise NotImplementedError

    @abstractmethod
    def _write_to_act(self, out: NDArray[np.uint8]) -> None:
        """Write the absolute seat that must act at every table."""

    @abstractmethod
    def _write_phase(self, out: NDArray[np.uint8]) -> None:
        """Write the index into ``phases`` of every table."""

    @abstractmethod
    def _observe(self, seat: NDArray[np.uint8] | None, out: NDArray[np.uint8]) -> None:
        """Write what absolute ``seat`` (None: the one to act) sees at every table, all (D, N)."""

    @abstractmethod
    def _write_scores(self, out: NDArray[np.int16]) -> None:
        """Write the scores (P, N) as the rules count them now."""

    def _scores_of(self, tables: NDArray[np.intp]) -> NDArray[np.int16]:
        """(P, m) the scores at ``tables``; a game may override it to count only those."""
        return self.scores[:, tables]

    def _tie_keys(self, tables: NDArray[np.intp]) -> Sequence[NDArray[Any]]:
        """(P, m) arrays, one for each of ``tie_breaks``: among equal scores the larger wins."""
        return ()

    @abstractmethod
    def _snapshot(self, table: int) -> dict[str, Any]:
        """The complete state of one table in plain Python."""

    @abstractmethod
    def _describe(self, action: int, table: int | None) -> str:
        """An action in the game's words; with a table, what it means there."""

    @abstractmethod
    def _resample(self, seats: NDArray[np.intp]) -> None:
        """Redraw from the side stream all that ``seats`` (one a table) cannot know."""

    @abstractmethod
    def heuristic(self, *args: Any, **options: Any) -> Policy:
        """The game's greedy player, which knows the observation and the mask alone.

        Its draws, if any, come from the stream it is given, for the tables asked only.
        """

    @abstractmethod
    def render(self, table: int = 0) -> str:
        """One table as text, hidden things included."""

    @abstractmethod
    def census(self) -> NDArray[np.integer]:
        """(kinds, N) how often each component is found, over all places; constant if rules hold."""

    def _write_rewards(
        self,
        scores: NDArray[np.int16],
        winners: NDArray[np.bool_],
        tables: NDArray[np.intp],
    ) -> NDArray[Any]:
        """(P, m) final rewards of the games that ended at ``tables``, by ``self.reward``.

        A game overrides this for other schemes; ``scores`` and ``winners`` are (P, m).
        """
        p = self.num_players
        if self.reward == "score":
            return scores / np.float32(self.score_scale)
        if self.reward == "margin":
            best_other = [np.delete(scores, seat, axis=0).max(axis=0) for seat in range(p)]
            return (scores - np.stack(best_other)) / np.float32(self.margin_scale)
        share = self._shares.take(np.add.reduce(winners, axis=0, dtype=np.intp))
        return np.where(winners, share, self._shares[0])

    # ---------------------------------------------------------------- public: play

    def reset(self, seeds: int | ArrayLike | None = None, where: ArrayLike | None = None) -> None:
        """Start new games.

        Args:
            seeds: an integer s (table i gets s + i), one integer for each table (N,), or None for
                the next game of each table's stream (at first: seeds from the system).
            where: (N,) bool or a list of tables; None means all of them.

        Raises:
            InvalidOptionError: seeds or where have a wrong shape, type or range.
        """
        tables = None if where is None else as_tables(where, self.num_envs)
        if seeds is None and not self._started:
            seeds = secrets.randbits(48)
        checked = None if seeds is None else as_seeds(seeds, self.num_envs)
        if checked is not None and not self._started:
            self.state.seed[:] = checked  # also of tables whose first reset comes later
        if tables is None or len(tables):
            self._start(tables, checked)
        self._started = True
        if self.paid:
            self.rewards[:] = 0
            self.paid = False

    def step(
        self,
        actions: ArrayLike,
        where: ArrayLike | None = None,
        *,
        on_illegal: str | None = None,
    ) -> None:
        """Play one action at every table (or at those of ``where``); finished tables stay so.

        Args:
            actions: (N,) integers; entries of tables that do not play are ignored.
            where: (N,) bool or a list of tables; None means all of them.
            on_illegal: overrides the game's option for this step; "trust" skips the check.

        Raises:
            IllegalActionError: an action is not legal and ``on_illegal="raise"``; nothing changed.
            GameOverError: every table asked to play is over (or was never reset).
            InvalidOptionError: wrong shape or type.
        """
        actions = as_actions(actions, self.num_envs)
        if on_illegal is None:
            on_illegal = self.on_illegal
        elif on_illegal not in _ON_ILLEGAL:
            check_choice(on_illegal, _ON_ILLEGAL, "on_illegal")
        live = None if where is None else as_mask(where, self.num_envs)
        if self._any_over:
            running = ~self.state.over
            live = running if live is None else live & running
            if not np.count_nonzero(live):
                raise GameOverError(f"{self.name}: no table to play at; call reset first")
        if live is not None and np.count_nonzero(live) == len(live):
            live = None
        losing = None
        if self.check and on_illegal != "trust":
            losing = self._check_actions(actions, live, on_illegal)
        if self.paid:
            self.rewards[:] = 0
            self.paid = False
        if self.autoreset:
            self.done[:] = False
        if losing is not None:
            live = ~losing if live is None else live & ~losing
        self._advance(actions, live)
        self._stale = True
        over = self.state.over
        if np.count_nonzero(over):  # on bool arrays several times cheaper than any()
            self._finish(over if live is None else over & live, losing)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """(A, N) bool, what the seat to act may do; all True at a table whose game is over."""
        if self._stale:
            self._refresh()
        return self._legal

    @property
    def to_act(self) -> NDArray[np.uint8]:
        """(N,) the absolute seat that must act."""
        if self._stale:
            self._refresh()
        return self._to_act

    @property
    def phase(self) -> NDArray[np.uint8]:
        """(N,) index into ``phases``; a fresh array."""
        out = np.zeros(self.num_envs, np.uint8)
        self._write_phase(out)
        return out

    @property
    def scores(self) -> NDArray[np.int16]:
        """(P, N) scores as the rules count them now; a fresh array."""
        out = np.zeros((self.num_players, self.num_envs), np.int16)
        self._write_scores(out)
        return out

    def observe(self, seat: int | ArrayLike | None = None) -> NDArray[np.uint8]:
        """(D, N) uint8 features, each at most ``layout.high``, of what a seat knows.

        Args:
            seat: an absolute seat, one for each table (N,), or None for whoever must act.
        """
        self._observe(
            None if seat is None else as_seats(seat, self.num_players, self.num_envs), self._obs
        )
        return self._obs

    def random_legal(self, where: ArrayLike | None = None) -> NDArray[np.intp]:
        """(N,) uniform legal actions, drawn from each table's side stream."""
        asked = None if where is None else as_mask(where, self.num_envs)
        return self.side_stream.choose(self.legal, asked)

    @property
    def side_stream(self) -> Streams:
        """The stream of those who play at the table: their draws never disturb the game's own."""
        return Streams(self.state.side_key, self.state.side_counter)

    # ---------------------------------------------------------------- public: look and branch

    def snapshot(self, table: int) -> dict[str, Any]:
        """One table in plain Python, hidden things included: complete, for people and tests."""
        table = check_int(plain(table), 0, self.num_envs - 1, "table")
        self._refresh()
        return {
            "game": self.name,
            "num_players": self.num_players,
            "seed": int(self.state.seed[table]),
            "episode": int(self.state.episode[table]),
            "phase": self.phases[self.phase[table]],
            "to_act": int(self._to_act[table]),
            "over": bool(self.state.over[table]),
            "scores": [int(score) for score in self.scores[:, table]],
            **self._snapshot(table),
        }

    def describe_action(self, action: int, table: int | None = None) -> str:
        """``action`` in the game's words; given a table, what it would do there."""
        action = check_int(plain(action), 0, self.num_actions - 1, "action")
        if table is not None:
            table = check_int(plain(table), 0, self.num_envs - 1, "table")
        return self._describe(action, table)

    def get_state(self, tables: ArrayLike | None = None) -> State:
        """An independent copy of all tables, or of ``tables``, random streams included."""
        return self.state.take(as_tables(tables, self.num_envs))

    def set_state(self, state: State, tables: ArrayLike | None = None) -> None:
        """Take over a state that ``get_state`` of a game with the same options returned.

        Args:
            state: as many tables as there are, or as there are ``tables``, in that order.
            tables: (N,) bool or a list of different tables, the only ones that change.

        Raises:
            InvalidOptionError: the state is of another game, size or option set, or a table is
                named twice; nothing changed.
        """
        chosen = as_tables(tables, self.num_envs)
        if not isinstance(state, State):
            raise InvalidOptionError(f"{state!r} is not what get_state returned")
        if state.fields != self.state.fields or state.num_envs != len(chosen):
            raise InvalidOptionError(
                f"this state belongs to other options or is not of {len(chosen)} tables"
            )
        if len(np.unique(chosen)) < len(chosen):
            raise InvalidOptionError(f"tables: {tables!r} names a table twice")
        if tables is None:
            self._load(state)
            self.paid = False
        else:
            self.state.put(chosen, state)
            self.done[chosen] = self.state.over[chosen]
            self._any_over = bool(self.state.over.any())
            self._stale = True
        for ending in (self.rewards, self.final_scores, self.winners, self.tie_break):
            ending[..., chosen] = 0  # they told of games that are gone; nothing is paid again
        # without a key it was never dealt
        over = chosen[self.state.over[chosen] & (self.state.key[chosen] > 0)]
        if len(over) and not self.autoreset:
            self._settle(over)

    def copy(self, tables: ArrayLike | None = None) -> BatchGame:
        """A new game whose tables are copies of ``tables`` (all if None; repeats allowed)."""
        chosen = as_tables(tables, self.num_envs)
        options = self.options | {"num_envs": len(chosen)}
        new = type(self)(**options)
        new._load(self.state.take(chosen))
        for name in ("rewards", "final_scores", "winners", "tie_break", "done"):
            getattr(new, name)[:] = getattr(self, name)[..., chosen]
        new.paid, new._started = self.paid, self._started
        return new

    @property
    def options(self) -> dict[str, Any]:
        """The constructor arguments that build this game; games add their own."""
        names = ("num_envs", "num_players", "reward", "on_illegal", "autoreset", "check")
        return {name: getattr(self, name) for name in names}

    def resample_unknown(self, seats: int | ArrayLike | None = None) -> None:
        """Redraw what ``seats`` (default: the ones to act) cannot know; what they know stays.

        For search by determinisation: ``copy`` first. Draws from the side stream.
        """
        chosen = self.to_act if seats is None else as_seats(seats, self.num_players, self.num_envs)
        self._resample(chosen.astype(np.intp))
        self._stale = True

    def state_vector(self) -> NDArray[np.uint8]:
        """(F, N) uint8: what all seats know together, seen from the one to act; for critics.

        The observation of the seat to act, then the private parts of each next seat clockwise.
        """
        first = self.to_act.copy()
        private = ~self.layout.public
        parts = [self.observe(first).copy()]
        for step in range(1, self.num_players):
            parts.append(self.observe((first + step) % self.num_players)[private])
        return np.concatenate(parts)

    def state_vector_high(self) -> NDArray[np.uint8]:
        """(F,) uint8, the largest value of each feature of ``state_vector``."""
        private = self.layout.high[~self.layout.public]
        return np.concatenate([self.layout.high, *[private] * (self.num_players - 1)])

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.options, self.state.blocks, self._ending())

    def _ending(self) -> dict[str, Any]:
        names = ("rewards", "final_scores", "winners", "tie_break", "done", "paid", "_started")
        return {name: getattr(self, name) for name in names}

    # ---------------------------------------------------------------- for games

    def _end_game(self, when: NDArray[np.bool_] | None = None) -> None:
        """Mark the games of the group at work as over (or those among them where ``when``)."""
        over = self.state.over
        if when is None:
            when = self._on
        elif self._on is not None:
            when = when & self._on
        if when is None:
            over[:] = True
        else:
            over |= when

    # ---------------------------------------------------------------- inside

    def _refresh(self) -> None:
        self._write_legal(self._legal_bytes)
        self._write_to_act(self._to_act)
        if self._any_over:
            self._legal |= self.state.over
        self._stale = False

    def _start(self, tables: NDArray[np.intp] | None, seeds: NDArray[np.uint64] | None) -> None:
        state = self.state
        chosen = slice(None) if tables is None else tables
        if tables is not None and seeds is None and 1 < self.num_envs <= _DEALT_AHEAD:
            self._start_ahead(tables)
        else:
            if seeds is None:
                seed, episode = state.seed[chosen].copy(), self._next_episode()[chosen]
            else:
                seed, episode = seeds[chosen], np.uint64(0)
            if tables is None:
                for block in state.blocks.values():
                    block[...] = 0
                self._deal_to(state, seed, episode)
            else:
                fresh = State(state.fields, len(tables))
                self._deal_to(fresh, seed, episode)
                state.put(tables, fresh)
        self.done[chosen] = False
        self._any_over = tables is not None and bool(np.count_nonzero(state.over))
        self._stale = True

    def _deal_to(self, fresh: State, seed: NDArray[np.uint64], episode: NDArray[np.uint64]) -> None:
        """Set up the games number ``episode`` of ``seed`` in ``fresh``, which is zero so far."""
        fresh.seed[:], fresh.episode[:] = seed, episode
        fresh.key[:] = derive_keys(seed, fresh.episode)
        fresh.side_key[:] = derive_keys(fresh.key.copy(), 1)
        self._deal(fresh, Streams(fresh.key, fresh.counter))

    def _next_episode(self) -> NDArray[np.uint64]:
        """(N,) the number of the game that comes next; 0 where none was dealt (no key yet)."""
        return self.state.episode + (self.state.key > 0)

    def _start_ahead(self, tables: NDArray[np.intp]) -> None:
        """The next games of ``tables``, from those dealt long before.

        Games end one by one, and dealing one costs nearly as much as dealing a hundred: so when
        one is missing, all tables get their next game that have used the last one.
        """
        state = self.state
        if self._ahead is None:
            self._ahead = State(state.fields, self.num_envs)
        ahead, episode = self._ahead, self._next_episode()
        stale = (ahead.episode != episode) | (ahead.seed != state.seed) | (ahead.key == 0)
        if np.count_nonzero(stale[tables]):
            old = stale.nonzero()[0]
            fresh = State(state.fields, len(old))
            self._deal_to(fresh, state.seed[old], episode[old])
            ahead.put(old, fresh)
        state.copy_from(ahead, tables)

    def _finish(self, ended: NDArray[np.bool_], losing: NDArray[np.bool_] | None) -> None:
        """Score the games that ended in this step, pay, and start the next ones if asked."""
        if losing is not None:
            ended = ended | losing
        tables = ended.nonzero()[0]
        if not len(tables):
            return
        self.rewards[:, tables] = self._settle(tables)
        self.paid = True
        if self.autoreset:
            self._start(None if len(tables) == self.num_envs else tables, None)
        else:
            self._any_over = True
        self.done[tables] = True  # `ended` may be a view of what has just been dealt anew

    def _settle(self, tables: NDArray[np.intp]) -> NDArray[Any]:
        """Note how the games at ``tables`` ended; returns the rewards (P, m) that are due."""
        scores = self._scores_of(tables)
        winners, broke = self._judge(scores, tables)
        rewards = self._write_rewards(scores, winners, tables)
        illegal = self.state.illegal[tables]
        if np.count_nonzero(illegal):  # who played an illegal action lost to all others
            losing = illegal > 0
            loser = np.arange(1, self.num_players + 1)[:, None] == illegal
            winners = np.where(losing, ~loser, winners)
            share = np.float32(1 / max(1, self.num_players - 1))
            rewards = np.where(losing, np.where(loser, np.float32(-1), share), rewards)
            broke = np.where(losing, 0, broke)
        self.final_scores[:, tables] = scores
        self.winners[:, tables] = winners
        self.tie_break[tables] = broke
        return rewards

    def _judge(
        self, scores: NDArray[np.int16], tables: NDArray[np.intp]
    ) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
        """Winners (P, m) by score and tie keys, and which key decided (m,), 0 for none."""
        winners = scores == np.maximum.reduce(scores)
        broke = np.zeros(len(tables), np.uint8)
        if self.tie_breaks and np.count_nonzero(winners) > len(tables):
            for number, key in enumerate(self._tie_keys(tables), start=1):
                best = np.maximum.reduce(np.where(winners, key, _BELOW_ALL_KEYS))
                left = winners & (key == best)
                broke[np.logical_or.reduce(left ^ winners)] = number
                winners = left
        return winners, broke

    def _check_actions(
        self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None, on_illegal: str
    ) -> NDArray[np.bool_] | None:
        """Raise on illegal actions, or mark the tables where the seat loses by one."""
        legal = self.legal
        if self.num_envs == 1:
            action = int(actions[0])
            if 0 <= action < self.num_actions and legal[action, 0]:
                return None
        inside = (actions >= 0) & (actions < self.num_actions)
        good = self._row(legal, np.where(inside, actions, 0)) & inside
        if live is not None:
            good |= ~live
        if good.all():
            return None
        if on_illegal == "raise":
            raise IllegalActionError(self._complain(actions, int(np.argmin(good))))
        losing = ~good
        self.state.illegal[losing] = self.to_act[losing] + 1
        self.state.over[losing] = True
        return losing

    def _complain(self, actions: NDArray[np.intp], table: int) -> str:
        action = int(actions[table])
        inside = 0 <= action < self.num_actions
        said = f" ({self._describe(action, table)})" if inside else ""
        choices = [
            f"{a} ({self._describe(int(a), table)})" for a in np.flatnonzero(self.legal[:, table])
        ]
        number = table if self._numbers is None else self._numbers[table]
        return (
            f"{self.name}, table {number}, seat {self.to_act[table]}, phase "
            f"{self.phases[self.phase[table]]}: action {action}{said} is not legal; legal are "
            + ", ".join(choices)
        )

    def _lend(self, tables: NDArray[np.intp], part: BatchGame) -> None:
        """Copy ``tables`` into ``part``, a smaller game of the same options, to play on there.

        For faces; nothing is checked.

        Args:
            tables: (m,) tables, one for each of the part's.
            part: made by ``copy``; all its tables are overwritten.
        """
        self.state.take(tables, part.state)
        part._after_load()
        if self.mask_is_all and not self._stale:
            self._legal.take(tables, axis=1, out=part._legal, mode="clip")
            self._to_act.take(tables, out=part._to_act, mode="clip")
            part._stale = False
        part._numbers = tables if self._numbers is None else self._numbers[tables]

    def _take_back(self, tables: NDArray[np.intp], part: BatchGame) -> None:
        """Let ``tables`` go on from where the first tables of ``part`` are now.

        They were not over when they were lent. How games ended comes along; what their ends paid
        is in the part's ``rewards`` alone, ``rewards`` and ``paid`` here do not tell of it.
        """
        self.state.put(tables, part.state)
        if not self.mask_is_all:
            self._stale = True
        elif not self._stale:
            put_columns(self._legal, tables, part.legal)
            put_columns(self._to_act[None], tables, part.to_act[None])
        ended = part.done[: len(tables)].nonzero()[0]
        if len(ended):
            there = tables[ended]
            for name in ("final_scores", "winners", "tie_break", "done"):
                getattr(self, name)[..., there] = getattr(part, name)[..., ended]
            self._any_over = True

    def _load(self, state: State) -> None:
        """``set_state`` without its checks, and without looking at how games ended."""
        self.state.put(slice(None), state)
        self._after_load()

    def _after_load(self) -> None:
        self._stale = True
        self._any_over = bool(self.state.over.any())
        self._started = True
        self.done[:] = self.state.over


def _rebuild(
    cls: type[BatchGame], options: dict[str, Any], blocks: dict[Any, Any], ending: dict[str, Any]
) -> BatchGame:
    """Unpickle: buffers are made anew, so that views point into their own blocks again."""
    game = cls(**options)
    for dtype, block in blocks.items():
        game.state.blocks[dtype][...] = block
    game._after_load()
    for name, value in ending.items():
        if isinstance(value, np.ndarray):
            getattr(game, name)[...] = value
        else:
            setattr(game, name, value)
    return game
