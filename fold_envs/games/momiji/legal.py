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

_ACTIVATION_PRICE, _REVEAL_PRICE, _TILE_PRICE, _HAND_LIMIT = (
    np.array(number, np.uint8)
    for number in (ACTIVATION_PRICE, REVEAL_PRICE, TILE_PRICE, HAND_LIMIT)
)
TYPE_BITS = (1 << np.arange(TYPES)).astype(np.uint8)[:, None]
_NOT_DUE = 255


class Gates(NamedTuple):
    """What a situation allows by itself; (N,): flags, masks 0 / 255, numbers uint8."""

    turn: NDArray[np.bool_]  # minor actions
    free: NDArray[np.bool_]  # any main action
    discard_two: NDArray[np.bool_]
    done: NDArray[np.bool_]
    end: NDArray[np.bool_]  # of the row, for a new pile
    end_turn: NDArray[np.bool_]
    collect: U8  # masks from here on
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


_MASKS = Gates._fields.index("collect")


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
    return np.array([*gates[:_MASKS], *(255 * gate for gate in gates[_MASKS:-1]), due], np.uint8)


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
_TYPE_SETS = np.array(64)


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
        self._simple = slice(actions["end"].start, actions.size)
        self._deck = np.array(shape.deck, np.uint8)

    def look(self, board: Board) -> None:
        """Gather the facts."""
        kinds, n, own = self._shape.kinds, board.state.num_envs, board.own
        self.situation = board.situation.astype(np.intp)
        gates = _GATES.take(self.situation, axis=1, mode="clip")
        self.gates = Gates(*gates[:_MASKS].view(np.bool_), *gates[_MASKS:])
        fits = (own.pile[:, None] & self._value_bits).reshape(kinds, n)
        self.fits = fits != ZERO
        # types of the cards in the display and of those in hand that fit, as bits by kind
        held = board.state.cards[: 2 * kinds].reshape(2, kinds, n) != ZERO
        self.held = held[1].copy()
        held[1] &= self.fits
        self._shown, self._playable = types = held.view(np.uint8) * self._type_bits
        self.shown, self.playable = np.bitwise_or.reduce(types, axis=1)
        self.from_here = suffix_sums(own.cards)
        self.size = self.from_here[0]
        self.due = self.gates.due | (self.gates.limit & (self.size - _HAND_LIMIT))
        self.undrawn = self._deck - board.state.drawn
        self.deck_left = self.undrawn != ZERO
        self.price = self._price(board)

    def write(self, board: Board, legal: NDArray[np.bool_]) -> None:
        """Write the mask (A, N); ``look`` came before."""
        own, gates, rows = board.own, self.gates, self._actions.slices
        middle = board.state.middle

        # cards to lay or to take
        column = self.playable * _TYPE_SETS
        column += own.founded
        types, several = _FIRST_TYPES.take(column, axis=1, mode="clip")
        types &= gates.first_types
        types |= gates.all_types
        types |= gates.low_types & board.low
        types |= gates.new_types & ~own.founded
        kinds = self._playable & types
        if "pond" in self._active:
            kinds |= self._shown & gates.pond
        cards = np.not_equal(kinds, ZERO, out=legal[rows["card"]])
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
        np.not_equal(shown & TYPE_BITS, ZERO, out=legal[rows["collect"]])

        # other main actions, minor ones, ends
        simple = legal[self._simple]
        _, _, play_different, done, discard_two, reveal, activate, passes, end_turn = simple
        simple[:2] = gates.end
        done[...], end_turn[...] = gates.done, gates.end_turn
        np.bitwise_and(several.view(np.bool_), gates.free, out=play_different)
        np.bitwise_and(self.size >= TWO, gates.discard_two, out=discard_two)
        np.bitwise_and(own.acorns >= _REVEAL_PRICE, gates.free, out=reveal)
        reveal &= self.deck_left
        tokens = middle & gates.all_types
        np.bitwise_and(own.acorns >= self.price, tokens != ZERO, out=activate)
        np.bitwise_and((self.playable | self.shown) == ZERO, gates.free, out=passes)
        tokens = middle & gates.objective
        np.not_equal(tokens & TOKEN_BITS, ZERO, out=legal[rows["objective"]])

        if self._active:
            payable = (own.acorns >= _TILE_PRICE) & gates.turn
            payable &= board.tile == ZERO
            tiles = legal[rows["tile"]]
            np.not_equal(own.unused, ZERO, out=tiles)
            tiles &= payable
            for power, number in self._active.items():
                if power != "shrine":
                    tiles[number - 1] &= self._serves(power, board, discard_two)
            if self._shape.draft:
                tiles |= (board.offered[0] & gates.draft) != ZERO
        if "bridge" in self._active:
            length = (own.right_end - own.left_end) & gates.bridge  # piles + 1
            np.greater(length, self._swaps, out=legal[rows["swap"]])

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
        own, free = board.own, self.gates.free
        if power == "mountain":
            return self.deck_left
        if power == "pond":
            return self.shown != ZERO
        if power == "bridge":
            return own.right_end - own.left_end > TWO
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


def suffix_sums(counts: U8) -> U8:
    """(K, N) sums of each row and all below it, by doubling."""
    sums = counts.copy()
    step = 1
    while step < len(sums):
        sums[:-step] += sums[step:]  # NumPy sees the overlap
        step *= 2
    return sums
