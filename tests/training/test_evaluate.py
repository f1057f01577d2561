"""The command lines of ``training.evaluate`` and ``training.table`` without training."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from training import evaluate, table

ID = "FoldEnvs/FoldIt-v0"


def results(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """What the command writes for these arguments."""
    file = folder / "results.json"
    given = [*arguments, "--env-id", ID, "--games", "30", "--json", str(file)]
    assert evaluate.main(given) == 0
    found: list[dict[str, Any]] = json.loads(file.read_text())
    return found


def test_rule_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greedy = results(tmp_path, "greedy", "--option", "num_players=3")
    assert [row["opponent"] for row in greedy] == ["random", "greedy"]
    assert greedy[0]["win_rate"] > 0.9 and greedy[1]["win_rate"] == pytest.approx(1 / 3)
    assert results(tmp_path, "random", "--opponents", "greedy")[0]["win_rate"] < 0.1
    assert f"{ID}: random, 30 games each" in capsys.readouterr().out


def test_options_of_the_greedy_agent_are_not_those_of_its_opponents(tmp_path: Path) -> None:
    def wins(speed: str) -> float:
        arguments = ("greedy", "--heuristic", f"speed={speed}", "--opponents", "greedy")
        share: float = results(tmp_path, *arguments)[0]["win_rate"]
        return share

    assert wins("0") == 0 and wins("1") > 0.7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["greedy"], "give --env-id"),
        (["greedy", "--env-id", ID, "--heuristic", "sped=1"], "greedy opponent: .* 'sped'"),
        (["greedy", "--env-id", ID, "--heuristic", "speed=2"], "speed: 2 is not a number from 0"),
        (["greedy", "--env-id", ID, "--heuristic", "speed"], "--heuristic speed: key=value"),
        (["greedy", "--env-id", ID, "--option", "deck=["], r"--option deck=\[: .* no YAML"),
        (["runs/x", "--env-id", ID, "--heuristic", "speed=1"], "for greedy, not for runs/x"),
        (["random", "--env-id", ID, "--heuristic", "speed=1"], "for greedy, not for random"),
    ],
)
def test_errors_are_named(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate.main(arguments) == 2
    assert re.search(message, capsys.readouterr().err)


def test_a_table_of_what_is_no_finished_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="holds no finished run"):
        table.main([str(tmp_path)])
