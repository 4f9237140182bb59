"""Loops over the pages of a WARC, which `batch_speed.py` compares with a run. Each runs in a process of its own.

python benchmarks/batch_contenders.py bare CRAWL.warc.gz    # or: same, resiliparse
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_CHILD_SUBREAPER = 36


class Cost(NamedTuple):
    """Seconds of wall-clock time, and seconds of processor time of all processes."""

    seconds: float
    processor: float


def measured(words: list[str]) -> Cost:
    """Run a command to its end and measure it. Raises `SystemExit` if it fails."""
    _adopt()
    before, started = _used_by_children(), time.perf_counter()
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
    seconds = time.perf_counter() - started
    with suppress(ChildProcessError):
        while True:
            os.wait()
    used = _used_by_children() - before
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed:\n{done.stderr}")
    return Cost(seconds, used)


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _adopt() -> None:
    """Become the parent of processes that outlive theirs, so that what they used is counted: Linux alone can."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(crawl: Path, out: Path, jobs: int) -> list[str]:
    """`duramen run`, with nothing of an earlier one in its way."""
    for left in (out, Path(f"{out}.run")):
        shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
    return [sys.executable, "-m", "duramen", "run", str(crawl), "-o", str(out), "--jobs", str(jobs), "--quiet"]


def loop(kind: str, crawl: Path) -> list[str]:
    """A plain loop in one process."""
    return [sys.executable, __file__, kind, str(crawl)]


def trafilatura(folder: Path, out: Path, jobs: int) -> list[str]:
    """Its own batch mode, on the pages as files: it does not read WARCs."""
    shutil.rmtree(out, ignore_errors=True)
    program = "import sys; from trafilatura.cli import main; sys.exit(main())"
    options = ["--input-dir", str(folder), "--output-dir", str(out), "--parallel", str(jobs), "--json"]
    return [sys.executable, "-c", program, *options]


def _bare(crawl: Path) -> int:
    """What cannot be left out: the bytes of a page in, its text out, by the default method."""
    import duramen
    from duramen.errors import NotHTMLError

    found = 0
    for address, body in _pages(crawl):
        try:
            found += bool(duramen.extract(body, url=address).text)
        except NotHTMLError:
            continue
    return found


def _same(crawl: Path) -> int:
    """What a row says of a page: its text, its title, which the address helps to tell, and its language."""
    import duramen
    from duramen.errors import NotHTMLError

    found = 0
    for address, body in _pages(crawl):
        try:
            content = duramen.extract(body, url=address)
        except NotHTMLError:
            continue
        found += bool(content.text and content.metadata.title and content.metadata.language)
    return found


def _resiliparse(crawl: Path) -> int:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    found = 0
    for _, body in _pages(crawl):
        tree = HTMLTree.parse_from_bytes(body, detect_encoding(body))
        found += bool(extract_plain_text(tree, main_content=True))
    return found


def _pages(crawl: Path) -> Iterator[tuple[str, bytes]]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with crawl.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            yield record.headers["WARC-Target-URI"], record.reader.read()


if __name__ == "__main__":
    loops = {"bare": _bare, "same": _same, "resiliparse": _resiliparse}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loop", choices=loops)
    parser.add_argument("crawl", type=Path)
    arguments = parser.parse_args()
    loops[arguments.loop](arguments.crawl)
