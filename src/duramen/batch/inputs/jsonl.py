"""Input: JSON Lines with a page in a column: plain, gzip, or Zstandard.

A plain file is split by bytes: a split has the lines that start in its range. A compressed file can only be read from
its start, so it is read once, during planning, and its splits carry their lines with them. The position of a page is
the first byte of its line in the decompressed file.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import BinaryIO

from duramen.batch.inputs import MEAN_PAGE_BYTES
from duramen.batch.inputs.io import describe_damage, file_size, open_binary, open_decompressed
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings
from duramen.errors import InputError

KIND = "jsonl"

_COMPRESSION_MAGIC = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip, Zstandard
_MAX_CARRIED_BYTES = 8_000_000
"""Bytes of lines that a split carries at most: they are in memory, here and in the message to the worker."""
_SKIP_BYTES = 1 << 20
_SAMPLED_LINES = 1000
"""Lines that are read to find the columns: lines without a page may lack the column."""


def find_splits(
    whole: Split, reading: ReadSettings, limits: Iterator[int], notes: InputNotes, after: Split | None
) -> Iterator[Split]:
    start = 0 if after is None else after.stop
    if start is None:
        return
    try:
        if _is_compressed(whole.path):
            yield from _split_compressed(whole.path, reading, limits, notes, start)
            return
        with open_binary(whole.path):  # report an unreadable file once, here
            end = file_size(whole.path) or 0
    except InputError as error:
        notes.add_problem(str(error))
        return
    if not end:
        notes.add_empty_file(whole.path)
        return
    while start < end:
        stop = min(start + next(limits) * MEAN_PAGE_BYTES, end)
        yield Split(KIND, whole.path, start, stop, size=stop - start)
        start = stop


def measure(whole: Split, reading: ReadSettings) -> int | None:
    return None if _is_compressed(whole.path) else file_size(whole.path)


def column_names(whole: Split, reading: ReadSettings) -> list[str]:
    """Return the names in the first lines, up to a line with a page; none if a line is unreadable, as its row says."""
    names: dict[str, None] = {}
    try:
        with open_decompressed(whole.path) as file:
            lines = _read_lines(file, 0, None, reading)
            for line in islice((line for _, line in lines if line is None or line.strip()), _SAMPLED_LINES):
                fields = json.loads(line or b"")
                names.update(dict.fromkeys(fields if isinstance(fields, dict) else ()))
                if reading.html_column in names:
                    break
    except Exception as error:
        if not isinstance(error, InputError | ValueError | RecursionError) and describe_damage(error) is None:
            raise
        return []
    return list(names)


def refuse_other_encodings(path: str) -> None:
    """Raise an `InputError` for UTF-16 and for compressed data under a plain name: their lines cannot be separated."""
    try:
        with open_decompressed(path) as file:
            head = file.read(4)
    except Exception as error:
        if not isinstance(error, InputError) and describe_damage(error) is None:
            raise
        return  # reported by `find_splits`
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{path} is UTF-16, and JSON Lines are UTF-8: convert it with  iconv -f UTF-16 -t UTF-8")
    if head.startswith(_COMPRESSION_MAGIC):
        raise InputError(f"{path} holds compressed data: decompress it, or name it .jsonl.gz or .jsonl.zst")


def read_pages(split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    index = 0
    for position, line in _lines_of_split(split, reading):
        if line is not None and not line.strip():
            notes.skip("blank line")
            continue
        if (error := split.unreadable.get(index)) is not None:
            yield InputPage(split.path, position, error=error)
        elif line is None:
            error = f"too-large: a line of more than {_max_line_bytes(reading):,} bytes"
            yield InputPage(split.path, position, error=error)
        else:
            yield _parse_line(split.path, position, line, reading)
        index += 1


def _is_compressed(path: str) -> bool:
    return path.lower().endswith((".gz", ".zst"))


def _split_compressed(
    path: str, reading: ReadSettings, limits: Iterator[int], notes: InputNotes, start: int
) -> Iterator[Split]:
    position = start
    lines: list[bytes] = []
    limit = next(limits)
    try:
        with open_decompressed(path) as file:
            _skip(file, start)
            while line := file.readline(_max_line_bytes(reading)):
                lines.append(line)
                position += len(line)
                if line.endswith(b"\n") and (len(lines) >= limit or position - start >= _MAX_CARRIED_BYTES):
                    yield _make_split(path, start, position, lines)
                    start, lines, limit = position, [], next(limits)
        if not position:
            notes.add_empty_file(path)
    except Exception as error:
        if (damage := describe_damage(error)) is None:
            raise
        notes.add_problem(f"{path}: {damage}: read up to byte {position:,} of the decompressed data")
        # An incomplete line is not a page.
        while lines and not lines[-1].endswith(b"\n"):
            position -= len(lines.pop())
    if lines:
        yield _make_split(path, start, position, lines)


def _make_split(path: str, start: int, stop: int, lines: list[bytes]) -> Split:
    return Split(KIND, path, start, stop, size=stop - start, data=b"".join(lines))


def _lines_of_split(split: Split, reading: ReadSettings) -> Iterator[tuple[int, bytes | None]]:
    """Give the lines that start in the split, with their positions; None for a line that is too long."""
    if split.data is not None:
        yield from _read_lines(BytesIO(split.data), split.start, split.stop, reading)
    elif _is_compressed(split.path):
        with open_decompressed(split.path) as decompressed:
            _skip(decompressed, split.start)
            yield from _read_lines(decompressed, split.start, split.stop, reading)
    else:
        with open_binary(split.path) as file:
            position = split.start
            if position:  # the line of the byte before belongs to the split before
                file.seek(position - 1)
                position += _skip_line(file) - 1
            yield from _read_lines(file, position, split.stop, reading)


def _read_lines(
    file: BinaryIO, position: int, stop: int | None, reading: ReadSettings
) -> Iterator[tuple[int, bytes | None]]:
    max_bytes = _max_line_bytes(reading)
    while (stop is None or position < stop) and (line := file.readline(max_bytes)):
        if len(line) < max_bytes or line.endswith(b"\n"):
            yield position, line
            position += len(line)
        else:
            yield position, None
            position += len(line) + _skip_line(file)


def _parse_line(path: str, position: int, line: bytes, reading: ReadSettings) -> InputPage:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        return InputPage(path, position, error=f"unreadable: this line is not JSON: {error}")
    if not isinstance(fields, dict):
        return InputPage(path, position, error="unreadable: this line is not a JSON object")
    url, html = fields.get(reading.url_column), fields.get(reading.html_column)
    url = url if isinstance(url, str) else None
    if not isinstance(html, str):
        return InputPage(path, position, url=url, error=f"unreadable: no text in the column {reading.html_column!r}")
    return InputPage(path, position, html, url)


def _max_line_bytes(reading: ReadSettings) -> int:
    # JSON writes some characters as six bytes; besides the page a line has little else.
    return 2 * reading.max_bytes + 1_000_000


def _skip(file: BinaryIO, number: int) -> None:
    while number > 0 and (chunk := file.read(min(number, _SKIP_BYTES))):
        number -= len(chunk)


def _skip_line(file: BinaryIO) -> int:
    """Skip the rest of a line and return its length in bytes."""
    passed = 0
    while chunk := file.readline(_SKIP_BYTES):
        passed += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return passed
