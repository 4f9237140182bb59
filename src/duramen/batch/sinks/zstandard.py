"""JSON Lines under Zstandard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from duramen.batch.sinks.plain import join
from duramen.batch.zstandard_file import library

__all__ = ["join", "pack"]


def pack(lines: Iterable[bytes], file: BinaryIO) -> None:
    with library().ZstdCompressor().stream_writer(file, closefd=False) as packed:
        for line in lines:
            packed.write(line)
