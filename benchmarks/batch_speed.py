"""Measure the speed of `duramen run` on one and two cores and of its peers, its memory, and a resumed run.

    python benchmarks/batch_speed.py DATA > docs/results/batch.md  # needs duramen[batch,peers] and a quiet machine
    python benchmarks/batch_speed.py DATA --quick                  # a trial of about a minute

DATA, or DURAMEN_DATA, is a folder of evaluation sets, whose pages are written to a WARC. The overhead of a run is
`duramen run --jobs 1` compared with two loops that a user might write instead, which read the same file with FastWARC
in one process: one extracts the text of each page, the other all fields of a row. Processor time is compared: of all
processes, from start to end, as the operating system counts it. The commands run in turns of one second, so that other
work on the machine slows all of them equally (`batch_turns.py`). The modules are compiled to byte code first, as an
installer does. Takes about ten minutes on two cores. The exit status is 1 if one of the project's own limits is
exceeded; the limit of the overhead is for the loop that extracts all fields.
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
from batch_contenders import Cost, measure_command
from batch_crawl import read_pages, write_folder, write_warc
from batch_turns import run_in_turns
from duramen.build_info import describe_build

MIN_EFFICIENCY, MAX_OVERHEAD, MAX_GROWTH = 0.85, 0.15, 0.10
"""The project's limits: parallel efficiency on two cores, overhead over a plain loop, growth of a worker's memory."""

PEERS_EVERY = 4
"""The peers are slow: they get every fourth page."""

TEXT_LOOP, ROW_LOOP = "a loop in one process: text", "a loop in one process: text, title, language"
ONE, TWO = "`duramen run --jobs 1`", "`duramen run --jobs 2`"
GZIPPED = "`duramen run --jobs 1`, its rows gzipped"
OURS = (TEXT_LOOP, ROW_LOOP, ONE, TWO, GZIPPED)
COMPARED = (TEXT_LOOP, ROW_LOOP, ONE, TWO)
"""The commands that run in turns."""

MakeCommand = Callable[[], list[str]]
"""Prepares a command (deletes earlier output), and returns it."""

_DOCUMENT = """\
# Speed and memory of a run

Made by `python benchmarks/batch_speed.py DATA`; form of duramen: {form}. {pages:,} pages, {kilobytes:.0f} kB on
average, in one WARC. The peers get every fourth page; trafilatura gets files, because it does not read WARCs. Rates are
wall-clock rates and include the start of the processes. The loops over duramen, `--jobs 1` and `--jobs 2` with JSON
Lines ran {rounds} times, in turns of one second, and the mean is shown; the other commands, which take long, ran once,
one after the other.

{speeds}

The loops do only the necessary work: they read the WARC, and `duramen.extract` makes from the bytes of each page its
text, or all fields of a row. A run also splits the input, computes checksums, writes rows and a journal, and manages
processes. Its processor time is {overhead:.1%} more than that of the loop for all fields, and {text_only:.1%} more than
that of the loop for the text alone.

{limits}

## Memory

An uncompressed WARC of {megabytes:,} MB, {number:,} pages, two workers; resident megabytes.

| seconds | rows | parent process | larger worker | all processes |
|---:|---:|---:|---:|---:|
{memory}

## Killed and resumed

SIGKILL after {resumed.before:.1f} s, when {resumed.stored:,} of {pages:,} rows were stored; then the same command:
{resumed.after:.1f} s for the other {left:,}. A run that is not killed takes {undisturbed:.1f} s.
"""


def measure(commands: dict[str, MakeCommand], rounds: int) -> dict[str, Cost]:
    """Return the cost of each command: the mean of several rounds in turns for those compared, else of one run."""
    seconds, processor = dict.fromkeys(COMPARED, 0.0), dict.fromkeys(COMPARED, 0.0)
    for number in range(rounds):
        order = COMPARED[:: -1 if number % 2 else 1]
        for name, cost in run_in_turns({name: commands[name]() for name in order}).items():
            seconds[name] += cost.seconds / rounds
            processor[name] += cost.processor / rounds
            _log(f"round {number + 1}: {name}", cost)
    costs = {name: Cost(seconds[name], processor[name]) for name in COMPARED}
    for name in (name for name in commands if name not in COMPARED):
        costs[name] = measure_command(commands[name]())
        _log(name, costs[name])
    return costs


def _log(name: str, cost: Cost) -> None:
    print(f"{name}: {cost.seconds:.1f} s, processor time {cost.processor:.1f} s", file=sys.stderr)


def make_commands(folder: Path, crawl: Path, part: Path, files: Path) -> dict[str, MakeCommand]:
    commands: dict[str, MakeCommand] = {
        TEXT_LOOP: lambda: contenders.loop_command("text", crawl),
        ROW_LOOP: lambda: contenders.loop_command("row", crawl),
        ONE: lambda: contenders.fresh_run_command(crawl, folder / "out.jsonl", 1),
        TWO: lambda: contenders.fresh_run_command(crawl, folder / "two.jsonl", 2),
        GZIPPED: lambda: contenders.fresh_run_command(crawl, folder / "out.jsonl.gz", 1),
    }
    if importlib.util.find_spec("resiliparse"):
        commands["resiliparse, a loop in one process"] = lambda: contenders.loop_command("resiliparse", part)
    if importlib.util.find_spec("trafilatura"):
        output = folder / "trafilatura"
        commands["`trafilatura --parallel 1`"] = lambda: contenders.trafilatura_command(files, output, 1)
        commands["`trafilatura --parallel 2`"] = lambda: contenders.trafilatura_command(files, output, 2)
    return commands


def format_speeds(costs: dict[str, Cost], all_pages: int, kilobytes: float) -> str:
    lines = ["| | pages/s | MB/s | processor, ms/page |", "|---|---:|---:|---:|"]
    for name, cost in costs.items():
        pages = all_pages if name in OURS else len(range(0, all_pages, PEERS_EVERY))
        rate = pages / cost.seconds
        lines.append(f"| {name} | {rate:,.0f} | {rate * kilobytes / 1e3:,.1f} | {cost.processor / pages * 1e3:.2f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.get("DURAMEN_DATA"))
    parser.add_argument("--every", type=int, default=1, help="take every n-th page (default: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=int, default=2000, help="size of the WARC for the memory (default: 2000)")
    parser.add_argument("--quick", action="store_true", help="a trial: a few pages, one round, 100 MB")
    args = parser.parse_args()
    if args.quick:
        args.every, args.rounds, args.megabytes = 20, 1, 100
    if args.data is None or not Path(args.data).is_dir():
        parser.error("no folder of evaluation sets: give DATA or set DURAMEN_DATA")
    compileall.compile_dir(Path(duramen.__file__).parent, quiet=2)
    pages = read_pages(Path(args.data), args.every)
    kilobytes = sum(len(page.body) for page in pages) / len(pages) / 1e3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crawl, part, large = (folder / name for name in ("crawl.warc.gz", "part.warc.gz", "large.warc"))
        write_warc(crawl, pages)
        write_warc(part, pages[::PEERS_EVERY])
        write_folder(folder / "files", pages[::PEERS_EVERY])
        costs = measure(make_commands(folder, crawl, part, folder / "files"), args.rounds)
        resumed = batch_memory.kill_and_resume(crawl, folder / "killed", 2, len(pages))
        number = write_warc(large, pages, args.megabytes * 10**6)
        samples = batch_memory.sample_memory(large, folder / "large", 2)
    return report(costs, len(pages), kilobytes, resumed, samples, number, args.megabytes, args.rounds)


def report(
    costs: dict[str, Cost],
    pages: int,
    kilobytes: float,
    resumed: batch_memory.ResumedRun,
    samples: list[batch_memory.MemorySample],
    number: int,
    megabytes: int,
    rounds: int,
) -> int:
    """Print the document; return 1 if a limit is exceeded."""
    one, two = costs[ONE], costs[TWO]
    efficiency = one.seconds / (2 * two.seconds)
    overhead, text_only = (one.processor / costs[loop].processor - 1 for loop in (ROW_LOOP, TEXT_LOOP))
    growth = batch_memory.measure_growth(samples)
    limits = {
        f"parallel efficiency on two cores {efficiency:.2f} (at least {MIN_EFFICIENCY})": efficiency >= MIN_EFFICIENCY,
        f"overhead over a plain loop for all fields {overhead:.1%} (at most {MAX_OVERHEAD:.0%})": (
            overhead <= MAX_OVERHEAD
        ),
        f"growth of a worker's memory from the second quarter to the last {growth:+.1%} (at most {MAX_GROWTH:.0%})": (
            growth <= MAX_GROWTH
        ),
        f"rows after a kill {resumed.rows:,} (exactly {pages:,})": resumed.rows == pages,
    }
    print(
        _DOCUMENT.format(
            form=describe_build(),
            pages=pages,
            kilobytes=kilobytes,
            speeds=format_speeds(costs, pages, kilobytes),
            rounds=rounds,
            overhead=overhead,
            text_only=text_only,
            limits="\n".join(f"- {limit}: {'met' if is_met else 'NOT MET'}" for limit, is_met in limits.items()),
            megabytes=megabytes,
            number=number,
            memory="\n".join(
                f"| {s.seconds:,.0f} | {s.rows:,} | {s.parent:,.0f} | {s.worker:,.0f} | {s.all:,.0f} |"
                for s in batch_memory.select_ten(samples)
            ),
            resumed=resumed,
            left=pages - resumed.stored,
            undisturbed=two.seconds,
        ),
        end="",
    )
    return 0 if all(limits.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
