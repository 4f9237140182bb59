"""Downloads stored as WARC (ISO 28500), so that a crawl can be extracted again and a killed one can be resumed.

A page is a `response` record with its headers as received and its body decompressed, for readers that do not decompress
(headers that are no longer true are kept with the prefix `X-Archive-Orig-`). Redirects on the way to it are records of
their own, without bodies. A URL that gave no page is a `metadata` record with the reason. The last record of a URL has
fields of duramen, so that the archive itself lists what is done:

    Duramen-Requested   the URL as requested, before redirects
    Duramen-Source      the list, feed or sitemap it was found in
    Duramen-Position    its number there
    Duramen-Error       why there is no page
    Duramen-List        present if the URL is itself a list

Every record is a gzip member. A crawl is written in segments, `00000.warc.gz` and so on; the one in progress ends in
`.part`. If a process is killed, its last member may be incomplete; it is removed, and nothing else is lost.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

from duramen.batch.crawl.crawler import make_url_key
from duramen.batch.crawl.messages import FetchResult, FetchTarget, HttpResponse, printable_url, quote_unprintable
from duramen.batch.inputs.warc.reader import ERROR_FIELD
from duramen.errors import InputError, MissingExtraError
from duramen.files import lock_file, write_atomically

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord, WarcRecordType

REQUESTED, SOURCE, POSITION, LIST = "Duramen-Requested", "Duramen-Source", "Duramen-Position", "Duramen-List"
"""Names of WARC fields."""

_OUTDATED_HEADERS = ("content-encoding", "transfer-encoding", "content-length")  # after decompression
_SEGMENT_NAME = re.compile(r"\d{5,}\.warc\.gz")
_PART_SUFFIX = ".part"
_COMPLETE_FILE, _LOCK_FILE = "complete", "lock"
_GZIP_WBITS = 16 + zlib.MAX_WBITS
_READ_BYTES = 1 << 18


class WarcSegments:
    """The folder of a crawl's segments. One process at a time writes to it."""

    def __init__(self, folder: Path, software: str) -> None:
        _check_fastwarc()
        self.folder = folder
        self._software = software
        self._file: BinaryIO | None = None
        self._path: Path | None = None
        self.pages = 0
        """URLs with a result in the segment in progress."""
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = lock_file(folder / _LOCK_FILE, f"another run is downloading into {folder}: wait for it")
        self._resume()

    @property
    def is_complete(self) -> bool:
        return (self.folder / _COMPLETE_FILE).exists()

    def finished(self) -> list[Path]:
        """Return the finished segments, in order."""
        return list_segments(self.folder)

    def find_done(self) -> set[bytes]:
        """Return the keys of all URLs that have a result."""
        files = self.finished()
        if self._path is not None:
            files.append(self._path)
        return {make_url_key(url, is_list=is_list) for file in files for url, is_list in _read_done_urls(file)}

    def add(self, result: FetchResult) -> None:
        """Write a result. After this it survives the end of the process."""
        if self._file is None:
            self._start_segment()
        assert self._file is not None
        self._file.write(b"".join(_make_records(result)))
        self._file.flush()
        self.pages += 1

    def finish(self) -> Path:
        """Finish the segment in progress: sync it and give it its name."""
        assert self._file is not None
        assert self._path is not None
        os.fsync(self._file.fileno())
        self._file.close()
        name = self._path.with_name(self._path.name.removesuffix(_PART_SUFFIX))
        self._path.rename(name)
        self._file, self._path, self.pages = None, None, 0
        return name

    def mark_complete(self) -> None:
        """Record that nothing is left to download."""
        (self.folder / _COMPLETE_FILE).touch()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the segment in progress, so that it can be resumed."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._lock.close()

    def _start_segment(self) -> None:
        finished = self.finished()
        number = int(finished[-1].name.partition(".")[0]) + 1 if finished else 0
        self._path = self.folder / f"{number:05}.warc.gz{_PART_SUFFIX}"
        self._file = self._path.open("wb")
        self._file.write(_make_warcinfo(self._software))

    def _resume(self) -> None:
        """Continue the segment that an earlier process was writing."""
        for path in sorted(self.folder.glob(f"*.warc.gz{_PART_SUFFIX}")):
            with path.open("r+b") as file:
                file.truncate(find_complete_end(file))
            self._path = path
            self.pages = sum(1 for _ in _read_done_urls(path))
            self._file = path.open("ab")
            if not path.stat().st_size:
                self._file.write(_make_warcinfo(self._software))


def list_segments(folder: Path) -> list[Path]:
    """Return the finished segments of a folder, in order."""
    names = (entry for entry in os.listdir(folder) if _SEGMENT_NAME.fullmatch(entry))
    return [folder / name for name in sorted(names, key=lambda name: (len(name), name))]


def find_complete_end(file: BinaryIO) -> int:
    """Return the end of the last complete gzip member."""
    complete = read = 0
    decompressor = zlib.decompressobj(_GZIP_WBITS)
    rest = b""
    while chunk := rest or file.read(_READ_BYTES):
        read += 0 if rest else len(chunk)
        rest = b""
        try:
            pending = chunk
            while pending and not decompressor.eof:
                decompressor.decompress(pending, _READ_BYTES)
                pending = decompressor.unconsumed_tail
        except zlib.error:
            return complete
        if decompressor.eof:
            rest = decompressor.unused_data
            complete = read - len(rest)
            decompressor = zlib.decompressobj(_GZIP_WBITS)
    return complete


def join_segments(segments: list[Path], target: Path) -> None:
    """Join segments into one WARC: gzip members may be concatenated."""

    def write(file: BinaryIO) -> None:
        for path in segments:
            with path.open("rb") as segment:
                shutil.copyfileobj(segment, file, _READ_BYTES)

    write_atomically(target, write)


def remove_segments(folder: Path) -> None:
    """Remove the files of a crawl, and its folder if it is empty then."""
    for path in [
        *folder.glob("*.warc.gz"),
        *folder.glob(f"*.warc.gz{_PART_SUFFIX}"),
        folder / _COMPLETE_FILE,
        folder / _LOCK_FILE,
    ]:
        path.unlink(missing_ok=True)
    with suppress(OSError):  # it holds other files
        folder.rmdir()


def _read_done_urls(path: Path) -> Iterator[tuple[str, bool]]:
    """Give the URLs with a result in a segment, and whether they are lists."""
    from fastwarc.warc import ArchiveIterator

    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                requested = record.headers.get(REQUESTED)
                if requested is not None:
                    yield requested, record.headers.get(LIST) is not None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error}): remove its folder to download again") from error


def _make_records(result: FetchResult) -> Iterator[bytes]:
    from fastwarc.warc import WarcRecordType

    page = result.page
    for response in result.responses:
        record = _make_record(WarcRecordType.response, response.url, response)
        if response is page:
            _add_target_fields(record, result.target)
        elif not response.body:
            record.headers["WARC-Truncated"] = "unspecified"
        record.set_bytes_content(_format_http(response))
        yield _compress(record)
    if page is None:
        record = _make_record(WarcRecordType.metadata, printable_url(result.target.url), None)
        record.headers["Content-Type"] = "application/warc-fields"
        _add_target_fields(record, result.target)
        record.headers[ERROR_FIELD] = quote_unprintable(result.error or "download: no response")
        record.set_bytes_content(f"fetchError: {quote_unprintable(result.error or '')}\r\n".encode())
        yield _compress(record)


def _make_record(kind: WarcRecordType, url: str, response: HttpResponse | None) -> WarcRecord:
    from fastwarc.warc import WarcRecord

    record = WarcRecord()
    record.init_headers(kind)
    if "://" in url:  # a local list has no URL
        record.headers["WARC-Target-URI"] = url
    if response is not None:
        record.headers["Content-Type"] = "application/http; msgtype=response"
        record.headers["WARC-Date"] = response.date.strftime("%Y-%m-%dT%H:%M:%SZ")
    return record


def _add_target_fields(record: WarcRecord, target: FetchTarget) -> None:
    record.headers[REQUESTED] = printable_url(target.url)
    record.headers[SOURCE] = quote_unprintable(target.source)
    record.headers[POSITION] = str(target.position)
    if target.is_list:
        record.headers[LIST] = "yes"


def _format_http(response: HttpResponse) -> bytes:
    """Format a response as HTTP, with headers that fit the decompressed body."""
    lines = [f"HTTP/1.1 {response.status} {response.reason}".rstrip()]
    for name, value in response.headers:
        prefix = "X-Archive-Orig-" if name.lower() in _OUTDATED_HEADERS else ""
        lines.append(f"{prefix}{name}: {' '.join(value.splitlines())}")
    lines.append(f"Content-Length: {len(response.body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + response.body


def _make_warcinfo(software: str) -> bytes:
    from fastwarc.warc import WarcRecord, WarcRecordType

    record = WarcRecord()
    record.init_headers(WarcRecordType.warcinfo)
    record.headers["Content-Type"] = "application/warc-fields"
    record.set_bytes_content(f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode())
    return _compress(record)


def _compress(record: WarcRecord) -> bytes:
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    compressor = zlib.compressobj(wbits=_GZIP_WBITS)
    return compressor.compress(plain.getbuffer()) + compressor.flush()


def _check_fastwarc() -> None:
    try:
        import fastwarc  # noqa: F401
    except ImportError:
        raise MissingExtraError("fastwarc", "warc") from None
