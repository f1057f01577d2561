"""What happens during a run besides learning, each job a small callback.

Jobs that look at the model wait for the start of a rollout: there it is whole, with no rollout half
collected, and a checkpoint taken there continues exactly.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from types import FrameType
from typing import Any

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import TensorBoardOutputFormat
from stable_baselines3.common.utils import LinearSchedule
from tqdm import tqdm

from fold_envs.opponents import OpponentSpec
from training.agents import Agent, load_agent
from training.config import RULE_OPPONENTS, TrainConfig, game_options
from training.matches import MatchResult, play_match
from training.plots import plot_run
from training.run_folder import CsvTable, RunFolder, save_checkpoint
from training.state import RunState

# Seeds of deals. Training takes seed + table, below 2**32: nothing here is ever trained on, and
# the deals that choose the best agent are not those of the final table.
PERIODIC_SEED = 1 << 40
FINAL_SEED = 2 << 40


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
        results = evaluate_policy(
            self.config, self.model.policy, config.opponents, config.games, PERIODIC_SEED
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
        save_checkpoint(self.folder.last, self.model, self.state.save())

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
        quiet = not sys.stderr.isatty()
        self.bar = tqdm(
            total=total,
            initial=done,
            unit=" decisions",
            unit_scale=True,
            smoothing=0.05,
            dynamic_ncols=True,
            mininterval=30.0 if quiet else 0.5,  # into a file, now and then will do
        )

    def _on_step(self) -> bool:
        self.bar.update(self.training_env.num_envs)
        return True

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self.bar.write(text, file=sys.stdout)
        sys.stdout.flush()

    def close(self) -> None:
        """Leave the bar as it is."""
        self.bar.close()


def evaluate_policy(
    config: TrainConfig,
    policy: MaskableActorCriticPolicy,
    opponents: Sequence[str],
    games: int,
    seed: int,
) -> list[MatchResult]:
    """A match against each of ``opponents``: names, or paths of saved agents."""
    agent = Agent(policy, config.eval.deterministic)
    return [
        play_match(
            config.env_id,
            agent,
            named_opponent(name),
            games=games,
            seed=seed,
            name=name,
            **game_options(config.env_kwargs),
        )
        for name in opponents
    ]


def named_opponent(name: str) -> OpponentSpec:
    """ "random", "greedy", or the agent saved at a path."""
    return name if name in RULE_OPPONENTS else load_agent(name)


def result_row(result: MatchResult) -> dict[str, Any]:
    """A result as flat columns, for CSV, JSON and TensorBoard."""
    row: dict[str, Any] = {"opponent": result.opponent, "games": result.games}
    for name in ("win_rate", "margin"):
        estimate = getattr(result, name)
        row |= {
            name: estimate.mean, f"{name}_low": estimate.low, f"{name}_high": estimate.high
        }  # fmt: skip
    return row | {"score": result.score, "opponent_score": result.opponent_score}
