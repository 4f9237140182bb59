"""Commands that `batch_speed.py` compares: `duramen run`, trafilatura's batch mode, and plain loops over a WARC.

    python benchmarks/batch_contenders.py text CRAWL.warc.gz    # or: row, resiliparse

Each loop runs in its own process.
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


def measure_command(command: list[str]) -> Cost:
    """Run a command to its end and measure it. Raises `SystemExit` if it fails."""
    _become_subreaper()
    before, started = _children_seconds(), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
    seconds = time.perf_counter() - started
    with suppress(ChildProcessError):
        while True:
            os.wait()
    processor = _children_seconds() - before
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return Cost(seconds, processor)


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _become_subreaper() -> None:
    """Become the parent of orphaned descendants, so that their processor time is counted (Linux only)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)


def run_command(crawl: Path, out: Path, jobs: int) -> list[str]:
    """Return the command `duramen run`."""
    return [sys.executable, "-m", "duramen", "run", str(crawl), "-o", str(out), "--jobs", str(jobs), "--quiet"]


def fresh_run_command(crawl: Path, out: Path, jobs: int) -> list[str]:
    """Delete the output of an earlier run, and return the command."""
    for path in (out, Path(f"{out}.run")):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return run_command(crawl, out, jobs)


def loop_command(name: str, crawl: Path) -> list[str]:
    """Return the command of a plain loop in one process."""
    return [sys.executable, __file__, name, str(crawl)]


def trafilatura_command(folder: Path, out: Path, jobs: int) -> list[str]:
    """Return the command of trafilatura's batch mode on files: it does not read WARCs."""
    shutil.rmtree(out, ignore_errors=True)
    program = "import sys; from trafilatura.cli import main; sys.exit(main())"
    options = ["--input-dir", str(folder), "--output-dir", str(out), "--parallel", str(jobs), "--json"]
    return [sys.executable, "-c", program, *options]


def _extract_texts(crawl: Path) -> int:
    """Extract the text of each page by the default method; return the number of texts that are not empty."""
    import duramen
    from duramen.errors import NotHTMLError

    count = 0
    for url, body in _read_pages(crawl):
        try:
            count += bool(duramen.extract(body, url=url).text)
        except NotHTMLError:
            continue
    return count


def _extract_rows(crawl: Path) -> int:
    """Extract the fields of a row of a run: text, title and language; return the number of complete rows."""
    import duramen
    from duramen.errors import NotHTMLError

    count = 0
    for url, body in _read_pages(crawl):
        try:
            content = duramen.extract(body, url=url)
        except NotHTMLError:
            continue
        count += bool(content.text and content.metadata.title and content.metadata.language)
    return count


def _extract_by_resiliparse(crawl: Path) -> int:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    count = 0
    for _, body in _read_pages(crawl):
        tree = HTMLTree.parse_from_bytes(body, detect_encoding(body))
        count += bool(extract_plain_text(tree, main_content=True))
    return count


def _read_pages(crawl: Path) -> Iterator[tuple[str, bytes]]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with crawl.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            yield record.headers["WARC-Target-URI"], record.reader.read()


if __name__ == "__main__":
    loops = {"text": _extract_texts, "row": _extract_rows, "resiliparse": _extract_by_resiliparse}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loop", choices=loops)
    parser.add_argument("crawl", type=Path)
    arguments = parser.parse_args()
    loops[arguments.loop](arguments.crawl)
