"""Toy: a hidden-card game small enough to be held in the head, for tests of engine and faces.

Cards 1..9; every seat gets three, the rest stays unseen. In turn a seat plays a card; an odd card
lets it boast once more, for 1 or 2 points. Score: cards played and boasts. The game ends when the
cards on the table sum to 15 or more, or when all hands are empty; ties: highest single card. So
tables of one batch drift into different phases and end at different times.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import BatchGame, Policy
from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rng import Streams
from fold_envs.engine.state import Field, State

CARDS, HAND, LIMIT = 9, 3, 15
PLAY, BOAST = range(2)


class Toy(BatchGame):
    """Actions: 0-2 play the card in that slot, 3-4 boast 1 or 2."""

    name = "Toy"
    players = range(2, 4)
    default_players = 2
    phases = ("play", "boast")
    tie_breaks = ("highest card",)
    score_scale = 20.0
    margin_scale = 10.0
    mask_is_all = True

    def __init__(self, num_envs: int = 1, *, limit: int = LIMIT, **options: Any) -> None:
        self.limit = limit
        super().__init__(num_envs, **options)

    @property
    def options(self) -> dict[str, Any]:
        return super().options | {"limit": self.limit}

    def _layouts(self) -> tuple[Layout, Layout]:
        p = self.num_players
        actions = Layout(
            Part("play", (HAND,), doc="play the card in this slot"),
            Part("boast", (2,), doc="boast 1, 2"),
        )
        observation = Layout(
            Part("hand", (HAND,), CARDS, False, "own cards, 0 none"),
            Part("owner", (CARDS,), p, True, "who played card 1-9: 0 nobody, 1 own seat, ..."),
            Part("boasts", (p,), 2 * HAND, True, "points boasted"),
            Part("phase", (2,), 1, True, "play, boast"),
            Part("to_act", (p,), 1, True, "who must act: own seat first"),
        )
        return actions, observation

    def _fields(self) -> Sequence[Field]:
        p = self.num_players
        return (
            Field("phase"),
            Field("turn"),  # seat to act
            Field("hand", (p, HAND)),
            Field("rest", (CARDS - p * HAND,)),
            Field("owner", (CARDS + 1,)),  # 1 + seat that played the card
            Field("boasts", (p,)),
            Field("sum"),  # of the cards on the table
            Field("score", (p,), np.int16),
        )

    def _deal(self, state: State, streams: Streams) -> None:
        p, n = self.num_players, state.num_envs
        pool = np.repeat(np.arange(1, CARDS + 1, dtype=np.uint8)[:, None], n, axis=1)
        streams.shuffle(pool)
        state.hand[:] = pool[: p * HAND].reshape(p, HAND, n)
        state.rest[:] = pool[p * HAND :]
        state.turn[:] = streams.below(p)

    def _groups_of(self) -> NDArray[np.uint8]:
        return self.state.phase

    def _apply(self, group: int, actions: NDArray[np.intp]) -> None:
        s, seat = self.state, self.state.turn
        own = seat == np.arange(self.num_players)[:, None]
        if group == PLAY:
            slot = np.minimum(actions, HAND - 1)
            flat = s.hand.reshape(-1, self.num_envs)
            card = self._row(flat, seat * np.intp(HAND) + slot)
            self._set_row(flat, seat * np.intp(HAND) + slot, 0)
            self._set_row(s.owner, card, seat + np.uint8(1))
            self._add(s.sum, card)
            self._add(s.score, own * card)
            again = (card % 2).astype(np.uint8)
            self._put(s.phase, again)
            self._next_seat(again == 0)
        else:
            amount = (actions - HAND + 1).astype(np.uint8)
            self._add(s.boasts, own * amount)
            self._add(s.score, own * amount)
            self._put(s.phase, 0)
            self._next_seat(np.ones(self.num_envs, bool))

    def _next_seat(self, when: NDArray[np.bool_]) -> None:
        s = self.state
        self._put(s.turn, (s.turn + when) % np.uint8(self.num_players))
        self._end_game(when & ((s.sum >= self.limit) | ~s.hand.any(axis=(0, 1))))

    def _mark_legal(self, group: int, legal: NDArray[np.uint8]) -> None:
        if group == PLAY:
            seats = np.arange(self.num_players)[:, None, None]
            mine = (self.state.hand * (self.state.turn == seats)).sum(axis=0)
            self._put(legal[:HAND], (mine > 0).view(np.uint8))
        else:
            self._put(legal[HAND:], 1)

    def _write_to_act(self, out: NDArray[np.uint8]) -> None:
        out[:] = self.state.turn

    def _write_phase(self, out: NDArray[np.uint8]) -> None:
        out[:] = self.state.phase

    def _observe(self, seat: NDArray[np.uint8] | None, out: NDArray[np.uint8]) -> None:
        s, p = self.state, self.num_players
        seat = s.turn if seat is None else seat
        views = self.layout.views(out)
        for number in range(p):
            views["hand"][:, seat == number] = s.hand[number][:, seat == number]
        views["owner"][:] = np.where(s.owner[1:] > 0, (s.owner[1:] + (p - 1) - seat) % p + 1, 0)
        for step in range(p):
            other = (seat + step) % p
            views["boasts"][step] = np.take_along_axis(s.boasts, other[None].astype(int), 0)[0]
            views["to_act"][step] = s.turn == other
        views["phase"][:] = s.phase == np.arange(2)[:, None]

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        out[:] = self.state.score

    def _tie_keys(self, tables: NDArray[np.intp]) -> Sequence[NDArray[Any]]:
        cards = np.arange(CARDS + 1)[:, None]
        owner = self.state.owner[:, tables]
        played = [(owner == 1 + seat) * cards for seat in range(self.num_players)]
        return [np.stack([cards.max(axis=0) for cards in played])]

    def _snapshot(self, table: int) -> dict[str, Any]:
        s = self.state
        return {
            "hands": [[int(c) for c in hand[:, table]] for hand in s.hand],
            "rest": sorted(int(c) for c in s.rest[:, table]),
            "owner": [int(o) for o in s.owner[1:, table]],
            "boasts": [int(b) for b in s.boasts[:, table]],
        }

    def _describe(self, action: int, table: int | None) -> str:
        if action >= HAND:
            return f"boast {action - HAND + 1}"
        if table is None:
            return f"play slot {action}"
        return f"play {self.state.hand[self.state.turn[table], action, table]}"

    def _resample(self, seats: NDArray[np.intp]) -> None:
        s, p = self.state, self.num_players
        words = self.side_stream.words(CARDS)
        for table, seat in enumerate(seats):
            places = [s.hand[other, slot] for other in range(p) for slot in range(HAND)]
            places = [x for k, x in enumerate(places) if k // HAND != seat and x[table]]
            places += list(s.rest)
            cards = [x[table] for x in places]
            for place, which in zip(places, np.argsort(words[: len(cards), table]), strict=True):
                place[table] = cards[which]

    def heuristic(self) -> Policy:
        """The highest card, the longest boast."""
        return lambda observation, legal, stream, where: np.argmax(
            np.concatenate([observation[:HAND] * legal[:HAND], legal[HAND:] * [[1], [2]]]), axis=0
        )

    def render(self, table: int = 0) -> str:
        return str(self.snapshot(table))

    def census(self) -> NDArray[np.integer]:
        s = self.state
        found = (s.owner > 0).astype(np.int64)
        for row in (*s.hand.reshape(-1, self.num_envs), *s.rest):
            np.add.at(found, (row, self._lanes), 1)
        return found[1:]
