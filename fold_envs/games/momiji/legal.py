"""What the seat to act may do: the mask, from its situation and facts about its hand and row."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout
from fold_envs.games.momiji.board import (
    BRIDGE,
    DIFFERENT_FIRST,
    DIFFERENT_MORE,
    DIFFERENT_SECOND,
    DISCARD_FIRST,
    DISCARD_SECOND,
    DISCARDED,
    DRAFT,
    HAND_LIMIT,
    LIMIT,
    MAIN_DONE,
    OBJECTIVE,
    ONE,
    PLACE_FIRST,
    PLACE_MORE,
    PLACE_SAME,
    POND,
    REVEALED,
    SAME,
    SECOND_COLLECT,
    TURN,
    TWO,
    U8,
    ZERO,
    Board,
    Shape,
    mask,
)
from fold_envs.games.momiji.components import TYPES, VALUES, Components
from fold_envs.games.momiji.moves import ACTIVATION_PRICE, ALL_TYPES, REVEAL_PRICE, TILE_PRICE
from fold_envs.games.momiji.scoring import TOKEN_BITS

_ACTIVATION_PRICE, _HAND_LIMIT = (
    np.array(number, np.uint8) for number in (ACTIVATION_PRICE, HAND_LIMIT)
)
TYPE_BITS = (1 << np.arange(TYPES)).astype(np.uint8)[:, None]
_NOT_DUE = 255
_MANY_TABLES = 4096

Flags = NDArray[np.bool_]


class Gates(NamedTuple):
    """What a situation allows by itself; (N,) uint8: flags 0 / 1, then masks 0 / 255, numbers."""

    turn: U8  # minor actions
    free: U8  # any main action
    done: U8
    end: U8  # of the row, for a new pile
    end_turn: U8
    discard_two: U8  # masks from here on
    collect: U8
    all_types: U8  # cards of all types may be laid,
    low_types: U8  # of the types in low,
    new_types: U8  # of types without a pile,
    first_types: U8  # or as the first of different types
    pond: U8
    bridge: U8
    objective: U8
    second_collect: U8
    draft: U8
    limit: U8
    due: U8  # discards to make, but for the hand limit; _NOT_DUE if none


def _gate_table() -> NDArray[np.uint8]:
    """(gates, 256) uint8 by situation."""
    situation = np.arange(256)
    phase = situation >> 4
    main_done, revealed, discarded = (
        (situation & flag) > 0 for flag in (MAIN_DONE, REVEALED, DISCARDED)
    )
    turn = phase == TURN
    free = turn & ~main_done & ~revealed
    same = phase == SAME
    later = np.isin(phase, (DIFFERENT_SECOND, DIFFERENT_MORE))
    due = np.full(256, _NOT_DUE)
    due[phase == DISCARD_FIRST], due[phase == DISCARD_SECOND], due[phase == LIMIT] = 2, 1, 0
    rules: dict[str, NDArray[Any]] = dict(
        turn=turn,
        free=free,
        discard_two=turn & ~discarded,
        done=same | (phase == DIFFERENT_MORE),
        end=np.isin(phase, (PLACE_SAME, PLACE_FIRST, PLACE_MORE)),
        end_turn=turn & main_done,
        collect=turn & ~main_done,
        all_types=free,
        low_types=same | later,
        new_types=later,
        first_types=phase == DIFFERENT_FIRST,
        pond=phase == POND,
        bridge=phase == BRIDGE,
        objective=phase == OBJECTIVE,
        second_collect=phase == SECOND_COLLECT,
        draft=phase == DRAFT,
        limit=phase == LIMIT,
        due=due,
    )
    gates = [rules[name] for name in Gates._fields]
    masks = Gates._fields.index("discard_two")
    return np.array([*gates[:masks], *(255 * gate for gate in gates[masks:-1]), due], np.uint8)


def _first_types() -> NDArray[np.uint8]:
    """(2, 4096) by 64 * bits of playable types + bits of types with a pile. Row 0: bits of types
    that may come first in a play of different types, so that a second can follow; row 1: whether
    there are several playable types at all.

    Old piles come in rising order, then new ones. So the highest old one cannot be first if there
    is nothing new, and a single new one cannot be.
    """
    table = np.full((2, 64, 64), ALL_TYPES)
    for playable in range(64):
        table[1, playable] = playable.bit_count() > 1
        for founded in range(64):
            new, old = playable & ~founded, playable & founded
            if new == 0 and old:
                table[0, playable, founded] ^= 1 << (old.bit_length() - 1)
            elif new.bit_count() == 1:
                table[0, playable, founded] ^= new
    return table.astype(np.uint8).reshape(2, -1)


_GATES, _FIRST_TYPES = _gate_table(), _first_types()
assert REVEAL_PRICE == TILE_PRICE == 1  # the mask compares acorns with gates, which are 0 or 1


class Legal:
    """Facts about place 0 as of the last ``look``, and the mask that follows from them.

    Attributes:
        situation: (N,) as an index into tables.
        gates: what the situations allow.
        held: (K, N) bool, own cards of this kind.
        fits: (K, N) bool, a card of this kind could be laid on the own row now.
        playable: (N,) bits, types of which a card in hand fits.
        from_here: (K, N) own cards of this kind or a higher one.
        size: (N,) own cards.
        due: (N,) discards to make, 255 if none.
        shown: (N,) bits, types in the display.
        undrawn: (N,) cards in the deck.
        deck_left: (N,) bool.
        price: () or (N,) what activating costs.
    """

    def __init__(self, actions: Layout, shape: Shape, components: Components) -> None:
        self._actions, self._shape, self._active = actions, shape, shape.active
        self._amounts = components.amounts
        values = np.array([value for value, _ in components.kinds], np.uint8)
        self._values = values
        self._value_bits = (1 << values).astype(np.uint8)[:, None]
        self._type_bits = np.repeat(TYPE_BITS, shape.each, axis=0)  # by kind
        self._kinds = np.arange(shape.kinds, dtype=np.uint8)[:, None]
        # the row must be longer than this for the swap of pile 0, 1...: see right_end
        self._swaps = np.arange(2, shape.num_players + 3, dtype=np.uint8)[:, None]
        self._deck = np.array(shape.deck, np.uint8)
        self._sums: SuffixSums | None = None
        self._views_of: tuple[U8, dict[str, Flags], dict[str, U8]] | None = None

    def look(self, board: Board) -> None:
        """Gather the facts."""
        kinds, n, own = self._shape.kinds, board.state.num_envs, board.own
        self.situation = board.situation.astype(np.intp)
        self.gates = Gates(*_GATES.take(self.situation, axis=1, mode="clip"))
        fits = (own.pile[:, None] & self._value_bits).reshape(kinds, n)
        self.fits = fits != ZERO
        # cards of the display, in hand, in hand and fitting; the types of the first and the last
        # as bits by kind
        cards = board.state.cards[: 2 * kinds].reshape(2, kinds, n)
        held = np.empty((3, kinds, n), np.bool_)
        np.not_equal(cards, ZERO, out=held[:2])
        np.bitwise_and(held[1], self.fits, out=held[2])
        self.held = held[1]
        self._shown, self._playable = types = held[::2].view(np.uint8) * self._type_bits
        self.shown, self.playable = np.bitwise_or.reduce(types, axis=1)
        if self._sums is None or self._sums.num_envs != n:
            self._sums = SuffixSums(kinds, n)
        self.from_here = self._sums.of(own.cards)
        self.size = self.from_here[0]
        self.due = self.gates.due | (self.gates.limit & (self.size - _HAND_LIMIT))
        self.undrawn = self._deck - board.state.drawn
        self.deck_left = self.undrawn != ZERO
        self.price = self._price(board)

    def write(self, board: Board, legal: U8) -> None:
        """Write all of the mask (A, N); ``look`` came before."""
        flags, rows = self._views(legal)
        own, gates = board.own, self.gates
        middle = board.state.middle

        # cards to lay or to take
        column = np.multiply(self.playable, 1 << TYPES, dtype=np.intp)
        column += own.founded
        types, several = _FIRST_TYPES.take(column, axis=1, mode="clip")
        types &= gates.first_types
        types |= gates.all_types
        types |= gates.low_types & board.low
        types |= gates.new_types & ~own.founded
        kinds = self._playable & types
        if "pond" in self._active:
            kinds |= self._shown & gates.pond
        cards = np.not_equal(kinds, ZERO, out=flags["card"])
        # cards to discard, in rising kinds and so that enough are left for the discards due
        discards = self.from_here >= self.due
        discards &= self._kinds >= board.rising
        discards &= self.held
        cards |= discards

        # types to collect; under wind two of them, in rising order
        shown = self.shown & gates.collect
        if "wind" in self._active:
            wind = mask(board.tile == self._active["wind"]) & mask(_several(self.shown))
            shown &= ~(wind & _highest_bit(self.shown))
            first = board.low | (board.low - ONE)  # this type and those below
            shown |= self.shown & gates.second_collect & ~first
        np.not_equal(shown & TYPE_BITS, ZERO, out=flags["collect"])

        # other main actions, minor ones, ends
        rows["end"][...] = gates.end
        rows["done"][...] = gates.done
        rows["end_turn"][...] = gates.end_turn
        np.bitwise_and(several, gates.free, out=rows["play_different"])
        np.greater_equal(self.size & gates.discard_two, TWO, out=flags["discard_two"])
        purse = np.minimum(own.acorns, gates.free)  # prices are 1, as the gates are
        np.not_equal(np.minimum(purse, self.undrawn), ZERO, out=flags["reveal"])
        tokens = middle & gates.all_types
        activate = np.not_equal(tokens, ZERO, out=flags["activate"])
        activate &= own.acorns >= self.price
        np.less(self.playable | self.shown, gates.free, out=flags["pass"])
        tokens = middle & gates.objective
        np.not_equal(tokens & TOKEN_BITS, ZERO, out=flags["objective"])

        if self._active:
            payable = board.tile < np.minimum(own.acorns, gates.turn)  # no tile yet
            tiles = np.not_equal(own.unused, ZERO, out=flags["tile"])
            tiles &= payable
            for power, number in self._active.items():
                if power != "shrine":
                    tiles[number - 1] &= self._serves(power, board, flags["discard_two"])
            if self._shape.draft:
                tiles |= (board.offered[0] & gates.draft) != ZERO
        if "bridge" in self._active:
            length = own.right_end - own.left_end
            length &= gates.bridge  # piles + 1
            np.greater(length, self._swaps, out=flags["swap"])

    def _views(self, legal: U8) -> tuple[dict[str, Flags], dict[str, U8]]:
        """Named views, as flags and as they are; kept, as it is nearly always the same array."""
        if self._views_of is None or self._views_of[0] is not legal:
            rows = self._actions.views(legal)
            rows["card"] = legal[self._actions["card"]]
            self._views_of = legal, {x: view.view(np.bool_) for x, view in rows.items()}, rows
        return self._views_of[1:]

    def _price(self, board: Board) -> U8:
        """() or (N,) acorns for an objective."""
        if "teahouse" not in self._active:
            return _ACTIVATION_PRICE
        saved = np.uint8(ACTIVATION_PRICE - self._amounts["teahouse"])
        teahouse = (board.tile == self._active["teahouse"]).view(np.uint8)
        return _ACTIVATION_PRICE - teahouse * saved

    def _serves(
        self, power: str, board: Board, can_discard: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """(N,) a tile with this power can do something now."""
        own = board.own
        if power == "mountain":
            return self.deck_left
        if power == "pond":
            return self.shown != ZERO
        if power == "bridge":
            return own.right_end - own.left_end > TWO
        free = self.gates.free.view(np.bool_)
        if power == "wind":
            reveal = free & self.deck_left & _can_pay(own.acorns, can_discard, REVEAL_PRICE)
            return (self.gates.collect != 0) & (_several(self.shown) | reveal)
        if power == "teahouse":
            can_pay = _can_pay(own.acorns, can_discard, self._amounts["teahouse"])
            return free & (board.state.middle != 0) & can_pay
        if power == "moon":
            return free & (self.playable != 0)
        return free & self._three_of_a_type(board)  # lantern

    def _three_of_a_type(self, board: Board) -> NDArray[np.bool_]:
        """Whether a same-type play of three cards is possible: a chain without gaps."""
        hand, pile = board.own.hand, board.own.pile
        longest = np.zeros_like(pile)
        reached = np.zeros_like(pile)  # the pile can come to show one less than this value
        for value in range(VALUES):
            held = np.add.reduce(hand[:, self._values == value], axis=1, dtype=np.uint8)
            reached |= mask((pile & (1 << value)) != 0)  # it fits at once
            usable = held & reached
            longest += np.minimum(usable, 1) if value == VALUES - 1 else usable
            reached = mask(usable > 0)
        return (longest >= 3).any(axis=0)


def _can_pay(acorns: U8, can_discard: NDArray[np.bool_], price: int) -> NDArray[np.bool_]:
    """Whether ``price`` can be there after the tile is paid: now, or by discarding two."""
    return (acorns >= TILE_PRICE + price) | (can_discard & (acorns + ONE > price))


def _several(bits: U8) -> NDArray[np.bool_]:
    """Whether more than one bit is set."""
    return (bits & (bits - ONE)) != ZERO


def _highest_bit(bits: U8) -> U8:
    spread = bits | np.right_shift(bits, 1, dtype=np.uint8)
    spread |= np.right_shift(spread, 2, dtype=np.uint8)
    spread |= np.right_shift(spread, 4, dtype=np.uint8)
    return spread ^ np.right_shift(spread, 1, dtype=np.uint8)


class SuffixSums:
    """Sums of each row of (K, N) uint8 and all below it: a list of additions of whole rows, in
    few calls for few tables, of few rows for many.
    """

    def __init__(self, kinds: int, num_envs: int) -> None:
        self.num_envs = num_envs
        self._adds: list[tuple[U8, U8, U8]] = []  # two operands and where their sum goes
        if num_envs < _MANY_TABLES:
            # by doubling, to and fro between two arrays; below both lie rows of zeros
            steps = [1 << number for number in range((kinds - 1).bit_length())]
            here, there = np.zeros((2, kinds + steps[-1], num_envs), np.uint8)
            self._start = here[:kinds]
            for step in steps:
                self._adds.append((here[:kinds], here[step : step + kinds], there[:kinds]))
                here, there = there, here
            self._sums = here[:kinds]
        else:
            # within the types, then their first rows, then the other rows
            self._start = self._sums = np.empty((kinds, num_envs), np.uint8)
            types = self._sums.reshape(TYPES, -1, num_envs)
            each = types.shape[1]
            pairs = [(types[:, row], types[:, row + 1]) for row in reversed(range(each - 1))]
            pairs += [(types[t, 0], types[t + 1, 0]) for t in reversed(range(TYPES - 1))]
            pairs.append((types[:-1, 1:], types[1:, :1]))
            self._adds = [(rows, below, rows) for rows, below in pairs]

    def of(self, counts: U8) -> U8:
        """(K, N) sums of ``counts``, which are good until the next call."""
        self._start[...] = counts
        for rows, below, sums in self._adds:
            np.add(rows, below, out=sums)
        return self._sums
