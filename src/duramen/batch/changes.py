"""Whether the inputs are what they were when a run began: rows of the old pages and of the new are no corpus.

A file's *stamp* is its size and the time of its last change. Where there are many files, as in a folder, the plan has a
*seal* for those of each piece: the sum of digests of names and stamps, which tells of any change and does not depend on
how the files were cut into pieces. So the seal of a whole input, which the report keeps, is the sum of its pieces'.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from duramen.batch.item import Notes, Piece
from duramen.batch.opening import is_elsewhere
from duramen.batch.settings import Reading
from duramen.batch.sources import inputs_of
from duramen.batch.sources.folder import walk
from duramen.errors import InputError

_BYTES = 16


def stamp(path: str) -> dict[str, int] | None:
    """What tells whether a file has changed; None for what is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return None if os.path.isdir(path) else {"size": found.st_size, "mtime_ns": found.st_mtime_ns}


def seal(paths: Iterable[str]) -> str:
    """One word for the files at these paths as they are now."""
    return _word(sum(_digest(path, stamp(path)) for path in paths))


def stamped(whole: Piece) -> Iterator[str]:
    """The files of an input that are few enough to have a stamp each: a file that is cut into ranges, lists."""
    for path in (whole.path, *whole.names) if whole.kind == "addresses" else (whole.path,):
        if path and not is_elsewhere(path):
            yield path


def seals(plan: Iterable[Mapping[str, Any]], number: int) -> list[str]:
    """The seal of each of so many inputs, as the plan has them."""
    totals: Counter[int] = Counter()
    noted: set[str] = set()
    for line in plan:
        index = line["end"] if "end" in line else line["input"]
        totals[index] += int(line.get("seal", "0"), 16)
        if "stamp" in line and line["path"] not in noted:  # twice, where a run was killed just then
            noted.add(line["path"])
            totals[index] += _digest(line["path"], line["stamp"])
    return [_word(totals[index]) for index in range(number)]


def refuse_changed_pages(
    plan: Iterable[Mapping[str, Any]], arguments: Sequence[str], reading: Reading, out: str
) -> None:
    """Raise an `InputError` where the pages that a plan names are not those of now."""
    wholes = inputs_of(arguments)
    lines = (line for line in plan if "seal" in line or "end" in line)
    for index, group in groupby(lines, key=lambda line: int(line["end"] if "end" in line else line["input"])):
        whole = wholes[index] if index < len(wholes) else Piece("files", "")
        walked = walk(whole, reading, Notes()) if whole.kind == "folder" else None
        for line in group:
            names = [*line.get("met", ()), *line.get("piece", {}).get("names", ())]
            if walked is not None:
                _refuse_others(whole.path, names, walked, out)
            paths = [os.path.join(whole.path, name) for name in names]
            if line.get("seal", seal(())) != seal(paths):
                which = paths[0] if len(paths) == 1 else f"one of {_listed(paths)}"
                raise InputError(f"{which} has changed {_since(out)}, or put it back")
            if "end" in line and walked is not None and (more := next(walked, None)) is not None:
                raise InputError(f"{os.path.join(whole.path, more)} is new {_since(out)}, or take it away")


def _refuse_others(folder: str, names: Sequence[str], walked: Iterator[str], out: str) -> None:
    """The next names of a walk should be these."""
    for name in names:
        if (now := next(walked, None)) == name:
            continue
        path = os.path.join(folder, name)
        if not os.path.lexists(path) or now is None:
            raise InputError(f"{path} is gone {_since(out)}, or put it back")
        raise InputError(f"{os.path.join(folder, now)} is new {_since(out)}, or take it away")


def refuse_changed_file(line: Mapping[str, Any], out: str) -> None:
    """Raise an `InputError` where the file of a line of the plan is not that of now."""
    path = line["path"]
    if (now := stamp(path)) != line["stamp"]:
        what = "is gone" if now is None else "has changed"
        raise InputError(f"{path} {what} {_since(out)}, or put it back")


def refuse_changed_since(sealed: Sequence[str], arguments: Sequence[str], reading: Reading, out: str) -> None:
    """The same for a run that is finished. Inputs that are gone have been put away, and need not be there any more."""
    if not all(is_elsewhere(name) or os.path.exists(name) for name in arguments):
        return
    wholes = inputs_of(arguments)
    for whole, before in zip(wholes, sealed, strict=False):
        if whole.kind == "folder":
            paths: Iterable[str] = (os.path.join(whole.path, name) for name in walk(whole, reading, Notes()))
        else:
            paths = whole.names if whole.kind == "files" else stamped(whole)
        if seal(paths) != before:
            which = whole.path or (whole.names[0] if len(whole.names) == 1 else f"one of {_listed(whole.names)}")
            raise InputError(
                f"{which} has changed, and the run in {out} is finished:"
                " --overwrite does it again, another -o keeps both"
            )


def _listed(names: Sequence[str]) -> str:
    return f"{names[0]} … {names[-1]}"


def _since(out: str) -> str:
    return f"since the run in {out} began: start again with --overwrite"


def _digest(path: str, known: Mapping[str, int] | None) -> int:
    if known is None:
        return 0
    told = f"{known['size']} {known['mtime_ns']} {path}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(told, digest_size=_BYTES).digest(), "big")


def _word(number: int) -> str:
    return f"{number % (1 << 8 * _BYTES):0{2 * _BYTES}x}"
