"""Fold-it for the eye: one table as text."""

from __future__ import annotations

from typing import Any

from fold_envs.games.fold_it.cloth import FLAT, cloths

Stacks = list[list[list[int]]]


def history_of(path: int, turned: bool) -> list[Stacks]:
    """A cloth as it was, and would lie now, before each fold still in it, the oldest first."""
    known, cloth, history = cloths(), FLAT, []
    for fold in (path >> shift & 31 for shift in range(25, -1, -5)):
        if fold:
            history.append(known.stacks(int(known.turned[cloth]) if turned else cloth))
            cloth = int(known.next[cloth, fold])
    return history


def render_text(table: dict[str, Any], dishes: tuple[str, ...]) -> str:
    """The table of a snapshot, hidden layers included: each place shows its stack, top first."""
    lines = [
        f"Fold-it  round {table['round']}  tick {table['tick']}  "
        + ("game over" if table["over"] else f"seat {table['to_act']} to choose"),
        f"order: {', '.join(table['dishes'])} (in {table['fewest_folds']} folds)  "
        f"tokens {table['tokens_left']}",
    ]
    for seat, own in enumerate(table["seats"]):
        mark = ">" if seat == table["to_act"] and not table["over"] else " "
        marks = [f"stars {own['stars']}"]
        if own["token"]:
            marks.append("holds a token")
        if own["choice"]:
            marks.append(f"chose {own['choice']}")
        lines.append(f"{mark} seat {seat}  {'  '.join(marks)}")
        cells = [[_stack(stack, dishes) for stack in row] for row in own["cells"]]
        width = max(len(text) for row in cells for text in row)
        lines += ["    " + " | ".join(text.ljust(width) for text in row) for row in cells]
    return "\n".join(lines)


def _stack(stack: list[int], dishes: tuple[str, ...]) -> str:
    top, *below = (dishes[cell] for cell in stack)
    return f"{top} ({', '.join(below)})" if below else top
