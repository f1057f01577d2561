"""Component tables and option checks say what is wrong and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.engine.tables import (
    check_choice,
    check_int,
    check_keys,
    check_provenance,
    load_toml,
)


def test_load_toml_reads_and_complains(tmp_path: Path) -> None:
    good = tmp_path / "good.toml"
    good.write_text('[card]\nname = "Ä"\n', encoding="utf-8")
    assert load_toml(good) == load_toml(str(good)) == {"card": {"name": "Ä"}}
    broken = tmp_path / "broken.toml"
    broken.write_text("[card\n")
    with pytest.raises(InvalidOptionError, match=r"broken\.toml.*not valid TOML"):
        load_toml(broken)
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'a = "\xe4"')
    with pytest.raises(InvalidOptionError, match=r"latin\.toml.*not valid TOML"):
        load_toml(latin)
    with pytest.raises(InvalidOptionError, match=r"cannot read .*missing\.toml"):
        load_toml(tmp_path / "missing.toml")
    with pytest.raises(InvalidOptionError, match="cannot read"):
        load_toml(tmp_path)


@pytest.mark.parametrize("odd", [None, 3, b"x.toml", ["x"]])
def test_load_toml_refuses_what_is_no_path(odd: Any) -> None:
    with pytest.raises(InvalidOptionError, match=r"cards: .* is not the path of a TOML file"):
        load_toml(odd)


def test_load_toml_refuses_a_path_that_cannot_be() -> None:
    with pytest.raises(InvalidOptionError):
        load_toml("nul\0byte")


@pytest.mark.parametrize(
    "provenance",
    ["published", "house: our guess", {"cost": "inferred from x", "name": "published"}],
)
def test_provenance_accepts(provenance: Any) -> None:
    check_provenance({"provenance": provenance}, "card 1")


@pytest.mark.parametrize("provenance", ["", "official", 3, None, {}, {"cost": 1}, ["published"]])
def test_provenance_refuses(provenance: Any) -> None:
    with pytest.raises(InvalidOptionError, match=r"card 1: provenance is .* must start with"):
        check_provenance({"provenance": provenance}, "card 1")
    with pytest.raises(InvalidOptionError, match="card 1"):
        check_provenance({}, "card 1")


def test_check_keys() -> None:
    check_keys({"a": 1, "c": 2}, ["a"], ["c"], "row 2")
    with pytest.raises(InvalidOptionError, match="row 2: a, b missing"):
        check_keys({"c": 2}, ["a", "b"], ["c"], "row 2")
    with pytest.raises(InvalidOptionError, match="row 2: unknown d; known are a, c"):
        check_keys({"a": 1, "d": 2}, ["a"], ["c"], "row 2")


def test_check_int() -> None:
    assert check_int(3, 1, 4, "cost") == 3
    for odd in (0, 5, True, 2.0, "2", None, float("nan"), np.int64(2)):
        with pytest.raises(InvalidOptionError, match=r"cost: .* is not a whole number from 1 to 4"):
            check_int(odd, 1, 4, "cost")


def test_check_choice() -> None:
    assert check_choice("win", ("win", "score"), "reward") == "win"
    for odd in ("Win", 1, None, ["win"], float("nan"), np.array(["win"])):
        with pytest.raises(InvalidOptionError, match=r"reward: .* is none of 'win', 'score'"):
            check_choice(odd, ("win", "score"), "reward")
    with pytest.raises(InvalidOptionError):  # 1 is not True, though it is equal
        check_choice(1, (True, False), "flag")
