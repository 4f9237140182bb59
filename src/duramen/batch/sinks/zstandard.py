"""JSON Lines under Zstandard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from duramen.batch.opening import zstandard
from duramen.batch.sinks.plain import join

__all__ = ["join", "pack"]


def pack(lines: Iterable[bytes], file: BinaryIO) -> None:
    with zstandard().ZstdCompressor().stream_writer(file, closefd=False) as packed:
        for line in lines:
            packed.write(line)
