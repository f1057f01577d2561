"""What NumPy calls cost on this machine: the figures behind "Fast NumPy here" in CONTRIBUTING.md.

    python -m benchmarks.numpy_costs

Each line is the best of several rounds of one thing, alone and with warm caches: inside a step,
among hundreds of others, the same call takes longer.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable

import numpy as np

from benchmarks.throughput import machine
from fold_envs.engine.rows import running_sums

FEW, MANY = 64, 16384  # tables
ROWS = 40  # of an array (rows, tables)
ROUNDS, ROUND_SECONDS = 7, 0.005


def nanoseconds(call: Callable[[], object], per: int = 1) -> float:
    """Best time of ``call`` in ns, divided by ``per``."""
    timer = timeit.Timer(call)
    number = max(1, int(ROUND_SECONDS / min(timer.repeat(3, 1))))
    return min(timer.repeat(ROUNDS, number)) / number * 1e9 / per


def costs() -> list[tuple[str, float]]:
    """Names and ns."""
    rng = np.random.default_rng(0)
    few = np.ones(FEW, np.uint8)
    one = np.array(1, np.uint8)
    many, other, out = (np.ones(MANY, np.uint8) for _ in range(3))
    wide = np.ones((ROWS, MANY), np.uint8)
    narrow = np.ones((ROWS, FEW), np.uint8)
    flags = rng.random((ROWS, MANY)) < 0.05
    spread = np.asfortranarray(np.ones((ROWS, FEW), np.uint8))
    flat = wide.reshape(-1)
    tables = np.sort(rng.choice(MANY, MANY // 4, replace=False))
    cells = rng.integers(0, ROWS, len(tables)) * MANY + tables
    some = np.arange(0, FEW, 4)
    columns = np.arange(ROWS)[:, None] * FEW + np.arange(FEW)
    lines: list[tuple[str, Callable[[], object], int]] = [
        (f"a call: a + b, {FEW} uint8", lambda: few + few, 1),
        ("the same + 0-d array", lambda: few + one, 1),
        ("the same + Python number", lambda: few + 1, 1),
        ("a row to a column: (40, 64) & (64,)", lambda: narrow & few, 1),
        ("reduction: np.add.reduce(axis=0) of (40, 64), to uint8", _reduce(narrow, np.uint8), 1),
        ("the same, to a wider type", _reduce(narrow, np.intp), 1),
        ("a[some], 16 of 64", lambda: few[some], 1),
        ("a[some] = 0", lambda: few.__setitem__(some, 0), 1),
        ("np.where(flags, a, b)", lambda: np.where(flags[0, :FEW], few, few), 1),
        ("flags.any()", lambda: flags[0, :FEW].any(), 1),
        ("np.count_nonzero(flags)", lambda: np.count_nonzero(flags[0, :FEW]), 1),
        (
            f"an element: np.bitwise_and(out=), {MANY}",
            lambda: np.bitwise_and(many, other, out),
            MANY,
        ),
        ("the same of (40, 16384)", lambda: np.bitwise_and(wide, many, out=wide), wide.size),
        ("uint8 minimum by an array", lambda: np.minimum(many, other, out=out), MANY),
        ("uint8 minimum by a number", lambda: np.minimum(many, one, out=out), MANY),
        ("uint8 right shift by a number", lambda: np.right_shift(many, one, out=out), MANY),
        ("gather: flat.take(cells), a quarter of the tables", lambda: flat.take(cells), len(cells)),
        ("scatter: flat[cells] = 0", lambda: flat.__setitem__(cells, 0), len(cells)),
        (
            'columns: take(tables, axis=1, mode="clip")',
            lambda: wide.take(tables, axis=1, mode="clip"),
            len(tables) * ROWS,
        ),
        ("columns: x[:, tables]", lambda: wide[:, tables], len(tables) * ROWS),
        (
            "scatter of (40, 64) contiguous values",
            lambda: flat.__setitem__(columns, narrow),
            narrow.size,
        ),
        (
            "the same, values not contiguous",
            lambda: flat.__setitem__(columns, spread),
            narrow.size,
        ),
        ("flags.reshape(-1).nonzero(), 5 % set", lambda: flags.reshape(-1).nonzero(), flags.size),
        ("flags.nonzero() of two axes", lambda: flags.nonzero(), flags.size),
        ("running sums: np.cumsum(axis=0)", lambda: np.cumsum(wide, axis=0, out=wide), wide.size),
        ("running sums: a loop over rows", lambda: running_sums(wide), wide.size),
    ]
    return [(name, nanoseconds(call, per)) for name, call, per in lines]


def _reduce(rows: np.ndarray, dtype: type) -> Callable[[], object]:
    return lambda: np.add.reduce(rows, axis=0, dtype=dtype)


def main() -> None:
    """Print them."""
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    for name, value in costs():
        print(f"{value:10.3f} ns  {name}")


if __name__ == "__main__":
    main()
