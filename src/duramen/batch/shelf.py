"""Finished shards to be read, and to be written anew: here, or in an object store that fsspec knows."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from duramen.batch.opening import filesystem, is_elsewhere, open_binary, open_unpacked
from duramen.batch.shards import write_whole
from duramen.batch.sinks import sink


@dataclass(frozen=True)
class Shelf:
    """Where the shards of a run stand."""

    folder: str
    ending: str
    texts: str | None = None
    """Where the texts stand that a row names as its `file`."""

    def path(self, number: int) -> str:
        return f"{self.folder}/part-{number:05}{self.ending}"

    def rows(self, number: int) -> Iterator[dict[str, Any]]:
        """The rows of a shard, in order."""
        path = self.path(number)
        if self.ending == ".parquet":
            yield from _parquet_rows(path)
            return
        with open_unpacked(path) as file:
            for line in file:
                yield json.loads(line)

    def text(self, row: dict[str, Any]) -> str:
        """The text of a row: its own, or that of the file it names."""
        if self.texts is None:
            return row["text"] or ""
        name = row["file"]
        return (Path(self.texts) / name).read_text("utf-8") if name else ""

    def replace(self, number: int, rows: Iterable[dict[str, Any]]) -> None:
        """Put other rows in a shard's place, all of them or none."""
        lines = (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
        put(self.path(number), lambda file: sink(self.ending).pack(lines, file))


def put(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Write a file that is there whole or not at all, whatever holds it."""
    if not is_elsewhere(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_whole(Path(path), write)
        return
    with tempfile.TemporaryFile() as aside:
        write(aside)
        aside.seek(0)
        system, name = filesystem(path)
        if not _is_store(system):
            system.makedirs(os.path.dirname(name), exist_ok=True)
            part = f"{name}.{os.urandom(4).hex()}.part"
            with system.open(part, "wb") as file:
                shutil.copyfileobj(aside, file, 1 << 20)
            system.mv(part, name)
            return
        # An object appears when the last of its bytes has come, and there is nothing to rename.
        with system.open(name, "wb") as file:
            shutil.copyfileobj(aside, file, 1 << 20)


def _is_store(system: Any) -> bool:
    names = {system.protocol} if isinstance(system.protocol, str) else set(system.protocol)
    return bool(names & {"s3", "s3a", "gs", "gcs", "abfs", "az", "memory"})


def _parquet_rows(path: str) -> Iterator[dict[str, Any]]:
    from duramen.batch.sinks.parquet import arrow

    with open_binary(path) as file:
        for batch in arrow("pyarrow.parquet").ParquetFile(file).iter_batches(batch_size=256, use_threads=False):
            yield from batch.to_pylist()
