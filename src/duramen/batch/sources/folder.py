"""A folder with all below it: pages in files of their own, and WARCs.

Files are met in the order of their paths, part by part, so that a walk can go on behind any of them. Hidden files are
left alone, and so are folders that hold a run's output: they are results, not input.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.settings import Reading
from duramen.batch.sources import PAGE_BYTES, files, kind_of, source

RUN_FOLDER, RUN_FILE = "_duramen", "run.json"
"""What a folder that holds a run is known by."""

_PAGES = ("*.html", "*.htm", "*.xhtml", "*.html.gz", "*.htm.gz", "*.xhtml.gz")
_TAKEN = (*_PAGES, "*.warc", "*.warc.gz", "*.warc.zst")
_MEASURED = 100_000
"""Of a folder with more files than this nobody waits to know the size."""


def cut(whole: Piece, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None) -> Iterator[Piece]:
    last = _last(whole.path, after)
    if after is not None and after.kind != files.KIND:  # the earlier run was within this file
        yield from source(after.kind).cut(Piece(after.kind, after.path), reading, limits, notes, after)
    found = False
    names: list[str] = []
    size, limit = 0, next(limits)
    for name in walk(whole, reading, notes, last):
        found = True
        path = os.path.join(whole.path, name)
        if (kind := kind_of(path)) == files.KIND:
            names.append(name)
            size += files.size_of(path)
            if len(names) < limit and size < limit * PAGE_BYTES:
                continue
        if names:
            yield Piece(files.KIND, whole.path, names=tuple(names), size=size)
            names, size, limit = [], 0, next(limits)
        if kind != files.KIND:
            notes.met.append(name)
            yield from source(kind).cut(Piece(kind, path), reading, limits, notes, None)
    if names:
        yield Piece(files.KIND, whole.path, names=tuple(names), size=size)
    if not found and after is None:
        wanted = f"that fit {', '.join(reading.include)}" if reading.include else "(.html, .htm, .xhtml) and no WARCs"
        notes.problem(f"{whole.path}: no pages {wanted} in this folder")


def size(whole: Piece, reading: Reading) -> int | None:
    found = list(islice(walk(whole, reading, Notes(), ()), _MEASURED + 1))
    if len(found) > _MEASURED:
        return None
    return sum(files.size_of(os.path.join(whole.path, name)) for name in found)


def read(piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    raise TypeError("a folder is cut into pieces of other kinds")


def walk(whole: Piece, reading: Reading, notes: Notes, after: tuple[str, ...] = ()) -> Iterator[str]:
    """The wanted files below a folder, by their paths from it, behind the path `after`."""
    folder, others = whole.path, frozenset(whole.names)
    waiting = [""]  # the last comes first
    while waiting:
        name = waiting.pop()
        if name in others:  # an input of its own
            continue
        path = os.path.join(folder, name)
        if name and not os.path.isdir(path):
            if _is_wanted(name, reading):
                yield name
            else:
                notes.skip("other file")
            continue
        if name and os.path.islink(path):  # it can lead round in circles
            notes.skip("link to a folder")
            continue
        if name and holds_run(path):
            continue
        try:
            below = sorted(os.listdir(path), reverse=True)
        except OSError as error:
            notes.problem(f"{path}: this folder cannot be listed: {error.strerror}")
            continue
        depth = len(_parts(name))
        passed = after[depth] if after[:depth] == _parts(name) and len(after) > depth else ""
        for entry in below:
            # The entry on the way to `after` is gone into again, for what stands behind it; that file itself is not.
            if entry.startswith(".") or entry < passed or (entry == passed and len(after) == depth + 1):
                continue
            waiting.append(os.path.join(name, entry))


def holds_run(folder: str) -> bool:
    """Whether this is the output, or beside the output, of a run."""
    return os.path.exists(os.path.join(folder, RUN_FOLDER, RUN_FILE)) or (
        folder.endswith(".run") and os.path.exists(os.path.join(folder, RUN_FILE))
    )


def _is_wanted(name: str, reading: Reading) -> bool:
    name = name.replace(os.sep, "/")
    wanted = reading.include or _TAKEN
    return _fits(name, wanted) and not _fits(name, reading.exclude)


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    """A pattern with a slash is for the path below the folder, one without for the file's name."""
    last = name.rpartition("/")[2].lower()
    return any(fnmatchcase(name if "/" in pattern else last, pattern) for pattern in patterns)


def _last(folder: str, after: Piece | None) -> tuple[str, ...]:
    if after is None:
        return ()
    return _parts(after.names[-1] if after.names else os.path.relpath(after.path, folder))


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in name.split(os.sep) if part)
