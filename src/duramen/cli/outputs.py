"""Write results to standard output, to a file, or to a folder of files.

Files are written atomically: the text goes to a temporary file, which is then renamed. A run that is killed or finds
the disk full leaves no incomplete file.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path, PurePath

from duramen.cli.inputs import FileInput, Input
from duramen.cli.progress import escape_controls
from duramen.dom.encoding import replace_lone_surrogates
from duramen.errors import InputError, UsageError
from duramen.files import write_atomically

FORMAT_SUFFIXES = {
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

# Control characters can move the cursor of a terminal or change its state. Newline and tab are text.
_CONTROL_CHARS = {
    code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"
}


class Output(ABC):
    """Writes one result after the other; an `OSError` names the file that could not be written."""

    @abstractmethod
    def write(self, source: Input, result: str) -> None: ...

    def close(self) -> None:  # noqa: B027 - most outputs have nothing to close
        """Finish the output after the last result."""


class StandardOutput(Output):
    """Standard output; of several results, each is marked with the name of its page."""

    def __init__(self, format: str, *, several: bool) -> None:
        self._frame: Callable[[str, str], str] = _FRAMES[format] if several else _frame_nothing
        self._xml = several and format == "xml"
        self._started = False

    def write(self, source: Input, result: str) -> None:
        framed = self._frame(escape_controls(source.name), result)
        if self._xml and not self._started:
            framed = f"<pages>\n{framed}"
        elif self._started and self._frame in (_frame_title, _frame_comment):
            framed = f"\n{framed}"
        self._started = True
        write_stdout(framed)

    def close(self) -> None:
        if self._xml:
            write_stdout("</pages>\n" if self._started else "<pages/>\n")


class FileOutput(Output):
    """One file, for the result of one page."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, source: Input, result: str) -> None:
        write_file(self._path, result)


class FolderOutput(Output):
    """A folder with one file for each page; no two pages get the same file."""

    def __init__(self, folder: Path, format: str, inputs: Sequence[Input]) -> None:
        self._paths: dict[int, Path] = {}  # by identity: the same page may be named twice
        pages = {os.path.realpath(source.path) for source in inputs if isinstance(source, FileInput)}
        taken: set[str] = set()
        for source in inputs:
            path = folder / _make_unique_path(source.output_stem, FORMAT_SUFFIXES[format], taken)
            if os.path.realpath(path) in pages:
                raise UsageError(f"{path} is one of the pages and would be overwritten: give -o another folder")
            self._paths[id(source)] = path
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise InputError(f"{folder} cannot be written to: permission denied")

    def write(self, source: Input, result: str) -> None:
        write_file(self.get_path(source), result)

    def get_path(self, source: Input) -> Path:
        """Return the file of a page."""
        return self._paths[id(source)]


def open_output(target: str | None, format: str, inputs: Sequence[Input], *, several: bool) -> Output:
    """Open the output that `-o` names: a folder for several pages, if one exists, or if the name ends in a slash."""
    if target is None or target == "-":
        return StandardOutput(format, several=several)
    if is_output_folder(target, several=several):
        if os.path.exists(target) and not os.path.isdir(target):
            raise UsageError(f"{target} is a file, but several pages need a folder: give -o another name")
        return FolderOutput(Path(target), format, inputs)
    for source in inputs:
        if isinstance(source, FileInput) and os.path.realpath(source.path) == os.path.realpath(target):
            raise UsageError(f"{target} is the page itself and would be overwritten: give -o another name")
    check_writable(target)
    return FileOutput(Path(target))


def is_output_folder(target: str, *, several: bool) -> bool:
    """Return whether `-o` names a folder."""
    return several or os.path.isdir(target) or target.endswith(("/", os.sep))


def check_writable(name: str) -> None:
    """Raise an error if a file of this name cannot be written. Verbs check this before the work, not after it."""
    if os.path.exists(name) and not os.path.isfile(name):
        return  # a device or a pipe, which is written directly
    folder = Path(os.path.realpath(name)).parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        raise UsageError(f"{name} cannot be written: {folder} is not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{name} cannot be written: no permission to write in the folder {folder}")


def write_stdout(text: str) -> None:
    """Write to standard output; on a terminal, replace control characters."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "is closed", "standard output")
    if sys.stdout.isatty():
        text = text.translate(_CONTROL_CHARS)
    sys.stdout.write(replace_lone_surrogates(text))
    sys.stdout.flush()  # the reader of a pipe gets each page at once


def write_file(path: Path, text: str) -> None:
    """Write a text file atomically, in UTF-8, and make its folder."""
    data = _end_line(replace_lone_surrogates(text)).encode("utf-8")
    try:
        Path(os.path.realpath(path)).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, lambda file: file.write(data), sync=False)  # a folder may get many small files
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", str(path)) from error


def _make_unique_path(stem: PurePath, suffix: str, taken: set[str]) -> PurePath:
    """Add the suffix, and a number if the path is taken. Letter case is ignored, as some file systems do."""
    number = 1
    path = stem.with_name(stem.name + suffix)
    while str(path).casefold() in taken:
        number += 1
        path = stem.with_name(f"{stem.name}-{number}{suffix}")
    taken.add(str(path).casefold())
    return path


def _end_line(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _frame_nothing(name: str, result: str) -> str:
    return _end_line(result)


def _frame_title(name: str, result: str) -> str:
    return f"==> {name} <==\n{_end_line(result)}"


def _frame_comment(name: str, result: str) -> str:
    return f"<!-- {name.replace('--', '- -')} -->\n\n{_end_line(result)}"


def _frame_json(name: str, result: str) -> str:
    return json.dumps({"input": name, **json.loads(result)}, ensure_ascii=False) + "\n"


def _frame_json_lines(name: str, result: str) -> str:
    return "".join(_frame_json(name, line) for line in result.splitlines())


def _frame_xml(name: str, result: str) -> str:
    return f'<page input="{escape(name)}">\n{_end_line(result)}</page>\n'


_FRAMES: dict[str, Callable[[str, str], str]] = {
    "text": _frame_title,
    "markdown": _frame_comment,
    "html": _frame_comment,
    "json": _frame_json,
    "xml": _frame_xml,
    "boxes": _frame_json,
    "table": _frame_title,
    "csv": _frame_title,
    "jsonl": _frame_json_lines,
}
