"""The card table of Origami: reading, checking, and arrays by kind of card.

A kind is a row of the table; its index is its identity everywhere in the game, and "rising kinds"
means the order of the rows. Arrays by kind have one more entry than there are kinds: index K stands
for "no card", whose values are all zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.tables import check_int, check_keys, check_provenance, load_toml
from fold_envs.games.origami.payment import SUMS, index_of

FAMILY_SIZE = 18
MOST_FOLDS, MOST_COST, MOST_POINTS, MOST_AMOUNT = 4, 9, 20, 9
MOST_KINDS = 200  # actions and kinds are bytes
DEFAULT_CARDS = Path(__file__).with_name("components.toml")


class Effect(NamedTuple):
    """One of the things that cards do.

    Attributes:
        kinds: the kinds of card that may have it.
        least: the smallest amount, or None if the effect takes no amount.
    """

    kinds: tuple[str, ...]
    least: int | None = 1


EFFECTS = {
    # instant: optional, once, when the card is played
    "draw": Effect(("instant",)),
    "all_draw": Effect(("instant",)),
    "draw_sheep": Effect(("instant",), None),
    "draw_discard": Effect(("instant",)),
    "line": Effect(("instant", "special")),
    "sweep_line": Effect(("instant",), 0),
    "steal": Effect(("instant",)),
    "opponents_discard": Effect(("instant",)),
    "pass_right": Effect(("instant",), None),
    "copy": Effect(("instant",), None),
    "place_under": Effect(("instant",), None),
    # special: instead of another turn, while the card is on top
    "line_exact": Effect(("special",)),
    "draw3_discard1": Effect(("special",), None),
    "play_free": Effect(("special",), None),
    "play_discount": Effect(("special",)),
    "take1_play": Effect(("special",), None),
    "draw1_play": Effect(("special",), None),
    # scoring: at the end
    "half_hand": Effect(("scoring",), None),
    "per_family_all": Effect(("scoring",)),
    "per_family_others": Effect(("scoring",)),
    "per_name": Effect(("scoring",)),
    "pair_in_collection": Effect(("scoring",)),
    "trio_by_name": Effect(("scoring",)),
}
EFFECT_NAMES = ("", *EFFECTS)  # by code; 0 is none
(
    DRAW,
    ALL_DRAW,
    DRAW_SHEEP,
    DRAW_DISCARD,
    LINE,
    SWEEP_LINE,
    STEAL,
    OPPONENTS_DISCARD,
    PASS_RIGHT,
    COPY,
    PLACE_UNDER,
    LINE_EXACT,
    DRAW3_DISCARD1,
    PLAY_FREE,
    PLAY_DISCOUNT,
    TAKE1_PLAY,
    DRAW1_PLAY,
    HALF_HAND,
    PER_FAMILY_ALL,
    PER_FAMILY_OTHERS,
    PER_NAME,
    PAIR_IN_COLLECTION,
    TRIO_BY_NAME,
) = range(1, len(EFFECT_NAMES))
LAST_ACTIVE = DRAW1_PLAY  # codes above are scoring effects
SHEEP = "Sheep"  # the card that draw_sheep counts

_REQUIRED = ("name", "family", "copies", "folds", "cost", "points", "kind", "effect", "provenance")


class CardTable:
    """A checked card table.

    Attributes:
        names: of the kinds, in the order of the rows.
        families: names of the families, in order of appearance.
        family, copies, folds, cost, points, effect, amount: (K + 1,) uint8 by kind.
        instant, special: (K + 1,) uint8, the effect's code if it is of that kind of card, else 0.
        target: (K + 1,) uint8, the kind that a per_name effect counts, else K.
        scorers: kinds that score by what lies in their collection.
        sheep: the kinds that draw_sheep counts (at most one).
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], where: str) -> None:
        if len(rows) > MOST_KINDS:
            raise InvalidOptionError(f"{where}: {len(rows)} cards, at most {MOST_KINDS} are known")
        for row in rows:
            _check_row(row, where)
        self.names = tuple(row["name"] for row in rows)
        for name in self.names:
            if self.names.count(name) > 1:
                raise InvalidOptionError(f"{where}, card {name!r}: two cards have this name")
        self.families = tuple(dict.fromkeys(row["family"] for row in rows))
        self.family = _column([self.families.index(row["family"]) for row in rows])
        self.copies = _column([row["copies"] for row in rows])
        self.folds = _column([row["folds"] for row in rows])
        self.cost = _column([row["cost"] for row in rows])
        self.points = _column([row["points"] for row in rows])
        self.effect = _column([EFFECT_NAMES.index(row["effect"]) for row in rows])
        self.amount = _column([_amount(row) for row in rows])
        kinds = [row["kind"] for row in rows]
        self.instant = self.effect * _column([kind == "instant" for kind in kinds])
        self.special = self.effect * _column([kind == "special" for kind in kinds])
        self.target = _column([self._target_of(row, where) for row in rows], len(rows))
        by_collection = (PER_FAMILY_ALL, PER_FAMILY_OTHERS, PAIR_IN_COLLECTION)
        self.scorers = np.flatnonzero(np.isin(self.effect, by_collection))
        self.sheep = [kind for kind, name in enumerate(self.names) if name == SHEEP]
        for family in range(len(self.families)):
            self._check_size(family, where)
        self.check_costs(self.families, where)

    @property
    def kinds(self) -> int:
        """How many kinds of card there are."""
        return len(self.names)

    def in_families(self, families: Sequence[str]) -> NDArray[np.bool_]:
        """(K,) bool, the kinds of these families."""
        chosen = [self.families.index(name) for name in families]
        return np.isin(self.family[:-1], chosen)

    def check_costs(self, families: Sequence[str], where: str) -> None:
        """Every card of ``families`` must be payable with the other cards of them.

        Raises:
            InvalidOptionError: the message names the card.
        """
        kinds = np.flatnonzero(self.in_families(families))
        counts = np.array(
            [self.copies[kinds[self.folds[kinds] == f]].sum() for f in range(1, MOST_FOLDS + 1)]
        )
        for kind in kinds:
            others = counts.copy()
            others[self.folds[kind] - 1] -= 1
            sums = int(SUMS[index_of(np.minimum(others, 255)[:, None])[0]])
            if not sums >> int(self.cost[kind]) & 1:
                raise InvalidOptionError(
                    f"{where}, card {self.names[kind]!r}: cost {self.cost[kind]} cannot be paid "
                    f"with any other cards of {', '.join(families)}"
                )

    def _target_of(self, row: Mapping[str, Any], where: str) -> int:
        if row["effect"] != "per_name":
            return len(self.names)
        target = row.get("target")
        if target not in self.names:
            raise InvalidOptionError(
                f"{where}, card {row['name']!r}: target {target!r} is no card of this table"
            )
        return self.names.index(target)

    def _check_size(self, family: int, where: str) -> None:
        members = self.family[:-1] == family
        size = int(self.copies[:-1][members].sum())
        if size != FAMILY_SIZE:
            last = self.names[int(np.flatnonzero(members)[-1])]
            raise InvalidOptionError(
                f"{where}, card {last!r}: with these copies the family "
                f"{self.families[family]!r} has {size} cards, not {FAMILY_SIZE}"
            )


def load_cards(source: str | PathLike[str] | None) -> CardTable:
    """The card table of a TOML file, or the one of this package if None.

    Raises:
        InvalidOptionError: the file or a card in it is not as it must be; the message names both.
    """
    return _default_cards() if source is None else _read(source)


@lru_cache(maxsize=1)
def _default_cards() -> CardTable:
    return _read(DEFAULT_CARDS)


def _read(source: str | PathLike[str]) -> CardTable:
    content = load_toml(source)
    where = f"cards {fspath(source)!r}"
    check_keys(content, ("card",), (), where)
    rows = content["card"]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InvalidOptionError(f"{where}: cards are given as [[card]] tables")
    return CardTable(rows, where)


def _check_row(row: Mapping[str, Any], where: str) -> None:
    """One card by itself."""
    name = row.get("name")
    if not isinstance(name, str) or not name.strip():
        raise InvalidOptionError(f"{where}: a card has name {name!r}")
    where = f"{where}, card {name!r}"
    check_keys(row, _REQUIRED, ("amount", "target"), where)
    check_provenance(row, where)
    if not isinstance(row["family"], str) or not row["family"].strip():
        raise InvalidOptionError(f"{where}: family {row['family']!r} is no name")
    check_int(row["copies"], 1, FAMILY_SIZE, f"{where}: copies")
    check_int(row["folds"], 1, MOST_FOLDS, f"{where}: folds")
    check_int(row["cost"], 0, MOST_COST, f"{where}: cost")
    check_int(row["points"], 0, MOST_POINTS, f"{where}: points")
    effect = EFFECTS.get(row["effect"]) if isinstance(row["effect"], str) else None
    if effect is None:
        raise InvalidOptionError(
            f"{where}: effect {row['effect']!r} is none of {', '.join(EFFECTS)}"
        )
    if row["kind"] not in effect.kinds:
        raise InvalidOptionError(
            f"{where}: kind {row['kind']!r}; {row['effect']} is {' or '.join(effect.kinds)}"
        )
    if effect.least is not None:
        check_int(row.get("amount", 1), effect.least, MOST_AMOUNT, f"{where}: amount")
    elif "amount" in row:
        raise InvalidOptionError(f"{where}: amount has no meaning for {row['effect']}")
    if "target" in row and row["effect"] != "per_name":
        raise InvalidOptionError(f"{where}: target has no meaning for {row['effect']}")


def _amount(row: Mapping[str, Any]) -> int:
    return 0 if EFFECTS[row["effect"]].least is None else int(row.get("amount", 1))


def _column(values: Sequence[int], last: int = 0) -> NDArray[np.uint8]:
    return np.array([*values, last], np.uint8)
