"""The script that prints lengths and scores for the READMEs."""

from __future__ import annotations

import numpy as np
import pytest

import fold_envs
from tests import lengths
from tests.combos import IDS, short


@pytest.mark.parametrize("env_id", IDS, ids=short)
@pytest.mark.parametrize("who", ["random", "greedy"])
def test_games_do_not_depend_on_batches(
    env_id: str, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = fold_envs.game_class(env_id).players[-1]
    whole = lengths.play(env_id, who, players, games=5, seed=7)
    monkeypatch.setattr(lengths, "BATCH", 2)
    parts = lengths.play(env_id, who, players, games=5, seed=7)
    assert whole.decisions.shape == (5,) and whole.scores.shape == (players, 5)
    assert (whole.decisions > 0).all() and whole.winners.any(axis=0).all()
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one, other)
