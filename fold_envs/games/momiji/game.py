"""Momiji (Dario Massarenti, Francesco Testini, 2021): collect leaves, grow piles, claim objectives.

Rules: README.md. A step is: look up what the action does by itself (moves.py), then the parts that
depend on cards, each a method here, all on place 0 (board.py). In random play the tables are in
different phases all the time, so nearly every part computes over all tables under 0 / 255 masks;
a part that needs many operations works on the indices of its tables.
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
    ACTIVATION_PRICE,
    GAINS,
    KEEP,
    SET,
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
_DISPLAY, _HAND_LIMIT, _LIMIT, _RIGHT_ONLY, _ACTIVATION_PRICE = (
    np.array(number, np.uint8)
    for number in (DISPLAY, HAND_LIMIT, LIMIT << 4, RIGHT_ONLY, ACTIVATION_PRICE)
)
_BONUS = np.array(BONUS, np.uint8)
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
        self._effects, self._columns = effect_table(actions, self.shape, components.amounts)
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
        self._dealer = Dealer(self.shape, components, acorns)
        return actions, layout

    def _fields(self) -> list[Field]:
        return self.shape.fields()

    def _deal(self, state: State, streams: Streams) -> None:
        self._dealer.deal(state, streams)

    def _bind(self) -> None:
        # where rows begin in a flat array (rows, N)
        n, k = self.num_envs, self.shape.kinds
        self._row_starts = np.arange(256) * n
        self._laid_starts = np.arange(self.num_players) * k * n
        places = np.arange(self.num_players)
        # [s, a]: place of absolute seat s if seat a is at place 0
        self._places = (places[:, None] - places) % self.num_players
        self._next_cards = self._row_starts[:DISPLAY, None]
        # by tile: cards drawn come into the display or into the hand of place 0, which is next
        self._draw_starts = np.where(np.arange(len(self.shape.powers) + 1) > 0, k * n, 0)
        self.board = Board(self.state, self.shape)

    # ---------------------------------------------------------------- a step

    def _advance(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        _ = self.legal  # the facts are those before the action
        board = self.board
        if live is not None:
            actions = np.where(live, actions, self.num_actions)  # nothing happens
        column = self._columns.take(self._facts.situation, mode="clip")
        column += actions
        rows = self._effects.take(column, axis=1, mode="clip")
        effect = Effect(*rows)
        board.kept &= rows[KEEP]
        board.set |= rows[SET]
        board.own.gains += rows[GAINS]
        board.middle ^= effect.token

        # the card that moves, where an end of the row means the one that waits for it
        kind = effect.kind + board.placing
        card = (self._kinds == kind).view(np.uint8)
        in_type = np.negative(np.bitwise_or.reduce(card, axis=1))
        lays = self._lay(effect, kind, in_type, live)
        self._leave_hand(card, lays | effect.discards)
        self._collect(effect, card, in_type)
        if self.shape.active:
            self._use_tiles(effect)
        ends = self._end_turn(effect)
        self._next_turn(mask(ends))
        self._draw(effect, ends)
        if self.shape.draft:
            self._draft(actions, live)

    # ---------------------------------------------------------------- plays

    def _lay(self, effect: Effect, kind: U8, in_type: U8, live: NDArray[np.bool_] | None) -> U8:
        """Lay a card, or let it wait for its end of the row; returns the mask of cards laid."""
        s, board = self.state, self.board
        own = board.own
        code, zero, closes, type_bit = self._attributes.take(kind, axis=1, mode="clip")
        new = mask((own.founded & type_bit) == ZERO)
        waits = effect.may_wait & new
        waits &= mask(own.founded != ZERO)
        lays = effect.lays ^ waits
        stays = waits if live is None else waits | mask(~live)
        np.bitwise_and(kind + ONE, stays, out=board.placing)
        board.situation += waits & effect.detour
        board.low &= ~(new & effect.different)  # after a new pile no old one

        pile = own.pile
        target = in_type & lays
        pile ^= (pile ^ code) & target
        own.height -= target  # 255 is -1
        own.zeros += lays & zero
        board.torii -= np.minimum(lays & closes, board.torii)
        tables = (lays != ZERO).nonzero()[0]  # much faster on booleans
        cell = self._row_starts.take(kind.take(tables))
        cell += self._laid_starts.take(s.seat.take(tables))
        cell += tables
        s.laid.reshape(-1)[cell] += ONE
        self._open_pile(effect, new & lays, target, type_bit)

        pays = effect.bonus.view(np.bool_)
        if "lantern" in self.shape.active:
            self._lantern(lays, type_bit)
        if "moon" in self.shape.active:
            ends_same = self._was_same() & mask(board.phase == TURN)
            pays |= (ends_same & mask(board.tile == self.shape.active["moon"])) != ZERO
        tables = pays.nonzero()[0]
        if len(tables):
            self._acorn_bonus(tables)
        return lays

    def _open_pile(self, effect: Effect, opens: U8, target: U8, type_bit: U8) -> None:
        """A new pile lies at its end of the row."""
        own = self.board.own
        to_left = opens & effect.left
        to_right = opens ^ to_left
        end = own.left_end & to_left
        end |= own.right_end & to_right
        own.spot |= end & target
        own.left_end += to_left  # 255 is -1
        own.right_end -= to_right
        own.founded |= opens & type_bit
        self.board.situation |= to_right & _RIGHT_ONLY

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
        own = self.board.own
        pile = own.pile.take(tables, axis=1, mode="clip")
        spot = own.spot.take(tables, axis=1, mode="clip")
        pairs = (spot[:, None] + ONE == spot).view(np.uint8)  # [a, b]: b is right of a
        pairs &= (pile >> 5)[:, None]  # bit 0 is now the right corner
        pairs &= pile >> 4
        count = np.add.reduce(pairs.reshape(TYPES * TYPES, -1), axis=0, dtype=np.uint8)
        own.acorns[tables] += count * _BONUS

    # ---------------------------------------------------------------- other moves of cards

    def _leave_hand(self, card: U8, leaves: U8) -> None:
        """The card of place 0 goes to its row or to the discards, seen by all."""
        own = self.board.own
        gone = card & leaves
        own.hand -= gone
        self.board.left -= gone
        own.known -= np.minimum(gone, own.known, out=gone)

    def _collect(self, effect: Effect, card: U8, in_type: U8) -> None:
        """All cards of a type (pond: one card) go from the display to the hand, seen by all."""
        board = self.board
        cards = board.display & (in_type & effect.collects)[:, None]
        if "pond" in self.shape.active:
            cards |= card & effect.takes
        board.own.hand += cards
        board.own.known += cards
        board.display -= cards
        if "wind" in self.shape.active:
            shown = self._facts.shown
            first = effect.collects & self._facts.gates.collect & mask(shown & (shown - ONE) != 0)
            first &= mask(board.tile == self.shape.active["wind"])
            board.situation ^= first & np.uint8(SECOND_COLLECT << 4 | MAIN_DONE)
            board.low |= first & np.bitwise_or.reduce(in_type & TYPE_BITS, axis=0)

    def _draw(self, effect: Effect, turn_over: NDArray[np.bool_]) -> None:
        """Cards leave the deck: paid reveals, mountains, an empty display as a turn begins."""
        s = self.state
        empty = self._facts.shown == ZERO  # still so at the end of a turn
        empty &= turn_over
        count = empty.view(np.uint8) * _DISPLAY
        count |= effect.draws
        np.minimum(count, self._facts.undrawn, out=count)
        tables = (count != ZERO).nonzero()[0]
        if not len(tables):
            return
        cell = self._row_starts.take(s.drawn.take(tables))
        cell += tables
        cards = s.deck.reshape(-1).take(cell + self._next_cards, mode="clip")
        cell = self._draw_starts.take(effect.tile.take(tables))
        cell += tables
        cell = self._row_starts.take(cards) + cell
        drawn = (_DRAWS < count.take(tables)).view(np.uint8)
        np.add.at(s.cards.reshape(-1), cell.reshape(-1), drawn.reshape(-1))
        self.board.drawn += count

    # ---------------------------------------------------------------- landscapes

    def _use_tiles(self, effect: Effect) -> None:
        """A tile is used; what bridges and teahouses change."""
        own, active = self.board.own, self.shape.active
        used = (self._tile_numbers == effect.tile).view(np.uint8)
        own.unused -= used
        own.used += used
        if "bridge" in active:
            spot = own.spot
            left = own.left_end + effect.swap
            is_right = (spot == left + ONE).view(np.uint8)
            spot += (spot == left).view(np.uint8)
            spot -= is_right
        if "teahouse" in active:
            own.acorns += (_ACTIVATION_PRICE - self._facts.price) & mask(effect.token != ZERO)

    def _draft(self, actions: NDArray[np.intp], live: NDArray[np.bool_] | None) -> None:
        drafting = self._facts.situation == DRAFT << 4
        if live is not None:
            drafting &= live
        tables = drafting.nonzero()[0]
        if len(tables):
            self._keep_tile(tables, actions[tables] - self.actions["tile"].start)

    def _keep_tile(self, tables: NDArray[np.intp], tile: NDArray[np.intp]) -> None:
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

    def _end_turn(self, effect: Effect) -> NDArray[np.bool_]:
        """End the game, go on to (or on at) the hand limit, or return where a turn is over."""
        board, facts = self.board, self._facts
        ends = effect.ends_turn.view(np.bool_)
        going = board.torii != ZERO
        going &= facts.deck_left
        if self.last_round == "same":
            last = ends > going  # and not
        else:
            ending = mask(ends) & ~effect.discards
            extra = mask(board.extra > 0)
            last = (ending & mask(board.extra == 1)) != ZERO
            board.extra += ending & extra  # 255 is -1
            board.extra |= ending & ~mask(going) & ~extra & np.uint8(self.num_players - 1)
        over = self.state.over
        over |= last
        ends = ends > last
        size = facts.size + effect.discards  # 255 is -1
        full = size > _HAND_LIMIT
        full &= ends
        board.situation |= full.view(np.uint8) * _LIMIT
        return ends > full

    def _next_turn(self, turn_over: U8) -> None:
        """The next seat clockwise begins its turn."""
        board = self.board
        board.turn_seats(turn_over)
        board.turns -= turn_over  # 255 is -1
        board.of_turn &= ~turn_over

    # ---------------------------------------------------------------- told, scored, seen

    def _write_legal(self, legal: U8) -> None:
        self._facts.look(self.board)
        self._facts.write(self.board, legal)

    def _write_to_act(self, out: U8) -> None:
        out[:] = self.state.seat

    def _write_phase(self, out: U8) -> None:
        out[:] = self.board.phase

    def _observe(self, seat: U8 | None, out: U8) -> None:
        _ = self.legal  # makes the facts those of now
        self._observer.write(self.board, self._facts.fits, seat, out)

    def _write_scores(self, out: NDArray[np.int16]) -> None:
        out[...] = self._scores_of(self._lanes)

    def _scores_of(self, tables: NDArray[np.intp]) -> NDArray[np.int16]:
        rows, first = self.shape.rows, self.shape.rows["pile"].start
        seats = self.board.seats[:, first : rows["owned"].stop].take(tables, axis=2, mode="clip")

        def part(name: str) -> U8:
            piece = rows[name]
            return seats[:, piece.start - first : piece.stop - first]

        zeros, acorns, owned = part("zeros")[:, 0], part("acorns")[:, 0], part("owned")[:, 0]
        by_place = scoring.points(part("pile"), part("height"), zeros, owned)
        by_place += acorns
        place = self._places.take(self.state.seat.take(tables), axis=1, mode="clip")
        place *= len(tables)
        place += np.arange(len(tables))
        return by_place.take(place, mode="clip")

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
            options = np.zeros((self.num_actions, len(wrong)), np.uint8)
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
