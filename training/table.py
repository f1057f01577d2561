"""Finished runs as a markdown table, for the docs: ``python -m training.table runs/*``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def row(run: Path) -> str:
    """The line of one run folder: its best agent against each opponent, and what it took.

    Raises:
        FileNotFoundError: the run has no results (yet).
    """
    results: dict[str, Any] = json.loads((run / "results.json").read_text())
    matches = {match["opponent"]: match for match in results["best"]}
    cells = [results["env_id"].removeprefix("FoldEnvs/"), str(results["seed"])]
    cells.append(f"{results['decisions'] / 1e6:.1f} M")
    for name in ("random", "greedy"):
        match = matches[name]
        low, high = match["win_rate_low"], match["win_rate_high"]
        cells.append(f"{match['win_rate']:.1%} ({low:.1%} to {high:.1%})")
    greedy = matches["greedy"]
    cells.append(f"{greedy['score']:.1f} : {greedy['opponent_score']:.1f}")
    cells += [f"{results[key] / 60:.1f}" for key in ("wall_seconds", "cpu_seconds")]
    cells.append(f"{results['env_share']:.1%}")
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser("python -m training.table", description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, help="run folders")
    given = parser.parse_args(arguments)
    head = ["game", "seed", "decisions", "wins against random", "against greedy"]
    head += ["scores against greedy", "minutes", "CPU minutes", "env share"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for run in given.runs:
        try:
            print(row(run))
        except OSError as error:
            raise SystemExit(f"{run} holds no finished run: {error}") from None


if __name__ == "__main__":
    main()
