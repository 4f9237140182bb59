"""Where items come from: a file of this folder a kind of input.

An input is a piece that has not been cut. A source is a module with two functions:

    cut(whole, reading, limits, notes, after) -> Iterator[Piece]
        The pieces of an input, lazily and in order. `limits` gives, piece after piece, how many pages it may hold;
        `after` is the last piece that an earlier run has cut: go on behind it. Runs in the run's own process, in a
        thread: it should not parse pages. What of the input cannot be read goes to `notes`.

    read(piece, reading, notes) -> Iterator[Item]
        The items of a piece, lazily, always the same in the same order. Runs in a worker. What is no page is counted
        in `notes`; a page that cannot be read is an item with an `error`.

and, where it is not the size of the file at `whole.path`, `size(whole, reading) -> int | None`, what the sizes of all
pieces will come to, if that can be told at once; and `stop()`, where `cut` may wait for something: called from another
thread when no more pieces are wanted, it makes `cut` raise. `SOURCES` says which kind an argument is.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Protocol, cast

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.named import named
from duramen.batch.settings import Reading


class Source(Protocol):
    """What a module of this folder offers."""

    def cut(
        self, whole: Piece, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None
    ) -> Iterator[Piece]: ...

    def read(self, piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]: ...


class Table(Source, Protocol):
    """One with pages in a column also says which columns an input has, none where that cannot be told."""

    def columns(self, whole: Piece, reading: Reading) -> list[str]: ...


# By the name. A folder is known by being one; any other file is a page.
SOURCES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"https?://", re.IGNORECASE), "addresses"),
    (re.compile(r".*\.warc(\.gz|\.zst)?$", re.IGNORECASE | re.DOTALL), "warc"),
    (re.compile(r".*\.(jsonl|ndjson)(\.gz|\.zst)?$", re.IGNORECASE | re.DOTALL), "jsonl"),
    (re.compile(r".*\.parquet$", re.IGNORECASE | re.DOTALL), "parquet"),
)
_MAY_HOLD_ADDRESSES = re.compile(r".*\.(txt|urls|xml|rss|atom|rdf|json)(\.gz|\.zst)?$", re.IGNORECASE | re.DOTALL)
_TOGETHER = {"files", "addresses"}
TABLES = ("jsonl", "parquet")
"""The kinds that have columns."""


def kind_of(argument: str) -> str:
    """The kind of source that reads what is named so: `files`, a page each, where no other does."""
    if os.path.isdir(argument):
        return "folder"
    return next((kind for pattern, kind in SOURCES if pattern.match(argument)), "files")


def _kind_of_argument(argument: str) -> str:
    """The same; but a file that is named, and that holds addresses, stands for these. A file in a folder does not:
    whoever names a folder means no downloads."""
    kind = kind_of(argument)
    if kind == "files" and _MAY_HOLD_ADDRESSES.match(argument):
        from duramen.batch.seeds import holds_addresses

        return "addresses" if holds_addresses(argument) else kind
    return kind


def source(kind: str) -> Source:
    """The source of that kind."""
    return cast(Source, importlib.import_module(f"{__name__}.{kind}"))


def table(kind: str) -> Table:
    """The source of that kind, one of `TABLES`."""
    return cast(Table, source(kind))


def inputs_of(arguments: Sequence[str]) -> list[Piece]:
    """The inputs that a command names, each once; pages and addresses that follow one another are one input."""
    inputs: list[Piece] = []
    known = named(arguments)
    for kind, group in groupby(known.once, key=_kind_of_argument):
        if kind in _TOGETHER:
            inputs.append(Piece(kind, "", names=tuple(group)))
        else:
            inputs.extend(Piece(kind, argument, names=tuple(known.within.get(argument, ()))) for argument in group)
    return inputs


def growing(begun: int = 0) -> Iterator[int]:
    """How many pages the pieces may hold: few at first, so that a small input keeps every worker busy, and more as the
    input goes on, so that a large one does not end in a hundred thousand shards. It depends on nothing but the number
    of pieces before."""
    while True:
        yield min(_FIRST + _MORE * begun, _MOST)
        begun += 1


_FIRST, _MORE, _MOST = 32, 4, 2048
PAGE_BYTES = 64_000
"""What a page is taken to weigh where pieces are cut by size: about the mean of a crawl."""
