"""Cutting a WARC whose records are gzipped one by one, and unpacking next to nothing of it.

To know how many records there are, and where, all of a file would have to be unpacked: a thirtieth of what extraction
takes, and by one process alone. So a piece ends about where it should, by the size of the records at its start, and
there the next member of gzip is looked for. The mark of a member may also stand within a record: that of a page which
holds a gzipped WARC itself, say. Such data is not packed any further, and deflate keeps it in blocks of at most 65,535
bytes, with some bytes of its own between them. So a place is believed when members that unpack without a fault follow
one another from there for longer than such a block, or to the end of the file. Should that fail all the same, whoever
reads the piece before comes to a record that goes on behind the piece's end, and says so.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from duramen.batch.sources.warc_damage import FIRST_WORD, GZIPPED, next_record

PACKED_PAGE = 24_000
"""What a page is taken to weigh when it is gzipped, and no more: larger ones make a piece of fewer pages."""

_BLOCK = 65_535
"""Bytes that deflate keeps unpacked in one block at most (RFC 1951)."""
_CHUNK, _WINDOW = 1 << 16, 1 << 20
_LONGEST = 1 << 26
"""A record that unpacks to more than this is not unpacked to its end only to be counted."""
_BLANK = b"\r\n\r\n"
_PAGE = re.compile(rb"\r\nWARC-Type:[ \t]*(?:response|resource)\b", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\nContent-Length:[ \t]*(\d{1,18})", re.IGNORECASE)


class Stretch(NamedTuple):
    """Members that follow one another."""

    stop: int
    """Where the last whole one ends."""
    pages: int
    """How many of them may hold pages."""
    goes_on: bool = True
    """Whether nothing is wrong at `stop`."""


class SeveralRecordsError(ValueError):
    """A member holds more than one record: the file was not packed record by record."""


def stops(file: BinaryIO, start: int, end: int, limits: Iterator[int]) -> Iterator[int]:
    """Where the pieces end, one after the other, from a place where a piece starts; the last at the end of the file.

    Raises `SeveralRecordsError` where a record cannot be told by the place of its member.
    """
    seen = None
    while start < end:
        limit = next(limits)
        if seen is None or seen.pages >= limit:
            seen = follow(file, start, end, limit)
        if seen.pages >= limit:
            start, seen = seen.stop, None
        elif seen.goes_on and seen.stop == end:
            start = end
        else:
            each = (seen.stop - start) // seen.pages if seen.pages else PACKED_PAGE
            aim = start + limit * min(each, PACKED_PAGE)
            start, seen = next_believed(file, max(aim, seen.stop + (not seen.goes_on)), end)
        yield start


def next_believed(file: BinaryIO, position: int, end: int) -> tuple[int, Stretch]:
    """The first place from `position` on where a record starts beyond doubt, `end` if there is none; and why."""
    while (place := next_record(file, position, end)) < end:
        seen = follow(file, place, end)
        if seen.goes_on:
            return place, seen
        position = max(seen.stop, place + 1)  # those between are followed by the same
    return end, Stretch(end, 0)


def follow(file: BinaryIO, start: int, end: int, pages: int | None = None) -> Stretch:
    """The members from here on, until they hold so many pages, or are as long as it takes to be believed."""
    seen = Stretch(start, 0)
    while seen.stop < end and seen.stop - start <= _BLOCK and (pages is None or seen.pages < pages):
        member = _member(file, seen.stop)
        if member is None:
            return seen._replace(goes_on=False)
        length, is_page = member
        seen = Stretch(seen.stop + length, seen.pages + is_page)
    return seen


def _member(file: BinaryIO, position: int) -> tuple[int, bool] | None:
    """How long the member is that starts here, and whether it may hold a page; None where there is no whole one that
    holds a record, or it is very long."""
    file.seek(position)
    unpacking = zlib.decompressobj(GZIPPED)
    head, behind = b"", b""
    packed, unpacked, length = 0, 0, None
    try:
        while not unpacking.eof and (chunk := file.read(_CHUNK)):
            packed += len(chunk)
            while chunk and not unpacking.eof:
                part = unpacking.decompress(chunk, _WINDOW)
                chunk = unpacking.unconsumed_tail
                if len(head) < _CHUNK:
                    head += part[:_CHUNK]
                    length = _length_of_record(head)
                if length is not None and len(behind) < _CHUNK:
                    behind += part[max(length - unpacked, 0) :][:_CHUNK]
                unpacked += len(part)
                if not head.startswith(FIRST_WORD[: len(head)]) or unpacked > _LONGEST:
                    return None
                if behind.lstrip(_BLANK).startswith(FIRST_WORD):
                    raise SeveralRecordsError
    except zlib.error:
        return None
    if not unpacking.eof or not head.startswith(FIRST_WORD):
        return None
    return packed - len(unpacking.unused_data), _PAGE.search(head, 0, max(head.find(_BLANK), 0)) is not None


def _length_of_record(head: bytes) -> int | None:
    """How long a record is, without the blank lines behind it, when all of its headers are there."""
    end = head.find(_BLANK)
    found = _LENGTH.search(head, 0, end + 2) if end >= 0 else None
    return end + len(_BLANK) + int(found[1]) if found else None
