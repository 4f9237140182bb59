"""What a command names, each once: a file that is named twice, or by itself and with its folder, has one row, and
no two files have one name."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from duramen.batch.opening import is_elsewhere

_SHOWN = 3
_LIKE_A_BYTE = re.compile(r"\\(?=x[0-9a-f]{2})")


@dataclass
class Named:
    """The arguments of a command, and what of them is said more than once."""

    once: list[str] = field(default_factory=list)
    """The arguments, without those that name what one before them does."""
    within: dict[str, list[str]] = field(default_factory=dict)
    """By folder: what below it is named by itself, by its path from there. The folder is read without it."""
    doubled: list[str] = field(default_factory=list)

    @property
    def note(self) -> str | None:
        """A sentence on what would have been read twice."""
        if not self.doubled:
            return None
        more = f" and {len(self.doubled) - _SHOWN:,} more" if len(self.doubled) > _SHOWN else ""
        return f"named more than once, and read once: {', '.join(self.doubled[:_SHOWN])}{more}"


def named(arguments: Sequence[str]) -> Named:
    """What the arguments name. Two names of a file are one where their folders are; a link to a file is another file,
    as it is in a folder."""
    found = Named()
    real: dict[str, str] = {}
    places: dict[str, str] = {}
    for argument in arguments:
        place = _place(argument, real)
        if place in places:
            found.doubled.append(argument)
        else:
            places[place] = argument
            found.once.append(argument)
    folders = {place for place, argument in places.items() if os.path.isdir(argument)}
    for place, argument in places.items() if folders else ():
        above = os.path.dirname(place)
        while above not in folders and above != os.path.dirname(above):
            above = os.path.dirname(above)
        if above in folders and above != place:
            found.within.setdefault(places[above], []).append(os.path.relpath(place, above))
            found.doubled.append(argument)
    return found


def _place(argument: str, real: dict[str, str]) -> str:
    """Where it lies, whatever way it is named; `real` remembers folders."""
    if is_elsewhere(argument):
        return argument
    folder, name = (argument, "") if os.path.isdir(argument) else os.path.split(argument)
    if folder not in real:
        real[folder] = os.path.realpath(folder)
    return os.path.join(real[folder], name) if name else real[folder]


def written(path: str) -> str:
    """A path as rows have it. Bytes that are no UTF-8 stand as `\\xff`, so that no two paths become one; to that end a
    backslash that only looks like the beginning of such a byte is written as one, `\\x5c`."""
    if path.isascii() and "\\" not in path:
        return path
    if os.sep != "\\":
        path = _LIKE_A_BYTE.sub(r"\\x5c", path)
    return path.encode("utf-8", "surrogateescape" if _is_of_bytes(path) else "surrogatepass").decode(
        "utf-8", "backslashreplace"
    )


def _is_of_bytes(path: str) -> bool:
    """Whether the lone surrogates in a path, if any, stand for bytes."""
    return not re.search("[\ud800-\udc7f\udd00-\udfff]", path)
