"""What a run costs: pages a second on one core and on two, beside the peers; its memory; going on after a kill.

    python benchmarks/batch_speed.py DATA > docs/results/batch.md  # needs duramen[batch,peers] and a quiet machine
    python benchmarks/batch_speed.py DATA --quick                  # to try it: a minute or so

DATA, or DURAMEN_DATA, is a folder of evaluation sets; a WARC is made of their pages. What a run costs above the bare
method is `duramen run --jobs 1` over that WARC against two loops that a user might write in its place, each a Python
process of its own that reads the same file with FastWARC: one finds the text of each page and no more, the other all
that a row says of it. What counts is the time of the processors, by the system's books, of all processes and from their
start to their end: the run's own, its workers and what these are started by. They take turns of a second each, so that
what else runs on a machine weighs on all alike (`batch_turns.py`). The modules of duramen are compiled to byte code
first, as an installer does. Some ten minutes on two cores. The exit status is 1 when a limit of our own is passed; that
of the cost is for the loop that finds the same as a run.
"""

from __future__ import annotations

import argparse
import compileall
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import batch_contenders as contenders
import batch_memory
import duramen
from batch_contenders import Cost, measured
from batch_crawl import pages_of, write_folder, write_warc
from batch_turns import in_turns
from duramen.build_info import describe_build

EFFICIENCY, OVERHEAD, GROWTH = 0.85, 0.15, 0.10
"""Our limits: parallel efficiency on two cores, what a run costs above the bare method, how much memory may grow."""

PART = 4
"""The peers, which take long, have every so many-th page."""

BARE, SAME = "a loop in one process: text", "a loop in one process: text, title, language"
ONE, TWO = "`duramen run --jobs 1`", "`duramen run --jobs 2`"
PACKED = "`duramen run --jobs 1`, its rows gzipped"
OURS = (BARE, SAME, ONE, TWO, PACKED)
COMPARED = (BARE, SAME, ONE, TWO)
"""The ways that are compared, and take turns."""


_DOCUMENT = """\
# What a run costs

Made by `python benchmarks/batch_speed.py DATA`; what ran of duramen: {form}. {pages:,} pages of {kilobytes:.0f} kB in
the mean, in a WARC of their own; the peers have every fourth of them, and trafilatura, which does not read WARCs, has
them as files. Rates are by the clock, with the start of the processes. The loops over duramen, `--jobs 1` and
`--jobs 2` into lines went through the crawl {rounds} times, in turns of a second each, of which the mean counts; the
others, which take long, once and one after the other.

{speeds}

The loops are what no run can do without: the WARC is read, and of each page's bytes `duramen.extract` makes the text,
or all that a row holds of the page. A run adds the cutting of the input, checksums, rows, the books and the processes.
By the processors' time it takes {overhead:.1%} more than the loop that finds the same, and {text_only:.1%} more than
the one that finds the text alone.

{held}

## Memory

A WARC of {megabytes:,} MB, not packed, {number:,} pages, two workers; megabytes resident.

| seconds | rows | the run's own process | the larger worker | all processes |
|---:|---:|---:|---:|---:|
{memory}

## Killed and given again

SIGKILL after {resumed.before:.1f} s, when {resumed.safe:,} of {pages:,} rows were safe; the same command again:
{resumed.after:.1f} s for the other {left:,}. A run that nobody kills takes {undisturbed:.1f} s.
"""


def measure(ways: dict[str, Callable[[], list[str]]], rounds: int) -> dict[str, Cost]:
    """What each way takes: the mean of so many rounds in turns where ways are compared, else of one alone."""
    seconds, processor = dict.fromkeys(COMPARED, 0.0), dict.fromkeys(COMPARED, 0.0)
    for number in range(rounds):
        order = COMPARED[:: -1 if number % 2 else 1]
        for name, cost in in_turns({name: ways[name]() for name in order}).items():
            seconds[name] += cost.seconds / rounds
            processor[name] += cost.processor / rounds
            _tell(f"round {number + 1}: {name}", cost)
    costs = {name: Cost(seconds[name], processor[name]) for name in COMPARED}
    for name in (name for name in ways if name not in COMPARED):
        costs[name] = measured(ways[name]())
        _tell(name, costs[name])
    return costs


def _tell(name: str, cost: Cost) -> None:
    print(f"{name}: {cost.seconds:.1f} s, of the processors {cost.processor:.1f} s", file=sys.stderr)


def ways_through(folder: Path, crawl: Path, part: Path, files: Path) -> dict[str, Callable[[], list[str]]]:
    ways: dict[str, Callable[[], list[str]]] = {
        BARE: lambda: contenders.loop("bare", crawl),
        SAME: lambda: contenders.loop("same", crawl),
        ONE: lambda: contenders.run(crawl, folder / "out.jsonl", 1),
        TWO: lambda: contenders.run(crawl, folder / "two.jsonl", 2),
        PACKED: lambda: contenders.run(crawl, folder / "out.jsonl.gz", 1),
    }
    if importlib.util.find_spec("resiliparse"):
        ways["resiliparse, a loop in one process"] = lambda: contenders.loop("resiliparse", part)
    if importlib.util.find_spec("trafilatura"):
        ways["`trafilatura --parallel 1`"] = lambda: contenders.trafilatura(files, folder / "theirs", 1)
        ways["`trafilatura --parallel 2`"] = lambda: contenders.trafilatura(files, folder / "theirs", 2)
    return ways


def speed_table(costs: dict[str, Cost], pages: int, kilobytes: float) -> str:
    lines = ["| | pages/s | MB/s | processor, ms/page |", "|---|---:|---:|---:|"]
    whole = pages
    for name, cost in costs.items():
        pages = whole if name in OURS else len(range(0, whole, PART))
        rate = pages / cost.seconds
        lines.append(f"| {name} | {rate:,.0f} | {rate * kilobytes / 1e3:,.1f} | {cost.processor / pages * 1e3:.2f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.get("DURAMEN_DATA"))
    parser.add_argument("--every", type=int, default=1, help="take every n-th page (default: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=int, default=2000, help="of the WARC for the memory (default: 2000)")
    parser.add_argument("--quick", action="store_true", help="a few pages, one round, 100 MB: to try it")
    args = parser.parse_args()
    if args.quick:
        args.every, args.rounds, args.megabytes = 20, 1, 100
    if args.data is None or not Path(args.data).is_dir():
        parser.error("name a folder of evaluation sets, or set DURAMEN_DATA")
    compileall.compile_dir(Path(duramen.__file__).parent, quiet=2)
    pages = pages_of(Path(args.data), args.every)
    kilobytes = sum(len(page.body) for page in pages) / len(pages) / 1e3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crawl, part, large = (folder / name for name in ("crawl.warc.gz", "part.warc.gz", "large.warc"))
        write_warc(crawl, pages)
        write_warc(part, pages[::PART])
        write_folder(folder / "files", pages[::PART])
        ways = ways_through(folder, crawl, part, folder / "files")
        costs = measure(ways, args.rounds)
        resumed = batch_memory.resumed(crawl, folder / "killed", 2, len(pages))
        number = write_warc(large, pages, args.megabytes * 10**6)
        samples = batch_memory.watched(large, folder / "large", 2)
    return report(costs, len(pages), kilobytes, resumed, samples, number, args.megabytes, args.rounds)


def report(
    costs: dict[str, Cost],
    pages: int,
    kilobytes: float,
    resumed: batch_memory.Resumed,
    samples: list[batch_memory.Sample],
    number: int,
    megabytes: int,
    rounds: int,
) -> int:
    one, two = costs[ONE], costs[TWO]
    efficiency = one.seconds / (2 * two.seconds)
    overhead, text_only = (one.processor / costs[loop].processor - 1 for loop in (SAME, BARE))
    seen = batch_memory.tenths(samples)
    growth = batch_memory.growth(samples)
    held = {
        f"parallel efficiency on two cores {efficiency:.2f} (at least {EFFICIENCY})": efficiency >= EFFICIENCY,
        f"a run above a bare loop that finds the same {overhead:.1%} (at most {OVERHEAD:.0%})": overhead <= OVERHEAD,
        f"a worker's memory, the last quarter above the second {growth:+.1%} (at most {GROWTH:.0%})": growth <= GROWTH,
        f"rows after a kill {resumed.rows:,} (exactly {pages:,})": resumed.rows == pages,
    }
    print(
        _DOCUMENT.format(
            form=describe_build(),
            pages=pages,
            kilobytes=kilobytes,
            speeds=speed_table(costs, pages, kilobytes),
            rounds=rounds,
            overhead=overhead,
            text_only=text_only,
            held="\n".join(f"- {said}: {'held' if is_held else 'NOT HELD'}" for said, is_held in held.items()),
            megabytes=megabytes,
            number=number,
            memory="\n".join(
                f"| {s.seconds:,.0f} | {s.rows:,} | {s.own:,.0f} | {s.worker:,.0f} | {s.all:,.0f} |" for s in seen
            ),
            resumed=resumed,
            left=pages - resumed.safe,
            undisturbed=two.seconds,
        ),
        end="",
    )
    return 0 if all(held.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
