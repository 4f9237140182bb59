"""Outputs: standard output, files and folders."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.cli.inputs import find_inputs
from duramen.cli.outputs import FolderOutput

if TYPE_CHECKING:
    from tests.cli.conftest import Article, Run


def names_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_several_pages_are_separated_in_the_output(pages: Path, run: Run) -> None:
    outcome = run("extract", "pages/ash.html", "pages/beech.htm")
    assert outcome.status == 0
    assert outcome.out.startswith("==> pages/ash.html <==\n")
    assert "\n\n==> pages/beech.htm <==\n" in outcome.out


def test_several_pages_as_json_are_one_object_a_line(pages: Path, run: Run) -> None:
    lines = run("extract", "pages", "--format", "json").out.splitlines()
    rows = [json.loads(line) for line in lines]
    assert [Path(row["input"]).name for row in rows] == ["ash.html", "beech.htm", "ash.html"]
    assert all("The heartwood of" in row["text"] for row in rows)


def test_several_pages_as_xml_are_one_document(pages: Path, run: Run) -> None:
    root = ElementTree.fromstring(run("extract", "pages", "--format", "xml").out)
    assert [Path(page.get("input", "")).name for page in root] == ["ash.html", "beech.htm", "ash.html"]


def test_several_pages_in_markdown_have_their_names_in_comments(pages: Path, run: Run) -> None:
    out = run("extract", "pages/ash.html", "pages/beech.htm", "--format", "markdown").out
    assert out.startswith("<!-- pages/ash.html -->\n\n")


@pytest.mark.parametrize(
    ("format", "suffix"), [("text", "txt"), ("markdown", "md"), ("html", "html"), ("json", "json"), ("xml", "xml")]
)
def test_outputs_keep_the_paths_of_their_pages(format: str, suffix: str, pages: Path, run: Run) -> None:
    assert run("extract", "pages", "-o", "out", "--format", format) == (0, "", "")
    assert names_below(Path("out")) == [f"ash.{suffix}", f"beech.{suffix}", f"sub/ash.{suffix}"]
    assert "mountain ash" in Path(f"out/sub/ash.{suffix}").read_text(encoding="utf-8")


def test_pages_of_two_folders_get_different_outputs(pages: Path, run: Run) -> None:
    run("extract", pages / "ash.html", pages / "sub" / "ash.html", "-o", "out")
    assert names_below(Path("out")) == ["ash.txt", "sub/ash.txt"]


def test_pages_with_the_same_stem_are_numbered(folder: Path, run: Run, article: Article) -> None:
    for name in ("page.htm", "page.html", "PAGE.xhtml", "page-2.html"):
        (folder / name).write_text(article(name))
    (folder / "page.html.gz").write_bytes(gzip.compress(article("packed").encode()))
    run("extract", "page.htm", "page.html", "page-2.html", "page.html.gz", "PAGE.xhtml", "-o", "out/")
    assert names_below(Path("out")) == ["PAGE-4.txt", "page-2-2.txt", "page-2.txt", "page-3.txt", "page.txt"]
    assert "heartwood of page.html " in Path("out/page-2.txt").read_text()


@given(st.lists(st.sampled_from(["a.html", "A.htm", "a-2.html", "b/a.html", "a.html.gz", "c", "C"]), min_size=1))
def test_no_two_outputs_have_one_name(arguments: list[str]) -> None:
    inputs = find_inputs(arguments)
    output = FolderOutput(Path(), "text", inputs)
    taken = [str(output.get_path(source)).casefold() for source in inputs]
    assert len(set(taken)) == len(arguments)


def test_one_page_goes_to_the_file_that_is_named(page: Path, run: Run) -> None:
    assert run("extract", page, "-o", "new/out.txt") == (0, "", "")
    assert "The heartwood of oak" in Path("new/out.txt").read_text(encoding="utf-8")
    assert names_below(Path("new")) == ["out.txt"]


def test_one_page_goes_into_an_existing_folder_or_a_path_with_a_slash(page: Path, run: Run) -> None:
    Path("there").mkdir()
    run("extract", page, "-o", "there")
    run("extract", page, "-o", "here/")
    assert names_below(Path("there")) == names_below(Path("here")) == ["page.txt"]


def test_a_hyphen_is_standard_output(page: Path, run: Run) -> None:
    assert "The heartwood of oak" in run("extract", page, "-o", "-").out


def test_several_pages_do_not_go_into_a_file(pages: Path, run: Run) -> None:
    Path("out").write_text("mine")
    outcome = run("extract", "pages", "-o", "out")
    assert outcome.status == 2
    assert Path("out").read_text() == "mine"


def test_a_symbolic_link_stays_one(page: Path, run: Run) -> None:
    Path("real.txt").write_text("old")
    Path("link.txt").symlink_to("real.txt")
    run("extract", page, "-o", "link.txt")
    assert Path("link.txt").is_symlink()
    assert "The heartwood of oak" in Path("real.txt").read_text(encoding="utf-8")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_reported_in_one_line(page: Path, run: Run) -> None:
    outcome = run("extract", page, "-o", "/dev/full")
    assert outcome.status == 1
    assert outcome.err == "duramen: /dev/full: cannot be written: No space left on device\n"
