"""The actions of Fold-it: 24 folds and five more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.games.fold_it.cloth import FOLDS, SIDE, fold_words

UNDO, LAY_FLAT, TURN_OVER, WAIT, GRAB = range(FOLDS, FOLDS + 5)
ACTIONS = FOLDS + 5
WORDS = (*map(fold_words, range(FOLDS)), "undo", "flat", "turn over", "wait", "grab")

_LINES = np.array([1, 2, 3], np.uint8)[:, None, None]
_FLAT = np.array(2 * SIDE, np.uint8)


def action_layout() -> Layout:
    """The 29 actions."""
    return Layout(
        Part(
            "fold",
            (2, 3, 2, 2),
            doc="along a vertical / horizontal line; line 1, 2, 3 from the left / top of the "
            "present outline; the left or top / right or bottom side moves; it lands on top / "
            "underneath",
        ),
        Part("undo", doc="take back the last fold still in the cloth"),
        Part("flat", doc="lay the cloth out flat, front up"),
        Part("turn", doc="turn the cloth over about the vertical axis"),
        Part("wait", doc="do nothing"),
        Part("grab", doc="grab a token"),
    )


def write_legal(outlines: NDArray[np.uint8], legal: NDArray[np.bool_]) -> None:
    """Write into ``legal`` (29, N) what seats may do whose cloths have such outlines.

    ``outlines`` (2, N) are rows and columns.
    """
    lengths = outlines[::-1, None, None]  # along each axis of folds
    np.greater(lengths, _LINES, out=legal[:FOLDS].reshape(2, 3, 4, -1))
    # each fold makes the outline smaller
    np.less(outlines[0] + outlines[1], _FLAT, out=legal[UNDO : LAY_FLAT + 1])
    legal[TURN_OVER:] = True
