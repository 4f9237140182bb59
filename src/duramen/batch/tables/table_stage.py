"""The last stage of a run with records: check where the tables go, and write them from the rows."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from duramen.batch.inputs.io import is_remote
from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.outputs.store import ShardStore, read_rows_of_file
from duramen.batch.tables.table_folder import (
    TABLE_SUFFIXES,
    are_complete,
    check_table_folder,
    choose_table_folder,
    read_index,
)
from duramen.errors import UsageError


def check_tables(layout: OutputLayout, store: ShardStore, inputs: Sequence[str], suffix: str) -> None:
    """Raise a `UsageError` if the tables cannot be written."""
    if suffix not in TABLE_SUFFIXES:
        known = ", ".join(known[1:] for known in TABLE_SUFFIXES)
        raise UsageError(f"unknown format of tables {suffix[1:]!r}: choose one of {known}")
    if layout.out == "-" or is_remote(store.folder):
        raise UsageError("the tables of --records need a file or a folder of this machine: name it with -o")
    if layout.text_folder is not None:
        raise UsageError("--records writes tables, and --as files a file for each page: leave one of them out")
    check_table_folder(find_table_folder(layout), inputs)


def find_table_folder(layout: OutputLayout) -> Path:
    """Return the folder of the tables of a run."""
    return choose_table_folder(layout.out, layout.suffix)


def remove_tables(layout: OutputLayout) -> None:
    """Remove the tables of an earlier run, if there are any."""
    folder = find_table_folder(layout)
    if layout.out != "-" and read_index(folder) is not None:
        shutil.rmtree(folder)


def write_run_tables(
    layout: OutputLayout, store: ShardStore, shards: int, suffix: str, log: Callable[[str], None], *, again: bool
) -> None:
    """Write the tables of a run from its rows; not `again`: unless they are complete."""
    from duramen.batch.tables.table_files import write_tables  # it loads the records, which most runs do not need

    folder = find_table_folder(layout)
    if not again and are_complete(folder, suffix):
        return
    counts = write_tables(lambda: _read_rows(layout, store, shards), folder, suffix)
    log(f"wrote {counts.records:,} records to {counts.tables:,} tables in {folder}")


def _read_rows(layout: OutputLayout, store: ShardStore, shards: int) -> Iterator[dict[str, Any]]:
    """Read the rows from the shards, or from the file that they were joined into."""
    if layout.single_file is not None and not Path(store.path(0)).exists():
        yield from read_rows_of_file(str(layout.single_file), layout.suffix)
        return
    for number in range(shards):
        yield from store.read_rows(number)
