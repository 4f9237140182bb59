"""Downloads kept as WARC (ISO 28500), so that a crawl can be extracted again, and goes on where it was when killed.

A page is a `response` record: its headers as they came, its body unpacked, for readers that do not unpack (the headers
that no longer fit are kept under `X-Archive-Orig-`). Redirects on the way to it are records of their own, without their
bodies, which nobody reads. An address that gave no page is a `metadata` record with the reason. The record that ends an
address says so in fields of ours, so the archive itself is the list of what is done:

    Duramen-Requested   the address as it was asked for, before redirects
    Duramen-Source      the list, feed or sitemap it was found in
    Duramen-Position    as its how-manieth
    Duramen-Error       why there is no page

Every record is a gzip member. A crawl is written in segments, `00000.warc.gz` and so on; the one at work is named
`.part`. Where a process was killed its last member may be torn; it is cut off, and nothing else is lost.
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

from duramen.batch.download.crawl import key
from duramen.batch.download.target import Answer, Outcome, Target, one_line, shown
from duramen.batch.locking import locked
from duramen.batch.sources.warc import ERROR
from duramen.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord, WarcRecordType

REQUESTED, SOURCE, POSITION = "Duramen-Requested", "Duramen-Source", "Duramen-Position"
LIST = "Duramen-List"

_UNTRUE = ("content-encoding", "transfer-encoding", "content-length")  # once a body is unpacked
_SEGMENT = re.compile(r"\d{5,}\.warc\.gz")
_PART = ".part"
_COMPLETE, _LOCK = "complete", "lock"
_GZIP = 16 + zlib.MAX_WBITS
_CHUNK = 1 << 18


class Segments:
    """The folder in which a crawl is written, segment by segment. One process at a time writes in it."""

    def __init__(self, folder: Path, software: str) -> None:
        _fastwarc()
        self.folder = folder
        self._software = software
        self._file: BinaryIO | None = None
        self._path: Path | None = None
        self.pages = 0
        """Addresses that ended in the segment at work."""
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = locked(folder / _LOCK, f"another run is downloading into {folder} now: wait for it")
        self._take_up()

    @property
    def is_complete(self) -> bool:
        return (self.folder / _COMPLETE).exists()

    def finished(self) -> list[Path]:
        """The segments that nothing will be added to, in their order."""
        return segments_of(self.folder)

    def done(self) -> set[bytes]:
        """The keys of all addresses that ended here."""
        files = self.finished()
        if self._path is not None:
            files.append(self._path)
        return {key(url, is_list=is_list) for file in files for url, is_list in _ended(file)}

    def add(self, outcome: Outcome) -> None:
        """Write what became of an address. It is safe from the end of this process when this returns."""
        if self._file is None:
            self._begin()
        assert self._file is not None
        self._file.write(b"".join(_records(outcome)))
        self._file.flush()
        self.pages += 1

    def finish(self) -> Path:
        """End the segment at work, on the disk and under its name."""
        assert self._file is not None
        assert self._path is not None
        os.fsync(self._file.fileno())
        self._file.close()
        name = self._path.with_name(self._path.name.removesuffix(_PART))
        self._path.rename(name)
        self._file, self._path, self.pages = None, None, 0
        return name

    def complete(self) -> None:
        """Note that there is nothing left to download."""
        (self.folder / _COMPLETE).touch()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the segment at work as it is, to be taken up again."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._lock.close()

    def _begin(self) -> None:
        finished = self.finished()
        number = int(finished[-1].name.partition(".")[0]) + 1 if finished else 0
        self._path = self.folder / f"{number:05}.warc.gz{_PART}"
        self._file = self._path.open("wb")
        self._file.write(_warcinfo(self._software))

    def _take_up(self) -> None:
        """Go on with the segment that an earlier process was writing."""
        for path in sorted(self.folder.glob(f"*.warc.gz{_PART}")):
            with path.open("r+b") as file:
                file.truncate(whole_members(file))
            self._path = path
            self.pages = sum(1 for _ in _ended(path))
            self._file = path.open("ab")
            if not path.stat().st_size:
                self._file.write(_warcinfo(self._software))


def segments_of(folder: Path) -> list[Path]:
    """The finished segments in a folder, in their order."""
    names = (entry for entry in os.listdir(folder) if _SEGMENT.fullmatch(entry))
    return [folder / name for name in sorted(names, key=lambda name: (len(name), name))]


def whole_members(file: BinaryIO) -> int:
    """Where the last gzip member that is all there ends."""
    whole = read = 0
    unpacking = zlib.decompressobj(_GZIP)
    rest = b""
    while chunk := rest or file.read(_CHUNK):
        read += 0 if rest else len(chunk)
        rest = b""
        try:
            pending = chunk
            while pending and not unpacking.eof:
                unpacking.decompress(pending, _CHUNK)
                pending = unpacking.unconsumed_tail
        except zlib.error:
            return whole
        if unpacking.eof:
            rest = unpacking.unused_data
            whole = read - len(rest)
            unpacking = zlib.decompressobj(_GZIP)
    return whole


def join(segments: list[Path], target: Path) -> None:
    """Make one WARC of segments: gzip members are joined by writing them one behind the other."""
    aside = target.with_name(f"{target.name}{_PART}")
    with aside.open("wb") as whole:
        for path in segments:
            with path.open("rb") as part:
                shutil.copyfileobj(part, whole, _CHUNK)
        whole.flush()
        os.fsync(whole.fileno())
    aside.replace(target)


def remove(folder: Path) -> None:
    """Remove what a crawl wrote into its folder, and the folder if nothing else is in it."""
    for path in [*folder.glob("*.warc.gz"), *folder.glob(f"*.warc.gz{_PART}"), folder / _COMPLETE, folder / _LOCK]:
        path.unlink(missing_ok=True)
    with suppress(OSError):  # somebody has put something there
        folder.rmdir()


def _ended(path: Path) -> Iterator[tuple[str, bool]]:
    """The addresses that ended in a segment, and whether they are lists."""
    from fastwarc.warc import ArchiveIterator

    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                requested = record.headers.get(REQUESTED)
                if requested is not None:
                    yield requested, record.headers.get(LIST) is not None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error}): remove its folder to download anew") from error


def _records(outcome: Outcome) -> Iterator[bytes]:
    from fastwarc.warc import WarcRecordType

    page = outcome.page
    for answer in outcome.answers:
        record = _record(WarcRecordType.response, answer.url, answer)
        if answer is page:
            _tell(record, outcome.target)
        elif not answer.body:
            record.headers["WARC-Truncated"] = "unspecified"
        record.set_bytes_content(_http(answer))
        yield _packed(record)
    if page is None:
        record = _record(WarcRecordType.metadata, shown(outcome.target.url), None)
        record.headers["Content-Type"] = "application/warc-fields"
        _tell(record, outcome.target)
        record.headers[ERROR] = one_line(outcome.error or "download: nothing came")
        record.set_bytes_content(f"fetchError: {one_line(outcome.error or '')}\r\n".encode())
        yield _packed(record)


def _record(kind: WarcRecordType, url: str, answer: Answer | None) -> WarcRecord:
    from fastwarc.warc import WarcRecord

    record = WarcRecord()
    record.init_headers(kind)
    if "://" in url:  # a list here has none
        record.headers["WARC-Target-URI"] = url
    if answer is not None:
        record.headers["Content-Type"] = "application/http; msgtype=response"
        record.headers["WARC-Date"] = answer.date.strftime("%Y-%m-%dT%H:%M:%SZ")
    return record


def _tell(record: WarcRecord, target: Target) -> None:
    record.headers[REQUESTED] = shown(target.url)
    record.headers[SOURCE] = one_line(target.source)
    record.headers[POSITION] = str(target.position)
    if target.is_list:
        record.headers[LIST] = "yes"


def _http(answer: Answer) -> bytes:
    """The answer as HTTP, true to its body."""
    lines = [f"HTTP/1.1 {answer.status} {answer.reason}".rstrip()]
    for name, value in answer.headers:
        prefix = "X-Archive-Orig-" if name.lower() in _UNTRUE else ""
        lines.append(f"{prefix}{name}: {' '.join(value.splitlines())}")
    lines.append(f"Content-Length: {len(answer.body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + answer.body


def _warcinfo(software: str) -> bytes:
    from fastwarc.warc import WarcRecord, WarcRecordType

    record = WarcRecord()
    record.init_headers(WarcRecordType.warcinfo)
    record.headers["Content-Type"] = "application/warc-fields"
    record.set_bytes_content(f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode())
    return _packed(record)


def _packed(record: WarcRecord) -> bytes:
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    packing = zlib.compressobj(wbits=_GZIP)
    return packing.compress(plain.getbuffer()) + packing.flush()


def _fastwarc() -> None:
    try:
        import fastwarc  # noqa: F401
    except ImportError:
        raise MissingExtraError("fastwarc", "warc") from None
