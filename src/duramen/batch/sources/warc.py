"""WARC, plain, gzipped or packed by Zstandard, read by FastWARC (Bevendorff et al., 2021).

Pages are the records that hold an HTTP response with HTML, and resources that are HTML; redirects, errors, revisits
and other types are skipped and counted. Where duramen kept a crawl, a page that it could not download has a record,
too, and a row with the reason. A page's position is the byte at which its record starts, as in a CDX index.

A WARC that is gzipped record by record, as most are, is cut without being read (`duramen.batch.sources.warc_members`).
Others are read through once, and not looked at: the only way to be sure where a record starts. Where a record is
damaged the file is taken up again at the next; where the file is cut off, what is whole is kept. A file that was packed
as a whole, not record by record, cannot be entered in the middle: it is one piece, without a `stop`, and its records
have numbers for their positions; where one of them is damaged, `duramen.batch.sources.warc_packed` finds the others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from itertools import islice, repeat
from typing import TYPE_CHECKING, BinaryIO

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.opening import file_size, open_binary
from duramen.batch.settings import Reading
from duramen.batch.sources.http_body import decoded
from duramen.batch.sources.warc_damage import (
    FALSE_LENGTH,
    NEXT_RECORD,
    end_of_record,
    is_as_long_as_it_says,
    is_cut_off,
    is_gzipped,
    next_record,
    starts_record,
)
from duramen.batch.sources.warc_members import SeveralRecordsError, stops
from duramen.batch.sources.warc_packed import Part, is_empty, parts
from duramen.batch.sources.warc_ranges import ranges
from duramen.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

KIND = "warc"

ERROR = "Duramen-Error"
"""The field of a record that stands for a page which could not be downloaded, and says why."""

_HTML = ("text/html", "application/xhtml+xml")
_DAMAGED = "unreadable: the record is "
_HEADERS = 65_536
"""Bytes that the HTTP headers may take beside the page."""


def cut(whole: Piece, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None) -> Iterator[Piece]:
    start = 0 if after is None else after.stop
    if start is None:
        return
    try:
        with _open(whole.path) as file, open_binary(whole.path) as beside:
            end = file_size(whole.path) or 0
            is_packed = is_gzipped(beside, end)
            if not end or (is_packed and is_empty(whole.path)):
                notes.empty(whole.path)
                return
            if is_packed:
                yield from _cut_unread(beside, whole.path, limits, start, end)
                return
            if start and not starts_record(beside, start):  # an earlier run has come to a damaged one
                start = next_record(beside, start, end)
            yield from ranges(file, beside, Piece(KIND, whole.path, start, end), limits, notes, start > 0)
    except InputError as error:
        notes.problem(str(error))


def _cut_unread(file: BinaryIO, path: str, limits: Iterator[int], start: int, end: int) -> Iterator[Piece]:
    """What is wrong with such a file is found, and told, by those who read the pieces."""
    try:
        for stop in stops(file, start, end, limits):
            yield Piece(KIND, path, start, stop, size=stop - start)
            start = stop
    except SeveralRecordsError:
        yield Piece(KIND, path, start, None, size=end - start)


def read(piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    in_order, as_it_is = (_in_order, _as_it_is) if piece.stop is not None else (_numbered, _numbered_as_it_is)
    with _open(piece.path) as file:
        done, skipped = 0, notes.skipped.copy()
        try:
            for item in _once_followed(in_order(file, piece, reading, notes)):
                yield item
                done += 1
            return
        except _BrokenOffError:
            notes.skipped.clear()
            notes.skipped.update(skipped)
        yield from islice(as_it_is(file, piece, reading, notes), done, None)


class _BrokenOffError(Exception):
    """A piece cannot be read from its start to its end."""


def _once_followed(items: Iterator[Item]) -> Iterator[Item]:
    """Each item when what follows it has been found: if that is no record, this one may not end where it says."""
    before = None
    for item in items:
        if before is not None:
            yield before
        before = item
    if before is not None:
        yield before


def _in_order(file: BinaryIO, piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    """The items of a piece in which nothing is wrong."""
    end, stop = file.seek(0, os.SEEK_END), piece.stop or 0
    last = place = piece.start - 1
    index = 0
    records = _unless_broken(file, piece.start)
    while True:
        try:
            record = next(records)
        except _BrokenOffError:
            is_ours = last < piece.start or end_of_record(file, last) != stop
            if is_ours or not is_as_long_as_it_says(file, last):
                raise
            return  # what is broken is another piece's
        if record is None:
            if stop < end or last < piece.start or is_cut_off(file, last, end) or not is_as_long_as_it_says(file, last):
                raise _BrokenOffError
            return
        if record.stream_pos >= stop and stop < end:
            if record.stream_pos > stop and starts_record(file, stop):
                notes.problem(
                    f"{piece.path}: the record at byte {last:,} does not end at byte {stop:,}, where another piece"
                    " begins: what was read from there on may be no page of this file"
                )
            return
        place, last = max(record.stream_pos, place + 1), record.stream_pos
        item = _item(record, place, piece, index, reading, notes)
        if item is not None:
            if _is_damaged(item):
                raise _BrokenOffError
            yield item
            index += 1


def _is_damaged(item: Item) -> bool:
    return item.error is not None and item.error.startswith(_DAMAGED)


def _is_swollen(record: WarcRecord, path: str, raw: bytes) -> bool:
    """Whether a record says that it is longer than it is, so that the next are taken for a part of it."""
    if NEXT_RECORD not in raw:  # nearly all
        return False
    with open_binary(path) as beside:
        return not is_as_long_as_it_says(beside, record.stream_pos)


def _unless_broken(file: BinaryIO, start: int) -> Iterator[WarcRecord | None]:
    """The records from a place on, and None behind the last."""
    from fastwarc.warc import ArchiveIterator

    file.seek(start)
    records = iter(ArchiveIterator(file, parse_http=False))
    while True:
        try:
            record = next(records, None)
        except OSError as error:
            raise _BrokenOffError(str(error)) from error
        yield record
        if record is None:
            return


def _as_it_is(file: BinaryIO, piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    """The items of a piece in which something is wrong; what it is goes to the notes, but not where that record is why
    the piece ends."""
    stop = piece.stop or 0
    with open_binary(piece.path) as beside:
        is_new = stop == file.seek(0, os.SEEK_END) or starts_record(beside, stop)
        parts = list(ranges(file, beside, piece, repeat(sys.maxsize), notes if is_new else Notes()))
    index = 0
    for part in parts:
        part = replace(part, lost=piece.lost)
        items = _numbered_as_it_is if part.stop is None else _up_to_damage
        for item in items(file, part, reading, notes, index):
            yield item
            index += 1


def _up_to_damage(file: BinaryIO, piece: Piece, reading: Reading, notes: Notes, index: int = 0) -> Iterator[Item]:
    """The items of a range; its last byte may be the first of a record that cannot be read, which has an item, too."""
    last_byte, seen = (piece.stop or 0) - 1, -1
    try:
        for record in _unless_broken(file, piece.start):
            if record is None:
                if seen < last_byte and starts_record(file, last_byte):  # it is cut off so early that nobody saw it
                    yield Item(piece.path, last_byte, error=f"{_DAMAGED}cut off")
                return
            if record.stream_pos > last_byte:
                return
            seen = record.stream_pos
            told = piece if seen < last_byte else _with_damage(record, piece, index, reading)
            item = _item(record, seen, told, index, reading, notes)
            if item is not None:
                yield item
                index += 1
    except _BrokenOffError as error:
        if seen < last_byte and (seen < piece.start or end_of_record(file, seen) != piece.stop):
            yield Item(piece.path, last_byte, error=f"{_DAMAGED}damaged ({error})")


def _with_damage(record: WarcRecord, piece: Piece, index: int, reading: Reading) -> Piece:
    """The piece with what is wrong with its last record."""
    if not record.headers.get("Content-Type"):
        wrong = f"{_DAMAGED}cut off within its headers"
    else:
        item = _item(record, 0, piece, index, reading, Notes())
        wrong = item.error if item is not None and item.error is not None else f"{_DAMAGED}{FALSE_LENGTH}"
    return replace(piece, lost={index: wrong})


def _numbered(file: BinaryIO, piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    """The items of a file that was packed as a whole, and in which nothing is wrong."""
    index = 0
    for number, record in enumerate(_unless_broken(file, piece.start), piece.start):
        if record is None:
            break
        item = _item(record, number, piece, index, reading, notes)
        if not _is_all_there(record) or (item is not None and _is_damaged(item)):
            raise _BrokenOffError
        if item is not None:
            yield replace(item, read=file.tell() - piece.start)
            index += 1
    if is_cut_off(file, piece.start, file.seek(0, os.SEEK_END)):
        raise _BrokenOffError


def _is_all_there(record: WarcRecord) -> bool:
    try:
        record.reader.consume()
    except OSError:
        return False
    return bool(record.reader.tell() == record.content_length)


def _numbered_as_it_is(file: BinaryIO, piece: Piece, reading: Reading, notes: Notes, index: int = 0) -> Iterator[Item]:
    """The items of such a file in which something is wrong."""
    for before, part in enumerate(parts(piece.path, piece.start, reading.max_bytes + _HEADERS)):
        if part.wrong is None:
            told = piece
        else:
            notes.problem(f"{piece.path} is {part.wrong} behind record {before:,} of those from byte {piece.start:,}")
            told = replace(piece, lost={index: f"{_DAMAGED}{part.wrong}"})
        item = _of_part(part, piece.start + before, told, index, reading, notes)
        if item is not None:
            yield replace(item, read=part.read)
            index += 1


def _of_part(part: Part, place: int, piece: Piece, index: int, reading: Reading, notes: Notes) -> Item | None:
    try:
        record = next(_unless_broken(BytesIO(part.record), 0))
    except _BrokenOffError:
        record = None
    if record is not None:
        return _item(record, place, piece, index, reading, notes)
    return Item(piece.path, place, error=piece.lost.get(index, f"{_DAMAGED}damaged (its headers make no sense)"))


def _item(record: WarcRecord, place: int, piece: Piece, index: int, reading: Reading, notes: Notes) -> Item | None:
    """The item of a record, which would be the piece's of that index; None for what is no page."""
    from fastwarc.warc import WarcRecordType

    lost = piece.lost.get(index) if piece.lost else None
    if lost is None or record.record_type not in (
        WarcRecordType.response,
        WarcRecordType.resource,
        WarcRecordType.unknown,
    ):
        return item_of(record, place, piece.path, reading, notes, is_placed=piece.stop is not None)
    return Item(piece.path, place, url=record.headers.get("WARC-Target-URI"), error=lost)


def item_of(
    record: WarcRecord, place: int, path: str, reading: Reading, notes: Notes, *, is_placed: bool = False
) -> Item | None:
    """The page of a record, or None, counted, for what is no page.

    Where the record `is_placed`, at a byte of the file, it is checked that it is as long as it says.
    """
    from fastwarc.warc import WarcRecordType

    kind, url, date = record.record_type, record.headers.get("WARC-Target-URI"), record.headers.get("WARC-Date")
    length = record.content_length
    if (why := record.headers.get(ERROR)) is not None:
        return Item(path, place, url=url, date=date, error=why)
    if kind not in (WarcRecordType.response, WarcRecordType.resource):
        notes.skip(str(kind))
        return None
    known = (record.headers.get("Content-Type") or "").lower()
    if kind == WarcRecordType.resource and not known.startswith(_HTML):
        notes.skip("not HTML")
        return None
    if kind == WarcRecordType.response and not known.startswith("application/http"):
        notes.skip("not HTTP")
        return None
    told = (record.headers.get("Content-Length") or "").strip()
    if told.lstrip("0") != str(length).lstrip("0"):  # FastWARC takes what it cannot read for 0
        return Item(path, place, url=url, date=date, error=f"{_DAMAGED}damaged (its length makes no sense)")
    try:
        raw = record.reader.read(min(length, reading.max_bytes + _HEADERS))
    except OSError as error:
        return Item(path, place, url=url, date=date, error=f"{_DAMAGED}damaged ({error})")
    if len(raw) < min(length, reading.max_bytes + _HEADERS):
        return Item(path, place, url=url, date=date, error=f"{_DAMAGED}cut off")
    if is_placed and _is_swollen(record, path, raw):
        return Item(path, place, url=url, date=date, error=f"{_DAMAGED}{FALSE_LENGTH}")
    if kind == WarcRecordType.resource:
        return Item(path, place, raw, url, known, None, date)
    return _response(raw, Item(path, place, b"", url, None, None, date), reading, notes)


def _response(raw: bytes, known: Item, reading: Reading, notes: Notes) -> Item | None:
    from fastwarc.warc import HeaderMap

    headers = HeaderMap()
    end = raw.find(b"\r\n\r\n", 0, _HEADERS)
    try:
        behind = headers.parse(BytesIO(raw[: end + 4 if end >= 0 else _HEADERS]))
    except (OSError, ValueError) as error:
        return replace(known, error=f"unreadable: HTTP headers that make no sense ({error})")
    status, content_type = headers.status_code, headers.get("Content-Type")
    if status is not None and not 200 <= status < 300:
        notes.skip(f"status {status}")
        return None
    body = decoded(raw[behind:], headers.get("Transfer-Encoding"), headers.get("Content-Encoding"), reading.max_bytes)
    if not is_html(content_type, body):
        notes.skip("not HTML")
        return None
    return Item(known.source, known.position, body, known.url, content_type, status, known.date)


def is_html(content_type: str | None, body: bytes) -> bool:
    """Whether an answer is a page. A server that says nothing leaves it to the bytes: a page has markup."""
    return content_type.strip().lower().startswith(_HTML) if content_type else b"<" in body[:1024]


@contextmanager
def _open(path: str) -> Iterator[BinaryIO]:
    try:
        import fastwarc  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("fastwarc", "warc") from error
    with open_binary(path) as file:
        yield file
