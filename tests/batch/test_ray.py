"""A run on a Ray cluster of several nodes: the same rows, although a node is killed in the middle."""

from __future__ import annotations

import json
import os
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.batch.batch_pages import HERE, page, response, rows_of, write_warc
from tests.batch.batch_stories import crawl

import duramen
from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.ray.run import RayRun, choose_remote_layout
from duramen.batch.run import Run
from duramen.batch.settings import RunSettings
from duramen.batch.workers.pool import ProgressCounts

pytest.importorskip("fastwarc")
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ray
        import ray.data
        from ray.cluster_utils import Cluster
except ImportError:
    pytest.skip("Ray is not installed", allow_module_level=True)

# What Ray's own code warns of is not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore")

STORE = 100_000_000
HEALTH = {"health_check_initial_delay_ms": 1000, "health_check_period_ms": 1000, "health_check_failure_threshold": 20}
PATHS = os.pathsep.join([str(Path(duramen.__file__).parents[1]), str(HERE.parents[1])])


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that does no work, and three nodes with a processor each."""
    kept = dict(os.environ)
    os.environ |= {"PYTHONPATH": PATHS, "RAY_USAGE_STATS_ENABLED": "0"}
    head = {"num_cpus": 0, "object_store_memory": STORE, "include_dashboard": False, "_system_config": HEALTH}
    made = Cluster()
    try:
        try:
            made.add_node(**head)
            for _ in range(3):
                made.add_node(num_cpus=1, object_store_memory=STORE)
        except Exception as error:
            if "timed out" not in str(error):
                raise
            pytest.skip(f"the machine is too busy for a cluster: {error}")  # Ray waits 30 seconds for a node, no more
        ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
        yield made
    finally:
        ray.shutdown()
        made.shutdown()
        os.environ.clear()
        os.environ.update(kept)


def by_place(rows: list[dict[str, object]]) -> list[tuple[object, ...]]:
    """Rows in an order of their own: the order of shards is no part of the promise."""
    return sorted(tuple(map(repr, row.items())) for row in rows)


def warcs(folder: Path, files: int, pages: int, words: tuple[str, ...] = ()) -> list[str]:
    """Some WARCs; the pages of the first have words in them that a hazardous method minds."""
    paths = []
    for file in range(files):
        numbers = range(file * pages, (file + 1) * pages)
        marked = dict(zip(numbers, words, strict=False)) if file == 0 else {}
        records = [response(f"http://tree.example/{n}", page(n, marked.get(n, ""))) for n in numbers]
        paths.append(str(write_warc(folder / f"{file:03}.warc.gz", records)))
    return paths


def hazard(slow: float = 0.0, timeout: float = 60.0) -> RunSettings:
    return RunSettings(method=f"hazard:slow={slow}", timeout=timeout, modules=("tests.batch.batch_hazards",))


def test_rows_equal_those_of_the_local_engine_even_for_hostile_pages(cluster: Any, tmp_path: Path) -> None:
    inputs = warcs(tmp_path, 3, 8, ("", "ABORT", "QUIT", "SLEEP", "RAISE"))
    settings = hazard(timeout=10)
    here = Run(inputs, OutputLayout.choose(str(tmp_path / "here")), settings, jobs=1)()
    there = RayRun(inputs, OutputLayout.choose(str(tmp_path / "there.jsonl")), settings)()
    assert by_place(rows_of(tmp_path / "there.jsonl")) == by_place(rows_of(tmp_path / "here"))
    assert (there.rows, there.failed) == (here.rows, here.failed) == (24, 4)
    kinds = Counter(str(row["error"]).partition(":")[0] for row in rows_of(tmp_path / "there.jsonl") if row["error"])
    assert kinds == {"crash": 2, "timeout": 1, "failed": 1}


def test_sites_and_duplicates_equal_those_of_the_local_engine(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("rensa")
    monkeypatch.chdir(tmp_path)  # the nodes were started elsewhere, and relative names are meant from here
    inputs = [str(crawl(Path("one.warc.gz"), range(6))), str(crawl(Path("two.warc.gz"), range(3, 9)))]
    settings = RunSettings(learn=True, duplicates="near")
    here = Run(inputs, OutputLayout.choose("here"), settings, jobs=1)()
    there = RayRun(inputs, OutputLayout.choose("there"), settings)()
    assert by_place(rows_of(tmp_path / "there")) == by_place(rows_of(tmp_path / "here"))
    assert there.duplicates == here.duplicates
    assert there.duplicates
    assert all(row["site_pages"] for row in rows_of(tmp_path / "there"))


def test_shards_go_to_an_fsspec_store_and_the_run_resumes_from_its_state(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inputs = [os.path.relpath(path) for path in warcs(tmp_path, 2, 5)]
    layout, shard_store = choose_remote_layout((tmp_path / "bucket" / "corpus").as_uri(), None)
    report = RayRun(inputs, layout, hazard(), shard_store=shard_store)()
    assert report.rows == len(rows_of(tmp_path / "bucket" / "corpus")) == 10
    assert RayRun(inputs, layout, hazard(), shard_store=shard_store)().rows == 10
    assert {row["source"] for row in rows_of(tmp_path / "bucket" / "corpus")} == set(inputs)
    (tmp_path / "bucket/corpus/part-00000.jsonl").write_text("")  # of a run in another form
    assert RayRun(inputs[:1], layout, hazard(), overwrite=True, shard_store=shard_store)().rows == 5
    assert [path.name for path in (tmp_path / "bucket/corpus").iterdir()] == ["part-00000.jsonl.gz"]


class StoppedHereError(Exception):
    """Stops a run in the middle."""


class Impatient:
    """Wait until a shard is in the journal.

    A shard that is only a file is made again.
    """

    def __init__(self, layout: OutputLayout) -> None:
        self.journal = layout.run_folder / "journal.jsonl"

    def start(self, total: int | None, size: int, rows: int) -> None: ...

    def update(self, counts: ProgressCounts, size: int) -> None:
        if self.journal.exists() and self.journal.stat().st_size:
            raise StoppedHereError

    def log(self, message: str) -> None: ...


def test_a_run_begun_locally_resumes_on_the_cluster(cluster: Any, tmp_path: Path) -> None:
    inputs = warcs(tmp_path, 6, 4)
    layout = OutputLayout.choose(str(tmp_path / "out"))
    with pytest.raises(StoppedHereError):
        Run(inputs, layout, hazard(), jobs=1)(Impatient(layout))  # one worker: one shard at a time
    (shard,) = (tmp_path / "out").glob("part-*")
    written = shard.stat().st_mtime_ns
    report = RayRun(inputs, layout, hazard())()
    assert report.rows == len(rows_of(tmp_path / "out")) == 24
    assert report.new_rows == 20
    assert shard.stat().st_mtime_ns == written


def test_no_row_is_lost_or_repeated_when_a_node_is_killed(cluster: Any, tmp_path: Path) -> None:
    """The last test of this module: the node does not come back."""
    inputs = warcs(tmp_path, 18, 6)
    layout = OutputLayout.choose(str(tmp_path / "out"))
    killed = threading.Event()

    def kill() -> None:
        journal = layout.run_folder / "journal.jsonl"
        while not killed.is_set():
            if journal.exists() and len(journal.read_bytes().splitlines()) >= 3:
                cluster.remove_node(sorted(cluster.worker_nodes, key=str)[0], allow_graceful=False)
                killed.set()
            time.sleep(0.05)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    try:
        report = RayRun(inputs, layout, hazard(slow=0.2))()
    finally:
        was_killed = killed.is_set()
        killed.set()
        killer.join()
    assert was_killed, "the run was over before the node was killed"
    rows = rows_of(tmp_path / "out")
    assert Counter((row["source"], row["url"]) for row in rows) == Counter(
        (source, f"http://tree.example/{number}")
        for file, source in enumerate(inputs)
        for number in range(file * 6, file * 6 + 6)
    )
    assert not [row for row in rows if row["error"]]
    assert report.rows == 108
    numbers = [json.loads(line)["number"] for line in (layout.run_folder / "journal.jsonl").read_bytes().splitlines()]
    assert sorted(numbers) == list(range(18))
    left = [path.name for folder in (layout.run_folder, layout.shard_folder) for path in folder.iterdir()]
    assert not [name for name in left if name.endswith((".part", ".lines"))]
