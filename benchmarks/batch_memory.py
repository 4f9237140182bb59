"""Memory of a run over time, and the time of a run that is killed and resumed. Linux only; used by `batch_speed.py`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean
from typing import NamedTuple


class Sample(NamedTuple):
    """What all processes of a run hold in memory, in megabytes, at a time: the run's own, and the largest worker's."""

    seconds: float
    rows: int
    own: float
    worker: float
    all: float


def command(crawl: Path, out: Path, jobs: int) -> list[str]:
    return [sys.executable, "-m", "duramen", "run", str(crawl), "-o", str(out), "--jobs", str(jobs), "--quiet"]


def watched(crawl: Path, out: Path, jobs: int, every: float = 1.0) -> list[Sample]:
    """Run over a crawl into a folder of shards, with a look at the memory every so many seconds."""
    process = subprocess.Popen(command(crawl, out, jobs))
    started, samples = time.monotonic(), []
    while process.poll() is None:
        time.sleep(every)
        sizes = {pid: _resident(pid) for pid in _family(process.pid)}
        own = sizes.pop(process.pid, 0.0)
        seconds = time.monotonic() - started
        samples.append(Sample(seconds, _rows(out), own, max(sizes.values(), default=0.0), own + sum(sizes.values())))
    if process.returncode:
        raise SystemExit(f"the run ended with status {process.returncode}")
    return samples


def tenths(samples: list[Sample]) -> list[Sample]:
    """The samples at ten times, the last one before the processes end included."""
    alive = [sample for sample in samples if sample.worker]
    return [alive[round(n * (len(alive) - 1) / 10)] for n in range(1, 11)]


def growth(samples: list[Sample]) -> float:
    """How much more a worker holds in the last quarter than in the second, in the mean: pages differ in size."""
    alive = [sample.worker for sample in samples if sample.worker]
    quarter = max(len(alive) // 4, 1)
    return mean(alive[-quarter:]) / mean(alive[quarter : 2 * quarter] or alive) - 1


class Resumed(NamedTuple):
    """Seconds of the part before the kill and of the part after it; rows safe at the kill, and in all."""

    before: float
    after: float
    safe: int
    rows: int


def resumed(crawl: Path, out: Path, jobs: int, rows: int) -> Resumed:
    """Kill a run when half of its rows are safe, and give the command again."""
    started = time.monotonic()
    process = subprocess.Popen(command(crawl, out, jobs))
    while process.poll() is None and _rows(out) < rows / 2:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before, safe, started = time.monotonic() - started, _rows(out), time.monotonic()
    subprocess.run(command(crawl, out, jobs), check=True)
    return Resumed(before, time.monotonic() - started, safe, _rows(out))


def _rows(out: Path) -> int:
    try:
        lines = (out / "_duramen/journal.jsonl").read_bytes().splitlines()
    except OSError:
        return 0
    counted = 0
    for line in lines:
        try:
            counted += json.loads(line)["rows"]
        except ValueError:  # the last, being written
            continue
    return counted


def _family(pid: int) -> set[int]:
    """A process and all that come from it."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parents[int(entry)] = int(Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has ended meanwhile
                continue
    found, more = {pid}, {pid}
    while more:
        more = {child for child, parent in parents.items() if parent in more} - found
        found |= more
    return found


def _resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
