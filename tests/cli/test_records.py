"""`duramen records`: lists as tables, from the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Run


def shop(numbers: range) -> str:
    items = "".join(
        f"<li class='item'><h3><a href='/chair/{n}'>Chair {n}</a></h3><b class='price'>${n}9.50</b>"
        f"<p class='about'>A chair of solid wood, oiled by hand, with a seat of woven cord, number {n}.</p></li>"
        for n in numbers
    )
    return f"<html><body><nav><a href=/>Home</a></nav><main><ul id='chairs'>{items}</ul></main></body></html>"


@pytest.fixture
def shops(folder: Path) -> Path:
    (folder / "one.html").write_text(shop(range(1, 9)), "utf-8")
    (folder / "two.html").write_text(shop(range(20, 24)), "utf-8")
    (folder / "prose.html").write_text("<p>No list at all, only a sentence or two. This is the other.</p>", "utf-8")
    return folder


def test_a_table_to_look_at_is_the_default(run: Run, shops: Path) -> None:
    done = run("records", "one.html")
    assert done.status == 0
    assert done.out.splitlines()[0].split() == ["title", "title_link", "price", "about"]
    assert len(done.out.splitlines()) == 10


def test_csv_goes_to_a_file(run: Run, shops: Path) -> None:
    assert run("records", "one.html", "--format", "csv", "-o", "out.csv").status == 0
    rows = list(csv.DictReader(io.StringIO((shops / "out.csv").read_text("utf-8"))))
    assert [row["price"] for row in rows[:2]] == ["$19.50", "$29.50"]


@pytest.mark.parametrize("format", ["json", "jsonl", "xml"])
def test_every_format_contains_the_first_record(run: Run, shops: Path, format: str) -> None:
    assert "Chair 1" in run("records", "one.html", "--format", format).out


def test_a_page_without_a_list_is_reported_and_counted(run: Run, shops: Path) -> None:
    done = run("records", "prose.html")
    assert (done.status, done.out) == (1, "")
    assert "prose.html: no main list" in done.err


def test_json_reports_that_there_is_no_list(run: Run, shops: Path) -> None:
    assert json.loads(run("records", "prose.html", "--format", "json").out)["rows"] == []


def test_explain_prints_the_place_and_the_selectors(run: Run, shops: Path) -> None:
    out = run("records", "one.html", "--explain").out
    assert "//ul[@id='chairs']" in out
    assert "price: price, in 8 of 8" in out


def test_all_gives_every_list_with_its_confidence(run: Run, shops: Path) -> None:
    found = json.loads(run("records", "one.html", "--all", "--format", "json").out)["tables"]
    assert found[0]["xpath"] == "//ul[@id='chairs']"
    assert run("records", "one.html", "--all").out.startswith("1. //ul[@id='chairs']")


def test_a_saved_wrapper_reads_the_next_page(run: Run, shops: Path) -> None:
    assert run("records", "one.html", "--save", "site.json").status == 0
    done = run("records", "--wrapper", "site.json", "two.html", "--format", "jsonl")
    assert [json.loads(line)["title"] for line in done.out.splitlines()] == [f"Chair {n}" for n in range(20, 24)]
    assert run("records", "--wrapper", "site.json", "prose.html").status == 1


def test_several_pages_go_to_a_folder(run: Run, shops: Path) -> None:
    assert run("records", "one.html", "two.html", "--format", "csv", "-o", "tables/").status == 0
    assert sorted(path.name for path in (shops / "tables").iterdir()) == ["one.csv", "two.csv"]


def test_jsonl_of_several_pages_names_them(run: Run, shops: Path) -> None:
    lines = run("records", "one.html", "two.html", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["input"] for line in lines] == ["one.html"] * 8 + ["two.html"] * 4


@pytest.mark.parametrize(
    "words",
    [
        ["one.html", "two.html", "--format", "csv"],
        ["one.html", "--all", "--format", "csv"],
        ["one.html", "--explain", "--format", "xml"],
        ["one.html", "two.html", "--save", "site.json"],
        ["one.html", "--wrapper", "site.json", "--save", "other.json"],
        ["one.html", "two.html", "--url", "https://shop.example/"],
    ],
)
def test_incompatible_options_are_refused(run: Run, shops: Path, words: list[str]) -> None:
    done = run("records", *words)
    assert done.status == 2
    assert done.err.startswith("duramen: ")


def test_a_missing_page_and_a_missing_wrapper_are_reported(run: Run, shops: Path) -> None:
    assert "none.html: no such file" in run("records", "none.html").err
    assert "none.json: no such file" in run("records", "one.html", "--wrapper", "none.json").err


def test_a_file_for_several_pages_is_refused(run: Run, shops: Path) -> None:
    done = run("records", "one.html", "two.html", "--format", "csv", "-o", "all.csv")
    assert done.status == 2
    assert "several pages need a folder" in done.err
    assert not (shops / "all.csv").exists()
    assert run("records", "one.html", "two.html", "--format", "csv", "-o", "all.csv/").status == 0


def test_xml_has_the_confidence_of_each_list(run: Run, shops: Path) -> None:
    tables = ElementTree.fromstring(run("records", "one.html", "--all", "--format", "xml").out)
    assert [0 < float(table.attrib["confidence"]) <= 1 for table in tables] == [True] * len(tables)
