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

from duramen.batch.download.crawl import key
from duramen.batch.download.target import Answer, Outcome, Target, shown
from duramen.batch.item import Notes, Piece
from duramen.batch.keeping import Segments, join, remove, segments_of, whole_members
from duramen.batch.settings import Reading
from duramen.batch.sources import addresses, warc
from duramen.errors import UsageError

WHEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
HTML = (("Content-Type", "text/html; charset=utf-8"), ("Server", "Größe"))


def answer(url: str, body: bytes = b"<p>words", status: int = 200, *headers: tuple[str, str]) -> Answer:
    return Answer(url, status, "OK", (*HTML, *headers), WHEN, body)


def page(number: int, body: bytes = b"<p>words") -> Outcome:
    url = f"http://a.example/{number}"
    return Outcome(Target(url, "urls.txt", number), (answer(url, body),))


def failed(number: int, error: str = "status: no") -> Outcome:
    return Outcome(Target(f"http://a.example/{number}", "urls.txt", number), (), error)


def kept(folder: Path, *outcomes: Outcome) -> Path:
    with Segments(folder, "duramen") as segments:
        for outcome in outcomes:
            segments.add(outcome)
        return segments.finish()


def items(path: Path) -> list[tuple[str, int, str | None, bytes | str, str | None]]:
    found = addresses.read(Piece("addresses", str(path)), Reading(), Notes())
    return [(item.source, item.position, item.url, item.body, item.error) for item in found]


def test_a_page_comes_back_as_it_was(tmp_path: Path) -> None:
    outcome = page(7, "<p>Straße\r\n\r\n\0".encode())
    (item,) = addresses.read(Piece("addresses", str(kept(tmp_path, outcome))), Reading(), Notes())
    assert (item.source, item.position, item.url) == ("urls.txt", 7, "http://a.example/7")
    assert (item.body, item.content_type) == ("<p>Straße\r\n\r\n\0".encode(), "text/html; charset=utf-8")
    assert (item.status, item.date, item.error) == (200, "2024-05-06T07:08:09Z", None)


@pytest.mark.parametrize("types", [("text/html", "image/jpeg"), ("image/jpeg", "text/html")])
def test_a_page_that_contradicts_itself_has_its_item(tmp_path: Path, types: tuple[str, str]) -> None:
    headers = tuple(("Content-Type", kind) for kind in types)
    odd = Answer("http://a.example/", 200, "OK", headers, WHEN, b"<p>words")
    assert len(items(kept(tmp_path, Outcome(Target("http://a.example/", "x", 1), (odd,))))) == 1


def test_an_error_comes_back_too(tmp_path: Path) -> None:
    path = kept(tmp_path, failed(1, "robots: not für robots"))
    assert items(path) == [("urls.txt", 1, "http://a.example/1", b"", "robots: not für robots")]


def test_redirects_are_kept_but_are_no_pages(tmp_path: Path) -> None:
    target = Target("http://a.example/old", "urls.txt", 1)
    hop = answer("http://a.example/old", b"", 302, ("Location", "/new"))
    path = kept(tmp_path, Outcome(target, (hop, answer("http://a.example/new"))))
    assert items(path) == [("urls.txt", 1, "http://a.example/new", b"<p>words", None)]
    with path.open("rb") as file:
        kinds = [(record.record_type, record.headers.get("WARC-Truncated")) for record in ArchiveIterator(file)]
    response = WarcRecordType.response
    assert kinds == [(WarcRecordType.warcinfo, None), (response, "unspecified"), (response, None)]


def test_any_reader_of_warc_finds_the_page_unpacked_and_the_digests_right(tmp_path: Path) -> None:
    packing = (("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"), ("Content-Length", "999"))
    outcome = Outcome(Target("http://a.example/", "x"), (answer("http://a.example/", b"<p>plain", 200, *packing),))
    path = kept(tmp_path, outcome)
    with path.open("rb") as file:
        assert all(record.verify_block_digest() for record in ArchiveIterator(file, parse_http=False))
    with path.open("rb") as file:
        record = next(iter(ArchiveIterator(file, record_types=WarcRecordType.response, auto_decode="all")))
        assert record.http_charset == "utf-8"
        assert record.http_headers["X-Archive-Orig-Content-Encoding"] == "gzip"
        assert record.http_headers["Content-Length"] == "8"
        assert record.reader.read() == b"<p>plain"


def test_the_source_of_warcs_gives_the_same_items(tmp_path: Path) -> None:
    path = kept(tmp_path, page(1), failed(2), page(3, b"<p>three"))
    ours = addresses.read(Piece("addresses", str(path)), Reading(), Notes())
    theirs = warc.read(Piece("warc", str(path), 0, path.stat().st_size), Reading(), Notes())
    said = [(item.url, item.body, item.error, item.date, item.content_type, item.status) for item in ours]
    assert said == [(item.url, item.body, item.error, item.date, item.content_type, item.status) for item in theirs]
    assert len(said) == 3


@pytest.mark.parametrize(
    "url", ["http://a.example/\r\nWARC-Type: x", "http://\0/", "ftp://\ud800/", "http://a b/\u2028"]
)
def test_no_address_breaks_out_of_its_line(tmp_path: Path, url: str) -> None:
    path = kept(tmp_path, Outcome(Target(url, f"list\n{url}", 1), (), f"address: {url}"), page(2))
    assert [item[1] for item in items(path)] == [1, 2]


def test_no_header_of_a_server_breaks_out_of_its_line(tmp_path: Path) -> None:
    evil = answer("http://a.example/", b"<p>words", 200, ("X", "one\r\n\r\n<p>two"))
    path = kept(tmp_path, Outcome(Target("http://a.example/", "x", 1), (evil,)))
    assert items(path)[0][3] == b"<p>words"


@pytest.mark.parametrize("url", ["http://me:secret@host/x@y", "ftp://secret@host", " https://a@secret@host?x=y@z "])
def test_a_password_is_not_kept(tmp_path: Path, url: str) -> None:
    path = kept(tmp_path, Outcome(Target(url, "list", 1), (), "address: it holds a password"))
    assert "secret" not in str(items(path))
    assert "host" in str(items(path))


@pytest.mark.parametrize("url", ["http://host/x@y", "http://host?x@y", "http://host#x@y", "me@host"])
def test_what_is_no_password_is_kept(url: str) -> None:
    assert shown(url) == url


@given(st.text() | st.from_regex(r"https?://([^/]*@)?[a-z.]*(/.*)?", fullmatch=True))
def test_an_address_is_known_again_by_what_is_shown_of_it(url: str) -> None:
    assert key(shown(url)) == key(url)
    assert shown(shown(url)) == shown(url)


def test_what_is_done_is_known_from_the_archive(tmp_path: Path) -> None:
    kept(tmp_path, page(1), failed(2))
    feed = Outcome(Target("http://a.example/feed", "f", is_list=True), (), "unreadable: no feed")
    with Segments(tmp_path, "duramen") as segments:
        segments.add(page(3))
        segments.add(feed)
    with Segments(tmp_path, "duramen") as again:
        done = again.done()
    assert done == {key(f"http://a.example/{number}") for number in (1, 2, 3)} | {
        key("http://a.example/feed", is_list=True)
    }


OUTCOMES = [page(1), failed(2), page(3, b"<p>" + b"three" * 500), page(4)]


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1))
def test_a_segment_that_was_cut_anywhere_is_taken_up_again(
    tmp_path_factory: pytest.TempPathFactory, share: float
) -> None:
    folder = tmp_path_factory.mktemp("segments")
    ends = []
    part = folder / "00000.warc.gz.part"
    with Segments(folder, "duramen") as segments:
        for outcome in OUTCOMES:
            segments.add(outcome)
            ends.append(part.stat().st_size)
    cut = round(share * ends[-1])
    part.write_bytes(part.read_bytes()[:cut])
    whole = sum(end <= cut for end in ends)
    with Segments(folder, "duramen") as again:
        assert again.pages == whole
        for outcome in OUTCOMES[whole:]:
            again.add(outcome)
        finished = again.finish()
    assert [item[1] for item in items(finished)] == [1, 2, 3, 4]


def test_whole_members_end_where_the_torn_one_begins() -> None:
    import gzip
    import os

    first, second = gzip.compress(os.urandom(400_000)), gzip.compress(b"\0" * 3_000_000)
    assert whole_members(io.BytesIO(first + second)) == len(first) + len(second)
    assert whole_members(io.BytesIO(first + second[:-1])) == len(first)
    assert whole_members(io.BytesIO(first[:-1])) == 0
    assert whole_members(io.BytesIO(first + b"no gzip")) == len(first)
    assert whole_members(io.BytesIO(b"")) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_no_two_crawls_write_into_one_folder(tmp_path: Path) -> None:
    with Segments(tmp_path, "duramen"), pytest.raises(UsageError, match="another run is downloading into"):
        Segments(tmp_path, "duramen")
    with Segments(tmp_path, "duramen"):
        pass


def test_segments_join_to_one_warc_and_leave_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    for number in range(3):
        kept(folder, page(number))
    assert [path.name for path in segments_of(folder)] == [f"{number:05}.warc.gz" for number in range(3)]
    join(segments_of(folder), tmp_path / "crawl.warc.gz")
    remove(folder)
    assert not folder.exists()
    assert [item[1] for item in items(tmp_path / "crawl.warc.gz")] == [0, 1, 2]


def test_removing_leaves_what_is_not_ours(tmp_path: Path) -> None:
    kept(tmp_path, page(1))
    (tmp_path / "mine.txt").touch()
    remove(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
