"""Output formats of rows.

A worker first writes the rows of a shard as plain JSON lines, page by page, so that a crash loses no finished page.
When the split is done, the lines are packed into the requested format. A format has two functions:

    pack(lines, file)      write the lines of a shard, in order, to a new binary file
    join(shards, file)     write shards, given as open binary files in order, to one file

The suffix of a file name selects the format.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO, Protocol, cast

from duramen.errors import UsageError


class OutputFormat(Protocol):
    """Interface of an output format."""

    def pack(self, lines: Iterable[bytes], file: BinaryIO) -> None: ...

    def join(self, shards: Iterable[BinaryIO], file: BinaryIO) -> None: ...


PLAIN_SUFFIX = ".jsonl"
"""The format in which a shard is written first."""
PARQUET_SUFFIX = ".parquet"
DEFAULT_SUFFIX = ".jsonl.gz"
SUFFIXES = (PLAIN_SUFFIX, DEFAULT_SUFFIX, ".jsonl.zst", PARQUET_SUFFIX)
"""The formats, by the suffix of their files."""


def get_output_format(suffix: str) -> OutputFormat:
    """Return the output format of files with this suffix."""
    if suffix == PARQUET_SUFFIX:
        from duramen.batch.outputs import parquet

        return cast(OutputFormat, parquet)
    from duramen.batch.outputs.jsonl import GzipLines, PlainLines, ZstandardLines

    if suffix not in SUFFIXES:
        raise UsageError(f"unknown output format {suffix.lstrip('.')!r}: choose one of {list_formats()}")
    return {PLAIN_SUFFIX: PlainLines, DEFAULT_SUFFIX: GzipLines}.get(suffix, ZstandardLines)()


def list_formats() -> str:
    """Return the names of all formats, for messages."""
    return ", ".join(suffix[1:] for suffix in SUFFIXES)


def find_suffix(name: str) -> str | None:
    """Return the suffix of a file name that selects an output format, if it has one."""
    return next((suffix for suffix in sorted(SUFFIXES, key=len, reverse=True) if name.lower().endswith(suffix)), None)
