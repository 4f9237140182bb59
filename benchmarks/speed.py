"""What duramen costs, in bare Lexbor parses of the same page.

    python benchmarks/speed.py DATA/wcxb-dev
    python benchmarks/speed.py DATA/wcxb-dev --peers --every 50 > docs/speed.md     # needs duramen[peers]

Every contender meets every page in turn, in an order that changes with each round, and its best time of the rounds
counts for that page. What counts is the processor's time, not the clock's, so that other work on the machine does not.
The limits that the project has set itself are printed beside; the exit status is 1 when one is passed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from duramen import methods
from duramen.build_info import describe_build
from duramen.dom.page import Page
from duramen.evaluation import get_extractor, peers, read_set
from duramen.evaluation.sets import Example

Run = Callable[[bytes, Example], object]

BARE = "bare Lexbor parse"
PAGE = "page: decode, parse, tree"
LIMITS = {PAGE: 2.1 if describe_build() == "compiled" else 2.5, "mss-supervised": 10.0}
LIMITS |= dict.fromkeys(("coreex", "econ", "longest-cell", "mss-simple", "region"), 5.0)

_PREFACE = """\
# Speed

What a page costs, in milliseconds of the processor and in bare Lexbor parses of the same page: {pages} pages of {set},
the best of {rounds} rounds for each page. The ratios carry over to other machines, the milliseconds do not. A method
alone finds the content; "text written" is from the bytes to the text, as it is for peers. The limits are our own.
What ran of duramen: {form} (`duramen --version`; `DURAMEN_PURE=1` measures it uncompiled).

| | ms/page | × parse | limit |
|---|---:|---:|---:|"""


def contenders(with_peers: bool) -> dict[str, Run]:
    """What is measured, each from the raw bytes on: a parse, a page, its content, the content's text."""
    runs: dict[str, Run] = {BARE: lambda raw, _: LexborHTMLParser(raw), PAGE: lambda raw, _: Page.parse(raw)}
    for name in methods.names():
        runs[name] = _finding(methods.get(name))
        runs[f"{name}, text written"] = get_extractor(name).run
    if with_peers:
        runs |= {name: _forgiving(get_extractor(name).run) for name in peers.names() if name not in peers.missing()}
    return runs


def _forgiving(run: Run) -> Run:
    """A peer that fails on a page has taken its time all the same; how often it does, the evaluation says."""

    def forgiven(raw: bytes, example: Example) -> None:
        with suppress(Exception):
            run(raw, example)

    return forgiven


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
    print(_PREFACE.format(pages=len(examples), set=arguments.set.name, rounds=arguments.rounds, form=describe_build()))
    kept = True
    for name, total in seconds.items():
        ratio = total / seconds[BARE]
        limit = LIMITS.get(name)
        kept &= limit is None or ratio <= limit
        print(f"| {name} | {total / len(examples) * 1000:.2f} | {ratio:.2f} | {limit or ''} |")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
