"""Cutting a WARC by reading through it: the way that is always open, and the one that finds what is damaged.

The records are unpacked and not looked at. A range ends before a whole record; where a record is damaged or cut off,
the range ends with it, one byte behind its start, and the next begins where the file can be taken up again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO

from duramen.batch.item import Notes, Piece
from duramen.batch.sources import PAGE_BYTES
from duramen.batch.sources.warc_damage import (
    FALSE_LENGTH,
    PLAIN,
    end_of_record,
    holds_others,
    is_as_long_as_it_says,
    is_cut_off,
    is_gzipped,
    next_record,
    overstates,
    packed_with,
    starts_record,
)

_BLANK = b"\r\n\r\n"  # behind a record that is not packed


def ranges(
    file: BinaryIO, beside: BinaryIO, whole: Piece, limits: Iterator[int], notes: Notes, is_told: bool = False
) -> Iterator[Piece]:
    """Range after range of whole records; where the records break off, look for the next one.

    Damage at the very start has been told if `is_told`.
    """
    kind, path, start, end = whole.kind, whole.path, whole.start, whole.stop or 0
    bound = end if end < beside.seek(0, os.SEEK_END) else None
    is_packed = is_gzipped(beside, end)
    while start < end:
        pages = size = 0
        limit, last, wrong = next(limits), start, None
        try:
            for place, length, is_page in _records(file, start, bound):
                if is_packed and size and overstates(beside, last, place):
                    wrong = f"is {FALSE_LENGTH}"
                    break
                if pages >= limit or size >= limit * 2 * PAGE_BYTES:
                    if not starts_record(beside, place):
                        break
                    yield Piece(kind, path, start, place, size=place - start)
                    start, pages, size, limit = place, 0, 0, next(limits)
                last, size, pages = place, size + length, pages + is_page
            entered = start if not starts_record(beside, last) else last  # packed as a whole, no record has a place
            bad = last
            if entered == last and _is_false(file, beside, last, end):
                wrong = f"is {FALSE_LENGTH}"
            elif is_cut_off(beside, entered, end):
                wrong = "is cut off"
                if entered == last and (after := end_of_record(beside, last)) and starts_record(beside, after):
                    bad = after
        except OSError as error:
            entered = start if last > start and not starts_record(beside, last) else last
            bad = _damaged_behind(file, beside, last, end) if size else last
            is_true = bound is not None and size and end_of_record(beside, last) == bound
            if not is_true or not is_as_long_as_it_says(beside, last):  # else what is broken lies behind
                wrong = f"is damaged ({error})"
        is_new = bool(size) or (start == whole.start and not is_told)  # else it is the same damage still
        behind = end if wrong is None else next_record(beside, bad + 1, end)
        is_one = wrong is not None and bound is None and behind == end and holds_others(beside, bad)
        if entered < last or is_one:  # packed as a whole: whoever reads it will say what is wrong
            yield Piece(kind, path, start, None, size=end - start)
            return
        if size or (wrong is not None and is_new):
            stop = end if wrong is None else bad + 1  # with the record at `bad`, and nothing behind it
            yield Piece(kind, path, start, stop, size=stop - start)
        if wrong is None:
            return
        if is_new:
            notes.problem(f"{path} {wrong} in the record at byte {bad:,}")
        start = behind


def _is_false(file: BinaryIO, beside: BinaryIO, last: int, end: int) -> bool:
    """Whether the last record that was seen is all there, but not as long as it says, or another one follows it."""
    behind = end_of_record(beside, last)
    if behind is None:
        return False
    if not is_as_long_as_it_says(beside, last):
        return True
    try:
        return behind < end and next(_records(file, behind), (end,))[0] == behind
    except OSError:
        return False


def _damaged_behind(file: BinaryIO, beside: BinaryIO, last: int, end: int) -> int:
    """Where the record that cannot be read starts, when it is `last`, the last that was seen, or the one behind it."""
    place = end_of_record(beside, last) if starts_record(beside, last) else None  # else packed as a whole
    if place is None or place >= end:
        return last
    if packed_with(beside, last) == PLAIN:
        beside.seek(place)
        behind = beside.read(len(_BLANK))
        if not behind.startswith((b"\r", b"\n")):  # it does not end there: what it says of its length is false
            return last
        place += len(_BLANK) if behind == _BLANK else 0
    try:
        next(_records(file, place), None)
    except OSError:
        return place
    return last


def _records(file: BinaryIO, start: int, stop: int | None = None) -> Iterator[tuple[int, int, bool]]:
    """Where the records start, how long they are, and whether they may hold pages."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    file.seek(start)
    for record in ArchiveIterator(file, parse_http=False, inplace=True):
        if stop is not None and record.stream_pos >= stop:
            return
        is_page = record.record_type in (WarcRecordType.response, WarcRecordType.resource)
        yield record.stream_pos, record.content_length + 1, is_page
