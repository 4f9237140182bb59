"""`duramen extract` on one page: formats, options, and what it says when something is wrong."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from duramen import methods
from duramen.content import Content
from duramen.dom.page import Page

if TYPE_CHECKING:
    from tests.cli.conftest import Article, Run


def test_prints_the_text_of_the_article_alone(page: Path, run: Run) -> None:
    outcome = run("extract", page)
    assert outcome.status == 0
    assert "The heartwood of oak" in outcome.out
    assert "Privacy" not in outcome.out
    assert outcome.out.endswith("\n")
    assert outcome.err == ""


@pytest.mark.parametrize("format", ["markdown", "html", "xml"])
def test_every_format_holds_the_article(format: str, page: Path, run: Run, article: Article) -> None:
    outcome = run("extract", page, "--format", format)
    assert outcome.status == 0
    assert "The heartwood of oak" in outcome.out


def test_xml_is_well_formed(page: Path, run: Run) -> None:
    ElementTree.fromstring(run("extract", page, "--format", "xml").out)


def test_json_holds_the_text(page: Path, run: Run) -> None:
    assert "The heartwood of oak" in json.loads(run("extract", page, "--format", "json").out)["text"]


def test_every_method_can_be_chosen(page: Path, run: Run) -> None:
    for name in methods.names():
        outcome = run("extract", page, "--method", name)
        assert outcome.status in (0, 1)
        assert "unexpected" not in outcome.err


def test_links_are_kept_in_markdown_and_on_request(page: Path, run: Run) -> None:
    assert "https://wood.example/oak" in run("extract", page, "--format", "markdown", "--links").out
    assert "https://wood.example/oak" in run("extract", page, "--format", "markdown").out
    assert "https://wood.example/oak" not in run("extract", page, "--format", "markdown", "--no-links").out
    assert "https://wood.example/oak" not in run("extract", page).out
    assert "https://wood.example/oak" in run("extract", page, "--links").out


@pytest.mark.parametrize(
    ("tables", "wanted"),
    [
        ("markdown", "| Oak | 3 mm |"),
        ("html", "<tr><td>Oak</td><td>3 mm</td></tr>"),
        ("csv", "```csv\nTree,Rings\nOak,3 mm"),
    ],
)
def test_markdown_has_tables_as_requested(tables: str, wanted: str, folder: Path, run: Run) -> None:
    table = "<table><tr><th>Tree<th>Rings<tr><td>Oak<td>3 mm<tr><td>Elm<td>5 mm</table>"
    Path("table.html").write_text(f"<div><p>The rings of trees differ in width, as can be seen here.</p>{table}</div>")
    command = ("extract", "table.html", "--method", "longest-cell", "--format", "markdown")
    assert wanted in run(*command, "--tables", tables).out
    assert run(*command).out == run(*command, "--tables", "markdown").out


def test_standard_input_is_a_page(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, article: Article) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(article("elm").encode())))
    assert "The heartwood of elm" in run("extract", "-").out


def test_standard_input_may_be_packed(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, article: Article
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(article("elm").encode()))))
    assert "The heartwood of elm" in run("extract", "-").out


def test_a_packed_file_is_unpacked(folder: Path, run: Run, article: Article) -> None:
    (folder / "page.html.gz").write_bytes(gzip.compress(article("elm").encode()))
    assert "The heartwood of elm" in run("extract", "page.html.gz").out


@pytest.mark.parametrize(
    "data", [b"not gzip", gzip.compress(b"<p>cut short</p>" * 99, mtime=0)[:-12], b"\x1f\x8b\x08junk"]
)
def test_a_damaged_packed_file_is_called_so(data: bytes, folder: Path, run: Run) -> None:
    (folder / "page.html.gz").write_bytes(data)
    outcome = run("extract", "page.html.gz")
    assert outcome.status == 1
    assert outcome.err == "duramen: page.html.gz: the gzip data is damaged; get the file again\n"


def test_a_missing_file_is_reported_in_one_line(folder: Path, run: Run) -> None:
    assert run("extract", "nowhere.html") == (1, "", "duramen: nowhere.html: no such file\n")


@pytest.mark.parametrize("name", ["", "missing/..", "missing/"])
def test_a_name_of_nothing_is_an_error_like_any_other(name: str, page: Path, run: Run) -> None:
    outcome = run("extract", name, "-o", "out/")
    assert outcome.status == 1
    assert outcome.err.startswith(f"duramen: {name}: ")
    assert "unexpected" not in outcome.err


def test_a_closed_standard_input_is_reported(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run("extract", "-") == (1, "", "duramen: standard input: is closed\n")


def test_a_name_cannot_break_the_line(folder: Path, run: Run) -> None:
    assert run("extract", "no\nwhere\x1b[2J.html").err == "duramen: no\\nwhere\\x1b[2J.html: no such file\n"


def test_another_kind_of_url_is_refused(folder: Path, run: Run) -> None:
    assert "only http:// and https:// addresses" in run("extract", "ftp://wood.example/page.html").err


def test_an_input_that_is_not_a_page_is_reported_in_one_line(folder: Path, run: Run) -> None:
    (folder / "page.html").write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj")
    outcome = run("extract", "page.html")
    assert outcome.status == 1
    assert outcome.err.startswith("duramen: page.html: ")
    assert outcome.err.count("\n") == 1


def test_a_page_over_the_limit_is_refused(page: Path, run: Run) -> None:
    outcome = run("extract", "page.html", "--max-size", "1k")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err == "duramen: page.html: larger than 1,000 bytes; --max-size raises the limit\n"


def test_the_limit_holds_for_what_is_unpacked(folder: Path, run: Run) -> None:
    (folder / "bomb.html.gz").write_bytes(gzip.compress(b"<p>" * 1_000_000))
    assert "larger than 100,000 bytes" in run("extract", "bomb.html.gz", "--max-size", "100k").err


def test_a_page_without_content_is_reported_and_counts_as_failed(folder: Path, run: Run) -> None:
    (folder / "empty.html").write_text("")
    outcome = run("extract", "empty.html")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("duramen: empty.html: nothing found: ")
    assert run("extract", "empty.html", "--quiet") == (1, "", "")


def test_json_reports_an_empty_result(folder: Path, run: Run) -> None:
    (folder / "empty.html").write_text("")
    outcome = run("extract", "empty.html", "--format", "json", "--quiet")
    assert outcome.status == 1
    assert json.loads(outcome.out)["text"] == ""


def test_an_unknown_method_is_wrong_usage_and_names_a_near_one(page: Path, run: Run) -> None:
    near = methods.DEFAULT
    outcome = run("extract", page, "--method", near + "x")
    assert outcome.status == 2
    assert near in outcome.err.replace(near + "x", "")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "wrong",
    [
        ["--unknown"],
        ["--format", "pdf"],
        ["--timeout", "0"],
        ["--timeout", "nan"],
        ["--timeout", "soon"],
        ["--max-size", "0"],
        ["--max-size", "big"],
        ["--form", "text"],
        ["--tables", "latex"],
    ],
)
def test_a_wrong_option_is_wrong_usage(wrong: list[str], page: Path, run: Run) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        run("extract", page, *wrong)


def test_standard_input_cannot_be_named_twice(folder: Path, run: Run) -> None:
    assert run("extract", "-", "-").status == 2


def test_the_url_of_a_local_page_reaches_the_method(page: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []

    def method(page: Page) -> Content:
        seen.append(page.url)
        return Content(page, "seen", "nothing wanted")

    monkeypatch.setattr(methods, "get", lambda name: method)
    run("extract", page, "--url", "https://wood.example/")
    assert seen == ["https://wood.example/"]


def test_one_url_cannot_be_that_of_two_pages(page: Path, run: Run) -> None:
    outcome = run("extract", page, page, "--url", "https://wood.example/")
    assert outcome.status == 2
    assert "--url" in outcome.err


def test_an_unexpected_error_is_one_line_and_a_traceback_on_request(
    page: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def method(page: Page) -> Content:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(methods, "get", lambda name: method)
    outcome = run("extract", "page.html")
    assert outcome.status == 1
    assert outcome.err == "duramen: page.html: unexpected ZeroDivisionError: by nought (--debug shows the traceback)\n"
    assert "Traceback" in run("extract", "page.html", "--debug").err


def test_half_a_surrogate_pair_becomes_the_replacement_character(
    page: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Content, "to", lambda self, format, **options: "half \ud83d of \ud83c\udf33")
    assert run("extract", page).out == "half \ufffd of \U0001f333\n"
    run("extract", page, "-o", "out.txt")
    assert Path("out.txt").read_text(encoding="utf-8") == "half \ufffd of \U0001f333\n"


def test_recall_keeps_all_that_precision_keeps(page: Path, run: Run) -> None:
    precise = run("extract", page, "--favor", "precision").out.split()
    assert "heartwood" in precise
    assert set(precise) <= set(run("extract", page, "--favor", "recall").out.split())


def test_only_the_default_method_can_favour(page: Path, run: Run) -> None:
    outcome = run("extract", page, "--favor", "recall", "--method", "econ")
    assert outcome.status == 2
    assert "--favor is for the method auto" in outcome.err


def test_pages_of_a_site_learn_from_each_other(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("site").mkdir()
    for topic in ("oak", "ash", "elm", "yew"):
        text = "".join(
            f"<p>The {topic} has {part}, which every {topic} has had for long.</p>" for part in ("bark", "sap")
        )
        Path("site", f"{topic}.html").write_text(f"<title>{topic}</title><h1>On {topic}</h1><div class=t>{text}</div>")
    done = run("extract", "site", "--site", "--format", "json", "-o", "rows/")
    assert done.status == 0, done.err
    assert "3 other pages" in json.loads(Path("rows", "oak.json").read_text())["reason"]
    for wrong in (("--wrapper", "x.json"), ("--only-metadata",), ("--method", "econ")):
        assert run("extract", "site", "--site", *wrong).status == 2
