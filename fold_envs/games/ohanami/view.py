"""Ohanami for the eye: one table as text."""

from __future__ import annotations

from typing import Any


def render_text(table: dict[str, Any]) -> str:
    """The table of a snapshot, hidden cards included."""
    lines = [
        f"Ohanami  round {table['round']}  pick {table['pick']}  {table['phase']}  "
        + ("game over" if table["over"] else f"seat {table['to_act']} to act")
    ]
    for seat in range(table["num_players"]):
        gardens = " | ".join(" ".join(map(str, garden)) or "-" for garden in table["gardens"][seat])
        mark = ">" if seat == table["to_act"] and not table["over"] else " "
        lines.append(f"{mark} seat {seat}  score {table['scores'][seat]}")
        lines.append(f"    gardens  {gardens}")
        lines.append(
            f"    hand {_cards(table['hands'][seat])}  kept {_cards(table['kept'][seat])}  "
            f"discarded {_cards(table['discards'][seat])}"
        )
    return "\n".join(lines)


def _cards(numbers: list[int]) -> str:
    return " ".join(map(str, numbers)) or "-"
