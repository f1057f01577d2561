"""Play a saved agent against opponents.

    python -m training.evaluate RUN_OR_MODEL --opponents random greedy --games 2000

RUN_OR_MODEL is a run folder (its best agent plays) or a zip that MaskablePPO saved. Opponents are
random, greedy, or run folders and zips as well. Every deal is played with the agent in each seat.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import yaml
from rich.console import Console

import fold_envs
from fold_envs.engine.errors import InvalidOptionError
from training.agents import find_model, load_agent
from training.config import RULE_OPPONENTS, ConfigError, game_options, load_config
from training.matches import EVALUATE_SEED, play_matches, result_row
from training.report import print_results


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        "python -m training.evaluate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("agent", type=Path, metavar="RUN_OR_MODEL")
    parser.add_argument("--opponents", nargs="+", default=list(RULE_OPPONENTS), metavar="WHO")
    parser.add_argument("--games", type=_positive, default=2000, help="against each (2000)")
    parser.add_argument("--seed", type=int, default=0, help="which deals are played (0)")
    parser.add_argument("--env-id", help="the game; by default the one in the run's config")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="option of the game, e.g. num_players=3; over those in the run's config",
    )
    parser.add_argument("--sample", action="store_true", help="draw actions from the policy")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    given = parser.parse_args(arguments)
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(given.threads)
        model = find_model(given.agent)
        env_id, options = _game_of(model.parent / "config.yaml", given.env_id, given.option)
        results = play_matches(
            env_id,
            load_agent(model, deterministic=not given.sample),
            given.opponents,
            games=given.games,
            seed=EVALUATE_SEED + given.seed,
            **options,
        )
    except (OSError, ConfigError, InvalidOptionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        torch.set_num_threads(threads)
    print_results(Console(), f"{env_id}: {model}", results)
    if given.json:
        given.json.write_text(json.dumps([result_row(result) for result in results], indent=2))
    return 0


def _game_of(config: Path, env_id: str | None, texts: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """The id and the options of the game: from the run's config, then from the command line."""
    options: dict[str, Any] = {}
    if config.exists():
        run = load_config(config)
        if env_id in (None, run.env_id):
            env_id, options = run.env_id, game_options(run.env_kwargs)
    if env_id is None:
        raise ConfigError(f"no {config} that would name the game: give --env-id")
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign:
            raise ConfigError(f"--option {text}: key=value is expected")
        options[key] = yaml.safe_load(value)
    fold_envs.make_batch(env_id, 1, **options)  # complains about what it does not know
    return env_id, options


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return number


if __name__ == "__main__":
    sys.exit(main())
