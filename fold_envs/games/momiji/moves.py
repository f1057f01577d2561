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
    DRAFT,
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
YES = 255
ALL_TYPES = (1 << TYPES) - 1
# rare moves, played on the indices of their tables; a number that belongs to them is added
TAKE_TOKEN, TAKE_CARD, SWAP_PILES, KEEP_TILE = 16, 32, 48, 64


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

    kind: U8  # of the card that moves, or the first kind of the type collected; else NO_KIND
    keep: U8  # bits of the situation that stay
    set: U8  # bits that come
    detour: U8  # added to the situation if a new pile has to wait for its end of the row
    keep_low: U8  # bits of low that stay
    low: U8  # bits that come
    lays: U8  # a card is laid, or waits
    left: U8  # at the left end
    different: U8  # in a play of different types
    bonus: U8  # a play ends and pays the acorn bonus
    discards: U8  # a card is discarded
    remembers: U8  # and later ones may not be lower
    collects: U8  # all cards of the type
    draws: U8  # cards from the deck: by a tile into the hand, else into the display
    acorns: U8  # added, modulo 256
    tile: U8  # 1 + tile used
    rare: U8  # one of the rare moves + a number (token, pile, tile), or 0
    ends_turn: U8
    idle: U8  # nothing happens: the last column


def effect_table(actions: Layout, shape: Shape, amounts: Mapping[str, int]) -> NDArray[np.uint8]:
    """(rows, phases * A + 1) uint8: column phase * A + action; the last one does nothing."""
    size = actions.size
    table = Effect(*np.zeros((len(Effect._fields), len(PHASES) * size + 1), np.uint8))
    table.kind[:] = NO_KIND
    for bits in (table.keep, table.keep_low):
        bits[:] = YES
    table.idle[-1] = YES

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
        columns = np.arange(piece.start, piece.stop) + phase * size
        if at is not None:
            columns = columns[at : at + 1]
        table.set[columns] = flag
        if to is not None:
            table.keep[columns] = 15
            table.set[columns] |= to << 4
            if waits is not None:
                table.detour[columns] = (waits - to) % 16 << 4
        for field, value in does.items():
            getattr(table, field)[columns] = value

    def ends_play(phase: int, action: str, **does: Any) -> None:
        rule(phase, action, TURN, flag=MAIN_DONE, keep_low=0, **does)
        piece = actions[action]
        table.keep[phase * size + piece.start : phase * size + piece.stop] &= ~RIGHT_ONLY & YES

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
    ends_play(DIFFERENT_MORE, "done", bonus=YES)
    for place, play in (
        (PLACE_SAME, SAME),
        (PLACE_FIRST, DIFFERENT_SECOND),
        (PLACE_MORE, DIFFERENT_MORE),
    ):
        rule(place, "end", play, at=0, lays=YES, left=YES)
        rule(place, "end", play, at=1, lays=YES)
    tokens = TAKE_TOKEN + np.arange(TOKENS)
    rule(OBJECTIVE, "objective", TURN, flag=MAIN_DONE, rare=tokens)
    # minor actions
    discarded: dict[str, Any] = {"kind": kinds, "discards": YES}
    rule(TURN, "discard_two", DISCARD_FIRST)
    rule(DISCARD_FIRST, "card", DISCARD_SECOND, remembers=YES, **discarded)
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
        rule(POND, "card", TURN, kind=kinds, rare=TAKE_CARD)
    if "bridge" in shape.active:
        rule(BRIDGE, "swap", TURN, rare=SWAP_PILES + np.arange(shape.num_players + 1))
    # the end of a turn, and the draft before the first one
    rule(TURN, "end_turn", ends_turn=YES)
    rule(LIMIT, "card", remembers=YES, **discarded)
    if shape.draft:
        rule(DRAFT, "tile", rare=KEEP_TILE + np.arange(len(shape.powers)))
    return np.stack(table)
