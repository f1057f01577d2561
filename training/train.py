"""Train an agent with MaskablePPO.

    python -m training.train configs/ohanami.yaml [key=value ...] [--resume]

Ctrl-C saves and stops; ``--resume`` goes on from the last checkpoint, also after a kill.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from torch.utils.tensorboard import SummaryWriter

from fold_envs.api.sb3 import FoldVecEnv
from training.agents import Agent, SnapshotPool, load_agent, training_opponents
from training.callbacks import Checkpoints, EntropySchedule, Evaluation, ProgressBar, Snapshots
from training.config import (
    ACTIVATIONS,
    SELF,
    ConfigError,
    TrainConfig,
    game_options,
    load_config,
    make_schedule,
    opponent_weights,
)
from training.imitation import imitate
from training.matches import FINAL_SEED, play_matches, result_row
from training.report import print_results
from training.run_folder import (
    CsvTable,
    CsvWriter,
    RunFolder,
    RunFolderError,
    load_state,
    write_atomically,
)
from training.state import RunState
from training.vec_env import TrainingEnv

_SCHEDULES = ("learning_rate", "clip_range", "ent_coef")


def train(config: TrainConfig, folder: RunFolder) -> bool:
    """Run or go on with a training until its end or until it is asked to stop.

    Returns:
        True if the run reached ``n_timesteps``.
    """
    if config.torch_threads > 0:
        torch.set_num_threads(config.torch_threads)
    mix = opponent_weights(config.opponents.mix)
    pool = SnapshotPool(config.opponents.pool_size, config.opponents.choice)
    env = make_env(config, mix, pool)
    state = RunState(env, pool)
    resumed = folder.last.exists()
    if resumed:
        model = MaskablePPO.load(folder.last, device="cpu")
        model.set_env(env, force_reset=False)
    else:
        model = make_model(config, env)
        if config.imitation.decisions:
            print(imitate(model, config))
    total = whole_rollouts(config)
    done = model.num_timesteps
    if done >= total and folder.results.exists():
        raise RunFolderError(
            f"{folder.path} is finished ({done:,} decisions); a higher n_timesteps goes on with it."
        )
    board = _Board(str(folder.tensorboard), done)
    model.set_logger(Logger(str(folder.path), [CsvWriter(CsvTable(folder.metrics, done)), board]))
    if resumed:
        state.restore(load_state(folder.last), model)
    bar = ProgressBar(total, done)
    checkpoints = Checkpoints(folder, state, config.checkpoint_every)
    table = CsvTable(folder.evaluations, done)
    callbacks: list[BaseCallback] = [
        Evaluation(config, folder, state, table, board, bar),
        checkpoints,
        bar,
    ]
    if SELF in mix:
        callbacks.insert(0, Snapshots(state, config.opponents.snapshot_every))
    ent_coef = make_schedule(config.ppo.ent_coef)
    if not isinstance(ent_coef, float):
        callbacks.insert(0, EntropySchedule(ent_coef, total))
    try:
        with checkpoints.stop_on_signals():
            if done < total:
                model.learn(total - done, callbacks, reset_num_timesteps=done == 0)
    finally:
        bar.close()
        model.logger.close()
        env.close()
    if checkpoints.stopped:
        return False
    report(config, folder, state, model)
    return True


def whole_rollouts(config: TrainConfig) -> int:
    """``n_timesteps``, rounded up to whole rollouts, as SB3 plays them."""
    rollout = config.n_envs * config.ppo.n_steps
    return math.ceil(config.n_timesteps / rollout) * rollout


def make_env(config: TrainConfig, mix: dict[str, float], pool: SnapshotPool) -> TrainingEnv:
    """The env of a config."""
    venv = FoldVecEnv(
        config.env_id,
        config.n_envs,
        seed=config.seed,
        opponents=training_opponents(mix, pool),
        **config.env_kwargs,
    )
    return TrainingEnv(venv)


def make_model(config: TrainConfig, env: TrainingEnv) -> MaskablePPO:
    """A new learner."""
    arguments = asdict(config.ppo)
    arguments |= {name: make_schedule(arguments[name]) for name in _SCHEDULES}
    if not isinstance(arguments["ent_coef"], float):
        arguments["ent_coef"] = arguments["ent_coef"](1.0)  # EntropySchedule goes on from there
    policy = asdict(config.policy_kwargs)
    policy["activation_fn"] = ACTIVATIONS[policy["activation_fn"]]
    return MaskablePPO(
        "MlpPolicy", env, seed=config.seed, policy_kwargs=policy, device="cpu", **arguments
    )


def report(config: TrainConfig, folder: RunFolder, state: RunState, model: MaskablePPO) -> None:
    """Play the final matches, print the table and write ``results.json``."""
    seconds = state.clock.read(state.env)
    results: dict[str, Any] = {
        "env_id": config.env_id,
        "seed": config.seed,
        "decisions": model.num_timesteps,
        "decisions_per_second": model.num_timesteps / seconds["wall"],
        "wall_seconds": seconds["wall"],
        "cpu_seconds": seconds["cpu"],
        "env_share": seconds["env"] / seconds["wall"],
        "evaluation_share": seconds["evaluation"] / seconds["wall"],
    }
    console = Console()
    how = config.eval.deterministic
    agents = {"best": load_agent(folder.best, how), "last": Agent(model.policy, how)}
    for name, agent in agents.items():
        matches = play_matches(
            config.env_id,
            agent,
            config.eval.opponents,
            games=config.eval.final_games,
            seed=FINAL_SEED,
            **game_options(config.env_kwargs),
        )
        results[name] = [result_row(match) for match in matches]
        print_results(console, f"{config.env_id}, seed {config.seed}: {name}.zip", matches)
    write_atomically(folder.results, (json.dumps(results, indent=2) + "\n").encode())
    learning = 1 - results["env_share"] - results["evaluation_share"]
    console.print(
        f"{model.num_timesteps:,} decisions in {seconds['wall'] / 60:.1f} min "
        f"({seconds['cpu'] / 60:.1f} min of CPU time), "
        f"{results['decisions_per_second']:,.0f} decisions/s. Wall time: "
        f"env with masks and opponents {results['env_share']:.1%}, "
        f"network and learning {learning:.1%}, evaluation {results['evaluation_share']:.1%}.\n"
        f"Everything is in {folder.path}",
        soft_wrap=True,
        highlight=False,
    )


class _Board(TensorBoardOutputFormat):
    """TensorBoard; a resumed run hides what the killed one wrote after its last checkpoint."""

    def __init__(self, folder: str, done: int) -> None:
        self.writer = SummaryWriter(folder, purge_step=done + 1 if done else None)
        self._is_closed = False


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        "python -m training.train",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("config", type=Path, help="YAML file")
    parser.add_argument("overrides", nargs="*", metavar="key=value", help="e.g. ppo.n_epochs=3")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    given = parser.parse_intermixed_args(arguments)
    command = [
        "python",
        "-m",
        "training.train",
        *(sys.argv[1:] if arguments is None else arguments),
    ]
    threads = torch.get_num_threads()
    try:
        config = load_config(given.config, given.overrides)
        folder = (RunFolder.reopen if given.resume else RunFolder.create)(config, command)
        if train(config, folder):
            return 0
        print(f"Saved. Go on with: {resume_command(command)}")
        return 130
    except (ConfigError, RunFolderError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"Stopped at once. Go on from the last checkpoint: {resume_command(command)}")
        return 130
    finally:
        torch.set_num_threads(threads)


def resume_command(command: Sequence[str]) -> str:
    """The same command, with --resume."""
    return shlex.join([*command, *(() if "--resume" in command else ("--resume",))])


if __name__ == "__main__":
    sys.exit(main())
