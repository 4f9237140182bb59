"""JSON Lines as they are."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import BinaryIO


def pack(lines: Iterable[bytes], file: BinaryIO) -> None:
    file.writelines(lines)


def join(shards: Iterable[BinaryIO], file: BinaryIO) -> None:
    """One behind the other: as true of gzip and Zstandard, whose readers go on with the next member, as of lines."""
    for shard in shards:
        shutil.copyfileobj(shard, file, 1 << 20)
