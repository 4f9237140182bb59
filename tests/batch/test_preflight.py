"""What is wrong with the inputs is said before a run begins, and leaves nothing behind."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.batch.batch_pages import environment, page, pages_warc, rows_of, write_pages

from duramen.cli import main

FAST = ("--method", "econ", "--jobs", "1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with some pages."""
    monkeypatch.chdir(tmp_path)
    write_pages(tmp_path / "pages", (page(n) for n in range(3)))
    return tmp_path


@pytest.mark.parametrize("name", ["nope.html", "nope/", "nope.warc.gz", "nope.jsonl", "nope.parquet", "nope/*.html"])
def test_a_missing_input_is_named_and_nothing_is_written(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert main(["run", "pages", name, "-o", "out.jsonl", *FAST]) == 2
    message = capsys.readouterr().err
    assert f"{name}: no such file or folder" in message
    assert len(message.splitlines()) == 1
    assert sorted(path.name for path in here.iterdir()) == ["pages"]
    assert main(["run", "pages", "-o", "out.jsonl", *FAST]) == 0  # the corrected command


def test_a_folder_without_matching_files_is_a_usage_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "pages", "--include", "*.xyz", "-o", "out.jsonl", *FAST]) == 2
    assert "pages: no pages that match *.xyz" in capsys.readouterr().err
    assert not (here / "out.jsonl.run").exists()


@pytest.mark.parametrize("name", ["out.csv", "out.JSON", "out.warc.gz"])
def test_a_file_that_a_run_does_not_write_is_refused_but_a_folder_of_that_name_is_not(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert main(["run", "pages", "-o", name, *FAST]) == 2
    assert f"{name}: a run writes a folder, or a file that ends in .jsonl, " in capsys.readouterr().err
    assert sorted(path.name for path in here.iterdir()) == ["pages"]
    assert main(["run", "pages", "-o", f"{name}/", *FAST]) == 0
    assert len(rows_of(here / name)) == 3


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.parquet"])
def test_a_table_without_the_column_is_refused_with_the_columns_that_it_has(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    rows = [{"address": "https://a.example/", "raw": page(n).decode()} for n in range(3)]
    if name.endswith(".parquet"):
        arrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(arrow.Table.from_pylist(rows), name)
    else:
        lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
        Path(name).write_bytes(gzip.compress(lines) if name.endswith(".gz") else lines)
    assert main(["run", name, "-o", "out.jsonl", *FAST]) == 2
    assert f"{name}: no column 'html', but address, raw: name the column" in capsys.readouterr().err
    assert not (here / "out.jsonl.run").exists()
    assert main(["run", name, "--html-column", "raw", "-o", "out.jsonl", *FAST]) == 0
    assert len(rows_of(here / "out.jsonl")) == 3


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_table_in_utf16_is_refused_and_one_with_a_utf8_mark_is_read(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    lines = "".join(f"{json.dumps({'html': page(n).decode()})}\r\n" for n in range(3))
    pack = gzip.compress if name.endswith(".gz") else bytes
    (here / name).write_bytes(pack(lines.encode("utf-16")))
    assert main(["run", name, "-o", "out.jsonl", *FAST]) == 2
    assert f"{name} is UTF-16, and JSON Lines are UTF-8" in capsys.readouterr().err
    assert not (here / "out.jsonl.run").exists()
    (here / name).write_bytes(pack(lines.encode("utf-8-sig")))
    assert main(["run", name, "-o", "out.jsonl", *FAST]) == 0
    assert [row["error"] for row in rows_of(here / "out.jsonl")] == [None] * 3


def test_a_compressed_table_with_a_plain_name_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.jsonl").write_bytes(gzip.compress(json.dumps({"html": page(0).decode()}).encode()))
    assert main(["run", "a.jsonl", "-o", "out.jsonl", *FAST]) == 2
    assert "a.jsonl holds compressed data: decompress it" in capsys.readouterr().err
    assert not (here / "out.jsonl.run").exists()


@pytest.mark.parametrize("before", ['{"url": "u"}\n', '{"url": "u"}\n\n', '{"url": "u"}\nno JSON\n', "no JSON\n"])
def test_a_table_is_not_refused_for_lines_that_lack_the_column(here: Path, before: str) -> None:
    whole = json.dumps({"html": page(1).decode()})
    (here / "a.jsonl").write_text(before + whole)
    assert main(["run", "a.jsonl", "-o", "out.jsonl", *FAST]) == 0
    assert [bool(row["error"]) for row in rows_of(here / "out.jsonl")][-1] is False


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_no_table_is_refused_if_one_has_the_column(here: Path, names: tuple[str, str]) -> None:
    (here / "a.jsonl").write_text(json.dumps({"html": page(1).decode()}))
    (here / "b.jsonl").write_text(json.dumps({"raw": page(2).decode()}))
    assert main(["run", *(f"{name}.jsonl" for name in names), "-o", "out.jsonl", *FAST]) == 0
    assert sorted(bool(row["error"]) for row in rows_of(here / "out.jsonl")) == [False, True]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (bytes(range(256)) * 20, "binary data"),
        (b"%PDF-1.7 and so on", "a PDF"),
        (gzip.compress(b"\0" * 99, mtime=0), "gzip"),
    ],
)
def test_a_binary_file_named_as_a_list_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], data: bytes, what: str
) -> None:
    (here / "urls.txt").write_bytes(data)
    assert main(["run", "pages", "urls.txt", "-o", "out.jsonl", *FAST]) == 2
    message = capsys.readouterr().err
    assert f"urls.txt: not an HTML page but {what}" in message
    assert "and not a list of URLs" in message
    assert sorted(path.name for path in here.iterdir()) == ["pages", "urls.txt"]


def test_a_text_file_that_is_not_a_list_is_a_page(here: Path) -> None:
    (here / "page.txt").write_bytes(page(7))
    (here / "words.txt").write_text("Some words, and no markup.", "utf-16")
    assert main(["run", "page.txt", "words.txt", "-o", "out.jsonl", *FAST]) == 0
    assert [row["error"] for row in rows_of(here / "out.jsonl")] == [None, None]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_refused_and_not_waited_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe.warc")
    assert main(["run", "pages", "pipe.warc", "-o", "out.jsonl", *FAST]) == 2
    assert "pipe.warc is neither a file nor a folder" in capsys.readouterr().err
    assert not (here / "out.jsonl.run").exists()


@pytest.mark.parametrize(
    ("arguments", "who"), [(["pages", ""], "an INPUT"), (["pages", "-o", ""], "the output name (-o)")]
)
def test_an_empty_name_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], who: str
) -> None:
    assert main(["run", "-o", "out.jsonl", *arguments, *FAST]) == 2
    assert f"{who} is empty: check that the shell variable is set" in capsys.readouterr().err
    assert [path.name for path in here.iterdir()] == ["pages"]


def test_standard_input_is_refused_and_a_file_of_that_name_is_not(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "-").write_bytes(page(7))
    assert main(["run", "-", "-o", "out.jsonl", *FAST]) == 2
    assert "cannot read standard input" in capsys.readouterr().err
    assert main(["run", "./-", "-o", "out.jsonl", *FAST]) == 0
    assert [row["title"] for row in rows_of(here / "out.jsonl")] == ["Tree 7"]


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("fastwarc", "a.warc.gz", "duramen[warc]"),
        ("pyarrow", "a.parquet", "duramen[parquet]"),
        ("zstandard", "a.jsonl.zst", "duramen[zst]"),
        ("s3fs", "s3://bucket/a.html", "duramen[s3]"),
        ("aiohttp", "http://127.0.0.1:9/", "duramen[download]"),
    ],
)
def test_a_missing_extra_of_an_input_is_named_and_nothing_is_written(
    here: Path, module: str, name: str, extra: str
) -> None:
    if "://" not in name:
        pages_warc(here / name, 2)
    done = run_without(module, here, name, "-o", "out.jsonl")
    assert done.returncode == 2, done.stderr
    assert extra in done.stderr
    assert not (here / "out.jsonl.run").exists()


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("fastwarc", "a.warc.gz", "duramen[warc]"),
        ("pyarrow", "a.parquet", "duramen[parquet]"),
        ("zstandard", "a.jsonl.zst", "duramen[zst]"),
    ],
)
@pytest.mark.parametrize("out", ["out.jsonl", "out"])
def test_a_missing_extra_of_a_file_in_a_folder_is_named(
    here: Path, module: str, name: str, extra: str, out: str
) -> None:
    (here / "pages/below").mkdir()
    pages_warc(here / "pages/below" / name, 2)
    asked = ("--include", "*.html", "--include", name)
    done = run_without(module, here, "pages", "-o", out, *asked)
    assert done.returncode == 2, done.stderr
    assert extra in done.stderr
    assert [path.name for path in here.iterdir()] == ["pages"]
    assert run_without(module, here, "pages", "-o", out, "--include", "*.html", *FAST).returncode == 0


def run_without(module: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run where a module is not installed."""
    code = f"import sys; sys.modules[{module!r}] = None; from duramen.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "run", *arguments]
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, encoding="utf-8")


def test_a_finished_run_does_not_need_its_input(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "pages", "-o", "out.jsonl", *FAST]) == 0
    (here / "pages").rename(here / "archive")
    assert main(["run", "pages", "-o", "out.jsonl", *FAST]) == 0
    assert "already finished (3 rows)" in capsys.readouterr().err
