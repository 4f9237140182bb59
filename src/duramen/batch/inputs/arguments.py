"""Input arguments without repetition, and unique printable names of files.

A file that is named twice, or by itself and with its folder, is read once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from duramen.batch.inputs.io import is_remote

_MAX_SHOWN_NAMES = 3
_ESCAPE_START = re.compile(r"\\(?=x[0-9a-f]{2})")


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


def printable_path(path: str) -> str:
    """Return a path as rows have it.

    Bytes that are not UTF-8 become `\\xff`. So that no two paths become equal, a backslash that looks like the start of
    such an escape becomes `\\x5c`.
    """
    if path.isascii() and "\\" not in path:
        return path
    if os.sep != "\\":
        path = _ESCAPE_START.sub(r"\\x5c", path)
    return path.encode("utf-8", "surrogateescape" if _has_escaped_bytes(path) else "surrogatepass").decode(
        "utf-8", "backslashreplace"
    )


def _has_escaped_bytes(path: str) -> bool:
    """True if the lone surrogates of a path, if any, stand for bytes."""
    return not re.search("[\ud800-\udc7f\udd00-\udfff]", path)
