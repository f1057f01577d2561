from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from training import evaluate, train
from training.run_folder import CsvTable, RunFolder, load_state, read_table, write_atomically

ROOT = Path(__file__).parents[2]


def run(*arguments: Any) -> int:
    return train.main([str(argument) for argument in arguments])


def start(*arguments: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "training.train", *map(str, arguments)],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def wait_for_rows(process: subprocess.Popen[str], metrics: Path, count: int) -> None:
    """Wait until a run has logged ``count`` updates."""
    end = time.monotonic() + 120
    while len(read_table(metrics)) < count:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < end, "the run does not get on"
        time.sleep(0.01)


def weights(path: Path) -> dict[str, torch.Tensor]:
    return MaskablePPO.load(path, device="cpu").policy.state_dict()


def test_smoke_then_evaluate(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny, "seed=3") == 0
    folder = RunFolder(tiny.parent / "run")
    said = capsys.readouterr().out
    assert "2,560 decisions" in said and "env with masks" in said and "against" in said
    names = {path.name for path in folder.path.iterdir()}
    assert names == {
        *("config.yaml", "command.txt", "versions.json", "last.zip", "best.zip", "metrics.csv"),
        *("evaluations.csv", "tensorboard", "curves.png", "results.json"),
    }
    assert json.loads((folder.path / "versions.json").read_text())["seed"] == 3
    assert folder.curves.read_bytes().startswith(b"\x89PNG")
    assert list(folder.tensorboard.iterdir())
    steps = [int(row["step"]) for row in read_table(folder.metrics)]
    assert steps == list(range(256, 2561, 256))
    rows = read_table(folder.evaluations)
    assert [(row["step"], row["opponent"]) for row in rows] == [
        (step, who) for step in ("1280", "2560") for who in ("random", "greedy")
    ]
    model = MaskablePPO.load(folder.last, device="cpu")
    assert model.num_timesteps == 2560
    assert load_state(folder.last)["marks"]["checkpoint"] == 2304

    who = ["random", str(folder.last)]
    arguments = [str(folder.path), "--games", "30", "--json", str(tiny.parent / "e.json")]
    assert evaluate.main([*arguments, "--opponents", *who]) == 0
    results = json.loads((tiny.parent / "e.json").read_text())
    assert [(r["opponent"], r["games"]) for r in results] == [(name, 30) for name in who]
    assert all(r["win_rate_low"] <= r["win_rate"] <= r["win_rate_high"] for r in results)
    assert evaluate.main([str(folder.last), "--opponents", "bob"]) == 2
    assert evaluate.main([str(folder.last), "--option", "num_players=3", "--games", "3"]) == 2
    assert "378 features" in capsys.readouterr().err

    # an existing run is neither overwritten nor trained further by accident
    before = {path: path.read_bytes() for path in folder.path.iterdir() if path.is_file()}
    assert run(tiny, "seed=3") == 2
    assert "--resume" in capsys.readouterr().err
    assert run(tiny, "seed=4", "--resume") == 2
    assert "seed: 3 then, 4 now" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in folder.path.iterdir() if path.is_file()}


def test_resume_after_kill_continues_exactly(tiny: Path, tmp_path: Path) -> None:
    rare = "eval.every=100000"  # only the evaluation at the end
    assert run(tiny, rare, f"run_dir={tmp_path / 'whole'}") == 0
    killed, whole = RunFolder(tmp_path / "run"), RunFolder(tmp_path / "whole")
    # a checkpoint every 512: some updates after the last one are lost and done again
    process = start(tiny, rare, "checkpoint_every=512")
    wait_for_rows(process, killed.metrics, 4)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    stopped_at = MaskablePPO.load(killed.last, device="cpu").num_timesteps
    assert 512 <= stopped_at < 2560 and stopped_at % 512 == 0
    logged = int(read_table(killed.metrics)[-1]["step"])

    assert run(tiny, rare, "--resume") == 0
    model = MaskablePPO.load(killed.last, device="cpu")
    assert model.num_timesteps == 2560 and logged <= 2560
    first, second = weights(whole.last), weights(killed.last)
    assert all(torch.equal(first[name], second[name]) for name in first)
    ignored = ("time/fps", "time/iterations", "time/time_elapsed")
    tables = [read_table(folder.metrics) for folder in (whole, killed)]
    for one, other in zip(*tables, strict=True):  # counter, schedules, losses: all of it
        assert {k: v for k, v in one.items() if k not in ignored} == {
            k: v for k, v in other.items() if k not in ignored
        }
    rates = [float(row["train/learning_rate"]) for row in tables[1] if "train/learning_rate" in row]
    assert rates == pytest.approx(1e-2 * (1 - np.arange(1, 10) / 10))
    assert (killed.path / "command.txt").read_text().count("training.train") == 2


def test_longer_run_goes_on(tiny: Path) -> None:
    assert run(tiny, "n_timesteps=512", "opponents=greedy", "eval.every=100000") == 0
    arguments = (tiny, "opponents=greedy", "eval.every=100000", "--resume")
    assert run(*arguments, "n_timesteps=512") == 2  # it is finished
    assert run(*arguments, "n_timesteps=1000") == 0
    last = tiny.parent / "run" / "last.zip"
    assert MaskablePPO.load(last, device="cpu").num_timesteps == 1024


def test_ctrl_c_saves_and_tells_how_to_resume(tiny: Path) -> None:
    folder = RunFolder(tiny.parent / "run")
    process = start(
        tiny, "n_timesteps=50000000", "checkpoint_every=50000000", "eval.every=50000000"
    )
    wait_for_rows(process, folder.metrics, 2)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "--resume" in said and "n_timesteps=50000000" in said
    saved = MaskablePPO.load(folder.last, device="cpu").num_timesteps
    assert saved == int(read_table(folder.metrics)[-1]["step"]) > 0


def test_resume_needs_a_run(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny, "--resume") == 2
    assert "holds no run" in capsys.readouterr().err
    assert not (tiny.parent / "run").exists()


def test_errors_come_before_the_folder(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny, "ppo.n_step=3") == 2
    assert "did you mean n_steps?" in capsys.readouterr().err
    assert not (tiny.parent / "run").exists()


def test_csv_table_grows_and_is_cut_back(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    table = CsvTable(path)
    table.append({"step": 1, "a": 2})
    table.append({"step": 2, "b": 3})
    with path.open("a") as file:
        file.write("3")  # a line that a kill tore
    assert read_table(path) == [
        {"step": "1", "a": "2"},
        {"step": "2", "b": "3"},
    ]
    cut = CsvTable(path, until=1)
    cut.append({"step": 9, "a": 5})
    assert read_table(path) == [{"step": "1", "a": "2"}, {"step": "9", "a": "5"}]


def test_atomic_write_leaves_the_old_file_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    write_atomically(path, b"old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
