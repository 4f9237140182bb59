"""Compare the processor time of each step with the recorded budget.

    python benchmarks/budget.py DATA              # compare with tests/golden/budget.json
    python benchmarks/budget.py DATA --write      # record the costs

A step's cost is its processor time divided by that of a bare Lexbor parse of the same pages in the same run. Steps take
every page in turn, in an order that changes with each round, and the best round of each page counts. Starting a process
is divided by starting Python with the parser imported. Learning and applying take whole sites. The exit status is 1
if a step is more than 5 % slower.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

import duramen
from golden import LEARN_FROM, read_page, sample_pages, sample_sites

RECORDED = Path(__file__).parents[1] / "tests" / "golden" / "budget.json"
EXAMPLE = Path(__file__).parents[1] / "examples" / "page.html"
TOLERANCE = 1.05
PARSE = "bare parse"
START = "start of Python with the parser"
EVERY = 4
"""Every fourth of the golden pages is measured."""
SITES = 6

Input = tuple[bytes, str | None]
"""A page and its URL."""
Step = Callable[[bytes, str | None], object]

STEPS: dict[str, Step] = {
    PARSE: lambda raw, url: LexborHTMLParser(raw),
    "page": lambda raw, url: duramen.Page.parse(raw, url),
    "text": lambda raw, url: duramen.extract(raw, url=url).text,
    "markdown": lambda raw, url: duramen.extract(raw, url=url).to("markdown", links=True, images=True),
    "title": lambda raw, url: duramen.Metadata.read(duramen.Page.parse(raw, url)).title,
    "metadata": lambda raw, url: duramen.Metadata.read(duramen.Page.parse(raw, url)).as_dict(),
    "records": lambda raw, url: duramen.records(raw, url=url).rows,
}
COMMANDS = {
    START: ["-c", "import selectolax.lexbor"],
    "import duramen": ["-c", "import duramen"],
    "duramen extract": ["-m", "duramen", "extract", str(EXAMPLE)],
}


def measure_pages(pages: Sequence[Input], rounds: int) -> dict[str, float]:
    """Return the seconds for all pages, by the best round of each page."""
    best = {name: [float("inf")] * len(pages) for name in STEPS}
    order = list(STEPS)
    for _ in range(rounds):
        order = order[1:] + order[:1]
        for index, page in enumerate(pages):
            for name in order:
                started = time.process_time()
                STEPS[name](*page)
                best[name][index] = min(best[name][index], time.process_time() - started)
    return {name: sum(times) for name, times in best.items()}


def measure_sites(sites: Sequence[Sequence[Input]], rounds: int) -> dict[str, float]:
    """Return the seconds to learn a wrapper from each site's first pages and to apply it to the rest."""
    best = {name: [float("inf")] * len(sites) for name in (PARSE, "learn", "apply")}
    for _ in range(rounds):
        for index, pages in enumerate(sites):
            started = time.process_time()
            for raw, _url in pages:
                LexborHTMLParser(raw)
            parsed = time.process_time()
            wrapper = duramen.learn([duramen.Page.parse(raw, url) for raw, url in pages[:LEARN_FROM]])
            learned = time.process_time()
            for raw, url in pages[LEARN_FROM:]:
                _ = wrapper.extract(duramen.Page.parse(raw, url)).text
            applied = time.process_time()
            times = parsed - started, learned - parsed, applied - learned
            for name, seconds in zip(best, times, strict=True):
                best[name][index] = min(best[name][index], seconds)
    return {name: sum(times) for name, times in best.items()}


def measure_commands(rounds: int) -> dict[str, float]:
    """Return the processor seconds of each command, the best of the rounds."""
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise RuntimeError(f"{name}: exit status {process.returncode}")
            best[name] = min(best[name], usage.ru_utime + usage.ru_stime)
    return best


def measure(data: Path, rounds: int) -> dict[str, float]:
    """Return the cost of each step in units of its base."""
    pages = [(read_page(folder, row), row.get("url")) for folder, row in sample_pages(data)[::EVERY]]
    sites = [
        [(read_page(folder, row), row.get("url")) for row in rows[: 2 * LEARN_FROM]]
        for folder, _, rows in sample_sites(data)
        if len(rows) >= 2 * LEARN_FROM
    ][:SITES]
    costs: dict[str, float] = {}
    for seconds in (measure_pages(pages, rounds), measure_sites(sites, rounds), measure_commands(2 * rounds)):
        (_, base), *others = seconds.items()
        costs |= {name: total / base for name, total in others}
    return costs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the sets")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="record the costs instead of comparing them")
    arguments = parser.parse_args()

    costs = measure(arguments.data, arguments.rounds)
    if arguments.write:
        RECORDED.write_text(json.dumps({name: round(cost, 3) for name, cost in costs.items()}, indent=1) + "\n")
    recorded = json.loads(RECORDED.read_text("utf-8"))
    print("| step | cost | budget | change |\n|---|---:|---:|---:|")
    for name, cost in costs.items():
        print(f"| {name} | {cost:.2f} | {recorded[name]:.2f} | {cost / recorded[name] - 1:+.1%} |")
    slower = [name for name, cost in costs.items() if cost > TOLERANCE * recorded[name]]
    print(f"slower by more than 5 %: {', '.join(slower)}" if slower else "within 5 %")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
