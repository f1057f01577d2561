from __future__ import annotations

from pathlib import Path

import pytest

from training.config import (
    ConfigError,
    differences,
    dump_config,
    load_config,
    make_schedule,
    opponent_weights,
    schedule_ends,
)

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))


def test_file_and_overrides_are_merged(tiny: Path) -> None:
    config = load_config(tiny, ["ppo.n_epochs=3", "seed=7", "env_kwargs.num_players=3"])
    assert (config.ppo.n_epochs, config.seed, config.n_envs) == (3, 7, 16)
    assert config.env_kwargs == {"seat": "random", "reward": "margin", "num_players": 3}
    assert config.ppo.learning_rate == "lin_1e-2"


def test_run_dir_may_name_the_seed(tiny: Path) -> None:
    assert load_config(tiny, ["run_dir=runs/x-${seed}", "seed=4"]).run_dir == "runs/x-4"


def test_dump_reads_back_the_same(tiny: Path, tmp_path: Path) -> None:
    config = load_config(tiny, ["policy_kwargs.net_arch={pi: [8], vf: [4, 4]}"])
    (tmp_path / "dump.yaml").write_text(dump_config(config))
    assert load_config(tmp_path / "dump.yaml") == config
    other = load_config(tiny, ["seed=3"])
    assert differences(config, other)["seed"] == (0, 3)


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("n_envz=3", "n_envz", "did you mean n_envs?"),
        ("ppo.n_step=3", "ppo.n_step", "did you mean n_steps?"),
        ("ppo.zzz=3", "ppo.zzz", "known are"),
        ("n_envs=many", "n_envs", "many"),
        ("n_envs=1.5", "n_envs", "1.5"),
        ("n_envs=0", "n_envs", "at least 1"),
        ("seed=-1", "seed", "at least 0"),
        ("ppo=3", "ppo", "PpoConfig"),
        ("ppo.gamma=1.5", "ppo.gamma", "at most 1"),
        ("ppo.learning_rate=0", "ppo.learning_rate", "above 0"),
        ("ppo.learning_rate=lin_-1", "ppo.learning_rate", "above 0"),
        ("ppo.learning_rate=cos_1", "ppo.learning_rate", "lin_<start>"),
        ("ppo.n_epochs=null", "ppo.n_epochs", "Optional"),
        ("ppo.batch_size=48", "ppo.batch_size", "256"),
        ("policy_kwargs.net_arch=[a]", "policy_kwargs.net_arch", "layer sizes"),
        ("policy_kwargs.activation_fn=step", "policy_kwargs.activation_fn", "tanh"),
        ("env_id=FoldEnvs/Chess-v0", "env_id", "FoldEnvs/Ohanami-v0"),
        ("env_kwargs.num_players=9", "env_kwargs", "num_players"),
        ("env_kwargs.colour=red", "env_kwargs", "colour"),
        ("env_kwargs.seat=9", "env_kwargs", "seat"),
        ("env_kwargs.seed=3", "env_kwargs.seed", "at the top level"),
        ("opponents=bob", "opponents.mix", "'bob'"),
        ("opponents.mix={greedy: 0}", "opponents.mix", "above 0"),
        ("opponents.choice=oldest", "opponents.choice", "uniform"),
        ("eval.opponents=[nobody.zip]", "eval.opponents", "nobody.zip"),
        ("eval.opponents=[]", "eval.opponents", "at least one"),
        ("n_envs", "n_envs", "key=value"),
        ("n_envs=[", "n_envs", "YAML"),
    ],
)
def test_errors_name_file_and_key(tiny: Path, text: str, key: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tiny, [text])
    message = str(caught.value)
    assert str(tiny) in message and "command line" in message
    assert key in message and words in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed: 1", "env_id"),
        ("env_id: FoldEnvs/Ohanami-v0\nseeds: 1", "seeds: unknown key; did you mean seed?"),
        ("env_id: FoldEnvs/Ohanami-v0\nppo: {n_steps: no}", "ppo.n_steps"),
        ("env_id: FoldEnvs/Ohanami-v0\nseed: [1", "not valid YAML"),
        ("- a\n- b", "keys and values"),
    ],
)
def test_errors_in_the_file(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert str(path) in str(caught.value) and words in str(caught.value)
    assert "command line" not in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml"):
        load_config(tmp_path / "none.yaml")


def test_schedules() -> None:
    assert schedule_ends("lin_3e-4") == (3e-4, 0.0)
    assert schedule_ends("lin_0.2_0.1") == (0.2, 0.1)
    assert make_schedule(0.25) == 0.25
    falling = make_schedule("lin_0.2_0.1")
    assert callable(falling)
    # SB3 calls it with the share of the run that is left
    assert [falling(left) for left in (1.0, 0.5, 0.0)] == pytest.approx([0.2, 0.15, 0.1])


def test_opponent_mixes(tiny: Path) -> None:
    assert opponent_weights("greedy") == {"greedy": 1.0}
    assert opponent_weights(["greedy", "self"]) == {"greedy": 1.0, "self": 1.0}
    assert load_config(tiny, ["opponents=random"]).opponents.mix == "random"
    assert load_config(tiny, ["opponents=[random, self]"]).opponents.mix == ["random", "self"]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_configs_are_valid(path: Path) -> None:
    load_config(path)
