"""The tables in the READMEs are those of the code."""

from __future__ import annotations

import pytest

from tests.combos import IDS, short
from tests.update_readmes import TOP_README, filled, games_table, readme_of, tables_of


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_the_readme_shows_the_tables_of_the_code(env_id: str) -> None:
    path = readme_of(env_id)
    assert path.exists(), f"{env_id} has no README.md in its folder"
    text = path.read_text(encoding="utf-8")
    assert filled(text, tables_of(env_id), path.name) == text, "python -m tests.update_readmes"


def test_the_top_readme_lists_the_games() -> None:
    text = TOP_README.read_text(encoding="utf-8")
    assert filled(text, games_table(), "README.md") == text, "python -m tests.update_readmes"


def test_marks_are_filled() -> None:
    text = "a\n<!-- actions -->\nold\n<!-- /actions -->\nb\n"
    assert filled(text, {"actions": "| new |"}, "x") == text.replace("old", "| new |")
    for broken in ("no marks", text + text):
        with pytest.raises(ValueError, match="x must have <!-- actions -->"):
            filled(broken, {"actions": ""}, "x")
