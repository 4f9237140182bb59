"""Downloads kept as WARC: what is in it, and that no torn end spoils it."""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("fastwarc")

from fastwarc.warc import ArchiveIterator, WarcRecordType

from duramen.batch.crawl.crawler import make_url_key
from duramen.batch.crawl.messages import FetchResult, FetchTarget, HttpResponse, printable_url
from duramen.batch.crawl.warc_writer import (
    WarcSegments,
    find_complete_end,
    join_segments,
    list_segments,
    remove_segments,
)
from duramen.batch.inputs import web as addresses
from duramen.batch.inputs.splits import InputNotes, Split
from duramen.batch.inputs.warc import reader as warc
from duramen.batch.settings import ReadSettings
from duramen.errors import UsageError

WHEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
HTML = (("Content-Type", "text/html; charset=utf-8"), ("Server", "Größe"))


def answer(url: str, body: bytes = b"<p>words", status: int = 200, *headers: tuple[str, str]) -> HttpResponse:
    return HttpResponse(url, status, "OK", (*HTML, *headers), WHEN, body)


def page(number: int, body: bytes = b"<p>words") -> FetchResult:
    url = f"http://a.example/{number}"
    return FetchResult(FetchTarget(url, "urls.txt", number), (answer(url, body),))


def failed(number: int, error: str = "status: no") -> FetchResult:
    return FetchResult(FetchTarget(f"http://a.example/{number}", "urls.txt", number), (), error)


def kept(folder: Path, *results: FetchResult) -> Path:
    with WarcSegments(folder, "duramen") as segments:
        for result in results:
            segments.add(result)
        return segments.finish()


def input_pages(path: Path) -> list[tuple[str, int, str | None, bytes | str, str | None]]:
    found = addresses.read_pages(Split("addresses", str(path)), ReadSettings(), InputNotes())
    return [
        (input_page.source, input_page.position, input_page.url, input_page.body, input_page.error)
        for input_page in found
    ]


def test_a_page_is_read_as_it_was_written(tmp_path: Path) -> None:
    result = page(7, "<p>Straße\r\n\r\n\0".encode())
    (input_page,) = addresses.read_pages(Split("addresses", str(kept(tmp_path, result))), ReadSettings(), InputNotes())
    assert (input_page.source, input_page.position, input_page.url) == ("urls.txt", 7, "http://a.example/7")
    assert (input_page.body, input_page.content_type) == ("<p>Straße\r\n\r\n\0".encode(), "text/html; charset=utf-8")
    assert (input_page.status, input_page.date, input_page.error) == (200, "2024-05-06T07:08:09Z", None)


@pytest.mark.parametrize("types", [("text/html", "image/jpeg"), ("image/jpeg", "text/html")])
def test_a_response_with_contradictory_headers_gives_a_page(tmp_path: Path, types: tuple[str, str]) -> None:
    headers = tuple(("Content-Type", kind) for kind in types)
    odd = HttpResponse("http://a.example/", 200, "OK", headers, WHEN, b"<p>words")
    assert len(input_pages(kept(tmp_path, FetchResult(FetchTarget("http://a.example/", "x", 1), (odd,))))) == 1


def test_an_error_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = kept(tmp_path, failed(1, "robots: not für robots"))
    assert input_pages(path) == [("urls.txt", 1, "http://a.example/1", b"", "robots: not für robots")]


def test_redirects_are_stored_but_are_not_pages(tmp_path: Path) -> None:
    target = FetchTarget("http://a.example/old", "urls.txt", 1)
    hop = answer("http://a.example/old", b"", 302, ("Location", "/new"))
    path = kept(tmp_path, FetchResult(target, (hop, answer("http://a.example/new"))))
    assert input_pages(path) == [("urls.txt", 1, "http://a.example/new", b"<p>words", None)]
    with path.open("rb") as file:
        kinds = [(record.record_type, record.headers.get("WARC-Truncated")) for record in ArchiveIterator(file)]
    response = WarcRecordType.response
    assert kinds == [(WarcRecordType.warcinfo, None), (response, "unspecified"), (response, None)]


def test_other_warc_readers_find_decompressed_pages_and_valid_digests(tmp_path: Path) -> None:
    packing = (("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"), ("Content-Length", "999"))
    result = FetchResult(
        FetchTarget("http://a.example/", "x"), (answer("http://a.example/", b"<p>plain", 200, *packing),)
    )
    path = kept(tmp_path, result)
    with path.open("rb") as file:
        assert all(record.verify_block_digest() for record in ArchiveIterator(file, parse_http=False))
    with path.open("rb") as file:
        record = next(iter(ArchiveIterator(file, record_types=WarcRecordType.response, auto_decode="all")))
        assert record.http_charset == "utf-8"
        assert record.http_headers["X-Archive-Orig-Content-Encoding"] == "gzip"
        assert record.http_headers["Content-Length"] == "8"
        assert record.reader.read() == b"<p>plain"


def test_the_warc_reader_gives_the_same_pages(tmp_path: Path) -> None:
    path = kept(tmp_path, page(1), failed(2), page(3, b"<p>three"))
    ours = addresses.read_pages(Split("addresses", str(path)), ReadSettings(), InputNotes())
    theirs = warc.read_pages(Split("warc", str(path), 0, path.stat().st_size), ReadSettings(), InputNotes())
    output = [
        (input_page.url, input_page.body, input_page.error, input_page.date, input_page.content_type, input_page.status)
        for input_page in ours
    ]
    assert output == [
        (input_page.url, input_page.body, input_page.error, input_page.date, input_page.content_type, input_page.status)
        for input_page in theirs
    ]
    assert len(output) == 3


@pytest.mark.parametrize(
    "url", ["http://a.example/\r\nWARC-Type: x", "http://\0/", "ftp://\ud800/", "http://a b/\u2028"]
)
def test_no_url_can_add_header_lines(tmp_path: Path, url: str) -> None:
    path = kept(tmp_path, FetchResult(FetchTarget(url, f"list\n{url}", 1), (), f"address: {url}"), page(2))
    assert [input_page[1] for input_page in input_pages(path)] == [1, 2]


def test_no_server_header_can_add_header_lines(tmp_path: Path) -> None:
    evil = answer("http://a.example/", b"<p>words", 200, ("X", "one\r\n\r\n<p>two"))
    path = kept(tmp_path, FetchResult(FetchTarget("http://a.example/", "x", 1), (evil,)))
    assert input_pages(path)[0][3] == b"<p>words"


@pytest.mark.parametrize("url", ["http://me:secret@host/x@y", "ftp://secret@host", " https://a@secret@host?x=y@z "])
def test_a_password_is_not_stored(tmp_path: Path, url: str) -> None:
    path = kept(tmp_path, FetchResult(FetchTarget(url, "list", 1), (), "address: it holds a password"))
    assert "secret" not in str(input_pages(path))
    assert "host" in str(input_pages(path))


@pytest.mark.parametrize("url", ["http://host/x@y", "http://host?x@y", "http://host#x@y", "me@host"])
def test_an_at_sign_elsewhere_is_stored(url: str) -> None:
    assert printable_url(url) == url


@given(st.text() | st.from_regex(r"https?://([^/]*@)?[a-z.]*(/.*)?", fullmatch=True))
def test_a_url_and_its_printable_form_have_one_key(url: str) -> None:
    assert make_url_key(printable_url(url)) == make_url_key(url)
    assert printable_url(printable_url(url)) == printable_url(url)


def test_finished_urls_are_read_from_the_archive(tmp_path: Path) -> None:
    kept(tmp_path, page(1), failed(2))
    feed = FetchResult(FetchTarget("http://a.example/feed", "f", is_list=True), (), "unreadable: no feed")
    with WarcSegments(tmp_path, "duramen") as segments:
        segments.add(page(3))
        segments.add(feed)
    with WarcSegments(tmp_path, "duramen") as again:
        done = again.find_done()
    assert done == {make_url_key(f"http://a.example/{number}") for number in (1, 2, 3)} | {
        make_url_key("http://a.example/feed", is_list=True)
    }


OUTCOMES = [page(1), failed(2), page(3, b"<p>" + b"three" * 500), page(4)]


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1))
def test_a_segment_cut_at_any_byte_is_resumed(tmp_path_factory: pytest.TempPathFactory, share: float) -> None:
    folder = tmp_path_factory.mktemp("segments")
    ends = []
    part = folder / "00000.warc.gz.part"
    with WarcSegments(folder, "duramen") as segments:
        for result in OUTCOMES:
            segments.add(result)
            ends.append(part.stat().st_size)
    cut = round(share * ends[-1])
    part.write_bytes(part.read_bytes()[:cut])
    whole = sum(end <= cut for end in ends)
    with WarcSegments(folder, "duramen") as again:
        assert again.pages == whole
        for result in OUTCOMES[whole:]:
            again.add(result)
        finished = again.finish()
    assert [input_page[1] for input_page in input_pages(finished)] == [1, 2, 3, 4]


def test_complete_members_end_where_the_incomplete_one_begins() -> None:
    import gzip
    import os

    first, second = gzip.compress(os.urandom(400_000)), gzip.compress(b"\0" * 3_000_000)
    assert find_complete_end(io.BytesIO(first + second)) == len(first) + len(second)
    assert find_complete_end(io.BytesIO(first + second[:-1])) == len(first)
    assert find_complete_end(io.BytesIO(first[:-1])) == 0
    assert find_complete_end(io.BytesIO(first + b"no gzip")) == len(first)
    assert find_complete_end(io.BytesIO(b"")) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_no_two_crawls_write_into_one_folder(tmp_path: Path) -> None:
    with WarcSegments(tmp_path, "duramen"), pytest.raises(UsageError, match="another run is downloading into"):
        WarcSegments(tmp_path, "duramen")
    with WarcSegments(tmp_path, "duramen"):
        pass


def test_segments_are_joined_to_one_warc_and_removed(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    for number in range(3):
        kept(folder, page(number))
    assert [path.name for path in list_segments(folder)] == [f"{number:05}.warc.gz" for number in range(3)]
    join_segments(list_segments(folder), tmp_path / "crawl.warc.gz")
    remove_segments(folder)
    assert not folder.exists()
    assert [input_page[1] for input_page in input_pages(tmp_path / "crawl.warc.gz")] == [0, 1, 2]


def test_removing_segments_leaves_other_files(tmp_path: Path) -> None:
    kept(tmp_path, page(1))
    (tmp_path / "mine.txt").touch()
    remove_segments(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
