"""Kill nodes of a Ray cluster at random moments of a run: are its rows those of a quiet run?

    python benchmarks/torture_ray.py                            one run, 2 nodes lost
    python benchmarks/torture_ray.py --deaths 50 --seed 7

The cluster is on this machine: a head that does no work, and nodes with one processor each. In each run two nodes are
killed, each at a random moment after the first shard, and a new one takes its place. The rows must equal those of a run
without a cluster, and no temporary file may be left. The exit status says whether that is so.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from torture import MODULE, make_command, make_path, read_rows, write_pages

DEATHS_PER_RUN = 2
MEAN_SECONDS_BETWEEN_DEATHS = 3.0
RUN_SECONDS = 600.0
"""A run that takes longer hangs."""
STORE_BYTES = 100_000_000
HEALTH_CHECKS = {
    "health_check_initial_delay_ms": 1000,
    "health_check_period_ms": 1000,
    "health_check_failure_threshold": 5,
}


@dataclass
class Figures:
    """What was done, and what went wrong."""

    runs: int = 0
    deaths: int = 0
    rows: int = 0
    faults: list[str] = field(default_factory=list)


class LocalCluster:
    """A head and some nodes on this machine."""

    def __init__(self, nodes: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from ray.cluster_utils import Cluster

        self._cluster: Any = Cluster()
        options: dict[str, Any] = {"include_dashboard": False, "_system_config": HEALTH_CHECKS}
        self._cluster.add_node(num_cpus=0, object_store_memory=STORE_BYTES, **options)
        for _ in range(nodes):
            self.add_node()

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def add_node(self) -> None:
        self._cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES)

    def kill_node(self, chance: random.Random) -> None:
        node = chance.choice(sorted(self._cluster.worker_nodes, key=str))
        self._cluster.remove_node(node, allow_graceful=False)

    def close(self) -> None:
        self._cluster.shutdown()


def torture_run(
    cluster: LocalCluster, inputs: list[Path], out: Path, deaths: int, chance: random.Random, figures: Figures
) -> None:
    """Run on the cluster, and kill nodes meanwhile."""
    words = make_command(inputs[0], out, ("--engine", "ray", "--address", cluster.address, "--quiet"))
    words[4:5] = map(str, inputs)
    messages = out.parent / "messages"
    with messages.open("w") as file:
        process = subprocess.Popen(words, env=os.environ, stdout=file, stderr=file)
    journal = out / "_duramen" / "journal.jsonl"
    deadline = time.monotonic() + RUN_SECONDS
    while process.poll() is None and not (journal.exists() and journal.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    while deaths and process.poll() is None:
        time.sleep(chance.expovariate(1 / MEAN_SECONDS_BETWEEN_DEATHS))
        if process.poll() is None:
            cluster.kill_node(chance)
            cluster.add_node()
            figures.deaths += 1
            deaths -= 1
    try:
        process.wait(max(1.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        figures.faults.append(f"hangs: {messages.read_text()}")
    if process.returncode:
        figures.faults.append(f"status {process.returncode}: {messages.read_text()[-2000:]}")


def check(out: Path, expected: list[dict[str, Any]], figures: Figures) -> None:
    """Compare the rows, in any order of the shards, and look for leftovers."""
    rows = read_rows(out)
    figures.runs += 1
    figures.rows += len(rows)
    wanted, found = Counter(map(repr, expected)), Counter(map(repr, rows))
    if wanted != found:
        missing, added = (wanted - found).total(), (found - wanted).total()
        figures.faults.append(f"{missing} rows lost or different, {added} others")
    if left := [path.name for pattern in ("*.part", "*.lines") for path in out.parent.rglob(pattern)]:
        figures.faults.append(f"left over: {', '.join(left)}")


def torture(deaths: int, nodes: int, files: int, pages: int, seed: int) -> Figures:
    """Run until so many nodes were killed."""
    chance, figures = random.Random(seed), Figures()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "torture_method.py").write_text(MODULE.replace("0.003", "0.02"))
        os.environ |= {"PYTHONPATH": make_path(folder), "RAY_USAGE_STATS_ENABLED": "0", "NO_COLOR": "1"}
        inputs = [folder / f"crawl-{number}.jsonl.gz" for number in range(files)]
        for path in inputs:
            write_pages(path, pages)
        quiet = folder / "quiet"
        words = make_command(inputs[0], quiet, ("--quiet",))
        words[4:5] = map(str, inputs)
        subprocess.run(words, check=True)
        expected = read_rows(quiet)
        cluster = LocalCluster(nodes)
        try:
            while figures.deaths < deaths and len(figures.faults) < 10:
                with tempfile.TemporaryDirectory(dir=folder) as run_name:
                    out = Path(run_name) / "out"
                    torture_run(cluster, inputs, out, min(DEATHS_PER_RUN, deaths - figures.deaths), chance, figures)
                    check(out, expected, figures)
        finally:
            cluster.close()
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deaths", type=int, default=2, help="nodes to kill")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--files", type=int, default=24, help="input files, each a shard of its own")
    parser.add_argument("--pages", type=int, default=30, help="pages of each file")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    figures = torture(args.deaths, args.nodes, args.files, args.pages, args.seed)
    print(
        f"{figures.runs} runs, {figures.deaths} nodes killed, {figures.rows:,} rows, {len(figures.faults)} faults;"
        f" {args.nodes} nodes, seed {args.seed}"
    )
    print("\n".join(figures.faults))
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
