"""A WARC that was packed as a whole, and in which something is wrong: record after record, by their own words.

Such a file cannot be entered in the middle. So it is unpacked once more from its start, and a record is believed when
another stands where it says that it ends. Where none does, its length is false, and the next is the first that is found
behind its headers. Only what stands behind damage of the packing itself is lost.
"""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import BinaryIO, NamedTuple, Self, cast

from duramen.batch.opening import damaged, file_size, open_binary
from duramen.batch.sources.warc_damage import (
    CUT_OFF,
    FALSE_LENGTH,
    FIRST_WORD,
    GZIP,
    NEXT_RECORD,
    ZSTANDARD,
    packed_with,
)
from duramen.batch.zstandard_file import ZstandardFile

_CHUNK = 1 << 17
_LONGEST_HEADERS = 1 << 16
_BETWEEN = 64
"""Bytes behind a record that tell whether it ends there: blank lines, and the next one's first word."""
_BLANK = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\nContent-Length:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)


class Part(NamedTuple):
    """What stands in the file from one record to the next."""

    record: bytes
    """Its headers, and as much of its content as is wanted; empty where they cannot be made out."""
    read: int
    """How much of the packed file had been read to find it."""
    wrong: str | None = None


def parts(path: str, start: int, wanted: int) -> Iterator[Part]:
    """What is packed in a file from a place on, with so many bytes of each record's content at most."""
    with _Unpacked(path, start) as data:
        last = None
        while data.hold(1):
            yield (last := _next(data, wanted))
        if data.lost is not None and (last is None or last.wrong != data.lost):
            yield Part(b"", data.read, data.lost)


def is_empty(path: str) -> bool:
    """Whether nothing is packed in a file."""
    with _Unpacked(path, 0) as data:
        return not data.hold(1) and data.lost is None


def _next(data: _Unpacked, wanted: int) -> Part:
    start = data.position
    end = data.hold(_LONGEST_HEADERS).find(_BLANK) + len(_BLANK)
    if not data.held.startswith(FIRST_WORD) or end < len(_BLANK):
        data.find_next(start)
        return Part(b"", data.read, f"damaged ({data.position - start:,} bytes that are no record)")
    headers = bytes(data.held[:end])
    if (told := _LENGTH.search(headers)) is not None:
        length = int(told[1])
        record = bytes(data.hold(end + min(length, wanted))[: end + min(length, wanted)])
        if data.pass_record(end + length, most=end + wanted):
            return Part(record, data.read)
    is_short = data.is_over
    data.find_next(start + end)
    return Part(headers, data.read, CUT_OFF if is_short and not data.hold(1) else FALSE_LENGTH)


class _Unpacked:
    """What is packed in a file: read forwards, and from its start once more where somebody goes far back."""

    def __init__(self, path: str, start: int) -> None:
        self._path, self._start = path, start
        self.lost: str | None = None
        """Why there is no more, where the packing is damaged."""

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def _open(self) -> None:
        self.held, self.position, self.is_over = bytearray(), 0, False
        with ExitStack() as stack:
            self._file = stack.enter_context(open_binary(self._path))
            self._data = stack.enter_context(_unpacking(self._file, self._start))
            self._opened = stack.pop_all()

    @property
    def read(self) -> int:
        """How many of the packed bytes have been read."""
        return self._file.tell() - self._start

    def hold(self, size: int) -> bytearray:
        """So many bytes from here on, or all that there are: they stay in hand until they are passed."""
        while len(self.held) < size and not self.is_over:
            try:
                chunk = self._data.read1(_CHUNK)
            except Exception as error:
                if (why := damaged(error)) is None:
                    raise
                chunk, self.lost = b"", self._lost(error, why)
            self.held += chunk
            self.is_over = not chunk
        return self.held

    def _lost(self, error: Exception, why: str) -> str:
        if isinstance(error, EOFError):
            return CUT_OFF
        place = self._file.tell()
        left = (file_size(self._path) or place) - place
        return f"damaged ({why}; what {left:,} bytes from byte {place:,} on hold is lost)"

    def seek(self, position: int) -> None:
        if position < self.position:
            self._opened.close()
            self._open()
        while self.position < position and self.hold(1):
            passed = min(position - self.position, len(self.held))
            del self.held[:passed]
            self.position += passed

    def find_next(self, position: int) -> None:
        """Go to the first record behind a place, or to the end."""
        self.seek(position)
        while (at := self.hold(_CHUNK).find(NEXT_RECORD)) < 0 and self.held:
            self.seek(self.position + max(len(self.held) - len(NEXT_RECORD), 1))
        self.seek(self.position + at + len(_BLANK))

    def pass_record(self, size: int, most: int) -> bool:
        """Go behind a record of that size and the blank lines behind it, if another one follows, or nothing. Where it
        is larger than what may be held, this moves in either case."""
        if size > most:
            self.seek(goal := self.position + size)
            if self.position < goal:
                return False
            size = 0
        behind = self.hold(size + _BETWEEN)[size : size + _BETWEEN]
        rest = behind.lstrip(b"\r\n")
        is_sound = len(self.held) >= size and (rest.startswith(FIRST_WORD) or behind.startswith(_BLANK) or not behind)
        if is_sound:
            self.seek(self.position + size + len(behind) - len(rest))
        return is_sound


def _unpacking(file: BinaryIO, start: int) -> io.BufferedIOBase:
    packed = packed_with(file, start)
    file.seek(start)
    if packed == GZIP:
        return gzip.GzipFile(fileobj=file)
    return io.BufferedReader(ZstandardFile(file) if packed == ZSTANDARD else cast(io.RawIOBase, file))
