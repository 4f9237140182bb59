"""Kill a run at random moments, damage its output, resume it until it is finished: are its rows those of a quiet run?

    python benchmarks/torture.py                             about a minute
    python benchmarks/torture.py --kills 500 --seed 7
    python benchmarks/torture.py --seconds 480

Each round is a run with another output form. At random moments a random process of the run (main process, fork server,
resource tracker, worker) gets a random signal: SIGKILL, SIGTERM, SIGINT, or SIGSTOP, with or without a SIGCONT after a
while; sometimes all processes are paused. Between attempts, and sometimes during them, shards are removed or cut. The
same command is given until it ends with status 0. Then the rows must equal those of a run that nobody has disturbed, no
temporary file may be left, and no process may be alive. The exit status says whether all of that is so. Needs /proc.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MODULE = """
import time
from dataclasses import dataclass
from duramen import methods
from duramen.methods.registry import register

_MSS = methods.get("mss-simple")

@register
@dataclass(frozen=True)
class Slow:
    name, summary, paper = "slow", "mss-simple, after a pause", "none"

    def __call__(self, page):
        time.sleep(0.003)
        return _MSS(page)
"""
PAGE = (
    "<!DOCTYPE html><html lang=en><title>Tree {n}</title><nav><a href=/>Home</a></nav><main>"
    "<p>The heartwood of tree {n} is the dark middle of its trunk, which carries no water, but holds it upright. It is"
    " older than the sapwood, and drier.</p><p>{kind} is the kind of tree {n}, as its leaves and bark show.</p></main>"
)
KINDS = ("Oak", "Ash", "Elm", "Yew", "Lime")
FORMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("out", ()),
    ("out.jsonl", ()),
    ("out.jsonl.gz", ()),
    ("out", ("--as", "jsonl")),
    ("out", ("--as", "files")),
    ("out", ("--duplicates", "exact")),
)
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSTOP)
MARK = "DURAMEN_TORTURE_MARK"
MEAN_SECONDS_BETWEEN_SIGNALS = 0.3
MAX_ATTEMPTS = 200
"""A run that is not finished after so many commands is given up."""
HANG_SECONDS = 120.0
"""An attempt that nothing disturbs any more and that writes nothing for so long hangs."""
END_SECONDS = 60.0
"""Time for the workers of a run that has ended."""


@dataclass
class Figures:
    """What was done, and what went wrong."""

    rounds: int = 0
    attempts: int = 0
    signals: Counter[str] = field(default_factory=Counter)
    damage: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    rows: int = 0
    lost: int = 0
    repeated: int = 0
    different: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def kills(self) -> int:
        return self.signals.total()


def write_pages(path: Path, number: int) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:  # compressed, because it is split by lines then
        for n in range(number):
            # Some texts are equal, so that there are duplicates to mark.
            html = PAGE.format(n=n % (number * 4 // 5), kind=KINDS[n % len(KINDS)])
            file.write(json.dumps({"html": html, "url": f"http://tree.example/{n}"}) + "\n")


class Round:
    """One run, disturbed until the given number of signals is sent, and then left alone."""

    def __init__(self, folder: Path, crawl: Path, form: int, chance: random.Random, figures: Figures) -> None:
        name, options = FORMS[form]
        self.out, self.messages = folder / name, folder / "messages"
        self.chance, self.figures = chance, figures
        self.mark = os.urandom(8).hex()
        jobs = ("--jobs", str(chance.randint(2, 3)))
        self.words = make_command(crawl, self.out, (*options, *jobs, "--timeout", "20"))
        self.environment = {**os.environ, MARK: self.mark, "NO_COLOR": "1", "PYTHONPATH": make_path(crawl.parent)}
        self.state = self.out / "_duramen" if not self.out.suffix else self.out.with_name(f"{self.out.name}.run")
        self.shards = self.out if not self.out.suffix and "files" not in options else self.state

    def run(self, kills: int) -> None:
        """Give the command until it ends with status 0."""
        for _ in range(MAX_ATTEMPTS):
            self.figures.attempts += 1
            # A file, because a pipe stays open as long as a stopped worker has it.
            with self.messages.open("w") as messages:
                process = subprocess.Popen(self.words, env=self.environment, stderr=messages)
            kills -= self._disturb(process, kills)
            if not self._wait_while_it_writes(process):
                process.kill()
                process.wait()
                self._wait_for_end()
                self.figures.faults.append(f"{self.out.name}: hangs: {self.messages.read_text()}")
                return
            message = self.messages.read_text()
            self.figures.statuses[process.returncode] += 1
            if "Traceback" in message and "run_command_line" in message:  # before that, Python itself answers Ctrl-C
                self.figures.faults.append(message)
            self._wait_for_end()
            if process.returncode == 0 and kills <= 0:
                return
            if process.returncode == 2:
                self.figures.faults.append(message)
                return
            if self.chance.random() < 0.5:
                self._damage_shard()
        self.figures.faults.append(f"{self.out.name}: not finished after {MAX_ATTEMPTS} attempts")

    def _wait_while_it_writes(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait for the end of an attempt; return False if it writes nothing any more."""
        written, since = -1, time.monotonic()
        while process.poll() is None:
            time.sleep(0.05)
            now = sum(measure_size(path) for path in self.out.parent.rglob("*"))
            if now != written:
                written, since = now, time.monotonic()
            elif time.monotonic() - since > HANG_SECONDS:
                return False
        return True

    def _disturb(self, process: subprocess.Popen[bytes], kills: int) -> int:
        """Send signals until there are no more, or the process has ended; return their number."""
        sent = 0
        stopped: list[tuple[float, list[int]]] = []
        if kills > 0 and self.chance.random() < 0.8:  # else the main process would get most signals, while it loads
            while process.poll() is None and not any(self.state.glob("*.lines")):
                time.sleep(0.01)
        while sent < kills and process.poll() is None:
            time.sleep(self.chance.expovariate(1 / MEAN_SECONDS_BETWEEN_SIGNALS))
            if self.chance.random() < 0.1:
                self._damage_shard()
            alive = find_processes(self.mark)
            if not alive:
                break
            number = self.chance.choice(SIGNALS)
            name = number.name
            targets = [self.chance.choice(alive)]
            if number == signal.SIGSTOP:
                if self.chance.random() < 0.3:
                    targets, name = alive, "SIGSTOP of all"
                if len(targets) > 1 or process.pid in targets or self.chance.random() < 0.5:
                    stopped.append((time.monotonic() + self.chance.uniform(0.1, 3.0), targets))
                else:
                    name += " without SIGCONT"
            for pid in targets:
                send(pid, number)
            self.figures.signals[name] += 1
            sent += 1
            continue_due(stopped)
        while stopped:
            time.sleep(0.05)
            continue_due(stopped)
        return sent

    def _damage_shard(self) -> None:
        shards = sorted(self.shards.glob("part-*"))
        if not shards or 'finished": true' in read_report(self.state):
            return
        shard = self.chance.choice(shards)
        with suppress(FileNotFoundError):  # the run may have replaced or joined it
            if self.chance.random() < 0.5:
                shard.unlink()
                self.figures.damage["removed"] += 1
            else:
                os.truncate(shard, shard.stat().st_size // 2)
                self.figures.damage["cut"] += 1

    def _wait_for_end(self) -> None:
        """Workers end with the main process. Someone who stops them has to continue them."""
        deadline = time.monotonic() + END_SECONDS
        while alive := find_processes(self.mark):
            for pid in alive:
                send(pid, signal.SIGCONT)
            if time.monotonic() > deadline:
                self.figures.faults.append(f"{self.out.name}: {len(alive)} processes outlive the run")
                for pid in alive:
                    send(pid, signal.SIGKILL)
            time.sleep(0.02)

    def check(self, expected: list[dict[str, Any]]) -> None:
        """Compare the rows, and look for leftovers."""
        rows = read_rows(self.out)
        found = Counter(str(row["url"]) for row in rows)
        self.figures.rounds += 1
        self.figures.rows += len(rows)
        self.figures.lost += sum(found[str(row["url"])] == 0 for row in expected)
        self.figures.repeated += sum(number - 1 for number in found.values())
        different = sum(one != other for one, other in zip(expected, rows, strict=False))
        if different:
            self.figures.different += different
            errors = Counter(str(row["error"]) for row in rows if row["error"])
            self.figures.faults.append(f"{self.out.name}: {different} rows differ: {dict(errors)}")
        left = [path.name for path in self.out.parent.rglob("*.part")] + [
            path.name for path in self.out.parent.rglob("*.lines")
        ]
        if left:
            self.figures.faults.append(f"{self.out.name}: left over: {', '.join(left)}")


def make_path(folder: Path) -> str:
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH", "")])])


def make_command(crawl: Path, out: Path, options: tuple[str, ...]) -> list[str]:
    words = [sys.executable, "-m", "duramen", "run", str(crawl), "-o", str(out)]
    return [*words, "--method", "slow", "--import", "torture_method", *options]


def find_processes(mark: str) -> list[int]:
    """Return the processes that have the mark in their environment."""
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError):  # it has ended, or belongs to someone else
                if mark.encode() in Path(entry.path, "environ").read_bytes():
                    found.append(int(entry.name))
    return sorted(found)


def send(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def continue_due(stopped: list[tuple[float, list[int]]]) -> None:
    now = time.monotonic()
    for entry in [entry for entry in stopped if entry[0] <= now]:
        stopped.remove(entry)
        for pid in entry[1]:
            send(pid, signal.SIGCONT)


def measure_size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # it was removed meanwhile
        return 0


def read_report(state: Path) -> str:
    try:
        return (state / "report.json").read_text("ascii")
    except OSError:
        return ""


def read_rows(out: Path) -> list[dict[str, Any]]:
    """Read the rows of a file or of a folder; with text files, the text is that of the file."""
    paths = [out] if out.is_file() else [out / "index.jsonl"] if (out / "index.jsonl").exists() else []
    rows = []
    for path in paths or sorted(out.glob("part-*")):
        data = path.read_bytes()
        for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines():
            row = json.loads(line)
            if "file" in row:
                row["text"] = (out / row["file"]).read_text("utf-8") if row["file"] else None
            rows.append(row)
    return rows


def torture(pages: int, kills: int | None, seconds: float | None, seed: int, per_round: int = 12) -> Figures:
    """Run rounds until the number of signals is sent or the time is over, whichever is given."""
    chance, figures = random.Random(seed), Figures()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "torture_method.py").write_text(MODULE)
        crawl = folder / "crawl.jsonl.gz"
        write_pages(crawl, pages)
        quiet: dict[int, list[dict[str, Any]]] = {}
        environment = {**os.environ, "PYTHONPATH": make_path(folder)}
        while True:
            left = kills - figures.kills if kills is not None else per_round
            if left <= 0 or (seconds is not None and time.monotonic() - started > seconds):
                return figures
            form = figures.rounds % len(FORMS)
            if form not in quiet:
                out = folder / f"quiet-{form}" / FORMS[form][0]
                out.parent.mkdir()
                options = (*FORMS[form][1], "--quiet")
                subprocess.run(make_command(crawl, out, options), env=environment, check=True)
                quiet[form] = read_rows(out)
            with tempfile.TemporaryDirectory(dir=folder) as round_name:
                tortured = Round(Path(round_name), crawl, form, chance, figures)
                tortured.run(min(left, per_round))
                tortured.check(quiet[form])


def describe(figures: Figures) -> str:
    def listed(counts: Counter[Any]) -> str:
        return ", ".join(f"{name} {number}" for name, number in sorted(counts.items(), key=str))

    resumed = figures.attempts - figures.rounds
    return (
        f"{figures.rounds} runs, {figures.kills} signals ({listed(figures.signals)}), resumed {resumed} times,"
        f" shards damaged: {listed(figures.damage) or 'none'}; statuses: {listed(figures.statuses)}\n"
        f"{figures.rows:,} rows: {figures.lost} lost, {figures.repeated} repeated, {figures.different} different;"
        f" {len(figures.faults)} faults"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--kills", type=int, help="signals to send (default: as many as the time allows)")
    parser.add_argument(
        "--seconds", type=float, help="when to start no further run (default: 45, or with --kills never)"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    seconds = args.seconds if args.seconds is not None or args.kills is not None else 45.0
    figures = torture(args.pages, args.kills, seconds, args.seed)
    print(describe(figures))
    print("\n".join(figures.faults[:20]))
    return 1 if figures.faults or figures.lost or figures.repeated or figures.different else 0


if __name__ == "__main__":
    sys.exit(main())
