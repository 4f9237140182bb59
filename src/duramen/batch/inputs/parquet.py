"""Input: Parquet with a page in a column, read by pyarrow.

Files are split between row groups. The position of a page is its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from duramen.batch.inputs.io import file_size, import_arrow, open_binary
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings
from duramen.errors import InputError

KIND = "parquet"

_BATCH_ROWS = 16
"""Rows that are in memory as Python objects at a time."""


def find_splits(
    whole: Split, reading: ReadSettings, limits: Iterator[int], notes: InputNotes, after: Split | None
) -> Iterator[Split]:
    planned = 0 if after is None else after.stop
    if planned is None:
        return
    try:
        with _open_parquet(whole.path) as file:
            counts = [file.metadata.row_group(index).num_rows for index in range(file.num_row_groups)]
            if reading.html_column not in file.schema_arrow.names:
                notes.add_problem(f"{whole.path}: no column {reading.html_column!r}: name another with --html-column")
                return
    except InputError as error:
        notes.add_problem(str(error))
        return
    if not sum(counts):
        notes.add_empty_file(whole.path)
        return
    row_bytes = (file_size(whole.path) or 0) / max(sum(counts), 1)
    start = stop = 0
    limit = next(limits)
    for index, count in enumerate(counts):
        stop += count
        if stop <= planned:
            start = stop
        elif stop - start >= limit or index == len(counts) - 1:
            yield Split(KIND, whole.path, start, stop, size=round(row_bytes * stop) - round(row_bytes * start))
            start, limit = stop, next(limits)


def column_names(whole: Split, reading: ReadSettings) -> list[str]:
    """Return the names of the columns; none if the file cannot be read, which `find_splits` reports."""
    try:
        with _open_parquet(whole.path) as file:
            return list(file.schema_arrow.names)
    except InputError:
        return []


def read_pages(split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    index = 0
    with _open_parquet(split.path) as file:
        stop = 0
        for group in range(file.num_row_groups):
            start, stop = stop, stop + file.metadata.row_group(group).num_rows
            if start >= split.start and (split.stop is None or stop <= split.stop):
                for page in _read_row_group(file, group, replace(split, start=start, stop=stop), reading, notes):
                    error = split.unreadable.get(index)
                    yield InputPage(split.path, page.position, error=error) if error else page
                    index += 1


def _read_row_group(
    file: Any, group: int, rows: Split, reading: ReadSettings, notes: InputNotes
) -> Iterator[InputPage]:
    """Read the pages of a row group, which has these rows. After a damaged group the next can still be read."""
    columns = [name for name in (reading.html_column, reading.url_column) if name in file.schema_arrow.names]
    row, stop = rows.start, rows.stop or 0
    try:
        for batch in file.iter_batches(_BATCH_ROWS, row_groups=[group], columns=columns, use_threads=False):
            for values in zip(*map(_column_values, batch.columns), strict=True):
                yield _make_page(rows.path, row, dict(zip(batch.schema.names, values, strict=True)), reading)
                row += 1
    except MemoryError:
        raise
    except (ValueError, OSError) as error:  # the errors of pyarrow are subclasses of these
        notes.add_problem(f"{rows.path}: rows {row:,} to {stop - 1:,} cannot be read: {error}")
        more = f" and the {stop - row - 1:,} rows after it are" if stop - row > 1 else " is"
        yield InputPage(rows.path, row, error=f"unreadable: this row{more} damaged ({error})")


def _column_values(column: Any) -> list[Any]:
    """Convert a column to Python objects.

    Some programs write pages of any encoding into a column of text. Values that are not UTF-8 are returned as bytes,
    so that the page itself can tell its encoding.
    """
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        import pyarrow

        plain = column.dictionary_decode() if pyarrow.types.is_dictionary(column.type) else column
        return [_decode_if_possible(value) for value in plain.cast(pyarrow.large_binary()).to_pylist()]


def _decode_if_possible(value: bytes | None) -> str | bytes | None:
    try:
        return value.decode() if value is not None else None
    except UnicodeDecodeError:
        return value


def _make_page(path: str, row: int, fields: dict[str, Any], reading: ReadSettings) -> InputPage:
    url, html = fields.get(reading.url_column), fields.get(reading.html_column)
    url = url.decode("utf-8", "replace") if isinstance(url, bytes) else url if isinstance(url, str) else None
    if not isinstance(html, str | bytes):
        return InputPage(path, row, url=url, error=f"unreadable: no text in the column {reading.html_column!r}")
    return InputPage(path, row, html, url)


@contextmanager
def _open_parquet(path: str) -> Iterator[Any]:
    arrow, parquet = import_arrow("pyarrow"), import_arrow("pyarrow.parquet")
    with open_binary(path) as stream:
        try:
            file = parquet.ParquetFile(stream)
        except (arrow.ArrowException, OSError) as error:  # OSError: the footer is damaged
            raise InputError(f"{path} is not a Parquet file, or is incomplete: {error}") from error
        yield file
