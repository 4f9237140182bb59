"""Where items come from: a file of this folder a kind of input.

A source is a module with two functions:

    cut(path, reading, limits, notes, after) -> Iterator[Piece]
        The pieces of an input, lazily and in order. `limits` gives, piece after piece, how many pages it may hold;
        `after` is the last piece that an earlier run has cut: go on behind it. Runs in the run's own process, in a
        thread: it should not parse pages. What of the input cannot be read goes to `notes`.

    read(piece, reading, notes) -> Iterator[Item]
        The items of a piece, lazily, always the same in the same order. Runs in a worker. What is no page is counted
        in `notes`; a page that cannot be read is an item with an `error`.

`SOURCES` says which kind an argument is.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Protocol, cast

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.settings import Reading


class Source(Protocol):
    """What a module of this folder offers."""

    def cut(
        self, path: str, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None
    ) -> Iterator[Piece]: ...

    def read(self, piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]: ...


# By the end of the name. What fits none and is a folder is walked through; any other file is a page.
SOURCES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\.warc(\.gz|\.zst)?$", re.IGNORECASE), "warc"),
    (re.compile(r"\.(jsonl|ndjson)(\.gz|\.zst)?$", re.IGNORECASE), "jsonl"),
    (re.compile(r"\.parquet$", re.IGNORECASE), "parquet"),
)


def kind_of(path: str) -> str:
    """The kind of source that reads a file of this name: `files` where no other does."""
    return next((kind for pattern, kind in SOURCES if pattern.search(path)), "files")


def source(kind: str) -> Source:
    """The source of that kind."""
    return cast(Source, importlib.import_module(f"{__name__}.{kind}"))


def growing(begun: int = 0) -> Iterator[int]:
    """How many pages the pieces may hold: few at first, so that a small input keeps every worker busy, and more as the
    input goes on, so that a large one does not end in a hundred thousand shards. It depends on nothing but the number
    of the piece: the same input is always cut alike."""
    while True:
        yield min(_FIRST + _MORE * begun, _MOST)
        begun += 1


_FIRST, _MORE, _MOST = 32, 8, 2048
PAGE_BYTES = 64_000
"""What a page is taken to weigh where pieces are cut by size: about the mean of a crawl."""
