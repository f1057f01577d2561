"""The folder of a run: what is in it, and how it is written so that a kill leaves it whole."""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
import platform
import shlex
import shutil
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import KVWriter

from training.config import ConfigError, TrainConfig, differences, dump_config, load_config

# what a resumed run may set anew: none of it changes what was learnt so far
RESUMABLE = ("n_timesteps", "checkpoint_every", "torch_threads", "eval.")
_STATE_FILE = "fold_envs_state.pkl"
_PACKAGES = ("numpy", "gymnasium", "torch", "stable-baselines3", "sb3-contrib", "omegaconf")


class RunFolderError(RuntimeError):
    """The run folder is not what the command expects."""


class RunFolder:
    """Paths in the folder of a run.

    ``config.yaml`` (resolved), ``command.txt``, ``versions.json``, ``last.zip`` (the newest
    checkpoint, with all that a resume needs), ``best.zip``, ``metrics.csv``, ``evaluations.csv``,
    ``tensorboard/``, ``curves.png``, ``results.json``. The zips load with ``MaskablePPO.load``.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.config = self.path / "config.yaml"
        self.last = self.path / "last.zip"
        self.best = self.path / "best.zip"
        self.metrics = self.path / "metrics.csv"
        self.evaluations = self.path / "evaluations.csv"
        self.tensorboard = self.path / "tensorboard"
        self.curves = self.path / "curves.png"
        self.results = self.path / "results.json"

    @classmethod
    def create(cls, config: TrainConfig, command: Sequence[str]) -> RunFolder:
        """A new folder.

        Raises:
            RunFolderError: there is something at ``config.run_dir`` already.
        """
        run = cls(config.run_dir)
        if run.path.exists() and (not run.path.is_dir() or any(run.path.iterdir())):
            raise RunFolderError(
                f"{run.path} exists already. Go on with it by --resume, choose another folder by "
                f"run_dir=..., or remove it."
            )
        run.path.mkdir(parents=True, exist_ok=True)
        write_atomically(run.config, dump_config(config).encode())
        run._note_start(config, command)
        return run

    @classmethod
    def reopen(cls, config: TrainConfig, command: Sequence[str]) -> RunFolder:
        """The folder of a run to go on with.

        Raises:
            RunFolderError: there is no run, or it was made with another config.
        """
        run = cls(config.run_dir)
        if not run.config.exists():
            raise RunFolderError(f"{run.path} holds no run to resume; start without --resume.")
        try:
            old = load_config(run.config)
        except ConfigError as error:
            raise RunFolderError(f"the run cannot be resumed: {error}") from error
        changed = {
            key: values
            for key, values in differences(old, config).items()
            if not key.startswith(RESUMABLE)
        }
        if changed:
            listed = "; ".join(f"{key}: {a!r} then, {b!r} now" for key, (a, b) in changed.items())
            raise RunFolderError(
                f"{run.path} was started with another config ({listed}). Only "
                f"{', '.join(RESUMABLE)}* may change in a resumed run."
            )
        write_atomically(run.config, dump_config(config).encode())
        run._note_start(config, command)
        return run

    def _note_start(self, config: TrainConfig, command: Sequence[str]) -> None:
        with open(self.path / "command.txt", "a", encoding="utf-8") as file:
            file.write(shlex.join(command) + "\n")
        facts = json.dumps(_versions() | {"seed": config.seed}, indent=2) + "\n"
        write_atomically(self.path / "versions.json", facts.encode())


# ---------------------------------------------------------------- checkpoints


def save_checkpoint(path: Path, model: MaskablePPO, state: Mapping[str, Any] | None = None) -> None:
    """Write the model, and what else a resume needs, as one zip in one atomic step."""
    buffer = io.BytesIO()
    model.save(buffer)
    if state is not None:
        with zipfile.ZipFile(buffer, "a") as archive:
            archive.writestr(_STATE_FILE, pickle.dumps(dict(state)))
    write_atomically(path, buffer.getvalue())


def load_state(path: Path) -> dict[str, Any]:
    """What ``save_checkpoint`` stored beside the model. Unpickles: load only your own files."""
    with zipfile.ZipFile(path) as archive:
        state: dict[str, Any] = pickle.loads(archive.read(_STATE_FILE))
    return state


def write_atomically(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data``: a kill at any moment leaves the old file or the new one."""
    scratch = path.with_name(f".{path.name}.new")
    with open(scratch, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(scratch, path)


# ---------------------------------------------------------------- tables of numbers


class CsvTable:
    """A CSV that grows by rows and, when new names appear, by columns.

    Args:
        path: the file; rows it holds are kept up to ``until``.
        until: the last step to keep: what a killed run wrote after its last checkpoint goes.
    """

    def __init__(self, path: Path, until: int = 0) -> None:
        self.path = path
        self.rows = [row for row in read_table(path) if float(row["step"]) <= until]
        self.columns = list(dict.fromkeys(name for row in self.rows for name in row))
        if path.exists():
            self._rewrite()

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row; it must have a "step"."""
        self.rows.append({name: str(value) for name, value in row.items()})
        new = [name for name in row if name not in self.columns]
        if new or not self.path.exists():
            self.columns += new
            self._rewrite()
            return
        with open(self.path, "a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self.columns, restval="").writerow(row)

    def _rewrite(self) -> None:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, self.columns, restval="")
        writer.writeheader()
        writer.writerows(self.rows)
        write_atomically(self.path, text.getvalue().encode())


def read_table(path: Path) -> list[dict[str, str]]:
    """Rows of a CSV (none if there is no file), empty cells and torn last lines left out."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [
        {name: value for name, value in row.items() if name and value}
        for row in rows
        if row.get("step") and None not in row.values()
    ]


class CsvWriter(KVWriter):
    """SB3's logger to a ``CsvTable``: unlike SB3's own CSV it can go on with an old file."""

    def __init__(self, table: CsvTable) -> None:
        self.table = table

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],
        step: int = 0,
    ) -> None:
        """Add the numbers of one dump as a row."""
        numbers = {
            key: value
            for key, value in sorted(key_values.items())
            if not isinstance(value, str) and "csv" not in (key_excluded[key] or ())
        }
        self.table.append({"step": step, **numbers})

    def close(self) -> None:
        """Nothing to close."""


# ---------------------------------------------------------------- provenance


def _versions() -> dict[str, Any]:
    import fold_envs

    found: dict[str, Any] = {"python": platform.python_version(), "platform": platform.platform()}
    found |= {"cpus": os.cpu_count(), "fold_envs": fold_envs.__version__, "git": _git_revision()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def _git_revision() -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    done = subprocess.run(
        [git, "describe", "--always", "--dirty", "--abbrev=12"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip() or None
