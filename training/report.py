"""Results as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from training.matches import MatchResult


def print_results(console: Console, title: str, results: Iterable[MatchResult]) -> None:
    """One line for each opponent; brackets hold 95 % intervals."""
    table = Table(title=title, title_justify="left")
    for heading in ("opponent", "games", "won, %", "own score", "theirs", "lead"):
        table.add_column(heading, justify="left" if heading == "opponent" else "right")
    for result in results:
        win, margin = result.win_rate, result.margin
        table.add_row(
            result.opponent,
            f"{result.games}",
            f"{100 * win.mean:.1f} ({100 * win.low:.1f} to {100 * win.high:.1f})",
            f"{result.score:.1f}",
            f"{result.opponent_score:.1f}",
            f"{margin.mean:+.1f} ({margin.low:+.1f} to {margin.high:+.1f})",
        )
    console.print(table)
