"""Old Men of the Forest for the eye: one table as text."""

from __future__ import annotations

from typing import Any


def render_text(table: dict[str, Any]) -> str:
    """The table of a snapshot, hidden cards included."""
    apes = table["apes"]
    running = not table["over"]
    lines = [
        f"Old Men of the Forest  hand {table['hand_number'] + 1} of {table['hands']}  "
        f"trick {min(table['trick_number'], 9) + 1}  "
        + (f"seat {table['to_act']} to {table['phase']}" if running else "match over"),
        "  display  " + " | ".join("-" if a is None else _ape(apes[a]) for a in table["display"]),
        f"  deck     {len(table['ape_deck'])} orangutans",
        "  trick    " + (", ".join(f"{seat}: {card}" for seat, card in table["plays"]) or "-"),
    ]
    if table["claims"]:
        lines.append("  claimed  " + ", ".join(f"{s}: {card}" for s, card in table["claims"]))
    for seat in range(table["num_players"]):
        mark = ">" if running and seat == table["to_act"] else " "
        owned = " | ".join(
            _ape(apes[one["ape"]]) + (f" over {_cards(one['under'])}" if one["under"] else "")
            for one in table["owned"][seat]
        )
        lead = "  leads" if seat == table["leader"] else ""
        lines.append(f"{mark} seat {seat}  score {table['scores'][seat]}{lead}")
        lines.append(f"    hand  {_cards(table['in_hand'][seat])}")
        lines.append(f"    won   {_cards(table['won'][seat])}")
        lines.append(f"    apes  {owned or '-'}")
    return "\n".join(lines)


def _ape(ape: dict[str, Any]) -> str:
    cost = "+".join(suit if n == 1 else f"{n} {suit}" for suit, n in ape["cost"].items())
    return f"{ape['value']} ({cost})"


def _cards(names: list[str]) -> str:
    return ", ".join(names) or "-"
