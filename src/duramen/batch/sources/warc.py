"""WARC, plain, gzipped or packed by Zstandard, read by FastWARC (Bevendorff et al., 2021).

Pages are the records that hold an HTTP response with HTML, and resources that are HTML; redirects, errors, revisits
and other types are skipped and counted. Where duramen kept a crawl, a page that it could not download has a record,
too, and a row with the reason. A page's position is the byte at which its record starts, as in a CDX index.

To be cut, a WARC is read through once, its records unpacked and not looked at: a few hundredths of what extraction
takes, and the only way to be sure where a record starts. Where a record is damaged the file is taken up again at the
next; where the file is cut off, what is whole is kept. A file that was packed as a whole, not record by record, cannot
be entered in the middle: it is one piece, without a `stop`, and its records have numbers for their positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, BinaryIO

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.opening import file_size, open_binary
from duramen.batch.settings import Reading
from duramen.batch.sources import PAGE_BYTES
from duramen.batch.sources.http_body import decoded
from duramen.batch.sources.warc_damage import end_of_record, is_cut_off, next_record, starts_record
from duramen.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

KIND = "warc"

ERROR = "Duramen-Error"
"""The field of a record that stands for a page which could not be downloaded, and says why."""

_HTML = ("text/html", "application/xhtml+xml")
_BLANK = b"\r\n\r\n"  # behind a record that is not packed
_HEADERS = 65_536
"""Bytes that the HTTP headers may take beside the page."""


def cut(whole: Piece, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None) -> Iterator[Piece]:
    start = 0 if after is None else after.stop
    if start is None:
        return
    try:
        with _open(whole.path) as file, open_binary(whole.path) as beside:
            yield from _cut(file, beside, whole.path, limits, notes, start)
    except InputError as error:
        notes.problem(str(error))


def _cut(
    file: BinaryIO, beside: BinaryIO, path: str, limits: Iterator[int], notes: Notes, start: int
) -> Iterator[Piece]:
    """Range after range of whole records; where the records break off, look for the next one."""
    end = file_size(path) or 0
    if start and not starts_record(beside, start):  # an earlier run has come to a damaged one
        start = next_record(beside, start, end)
    while start < end:
        pages = size = 0
        limit, last, wrong = next(limits), start, None
        try:
            for place, length, is_page in _records(file, start):
                if pages >= limit or size >= limit * 2 * PAGE_BYTES:
                    if not starts_record(beside, place):
                        break
                    yield Piece(KIND, path, start, place, size=place - start)
                    start, pages, size, limit = place, 0, 0, next(limits)
                last, size, pages = place, size + length, pages + is_page
            whole = start if not starts_record(beside, last) else last  # packed as a whole, no record has a place
            bad = last
            if is_cut_off(beside, whole, end):
                wrong = "is cut off"
                if whole == last and (behind := end_of_record(beside, last)) and starts_record(beside, behind):
                    bad = behind
        except OSError as error:
            whole, wrong = last, f"is damaged ({error})"
            bad = _damaged_behind(file, beside, last, end) if size else last
        if whole < last:
            yield Piece(KIND, path, start, None, size=end - start)
        elif size or (wrong is not None and not start):
            stop = end if wrong is None else bad + 1  # with the record at `bad`, and nothing behind it
            yield Piece(KIND, path, start, stop, size=stop - start)
        if wrong is None:
            return
        if size or not start:  # else it is the same damage still
            notes.problem(f"{path} {wrong} in the record at byte {bad:,}")
        start = end if whole < last else next_record(beside, bad + 1, end)


def _damaged_behind(file: BinaryIO, beside: BinaryIO, last: int, end: int) -> int:
    """Where the record that cannot be read starts, when it is `last`, the last that was seen, or the one behind it."""
    place = end_of_record(beside, last) if starts_record(beside, last) else None  # else packed as a whole
    if place is not None and beside.seek(place) == place and beside.read(4) == _BLANK:
        place += len(_BLANK)
    if place is None or place >= end:
        return last
    try:
        next(_records(file, place), None)
    except OSError:
        return place
    return last


def _records(file: BinaryIO, start: int) -> Iterator[tuple[int, int, bool]]:
    """Where the records start, how long they are, and whether they may hold pages."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    file.seek(start)
    for record in ArchiveIterator(file, parse_http=False, inplace=True):
        is_page = record.record_type in (WarcRecordType.response, WarcRecordType.resource)
        yield record.stream_pos, record.content_length + 1, is_page


def read(piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with _open(piece.path) as file:
        file.seek(piece.start)
        records = iter(ArchiveIterator(file, parse_http=False))
        index, seen = 0, -1
        for number in count():
            try:
                record = next(records, None)
            except OSError as error:
                if piece.stop is not None and seen < piece.stop - 1:
                    yield Item(piece.path, piece.stop - 1, error=f"unreadable: the record is damaged ({error})")
                return
            if record is None and piece.stop is not None and seen < piece.stop - 1:
                if starts_record(file, piece.stop - 1):  # it is cut off so early that nobody saw it
                    yield Item(piece.path, piece.stop - 1, error="unreadable: the record is cut off")
                return
            if record is None or (piece.stop is not None and record.stream_pos >= piece.stop):
                return
            seen = record.stream_pos
            place = number if piece.stop is None else record.stream_pos
            lost = piece.lost.get(index)
            if piece.stop == place + 1 and not record.headers.get("Content-Type"):
                lost = "unreadable: the record is cut off within its headers"
            item = (
                item_of(record, place, piece.path, reading, notes)
                if lost is None
                or record.record_type not in (WarcRecordType.response, WarcRecordType.resource, WarcRecordType.unknown)
                else Item(piece.path, place, url=record.headers.get("WARC-Target-URI"), error=lost)
            )
            if item is not None:
                yield item
                index += 1


def item_of(record: WarcRecord, place: int, path: str, reading: Reading, notes: Notes) -> Item | None:
    """The page of a record, or None, counted, for what is no page."""
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
    try:
        raw = record.reader.read(min(length, reading.max_bytes + _HEADERS))
    except OSError as error:
        return Item(path, place, url=url, date=date, error=f"unreadable: the record is damaged ({error})")
    if len(raw) < min(length, reading.max_bytes + _HEADERS):
        return Item(path, place, url=url, date=date, error="unreadable: the record is cut off")
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
