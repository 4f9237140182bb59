"""The folder of the tables of a run: its name, what it may hold, and whether it is complete."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from duramen.errors import UsageError

TABLE_SUFFIXES: Final = (".csv", ".jsonl")
INDEX_FILE: Final = "tables.json"
"""Lists the tables; it is written last."""
INDEX_FORMAT: Final = "duramen tables"


def choose_table_folder(out: str, suffix: str) -> Path:
    """Return the folder of the tables: `corpus.tables` for the rows in `corpus/` or `corpus.jsonl.gz`."""
    name = out.rstrip("/" + os.sep)
    name = name[: -len(suffix)] if name.lower().endswith(suffix) else name
    return Path(f"{name}.tables")


def check_table_folder(folder: Path, inputs: Sequence[str] = ()) -> None:
    """Raise a `UsageError` if the folder of the tables holds something else, or an input."""
    if folder.exists() and read_index(folder) is None and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and holds no tables of a run: move it away, or choose another output (-o)")
    for name in inputs:
        if "://" not in name and Path(name).resolve().is_relative_to(folder.resolve()):
            raise UsageError(f"{name} is part of the output {folder}: choose another output (-o)")


def read_index(folder: Path) -> dict[str, Any] | None:
    """Return the index of the tables in a folder; None if it has none."""
    try:
        index = json.loads((folder / INDEX_FILE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return index if isinstance(index, dict) and index.get("format") == INDEX_FORMAT else None


def are_complete(folder: Path, suffix: str) -> bool:
    """Return whether all tables are there, in this format and with the size that they had."""
    index = read_index(folder)
    if index is None or index.get("suffix") != suffix:
        return False
    files = [(folder / table["file"], table["bytes"]) for table in index["tables"]]
    return all(path.is_file() and path.stat().st_size == size for path, size in files)
