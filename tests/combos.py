"""Every id with every number of players, for ``pytest.mark.parametrize``."""

from __future__ import annotations

from collections.abc import Iterator

import fold_envs

IDS = fold_envs.ids()
COMBOS = [(env_id, p) for env_id in IDS for p in fold_envs.game_class(env_id).players]


def _default_and_most() -> Iterator[tuple[str, int]]:
    for env_id in IDS:
        cls = fold_envs.game_class(env_id)
        yield from {(env_id, cls.default_players): None, (env_id, cls.players[-1]): None}


# two numbers of players for each id, for what is slow and hardly depends on it
SOME = list(_default_and_most())


def short(value: object) -> str | None:
    """Names parameters: the game alone, without the namespace."""
    return value.rpartition("/")[2] if isinstance(value, str) else None
