"""The errors of the package: a small tree, so that a caller can catch as narrowly as needed."""

from __future__ import annotations


class FoldEnvsError(Exception):
    """Anything that fold_envs raises on purpose."""


class InvalidOptionError(FoldEnvsError, ValueError):
    """An option, a component table or an argument is not what the game can play with."""


class RenderModeError(InvalidOptionError, TypeError):
    """No such render mode. Also a TypeError: on that SB3's ``make_vec_env`` goes on without one."""


class IllegalActionError(FoldEnvsError, ValueError):
    """An action that the rules do not allow; no table has changed."""


class GameOverError(FoldEnvsError, RuntimeError):
    """A step was asked of tables whose games are all over."""
