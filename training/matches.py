"""Matches on the batched core, and what their results say.

Deals are paired: the same deal is played with the agent in every seat, so that luck of the deal
largely cancels. The games of one deal are not independent; all intervals are taken over deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fold_envs
from fold_envs.opponents import OpponentSpec, as_policy
from training.agents import named_opponent

Z95 = 1.959964  # two-sided 95 % of the normal distribution

# Seeds of deals. Training takes seed + table, below 2**32: nothing here is ever trained on, and
# the deals that choose the best agent are not those of the table at the end.
PERIODIC_SEED, FINAL_SEED, EVALUATE_SEED = 1 << 40, 2 << 40, 3 << 40


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class MatchResult:
    """An agent against one opponent (who holds all other seats).

    Attributes:
        opponent: its name.
        games: games played, deals times seats.
        win_rate: shares of wins; k winners of a game have 1/k each.
        score: mean score of the agent.
        opponent_score: mean score of the other seats.
        margin: the difference of the two.
        shared: share of games with more than one winner, whoever they were.
    """

    opponent: str
    games: int
    win_rate: Estimate
    score: float
    opponent_score: float
    margin: Estimate
    shared: float


def play_matches(
    env_id: str, agent: OpponentSpec, opponents: Iterable[str], **settings: Any
) -> list[MatchResult]:
    """A match against each of ``opponents`` (see ``named_opponent``) on the same deals."""
    return [
        play_match(env_id, agent, named_opponent(name), name=name, **settings) for name in opponents
    ]


def play_match(
    env_id: str,
    agent: OpponentSpec,
    opponent: OpponentSpec,
    *,
    games: int,
    seed: int,
    name: str | None = None,
    **options: Any,
) -> MatchResult:
    """Play ``games`` games (rounded up to whole deals), all tables at once.

    Args:
        env_id: which game.
        agent: "random", "greedy" or anything that fold_envs takes as an opponent.
        opponent: who holds the other seats.
        games: how many games.
        seed: deal d has seed + d.
        name: the opponent's name in the result.
        **options: options of the game.
    """
    players = fold_envs.make_batch(env_id, 1, **options).num_players
    deals = -(-games // players)
    game = fold_envs.make_batch(env_id, deals * players, **options)
    game.reset(seeds=np.repeat(seed + np.arange(deals), players))
    seats = np.tile(np.arange(players), deals)
    policies = [as_policy(spec, game)[0] for spec in (agent, opponent)]
    while not game.done.all():
        own = game.to_act == seats
        observation, legal, stream = game.observe(), game.legal, game.side_stream
        actions = np.zeros(game.num_envs, np.intp)
        for policy, turn in zip(policies, (own, ~own), strict=True):
            mine = turn & ~game.done
            if mine.any():
                np.copyto(actions, policy(observation, legal, stream, mine), where=mine)
        game.step(actions)
    lanes = np.arange(game.num_envs)
    winners = game.winners.sum(axis=0)
    share = game.winners / winners
    scores = game.final_scores.astype(float)
    others = (scores.sum(axis=0) - scores[seats, lanes]) / max(1, players - 1)
    return summarise(
        name or str(opponent),
        share[seats, lanes].reshape(deals, players),
        scores[seats, lanes].reshape(deals, players),
        others.reshape(deals, players),
        shared=float((winners > 1).mean()),
    )


def summarise(
    opponent: str,
    wins: NDArray[np.floating],
    scores: NDArray[np.floating],
    opponent_scores: NDArray[np.floating],
    *,
    shared: float,
) -> MatchResult:
    """The result of a match from its games; all arrays are (deals, seats)."""
    return MatchResult(
        opponent,
        wins.size,
        share_estimate(wins),
        float(scores.mean()),
        float(opponent_scores.mean()),
        mean_estimate((scores - opponent_scores).mean(axis=1)),
        shared,
    )


def result_row(result: MatchResult) -> dict[str, Any]:
    """A result as flat columns, for CSV, JSON and TensorBoard."""
    row: dict[str, Any] = {"opponent": result.opponent, "games": result.games}
    for name, estimate in (("win_rate", result.win_rate), ("margin", result.margin)):
        row[name], row[f"{name}_low"], row[f"{name}_high"] = astuple(estimate)
    scores = {"score": result.score, "opponent_score": result.opponent_score}
    return row | scores | {"shared": result.shared}


def mean_estimate(values: Sequence[float] | NDArray[np.floating]) -> Estimate:
    """Mean of independent values with its normal 95 % interval."""
    array = np.asarray(values, float)
    mean = float(array.mean())
    half = Z95 * _standard_error(array)
    return Estimate(mean, mean - half, mean + half)


def share_estimate(wins: NDArray[np.floating]) -> Estimate:
    """Mean win share with its 95 % interval over deals; ``wins`` is (deals, seats).

    Wilson's interval for the number of independent games that would have the standard error found
    over deals. It stays inside [0, 1] and keeps a width when every game was won.
    """
    per_deal = np.asarray(wins, float).mean(axis=1)
    share, error = float(per_deal.mean()), _standard_error(per_deal)
    spread = share * (1 - share)
    # no two deals differ: then each deal tells no more than one game
    count = spread / error**2 if error > 1e-9 else float(len(per_deal))
    centre = (share + Z95**2 / (2 * count)) / (1 + Z95**2 / count)
    half = Z95 / (1 + Z95**2 / count) * math.sqrt(spread / count + Z95**2 / (4 * count**2))
    return Estimate(share, max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)))


def _standard_error(values: NDArray[np.floating]) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else 0.0
