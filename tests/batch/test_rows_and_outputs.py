"""Rows, and the forms that they are written in."""

from __future__ import annotations

import gzip
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.batch.batch_pages import page

from duramen.batch.inputs.splits import InputPage
from duramen.batch.outputs.formats import SUFFIXES, find_suffix, get_output_format
from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.outputs.text_files import choose_file_name, write_text_files
from duramen.batch.row import COLUMNS, SCHEMA, Row, extract_row
from duramen.batch.settings import ReadSettings, RunSettings, check_fields
from duramen.errors import UsageError

ROWS = [
    Row("a.warc", n, text=f"Ärger {n}" if n % 2 else None, confidence=n / 7, status=200, tags=("a",) * n)
    for n in range(5)
]
LINES = [row.as_line() for row in ROWS]


def test_the_schema_is_the_documented_one() -> None:
    document = (Path(__file__).parents[2] / "docs/rows.md").read_text("utf-8")
    table = document.partition("## Errors")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == COLUMNS
    assert f"version {SCHEMA} of the schema" in " ".join(table.split())


def test_a_row_has_the_result_of_extraction() -> None:
    row = extract_row(
        InputPage("a.html", 7, page(3), "http://a/", status=200, date="2024-01-01T00:00:00Z"), RunSettings()
    )
    assert (row.source, row.position, row.url, row.status, row.date) == (
        "a.html",
        7,
        "http://a/",
        200,
        "2024-01-01T00:00:00Z",
    )
    assert "heartwood of number 3" in str(row.text)
    assert (row.title, row.language, row.method, row.error) == ("Tree 3", "en", "auto", None)
    assert row.bytes == len(page(3))
    assert row.sha256
    assert row.id == "a.html#7"


@given(st.text(st.characters(codec="utf-8")) | st.text('\\"\n\t\r\x00\x1f\x7fa'))
def test_a_line_is_what_json_writes(text: str) -> None:
    row = Row(text, 3, title=text, text=text, confidence=0.5, error=text)
    assert row.as_line().decode() == json.dumps(row.as_dict(), ensure_ascii=False) + "\n"


DATED = """<html lang=en><head><title>Oak</title><meta name=author content="Ida Brandt"><meta name=keywords
content="oak, wood"><meta name=description content="On oaks."><meta property="og:site_name" content="Ring">
<meta property="article:published_time" content="2024-05-06T07:08:09+00:00"><meta property="og:image"
content="https://ring.example/oak.jpg"></head><body><article><h1>Oak</h1>"""
DATED += "<p>The heartwood of an oak is brown and dry, and holds the tree upright.</p>" * 5


def test_a_row_has_the_metadata_of_the_page() -> None:
    row = extract_row(InputPage("a.html", body=DATED), RunSettings())
    assert (row.authors, row.tags) == (("Ida Brandt",), ("oak", "wood"))
    assert (row.published, row.site) == ("2024-05-06T07:08:09+00:00", "Ring")
    assert (row.description, row.image) == ("On oaks.", "https://ring.example/oak.jpg")
    assert Row.from_dict(json.loads(row.as_line())) == row


def test_fields_that_are_not_asked_for_are_null() -> None:
    row = extract_row(InputPage("a.html", body=DATED), RunSettings(fields=check_fields(["title"])))
    assert row.title == "Oak"
    assert {row.authors, row.tags, row.published, row.language, row.site} == {None}


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown field 'autors'"):
        check_fields(["autors"])


def test_the_same_page_gives_the_same_row() -> None:
    input_page = InputPage("a.html", body=page(1))
    assert extract_row(input_page, RunSettings()) == extract_row(input_page, RunSettings())


def test_text_and_its_utf8_have_one_checksum() -> None:
    rows = [extract_row(InputPage("a", body=body), RunSettings(method="econ")) for body in (page(1), page(1).decode())]
    assert rows[0].sha256 == rows[1].sha256


@pytest.mark.parametrize(
    ("input_page", "kind"),
    [
        (InputPage("a", body=b"%PDF-1.4"), "not-html"),
        (InputPage("a", body=b"<p>" * 50), "too-large"),
        (InputPage("a", error="unreadable: no such file"), "unreadable"),
    ],
)
def test_a_failure_becomes_the_error_of_the_row(input_page: InputPage, kind: str) -> None:
    row = extract_row(input_page, RunSettings(reading=ReadSettings(max_bytes=100)))
    assert str(row.error).startswith(f"{kind}: ")
    assert row.text is None


def test_a_page_without_content_is_not_an_error() -> None:
    row = extract_row(InputPage("a", body=b"<html></html>"), RunSettings())
    assert (row.text, row.error) == ("", None)
    assert row.reason


def test_an_unknown_method_raises_instead_of_failing_the_page() -> None:
    with pytest.raises(UsageError, match="unknown method"):
        extract_row(InputPage("a", body=page(1)), RunSettings(method="no-such-method"))


@given(st.text(st.characters(exclude_categories=())))
def test_any_row_is_one_line_of_utf8(text: str) -> None:
    line = Row("a", text=text).as_line()
    assert line.count(b"\n") == 1
    assert line.decode("utf-8")
    assert json.loads(line)["schema"] == SCHEMA


def test_a_row_survives_its_line() -> None:
    assert [Row.from_dict(json.loads(line)) for line in LINES] == ROWS


@pytest.mark.parametrize("ending", SUFFIXES)
def test_rows_survive_every_output_format(tmp_path: Path, ending: str) -> None:
    files = []
    for lines in (LINES[:2], [], LINES[2:]):
        file = io.BytesIO()
        get_output_format(ending).pack(lines, file)
        files.append(io.BytesIO(file.getvalue()))
    joined = tmp_path / f"out{ending}"
    with joined.open("wb") as target:
        get_output_format(ending).join(files, target)
    assert unpacked(joined) == [row.as_dict() for row in ROWS]


def unpacked(path: Path) -> list[dict[str, object]]:
    if path.name.endswith(".parquet"):
        table = pytest.importorskip("pyarrow.parquet").read_table(path)
        assert table.schema.metadata[b"duramen.schema"] == str(SCHEMA).encode()
        assert tuple(table.column_names) == COLUMNS
        rows: list[dict[str, object]] = table.to_pylist()
        return rows
    data = path.read_bytes()
    if path.name.endswith(".gz"):
        data = gzip.decompress(data)
    elif path.name.endswith(".zst"):
        zstandard = pytest.importorskip("zstandard")
        data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True).read()
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("ending", SUFFIXES)
def test_the_same_rows_give_the_same_bytes(ending: str) -> None:
    files = [io.BytesIO(), io.BytesIO()]
    for file in files:
        get_output_format(ending).pack(LINES, file)
    assert files[0].getvalue() == files[1].getvalue()


@pytest.mark.parametrize(
    ("out", "form", "ending", "joined"),
    [
        ("out.jsonl", None, ".jsonl", "out.jsonl"),
        ("out.JSONL.gz", None, ".jsonl.gz", "out.JSONL.gz"),
        ("out.parquet", "parquet", ".parquet", "out.parquet"),
        ("out", None, ".jsonl.gz", None),
        ("out.jsonl/", None, ".jsonl.gz", None),
        ("out", "jsonl.zst", ".jsonl.zst", None),
        ("out", "files", ".jsonl", "out/index.jsonl"),
    ],
)
def test_the_name_of_the_output_decides_its_layout(out: str, form: str | None, ending: str, joined: str | None) -> None:
    layout = OutputLayout.choose(out, form)
    assert layout.suffix == ending
    assert layout.single_file == (Path(joined) if joined else None)


@pytest.mark.parametrize(("out", "form"), [("out.jsonl", "parquet"), ("out", "csv"), ("out.jsonl.gz", "files")])
def test_invalid_outputs_are_refused(out: str, form: str) -> None:
    with pytest.raises(UsageError):
        OutputLayout.choose(out, form)


def test_the_longest_suffix_counts() -> None:
    assert find_suffix("a.jsonl.gz") == ".jsonl.gz"
    assert find_suffix("a.gz") is None


@pytest.mark.parametrize(
    ("source", "position", "url", "name"),
    [
        ("pages/a/b.html", 0, "https://ring.example/b", "a/b.html.txt"),
        ("pages/crawl.warc.gz", 41, None, "crawl.warc.gz/000000000041.txt"),
        ("pages/crawl.warc.gz", 41, "https://ring.example/a/oak.html", "crawl.warc.gz/ring.example/a/oak-41.txt"),
        ("pages/crawl.warc", 0, "https://ring.example/?id=7", "crawl.warc/ring.example/index-id-7-0.txt"),
        ("pages/crawl.warc", 9, "https://../%2e%2e/passwd", "crawl.warc/passwd-9.txt"),
        ("a.warc", 5, "https://h/a-41.txt/b", "a.warc/h/a-41.txt_/b-5.txt"),
        ("https://ring.example/oak", 0, "https://ring.example/oak", "ring.example/oak.txt"),
        ("urls.txt", 3, "https://ring.example/", "urls.txt/ring.example/index-3.txt"),
        ("../up/b.html", 0, None, "up/b.html.txt"),
        ("/else/where.html", 0, None, "else/where.html.txt"),
    ],
)
def test_a_text_is_named_after_its_page(source: str, position: int, url: str | None, name: str) -> None:
    root = "" if source == "urls.txt" else "pages"
    assert str(choose_file_name(source, position, root, ".txt", url)) == name


@given(st.text(min_size=1), st.text(min_size=1))
def test_names_of_text_files_are_unique_and_below_their_folder(one: str, other: str) -> None:
    names = [choose_file_name(f"crawl/{source}.warc", 5, "crawl", ".txt") for source in (one, other)]
    for name in names:
        assert not name.is_absolute()
        assert ".." not in name.parts
        assert all(len(part.encode()) < 200 for part in name.parts)


def test_text_files_are_written_with_an_index(tmp_path: Path) -> None:
    index = [json.loads(line) for line in write_text_files(LINES, tmp_path, "")]
    assert [row["file"] for row in index] == [None, *(f"a.warc/{n:012}.txt" if n % 2 else None for n in range(1, 5))]
    assert (tmp_path / "a.warc" / f"{3:012}.txt").read_text("utf-8") == "Ärger 3\n"
    assert all("text" not in row for row in index)
