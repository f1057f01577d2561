"""stub"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fold_envs.engine.batch_game import Policy

if TYPE_CHECKING:
    from fold_envs.games.origami.game import Origami


def greedy(game: Origami) -> Policy:
    return lambda observation, legal, stream, where: stream.choose(legal, where)
