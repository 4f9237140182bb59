"""A page that hangs or kills its worker costs that page only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.batch.batch_pages import environment, page, response, rows_of, run, write_pages, write_warc

from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.run import Run
from duramen.batch.settings import (
    DEFAULT_MEMORY_BYTES,
    MAX_PAGE_BYTES,
    PAGE_TIMEOUT_SECONDS,
    RunSettings,
    format_bytes,
)
from duramen.batch.workers.pool import ProgressCounts, _limit_memory
from duramen.cli import main, options
from duramen.cli.options import MAX_PAGE_SIZE, WORKER_MEMORY, parse_memory, parse_size
from duramen.errors import RunError
from duramen.processes import worker_environment

HAZARD = ("--import", "tests.batch.batch_hazards", "--method", "hazard", "--timeout", "6")


def test_every_page_of_a_bad_crawl_has_its_row(tmp_path: Path) -> None:
    words = {5: "HANG", 17: "ABORT", 18: "RAISE", 33: "SLEEP", 34: "EXIT", 59: "ABORT", 60: "EAT"}
    pages = write_pages(tmp_path / "pages", (page(n, words.get(n, "")) for n in range(80)))
    (pages / "00070.html").write_bytes(b"%PDF-1.7 not a page")
    done = run(pages, "-o", tmp_path / "out.jsonl", "--jobs", 2, *HAZARD)
    assert done.returncode == 0, done.stderr
    rows = {Path(str(row["source"])).name: row for row in rows_of(tmp_path / "out.jsonl")}
    assert len(rows) == len(rows_of(tmp_path / "out.jsonl")) == 80
    errors = {int(name[:5]): str(row["error"]).partition(":")[0] for name, row in rows.items() if row["error"]}
    assert errors == {
        5: "timeout",
        17: "crash",
        18: "failed",
        33: "timeout",
        34: "crash",
        59: "crash",
        60: "memory",
        70: "not-html",
    }
    assert all(row["text"] for row in rows.values() if not row["error"])
    assert rows["00005.html"]["sha256"], "what is known of a page that hung is not lost"


def test_every_page_has_one_row_after_hostile_pages_and_a_kill() -> None:
    script = Path(__file__).parents[2] / "benchmarks/batch_hostile.py"
    words = [sys.executable, str(script), "--pages", "800", "--share", "0.02", "--kill", "1", "--timeout", "8"]
    done = subprocess.run(words, env=environment(), capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_report_counts_what_happened(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", (page(n, "HANG" if n == 3 else "") for n in range(10)))
    run(pages, "-o", tmp_path / "out.jsonl", "--jobs", 1, *HAZARD)
    report = json.loads((tmp_path / "out.jsonl.run/report.json").read_text())
    assert (report["rows"], report["content"], report["errors"]) == (10, 9, {"timeout": 1})
    assert report["lost_workers"] == 1


def test_a_worker_that_is_killed_once_costs_no_page(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", [page(0), page(1, f"ONCE={tmp_path / 'mark'}"), page(2)])
    assert run(pages, "-o", tmp_path / "out.jsonl", *HAZARD).returncode == 0
    assert (tmp_path / "mark").exists()
    assert [row["error"] for row in rows_of(tmp_path / "out.jsonl")] == [None] * 3


def test_a_page_that_kills_its_reader_is_the_only_one_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = write_pages(tmp_path / "pages", (page(n) for n in range(60)))
    monkeypatch.setenv("DEADLY_FILE", "00010.html")
    done = run(pages, "-o", tmp_path / "out.jsonl", *HAZARD)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "out.jsonl")
    assert [int(Path(str(row["source"])).stem) for row in rows] == list(range(60))
    assert {n: str(row["error"]).partition(":")[0] for n, row in enumerate(rows) if row["error"]} == {10: "crash"}


@pytest.mark.parametrize(("word", "raised"), [("QUIT", "SystemExit: 3"), ("INTERRUPT", "KeyboardInterrupt")])
def test_a_method_that_exits_loses_that_page_only(tmp_path: Path, word: str, raised: str) -> None:
    pages = write_pages(tmp_path / "pages", (page(n, word if n == 3 else "") for n in range(6)))
    done = run(pages, "-o", tmp_path / "out.jsonl", *HAZARD)
    assert done.returncode == 0, done.stderr
    errors = [row["error"] for row in rows_of(tmp_path / "out.jsonl")]
    assert errors == [None] * 3 + [f"crash: the method raised {raised}"] + [None] * 2
    assert json.loads((tmp_path / "out.jsonl.run/report.json").read_text())["lost_workers"] == 0


def test_a_reader_that_exits_loses_that_page_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = write_pages(tmp_path / "pages", (page(n) for n in range(6)))
    monkeypatch.setenv("DEADLY_FILE", "00003.html")
    monkeypatch.setenv("DEADLY_BY_EXIT", "1")
    done = run(pages, "-o", tmp_path / "out.jsonl", *HAZARD)
    assert done.returncode == 0, done.stderr
    errors = [row["error"] for row in rows_of(tmp_path / "out.jsonl")]
    assert errors == [None] * 3 + ["crash: the worker ended with status 3"] + [None] * 2


def test_a_page_that_cannot_be_skipped_ends_its_split_but_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = write_pages(tmp_path / "pages", (page(n) for n in range(60)))
    monkeypatch.setenv("DEADLY_FILE", "00010.html")
    monkeypatch.setenv("DEADLY_EVEN_TO_PASS", "1")
    done = run(pages, "-o", tmp_path / "out.jsonl", *HAZARD)
    assert done.returncode == 1
    assert "reading killed a worker, after 10 pages" in done.stderr
    numbers = [int(Path(str(row["source"])).stem) for row in rows_of(tmp_path / "out.jsonl")]
    assert numbers[:10] == list(range(10))
    assert numbers[-1] == 59


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits of memory are for Linux")
def test_a_worker_keeps_its_memory_limit(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", [page(0), page(1, "EAT"), page(2)])
    run(pages, "-o", tmp_path / "out.jsonl", *HAZARD, "--memory", "2G")
    errors = [row["error"] for row in rows_of(tmp_path / "out.jsonl")]
    assert errors[0] is errors[2] is None
    assert str(errors[1]).startswith("memory: ")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits of memory are for Linux")
@pytest.mark.parametrize(("arguments", "kind"), [((), "memory"), (("--memory", "none"), None)])
def test_workers_have_a_memory_limit_by_default(tmp_path: Path, arguments: tuple[str, ...], kind: str | None) -> None:
    pages = write_pages(tmp_path / "pages", [page(0), page(1, "RESERVE"), page(2)])
    assert run(pages, "-o", tmp_path / "out.jsonl", *HAZARD, *arguments).returncode == 0
    kinds = [row["error"] and str(row["error"]).partition(":")[0] for row in rows_of(tmp_path / "out.jsonl")]
    assert kinds == [None, kind, None]


def test_the_command_line_has_the_default_limits_of_the_library() -> None:
    assert parse_memory(WORKER_MEMORY) == DEFAULT_MEMORY_BYTES
    assert parse_size(MAX_PAGE_SIZE) == MAX_PAGE_BYTES
    assert options.PAGE_TIMEOUT_SECONDS == PAGE_TIMEOUT_SECONDS


@pytest.mark.parametrize(("limit", "size"), [("1k", "1 kB"), ("900", "900 bytes"), ("150M", "150 MB")])
def test_a_limit_that_is_too_low_for_any_worker_is_refused_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], limit: str, size: str
) -> None:
    pages, out = write_pages(tmp_path / "pages", [page(0)]), tmp_path / "out.jsonl"
    assert main(["run", str(pages), "-o", str(out), "--memory", limit]) == 2
    output = capsys.readouterr().err
    assert f"--memory of {size} is too little" in output
    assert "allow 500M or more" in output
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits of memory are for Linux")
def test_a_limit_below_the_memory_of_a_worker_is_reported() -> None:
    with pytest.raises(RunError, match=r"it takes .*B before its first page, and --memory allows 1\.5 MB"):
        _limit_memory(1_500_000)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (1_234_567, "1.23 MB"),
        (2 * 10**9, "2 GB"),
        (10**15, "1,000 TB"),
    ],
)
def test_sizes_are_formatted_with_a_fitting_unit(size: int, words: str) -> None:
    assert format_bytes(size) == words


def test_output_of_a_method_does_not_mix_with_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRINT_AT_ONCE", "1")
    pages = write_pages(tmp_path / "pages", [page(0), page(1, "PRINT"), page(2)])
    done = run(pages, "-o", "-", *HAZARD)
    assert [json.loads(line)["error"] for line in done.stdout.splitlines()] == [None] * 3
    for who in ("the module", "the method", "a program"):
        assert f"printed by {who}" in done.stderr


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "WARC"])
def test_progress_advances_within_a_split(tmp_path: Path, packed: bool) -> None:
    """The last of ten pages in one split hangs until its time is up: till then nine tenths are done."""
    looks = []

    class ProgressListener:
        def start(self, total: int | None, size: int, rows: int) -> None:
            self.total = total

        def update(self, counts: ProgressCounts, size: int) -> None:
            assert self.total is not None
            looks.append(size / self.total)

        def log(self, message: str) -> None: ...

    bodies = [page(n, "HANG" if n == 9 else "") for n in range(10)]
    crawl = write_pages(tmp_path / "pages", bodies)
    if packed:
        crawl = write_warc(tmp_path / "a.warc.gz", (response(f"http://a/{n}", body) for n, body in enumerate(bodies)))
    settings = RunSettings(method="hazard", modules=("tests.batch.batch_hazards",), timeout=1)
    Run([str(crawl)], OutputLayout.choose(str(tmp_path / "out.jsonl")), settings, jobs=1)(ProgressListener())
    assert any(0.85 < look < 0.95 for look in looks)
    assert looks[-1] == 1


def test_rows_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", (page(n) for n in range(90)))
    for jobs in (1, 3):
        assert run(pages, "-o", tmp_path / f"{jobs}.jsonl", "--jobs", jobs, "--method", "econ").returncode == 0
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "3.jsonl").read_bytes()


def test_workers_get_their_environment_and_that_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    before = dict(os.environ)
    with worker_environment():
        added = {name: value for name, value in os.environ.items() if name not in before}
        assert os.environ["OMP_NUM_THREADS"] == "3"
    assert added.keys() >= {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"} - before.keys()
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    "error", [BrokenPipeError(32, "Broken pipe"), EOFError("unexpected EOF"), BlockingIOError(11, "no")]
)
def test_workers_that_cannot_be_started_end_the_run_with_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def fail(process: object) -> None:
        raise error

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", fail)
    pages = write_pages(tmp_path / "pages", [page(0)])
    assert main(["run", str(pages), "-o", str(tmp_path / "out.jsonl")]) == 1
    assert "a worker could not be started (" in capsys.readouterr().err
