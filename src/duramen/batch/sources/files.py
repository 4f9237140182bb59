"""Pages in files of their own, gzipped or not."""

from __future__ import annotations

import os
from collections.abc import Iterator

from duramen.batch.item import Item, Notes, Piece
from duramen.batch.opening import read_page
from duramen.batch.settings import Reading
from duramen.batch.sources import PAGE_BYTES
from duramen.errors import InputError

KIND = "files"


def cut(whole: Piece, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None) -> Iterator[Piece]:
    start = after.stop if after is not None and after.stop is not None else 0
    while start < len(whole.names):
        limit, stop, size = next(limits), start, 0
        while stop < len(whole.names) and stop - start < limit and size < limit * PAGE_BYTES:
            size += size_of(os.path.join(whole.path, whole.names[stop]))
            stop += 1
        yield Piece(KIND, whole.path, start, stop, whole.names[start:stop], size)
        start = stop


def size(whole: Piece, reading: Reading) -> int | None:
    return sum(size_of(os.path.join(whole.path, name)) for name in whole.names)


def read(piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    for index, name in enumerate(piece.names):
        path = os.path.join(piece.path, name)
        if (lost := piece.lost.get(index)) is not None:
            yield Item(path, error=lost)
            continue
        try:
            yield Item(path, body=read_page(path, reading.max_bytes))
        except InputError as error:
            yield Item(path, error=f"unreadable: {error}")


def size_of(path: str) -> int:
    """In bytes; 0 for what is not there, which reading will say."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
