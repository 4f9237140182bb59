"""Parquet, by pyarrow; the version of the rows' schema stands in the file's metadata as `duramen.schema`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, BinaryIO, get_type_hints

from duramen.batch.row import COLUMNS, SCHEMA, Row
from duramen.errors import MissingExtraError

_AT_ONCE = 1024
"""Rows to a row group."""


def pack(lines: Iterable[bytes], file: BinaryIO) -> None:
    with arrow("pyarrow.parquet").ParquetWriter(file, schema(), compression="zstd") as writer:
        for rows in _groups(lines):
            writer.write_table(arrow("pyarrow").Table.from_pylist(rows, schema=schema()))


def join(shards: Iterable[BinaryIO], file: BinaryIO) -> None:
    """Row group by row group: no more than one is in memory."""
    parquet = arrow("pyarrow.parquet")
    with parquet.ParquetWriter(file, schema(), compression="zstd") as writer:
        for shard in shards:
            opened = parquet.ParquetFile(shard)
            for index in range(opened.num_row_groups):
                writer.write_table(opened.read_row_group(index, use_threads=False))


@cache
def schema() -> Any:
    """The columns as Arrow types."""
    library = arrow("pyarrow")
    types = {"str": library.string(), "int": library.int64(), "float": library.float64()}
    hints = {name: getattr(hint, "__name__", str(hint)).split(" | ")[0] for name, hint in get_type_hints(Row).items()}
    columns = [(name, types[hints[name]]) for name in COLUMNS]
    return library.schema(columns, metadata={"duramen.schema": str(SCHEMA)})


def arrow(module: str) -> Any:
    """A module of pyarrow."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error


def _groups(lines: Iterable[bytes]) -> Iterator[list[dict[str, Any]]]:
    lines = iter(lines)
    while rows := [json.loads(line) for line in islice(lines, _AT_ONCE)]:
        yield rows
