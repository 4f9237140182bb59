"""Read the pages that a command line names: files, folders, URLs and standard input.

Every input has a `name` for messages and an `output_stem`: the path of its output below an output folder, without an
extension. The stem of a file is its path below the lowest folder that contains everything named on the command line,
so that `page.html` and `sub/page.html` never get the same output.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Protocol

from duramen.dom.page import Page
from duramen.dom.urls import make_file_path
from duramen.errors import InputError, UsageError

STDIN = "-"

_PAGE_FILE = re.compile(r"\.(?:html|htm|xhtml)(?:\.gz)?$", re.IGNORECASE)
_COMPRESSED = re.compile(r"\.gz$", re.IGNORECASE)
_HTTP_URL = re.compile(r"https?://", re.IGNORECASE)
_OTHER_URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_CREDENTIALS = re.compile(r"^(https?://)[^/?#]*@", re.IGNORECASE)  # must not appear in messages and outputs
_GZIP_MAGIC = b"\x1f\x8b"
_STDIN_STEM = PurePath("stdin")
_NAMELESS_STEM = PurePath("page")  # of "" and "missing/..", which fail when they are read
_UNREADABLE_STEM = PurePath("unreadable")
_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class ReadLimits:
    """Limits for reading a page: seconds to fetch it, bytes after unpacking."""

    timeout: float
    max_bytes: int


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Input(Protocol):
    """A page that has not been read yet."""

    @property
    def name(self) -> str: ...
    @property
    def output_stem(self) -> PurePath: ...
    def read(self, limits: ReadLimits, url: str | None) -> Page:
        """Read the page, or raise `InputError`. `url` overrides the page's own URL."""


@dataclass(frozen=True)
class FileInput:
    """A page in a file."""

    name: str
    output_stem: PurePath
    path: Path

    def read(self, limits: ReadLimits, url: str | None) -> Page:
        try:
            with self.path.open("rb") as file:
                data = _read_all(file, limits)
        except FileNotFoundError:
            raise InputError("no such file") from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}") from error
        return Page.parse(_unpack(data, limits, compressed=bool(_COMPRESSED.search(self.path.name))), url=url)


@dataclass(frozen=True)
class UrlInput:
    """A page on the web."""

    name: str
    output_stem: PurePath
    url: str
    allow_private: bool | None = None  # passed to `fetch`

    def read(self, limits: ReadLimits, url: str | None) -> Page:
        from duramen.net.fetch import fetch  # network modules are imported only when needed

        fetched = fetch(self.url, timeout=limits.timeout, max_bytes=limits.max_bytes, allow_private=self.allow_private)
        return Page.parse(fetched.body, url=url or fetched.url, headers=fetched.headers)


@dataclass(frozen=True)
class StdinInput:
    """A page on standard input."""

    name: str = "standard input"
    output_stem: PurePath = _STDIN_STEM

    def read(self, limits: ReadLimits, url: str | None) -> Page:
        if sys.stdin is None:
            raise InputError("is closed")
        return Page.parse(_unpack(_read_all(sys.stdin.buffer, limits), limits), url=url)


@dataclass(frozen=True)
class UnreadableInput:
    """An argument that names no page: it fails when it is read, like any other bad page."""

    name: str
    reason: str
    output_stem: PurePath = _UNREADABLE_STEM

    def read(self, limits: ReadLimits, url: str | None) -> Page:
        raise InputError(self.reason)


def find_inputs(arguments: Sequence[str], exclude: Path | None = None) -> list[Input]:
    """Return the inputs that the arguments name, in their order; the pages of a folder are sorted.

    Pages below the folder `exclude`, to which outputs are written, are skipped: they are results of an earlier run.
    """
    if arguments.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    root = _find_common_folder(arguments)
    inputs: list[Input] = []
    for argument in arguments:
        if argument == STDIN:
            inputs.append(StdinInput())
        elif is_url(argument):
            inputs.append(UrlInput(_CREDENTIALS.sub(r"\1", argument), PurePath(make_file_path(argument)), argument))
        elif os.path.isdir(argument):
            inputs.extend(_find_pages(argument, root, exclude))
        elif _OTHER_URL.match(argument) and not os.path.exists(argument):
            inputs.append(UnreadableInput(argument, "only http:// and https:// addresses can be fetched"))
        else:
            inputs.append(_make_file_input(argument, root))
    return inputs


def may_name_several(arguments: Sequence[str]) -> bool:
    """Return whether the arguments may name more than one page; a folder may, whatever it holds now."""
    return len(arguments) > 1 or (_is_path(arguments[0]) and os.path.isdir(arguments[0]))


def is_url(argument: str) -> bool:
    """Return whether an argument is an HTTP URL."""
    return _HTTP_URL.match(argument) is not None


def _is_path(argument: str) -> bool:
    return argument != STDIN and not is_url(argument)


def _find_common_folder(arguments: Sequence[str]) -> str:
    """Return the lowest folder that contains everything named, or an empty string."""
    paths = [os.path.abspath(argument) for argument in arguments if _is_path(argument)]
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in paths]
    try:
        return os.path.commonpath(folders) if folders else ""
    except ValueError:  # files on several drives
        return ""


def _make_file_input(path: str, root: str) -> FileInput:
    full = os.path.abspath(path)
    below_root = os.path.relpath(full, root) if root else os.path.basename(full)
    stem = PurePath(_PAGE_FILE.sub("", below_root) or below_root)
    return FileInput(path, stem if stem.name else _NAMELESS_STEM, Path(path))


def _find_pages(folder: str, root: str, exclude: Path | None) -> Iterator[Input]:
    """Give the pages below a folder, then the folders that cannot be listed."""
    problems: list[Input] = []

    def cannot_list(error: OSError) -> None:
        problems.append(UnreadableInput(str(error.filename), f"this folder cannot be listed: {error.strerror}"))

    excluded = os.path.realpath(exclude) if exclude is not None else None
    if excluded == os.path.realpath(folder):
        excluded = None  # the results go beside the pages, as the user asked
    paths: list[str] = []
    for parent, subfolders, names in os.walk(folder, onerror=cannot_list):
        subfolders[:] = [
            name
            for name in subfolders
            if not name.startswith(".")
            and (excluded is None or os.path.realpath(os.path.join(parent, name)) != excluded)
        ]
        paths.extend(os.path.join(parent, n) for n in names if _PAGE_FILE.search(n) and not n.startswith("."))
    if not paths and not problems:
        problems.append(
            UnreadableInput(folder, "no pages in this folder (looked for .html, .htm and .xhtml, also with .gz)")
        )
    paths.sort(key=lambda path: path.split(os.sep))
    yield from (_make_file_input(path, root) for path in paths)
    yield from problems


def _read_all(file: _Readable, limits: ReadLimits) -> bytes:
    """Read in chunks: a single read would allocate memory for the whole limit, however small the file is."""
    data = bytearray()
    while chunk := file.read(_CHUNK_BYTES):
        data += chunk
        if len(data) > limits.max_bytes:
            raise InputError(f"larger than {limits.max_bytes:,} bytes; --max-size raises the limit")
    return bytes(data)


def _unpack(data: bytes, limits: ReadLimits, compressed: bool = False) -> bytes:
    """Unpack gzip data, recognized by the file's name or its first bytes, but never more than the limit."""
    if not compressed and not data.startswith(_GZIP_MAGIC):
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return _read_all(file, limits)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError("the gzip data is damaged; get the file again") from error
