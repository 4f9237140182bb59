"""The inputs looked at before the run: one that is missing, or a library that is, is said while nothing is recorded.

Later it would cost a row, or a sentence at the end of a run that counts as finished.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from duramen.batch.amounts import ENOUGH_MEMORY, LEAST_MEMORY, in_words
from duramen.batch.item import Notes, Piece
from duramen.batch.opening import filesystem, is_elsewhere, open_binary
from duramen.batch.settings import Reading
from duramen.batch.sources import TABLES, inputs_of, jsonl, kind_of, table
from duramen.batch.sources.folder import walk
from duramen.batch.zstandard_file import library
from duramen.errors import InputError, MissingExtraError, UsageError

_LIST = re.compile(r".*\.(txt|urls)(\.gz|\.zst)?$", re.IGNORECASE | re.DOTALL)
"""Names of lists: who gives one to a file of another kind has mistaken it."""
_NAMED = 10
_LONGEST_NAME = 40
_ASKED_FOR = 100
"""Files that are looked into one by one: where there are more in an object store, a listing has just shown them."""


def check_inputs(arguments: Sequence[str], reading: Reading) -> None:
    """Raise a `UsageError` that names an input which is not there, a `MissingExtraError` where one needs a library."""
    if not arguments:
        raise UsageError("a run needs an input: pages, folders, WARCs, JSON Lines, Parquet, addresses")
    elsewhere = []
    for argument in dict.fromkeys(arguments):
        _refuse_pipes(argument)
        if kind_of(argument) == "addresses":
            continue
        if is_elsewhere(argument):
            elsewhere.append(argument)
        else:
            _check_here(argument)
    _check_elsewhere(elsewhere)
    wholes = inputs_of(arguments)
    for whole in wholes:
        _check_libraries(whole.kind, (whole.path, *whole.names))
        if whole.kind == "folder":
            _check_folder(whole, reading)
    for whole in [whole for whole in wholes if whole.kind == jsonl.KIND][:_ASKED_FOR]:
        _refuse(jsonl.refuse_other_forms, whole.path)
    _check_columns([whole for whole in wholes if whole.kind in TABLES], reading)
    # One folder without pages among others is told of at the end; where it is all there is, the command is a mistake.
    if all(whole.kind == "folder" and not _has_pages(whole, reading) for whole in wholes):
        wanted = f"that fit {', '.join(reading.include)}" if reading.include else "(.html, .htm, .xhtml) and no WARCs"
        named = ", ".join(whole.path for whole in wholes[:3])
        raise UsageError(f"{named}: no pages {wanted} in this folder: --include names others")


def check_memory(memory: int | None) -> None:
    """Raise a `UsageError` where no worker could begin."""
    if memory is not None and memory < LEAST_MEMORY:
        raise UsageError(
            f"--memory of {in_words(memory)} is too little: a worker takes some {in_words(LEAST_MEMORY)} before its"
            f" first page; allow it {ENOUGH_MEMORY} or more"
        )


def _refuse_pipes(argument: str) -> None:
    """What is no file may never end, and cannot be read twice."""
    if os.path.exists(argument) and not os.path.isfile(argument) and not os.path.isdir(argument):
        raise UsageError(f"{argument}: a run reads files and folders, and this is neither: write it to a file first")


def _check_here(argument: str) -> None:
    if not argument:
        raise UsageError("an INPUT has no name: is a variable of the shell not set?")
    if argument == "-":
        raise UsageError(
            "a run cannot read standard input, since it may have to read its input again: write it to a file"
            " (and a file that is called - is ./-)"
        )
    if not os.path.exists(argument):
        pattern = ", and none that fits this pattern" if re.search(r"[*?\[]", argument) else ""
        raise UsageError(f"{argument}: no such file or folder{pattern}")
    if not os.access(argument, os.R_OK):
        raise UsageError(f"{argument}: permission denied")
    if _LIST.match(argument) and os.path.isfile(argument):
        from duramen.batch.seeds import refuse_binary

        _refuse(refuse_binary, argument)


def _refuse(refusal: Callable[[str], None], path: str) -> None:
    """What a row, or the end of the run, would say of a file is wrong usage here."""
    try:
        refusal(path)
    except InputError as error:
        raise UsageError(str(error)) from error


def _check_elsewhere(paths: Sequence[str]) -> None:
    for path in {path.partition("://")[0]: path for path in paths}.values():
        filesystem(path)
    for path in paths[:_ASKED_FOR]:
        _refuse(lambda path: open_binary(path).close(), path)


def _check_libraries(kind: str, names: Iterable[str]) -> None:
    extra, packages = _NEEDED.get(kind, ("", ()))
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError as error:
            raise MissingExtraError(package, extra) from error
    if kind != "warc" and any(name.lower().endswith(".zst") for name in names):
        library()


def _check_folder(whole: Piece, reading: Reading) -> None:
    """A folder may be large: it is walked through only where some library is missing."""
    if not any(map(_is_missing, _WITHIN_FOLDERS)):
        return
    for name in walk(whole, reading, Notes()):
        _check_libraries(kind_of(os.path.join(whole.path, name)), (name,))


def _is_missing(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is None
    except ValueError:  # somebody has put something else in its place
        return True


def _check_columns(tables: Sequence[Piece], reading: Reading) -> None:
    """Where no table has the column of pages, every row would say so; where some have, the others' rows do."""
    known = []
    for whole in tables[:_ASKED_FOR]:
        names = table(whole.kind).columns(whole, reading)
        if not names or reading.html_column in names:
            return
        known.append((whole.path, names))
    if known:
        path, names = known[0]
        shown = ", ".join(name[:_LONGEST_NAME] for name in names[:_NAMED])
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        raise UsageError(
            f"{path}: no column {reading.html_column!r}, but {shown}{more}:"
            " --html-column names the one that holds the pages"
        )


def _has_pages(folder: Piece, reading: Reading) -> bool:
    return next(walk(folder, reading, Notes()), None) is not None


_NEEDED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "warc": ("warc", ("fastwarc",)),
    "parquet": ("parquet", ("pyarrow",)),
    "addresses": ("download", ("aiohttp", "protego", "fastwarc")),
}
_WITHIN_FOLDERS = ("fastwarc", "pyarrow", "zstandard")
