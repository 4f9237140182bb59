"""Input: a folder with everything below it: pages in files of their own, and WARC files.

Files are visited in the order of their paths, part by part, so that a walk can continue after any of them. Hidden files
are skipped, and so are folders that hold the output of a run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice

from duramen.batch.inputs import MEAN_PAGE_BYTES, files, find_input_kind, input_module
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings

RUN_FOLDER, RUN_FILE = "_duramen", "run.json"
"""The names that mark a folder as the output of a run."""

_PAGE_PATTERNS = ("*.html", "*.htm", "*.xhtml", "*.html.gz", "*.htm.gz", "*.xhtml.gz")
_DEFAULT_PATTERNS = (*_PAGE_PATTERNS, "*.warc", "*.warc.gz", "*.warc.zst")
_MAX_MEASURED_FILES = 100_000
"""The size of a folder with more files is not measured, because that would take too long."""


def find_splits(
    whole: Split, reading: ReadSettings, limits: Iterator[int], notes: InputNotes, after: Split | None
) -> Iterator[Split]:
    if after is not None and after.kind != files.KIND:  # the earlier run was within this file
        yield from input_module(after.kind).find_splits(Split(after.kind, after.path), reading, limits, notes, after)
    is_empty = True
    names: list[str] = []
    size, limit = 0, next(limits)
    for name in walk_folder(whole, reading, notes, _path_of_last(whole.path, after)):
        is_empty = False
        path = os.path.join(whole.path, name)
        if (kind := find_input_kind(path)) == files.KIND:
            names.append(name)
            size += files.page_file_size(path)
            if len(names) < limit and size < limit * MEAN_PAGE_BYTES:
                continue
        if names:
            yield Split(files.KIND, whole.path, names=tuple(names), size=size)
            names, size, limit = [], 0, next(limits)
        if kind != files.KIND:
            notes.visited_files.append(name)
            yield from input_module(kind).find_splits(Split(kind, path), reading, limits, notes, None)
    if names:
        yield Split(files.KIND, whole.path, names=tuple(names), size=size)
    if is_empty and after is None:
        wanted = f"that match {', '.join(reading.include)}" if reading.include else "(.html, .htm, .xhtml) and no WARCs"
        notes.add_problem(f"{whole.path}: no pages {wanted} in this folder")


def measure(whole: Split, reading: ReadSettings) -> int | None:
    names = list(islice(walk_folder(whole, reading, InputNotes(), ()), _MAX_MEASURED_FILES + 1))
    if len(names) > _MAX_MEASURED_FILES:
        return None
    return sum(files.page_file_size(os.path.join(whole.path, name)) for name in names)


def read_pages(split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    raise TypeError("the splits of a folder are of other kinds")


def walk_folder(whole: Split, reading: ReadSettings, notes: InputNotes, after: tuple[str, ...] = ()) -> Iterator[str]:
    """Give the wanted files below a folder, as relative paths, after the path `after`."""
    folder, excluded = whole.path, frozenset(whole.names)
    stack = [""]
    while stack:
        name = stack.pop()
        if name in excluded:
            continue
        path = os.path.join(folder, name)
        if name and not os.path.isdir(path):
            if _is_wanted(name, reading):
                yield name
            else:
                notes.skip("other file")
            continue
        if name and os.path.islink(path):  # links to folders may form cycles
            notes.skip("link to a folder")
            continue
        if name and holds_run(path):
            continue
        try:
            entries = sorted(os.listdir(path), reverse=True)
        except OSError as error:
            notes.add_problem(f"{path}: this folder cannot be listed: {error.strerror}")
            continue
        depth = len(_path_parts(name))
        passed = after[depth] if after[:depth] == _path_parts(name) and len(after) > depth else ""
        for entry in entries:
            # The folder on the way to `after` is visited again for what follows; the file `after` itself is not.
            if entry.startswith(".") or entry < passed or (entry == passed and len(after) == depth + 1):
                continue
            stack.append(os.path.join(name, entry))


def holds_run(folder: str) -> bool:
    """True for the output folder of a run and for the folder of its state."""
    return os.path.exists(os.path.join(folder, RUN_FOLDER, RUN_FILE)) or (
        folder.endswith(".run") and os.path.exists(os.path.join(folder, RUN_FILE))
    )


def _is_wanted(name: str, reading: ReadSettings) -> bool:
    name = name.replace(os.sep, "/")
    return _matches(name, reading.include or _DEFAULT_PATTERNS) and not _matches(name, reading.exclude)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Match a pattern with a slash against the relative path, one without against the file name."""
    file_name = name.rpartition("/")[2].lower()
    return any(fnmatchcase(name if "/" in pattern else file_name, pattern) for pattern in patterns)


def _path_of_last(folder: str, after: Split | None) -> tuple[str, ...]:
    if after is None:
        return ()
    return _path_parts(after.names[-1] if after.names else os.path.relpath(after.path, folder))


def _path_parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in name.split(os.sep) if part)
