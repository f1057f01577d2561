"""Results as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from training.matches import MatchResult


def print_results(console: Console, title: str, results: Sequence[MatchResult]) -> None:
    """One line for each opponent; brackets hold 95 % intervals.

    "shared" are the games with more than one winner. All results are of as many games.
    """
    title = f"{title}, {results[0].games} games each"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("against", overflow="fold")
    for heading in ("won, %", "score", "theirs", "lead", "shared"):
        table.add_column(heading, justify="right", no_wrap=True)
    for result in results:
        win, margin = result.win_rate, result.margin
        table.add_row(
            Text(result.opponent),
            Text(f"{100 * win.mean:.1f} [{100 * win.low:.1f}, {100 * win.high:.1f}]"),
            f"{result.score:.1f}",
            f"{result.opponent_score:.1f}",
            Text(f"{margin.mean:+.1f} [{margin.low:+.1f}, {margin.high:+.1f}]"),
            f"{100 * result.shared:.1f} %",
        )
    console.print(table)
