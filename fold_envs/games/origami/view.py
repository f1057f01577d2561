"""Origami for the eye: snapshots in plain Python, actions in words, one table as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.origami.cards import (
    COPY,
    DRAW1_PLAY,
    EFFECT_NAMES,
    EFFECTS,
    LINE_EXACT,
    PLACE_UNDER,
    TAKE1_PLAY,
)
from fold_envs.games.origami.piles import (
    COPY_CHOICE,
    EXTRA,
    GIVE_UP,
    HAND_LIMIT,
    INSTANT,
    PASS,
    PAY,
    PLACE,
    STEAL_CHOICE,
    TAKE,
    TURN,
)

if TYPE_CHECKING:
    from fold_envs.games.origami.game import Origami

_VERBS = {
    TURN: "play",
    TAKE: "take",
    EXTRA: "play",
    PAY: "pay",
    PASS: "pass",
}


def table_of(game: Origami, table: int) -> dict[str, Any]:
    """What ``snapshot`` adds for Origami; cards are their names, piles sorted by kind."""
    s, p, names = game.state, game.num_players, game.cards.names
    phase, effect = int(s.phase[table]), int(s.effect[table])

    def pile(counts: NDArray[np.uint8]) -> list[str]:
        return [names[kind] for kind, n in enumerate(counts[:, table]) for _ in range(n)]

    def in_order(kinds: NDArray[np.uint8]) -> list[str]:
        return [names[kind] for kind in kinds if kind < game.kinds]

    def known(observer: int, holder: int) -> dict[str, int]:
        counts = s.known[observer, (holder - observer) % p, :, table]
        return {names[kind]: int(n) for kind, n in enumerate(counts) if n and observer != holder}

    apart = int(s.apart[table])
    lying = names[apart] if apart < game.kinds else None
    shown = phase == EXTRA and effect == DRAW1_PLAY
    waiting = _waiting(game, table)
    # turns are equal in number but for those not yet taken in this round
    rounds, begun = divmod(int(s.turns[table]), p)
    start = int(game._start_seat[table])
    return {
        "families": [game.cards.families[f] for f in s.families[:, table].nonzero()[0]],
        "start": start,
        "turn": int(game._turn[table]),
        "hands": [pile(s.known[seat, 0]) for seat in range(p)],
        "line": pile(s.line),
        "deck": in_order(s.deck[: s.deck_size[table], table][::-1]),
        "discards": pile(s.discards),
        "collections": _collections(game, table),
        "emptyings": int(s.emptyings[table]),
        "final_round": bool(s.final_round[table]),
        "turns": [rounds + ((seat - start) % p < begun) for seat in range(p)],
        "playing": lying if phase in (PAY, PLACE) else None,
        "shown": lying if shown else None,
        "looked": sorted(in_order(s.looked[:, table]), key=names.index),
        "chosen": [in_order(s.chosen[seat, :, table]) for seat in range(p)],
        "waiting": waiting,
        "pending": _pending(game, table, phase, effect, lying),
        "known": [[known(observer, holder) for holder in range(p)] for observer in range(p)],
    }


def _collections(game: Origami, table: int) -> list[list[list[str]]]:
    """By seat and collection the names of the cards, bottom first."""
    p, s = game.num_players, game.state
    stacks: list[list[list[str]]] = [[[], []] for _ in range(p)]
    for kind, place in s.history[:, : s.laid[table], table].T.tolist():
        under, place = divmod(place, 2 * p)
        side, seat = divmod(place, p)
        stack = stacks[seat][side]
        stack.insert(0 if under else len(stack), game.cards.names[kind])
    return stacks


def _waiting(game: Origami, table: int) -> list[int]:
    """The seats yet to choose in secret, the one to act first."""
    s, p = game.state, game.num_players
    if s.phase[table] not in (GIVE_UP, PASS):
        return []
    actor, turn = int(game._actor[table]), int(game._turn[table])
    seats = [(actor + step) % p for step in range((turn - actor - 1) % p + 1)]
    return [seat for seat in seats if game._public.hand_sizes[seat, table]]


def _pending(
    game: Origami, table: int, phase: int, effect: int, lying: str | None
) -> dict[str, Any]:
    """The details of what is being decided."""
    s, names = game.state, game.cards.names
    name, amount = EFFECT_NAMES[effect], int(s.amount[table])
    left, last = int(s.left[table]), int(s.last[table])
    before = names[last - 1] if last else None
    if phase == TAKE:
        return {
            "effect": name or "draw",
            "left": None if effect == TAKE1_PLAY else left,
            "exact": effect == LINE_EXACT,
            "may_stop": bool(s.refusable[table]),
            "last": before,
        }
    if phase == EXTRA:
        taken = lying if effect == TAKE1_PLAY else None
        return {"effect": name, "amount": amount, "taken": taken}
    if phase == PAY:
        return {"left": left, "last": before}
    if phase == INSTANT:
        return {"effect": name, "amount": amount, "collection": int(s.side[table])}
    if phase == STEAL_CHOICE:
        return {"amount": amount, "may_refuse": bool(s.refusable[table])}
    if phase == GIVE_UP:
        return {"amount": amount}
    if phase == HAND_LIMIT:
        return {"last": before}
    return {}


def describe(game: Origami, action: int, table: int | None) -> str:
    """An action in words; with a table, what it means there."""
    part, place = game.actions.locate(action)
    phase = TURN if table is None else int(game.state.phase[table])
    if part.name == "card":
        name = game.cards.names[action]
        if table is None:
            return f"play, take, pay, discard or pass {name}, or copy its effect"
        if phase == COPY_CHOICE:
            return f"copy {_effect_words(game, action)}"
        return f"{_VERBS.get(phase, 'discard')} {name}"
    if part.name == "draw":
        return "draw"
    if part.name == "no":
        return "no or stop" if table is None else "stop" if phase == TAKE else "no"
    if part.name == "yes":
        return "yes"
    if part.name == "collection":
        side = place[0]
        if table is None:
            return f"lay in collection {side}, or use the card on top of it"
        if phase != TURN:
            return f"to collection {side}"
        top = int(game._public.tops[side, game._turn[table], table])
        return f"use {game.cards.names[top]}" if top < game.kinds else f"use collection {side}"
    step = place[0] + 1
    if table is None:
        return f"steal from the seat {step} to the left"
    return f"steal from seat {(int(game._turn[table]) + step) % game.num_players}"


def _effect_words(game: Origami, kind: int) -> str:
    code = int(game.cards.effect[kind])
    name = EFFECT_NAMES[code]
    plain = code in (COPY, PLACE_UNDER) or EFFECTS.get(name, EFFECTS["copy"]).least is None
    return name if plain else f"{name} {game.cards.amount[kind]}"


def render_text(table: dict[str, Any]) -> str:
    """The table of a snapshot, hidden cards included."""
    acting = "game over" if table["over"] else f"seat {table['to_act']} to act"
    lines = [
        f"Origami  {' '.join(table['families'])}  {table['phase']}  {acting}",
        f"  line {_cards(table['line'])}   deck {len(table['deck'])}  "
        f"discards {len(table['discards'])}  emptied {table['emptyings']}"
        + ("  final round" if table["final_round"] else ""),
    ]
    for label in ("playing", "shown"):
        if table[label]:
            lines.append(f"  {label} {table[label]}")
    if table["looked"]:
        lines.append(f"  looking at {_cards(table['looked'])}")
    for seat in range(table["num_players"]):
        mark = ">" if seat == table["to_act"] and not table["over"] else " "
        lines.append(f"{mark} seat {seat}  score {table['scores'][seat]}")
        lines.append(f"    hand {_cards(table['hands'][seat])}")
        for number, collection in enumerate(table["collections"][seat]):
            lines.append(f"    collection {number}  {_cards(collection)}")
        if table["chosen"][seat]:
            lines.append(f"    chosen {_cards(table['chosen'][seat])}")
    return "\n".join(lines)


def _cards(names: list[str]) -> str:
    return ", ".join(names) or "-"
