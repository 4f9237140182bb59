"""Finished shards, on disk or in an object store: read them, and replace them atomically."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from duramen.batch.inputs.io import get_filesystem, import_arrow, is_remote, open_binary, open_decompressed
from duramen.batch.outputs.formats import PARQUET_SUFFIX, get_output_format
from duramen.files import write_atomically

_COPY_BYTES = 1 << 20
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "az", "memory"}


@dataclass(frozen=True)
class ShardStore:
    """The shards of a run."""

    folder: str
    suffix: str
    text_folder: str | None = None
    """The folder of the text files, if rows name a `file` instead of having a text."""

    def path(self, number: int) -> str:
        return f"{self.folder}/part-{number:05}{self.suffix}"

    def read_rows(self, number: int) -> Iterator[dict[str, Any]]:
        """Read the rows of a shard, in order."""
        path = self.path(number)
        if self.suffix == PARQUET_SUFFIX:
            yield from _read_parquet_rows(path)
            return
        with open_decompressed(path) as file:
            for line in file:
                yield json.loads(line)

    def read_text(self, row: dict[str, Any]) -> str:
        """Return the text of a row: its own, or that of the file it names."""
        if self.text_folder is None:
            return row["text"] or ""
        name = row["file"]
        return (Path(self.text_folder) / name).read_text("utf-8") if name else ""

    def replace(self, number: int, rows: Iterable[dict[str, Any]]) -> None:
        """Replace the rows of a shard, all of them or none."""
        lines = (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
        write_anywhere(self.path(number), lambda file: get_output_format(self.suffix).pack(lines, file))


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
        part = f"{name}.{os.urandom(4).hex()}.part"
        with filesystem.open(part, "wb") as file:
            shutil.copyfileobj(temporary, file, _COPY_BYTES)
        filesystem.mv(part, name)


def _is_object_store(filesystem: Any) -> bool:
    protocols = {filesystem.protocol} if isinstance(filesystem.protocol, str) else set(filesystem.protocol)
    return bool(protocols & _OBJECT_STORES)


def _read_parquet_rows(path: str) -> Iterator[dict[str, Any]]:
    with open_binary(path) as file:
        parquet = import_arrow("pyarrow.parquet").ParquetFile(file)
        for batch in parquet.iter_batches(batch_size=256, use_threads=False):
            yield from batch.to_pylist()
