"""Input: pages in files of their own, compressed with gzip or not."""

from __future__ import annotations

import os
from collections.abc import Iterator

from duramen.batch.inputs import MEAN_PAGE_BYTES
from duramen.batch.inputs.io import read_page
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings
from duramen.errors import InputError

KIND = "files"


def find_splits(
    whole: Split, reading: ReadSettings, limits: Iterator[int], notes: InputNotes, after: Split | None
) -> Iterator[Split]:
    start = after.stop if after is not None and after.stop is not None else 0
    while start < len(whole.names):
        limit, stop, size = next(limits), start, 0
        while stop < len(whole.names) and stop - start < limit and size < limit * MEAN_PAGE_BYTES:
            size += page_file_size(os.path.join(whole.path, whole.names[stop]))
            stop += 1
        yield Split(KIND, whole.path, start, stop, whole.names[start:stop], size)
        start = stop


def measure(whole: Split, reading: ReadSettings) -> int | None:
    return sum(page_file_size(os.path.join(whole.path, name)) for name in whole.names)


def read_pages(split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    for index, name in enumerate(split.names):
        path = os.path.join(split.path, name)
        if (error_text := split.unreadable.get(index)) is not None:
            yield InputPage(path, error=error_text)
            continue
        try:
            yield InputPage(path, body=read_page(path, reading.max_bytes))
        except InputError as error:
            yield InputPage(path, error=f"unreadable: {error}")


def page_file_size(path: str) -> int:
    """Return the size of a file in bytes; 0 for a missing file, which reading will report."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
