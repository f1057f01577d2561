"""Plays all but the learning seats until those must act: what a face does between decisions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import BatchGame
from fold_envs.engine.errors import IllegalActionError
from fold_envs.opponents import OpponentSpec, as_policy

_UNSEEN = np.zeros((0, 0), np.uint8)  # for policies that do not look
_SHARE = 4  # a part is a quarter of its batch
_LEAST = 64  # tables of a part; below, calls cost more than tables


class Turns:
    """A batch of tables and, inside, a smaller one for the times when few of its tables wait.

    A step costs nearly the same however few tables take part, and the tables of most games fall out
    of step. So when a quarter of them or fewer wait, these move to a part of that size, play on
    there (which may have a part in its turn), and come back when all learning seats must act. The
    streams move with their tables: nobody's play depends on where it happened.

    Args:
        game: the tables.
        seats: (N,) uint8, the learning seats; read anew at every call.
        specs: one opponent for all other seats, or one for each, from the learning seat's left.
        skip_forced: play decisions of the learning seats that leave one legal action.
    """

    def __init__(
        self,
        game: BatchGame,
        seats: NDArray[np.uint8],
        specs: Sequence[OpponentSpec],
        skip_forced: bool,
    ) -> None:
        self.game = game
        self.seats = seats
        self.specs = specs
        self.skip_forced = skip_forced
        self._policies = [as_policy(spec, game) for spec in specs]
        self._look = any(needs for _, needs in self._policies)
        # names give legal actions by construction; what users bring is checked
        self._trusted = all(isinstance(spec, str) for spec in specs)
        self._lanes = np.arange(game.num_envs)
        self._part: Turns | None = None

    def collect(self, earned: NDArray[np.float32]) -> None:
        """Add to ``earned`` (N,) what the last step paid to the learning seats."""
        if self.game.paid:
            earned += self.game.rewards[self.seats, self._lanes]

    def play_on(self, earned: NDArray[np.float32]) -> None:
        """Play until every learning seat must act or its game is over.

        Args:
            earned: (N,) is increased by what the learning seats are paid meanwhile.

        Raises:
            IllegalActionError: an opponent's action is not legal.
        """
        game = self.game
        while True:
            own = game.to_act == self.seats
            asked = None  # all: cheaper than a mask of all
            if game.num_envs == 1 and not self.skip_forced:  # here every array call counts
                if own[0] or game.done[0]:
                    return
            else:
                waiting = ~own
                if self.skip_forced:
                    waiting |= game.legal.sum(axis=0) == 1
                if np.count_nonzero(game.done):
                    waiting &= ~game.done
                count = np.count_nonzero(waiting)
                if not count:
                    return
                size = game.num_envs // _SHARE
                if count <= size and size >= _LEAST:
                    self._play_apart(waiting, size, earned)
                    return
                if count < game.num_envs:
                    asked = waiting
            actions = self._choose(asked, own)
            try:
                game.step(actions, asked, on_illegal="trust" if self._trusted else "raise")
            except IllegalActionError as error:
                raise IllegalActionError(f"an opponent played an illegal action: {error}") from None
            self.collect(earned)

    def _play_apart(
        self, waiting: NDArray[np.bool_], size: int, earned: NDArray[np.float32]
    ) -> None:
        tables = waiting.nonzero()[0]
        idle = (~waiting).nonzero()[0][: size - len(tables)]  # they fill the part up
        both = np.concatenate((tables, idle))
        if self._part is None:
            game = self.game.copy(self._lanes[:size])
            self._part = Turns(game, np.zeros(size, np.uint8), self.specs, self.skip_forced)
        part = self._part
        part.seats[:] = self.seats[both]
        paid = np.zeros(size, np.float32)
        self.game._lend(both, part.game)
        try:
            part.play_on(paid)
        finally:
            self.game._take_back(tables, part.game)
        earned[tables] += paid[: len(tables)]

    def _choose(
        self, waiting: NDArray[np.bool_] | None, own: NDArray[np.bool_]
    ) -> NDArray[np.intp]:
        """Actions of the seats to act at the tables of ``waiting`` (None: all)."""
        if not self.skip_forced:
            return self._ask(waiting)
        forced = np.argmax(self.game.legal, axis=0)
        asked = ~own if waiting is None else waiting & ~own
        return np.where(own, forced, self._ask(asked)) if np.count_nonzero(asked) else forced

    def _ask(self, waiting: NDArray[np.bool_] | None) -> NDArray[np.intp]:
        game, stream = self.game, self.game.side_stream
        observation = game.observe() if self._look else _UNSEEN
        if len(self._policies) == 1:
            return self._policies[0][0](observation, game.legal, stream, waiting)
        p = game.num_players
        left = (game.to_act + np.uint8(p - 1) - self.seats) % p  # 0: the next seat clockwise
        actions = np.zeros(game.num_envs, np.intp)
        for number, (policy, _) in enumerate(self._policies):
            mine = left == number
            if waiting is not None:
                mine &= waiting
            if np.count_nonzero(mine):
                chosen = policy(observation, game.legal, stream, mine)
                np.copyto(actions, chosen, where=mine)
        return actions
