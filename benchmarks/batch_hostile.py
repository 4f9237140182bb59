"""Check that a run over 20,000 small pages, one in a hundred broken, hanging or hostile, writes a row for each.

    python benchmarks/batch_hostile.py                       # about a minute on two cores
    python benchmarks/batch_hostile.py --pages 2000 --kill 2

The hazards are those of a crawl (other formats, truncated pages, wrong encodings, 100,000 nested elements, an
unterminated tag, thousands of attributes) and those of a method (it hangs, loops, raises, or aborts the process). With
`--kill N` the run is killed N times with SIGKILL and started again. The exit status is 1 unless every page has exactly
one row, with the expected error or none.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from warc_records import make_warc_record

MODULE = """
import os, time
from dataclasses import dataclass
from duramen import methods
from duramen.content import Content
from duramen.methods.registry import register

_METHOD = methods.get("mss-simple")

@register
@dataclass(frozen=True)
class Hazardous:
    name = "hazardous"
    summary = "mss-simple, but it fails on pages with a marker"
    paper = "none"

    def __call__(self, page):
        head = page.html[:200]
        if "<!-- HANG" in head:
            time.sleep(10_000)
        if "<!-- LOOP" in head:
            while True:
                pass
        if "<!-- ABORT" in head:
            os.abort()
        if "<!-- RAISE" in head:
            raise RuntimeError("the page has the marker RAISE")
        return _METHOD(page)
"""

SENTENCE = b"The heartwood of tree %d is the dark middle of its trunk, which carries no water, but holds it upright. "

HAZARDS: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    # name: the expected kind of error, and the function that makes the page
    "hangs": ("timeout", lambda page: b"<!-- HANG -->" + page),
    "loops": ("timeout", lambda page: b"<!-- LOOP -->" + page),
    "aborts": ("crash", lambda page: b"<!-- ABORT -->" + page),
    "raises": ("failed", lambda page: b"<!-- RAISE -->" + page),
    "PDF": ("not-html", lambda page: b"%PDF-1.7\n" + page),
    "picture": ("not-html", lambda page: b"\x89PNG\r\n\x1a\n" + bytes(500)),
    "too large": ("too-large", lambda page: page + b" " * 1_100_000),
    "empty": (None, lambda page: b""),
    "cut off": (None, lambda page: page[: len(page) // 2]),
    "zeros": (None, lambda page: page.replace(b"e", b"\0")),
    "wrong encoding": (None, lambda page: page.decode().encode("utf-16-le").replace(b"<", b"\xff\xfe<", 1)),
    "nested deep": (None, lambda page: b"<div>" * 100_000 + page),
    "formatted deep": (None, lambda page: b"<b><i><a href=x>" * 3_000 + page),
    "many attributes": (None, lambda page: b"<p " + b" ".join(b"a%d=1" % n for n in range(5_000)) + b">" + page),
    "endless tag": (None, lambda page: b"<p title='" + page * 50),
    "table in table": (None, lambda page: b"<table><tr><td>" * 2_000 + page),
}


def make_page(number: int) -> bytes:
    body = (b"<p>" + SENTENCE % number * 3 + b"</p>") * 3
    return b"<!DOCTYPE html><html lang=en><title>Tree %d</title><nav><a href=/>Home</a></nav><main>%b</main>" % (
        number,
        body,
    )


def write_crawl(path: Path, number: int, share: float) -> dict[int, str]:
    """Write the pages to a WARC (JSON Lines cannot hold arbitrary bytes); return the hazard of each hazardous page."""
    kinds, hazards, every = list(HAZARDS), {}, round(1 / share)
    with path.open("wb") as file:
        for n in range(number):
            body = make_page(n)
            if n % every == every // 2:
                hazards[n] = kinds[n // every % len(kinds)]
                body = HAZARDS[hazards[n]][1](body)
            file.write(gzip.compress(make_warc_record(f"http://tree.example/{n}", body, n), 1))
    return hazards


def run(command: list[str], kills: int, interval: float) -> int:
    """Run a command to its end, killing and restarting it up to `kills` times; return how often it was killed."""
    killed = 0
    while True:
        process = subprocess.Popen(command)
        try:
            status = process.wait(interval if killed < kills else None)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
            continue
        if status:
            raise SystemExit(f"the run ended with status {status}")
        return killed


def check(rows: list[dict[str, object]], number: int, hazards: dict[int, str]) -> list[str]:
    """Return a message for each fault in the rows."""
    counts = Counter(int(str(row["url"]).rpartition("/")[2]) for row in rows)
    wrong = [f"page {n} has {counts[n]} rows" for n in range(number) if counts[n] != 1]
    for row in rows:
        n = int(str(row["url"]).rpartition("/")[2])
        expected = HAZARDS[hazards[n]][0] if n in hazards else None
        kind = str(row["error"]).partition(":")[0] if row["error"] else None
        if kind != expected:
            wrong.append(f"page {n} ({hazards.get(n, 'good')}): {row['error']}")
        if n not in hazards and f"tree {n} " not in str(row["text"]):
            wrong.append(f"page {n} is good, but its text is {row['text']!r}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--share", type=float, default=0.01, help="share of hazards (default: 0.01)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds for one page (default: 2)")
    parser.add_argument("--kill", type=int, default=0, metavar="N", help="kill the run N times")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hazardous.py").write_text(MODULE)
        hazards = write_crawl(folder / "crawl.warc.gz", args.pages, args.share)
        code = f"import sys; sys.path.insert(0, {name!r}); from duramen.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", code, "run", str(folder / "crawl.warc.gz"), "-o", str(folder / "out.jsonl")]
        command += ["--method", "hazardous", "--import", "hazardous", "--timeout", str(args.timeout)]
        command += ["--max-size", "1M", "--jobs", str(args.jobs)]
        started = time.monotonic()
        killed = run(command, args.kill, 5.0)
        seconds = time.monotonic() - started
        rows = [json.loads(line) for line in (folder / "out.jsonl").open(encoding="utf-8")]
    wrong = check(rows, args.pages, hazards)
    print(f"{args.pages:,} pages, {len(hazards)} of them hazards, killed {killed} times: {len(rows):,} rows", end=" ")
    print(f"in {seconds:.0f} s, {len(wrong)} wrong")
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
