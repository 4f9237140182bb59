"""JSON Lines under gzip; the same rows give the same bytes."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from typing import BinaryIO

from duramen.batch.sinks.plain import join

__all__ = ["join", "pack"]


def pack(lines: Iterable[bytes], file: BinaryIO) -> None:
    # Without a name and a date, which would make equal shards differ.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
        packed.writelines(lines)
