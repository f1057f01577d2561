"""The orders: cards read from TOML, or every set of one to four dishes that can lie on top."""

from __future__ import annotations

from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.tables import check_choice, check_keys, check_provenance, load_toml
from fold_envs.games.fold_it.cloth import CELLS, SIDE, cloths, fewest_folds

MOST_DISHES = 4
MOST_FOLDS = 5  # the hardest orders need that many
NO_DISH = CELLS
ORDER_ROWS = 2 + MOST_DISHES + 1  # of OrderTable.rows
DECKS = ("standard", "advanced", "mixed")
HOUSE_CARDS = Path(__file__).with_name("components.toml")

Order = tuple[int, ...]  # cells, ascending


class Components:
    """What a TOML file of the shape of components.toml holds.

    Attributes:
        dishes: the 16 names by cell.
        decks: the orders of the standard and of the advanced cards.

    Raises:
        InvalidOptionError: the file cannot be read or a row is wrong; the message names the row.
    """

    def __init__(self, source: str | PathLike[str] = HOUSE_CARDS) -> None:
        table = load_toml(source)
        where = fspath(source)
        check_keys(table, ("cloth", "card"), (), where)
        self.dishes = _read_cloth(table["cloth"], f"{where}: cloth")
        self.decks: dict[str, list[Order]] = {deck: [] for deck in DECKS[:2]}
        if not isinstance(table["card"], list):
            raise InvalidOptionError(f"{where}: card must be a list of tables [[card]]")
        for number, row in enumerate(table["card"], start=1):
            self._read_card(row, f"{where}: card {number}")

    def _read_card(self, row: Any, where: str) -> None:
        if not isinstance(row, dict):
            raise InvalidOptionError(f"{where} must be a table [[card]]")
        check_keys(row, ("deck", "dishes", "provenance"), (), where)
        check_provenance(row, where)
        deck = check_choice(row["deck"], DECKS[:2], f"{where}: deck")
        names = row["dishes"]
        if not isinstance(names, list) or not 1 <= len(names) <= MOST_DISHES:
            raise InvalidOptionError(f"{where}: dishes must be a list of 1 to {MOST_DISHES} names")
        for name in names:
            check_choice(name, self.dishes, f"{where}: dishes")
        order = tuple(sorted({self.dishes.index(name) for name in names}))
        if len(order) < len(names):
            raise InvalidOptionError(f"{where}: dishes names {', '.join(names)}, one of them twice")
        if order not in all_orders():
            raise InvalidOptionError(f"{where}: no folding shows exactly {', '.join(names)} on top")
        self.decks[deck].append(order)

    def deck(self, name: str) -> list[Order]:
        """The cards of the standard, the advanced or the mixed deck.

        Raises:
            InvalidOptionError: there are none, or more than 255.
        """
        names = DECKS[:2] if name == "mixed" else (name,)
        cards = [order for part in names for order in self.decks[part]]
        if not 1 <= len(cards) <= 255:
            raise InvalidOptionError(
                f"deck: {name!r} has {len(cards)} cards in this file; 1 to 255 can be played with"
            )
        return cards


def _read_cloth(row: Any, where: str) -> tuple[str, ...]:
    if not isinstance(row, dict):
        raise InvalidOptionError(f"{where} must be a table [cloth]")
    check_keys(row, ("rows", "provenance"), (), where)
    check_provenance(row, where)
    rows = row["rows"]
    shape = [len(r) if isinstance(r, list) else 0 for r in rows] if isinstance(rows, list) else []
    names = [name for r in rows for name in r] if shape == [SIDE] * SIDE else []
    if len({name for name in names if isinstance(name, str) and name}) != CELLS:
        raise InvalidOptionError(f"{where}: rows must be 4 rows of 4 different names")
    return tuple(names)


def to_mask(order: Order) -> int:
    """The order as a set: bit c for cell c."""
    return sum(1 << cell for cell in order)


@lru_cache(maxsize=1)
def all_orders() -> tuple[Order, ...]:
    """The 430 sets of one to four dishes that can lie on top, by number of dishes, then cells."""
    sets = [
        tuple(cell for cell in range(CELLS) if mask >> cell & 1)
        for mask in np.unique(cloths().top).tolist()
    ]
    return tuple(sorted((s for s in sets if len(s) <= MOST_DISHES), key=lambda s: (len(s), s)))


def random_orders(dishes: tuple[int, int], folds: tuple[int, int]) -> list[Order]:
    """All orders whose number of dishes and fewest folds lie within the bounds, ends included."""
    orders = all_orders()
    fewest = fewest_folds(np.array([to_mask(order) for order in orders]))
    return [
        order
        for order, needed in zip(orders, fewest.tolist(), strict=True)
        if dishes[0] <= len(order) <= dishes[1] and folds[0] <= needed <= folds[1]
    ]


class OrderTable:
    """Arrays about the C orders that can come up in a game.

    Attributes:
        orders: the orders.
        masks: (C,) uint16, as sets: bit c for cell c.
        rows: (7, C) uint8: as a set, cells 0-7 and 8-15; its cells one by one, NO_DISH in the
            places left over; number of dishes.
        fewest: (C,) uint8, fewest folds from the flat cloth.
    """

    def __init__(self, orders: list[Order]) -> None:
        self.orders = orders
        self.masks: NDArray[np.uint16] = np.array([to_mask(o) for o in orders], np.uint16)
        self.rows: NDArray[np.uint8] = np.full((ORDER_ROWS, len(orders)), NO_DISH, np.uint8)
        self.rows[:2] = self.masks & 255, self.masks >> 8
        for column, order in enumerate(orders):
            self.rows[2 : 2 + len(order), column] = order
        self.rows[-1] = [len(order) for order in orders]
        self.fewest = fewest_folds(self.masks)
