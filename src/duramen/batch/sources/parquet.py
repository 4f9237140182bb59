"""Parquet with a page in a column, by pyarrow. Cut between row groups; a page's position is its row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
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
    index = 0
    with _open(piece.path) as file:
        behind = 0
        for group in range(file.num_row_groups):
            start, behind = behind, behind + file.metadata.row_group(group).num_rows
            if start >= piece.start and (piece.stop is None or behind <= piece.stop):
                for item in _read_group(file, group, replace(piece, start=start, stop=behind), reading, notes):
                    lost = piece.lost.get(index)
                    yield Item(piece.path, item.position, error=lost) if lost else item
                    index += 1


def _read_group(file: Any, group: int, piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    """The items of a row group, which the piece is here. Where it is damaged, the next can be read all the same."""
    columns = [name for name in (reading.html_column, reading.url_column) if name in file.schema_arrow.names]
    row, behind = piece.start, piece.stop or 0
    try:
        for batch in file.iter_batches(_AT_ONCE, row_groups=[group], columns=columns, use_threads=False):
            for values in zip(*map(_values, batch.columns), strict=True):
                yield _item(piece.path, row, dict(zip(batch.schema.names, values, strict=True)), reading)
                row += 1
    except MemoryError:
        raise
    except (ValueError, OSError) as error:  # pyarrow's are of these
        notes.problem(f"{piece.path}: rows {row:,} to {behind - 1:,} cannot be read: {error}")
        more = f" and the {behind - row - 1:,} behind it are" if behind - row > 1 else " is"
        yield Item(piece.path, row, error=f"unreadable: this row{more} damaged ({error})")


def _values(column: Any) -> list[Any]:
    """A column as Python's objects. Some write pages as they are into a column of texts: bytes, where those are no
    UTF-8, say of what encoding they are."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        import pyarrow

        plain = column.dictionary_decode() if pyarrow.types.is_dictionary(column.type) else column
        return [_text(value) for value in plain.cast(pyarrow.large_binary()).to_pylist()]


def _text(value: bytes | None) -> str | bytes | None:
    try:
        return value.decode() if value is not None else None
    except UnicodeDecodeError:
        return value


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
