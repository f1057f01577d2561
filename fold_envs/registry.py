"""The games by id. A new game is one line in ``_GAMES``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import gymnasium

from fold_envs.engine.batch_game import BatchGame
from fold_envs.engine.errors import InvalidOptionError

# id -> module:class, imported when first asked for
_GAMES = {
    "FoldEnvs/Ohanami-v0": "fold_envs.games.ohanami.game:Ohanami",
    "FoldEnvs/OldMen-v0": "fold_envs.games.old_men.game:OldMen",
    "FoldEnvs/FoldIt-v0": "fold_envs.games.fold_it.game:FoldIt",
    "FoldEnvs/Momiji-v0": "fold_envs.games.momiji.game:Momiji",
    "FoldEnvs/Origami-v0": "fold_envs.games.origami.game:Origami",
}


def ids() -> tuple[str, ...]:
    """The ids of all games, as Gymnasium knows them."""
    return tuple(_GAMES)


def game_class(env_id: str) -> type[BatchGame]:
    """The BatchGame class of an id.

    Raises:
        InvalidOptionError: no such id; the message lists those there are.
    """
    try:
        module, name = _GAMES[env_id].split(":")
    except (KeyError, TypeError):
        raise InvalidOptionError(f"no game {env_id!r}; there are {', '.join(_GAMES)}") from None
    return getattr(import_module(module), name)


def make_batch(env_id: str, num_envs: int = 1, **options: Any) -> BatchGame:
    """``num_envs`` tables of a game; options are those of the game's class (see its README).

    >>> game = make_batch("FoldEnvs/Ohanami-v0", 4)
    >>> game.reset(seeds=0)
    >>> game.step(game.random_legal())
    >>> game.legal.shape == (game.num_actions, 4)
    True
    """
    try:
        return game_class(env_id)(num_envs, **options)
    except TypeError as error:
        if "unexpected keyword argument" in str(error):
            raise InvalidOptionError(f"{env_id}: {error}") from error
        raise


def register_envs() -> None:
    """Register every id with Gymnasium; a second call changes nothing."""
    for env_id in _GAMES:
        if env_id not in gymnasium.registry:
            gymnasium.register(
                id=env_id,
                entry_point="fold_envs.api.env:FoldEnv",
                vector_entry_point="fold_envs.api.vector:FoldVectorEnv",
                kwargs={"env_id": env_id},
            )
