"""Where a WARC breaks off, and where it can be taken up again."""

from __future__ import annotations

import zlib
from typing import BinaryIO

_GZIP, _ZSTANDARD, _PLAIN = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\r\n\r\nWARC/1."
_SKIPPABLE = b"\x2a\x4d\x18"  # after a byte 50 to 5f: the dictionary that a .warc.zst may begin with
_FIRST_WORD = b"WARC/"
_WINDOW = 1 << 20
_GZIPPED = 31  # what zlib calls it: its wbits
_LONGEST_HEADERS = 1 << 16


def starts_record(file: BinaryIO, position: int) -> bool:
    """Whether a record can be read from here on."""
    file.seek(position)
    head = file.read(5)
    return head.startswith((_GZIP, _ZSTANDARD)) or head == _FIRST_WORD or head[1:4] == _SKIPPABLE


def is_cut_off(file: BinaryIO, last: int, end: int) -> bool:
    """Whether the record at `last`, the last that was seen, is not all there, or more than it follows.

    FastWARC passes over a gzipped record that ends too early without a word.
    """
    file.seek(last)
    head = file.read(4)
    file.seek(last)
    if head.startswith(_GZIP):
        return _gzip_end(file, last) != end
    if head == _ZSTANDARD or head[1:] == _SKIPPABLE:
        return False  # of these an error would have told
    headers = file.read(_LONGEST_HEADERS)
    if (length := headers.find(b"\r\n\r\n")) < 0:
        return True
    for line in headers[:length].lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            try:
                return last + length + 4 + int(line.partition(b":")[2]) > end
            except ValueError:
                return True
    return True


def _gzip_end(file: BinaryIO, position: int) -> int:
    """Where the gzip members that start here end; -1 where the last does not."""
    unpacking = None
    rest = b""
    while True:
        if unpacking is None:
            unpacking = zlib.decompressobj(_GZIPPED)
        chunk = rest or file.read(_WINDOW)
        rest = b""
        if not chunk:
            return -1
        try:
            data = chunk
            while data:
                unpacking.decompress(data, _WINDOW)
                data = unpacking.unconsumed_tail
                if unpacking.eof:
                    break
        except zlib.error:
            return -1
        position += len(chunk)
        if unpacking.eof:
            rest = unpacking.unused_data
            position -= len(rest)
            if not rest and not (rest := file.read(_WINDOW)):
                return position
            if not rest.startswith(_GZIP[: len(rest)]):
                return -1
            unpacking = None


def next_record(file: BinaryIO, position: int, end: int) -> int:
    """The first place from `position` on where a record starts; `end` if there is none."""
    file.seek(0)
    first = file.read(4)
    mark = _GZIP if first.startswith(_GZIP) else _PLAIN if first.startswith(_FIRST_WORD[:4]) else _ZSTANDARD
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
        return zlib.decompressobj(_GZIPPED).decompress(data, len(_FIRST_WORD)) == _FIRST_WORD
    except zlib.error:
        return False
