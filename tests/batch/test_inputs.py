"""Sources: splits that hold every page once, however they are cut, and input_pages that are always the same."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Iterator
from itertools import islice, pairwise, repeat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.batch.batch_pages import page, write_pages

from duramen.batch.inputs import find_input_kind, growing_split_sizes, input_module, parse_inputs
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings


def cut(path: Path, limit: int = 2, after: Split | None = None, **reading: object) -> tuple[list[Split], InputNotes]:
    notes, kind = InputNotes(), find_input_kind(str(path))
    whole = Split(kind, str(path))
    return list(input_module(kind).find_splits(whole, ReadSettings(**reading), repeat(limit), notes, after)), notes  # type: ignore[arg-type]


def read(splits: list[Split], **reading: object) -> list[InputPage]:
    found = ReadSettings(**reading)  # type: ignore[arg-type]
    return [
        input_page for split in splits for input_page in input_module(split.kind).read_pages(split, found, InputNotes())
    ]


def lines(number: int) -> list[bytes]:
    return [json.dumps({"url": f"u{n}", "html": page(n).decode() * (n % 3)}).encode() + b"\n" for n in range(number)]


def pack(data: bytes, suffix: str) -> bytes:
    if suffix == ".gz":
        return gzip.compress(data)
    if suffix == ".zst":
        return pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    return data


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.warc", "warc"),
        ("a.WARC.GZ", "warc"),
        ("a.warc.zst", "warc"),
        ("a.jsonl", "jsonl"),
        ("a.ndjson.gz", "jsonl"),
        ("a.parquet", "parquet"),
        ("a.html", "files"),
        ("a", "files"),
        (".", "folder"),
    ],
)
def test_the_name_of_an_input_decides_its_kind(name: str, kind: str) -> None:
    assert find_input_kind(name) == kind


def test_pages_that_follow_one_another_are_one_input_and_none_is_read_twice() -> None:
    inputs = parse_inputs(["a.html", "b.html", "a.html", "c.warc", "d.html"])
    assert [(one.kind, one.path, one.names) for one in inputs] == [
        ("files", "", ("a.html", "b.html")),
        ("warc", "c.warc", ()),
        ("files", "", ("d.html",)),
    ]


def test_splits_grow_up_to_a_maximum() -> None:
    sizes = list(islice(growing_split_sizes(), 1000))
    assert sizes == sorted(sizes)
    assert sizes[0] < 50
    assert sizes[-1] == sizes[-2]
    assert list(islice(growing_split_sizes(10), 5)) == sizes[10:15]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_jsonl_gives_every_line_once_with_any_split_size(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(pack(b"".join(lines(40)), suffix))
    whole = read(cut(path, 10**6)[0])
    assert [input_page.url for input_page in whole] == [f"u{n}" for n in range(40)]
    assert read(cut(path, 1)[0]) == whole


@settings(deadline=None, max_examples=50)
@given(
    lengths=st.lists(st.integers(0, 300), max_size=30),
    cuts=st.lists(st.integers(0, 3000), max_size=5),
    ended=st.booleans(),
)
def test_plain_jsonl_can_be_split_at_any_byte(
    lengths: list[int], cuts: list[int], ended: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    written = [json.dumps({"html": "x" * length}).encode() for length in lengths]
    path = tmp_path_factory.mktemp("cut") / "a.jsonl"
    path.write_bytes(b"\n".join(written) + (b"\n" if ended and written else b""))
    size = path.stat().st_size
    bounds = sorted({0, size, *(min(layout, size) for layout in cuts)})
    splits = [Split("jsonl", str(path), *bound) for bound in pairwise(bounds)]
    input_pages = read(splits)
    assert [len(input_page.body) for input_page in input_pages] == lengths
    assert [path.read_bytes()[input_page.position : input_page.position + 1] for input_page in input_pages] == [
        b"{"
    ] * len(input_pages)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_compressed_split_reads_the_same_without_its_data(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(pack(b"".join(lines(40)), suffix))
    splits, _ = cut(path, 7)
    assert all(split.data for split in splits)
    planned = [Split.from_dict(json.loads(json.dumps(split.as_dict()))) for split in splits]
    assert not any(split.data for split in planned)
    assert read(planned) == read(splits)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_splitting_resumes_after_the_last_split(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(pack(b"".join(lines(600)), suffix))
    splits, _ = cut(path, 1)
    assert len(splits) > 3
    assert read(splits[:2] + cut(path, 3, after=splits[1])[0]) == read(splits)


def test_invalid_lines_give_errors_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = lines(1)[0]
    path.write_bytes(b'{"html": \n[1]\n{"url": "u"}\n\n' + b'{"html": "\xff"}\n' + b"[" * 100_000 + b"\n" + good)
    errors = [input_page.error for input_page in read(cut(path)[0])]
    assert [bool(error) for error in errors] == [True, True, True, True, True, False]
    assert all(error.startswith("unreadable: ") for error in errors[:5] if error)


def test_a_line_that_is_too_long_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"html": "' + b"x" * 5_000_000 + b'"}\n' + lines(2)[1])
    input_pages = read(cut(path)[0], max_bytes=1000)
    assert [(input_page.error or "")[:9] for input_page in input_pages] == ["too-large", ""]


def test_other_columns_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"raw": "<p>a", "at": "u"}\n')
    [input_page] = read(cut(path)[0], html_column="raw", url_column="at")
    assert (input_page.body, input_page.url) == ("<p>a", "u")


def test_complete_lines_of_compressed_jsonl_that_is_cut_off_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    data = gzip.compress(os.urandom(30_000).hex().encode() + b"\n" + b"".join(lines(20)), 1)
    path.write_bytes(data[: len(data) - 40])
    splits, notes = cut(path)
    assert "ends too early" in notes.problems[0]
    assert all(split.data and split.data.endswith(b"\n") for split in splits)


def test_parquet_is_split_between_row_groups(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"url": [f"u{n}" for n in range(50)], "html": [page(n).decode() for n in range(49)] + [None]})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=7)
    splits, _ = cut(tmp_path / "a.parquet", 10)
    input_pages = read(splits)
    assert len(splits) == 4
    assert [(input_page.position, input_page.url) for input_page in input_pages] == [(n, f"u{n}") for n in range(50)]
    assert input_pages[49].error
    assert read(splits[:1] + cut(tmp_path / "a.parquet", 20, after=splits[0])[0]) == input_pages


def test_parquet_may_have_nulls_and_texts_as_bytes(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    pages = [page(0), None, page(2)]
    table = arrow.table({"html": arrow.array(pages, arrow.binary()), "url": [b"http://a/0", b"http://a/1", None]})
    pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "a.parquet")
    input_pages = read(cut(tmp_path / "a.parquet")[0])
    assert [input_page.url for input_page in input_pages] == ["http://a/0", "http://a/1", None]
    assert [input_page.body for input_page in input_pages] == [page(0), b"", page(2)]
    assert [bool(input_page.error) for input_page in input_pages] == [False, True, False]


def test_a_parquet_text_that_is_not_utf8_is_read_as_bytes(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    pages = ["<p>Bäume".encode(), "<p>Bäume".encode("latin-1"), None, b"<p>Trees"]
    texts = arrow.array(pages, arrow.binary()).view(arrow.string())
    for column in (texts, texts.dictionary_encode()):
        pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"html": column}), tmp_path / "a.parquet")
        input_pages = read(cut(tmp_path / "a.parquet")[0])
        assert [input_page.body for input_page in input_pages] == [
            "<p>Bäume",
            "<p>Bäume".encode("latin-1"),
            b"",
            "<p>Trees",
        ]


def test_a_damaged_row_group_gives_an_error_with_the_number_of_lost_rows(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    path, number = tmp_path / "a.parquet", random.Random(0)
    table = arrow.table({"html": [f"<p>{n}" + number.randbytes(500).hex() for n in range(60)]})
    pytest.importorskip("pyarrow.parquet").write_table(table, path, row_group_size=20, compression="gzip")
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 2_000] = bytes(2_000)  # in the second of three
    path.write_bytes(data)
    splits, notes = cut(path, 100)
    input_pages = [
        input_page
        for split in splits
        for input_page in input_module("parquet").read_pages(split, ReadSettings(), notes)
    ]
    good = [input_page.position for input_page in input_pages if input_page.error is None]
    assert good[:20] == list(range(20))
    assert good[-20:] == list(range(40, 60))
    [bad] = [input_page for input_page in input_pages if input_page.error is not None]
    assert str(bad.error).startswith(f"unreadable: this row and the {39 - bad.position} rows after it are damaged (")
    assert notes.problems[0].startswith(f"{path}: rows {bad.position} to 39 cannot be read: ")


def test_a_file_that_is_not_parquet_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "a.parquet").write_bytes(b"no such thing")
    splits, notes = cut(tmp_path / "a.parquet")
    assert splits == []
    assert "not a Parquet file" in notes.problems[0]


def test_parquet_without_the_column_is_reported(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"text": ["a"]}), tmp_path / "a.parquet")
    _, notes = cut(tmp_path / "a.parquet")
    assert "--html-column" in notes.problems[0]


@pytest.mark.parametrize("name", ["a.warc", "a.jsonl", "a.jsonl.gz", "a.parquet"])
def test_a_missing_file_is_reported(tmp_path: Path, name: str) -> None:
    splits, notes = cut(tmp_path / name)
    assert splits == []
    assert "no such file" in notes.problems[0]


def names_in(splits: list[Split], folder: Path) -> list[str]:
    return [os.path.relpath(input_page.source, folder) for input_page in read(splits)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    for below in ("", "a", "a/deep", "b.html.d", "z"):
        write_pages(folder / below, (page(n) for n in range(3)))
    (folder / "a" / "notes.txt").write_text("no page")
    (folder / "a" / "Old.HTM").write_bytes(page(7))
    (folder / "packed.html.gz").write_bytes(gzip.compress(page(9)))
    (folder / ".hidden.html").write_bytes(page(8))
    return folder


def test_a_folder_gives_its_pages_in_order_and_counts_the_rest(folder: Path) -> None:
    splits, notes = cut(folder)
    names = names_in(splits, folder)
    assert len(names) == 17
    assert names == sorted(names, key=lambda name: name.split(os.sep))
    assert notes.skipped == {"other file": 1}


def test_a_gzipped_page_is_decompressed(folder: Path) -> None:
    [input_page] = [input_page for input_page in read(cut(folder)[0]) if input_page.source.endswith(".gz")]
    assert input_page.body == page(9)


def test_a_walk_resumes_after_any_file(folder: Path) -> None:
    splits, _ = cut(folder, 1)
    for index, split in enumerate(splits):
        rest, _ = cut(folder, 3, after=split)
        assert names_in(splits[: index + 1] + rest, folder) == names_in(splits, folder)


def test_patterns_select_files(folder: Path) -> None:
    def chosen(**patterns: object) -> list[str]:
        splits, _ = cut(folder, **patterns)
        return [name for split in splits for name in split.names]

    assert chosen(include=("a/*",), exclude=("a/deep/*", "*.txt")) == [
        f"a/{name}" for name in ("00000.html", "00001.html", "00002.html", "Old.HTM")
    ]
    assert chosen(include=("*.txt",)) == ["a/notes.txt"]


def test_a_folder_without_pages_is_reported(tmp_path: Path) -> None:
    assert "no pages" in cut(tmp_path)[1].problems[0]


def test_the_output_of_a_run_is_not_read_as_input(folder: Path) -> None:
    (folder / "out/_duramen").mkdir(parents=True)
    (folder / "out/_duramen/run.json").write_text("{}")
    (folder / "out/page.html").write_bytes(page(1))
    assert len(names_in(cut(folder)[0], folder)) == 17


def test_an_unreadable_page_gives_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.html.gz").write_bytes(gzip.compress(page(1))[:-20])
    names = (str(tmp_path / "gone.html"), str(tmp_path / "bad.html.gz"), str(tmp_path))
    input_pages = list(input_module("files").read_pages(Split("files", "", names=names), ReadSettings(), InputNotes()))
    assert [input_page.error is not None for input_page in input_pages] == [True, True, True]
    assert "no such file" in str(input_pages[0].error)


def test_a_huge_page_is_not_read_completely(tmp_path: Path) -> None:
    (tmp_path / "bomb.html.gz").write_bytes(gzip.compress(b"<p>" + b" " * 30_000_000))
    [input_page] = input_module("files").read_pages(
        Split("files", str(tmp_path), names=("bomb.html.gz",)), ReadSettings(max_bytes=9), InputNotes()
    )
    assert len(input_page.body) == 10


def test_cycles_of_links_are_counted_and_not_followed(tmp_path: Path) -> None:
    write_pages(tmp_path / "a", [page(0)])
    os.symlink(tmp_path, tmp_path / "a" / "again")
    splits, notes = cut(tmp_path)
    assert len(names_in(splits, tmp_path)) == 1
    assert notes.skipped == {"link to a folder": 1}


def test_splitting_a_folder_reads_no_file_first(folder: Path) -> None:
    def endless() -> Iterator[int]:
        yield 1
        raise AssertionError("the second split was cut before the first was taken")

    splits = input_module("folder").find_splits(
        Split("folder", str(folder)), ReadSettings(), endless(), InputNotes(), None
    )
    assert len(next(splits).names) == 1
