"""The actions of Momiji, and what each does by itself, as one table.

``effect_table`` reads like the turn: for every phase, what its actions do. A step looks up its
column, and game.py only has to do what depends on the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.games.momiji.board import (
    BRIDGE,
    DIFFERENT_FIRST,
    DIFFERENT_MORE,
    DIFFERENT_SECOND,
    DISCARD_FIRST,
    DISCARD_SECOND,
    DISCARDED,
    DISPLAY,
    LIMIT,
    MAIN_DONE,
    NO_KIND,
    OBJECTIVE,
    PHASES,
    PLACE_FIRST,
    PLACE_MORE,
    PLACE_SAME,
    POND,
    REVEALED,
    RIGHT_ONLY,
    SAME,
    SECOND_COLLECT,
    TOKENS,
    TURN,
    U8,
    Shape,
)
from fold_envs.games.momiji.components import TYPES

TILE_PRICE = REVEAL_PRICE = 1
ACTIVATION_PRICE = 3
YES = 255
ALL_TYPES = (1 << TYPES) - 1
NO_SWAP = 128  # far from every spot


def action_layout(shape: Shape) -> Layout:
    """The actions; tiles are those that may be in play."""
    kinds = (TYPES, shape.each)
    names = ", ".join(shape.powers)
    tiles = [Part("tile", (len(shape.powers),), doc=f"use (in the draft: keep) {names}")]
    swap = [Part("swap", (shape.num_players + 1,), doc="swap a pile with the next, from the left")]
    return Layout(
        Part("card", kinds, doc="lay, discard or (pond) take a card of this kind, by the phase"),
        Part("collect", (TYPES,), doc="collect this type from the display"),
        Part("objective", (TOKENS,), doc="take: most zeros, highest tops, most of type 0-5"),
        *(tiles if shape.powers else []),
        *(swap if "bridge" in shape.active else []),
        Part("end", (2,), doc="put the new pile at the left / right end of the row"),
        Part("play_different", doc="begin a play of different types"),
        Part("done", doc="end a play"),
        Part("discard_two", doc="begin to discard two cards for an acorn"),
        Part("reveal", doc="pay an acorn, reveal 4 cards"),
        Part("activate", doc="begin to activate an objective"),
        Part("pass", doc="no main action is possible"),
        Part("end_turn", doc="end the turn"),
    )


class Effect(NamedTuple):
    """What an action does by itself; (N,) uint8 each, YES (255) or 0 where no number is meant."""

    keep_situation: U8  # bits that stay
    keep_low: U8
    keep_rising: U8
    situation: U8  # bits that come
    low: U8
    rising: U8
    tile: U8  # 1 + tile used
    acorns: U8  # added, modulo 256
    token: U8  # bit: taken from the middle
    kind: U8  # of the card that moves, or the first kind of the type collected; else NO_KIND
    lays: U8  # a card is laid, or waits
    may_wait: U8  # if it opens a pile that is not the first of the row
    detour: U8  # added to the situation if it does
    left: U8  # at the left end
    different: U8  # in a play of different types
    discards: U8  # a card is discarded
    collects: U8  # all cards of the type
    takes: U8  # a card is taken from the display
    draws: U8  # cards from the deck: by a tile into the hand, else into the display
    swap: U8  # 1 + the pile, from the left, to swap with the next; else NO_SWAP
    bonus: U8  # 1 or 0: a play ends and pays the acorn bonus
    ends_turn: U8  # 1 or 0: the turn ends if the hand is small enough then


# runs of rows that are worked on as blocks (rows, N)
KEEP, SET, GAINS = slice(0, 3), slice(3, 7), slice(7, 9)


def effect_table(
    actions: Layout, shape: Shape, amounts: Mapping[str, int]
) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """(rows, C) uint8 and, by situation, (256,) the column of action 0; action A does nothing."""
    table = Effect(*np.zeros((len(Effect._fields), len(PHASES), actions.size + 1), np.uint8))
    table.kind[:] = NO_KIND
    table.swap[:] = NO_SWAP
    for bits in (table.keep_situation, table.keep_low, table.keep_rising):
        bits[:] = YES

    def rule(
        phase: int,
        action: str,
        to: int | None = None,
        *,
        flag: int = 0,
        waits: int | None = None,
        at: int | None = None,
        **does: Any,
    ) -> None:
        """In ``phase`` the actions of this name (number ``at`` of them) go ``to`` a phase, or if
        a new pile waits to another, set a flag and do the rest.
        """
        piece = actions[action]
        if at is not None:
            piece = slice(piece.start + at, piece.start + at + 1)
        table.situation[phase, piece] = flag
        if to is not None:
            table.keep_situation[phase, piece] = 15
            table.situation[phase, piece] |= to << 4
            if waits is not None:
                table.may_wait[phase, piece] = YES
                table.detour[phase, piece] = (waits - to) % 16 << 4
        for field, value in does.items():
            getattr(table, field)[phase, piece] = value

    def ends_play(phase: int, action: str, **does: Any) -> None:
        rule(phase, action, TURN, flag=MAIN_DONE, keep_low=0, **does)
        table.keep_situation[phase, actions[action]] &= ~RIGHT_ONLY & YES

    kinds = np.arange(shape.kinds)
    types = np.arange(TYPES)
    of_type = 1 << kinds // shape.each
    higher = ALL_TYPES & ~(2 * of_type - 1)
    laid: dict[str, Any] = {"kind": kinds, "lays": YES}
    collected: dict[str, Any] = {"kind": types * shape.each, "collects": YES, "keep_low": 0}

    # main actions
    rule(TURN, "collect", flag=MAIN_DONE, **collected)
    rule(TURN, "reveal", flag=REVEALED, acorns=256 - REVEAL_PRICE, draws=DISPLAY)
    rule(TURN, "card", SAME, waits=PLACE_SAME, low=of_type, **laid)
    rule(TURN, "play_different", DIFFERENT_FIRST, low=ALL_TYPES)
    rule(TURN, "activate", OBJECTIVE)
    rule(TURN, "pass", flag=MAIN_DONE)
    # what belongs to them
    rule(SECOND_COLLECT, "collect", TURN, flag=MAIN_DONE, **collected)
    ends_play(SAME, "card", **laid)  # the second one; game.py knows about lanterns
    ends_play(SAME, "done")
    rest: dict[str, Any] = {"different": YES, "keep_low": 0, "low": higher, **laid}
    rule(DIFFERENT_FIRST, "card", DIFFERENT_SECOND, waits=PLACE_FIRST, **rest)
    rule(DIFFERENT_SECOND, "card", DIFFERENT_MORE, waits=PLACE_MORE, **rest)
    rule(DIFFERENT_MORE, "card", DIFFERENT_MORE, waits=PLACE_MORE, **rest)
    ends_play(DIFFERENT_MORE, "done", bonus=1)
    for place, play in (
        (PLACE_SAME, SAME),
        (PLACE_FIRST, DIFFERENT_SECOND),
        (PLACE_MORE, DIFFERENT_MORE),
    ):
        rule(place, "end", play, at=0, lays=YES, left=YES)
        rule(place, "end", play, at=1, lays=YES)
    price = 256 - ACTIVATION_PRICE  # game.py knows about teahouses
    tokens = 1 << np.arange(TOKENS)
    rule(OBJECTIVE, "objective", TURN, flag=MAIN_DONE, token=tokens, acorns=price)
    # minor actions
    discarded: dict[str, Any] = {"kind": kinds, "discards": YES, "keep_rising": 0}
    rule(TURN, "discard_two", DISCARD_FIRST)
    rule(DISCARD_FIRST, "card", DISCARD_SECOND, rising=kinds, **discarded)
    rule(DISCARD_SECOND, "card", TURN, flag=DISCARDED, acorns=1, **discarded)
    for number, power in enumerate(shape.powers):
        goes = {"pond": POND, "bridge": BRIDGE}.get(power)
        used: dict[str, Any] = {"at": number, "tile": number + 1, "acorns": 256 - TILE_PRICE}
        if power == "shrine":
            used["acorns"] = (amounts["shrine"] - TILE_PRICE) % 256
        if power == "mountain":
            used["draws"] = amounts["mountain"]
        rule(TURN, "tile", goes, **used)
    if "pond" in shape.active:
        rule(POND, "card", TURN, kind=kinds, takes=YES)
    if "bridge" in shape.active:
        rule(BRIDGE, "swap", TURN, swap=1 + np.arange(shape.num_players + 1))
    # the end of a turn; the draft before the first one is all in game.py
    rule(TURN, "end_turn", ends_turn=1)
    rule(LIMIT, "card", rising=kinds, ends_turn=1, **discarded)

    # the phases again, for plays that may add piles at the right end only: nothing waits
    tables = Effect(*np.tile(np.stack(table), (1, 2, 1)))
    tables.may_wait[len(PHASES) :] = 0
    situations = np.arange(256)
    groups = situations // 16 + len(PHASES) * ((situations & RIGHT_ONLY) > 0)
    return np.stack(tables).reshape(len(tables), -1), groups * (actions.size + 1)
