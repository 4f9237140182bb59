"""Where a WARC breaks off, and where it can be taken up again."""

from __future__ import annotations

import zlib
from typing import BinaryIO

_GZIP, _ZSTANDARD, _PLAIN = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\r\n\r\nWARC/1."
_SKIPPABLE = b"\x2a\x4d\x18"  # after a byte 50 to 5f: the dictionary that a .warc.zst may begin with
FIRST_WORD = b"WARC/"
_WINDOW, _CHUNK = 1 << 17, 1 << 16
GZIPPED = 31  # what zlib calls it: its wbits
_REPEATED = 1  # the kind of a block of Zstandard that is one byte, many times
_LONGEST_HEADERS = 1 << 16
_LONGEST_RECORD = 1 << 43  # behind it file systems have no place
NEXT_RECORD = _PLAIN
LONGER = "damaged (longer by its own word than it is)"


def starts_record(file: BinaryIO, position: int) -> bool:
    """Whether a record can be read from here on."""
    file.seek(position)
    head = file.read(5)
    return head.startswith((_GZIP, _ZSTANDARD)) or head == FIRST_WORD or head[1:4] == _SKIPPABLE


def is_gzipped(file: BinaryIO, end: int) -> bool:
    """Whether the file is gzipped, by its first record, or the first that can be found."""
    place = 0 if starts_record(file, 0) else next_record(file, 0, end)
    return _packed_with(file, place) == _GZIP


def is_cut_off(file: BinaryIO, last: int, end: int) -> bool:
    """Whether the record at `last`, the last that was seen, is not all there, or more than it follows.

    FastWARC passes over a gzipped record that ends too early without a word.
    """
    place: int | None = last
    if _packed_with(file, last) == _GZIP:
        while place is not None and place < end:
            place = end_of_record(file, place)
        return place is None
    if _packed_with(file, last) == _ZSTANDARD:
        return False  # of these an error would have told
    place = end_of_record(file, last)
    return place is None or place > end


def end_of_record(file: BinaryIO, position: int) -> int | None:
    """Where the record that starts here ends, or should; None where that cannot be told, or it is not all there."""
    packed = _packed_with(file, position)
    file.seek(position)
    if packed == _PLAIN:
        return _plain_end(file, position)
    return _member_end(file, position) if packed == _GZIP else _frame_end(file, position)


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


def _packed_with(file: BinaryIO, position: int) -> bytes:
    file.seek(position)
    head = file.read(4)
    if head.startswith(_GZIP):
        return _GZIP
    return _ZSTANDARD if head == _ZSTANDARD or head[1:] == _SKIPPABLE else _PLAIN


def holds(file: BinaryIO, position: int, length: int) -> bool:
    """Whether so many bytes are packed in the gzipped record that starts here; of others nothing is known."""
    if _packed_with(file, position) != _GZIP:
        return True
    file.seek(position)
    unpacking = zlib.decompressobj(GZIPPED)
    try:
        while length > 0 and not unpacking.eof and (chunk := file.read(_CHUNK)):
            while chunk and not unpacking.eof:
                length -= len(unpacking.decompress(chunk, _WINDOW))
                chunk = unpacking.unconsumed_tail
    except zlib.error:
        return False
    return length <= 0


def overstates(file: BinaryIO, last: int, place: int) -> bool:
    """Whether the gzipped record at `last` is followed by others before `place`, where the next was found.

    It says then that it is longer than it is, and FastWARC has taken them for a part of it.
    """
    if _packed_with(file, last) != _GZIP or (behind := end_of_record(file, last)) is None or behind >= place:
        return False
    file.seek(behind)
    return _unpacks_to_record(file.read(4096))


def _plain_end(file: BinaryIO, position: int) -> int | None:
    headers = file.read(_LONGEST_HEADERS)
    length = headers.find(b"\r\n\r\n")
    for line in headers[: max(length, 0)].lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            try:
                told = int(line.partition(b":")[2])
            except ValueError:
                return None
            return position + length + 4 + told if 0 <= told < _LONGEST_RECORD else None
    return None


def next_record(file: BinaryIO, position: int, end: int) -> int:
    """The first place from `position` on where a record starts; `end` if there is none."""
    file.seek(0)
    first = file.read(4)
    packed = _packed_with(file, 0)
    is_known = packed != _PLAIN or first == FIRST_WORD[:4]  # else the file is damaged there as well
    marks = (packed,) if is_known else (_GZIP, _ZSTANDARD, _PLAIN)
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
            if mark == _PLAIN:
                return place + 4
            if mark == _ZSTANDARD or _unpacks_to_record(held[at : at + 4096]):
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
