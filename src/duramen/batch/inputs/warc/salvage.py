"""Damaged WARC files: where a record ends, whether it is complete, and where the next one starts.

Two cases need different treatment. Most compressed WARC files compress each record on its own: reading can start at any
record. A file that was compressed as a whole can only be read from its start (`salvage_records`): it is decompressed
once more, and a record is accepted if another one follows where it says it ends. If none does, its length is wrong, and
reading continues at the first record found after its headers. Only data after damaged compression is lost.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import BinaryIO, NamedTuple, Self, cast

from duramen.batch.inputs.io import ZstandardFile, describe_damage, file_size, import_zstandard, open_binary

GZIP, ZSTANDARD, PLAIN = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\r\n\r\nWARC/1."
"""Marks by which the start of a record is recognized, by compression."""
WARC_MAGIC = b"WARC/"
RECORD_BOUNDARY = PLAIN
"""The end of a record and the start of the next, in decompressed data."""
GZIP_WBITS = 31  # zlib's value for gzip
CUT_OFF = "cut off"
WRONG_LENGTH = "damaged (its length is wrong)"

BLANK_LINE = b"\r\n\r\n"
_SKIPPABLE_FRAME = b"\x2a\x4d\x18"  # after a byte 50 to 5f: a .warc.zst may begin with a dictionary in such a frame
_RLE_BLOCK = 1  # type of a Zstandard block that repeats one byte
_WINDOW_BYTES, _READ_BYTES = 1 << 17, 1 << 16
_MAX_HEADER_BYTES = 1 << 16
_MAX_BLANK_BYTES = 64
"""Line ends accepted after a record; the standard has four bytes."""
_MAX_LENGTH_DIGITS = 13  # longer than any file
_LOOKAHEAD_BYTES = 64
"""Bytes after a record that show whether it ends there: line ends and the magic of the next record."""
_CONTENT_LENGTH = re.compile(rb"\r\nContent-Length:([^\r\n]*)\r\n", re.IGNORECASE)


def starts_record(file: BinaryIO, position: int) -> bool:
    """True if a record can be read from this position."""
    file.seek(position)
    head = file.read(5)
    return head.startswith((GZIP, ZSTANDARD)) or head == WARC_MAGIC or head[1:4] == _SKIPPABLE_FRAME


def is_gzipped(file: BinaryIO, end: int) -> bool:
    """True if the first record, or the first that can be found, is compressed with gzip."""
    position = 0 if starts_record(file, 0) else find_next_record(file, 0, end)
    return find_compression(file, position) == GZIP


def is_cut_off(file: BinaryIO, last: int, end: int) -> bool:
    """True if the record at `last`, or one after it, is incomplete.

    FastWARC silently skips a gzip record that ends too early.
    """
    position: int | None = last
    if find_compression(file, last) == GZIP:
        while position is not None and position < end:
            position = find_record_end(file, position)
        return position is None
    if find_compression(file, last) == ZSTANDARD:
        return False  # FastWARC would have raised an error
    position = find_record_end(file, last)
    return position is None or position > end


def find_record_end(file: BinaryIO, position: int) -> int | None:
    """Return where the record at `position` ends or should end; None if unknown or if it is incomplete."""
    compression = find_compression(file, position)
    file.seek(position)
    if compression == PLAIN:
        length = parse_record_length(file.read(_MAX_HEADER_BYTES))
        return position + length if length is not None else None
    return _find_member_end(file, position) if compression == GZIP else _find_frame_end(file, position)


def _find_member_end(file: BinaryIO, position: int) -> int | None:
    decompressor = zlib.decompressobj(GZIP_WBITS)
    try:
        while chunk := file.read(_READ_BYTES):
            position += len(chunk)
            while chunk and not decompressor.eof:  # in steps: the decompressed data may be very large
                decompressor.decompress(chunk, _WINDOW_BYTES)
                chunk = decompressor.unconsumed_tail
            if decompressor.eof:
                return position - len(decompressor.unused_data)
    except zlib.error:
        return None
    return None


def _find_frame_end(file: BinaryIO, position: int) -> int | None:
    """Find the end by the sizes of the frame's blocks (RFC 8878), without decompression."""
    head = file.read(8)
    if len(head) < 8:
        return None
    if head[1:4] == _SKIPPABLE_FRAME:
        return position + 8 + int.from_bytes(head[4:], "little")
    is_single_segment, size_flag, dictionary_flag = head[4] >> 5 & 1, head[4] >> 6, head[4] & 3
    position += 5 + (not is_single_segment) + (0, 1, 2, 4)[dictionary_flag] + (is_single_segment, 2, 4, 8)[size_flag]
    is_last = 0
    while not is_last:
        file.seek(position)
        header = file.read(3)
        if len(header) < 3:
            return None
        block = int.from_bytes(header, "little")
        is_last, kind, size = block & 1, block >> 1 & 3, block >> 3
        position += 3 + (1 if kind == _RLE_BLOCK else size)
    return position + 4 * (head[4] >> 2 & 1)  # the checksum


def find_compression(file: BinaryIO, position: int) -> bytes:
    """Return the compression of the record at `position`: GZIP, ZSTANDARD or PLAIN."""
    file.seek(position)
    head = file.read(4)
    if head.startswith(GZIP):
        return GZIP
    return ZSTANDARD if head == ZSTANDARD or head[1:] == _SKIPPABLE_FRAME else PLAIN


def has_true_length(file: BinaryIO, position: int) -> bool:
    """True if the record at `position` fills its gzip member or Zstandard frame; also if that is unknown."""
    head, tail, size = b"", b"", 0
    try:
        for part in _decompress_record(file, position):
            head += part[: max(_MAX_HEADER_BYTES - len(head), 0)]
            tail = (tail + part)[-_MAX_BLANK_BYTES:]
            size += len(part)
    except zlib.error:
        return False
    except _UnknownError:
        return True
    length = parse_record_length(head)
    rest = size - length if length is not None else -1
    return 0 <= rest <= _MAX_BLANK_BYTES and not tail[len(tail) - rest :].strip(b"\r\n")


def holds_more_records(file: BinaryIO, position: int) -> bool:
    """True if more records are compressed together with the one at `position`, as far as can be seen."""
    tail = b""
    with suppress(zlib.error, _UnknownError):
        for part in _decompress_record(file, position):
            if RECORD_BOUNDARY in tail + part:
                return True
            tail = part[1 - len(RECORD_BOUNDARY) :]
    return False


def overstates_length(file: BinaryIO, last: int, position: int) -> bool:
    """True if other records lie between the gzip record at `last` and `position`, where FastWARC found the next.

    Then the record claims to be longer than it is, and FastWARC has read the others as part of it.
    """
    if find_compression(file, last) != GZIP or (end := find_record_end(file, last)) is None or end >= position:
        return False
    file.seek(end)
    return _decompresses_to_record(file.read(4096))


class _UnknownError(Exception):
    """Nothing is compressed here, or a library or a dictionary is missing."""


def _decompress_record(file: BinaryIO, position: int) -> Iterator[bytes]:
    """Decompress the gzip member or Zstandard frame at `position`, in parts."""
    compression = find_compression(file, position)
    file.seek(position)
    if compression == GZIP:
        decompressor = zlib.decompressobj(GZIP_WBITS)
        while not decompressor.eof and (chunk := file.read(_READ_BYTES)):
            while chunk and not decompressor.eof:
                yield decompressor.decompress(chunk, _WINDOW_BYTES)
                chunk = decompressor.unconsumed_tail
    elif compression == ZSTANDARD:
        try:
            frame = import_zstandard().ZstdDecompressor().decompressobj()
            while not frame.eof and (chunk := file.read(_READ_BYTES)):
                yield frame.decompress(chunk)
        except Exception as error:  # FastWARC, which has the dictionary, reports damaged data
            raise _UnknownError from error
    else:
        raise _UnknownError


def parse_record_length(head: bytes) -> int | None:
    """Return the length that a record claims, with its headers; None if these are incomplete or not valid."""
    end = head.find(BLANK_LINE)
    match = _CONTENT_LENGTH.search(head, 0, end + 2) if end >= 0 else None
    digits = match[1].strip() if match else b""
    if not digits.isdigit() or len(digits.lstrip(b"0")) > _MAX_LENGTH_DIGITS:
        return None
    return end + len(BLANK_LINE) + int(digits[-_MAX_LENGTH_DIGITS:])


def find_next_record(file: BinaryIO, position: int, end: int) -> int:
    """Return the first position from `position` on where a record starts; `end` if there is none."""
    file.seek(0)
    first = file.read(4)
    compression = find_compression(file, 0)
    is_known = compression != PLAIN or first == WARC_MAGIC[:4]  # otherwise the start of the file is damaged, too
    marks = (compression,) if is_known else (GZIP, ZSTANDARD, PLAIN)
    return next((found for mark in marks if (found := _find_mark(file, mark, position, end)) < end), end)


def _find_mark(file: BinaryIO, mark: bytes, position: int, end: int) -> int:
    file.seek(position)
    tail = b""
    offset = position
    while chunk := file.read(_WINDOW_BYTES):
        data = tail + chunk
        index = data.find(mark)
        while index >= 0:
            if mark == PLAIN:
                return offset + index + len(BLANK_LINE)
            if mark == ZSTANDARD or _decompresses_to_record(data[index : index + 4096]):
                return offset + index
            index = data.find(mark, index + 1)
        tail = data[-len(mark) + 1 :]
        offset += len(data) - len(tail)
    return end


def _decompresses_to_record(data: bytes) -> bool:
    try:
        return zlib.decompressobj(GZIP_WBITS).decompress(data, len(WARC_MAGIC)) == WARC_MAGIC
    except zlib.error:
        return False


class SalvagedRecord(NamedTuple):
    """The content of a file from one record to the next."""

    record: bytes
    """The headers and the wanted part of the content; empty if there are no valid headers."""
    bytes_read: int
    """Compressed bytes read so far."""
    damage: str | None = None


def salvage_records(path: str, start: int, max_content_bytes: int) -> Iterator[SalvagedRecord]:
    """Read the records of a file that was compressed as a whole, from the position `start` on."""
    with _DecompressedFile(path, start) as data:
        last = None
        while data.fill(1):
            yield (last := _salvage_next(data, max_content_bytes))
        if data.damage is not None and (last is None or last.damage != data.damage):
            yield SalvagedRecord(b"", data.bytes_read, data.damage)


def is_empty(path: str) -> bool:
    """True if a compressed file holds no data."""
    with _DecompressedFile(path, 0) as data:
        return not data.fill(1) and data.damage is None


def _salvage_next(data: _DecompressedFile, max_content_bytes: int) -> SalvagedRecord:
    start = data.position
    header_bytes = data.fill(_MAX_HEADER_BYTES).find(BLANK_LINE) + len(BLANK_LINE)
    if not data.buffer.startswith(WARC_MAGIC) or header_bytes < len(BLANK_LINE):
        data.seek_next_record(start)
        damage = f"damaged ({data.position - start:,} bytes that are not a record)"
        return SalvagedRecord(b"", data.bytes_read, damage)
    headers = bytes(data.buffer[:header_bytes])
    if (length := parse_record_length(headers)) is not None:
        wanted = min(length, header_bytes + max_content_bytes)
        record = bytes(data.fill(wanted)[:wanted])
        if data.pass_record(length, max_buffered=header_bytes + max_content_bytes):
            return SalvagedRecord(record, data.bytes_read)
    is_short = data.is_at_end
    data.seek_next_record(start + header_bytes)
    damage = CUT_OFF if is_short and not data.fill(1) else WRONG_LENGTH
    return SalvagedRecord(headers, data.bytes_read, damage)


class _DecompressedFile:
    """The decompressed data of a file, read forwards. Seeking backwards starts again at the beginning."""

    def __init__(self, path: str, start: int) -> None:
        self._path, self._start = path, start
        self.damage: str | None = None
        """Why the data ends, if the compression is damaged."""

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def _open(self) -> None:
        self.buffer, self.position, self.is_at_end = bytearray(), 0, False
        with ExitStack() as stack:
            self._file = stack.enter_context(open_binary(self._path))
            self._data = stack.enter_context(_open_decompressor(self._file, self._start))
            self._opened = stack.pop_all()

    @property
    def bytes_read(self) -> int:
        """Compressed bytes read so far."""
        return self._file.tell() - self._start

    def fill(self, size: int) -> bytearray:
        """Fill the buffer with `size` bytes from the position on, or with all that are left."""
        while len(self.buffer) < size and not self.is_at_end:
            try:
                chunk = self._data.read1(_WINDOW_BYTES)
            except Exception as error:
                if (reason := describe_damage(error)) is None:
                    raise
                chunk, self.damage = b"", self._describe_loss(error, reason)
            self.buffer += chunk
            self.is_at_end = not chunk
        return self.buffer

    def _describe_loss(self, error: Exception, reason: str) -> str:
        if isinstance(error, EOFError):
            return CUT_OFF
        position = self._file.tell()
        left = (file_size(self._path) or position) - position
        return f"damaged ({reason}; the content of {left:,} bytes from byte {position:,} on is lost)"

    def seek(self, position: int) -> None:
        if position < self.position:
            self._opened.close()
            self._open()
        while self.position < position and self.fill(1):
            passed = min(position - self.position, len(self.buffer))
            del self.buffer[:passed]
            self.position += passed

    def seek_next_record(self, position: int) -> None:
        """Go to the first record after a position, or to the end."""
        self.seek(position)
        while (index := self.fill(_WINDOW_BYTES).find(RECORD_BOUNDARY)) < 0 and self.buffer:
            self.seek(self.position + max(len(self.buffer) - len(RECORD_BOUNDARY), 1))
        self.seek(self.position + index + len(BLANK_LINE))

    def pass_record(self, size: int, max_buffered: int) -> bool:
        """Go past a record of this size and the line ends after it, if another record follows or nothing.

        A record larger than `max_buffered` is passed in either case.
        """
        if size > max_buffered:
            self.seek(goal := self.position + size)
            if self.position < goal:
                return False
            size = 0
        following = self.fill(size + _LOOKAHEAD_BYTES)[size : size + _LOOKAHEAD_BYTES]
        rest = following.lstrip(b"\r\n")
        ends_here = rest.startswith(WARC_MAGIC) or following.startswith(BLANK_LINE) or not following
        is_sound = len(self.buffer) >= size and ends_here
        if is_sound:
            self.seek(self.position + size + len(following) - len(rest))
        return is_sound


def _open_decompressor(file: BinaryIO, start: int) -> io.BufferedIOBase:
    compression = find_compression(file, start)
    file.seek(start)
    if compression == GZIP:
        return gzip.GzipFile(fileobj=file)
    return io.BufferedReader(ZstandardFile(file) if compression == ZSTANDARD else cast(io.RawIOBase, file))
