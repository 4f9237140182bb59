"""With --learn the sites of a run get wrappers, which are used where they are trusted."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from tests.batch.batch_pages import command, environment, page, response, rows_of, run, write_pages, write_warc
from tests.batch.batch_stories import crawl, goods, story

from duramen import methods
from duramen.batch.inputs.splits import InputPage
from duramen.batch.settings import ReadSettings
from duramen.batch.sites.lookup import choose_extractor, find_site, learn_site, make_file_name
from duramen.batch.sites.site_wrappers import MIN_SITE_PAGES, SAMPLE_PAGES, learn_sites
from duramen.dom.page import Page
from duramen.errors import RunError

pytest.importorskip("fastwarc")

WORDS = "Tell a friend"


def wrappers(out: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in (out / "_duramen" / "wrappers").iterdir()}


@pytest.mark.parametrize(
    ("input_page", "site"),
    [
        (InputPage("crawl.warc", url="https://www.Ring.example:8080/a?b"), "ring.example"),
        (InputPage("crawl.warc", url="http://news.ring.example./"), "news.ring.example"),
        (InputPage("crawl.warc", url="http://[broken"), None),
        (InputPage("crawl.warc"), None),
        (InputPage("dump.jsonl", position=3), None),
        (InputPage("pages/ring/1.html"), "pages/ring/"),
        (InputPage("1.html"), "./"),
    ],
)
def test_a_site_is_a_host_or_else_a_folder(input_page: InputPage, site: str | None) -> None:
    assert find_site(input_page) == site


def test_file_names_are_safe_and_unique() -> None:
    assert make_file_name("ring.example") == "ring.example.json"
    assert make_file_name("ring.example", 1) == "ring.example-2.json"
    names = {make_file_name(site) for site in ("a/b", "a_b", "a:b", "../a/b", "ü.example")}
    assert len(names) == 5
    assert not [name for name in names if "/" in name or name.startswith(".")]


def input_pages(make, number: int = 10) -> list[InputPage]:  # type: ignore[no-untyped-def]
    return [InputPage("c.warc", n, make("ring.example", n), f"http://ring.example/{n}") for n in range(number)]


def test_articles_make_a_trusted_wrapper() -> None:
    (wrapper,) = learn_site(input_pages(story)).trusted
    content = wrapper.extract(story("ring.example", 30))
    assert "oakring30" not in content.text
    assert "aspenring30" in content.text
    assert WORDS not in content.text


def test_pages_without_articles_make_no_wrapper_and_the_notes_say_why() -> None:
    lesson = learn_site(input_pages(goods))
    assert not lesson.trusted
    assert lesson.notes


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7", b"<p>", b"\xff\xfe\x00", b"<div>" * 5000])
def test_a_broken_page_in_the_sample_is_ignored(body: bytes) -> None:
    assert learn_site([*input_pages(story), InputPage("c.warc", 99, body, "http://ring.example/99")]).trusted


def test_an_empty_sample_gives_no_wrapper() -> None:
    assert learn_site([]).notes


def test_a_page_of_a_site_without_wrappers_goes_to_the_method(tmp_path: Path) -> None:
    (tmp_path / "sites.json").write_text(json.dumps({"sites": {"ring.example": []}}))
    method = methods.get("mss-simple")
    for url in ("http://ring.example/", "http://other.example/", None):
        assert choose_extractor(InputPage("c.warc", url=url), str(tmp_path), method) is method


def test_a_page_that_does_not_fit_the_wrapper_goes_to_the_method(tmp_path: Path) -> None:
    (wrapper,) = learn_site(input_pages(story)).trusted
    wrapper.save(tmp_path / "ring.example.json")
    (tmp_path / "sites.json").write_text(json.dumps({"sites": {"ring.example": ["ring.example.json"]}}))
    chosen = choose_extractor(
        InputPage("c.warc", url="http://ring.example/x"), str(tmp_path), methods.get("mss-simple")
    )
    assert chosen(Page.parse(story("ring.example", 40))).method == "wrapper"
    assert chosen(Page.parse(page(1))).method == "mss-simple"


def test_a_run_learns_wrappers_and_uses_them(tmp_path: Path) -> None:
    pages = [(f"http://ring.example/{n}", story("ring.example", n)) for n in range(MIN_SITE_PAGES + 3)]
    pages += [(f"http://few.example/{n}", story("few.example", n)) for n in range(MIN_SITE_PAGES - 1)]
    pages += [(f"http://shop.example/{n}", goods("shop.example", n)) for n in range(MIN_SITE_PAGES + 1)]
    warc = write_warc(tmp_path / "c.warc.gz", (response(url, body) for url, body in pages))
    done = run(warc, "-o", tmp_path / "out", "--learn", "--jobs", 2)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "out")
    assert len(rows) == len(pages)
    by_wrapper = {row["url"] for row in rows if row["method"] == "wrapper"}
    assert by_wrapper == {url for url, _ in pages if "ring" in url}
    assert not [row for row in rows if row["method"] == "wrapper" and WORDS in str(row["text"])]
    assert set(wrappers(tmp_path / "out")) == {"sites.json", "ring.example.json"}
    assert set(json.loads(wrappers(tmp_path / "out")["sites.json"])["sites"]) == {"ring.example", "shop.example"}
    assert "1 of 2 sites" in done.stderr


def test_pages_in_files_belong_to_the_site_of_their_folder(tmp_path: Path) -> None:
    write_pages(tmp_path / "in" / "ring", (story("ring.example", n) for n in range(8)))
    write_pages(tmp_path / "in" / "bark", (story("bark.example", n) for n in range(8)))
    done = run(tmp_path / "in", "-o", tmp_path / "out.jsonl", "--learn", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert {row["method"] for row in rows_of(tmp_path / "out.jsonl")} == {"wrapper"}
    assert (tmp_path / "out.jsonl.run" / "wrappers" / "sites.json").exists()


def test_the_sample_does_not_depend_on_workers_or_the_order_of_the_input(tmp_path: Path) -> None:
    numbers = SAMPLE_PAGES + 8  # more than are learned from
    one = crawl(tmp_path / "one.warc.gz", range(numbers // 2), "ring.example")
    two = crawl(tmp_path / "two.warc.gz", range(numbers // 2, numbers), "ring.example")
    for out, inputs, jobs in (("a", (one, two), 1), ("b", (two, one), 2)):
        done = run(*inputs, "-o", tmp_path / out, "--learn", "--jobs", jobs, "--method", "mss-simple")
        assert done.returncode == 0, done.stderr
    assert wrappers(tmp_path / "a") == wrappers(tmp_path / "b")
    by_url = [{row["url"]: row["text"] for row in rows_of(tmp_path / out)} for out in "ab"]
    assert by_url[0] == by_url[1]


def test_learning_that_was_killed_resumes_with_the_same_result(tmp_path: Path) -> None:
    sites = " ".join(f"s{n}.example" for n in range(8))
    warc = crawl(tmp_path / "c.warc.gz", range(5), sites)
    asked = (warc, "--learn", "--jobs", 1, "--method", "mss-simple")
    whole = run(*asked, "-o", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    begun = subprocess.Popen(command((*asked, "-o", tmp_path / "out")), env=environment(), stderr=subprocess.DEVNULL)
    database = tmp_path / "out" / "_duramen" / "sites.sqlite"
    try:
        deadline = time.monotonic() + 60
        while begun.poll() is None and time.monotonic() < deadline and not _begun(database):
            time.sleep(0.005)
    finally:
        os.kill(begun.pid, signal.SIGKILL)
        begun.wait()
    again = run(*asked, "-o", tmp_path / "out")
    assert again.returncode == 0, again.stderr
    assert wrappers(tmp_path / "out") == wrappers(tmp_path / "whole")
    assert rows_of(tmp_path / "out") == rows_of(tmp_path / "whole")
    assert not database.exists()


def _begun(database: Path) -> bool:
    """Whether a site has been learned."""
    if not database.exists():
        return False
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as opened:
            return opened.execute("SELECT COUNT(*) FROM learned").fetchone()[0] > 0
    except sqlite3.Error:
        return False


def test_a_damaged_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "sites.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(RunError, match=r"sites\.sqlite: .*--overwrite"):
        learn_sites(lambda: iter(()), ReadSettings(), tmp_path, tmp_path / "wrappers", 1, print)
