"""Decisions per second of whole steps, on one core.

    python -m benchmarks.throughput [--games Ohanami ...] [--faces batch vector ...]

A whole step is: choose a uniformly random legal action at every table, step, compute the mask,
write the observation. Finished games start anew at once. The faces play one learning seat against
random opponents and count that seat's decisions only; "batch" counts every seat's.

Every figure is the median over rounds; the configurations take turns inside a round, so that a
change of the machine's speed meets all of them alike.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np

import fold_envs
from fold_envs.engine.rng import Streams
from fold_envs.engine.state import State

FACES = ("batch", "vector", "vector-raw", "env", "sb3")
DEFAULT_NUM_ENVS = (1, 64, 1024, 4096, 16384)
ROUNDS = 5
WARM_UP = 30  # steps before the clock starts; ragged games spread over their phases meanwhile


class Config(NamedTuple):
    """One row of the result."""

    env_id: str
    face: str
    num_players: int
    num_envs: int


class Rig(NamedTuple):
    """Something that can be stepped."""

    step: Callable[[], None]
    bytes_per_table: int
    first_step_seconds: float
    limit: Callable[[], None]


def build(config: Config, seed: int) -> Rig:
    """Make a face, reset it and take the first step."""
    start = time.perf_counter()
    options: dict[str, Any] = {"num_players": config.num_players}
    env_id, n = config.env_id, config.num_envs
    step: Callable[[], None]
    if config.face == "batch":
        game = fold_envs.make_batch(env_id, n, autoreset=True, check=False, **options)
        game.reset(seed)

        def step() -> None:
            game.step(game.random_legal())
            _ = game.legal
            game.observe()

    elif config.face in ("vector", "vector-raw"):
        raw: dict[str, Any] = (
            {"obs_dtype": "uint8", "copy": False} if config.face == "vector-raw" else {}
        )
        vector: Any = gymnasium.make_vec(env_id, num_envs=n, **raw, **options)
        vector.reset(seed=seed)
        game = vector.unwrapped.game
        chooser = _chooser(n, seed)

        def step() -> None:
            vector.step(chooser.choose(game.legal))

    elif config.face == "env":
        env: Any = gymnasium.make(env_id, **options)
        mask = env.reset(seed=seed)[1]["action_mask"]
        game = env.unwrapped.game
        rng = np.random.default_rng(seed)

        def step() -> None:
            nonlocal mask
            legal = mask.nonzero()[0]
            _, _, over, _, info = env.step(legal[int(rng.random() * len(legal))])
            if over:
                info = env.reset()[1]
            mask = info["action_mask"]

    else:
        from fold_envs.api.sb3 import FoldVecEnv

        vec_env = FoldVecEnv(env_id, n, seed=seed, **options)
        vec_env.reset()
        game = vec_env.game
        chooser = _chooser(n, seed)

        def step() -> None:
            vec_env.step(chooser.choose(game.legal))
            np.stack(vec_env.env_method("action_masks"))

    step()
    seconds = time.perf_counter() - start
    return Rig(
        step, game.state.bytes_per_table, seconds, _copies(game.state, game.legal, game._obs)
    )


def _chooser(num_envs: int, seed: int) -> Streams:
    keys = np.arange(num_envs, dtype=np.uint64) + np.uint64(seed)
    return Streams(keys * np.uint64(0x9E3779B97F4A7C15), np.zeros(num_envs, np.uint64))


def _copies(state: State, *arrays: np.ndarray) -> Callable[[], None]:
    """Writes as many bytes as a step may: the state, the mask and the observation, once each."""
    pairs = [(np.empty_like(a), a) for a in (*state.blocks.values(), *arrays)]

    def copy() -> None:
        for target, source in pairs:
            np.copyto(target, source)

    return copy


def rate(step: Callable[[], None], seconds: float) -> float:
    """Calls per second over about ``seconds``."""
    calls, start = 0, time.perf_counter()
    while True:
        for _ in range(4):
            step()
        calls += 4
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return calls / elapsed


def measure(
    configs: Sequence[Config], seconds: float, limit: bool, seed: int
) -> list[dict[str, Any]]:
    """One result row a configuration; ``seconds`` of stepping each, split over the rounds."""
    rigs = [build(config, seed) for config in configs]
    for rig in rigs:
        for _ in range(WARM_UP):
            rig.step()
    rates: list[list[float]] = [[] for _ in configs]
    limits: list[list[float]] = [[] for _ in configs]
    for _ in range(ROUNDS):
        for number, rig in enumerate(rigs):
            rates[number].append(rate(rig.step, seconds / ROUNDS))
            if limit:
                limits[number].append(rate(rig.limit, seconds / ROUNDS / 10))
    rows = []
    for config, rig, steps, copies in zip(configs, rigs, rates, limits, strict=True):
        n = config.num_envs
        row = config._asdict() | {
            "decisions_per_s": statistics.median(steps) * n,
            "slowest_round": min(steps) * n,
            "fastest_round": max(steps) * n,
            "bytes_per_table": rig.bytes_per_table,
            "first_step_s": rig.first_step_seconds,
        }
        if limit:
            row["copies_per_s"] = statistics.median(copies) * n
            row["times_copy"] = statistics.median(
                copy / step for copy, step in zip(copies, steps, strict=True)
            )
        rows.append(row)
    return rows


def machine() -> dict[str, str]:
    """Where and with what the figures were taken."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        processor = f"{names[0].split(':')[1].strip()}, {len(names)} cores" if names else processor
    return {
        "processor": processor,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "gymnasium": gymnasium.__version__,
        "fold_envs": fold_envs.__version__,
    }


def table(rows: Sequence[dict[str, Any]], limit: bool) -> str:
    """The rows as a markdown table."""
    head = ["game", "face", "players", "N", "decisions/s", "slowest-fastest round", "ns/decision"]
    head += ["bytes/table", "first step s"] + (["times a plain copy"] if limit else [])
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        rate_ = row["decisions_per_s"]
        cells = [
            row["env_id"].removeprefix("FoldEnvs/"),
            row["face"],
            str(row["num_players"]),
            str(row["num_envs"]),
            _short(rate_),
            f"{_short(row['slowest_round'])} - {_short(row['fastest_round'])}",
            f"{1e9 / rate_:,.0f}",
            str(row["bytes_per_table"]),
            f"{row['first_step_s']:.3f}",
        ]
        if limit:
            cells.append(f"{row['times_copy']:.1f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _short(rate_: float) -> str:
    if rate_ >= 1e6:
        return f"{rate_ / 1e6:.2f} M"
    return f"{rate_ / 1e3:.0f} k" if rate_ >= 1e5 else f"{rate_ / 1e3:.1f} k"


def plot(rows: Sequence[dict[str, Any]], file: str) -> None:
    """Decisions per second over N, a line for each game, face and player count."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    lines: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        name = f"{row['env_id'].removeprefix('FoldEnvs/')} {row['face']} {row['num_players']}p"
        lines.setdefault(name, []).append((row["num_envs"], row["decisions_per_s"]))
    figure, axes = plt.subplots(figsize=(8, 5))
    for name, points in lines.items():
        axes.plot(*zip(*sorted(points), strict=True), marker="o", label=name)
    axes.set(xscale="log", yscale="log", xlabel="tables N", ylabel="decisions / s, one core")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(file, dpi=120)


def configurations(args: argparse.Namespace) -> list[Config]:
    """All rows that were asked for."""
    known = fold_envs.ids()
    configs = []
    for name in args.games or known:
        found = [i for i in known if name in (i, i.removeprefix("FoldEnvs/"), _plain(i))]
        if not found:
            raise SystemExit(
                f"--games: no game {name!r}; there are {', '.join(map(_plain, known))}"
            )
        env_id = found[0]
        cls = fold_envs.game_class(env_id)
        for players in args.players or [cls.default_players]:
            if players not in cls.players:
                raise SystemExit(f"--players: {_plain(env_id)} is not for {players} players")
            for face in args.faces:
                for n in (1,) if face == "env" else args.num_envs:
                    configs.append(Config(env_id, face, players, n))
    return configs


def _plain(env_id: str) -> str:
    return env_id.removeprefix("FoldEnvs/").removesuffix("-v0")


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", nargs="+", help="names such as Ohanami; default: all")
    parser.add_argument("--faces", nargs="+", choices=FACES, default=["batch"])
    parser.add_argument("--num-envs", nargs="+", type=int, default=DEFAULT_NUM_ENVS)
    parser.add_argument("--players", nargs="+", type=int, help="default: the game's own default")
    parser.add_argument("--seconds", type=float, default=3.0, help="of stepping for each row")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", action="store_true", help="compare with plain memory copies")
    parser.add_argument("--json", help="write the rows to this file")
    parser.add_argument("--plot", help="write a picture to this file")
    args = parser.parse_args(argv)
    if args.seconds <= 0 or min(args.num_envs) < 1:
        parser.error("--seconds and --num-envs must be positive")
    where = machine() | {"seed": str(args.seed), "rounds": str(ROUNDS)}
    print(", ".join(f"{key} {value}" for key, value in where.items()))
    rows = measure(configurations(args), args.seconds, args.limit, args.seed)
    print(table(rows, args.limit))
    if args.limit:
        print(
            "\n'times a plain copy': time of a step over the time of copying state, mask and "
            "observation once."
        )
    if args.json:
        Path(args.json).write_text(json.dumps({"machine": where, "rows": rows}, indent=1))
    if args.plot:
        plot(rows, args.plot)


if __name__ == "__main__":
    main()
