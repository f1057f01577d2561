"""State: named views into one block a dtype."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from fold_envs.engine.state import Field, State

FIELDS = (Field("a", (2, 3)), Field("b"), Field("c", (4,), np.int16), Field("d", (2,)))


def filled(num_envs: int = 5) -> State:
    state = State(FIELDS, num_envs)
    for block in state.blocks.values():
        block[...] = np.arange(block.size).reshape(block.shape)
    return state


def test_fields_are_views_of_their_blocks() -> None:
    state = filled()
    assert state.a.shape == (2, 3, 5) and state.b.shape == (5,) and state.c.dtype == np.int16
    assert len(state.blocks) == 2 and state.bytes_per_table == 6 + 1 + 2 + 8
    for field in FIELDS:
        view = getattr(state, field.name)
        assert np.shares_memory(view, state.blocks[np.dtype(field.dtype)])
    state.b[:] = 200
    assert (state.blocks[np.dtype(np.uint8)][6] == 200).all()
    with pytest.raises(AttributeError, match="no field 'z'"):
        state.z  # noqa: B018 - the look-up is the test


def test_a_pickled_state_is_whole() -> None:
    state = pickle.loads(pickle.dumps(filled()))
    assert np.array_equal(state.a, filled().a) and state.fields == FIELDS
    assert np.shares_memory(state.c, state.blocks[np.dtype(np.int16)])


def test_take_and_put() -> None:
    state = filled()
    taken = state.take(np.array([4, 0, 4]))
    assert taken.num_envs == 3
    for field in FIELDS:
        expected = getattr(state, field.name)[..., [4, 0, 4]]
        assert np.array_equal(getattr(taken, field.name), expected)
    taken.a[:] = 0
    assert state.a.any()
    other = State(FIELDS, 5)
    other.put(np.array([1, 3]), state.take(np.array([0, 2])))
    assert np.array_equal(other.c[:, [1, 3]], state.c[:, [0, 2]])
    assert not other.c[:, [0, 2, 4]].any()


def test_one_table_in_plain_copies() -> None:
    state = filled()
    table = state.table(2)
    assert set(table) == {"a", "b", "c", "d"} and table["a"].shape == (2, 3)
    table["a"][:] = 0
    assert state.a[..., 2].any()
