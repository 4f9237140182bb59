"""Inputs of a run: from arguments to inputs, and one module per kind of input.

A file that is named twice, or by itself and with its folder, is read once.

An input module has two functions:

    find_splits(whole, reading, limits, notes, after) -> Iterator[Split]
        Give the splits of a whole input, lazily and in order. `limits` gives the maximum number of pages of each
        split. `after` is the last split that an earlier run has planned: continue after it. Runs in a thread of the
        main process, so it should not parse pages. Unreadable parts of the input go to `notes`.

    read_pages(split, reading, notes) -> Iterator[InputPage]
        Read the pages of a split, lazily, always the same in the same order. Runs in a worker. Records that are not
        pages are counted in `notes`; an unreadable page is given as a page with an `error`.

Optional functions:

    measure(whole, reading) -> int | None    the sum of the sizes of all splits, if it is not the size of the file
    stop_splitting()                         called from another thread; makes a waiting `find_splits` raise
    column_names(whole, reading)             the columns of a table
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol, cast

from duramen.batch.inputs.io import is_remote
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings


class InputModule(Protocol):
    """Interface of an input module."""

    def find_splits(
        self, whole: Split, reading: ReadSettings, limits: Iterator[int], notes: InputNotes, after: Split | None
    ) -> Iterator[Split]: ...

    def read_pages(self, split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]: ...


class TableModule(InputModule, Protocol):
    """Interface of an input module that reads pages from a column."""

    def column_names(self, whole: Split, reading: ReadSettings) -> list[str]:
        """Return the columns of an input; none if they cannot be known."""


# By file name. Folders are recognized as such; any other file is a page.
_KIND_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"https?://", re.IGNORECASE), "addresses"),
    (re.compile(r".*\.warc(\.gz|\.zst)?$", re.IGNORECASE | re.DOTALL), "warc"),
    (re.compile(r".*\.(jsonl|ndjson)(\.gz|\.zst)?$", re.IGNORECASE | re.DOTALL), "jsonl"),
    (re.compile(r".*\.parquet$", re.IGNORECASE | re.DOTALL), "parquet"),
)
_MAY_HOLD_URLS = re.compile(r".*\.(txt|urls|xml|rss|atom|rdf|json)(\.gz|\.zst)?$", re.IGNORECASE | re.DOTALL)
_JOINED_KINDS = {"files", "addresses"}
"""Inputs of these kinds that follow one another become one input."""
_MODULES = {
    "files": "files",
    "folder": "folder",
    "jsonl": "jsonl",
    "parquet": "parquet",
    "warc": "warc.reader",
    "addresses": "web",
}
"""The module of each kind. The kinds are stored in the plan of a run and must not be renamed."""
TABLE_KINDS = ("jsonl", "parquet")
"""The kinds that have columns."""

_FIRST_SPLIT_PAGES, _MORE_PAGES_PER_SPLIT, _MAX_SPLIT_PAGES = 32, 4, 2048
MEAN_PAGE_BYTES = 64_000
"""Assumed size of a page where splits are made by size: about the mean of a crawl."""
_MAX_SHOWN_NAMES = 3


@dataclass
class InputArguments:
    """The arguments of a command, without repetition."""

    unique: list[str] = field(default_factory=list)
    """The arguments, without those that name the same file as an earlier one."""
    excluded: dict[str, list[str]] = field(default_factory=dict)
    """By folder: the files below it that are arguments of their own, as relative paths. The folder leaves them out."""
    repeated: list[str] = field(default_factory=list)

    @property
    def note(self) -> str | None:
        """A sentence on repeated arguments."""
        if not self.repeated:
            return None
        hidden = len(self.repeated) - _MAX_SHOWN_NAMES
        more = f" and {hidden:,} more" if hidden > 0 else ""
        return f"named more than once, and read once: {', '.join(self.repeated[:_MAX_SHOWN_NAMES])}{more}"


def find_input_kind(argument: str) -> str:
    """Return the kind of an input by its name; `files`, one page each, if no other kind matches."""
    if os.path.isdir(argument):
        return "folder"
    return next((kind for pattern, kind in _KIND_PATTERNS if pattern.match(argument)), "files")


def _find_argument_kind(argument: str) -> str:
    """Return the kind of a command-line argument: like `find_input_kind`, but a file that holds URLs stands for them.

    This is not so for files in a folder, since a folder never asks for downloads.
    """
    kind = find_input_kind(argument)
    if kind == "files" and _MAY_HOLD_URLS.match(argument):
        from duramen.batch.crawl.seeds import holds_urls

        return "addresses" if holds_urls(argument) else kind
    return kind


def input_module(kind: str) -> InputModule:
    """Return the module that reads inputs of this kind."""
    return cast(InputModule, importlib.import_module(f"{__name__}.{_MODULES[kind]}"))


def table_module(kind: str) -> TableModule:
    """Return the module that reads tables of this kind, one of `TABLE_KINDS`."""
    return cast(TableModule, input_module(kind))


def parse_inputs(arguments: Sequence[str]) -> list[Split]:
    """Turn arguments into inputs, each once. Pages and URLs that follow one another become one input."""
    inputs: list[Split] = []
    resolved = resolve_arguments(arguments)
    for kind, group in groupby(resolved.unique, key=_find_argument_kind):
        if kind in _JOINED_KINDS:
            inputs.append(Split(kind, "", names=tuple(group)))
        else:
            inputs.extend(Split(kind, name, names=tuple(resolved.excluded.get(name, ()))) for name in group)
    return inputs


def growing_split_sizes(number: int = 0) -> Iterator[int]:
    """Give the maximum number of pages of each split, from the split of this number on.

    The first splits are small, so that a small input keeps all workers busy. Later ones are larger, so that a large
    input does not end in a hundred thousand shards. A size depends only on the number of splits before it.
    """
    while True:
        yield min(_FIRST_SPLIT_PAGES + _MORE_PAGES_PER_SPLIT * number, _MAX_SPLIT_PAGES)
        number += 1


def resolve_arguments(arguments: Sequence[str]) -> InputArguments:
    """Find repeated arguments.

    Two names mean the same file if their folders are the same. A link to a file counts as another file, as it does in
    a folder.
    """
    resolved = InputArguments()
    real_folders: dict[str, str] = {}
    by_path: dict[str, str] = {}
    for argument in arguments:
        path = _resolve_path(argument, real_folders)
        if path in by_path:
            resolved.repeated.append(argument)
        else:
            by_path[path] = argument
            resolved.unique.append(argument)
    folders = {path for path, argument in by_path.items() if os.path.isdir(argument)}
    for path, argument in by_path.items() if folders else ():
        parent = os.path.dirname(path)
        while parent not in folders and parent != os.path.dirname(parent):
            parent = os.path.dirname(parent)
        if parent in folders and parent != path:
            resolved.excluded.setdefault(by_path[parent], []).append(os.path.relpath(path, parent))
            resolved.repeated.append(argument)
    return resolved


def _resolve_path(argument: str, real_folders: dict[str, str]) -> str:
    """Return the absolute path of an argument, with the links of its folder resolved; `real_folders` is a cache."""
    if is_remote(argument):
        return argument
    folder, name = (argument, "") if os.path.isdir(argument) else os.path.split(argument)
    if folder not in real_folders:
        real_folders[folder] = os.path.realpath(folder)
    return os.path.join(real_folders[folder], name) if name else real_folders[folder]
