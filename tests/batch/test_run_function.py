"""The function `run`: a run with keyword arguments."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.batch.batch_pages import page, rows_of, write_pages

from duramen.batch.run import run
from duramen.errors import UsageError


def test_a_folder_becomes_rows_and_a_second_call_returns_the_same_report(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", (page(number) for number in range(3)))
    report = run(pages, tmp_path / "out.jsonl", method="econ", format="markdown", jobs=1)
    assert (report.rows, report.failed, report.finished) == (3, 0, True)
    assert {row["format"] for row in rows_of(tmp_path / "out.jsonl")} == {"markdown"}
    assert run([str(pages)], str(tmp_path / "out.jsonl"), method="econ", format="markdown").rows == 3


def test_another_method_needs_overwrite(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", [page(0)])
    run(pages, tmp_path / "out.jsonl", method="econ", jobs=1)
    with pytest.raises(UsageError, match="other settings"):
        run(pages, tmp_path / "out.jsonl", method="longest-cell", jobs=1)
    assert run(pages, tmp_path / "out.jsonl", method="longest-cell", jobs=1, overwrite=True).rows == 1


def test_urls_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="duramen run"):
        run("https://example.org/", tmp_path / "out.jsonl")
