"""`duramen records`: lists as tables, from the command line."""

from __future__ import annotations

import csv
import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
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
    assert done.out.splitlines()[0].split() == ["title", "url", "price", "currency", "snippet"]
    assert len(done.out.splitlines()) == 10


def test_csv_goes_to_a_file(run: Run, shops: Path) -> None:
    assert run("records", "one.html", "--format", "csv", "-o", "out.csv").status == 0
    rows = list(csv.DictReader(io.StringIO((shops / "out.csv").read_text("utf-8"))))
    assert [row["price"] for row in rows[:2]] == ["19.50", "29.50"]


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


def test_raw_texts_are_beside_the_values(run: Run, shops: Path) -> None:
    row = json.loads(run("records", "one.html", "--format", "jsonl", "--raw").out.splitlines()[0])
    assert (row["price"], row["price_raw"]) == (19.5, "$19.50")
    table = csv.DictReader(io.StringIO(run("records", "one.html", "--format", "csv", "--raw").out))
    assert next(table)["price_raw"] == "$19.50"


def test_a_list_is_chosen_by_example(run: Run, shops: Path) -> None:
    done = run("records", "one.html", "--like", "$29.50", "--format", "csv")
    assert done.out.startswith("price,title")
    assert run("records", "one.html", "--like", "Sofa").status == 1


def test_a_wrapper_is_learned_from_several_pages_and_exported(run: Run, shops: Path) -> None:
    assert run("records", "--learn", "one.html", "two.html", "-o", "shop.json").status == 0
    assert "Chair 22" in run("records", "--wrapper", "shop.json", "two.html").out
    schema = json.loads(run("records", "--wrapper", "shop.json", "--export", "crawl4ai").out)
    assert schema["baseSelector"].startswith("//ul[@id='chairs']")
    done = run("records", "--wrapper", "shop.json", "--export", "scrapy", "-o", "spider.py")
    assert "left out, XPath alone cannot read them: currency" in done.err
    compile((shops / "spider.py").read_text("utf-8"), "spider.py", "exec")


@pytest.mark.parametrize(
    "options",
    [
        ("--learn", "one.html"),
        ("--export", "scrapy", "one.html"),
        ("one.html", "--follow", "2"),
        ("--format", "csv"),
        ("one.html", "--like", "a", "--all"),
    ],
)
def test_options_that_do_not_work_together_are_refused(run: Run, shops: Path, options: tuple[str, ...]) -> None:
    assert run("records", *options).status == 2


class _Shop(BaseHTTPRequestHandler):
    """Four pages of a list; robots.txt forbids the fourth."""

    requests: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.requests.append(self.path)
        if self.path == "/robots.txt":
            body, kind = "User-agent: *\nDisallow: /list?page=4", "text/plain"
        else:
            number = int(self.path.rpartition("=")[2])
            following = f"<a rel=next href='/list?page={number + 1}'>Next</a>"
            body = shop(range(10 * number, 10 * number + 6)).replace("</main>", f"</main>{following}")
            kind = "text/html"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    _Shop.requests.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/list?page="
    server.shutdown()
    server.server_close()


def test_the_next_pages_are_followed(run: Run, folder: Path, address: str) -> None:
    done = run("records", f"{address}1", "--follow", "1", "--delay", "0", "--format", "jsonl")
    assert [json.loads(line)["title"] for line in done.out.splitlines()][5:7] == ["Chair 15", "Chair 20"]
    assert len(done.out.splitlines()) == 12
    assert done.status == 0
    assert _Shop.requests == ["/list?page=1", "/robots.txt", "/list?page=2"]


def test_robots_txt_ends_following_and_the_pages_before_are_printed(run: Run, folder: Path, address: str) -> None:
    done = run("records", f"{address}2", "--follow", "5", "--delay", "0", "--format", "jsonl")
    assert len(done.out.splitlines()) == 12
    assert "robots.txt" in done.err
    assert "/list?page=4" not in _Shop.requests


def test_the_record_of_a_page(run: Run, folder: Path) -> None:
    (folder / "p.html").write_text("<h1>Oak</h1><dl><dt>Price<dd>$20.50<dt>Year<dd>2020</dl>", "utf-8")
    assert run("record", "p.html").out.splitlines()[0].split() == ["price", "20.50"]
    data = json.loads(run("record", "p.html", "--format", "json", "--raw").out)
    assert (data["fields"]["price"], data["raw"]["price"], data["fields"]["currency"]) == (20.5, "$20.50", "USD")
    assert run("record", "p.html", "--format", "csv").out.splitlines()[0] == "field,value"
    (folder / "none.html").write_text("<p>Nothing.</p>", "utf-8")
    assert run("record", "none.html").status == 1


def test_a_record_with_too_many_fields_has_a_note(run: Run, folder: Path) -> None:
    names = (a + b for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghij")
    (folder / "p.html").write_text("<dl>" + "".join(f"<dt>Oak {name}<dd>{name} kg" for name in names), "utf-8")
    assert "p.html: only the first 200 fields were read" in run("record", "p.html", "--format", "csv").err
