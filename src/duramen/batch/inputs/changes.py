"""Detection of inputs that have changed since a run began.

The *stamp* of a file is its size and modification time. For many files, as in a folder, the plan has one *fingerprint*
per split: the sum of the digests of names and stamps. It changes with any file and does not depend on how the files
were split, so the fingerprint of a whole input, which the report keeps, is the sum of those of its splits.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from duramen.batch.inputs import parse_inputs
from duramen.batch.inputs.folder import walk_folder
from duramen.batch.inputs.io import is_remote
from duramen.batch.inputs.splits import InputNotes, Split
from duramen.batch.settings import ReadSettings
from duramen.errors import InputError

_DIGEST_BYTES = 16


def file_stamp(path: str) -> dict[str, int] | None:
    """Return the size and modification time of a file; None if it is not a file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return None if os.path.isdir(path) else {"size": status.st_size, "mtime_ns": status.st_mtime_ns}


def fingerprint_files(paths: Iterable[str]) -> str:
    """Return one fingerprint for the present state of these files."""
    return _format_fingerprint(sum(_digest_file(path, file_stamp(path)) for path in paths))


def list_stamped_files(whole: Split) -> Iterator[str]:
    """Give the local files of an input that are few enough for a stamp each: files split into ranges, URL lists."""
    for path in (whole.path, *whole.names) if whole.kind == "addresses" else (whole.path,):
        if path and not is_remote(path):
            yield path


def fingerprint_inputs(plan: Iterable[Mapping[str, Any]], count: int) -> list[str]:
    """Return the fingerprint of each of `count` inputs, as the plan has them."""
    totals: Counter[int] = Counter()
    stamped: set[str] = set()
    for line in plan:
        index = line["end"] if "end" in line else line["input"]
        totals[index] += int(line.get("seal", "0"), 16)
        if "stamp" in line and line["path"] not in stamped:  # a stamp is repeated if a run was killed at that moment
            stamped.add(line["path"])
            totals[index] += _digest_file(line["path"], line["stamp"])
    return [_format_fingerprint(totals[index]) for index in range(count)]


def check_planned_file(line: Mapping[str, Any], out: str) -> None:
    """Raise an `InputError` if the file of a line of the plan has changed or is gone."""
    path = line["path"]
    if (stamp := file_stamp(path)) != line["stamp"]:
        change = "is gone" if stamp is None else "has changed"
        raise InputError(f"{path} {change} {_since(out)}, or put it back")


def check_planned_pages(
    plan: Iterable[Mapping[str, Any]], arguments: Sequence[str], reading: ReadSettings, out: str
) -> None:
    """Raise an `InputError` if the pages in the files of a plan are new, have changed, or are gone."""
    inputs = parse_inputs(arguments)
    lines = (line for line in plan if "seal" in line or "end" in line)
    for index, group in groupby(lines, key=lambda line: int(line["end"] if "end" in line else line["input"])):
        whole = inputs[index] if index < len(inputs) else Split("files", "")
        walk = walk_folder(whole, reading, InputNotes()) if whole.kind == "folder" else None
        for line in group:
            names = [*line.get("met", ()), *line.get("piece", {}).get("names", ())]
            if walk is not None:
                _check_next_names(whole.path, names, walk, out)
            paths = [os.path.join(whole.path, name) for name in names]
            if line.get("seal", fingerprint_files(())) != fingerprint_files(paths):
                which = paths[0] if len(paths) == 1 else f"one of {_first_and_last(paths)}"
                raise InputError(f"{which} has changed {_since(out)}, or put it back")
            if "end" in line and walk is not None and (more := next(walk, None)) is not None:
                raise InputError(f"{os.path.join(whole.path, more)} is new {_since(out)}, or take it away")


def _check_next_names(folder: str, names: Sequence[str], walk: Iterator[str], out: str) -> None:
    """Raise an `InputError` unless these are the next names of a walk."""
    for name in names:
        if (present := next(walk, None)) == name:
            continue
        path = os.path.join(folder, name)
        if not os.path.lexists(path) or present is None:
            raise InputError(f"{path} is gone {_since(out)}, or put it back")
        raise InputError(f"{os.path.join(folder, present)} is new {_since(out)}, or take it away")


def check_inputs_unchanged(saved: Sequence[str], arguments: Sequence[str], reading: ReadSettings, out: str) -> None:
    """Raise an `InputError` if the inputs of a finished run have changed. They may be gone."""
    if not all(is_remote(name) or os.path.exists(name) for name in arguments):
        return
    for whole, fingerprint in zip(parse_inputs(arguments), saved, strict=False):
        if whole.kind == "folder":
            names = walk_folder(whole, reading, InputNotes())
            paths: Iterable[str] = (os.path.join(whole.path, name) for name in names)
        else:
            paths = whole.names if whole.kind == "files" else list_stamped_files(whole)
        if fingerprint_files(paths) != fingerprint:
            which = whole.path or (
                whole.names[0] if len(whole.names) == 1 else f"one of {_first_and_last(whole.names)}"
            )
            raise InputError(
                f"{which} has changed, and the run in {out} is finished:"
                " run it again with --overwrite, or choose another output (-o) to keep both"
            )


def _first_and_last(names: Sequence[str]) -> str:
    return f"{names[0]} … {names[-1]}"


def _since(out: str) -> str:
    return f"since the run in {out} began: start again with --overwrite"


def _digest_file(path: str, stamp: Mapping[str, int] | None) -> int:
    if stamp is None:
        return 0
    text = f"{stamp['size']} {stamp['mtime_ns']} {path}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=_DIGEST_BYTES).digest(), "big")


def _format_fingerprint(number: int) -> str:
    return f"{number % (1 << 8 * _DIGEST_BYTES):0{2 * _DIGEST_BYTES}x}"
