"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from fold_envs import registry
from tests.engine import toy_game
from tests.engine.toy_game import Toy


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[type[Toy]], str]]:
    """Registers a class of game as Toy-v0 for the length of a test."""

    def register(cls: type[Toy]) -> str:
        monkeypatch.setattr(toy_game, "Subject", cls, raising=False)
        monkeypatch.setitem(registry._GAMES, "Toy-v0", "tests.engine.toy_game:Subject")
        registry.register_envs()
        return "Toy-v0"

    yield register
    registry.gymnasium.registry.pop("Toy-v0", None)


@pytest.fixture
def toy(register: Callable[[type[Toy]], str]) -> str:
    """The id of the toy game, for the length of a test."""
    return register(Toy)
