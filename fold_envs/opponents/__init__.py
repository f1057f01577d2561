"""Who sits in the other seats: the opponent protocol, random, greedy, and saved policies."""

from fold_envs.opponents.opponents import (
    BatchOpponent,
    Greedy,
    Opponent,
    OpponentSpec,
    Random,
    SavedPolicy,
    as_policy,
)

__all__ = [
    "BatchOpponent",
    "Greedy",
    "Opponent",
    "OpponentSpec",
    "Random",
    "SavedPolicy",
    "as_policy",
]
