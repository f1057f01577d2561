"""A greedy Ohanami player: always the smallest gap, from the observation alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout

EMPTY_GAP = 20  # founding a garden counts as a gap of this size: some 4 points better than "last"
_FAR = 255


def greedy(
    layout: Layout,
    observation: NDArray[np.uint8],
    legal: NDArray[np.bool_],
) -> NDArray[np.intp]:
    """Keep and place the cards with the smallest gap to a garden end; discard if nothing fits.

    Args:
        layout: the observation layout.
        observation: (D, N) uint8.
        legal: (18, N) bool.

    Returns:
        (N,) actions.
    """
    views = layout.views(observation)
    number = views["number"]
    below, high = views["below"][:, :1], views["high"][:, :1]  # own ones, (3, 1, N)
    gap = np.maximum(number, high) - high + below - np.minimum(number - np.uint8(1), below)
    gap = np.where(gap == 0, _FAR, gap)  # it does not fit, or there is no card
    gap[np.broadcast_to(high == 0, gap.shape) & (number > 0)] = EMPTY_GAP
    best = gap.min(axis=0)  # (12, N) over the gardens

    keep = _smallest(best[:10], number[:10] > 0)
    second = best[:10].copy()
    np.put_along_axis(second, keep[None], _FAR, axis=0)
    others = number[:10] > 0
    np.put_along_axis(others, keep[None], False, axis=0)
    partner = _smallest(second, others)
    lower = np.minimum(keep, partner)  # a pair is named lower card first; slots rise
    after_first = _smallest(best[:10], legal[:10])
    slot = np.where(views["phase"][0] == 1, lower, after_first)

    places = np.concatenate(
        [np.append(gap[:, 10 + k], _none_fits(gap[:, 10 + k]), axis=0) for k in (0, 1)]
    )
    spot = 10 + _smallest(places, legal[10:])
    keeping = (views["phase"][0] == 1) | (views["phase"][1] == 1)
    return np.where(keeping, slot, spot)


def _none_fits(gap: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.full_like(gap[:1], _FAR - 1)  # a discard is better than an illegal place only


def _smallest(values: NDArray[np.uint8], allowed: NDArray[np.bool_]) -> NDArray[np.intp]:
    """(N,) the row of the smallest allowed value of each column, the first among equals."""
    return np.argmin(np.where(allowed, values, 256 + 0 * values.astype(np.int16)), axis=0)
