"""Play an agent against opponents.

    python -m training.evaluate AGENT --opponents random greedy --games 2000

AGENT is a run folder (its best agent plays), a zip that MaskablePPO saved, random or greedy; so are
opponents. Every deal is played with the agent in each seat. Without a run --env-id names the game:

    python -m training.evaluate greedy --env-id FoldEnvs/Momiji-v0 --heuristic reveals=true
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
from fold_envs.opponents import Greedy, OpponentSpec
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
    parser.add_argument("agent", metavar="AGENT")
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
    parser.add_argument(
        "--heuristic",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="option of the greedy agent, e.g. speed=0.5 in Fold-it; opponents play without",
    )
    parser.add_argument("--sample", action="store_true", help="draw actions from the policy")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    given = parser.parse_args(arguments)
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(given.threads)
        name, agent, config = _agent_of(given.agent, given.heuristic, not given.sample)
        env_id, options = _game_of(config, given.env_id, given.option)
        results = play_matches(
            env_id,
            agent,
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
    print_results(Console(), f"{env_id}: {name}", results)
    if given.json:
        given.json.write_text(json.dumps([result_row(result) for result in results], indent=2))
    return 0


def _agent_of(
    name: str, texts: Sequence[str], deterministic: bool
) -> tuple[str, OpponentSpec, Path | None]:
    """What to call the agent, the agent, and the config of its run, which may not exist."""
    if texts and name != "greedy":
        raise ConfigError(f"--heuristic is for greedy, not for {name}")
    if name == "greedy":
        return " ".join([name, *texts]), Greedy(**_pairs("--heuristic", texts)), None
    if name in RULE_OPPONENTS:
        return name, name, None
    model = find_model(name)
    return str(model), load_agent(model, deterministic), model.parent / "config.yaml"


def _game_of(
    config: Path | None, env_id: str | None, texts: Sequence[str]
) -> tuple[str, dict[str, Any]]:
    """The id and the options of the game: from the run's config, then from the command line."""
    options: dict[str, Any] = {}
    if config and config.exists():
        run = load_config(config)
        if env_id in (None, run.env_id):
            env_id, options = run.env_id, game_options(run.env_kwargs)
    if env_id is None:
        raise ConfigError(f"no {config or 'run'} that would name the game: give --env-id")
    options |= _pairs("--option", texts)
    fold_envs.make_batch(env_id, 1, **options)  # complains about what it does not know
    return env_id, options


def _pairs(flag: str, texts: Sequence[str]) -> dict[str, Any]:
    """The key=value pairs given by a flag, values in YAML."""
    pairs: dict[str, Any] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign:
            raise ConfigError(f"{flag} {text}: key=value is expected")
        try:
            pairs[key] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise ConfigError(f"{flag} {text}: the value is no YAML: {error}") from error
    return pairs


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return number


if __name__ == "__main__":
    sys.exit(main())
