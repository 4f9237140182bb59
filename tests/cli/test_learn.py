"""`duramen learn` and `duramen extract --wrapper`, end to end, and each thing that can be wrong with what they get."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from duramen.net import fetch as fetching
from duramen.wrappers import Wrapper, WrapperSet, load_wrapper

if TYPE_CHECKING:
    from tests.cli.conftest import Run

WORDS = {
    "oak": "bark rings sapwood timber acorn carpenter",
    "lava": "crater ash magma basalt summit tremor",
    "dough": "yeast oven flour crust loaf butter",
    "hive": "honey queen swarm nectar wax drone",
    "reef": "coral fish tide lagoon diver sponge",
}
SHARE = "<div class=share><p>Tell your friends about this page.</p></div>"


def html(topic: str, main: str = '<div id="story">', url: bool = True) -> str:
    listed = WORDS[topic].split()
    text = "".join(f"<p>The {topic} has {one}, and the {topic} was never without its {one}.</p>" for one in listed)
    link = f'<link rel="canonical" href="https://ring.example/{topic}">' if url else ""
    return (
        f"<html lang=en><head><title>News of the {topic}</title>{link}</head><body><div id=nav><a href=/>Home</a></div>"
        f"<h1>News of the {topic}</h1>{main}{text}{SHARE}</div>"
        "<div id=foot><p>All rights reserved.</p></div></body></html>"
    )


def feed(*topics: str) -> str:
    items = "".join(
        f"<item><title>News of the {topic}</title><link>https://ring.example/{topic}</link>"
        f"<description>The {topic} has {WORDS[topic].split()[0]}</description></item>"
        for topic in topics
    )
    return f'<rss version="2.0"><channel><title>Ring</title>{items}</channel></rss>'


@pytest.fixture
def site(folder: Path) -> Path:
    """A folder `site` with four pages of one template, one of them further down."""
    for topic, place in zip(WORDS, ("oak", "lava", "dough", "sub/hive"), strict=False):
        path = folder / "site" / f"{place}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html(topic), "utf-8")
    (folder / "reef.html").write_text(html("reef"), "utf-8")
    return folder / "site"


def test_a_wrapper_learned_from_a_folder_extracts_an_unseen_page(site: Path, run: Run) -> None:
    learned = run("learn", "site", "-o", "site.json")
    assert learned.status == 0
    assert learned.err == ""
    assert "site.json: learned from 4 pages of ring.example" in learned.out
    assert "//div[@id='story']  (4 pages)" in learned.out
    assert "runner-up" in learned.out
    done = run("extract", "--wrapper", "site.json", "reef.html")
    assert done.status == 0
    assert done.out.startswith("News of the reef\n")
    assert done.out.count("The reef has") == 6
    assert "rights reserved" not in done.out
    assert "Tell your friends" not in done.out


def test_boilerplate_is_kept_and_the_headline_dropped_on_request(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "site.json")
    done = run("extract", "--wrapper", "site.json", "--keep", "repeats,captions", "--drop", "headline", "reef.html")
    assert "Tell your friends" in done.out
    assert "News of the reef" not in done.out


def test_explain_prints_the_table_of_figure_3(site: Path, run: Run) -> None:
    done = run("learn", "site", "--explain", "--method", "forest:measure=ju:refined=no")
    assert done.status == 0
    head = next(line for line in done.out.splitlines() if "identifying clue" in line)
    assert head.split() == ["l", "identifying", "clue", "dfs", "n", "relevance", "rank"]
    chosen = next(line for line in done.out.splitlines() if line.startswith("*"))
    assert "//div[@id='story']" in chosen
    assert "relevance: J × U, added up over the pages × n × l" in done.out
    assert "the paper's expression: //div[contains(@id,'story') and (@dfs='" in done.out
    assert "site/oak.html: oak" in done.out
    assert sorted(os.listdir()) == ["reef.html", "site"], "nothing is written"


@pytest.mark.parametrize("method", ["forest", "coverage", "sigfeed", "description"])
def test_the_baselines_learn_too(method: str, site: Path, run: Run) -> None:
    assert run("learn", "site", "--method", method, "-o", "w.json").status == 0
    assert Wrapper.load("w.json").learner == method
    assert "The reef has coral" in run("extract", "--wrapper", "w.json", "reef.html").out
    assert run("learn", "--update", "w.json", "reef.html").status == 0
    assert len(Wrapper.load("w.json").pages) == 5


def test_each_template_gives_a_wrapper_and_other_pages_are_listed(site: Path, run: Run) -> None:
    other = '<main><section class="a"><header><b>x</b></header><aside><i>y</i></aside><article class="long-read">'
    for topic in ("oak", "lava", "dough"):
        (site / f"long-{topic}.html").write_text(
            f"<html lang=en><title>x</title><body>{other}"
            + "".join(f"<blockquote><em>{topic} {one} and {one}.</em></blockquote>" for one in WORDS[topic].split())
            + "</article></section></main></body></html>"
        )
    (site / "about.html").write_text(
        "<html><body><form><table><tr><td>About us, in a word</table></form></body></html>"
    )
    Path("w-2.json").write_text("my notes")
    refused = run("learn", "site", "-o", "w.json")
    assert refused.status == 2
    assert "w-2.json exists and would be overwritten" in refused.err
    assert not Path("w.json").exists()
    os.remove("w-2.json")
    done = run("learn", "site", "-o", "w.json")
    assert done.status == 0
    assert "w.json: learned from 4 pages" in done.out
    assert "w-2.json: learned from 3 pages" in done.out
    assert "left out  site/about.html: it shares" in done.out
    both = ["--wrapper", "w.json", "--wrapper", "w-2.json"]
    assert "The reef has" in run("extract", *both, "reef.html").out
    assert "oak bark" in run("extract", *both, site / "long-oak.html").out
    Path("folder").mkdir()
    for name in ("w.json", "w-2.json"):
        os.rename(name, f"folder/{name}")
    assert "oak bark" in run("extract", "--wrapper", "folder", site / "long-oak.html").out


def test_fewer_templates_than_before_give_a_message_about_old_files(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "w.json")
    Path("w-2.json").write_text(Path("w.json").read_text())
    assert (
        "w-2.json is from an earlier run: this time there was 1 template\n" in run("learn", "site", "-o", "w.json").err
    )


def test_an_update_adds_pages(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "w.json")
    done = run("learn", "--update", "w.json", "reef.html")
    assert done.status == 0
    assert "w.json: learned from 5 pages" in done.out
    again = run("learn", "--update", "w.json", "reef.html")
    assert again.status == 1
    assert again.err == "duramen: the wrapper was learned from these pages already\n"


def test_a_wrapper_of_an_unknown_learner_is_damaged(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "w.json")
    Path("w.json").write_text(json.dumps(json.loads(Path("w.json").read_text()) | {"learner": "dowsing"}))
    done = run("learn", "--update", "w.json", "reef.html")
    assert (done.status, done.err) == (1, "duramen: w.json is damaged: 'dowsing' learns no wrappers\n")


def test_an_update_may_go_elsewhere(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "w.json")
    run("learn", "--update", "w.json", "reef.html", "-o", "new.json")
    assert len(Wrapper.load("w.json").pages) == 4
    assert len(Wrapper.load("new.json").pages) == 5


def test_a_page_that_does_not_fit_is_reported_and_may_use_the_fallback(site: Path, run: Run, article: object) -> None:
    run("learn", "site", "-o", "w.json")
    assert callable(article)
    Path("new.html").write_text(article("elm"))
    done = run("extract", "--wrapper", "w.json", "--mode", "exact", "new.html")
    assert (done.status, done.out) == (1, "")
    assert "new.html: nothing found: the page does not fit the wrapper" in done.err
    done = run("extract", "--wrapper", "w.json", "new.html")
    assert done.status == 0
    assert "The heartwood of elm" in done.out
    assert "new.html: the page does not fit the wrapper" in done.err
    done = run("extract", "--wrapper", "w.json", "new.html", "reef.html", "--fallback", "econ")
    assert done.status == 0
    assert "The heartwood of elm" in done.out
    assert "The reef has coral" in done.out
    assert "new.html: the page does not fit the wrapper" in done.err
    assert "of 2 pages, 1 did not fit" in done.err


def test_within_keeps_only_what_another_method_also_finds(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "w.json")
    done = run("extract", "--wrapper", "w.json", "--within", "mss-simple", "--format", "json", "reef.html")
    assert "and in it mss-simple" in json.loads(done.out)["reason"]


def test_items_of_a_feed_are_matched_by_the_canonical_link(site: Path, run: Run) -> None:
    Path("feed.xml").write_text(feed("oak", "lava", "dough"))
    done = run("learn", "site", "--feed", "feed.xml", "--signifiers", "feed", "-o", "w.json")
    assert done.status == 0
    assert done.err == "duramen: items of the feed: 3 of 4 pages\nduramen: not in the feed: site/sub/hive.html\n"
    signifiers = {page.name: page.signifiers for page in Wrapper.load("w.json").pages}
    assert "bark" in signifiers["site/oak.html"]
    assert signifiers["site/sub/hive.html"] == ()


def test_a_list_gives_the_urls_of_saved_pages(folder: Path, run: Run) -> None:
    Path("saved").mkdir()
    for number, topic in enumerate(WORDS):
        Path(f"saved/{number} x.html").write_text(html(topic, url=False))
    Path("feed.xml").write_text(feed(*WORDS))
    lost = run("learn", "saved", "--feed", "feed.xml", "-o", "w.json")
    assert lost.status == 1
    assert "none of the items of the feed has the URL of one of the pages" in lost.err
    lines = [f"{number} x.html\thttps://ring.example/{topic}/?utm_source=x" for number, topic in enumerate(WORDS)]
    Path("saved/urls.txt").write_text("# the pages\n" + "\n".join(lines))
    done = run("learn", "saved", "--feed", "feed.xml", "--urls", "saved/urls.txt", "-o", "w.json")
    assert "items of the feed: 5 of 5 pages" in done.err
    Path("urls.txt").write_text("saved/0 x.html ring.example\n")
    wrong = run("learn", "saved", "--feed", "feed.xml", "--urls", "urls.txt", "-o", "w.json")
    assert wrong.err.startswith("duramen: line 1 of urls.txt is not a file, a space and a URL")


class _Site(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        here = f"http://127.0.0.1:{self.server.server_address[1]}"
        topic = self.path.strip("/")
        kind, body = "text/html", html(topic, url=False) if topic in WORDS else ""
        if topic == "feed":
            kind, body = "application/rss+xml", feed(*WORDS).replace("https://ring.example", here)
        self.send_response(200 if body and topic != "dough" else 404)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body.encode())


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_items_are_downloaded_where_no_page_is_saved(folder: Path, run: Run, address: str) -> None:
    done = run("learn", "--feed", f"{address}/feed", "-o", "w.json")
    assert done.status == 1, "one item is gone"
    assert f"{address}/dough: HTTP status 404" in done.err
    assert "fetched 4 of 5 items" in done.err
    assert len(Wrapper.load("w.json").pages) == 4


def test_a_public_feed_cannot_reach_the_local_network(
    folder: Path, run: Run, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fetching.fetch

    def fetch(url: str, **options: Any) -> fetching.Response:
        found = real(url, **options)
        return replace(found, is_private=False) if url.endswith("/feed") else found

    monkeypatch.setattr(fetching, "fetch", fetch)
    done = run("learn", "--feed", f"{address}/feed", "-o", "w.json")
    assert done.status == 1
    assert f"{address}/oak: 127.0.0.1 is this computer, not on the public internet: refused" in done.err
    assert "nothing was learned" in done.err


def test_downloads_are_added_to_a_saved_page_on_request(folder: Path, run: Run, address: str) -> None:
    Path("oak.html").write_text(html("oak").replace("https://ring.example", address))
    done = run("learn", "oak.html", "--feed", f"{address}/feed", "--download", "1", "-o", "w.json")
    assert done.status == 0
    assert "items of the feed: 1 of 1 page\n" in done.err
    assert "fetched 1 of 4 items that were not among the pages" in done.err


def test_for_one_page_the_report_names_its_metadata_as_source_of_signifiers(site: Path, run: Run) -> None:
    done = run("learn", "reef.html", "-o", "w.json")
    assert done.status == 0
    assert "note       one page gives tf-idf nothing to compare: the signifiers are those of its metadata" in done.out


def test_the_query_gives_the_signifiers(site: Path, run: Run) -> None:
    assert run("learn", "site", "--query", "the oak and the lava", "-o", "w.json").status == 0
    wrapper = Wrapper.load("w.json")
    assert {signifier for page in wrapper.pages for signifier in page.signifiers} == {"oak", "lava"}
    missing = run("learn", "--update", "w.json", "reef.html")
    assert missing.status == 2
    assert "--update needs --query if the wrapper was learned with --query" in missing.err


@pytest.mark.parametrize("signifiers", ["metadata", "anchors"])
def test_other_signifiers(signifiers: str, folder: Path, run: Run) -> None:
    for topic in WORDS:
        links = "".join(f'<a href="https://ring.example/{other}">{other}</a>' for other in WORDS if other != topic)
        Path(f"{topic}.html").write_text(html(topic).replace("</body>", f"{links}</body>"))
    done = run("learn", ".", "--signifiers", signifiers, "-k", "3", "-o", "w.json")
    assert done.status == 0
    assert all(
        topic in page.signifiers for topic, page in zip(sorted(WORDS), Wrapper.load("w.json").pages, strict=True)
    )


def test_more_pages_than_the_limit_are_thinned_out(site: Path, run: Run) -> None:
    done = run("learn", "site", "--limit", "2", "-o", "w.json")
    assert "2 of 4 pages are read, spread evenly" in done.err
    assert [page.name for page in Wrapper.load("w.json").pages] == ["site/dough.html", "site/oak.html"]


def test_a_wrapper_goes_to_standard_output_and_the_report_does_not(site: Path, run: Run) -> None:
    done = run("learn", "site", "-o", "-")
    assert json.loads(done.out)["format"] == "duramen wrapper"
    assert "learned from 4 pages" in done.err


FOREIGN = "<html><body><main><section><p>Something else, from another place.</p></section></main></body></html>"


def test_pages_of_two_sites_are_reported(site: Path, run: Run) -> None:
    Path("foreign.html").write_text(FOREIGN)
    done = run("learn", "reef.html", "foreign.html", "-o", "w.json")
    assert done.status == 1
    assert done.err == "duramen: no two of the 2 pages share a template, so that nothing can be learned from them\n"
    Path("foreign.html").write_text(FOREIGN.replace("<html>", '<html><link rel="canonical" href="https://b.example/">'))
    done = run("learn", "reef.html", "foreign.html", "-o", "w.json")
    assert "nothing can be learned from them; they are of different sites: b.example, ring.example" in done.err
    assert not Path("w.json").exists()


def test_identical_pages_are_reported(site: Path, run: Run) -> None:
    done = run("learn", "reef.html", "reef.html", "-o", "w.json")
    assert done.status == 1
    assert done.err == "duramen: the 2 pages are all the same: a wrapper is learned from what differs between pages\n"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("", "the feed is empty: there is nothing in it"),
        (feed(), "the feed 'Ring' has no items"),
        ("Dear reader", "this is neither XML nor JSON: RSS, Atom or JSON Feed is wanted"),
        ("<html><body>x</body></html>", "this is an HTML page, not a feed, and it names no feed"),
        ('{"a": 1}', "this is JSON, but not a JSON Feed: its version is no address at jsonfeed.org"),
    ],
)
def test_a_file_that_is_not_a_feed_is_reported(source: str, sentence: str, site: Path, run: Run) -> None:
    Path("feed.xml").write_text(source)
    done = run("learn", "site", "--feed", "feed.xml", "-o", "w.json")
    assert (done.status, done.err) == (1, f"duramen: feed.xml: {sentence}\n")


def test_a_missing_feed_is_reported(site: Path, run: Run) -> None:
    done = run("learn", "site", "--feed", "nowhere.xml", "-o", "w.json")
    assert (done.status, done.err) == (1, "duramen: nowhere.xml: cannot be read: No such file or directory\n")


def test_a_missing_feed_reader_names_its_extra(site: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("feed.xml").write_text(feed("oak"))
    monkeypatch.setitem(sys.modules, "feedparser", None)
    done = run("learn", "site", "--feed", "feed.xml", "-o", "w.json")
    assert done.status == 2
    assert done.err == "duramen: this needs feedparser: install it with  pip install 'duramen[feeds]'\n"


@pytest.mark.parametrize("verb", [["learn", "reef.html", "--update"], ["extract", "reef.html", "--wrapper"]])
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"version": 99},
            "w.json was written by a later version of duramen (format 99; this one reads 1): update duramen",
        ),
        ({"format": "x"}, "w.json is no wrapper: it does not say that its format is 'duramen wrapper'"),
        ({"regions": 3}, "w.json is damaged: 'int' object is not iterable"),
    ],
)
def test_a_wrapper_that_cannot_be_read_is_reported(
    verb: list[str], change: dict[str, object], sentence: str, site: Path, run: Run
) -> None:
    run("learn", "site", "-o", "w.json")
    Path("w.json").write_text(json.dumps(json.loads(Path("w.json").read_text()) | change))
    done = run(*verb, "w.json")
    assert done.status == 1
    assert done.err == f"duramen: {sentence}\n"


def test_a_missing_wrapper_is_reported(site: Path, run: Run) -> None:
    done = run("extract", "reef.html", "--wrapper", "w.json")
    assert (done.status, done.err) == (1, "duramen: w.json: no such file or directory\n")


def test_no_other_file_is_overwritten(site: Path, run: Run) -> None:
    done = run("learn", "site", "-o", "reef.html")
    assert done.status == 2
    assert done.err == (
        "duramen: reef.html exists and would be overwritten, but reef.html is no wrapper: it is not JSON: "
        "give -o another name\n"
    )
    assert Path("reef.html").read_text() == html("reef")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["learn", "-o", "w.json"], "there is nothing to learn from: name pages, a folder or --feed"),
        (["learn", "site"], "no output was named: add -o site.json, or --explain to print what would be learned"),
        (["learn", "site", "-o", "x/"], "x/ is a folder, but a wrapper is a file: give -o a name such as site.json"),
        (["learn", "site", "-o", "reef.html/w.json"], "reef.html/w.json cannot be written: "),
        (["learn", "site", "--method", "econ", "-o", "w.json"], "econ does not learn from the pages of a site: choose"),
        (["learn", "site", "--method", "forrest", "-o", "w"], "unknown method 'forrest': did you mean 'forest'?"),
        (["learn", "site", "--signifiers", "x", "-o", "w.json"], "unknown signifiers 'x': choose one of tfidf, feed"),
        (["learn", "site", "--signifiers", "query", "-o", "w"], "--signifiers query needs the words: --query WORDS"),
        (["learn", "site", "--signifiers", "feed", "-o", "w"], "--signifiers feed needs the feed: --feed FEED"),
        (["learn", "site", "--query", "a", "--signifiers", "tfidf", "-o", "w"], "--query and --signifiers"),
        (["extract", "site", "--fallback", "econ"], "--fallback is for wrappers: name one with --wrapper"),
        (
            ["extract", "site", "--method", "econ", "--wrapper", "w.json"],
            "--wrapper replaces --method: --fallback names",
        ),
    ],
)
def test_wrong_usage_is_reported(words: list[str], sentence: str, site: Path, run: Run) -> None:
    done = run(*words)
    assert done.status == 2
    assert done.err.startswith(f"duramen: {sentence}")


def test_settled_options_are_refused_with_an_update(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "w.json")
    done = run("learn", "--update", "w.json", "reef.html", "-k", "3")
    assert done.err == "duramen: -k cannot be changed by --update: leave it out\n"


def test_a_page_of_another_site_is_no_update(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "w.json")
    Path("other.html").write_text(html("reef").replace("ring.example", "other.example"))
    done = run("learn", "--update", "w.json", "other.html")
    assert done.err == "duramen: the wrapper is of ring.example, and there are pages of other.example\n"


def test_unreadable_pages_are_reported_and_the_rest_is_learned_from(site: Path, run: Run) -> None:
    done = run("learn", "site", "nowhere.html", "-o", "w.json")
    assert done.status == 1
    assert done.err == "duramen: nowhere.html: no such file\n"
    assert Path("w.json").exists()
    assert run("learn", "nowhere.html", "-o", "v.json").err.endswith("none of the pages could be read\n")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is closed to root")
def test_a_closed_folder_is_reported_before_work(site: Path, run: Run) -> None:
    Path("closed").mkdir(mode=0o500)
    assert "the folder" in run("learn", "site", "-o", "closed/w.json").err


# Reading is slow, so that the signal finds it under way.
SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
from duramen.cli import inputs, main
read = inputs.FileInput.read
def slow(self, limits, url):
    print("reading", flush=True)
    time.sleep(60)  # the signal ends it
    return read(self, limits, url)
inputs.FileInput.read = slow
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_ctrl_c_writes_nothing(site: Path, environment: dict[str, str]) -> None:
    words = [sys.executable, "-c", SLOW, "learn", *["site"] * 20, "-o", "w.json"]
    process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "reading\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("duramen: stopped after ")
    assert "of 80 pages; no wrapper was written" in err
    assert not Path("w.json").exists()
    assert not list(Path().glob(".duramen-*"))


def test_an_update_after_a_redesign_keeps_both_wrappers_with_their_dates(site: Path, run: Run) -> None:
    run("learn", "site", "-o", "w.json")
    Path("new").mkdir()
    for topic in WORDS:
        redesigned = html(topic, main='<section class="fresh">').replace("<body>", "<body><div class=shell>")
        Path("new", f"{topic}.html").write_text(redesigned)
    done = run("learn", "--update", "w.json", "new")
    assert done.status == 0, done.err
    assert "5 of 5 pages do not fit the wrapper: the site was redesigned, and both are kept" in done.err
    loaded = load_wrapper("w.json")
    assert isinstance(loaded, WrapperSet)
    assert len(loaded.wrappers) == 2
    assert all(wrapper.learned for wrapper in loaded.wrappers)
    done = run("extract", "--wrapper", "w.json", "--mode", "exact", "new/reef.html", "reef.html")
    assert done.out.count("The reef has coral") == 2


def test_learn_compares_the_wrapper_with_auto_and_recommends_a_mode(site: Path, run: Run) -> None:
    done = run("learn", "site", "-o", "w.json")
    assert "the XPaths and auto agree by" in done.out
    assert "recommended: " in done.out


RULES = """\
title: //h1
body: //div[@class='nowhere']
author: //b
single_page_link: //a
"""


def test_site_rules_are_imported_and_conflicts_with_pages_reported(site: Path, run: Run) -> None:
    Path("rules").mkdir()
    Path("rules", "coast.example.txt").write_text(RULES)
    Path("rules", "other.example.txt").write_text("title: //h1\n")
    urls = "".join(f"{page} https://www.coast.example/{page.stem}\n" for page in Path("site").glob("*.html"))
    Path("urls.txt").write_text(urls)
    done = run("learn", "--import", "rules", "site", "--urls", "urls.txt", "-o", "wrappers/")
    assert done.status == 0, done.err
    assert "coast.example.txt: single_page_link is not used (1 line)" in done.err
    assert "other.example.txt: no rule names the body: there is no wrapper" in done.err
    assert "the rule for the body selects nothing: //div[@class='nowhere']" in done.err
    assert [path.name for path in Path("wrappers").iterdir()] == ["coast.example.json"]
    done = run("learn", "--import", "rules/other.example.txt", "-o", "w.json")
    assert done.status == 1
    done = run("learn", "--import", "rules")
    assert done.status == 2


def test_a_rule_that_gives_another_date_or_author_is_reported(folder: Path, run: Run) -> None:
    rules = "body: //div[@id='story']\nauthor: //b[@class='by']\ndate: //time/@datetime\n"
    Path("coast.example.txt").write_text(rules)
    meta = "<meta name=author content='Ida Moor'><meta property='article:published_time' content='2024-05-06'>"
    shown = "<b class=by>By Ann Smith</b><time datetime='2024-05-07'>yesterday</time>"
    story = html("reef", url=False).replace("</head>", f"{meta}</head>").replace("<h1>", f"{shown}<h1>")
    Path("reef.html").write_text(story)
    Path("urls.txt").write_text("reef.html https://www.coast.example/reef\n")
    done = run("learn", "--import", "coast.example.txt", "reef.html", "--urls", "urls.txt", "-o", "w.json")
    assert done.status == 0, done.err
    assert "reef.html: the rule for the date gives 2024-05-07, but the page says 2024-05-06" in done.err
    assert "reef.html: the rule for the author gives Ann Smith, but the page says Ida Moor" in done.err
