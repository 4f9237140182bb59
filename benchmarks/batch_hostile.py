"""A run over 20,000 small pages of which one in a hundred is broken, hanging or hostile: is every one accounted for?

    python benchmarks/batch_hostile.py                       about a minute on two cores
    python benchmarks/batch_hostile.py --pages 2000 --kill 2

The hazards are those of a crawl: pages that are no pages, cut off, badly encoded, nested 100,000 deep, of one endless
tag or of a million attributes; and those of a method: pages on which it hangs, loops, fails, or takes the whole process
along. With `--kill` the run is killed so often with SIGKILL and started again. The exit status says whether every page
has exactly one row, with an error where there must be one and none where there must not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

MODULE = """
import os, time
from dataclasses import dataclass
from duramen import methods
from duramen.content import Content
from duramen.methods.registry import register

_TRUE = methods.get("mss-simple")

@register
@dataclass(frozen=True)
class Hazardous:
    name = "hazardous"
    summary = "mss-simple, but for pages that ask for trouble"
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
            raise RuntimeError("as the page asked")
        return _TRUE(page)
"""

SENTENCE = b"The heartwood of tree %d is the dark middle of its trunk, which carries no water, but holds it upright. "

HAZARDS: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    # what it is: the kind of error that there must be, and how the page is made
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


def page(number: int) -> bytes:
    body = (b"<p>" + SENTENCE % number * 3 + b"</p>") * 3
    return b"<!DOCTYPE html><html lang=en><title>Tree %d</title><nav><a href=/>Home</a></nav><main>%b</main>" % (
        number,
        body,
    )


def write_crawl(path: Path, number: int, share: float) -> dict[int, str]:
    """JSON Lines cannot hold bytes that are no text: the pages are records of a WARC. Which pages are hazards."""
    import gzip

    kinds, hazards, every = list(HAZARDS), {}, round(1 / share)
    with path.open("wb") as file:
        for n in range(number):
            body = page(n)
            if n % every == every // 2:
                hazards[n] = kinds[n // every % len(kinds)]
                body = HAZARDS[hazards[n]][1](body)
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://tree.example/%d\r\n" % n
            head += b"WARC-Record-ID: <urn:uuid:%032d>\r\nWARC-Date: 2025-01-01T00:00:00Z\r\n" % n
            head += b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(block)
            file.write(gzip.compress(head + block + b"\r\n\r\n", 1))
    return hazards


def run(words: list[str], kills: int, every: float) -> int:
    """The command, killed so often and given again; how often it was killed."""
    killed = 0
    while True:
        process = subprocess.Popen(words)
        try:
            status = process.wait(every if killed < kills else None)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
            continue
        if status:
            raise SystemExit(f"the run ended with status {status}")
        return killed


def check(rows: list[dict[str, object]], number: int, hazards: dict[int, str]) -> list[str]:
    """What is wrong with the rows."""
    found = Counter(int(str(row["url"]).rpartition("/")[2]) for row in rows)
    wrong = [f"page {n} has {found[n]} rows" for n in range(number) if found[n] != 1]
    for row in rows:
        n = int(str(row["url"]).rpartition("/")[2])
        must = HAZARDS[hazards[n]][0] if n in hazards else None
        kind = str(row["error"]).partition(":")[0] if row["error"] else None
        if kind != must:
            wrong.append(f"page {n} ({hazards.get(n, 'good')}): {row['error']}")
        if n not in hazards and f"tree {n} " not in str(row["text"]):
            wrong.append(f"page {n} is good, and its text is {row['text']!r}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--share", type=float, default=0.01, help="of hazards (default: 0.01)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds a page may take (default: 2)")
    parser.add_argument("--kill", type=int, default=0, metavar="N", help="kill the run so often")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hazardous.py").write_text(MODULE)
        hazards = write_crawl(folder / "crawl.warc.gz", args.pages, args.share)
        words = [sys.executable, "-m", "duramen", "run", str(folder / "crawl.warc.gz"), "-o", str(folder / "out.jsonl")]
        words += ["--method", "hazardous", "--import", "hazardous", "--timeout", str(args.timeout), "--max-size", "1M"]
        started = time.monotonic()
        code = f"import sys; sys.path.insert(0, {name!r}); from duramen.cli import main; sys.exit(main())"
        killed = run([words[0], "-c", code, *words[3:], "--jobs", str(args.jobs)], args.kill, 5.0)
        seconds = time.monotonic() - started
        rows = [json.loads(line) for line in (folder / "out.jsonl").open(encoding="utf-8")]
    wrong = check(rows, args.pages, hazards)
    print(f"{args.pages:,} pages, {len(hazards)} of them hazards, killed {killed} times: {len(rows):,} rows", end=" ")
    print(f"in {seconds:.0f} s, {len(wrong)} wrong")
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
