"""Pages, WARCs and folders that the tests of the run are given."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import duramen

HERE = Path(__file__).parent
SENTENCE = "The heartwood of number {} is the dark middle of its trunk, which carries no water, but holds it upright. "


def page(number: int, word: str = "") -> bytes:
    """A page like another, with a word in it that a hazardous method may mind."""
    return (
        f"<!DOCTYPE html><html lang='en'><head><title>Tree {number}</title></head><body><nav><a href='/'>Home</a></nav>"
        f"<article><h1>Tree {number}</h1><p>{SENTENCE.format(number) * 3}</p><p>{word}</p></article></body></html>"
    ).encode()


def response(url: str, body: bytes, headers: str = "Content-Type: text/html", status: str = "200 OK") -> bytes:
    """A WARC record of an HTTP response."""
    return record("response", f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode() + body, url)


def record(kind: str, block: bytes, url: str = "", content_type: str = "application/http; msgtype=response") -> bytes:
    target = f"WARC-Target-URI: {url}\r\n" if url else ""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\n{target}WARC-Date: 2024-05-06T07:08:09Z\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def write_warc(path: Path, records: Iterable[bytes]) -> Path:
    """A WARC packed as its name says, record by record."""
    pack = bytes
    if path.suffix == ".gz":
        pack = gzip.compress
    elif path.suffix == ".zst":
        import zstandard

        pack = zstandard.ZstdCompressor().compress
    path.write_bytes(b"".join(pack(one) for one in records))
    return path


def pages_warc(path: Path, number: int, last: str = "") -> Path:
    """A WARC of so many pages, the last with a word in it."""
    pages = (page(n, last if n == number - 1 else "") for n in range(number))
    return write_warc(path, (response(f"http://tree.example/{n}", body) for n, body in enumerate(pages)))


def write_pages(folder: Path, pages: Iterable[bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number, body in enumerate(pages):
        (folder / f"{number:05}.html").write_bytes(body)
    return folder


def command(arguments: Sequence[object], *more: object) -> list[str]:
    return [sys.executable, "-m", "duramen", "run", *map(str, (*arguments, *more))]


def environment() -> dict[str, str]:
    paths = [str(Path(duramen.__file__).parents[1]), str(HERE.parents[1])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1", "NO_COLOR": "1"}


def run(*arguments: object, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run `duramen run` in a process of its own."""
    return subprocess.run(
        command(arguments), env=environment(), capture_output=True, encoding="utf-8", timeout=timeout, check=False
    )


def rows_of(path: Path) -> list[dict[str, object]]:
    """The rows of a file, or of a folder of shards."""
    if path.is_dir():
        return [row for shard in sorted(path.glob("part-*")) for row in rows_of(shard)]
    data = path.read_bytes()
    return [json.loads(line) for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()]
