"""Parquet with a page in a column, by pyarrow. Cut between row groups; a page's position is its row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.opening import file_size, open_binary
from duramen.batch.settings import Reading
from duramen.errors import InputError, MissingExtraError

KIND = "parquet"

_AT_ONCE = 16
"""Rows that are in memory as Python objects."""


def cut(whole: Piece, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None) -> Iterator[Piece]:
    behind = 0 if after is None else after.stop
    if behind is None:
        return
    try:
        with _open(whole.path) as file:
            counts = [file.metadata.row_group(index).num_rows for index in range(file.num_row_groups)]
            if reading.html_column not in file.schema_arrow.names:
                notes.problem(f"{whole.path}: no column {reading.html_column!r}: --html-column names another")
                return
    except InputError as error:
        notes.problem(str(error))
        return
    if not sum(counts):
        notes.empty(whole.path)
        return
    weight = (file_size(whole.path) or 0) / max(sum(counts), 1)
    start = stop = 0
    limit = next(limits)
    for index, count in enumerate(counts):
        stop += count
        if stop <= behind:
            start = stop
        elif stop - start >= limit or index == len(counts) - 1:
            yield Piece(KIND, whole.path, start, stop, size=round(weight * stop) - round(weight * start))
            start, limit = stop, next(limits)


def columns(whole: Piece, reading: Reading) -> list[str]:
    """The names of the columns; none where the file cannot be read."""
    try:
        with _open(whole.path) as file:
            return list(file.schema_arrow.names)
    except InputError:
        return []  # said where the file is cut


def read(piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    with _open(piece.path) as file:
        groups, first, row = [], 0, None
        for index in range(file.num_row_groups):
            behind = first + file.metadata.row_group(index).num_rows
            if first >= piece.start and (piece.stop is None or behind <= piece.stop):
                groups.append(index)
                row = first if row is None else row
            first = behind
        columns = [name for name in (reading.html_column, reading.url_column) if name in file.schema_arrow.names]
        row = first = row or 0
        for batch in file.iter_batches(_AT_ONCE, row_groups=groups, columns=columns, use_threads=False):
            for fields in batch.to_pylist():
                lost = piece.lost.get(row - first)
                yield Item(piece.path, row, error=lost) if lost else _item(piece.path, row, fields, reading)
                row += 1


def _item(path: str, row: int, fields: dict[str, Any], reading: Reading) -> Item:
    url, html = fields.get(reading.url_column), fields.get(reading.html_column)
    url = url.decode("utf-8", "replace") if isinstance(url, bytes) else url if isinstance(url, str) else None
    if not isinstance(html, str | bytes):
        return Item(path, row, url=url, error=f"unreadable: no text in the column {reading.html_column!r}")
    return Item(path, row, html, url)


@contextmanager
def _open(path: str) -> Iterator[Any]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    with open_binary(path) as stream:
        try:
            file = ParquetFile(stream)
        except (ArrowException, OSError) as error:  # the latter where the footer is damaged
            raise InputError(f"{path}: this is no Parquet file, or not all of one: {error}") from error
        yield file
