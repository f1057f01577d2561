"""The YAML of a training run: typed, checked, with dotted overrides.

A wrong key, type or value ends in a ``ConfigError`` that names the file and the key.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

import yaml
from omegaconf import OmegaConf
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException
from stable_baselines3.common.utils import LinearSchedule
from torch import nn

import fold_envs
from fold_envs.api.sb3 import FoldVecEnv
from fold_envs.engine.errors import InvalidOptionError
from fold_envs.opponents import Greedy

RULE_OPPONENTS = ("random", "greedy")
SELF = "self"
ACTIVATIONS = {
    "tanh": nn.Tanh,
    "relu": nn.ReLU,
    "elu": nn.ELU,
    "gelu": nn.GELU,
    "silu": nn.SiLU,
}
FACE_OPTIONS = ("seat", "obs_dtype", "skip_forced", "on_illegal")  # the rest is the game's
_OWN_KEYS = {"num_envs": "n_envs", "opponents": "opponents", "seed": "seed", "env_id": "env_id"}


class ConfigError(ValueError):
    """A config that no run can be made of."""


def _between(default: Any, low: float, high: float = float("inf"), *, above: bool = False) -> Any:
    """A dataclass field that must lie in [low, high], or in (low, high] if ``above``."""
    return field(default=default, metadata={"low": low, "high": high, "above": above})


def _choice(default: str, choices: Iterable[str]) -> Any:
    return field(default=default, metadata={"choices": tuple(choices)})


@dataclass
class PolicyConfig:
    """``policy_kwargs`` of MaskablePPO's MlpPolicy."""

    net_arch: Any = field(default_factory=lambda: [256, 256])
    """Hidden layers of both networks: a list, or ``{pi: [...], vf: [...]}``."""
    activation_fn: str = _choice("tanh", ACTIVATIONS)
    ortho_init: bool = True


@dataclass
class PpoConfig:
    """Arguments of MaskablePPO, by its own names.

    Schedules are a number or ``lin_<start>`` (falls linearly to 0 over the run) or
    ``lin_<start>_<end>``.
    """

    learning_rate: int | float | str = _between("lin_1e-3", 0, 1, above=True)
    n_steps: int = _between(64, 1)
    batch_size: int = _between(2048, 2)
    n_epochs: int = _between(4, 1)
    gamma: float = _between(1.0, 0, 1, above=True)
    gae_lambda: float = _between(0.95, 0, 1)
    clip_range: int | float | str = _between(0.2, 0, 1, above=True)
    clip_range_vf: float | None = _between(None, 0, above=True)
    normalize_advantage: bool = True
    ent_coef: int | float | str = _between(0.01, 0, 1)
    vf_coef: float = _between(0.5, 0)
    max_grad_norm: float = _between(0.5, 0, above=True)
    target_kl: float | None = _between(None, 0, above=True)
    stats_window_size: int = _between(1000, 1)


@dataclass
class OpponentsConfig:
    """Who sits in the other seats during training."""

    mix: Any = "greedy"
    """A name, a list of names, or ``{name: weight}``: random, greedy, self."""
    snapshot_every: int = _between(500_000, 1)
    """Decisions between two snapshots of the agent for ``self``."""
    pool_size: int = _between(8, 1)
    """How many snapshots are kept, the newest ones."""
    choice: str = _choice("uniform", ("uniform", "latest"))
    """Which snapshots play: all of the pool in equal shares, or the newest."""


@dataclass
class ImitationConfig:
    """A head start before PPO: learn from the greedy player's games (see imitation.py)."""

    decisions: int = _between(0, 0)
    """Decisions to learn from; 0 leaves it out."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game's greedy player, as teacher; its opponents have none."""
    noise: float = _between(0.1, 0, 1)
    """Share of moves played at random while collecting."""
    epochs: int = _between(4, 1)
    batch_size: int = _between(2048, 1)
    learning_rate: float = _between(1e-3, 0, 1, above=True)


@dataclass
class EvalConfig:
    """Evaluation during the run and at its end."""

    every: int = _between(500_000, 1)
    """Decisions between two evaluations."""
    games: int = _between(1000, 2)
    """Games against each opponent."""
    final_games: int = _between(4000, 2)
    """The same for the table at the end, on deals that were never used before."""
    opponents: list[str] = field(default_factory=lambda: list(RULE_OPPONENTS))
    """random, greedy or the path of a saved agent; the last one decides which agent is best."""
    deterministic: bool = True
    """Play the likeliest action instead of drawing one."""


@dataclass
class TrainConfig:
    """A training run."""

    env_id: str
    run_dir: str = "runs/${env_id}/seed${seed}"
    env_kwargs: dict[str, Any] = field(default_factory=dict)
    seed: int = _between(0, 0, 2**31 - 1)
    n_envs: int = _between(256, 1, 1 << 16)
    n_timesteps: int = _between(1_000_000, 1)
    """Decisions of the agent in the whole run."""
    checkpoint_every: int = _between(250_000, 1)
    """Decisions between two checkpoints; they are taken between two updates."""
    torch_threads: int = _between(1, -1)
    """Threads of PyTorch; -1 leaves PyTorch's own choice."""
    policy_kwargs: PolicyConfig = field(default_factory=PolicyConfig)
    imitation: ImitationConfig = field(default_factory=ImitationConfig)
    ppo: PpoConfig = field(default_factory=PpoConfig)
    opponents: OpponentsConfig = field(default_factory=OpponentsConfig)
    eval: EvalConfig = field(default_factory=EvalConfig)


# ---------------------------------------------------------------- load and save


def load_config(path: str | Path, overrides: Sequence[str] = ()) -> TrainConfig:
    """Read, merge and check a config.

    Args:
        path: the YAML file.
        overrides: ``key=value`` with dotted keys, as from the command line.

    Raises:
        ConfigError: with the file (and "command line" where it comes from there) and the key.
    """
    path = Path(path)
    settings = [(str(path), key, value) for key, value in _settings(_read(path))]
    for text in overrides:
        source = f"{path}, command line {text!r}"
        settings.append((source, *_read_override(source, text)))
    merged = OmegaConf.structured(TrainConfig)
    sources: dict[str, str] = {}
    for source, key, value in settings:
        if key == "opponents" and isinstance(value, str | list):
            key = "opponents.mix"  # the short form
        sources[key] = source
        try:
            OmegaConf.update(merged, key, value, merge=False)
        except OmegaConfBaseException as error:
            raise ConfigError(f"{source}: {key}: {_explain(key, error)}") from error
    try:
        config = OmegaConf.to_object(merged)
    except OmegaConfBaseException as error:
        raise ConfigError(f"{path}: {error.full_key}: {_explain('', error)}") from error
    assert isinstance(config, TrainConfig)
    for key, complaint in _complaints(config):
        raise ConfigError(f"{_source_of(key, sources, str(path))}: {key} {complaint}")
    return config


def dump_config(config: TrainConfig) -> str:
    """The config as YAML that ``load_config`` reads back to an equal one."""
    return yaml.safe_dump(dataclasses.asdict(config), sort_keys=False, default_flow_style=None)


def differences(old: TrainConfig, new: TrainConfig) -> dict[str, tuple[Any, Any]]:
    """Dotted keys whose values differ, with both values."""
    left, right = (dict(_settings(dataclasses.asdict(config))) for config in (old, new))
    return {key: (left[key], right[key]) for key in left if left[key] != right[key]}


def _read(path: Path) -> dict[str, Any]:
    try:
        values = OmegaConf.to_container(OmegaConf.load(path), resolve=False)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (yaml.YAMLError, OmegaConfBaseException) as error:
        raise ConfigError(f"{path}: is not valid YAML: {error}") from error
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: must hold keys and values, not a list")
    return {str(key): value for key, value in values.items()}


def _read_override(source: str, text: str) -> tuple[str, Any]:
    key, sign, _ = text.partition("=")
    if not sign or not re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", key):
        raise ConfigError(f"{source}: an override is key=value")
    try:
        parsed = OmegaConf.from_dotlist([text])
    except (yaml.YAMLError, OmegaConfBaseException) as error:
        raise ConfigError(f"{source}: {key}: not valid YAML") from error
    value: Any = OmegaConf.to_container(parsed, resolve=False)
    for name in key.split("."):
        value = value[name]
    return key, value


def _settings(
    values: Mapping[str, Any], structure: type = TrainConfig, prefix: str = ""
) -> Iterator[tuple[str, Any]]:
    """(dotted key, value) of all settings, down to where the dataclasses end."""
    types = get_type_hints(structure)
    for key, value in values.items():
        inner = types.get(key)
        if isinstance(value, dict) and dataclasses.is_dataclass(inner):
            assert isinstance(inner, type)
            yield from _settings(value, inner, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _explain(key: str, error: OmegaConfBaseException) -> str:
    if not isinstance(error, ConfigKeyError | ConfigAttributeError):
        return str(error.msg or error).splitlines()[0]
    structure = error.object_type
    if not dataclasses.is_dataclass(structure):
        structure = TrainConfig
    known = [item.name for item in dataclasses.fields(structure)]
    close = difflib.get_close_matches(key.rpartition(".")[2], known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
    return f"unknown key; {hint}"


def _source_of(key: str, sources: Mapping[str, str], default: str) -> str:
    """Where ``key``, a part of it or what holds it was set last."""
    related = [k for k in sources if f"{k}.".startswith(f"{key}.") or f"{key}.".startswith(f"{k}.")]
    return sources[related[-1]] if related else default


# ---------------------------------------------------------------- check


def _complaints(config: TrainConfig) -> Iterator[tuple[str, str]]:
    """(key, what is wrong with it), the first thing first."""
    yield from _range_complaints(config)
    yield from _network_complaints(config.policy_kwargs)
    yield from _env_complaints(config)
    yield from _opponent_complaints(config)
    rollout, batch = config.n_envs * config.ppo.n_steps, config.ppo.batch_size
    if rollout % batch:
        yield (
            "ppo.batch_size",
            f"must divide n_envs * ppo.n_steps = {config.n_envs} * {config.ppo.n_steps} = "
            f"{rollout}, which {batch} does not",
        )


def _range_complaints(config: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    for item in dataclasses.fields(config):
        key, value = f"{prefix}{item.name}", getattr(config, item.name)
        if dataclasses.is_dataclass(value):
            yield from _range_complaints(value, f"{key}.")
        elif "choices" in item.metadata and value not in item.metadata["choices"]:
            yield key, f"must be one of {', '.join(item.metadata['choices'])}, not {value!r}"
        elif "low" in item.metadata and value is not None:
            try:
                numbers = schedule_ends(value)
            except ValueError as error:
                yield key, str(error)
                continue
            low, high = item.metadata["low"], item.metadata["high"]
            above = item.metadata["above"]
            bad = [x for x in numbers[:1] if not (low < x if above else low <= x) or not x <= high]
            bad += [x for x in numbers[1:] if not low <= x <= high]
            if bad:
                limit = f"{'above' if above else 'at least'} {low}"
                limit += f" and at most {high}" if high != float("inf") else ""
                yield key, f"must be {limit}, not {value!r}"


def _network_complaints(policy: PolicyConfig) -> Iterator[tuple[str, str]]:
    nets = policy.net_arch if isinstance(policy.net_arch, dict) else {"pi": policy.net_arch}
    layers_ok = all(
        isinstance(net, list) and all(type(size) is int and size > 0 for size in net)
        for net in nets.values()
    )
    if not layers_ok or not set(nets) <= {"pi", "vf"}:
        yield (
            "policy_kwargs.net_arch",
            f"must be a list of layer sizes or {{pi: [...], vf: [...]}}, not {policy.net_arch!r}",
        )


def _env_complaints(config: TrainConfig) -> Iterator[tuple[str, str]]:
    if config.env_id not in fold_envs.ids():
        yield "env_id", f"must be one of {', '.join(fold_envs.ids())}, not {config.env_id!r}"
        return
    for name in config.env_kwargs:
        if name in _OWN_KEYS:
            yield f"env_kwargs.{name}", f"is set by the key {_OWN_KEYS[name]} at the top level"
            return
    try:
        env = FoldVecEnv(config.env_id, 1, **config.env_kwargs)
    except InvalidOptionError as error:
        yield "env_kwargs", f"are not what the env takes: {error}"
        return
    try:
        Greedy(**config.imitation.options).policy(env.game)
    except InvalidOptionError as error:
        yield "imitation.options", f"are not what the greedy player takes: {error}"


def _opponent_complaints(config: TrainConfig) -> Iterator[tuple[str, str]]:
    names = (*RULE_OPPONENTS, SELF)
    try:
        mix = opponent_weights(config.opponents.mix)
    except ValueError as error:
        yield "opponents.mix", str(error)
        return
    for name, weight in mix.items():
        if name not in names:
            yield "opponents.mix", f"knows {', '.join(names)}, not {name!r}"
        if type(weight) not in (int, float) or not 0 < weight < float("inf"):
            yield "opponents.mix", f"needs weights above 0, not {weight!r} for {name}"
    if not config.eval.opponents:
        yield "eval.opponents", "must name at least one opponent"
    for name in config.eval.opponents:
        if name not in RULE_OPPONENTS and not Path(name).exists():
            yield (
                "eval.opponents",
                f"knows {', '.join(RULE_OPPONENTS)} and paths of saved agents, not {name!r}",
            )


# ---------------------------------------------------------------- what the values mean


def schedule_ends(value: float | str) -> tuple[float, ...]:
    """The number, or (start, end) of a linear schedule.

    >>> schedule_ends("lin_3e-4")
    (0.0003, 0.0)
    """
    if isinstance(value, str):
        parts = value.split("_")
        try:
            ends = tuple(float(part) for part in parts[1:])
        except ValueError:
            ends = ()
        if parts[0] != "lin" or len(ends) not in (1, 2):
            raise ValueError(f"must be a number, lin_<start> or lin_<start>_<end>, not {value!r}")
        return (*ends, 0.0)[:2]
    return (float(value),)


def make_schedule(value: float | str) -> float | LinearSchedule:
    """What SB3 takes: a float, or a function of the share of the run that is left."""
    start, *end = schedule_ends(value)
    return LinearSchedule(start, end[0], 1.0) if end else start


def opponent_weights(mix: Any) -> dict[str, float]:
    """The mix as name -> weight.

    >>> opponent_weights(["greedy", "self"])
    {'greedy': 1.0, 'self': 1.0}
    """
    if isinstance(mix, str):
        return {mix: 1.0}
    if isinstance(mix, list) and mix:
        return {str(name): 1.0 for name in mix}
    if isinstance(mix, dict) and mix:
        return {str(name): weight for name, weight in mix.items()}
    raise ValueError(f"must be a name, a list of names or {{name: weight}}, not {mix!r}")


def game_options(env_kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The part of ``env_kwargs`` that the batched core takes."""
    return {name: value for name, value in env_kwargs.items() if name not in FACE_OPTIONS}
