"""Component tables: TOML files whose every table or row says where its numbers come from."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from fold_envs.engine.errors import InvalidOptionError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

PROVENANCE = ("published", "inferred", "house")


def load_toml(source: str | PathLike[str]) -> dict[str, Any]:
    """Read a TOML file, as given by the option ``cards`` of a game.

    Raises:
        InvalidOptionError: it is no path, or the file is missing or no TOML; the message names it.
    """
    if not isinstance(source, (str, PathLike)):
        raise InvalidOptionError(f"cards: {source!r} is not the path of a TOML file")
    path = Path(source)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidOptionError(f"cannot read {fspath(source)!r}: {error.strerror}") from error
    except ValueError as error:  # of TOML, or of UTF-8
        raise InvalidOptionError(f"{fspath(source)!r} is not valid TOML: {error}") from error


def check_provenance(row: Mapping[str, Any], where: str) -> None:
    """Check that ``row`` says where its values come from.

    ``provenance`` is text, or a table of texts for several groups of fields; each text starts
    with one of ``PROVENANCE``.

    Raises:
        InvalidOptionError: it is missing or says something else; the message names ``where``.
    """
    provenance = row.get("provenance")
    texts = list(provenance.values()) if isinstance(provenance, Mapping) else [provenance]
    if not texts or not all(isinstance(t, str) and t.startswith(PROVENANCE) for t in texts):
        raise InvalidOptionError(
            f"{where}: provenance is {provenance!r}; it must start with one of "
            f"{', '.join(PROVENANCE)}"
        )


def check_keys(
    row: Mapping[str, Any], required: Iterable[str], optional: Iterable[str], where: str
) -> None:
    """Check that ``row`` has all of ``required`` and nothing beyond ``optional``.

    Raises:
        InvalidOptionError: the message names ``where`` and the key.
    """
    required = set(required)
    if missing := sorted(required - set(row)):
        raise InvalidOptionError(f"{where}: {', '.join(missing)} missing")
    if unknown := sorted(set(row) - required - set(optional)):
        raise InvalidOptionError(
            f"{where}: unknown {', '.join(unknown)}; known are "
            f"{', '.join(sorted(required | set(optional)))}"
        )


def check_int(value: Any, low: int, high: int, where: str) -> int:
    """``value`` if it is a whole number in [low, high].

    Raises:
        InvalidOptionError: it is not; the message names ``where``.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidOptionError(f"{where}: {value!r} is not a whole number from {low} to {high}")
    return value


def check_choice(value: Any, choices: Iterable[Any], where: str) -> Any:
    """``value`` if it is one of ``choices``.

    Raises:
        InvalidOptionError: it is not; the message names ``where`` and the choices.
    """
    choices = tuple(choices)
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise InvalidOptionError(f"{where}: {value!r} is none of {', '.join(map(repr, choices))}")
    return value
