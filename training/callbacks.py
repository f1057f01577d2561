"""What happens during a run besides learning, each job a small callback.

Jobs that look at the model wait for the start of a rollout: there it is whole, with no rollout half
collected, and a checkpoint taken there continues exactly.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType

from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import TensorBoardOutputFormat
from stable_baselines3.common.utils import LinearSchedule

from training.agents import Agent
from training.config import TrainConfig, game_options
from training.matches import PERIODIC_SEED, play_matches, result_row
from training.plots import plot_run
from training.run_folder import CsvTable, RunFolder, save_checkpoint
from training.state import RunState


class _Job(BaseCallback):
    model: MaskablePPO

    def _on_step(self) -> bool:
        return True


class EntropySchedule(_Job):
    """Sets ``ent_coef`` before each update: MaskablePPO itself takes a constant only."""

    def __init__(self, schedule: LinearSchedule, total: int) -> None:
        super().__init__()
        self.schedule, self.total = schedule, total

    def _on_rollout_end(self) -> None:
        self.model.ent_coef = self.schedule(1.0 - self.num_timesteps / self.total)
        self.logger.record("train/ent_coef", self.model.ent_coef)


class Snapshots(_Job):
    """Puts the agent into the pool of past selves now and then."""

    def __init__(self, state: RunState, every: int) -> None:
        super().__init__()
        self.state, self.every = state, every

    def _on_rollout_start(self) -> None:
        due = self.state.is_due("snapshot", self.num_timesteps, self.every)
        if due or not self.state.pool.snapshots:
            self.state.pool.add(self.model.policy)


class Evaluation(_Job):
    """Plays against the opponents of the config, keeps the best agent, draws the curves."""

    def __init__(
        self,
        config: TrainConfig,
        folder: RunFolder,
        state: RunState,
        table: CsvTable,
        board: TensorBoardOutputFormat,
        bar: ProgressBar,
    ) -> None:
        super().__init__()
        self.config, self.folder, self.state = config, folder, state
        self.table, self.board, self.bar = table, board, bar

    def _on_rollout_start(self) -> None:
        if self.state.is_due("evaluation", self.num_timesteps, self.config.eval.every):
            self.evaluate()

    def _on_training_end(self) -> None:
        if self.num_timesteps >= self.model._total_timesteps:
            self.evaluate()

    def evaluate(self) -> None:
        start = perf_counter()
        config = self.config.eval
        results = play_matches(
            self.config.env_id,
            Agent(self.model.policy, config.deterministic),
            config.opponents,
            games=config.games,
            seed=PERIODIC_SEED,
            **game_options(self.config.env_kwargs),
        )
        for result in results:
            row = result_row(result)
            self.table.append({"step": self.num_timesteps, **row})
            del row["opponent"]
            numbers = {f"eval/{result.opponent}/{name}": value for name, value in row.items()}
            self.board.write(numbers, dict.fromkeys(numbers, ()), self.num_timesteps)
        rival = results[-1]
        rank = (rival.win_rate.mean, rival.margin.mean)
        better = rank > self.state.best
        if better:
            self.state.best = rank
            save_checkpoint(self.folder.best, self.model)
        wins = ", ".join(f"{r.opponent} {100 * r.win_rate.mean:.1f} %" for r in results)
        self.bar.say(
            f"{self.num_timesteps:>12,} decisions: wins against {wins}; lead on {rival.opponent} "
            f"{rival.margin.mean:+.1f}{' (best)' if better else ''}"
        )
        plot_run(self.folder, f"{self.config.env_id}, seed {self.config.seed}")
        self.state.clock.evaluation += perf_counter() - start


class Checkpoints(_Job):
    """Writes ``last.zip`` now and then, at the end, and when the run is asked to stop.

    Attributes:
        stop_asked: save after the current update and stop.
        stopped: it did.
    """

    def __init__(self, folder: RunFolder, state: RunState, every: int) -> None:
        super().__init__()
        self.folder, self.state, self.every = folder, state, every
        self.stop_asked = self.stopped = False

    def _on_rollout_start(self) -> None:
        due = self.state.is_due("checkpoint", self.num_timesteps, self.every)
        if due or self.stop_asked or not self.folder.last.exists():
            self.save()
            self.stopped = self.stop_asked

    def _on_step(self) -> bool:
        return not self.stopped

    def _on_training_end(self) -> None:
        if not self.stopped:
            self.save()

    def save(self) -> None:
        save_checkpoint(self.folder.last, self.model, self.state.save(self.model))

    @contextmanager
    def stop_on_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM ask to stop; a second Ctrl-C stops at once."""

        def ask(number: int, frame: FrameType | None) -> None:
            if self.stop_asked:
                raise KeyboardInterrupt
            self.stop_asked = True
            print(
                "\nSaving after this update (Ctrl-C again: stop at once) ...",
                file=sys.stderr,
                flush=True,
            )

        old = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)


class ProgressBar(_Job):
    """Decisions done, decisions a second, and the time left."""

    def __init__(self, total: int, done: int) -> None:
        super().__init__()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]} decisions/s"),
            TimeRemainingColumn(elapsed_when_finished=True),
            refresh_per_second=2,
            speed_estimate_period=60,  # a rollout and its update make one uneven pair
        )
        self._task = self._bar.add_task("", total=total, completed=done, rate="-")
        self._describe(done)

    def _on_training_start(self) -> None:
        self._bar.start()

    def _on_step(self) -> bool:
        self._bar.update(self._task, advance=self.training_env.num_envs)
        return True

    def _on_rollout_end(self) -> None:
        self._describe(self.num_timesteps)

    def _describe(self, done: int) -> None:
        task = self._bar.tasks[self._task]
        rate = "-" if task.speed is None else f"{task.speed:,.0f}"
        self._bar.update(
            self._task, description=f"{done:,} of {task.total:,.0f} decisions", rate=rate
        )

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._bar.console.print(text, highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Leave the bar as it is."""
        self._bar.stop()
