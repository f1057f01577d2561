"""Every id has a golden game, and it is still played the same."""

from __future__ import annotations

import pytest

import fold_envs
from tests.combos import IDS, short
from tests.golden.record import FOLDER, path_of, record

HELP = "if this is meant, run `python -m tests.golden.update` and look at the diff"


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_the_golden_game_is_unchanged(env_id: str) -> None:
    path = path_of(env_id)
    assert path.exists(), f"{path.name} is missing: run `python -m tests.golden.update`"
    old = path.read_text(encoding="utf-8").splitlines()
    new = record(env_id).splitlines()
    for number, (before, after) in enumerate(zip(old, new, strict=False), start=1):
        if before != after:
            since = next(
                line for line in new[number - 1 :: -1] if line.startswith("---") or not line
            )
            pytest.fail(
                f"{path.name}:{number} ({since}) differs\n  golden: {before[:300]}\n"
                f"  now:    {after[:300]}\n{HELP}"
            )
    assert len(old) == len(new), f"{path.name}: the game has another length; {HELP}"


def test_no_golden_game_is_left_of_a_game_that_is_gone() -> None:
    expected = {path_of(env_id).name for env_id in fold_envs.ids()}
    assert {path.name for path in FOLDER.glob("*.txt")} <= expected


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_a_golden_game_stays_readable(env_id: str) -> None:
    assert path_of(env_id).stat().st_size < 400_000
