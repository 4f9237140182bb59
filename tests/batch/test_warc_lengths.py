"""WARCs with a record whose length is wrong, in all three compressions: only that record is lost, and reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.batch.batch_pages import record, response, write_warc
from tests.batch.test_warc import noise, read_all_pages

from duramen.batch.settings import ReadSettings

pytest.importorskip("fastwarc")

FORMS = ["a.warc", "a.warc.gz", "a.warc.zst", "whole.warc.gz", "whole.warc.zst"]
LENGTHS = [10, 4_000, 9_000, 90_000_000, 10**18, 10**20]


def lying(one: bytes, claimed_length: int) -> bytes:
    """A record that says another length than it has."""
    head, mark, rest = one.partition(b"Content-Length: ")
    return head + mark + str(claimed_length).encode() + rest[rest.index(b"\r\n") :]


def printable_path(path: Path, records: list[bytes]) -> Path:
    return write_warc(path, [b"".join(records)] if path.name.startswith("whole") else records)


def pages(number: int) -> list[bytes]:
    return [response(f"http://a/{n}", noise(n, 4_000)) for n in range(number)]


@pytest.mark.parametrize(("limit", "number"), [(1, 3), (3, 3), (100, 3), (100, 0), (100, 11)])
@pytest.mark.parametrize("claimed_length", LENGTHS)
@pytest.mark.parametrize("name", FORMS)
def test_a_record_of_wrong_length_is_the_only_one_lost(
    tmp_path: Path, name: str, claimed_length: int, limit: int, number: int
) -> None:
    records = pages(12)
    records[number] = lying(records[number], claimed_length)
    input_pages, notes = read_all_pages(printable_path(tmp_path / name, records), limit)
    assert [input_page.url for input_page in input_pages] == [f"http://a/{n}" for n in range(12)]
    assert [bool(input_page.error) for input_page in input_pages] == [n == number for n in range(12)]
    assert str(input_pages[number].error).startswith("unreadable: the record is ")
    assert len(notes.problems) == 1


@pytest.mark.parametrize("claimed_length", LENGTHS)
@pytest.mark.parametrize("name", FORMS)
def test_a_record_of_wrong_length_that_is_not_a_page_loses_no_page(
    tmp_path: Path, name: str, claimed_length: int
) -> None:
    records = pages(12)
    records.insert(3, lying(record("request", noise(99, 4_000), "http://a/3"), claimed_length))
    input_pages, notes = read_all_pages(printable_path(tmp_path / name, records), 100)
    assert [input_page.url for input_page in input_pages if input_page.error is None] == [
        f"http://a/{n}" for n in range(12)
    ]
    assert notes.skipped == {"request": 1}
    assert len(notes.problems) == 1


@pytest.mark.parametrize("name", ["whole.warc.gz", "whole.warc.zst"])
def test_all_records_of_a_file_compressed_as_a_whole_may_have_wrong_lengths(tmp_path: Path, name: str) -> None:
    records = [lying(one, 300_000 if n % 2 else 10**9) for n, one in enumerate(pages(12))]
    input_pages, notes = read_all_pages(
        printable_path(tmp_path / name, records), reading=ReadSettings(max_bytes=10_000)
    )
    assert [input_page.url for input_page in input_pages] == [f"http://a/{n}" for n in range(12)]
    assert all(input_page.error for input_page in input_pages)
    assert len(notes.problems) == 12


def test_a_page_that_is_too_large_is_not_reported_as_wrong_length(tmp_path: Path) -> None:
    records = [*pages(2), response("http://a/large", noise(7, 900_000)), *pages(2)]
    records[0] = lying(records[0], 5)
    input_pages, _ = read_all_pages(
        printable_path(tmp_path / "whole.warc.gz", records), reading=ReadSettings(max_bytes=10_000)
    )
    assert [bool(input_page.error) for input_page in input_pages] == [True, False, False, False, False]
    assert len(input_pages[2].body) > 10_000


def test_unreadable_headers_get_a_row_with_the_number_of_lost_bytes(tmp_path: Path) -> None:
    records = pages(6)
    records[3] = b"x" * 10 + records[3][10:]
    input_pages, _ = read_all_pages(printable_path(tmp_path / "whole.warc.gz", records))
    assert [input_page.url for input_page in input_pages if input_page.error is None] == [
        f"http://a/{n}" for n in (0, 1, 2, 4, 5)
    ]
    assert (
        input_pages[3].error == f"unreadable: the record is damaged ({len(records[3]):,} bytes that are not a record)"
    )


def test_data_that_cannot_be_decompressed_gets_a_row_with_its_size(tmp_path: Path) -> None:
    path = printable_path(tmp_path / "whole.warc.gz", [response(f"http://a/{n}", noise(n, 9_000)) for n in range(100)])
    data = bytearray(path.read_bytes())
    data[500_000:500_100] = b"\xff" * 100
    for block in range(500_100, len(data), 1_000):  # wherever the next block of deflate begins
        data[block : block + 400] = b"\xff" * 400
    path.write_bytes(data)
    input_pages, notes = read_all_pages(path)
    assert len([input_page for input_page in input_pages if input_page.error is None]) > 40
    assert "bytes from byte" in str(input_pages[-1].error)
    assert str(input_pages[-1].error).endswith("on is lost)")
    assert notes.problems


@pytest.mark.parametrize(("name", "limit"), [("whole.warc.gz", 1), ("a.warc.gz", 1), ("a.warc.gz", 100)])
def test_a_quoted_warc_after_a_wrong_length_adds_no_records(tmp_path: Path, name: str, limit: int) -> None:
    quoting = b"<pre>\r\n\r\n" + response("http://evil.example/", b"<p>") + b"</pre>"
    records = [lying(pages(1)[0], 5), *(response(f"http://a/{n}", quoting) for n in range(1, 4))]
    input_pages, _ = read_all_pages(printable_path(tmp_path / name, records), limit)
    assert [input_page.url for input_page in input_pages] == [f"http://a/{n}" for n in range(4)]


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_a_record_of_wrong_length_that_quotes_a_warc_adds_no_records(tmp_path: Path, limit: int) -> None:
    quoting = b"<pre>\r\n\r\n" + response("http://evil.example/", b"<p>") + b"</pre>"
    records = pages(6)
    records[2] = lying(response("http://a/2", quoting), 20)
    input_pages, _ = read_all_pages(write_warc(tmp_path / "a.warc.gz", records), limit)
    assert [input_page.url for input_page in input_pages] == [f"http://a/{n}" for n in range(6)]
    assert [bool(input_page.error) for input_page in input_pages] == [n == 2 for n in range(6)]
