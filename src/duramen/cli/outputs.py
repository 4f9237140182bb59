"""Where results go: standard output, a file, or a folder of files.

A file appears under its name only when it is whole: it is written aside and then renamed, so that a run that is
killed or meets a full disk leaves no half page.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path, PurePath

from duramen.cli.inputs import File, Input
from duramen.cli.progress import printable
from duramen.errors import InputError, UsageError

SUFFIX = {
    "text": ".txt",
    "markdown": ".md",
    "html": ".html",
    "json": ".json",
    "xml": ".xml",
    "boxes": ".boxes.json",
    "table": ".txt",
    "csv": ".csv",
    "jsonl": ".jsonl",
}
"""The formats, and how the name of a file in each ends."""

# What could move the cursor or worse. The soft ones, newline and tab, are text.
_CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


class Output(ABC):
    """Takes one result after the other; an `OSError` names the file that could not be written."""

    @abstractmethod
    def write(self, source: Input, result: str) -> None: ...

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """After the last result."""


class StandardOutput(Output):
    """One result as it is; several so that each can be told from the next and traced to its page."""

    def __init__(self, format: str, *, several: bool) -> None:
        self._frame: Callable[[str, str], str] = _FRAMES[format] if several else _alone
        self._xml = several and format == "xml"
        self._begun = False

    def write(self, source: Input, result: str) -> None:
        framed = self._frame(printable(source.name), result)
        if self._xml and not self._begun:
            framed = f"<pages>\n{framed}"
        elif self._begun and self._frame in (_titled, _commented):
            framed = f"\n{framed}"
        self._begun = True
        put(framed)

    def close(self) -> None:
        if self._xml:
            put("</pages>\n" if self._begun else "<pages/>\n")


class OneFile(Output):
    """The result in the file the caller named."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, source: Input, result: str) -> None:
        write_whole(self._path, result)


class Folder(Output):
    """Each result in a file of its own, at the place of its page; no two at the same one."""

    def __init__(self, folder: Path, format: str, inputs: Sequence[Input]) -> None:
        self._paths: dict[int, Path] = {}  # by identity: the same page may be named twice
        pages = {os.path.realpath(source.path) for source in inputs if isinstance(source, File)}
        taken: set[str] = set()
        for source in inputs:
            path = folder / _free(source.place, SUFFIX[format], taken)
            if os.path.realpath(path) in pages:
                raise UsageError(f"{path} is one of the pages and would be overwritten: give -o another folder")
            self._paths[id(source)] = path
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise InputError(f"{folder} cannot be written to: it is closed to you")

    def write(self, source: Input, result: str) -> None:
        write_whole(self.path(source), result)

    def path(self, source: Input) -> Path:
        return self._paths[id(source)]


def open_output(target: str | None, format: str, inputs: Sequence[Input], *, several: bool) -> Output:
    """The output that `-o` asks for: a folder for several pages, where one exists, and where the name ends so."""
    if target is None or target == "-":
        return StandardOutput(format, several=several)
    if is_folder(target, several=several):
        if os.path.exists(target) and not os.path.isdir(target):
            raise UsageError(f"{target} is a file, and several pages need a folder: give -o another name")
        return Folder(Path(target), format, inputs)
    for source in inputs:
        if isinstance(source, File) and os.path.realpath(source.path) == os.path.realpath(target):
            raise UsageError(f"{target} is the page itself and would be overwritten: give -o another name")
    check_folder(target)
    return OneFile(Path(target))


def is_folder(target: str, *, several: bool) -> bool:
    return several or os.path.isdir(target) or target.endswith(("/", os.sep))


def check_folder(name: str) -> None:
    """Refuse a file that could not be made where it is to go: better said before the work than after it."""
    if os.path.exists(name) and not os.path.isfile(name):
        return  # a device, a pipe: nothing is put beside it
    folder = Path(os.path.realpath(name)).parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        raise UsageError(f"{name} cannot be written: {folder} is not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{name} cannot be written: the folder {folder} is closed to you")


def put(text: str) -> None:
    """Write to standard output, where it is open, nothing that could move the cursor of a terminal."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "is closed", "standard output")
    if sys.stdout.isatty():
        text = text.translate(_CONTROLS)
    sys.stdout.write(whole(text))
    sys.stdout.flush()  # a reader in a pipe gets each page when it is done


def write_whole(path: Path, text: str) -> None:
    """Put the text in the file, all of it or nothing."""
    data = _ended(whole(text)).encode("utf-8")
    real = Path(os.path.realpath(path))  # through a symbolic link, which stays
    try:
        if real.exists() and not stat.S_ISREG(real.stat().st_mode):
            real.write_bytes(data)  # /dev/stdout, a named pipe: nothing to rename over
            return
        real.parent.mkdir(parents=True, exist_ok=True)
        _replace(real, data)
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", str(path)) from error


def _replace(path: Path, data: bytes) -> None:
    aside = path.with_name(f".duramen-{os.urandom(6).hex()}.part")
    try:
        aside.write_bytes(data)
        os.replace(aside, path)
    except BaseException:  # Ctrl-C too
        with suppress(OSError):  # the first error is the one to tell
            aside.unlink()
        raise


def whole(text: str) -> str:
    """The text with lone halves of surrogate pairs, which no encoding has room for, replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _free(place: PurePath, suffix: str, taken: set[str]) -> PurePath:
    """The place with its suffix, numbered if another input has it; letter case is ignored, as some file systems do."""
    number = 1
    path = place.with_name(place.name + suffix)
    while str(path).casefold() in taken:
        number += 1
        path = place.with_name(f"{place.name}-{number}{suffix}")
    taken.add(str(path).casefold())
    return path


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _alone(name: str, result: str) -> str:
    return _ended(result)


def _titled(name: str, result: str) -> str:
    return f"==> {name} <==\n{_ended(result)}"


def _commented(name: str, result: str) -> str:
    return f"<!-- {name.replace('--', '- -')} -->\n\n{_ended(result)}"


def _json_line(name: str, result: str) -> str:
    return json.dumps({"input": name, **json.loads(result)}, ensure_ascii=False) + "\n"


def _json_lines(name: str, result: str) -> str:
    return "".join(_json_line(name, line) for line in result.splitlines())


def _xml_page(name: str, result: str) -> str:
    return f'<page input="{escape(name)}">\n{_ended(result)}</page>\n'


_FRAMES: dict[str, Callable[[str, str], str]] = {
    "text": _titled,
    "markdown": _commented,
    "html": _commented,
    "json": _json_line,
    "xml": _xml_page,
    "boxes": _json_line,
    "table": _titled,
    "csv": _titled,
    "jsonl": _json_lines,
}
