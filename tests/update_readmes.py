"""Rewrite the tables of the READMEs that the code knows better.

``python -m tests.update_readmes``; a game's README marks the places with ``<!-- actions -->`` ...
``<!-- /actions -->`` and ``<!-- observation -->`` ... ``<!-- /observation -->``, the top one its
``<!-- games -->``.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import fold_envs

TOP_README = Path(__file__).resolve().parents[1] / "README.md"


def readme_of(env_id: str) -> Path:
    """The README in the folder of a game."""
    return Path(inspect.getfile(fold_envs.game_class(env_id))).with_name("README.md")


def tables_of(env_id: str) -> dict[str, str]:
    """The tables by the name of their marks, with the game's default options."""
    game = fold_envs.make_batch(env_id)
    return {"actions": game.actions.markdown("action"), "observation": game.layout.markdown()}


def games_table() -> dict[str, str]:
    """The table of the top README, by the name of its mark."""
    lines = ["| id | players | actions | features | bytes a table |", "|---|---|---|---|---|"]
    for env_id in fold_envs.ids():
        game = fold_envs.make_batch(env_id)
        few, many = game.players[0], game.players[-1]
        page = readme_of(env_id).relative_to(TOP_README.parent).as_posix()
        lines.append(
            f"| [`{env_id}`]({page}) | {few}-{many} | {game.num_actions} | {game.layout.size} | "
            f"{game.state.bytes_per_table} |"
        )
    return {"games": "\n".join(lines)}


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
    pages = {readme_of(env_id): tables_of(env_id) for env_id in fold_envs.ids()}
    for path, tables in {TOP_README: games_table(), **pages}.items():
        old = path.read_text(encoding="utf-8")
        new = filled(old, tables, str(path))
        if new != old:
            path.write_text(new, encoding="utf-8", newline="\n")
        print(f"{path}: {'unchanged' if new == old else 'written'}")


if __name__ == "__main__":
    main()
