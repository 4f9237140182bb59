"""JSON Lines with a page in a column: plain, gzipped, or packed by Zstandard.

A plain file is cut by bytes: a piece has the lines that start in its range. A packed one can only be read from its
start; so it is read once, where the pieces are cut, and these carry their lines with them. A line's position is its
first byte in the unpacked file.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import BinaryIO

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.opening import damaged, file_size, open_binary, open_unpacked
from duramen.batch.settings import Reading
from duramen.batch.sources import PAGE_BYTES
from duramen.errors import InputError

KIND = "jsonl"

_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip and Zstandard begin so
_CARRIED = 8_000_000
"""Bytes of lines that a piece carries at most: it is in memory, here and on its way."""
_SKIPPED_AT_ONCE = 1 << 20
_FIRST = 1000
"""Lines that tell which columns a file has: a page that could not be had may lack one."""


def cut(whole: Piece, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None) -> Iterator[Piece]:
    start = 0 if after is None else after.stop
    if start is None:
        return
    try:
        if whole.path.lower().endswith((".gz", ".zst")):
            yield from _cut_packed(whole.path, reading, limits, notes, start)
            return
        with open_binary(whole.path):  # a file that cannot be read says so once, here
            end = file_size(whole.path) or 0
    except InputError as error:
        notes.problem(str(error))
        return
    if not end:
        notes.empty(whole.path)
        return
    while start < end:
        stop = min(start + next(limits) * PAGE_BYTES, end)
        yield Piece(KIND, whole.path, start, stop, size=stop - start)
        start = stop


def size(whole: Piece, reading: Reading) -> int | None:
    return None if whole.path.lower().endswith((".gz", ".zst")) else file_size(whole.path)


def columns(whole: Piece, reading: Reading) -> list[str]:
    """The names in the first lines, up to one that has a page; none where a line cannot be read: its row tells that."""
    names: dict[str, None] = {}
    try:
        with open_unpacked(whole.path) as file:
            lines = _read_lines(file, 0, None, reading)
            for line in islice((line for _, line in lines if line is None or line.strip()), _FIRST):
                fields = json.loads(line or b"")
                names.update(dict.fromkeys(fields if isinstance(fields, dict) else ()))
                if reading.html_column in names:
                    break
    except Exception as error:
        if not isinstance(error, InputError | ValueError | RecursionError) and damaged(error) is None:
            raise
        return []
    return list(names)


def refuse_other_forms(path: str) -> None:
    """Raise an `InputError` for what would come apart between its lines. The mark of UTF-8 does no harm."""
    try:
        with open_unpacked(path) as file:
            head = file.read(4)
    except Exception as error:
        if not isinstance(error, InputError) and damaged(error) is None:
            raise
        return  # said where the file is cut
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{path} is UTF-16, and JSON Lines are UTF-8: convert it with  iconv -f UTF-16 -t UTF-8")
    if head.startswith(_PACKED):
        raise InputError(f"{path}: what is in it is packed: unpack it, or let its name say so: .jsonl.gz, .jsonl.zst")


def read(piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    index = 0
    for position, line in _lines(piece, reading):
        if line is not None and not line.strip():
            notes.skip("blank line")
            continue
        if (lost := piece.lost.get(index)) is not None:
            yield Item(piece.path, position, error=lost)
        elif line is None:
            yield Item(piece.path, position, error=f"too-large: a line of more than {_longest(reading):,} bytes")
        else:
            yield _item(piece.path, position, line, reading)
        index += 1


def _cut_packed(path: str, reading: Reading, limits: Iterator[int], notes: Notes, start: int) -> Iterator[Piece]:
    position = start
    held: list[bytes] = []
    limit = next(limits)
    try:
        with open_unpacked(path) as file:
            _skip(file, start)
            while line := file.readline(_longest(reading)):
                held.append(line)
                position += len(line)
                if line.endswith(b"\n") and (len(held) >= limit or position - start >= _CARRIED):
                    yield _carrying(path, start, position, held)
                    start, held, limit = position, [], next(limits)
        if not position:
            notes.empty(path)
    except Exception as error:
        if (what := damaged(error)) is None:
            raise
        notes.problem(f"{path}: {what}: read as far as byte {position:,} of what is packed in it")
        # A line cut off in the middle is not a page.
        while held and not held[-1].endswith(b"\n"):
            position -= len(held.pop())
    if held:
        yield _carrying(path, start, position, held)


def _carrying(path: str, start: int, stop: int, lines: list[bytes]) -> Piece:
    return Piece(KIND, path, start, stop, size=stop - start, data=b"".join(lines))


def _lines(piece: Piece, reading: Reading) -> Iterator[tuple[int, bytes | None]]:
    """The lines that start in the piece, with their positions; None for one that is too long to be held."""
    if piece.data is not None:
        yield from _read_lines(BytesIO(piece.data), piece.start, piece.stop, reading)
    elif piece.path.lower().endswith((".gz", ".zst")):
        with open_unpacked(piece.path) as unpacked:
            _skip(unpacked, piece.start)
            yield from _read_lines(unpacked, piece.start, piece.stop, reading)
    else:
        with open_binary(piece.path) as file:
            position = piece.start
            if position:  # the line that the byte before belongs to is the piece's before
                file.seek(position - 1)
                position += _skip_line(file) - 1
            yield from _read_lines(file, position, piece.stop, reading)


def _read_lines(
    file: BinaryIO, position: int, stop: int | None, reading: Reading
) -> Iterator[tuple[int, bytes | None]]:
    longest = _longest(reading)
    while (stop is None or position < stop) and (line := file.readline(longest)):
        if len(line) < longest or line.endswith(b"\n"):
            yield position, line
            position += len(line)
        else:
            yield position, None
            position += len(line) + _skip_line(file)


def _item(path: str, position: int, line: bytes, reading: Reading) -> Item:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Item(path, position, error=f"unreadable: this line is not JSON: {error}")
    if not isinstance(fields, dict):
        return Item(path, position, error="unreadable: this line is not a JSON object")
    url, html = fields.get(reading.url_column), fields.get(reading.html_column)
    url = url if isinstance(url, str) else None
    if not isinstance(html, str):
        return Item(path, position, url=url, error=f"unreadable: no text in the column {reading.html_column!r}")
    return Item(path, position, html, url)


def _longest(reading: Reading) -> int:
    # JSON writes some characters in six bytes; beside the page a line has little else.
    return 2 * reading.max_bytes + 1_000_000


def _skip(file: BinaryIO, number: int) -> None:
    while number > 0 and (chunk := file.read(min(number, _SKIPPED_AT_ONCE))):
        number -= len(chunk)


def _skip_line(file: BinaryIO) -> int:
    """Go behind the next end of a line; how many bytes that were."""
    passed = 0
    while chunk := file.readline(_SKIPPED_AT_ONCE):
        passed += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return passed
