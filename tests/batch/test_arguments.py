"""Nothing doubled: a file has one row however often it is named, and no two rows have one name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.batch.batch_pages import page, rows_of, write_pages

from duramen.batch.inputs import growing_split_sizes, input_module, parse_inputs
from duramen.batch.inputs.splits import InputNotes
from duramen.batch.row import printable_path
from duramen.batch.settings import ReadSettings
from duramen.cli import main

FAST = ("--method", "econ", "--jobs", "1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with pages, some of them in a folder within."""
    monkeypatch.chdir(tmp_path)
    write_pages(tmp_path / "pages", (page(n) for n in range(2)))
    write_pages(tmp_path / "pages/more", (page(n) for n in range(2)))
    (tmp_path / "link").symlink_to("pages")
    return tmp_path


ALL = ["pages/00000.html", "pages/00001.html", "pages/more/00000.html", "pages/more/00001.html"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["pages/00000.html", "pages"],
        ["pages", "pages/00000.html"],
        ["pages", "pages/more", "pages/more/00000.html"],
        ["pages", "./pages", "pages/"],
        ["pages", "link/more", "link/00000.html"],
        ["pages/more/00001.html", "pages/more/../more/00001.html", "pages"],
    ],
)
def test_a_file_that_is_named_twice_is_read_once(here: Path, arguments: list[str]) -> None:
    found = []
    for whole in parse_inputs(arguments):
        splits = input_module(whole.kind).find_splits(whole, ReadSettings(), growing_split_sizes(), InputNotes(), None)
        found += [os.path.join(split.path, name) for split in splits for name in split.names]
    assert sorted(os.path.realpath(path) for path in found) == [os.path.realpath(path) for path in ALL]


def test_repeated_arguments_are_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "pages/00000.html", "pages", "-o", "out.jsonl", *FAST]) == 0
    assert sorted(str(row["source"]) for row in rows_of(here / "out.jsonl")) == ALL
    assert "named more than once, and read once: pages/00000.html" in capsys.readouterr().err


def test_a_named_file_is_read_even_if_patterns_exclude_it(here: Path) -> None:
    (here / "pages/draft.page").write_bytes(page(9))
    assert main(["run", "pages", "pages/draft.page", "-o", "out.jsonl", *FAST]) == 0
    assert sorted(str(row["source"]) for row in rows_of(here / "out.jsonl")) == sorted([*ALL, "pages/draft.page"])


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes there")
@pytest.mark.parametrize("form", ["jsonl", "files"])
def test_names_that_are_not_unicode_stay_different(here: Path, form: str) -> None:
    folder = os.fsencode(here / "odd")
    os.mkdir(folder)
    for number, name in enumerate([b"x\xfe.html", b"x\xff.html", b"x\\xff.html"]):
        Path(os.fsdecode(os.path.join(folder, name))).write_bytes(page(number))
    out = "out.jsonl" if form == "jsonl" else "texts"
    assert main(["run", "odd", "-o", out, "--as", form, *FAST]) == 0
    rows = rows_of(here / ("out.jsonl" if form == "jsonl" else "texts/index.jsonl"))
    assert {(row["source"], row["title"]) for row in rows} == {
        (r"odd/x\xfe.html", "Tree 0"),
        (r"odd/x\xff.html", "Tree 1"),
        (r"odd/x\x5cxff.html", "Tree 2"),
    }
    if form == "files":
        assert len({row["file"] for row in rows}) == 3


@given(st.binary(max_size=12), st.binary(max_size=12))
def test_different_paths_have_different_printable_forms(one: bytes, other: bytes) -> None:
    paths = [data.decode("utf-8", "surrogateescape") for data in (one, other)]
    assert (printable_path(paths[0]) == printable_path(paths[1])) == (one == other)


@given(st.text())
def test_a_printable_path_is_unicode(path: str) -> None:
    printable_path(path).encode()
