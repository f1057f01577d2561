"""Layouts name slices, bounds and who sees them."""

from __future__ import annotations

import numpy as np
import pytest

from fold_envs.engine.layout import Layout, Part

LAYOUT = Layout(
    Part("hand", (3,), 9, False, "own cards"),
    Part("grid", (2, 2), doc="flags"),
    Part("sum", (), 200, True, "one number"),
)


def test_slices_bounds_and_visibility() -> None:
    assert len(LAYOUT) == LAYOUT.size == 8
    assert LAYOUT["hand"] == slice(0, 3) and LAYOUT["sum"] == slice(7, 8)
    assert LAYOUT.high.tolist() == [9, 9, 9, 1, 1, 1, 1, 200]
    assert LAYOUT.public.tolist() == [False] * 3 + [True] * 5
    assert [part.name for part in LAYOUT] == ["hand", "grid", "sum"]
    assert repr(LAYOUT) == "Layout(hand[3], grid[2, 2], sum[])"


def test_views_share_memory_and_have_the_shape_of_the_part() -> None:
    rows = np.zeros((8, 5), np.uint8)
    views = LAYOUT.views(rows)
    assert views["grid"].shape == (2, 2, 5) and views["sum"].shape == (5,)
    views["grid"][1, 0] = 7
    assert (rows[5] == 7).all() and rows.sum() == 35
    assert LAYOUT.views(np.arange(8))["grid"].tolist() == [[3, 4], [5, 6]]


def test_locate_is_the_inverse_of_the_slices() -> None:
    found = [LAYOUT.locate(i) for i in range(8)]
    assert [(part.name, place) for part, place in found] == [
        ("hand", (0,)),
        ("hand", (1,)),
        ("hand", (2,)),
        ("grid", (0, 0)),
        ("grid", (0, 1)),
        ("grid", (1, 0)),
        ("grid", (1, 1)),
        ("sum", ()),
    ]
    for outside in (-1, 8):
        with pytest.raises(IndexError, match="outside"):
            LAYOUT.locate(outside)


def test_unknown_and_double_names_are_refused() -> None:
    with pytest.raises(KeyError, match="no part 'deck'; there are hand, grid, sum"):
        LAYOUT["deck"]
    with pytest.raises(ValueError, match="'a' twice"):
        Layout(Part("a"), Part("a"))


def test_markdown() -> None:
    assert LAYOUT.markdown().splitlines()[2:] == [
        "| 0-2 | `hand` | 3 | 9 | own seat | own cards |",
        "| 3-6 | `grid` | 2 x 2 | 1 | all | flags |",
        "| 7 | `sum` | 1 | 200 | all | one number |",
    ]
    assert LAYOUT.markdown("action").splitlines()[2:] == [
        "| 0-2 | `hand` | 3 | own cards |",
        "| 3-6 | `grid` | 2 x 2 | flags |",
        "| 7 | `sum` | 1 | one number |",
    ]
