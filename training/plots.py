"""Learning curves as PNG, from the CSV files of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator

from training.run_folder import RunFolder, read_table

# colour-blind safe (Okabe and Ito)
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_TRAINING = (
    ("rollout/ep_rew_mean", "reward of a game"),
    ("train/explained_variance", "explained variance of the value"),
    ("train/entropy_loss", "entropy"),
)


def plot_run(run: RunFolder, title: str) -> None:
    """Write ``curves.png``: win rates and scores by opponent, and what the learner reports."""
    evaluations, metrics = read_table(run.evaluations), read_table(run.metrics)
    figure = Figure(figsize=(12, 7), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, 3)
    opponents = list(dict.fromkeys(row["opponent"] for row in evaluations))
    for opponent, colour in zip(opponents, _COLOURS * len(opponents), strict=False):
        rows = [row for row in evaluations if row["opponent"] == opponent]
        steps = _column(rows, "step")
        label = f"against {opponent}"
        for axis, name, factor in ((axes[0, 0], "win_rate", 100), (axes[0, 1], "margin", 1)):
            low, mean, high = (
                [factor * x for x in _column(rows, f"{name}{end}")] for end in ("_low", "", "_high")
            )
            axis.plot(steps, mean, color=colour, marker=".", label=label)
            axis.fill_between(steps, low, high, color=colour, alpha=0.2, linewidth=0)
        axes[0, 2].plot(steps, _column(rows, "score"), color=colour, marker=".", label=label)
    axes[0, 0].set(title="games won, % (band: 95 %)", ylim=(-2, 102))
    axes[0, 1].set(title="lead in points (band: 95 %)")
    axes[0, 2].set(title="own score")
    if opponents:
        axes[0, 0].legend(loc="lower right")
    for axis, (name, text) in zip(axes[1], _TRAINING, strict=True):
        rows = [row for row in metrics if name in row]
        values = _column(rows, name)
        if name == "train/entropy_loss":
            values = [-value for value in values]
        axis.plot(_column(rows, "step"), values, color="0.3", linewidth=1)
        axis.set(title=f"training: {text}")
    _dress(axes.flat)
    figure.suptitle(title)
    scratch = run.curves.with_name(".curves.new.png")
    figure.savefig(scratch, dpi=100)
    scratch.replace(run.curves)


def _dress(axes: Iterable[Axes]) -> None:
    for axis in axes:
        axis.set_xlabel("decisions")
        axis.xaxis.set_major_locator(MaxNLocator(5))
        axis.xaxis.set_major_formatter(EngFormatter(sep=" "))
        axis.grid(alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)


def _column(rows: Sequence[dict[str, Any]], name: str) -> list[float]:
    return [float(row[name]) for row in rows]
