"""Rewrite the golden games: ``python -m tests.golden.update [id ...]``; look at the diff."""

from __future__ import annotations

import sys

import fold_envs
from tests.golden.record import path_of, record


def main(wanted: list[str]) -> None:
    """Write the files of the ids ``wanted``, of all if there are none."""
    for env_id in wanted or fold_envs.ids():
        path, text = path_of(env_id), record(env_id)
        old = path.read_text(encoding="utf-8") if path.exists() else None
        if text != old:
            path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path.name}: {'unchanged' if text == old else 'written'}")


if __name__ == "__main__":
    main(sys.argv[1:])
