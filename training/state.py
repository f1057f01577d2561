"""What a run is besides its model: clocks, marks, past selves, random states."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from training.agents import SnapshotPool
from training.vec_env import TrainingEnv


class Clock:
    """Seconds of a run over all its sessions: wall and CPU time, and where the wall time went."""

    def __init__(self) -> None:
        self.wall = self.cpu = self.env = self.evaluation = 0.0
        self._marks = perf_counter(), process_time(), 0.0

    def read(self, env: TrainingEnv) -> dict[str, float]:
        """Seconds up to now: wall, cpu, env, evaluation."""
        now = perf_counter(), process_time(), env.seconds
        wall, cpu, env_seconds = (b - a for a, b in zip(self._marks, now, strict=True))
        self._marks = now
        self.wall += wall
        self.cpu += cpu
        self.env += env_seconds
        return {name: getattr(self, name) for name in ("wall", "cpu", "env", "evaluation")}


@dataclass
class RunState:
    """Shared by the callbacks of a run.

    Attributes:
        env: the training env.
        pool: past selves of the agent.
        clock: where the time went.
        best: (win rate, lead) of the best agent so far against the last of ``eval.opponents``.
        marks: the step at which each periodic job was done last.
    """

    env: TrainingEnv
    pool: SnapshotPool
    clock: Clock = field(default_factory=Clock)
    best: tuple[float, float] = (-1.0, 0.0)
    marks: dict[str, int] = field(default_factory=dict)

    def is_due(self, job: str, step: int, every: int) -> bool:
        """Whether ``job`` is due at ``step``, once for each multiple of ``every``; notes it."""
        if step // every <= self.marks.get(job, 0) // every:
            return False
        self.marks[job] = step
        return True

    def save(self, model: MaskablePPO) -> dict[str, Any]:
        """All of it, for a checkpoint taken between two updates."""
        logger = model.logger
        return {
            "env": self.env.venv.get_state(),
            "pool": self.pool.snapshots,
            "clock": self.clock.read(self.env),
            "best": self.best,
            "marks": self.marks,
            # what the last update reported is written with the next rollout
            "log": (dict(logger.name_to_value), dict(logger.name_to_excluded)),
            "random": {
                "torch": torch.get_rng_state(),
                "numpy": np.random.get_state(),  # noqa: NPY002 - SB3 shuffles its batches with it
                "python": random.getstate(),
            },
        }

    def restore(self, saved: dict[str, Any], model: MaskablePPO) -> None:
        """Put everything back as ``save`` found it."""
        self.env.venv.set_state(saved["env"])
        self.pool.restore(saved["pool"], model.policy)
        for name, seconds in saved["clock"].items():
            setattr(self.clock, name, seconds)
        self.best, self.marks = saved["best"], dict(saved["marks"])
        values, excluded = saved["log"]
        model.logger.name_to_value.update(values)
        model.logger.name_to_excluded.update(excluded)
        torch.set_rng_state(saved["random"]["torch"])
        np.random.set_state(saved["random"]["numpy"])  # noqa: NPY002
        random.setstate(saved["random"]["python"])
