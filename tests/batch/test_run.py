"""`duramen run` from the outside: what is written, what is said, what is refused."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.batch.batch_pages import command, environment, page, pages_warc, response, rows_of, write_pages

from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.run import Run
from duramen.batch.run_store import JsonLinesFile, RunStore
from duramen.batch.settings import RunSettings
from duramen.batch.workers.shard import SplitJob, make_shard
from duramen.cli import main
from duramen.errors import InputError, RunError, UsageError
from duramen.files import write_atomically

FAST = ("--method", "econ", "--jobs", "1")


class Ran(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


Running = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Running:
    """Run `duramen run` here; its workers are processes all the same."""

    def run(*arguments: object) -> Ran:
        try:
            status = main(["run", *map(str, arguments)])
        except SystemExit as end:  # argparse
            status = int(end.code or 0)
        message = capsys.readouterr()
        return Ran(status, message.out, message.err)

    return run


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_pages(tmp_path / "pages", (page(n) for n in range(5)))


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.parquet"])
def test_the_suffix_of_the_output_file_selects_its_format(run: Running, pages: Path, tmp_path: Path, name: str) -> None:
    done = run(pages, "-o", tmp_path / name, *FAST)
    assert done.returncode == 0, done.stderr
    assert "5 rows: 5 with content" in done.stderr
    assert (tmp_path / name).stat().st_size
    left = {path.name for path in (tmp_path / f"{name}.run").iterdir()}
    assert left == {"lock", "report.json", "run.json"}


def test_the_shards_of_a_folder_have_all_rows(run: Running, pages: Path, tmp_path: Path) -> None:
    assert run(pages, "-o", tmp_path / "out", *FAST).returncode == 0
    assert [row["title"] for row in rows_of(tmp_path / "out")] == [f"Tree {n}" for n in range(5)]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"part-00000.jsonl.gz", "_duramen"}


@pytest.mark.parametrize(("format", "ending"), [("text", ".txt"), ("markdown", ".md")])
def test_each_page_can_have_a_text_file(run: Running, pages: Path, tmp_path: Path, format: str, ending: str) -> None:
    assert run(pages, "-o", tmp_path / "out", "--as", "files", "--format", format, *FAST).returncode == 0
    assert len(list((tmp_path / "out").glob(f"*.html{ending}"))) == 5
    index = rows_of(tmp_path / "out/index.jsonl")
    assert [row["file"] for row in index] == [f"{n:05}.html{ending}" for n in range(5)]


def test_rows_go_to_standard_output_in_order(run: Running, pages: Path, tmp_path: Path) -> None:
    done = run(pages, pages_warc(tmp_path / "a.warc", 3), "-o", "-", "--method", "econ", "--jobs", 2)
    assert done.returncode == 0, done.stderr
    titles = [json.loads(line)["title"] for line in done.stdout.splitlines()]
    assert titles == [f"Tree {n}" for n in (*range(5), *range(3))]


def test_a_reader_may_close_the_pipe_after_a_few_rows(pages: Path) -> None:
    words = " ".join(command((pages, "-o", "-", *FAST)))
    done = subprocess.run(
        ["bash", "-c", f"{words} | head -n 1 | wc -l; exit ${{PIPESTATUS[0]}}"],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.stdout.strip() == "1"
    assert "Traceback" not in done.stderr


def test_many_kinds_of_input_in_one_run(run: Running, pages: Path, tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text(json.dumps({"html": page(9).decode(), "url": "http://nine/"}) + "\n")
    done = run(pages, pages_warc(tmp_path / "a.warc.gz", 3), tmp_path / "more.jsonl", "-o", tmp_path / "o.jsonl", *FAST)
    assert done.returncode == 0, done.stderr
    assert [row["url"] for row in rows_of(tmp_path / "o.jsonl")][5:] == [
        *(f"http://tree.example/{n}" for n in range(3)),
        "http://nine/",
    ]


def test_a_finished_run_is_not_repeated(run: Running, pages: Path, tmp_path: Path) -> None:
    run(pages, "-o", tmp_path / "out", *FAST)
    before = (tmp_path / "out/part-00000.jsonl.gz").stat().st_mtime_ns
    again = run(pages, "-o", tmp_path / "out", *FAST)
    assert again.returncode == 0
    assert "already finished (5 rows)" in again.stderr
    assert (tmp_path / "out/part-00000.jsonl.gz").stat().st_mtime_ns == before


def test_the_output_of_another_run_is_refused_and_kept(run: Running, pages: Path, tmp_path: Path) -> None:
    run(pages, "-o", tmp_path / "out", *FAST)
    other_method = run(pages, "-o", tmp_path / "out", "--method", "coreex")
    other_input = run(pages / "00000.html", "-o", tmp_path / "out", *FAST)
    assert (other_method.returncode, other_input.returncode) == (2, 2)
    assert "other settings (method)" in other_method.stderr
    assert "another input" in other_input.stderr
    assert len(rows_of(tmp_path / "out")) == 5


def test_overwrite_removes_another_run(run: Running, pages: Path, tmp_path: Path) -> None:
    run(pages, "-o", tmp_path / "out", *FAST)
    assert run(pages / "00000.html", "-o", tmp_path / "out", "--overwrite", *FAST).returncode == 0
    assert len(rows_of(tmp_path / "out")) == 1


def test_overwrite_removes_only_files_of_the_run(run: Running, pages: Path, tmp_path: Path) -> None:
    run(pages, "-o", tmp_path / "out", *FAST)
    (tmp_path / "out/README.txt").write_text("precious")
    done = run(pages / "00000.html", "-o", tmp_path / "out", "--overwrite", "--as", "jsonl", *FAST)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"part-00000.jsonl", "README.txt", "_duramen"}
    assert len(rows_of(tmp_path / "out")) == 1


def test_overwrite_removes_the_text_files_of_a_run(run: Running, pages: Path, tmp_path: Path) -> None:
    files = ("-o", tmp_path / "out", "--as", "files", *FAST)
    run(pages, pages_warc(tmp_path / "a.warc", 2), *files)
    assert len(list((tmp_path / "out").rglob("*.txt"))) == 7
    (tmp_path / "out/notes.txt").write_text("precious")
    done = run(pages / "00000.html", *files, "--overwrite")
    assert done.returncode == 0, done.stderr
    left = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").iterdir()}
    assert left == {"00000.html.txt", "index.jsonl", "notes.txt", "_duramen"}


@pytest.mark.parametrize("wrong", [("--method", "no-such"), ("--import", "no_such_module")])
def test_overwrite_removes_nothing_before_all_checks(
    run: Running, pages: Path, tmp_path: Path, wrong: tuple[str, ...]
) -> None:
    run(pages, "-o", tmp_path / "out", *FAST)
    assert run(pages, "-o", tmp_path / "out", "--overwrite", *wrong).returncode == 2
    assert "already finished (5 rows)" in run(pages, "-o", tmp_path / "out", *FAST).stderr
    assert len(rows_of(tmp_path / "out")) == 5


@pytest.mark.parametrize("given", ["a.warc.gz", "gone.html"])
def test_overwrite_removes_nothing_if_an_input_is_unreadable(run: Running, tmp_path: Path, given: str) -> None:
    crawl, out = pages_warc(tmp_path / "a.warc.gz", 2), tmp_path / "out"
    assert run(crawl, "-o", out, *FAST).returncode == 0
    code = "import sys; sys.modules['fastwarc'] = None; from duramen.cli import main; sys.exit(main())"
    words = [sys.executable, "-c", code, "run", str(tmp_path / given), "-o", str(out), "--overwrite", *FAST]
    done = subprocess.run(words, env=environment(), capture_output=True, encoding="utf-8")
    assert done.returncode == 2, done.stderr
    assert len(rows_of(out)) == 2


def test_overwrite_is_refused_while_a_run_is_active(run: Running, pages: Path, tmp_path: Path) -> None:
    run(pages, "-o", tmp_path / "out", *FAST)
    with RunStore(OutputLayout.choose(str(tmp_path / "out")), [str(pages)], RunSettings(method="econ")):
        done = run(pages, "-o", tmp_path / "out", "--overwrite", *FAST)
    assert done.returncode == 2
    assert "another run is writing" in done.stderr
    assert len(rows_of(tmp_path / "out")) == 5


@pytest.mark.parametrize("name", ["out", "out.jsonl"])
def test_an_overwrite_that_was_killed_can_be_repeated(
    run: Running, pages: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever has been taken away by then, the rows that come out are whole."""
    out = tmp_path / name
    unlink, left = Path.unlink, [0]

    def failing(path: Path, missing_ok: bool = False) -> None:
        if path.is_relative_to(out) or path.is_relative_to(f"{out}.run"):
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
        unlink(path, missing_ok)

    for number in range(6):
        run(pages, "-o", out, "--overwrite", *FAST)
        left[0] = number
        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", failing)
            run(pages, "-o", out, "--overwrite", *FAST)
        done = run(pages, "-o", out, *FAST)
        if done.returncode == 2:  # what says that it is a run had been reached
            done = run(pages, "-o", out, "--overwrite", *FAST)
        assert (done.returncode, len(rows_of(out))) == (0, 5), done.stderr


@pytest.mark.parametrize(("given", "out"), [("a.jsonl", "a.jsonl"), ("out/part-00000.jsonl.gz", "out"), ("out", "out")])
def test_an_input_within_the_output_is_refused(run: Running, pages: Path, tmp_path: Path, given: str, out: str) -> None:
    run(pages, "-o", tmp_path / "out", *FAST)
    (tmp_path / "a.jsonl").write_text(json.dumps({"html": page(9).decode()}) + "\n")
    done = run(tmp_path / given, "-o", tmp_path / out, "--overwrite", *FAST)
    assert done.returncode == 2
    assert "is part of the output" in done.stderr
    assert (len(rows_of(tmp_path / "out")), len(rows_of(tmp_path / "a.jsonl"))) == (5, 1)


def test_files_that_no_run_has_written_are_never_touched(run: Running, pages: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("precious")
    (tmp_path / "mine.jsonl").write_text("precious")
    assert run(pages, "-o", tmp_path / "mine", *FAST).returncode == 2
    assert run(pages, "-o", tmp_path / "mine", "--overwrite", *FAST).returncode == 2
    assert run(pages, "-o", tmp_path / "mine.jsonl", *FAST).returncode == 2
    assert (tmp_path / "mine/thesis.tex").read_text() == (tmp_path / "mine.jsonl").read_text() == "precious"


def test_a_file_that_changed_during_a_run_is_refused(tmp_path: Path) -> None:
    crawl, settings = pages_warc(tmp_path / "a.warc", 40), RunSettings(method="econ")
    layout = OutputLayout.choose(str(tmp_path / "out"))
    layout.shard_folder.mkdir()
    with RunStore(layout, [str(crawl)], settings) as store:
        from duramen.batch.inputs.changes import file_stamp

        store.plan.add({"input": 0, "path": str(crawl), "stamp": file_stamp(str(crawl))}, sync=True)
    with crawl.open("ab") as file:
        file.write(response("http://late/", page(1)))
    with pytest.raises(InputError, match="has changed since the run"):
        Run([str(crawl)], layout, settings)()


def test_a_warc_that_is_cut_off_gives_its_rows_and_a_message(run: Running, tmp_path: Path) -> None:
    crawl = pages_warc(tmp_path / "a.warc.gz", 50)
    crawl.write_bytes(crawl.read_bytes()[:-100])
    done = run(crawl, "-o", tmp_path / "out.jsonl", *FAST)
    assert done.returncode == 1
    assert "is cut off in the record at byte" in done.stderr
    errors = [row["error"] for row in rows_of(tmp_path / "out.jsonl")]
    assert errors == [None] * 49 + ["unreadable: the record is cut off"]
    assert json.loads((tmp_path / "out.jsonl.run/report.json").read_text())["problems"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "no-such"), "unknown method"),
        (("--jobs", "0"), "not a number of processes"),
        (("--as", "parquet"), "asks for jsonl"),
        (("--import", "no_such_module"), "no_such_module"),
    ],
)
def test_wrong_usage_gives_one_message(
    run: Running, pages: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run(pages, "-o", tmp_path / "out.jsonl", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out.jsonl.run").exists()


@pytest.mark.parametrize(
    ("module", "arguments", "extra"),
    [
        ("fastwarc", ("a.warc.gz", "-o", "out.jsonl"), "duramen[warc]"),
        ("pyarrow", ("a.warc.gz", "-o", "out.parquet"), "duramen[parquet]"),
        ("zstandard", ("a.warc.gz", "-o", "out.jsonl.zst"), "duramen[zst]"),
    ],
)
def test_a_missing_extra_is_named(tmp_path: Path, module: str, arguments: tuple[str, ...], extra: str) -> None:
    pages_warc(tmp_path / "a.warc.gz", 2)
    code = f"import sys; sys.modules[{module!r}] = None; from duramen.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", *arguments],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 2, done.stderr
    assert extra in done.stderr


def test_a_full_disk_leaves_no_incomplete_file(tmp_path: Path) -> None:
    def fill(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space") as caught:
        write_atomically(tmp_path / "shard", fill)
    assert list(tmp_path.iterdir()) == []
    assert caught.value.filename == str(tmp_path / "shard"), "and says which"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full is for Linux")
def test_a_full_disk_at_standard_output_does_not_offer_to_resume(pages: Path) -> None:
    with open("/dev/full", "wb") as full:
        words = command((pages, "-o", "-", *FAST))
        done = subprocess.run(words, env=environment(), stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
    assert done.returncode == 1
    assert "standard output: No space left on device" in done.stderr
    assert "the same command starts from the beginning" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_incomplete_last_line_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b'{"a": 1}\n{"a": 2')
    lines = JsonLinesFile(path)
    lines.add({"a": 3}, sync=True)
    lines.close()
    assert list(lines) == [{"a": 1}, {"a": 3}]


def test_a_shard_continues_after_its_written_rows(pages: Path, tmp_path: Path) -> None:
    from duramen.batch.inputs.splits import Split

    layout, settings = OutputLayout.choose(str(tmp_path / "out.jsonl")), RunSettings(method="econ")
    layout.run_folder.mkdir()
    job = SplitJob(0, Split("files", str(pages), names=tuple(f"{n:05}.html" for n in range(5))))
    make_shard(job, settings, layout, "first")
    whole = layout.shard_path(0).read_bytes()
    lines = whole.splitlines(keepends=True)
    (layout.run_folder / "00000.again.lines").write_bytes(lines[0].replace(b"Tree 0", b"Oak") + lines[1][:50])
    result = make_shard(job, settings, layout, "again")
    assert result.rows == 5
    assert layout.shard_path(0).read_bytes().splitlines()[1:] == whole.splitlines()[1:]
    assert b"Oak" in layout.shard_path(0).read_bytes()


def test_a_run_can_be_called_from_python(pages: Path, tmp_path: Path) -> None:
    report = Run([str(pages)], OutputLayout.choose(str(tmp_path / "out.jsonl")), RunSettings(method="econ"), jobs=1)()
    assert (report.rows, report.failed, report.finished) == (5, 0, True)


def test_a_locked_output_is_refused(pages: Path, tmp_path: Path) -> None:
    layout = OutputLayout.choose(str(tmp_path / "out"))
    layout.shard_folder.mkdir()
    with RunStore(layout, [str(pages)], RunSettings()), pytest.raises(UsageError, match="another run is writing"):
        Run([str(pages)], layout, RunSettings())()


def test_workers_that_cannot_begin_end_the_run(pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.batch.run.check_memory", lambda memory: None)
    settings = RunSettings(method="econ", memory=1_000_000)
    with pytest.raises(RunError, match=r"workers die|worker could not begin|too little memory"):
        Run([str(pages)], OutputLayout.choose(str(tmp_path / "out")), settings, jobs=1)()
