"""What duramen costs, in bare Lexbor parses of the same page.

    python benchmarks/speed.py DATA/wcxb-dev
    python benchmarks/speed.py DATA/wcxb-dev --peers        # needs duramen[peers]

Every contender meets every page in turn, in an order that changes with each round, and its best time of the rounds
counts for that page. What counts is the processor's time, not the clock's, so that other work on the machine does not.
The limits that the project has set itself are printed beside; the exit status is 1 when one is passed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from duramen import methods
from duramen.evaluation import extractor, peers, read_set
from duramen.evaluation.sets import Example
from duramen.page import Page

Run = Callable[[bytes, Example], object]

BARE = "bare Lexbor parse"
PAGE = "page: decode, parse, tree"
LIMITS = {PAGE: 2.5} | dict.fromkeys(("coreex", "econ", "longest-cell", "mss-simple"), 5.0)


def contenders(with_peers: bool) -> dict[str, Run]:
    """What is measured, each from the raw bytes on: a parse, a page, its content, the content's text."""
    runs: dict[str, Run] = {BARE: lambda raw, _: LexborHTMLParser(raw), PAGE: lambda raw, _: Page.parse(raw)}
    for name in methods.names():
        runs[name] = _finding(methods.get(name))
        runs[f"{name}, text written"] = extractor(name).run
    if with_peers:
        runs |= {name: extractor(name).run for name in peers.names() if name not in peers.missing()}
    return runs


def _finding(method: methods.Method) -> Run:
    return lambda raw, _: method(Page.parse(raw))


def measure(runs: dict[str, Run], examples: list[Example], rounds: int) -> dict[str, float]:
    """Seconds for all pages, by the best round of each page."""
    pages = [(example.read(), example) for example in examples]
    best = {name: [float("inf")] * len(pages) for name in runs}
    order = list(runs)
    for round_ in range(rounds):
        order = order[1:] + order[:1]
        for index, page in enumerate(pages):
            for name in order:
                started = time.process_time()
                runs[name](*page)
                best[name][index] = min(best[name][index], time.process_time() - started)
        print(f"round {round_ + 1} of {rounds}", file=sys.stderr)
    return {name: sum(times) for name, times in best.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="folder of a set: manifest.jsonl and pages")
    parser.add_argument("--peers", action="store_true", help="measure the other extractors that are installed too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page only")
    arguments = parser.parse_args()

    examples = read_set(arguments.set)[:: arguments.every]
    seconds = measure(contenders(arguments.peers), examples, arguments.rounds)
    print(f"{len(examples)} pages of {arguments.set.name}\n")
    print(f"{'':30}{'ms/page':>9}{'× parse':>9}{'limit':>8}")
    kept = True
    for name, total in seconds.items():
        ratio = total / seconds[BARE]
        limit = LIMITS.get(name)
        kept &= limit is None or ratio <= limit
        print(f"{name:30}{total / len(examples) * 1000:9.2f}{ratio:9.2f}{limit or '':>8}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
