"""With --sites the pages of a site are evidence for each other."""

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
from duramen.batch.sites.learning_stage import SAMPLE_PAGES, SplitTask, learn_site, learn_sites, sample_split
from duramen.batch.sites.lookup import choose_extractor, find_site, make_file_name
from duramen.dom.page import Page
from duramen.errors import RunError
from duramen.methods.auto.method import Auto

SHARE = "Tell a friend about this page of"
"""Begins a text that stands on every page of a site, in the article."""


@pytest.mark.parametrize(
    ("input_page", "site"),
    [
        (InputPage("c.warc", url="http://www.Ring.example:8080/a"), "ring.example"),
        (InputPage("c.warc", url="http://ring.example./a"), "ring.example"),
        (InputPage("c.warc", url="http://[broken"), None),
        (InputPage("c.warc", url="mailto:a@b.example"), None),
        (InputPage("in/ring/a.html"), "in/ring/"),
        (InputPage("a.html"), "./"),
        (InputPage("dump.jsonl"), None),
    ],
)
def test_the_site_of_a_page_is_its_host_or_its_folder(input_page: InputPage, site: str | None) -> None:
    assert find_site(input_page) == site


def test_file_names_of_sites_are_safe_and_differ() -> None:
    assert make_file_name("ring.example") == "ring.example.json"
    assert make_file_name("ring.example", 1) == "ring.example-2.json"
    names = {make_file_name(site) for site in ("a/b", "a_b", "a:b", "../a/b", "ü.example")}
    assert len(names) == 5
    assert not [name for name in names if "/" in name or name.startswith(".")]


def sample_warc(path: Path, pages: list[tuple[str, bytes]], site: str) -> list:  # type: ignore[type-arg]
    from duramen.batch.inputs import parse_inputs
    from duramen.batch.inputs.splits import Split

    warc = write_warc(path, (response(url, body) for url, body in pages))
    assert parse_inputs([str(warc)])[0].kind == "warc"
    split = Split(kind="warc", path=str(warc), start=0, size=warc.stat().st_size)
    return sample_split(SplitTask(0, split, ReadSettings())).get(site, [])


def test_the_sample_of_a_split_has_the_smallest_keys_of_each_site(tmp_path: Path) -> None:
    pages = [(f"http://ring.example/{n}", story("ring.example", n)) for n in range(SAMPLE_PAGES + 20)]
    whole = sample_warc(tmp_path / "a.warc", pages, "ring.example")
    backwards = sample_warc(tmp_path / "b.warc", pages[::-1], "ring.example")
    assert len(whole) == SAMPLE_PAGES
    assert sorted(one.key for one in whole) == sorted(one.key for one in backwards)


def test_a_model_and_the_frame_are_learned_from_a_sample(tmp_path: Path) -> None:
    pages = [(f"http://ring.example/{n}", story("ring.example", n)) for n in range(6)]
    broken = [(f"http://ring.example/x{n}", body) for n, body in enumerate((b"%PDF-1.7", b"<p>", b"<div>" * 5000))]
    learned = learn_site("ring.example", sample_warc(tmp_path / "a.warc", pages + broken, "ring.example"))
    assert len(learned.models) == 1
    assert learned.frame_pages == 6
    assert learned.frame.count(SHARE) == 1
    assert "Home" in learned.frame
    assert "scar" not in learned.frame


def test_nothing_is_learned_from_one_page(tmp_path: Path) -> None:
    pages = [("http://ring.example/1", story("ring.example", 1))]
    assert learn_site("ring.example", sample_warc(tmp_path / "a.warc", pages, "ring.example")) == ([], 0, "")


def learn_warc(tmp_path: Path, pages: list[tuple[str, bytes]]) -> str:
    warc = write_warc(tmp_path / "c.warc.gz", (response(url, body) for url, body in pages))
    done = run(warc, "-o", tmp_path / "learned", "--sites", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    return str(tmp_path / "learned" / "_duramen" / "sites.sqlite")


def test_a_page_of_an_unknown_site_goes_to_the_method(tmp_path: Path) -> None:
    database = learn_warc(tmp_path, [(f"http://ring.example/{n}", story("ring.example", n)) for n in range(4)])
    method = methods.get("auto")
    for url in ("http://other.example/", None):
        assert choose_extractor(InputPage("c.warc", url=url), database, method, False) is method  # type: ignore[arg-type]
    chosen = choose_extractor(InputPage("c.warc", url="http://ring.example/9"), database, method, True)  # type: ignore[arg-type]
    content = chosen(Page.parse(story("ring.example", 9)))
    assert content.site is not None
    assert content.site.pages == 4
    assert "4 other pages of the site" in content.reason
    assert SHARE not in content.text
    assert "scar" in content.text


def test_a_run_compares_the_pages_of_a_site(tmp_path: Path) -> None:
    pages = [(f"http://ring.example/{n}", story("ring.example", n)) for n in range(5)]
    pages += [("http://one.example/", story("one.example", 1))]
    pages += [(f"http://shop.example/{n}", goods("shop.example", n)) for n in range(3)]
    warc = write_warc(tmp_path / "c.warc.gz", (response(url, body) for url, body in pages))
    done = run(warc, "-o", tmp_path / "out", "--sites", "--jobs", 2)
    assert done.returncode == 0, done.stderr
    rows = {row["url"]: row for row in rows_of(tmp_path / "out")}
    assert len(rows) == len(pages)
    assert {row["method"] for row in rows.values()} == {"auto"}
    assert rows["http://one.example/"]["site_pages"] is None
    assert {rows[f"http://ring.example/{n}"]["site_pages"] for n in range(5)} == {4}
    assert "learned 1 site" in done.stderr  # but for numbers, all pages of the shop are the same


def test_the_frame_is_written_once_and_left_out_of_all_rows(tmp_path: Path) -> None:
    warc = crawl(tmp_path / "c.warc.gz", range(6))
    for out, frames in (("out", "out/frames.jsonl"), ("one.jsonl.gz", "one.frames.jsonl")):
        done = run(warc, "-o", tmp_path / out, "--frame-once", "--jobs", 1)
        assert done.returncode == 0, done.stderr
        written = [json.loads(line) for line in (tmp_path / frames).read_text().splitlines()]
        assert [row["source"] for row in written] == ["bark.example", "ring.example"]
        assert all(row["text"].count(SHARE) == 1 and row["method"] == "frame" for row in written)
        texts = [row["text"] for row in rows_of(tmp_path / out)]
        assert len(texts) == 12
        assert not [text for text in texts if SHARE in text]


def test_a_frame_file_of_something_else_is_not_replaced(tmp_path: Path) -> None:
    warc = crawl(tmp_path / "c.warc.gz", range(3))
    (tmp_path / "one.frames.jsonl").write_text("mine")
    done = run(warc, "-o", tmp_path / "one.jsonl", "--frame-once", "--jobs", 1)
    assert done.returncode == 2
    assert "one.frames.jsonl exists and belongs to no run" in done.stderr
    assert (tmp_path / "one.frames.jsonl").read_text() == "mine"


def test_sites_need_auto_and_frames_need_a_file(tmp_path: Path) -> None:
    warc = crawl(tmp_path / "c.warc.gz", range(2))
    done = run(warc, "-o", tmp_path / "out", "--sites", "--method", "econ")
    assert done.returncode == 2
    assert "does not work with econ" in done.stderr
    done = run(warc, "-o", "-", "--frame-once")
    assert done.returncode == 2
    assert "-o" in done.stderr


def test_pages_in_files_belong_to_the_site_of_their_folder(tmp_path: Path) -> None:
    write_pages(tmp_path / "in" / "ring", (story("ring.example", n) for n in range(4)))
    write_pages(tmp_path / "in" / "bark", (story("bark.example", n) for n in range(3)))
    done = run(tmp_path / "in", "-o", tmp_path / "out.jsonl", "--sites", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert sorted(row["site_pages"] for row in rows_of(tmp_path / "out.jsonl")) == [2, 2, 2, 3, 3, 3, 3]


def test_the_result_does_not_depend_on_workers_or_the_order_of_the_input(tmp_path: Path) -> None:
    numbers = SAMPLE_PAGES + 8  # more than are learned from
    one = crawl(tmp_path / "one.warc.gz", range(numbers // 2), "ring.example")
    two = crawl(tmp_path / "two.warc.gz", range(numbers // 2, numbers), "ring.example")
    for out, inputs, jobs in (("a", (one, two), 1), ("b", (two, one), 2)):
        done = run(*inputs, "-o", tmp_path / out, "--frame-once", "--jobs", jobs)
        assert done.returncode == 0, done.stderr
    by_url = [{row["url"]: (row["text"], row["reason"]) for row in rows_of(tmp_path / out)} for out in "ab"]
    assert by_url[0] == by_url[1]
    assert (tmp_path / "a/frames.jsonl").read_text() == (tmp_path / "b/frames.jsonl").read_text()


def test_learning_that_was_killed_resumes_with_the_same_result(tmp_path: Path) -> None:
    sites = " ".join(f"s{n}.example" for n in range(8))
    warc = crawl(tmp_path / "c.warc.gz", range(5), sites)
    asked = (warc, "--frame-once", "--jobs", 1)
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
    assert rows_of(tmp_path / "out") == rows_of(tmp_path / "whole")
    assert (tmp_path / "out/frames.jsonl").read_text() == (tmp_path / "whole/frames.jsonl").read_text()


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
        learn_sites(lambda: iter(()), ReadSettings(), tmp_path / "sites.sqlite", 1, print)


def test_pages_that_are_not_html_are_reported_by_their_rows(tmp_path: Path) -> None:
    pages = [(f"http://ring.example/{n}", story("ring.example", n)) for n in range(3)]
    pages.append(("http://ring.example/pdf", b"%PDF-1.7"))
    pages.append(("http://ring.example/other", page(1)))
    warc = write_warc(tmp_path / "c.warc.gz", (response(url, body) for url, body in pages))
    done = run(warc, "-o", tmp_path / "out", "--sites", "--jobs", 1)
    assert done.returncode in (0, 1), done.stderr
    rows = {row["url"]: row for row in rows_of(tmp_path / "out")}
    assert str(rows["http://ring.example/pdf"]["error"]).startswith("not-html")
    assert rows["http://ring.example/other"]["text"]


def test_a_page_of_a_sample_is_classified_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [(f"http://ring.example/{n}", story("ring.example", n)) for n in range(4)]
    sample = sample_warc(tmp_path / "a.warc", pages, "ring.example")
    classified = []
    score_blocks = Auto.score_blocks
    monkeypatch.setattr(Auto, "score_blocks", lambda self, page: classified.append(page) or score_blocks(self, page))
    assert learn_site("ring.example", sample).frame_pages == 4
    assert len(classified) == 4
