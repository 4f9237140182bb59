"""Splitting of WARC files.

*Without reading* (`find_member_stops`), for files whose records are compressed with gzip one by one. Finding all
records would mean to decompress the whole file in one process, which takes a thirtieth of the time of extraction. So a
split ends near the wanted size, estimated from the records at its start, at the next gzip member. The mark of a member
may also occur within a record, for example in a page that itself holds a gzipped WARC. Such data is not compressible,
and deflate stores it in blocks of at most 65,535 bytes with a header between them. So a member is accepted if members
that decompress without error follow one another from there for longer than such a block, or to the end of the file.
Should that fail all the same, the reader of the split before reaches a record that continues after the end of the
split, and reports it.

*By reading* (`split_by_reading`), for all other files; this also finds damage. The records are decompressed, but not
parsed. A split ends before a complete record. At a damaged or incomplete record the split ends with it, one byte after
its start, and the next split begins at the next record that can be found.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from duramen.batch.inputs import MEAN_PAGE_BYTES
from duramen.batch.inputs.splits import InputNotes, Split
from duramen.batch.inputs.warc.salvage import (
    BLANK_LINE,
    GZIP_WBITS,
    PLAIN,
    WARC_MAGIC,
    WRONG_LENGTH,
    find_compression,
    find_next_record,
    find_record_end,
    has_true_length,
    holds_more_records,
    is_cut_off,
    is_gzipped,
    overstates_length,
    parse_record_length,
    starts_record,
)

MAX_COMPRESSED_PAGE_BYTES = 24_000
"""Assumed maximum for a gzipped page: with larger pages a split has fewer of them."""

_DEFLATE_BLOCK_BYTES = 65_535
"""The largest block that deflate stores without compression (RFC 1951)."""
_READ_BYTES, _WINDOW_BYTES = 1 << 16, 1 << 20
_MAX_COUNTED_RECORD_BYTES = 1 << 26
"""A larger record is not decompressed to its end only to be counted."""
_PAGE_RECORD = re.compile(rb"\r\nWARC-Type:[ \t]*(?:response|resource)\b", re.IGNORECASE)


class MemberRun(NamedTuple):
    """Gzip members that follow one another."""

    stop: int
    """The end of the last complete member."""
    pages: int
    """Members that may hold pages."""
    is_sound: bool = True
    """False if the data at `stop` is not a member."""


class SeveralRecordsError(ValueError):
    """A gzip member holds more than one record: the file was not compressed record by record."""


def find_member_stops(file: BinaryIO, start: int, end: int, limits: Iterator[int]) -> Iterator[int]:
    """Give the end of each split, from the start of a split on; the last is the end of the file.

    Raises `SeveralRecordsError` if members hold several records.
    """
    members = None
    while start < end:
        limit = next(limits)
        if members is None or members.pages >= limit:
            members = _follow_members(file, start, end, limit)
        if members.pages >= limit:
            start, members = members.stop, None
        elif members.is_sound and members.stop == end:
            start = end
        else:
            page_bytes = (members.stop - start) // members.pages if members.pages else MAX_COMPRESSED_PAGE_BYTES
            goal = start + limit * min(page_bytes, MAX_COMPRESSED_PAGE_BYTES)
            start, members = _find_sound_member(file, max(goal, members.stop + (not members.is_sound)), end)
        yield start


def _find_sound_member(file: BinaryIO, position: int, end: int) -> tuple[int, MemberRun]:
    """Return the first position from `position` on where a record certainly starts, with the members after it."""
    while (start := find_next_record(file, position, end)) < end:
        members = _follow_members(file, start, end)
        if members.is_sound:
            return start, members
        position = max(members.stop, start + 1)  # the members in between lead to the same failure
    return end, MemberRun(end, 0)


def _follow_members(file: BinaryIO, start: int, end: int, pages: int | None = None) -> MemberRun:
    """Follow the members from a position on, until they hold so many pages or are long enough to be accepted."""
    members = MemberRun(start, 0)
    while (
        members.stop < end and members.stop - start <= _DEFLATE_BLOCK_BYTES and (pages is None or members.pages < pages)
    ):
        member = _read_member(file, members.stop)
        if member is None:
            return members._replace(is_sound=False)
        length, is_page = member
        members = MemberRun(members.stop + length, members.pages + is_page)
    return members


def _read_member(file: BinaryIO, position: int) -> tuple[int, bool] | None:
    """Return the length of the member at `position` and whether it may hold a page.

    Returns None if there is no complete member with a record, or if it is very long.
    """
    file.seek(position)
    decompressor = zlib.decompressobj(GZIP_WBITS)
    head, following = b"", b""
    compressed_bytes, decompressed_bytes, record_bytes = 0, 0, None
    try:
        while not decompressor.eof and (chunk := file.read(_READ_BYTES)):
            compressed_bytes += len(chunk)
            while chunk and not decompressor.eof:
                part = decompressor.decompress(chunk, _WINDOW_BYTES)
                chunk = decompressor.unconsumed_tail
                if len(head) < _READ_BYTES:
                    head += part[:_READ_BYTES]
                    record_bytes = parse_record_length(head)
                if record_bytes is not None and len(following) < _READ_BYTES:
                    following += part[max(record_bytes - decompressed_bytes, 0) :][:_READ_BYTES]
                decompressed_bytes += len(part)
                if not head.startswith(WARC_MAGIC[: len(head)]) or decompressed_bytes > _MAX_COUNTED_RECORD_BYTES:
                    return None
                if following.lstrip(BLANK_LINE).startswith(WARC_MAGIC):
                    raise SeveralRecordsError
    except zlib.error:
        return None
    if not decompressor.eof or not head.startswith(WARC_MAGIC):
        return None
    is_page = _PAGE_RECORD.search(head, 0, max(head.find(BLANK_LINE), 0)) is not None
    return compressed_bytes - len(decompressor.unused_data), is_page


def split_by_reading(
    file: BinaryIO,
    second_file: BinaryIO,
    whole: Split,
    limits: Iterator[int],
    notes: InputNotes,
    is_start_reported: bool = False,
) -> Iterator[Split]:
    """Give splits of complete records; after damage, continue at the next record that can be found.

    `file` and `second_file` are the same file, opened twice. `is_start_reported` is true if damage at the very start
    has been reported before.
    """
    kind, path, start, end = whole.kind, whole.path, whole.start, whole.stop or 0
    bound = end if end < second_file.seek(0, os.SEEK_END) else None
    is_compressed = is_gzipped(second_file, end)
    while start < end:
        pages = size = 0
        limit, last, damage = next(limits), start, None
        try:
            for position, length, is_page in _read_positions(file, start, bound):
                if is_compressed and size and overstates_length(second_file, last, position):
                    damage = f"is {WRONG_LENGTH}"
                    break
                if pages >= limit or size >= limit * 2 * MEAN_PAGE_BYTES:
                    if not starts_record(second_file, position):
                        break
                    yield Split(kind, path, start, position, size=position - start)
                    start, pages, size, limit = position, 0, 0, next(limits)
                last, size, pages = position, size + length, pages + is_page
            # In a file that was compressed as a whole, records have no position of their own.
            entry = start if not starts_record(second_file, last) else last
            bad = last
            if entry == last and _has_wrong_length(file, second_file, last, end):
                damage = f"is {WRONG_LENGTH}"
            elif is_cut_off(second_file, entry, end):
                damage = "is cut off"
                if (
                    entry == last
                    and (after := find_record_end(second_file, last))
                    and starts_record(second_file, after)
                ):
                    bad = after
        except OSError as error:
            entry = start if last > start and not starts_record(second_file, last) else last
            bad = _find_damaged_record(file, second_file, last, end) if size else last
            is_complete = bound is not None and size and find_record_end(second_file, last) == bound
            if not is_complete or not has_true_length(second_file, last):  # otherwise the damage is after the range
                damage = f"is damaged ({error})"
        is_new = bool(size) or (start == whole.start and not is_start_reported)  # otherwise reported before
        resume = end if damage is None else find_next_record(second_file, bad + 1, end)
        is_one_member = damage is not None and bound is None and resume == end and holds_more_records(second_file, bad)
        if entry < last or is_one_member:  # compressed as a whole: the reader of the split will report the damage
            yield Split(kind, path, start, None, size=end - start)
            return
        if size or (damage is not None and is_new):
            stop = end if damage is None else bad + 1  # with the record at `bad`, and nothing after it
            yield Split(kind, path, start, stop, size=stop - start)
        if damage is None:
            return
        if is_new:
            notes.add_problem(f"{path} {damage} in the record at byte {bad:,}")
        start = resume


def _has_wrong_length(file: BinaryIO, second_file: BinaryIO, last: int, end: int) -> bool:
    """True if the record at `last` is complete, but has not the length it claims, or if another one follows it."""
    following = find_record_end(second_file, last)
    if following is None:
        return False
    if not has_true_length(second_file, last):
        return True
    try:
        return following < end and next(_read_positions(file, following), (end,))[0] == following
    except OSError:
        return False


def _find_damaged_record(file: BinaryIO, second_file: BinaryIO, last: int, end: int) -> int:
    """Return the start of the unreadable record, which is `last`, the last one seen, or the one after it."""
    position = find_record_end(second_file, last) if starts_record(second_file, last) else None
    if position is None or position >= end:
        return last
    if find_compression(second_file, last) == PLAIN:
        second_file.seek(position)
        following = second_file.read(len(BLANK_LINE))
        if not following.startswith((b"\r", b"\n")):  # the record does not end there: its length is wrong
            return last
        position += len(BLANK_LINE) if following == BLANK_LINE else 0
    try:
        next(_read_positions(file, position), None)
    except OSError:
        return position
    return last


def _read_positions(file: BinaryIO, start: int, stop: int | None = None) -> Iterator[tuple[int, int, bool]]:
    """Give the position of each record, its length, and whether it may hold a page."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    file.seek(start)
    for record in ArchiveIterator(file, parse_http=False, inplace=True):
        if stop is not None and record.stream_pos >= stop:
            return
        is_page = record.record_type in (WarcRecordType.response, WarcRecordType.resource)
        yield record.stream_pos, record.content_length + 1, is_page
