"""An input without a single page is told of."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.batch.batch_pages import page, rows_of, write_pages

from duramen.cli import main

FAST = ("--method", "econ", "--jobs", "1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_empty(path: Path) -> None:
    if path.suffix == ".parquet":
        arrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"html": arrow.array([], arrow.string())}), path)
    elif path.name.startswith("packed"):
        path.write_bytes(gzip.compress(b""))
    else:
        path.write_bytes(b"")


@pytest.mark.parametrize(
    "name",
    ["a.warc", "a.warc.gz", "a.warc.zst", "packed.warc.gz", "a.jsonl", "a.jsonl.gz", "packed.jsonl.gz", "a.parquet"],
)
@pytest.mark.parametrize("others", [0, 2])
def test_an_empty_file_is_reported(here: Path, capsys: pytest.CaptureFixture[str], name: str, others: int) -> None:
    if ".warc" in name:
        pytest.importorskip("fastwarc")
    write_empty(here / name)
    if others:
        write_pages(here / "pages", (page(n) for n in range(others)))
    assert main(["run", name, *(["pages"] if others else []), "-o", "out.jsonl", "--quiet", *FAST]) == 1
    sentence = f"{name} is empty: there are no pages in it"
    assert capsys.readouterr().err == f"duramen: {sentence}\n"
    assert json.loads((here / "out.jsonl.run/report.json").read_bytes())["problems"] == [sentence]
    assert len(rows_of(here / "out.jsonl")) == others


def test_an_empty_file_in_a_folder_is_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("fastwarc")
    write_pages(here / "pages", [page(0)])
    write_empty(here / "pages/a.warc.gz")
    assert main(["run", "pages", "-o", "out.jsonl", "--quiet", *FAST]) == 1
    assert "pages/a.warc.gz is empty: there are no pages in it" in capsys.readouterr().err
    assert len(rows_of(here / "out.jsonl")) == 1
