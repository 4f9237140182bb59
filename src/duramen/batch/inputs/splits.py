"""Pages of an input, and splits: parts of an input that can be read on their own.

A split is a range of a WARC, some lines, or some files. Reading a split always gives the same pages in the same order,
so that another process or machine can process it, and process it again after a crash. A split is a short description
without the pages, and is stored as JSON in the plan of a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class InputPage:
    """A page to extract, with what the input says about it. If it could not be read, `error` says why."""

    source: str
    """The file that holds the page, as it was named."""
    position: int = 0
    """A byte of a WARC (as in its index) or of decompressed JSON Lines, a row of Parquet, 0 in a file of one page."""
    body: bytes | str = field(default=b"", repr=False)
    url: str | None = None
    content_type: str | None = None
    """The HTTP header, with its charset."""
    status: int | None = None
    date: str | None = None
    """The time of the download, in ISO 8601."""
    error: str | None = None
    """`kind: sentence`, as in a row."""
    bytes_read: int | None = None
    """Bytes of the split read so far, where the position does not say."""


@dataclass(frozen=True, slots=True)
class Split:
    """A part of an input, read by the input module of its kind. A whole input is a split as well."""

    kind: str
    path: str
    start: int = 0
    stop: int | None = None
    """The start of the next split; None for the end of the input."""
    names: tuple[str, ...] = ()
    """Files or URLs, where the split is not a range. For a folder: the files to leave out, which are other inputs."""
    size: int = 0
    """Bytes of the input, for the progress."""
    data: bytes | None = field(default=None, repr=False, compare=False)
    """The bytes from start to stop, where they were at hand and reading them again is expensive. Optional."""
    unreadable: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)
    """Errors of pages whose reading failed unexpectedly or killed a worker, by index. Reading skips these pages and
    gives pages with the error instead."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields that define the split. Their names are part of the format of the plan."""
        return {
            "kind": self.kind,
            "path": self.path,
            "start": self.start,
            "stop": self.stop,
            "names": list(self.names),
            "size": self.size,
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Split:
        return cls(saved["kind"], saved["path"], saved["start"], saved["stop"], tuple(saved["names"]), saved["size"])


@dataclass(slots=True)
class InputNotes:
    """What an input module reports besides pages."""

    skipped: Counter[str] = field(default_factory=Counter)
    """Records that are not pages, by kind: revisit, not HTML, …"""
    problems: list[str] = field(default_factory=list)
    """Parts of the input that could not be read, one sentence each."""
    visited_files: list[str] = field(default_factory=list)
    """Files of a folder that have splits of their own, perhaps none."""

    def skip(self, kind: str, number: int = 1) -> None:
        self.skipped[kind] += number

    def add_problem(self, sentence: str) -> None:
        self.problems.append(sentence)

    def add_empty_file(self, path: str) -> None:
        """Report an empty file, which is most often one that was not completely written."""
        self.add_problem(f"{path} is empty: there are no pages in it")

    def clear(self) -> None:
        """Forget all notes, because the input is read again."""
        self.skipped.clear()
        self.problems.clear()
        self.visited_files.clear()
