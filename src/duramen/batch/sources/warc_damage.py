"""Where a WARC breaks off, and where it can be taken up again."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

from duramen.batch.zstandard_file import library

GZIP, ZSTANDARD, PLAIN = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\r\n\r\nWARC/1."
_SKIPPABLE = b"\x2a\x4d\x18"  # after a byte 50 to 5f: the dictionary that a .warc.zst may begin with
FIRST_WORD = b"WARC/"
_WINDOW, _CHUNK = 1 << 17, 1 << 16
GZIPPED = 31  # what zlib calls it: its wbits
_REPEATED = 1  # the kind of a block of Zstandard that is one byte, many times
_LONGEST_HEADERS = 1 << 16
_MOST_BLANK = 64
"""Bytes of line ends that may stand behind a record; the standard has four."""
_LONGEST_RECORD = 1 << 43  # behind it file systems have no place
NEXT_RECORD = PLAIN
CUT_OFF = "cut off"
FALSE_LENGTH = "damaged (not as long as it says)"


def starts_record(file: BinaryIO, position: int) -> bool:
    """Whether a record can be read from here on."""
    file.seek(position)
    head = file.read(5)
    return head.startswith((GZIP, ZSTANDARD)) or head == FIRST_WORD or head[1:4] == _SKIPPABLE


def is_gzipped(file: BinaryIO, end: int) -> bool:
    """Whether the file is gzipped, by its first record, or the first that can be found."""
    place = 0 if starts_record(file, 0) else next_record(file, 0, end)
    return packed_with(file, place) == GZIP


def is_cut_off(file: BinaryIO, last: int, end: int) -> bool:
    """Whether the record at `last`, the last that was seen, is not all there, or more than it follows.

    FastWARC passes over a gzipped record that ends too early without a word.
    """
    place: int | None = last
    if packed_with(file, last) == GZIP:
        while place is not None and place < end:
            place = end_of_record(file, place)
        return place is None
    if packed_with(file, last) == ZSTANDARD:
        return False  # of these an error would have told
    place = end_of_record(file, last)
    return place is None or place > end


def end_of_record(file: BinaryIO, position: int) -> int | None:
    """Where the record that starts here ends, or should; None where that cannot be told, or it is not all there."""
    packed = packed_with(file, position)
    file.seek(position)
    if packed == PLAIN:
        return _plain_end(file, position)
    return _member_end(file, position) if packed == GZIP else _frame_end(file, position)


def _member_end(file: BinaryIO, position: int) -> int | None:
    unpacking = zlib.decompressobj(GZIPPED)
    try:
        while chunk := file.read(_CHUNK):
            position += len(chunk)
            while chunk and not unpacking.eof:  # what is packed may be very much
                unpacking.decompress(chunk, _WINDOW)
                chunk = unpacking.unconsumed_tail
            if unpacking.eof:
                return position - len(unpacking.unused_data)
    except zlib.error:
        return None
    return None


def _frame_end(file: BinaryIO, position: int) -> int | None:
    """By the sizes of the frame's blocks (RFC 8878): nothing is unpacked."""
    head = file.read(8)
    if len(head) < 8:
        return None
    if head[1:4] == _SKIPPABLE:
        return position + 8 + int.from_bytes(head[4:], "little")
    single, known, dictionary = head[4] >> 5 & 1, head[4] >> 6, head[4] & 3
    position += 5 + (not single) + (0, 1, 2, 4)[dictionary] + (single, 2, 4, 8)[known]
    is_last = 0
    while not is_last:
        file.seek(position)
        block = int.from_bytes(told, "little") if len(told := file.read(3)) == 3 else None
        if block is None:
            return None
        is_last, kind, size = block & 1, block >> 1 & 3, block >> 3
        position += 3 + (1 if kind == _REPEATED else size)
    return position + 4 * (head[4] >> 2 & 1)  # the checksum


def packed_with(file: BinaryIO, position: int) -> bytes:
    """What a record that starts here is packed with, by the mark that it bears."""
    file.seek(position)
    head = file.read(4)
    if head.startswith(GZIP):
        return GZIP
    return ZSTANDARD if head == ZSTANDARD or head[1:] == _SKIPPABLE else PLAIN


def is_as_long_as_it_says(file: BinaryIO, position: int) -> bool:
    """Whether the record that starts here is all that is packed with it; of one that is not packed nothing is known."""
    head, tail, size = b"", b"", 0
    try:
        for part in _unpacked(file, position):
            head += part[: max(_LONGEST_HEADERS - len(head), 0)]
            tail = (tail + part)[-_MOST_BLANK:]
            size += len(part)
    except zlib.error:
        return False
    except _UnknownError:
        return True
    told = _length(head)
    behind = size - told if told is not None else -1
    return 0 <= behind <= _MOST_BLANK and not tail[len(tail) - behind :].strip(b"\r\n")


def holds_others(file: BinaryIO, position: int) -> bool:
    """Whether further records are packed together with the one that starts here, as far as can be seen."""
    tail = b""
    with suppress(zlib.error, _UnknownError):
        for part in _unpacked(file, position):
            if NEXT_RECORD in tail + part:
                return True
            tail = part[1 - len(NEXT_RECORD) :]
    return False


class _UnknownError(Exception):
    """There is nothing to unpack here, or not without a library or a dictionary that is elsewhere."""


def _unpacked(file: BinaryIO, position: int) -> Iterator[bytes]:
    """What is packed in the member, or the frame, that starts here, a little at a time."""
    packed = packed_with(file, position)
    file.seek(position)
    if packed == GZIP:
        unpacking = zlib.decompressobj(GZIPPED)
        while not unpacking.eof and (chunk := file.read(_CHUNK)):
            while chunk and not unpacking.eof:
                yield unpacking.decompress(chunk, _WINDOW)
                chunk = unpacking.unconsumed_tail
    elif packed == ZSTANDARD:
        try:
            frame = library().ZstdDecompressor().decompressobj()
            while not frame.eof and (chunk := file.read(_CHUNK)):
                yield frame.decompress(chunk)
        except Exception as error:  # FastWARC, which has the dictionary, says it where the data is damaged
            raise _UnknownError from error
    else:
        raise _UnknownError


def overstates(file: BinaryIO, last: int, place: int) -> bool:
    """Whether the gzipped record at `last` is followed by others before `place`, where the next was found.

    It says then that it is longer than it is, and FastWARC has taken them for a part of it.
    """
    if packed_with(file, last) != GZIP or (behind := end_of_record(file, last)) is None or behind >= place:
        return False
    file.seek(behind)
    return _unpacks_to_record(file.read(4096))


def _plain_end(file: BinaryIO, position: int) -> int | None:
    length = _length(file.read(_LONGEST_HEADERS))
    return position + length if length is not None else None


def _length(headers: bytes) -> int | None:
    """How long a record with these headers is, they included, by its own word; None where that makes no sense."""
    length = headers.find(b"\r\n\r\n")
    for line in headers[: max(length, 0)].lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            try:
                told = int(line.partition(b":")[2])
            except ValueError:
                return None
            return length + 4 + told if 0 <= told < _LONGEST_RECORD else None
    return None


def next_record(file: BinaryIO, position: int, end: int) -> int:
    """The first place from `position` on where a record starts; `end` if there is none."""
    file.seek(0)
    first = file.read(4)
    packed = packed_with(file, 0)
    is_known = packed != PLAIN or first == FIRST_WORD[:4]  # else the file is damaged there as well
    marks = (packed,) if is_known else (GZIP, ZSTANDARD, PLAIN)
    return next((place for mark in marks if (place := _next_mark(file, mark, position, end)) < end), end)


def _next_mark(file: BinaryIO, mark: bytes, position: int, end: int) -> int:
    file.seek(position)
    tail = b""
    base = position
    while chunk := file.read(_WINDOW):
        held = tail + chunk
        at = held.find(mark)
        while at >= 0:
            place = base + at
            if mark == PLAIN:
                return place + 4
            if mark == ZSTANDARD or _unpacks_to_record(held[at : at + 4096]):
                return place
            at = held.find(mark, at + 1)
        tail = held[-len(mark) + 1 :]
        base += len(held) - len(tail)
    return end


def _unpacks_to_record(data: bytes) -> bool:
    try:
        return zlib.decompressobj(GZIPPED).decompress(data, len(FIRST_WORD)) == FIRST_WORD
    except zlib.error:
        return False
