"""A piece in, a shard out, whole or not at all.

Row after row goes to a file of plain lines as soon as it is there; when a worker is lost in the middle, the next one
goes on behind the last whole line. At the end the lines are packed aside, on disk before the shard gets its name; where
lines are what was asked for, they are the shard.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from io import RawIOBase
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.place import Place
from duramen.batch.row import Row
from duramen.batch.settings import Settings
from duramen.batch.sinks import LINES, sink
from duramen.batch.sources import source
from duramen.batch.texts import write_texts
from duramen.batch.work import TOO_LITTLE_MEMORY, blank_row, extract_row, is_lack_of_memory
from duramen.errors import DuramenError


@dataclass(frozen=True)
class Job:
    """A piece to be done, and what is known of earlier attempts at it."""

    number: int
    piece: Piece
    failed: Mapping[int, str] = field(default_factory=dict)
    """Errors by the index of the item that a worker was lost with: these are not tried again."""
    lost: Mapping[int, str] = field(default_factory=dict)
    """Errors by the index of the item that a worker was lost with while reading it: these are passed over."""
    unread: int | None = None
    """The index of the item that cannot even be passed over: the piece ends there."""


@dataclass(frozen=True)
class Outcome:
    """What became of a piece: a line of the journal."""

    number: int
    rows: int = 0
    empty: int = 0
    """Rows of pages on which nothing was found."""
    bytes: int = 0
    size: int = 0
    errors: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self:
        return cls(**{**saved, "problems": tuple(saved["problems"])})


class Watch(Protocol):
    """Is told what a worker is at."""

    def read(self, index: int) -> None: ...
    def extract(self, index: int, share: float) -> None:
        """The item of that index, with so much of the piece before it."""

    def done(self, size: int, failed: bool) -> None: ...
    def pack(self) -> None: ...


@dataclass
class Tally:
    """The counts of a shard's rows."""

    rows: int = 0
    empty: int = 0
    bytes: int = 0
    errors: Counter[str] = field(default_factory=Counter)

    def add(self, error: str | None, text: str | None, size: int) -> None:
        self.rows += 1
        self.bytes += size
        if error is not None:
            self.errors[kind_of_error(error)] += 1
        elif not text:
            self.empty += 1


def kind_of_error(error: str) -> str:
    """The word before the colon."""
    return error.partition(":")[0]


def make_shard(job: Job, settings: Settings, place: Place, attempt: str, watch: Watch | None = None) -> Outcome:
    """Do a piece and give the shard its name. An `OSError` is one of writing: a full disk, a folder that is gone.

    `attempt` is a word of this run's own: what a run that was killed has left behind is not gone on with, since a
    worker of it may not yet have noticed.
    """
    lines = place.work / f"{job.number:05}.{attempt}.lines"
    tally, notes = Tally(), Notes()
    with open(lines, "a+b", buffering=0) as file:
        _recover(file, tally)
        for row in _rows(job, settings, notes, tally.rows, watch):
            write_all(file, row.as_line())
            tally.add(row.error, row.text, row.bytes)
            if watch is not None:
                watch.done(row.bytes, row.error is not None)
    if watch is not None:
        watch.pack()
    _pack(lines, place, job.number)
    return Outcome(
        job.number,
        tally.rows,
        tally.empty,
        tally.bytes,
        job.piece.size,
        dict(tally.errors),
        dict(notes.skipped),
        tuple(notes.problems),
    )


def _rows(job: Job, settings: Settings, notes: Notes, done: int, watch: Watch | None) -> Iterator[Row]:
    for index, item in enumerate(_items(job, settings, notes, watch)):
        if index < done:
            continue
        if watch is not None:
            watch.extract(index, _share(job.piece, index, item))
        if (error := job.failed.get(index)) is not None:
            yield replace(blank_row(item, settings), error=error)
        else:
            yield _row(item, settings)


def _share(piece: Piece, index: int, item: Item) -> float:
    """How much of a piece stands before an item, from 0 to 1; 0 where nobody knows where the piece ends."""
    if piece.names:
        return index / len(piece.names)
    if item.read is not None and piece.size:
        return min(item.read / piece.size, 1.0)
    if piece.stop is None or piece.stop <= piece.start:
        return 0.0
    return min(max((item.position - piece.start) / (piece.stop - piece.start), 0.0), 1.0)


def _row(item: Item, settings: Settings) -> Row:
    """The row of an item, also where a method wants to end the process: a worker is not the method's to end.

    Not in `extract_row`: in a program of somebody else's, Ctrl-C and `sys.exit` are meant.
    """
    try:
        return extract_row(item, settings)
    except Exception:
        raise
    except BaseException as error:
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        return replace(blank_row(item, settings), error=f"crash: the method raised {what}")


def _items(job: Job, settings: Settings, notes: Notes, watch: Watch | None) -> Iterator[Item]:
    """The items of a piece. Where reading fails for a reason that no source foresaw, it begins again and passes over
    that item; where it fails again, the piece ends."""
    piece = replace(job.piece, lost=dict(job.lost))
    read = source(piece.kind).read
    items = islice(read(piece, settings.reading, notes), job.unread)
    index = 0
    while True:
        if watch is not None:
            watch.read(index)
        try:
            item = next(items, None)
        except DuramenError as error:
            notes.problem(f"{error}")
            return
        except Exception as error:
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            if index in piece.lost:
                notes.problem(f"{piece.path}: reading stopped in a piece at {piece.start:,}: {what}")
                return
            lost = TOO_LITTLE_MEMORY if is_lack_of_memory(error) else f"unreadable: unexpected {what}"
            piece = replace(piece, lost={**piece.lost, index: lost})
            notes.clear()
            items = islice(read(piece, settings.reading, notes), index, job.unread)
            continue
        if item is None:
            break
        yield item
        index += 1
    if job.unread is not None:
        notes.problem(f"{piece.path}: reading broke a worker, after {job.unread} pages of a piece at {piece.start:,}")


def _recover(file: RawIOBase, tally: Tally) -> None:
    """Count the whole lines that are there, and cut off one that is not."""
    file.seek(0)
    whole = 0
    with open(file.fileno(), "rb", closefd=False) as buffered:
        for line in buffered:
            if not line.endswith(b"\n"):
                break
            row = json.loads(line)
            tally.add(row["error"], row["text"], row["bytes"])
            whole += len(line)
    file.truncate(whole)


def write_all(file: RawIOBase, data: bytes) -> None:
    """All of it: an unbuffered file may take less at a time."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) or 0 :]


def _pack(lines: Path, place: Place, number: int) -> None:
    if place.ending == LINES and place.texts is None and lines.parent == place.shards:
        with open(lines, "r+b") as written:
            os.fsync(written.fileno())
        os.replace(lines, place.shard(number))
        sync_folder(place.shards)
        return

    def pack(file: BinaryIO) -> None:
        with open(lines, "rb") as rows:
            packed = rows if place.texts is None else write_texts(rows, place.texts, place.root)
            sink(place.ending).pack(packed, file)

    write_whole(place.shard(number), pack)
    lines.unlink()


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """A file that has its name only when all of it is on the disk."""
    aside = path.with_name(f"{path.name}.{os.urandom(4).hex()}.part")
    try:
        with open(aside, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:  # a write does not say to what
            error.filename = str(path)
        with suppress(OSError):  # the first error is the one to tell
            aside.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Put the names of a folder on the disk, where the system knows how."""
    with suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
