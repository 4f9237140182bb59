"""Size and checksum of output files, and the search for shards that are missing or damaged.

A worker computes both while it writes a shard, and the journal keeps them. SHA-256 takes a second per gigabyte, a small
part of a thousandth of the time in which a run writes as much.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol

if TYPE_CHECKING:
    from duramen.batch.outputs.store import ShardStore

_COPY_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class FileDigest:
    """Size and checksum of a file."""

    bytes: int
    sha256: str


class RecordedShard(Protocol):
    """A line of the journal. What an earlier version wrote has neither size nor checksum."""

    @property
    def shard_bytes(self) -> int | None: ...
    @property
    def shard_sha256(self) -> str | None: ...


class HashingWriter(io.BufferedIOBase):
    """Passes what is written on to a file, and computes its digest."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self._bytes = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._file.write(data)
        self._hash.update(data)
        self._bytes += memoryview(data).nbytes
        return memoryview(data).nbytes

    def tell(self) -> int:
        return self._bytes

    @property
    def digest(self) -> FileDigest:
        """The digest of all that is written so far."""
        return FileDigest(self._bytes, self._hash.hexdigest())


def compute_digest(file: BinaryIO) -> FileDigest:
    """Read a file to its end."""
    hashed, size = hashlib.sha256(), 0
    while data := file.read(_COPY_BYTES):
        hashed.update(data)
        size += len(data)
    return FileDigest(size, hashed.hexdigest())


def find_damaged_shards(recorded: Mapping[int, RecordedShard], store: ShardStore, *, checksums: bool) -> dict[int, str]:
    """Return what is wrong with shards, by number; with `checksums`, all of them are read."""
    sizes = store.list_sizes()
    damaged = {}
    for number, shard in sorted(recorded.items()):
        size = sizes.get(store.name(number))
        if size is None:
            damaged[number] = "missing"
        elif shard.shard_bytes is None:
            continue
        elif size != shard.shard_bytes:
            damaged[number] = f"{size:,} bytes instead of {shard.shard_bytes:,}"
        elif checksums and store.compute_digest(number).sha256 != shard.shard_sha256:
            damaged[number] = "changed"
        elif checksums and (missing := store.find_missing_text(number)) is not None:
            damaged[number] = f"without {missing}"
    return damaged
