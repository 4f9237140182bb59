"""Metadata written down."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import duramen
from duramen.cli import main
from duramen.metadata.metadata import FIELDS

PAGE = """<html lang=en><title>Oaks: "old" ones</title><meta name=author content="Jane Doe, John Roe">
<meta property="og:type" content=article><meta property="article:published_time" content=2024-03-05>
<h1>Oaks: "old" ones</h1><p>By Jane Doe and John Roe</p><p>An oak of a thousand years is hollow, and it stands.</p>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, "utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["extract", *words]) == 0
    return capsys.readouterr().out


def test_front_matter_is_before_markdown() -> None:
    markdown = duramen.extract(PAGE).to("markdown", metadata=True)
    head, _, body = markdown.removeprefix("---\n").partition("---\n")
    assert 'title: "Oaks: \\"old\\" ones"\nauthors:\n  - "Jane Doe"\n  - "John Roe"\npublished: 2024-03-05\n' in head
    assert "hollow" in body


def test_xml_carries_everything() -> None:
    found = ElementTree.fromstring(duramen.extract(PAGE).xml).find("metadata")
    assert found is not None
    assert [name.text for name in found.iterfind("authors/author/name")] == ["Jane Doe", "John Roe"]
    published = found.find("published")
    assert published is not None
    assert (published.text, published.get("source")) == ("2024-03-05", "open-graph")


def test_json_has_the_sources() -> None:
    found = json.loads(duramen.extract(PAGE).json)
    assert found["authors"] == [{"name": "Jane Doe"}, {"name": "John Roe"}]
    assert set(found["sources"]["published"]) == {"source", "confidence"}


def test_every_field_that_is_given_has_a_source() -> None:
    html = PAGE.replace("<p>", "<p><img src=https://oak.example/1.png alt=Oak>", 1)
    found = duramen.extract(html)
    assert found.metadata.images
    told, only = json.loads(found.json), found.metadata.as_dict()
    for fields in (told, only):
        given = {name for name in (*FIELDS,) if fields[name]}
        assert set(fields["sources"]) == given
    assert (told["sources"]["page_type"]["source"] == "method") == (found.page_type is not None)


def test_only_metadata_is_lines(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, str(page), "--only-metadata")
    assert "authors: Jane Doe; John Roe\npublished: 2024-03-05\n" in shown
    assert "hollow" not in shown


@pytest.mark.parametrize("format", ["json", "xml", "markdown"])
def test_only_metadata_in_other_formats(page: Path, format: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, str(page), "--only-metadata", "--format", format)
    assert "Jane Doe" in shown
    assert "hollow" not in shown


def test_a_folder_makes_one_table(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (page.parent / "second.html").write_text("<title>Elms</title><p>Gone.", "utf-8")
    table = page.parent / "table.csv"
    run(capsys, str(page.parent), "--only-metadata", "--format", "csv", "-o", str(table), "--quiet")
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert [(row["title"], row["authors"]) for row in rows] == [
        ('Oaks: "old" ones', "Jane Doe; John Roe"),
        ("Elms", ""),
    ]
    shown = run(capsys, str(page.parent), "--only-metadata", "--format", "csv", "--quiet")
    assert shown == table.read_text("utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ["--format", "csv"],
        ["--metadata"],
        ["--detect-language"],
        ["--only-metadata", "--format", "html"],
        ["--only-metadata", "--comments"],
        ["--only-metadata", "--links"],
        ["--only-metadata", "--images"],
    ],
)
def test_wrong_usage_is_one_sentence(page: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", str(page), *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_language_is_detected_from_the_text(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("py3langid")
    page.write_text("<title>x</title><p>Das Kernholz eines Baumes ist dunkel, trocken und sehr dauerhaft.", "utf-8")
    assert "detected_language: de" in run(capsys, str(page), "--only-metadata", "--detect-language")


def test_a_wrapper_gives_the_places_of_the_fields(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from duramen.wrappers.wrapper import RegionSelector, Wrapper

    signed = PAGE.replace("<p>By Jane Doe and John Roe</p>", "<p class=signed>Max Moe</p>")
    page.write_text(signed, "utf-8")
    wrapper = Wrapper(
        "a.example", (RegionSelector("//body", "//body", (1,), 3),), fields=(("authors", "//p[@class='signed']"),)
    )
    kept = page.parent / "site.json"
    wrapper.save(kept)
    shown = json.loads(run(capsys, "--wrapper", str(kept), str(page), "--only-metadata", "--format", "json"))
    assert (shown["authors"], shown["sources"]["authors"]["source"]) == ([{"name": "Max Moe"}], "wrapper")


def test_a_missing_library_is_reported_once(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (page.parent / "second.html").write_text(PAGE, "utf-8")
    monkeypatch.setattr("duramen.metadata.language_detection.find_spec", lambda name: None)
    assert main(["extract", str(page.parent), "--only-metadata", "--detect-language", "--quiet"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("duramen[languages]"), shown.err.count("\n")) == ("", 1, 1)


def test_a_table_runs_nothing_in_a_spreadsheet(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page.write_text("<title>=cmd|calc!A1</title><h1>=cmd|calc!A1</h1><p>Text.", "utf-8")
    (row,) = csv.DictReader(run(capsys, str(page), "--only-metadata", "--format", "csv").splitlines())
    assert row["title"] == "'=cmd|calc!A1"


@pytest.mark.parametrize("format", ["text", "markdown", "xml", "json", "csv"])
def test_a_page_without_metadata_is_reported(page: Path, format: str, capsys: pytest.CaptureFixture[str]) -> None:
    page.write_text("", "utf-8")
    assert main(["extract", str(page), "--only-metadata", "--format", format, "--url", "https://oak.example/1"]) == 1
    shown = capsys.readouterr()
    assert "nothing found: the page has no metadata" in shown.err
    assert bool(shown.out) == (format in ("json", "csv"))


@pytest.mark.parametrize("folder", ["tables/", "page.html/table.csv"])
def test_a_table_that_cannot_be_written_is_refused_before_a_page_is_read(
    page: Path, folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duramen.dom.page.Page.parse", lambda *_: pytest.fail("a page was read"))
    target = str(page.parent) + f"/{folder}"
    assert main(["extract", str(page), "--only-metadata", "--format", "csv", "-o", target]) == 2
    assert "folder" in capsys.readouterr().err
    assert [path.name for path in page.parent.iterdir()] == ["page.html"]


def test_a_file_that_cannot_be_written_is_refused_before_a_page_is_read(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duramen.dom.page.Page.parse", lambda *_: pytest.fail("a page was read"))
    assert main(["extract", str(page), "-o", f"{page}/text.txt"]) == 2
    assert "is not a folder" in capsys.readouterr().err
