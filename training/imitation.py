"""A head start: learn what a teacher does, and what comes of it, before PPO goes on from there.

The teacher (the game's greedy player) plays the learning seat of the training env. The policy is
fitted to its choices and the value network to the returns; both begin where the teacher is, so
that PPO need not find the first half of the way by chance.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from fold_envs.api.seats import LearningSeats
from fold_envs.engine.rng import Streams
from fold_envs.opponents import Greedy, OpponentSpec, as_policy
from training.config import ConfigError, TrainConfig

SEED_OFFSET = 1 << 36  # deals that neither training nor any evaluation plays


@dataclass
class Lessons:
    """What a teacher did: m decisions.

    Attributes:
        observations: (m, D) uint8, as the game writes them.
        masks: (m, A) bool.
        actions: (m,) what the teacher would play.
        returns: (m,) float32, discounted reward from there to the end of the game.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    actions: NDArray[np.intp]
    returns: NDArray[np.float32]


def collect(
    tables: LearningSeats,
    teacher: OpponentSpec,
    decisions: int,
    *,
    seed: int,
    gamma: float,
    noise: float,
) -> Lessons:
    """Let the teacher play the learning seats; only decisions of finished games are kept.

    Args:
        tables: with ``obs_dtype="uint8"``.
        teacher: who plays.
        decisions: about how many to collect.
        seed: of the games.
        gamma: discount of the returns.
        noise: share of the moves that are played at random instead (the teacher's choice is still
            what is learnt): the agent must know what to do after its own mistakes, too.
    """
    game, n = tables.game, tables.num_envs
    policy = as_policy(teacher, game)[0]
    tables.reset(seed)
    chance = Streams(game.state.key ^ np.uint64(seed), np.zeros(n, np.uint64))
    rows: list[tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.intp]]] = []
    rewards, ends = [], []
    for _ in range(-(-decisions // n)):
        observation, legal = game.observe(), game.legal
        actions = policy(observation, legal, game.side_stream, None)
        rows.append((observation.T.copy(), legal.T.copy(), actions))
        stray = chance.uniform() < noise
        played = np.where(stray, chance.choose(legal), actions)
        rewards.append(tables.step(played))
        ends.append(tables.done.copy())
        if ends[-1].any():
            tables.reset(where=ends[-1])
    returns = np.zeros((len(rows), n), np.float32)
    finished = np.zeros((len(rows), n), bool)
    ahead, known = np.zeros(n, np.float32), np.zeros(n, bool)
    for step in reversed(range(len(rows))):
        ahead = rewards[step] + gamma * ahead * ~ends[step]
        known = known | ends[step]
        returns[step], finished[step] = ahead, known
    keep = finished.reshape(-1)
    observations, masks, chosen = (np.concatenate(part) for part in zip(*rows, strict=True))
    return Lessons(observations[keep], masks[keep], chosen[keep], returns.reshape(-1)[keep])


def study(
    model: MaskablePPO,
    lessons: Lessons,
    high: NDArray[np.uint8],
    *,
    epochs: int,
    batch_size: int,
    learning_rate: float,
    seed: int,
) -> list[tuple[float, float]]:
    """Fit policy and value network to the lessons, with an Adam of their own.

    Returns:
        For each epoch, the share of decisions where the likeliest action was the teacher's (as
        met while learning) and the share of the returns' variance that the values explain.
    """
    policy = model.policy
    policy.set_training_mode(True)
    optimizer = torch.optim.Adam(policy.parameters(), lr=learning_rate)
    scale = torch.as_tensor(1 / high.astype(np.float32))
    order = np.random.default_rng(seed)
    count = len(lessons.actions)
    batches = max(1, count // batch_size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, learning_rate, epochs * batches)
    variance = float(lessons.returns.var()) or 1.0
    progress = []
    for _ in range(epochs):
        hits = errors = 0.0
        shuffled = order.permutation(count)
        for batch in np.array_split(shuffled, batches):
            observations = torch.as_tensor(lessons.observations[batch]) * scale
            actions = torch.as_tensor(lessons.actions[batch])
            returns = torch.as_tensor(lessons.returns[batch])
            features = policy.extract_features(observations)
            latent_pi, latent_vf = policy.mlp_extractor(features)
            logits = policy.action_net(latent_pi)
            logits = logits.masked_fill(~torch.as_tensor(lessons.masks[batch]), -1e8)
            values = policy.value_net(latent_vf).flatten()
            error = torch.nn.functional.mse_loss(values, returns)
            loss = torch.nn.functional.cross_entropy(logits, actions)
            loss = loss + model.vf_coef * error / variance
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
            optimizer.step()
            schedule.step()
            hits += float((logits.detach().argmax(dim=1) == actions).sum())
            errors += float(error.detach()) * len(batch)
        progress.append((hits / count, 1 - errors / count / variance))
    return progress


def imitate(model: MaskablePPO, config: TrainConfig) -> str:
    """Do all of it as the config says; returns a line that tells how it went."""
    start, wanted = time.perf_counter(), config.imitation
    env_kwargs = {**config.env_kwargs, "obs_dtype": "uint8"}
    tables = LearningSeats(config.env_id, config.n_envs, opponents="greedy", **env_kwargs)
    seed = SEED_OFFSET + config.seed * (1 << 20)
    lessons = collect(
        tables,
        Greedy(**wanted.options),
        wanted.decisions,
        seed=seed,
        gamma=config.ppo.gamma,
        noise=wanted.noise,
    )
    if not len(lessons.actions):
        raise ConfigError(
            f"imitation.decisions: with {wanted.decisions:,} at {config.n_envs:,} tables no game "
            "comes to its end; give more"
        )
    progress = study(
        model,
        lessons,
        tables.game.layout.high,
        epochs=wanted.epochs,
        batch_size=wanted.batch_size,
        learning_rate=wanted.learning_rate,
        seed=config.seed,
    )
    alike, explained = progress[-1]
    return (
        f"imitation of greedy: {len(lessons.actions):,} decisions in "
        f"{time.perf_counter() - start:.0f} s, {alike:.1%} alike, values explain {explained:.1%}"
    )
