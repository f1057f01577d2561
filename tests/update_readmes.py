"""Rewrite the tables of actions and observations in the games' READMEs, from the code.

``python -m tests.update_readmes``; a README marks the places with ``<!-- actions -->`` ...
``<!-- /actions -->`` and ``<!-- observation -->`` ... ``<!-- /observation -->``.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import fold_envs


def readme_of(env_id: str) -> Path:
    """The README in the folder of a game."""
    return Path(inspect.getfile(fold_envs.game_class(env_id))).with_name("README.md")


def tables_of(env_id: str) -> dict[str, str]:
    """The tables by the name of their marks, with the game's default options."""
    game = fold_envs.make_batch(env_id)
    return {"actions": game.actions.markdown("action"), "observation": game.layout.markdown()}


def filled(text: str, tables: dict[str, str], where: str) -> str:
    """``text`` with the tables between their marks."""
    for name, table in tables.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if len(pattern.findall(text)) != 1:
            raise ValueError(f"{where} must have <!-- {name} --> and <!-- /{name} --> once")
        text = pattern.sub(lambda found, table=table: f"{found[1]}{table}\n{found[2]}", text)
    return text


def main() -> None:
    """Rewrite all READMEs that are there."""
    for env_id in fold_envs.ids():
        path = readme_of(env_id)
        if not path.exists():
            print(f"{env_id}: no README.md")
            continue
        old = path.read_text(encoding="utf-8")
        new = filled(old, tables_of(env_id), str(path))
        if new != old:
            path.write_text(new, encoding="utf-8", newline="\n")
        print(f"{env_id}: {'unchanged' if new == old else 'written'}")


if __name__ == "__main__":
    main()
