"""Killed at any moment and started again with the same command, a run loses nothing and doubles nothing."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.batch.batch_pages import command, environment, page, pages_warc, rows_of, run, write_pages

SLOW = ("--import", "tests.batch.batch_hazards", "--method", "hazard:slow=0.003", "--jobs", "2")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


def start(*arguments: object, mark: str = "", hold: bool = True) -> subprocess.Popen[str]:
    """A run that will not end by itself if it is to hold at the last page."""
    return subprocess.Popen(
        command(arguments),
        env={**environment(), "DURAMEN_TEST_MARK": mark, "HOLD_PAGES": "yes" if hold else ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Until a file has something in it, or the run is over."""
    while process.poll() is None and not (path.exists() and path.stat().st_size):
        time.sleep(0.01)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(
        tmp_path_factory.mktemp("killed") / "pages", (page(n, "HOLD" if n == 159 else "") for n in range(160))
    )


@pytest.fixture(scope="module")
def whole(pages: Path) -> bytes:
    """What a run that nobody disturbs gives."""
    out = pages.parent / "whole.jsonl"
    assert run(pages, "-o", out, *SLOW).returncode == 0
    return out.read_bytes()


@pytest.mark.parametrize("seed", range(2))
def test_a_run_killed_several_times_writes_the_same_file(pages: Path, whole: bytes, tmp_path: Path, seed: int) -> None:
    chance, out = random.Random(seed), tmp_path / "out.jsonl"
    for number in range(3):
        process = start(pages, "-o", out, *SLOW)
        if number:  # the first may be killed before anything is done
            wait_for(tmp_path / "out.jsonl.run/journal.jsonl", process)
        time.sleep(chance.uniform(0.0, 0.6))
        process.kill()
        process.communicate()
        assert not out.exists()
    assert run(pages, "-o", out, *SLOW).returncode == 0
    assert out.read_bytes() == whole


def test_a_folder_of_shards_has_every_row_once(tmp_path: Path) -> None:
    crawl, out = pages_warc(tmp_path / "crawl.warc.gz", 160, "HOLD"), tmp_path / "out"
    process = start(crawl, "-o", out, *SLOW)
    wait_for(out / "_duramen/journal.jsonl", process)
    process.kill()
    process.communicate()
    done = run(crawl, "-o", out, *SLOW)
    assert done.returncode == 0, done.stderr
    assert "resuming after" in done.stderr
    assert [row["url"] for row in rows_of(out)] == [f"http://tree.example/{n}" for n in range(160)]
    assert not list(out.rglob("*.part")), "what was half written is gone"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_the_workers_of_a_killed_run_end_with_it(pages: Path, tmp_path: Path) -> None:
    mark = f"mark-{os.urandom(8).hex()}"
    process = start(pages, "-o", tmp_path / "out.jsonl", *SLOW[:3], "hazard:slow=60", mark=mark)
    deadline = time.monotonic() + 60
    while len(marked(mark)) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    process.communicate()
    while marked(mark):
        assert time.monotonic() < deadline, "workers outlive their run"
        time.sleep(0.05)


def marked(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@pytest.mark.parametrize(("signal_number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_says_how_to_resume_it(
    pages: Path, whole: bytes, tmp_path: Path, signal_number: int, status: int
) -> None:
    out = tmp_path / "out.jsonl"
    process = start(pages, "-o", out, *SLOW)
    wait_for(tmp_path / "out.jsonl.run/journal.jsonl", process)
    process.send_signal(signal_number)
    _, message = process.communicate(timeout=60)
    assert process.returncode == status, message
    assert "rows are safe; the same command resumes the run" in message
    assert not out.exists()
    assert run(pages, "-o", out, *SLOW).returncode == 0
    assert out.read_bytes() == whole


def test_a_second_run_on_the_same_output_is_refused(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    process = start(pages, "-o", out, *SLOW)
    wait_for(tmp_path / "out.jsonl.run/journal.jsonl", process)
    second = run(pages, "-o", out, *SLOW)
    process.kill()
    process.communicate()
    assert second.returncode == 2
    assert "another run is writing" in second.stderr


def test_a_full_disk_is_reported_and_the_run_resumes(pages: Path, whole: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    words = " ".join(f"'{word}'" for word in command((pages, "-o", out, *SLOW)))
    # A limit on the size of files, in kB: beyond it every write fails, as on a disk that is full.
    limited = subprocess.run(
        ["bash", "-c", f"ulimit -f 20; exec {words}"], env=environment(), capture_output=True, encoding="utf-8"
    )
    assert limited.returncode == 1, limited.stderr
    assert "File too large" in limited.stderr
    assert "the same command resumes the run" in limited.stderr
    assert run(pages, "-o", out, *SLOW).returncode == 0
    assert out.read_bytes() == whole


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are found by /proc")
@pytest.mark.parametrize("after", [0.0, 0.1, 0.3])
def test_ctrl_c_during_the_start_of_workers_stops_the_run(pages: Path, tmp_path: Path, after: float) -> None:
    """A terminal sends it to all processes, and the first of the workers' is still loading what they need."""
    process = subprocess.Popen(
        command((pages, "-o", tmp_path / "out.jsonl", *SLOW)),
        env={**environment(), "HOLD_PAGES": "yes"},  # so that it is not over when the signal comes
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    while process.poll() is None and not is_in_group(process.pid, b"multiprocessing.forkserver"):
        time.sleep(0.005)
    time.sleep(after)
    os.killpg(process.pid, signal.SIGINT)
    message = process.communicate()[1]
    assert process.returncode == 130, message
    assert re.fullmatch(r"duramen: stopped: \d+ rows are safe; the same command resumes the run\n", message)


def is_in_group(group: int, word: bytes) -> bool:
    """Whether a process of this group has the word in its command."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has gone
            if word in path.read_bytes() and os.getpgid(int(path.parent.name)) == group:
                return True
    return False
