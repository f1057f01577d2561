"""A config so small that a run takes a second or two."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

torch.set_num_threads(1)  # more only get in each other's way on networks this small

TINY = """\
env_id: FoldEnvs/Ohanami-v0
run_dir: {run_dir}
n_envs: 16
n_timesteps: 2560
env_kwargs: {{seat: random, reward: margin}}
checkpoint_every: 256
policy_kwargs: {{net_arch: [16]}}
opponents: {{mix: {{greedy: 1, random: 1, self: 1}}, snapshot_every: 600, pool_size: 2}}
ppo:
  n_steps: 16
  batch_size: 64
  n_epochs: 2
  learning_rate: lin_1e-2
  ent_coef: lin_0.02_0.01
eval: {{every: 1280, games: 20, final_games: 20}}
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The path of a config whose run goes to ``tmp_path / "run"``."""
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY.format(run_dir=tmp_path / "run"))
    return path
