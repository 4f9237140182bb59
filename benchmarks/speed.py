"""Measure the time of duramen and of other extractors, in bare Lexbor parses of the same page.

    python benchmarks/speed.py DATA/wcxb-dev
    python benchmarks/speed.py DATA/wcxb-dev --peers --every 75 --json docs/results/speed.json > docs/speed.md

The second command needs duramen[peers].

Every function is run on every page, in an order that changes with each round; its best time of all rounds counts for
that page. Processor time is measured, so that other work on the machine matters less. The project's own limits are
printed too; the exit status is 1 if one is exceeded.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
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

The time for a page, in milliseconds of processor time and in bare Lexbor parses of the same page: {pages} pages of
{set}, the best of {rounds} rounds for each page. The ratios are similar on other machines, the milliseconds are not. A
method alone finds the content; "text written" is from the bytes to the text, as for peers. The limits are our own; a
time above its limit is marked. `region` also needs the classifier of `auto` ([methods/region.md](methods/region.md)).
Form of duramen: {form} (`duramen --version`).

| | ms/page | × parse | limit |
|---|---:|---:|---:|"""


def make_runs(with_peers: bool) -> dict[str, Run]:
    """Return the functions to measure, each from raw bytes: a parse, a page, its content, the content's text."""
    runs: dict[str, Run] = {BARE: lambda raw, _: LexborHTMLParser(raw), PAGE: lambda raw, _: Page.parse(raw)}
    for name in methods.names():
        runs[name] = _find_content(methods.get(name))
        runs[f"{name}, text written"] = get_extractor(name).run
    if with_peers:
        runs |= {name: _ignore_errors(get_extractor(name).run) for name in peers.names() if name not in peers.missing()}
    return runs


def _ignore_errors(run: Run) -> Run:
    """Return the function without its errors: the time counts too if a peer fails. The evaluation counts failures."""

    def run_without_errors(raw: bytes, example: Example) -> None:
        with suppress(Exception):
            run(raw, example)

    return run_without_errors


def _find_content(method: methods.Method) -> Run:
    return lambda raw, _: method(Page.parse(raw))


def measure(runs: dict[str, Run], examples: list[Example], rounds: int) -> dict[str, float]:
    """Return the seconds for all pages, by the best round of each page."""
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


def describe_run(seconds: dict[str, float], examples: list[Example], arguments: argparse.Namespace) -> str:
    """Return the numbers of a run as JSON."""
    facts = {
        "command": f"python benchmarks/speed.py DATA/{arguments.set.name} --peers --every {arguments.every}",
        "date": datetime.now(UTC).date().isoformat(),
        "set": arguments.set.name,
        "pages": len(examples),
        "rounds": arguments.rounds,
        "build": describe_build(),
        "versions": {name: get_extractor(name).version for name in seconds if name in peers.names()},
        "milliseconds": {name: round(total / len(examples) * 1000, 3) for name, total in seconds.items()},
    }
    return json.dumps(facts, indent=1) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="folder of a set: manifest.jsonl and pages")
    parser.add_argument("--peers", action="store_true", help="measure the other extractors that are installed too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers for benchmarks/front_page.py too")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page only")
    arguments = parser.parse_args()

    examples = read_set(arguments.set)[:: arguments.every]
    seconds = measure(make_runs(arguments.peers), examples, arguments.rounds)
    print(_PREFACE.format(pages=len(examples), set=arguments.set.name, rounds=arguments.rounds, form=describe_build()))
    if arguments.json:
        arguments.json.write_text(describe_run(seconds, examples, arguments), "utf-8")
    is_within_limits = True
    for name, total in seconds.items():
        ratio = total / seconds[BARE]
        limit = LIMITS.get(name)
        is_within = limit is None or ratio <= limit
        is_within_limits &= is_within
        shown = f"{limit or ''}{'' if is_within else ', exceeded'}"
        print(f"| {name} | {total / len(examples) * 1000:.2f} | {ratio:.2f} | {shown} |")
    return 0 if is_within_limits else 1


if __name__ == "__main__":
    sys.exit(main())
