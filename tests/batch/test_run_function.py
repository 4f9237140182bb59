"""The function `run`: a run with keyword arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.batch.batch_pages import page, rows_of, write_pages

from duramen.batch.outputs.output_paths import PLAN
from duramen.batch.run import Run, run
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


def test_each_part_of_the_input_is_planned_once(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", (page(number) for number in range(3)))
    run(pages, tmp_path / "out", method="econ", jobs=1)
    plan = (tmp_path / "out" / "_duramen" / PLAN).read_text("utf-8").splitlines()
    assert len(plan) == len(set(plan)) == 2  # one split, and the end of the input


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


def test_a_run_that_learns_nothing_makes_one_planner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planner plans as soon as it is made: a second one would plan every split twice."""
    made = []
    make = Run._make_planner

    def count(self: Run, *arguments: Any) -> Any:
        made.append(arguments)
        return make(self, *arguments)

    monkeypatch.setattr(Run, "_make_planner", count)
    pages = write_pages(tmp_path / "pages", [page(0), page(1)])
    assert run(pages, tmp_path / "out.jsonl", method="econ", jobs=1).rows == 2
    assert len(made) == 1
