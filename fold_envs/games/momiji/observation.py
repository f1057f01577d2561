"""What a seat of Momiji sees, own seat first, then clockwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rows import pick
from fold_envs.engine.state import State
from fold_envs.games.momiji import scoring
from fold_envs.games.momiji.board import FLAGS, ONE, PHASES, TOKENS, U8, ZERO, Board, Shape
from fold_envs.games.momiji.components import COPIES, TILES_EACH, TYPES, VALUES, Components
from fold_envs.games.momiji.legal import TYPE_BITS

ACORN_CAP, HAND_CAP = 60, 20  # larger numbers are shown as these
_CORNERS_AT = np.array([4, 5], np.uint8)[:, None, None, None]  # in the bits of a pile
_PHASE_AT = np.array(4, np.uint8)  # in a situation
_PILE = sum(COPIES) - 1  # of the two 3s only one ends a pile
_TOP = VALUES - 1


def observation_layout(shape: Shape, components: Components) -> Layout:
    """The features."""
    p, each, tiles = shape.num_players, shape.each, len(shape.powers)
    piles = p + 2  # at most, one of each type in use
    kinds, copies = (TYPES, each), max(components.copies)
    zeros = sum(value == 0 for value, _ in components.kinds)
    most = components.amounts["lantern"] - 1
    parts = [
        Part("hand", kinds, copies, False, "own cards of each kind: type, then value and corners"),
        Part("fits", kinds, doc="a card of the kind would fit on the own row now"),
        Part("gain", kinds, _TOP + _PILE - 1, doc="points that laying it now would add; 0: no fit"),
        Part("display", kinds, copies, doc="cards in the display"),
        Part("known", (p - 1, *kinds), copies, doc="cards known to be in the other hands"),
        Part("unseen", kinds, copies, False, "cards in the deck or unknown in other hands"),
        Part("types", (TYPES,), doc="the type is in use"),
        Part("top", (p, TYPES), VALUES, doc="1 + top value of the pile of a type, 0 without one"),
        Part("height", (p, TYPES), _PILE, doc="cards in the pile"),
        Part("place", (p, TYPES), piles, doc="place of the pile in the row from the left, from 1"),
        Part("left_acorn", (p, TYPES), doc="the left corner of its top shows an acorn"),
        Part("right_acorn", (p, TYPES), doc="the right corner does"),
        Part("faced", (2, TYPES), doc="own piles: the left / right neighbour shows one towards it"),
        Part("pairs", (), piles - 1, doc="facing pairs in the own row"),
        Part("acorns", (p,), ACORN_CAP, doc=f"acorns, at most {ACORN_CAP} shown"),
        Part("hand_size", (p,), HAND_CAP, doc=f"cards in hand, at most {HAND_CAP} shown"),
        Part("pile_points", (p,), piles * _TOP * _PILE, doc="points of the piles"),
        Part("objective_points", (p,), 10 * (p + 2), doc="points of activated objectives now"),
        Part("zeros", (p,), piles * COPIES[0], doc="0s in the row"),
        Part("tops", (p,), piles * _TOP, doc="sum of the visible top values"),
        Part("middle", (TOKENS,), doc="objectives there: most zeros, highest tops, type 0-5"),
        Part("owned", (p, TOKENS), doc="who activated them"),
        Part("best", (p, TOKENS), doc="who is among the best players for them now"),
    ]
    if tiles:
        names = ", ".join(shape.powers)
        parts += [
            Part("unused", (p, tiles), TILES_EACH, doc=f"landscape tiles to use: {names}"),
            Part("active", (tiles,), doc="tile used in this turn"),
        ]
    phases = PHASES[: _num_phases(shape)]
    parts += [
        Part("phase", (len(phases),), doc=", ".join(phases).replace("_", " ")),
        Part("main_done", doc="in this turn: the main action is done"),
        Part("revealed", doc="in this turn: cards were revealed for an acorn"),
        Part("discarded", doc="in this turn: two cards were discarded for an acorn"),
        Part("right_only", doc="this play may add piles at the right end only"),
        Part(
            "low",
            (TYPES,),
            doc="type of a same-type play or of the first of two collected; in a play of different "
            "types those whose old piles may still get a card",
        ),
        Part("placing", (TYPES, zeros), doc="0 that waits for its end of the row"),
        Part("rising", (), shape.kinds - 1, doc="lowest kind that the next discard may be"),
        Part("deck", (), shape.deck, doc="cards in the deck"),
        Part("torii", (), p + 2, doc="torii in the middle"),
        Part("extra", (), p - 1, doc="extra turns left, this one too until its end"),
        Part("to_act", (p,), doc="who must act: 0 own seat, then clockwise"),
    ]
    if "lantern" in shape.active:
        parts.append(Part("put", (), most, doc="cards laid by the same-type play now begun"))
    if shape.draft:
        parts += [
            Part("offered", (tiles,), TILES_EACH, False, "draft: own tiles to choose from"),
            Part("passed", (tiles,), TILES_EACH, False, "draft: tiles passed to the left"),
            Part("pick", (tiles,), 1, False, "draft: tile picked in this round"),
            Part("has_picked", (p,), doc="draft: who has picked in this round"),
            Part("round", (), 2, doc="draft: round, 0 afterwards"),
        ]
    return Layout(*parts)


def _num_phases(shape: Shape) -> int:
    """Without a draft its phase, the last one, is left out."""
    return len(PHASES) - (not shape.draft)


class Observer:
    """Writes observations."""

    def __init__(self, layout: Layout, shape: Shape, components: Components) -> None:
        self._layout, self._shape = layout, shape
        values = np.array([value for value, _ in components.kinds], np.uint8)
        self._values = values[:, None]
        self._value_bits = (1 << self._values).astype(np.uint8)
        self._tiles = np.arange(1, len(shape.powers) + 1, dtype=np.uint8)[:, None]
        self._seats = np.arange(shape.num_players, dtype=np.uint8)[:, None]
        zero_kinds = np.arange(TYPES)[:, None] * shape.each + np.flatnonzero(values == 0)
        self._placing = (zero_kinds + 1).astype(np.uint8)[..., None]
        self._phases = np.arange(_num_phases(shape), dtype=np.uint8)[:, None]
        self._flags = np.array(FLAGS, np.uint8)[:, None]
        self._deck = np.array(shape.deck, np.uint8)
        self._views_of: tuple[U8, dict[str, U8]] | None = None
        self._turned: Board | None = None

    def write(self, board: Board, fits: NDArray[np.bool_], seat: U8 | None, out: U8) -> None:
        """Write (D, N) features of absolute ``seat``, one a table, or of the one to act.

        ``fits`` (K, N) are the kinds that fit on the row of the seat to act.
        """
        s, p = board.state, self._shape.num_players
        acting = ZERO  # place of the seat to act, seen from the observer
        if seat is not None:
            acting = (s.seat + np.uint8(p) - seat) % np.uint8(p)
            if acting.any():
                board = self._seen_from(board, (np.uint8(p) - acting) % np.uint8(p))
                fits = (board.pile[0][:, None] & self._value_bits) != ZERO
        views = self._views(out)
        self._write_cards(board, fits, views)
        self._write_rows(board, views)
        self._write_seats(board, views)
        self._write_turn(board, views)
        np.equal(self._seats, acting, out=views["to_act"].view(np.bool_))
        if self._shape.draft:
            self._write_draft(board, views)

    def _seen_from(self, board: Board, place: U8) -> Board:
        """A copy of the board on which ``place`` (N,) of this one is place 0; overwritten later."""
        if self._turned is None:
            self._turned = Board(State(board.state.fields, len(place)), self._shape)
        turned = self._turned
        turned.state.put(slice(None), board.state)
        p = np.uint8(self._shape.num_players)
        for step in range(p):
            turned.seats[step] = pick(board.seats, (place + np.uint8(step)) % p)
        return turned

    def _views(self, out: U8) -> dict[str, U8]:
        """Named views, and some of several parts; kept, as it is nearly always the same array."""
        if self._views_of is None or self._views_of[0] is not out:
            layout, p, n = self._layout, self._shape.num_players, out.shape[1]
            views = layout.views(out)
            rows = slice(layout["left_acorn"].start, layout["right_acorn"].stop)
            views["corners"] = out[rows].reshape(2, p, TYPES, n)
            views["capped"] = out[layout["acorns"].start : layout["hand_size"].stop]
            views["flags"] = out[layout["main_done"].start : layout["right_only"].stop]
            self._views_of = out, views
            # np.minimum is slow with a single number
            self._caps = np.empty((2 * p, n), np.uint8)
            self._caps[:p], self._caps[p:] = ACORN_CAP, HAND_CAP
        return self._views_of[1]

    def _write_cards(self, board: Board, fitting: NDArray[np.bool_], views: dict[str, U8]) -> None:
        own = board.own
        views["hand"][...] = own.hand
        fits = views["fits"]
        fits[...] = fitting.view(np.uint8).reshape(fits.shape)
        # one more card of the top value, or all cards worth one more
        gain = views["gain"]
        np.greater(self._values, (own.pile >> scoring.TOP_AT)[:, None], out=gain.view(np.bool_))
        gain *= own.height[:, None]
        gain += self._values
        gain *= fits
        views["display"][...] = board.display
        known = views["known"]
        known[...] = board.known[1:]
        unseen = views["unseen"]
        np.subtract(board.left, board.display, out=unseen)
        unseen -= own.hand
        for other in known:
            unseen -= other

    def _write_rows(self, board: Board, views: dict[str, U8]) -> None:
        pile = board.pile
        views["types"][...] = board.state.types
        height, top = views["height"], views["top"]
        height[...] = board.height
        np.right_shift(pile, scoring.TOP_AT, out=top)
        np.add.reduce(top, axis=1, dtype=np.uint8, out=views["tops"])
        np.add.reduce(top * height, axis=1, dtype=np.uint8, out=views["pile_points"])
        founded = (height != ZERO).view(np.uint8)
        top += founded
        place = views["place"]
        np.subtract(board.spot, board.left_end[:, None], out=place)
        place *= founded
        corners = views["corners"]
        np.right_shift(pile, _CORNERS_AT, out=corners)
        corners &= ONE
        # own row as bits: the place of a pile, and the next one
        at = np.empty_like(corners[:, 0])
        np.left_shift(founded[0], place[0], out=at[0])
        np.add(at[0], at[0], out=at[1])
        # left corners by their places, right ones by the next: those that face each other agree
        shown = np.bitwise_or.reduce(at * corners[:, 0], axis=1)
        faced = views["faced"]
        np.not_equal(at & shown[::-1, None], ZERO, out=faced.view(np.bool_))
        np.add.reduce(faced[0] & corners[0, 0], axis=0, dtype=np.uint8, out=views["pairs"])

    def _write_seats(self, board: Board, views: dict[str, U8]) -> None:
        sizes = views["hand_size"]
        views["acorns"][...] = board.acorns
        hands = board.hand.reshape(len(sizes), self._shape.kinds, -1)
        np.add.reduce(hands, axis=1, dtype=np.uint8, out=sizes)
        np.minimum(views["capped"], self._caps, out=views["capped"])
        views["zeros"][...] = board.zeros
        best, owned, middle = views["best"], views["owned"], views["middle"]
        scoring.best_players(board.zeros, views["tops"], views["height"], best)
        np.not_equal(board.owned[:, None] & scoring.TOKEN_BITS, ZERO, out=owned.view(np.bool_))
        scoring.objective_points(owned, best, out=views["objective_points"])
        np.not_equal(board.state.middle & scoring.TOKEN_BITS, ZERO, out=middle.view(np.bool_))
        if self._shape.powers:
            views["unused"][...] = board.unused
            np.equal(board.tile, self._tiles, out=views["active"].view(np.bool_))

    def _write_turn(self, board: Board, views: dict[str, U8]) -> None:
        s = board.state
        phase = board.situation >> _PHASE_AT
        np.equal(phase, self._phases, out=views["phase"].view(np.bool_))
        np.not_equal(board.situation & self._flags, ZERO, out=views["flags"].view(np.bool_))
        np.not_equal(board.low & TYPE_BITS, ZERO, out=views["low"].view(np.bool_))
        np.equal(s.placing, self._placing, out=views["placing"].view(np.bool_))
        views["rising"][...] = board.rising
        np.subtract(self._deck, s.drawn, out=views["deck"])
        views["torii"][...] = s.torii
        views["extra"][...] = s.extra
        if "lantern" in self._shape.active:
            views["put"][...] = board.put

    def _write_draft(self, board: Board, views: dict[str, U8]) -> None:
        np.equal(board.pick[0], self._tiles, out=views["pick"].view(np.bool_))
        np.subtract(board.offered[0], views["pick"], out=views["offered"])
        second = (board.state.round == 2).view(np.uint8)
        np.multiply(board.offered[1], second, out=views["passed"])
        np.not_equal(board.pick, 0, out=views["has_picked"].view(np.bool_))
        views["round"][...] = board.state.round
