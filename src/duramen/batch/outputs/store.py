"""Finished shards, on disk or in an object store: read them, and replace them atomically."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, cast

from duramen.batch.inputs.io import get_filesystem, import_arrow, is_remote, open_binary, open_decompressed
from duramen.batch.outputs.checksums import FileDigest, HashingWriter, compute_digest
from duramen.batch.outputs.formats import PARQUET_SUFFIX, get_output_format
from duramen.files import make_temporary_name, write_atomically

_COPY_BYTES = 1 << 20
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "az", "memory"}


@dataclass(frozen=True)
class ShardStore:
    """The shards of a run."""

    folder: str
    suffix: str
    text_folder: str | None = None
    """The folder of the text files, if rows name a `file` instead of having a text."""

    def name(self, number: int) -> str:
        return f"part-{number:05}{self.suffix}"

    def path(self, number: int) -> str:
        return f"{self.folder}/{self.name(number)}"

    def list_sizes(self) -> dict[str, int]:
        """Return the sizes of all files in the folder, by name."""
        if not is_remote(self.folder):
            with suppress(FileNotFoundError), os.scandir(self.folder) as entries:
                return {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}
            return {}
        filesystem, folder = get_filesystem(self.folder)
        filesystem.invalidate_cache()
        with suppress(FileNotFoundError):
            return {file["name"].rpartition("/")[2]: file["size"] for file in filesystem.ls(folder, detail=True)}
        return {}

    def compute_digest(self, number: int) -> FileDigest:
        """Read a shard and return its size and checksum."""
        with open_binary(self.path(number)) as file:
            return compute_digest(file)

    def find_missing_text(self, number: int) -> str | None:
        """Return the name of a text file that the rows of a shard name, but that does not exist."""
        if self.text_folder is None:
            return None
        names = (row["file"] for row in self.read_rows(number))
        return next((name for name in names if name and not (Path(self.text_folder) / name).is_file()), None)

    def set_aside(self, number: int, folder: Path) -> None:
        """Move a damaged shard to a folder, since it may be a file that the run has not written."""
        path = Path(self.path(number))
        if is_remote(self.folder) or not path.exists():
            return
        folder.mkdir(parents=True, exist_ok=True)
        path.replace(next(free for n in count(1) if not (free := folder / f"{n}-{path.name}").exists()))

    def read_rows(self, number: int) -> Iterator[dict[str, Any]]:
        """Read the rows of a shard, in order."""
        return read_rows_of_file(self.path(number), self.suffix)

    def read_text(self, row: dict[str, Any]) -> str:
        """Return the text of a row: its own, or that of the file it names."""
        if self.text_folder is None:
            return row["text"] or ""
        name = row["file"]
        return (Path(self.text_folder) / name).read_text("utf-8") if name else ""

    def replace(self, number: int, rows: Iterable[dict[str, Any]]) -> FileDigest:
        """Replace the rows of a shard, all of them or none."""
        lines = (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
        digests = []

        def write(file: BinaryIO) -> None:
            hashing = HashingWriter(file)
            get_output_format(self.suffix).pack(lines, cast(BinaryIO, hashing))
            digests.append(hashing.digest)

        write_anywhere(self.path(number), write)
        return digests[0]


def write_anywhere(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Write a file atomically, on disk or on a remote file system."""
    if not is_remote(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_atomically(Path(path), write)
        return
    with tempfile.TemporaryFile() as temporary:
        write(temporary)
        temporary.seek(0)
        filesystem, name = get_filesystem(path)
        if _is_object_store(filesystem):
            # An object appears when its last byte has arrived: nothing has to be renamed.
            with filesystem.open(name, "wb") as file:
                shutil.copyfileobj(temporary, file, _COPY_BYTES)
            return
        filesystem.makedirs(os.path.dirname(name), exist_ok=True)
        part = f"{os.path.dirname(name)}/{make_temporary_name()}"
        with filesystem.open(part, "wb") as file:
            shutil.copyfileobj(temporary, file, _COPY_BYTES)
        filesystem.mv(part, name)


def read_rows_of_file(path: str, suffix: str) -> Iterator[dict[str, Any]]:
    """Read the rows of a file in order; the suffix gives its format."""
    if suffix == PARQUET_SUFFIX:
        yield from _read_parquet_rows(path)
        return
    with open_decompressed(path) as file:
        for line in file:
            yield json.loads(line)


def _is_object_store(filesystem: Any) -> bool:
    protocols = {filesystem.protocol} if isinstance(filesystem.protocol, str) else set(filesystem.protocol)
    return bool(protocols & _OBJECT_STORES)


def _read_parquet_rows(path: str) -> Iterator[dict[str, Any]]:
    with open_binary(path) as file:
        parquet = import_arrow("pyarrow.parquet").ParquetFile(file)
        for batch in parquet.iter_batches(batch_size=256, use_threads=False):
            yield from batch.to_pylist()
