"""JSON Lines under gzip; the same rows give the same bytes."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from typing import BinaryIO

from duramen.batch.sinks.plain import join

__all__ = ["join", "pack"]


def pack(lines: Iterable[bytes], file: BinaryIO) -> None:
    # Level 4 takes half the time of gzip's usual 6, for 3 % more bytes. No name and no date: they would make equal
    # shards differ.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=4, fileobj=file, mtime=0) as packed:
        packed.writelines(lines)
