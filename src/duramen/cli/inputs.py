"""Where pages come from: files, folders, addresses and standard input.

Every input has a `name` for messages, and a `place`: the path, without an extension, that its output takes below an
output folder. The place of a file is its path below the lowest folder that holds all the files and folders named on
the command line, so that `page.html` and `sub/page.html` never meet.
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
from urllib.parse import unquote, urlsplit

from duramen.dom.page import Page
from duramen.errors import InputError, UsageError

STDIN = "-"
_PAGE_FILE = re.compile(r"\.(?:html|htm|xhtml)(?:\.gz)?$", re.IGNORECASE)
_COMPRESSED = re.compile(r"\.gz$", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_CREDENTIALS = re.compile(r"^(https?://)[^/?#]*@", re.IGNORECASE)  # not for messages, nor for outputs
_OTHER_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_GZIP_MAGIC = b"\x1f\x8b"
_STDIN_PLACE = PurePath("stdin")
_NAMELESS = PurePath("page")  # of "" and "missing/..", which end as errors, but in their turn
_NOWHERE = PurePath("unreadable")
_CHUNK = 1 << 20
_LONGEST_NAME = 60  # characters of a file name made from an address: at most 240 bytes, and file systems take 255


@dataclass(frozen=True)
class Limits:
    """What a page may cost: seconds to fetch it, bytes to hold it once unpacked."""

    timeout: float
    max_bytes: int


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Input(Protocol):
    """One page to come."""

    @property
    def name(self) -> str: ...
    @property
    def place(self) -> PurePath: ...
    def read(self, limits: Limits, url: str | None) -> Page:
        """The page, or an `InputError`. `url` is the address it came from, where the caller knows better."""


@dataclass(frozen=True)
class File:
    name: str
    place: PurePath
    path: Path

    def read(self, limits: Limits, url: str | None) -> Page:
        try:
            with self.path.open("rb") as file:
                data = _read(file, limits)
        except FileNotFoundError:
            raise InputError("no such file") from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}") from error
        return Page.parse(_unpack(data, limits, compressed=bool(_COMPRESSED.search(self.path.name))), url=url)


@dataclass(frozen=True)
class Address:
    name: str
    place: PurePath
    url: str
    allow_private: bool | None = None  # as `fetch` has it

    def read(self, limits: Limits, url: str | None) -> Page:
        from duramen.net.fetch import fetch  # the network's modules, for those who use it

        fetched = fetch(self.url, timeout=limits.timeout, max_bytes=limits.max_bytes, allow_private=self.allow_private)
        return Page.parse(fetched.body, url=url or fetched.url, headers=fetched.headers)


@dataclass(frozen=True)
class StandardInput:
    name: str = "standard input"
    place: PurePath = _STDIN_PLACE

    def read(self, limits: Limits, url: str | None) -> Page:
        if sys.stdin is None:
            raise InputError("is closed")
        return Page.parse(_unpack(_read(sys.stdin.buffer, limits), limits), url=url)


@dataclass(frozen=True)
class Unreadable:
    """What was named but gives no page: it fails when its turn comes, like any other page."""

    name: str
    reason: str
    place: PurePath = _NOWHERE

    def read(self, limits: Limits, url: str | None) -> Page:
        raise InputError(self.reason)


def find(arguments: Sequence[str], besides: Path | None = None) -> list[Input]:
    """The inputs that the arguments name, in their order; the pages of a folder are sorted.

    Pages below the folder `besides`, where the outputs go, are not looked for: they are results of an earlier run.
    """
    if arguments.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    root = _root(arguments)
    inputs: list[Input] = []
    for argument in arguments:
        if argument == STDIN:
            inputs.append(StandardInput())
        elif _ADDRESS.match(argument):
            inputs.append(Address(_CREDENTIALS.sub(r"\1", argument), _address_place(argument), argument))
        elif os.path.isdir(argument):
            inputs.extend(_folder(argument, root, besides))
        elif _OTHER_ADDRESS.match(argument) and not os.path.exists(argument):
            inputs.append(Unreadable(argument, "only http:// and https:// addresses can be fetched"))
        else:
            inputs.append(_file(argument, root))
    return inputs


def is_several(arguments: Sequence[str]) -> bool:
    """Whether the arguments may name more than one page; a folder may, however many pages it holds today."""
    return len(arguments) > 1 or (_is_path(arguments[0]) and os.path.isdir(arguments[0]))


def is_address(argument: str) -> bool:
    """Whether an argument is the address of a page on the web."""
    return _ADDRESS.match(argument) is not None


def _is_path(argument: str) -> bool:
    return argument != STDIN and not _ADDRESS.match(argument)


def _root(arguments: Sequence[str]) -> str:
    """The lowest folder that holds everything named."""
    paths = [os.path.abspath(argument) for argument in arguments if _is_path(argument)]
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in paths]
    try:
        return os.path.commonpath(folders) if folders else ""
    except ValueError:  # files on several drives
        return ""


def _file(path: str, root: str) -> File:
    full = os.path.abspath(path)
    below = os.path.relpath(full, root) if root else os.path.basename(full)
    place = PurePath(_PAGE_FILE.sub("", below) or below)
    return File(path, place if place.name else _NAMELESS, Path(path))


def _folder(folder: str, root: str, besides: Path | None) -> Iterator[Input]:
    problems: list[Input] = []

    def cannot_list(error: OSError) -> None:
        problems.append(Unreadable(str(error.filename), f"this folder cannot be listed: {error.strerror}"))

    avoided = os.path.realpath(besides) if besides is not None else None
    if avoided == os.path.realpath(folder):
        avoided = None  # results beside their pages: what was asked for
    found: list[str] = []
    for here, below, names in os.walk(folder, onerror=cannot_list):
        below[:] = [
            name
            for name in below
            if not name.startswith(".") and (avoided is None or os.path.realpath(os.path.join(here, name)) != avoided)
        ]
        found.extend(os.path.join(here, n) for n in names if _PAGE_FILE.search(n) and not n.startswith("."))
    if not found and not problems:
        problems.append(
            Unreadable(folder, "no pages in this folder (looked for .html, .htm and .xhtml, also with .gz)")
        )
    found.sort(key=lambda path: path.split(os.sep))
    yield from (_file(path, root) for path in found)
    yield from problems


def _address_place(address: str) -> PurePath:
    """A path made of the address: its host, then its path, with what a file system might mind replaced."""
    try:
        parts = urlsplit(address)
    except ValueError:  # a malformed host; fetching it will say so
        return PurePath("address")
    path = _PAGE_FILE.sub("", unquote(parts.path))
    segments = [parts.netloc.rpartition("@")[2], *path.split("/")]
    if path.endswith("/") or not path:
        segments.append("index")
    if parts.query:
        segments[-1] += f"-{unquote(parts.query)}"
    safe = [re.sub(r"[^\w.-]+", "-", segment).strip(".-")[:_LONGEST_NAME] for segment in segments]
    return PurePath(*[segment for segment in safe if segment] or ["address"])


def _read(file: _Readable, limits: Limits) -> bytes:
    """All of the file, piece by piece: a single read sets memory aside for the whole limit, however small the file."""
    data = bytearray()
    while piece := file.read(_CHUNK):
        data += piece
        if len(data) > limits.max_bytes:
            raise InputError(f"larger than {limits.max_bytes:,} bytes; --max-size raises the limit")
    return bytes(data)


def _unpack(data: bytes, limits: Limits, compressed: bool = False) -> bytes:
    """Undo gzip, known by the file's name or by its first bytes; never more than the limit, whatever is packed."""
    if not compressed and not data.startswith(_GZIP_MAGIC):
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return _read(file, limits)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError("the gzip data is damaged; get the file again") from error
