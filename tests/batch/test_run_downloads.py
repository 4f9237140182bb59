"""`duramen run` on pages from the web, as real processes: every address has its row, also after a kill."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("fastwarc")

from tests.batch import tricky_site as tricks
from tests.batch.batch_pages import command, environment, page, rows_of, run
from tests.batch.tricky_site import Site, html, redirect, served, status, text

from duramen.cli import main

POLITE = ("--allow-private", "--delay", "0", "--jobs", "1", "--method", "mss-simple")


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as running:
        running.pages["*"] = lambda visit: html(page(len(visit.path)))(visit)
        yield running


def listed(folder: Path, *urls: str) -> Path:
    path = folder / "urls.txt"
    path.write_text("".join(f"{url}\n" for url in urls))
    return path


def plain(rows: list[dict[str, Any]]) -> list[list[tuple[str, Any]]]:
    """Rows without where they came from, in an order of their own."""
    message = [sorted((name, row[name]) for name in row if name not in ("source", "position")) for row in rows]
    return sorted(message, key=repr)


def test_every_url_has_a_row_and_the_kept_warc_gives_the_same_rows(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/moved": redirect("/there"),
        "/gone": status(410),
        "/pdf": text("%PDF-1.4", "application/pdf"),
        "/plain": text("just words"),
        "/bomb": tricks.bomb(),
        "/latin": text("<article><p>Die Straße war naß.".encode("latin-1"), "text/html; charset=latin-1"),
    }
    paths = ["/one", "/moved", "/gone", "/pdf", "/plain", "/bomb", "/latin", "/two"]
    urls = listed(tmp_path, *map(site.url, paths), "http://10.0.0.1\\@/", "ftp://host/", site.url("/one"))
    keep, out = tmp_path / "crawl.warc.gz", tmp_path / "out.jsonl"
    done = run(urls, "-o", out, "--keep", keep, "--max-size", "1M", "--retries", "0", *POLITE)
    assert done.returncode == 0, done.stderr
    rows = sorted(rows_of(out), key=lambda row: row["position"])
    assert [row["position"] for row in rows] == list(range(1, 11))
    assert {row["source"] for row in rows} == {str(urls)}
    assert [(row["error"] or "").partition(":")[0] for row in rows] == [
        *("", "", "status", "not-html", "not-html", "too-large", "", "", "address", "address")
    ]
    assert rows[1]["url"] == site.url("/there")
    assert "Straße" in rows[6]["text"]
    assert not (tmp_path / "crawl.warc.gz.parts").exists()
    again = run(keep, "-o", tmp_path / "again.jsonl", "--max-size", "1M", "--method", "mss-simple")
    assert again.returncode == 0, again.stderr
    assert plain(rows_of(tmp_path / "again.jsonl")) == plain(rows)


def test_a_run_fails_if_every_page_failed(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/gone": status(410), "/missing": status(404)}
    urls = listed(tmp_path, site.url("/gone"), site.url("/missing"))
    for _ in range(2):  # also if the run was finished before
        done = run(urls, "-o", tmp_path / "out.jsonl", "--retries", "0", *POLITE)
        assert done.returncode == 1, done.stderr
    assert len(rows_of(tmp_path / "out.jsonl")) == 2


def test_a_finished_run_downloads_nothing(site: Site, tmp_path: Path) -> None:
    urls = listed(tmp_path, site.url("/one"))
    for _ in range(2):
        assert run(urls, "-o", tmp_path / "out", *POLITE).returncode == 0
    assert site.hits()["/one"] == 1
    assert not list((tmp_path / "out").rglob("*.warc.gz*")), "what nobody asked to keep is not kept"


def test_a_sitemap_on_the_command_line(site: Site, tmp_path: Path) -> None:
    site.pages["/map.xml"] = text(f"<urlset><url><loc>{site.url('/a')}</loc></url><url><loc>/b</loc></url></urlset>")
    done = run(site.url("/map.xml"), site.url("/c"), "-o", "-", *POLITE)
    assert done.returncode == 0, done.stderr
    assert sorted(json.loads(row)["url"] for row in done.stdout.splitlines()) == [
        site.url(path) for path in ("/a", "/b", "/c")
    ]


def test_the_local_network_is_refused_unless_it_is_allowed(site: Site, tmp_path: Path) -> None:
    done = run(site.url("/one"), "-o", tmp_path / "out.jsonl", "--retries", "0")
    assert done.returncode == 1, done.stderr
    assert "1 page of this computer or the local network: refused; --allow-private" in done.stderr
    (row,) = rows_of(tmp_path / "out.jsonl")
    assert str(row["error"]).startswith("private: 127.0.0.1 is this computer, not on the public internet: refused")
    assert "--allow-private" in str(row["error"])
    assert not site.hits()


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(arguments), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_killed_download_loses_and_repeats_nothing(site: Site, tmp_path: Path) -> None:
    site.pages["*"] = tricks.slow(0.01, lambda visit: html(page(len(visit.path)))(visit))
    urls = listed(tmp_path, *[site.url(f"/{number}") for number in range(90)])
    whole = ("-o", tmp_path / "out.jsonl", "--keep", tmp_path / "crawl.warc.gz", "--concurrency", "2", *POLITE)
    moments = (2, 30, 60)
    for moment in moments:
        process = start(urls, *whole)
        while process.poll() is None and len(site.hits()) < moment:
            time.sleep(0.005)
        process.kill()
        process.communicate()
    done = run(urls, *whole)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "out.jsonl")
    assert sorted(row["position"] for row in rows) == list(range(1, 91))
    assert not [row["error"] for row in rows if row["error"]]
    # Only what was under way, or waited to be written, is asked for a second time.
    twice = sum(number - 1 for path, number in site.hits().items() if path != "/robots.txt")
    assert twice <= 4 * len(moments)
    again = run(tmp_path / "crawl.warc.gz", "-o", tmp_path / "again.jsonl", "--method", "mss-simple")
    assert again.returncode == 0, again.stderr
    assert plain(rows_of(tmp_path / "again.jsonl")) == plain(rows)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_signal_stops_waiting_downloads(site: Site, tmp_path: Path) -> None:
    site.pages["/slow"] = tricks.slow(60)
    urls = listed(tmp_path, site.url("/one"), site.url("/slow"))
    process = start(urls, "-o", tmp_path / "out.jsonl", "--request-timeout", "60", *POLITE)
    while process.poll() is None and not site.hits()["/slow"]:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, output = process.communicate(timeout=60)
    assert process.returncode == 130, output
    assert "the same command resumes the run" in output
    site.pages["/slow"] = html(page(1))
    done = run(urls, "-o", tmp_path / "out.jsonl", *POLITE)
    assert done.returncode == 0, done.stderr
    assert len(rows_of(tmp_path / "out.jsonl")) == 2
    assert site.hits()["/one"] == 1


def test_a_run_resumes_with_other_crawl_settings(site: Site, tmp_path: Path) -> None:
    site.pages["/slow"] = tricks.slow(60)
    urls = listed(tmp_path, site.url("/slow"))
    process = start(urls, "-o", tmp_path / "out.jsonl", *POLITE)
    while process.poll() is None and not site.hits()["/slow"]:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    done = run(urls, "-o", tmp_path / "out.jsonl", "--request-timeout", "2", "--retries", "0", *POLITE)
    assert done.returncode == 1, "its only page failed"
    assert "no complete response in 2 s" in rows_of(tmp_path / "out.jsonl")[0]["error"]


def test_a_warc_that_exists_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep = tmp_path / "crawl.warc.gz"
    keep.write_bytes(b"precious")
    assert status_of("run", "http://a.example/", "-o", str(tmp_path / "out.jsonl"), "--keep", str(keep)) == 2
    output = capsys.readouterr().err
    assert "crawl.warc.gz exists: name it as INPUT to extract it again, or give --keep another name" in output
    assert keep.read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--keep", "crawl.zip"), "ends in .warc.gz, not crawl.zip"),
        (("--keep", "no-such-folder/crawl.warc.gz"), "there is no folder"),
        (("--user-agent", ""), "the user agent must be one line"),
        (("--delay", "-1"), "not a number of seconds"),
        (("--per-host", "0"), "per-host must be 1 or more"),
    ],
)
def test_wrong_options_are_reported_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], sentence: str
) -> None:
    assert status_of("run", "http://a.example/", "-o", str(tmp_path / "out.jsonl"), *options) == 2
    assert sentence in capsys.readouterr().err


def status_of(*words: str) -> int:
    """The exit status of a command line, in this process."""
    try:
        return main(words)
    except SystemExit as leaving:
        return int(leaving.code or 0)


def test_keep_is_for_downloads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_bytes(page(1))
    words = ("run", "page.html", "-o", "out.jsonl", "--keep", "crawl.warc.gz")
    assert status_of(*[str(tmp_path / word) if "." in word else word for word in words]) == 2
    assert "nothing here is downloaded" in capsys.readouterr().err


def test_a_text_file_without_urls_is_a_page_and_files_in_folders_are_not_lists(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "urls.txt").write_text("http://a.example/\n")
    (tmp_path / "words.txt").write_text("Some words in a file of their own.")
    done = run(folder, tmp_path / "words.txt", "--include", "*.txt", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert [row["error"] for row in rows_of(tmp_path / "out.jsonl")] == [None, None]
