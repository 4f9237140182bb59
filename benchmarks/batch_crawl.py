"""Write the pages of evaluation sets as a WARC file or a folder, for the other benchmarks of runs."""

from __future__ import annotations

import gzip
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from duramen.evaluation import read_set
from warc_records import make_warc_record


class CrawledPage(NamedTuple):
    """A page and its URL."""

    url: str
    body: bytes


def read_pages(data: Path, every: int) -> list[CrawledPage]:
    """Return every n-th page of all sets in a folder, in an order that mixes the sets."""
    pages = []
    for manifest in sorted(data.glob("*/manifest.jsonl")):
        for number, example in enumerate(read_set(manifest.parent)):
            if number % every == 0:
                url = example.url or f"http://{manifest.parent.name}.example/{example.id}"
                pages.append((number, manifest.parent.name, CrawledPage(url, example.read())))
    return [page for _, _, page in sorted(pages, key=lambda entry: entry[:2])]


def write_warc(path: Path, pages: list[CrawledPage], size: int | None = None) -> int:
    """Write the pages as a WARC, gzipped if the name ends in .gz, and return the number of records.

    With `size`, the pages are repeated until the file has this size in bytes.
    """
    records = [make_warc_record(page.url, page.body) for page in pages]
    if path.suffix == ".gz":
        records = [gzip.compress(record, 6) for record in records]
    number = written = 0
    with path.open("wb") as file:
        for record in records if size is None else cycle(records):
            file.write(record)
            number += 1
            written += len(record)
            if size is not None and written >= size:
                break
    return number


def write_folder(folder: Path, pages: list[CrawledPage]) -> None:
    """Write the pages as files."""
    folder.mkdir(parents=True)
    for number, page in enumerate(pages):
        (folder / f"{number:06}.html").write_bytes(page.body)
