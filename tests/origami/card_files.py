"""Card tables for tests, as files."""

from __future__ import annotations

import json
import tempfile
from typing import Any

from fold_envs.engine.tables import load_toml
from fold_envs.games.origami.cards import DEFAULT_CARDS

ROWS = load_toml(DEFAULT_CARDS)["card"]


def rows_with(**changes: dict[str, Any]) -> list[dict[str, Any]]:
    """The default card table with some rows changed, as in ``Shark={"amount": 2}``."""
    return [{**row, **changes.get(row["name"].replace(" ", "_"), {})} for row in ROWS]


def write_cards(rows: list[dict[str, Any]]) -> str:
    """A TOML file of a card table."""
    lines = []
    for row in rows:
        lines.append("[[card]]")
        for key, value in row.items():
            if isinstance(value, dict):
                inner = ", ".join(f"{k} = {json.dumps(v)}" for k, v in value.items())
                lines.append(f"{key} = {{ {inner} }}")
            elif value is not None:
                lines.append(f"{key} = {json.dumps(value)}")
    with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False) as file:
        file.write("\n".join(lines))
    return file.name
