"""Write the pages of evaluation sets as a WARC file or a folder, for the other benchmarks of runs."""

from __future__ import annotations

import gzip
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from duramen.evaluation import read_set


class Crawled(NamedTuple):
    """One page."""

    url: str
    body: bytes


def pages_of(data: Path, every: int) -> list[Crawled]:
    """Every n-th page of all sets in a folder, in an order that mixes the sets."""
    found = []
    for manifest in sorted(data.glob("*/manifest.jsonl")):
        for number, example in enumerate(read_set(manifest.parent)):
            if number % every == 0:
                url = example.url or f"http://{manifest.parent.name}.example/{example.id}"
                found.append((number, manifest.parent.name, Crawled(url, example.read())))
    return [page for _, _, page in sorted(found, key=lambda entry: entry[:2])]


def write_warc(path: Path, pages: list[Crawled], size: int | None = None) -> int:
    """Write the pages as a WARC, gzipped if the name ends in .gz, and return the number of records.

    With `size`, the pages are repeated up to this size of the file in bytes.
    """
    records = [_record(page) for page in pages]
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


def write_folder(folder: Path, pages: list[Crawled]) -> None:
    """Write the pages as files."""
    folder.mkdir(parents=True)
    for number, page in enumerate(pages):
        (folder / f"{number:06}.html").write_bytes(page.body)


def _record(page: Crawled) -> bytes:
    # The pages of the sets have lost their HTTP headers: the encoding is found as for files.
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page.body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {page.url}\r\nWARC-Date: 2025-01-01T00:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"
