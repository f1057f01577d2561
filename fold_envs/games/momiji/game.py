"""Momiji (Dario Massarenti, Francesco Testini, 2021): collect leaves, grow piles, claim objectives.

Rules: README.md. A step is: look up what the action does by itself (moves.py), then the parts that
depend on cards, each a method here, all on place 0 (board.py). In random play the tables are in
different phases all the time, so nearly every part computes over all tables under 0 / 255 masks;
rare moves work on the indices of their tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import BatchGame, Policy
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.layout import Layout
from fold_envs.engine.rng import Streams
from fold_envs.engine.state import Field, State
from fold_envs.engine.tables import check_choice
from fold_envs.games.momiji import hidden, scoring, view
from fold_envs.games.momiji.board import (
    DISPLAY,
    DRAFT,
    HAND_LIMIT,
    LIMIT,
    MAIN_DONE,
    ONE,
    PHASES,
    RIGHT_ONLY,
    SAME,
    SECOND_COLLECT,
    TURN,
    U8,
    ZERO,
    Board,
    Shape,
    mask,
)
from fold_envs.games.momiji.components import (
    POWERS,
    TILES_EACH,
    TYPES,
    VALUES,
    check_start_acorns,
    load_components,
)
from fold_envs.games.momiji.deal import Dealer
from fold_envs.games.momiji.heuristic import Greedy
from fold_envs.games.momiji.legal import TYPE_BITS, Legal
from fold_envs.games.momiji.moves import (
    SWAP_PILES,
    TAKE_CARD,
    TAKE_TOKEN,
    Effect,
    action_layout,
    effect_table,
)
from fold_envs.games.momiji.observation import Observer, observation_layout

LANDSCAPES = ("first_game", "draft", "none")
LAST_ROUND = ("same", "extra")
BONUS = 2  # acorns for each facing pair
RESAMPLE_TRIES = 100

_TYPES = np.arange(TYPES, dtype=np.uint8)[:, None]
_HIGHEST = VALUES - 1
_DISPLAY, _HAND_LIMIT, _LIMIT, _RIGHT_ONLY = (
    np.array(number, np.uint8) for number in (DISPLAY, HAND_LIMIT, LIMIT << 4, RIGHT_ONLY)
)
_DRAWS = np.arange(DISPLAY, dtype=np.uint8)[:, None]


class Momiji(BatchGame):
    """Batched Momiji; see ``BatchGame`` for the contract and README.md for rules and spaces.

    Args:
        num_envs: number of tables.
        landscapes: "first_game" (the same three tiles for everybody), "draft" or "none".
        last_round: "same" ends the game with the turn that triggers the end, "extra" gives
            everybody else one more turn.
        start_acorns: a whole number (the same for all) or one for each player in turn order; None
            takes those of the component table.
        cards: path of a component table of the shape of components.toml; None takes that one.
        **options: those of ``BatchGame``.
    """

    name = "Momiji"
    players = range(2, 5)
    default_players = 2
    phases = PHASES
    score_scale = 100.0
    margin_scale = 50.0
    mask_is_all = False

    def __init__(
        self,
        num_envs: int = 1,
        *,
        landscapes: str = "first_game",
        last_round: str = "same",
        start_acorns: int | Sequence[int] | None = None,
        cards: str | PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        self.landscapes = check_choice(landscapes, LANDSCAPES, "landscapes")
        self.last_round = check_choice(last_round, LAST_ROUND, "last_round")
        self.start_acorns, self.cards = start_acorns, cards
        self.components = load_components(cards)
        super().__init__(num_envs, **options)

    @property
    def options(self) -> dict[str, Any]:
        """The constructor arguments that build this game."""
        names = ("landscapes", "last_round", "start_acorns", "cards")
        return super().options | {name: getattr(self, name) for name in names}

    def _layouts(self) -> tuple[Layout, Layout]:
        components, p = self.components, self.num_players
        in_play = {"first_game": components.first_game, "draft": POWERS, "none": ()}
        powers = tuple(power for power in POWERS if power in in_play[self.landscapes])
        draft = self.landscapes == "draft"
        if draft and (tiles := sum(components.tile_copies)) < p * TILES_EACH:
            raise InvalidOptionError(
                f"landscapes: the draft for {p} needs {p * TILES_EACH} tiles, there are {tiles}"
            )
        self.shape = Shape(p, components, powers, draft)
        if self.start_acorns is None:
            acorns = components.start_acorns[:p]
        else:
            acorns = check_start_acorns(self.start_acorns, p, "start_acorns")
        actions = action_layout(self.shape)
        self._effects = effect_table(actions, self.shape, components.amounts)
        self._columns = (np.arange(256) >> 4) * actions.size  # of a situation's first action
        self._facts = Legal(actions, self.shape, components)
        layout = observation_layout(self.shape, components)
        self._observer = Observer(layout, self.shape, components)
        # by kind, then for "no card": the pile's byte with it on top, whether it is a 0, a 3, its
        # type as a bit
        kinds = TYPES * components.kinds
        self._kinds = np.arange(len(kinds), dtype=np.uint8).reshape(TYPES, -1, 1)
        codes = [_pile_byte(value, corners) for value, corners in kinds]
        values = np.array([value for value, _ in kinds])
        bits = np.repeat(TYPE_BITS[:, 0], self.shape.each)
        attributes = np.stack([codes, values == 0, values == _HIGHEST, bits])
        self._attributes = np.append(attributes, np.zeros((4, 1)), axis=1).astype(np.uint8)
        self._tile_numbers = np.arange(1, len(powers) + 1, dtype=np.uint8)[:, None]
        self._seats = np.arange(p, dtype=np.uint8)[:, None]
        self._dealer = Dealer(self.shape, components, acorns)
        return actions, layout

    def _fields(self) -> list[Field]:
        return self.shape.fields()

    def _deal(self, state: State, streams: Streams) -> None:
        self._dealer.deal(state, streams)

    def _bind(self) -> None:
        self._one_group = np.zeros(self.num_envs, np.uint8)
        self.board = Board(self.state, self.shape)

    # ---------------------------------------------------------------- a step

    def _groups_of(self) -> U8:
        return self._one_group

    def _apply(self, group: int, actions: NDArray[np.intp]) -> None:
        raise NotImplementedError("all phases are played together, in _advance")

    def _advance(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        _ = self.legal  # the facts are those before the action
        board = self.board
        column = self._columns.take(self._facts.situation, mode="clip")
        column += actions
        if live is not None:
            column[~live] = self._effects.shape[1] - 1  # nothing happens
        effect = Effect(*self._effects.take(column, axis=1, mode="clip"))
        board.situation &= effect.keep
        board.situation |= effect.set
        board.acorns[0] += effect.acorns

        # the card that moves, where an end of the row means the one that waits for it
        kind = effect.kind + board.placing
        card = (self._kinds == kind).view(np.uint8)
        in_type = np.negative(np.bitwise_or.reduce(card, axis=1))
        lays = self._lay(effect, kind, in_type)
        self._leave_hand(card, lays | effect.discards)
        turn_over = self._discard(effect, kind)
        self._collect(effect, in_type)
        if self.shape.active:
            self._use_tile(effect)
        self._rare_moves(effect)
        turn_over |= self._end_turn(effect.ends_turn)
        self._next_turn(turn_over)
        self._draw(effect, turn_over)

    # ---------------------------------------------------------------- plays

    def _lay(self, effect: Effect, kind: U8, in_type: U8) -> U8:
        """Lay a card, or let it wait for its end of the row; returns the mask of cards laid."""
        s, board = self.state, self.board
        code, zero, closes, type_bit = self._attributes.take(kind, axis=1, mode="clip")
        founded = board.founded[0]
        new = mask((founded & type_bit) == ZERO)
        waits = effect.lays & new & self._facts.gates.both_ends & mask(founded != ZERO)
        lays = effect.lays ^ waits
        np.bitwise_and(kind + ONE, waits | effect.idle, out=board.placing)
        board.situation += waits & effect.detour
        board.low &= effect.keep_low
        board.low |= effect.low
        board.low &= ~(new & effect.different)  # after a new pile no old one

        pile = board.pile[0]
        target = in_type & lays
        pile ^= (pile ^ code) & target
        board.height[0] -= target  # 255 is -1
        board.zeros[0] += lays & zero
        board.torii -= np.minimum(lays & closes, board.torii)
        tables = lays.nonzero()[0]
        row = s.seat[tables].astype(np.intp)
        row *= self.shape.kinds
        row += kind[tables]
        row *= self.num_envs
        row += tables
        s.laid.reshape(-1)[row] += 1
        self._open_pile(effect, new & lays, target, type_bit)

        pays = effect.bonus
        if "lantern" in self.shape.active:
            self._lantern(lays, type_bit)
        if "moon" in self.shape.active:
            ends_same = self._was_same() & mask(board.phase == TURN)
            pays = pays | (ends_same & mask(board.tile == self.shape.active["moon"]))
        tables = pays.nonzero()[0]
        if len(tables):
            self._acorn_bonus(tables)
        return lays

    def _open_pile(self, effect: Effect, opens: U8, target: U8, type_bit: U8) -> None:
        """A new pile lies at its end of the row."""
        board = self.board
        left_end, right_end = board.left_end[0], board.right_end[0]
        end = right_end ^ ((right_end ^ left_end) & effect.left)
        end &= opens
        board.spot[0] |= end & target
        to_left = opens & effect.left
        to_right = opens ^ to_left
        left_end += to_left  # 255 is -1
        right_end -= to_right
        board.founded[0] |= opens & type_bit
        board.situation |= to_right & _RIGHT_ONLY

    def _was_same(self) -> U8:
        """(N,) mask: a same-type play went on before this action."""
        return mask(self._facts.situation >> 4 == SAME)

    def _lantern(self, lays: U8, type_bit: U8) -> None:
        """Under the lantern a same-type play goes on after its second card."""
        board, most = self.board, self.components.amounts["lantern"]
        ends = self._was_same() & mask(board.phase == TURN)
        board.put -= lays & (ends | mask(board.phase == SAME))  # 255 is -1
        more = ends & lays & mask(board.put < most)
        more &= mask(board.tile == self.shape.active["lantern"])
        board.situation ^= more & np.uint8(SAME << 4 | MAIN_DONE)
        board.low |= more & type_bit
        board.put &= ~ends | more

    def _acorn_bonus(self, tables: NDArray[np.intp]) -> None:
        """Each pair of neighbours whose facing corners both show an acorn gives acorns."""
        pile, spot = self.board.pile[0][:, tables], self.board.spot[0][:, tables]
        pairs = (spot[:, None] + ONE == spot).view(np.uint8)  # [a, b]: b is right of a
        pairs &= (pile >> 5)[:, None]  # bit 0 is now the right corner
        pairs &= pile >> 4
        count = np.add.reduce(pairs.reshape(TYPES * TYPES, -1), axis=0, dtype=np.uint8)
        self.board.acorns[0, tables] += count * np.uint8(BONUS)

    # ---------------------------------------------------------------- other moves of cards

    def _leave_hand(self, card: U8, leaves: U8) -> None:
        """The card of place 0 goes to its row or to the discards, seen by all."""
        board = self.board
        gone = card & leaves
        board.hand[0] -= gone
        board.left -= gone
        known = board.known[0]
        known -= np.minimum(gone, known, out=gone)

    def _discard(self, effect: Effect, kind: U8) -> U8:
        """Later discards may not be lower; returns the mask of turns over at the hand limit."""
        rising = self.board.rising
        rising &= ~effect.discards
        rising |= kind & effect.remembers
        return effect.discards & self._facts.gates.limit & mask(self._facts.due == ONE)

    def _collect(self, effect: Effect, in_type: U8) -> None:
        """All cards of a type go from the display to the hand, seen by all."""
        board = self.board
        cards = board.display & (in_type & effect.collects)[:, None]
        board.hand[0] += cards
        board.known[0] += cards
        board.display -= cards
        if "wind" in self.shape.active:
            shown = self._facts.shown
            first = effect.collects & self._facts.gates.collect & mask(shown & (shown - ONE) != 0)
            first &= mask(board.tile == self.shape.active["wind"])
            board.situation ^= first & np.uint8(SECOND_COLLECT << 4 | MAIN_DONE)
            board.low |= first & np.bitwise_or.reduce(in_type & TYPE_BITS, axis=0)

    def _draw(self, effect: Effect, turn_over: U8) -> None:
        """Cards leave the deck: paid reveals, mountains, an empty display as a turn begins."""
        s, k, n = self.state, self.shape.kinds, self.num_envs
        empty = (self._facts.shown == ZERO).view(np.uint8) * _DISPLAY  # still so at its end
        wanted = effect.draws | (turn_over & empty)
        tables = wanted.nonzero()[0]
        if not len(tables):
            return
        drawn = s.drawn[tables]
        stop = np.minimum(drawn + wanted[tables], self.shape.deck)
        row = (drawn + _DRAWS).astype(np.intp)
        cells = s.deck.reshape(-1).take(row * n + tables, mode="clip").astype(np.intp)
        # into the display; by a tile into the hand of place 0, which lies behind it
        cells += (effect.tile[tables] != ZERO) * k
        cells *= n
        cells += tables
        np.add.at(s.cards.reshape(-1), cells[row < stop], np.uint8(1))
        s.drawn[tables] = stop

    def _use_tile(self, effect: Effect) -> None:
        board = self.board
        board.tile |= effect.tile
        used = (self._tile_numbers == effect.tile).view(np.uint8)
        board.unused[0] -= used
        board.used[0] += used

    # ---------------------------------------------------------------- rare moves

    def _rare_moves(self, effect: Effect) -> None:
        tables = effect.rare.nonzero()[0]
        if not len(tables):
            return
        moves = effect.rare[tables]
        numbers = moves & 15
        moves ^= numbers
        for move in set(moves.tolist()):
            chosen = moves == move
            at, number = tables[chosen], numbers[chosen]
            if move == TAKE_TOKEN:
                self._take_token(at, number)
            elif move == TAKE_CARD:
                self._take_card(at, effect.kind[at])
            elif move == SWAP_PILES:
                self._swap_piles(at, number)
            else:
                self._keep_tile(at, number)

    def _take_token(self, tables: NDArray[np.intp], token: U8) -> None:
        """Activate an objective."""
        board, price = self.board, self._facts.price
        board.acorns[0, tables] -= price[tables] if price.ndim else price
        bit = scoring.TOKEN_BITS[token, 0]
        self.state.middle[tables] ^= bit
        board.owned[0, tables] |= bit

    def _take_card(self, tables: NDArray[np.intp], kind: U8) -> None:
        """Pond: one card of the display, seen by all."""
        cards, step = self.state.cards.reshape(-1), self.shape.kinds * self.num_envs
        cell = kind.astype(np.intp)
        cell *= self.num_envs
        cell += tables
        cards[cell] -= 1  # behind the display lie the hand of place 0 and what is known of it
        cards[cell + step] += 1
        cards[cell + 2 * step] += 1

    def _swap_piles(self, tables: NDArray[np.intp], number: U8) -> None:
        """Bridge: swap pile ``number`` (from the left, from 0) with the next."""
        spots = self.board.spot[0]
        spot = spots[:, tables]
        left = self.board.left_end[0, tables] + ONE + number
        is_left, is_right = spot == left, spot == left + ONE
        spots[:, tables] = spot + is_left - is_right.view(np.uint8)

    def _keep_tile(self, tables: NDArray[np.intp], tile: U8) -> None:
        """Draft: picks are secret until the last seat has chosen; then the rests go to the left."""
        s, board = self.state, self.board
        board.pick[0, tables] = tile + 1
        keeps = np.zeros(self.num_envs, np.uint8)
        keeps[tables] = 255
        board.turn_seats(keeps)
        tables = tables[board.pick[0, tables] > 0]
        if not len(tables):
            return
        picked = board.pick[:, None, tables] == self._tile_numbers
        board.unused[:, :, tables] += picked
        rest = np.roll(board.offered[:, :, tables] - picked, 1, axis=0)
        last = s.round[tables] == TILES_EACH - 1  # the last tile comes by itself
        board.unused[:, :, tables] += rest * last
        board.offered[:, :, tables] = rest * ~last
        board.pick[:, tables] = 0
        s.turns[tables] = last
        s.round[tables] = np.where(last, 0, s.round[tables] + 1)
        board.situation[tables] = np.where(last, TURN, DRAFT) << 4

    # ---------------------------------------------------------------- the end of a turn

    def _end_turn(self, ending: U8) -> U8:
        """End the game, go on to the hand limit or return the mask of turns that are over."""
        board, facts = self.board, self._facts
        out = mask((board.torii == ZERO) | ~facts.deck_left)
        if self.last_round == "same":
            last = ending & out
        else:
            extra = mask(board.extra > 0)
            last = ending & mask(board.extra == 1)
            board.extra += ending & extra  # 255 is -1
            board.extra |= ending & out & ~extra & np.uint8(self.num_players - 1)
        over = self.state.over
        over |= last != ZERO
        ending = ending ^ last
        full = ending & mask(facts.size > _HAND_LIMIT)
        board.situation |= full & _LIMIT
        return ending ^ full

    def _next_turn(self, turn_over: U8) -> None:
        """The next seat clockwise begins its turn."""
        board = self.board
        board.turn_seats(turn_over)
        board.turns -= turn_over  # 255 is -1
        board.of_turn &= ~turn_over

    # ---------------------------------------------------------------- told, scored, seen

    def _mark_legal(self, group: int, legal: U8) -> None:
        self._facts.look(self.board)
        self._facts.write(self.board, legal.view(np.bool_))

    def _write_to_act(self, out: U8) -> None:
        out[:] = self.state.seat

    def _write_phase(self, out: U8) -> None:
        out[:] = self.board.phase

    def _observe(self, seat: U8 | None, out: U8) -> None:
        _ = self.legal  # makes the facts those of now
        self._observer.write(self.board, self._facts.fits, seat, out)

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        by_place = scoring.points(self.board)
        by_place += self.board.acorns
        place = self._seats - self.state.seat
        place += (self._seats < self.state.seat).view(np.uint8) * np.uint8(self.num_players)
        index = place.astype(np.intp)
        index *= self.num_envs
        index += self._lanes
        by_place.take(index, out=out, mode="clip")

    def _snapshot(self, table: int) -> dict[str, Any]:
        return view.snapshot(self.board, self.shape, self.components, table)

    def _describe(self, action: int, table: int | None) -> str:
        phase = None if table is None else int(self.board.phase[table])
        return view.describe(self.actions, self.shape, self.components, action, phase)

    def render(self, table: int = 0) -> str:
        """One table as text, hidden cards included."""
        return view.render_text(self.snapshot(table))

    def heuristic(self, reveals: bool = False) -> Policy:
        """The greedy player of heuristic.py; a stronger one if it ``reveals`` cards for acorns."""
        check_choice(reveals, (True, False), "reveals")
        return Greedy(self.layout, self.actions, self.shape, self.components, reveals=reveals)

    def _resample(self, seats: NDArray[np.intp]) -> None:
        # the seat to act must be able to finish the move it has begun: else draw again
        wrong = np.flatnonzero(~self.state.over)
        legal = Legal(self.actions, self.shape, self.components)
        for _ in range(RESAMPLE_TRIES):
            if not len(wrong):
                return
            drawn = self.state.take(wrong)
            board = Board(drawn, self.shape)
            stream = Streams(drawn.side_key, drawn.side_counter)
            hidden.resample(board, self.shape, self.components, seats[wrong], stream)
            options = np.zeros((self.num_actions, len(wrong)), bool)
            legal.look(board)
            legal.write(board, options)
            good = options.any(axis=0)
            self.state.side_counter[wrong] = drawn.side_counter
            self.state.put(wrong[good], drawn.take(np.flatnonzero(good)))
            wrong = wrong[~good]

    def census(self) -> NDArray[np.integer]:
        """(K + 8 + 1, N): cards of every kind, objective tokens, landscape tiles of all seats."""
        return hidden.census(self.board, self.shape, self.components)


def _pile_byte(value: int, corners: int) -> int:
    """How a pile with this card on top is kept; see board.py. A torii hides the corners of a 3."""
    if value == _HIGHEST:
        return value << 6
    return value << 6 | corners << 4 | 0b11 << value
