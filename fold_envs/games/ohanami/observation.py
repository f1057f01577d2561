"""What a seat of Ohanami sees, own seat first, then clockwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rows import pick
from fold_envs.engine.state import State

REACH = 40  # gaps to a garden end are told apart up to this
_SLOTS = 12  # ten cards in hand, two kept


def observation_layout(num_players: int) -> Layout:
    """The features for ``num_players`` seats."""
    p = num_players
    return Layout(
        Part(
            "number", (_SLOTS,), 120, False, "own cards: hand slots 1-10 rising, kept 1-2; 0 none"
        ),
        Part("colour", (4, _SLOTS), 1, False, "their colours: blue, green, grey, pink"),
        Part(
            "reach",
            (3, _SLOTS),
            REACH,
            False,
            f"{REACH + 1} - gap to each own garden's nearer end, at least 0; 0 if it does not fit",
        ),
        Part("seen", (120,), 1, False, "card 1-120: ever held by this seat or laid in a garden"),
        Part(
            "maybe",
            (120,),
            p - 1,
            False,
            "d: the card may still be held by the d-th seat on, in the direction of passing",
        ),
        # the seat comes last in these: own seat first, then clockwise
        Part("below", (3, p), 120, True, "numbers free below each garden; 120 if it is empty"),
        Part("high", (3, p), 120, True, "highest card of each garden; 0 if it is empty"),
        Part("counts", (4, p), 30, True, "cards in the gardens: blue, green, grey, pink"),
        Part("discards", (p,), 30, True, "cards discarded"),
        Part("round_scores", (2, p), 120, True, "points of rounds 1 and 2; 0 before"),
        Part("phase", (4,), 1, True, "keep first, keep second, place first, place second"),
        Part("to_act", (p,), 1, True, "who must act: 0 own seat, then clockwise"),
        Part("first", (p,), 1, True, "who chose first in this pick"),
        Part("round", (3,), 1, True, "round"),
        Part("pick", (5,), 1, True, "pick of the round"),
    )


class Observer:
    """Writes observations; holds the tables that depend on the turn alone."""

    def __init__(
        self,
        layout: Layout,
        num_players: int,
        place_at: NDArray[np.uint8],
        phase_at: NDArray[np.uint8],
    ) -> None:
        p = num_players
        self.num_players = p
        self._place_at = place_at
        self._layout = layout
        self._clock = slice(layout["phase"].start, layout.size)
        self._public = slice(layout["below"].start, layout["round_scores"].stop)
        self._out: NDArray[np.uint8] | None = None  # the buffer that _views belong to
        self._views: dict[str, NDArray[np.uint8]] = {}
        turns = np.minimum(np.arange(len(place_at)), len(place_at) - 2)  # the end looks like before
        pick_number = turns // (4 * p)
        parts = []
        for observer in range(p):
            columns = (
                (phase_at[turns], 4),
                ((place_at[turns].astype(int) - observer) % p, p),
                ((pick_number - observer) % p, p),
                (pick_number // 5, 3),
                (pick_number % 5, 5),
            )
            parts.append(
                np.concatenate([np.eye(size, dtype=np.uint8)[v] for v, size in columns], 1)
            )
        # (features, turns * p): column turn * p + observer
        self._clock_table = np.ascontiguousarray(
            np.stack(parts, axis=1).reshape(-1, 4 + 2 * p + 8).T
        )

    def write(
        self,
        state: State,
        turn: int | NDArray[np.uint8],
        place: NDArray[np.uint8] | None,
        out: NDArray[np.uint8],
    ) -> None:
        """Write (D, N) features of ``place``, one a table, or of the place to act if None."""
        p, n = self.num_players, out.shape[1]
        at = self._place_at[turn] if place is None else place
        if isinstance(at, np.ndarray) and (n == 1 or not np.count_nonzero(at != at[0])):
            at = at[0]
        if not isinstance(at, np.ndarray):
            at = int(at)
        if out is not self._out:
            self._out, self._views = out, self._layout.views(out)
        views = self._views

        number, colour = pick(state.cards, at)
        views["number"][...] = number
        np.equal(colour, _COLOURS, out=views["colour"].view(np.bool_))
        public = out[self._public].reshape(-1, p, n)
        if isinstance(at, int):
            public[:, : p - at] = state.public[:, at:]
            public[:, p - at :] = state.public[:, :at]
        else:
            by_place = state.public.swapaxes(0, 1)
            for step in range(p):
                public[:, step] = pick(by_place, (at + step) % p)
        self._reach(number, views["below"][:, 0], views["high"][:, 0], views["reach"])
        seen, maybe = state.memory
        views["seen"][...] = pick(seen, at)[1:]
        views["maybe"][...] = pick(maybe, at)[1:]
        clock = out[self._clock]
        if isinstance(at, int) and isinstance(turn, int):
            clock[...] = self._clock_table[:, turn * p + at, None]
        else:
            # dtype: under NumPy 1 a lone number plus a uint8 array would stay uint8
            column = np.add(np.multiply(turn, p, dtype=np.intp), at, dtype=np.intp)
            np.take(self._clock_table, np.broadcast_to(column, n), axis=1, out=clock)

    @staticmethod
    def _reach(
        number: NDArray[np.uint8],
        below: NDArray[np.uint8],
        high: NDArray[np.uint8],
        out: NDArray[np.uint8],
    ) -> None:
        """``out`` (3, slots, N) from the gap of each card to each garden.

        The gap is (number - high) above the garden, (below - (number - 1)) beneath it, and both
        terms are 0 elsewhere; "no card" gives gap 0, an empty garden 120.
        """
        high, below = high[:, None], below[:, None]
        np.maximum(number, high, out=out)
        out -= high
        under = np.minimum(number - np.uint8(1), below)
        out -= under
        out += below
        out -= 1  # what does not fit wraps to 255
        np.minimum(out, REACH, out=out)
        np.subtract(REACH, out, out=out)


_COLOURS = np.arange(1, 5, dtype=np.uint8)[:, None, None]
