"""Momiji for people: one table in plain Python, actions in words, a table as text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout
from fold_envs.games.momiji.board import (
    DISCARD_FIRST,
    DISCARD_SECOND,
    DISCARDED,
    LIMIT,
    MAIN_DONE,
    POND,
    REVEALED,
    RIGHT_ONLY,
    TURN,
    Board,
    Shape,
)
from fold_envs.games.momiji.components import CORNERS, TYPES, VALUES, Components

Card = list[Any]  # [type, value, corners], as in JSON
TOKENS = ("most zeros", "highest tops", *(f"most type {t}" for t in range(TYPES)))


def card_of(kind: int, shape: Shape, components: Components) -> Card:
    """The card of a kind."""
    type_, index = divmod(kind, shape.each)
    value, corners = components.kinds[index]
    return [type_, value, CORNERS[corners]]


def snapshot(board: Board, shape: Shape, components: Components, table: int) -> dict[str, Any]:
    """Everything about one table; what belongs to a seat is listed by absolute seat."""
    s, p = board.state, shape.num_players
    at = int(s.seat[table])
    places = [(seat - at) % p for seat in range(p)]

    def cards(counts: NDArray[np.uint8]) -> list[Card]:
        kinds = np.repeat(np.arange(shape.kinds), counts[..., table].ravel())
        return [card_of(int(kind), shape, components) for kind in kinds]

    def tiles(counts: NDArray[np.uint8]) -> list[str]:
        numbers = np.repeat(np.arange(len(shape.powers)), counts[:, table])
        return [shape.powers[number] for number in numbers]

    def tile(number: int) -> str | None:
        return shape.powers[number - 1] if number else None

    def tokens(bits: int) -> list[str]:
        return [name for bit, name in enumerate(TOKENS) if bits >> bit & 1]

    def row(seat: int) -> list[list[Card]]:
        place = places[seat]
        spot, pile = board.spot[place, :, table], board.pile[place, :, table]
        laid = cards(s.laid[seat])
        order = sorted((int(spot[t]), t) for t in range(TYPES) if spot[t])
        return [_top_last([c for c in laid if c[0] == t], int(pile[t])) for _, t in order]

    placing, situation = int(s.placing[table]), int(board.situation[table])
    laid = s.laid.sum(axis=0, dtype=np.uint8)
    drawn = [card_of(int(kind), shape, components) for kind in s.deck[:, table]]
    in_use = np.array(components.copies)[:, None] * s.types[:, None]
    gone = in_use.reshape(shape.kinds, -1) - s.left
    result: dict[str, Any] = {
        "first": int(s.first[table]),
        "turns": int(s.turns[table]),
        "types": [t for t in range(TYPES) if s.types[t, table]],
        "hands": [cards(board.hand[place]) for place in places],
        "known": [cards(board.known[place]) for place in places],
        "rows": [row(seat) for seat in range(p)],
        "acorns": [int(board.acorns[place, table]) for place in places],
        "display": cards(board.display),
        "deck": drawn[s.drawn[table] :],
        "discards": cards((gone - laid).astype(np.uint8)),
        "torii": int(s.torii[table]),
        "objectives": tokens(int(s.middle[table])),
        "owners": {
            name: seat
            for seat, place in enumerate(places)
            for name in tokens(int(board.owned[place, table]))
        },
        "unused": [tiles(board.unused[place]) for place in places],
        "used": [tiles(board.used[place]) for place in places],
        "extra_turns": int(s.extra[table]) or None,
        "turn": {
            "main_done": bool(situation & MAIN_DONE),
            "revealed": bool(situation & REVEALED),
            "discarded": bool(situation & DISCARDED),
            "landscape": tile(int(board.tile[table])),
        },
        "move": {
            "types": [t for t in range(TYPES) if board.low[table] >> t & 1],
            "put": int(board.put[table]),
            "right_end": bool(situation & RIGHT_ONLY),
            "placing": card_of(placing - 1, shape, components) if placing else None,
            "discards_from": card_of(int(board.rising[table]), shape, components),
        },
        "draft": None,
        "house": [
            name for name in ("corners", "start acorns", *shape.powers) if components.is_house(name)
        ],
    }
    if shape.draft and s.round[table]:
        result["draft"] = {
            "round": int(s.round[table]),
            "offered": [tiles(board.offered[place]) for place in places],
            "picks": [tile(int(board.pick[place, table])) for place in places],
        }
    return result


def _top_last(cards: list[Card], pile: int) -> list[Card]:
    """The rising cards of a pile with its visible top at the end."""
    value, corners = pile >> 6, CORNERS[pile >> 4 & 3]
    if value < VALUES - 1:  # under a torii lies the only 3
        top = [cards[0][0], value, corners]
        cards.remove(top)
        cards.append(top)
    return cards


_CARD_VERBS = {
    None: "play, put, discard or take",
    TURN: "play",
    DISCARD_FIRST: "discard",
    DISCARD_SECOND: "discard",
    LIMIT: "discard",
    POND: "take",
}


def describe(
    actions: Layout, shape: Shape, components: Components, action: int, phase: int | None
) -> str:
    """An action in the game's words; ``phase`` None: whatever the phase."""
    part, _ = actions.locate(action)
    index = action - actions[part.name].start
    if part.name == "card":
        type_, value, corners = card_of(index, shape, components)
        verb = _CARD_VERBS.get(phase, "put")
        return f"{verb} type {type_} value {value} {corners}"
    if part.name == "tile":
        verb = {None: "use or keep", TURN: "use"}.get(phase, "keep")
        return f"{verb} {shape.powers[index]}"
    if part.name == "collect":
        return f"collect type {index}"
    if part.name == "objective":
        return f"take {TOKENS[index]}"
    if part.name == "swap":
        return f"swap piles {index} and {index + 1}"
    if part.name == "end":
        return ("left end", "right end")[index]
    return part.name.replace("_", " ")


def render_text(table: dict[str, Any]) -> str:
    """The table of a snapshot, hidden cards included."""
    state = "game over" if table["over"] else f"seat {table['to_act']} to act"
    lines = [
        f"Momiji  turn {table['turns']}  {table['phase']}  {state}",
        f"  display {_cards(table['display'])}   deck {len(table['deck'])}  "
        f"torii {table['torii']}  objectives {', '.join(table['objectives']) or '-'}",
    ]
    owners = table["owners"]
    for seat in range(table["num_players"]):
        mark = ">" if seat == table["to_act"] and not table["over"] else " "
        owned = ", ".join(name for name, owner in owners.items() if owner == seat)
        row = " | ".join(_pile(pile) for pile in table["rows"][seat])
        lines.append(
            f"{mark} seat {seat}  score {table['scores'][seat]}  acorns {table['acorns'][seat]}  "
            f"owns {owned or '-'}"
        )
        lines.append(f"    row   {row or '-'}")
        lines.append(f"    hand  {_cards(table['hands'][seat])}")
        names = [*table["unused"][seat], *(f"({name})" for name in table["used"][seat])]
        if names:
            lines.append(f"    tiles {' '.join(names)}")
    if table["house"]:
        lines.append(f"  house values: {', '.join(table['house'])}")
    return "\n".join(lines)


_CORNER_MARKS = {"none": "", "left": "<", "right": ">", "both": "<>"}


def _card(card: Card) -> str:
    """Type as a letter, value, acorns in the left < and right > corner."""
    type_, value, corners = card
    return f"{'ABCDEF'[type_]}{value}{_CORNER_MARKS[corners]}"


def _pile(pile: list[Card]) -> str:
    return f"{_card(pile[-1])} x{len(pile)}" + (" torii" if pile[-1][1] == VALUES - 1 else "")


def _cards(cards: list[Card]) -> str:
    return " ".join(map(_card, cards)) or "-"
