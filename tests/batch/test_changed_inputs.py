"""An input that has changed since a run began, or was finished, is not mixed with what it was."""

from __future__ import annotations

import queue
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.batch.batch_pages import page, pages_warc, rows_of, write_pages

from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.planning import Planner
from duramen.batch.run import Run
from duramen.batch.run_store import RunStore
from duramen.batch.settings import RunSettings
from duramen.cli import main
from duramen.errors import InputError

SETTINGS = RunSettings(method="econ")
FAST = ("--method", "econ", "--jobs", "1")
PAGES = 40


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with pages, a WARC among them, and one that has no page at all."""
    monkeypatch.chdir(tmp_path)
    write_pages(tmp_path / "pages", (page(n) for n in range(PAGES)))
    pages_warc(tmp_path / "pages/00010.warc.gz", 2)
    (tmp_path / "pages/00011.warc").write_bytes(b"")
    return tmp_path


def begin(*inputs: str, splits: int | None = None) -> OutputLayout:
    """Leave what a run that was killed leaves when it has planned so many splits, or all."""
    layout = OutputLayout.choose("out.jsonl")
    with RunStore(layout, inputs, SETTINGS) as store:
        planning = Planner(store, set(), 1)
        taken = 0
        while taken != splits:
            try:
                if planning.next(1) is None:
                    break
            except queue.Empty:
                continue
            taken += 1
        planning.stop()
    return layout


def rewrite(name: str) -> Callable[[Path], object]:
    return lambda here: (here / name).write_bytes(page(99, "another page"))


@pytest.mark.parametrize("splits", [1, None])
def test_a_run_resumes_if_its_folder_is_unchanged(here: Path, splits: int | None) -> None:
    report = Run(["pages"], begin("pages", splits=splits), SETTINGS, jobs=1)()
    assert report.rows == PAGES + 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (rewrite("pages/00003.html"), "one of pages/00000.html … pages/00010.html has changed since"),
        (rewrite("pages/00010.warc.gz"), "pages/00010.warc.gz has changed since"),
        (rewrite("pages/00005a.html"), "pages/00005a.html is new since"),
        (rewrite("pages/99999.html"), "pages/99999.html is new since"),
        (lambda here: (here / "pages/00004.html").unlink(), "pages/00004.html is gone since"),
        (lambda here: (here / "pages/00039.html").unlink(), "pages/00039.html is gone since"),
    ],
)
def test_a_folder_that_has_changed_is_refused(here: Path, change: Callable[[Path], object], message: str) -> None:
    layout = begin("pages")
    change(here)
    with pytest.raises(InputError, match=rf"^{message} the run in out.jsonl began: start again with --overwrite"):
        Run(["pages"], layout, SETTINGS, jobs=1)()


def test_files_after_the_plan_may_change(here: Path) -> None:
    layout = begin("pages", splits=1)
    rewrite("pages/99999.html")(here)
    assert Run(["pages"], layout, SETTINGS, jobs=1)().rows == PAGES + 3


def test_a_page_that_was_named_and_has_changed_is_refused(here: Path) -> None:
    names = ["pages/00001.html", "pages/00002.html"]
    layout = begin(*names)
    rewrite("pages/00002.html")(here)
    with pytest.raises(InputError, match="has changed since"):
        Run(names, layout, SETTINGS, jobs=1)()


@pytest.mark.parametrize("inputs", [["pages"], ["pages/00010.warc.gz"], ["pages/00003.html"]])
@pytest.mark.parametrize("out", ["out.jsonl", "out"])
def test_a_finished_run_notices_that_its_input_has_changed(
    here: Path, inputs: list[str], out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["run", *inputs, "-o", out, *FAST]
    fine = 1 if inputs == ["pages"] else 0  # there, one is empty
    assert main(command) == fine
    assert main(command) == fine
    assert "already finished" in capsys.readouterr().err
    rewrite("pages/00003.html")(here)
    pages_warc(here / "pages/00010.warc.gz", 5)
    assert main(command) == 1
    assert (
        f"{inputs[0]} has changed, and the run in {out} is finished: run it again with --overwrite"
        in capsys.readouterr().err
    )
    assert main([*command, "--overwrite"]) == fine


def test_a_warc_that_was_cut_off_and_is_now_complete_is_noticed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = pages_warc(here / "a.warc.gz", 5)
    whole = crawl.read_bytes()
    crawl.write_bytes(whole[:-100])
    command = ["run", "a.warc.gz", "-o", "out.jsonl", *FAST]
    assert main(command) == 1
    assert main(command) == 1
    crawl.write_bytes(whole)
    capsys.readouterr()
    assert main(command) == 1
    assert "a.warc.gz has changed, and the run in out.jsonl is finished" in capsys.readouterr().err
    assert main([*command, "--overwrite"]) == 0
    assert [row["error"] for row in rows_of(here / "out.jsonl")] == [None] * 5
