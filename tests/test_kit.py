"""The public kit on every id and number of players."""

from __future__ import annotations

import pytest

from fold_envs.testing import check_game
from tests.combos import COMBOS, short


@pytest.mark.parametrize(("env_id", "num_players"), COMBOS, ids=short)
def test_check_game(env_id: str, num_players: int) -> None:
    check_game(env_id, num_players=num_players)
