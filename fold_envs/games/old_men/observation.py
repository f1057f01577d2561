"""What a seat of Old Men of the Forest sees, own seat first, then clockwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rows import turn_seats
from fold_envs.engine.state import State
from fold_envs.games.old_men.deck import HAND, RANKS, SUITS, ApeDeck

_SUIT_CODES = np.arange(1, len(SUITS) + 1, dtype=np.uint8)[:, None, None]
_RANKS = np.arange(1, RANKS + 1, dtype=np.uint8)[:, None]


def observation_layout(num_players: int, deck: ApeDeck, hands: int, offset: int) -> Layout:
    """The features for ``num_players`` seats; points are shown ``offset`` higher."""
    p, kinds, copies = num_players, deck.num_kinds, int(deck.copies.max())
    top, full = int(deck.value.max()), deck.dearest + 1
    points = min(255, offset + deck.best_points())
    taken = min(int(deck.copies_by_value.max()), HAND) * hands
    return Layout(
        Part("hand", (len(SUITS), RANKS), 1, False, "own cards: suits, ranks 1 to 10"),
        Part("hidden", (len(SUITS), RANKS), 1, False, "cards in another hand or left out"),
        Part(
            "offers",
            (2, p - 1),
            top,
            True,
            "after claiming from the 1st, 2nd... seat on: best value that own seat could take; "
            "best value for which it would lack one card",
        ),
        Part("second", (p,), 1, True, "whose card of this trick is the second strongest"),
        Part(
            "standing",
            (2, RANKS),
            1,
            True,
            "rank 1-10, played now, would be the strongest; the second strongest",
        ),
        Part("table", (len(SUITS), p), 1, True, "suit of the seat's card while it can be claimed"),
        Part("now", (p,), top, True, "best value on display that the seat's won cards pay for"),
        Part("more", (len(SUITS), p), top, True, "how much better one card of this suit makes it"),
        Part(
            "promise",
            (len(SUITS),),
            top,
            True,
            "best value for which own seat would lack one card after one of this suit",
        ),
        Part(
            "near",
            (kinds, p),
            full,
            True,
            f"{full} - cards that the seat lacks for this kind; 0 if it is not on display",
        ),
        Part("shown", (kinds,), copies, True, "orangutans of this kind on display"),
        Part("unseen", (kinds,), copies, True, "orangutans of this kind in the deck"),
        Part("won", (len(SUITS), p), HAND, True, "cards won and not cashed, by suit"),
        Part("taken", (len(deck.values), p), taken, True, "orangutans taken, by rising value"),
        Part("points", (p,), points, True, f"points of this hand + {offset}, at most {points}"),
        Part("past", (p,), points, True, f"points of the hand before + {offset}"),
        Part("leader", (p,), 1, True, "who led this trick"),
        Part("to_act", (p,), 1, True, "who must act"),
        Part("rank", (p,), RANKS, True, "rank of the seat's card of this trick; 0 none"),
        Part("first", (p,), 1, True, "whose card of this trick is the strongest so far"),
        Part("step", (p + 4,), 1, True, "plays of the trick, then claim, cash, claim, cash"),
        Part("trick", (HAND,), 1, True, "trick of the hand"),
        Part("number", (hands,), 1, True, "hand of the match"),
    )


class Observer:
    """Writes observations; holds the tables that depend on the options alone."""

    def __init__(
        self, layout: Layout, num_players: int, deck: ApeDeck, hands: int, offset: int
    ) -> None:
        self.num_players = p = num_players
        self._layout = layout
        self._offset = np.int16(offset)
        self._highest = layout.high[layout["points"].start]
        self._full = np.uint8(deck.dearest + 1)
        self._two_short = np.uint8(deck.dearest - 1 or 255)  # 0 is for what is not on display
        self._value = deck.value[:, None, None]
        self._seats = np.arange(p, dtype=np.uint8)[:, None]
        self._turned = slice(layout["won"].start, layout["first"].stop)
        self._clock = slice(layout["step"].start, layout.size)

        # The items of costs are (count, suit): lacking for who has won count cards or fewer of it.
        # By kind its items, as rows of "short" (see _use); cheaper kinds are filled up with the
        # last row, which stays zero. By item the kinds that ask for it, filled up in the same way.
        self._most = int(deck.cost.max())
        items = [
            [len(SUITS) * count + suit for suit, cards in enumerate(cost) for count in range(cards)]
            for cost in deck.cost
        ]
        num_items = len(SUITS) * self._most
        self._items = _filled_up(items, num_items).T.copy()  # (dearest, K)
        buyers = [[k for k, own in enumerate(items) if item in own] for item in range(num_items)]
        self._buyers = _filled_up(buyers, deck.num_kinds)  # (items, most)
        # (features, turns + 1): the end looks like the last decision
        turns = np.minimum(np.arange(hands * HAND * (p + 4) + 1), hands * HAND * (p + 4) - 1)
        trick, step = np.divmod(turns, p + 4)
        parts = ((step, p + 4), (trick % HAND, HAND), (trick // HAND, hands))
        self._clock_at = np.concatenate(
            [np.arange(size, dtype=np.uint8)[:, None] == v for v, size in parts]
        ).view(np.uint8)
        self._out: NDArray[np.uint8] | None = None  # the buffer that _views belong to
        self._views: dict[str, NDArray[np.uint8]] = {}

    def _use(self, out: NDArray[np.uint8]) -> None:
        n, p = out.shape[1], self.num_players
        self._out, self._views = out, self._layout.views(out)
        self._by_seat = out[self._turned].reshape(-1, p, n)
        # Work space: big arrays made anew would cost more than what is done in them.
        self._scratch = np.empty_like(self._by_seat)
        self._short = np.zeros((len(SUITS) * self._most + 1, p, n), np.uint8)
        self._lacks = np.zeros((*self._items.shape, p, n), np.uint8)
        # one more kind for no kind; one more seat is the own one again, for what lacks two cards
        self._worth = np.zeros((len(self._value) + 1, p + 1, n), np.uint8)
        self._asked = np.zeros((*self._buyers.shape, p + 1, n), np.uint8)

    def write(
        self,
        state: State,
        turn: int | NDArray[np.uint8],
        seat: NDArray[np.uint8] | None,
        out: NDArray[np.uint8],
    ) -> None:
        """Write (D, N) features of absolute ``seat`` (N,), or of the seat to act if None."""
        if out is not self._out:
            self._use(out)
        v, by_seat = self._views, self._by_seat
        if seat is None:
            seat = state.seat
        clock = out[self._clock]
        if isinstance(turn, int):
            clock[...] = self._clock_at[:, turn, None]
        else:
            np.take(self._clock_at, turn, axis=1, out=clock, mode="clip")

        hand, hidden = (v[name].view(np.bool_) for name in ("hand", "hidden"))
        card_at = state.card_at.reshape(hand.shape)
        np.equal(card_at, seat, out=hand)
        np.less_equal(card_at, self.num_players, out=hidden)
        np.not_equal(hidden, hand, out=hidden)

        # What is known by seat is turned in its place in the observation. The last two rows hold
        # strength and suit of the seat's card until rank and first are written there.
        by_seat[:-6] = state.public[:-3]
        points = state.points + self._offset
        by_seat[-6:-4] = np.minimum(points, self._highest, out=points)
        np.equal(state.leader, self._seats, out=by_seat[-4].view(np.bool_))
        np.equal(state.seat, self._seats, out=by_seat[-3].view(np.bool_))
        by_seat[-2], by_seat[-1] = state.public[-2], state.public[-3]
        turn_seats(by_seat, seat, by_seat, self._scratch)
        rank, first = by_seat[-2:]
        np.equal(first, _SUIT_CODES, out=v["table"].view(np.bool_))
        self._compare_ranks(rank, first)

        v["shown"][...], v["unseen"][...] = state.supply
        self._prospects(by_seat[: len(SUITS)])
        claimable = np.negative(v["table"][:, 1:])
        gains = v["more"][:, :1] + v["now"][0], v["promise"][:, None]
        for gain, offers in zip(gains, v["offers"], strict=True):
            np.maximum.reduce(claimable & gain, axis=0, out=offers)

    def _compare_ranks(self, rank: NDArray[np.uint8], first: NDArray[np.uint8]) -> None:
        """Write rank (which holds the strength), first, second and standing, (P, N) each."""
        v = self._views
        stronger = np.add.reduce((rank[:, None] > rank).view(np.uint8), axis=0, dtype=np.uint8)
        stronger |= np.negative((rank == 0).view(np.uint8))  # no card is not the best one
        np.equal(stronger, 0, out=first.view(np.bool_))
        second = np.equal(stronger, 1, out=v["second"].view(np.bool_)).view(np.uint8)
        rank >>= 2
        standing = v["standing"].view(np.bool_)
        for beaten, flags in zip((first, second), standing, strict=True):
            np.greater(_RANKS, np.add.reduce(beaten * rank, axis=0, dtype=np.uint8), out=flags)
        standing[1] ^= standing[0]

    def _prospects(self, won: NDArray[np.uint8]) -> None:
        """Write near, now, more and promise from the cards ``won`` (5, P, N)."""
        v, full, p = self._views, self._full, self.num_players
        near, now, more = v["near"], v["now"], v["more"]
        short, lacks, worth = self._short, self._lacks, self._worth
        for count in range(self._most):
            rows = short[len(SUITS) * count : len(SUITS) * (count + 1)]
            np.less_equal(won, count, out=rows.view(np.bool_))
        np.take(short, self._items, axis=0, out=lacks, mode="clip")
        np.add.reduce(lacks, axis=0, dtype=np.uint8, out=near)
        np.subtract(full, near, out=near)
        near &= np.negative((v["shown"] > 0).view(np.uint8))[:, None]
        each = worth[:-1, :p]
        np.equal(near, full, out=each.view(np.bool_))
        each *= self._value
        np.maximum.reduce(each, axis=0, out=now)
        # what lacks one card (in the extra seat, two): the best among those that ask for an item
        np.equal(near, full - np.uint8(1), out=each.view(np.bool_))
        np.equal(near[:, 0], self._two_short, out=worth[:-1, p].view(np.bool_))
        worth[:-1] *= self._value
        np.take(worth, self._buyers, axis=0, out=self._asked, mode="clip")
        best = np.maximum.reduce(self._asked, axis=1)  # (items, P + 1, N)
        best[:, :p] *= short[:-1]
        best[:, p] *= short[:-1, 0]
        best = best.reshape(self._most, len(SUITS), *best.shape[1:])
        best = best[0] if self._most == 1 else np.maximum.reduce(best, axis=0)
        v["promise"][...] = best[:, p]
        np.maximum(best[:, :p], now, out=more)
        more -= now


def _filled_up(rows: list[list[int]], fill: int) -> NDArray[np.intp]:
    """``rows`` as an array, the shorter ones filled up."""
    longest = max(map(len, rows))
    return np.array([row + [fill] * (longest - len(row)) for row in rows], np.intp)
