"""The component table of Momiji: reading, checking, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.tables import (
    check_choice,
    check_int,
    check_keys,
    check_provenance,
    load_toml,
)

TYPES = 6
VALUES = 4
COPIES = (5, 4, 3, 2)  # of each value in every type (published)
CORNERS = ("none", "left", "right", "both")  # index: 1 left + 2 right
POWERS = ("mountain", "pond", "wind", "shrine", "bridge", "lantern", "teahouse", "moon")
AMOUNTS = {"mountain": (1, 4), "shrine": (1, 9), "lantern": (3, 6), "teahouse": (0, 2)}  # allowed
TILES_EACH = 3
MAX_START_ACORNS = 20


@dataclass(frozen=True)
class Components:
    """A checked table.

    Attributes:
        kinds: (value, index into CORNERS) of the kinds of one type, rising.
        copies: how many cards of each kind there are in one type.
        start_acorns: in turn order.
        first_game: the tiles everybody has in a first game.
        tile_copies: tiles of each of POWERS in the draft.
        amounts: the number in a power, for the powers in AMOUNTS.
        provenance: "corners", "start acorns" and each power -> where its values come from.
    """

    kinds: tuple[tuple[int, int], ...]
    copies: tuple[int, ...]
    start_acorns: tuple[int, ...]
    first_game: tuple[str, ...]
    tile_copies: tuple[int, ...]
    amounts: Mapping[str, int]
    provenance: Mapping[str, str]

    def is_house(self, name: str) -> bool:
        """Whether ``name`` (a key of ``provenance``) has values made up by this project."""
        return self.provenance[name].startswith("house")


def load_components(source: str | PathLike[str] | None) -> Components:
    """Read and check a table; None reads the one beside this file.

    Raises:
        InvalidOptionError: the file cannot be read or its values cannot be played with.
    """
    return _shipped() if source is None else _read(source)


@lru_cache(maxsize=1)
def _shipped() -> Components:
    return _read(Path(__file__).with_name("components.toml"))


def _read(source: str | PathLike[str]) -> Components:
    table = load_toml(source)
    file = str(source)
    check_keys(table, ("leaf", "start", "first_game", "landscape"), (), file)
    kinds = _count_corners(_table(table, "leaf", file), file)
    start = _table(table, "start", file)
    check_keys(start, ("acorns", "provenance"), (), f"{file}: start")
    check_provenance(start, f"{file}: start")
    acorns = check_start_acorns(start["acorns"], 4, f"{file}: start.acorns")
    tiles = _table(table, "landscape", file)
    check_keys(tiles, POWERS, (), f"{file}: landscape")
    amounts, copies, provenance = {}, [], {}
    for power in POWERS:
        where = f"{file}: landscape.{power}"
        row = _table(tiles, power, f"{file}: landscape")
        needed = ("power", "copies", "provenance", *(("amount",) if power in AMOUNTS else ()))
        check_keys(row, needed, (), where)
        check_provenance(row, where)
        copies.append(check_int(row["copies"], 0, TILES_EACH, f"{where}.copies"))
        if power in AMOUNTS:
            amounts[power] = check_int(row["amount"], *AMOUNTS[power], f"{where}.amount")
        provenance[power] = _text(row["provenance"])
    leaves = [_text(row["provenance"], "corners") for row in table["leaf"].values()]
    provenance["corners"] = min(leaves)  # house < inferred < published
    provenance["start acorns"] = _text(start["provenance"])
    first_game = _table(table, "first_game", file)
    check_keys(first_game, ("tiles", "provenance"), (), f"{file}: first_game")
    check_provenance(first_game, f"{file}: first_game")
    names = first_game["tiles"]
    if not isinstance(names, list) or len(names) != TILES_EACH:
        raise InvalidOptionError(f"{file}: first_game.tiles: {names!r} is not three names of tiles")
    for name in names:
        check_choice(name, POWERS, f"{file}: first_game.tiles")
    return Components(
        kinds=tuple(sorted(kinds)),
        copies=tuple(kinds[kind] for kind in sorted(kinds)),
        start_acorns=acorns,
        first_game=tuple(names),
        tile_copies=tuple(copies),
        amounts=amounts,
        provenance=provenance,
    )


def _count_corners(leaf: Mapping[str, Any], file: str) -> dict[tuple[int, int], int]:
    """How many cards of each (value, corners) one type has."""
    kinds: dict[tuple[int, int], int] = {}
    check_keys(leaf, map(str, range(VALUES)), (), f"{file}: leaf")
    for value, count in enumerate(COPIES):
        where = f"{file}: leaf.{value}"
        row = _table(leaf, str(value), f"{file}: leaf")
        check_keys(row, ("copies", "corners", "provenance"), (), where)
        check_provenance(row, where)
        check_int(row["copies"], count, count, f"{where}.copies (published)")
        corners = row["corners"]
        if not isinstance(corners, list) or len(corners) != count:
            raise InvalidOptionError(f"{where}.corners: {corners!r} is not a list of {count} words")
        for word in corners:
            kind = (value, CORNERS.index(check_choice(word, CORNERS, f"{where}.corners")))
            kinds[kind] = kinds.get(kind, 0) + 1
    return kinds


def check_start_acorns(value: Any, num_players: int, where: str) -> tuple[int, ...]:
    """Acorns in turn order from a whole number (the same for all) or one for each player.

    Raises:
        InvalidOptionError: it is neither; the message names ``where``.
    """
    if isinstance(value, bool) or not isinstance(value, (int, list, tuple)):
        raise InvalidOptionError(
            f"{where}: {value!r} is neither a whole number nor a list of {num_players} of them"
        )
    each = [value] * num_players if isinstance(value, int) else list(value)
    if len(each) != num_players:
        raise InvalidOptionError(f"{where}: {value!r} does not have {num_players} numbers")
    return tuple(check_int(number, 0, MAX_START_ACORNS, where) for number in each)


def _table(parent: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    value = parent[name]
    if not isinstance(value, Mapping):
        raise InvalidOptionError(f"{where}: {name} is {value!r}, not a table")
    return value


def _text(provenance: Any, name: str = "") -> str:
    """The text for ``name``; without one of that name the least official of all."""
    if isinstance(provenance, str):
        return provenance
    return provenance.get(name) or min(provenance.values())
