"""What cards do: the instant effects and special actions, and when they would do nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.origami.cards import (
    ALL_DRAW,
    COPY,
    DRAW,
    DRAW1_PLAY,
    DRAW3_DISCARD1,
    DRAW_DISCARD,
    DRAW_SHEEP,
    EFFECT_NAMES,
    LAST_ACTIVE,
    LINE,
    LINE_EXACT,
    MOST_FOLDS,
    OPPONENTS_DISCARD,
    PASS_RIGHT,
    PLACE_UNDER,
    PLAY_FREE,
    STEAL,
    SWEEP_LINE,
    TAKE1_PLAY,
)
from fold_envs.games.origami.choosing import Choosing
from fold_envs.games.origami.payment import CASES, LEAST, SUMS
from fold_envs.games.origami.piles import (
    COPY_CHOICE,
    DISCARD_ONE,
    EXTRA,
    GIVE_UP,
    INSTANT,
    LOOK,
    LOOKED,
    PASS,
    STEAL_CHOICE,
    TAKE,
    ZERO,
    Bytes,
    Tables,
    spots,
)

NO_WORD = np.array(0, np.uint32)
_COPY, _PLACE_UNDER = np.array(COPY, np.uint8), np.array(PLACE_UNDER, np.uint8)

# What effects need to do anything for the seat at turn. A table's answer to all needs is one word:
# a bit for each of these, then (by amount 0-9) whether a card of at most so many folds is in the
# line, then whether cards of exactly so many folds are.
_NEVER, _DRAW, _DRAW_OR_HAND, _SWEEP, _LINE, _OTHERS, _ANYBODY, _HAND, _FITTING = range(9)
_EXACTLY = _FITTING + 10
_NEED = np.zeros(len(EFFECT_NAMES), np.uint8)
_NEED[[DRAW, ALL_DRAW, DRAW_SHEEP, DRAW3_DISCARD1, DRAW1_PLAY]] = _DRAW
_NEED[DRAW_DISCARD] = _DRAW_OR_HAND
_NEED[SWEEP_LINE] = _SWEEP
_NEED[TAKE1_PLAY] = _LINE
_NEED[[STEAL, OPPONENTS_DISCARD]] = _OTHERS
_NEED[PASS_RIGHT] = _ANYBODY
_NEED[PLAY_FREE] = _HAND
_NEED[LINE], _NEED[LINE_EXACT] = _FITTING, _EXACTLY


def _word(*needs: int) -> int:
    return sum(1 << need for need in needs)


def _words(word: int, size: int) -> NDArray[np.uint32]:
    """(size,) nothing at 0, else ``word``."""
    words = np.full(size, word, np.uint32)
    words[0] = 0
    return words


# A table's word is put together of these: by payment index of the line, by payment index of the
# own hand, by how many cards are in deck or discards, and by how many others hold
_LINE_WORDS = np.sum(
    (LEAST[:, None] <= np.arange(10)) << np.arange(_FITTING, _EXACTLY), axis=1, dtype=np.uint32
)
_LINE_WORDS |= np.left_shift(SUMS, _EXACTLY, dtype=np.uint32)
_LINE_WORDS |= _words(_word(_SWEEP, _LINE), CASES)
_HAND_WORDS = _words(_word(_DRAW_OR_HAND, _ANYBODY, _HAND), CASES)
_DRAW_WORDS = _words(_word(_DRAW, _DRAW_OR_HAND, _SWEEP), 256)
_OTHERS_WORDS = _words(_word(_OTHERS, _ANYBODY), 256)

_PHASE_OF_INSTANT = np.full(LAST_ACTIVE + 1, INSTANT, np.uint8)
_PHASE_OF_INSTANT[[LINE, COPY, STEAL]] = TAKE, COPY_CHOICE, STEAL_CHOICE


class Effects(Choosing):
    """Effects by their codes; ``amount`` is the card's number."""

    _abilities: NDArray[np.uint32]  # (N,) words of needs met, kept up to date by Masks

    def _bind(self) -> None:
        super()._bind()
        table = self.cards
        self._swept: list[Tables] = []  # where the line was swept in this step
        need = _NEED[table.effect]
        by_amount = (table.effect == LINE) | (table.effect == LINE_EXACT)
        need[by_amount] += table.amount[by_amount]
        self._need = np.left_shift(1, need, dtype=np.uint32)  # the bit of a word
        # a special action is for later
        self._instant_need = np.where(table.instant > 0, self._need, np.uint32(0))
        self._is_special_offer = (table.instant == COPY) | (table.instant == PLACE_UNDER)
        self._offer_left = table.amount * (table.instant == LINE)
        # by kind, how the special action begins
        special = table.special
        takes = (special == LINE) | (special == LINE_EXACT) | (special == TAKE1_PLAY)
        looks, shows = special == DRAW3_DISCARD1, special == DRAW1_PLAY
        self._use_phase = np.select([takes, looks], [TAKE, LOOK], EXTRA).astype(np.uint8)
        self._use_left = np.where(takes, table.amount, looks).astype(np.uint8)
        self._use_left[special == TAKE1_PLAY] = MOST_FOLDS  # any card
        self._use_refusable = shows.view(np.uint8)
        self._use_wanted = (looks * LOOKED + shows).astype(np.uint8)
        self._use_drawer = np.where(looks, self._look_drawer, self._show_drawer).astype(np.uint8)
        # by kind: the first kind with the same instant effect, K if copy does not offer it
        self._same_effect = np.full(self.kinds + 1, self.kinds)
        first: dict[tuple[int, int], int] = {}
        for kind, code in enumerate(table.instant[:-1].tolist()):
            if code and code not in (COPY, PLACE_UNDER):
                effect = (code, int(table.amount[kind]))
                self._same_effect[kind] = first.setdefault(effect, kind)

    # ---------------------------------------------------------------- would it do anything?

    def _abilities_of(
        self, own_index: NDArray[Any], line_index: NDArray[Any], own: Bytes
    ) -> NDArray[np.uint32]:
        """(N,) the words; ``own`` (N,) is the number of cards of the seat to act."""
        s = self.state
        others = np.add.reduce(self._public.hand_sizes, axis=0, dtype=np.uint8)
        others -= own
        words: NDArray[np.uint32] = _LINE_WORDS.take(line_index)
        words |= _HAND_WORDS.take(own_index)
        words |= _DRAW_WORDS.take(s.deck_size | s.discard_size)
        words |= _OTHERS_WORDS.take(others)
        return words

    def _possible(self, t: Tables, kind: NDArray[Any]) -> NDArray[np.bool_]:
        """(n,) whether the effects of these kinds would do anything for the seat at turn.

        False for copy, place_under and play_discount, which need a closer look.
        """
        return (self._abilities[t] & self._need.take(kind)) > NO_WORD

    def _copies(self, t: Tables) -> NDArray[np.bool_]:
        """(K, n) what copy offers: for each different effect the first kind of card that has it."""
        tops = self._public.tops.reshape(2 * self.num_players, self.num_envs).take(t, axis=1)
        kind, which = spots(self.state.line.take(t, axis=1) > 0)
        offered = np.zeros((self.kinds + 1, len(t)), bool)
        offered[self._same_effect[tops], np.arange(len(t))] = True
        offered[self._same_effect[kind], which] = True
        offered = offered[:-1]
        offered &= self._possible(t, self._kind_column)
        return offered

    # ---------------------------------------------------------------- instant effects

    def _offer(self, t: Tables, kind: NDArray[np.intp], covers: NDArray[np.bool_]) -> None:
        """A card was laid (``covers``: on others): ask about its effect, or end the turn."""
        s = self.state
        effect = self.cards.instant[kind]
        useful = (self._abilities[t] & self._instant_need[kind]) > NO_WORD
        if np.count_nonzero(self._is_special_offer[kind]):
            under = ((effect == _PLACE_UNDER) & covers).nonzero()[0]
            useful[under] = True
            s.apart[t[under]] = s.beneath[t[under]]
            copies = (effect == _COPY).nonzero()[0]
            if len(copies):
                useful[copies] = np.logical_or.reduce(self._copies(t[copies]), axis=0)
        self._ended[t] = ~useful
        s.phase[t] = _PHASE_OF_INSTANT.take(effect)
        s.effect[t] = effect
        s.amount[t] = self.cards.amount[kind]
        s.left[t] = self._offer_left[kind]
        s.refusable[t] = 1

    def _carry_out(self, t: Tables) -> None:
        """The instant effect that was agreed to, or copied."""
        effect = self.state.effect[t]
        self.state.refusable[t] = 0
        for code in np.bincount(effect).nonzero()[0].tolist():
            self._do(code, t[effect == code])

    def _do(self, code: int, t: Tables) -> None:
        s = self.state
        amount = s.amount[t]
        if code == DRAW:
            self._want(t, self._turn[t], amount)
            self._ended[t] = True
        elif code == ALL_DRAW:
            self._want(t, self._all_drawer, amount * np.uint8(self.num_players + 1))
            self._ended[t] = True
        elif code == DRAW_SHEEP:
            self._want(t, self._turn[t], self._sheep(t) + np.uint8(1))
            self._ended[t] = True
        elif code == DRAW_DISCARD:
            self._want(t, self._turn[t], amount)
            s.phase[t] = DISCARD_ONE
            s.left[t] = 1
        elif code == LINE:
            self._begin_taking(t, amount, True)
        elif code == SWEEP_LINE:
            self._sweep(t, amount)
        elif code == STEAL:
            s.phase[t] = STEAL_CHOICE
        elif code == OPPONENTS_DISCARD:
            self._begin_choosing(t, GIVE_UP)
        elif code == PASS_RIGHT:
            self._begin_choosing(t, PASS)
        elif code == PLACE_UNDER:
            self._move_under(t)
            self._ended[t] = True

    def _sheep(self, t: Tables) -> Bytes:
        """(n,) Sheep in all collections and in the Draw Line."""
        count = np.zeros(len(t), np.uint8)
        for kind in self.cards.sheep:
            count += self.state.line[kind, t]
            count += self._public.laid[kind][:, t].sum(axis=0, dtype=np.uint8)
        return count

    def _sweep(self, t: Tables, amount: Bytes) -> None:
        """The line goes to the discards and is refilled, then cards may be taken."""
        s = self.state
        rows = self._kind_column * self.num_envs + t
        self._cells[self._discards_first + rows] += self._cells[self._line_first + rows]
        self._cells[self._line_first + rows] = 0
        s.discard_size[t] += s.line_size[t]
        s.line_size[t] = 0
        self._refill(t)
        self._begin_taking(t, amount, True)
        self._swept.append(t)

    def _settle_sweeps(self) -> None:
        """Of a new line there may be nothing to take."""
        for t in self._swept:
            fitting = self._fitting(t, self.state.left[t], ZERO)
            self._ended[t] = ~np.logical_or.reduce(fitting, axis=0)
        self._swept.clear()

    def _move_under(self, t: Tables) -> None:
        """The card just laid on a collection goes to its bottom."""
        s, p = self.state, self.num_players
        s.history[1, s.laid[t] - 1, t] += 2 * p
        self._public.tops[s.side[t], self._turn[t], t] = s.beneath[t]

    # ---------------------------------------------------------------- special actions

    def _use(self, t: Tables, kind: Tables) -> None:
        """The special action of a top card."""
        s = self.state
        s.effect[t] = self.cards.special[kind]
        s.amount[t] = self.cards.amount[kind]
        s.phase[t] = self._use_phase[kind]
        s.left[t] = self._use_left[kind]
        s.refusable[t] = self._use_refusable[kind]
        self._want(t, self._use_drawer[kind], self._use_wanted[kind])

    def _look(self, t: Tables, kind: Tables, turn: Tables) -> None:
        """One of the cards looked at is discarded, the others go to the hand."""
        s = self.state
        looked = s.looked.take(t, axis=1)
        gone = (looked == kind).argmax(axis=0)
        looked[gone, np.arange(len(t))] = self.kinds
        slot, which = spots(looked < self.kinds)
        self._gain_unseen(t[which], turn[which], looked[slot, which].astype(np.intp))
        s.looked[:, t] = self.kinds
        self._discard(t, kind)
        self._ended[t] = True

    def _discard_shown(self, t: Tables, action: Tables, turn: Tables) -> None:
        """A card that was shown goes to the discards: as payment, or unused."""
        s = self.state
        t = t[s.effect[t] == DRAW1_PLAY]
        if len(t):
            self._discard(t, s.apart[t].astype(np.intp))
