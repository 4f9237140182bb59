"""Measure the memory of a run over time, and the time of a run that is killed and resumed.

Linux only. `batch_speed.py` uses these functions.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from batch_contenders import run_command


class MemorySample(NamedTuple):
    """Resident megabytes of a run at one time: of the parent process, of the largest worker, and of all processes."""

    seconds: float
    rows: int
    parent: float
    worker: float
    all: float


def sample_memory(
    crawl: Path, out: Path, jobs: int, interval: float = 1.0, options: Sequence[str] = ()
) -> list[MemorySample]:
    """Run over a crawl into a folder of shards, and read the memory every `interval` seconds."""
    process = subprocess.Popen([*run_command(crawl, out, jobs), *options])
    started, samples = time.monotonic(), []
    while process.poll() is None:
        time.sleep(interval)
        sizes = {pid: _read_resident(pid) for pid in _find_process_tree(process.pid)}
        parent = sizes.pop(process.pid, 0.0)
        seconds, largest = time.monotonic() - started, max(sizes.values(), default=0.0)
        samples.append(MemorySample(seconds, _count_rows(out), parent, largest, parent + sum(sizes.values())))
    if process.returncode:
        raise SystemExit(f"the run ended with status {process.returncode}")
    return samples


def select_ten(samples: list[MemorySample]) -> list[MemorySample]:
    """Return ten samples at equal distances; the last is the last one with a worker."""
    alive = [sample for sample in samples if sample.worker]
    return [alive[round(n * (len(alive) - 1) / 10)] for n in range(1, 11)]


def measure_growth(samples: list[MemorySample]) -> float:
    """Return the growth of a worker's memory from the second quarter of the run to the last.

    The means of the quarters are compared, because pages differ in size.
    """
    alive = [sample.worker for sample in samples if sample.worker]
    quarter = max(len(alive) // 4, 1)
    return mean(alive[-quarter:]) / mean(alive[quarter : 2 * quarter] or alive) - 1


class ResumedRun(NamedTuple):
    """A run that was killed and started again: seconds before and after, rows stored at the kill and at the end."""

    before: float
    after: float
    stored: int
    rows: int


def kill_and_resume(crawl: Path, out: Path, jobs: int, rows: int) -> ResumedRun:
    """Kill a run when half of its rows are stored, and run the same command again."""
    started = time.monotonic()
    process = subprocess.Popen(run_command(crawl, out, jobs))
    while process.poll() is None and _count_rows(out) < rows / 2:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before, stored, started = time.monotonic() - started, _count_rows(out), time.monotonic()
    subprocess.run(run_command(crawl, out, jobs), check=True)
    return ResumedRun(before, time.monotonic() - started, stored, _count_rows(out))


def _count_rows(out: Path) -> int:
    """Return the number of rows in the journal of a run."""
    try:
        lines = (out / "_duramen/journal.jsonl").read_bytes().splitlines()
    except OSError:
        return 0
    count = 0
    for line in lines:
        try:
            count += json.loads(line)["rows"]
        except ValueError:  # the last line, if it is being written
            continue
    return count


def _find_process_tree(pid: int) -> set[int]:
    """Return a process and all its descendants."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parents[int(entry)] = int(Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # the process has ended
                continue
    tree, children = {pid}, {pid}
    while children:
        children = {child for child, parent in parents.items() if parent in children} - tree
        tree |= children
    return tree


def _read_resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
