"""The function `run`: a run with keyword arguments."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.batch.batch_pages import page, rows_of, write_pages

from duramen.batch.run import run
from duramen.batch.settings import RunSettings
from duramen.cli import main
from duramen.errors import UsageError


def test_a_folder_becomes_rows_and_a_second_call_returns_the_same_report(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", (page(number) for number in range(3)))
    report = run(pages, tmp_path / "out.jsonl", method="econ", format="markdown", jobs=1)
    assert (report.rows, report.failed, report.finished) == (3, 0, True)
    assert repr(report) == "<Report of 3 rows: 0 empty, 0 failed, finished>"
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


HTML = (
    "<div><p>The heartwood of an <a href='https://wood.example/oak'>oak</a> is brown and dry, and holds it upright.</p>"
    "<table><tr><th>Tree<th>Rings<tr><td>Oak<td>3 mm<tr><td>Elm<td>5 mm</table></div>"
)
LINK = "[oak](https://wood.example/oak)"


@pytest.mark.parametrize(
    ("options", "wanted", "unwanted"),
    [
        ([], "oak", "wood.example"),
        (["--links"], "https://wood.example/oak", "[oak]"),
        (["--format", "markdown"], LINK, "csv"),
        (["--format", "markdown", "--no-links"], "| Oak | 3 mm |", "wood.example"),
        (["--format", "markdown", "--tables", "csv"], "```csv\nTree,Rings\nOak,3 mm", "| Oak"),
        (["--format", "markdown", "--tables", "html"], "<td>3 mm</td>", "| Oak"),
    ],
)
def test_links_and_tables_are_written_as_the_command_says(
    options: list[str], wanted: str, unwanted: str, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(HTML)
    out = tmp_path / "out.jsonl"
    command = ["run", str(tmp_path / "page.html"), "-o", str(out), "--method", "longest-cell", "--jobs", "1", "--quiet"]
    assert main([*command, *options]) == 0
    (row,) = rows_of(out)
    assert wanted in row["text"]
    assert unwanted not in row["text"]


def test_an_unknown_format_of_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown format of tables 'latex'"):
        run(tmp_path, tmp_path / "out.jsonl", tables="latex")


def test_settings_that_give_equal_rows_have_equal_fingerprints() -> None:
    assert RunSettings().fingerprint() == RunSettings(links=False, images=False).fingerprint()
    markdown = RunSettings(format="markdown")
    assert markdown.fingerprint() == RunSettings(format="markdown", links=True, images=True).fingerprint()
    assert markdown.fingerprint() != RunSettings(format="markdown", links=False, images=False).fingerprint()
    assert markdown.fingerprint() != RunSettings(format="markdown", tables="csv").fingerprint()
