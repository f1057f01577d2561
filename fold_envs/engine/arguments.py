"""Checks of what callers pass to a batched game; each returns a plain array or raises."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fold_envs.engine.errors import InvalidOptionError


def plain(value: Any) -> Any:
    """A NumPy scalar as a Python one; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def _as_array(values: Any, name: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:  # rows of different lengths, say
        raise InvalidOptionError(f"{name}: no array can be made of {values!r}: {error}") from None


def as_actions(actions: ArrayLike, num_envs: int) -> NDArray[np.intp]:
    """(N,) integers.

    Raises:
        InvalidOptionError: another shape or dtype.
    """
    if type(actions) is np.ndarray and actions.dtype == np.intp and actions.shape == (num_envs,):
        return actions  # the usual case, without a detour
    array = _as_array(actions, "actions")
    if array.shape != (num_envs,) or array.dtype.kind not in "iu":
        raise InvalidOptionError(
            f"actions must be integers of shape ({num_envs},), not {array.dtype} of shape "
            f"{array.shape}"
        )
    return array.astype(np.intp, copy=False)


def as_tables(where: ArrayLike | None, num_envs: int) -> NDArray[np.intp]:
    """Table numbers from a (N,) bool array or a list of numbers; all of them from None.

    Raises:
        InvalidOptionError: another shape or dtype, or a number out of range.
    """
    if where is None:
        return np.arange(num_envs)
    array = _as_array(where, "tables")
    if array.dtype == bool and array.shape == (num_envs,):
        return np.flatnonzero(array)
    if array.ndim == 1 and (array.dtype.kind in "iu" or not array.size):
        if not array.size or (0 <= array.min() and array.max() < num_envs):
            return array.astype(np.intp)
    raise InvalidOptionError(
        f"tables must be a bool array of shape ({num_envs},) or a list of table numbers below "
        f"{num_envs}, not {array.dtype} of shape {array.shape}"
    )


def as_mask(where: ArrayLike, num_envs: int) -> NDArray[np.bool_]:
    """(N,) bool from what ``as_tables`` takes."""
    array = _as_array(where, "tables")
    if array.dtype == bool and array.shape == (num_envs,):
        return array
    mask = np.zeros(num_envs, bool)
    mask[as_tables(array, num_envs)] = True
    return mask


def as_seeds(seeds: int | ArrayLike, num_envs: int) -> NDArray[np.uint64]:
    """(N,) seeds from one integer s (s + i) or N of them.

    Raises:
        InvalidOptionError: another shape or dtype, a negative one, or one of more than 64 bits.
    """
    array = _as_array(seeds, "seeds")
    if array.dtype.kind not in "iu" or array.shape not in ((), (num_envs,)):
        raise InvalidOptionError(f"seeds must be one integer or {num_envs} of them, not {seeds!r}")
    if (array < 0).any():
        raise InvalidOptionError(f"seeds must not be negative: {seeds!r}")
    if array.ndim == 0:
        if int(array) + num_envs > 1 << 64:
            raise InvalidOptionError(f"seeds: {seeds!r} + {num_envs - 1} has more than 64 bits")
        return np.uint64(array) + np.arange(num_envs, dtype=np.uint64)
    return array.astype(np.uint64)


def as_seats(seat: int | ArrayLike, num_players: int, num_envs: int) -> NDArray[np.uint8]:
    """(N,) seats from one integer or N of them; read-only.

    Raises:
        InvalidOptionError: another shape or dtype, or no such seat.
    """
    array = _as_array(seat, "seat")
    if (
        array.dtype.kind not in "iu"
        or array.shape not in ((), (num_envs,))
        or (array < 0).any()
        or (array >= num_players).any()
    ):
        raise InvalidOptionError(
            f"seat must be one integer below {num_players} or {num_envs} of them, not {seat!r}"
        )
    return np.broadcast_to(array.astype(np.uint8), (num_envs,))
