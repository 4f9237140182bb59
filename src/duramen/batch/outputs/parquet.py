"""Rows as Parquet, written by pyarrow. The file's metadata has the version of the schema as `duramen.schema`."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, BinaryIO, get_type_hints

from duramen.batch.row import COLUMNS, SCHEMA, Row
from duramen.errors import MissingExtraError

_ROW_GROUP_ROWS = 1024


def pack(lines: Iterable[bytes], file: BinaryIO) -> None:
    """Write the lines of a shard."""
    with import_arrow("pyarrow.parquet").ParquetWriter(file, make_schema(), compression="zstd") as writer:
        for rows in _group_rows(lines):
            writer.write_table(import_arrow("pyarrow").Table.from_pylist(rows, schema=make_schema()))


def join(shards: Iterable[BinaryIO], file: BinaryIO) -> None:
    """Write shards to one file, with one row group in memory at a time."""
    parquet = import_arrow("pyarrow.parquet")
    with parquet.ParquetWriter(file, make_schema(), compression="zstd") as writer:
        for shard in shards:
            opened = parquet.ParquetFile(shard)
            for index in range(opened.num_row_groups):
                writer.write_table(opened.read_row_group(index, use_threads=False))


@cache
def make_schema() -> Any:
    """Return the columns as Arrow types."""
    arrow = import_arrow("pyarrow")
    types = {"str": arrow.string(), "int": arrow.int64(), "float": arrow.float64()}
    hints = {name: getattr(hint, "__name__", str(hint)).split(" | ")[0] for name, hint in get_type_hints(Row).items()}
    columns = [(name, types[hints[name]]) for name in COLUMNS]
    return arrow.schema(columns, metadata={"duramen.schema": str(SCHEMA)})


def import_arrow(module: str) -> Any:
    """Import a module of pyarrow."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error


def _group_rows(lines: Iterable[bytes]) -> Iterator[list[dict[str, Any]]]:
    lines = iter(lines)
    while rows := [json.loads(line) for line in islice(lines, _ROW_GROUP_ROWS)]:
        yield rows
