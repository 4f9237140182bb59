"""Processing of one split into one shard, which appears complete or not at all.

Each row is appended to a file of plain lines as soon as it is ready. If a worker is lost, the next one continues after
the last complete line. At the end the lines are packed into a temporary file, which is synced and then renamed. Where
the output format is plain lines, the file of lines itself becomes the shard.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from io import RawIOBase
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self, cast

from duramen.batch.inputs import input_module
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.outputs.checksums import FileDigest, HashingWriter, compute_digest
from duramen.batch.outputs.formats import PLAIN_SUFFIX, get_output_format
from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.outputs.text_files import write_text_files
from duramen.batch.row import OUT_OF_MEMORY_ERROR, Row, extract_row, is_out_of_memory, make_blank_row
from duramen.batch.settings import RunSettings
from duramen.errors import DuramenError
from duramen.files import sync_folder, write_all, write_atomically


@dataclass(frozen=True)
class SplitJob:
    """A split to process, with what earlier attempts have shown."""

    number: int
    split: Split
    failed: Mapping[int, str] = field(default_factory=dict)
    """Errors of pages whose extraction has killed a worker, by index. They are not tried again."""
    unreadable: Mapping[int, str] = field(default_factory=dict)
    """Errors of pages whose reading has killed a worker, by index. They are skipped."""
    end_index: int | None = None
    """The index of a page that cannot even be skipped: the split ends before it."""


@dataclass(frozen=True)
class ShardResult:
    """Counts of a finished shard: one line of the journal. The field names are part of the file format."""

    number: int
    rows: int = 0
    empty: int = 0
    """Rows of pages on which no content was found."""
    bytes: int = 0
    size: int = 0
    errors: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    shard_bytes: int | None = None
    shard_sha256: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self:
        return cls(**{**saved, "problems": tuple(saved["problems"])})


class ShardProgress(Protocol):
    """Receives what a worker is doing."""

    def read(self, index: int) -> None:
        """Called before the page of this index is read."""

    def extract(self, index: int, share: float) -> None:
        """Called before the page of this index is extracted; `share` of the split comes before it."""

    def page_done(self, size: int, failed: bool) -> None: ...
    def pack(self) -> None: ...


@dataclass
class _RowCounts:
    rows: int = 0
    empty: int = 0
    bytes: int = 0
    errors: Counter[str] = field(default_factory=Counter)

    def add(self, error: str | None, text: str | None, size: int) -> None:
        self.rows += 1
        self.bytes += size
        if error is not None:
            self.errors[error.partition(":")[0]] += 1  # the kind of the error
        elif not text:
            self.empty += 1


def make_shard(
    job: SplitJob,
    settings: RunSettings,
    layout: OutputLayout,
    attempt: str,
    progress: ShardProgress | None = None,
) -> ShardResult:
    """Process a split and give the shard its name. An `OSError` is one of writing, such as a full disk.

    `attempt` is unique to this run of the command: the lines of a killed run are not continued, because one of its
    workers may still be writing.
    """
    lines = layout.lines_path(job.number, attempt)
    counts, notes = _RowCounts(), InputNotes()
    with open(lines, "a+b", buffering=0) as file:
        _recover(file, counts)
        for row in _make_rows(job, settings, notes, counts.rows, progress):
            write_all(file, row.as_line())
            counts.add(row.error, row.text, row.bytes)
            if progress is not None:
                progress.page_done(row.bytes, row.error is not None)
    if progress is not None:
        progress.pack()
    digest = _pack(lines, layout, job.number)
    return ShardResult(
        job.number,
        counts.rows,
        counts.empty,
        counts.bytes,
        job.split.size,
        dict(counts.errors),
        dict(notes.skipped),
        tuple(notes.problems),
        digest.bytes,
        digest.sha256,
    )


def _make_rows(
    job: SplitJob, settings: RunSettings, notes: InputNotes, finished: int, progress: ShardProgress | None
) -> Iterator[Row]:
    for index, page in enumerate(_read_pages(job, settings, notes, progress)):
        if index < finished:
            continue
        if progress is not None:
            progress.extract(index, _share_before(job.split, index, page))
        if (error := job.failed.get(index)) is not None:
            yield replace(make_blank_row(page, settings), error=error)
        else:
            yield _extract_row(page, settings)


def _share_before(split: Split, index: int, page: InputPage) -> float:
    """Return the share of a split before a page, from 0 to 1; 0 if the end of the split is unknown."""
    if split.names:
        return index / len(split.names)
    if page.bytes_read is not None and split.size:
        return min(page.bytes_read / split.size, 1.0)
    if split.stop is None or split.stop <= split.start:
        return 0.0
    return min(max((page.position - split.start) / (split.stop - split.start), 0.0), 1.0)


def _extract_row(page: InputPage, settings: RunSettings) -> Row:
    """Extract a row, also if the method tries to end the process.

    Not part of `extract_row`, because in other programs Ctrl-C and `sys.exit` must work.
    """
    try:
        return extract_row(page, settings)
    except Exception:
        raise
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}".rstrip(": ")
        return replace(make_blank_row(page, settings), error=f"crash: the method raised {reason}")


def _read_pages(
    job: SplitJob, settings: RunSettings, notes: InputNotes, progress: ShardProgress | None
) -> Iterator[InputPage]:
    """Read the pages of a split.

    After an unexpected error reading starts again and skips that page. If it fails there again, the split ends.
    """
    split = replace(job.split, unreadable=dict(job.unreadable))
    read = input_module(split.kind).read_pages
    pages = islice(read(split, settings.reading, notes), job.end_index)
    index = 0
    while True:
        if progress is not None:
            progress.read(index)
        try:
            page = next(pages, None)
        except DuramenError as error:
            notes.add_problem(f"{error}")
            return
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            if index in split.unreadable:
                notes.add_problem(f"{split.path}: reading stopped in a split at {split.start:,}: {reason}")
                return
            page_error = OUT_OF_MEMORY_ERROR if is_out_of_memory(error) else f"unreadable: unexpected {reason}"
            split = replace(split, unreadable={**split.unreadable, index: page_error})
            notes.clear()
            pages = islice(read(split, settings.reading, notes), index, job.end_index)
            continue
        if page is None:
            break
        yield page
        index += 1
    if job.end_index is not None:
        notes.add_problem(
            f"{split.path}: reading killed a worker, after {job.end_index} pages of a split at {split.start:,}"
        )


def _recover(file: RawIOBase, counts: _RowCounts) -> None:
    """Count the complete lines of an earlier worker, and remove an incomplete one."""
    file.seek(0)
    complete = 0
    with open(file.fileno(), "rb", closefd=False) as buffered:
        for line in buffered:
            if not line.endswith(b"\n"):
                break
            row = json.loads(line)
            counts.add(row["error"], row["text"], row["bytes"])
            complete += len(line)
    file.truncate(complete)


def _pack(lines: Path, layout: OutputLayout, number: int) -> FileDigest:
    """Turn the file of lines into the shard, and return its digest."""
    if layout.suffix == PLAIN_SUFFIX and layout.text_folder is None and lines.parent == layout.shard_folder:
        with open(lines, "r+b") as written:
            os.fsync(written.fileno())
            digest = compute_digest(written)
        os.replace(lines, layout.shard_path(number))
        sync_folder(layout.shard_folder)
        return digest
    digests = []

    def pack(file: BinaryIO) -> None:
        hashing = HashingWriter(file)
        with open(lines, "rb") as rows:
            packed = (
                rows if layout.text_folder is None else write_text_files(rows, layout.text_folder, layout.text_root)
            )
            get_output_format(layout.suffix).pack(packed, cast(BinaryIO, hashing))
        digests.append(hashing.digest)

    write_atomically(layout.shard_path(number), pack)
    lines.unlink(missing_ok=True)
    return digests[0]
