"""Signals from outside, to a worker, to the fork server or to all processes, cost no page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from multiprocessing import forkserver
from pathlib import Path

import pytest
from tests.batch.batch_pages import command, environment, page, rows_of, run, write_pages

from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.run import Run
from duramen.batch.settings import RunSettings
from duramen.batch.workers.pool import ProgressCounts
from duramen.processes import ActiveClock, is_stopped, run_tasks

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found by /proc")

HAZARD = ("--import", "tests.batch.batch_hazards", "--method", "hazard")
SETTINGS = RunSettings(method="hazard", modules=("tests.batch.batch_hazards",), timeout=30)


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Disturber:
    """A listener that, once, sends a signal to the worker that has the page with the mark."""

    def __init__(self, mark: Path, signal_number: int) -> None:
        self.mark, self.signal_number, self.is_done = mark, signal_number, False

    def start(self, total: int | None, size: int, rows: int) -> None: ...

    def log(self, message: str) -> None: ...

    def update(self, counts: ProgressCounts, size: int) -> None:
        if not self.is_done and self.mark.exists():
            self.is_done = True
            self.disturb(int(self.mark.read_text()))

    def disturb(self, pid: int) -> None:
        os.kill(pid, self.signal_number)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_page_on_which_two_workers_were_killed_from_outside_has_its_row(tmp_path: Path, jobs: int) -> None:
    word = f"KILLED={tmp_path / 'mark'}*2"
    pages = write_pages(tmp_path / "pages", (page(n, word if n == 30 else "") for n in range(90)))
    done = run(pages, "-o", tmp_path / "out.jsonl", *HAZARD, "--jobs", jobs)
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "mark").read_text()) == 3
    assert [row["error"] for row in rows_of(tmp_path / "out.jsonl")] == [None] * 90


def test_a_page_on_which_workers_are_always_killed_gets_an_error_row(tmp_path: Path) -> None:
    word = f"KILLED={tmp_path / 'mark'}*999"
    pages = write_pages(tmp_path / "pages", (page(n, word if n == 30 else "") for n in range(60)))
    done = run(pages, "-o", tmp_path / "out.jsonl", *HAZARD, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    errors = {n: row["error"] for n, row in enumerate(rows_of(tmp_path / "out.jsonl")) if row["error"]}
    assert errors == {30: "crash: the worker was stopped by SIGKILL"}


def test_a_pause_of_all_processes_costs_no_page(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    pages = write_pages(tmp_path / "pages", [page(0, f"PID={mark}"), page(1)])
    process = subprocess.Popen(
        command((pages, "-o", tmp_path / "out.jsonl", *HAZARD, "--jobs", 1, "--timeout", 5)),
        env=environment(),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    wait_for(mark)
    os.killpg(process.pid, signal.SIGSTOP)
    time.sleep(6)  # longer than a page may take
    Path(f"{mark}.go").touch()
    os.killpg(process.pid, signal.SIGCONT)
    message = process.communicate(timeout=60)[1]
    assert process.returncode == 0, message
    assert [row["error"] for row in rows_of(tmp_path / "out.jsonl")] == [None, None]


def test_a_stopped_worker_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.processes.MAX_STOPPED_SECONDS", 0.5)
    pages = write_pages(tmp_path / "pages", [page(0), page(1, f"PID={tmp_path / 'mark'}"), page(2)])
    disturber = Disturber(tmp_path / "mark", signal.SIGSTOP)
    report = Run([str(pages)], OutputLayout.choose(str(tmp_path / "out.jsonl")), SETTINGS, 1)(disturber)
    assert disturber.is_done
    assert report.lost_workers == 1
    assert [row["error"] for row in rows_of(tmp_path / "out.jsonl")] == [None] * 3


@pytest.mark.parametrize("signal_number", [signal.SIGSTOP, signal.SIGKILL])
def test_a_stopped_or_killed_fork_server_does_not_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signal_number: int
) -> None:
    monkeypatch.setattr("duramen.processes.MAX_STOPPED_SECONDS", 0.5)
    pages = write_pages(tmp_path / "pages", [page(0), page(1, f"PID={tmp_path / 'mark'}"), page(2)])

    class ServerDisturber(Disturber):
        def disturb(self, pid: int) -> None:
            os.kill(forkserver._forkserver._forkserver_pid, signal_number)  # type: ignore[attr-defined]
            os.kill(pid, signal.SIGKILL)  # so that the fork server is asked for another

    disturber = ServerDisturber(tmp_path / "mark", signal.SIGKILL)
    report = Run([str(pages)], OutputLayout.choose(str(tmp_path / "out.jsonl")), SETTINGS, 1)(disturber)
    assert disturber.is_done
    assert report.lost_workers == 1
    assert [row["error"] for row in rows_of(tmp_path / "out.jsonl")] == [None] * 3


def kill_own_process_once(mark: str) -> str:
    if not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def test_a_task_whose_process_was_killed_is_tried_again(tmp_path: Path) -> None:
    results = list(run_tasks(kill_own_process_once, [str(tmp_path / "mark")], 1, 60.0))
    assert [(result.result, result.error) for result in results] == [("done", None)]


def test_the_clock_does_not_count_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    clock = ActiveClock()
    for step in (0.1, 0.5, 3600.0, 0.1):
        now[0] += step
        seconds = clock.read()
    assert seconds == pytest.approx(0.1 + 0.5 + 1.0 + 0.1)


def test_a_stopped_process_is_recognized() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert not is_stopped(process.pid)
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        assert is_stopped(process.pid)
    finally:
        process.kill()
        process.communicate()
    assert not is_stopped(process.pid)


# Prints a line when `main` imports its first module.
ANNOUNCED_MAIN = """
import sys, duramen.cli

class Announcer:
    def find_spec(self, name, path, target=None):
        if name == "duramen.cli.dispatch":
            print(flush=True)

sys.meta_path.insert(0, Announcer())
sys.exit(duramen.cli.main())
"""


def test_ctrl_c_at_any_early_moment_gives_one_line(tmp_path: Path) -> None:
    """From the first line of `main` on. Before that, Python itself answers."""
    pages = write_pages(tmp_path / "pages", (page(n) for n in range(3)))
    for step in range(14):
        words = [
            sys.executable,
            "-c",
            ANNOUNCED_MAIN,
            "run",
            str(pages),
            "-o",
            str(tmp_path / f"{step}.jsonl"),
            *HAZARD,
        ]
        process = subprocess.Popen(
            [*words[:-1], "hazard:slow=20"],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(step * 0.04)
        os.killpg(process.pid, signal.SIGINT)
        message = process.communicate(timeout=60)[1]
        assert process.returncode == 130, message
        assert re.fullmatch(r"duramen: stopped(: 0 rows are safe; the same command resumes the run)?\n", message)
