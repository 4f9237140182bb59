"""What a source gives and what it is cut into: items, and the pieces that hold them.

An *item* is one page with where it came from. A *piece* is a part of an input that can be read by itself: a range of a
WARC, some lines, some files. Whoever reads a piece, whenever and however often, gets the same items in the same order;
so a piece can be handed to another process or machine, and done again after a crash. A piece is a short description,
not the pages themselves, and becomes JSON in a run's plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Item:
    """One page to come, with what is known of it; where there is no page, `error` says why, and a row will."""

    source: str
    """The file it stands in, as it was named."""
    position: int = 0
    """Where in that file: a byte in a WARC (as in its index) or in unpacked JSONL, a row in Parquet; 0 in a page."""
    body: bytes | str = field(default=b"", repr=False)
    url: str | None = None
    content_type: str | None = None
    """The HTTP header, with its charset."""
    status: int | None = None
    date: str | None = None
    """When it was fetched, in ISO 8601."""
    error: str | None = None
    """`kind: sentence`, as in a row."""
    read: int | None = None
    """How many bytes of its piece had been read to find it, where its position does not tell."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an input, read by the source of that kind."""

    kind: str
    path: str
    start: int = 0
    stop: int | None = None
    """Where the next piece starts; None for the end of the input."""
    names: tuple[str, ...] = ()
    """The files or addresses it is made of, where it is not a range; of a folder, what is read elsewhere."""
    size: int = 0
    """The bytes of the input that it stands for: what progress is measured by."""
    data: bytes | None = field(default=None, repr=False, compare=False)
    """The bytes between start and stop, where the one who cut had them in hand and reading again would be costly.
    Never needed: without it they are read again."""
    lost: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)
    """Errors by the index of items whose reading has failed in a way that nobody foresaw, or has cost a worker: they
    are not read again, and an item with the error stands in their place."""

    def as_dict(self) -> dict[str, Any]:
        """What makes this piece, without its data."""
        known: dict[str, Any] = {"kind": self.kind, "path": self.path, "start": self.start, "stop": self.stop}
        return known | {"names": list(self.names), "size": self.size}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Piece:
        return cls(saved["kind"], saved["path"], saved["start"], saved["stop"], tuple(saved["names"]), saved["size"])


@dataclass(slots=True)
class Notes:
    """What a source has to say beside its items."""

    skipped: Counter[str] = field(default_factory=Counter)
    """How many records were no pages, by kind: revisit, not HTML, …"""
    problems: list[str] = field(default_factory=list)
    """What of the input could not be read, a sentence each."""
    met: list[str] = field(default_factory=list)
    """Files in a folder that are cut into pieces of their own, perhaps into none."""

    def skip(self, kind: str, number: int = 1) -> None:
        self.skipped[kind] += number

    def problem(self, sentence: str) -> None:
        self.problems.append(sentence)

    def empty(self, path: str) -> None:
        """A file that holds nothing is most often one that was not written to its end."""
        self.problem(f"{path} is empty: there are no pages in it")

    def clear(self) -> None:
        """As if nothing had been noted: what follows is read again."""
        self.skipped.clear()
        self.problems.clear()
        self.met.clear()
