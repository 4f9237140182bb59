"""Checks before a run: missing inputs, missing libraries, too little memory.

A problem found here stops the command before anything is written. Found later, it would cost a row, or be one sentence
at the end of a run that counts as finished.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from duramen.batch.inputs import TABLE_KINDS, find_input_kind, jsonl, parse_inputs, table_module
from duramen.batch.inputs.folder import walk_folder
from duramen.batch.inputs.io import get_filesystem, import_zstandard, is_remote, open_binary
from duramen.batch.inputs.splits import InputNotes, Split
from duramen.batch.settings import (
    MIN_WORKER_MEMORY_BYTES,
    RECOMMENDED_WORKER_MEMORY,
    ReadSettings,
    format_bytes,
)
from duramen.errors import InputError, MissingExtraError, UsageError

_URL_LIST_NAME = re.compile(r".*\.(txt|urls)(\.gz|\.zst)?$", re.IGNORECASE | re.DOTALL)
_MAX_SHOWN_COLUMNS = 10
_MAX_COLUMN_NAME_CHARS = 40
_MAX_OPENED_FILES = 100
"""Files that are opened to check them. More of them in an object store come from a listing that has just been made."""

_REQUIRED_PACKAGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "warc": ("warc", ("fastwarc",)),
    "parquet": ("parquet", ("pyarrow",)),
    "addresses": ("download", ("aiohttp", "protego", "fastwarc")),
}
"""By kind of input: the extra, and the packages it installs."""
_PACKAGES_FOR_FOLDERS = ("fastwarc", "pyarrow", "zstandard")


def check_inputs(arguments: Sequence[str], reading: ReadSettings) -> None:
    """Raise a `UsageError` for a missing input, a `MissingExtraError` if an input needs a missing library."""
    if not arguments:
        raise UsageError("a run needs an input: pages, folders, WARCs, JSON Lines, Parquet, URLs")
    remote = []
    for argument in dict.fromkeys(arguments):
        _refuse_special_file(argument)
        if find_input_kind(argument) == "addresses":
            continue
        if is_remote(argument):
            remote.append(argument)
        else:
            _check_local_path(argument)
    _check_remote_paths(remote)
    inputs = parse_inputs(arguments)
    for whole in inputs:
        _check_libraries(whole.kind, (whole.path, *whole.names))
        if whole.kind == "folder":
            _check_folder_libraries(whole, reading)
    for whole in [whole for whole in inputs if whole.kind == jsonl.KIND][:_MAX_OPENED_FILES]:
        _as_usage_error(jsonl.refuse_other_encodings, whole.path)
    _check_columns([whole for whole in inputs if whole.kind in TABLE_KINDS], reading)
    # One empty folder among other inputs is reported at the end. If there is nothing else, the command is a mistake.
    if all(whole.kind == "folder" and not _has_pages(whole, reading) for whole in inputs):
        wanted = f"that match {', '.join(reading.include)}" if reading.include else "(.html, .htm, .xhtml) and no WARCs"
        paths = ", ".join(whole.path for whole in inputs[:3])
        raise UsageError(f"{paths}: no pages {wanted} in this folder: select other files with --include")


def check_memory(memory: int | None) -> None:
    """Raise a `UsageError` if the memory limit is too low for a worker to start."""
    if memory is not None and memory < MIN_WORKER_MEMORY_BYTES:
        raise UsageError(
            f"--memory of {format_bytes(memory)} is too little: a worker takes about"
            f" {format_bytes(MIN_WORKER_MEMORY_BYTES)} before its first page; allow {RECOMMENDED_WORKER_MEMORY} or more"
        )


def _refuse_special_file(argument: str) -> None:
    """Refuse pipes and devices: they may never end, and cannot be read twice."""
    if os.path.exists(argument) and not os.path.isfile(argument) and not os.path.isdir(argument):
        raise UsageError(f"{argument} is neither a file nor a folder: write its content to a file first")


def _check_local_path(argument: str) -> None:
    if not argument:
        raise UsageError("an INPUT is empty: check that the shell variable is set")
    if argument == "-":
        raise UsageError(
            "a run cannot read standard input, because it may have to read its input again: write it to a file"
            " (a file named - is ./-)"
        )
    if not os.path.exists(argument):
        pattern = ", and no file matches this pattern" if re.search(r"[*?\[]", argument) else ""
        raise UsageError(f"{argument}: no such file or folder{pattern}")
    if not os.access(argument, os.R_OK):
        raise UsageError(f"{argument}: permission denied")
    if _URL_LIST_NAME.match(argument) and os.path.isfile(argument):
        from duramen.batch.crawl.seeds import refuse_binary

        _as_usage_error(refuse_binary, argument)


def _as_usage_error(check: Callable[[str], None], path: str) -> None:
    """Run a check and turn its `InputError` into a `UsageError`."""
    try:
        check(path)
    except InputError as error:
        raise UsageError(str(error)) from error


def _check_remote_paths(paths: Sequence[str]) -> None:
    for path in {path.partition("://")[0]: path for path in paths}.values():
        get_filesystem(path)
    for path in paths[:_MAX_OPENED_FILES]:
        _as_usage_error(lambda path: open_binary(path).close(), path)


def _check_libraries(kind: str, names: Iterable[str]) -> None:
    extra, packages = _REQUIRED_PACKAGES.get(kind, ("", ()))
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError as error:
            raise MissingExtraError(package, extra) from error
    if kind != "warc" and any(name.lower().endswith(".zst") for name in names):
        import_zstandard()


def _check_folder_libraries(whole: Split, reading: ReadSettings) -> None:
    """Walk a folder for files that need a missing library. Large folders are walked only if one is missing."""
    if not any(map(_is_missing, _PACKAGES_FOR_FOLDERS)):
        return
    for name in walk_folder(whole, reading, InputNotes()):
        _check_libraries(find_input_kind(os.path.join(whole.path, name)), (name,))


def _is_missing(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is None
    except ValueError:  # a module without a spec has taken its name
        return True


def _check_columns(tables: Sequence[Split], reading: ReadSettings) -> None:
    """Refuse tables of which none has the HTML column. If only some lack it, their rows say so."""
    checked = []
    for whole in tables[:_MAX_OPENED_FILES]:
        names = table_module(whole.kind).column_names(whole, reading)
        if not names or reading.html_column in names:
            return
        checked.append((whole.path, names))
    if checked:
        path, names = checked[0]
        shown = ", ".join(name[:_MAX_COLUMN_NAME_CHARS] for name in names[:_MAX_SHOWN_COLUMNS])
        more = f" and {len(names) - _MAX_SHOWN_COLUMNS} more" if len(names) > _MAX_SHOWN_COLUMNS else ""
        raise UsageError(
            f"{path}: no column {reading.html_column!r}, but {shown}{more}:"
            " name the column that holds the pages with --html-column"
        )


def _has_pages(folder: Split, reading: ReadSettings) -> bool:
    return next(walk_folder(folder, reading, InputNotes()), None) is not None
