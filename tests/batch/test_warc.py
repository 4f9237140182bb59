"""WARCs: which records are pages, and what becomes of files that are damaged or cut off."""

from __future__ import annotations

import gzip
import random
import zlib
from itertools import repeat
from pathlib import Path

import pytest
from tests.batch.batch_pages import page, record, response, write_warc

from duramen.batch.inputs import input_module
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.row import extract_row
from duramen.batch.settings import ReadSettings, RunSettings
from duramen.batch.workers.shard import _share_before

pytest.importorskip("fastwarc")

ENDINGS = ["warc", "warc.gz", "warc.zst"]


def pieces_of(path: Path, limit: int = 2, after: Split | None = None) -> tuple[list[Split], InputNotes]:
    notes = InputNotes()
    return list(
        input_module("warc").find_splits(Split("warc", str(path)), ReadSettings(), repeat(limit), notes, after)
    ), notes


def read_all_pages(
    path: Path, limit: int = 2, reading: ReadSettings | None = None
) -> tuple[list[InputPage], InputNotes]:
    splits, notes = pieces_of(path, limit)
    return [
        input_page
        for one in splits
        for input_page in input_module("warc").read_pages(one, reading or ReadSettings(), notes)
    ], notes


def responses(number: int) -> list[bytes]:
    return [response(f"http://tree.example/{n}", page(n)) for n in range(number)]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_page_is_read_once_with_any_split_size(tmp_path: Path, ending: str) -> None:
    path = write_warc(tmp_path / f"a.{ending}", responses(9))
    whole, _ = read_all_pages(path, 100)
    assert [input_page.url for input_page in whole] == [f"http://tree.example/{n}" for n in range(9)]
    assert [input_page.body for input_page in whole] == [page(n) for n in range(9)]
    assert read_all_pages(path, 1)[0] == read_all_pages(path, 2)[0] == whole


@pytest.mark.parametrize("ending", ENDINGS)
def test_splitting_resumes_after_any_split(tmp_path: Path, ending: str) -> None:
    path = write_warc(tmp_path / f"a.{ending}", responses(9))
    splits, _ = pieces_of(path)
    assert len(splits) == 5
    for index, one in enumerate(splits):
        assert splits[: index + 1] + pieces_of(path, after=one)[0] == splits


def test_a_position_is_where_the_record_starts(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", responses(3))
    for input_page in read_all_pages(path)[0]:
        record_there = zlib.decompressobj(31).decompress(path.read_bytes()[input_page.position :])
        assert str(input_page.url).encode() in record_there


def test_records_that_are_not_pages_are_skipped_and_counted(tmp_path: Path) -> None:
    records = [
        record("warcinfo", b"software: test\r\n", content_type="application/warc-fields"),
        record("request", b"GET / HTTP/1.1\r\n\r\n", "http://a/", "application/http; msgtype=request"),
        response("http://a/", page(0)),
        record("revisit", b"HTTP/1.1 200 OK\r\n\r\n", "http://a/again"),
        response("http://a/b.png", b"\x89PNG", "Content-Type: image/png"),
        response("http://a/old", b"<p>moved", status="301 Moved Permanently"),
        response("http://a/none", b"<p>gone", status="404 Not Found"),
        record("resource", page(1), "http://a/saved", "text/html"),
        record("resource", b"{}", "http://a/data", "application/json"),
        record("response", b"1.2.3.4", "dns:a", "text/dns"),
        response("http://a/silent", page(2), "Server: silent"),
    ]
    input_pages, notes = read_all_pages(write_warc(tmp_path / "a.warc.gz", records), 100)
    assert [input_page.url for input_page in input_pages] == ["http://a/", "http://a/saved", "http://a/silent"]
    assert notes.skipped == {
        "warcinfo": 1,
        "request": 1,
        "revisit": 1,
        "not HTML": 2,
        "status 301": 1,
        "status 404": 1,
        "not HTTP": 1,
    }
    assert input_pages[0].date == "2024-05-06T07:08:09Z"
    assert input_pages[0].status == 200


def test_the_charset_of_the_http_header_is_used(tmp_path: Path) -> None:
    text = "Дерево без сердцевины стоит недолго, и это знают все, кто работал в лесу."
    body = f"<article><p>{text} {text}</p></article>".encode("koi8-r")
    path = write_warc(tmp_path / "a.warc.gz", [response("http://a/", body, "Content-Type: text/html; charset=koi8-r")])
    [input_page] = read_all_pages(path)[0]
    assert text in str(
        extract_row(input_page, RunSettings(method="longest-cell")).text or extract_row(input_page, RunSettings()).text
    )


def chunked(body: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:50], body[50:])) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ("Content-Encoding: gzip", gzip.compress(page(0))),
        ("Content-Encoding: gzip", page(0)),
        ("Content-Encoding: deflate", zlib.compress(page(0))),
        ("Content-Encoding: br", page(0)),
        ("Content-Encoding: zstd", page(0)),
        ("Transfer-Encoding: chunked", chunked(page(0))),
        ("Transfer-Encoding: chunked", page(0)),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip", chunked(gzip.compress(page(0)))),
    ],
)
def test_encodings_are_decoded_and_wrong_headers_ignored(tmp_path: Path, headers: str, body: bytes) -> None:
    path = write_warc(tmp_path / "a.warc.gz", [response("http://a/", body, f"Content-Type: text/html\r\n{headers}")])
    assert [input_page.body for input_page in read_all_pages(path)[0]] == [page(0)]


def test_a_gzip_bomb_is_reported_as_too_large(tmp_path: Path) -> None:
    bomb = response("http://a/", gzip.compress(bytes(50_000_000)), "Content-Type: text/html\r\nContent-Encoding: gzip")
    reading = ReadSettings(max_bytes=100_000)
    [input_page] = read_all_pages(write_warc(tmp_path / "a.warc", [bomb]), reading=reading)[0]
    assert len(input_page.body) == 100_001
    assert str(extract_row(input_page, RunSettings(reading=reading)).error).startswith("too-large: ")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("whole", [0, 4, 9])
def test_complete_records_of_a_file_that_is_cut_off_are_read(
    tmp_path: Path, ending: str, share: float, whole: int
) -> None:
    path = write_warc(tmp_path / f"a.{ending}", responses(10))
    data = path.read_bytes()
    bounds = [input_page.position for input_page in read_all_pages(path)[0]] + [len(data)]
    path.write_bytes(data[: bounds[whole] + int((bounds[whole + 1] - bounds[whole]) * share)])
    input_pages, notes = read_all_pages(path)
    assert [input_page.body for input_page in input_pages if input_page.error is None] == [
        page(n) for n in range(whole)
    ]
    assert len(input_pages) <= whole + 1
    assert any("cut off" in problem or "damaged" in problem for problem in notes.problems)


@pytest.mark.parametrize("ending", ["warc.gz", "warc.zst"])
@pytest.mark.parametrize("limit", [1, 3, 100])
def test_a_damaged_record_is_the_only_one_lost(tmp_path: Path, ending: str, limit: int) -> None:
    path = write_warc(tmp_path / f"a.{ending}", responses(10))
    data, places = bytearray(path.read_bytes()), [input_page.position for input_page in read_all_pages(path)[0]]
    middle = (places[4] + places[5]) // 2
    data[middle : middle + 20] = bytes(20)
    path.write_bytes(data)
    input_pages, notes = read_all_pages(path, limit)
    assert {input_page.url for input_page in input_pages if input_page.error is None} >= {
        f"http://tree.example/{n}" for n in (0, 1, 2, 3, 5, 6, 7, 8, 9)
    }
    assert len(input_pages) == len({input_page.position for input_page in input_pages})
    assert notes.problems


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("limit", [1, 3, 100])
@pytest.mark.parametrize("number", [0, 4, 9])
def test_an_unreadable_record_gets_a_row_and_its_position_is_reported(
    tmp_path: Path, ending: str, limit: int, number: int
) -> None:
    path = write_warc(tmp_path / f"a.{ending}", responses(10))
    data, places = bytearray(path.read_bytes()), [input_page.position for input_page in read_all_pages(path)[0]]
    data[places[number] : places[number] + 10] = b"x" * 10
    path.write_bytes(data)
    input_pages, notes = read_all_pages(path, limit)
    assert [input_page.position for input_page in input_pages] == places
    assert [input_page.position for input_page in input_pages if str(input_page.error).startswith("unreadable: ")] == [
        places[number]
    ]
    [problem] = notes.problems
    assert f"in the record at byte {places[number]:,}" in problem
    splits, _ = pieces_of(path, limit)
    for index, one in enumerate(splits):
        assert splits[: index + 1] + pieces_of(path, limit, after=one)[0] == splits


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("share", [0.03, 0.1, 0.5, 0.9])
def test_a_record_that_is_cut_off_gets_a_row(tmp_path: Path, ending: str, share: float) -> None:
    path = write_warc(tmp_path / f"a.{ending}", responses(5))
    data, places = path.read_bytes(), [input_page.position for input_page in read_all_pages(path)[0]]
    path.write_bytes(data[: places[4] + int((len(data) - places[4]) * share)])
    input_pages, notes = read_all_pages(path)
    assert [input_page.position for input_page in input_pages] == places
    assert str(input_pages[4].error).startswith("unreadable: the record is ")
    assert f"in the record at byte {places[4]:,}" in notes.problems[0]


@pytest.mark.parametrize("ending", ["warc.gz", "warc.zst"])
def test_a_file_compressed_as_a_whole_is_one_split(tmp_path: Path, ending: str) -> None:
    path = write_warc(tmp_path / f"a.{ending}", [b"".join(responses(9))])
    splits, notes = pieces_of(path)
    assert [(one.start, one.stop) for one in splits] == [(0, None)]
    input_pages, _ = read_all_pages(path)
    assert [input_page.body for input_page in input_pages] == [page(n) for n in range(9)]
    assert len({input_page.position for input_page in input_pages}) == 9
    assert not notes.problems


@pytest.mark.parametrize("ending", ["warc.gz", "warc.zst"])
def test_the_progress_in_a_file_compressed_as_a_whole_is_known(tmp_path: Path, ending: str) -> None:
    records = [response(f"http://a/{n}", noise(n, 200_000)) for n in range(20)]
    path = write_warc(tmp_path / f"a.{ending}", [b"".join(records)])
    (split,), _ = pieces_of(path)
    shares = [_share_before(split, index, input_page) for index, input_page in enumerate(read_all_pages(path)[0])]
    assert shares == sorted(shares)
    assert shares[0] < 0.2 < shares[9] < 0.8 < shares[-1] <= 1.0


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"<html>", b"\x1f\x8b\x08", b"WARC/1.0\r\n"])
def test_a_file_that_is_not_a_warc_gives_no_pages(tmp_path: Path, data: bytes) -> None:
    for ending in ENDINGS:
        path = tmp_path / f"a.{ending}"
        path.write_bytes(data)
        input_pages, notes = read_all_pages(path)
        assert [input_page for input_page in input_pages if input_page.error is None] == []
        assert notes.problems or not data


def test_a_page_that_quotes_a_warc_adds_no_records(tmp_path: Path) -> None:
    quoting = b"<pre>\r\n\r\n" + response("http://evil.example/", page(66)) + b"</pre>"
    records = [response(f"http://a/{n}", quoting) for n in range(4)]
    input_pages, _ = read_all_pages(write_warc(tmp_path / "a.warc", records), 1)
    assert [input_page.url for input_page in input_pages] == [f"http://a/{n}" for n in range(4)]


def noise(number: int, length: int) -> bytes:
    """A page that cannot be packed, so that gzip keeps it as it is."""
    return b"<p>" + random.Random(number).randbytes(length)


def starts_of(path: Path) -> set[int]:
    """Where the members of a gzipped file start."""
    data, starts = path.read_bytes(), set()
    rest = data
    while rest:
        starts.add(len(data) - len(rest))
        unpacking = zlib.decompressobj(31)
        unpacking.decompress(rest)
        rest = unpacking.unused_data
    return starts


@pytest.mark.parametrize("size", [400, 20_000, 100_000])
def test_a_gzipped_file_is_split_between_records_of_any_size(tmp_path: Path, size: int) -> None:
    records = [response(f"http://a/{n}", noise(n, size)) for n in range(40)]
    path = write_warc(tmp_path / "a.warc.gz", records)
    splits, notes = pieces_of(path, 5)
    assert 4 <= len(splits) <= 40
    assert {one.start for one in splits} <= starts_of(path)
    assert [one.stop for one in splits] == [one.start for one in splits[1:]] + [path.stat().st_size]
    assert [input_page.url for input_page in read_all_pages(path, 5)[0]] == [f"http://a/{n}" for n in range(40)]
    assert not notes.problems


def test_only_pages_count_for_the_size_of_a_split(tmp_path: Path) -> None:
    request = record("request", b"GET / HTTP/1.1\r\n\r\n", "http://a/", "application/http; msgtype=request")
    path = write_warc(tmp_path / "a.warc.gz", [one for page in responses(6) for one in (request, page, request)])
    splits, _ = pieces_of(path, 2)
    assert [len(list(input_module("warc").read_pages(one, ReadSettings(), InputNotes()))) for one in splits] == [
        2,
        2,
        2,
        0,
    ]


def test_a_page_that_holds_a_gzipped_warc_adds_no_records(tmp_path: Path) -> None:
    quoted = write_warc(
        tmp_path / "quoted.warc.gz", (response("http://evil.example/", noise(n, 50)) for n in range(500))
    )
    records = [response(f"http://a/{n}", noise(n, 9) + quoted.read_bytes() + noise(n, 9)) for n in range(12)]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(gzip.compress(one, 0) for one in records))
    assert path.read_bytes().count(gzip.compress(b"")[:3]) > 1000, "the marks are there to be seen"
    for limit in (1, 8, 20):
        assert {one.start for one in pieces_of(path, limit)[0]} <= starts_of(path)
        assert [input_page.url for input_page in read_all_pages(path, limit)[0]] == [f"http://a/{n}" for n in range(12)]


def test_a_split_that_begins_within_a_record_is_reported_by_the_reader_of_the_split_before(tmp_path: Path) -> None:
    quoted = gzip.compress(response("http://evil.example/", page(66)))
    records = [*responses(1), response("http://a/", noise(0, 900) + quoted + noise(1, 900)), *responses(1)]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(gzip.compress(one, 0) for one in records))
    notes = InputNotes()
    before = Split("warc", str(path), 0, path.read_bytes().index(quoted))
    assert len(list(input_module("warc").read_pages(before, ReadSettings(), notes))) == 2
    assert f"does not end at byte {before.stop:,}" in notes.problems[0]


def test_damage_within_a_split_is_reported_once_and_counts_are_right(tmp_path: Path) -> None:
    redirect = response("http://a.example/r", b"", "Location: /", "301 Moved")
    path = write_warc(tmp_path / "a.warc.gz", [one for page in responses(10) for one in (page, redirect)])
    data, places = bytearray(path.read_bytes()), [input_page.position for input_page in read_all_pages(path)[0]]
    data[places[6] + 60 : places[6] + 80] = bytes(20)
    path.write_bytes(data)
    input_pages, notes = read_all_pages(path, 100)
    assert [input_page.position for input_page in input_pages] == places
    assert notes.skipped == {"status 301": 10}
    assert [f"in the record at byte {places[6]:,}" in problem for problem in notes.problems] == [True]


def test_a_file_with_several_records_per_member_is_one_split(tmp_path: Path) -> None:
    pairs = [b"".join(responses(2)) for _ in range(4)]
    path = write_warc(tmp_path / "a.warc.gz", [record("warcinfo", b"software: test\r\n"), *pairs])
    assert [(one.start, one.stop) for one in pieces_of(path, 2)[0]] == [(0, None)]
    input_pages, notes = read_all_pages(path)
    assert len(input_pages) == len({input_page.position for input_page in input_pages}) == 8
    assert not notes.problems


@pytest.mark.parametrize("ending", ["warc.gz", "warc.zst"])
def test_a_file_compressed_as_a_whole_and_cut_off_is_read_to_its_end(tmp_path: Path, ending: str) -> None:
    path = write_warc(
        tmp_path / f"a.{ending}", [b"".join(response(f"http://a/{n}", noise(n, 9000)) for n in range(40))]
    )
    path.write_bytes(path.read_bytes()[:300_000])
    input_pages, notes = read_all_pages(path)
    assert 10 < len([input_page for input_page in input_pages if input_page.error is None]) < 40
    assert len({input_page.position for input_page in input_pages}) == len(input_pages)
    [problem] = notes.problems
    assert "is cut off after record" in problem or "is damaged" in problem


@pytest.mark.parametrize("limit", [1, 4, 6])
def test_a_split_before_a_damaged_record_does_not_report_it(tmp_path: Path, limit: int) -> None:
    path = write_warc(tmp_path / "a.warc.gz", responses(8))
    data, places = bytearray(path.read_bytes()), [input_page.position for input_page in read_all_pages(path)[0]]
    for number in (4, 6):
        data[places[number] + 100 : places[number] + 120] = bytes(20)
    path.write_bytes(data)
    input_pages, notes = read_all_pages(path, limit)
    assert [input_page.position for input_page in input_pages] == places
    assert [input_page.position for input_page in input_pages if input_page.error] == [places[4], places[6]]
    assert [problem.rpartition(" ")[2] for problem in notes.problems] == [f"{places[4]:,}", f"{places[6]:,}"]


def test_records_in_one_member_have_different_positions(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", [*responses(1), b"".join(responses(3)), *responses(2)])
    input_pages = list(
        input_module("warc").read_pages(Split("warc", str(path), 0, path.stat().st_size), ReadSettings(), InputNotes())
    )
    assert len(input_pages) == len({input_page.position for input_page in input_pages}) == 6
