"""Where rows go: a file of this folder a form.

A shard begins as plain lines, a row as JSON on each, which a worker writes page by page, so that nothing done is lost
with it. When its piece is done the lines are packed into the form asked for. A sink is a module with two functions:

    pack(lines, file)      the lines of a shard, in order, into a new binary file
    join(shards, file)     shards, as open binary files in order, into one

`SINKS` says which form the end of a name asks for.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import BinaryIO, Protocol, cast

from duramen.errors import UsageError


class Sink(Protocol):
    """What a module of this folder offers."""

    def pack(self, lines: Iterable[bytes], file: BinaryIO) -> None: ...

    def join(self, shards: Iterable[BinaryIO], file: BinaryIO) -> None: ...


SINKS = {".jsonl": "plain", ".jsonl.gz": "gzipped", ".jsonl.zst": "zstandard", ".parquet": "parquet"}
"""The forms, by how the names of their files end."""

LINES = ".jsonl"
"""The form in which a shard begins."""

DEFAULT = ".jsonl.gz"


def sink(ending: str) -> Sink:
    """The sink that writes files whose names end so."""
    if ending not in SINKS:
        raise UsageError(f"unknown form {ending.lstrip('.')!r}: choose one of {', '.join(e[1:] for e in SINKS)}")
    return cast(Sink, importlib.import_module(f"{__name__}.{SINKS[ending]}"))


def ending_of(name: str) -> str | None:
    """How a name ends, where that names a form."""
    return next((ending for ending in sorted(SINKS, key=len, reverse=True) if name.lower().endswith(ending)), None)
