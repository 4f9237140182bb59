"""Input: WARC files, plain, gzip or Zstandard, read by FastWARC (Bevendorff et al., 2021).

Pages are the records that hold an HTTP response with HTML, and resources that are HTML. Redirects, errors, revisits and
other types are skipped and counted. In an archive written by duramen, a page that could not be downloaded has a record,
too, and becomes a row with the reason. The position of a page is the first byte of its record, as in a CDX index.

`duramen.batch.inputs.warc.splitting` splits the files. After a damaged record reading continues at the next; of an
incomplete file the complete records are used. A file that was compressed as a whole, not record by record, can only be
read from its start: it is one split without a `stop`, and its records are numbered for their positions. If it is
damaged, `duramen.batch.inputs.warc.salvage` finds the intact records.
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

from duramen.batch.inputs.io import file_size, open_binary
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.inputs.warc.http_body import decode_body
from duramen.batch.inputs.warc.salvage import (
    RECORD_BOUNDARY,
    WRONG_LENGTH,
    SalvagedRecord,
    find_next_record,
    find_record_end,
    has_true_length,
    is_cut_off,
    is_empty,
    is_gzipped,
    salvage_records,
    starts_record,
)
from duramen.batch.inputs.warc.splitting import SeveralRecordsError, find_member_stops, split_by_reading
from duramen.batch.settings import ReadSettings
from duramen.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

KIND = "warc"

ERROR_FIELD = "Duramen-Error"
"""The WARC field of a page that could not be downloaded: the reason."""

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_DAMAGED = "unreadable: the record is "
_MAX_HTTP_HEADER_BYTES = 65_536


def find_splits(
    whole: Split, reading: ReadSettings, limits: Iterator[int], notes: InputNotes, after: Split | None
) -> Iterator[Split]:
    start = 0 if after is None else after.stop
    if start is None:
        return
    try:
        with _open_warc(whole.path) as file, open_binary(whole.path) as second_file:
            end = file_size(whole.path) or 0
            is_compressed = is_gzipped(second_file, end)
            if not end or (is_compressed and is_empty(whole.path)):
                notes.add_empty_file(whole.path)
                return
            if is_compressed:
                yield from _split_members(second_file, whole.path, limits, start, end)
                return
            if start and not starts_record(second_file, start):  # an earlier run stopped at a damaged record
                start = find_next_record(second_file, start, end)
            rest = Split(KIND, whole.path, start, end)
            yield from split_by_reading(file, second_file, rest, limits, notes, start > 0)
    except InputError as error:
        notes.add_problem(str(error))


def _split_members(file: BinaryIO, path: str, limits: Iterator[int], start: int, end: int) -> Iterator[Split]:
    """Split a file of gzip members without reading it. The readers of the splits report damage."""
    try:
        for stop in find_member_stops(file, start, end, limits):
            yield Split(KIND, path, start, stop, size=stop - start)
            start = stop
    except SeveralRecordsError:
        yield Split(KIND, path, start, None, size=end - start)


def read_pages(split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    """Read the pages of a split: first as an intact one, and from the first damage on by the slower way."""
    has_positions = split.stop is not None
    read_intact, read_damaged = (
        (_read_intact, _read_damaged) if has_positions else (_read_intact_stream, _read_damaged_stream)
    )
    with _open_warc(split.path) as file:
        done, skipped = 0, notes.skipped.copy()
        try:
            for page in _delay_by_one(read_intact(file, split, reading, notes)):
                yield page
                done += 1
            return
        except _DamageFoundError:
            notes.skipped.clear()
            notes.skipped.update(skipped)
        yield from islice(read_damaged(file, split, reading, notes), done, None)


class _DamageFoundError(Exception):
    """A split cannot be read from its start to its end."""


def _delay_by_one(pages: Iterator[InputPage]) -> Iterator[InputPage]:
    """Give each page when the next one has been found: if no record follows, its own end may be wrong."""
    previous = None
    for page in pages:
        if previous is not None:
            yield previous
        previous = page
    if previous is not None:
        yield previous


def _read_intact(file: BinaryIO, split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    """Read the pages of a split without damage; raise `_DamageFoundError` at the first damage."""
    end, stop = file.seek(0, os.SEEK_END), split.stop or 0
    last = position = split.start - 1
    index = 0
    records = _read_records(file, split.start)
    while True:
        try:
            record = next(records)
        except _DamageFoundError:
            is_in_split = last < split.start or find_record_end(file, last) != stop
            if is_in_split or not has_true_length(file, last):
                raise
            return  # the damage is in another split
        if record is None:
            is_incomplete = stop < end or last < split.start or is_cut_off(file, last, end)
            if is_incomplete or not has_true_length(file, last):
                raise _DamageFoundError
            return
        if record.stream_pos >= stop and stop < end:
            if record.stream_pos > stop and starts_record(file, stop):
                notes.add_problem(
                    f"{split.path}: the record at byte {last:,} does not end at byte {stop:,}, where another split"
                    " begins: pages read from there on may not be pages of this file"
                )
            return
        position, last = max(record.stream_pos, position + 1), record.stream_pos
        page = _read_page(record, position, split, index, reading, notes)
        if page is not None:
            if _is_damaged(page):
                raise _DamageFoundError
            yield page
            index += 1


def _is_damaged(page: InputPage) -> bool:
    return page.error is not None and page.error.startswith(_DAMAGED)


def _swallows_next_record(record: WarcRecord, path: str, content: bytes) -> bool:
    """True if a record claims to be longer than it is, so that the next ones are read as part of it."""
    if RECORD_BOUNDARY not in content:  # nearly all records
        return False
    with open_binary(path) as second_file:
        return not has_true_length(second_file, record.stream_pos)


def _read_records(file: BinaryIO, start: int) -> Iterator[WarcRecord | None]:
    """Give the records from a position on, and None after the last. Raises `_DamageFoundError`."""
    from fastwarc.warc import ArchiveIterator

    file.seek(start)
    records = iter(ArchiveIterator(file, parse_http=False))
    while True:
        try:
            record = next(records, None)
        except OSError as error:
            raise _DamageFoundError(str(error)) from error
        yield record
        if record is None:
            return


def _read_damaged(file: BinaryIO, split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    """Read the pages of a damaged split. Damage is noted, unless planning has noted it and ended the split there."""
    stop = split.stop or 0
    with open_binary(split.path) as second_file:
        is_new = stop == file.seek(0, os.SEEK_END) or starts_record(second_file, stop)
        range_notes = notes if is_new else InputNotes()
        ranges = list(split_by_reading(file, second_file, split, repeat(sys.maxsize), range_notes))
    index = 0
    for part in ranges:
        part = replace(part, unreadable=split.unreadable)
        read = _read_damaged_stream if part.stop is None else _read_up_to_damage
        for page in read(file, part, reading, notes, index):
            yield page
            index += 1


def _read_up_to_damage(
    file: BinaryIO, split: Split, reading: ReadSettings, notes: InputNotes, index: int = 0
) -> Iterator[InputPage]:
    """Read the pages of a range. Its last byte may be the start of a damaged record, which becomes a page, too."""
    last_byte, position = (split.stop or 0) - 1, -1
    try:
        for record in _read_records(file, split.start):
            if record is None:
                if position < last_byte and starts_record(file, last_byte):  # cut off so early that FastWARC missed it
                    yield InputPage(split.path, last_byte, error=f"{_DAMAGED}cut off")
                return
            if record.stream_pos > last_byte:
                return
            position = record.stream_pos
            source = split if position < last_byte else _with_damaged_page(record, split, index, reading)
            page = _read_page(record, position, source, index, reading, notes)
            if page is not None:
                yield page
                index += 1
    except _DamageFoundError as error:
        if position < last_byte and (position < split.start or find_record_end(file, position) != split.stop):
            yield InputPage(split.path, last_byte, error=f"{_DAMAGED}damaged ({error})")


def _with_damaged_page(record: WarcRecord, split: Split, index: int, reading: ReadSettings) -> Split:
    """Return the split with the error of its last record."""
    if not record.headers.get("Content-Type"):
        error = f"{_DAMAGED}cut off within its headers"
    else:
        page = _read_page(record, 0, split, index, reading, InputNotes())
        error = page.error if page is not None and page.error is not None else f"{_DAMAGED}{WRONG_LENGTH}"
    return replace(split, unreadable={index: error})


def _read_intact_stream(file: BinaryIO, split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    """Read the pages of a file that was compressed as a whole and is not damaged."""
    index = 0
    for number, record in enumerate(_read_records(file, split.start), split.start):
        if record is None:
            break
        page = _read_page(record, number, split, index, reading, notes)
        if not _is_complete(record) or (page is not None and _is_damaged(page)):
            raise _DamageFoundError
        if page is not None:
            yield replace(page, bytes_read=file.tell() - split.start)
            index += 1
    if is_cut_off(file, split.start, file.seek(0, os.SEEK_END)):
        raise _DamageFoundError


def _is_complete(record: WarcRecord) -> bool:
    try:
        record.reader.consume()
    except OSError:
        return False
    return bool(record.reader.tell() == record.content_length)


def _read_damaged_stream(
    file: BinaryIO, split: Split, reading: ReadSettings, notes: InputNotes, index: int = 0
) -> Iterator[InputPage]:
    """Read the pages of a damaged file that was compressed as a whole."""
    records = salvage_records(split.path, split.start, reading.max_bytes + _MAX_HTTP_HEADER_BYTES)
    for number, salvaged in enumerate(records):
        source = split
        if salvaged.damage is not None:
            notes.add_problem(
                f"{split.path} is {salvaged.damage} after record {number:,} of those from byte {split.start:,}"
            )
            source = replace(split, unreadable={index: f"{_DAMAGED}{salvaged.damage}"})
        page = _read_salvaged(salvaged, split.start + number, source, index, reading, notes)
        if page is not None:
            yield replace(page, bytes_read=salvaged.bytes_read)
            index += 1


def _read_salvaged(
    salvaged: SalvagedRecord, position: int, split: Split, index: int, reading: ReadSettings, notes: InputNotes
) -> InputPage | None:
    try:
        record = next(_read_records(BytesIO(salvaged.record), 0))
    except _DamageFoundError:
        record = None
    if record is not None:
        return _read_page(record, position, split, index, reading, notes)
    error = split.unreadable.get(index, f"{_DAMAGED}damaged (its headers are not valid)")
    return InputPage(split.path, position, error=error)


def _read_page(
    record: WarcRecord, position: int, split: Split, index: int, reading: ReadSettings, notes: InputNotes
) -> InputPage | None:
    """Read the page of a record, or its known error; None if the record is not a page. `index` is that in the split."""
    from fastwarc.warc import WarcRecordType

    error = split.unreadable.get(index) if split.unreadable else None
    if error is None or record.record_type not in (
        WarcRecordType.response,
        WarcRecordType.resource,
        WarcRecordType.unknown,
    ):
        return read_record(record, position, split.path, reading, notes, check_length=split.stop is not None)
    return InputPage(split.path, position, url=record.headers.get("WARC-Target-URI"), error=error)


def read_record(
    record: WarcRecord,
    position: int,
    path: str,
    reading: ReadSettings,
    notes: InputNotes,
    *,
    check_length: bool = False,
) -> InputPage | None:
    """Read the page of a record; None, counted in the notes, if the record is not a page.

    `check_length` checks that the record has the length it claims, which needs its position in the file.
    """
    from fastwarc.warc import WarcRecordType

    kind, url, date = record.record_type, record.headers.get("WARC-Target-URI"), record.headers.get("WARC-Date")
    length = record.content_length

    def unreadable(damage: str) -> InputPage:
        return InputPage(path, position, url=url, date=date, error=f"{_DAMAGED}{damage}")

    if (error_text := record.headers.get(ERROR_FIELD)) is not None:
        return InputPage(path, position, url=url, date=date, error=error_text)
    if kind not in (WarcRecordType.response, WarcRecordType.resource):
        notes.skip(str(kind))
        return None
    content_type = (record.headers.get("Content-Type") or "").lower()
    if kind == WarcRecordType.resource and not content_type.startswith(_HTML_TYPES):
        notes.skip("not HTML")
        return None
    if kind == WarcRecordType.response and not content_type.startswith("application/http"):
        notes.skip("not HTTP")
        return None
    claimed_length = (record.headers.get("Content-Length") or "").strip()
    if claimed_length.lstrip("0") != str(length).lstrip("0"):  # FastWARC reads an invalid length as 0
        return unreadable("damaged (its length is not valid)")
    wanted = min(length, reading.max_bytes + _MAX_HTTP_HEADER_BYTES)
    try:
        content = record.reader.read(wanted)
    except OSError as error:
        return unreadable(f"damaged ({error})")
    if len(content) < wanted:
        return unreadable("cut off")
    if check_length and _swallows_next_record(record, path, content):
        return unreadable(WRONG_LENGTH)
    if kind == WarcRecordType.resource:
        return InputPage(path, position, content, url, content_type, None, date)
    return _read_response(content, InputPage(path, position, b"", url, None, None, date), reading, notes)


def _read_response(content: bytes, page: InputPage, reading: ReadSettings, notes: InputNotes) -> InputPage | None:
    """Read the page of an HTTP response; `page` has what the record says about it."""
    from fastwarc.warc import HeaderMap

    headers = HeaderMap()
    end = content.find(b"\r\n\r\n", 0, _MAX_HTTP_HEADER_BYTES)
    try:
        body_start = headers.parse(BytesIO(content[: end + 4 if end >= 0 else _MAX_HTTP_HEADER_BYTES]))
    except (OSError, ValueError) as error:
        return replace(page, error=f"unreadable: the HTTP headers are not valid ({error})")
    status, content_type = headers.status_code, headers.get("Content-Type")
    if status is not None and not 200 <= status < 300:
        notes.skip(f"status {status}")
        return None
    transfer_encoding, content_encoding = headers.get("Transfer-Encoding"), headers.get("Content-Encoding")
    body = decode_body(content[body_start:], transfer_encoding, content_encoding, reading.max_bytes)
    if not is_html(content_type, body):
        notes.skip("not HTML")
        return None
    return replace(page, body=body, content_type=content_type, status=status)


def is_html(content_type: str | None, body: bytes) -> bool:
    """True if a response is an HTML page. Without a content type, markup in the first bytes decides."""
    return content_type.strip().lower().startswith(_HTML_TYPES) if content_type else b"<" in body[:1024]


@contextmanager
def _open_warc(path: str) -> Iterator[BinaryIO]:
    try:
        import fastwarc  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("fastwarc", "warc") from error
    with open_binary(path) as file:
        yield file
