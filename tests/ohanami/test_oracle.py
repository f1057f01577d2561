"""The batched Ohanami against the oracle, move by move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fold_envs.games.ohanami.game import Ohanami
from tests.oracle_driver import drive
from tests.oracles.ohanami import OhanamiOracle

GAMES = 120


def make_oracle(table: dict[str, Any]) -> OhanamiOracle:
    return OhanamiOracle(
        {
            "num_players": table["num_players"],
            "start": table["start"],
            "hands": [table["hands"], *table["coming_hands"]],
        }
    )


def compare(table: dict[str, Any], oracle: OhanamiOracle) -> None:
    state = oracle.state()
    for name in ("round", "pick", "kept", "gardens", "discards", "undealt", "scores"):
        assert table[name] == state[name], name
    assert table["coming_hands"] == state["future_hands"]
    if state["phase"] != "place":
        assert table["hands"] == state["hands"]
    elif state["pick"] < 5:  # the oracle has the hands on their way, the core still before it
        step = 1 if state["round"] != 2 else -1
        passed = state["passed"]
        p = len(passed)
        assert table["hands"] == [passed[(seat + step) % p] for seat in range(p)]
    by_seat = [
        [scores[seat] for scores in state["round_scores"]] for seat in range(len(state["hands"]))
    ]
    assert [scores[:2] for scores in by_seat] == table["round_scores"]


def compare_end(game: Ohanami, table: int, oracle: OhanamiOracle) -> None:
    assert list(game.final_scores[:, table]) == oracle.scores
    assert list(game.winners[:, table]) == oracle.winners
    assert bool(game.tie_break[table]) == (oracle.tie_break is not None)
    np.testing.assert_allclose(game.rewards[:, table], oracle.rewards("win"), atol=1e-6)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_every_move_agrees_with_the_oracle(num_players: int) -> None:
    game = Ohanami(GAMES, num_players=num_players)
    decisions = drive(game, 100, make_oracle, compare, compare_end, compare_every=3)
    assert decisions == GAMES * 60 * num_players
