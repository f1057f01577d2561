"""The benchmark scripts run and say what they were asked; how fast is no matter here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import numpy_costs, throughput


def test_there_is_a_row_for_each_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.json"
    arguments = "--games Ohanami FoldIt --faces batch vector env --num-envs 2 3 --seconds 0.01"
    throughput.main([*arguments.split(), "--limit", "--json", str(file)])
    rows = json.loads(file.read_text())["rows"]
    assert [(row["face"], row["num_envs"]) for row in rows] == 2 * [
        *(("batch", 2), ("batch", 3), ("vector", 2), ("vector", 3), ("env", 1))
    ]
    for row in rows:
        assert 0 < row["slowest_round"] <= row["decisions_per_s"] <= row["fastest_round"]
    printed = capsys.readouterr().out
    assert printed.count("| Ohanami-v0 |") == printed.count("| FoldIt-v0 |") == 5
    assert "numpy" in printed.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--games", "Chess"], "no game 'Chess'"),
        (["--games", "OldMen", "--players", "2"], "OldMen is not for 2 players"),
        (["--num-envs", "0"], "must be positive"),
    ],
)
def test_wrong_arguments_are_named(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        throughput.main(arguments)
    assert message in f"{error.value}{capsys.readouterr().err}"


def test_rates_keep_three_digits() -> None:
    assert [throughput._short(rate) for rate in (7_654, 143_210, 2_345_678)] == [
        *("7.7 k", "143 k", "2.35 M")
    ]


def test_costs_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(numpy_costs, "ROUNDS", 1)
    monkeypatch.setattr(numpy_costs, "ROUND_SECONDS", 1e-6)
    numpy_costs.main()
    machine, *lines = capsys.readouterr().out.splitlines()
    assert machine.startswith("processor")
    assert len(lines) > 20
    assert all(float(line.split()[0]) > 0 for line in lines)
