"""The cards: fifty player cards, and sixteen orangutans read from TOML."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.tables import check_int, check_keys, check_provenance, load_toml

SUITS = ("dollar", "vehicle", "banana", "forest", "deforestation")
DEFORESTATION = SUITS.index("deforestation")
RANKS = 10
CARDS = len(SUITS) * RANKS  # card = RANKS * suit + rank - 1
HAND = 10  # cards a seat, and tricks a hand
APES = 16
TOP_VALUE = 100  # of an orangutan
HOUSE_CARDS = Path(__file__).with_name("components.toml")


def card_name(card: int) -> str:
    """``card`` 0..49 in words: "dollar 7"."""
    return f"{SUITS[card // RANKS]} {card % RANKS + 1}"


class ApeDeck:
    """The sixteen orangutans of a game.

    Two with equal value and cost cannot be told apart: they are of one kind. Kinds are numbered in
    the order of the file.

    Args:
        source: a TOML file of the shape of components.toml.

    Attributes:
        value, copies: (K,) uint8 by kind: points, cards in the deck.
        cost: (K, 5) uint8, cards of each suit.
        kind_of: (16,) uint8, the kind of each orangutan.
        dearest: cards of the highest cost.
        values, copies_by_value: the distinct values, rising, and how many orangutans have each.

    Raises:
        InvalidOptionError: the file cannot be read or a row is wrong; the message names the row.
    """

    def __init__(self, source: str | PathLike[str] = HOUSE_CARDS) -> None:
        table = load_toml(source)
        where = fspath(source)
        check_keys(table, ("orangutan",), ("player_cards",), where)
        if "player_cards" in table:
            _check_player_cards(table["player_cards"], f"{where}: player_cards")
        rows = table["orangutan"]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise InvalidOptionError(f"{where}: orangutan must be a list of tables [[orangutan]]")
        kinds: dict[tuple[int, tuple[int, ...]], int] = {}
        kind_of: list[int] = []
        for number, row in enumerate(rows, start=1):
            kind, copies = _read_row(row, f"{where}: orangutan {number}")
            kind_of += [kinds.setdefault(kind, len(kinds))] * copies
        if len(kind_of) != APES:
            raise InvalidOptionError(
                f"{where}: {len(kind_of)} orangutans in {len(rows)} rows; there must be {APES}"
            )
        self.kind_of = np.array(kind_of, np.uint8)
        self.value = np.array([value for value, _ in kinds], np.uint8)
        self.cost = np.array([cost for _, cost in kinds], np.uint8)
        self.copies = np.bincount(self.kind_of).astype(np.uint8)
        self.num_kinds = len(kinds)
        self.dearest = int(self.cost.sum(axis=1).max())
        self.values, self.copies_by_value = np.unique(self.value[self.kind_of], return_counts=True)

    def best_points(self) -> int:
        """The most points of a hand: the dearest orangutans that ten cards pay for."""
        best = [0] * (HAND + 1)  # by cards spent
        for kind in self.kind_of:
            price, value = int(self.cost[kind].sum()), int(self.value[kind])
            for spent in range(HAND, price - 1, -1):
                best[spent] = max(best[spent], best[spent - price] + value)
        return max(best)

    def as_dict(self, kind: int) -> dict[str, Any]:
        """A kind as in the file: value, and cost by suit."""
        cost = {s: int(n) for s, n in zip(SUITS, self.cost[kind], strict=True) if n}
        return {"value": int(self.value[kind]), "cost": cost}

    def name(self, kind: int) -> str:
        """A kind in words: "7 for banana, forest"."""
        suits = [
            suit if count == 1 else f"{count} {suit}"
            for suit, count in zip(SUITS, self.cost[kind], strict=True)
            if count
        ]
        return f"{self.value[kind]} for {', '.join(suits)}"


def _check_player_cards(table: Any, where: str) -> None:
    if not isinstance(table, dict):
        raise InvalidOptionError(f"{where} must be a table")
    check_keys(table, ("suits", "ranks", "provenance"), (), where)
    check_provenance(table, where)
    if table["suits"] != list(SUITS) or table["ranks"] != RANKS:
        raise InvalidOptionError(
            f"{where}: suits {table['suits']!r}, ranks {table['ranks']!r}; the player cards are "
            f"fixed: suits {list(SUITS)}, ranks {RANKS}"
        )


def _read_row(row: dict[str, Any], where: str) -> tuple[tuple[int, tuple[int, ...]], int]:
    """(value, cost by suit) and the number of copies."""
    check_keys(row, ("value", "cost", "provenance"), ("copies",), where)
    check_provenance(row, where)
    value = check_int(row["value"], 1, TOP_VALUE, f"{where}, value")
    copies = check_int(row.get("copies", 1), 1, APES, f"{where}, copies")
    cost = row["cost"]
    if not isinstance(cost, dict) or not cost:
        raise InvalidOptionError(f"{where}: cost is {cost!r}; it must name at least one suit")
    if unknown := sorted(set(cost) - set(SUITS)):
        raise InvalidOptionError(
            f"{where}: unknown suit {', '.join(unknown)}; known are {', '.join(SUITS)}"
        )
    for suit, count in cost.items():
        check_int(count, 1, RANKS, f"{where}, cost of {suit}")
    # a seat wins at most one card a trick, ten a hand
    check_int(sum(cost.values()), 1, HAND, f"{where}, cards of the cost")
    return (value, tuple(cost.get(suit, 0) for suit in SUITS)), copies
