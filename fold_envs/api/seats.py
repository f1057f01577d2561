"""One learning seat at each of N tables, opponents in the others: what all faces share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from fold_envs.api.turns import Turns
from fold_envs.engine.arguments import as_mask, as_seats, as_tables, plain
from fold_envs.engine.batch_game import BatchGame
from fold_envs.engine.errors import GameOverError, InvalidOptionError
from fold_envs.engine.state import State, put_columns
from fold_envs.engine.tables import check_choice
from fold_envs.opponents import OpponentSpec
from fold_envs.registry import make_batch

OBS_DTYPES = ("float32", "uint8")
_MOST_DEALS = 1000
_SPARE_TABLES = 64  # up to so many tables, or such a share of N, are observed apart
_SPARE_SHARE = 8


class LearningSeats:
    """Plays the opponents, so that a face only ever sees its own seats' decisions.

    Args:
        env_id: which game.
        num_envs: number of tables N.
        seat: the learning seat, 0..P-1, or "random": drawn anew for every game.
        opponents: "random", "greedy", an ``Opponent``, a function, or a list of P-1 of these (the
            first sits to the left of the learning seat, the rest clockwise).
        skip_forced: play decisions of the learning seat that leave one legal action.
        obs_dtype: "float32" (in [0, 1]) or "uint8" (as the game writes it).
        on_illegal: what an illegal action of the learning seat does: "lose" (it loses at once with
            reward -1) or "raise".
        **options: options of the game.

    Attributes:
        game: the BatchGame underneath.
        seats: (N,) uint8, the learning seat of every table.
        done: (N,) bool, the game at the table is over.
    """

    def __init__(
        self,
        env_id: str,
        num_envs: int,
        *,
        seat: int | str = 0,
        opponents: OpponentSpec | Sequence[OpponentSpec] = "random",
        skip_forced: bool = False,
        obs_dtype: str = "float32",
        on_illegal: str = "lose",
        **options: Any,
    ) -> None:
        check_choice(on_illegal, ("lose", "raise"), "on_illegal")
        if "autoreset" in options:
            raise InvalidOptionError(f"{env_id}: autoreset: leave it out, the face decides that")
        self.game: BatchGame = make_batch(env_id, num_envs, on_illegal=on_illegal, **options)
        game = self.game
        p = game.num_players
        self.seat = check_choice(plain(seat), (*range(p), "random"), f"{env_id}: seat")
        self.opponents = opponents
        self.skip_forced = check_choice(skip_forced, (True, False), "skip_forced")
        self.obs_dtype = check_choice(obs_dtype, OBS_DTYPES, "obs_dtype")
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            listed = list(opponents)
            if len(listed) != p - 1:
                raise InvalidOptionError(
                    f"{env_id}: opponents: {len(listed)} given for {p - 1} other seats"
                )
        else:
            listed = [opponents]
        self._specs = listed
        self._stuck = False  # an opponent failed while the tables were waiting for it
        self.seats = np.full(num_envs, 0 if self.seat == "random" else self.seat, np.uint8)
        self._turns = Turns(game, self.seats, listed, self.skip_forced)
        self.num_envs = num_envs
        self.done = game.done
        self._lanes = np.arange(num_envs)
        self._scale = (1 / game.layout.high.astype(np.float32))[:, None]
        self._spare: BatchGame | None = None
        self._spare_most = min(max(_SPARE_TABLES, num_envs // _SPARE_SHARE), num_envs - 1)
        self._floats = np.empty((game.layout.size, num_envs), np.float32)

    @property
    def observation_space(self) -> spaces.Box:
        """What one table hands out."""
        layout = self.game.layout
        if self.obs_dtype == "uint8":
            return spaces.Box(np.zeros_like(layout.high), layout.high, dtype=np.uint8)
        return spaces.Box(0.0, 1.0, (layout.size,), np.float32)

    @property
    def action_space(self) -> spaces.Discrete:
        """The actions of one table."""
        return spaces.Discrete(self.game.num_actions)

    def reset(self, seeds: int | ArrayLike | None = None, where: ArrayLike | None = None) -> None:
        """New games (as ``BatchGame.reset``), played on until the learning seats must act.

        A game that ends before its learning seat came to act is no episode: the next one is dealt.
        After an opponent failed only a reset of all tables opens the way to ``step`` again.
        """
        asked = None if where is None else as_mask(where, self.num_envs)
        if asked is not None and asked.all():
            asked = None
        stuck = self._stuck and asked is not None
        for _ in range(_MOST_DEALS):
            self._start(seeds, asked)
            self._stuck = True
            self._turns.play_on(np.zeros(self.num_envs, np.float32))
            self._stuck = stuck
            if not np.count_nonzero(self.done):
                return
            seeds, asked = None, self.done.copy() if asked is None else self.done & asked
            if not asked.any():
                return
        raise GameOverError(f"{self.game.name}: the learning seat never comes to act")

    def _start(self, seeds: int | ArrayLike | None, where: NDArray[np.bool_] | None) -> None:
        self.game.reset(seeds, where)
        if self.seat == "random":
            drawn = self.game.side_stream.below(self.game.num_players, where)
            np.copyto(self.seats, drawn, "unsafe", where=True if where is None else where)

    def step(
        self,
        actions: ArrayLike,
        where: NDArray[np.bool_] | None = None,
        fresh: NDArray[np.bool_] | None = None,
    ) -> NDArray[Any]:
        """Play the learning seats' actions, then the opponents until those must act again.

        Args:
            actions: (N,) integers.
            where: (N,) bool, the tables that play; None: all.
            fresh: (N,) bool, tables that start their next game instead.

        Returns:
            (N,) float32, all that the learning seats were paid since their last action.
        """
        if self._stuck:
            raise GameOverError("an opponent failed in an earlier step; call reset first")
        self.game.step(actions, where)
        earned = np.zeros(self.num_envs, np.float32)
        self._turns.collect(earned)
        if fresh is not None:
            self._start(None, fresh)
        self._stuck = True
        self._turns.play_on(earned)
        self._stuck = False
        if fresh is not None:
            earned[fresh] = 0
            idle = fresh & self.done  # over before the learning seat came to act
            if np.count_nonzero(idle):
                self.reset(where=idle)
        return earned

    def __getstate__(self) -> dict[str, Any]:
        # what holds closures over the game, or its arrays, is made anew
        return self.__dict__ | {"_turns": None, "_spare": None, "done": None, "_floats": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.done = self.game.done
        self._floats = np.empty((self.game.layout.size, self.num_envs), np.float32)
        self._turns = Turns(self.game, self.seats, self._specs, self.skip_forced)

    def get_state(self, tables: ArrayLike | None = None) -> tuple[State, NDArray[np.uint8]]:
        """All tables or ``tables``, random streams included, and their learning seats."""
        chosen = as_tables(tables, self.num_envs)
        return self.game.get_state(chosen), self.seats[chosen]

    def set_state(
        self, state: tuple[State, NDArray[np.uint8]], tables: ArrayLike | None = None
    ) -> None:
        """Go back to what ``get_state`` of an object with the same options returned.

        ``tables``: as for ``BatchGame.set_state``.

        Raises:
            InvalidOptionError: it is something else; nothing changed.
        """
        chosen = as_tables(tables, self.num_envs)
        try:
            games, seats = state
            seats = as_seats(seats, self.game.num_players, len(chosen))
        except (TypeError, ValueError) as error:
            raise InvalidOptionError(f"this is not what get_state returned: {error}") from None
        self.game.set_state(games, tables)
        self.seats[chosen] = seats
        # it may have been taken after an opponent failed
        self._stuck = bool(np.count_nonzero((self.game.to_act != self.seats) & ~self.done))

    def observe(self, copy: bool = True) -> NDArray[Any]:
        """(N, D) observations of the learning seats; without ``copy`` a buffer used again."""
        observation = self._observe()
        if self.obs_dtype == "uint8":
            return (observation.copy() if copy else observation).T
        out = np.empty_like(self._floats) if copy else self._floats
        return np.multiply(observation, self._scale, out=out).T

    def observe_at(self, tables: NDArray[np.intp]) -> NDArray[Any]:
        """(len(tables), D) fresh observations of the learning seats of just these tables."""
        few = len(tables) <= self._spare_most
        seen = self._observe_on_spare(tables) if few else self._observe()[:, tables]
        return seen.T.copy() if self.obs_dtype == "uint8" else (seen * self._scale).T

    def _observe(self) -> NDArray[np.uint8]:
        game = self.game
        # at the usual moment every learning seat is the one to act, but where games are over
        others = (game.to_act != self.seats).nonzero()[0]
        if len(others) > self._spare_most:
            return game.observe(self.seats)
        observation = game.observe()
        if len(others):
            put_columns(observation, others, self._observe_on_spare(others))
        return observation

    def _observe_on_spare(self, tables: NDArray[np.intp]) -> NDArray[np.uint8]:
        """(D, len(tables)), on a copy of these tables alone: far less than all N."""
        if self._spare is None or self._spare.num_envs < len(tables):
            size = min(max(_SPARE_TABLES, 2 * len(tables)), self._spare_most)
            self._spare = self.game.copy(self._lanes[:size])
        slots = np.zeros(self._spare.num_envs, np.intp)
        slots[: len(tables)] = tables
        self.game._lend(slots, self._spare)
        return self._spare.observe(self.seats[slots])[:, : len(tables)]

    def masks(self, copy: bool = True) -> NDArray[np.bool_]:
        """(N, A) bool, legal actions; all True where the game is over."""
        legal = self.game.legal
        return (legal.copy() if copy else legal).T

    def ending(self, tables: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
        """How the games at ``tables`` ended; rows by table."""
        game = self.game
        illegal = game.state.illegal[tables] == self.seats[tables] + 1
        return {
            "scores": game.final_scores.T[tables],
            "winners": game.winners.T[tables],
            "tie_break": game.tie_break[tables].astype(np.int8),
            "seat": self.seats[tables],
            "illegal_action": illegal,
        }
