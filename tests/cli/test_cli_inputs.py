"""Folders, several pages, addresses, and where their outputs go."""

from __future__ import annotations

import gzip
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.cli.inputs import find
from duramen.cli.outputs import Folder
from duramen.errors import FetchError
from duramen.net import fetch as fetching

if TYPE_CHECKING:
    from conftest import Article, Run


def names_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_several_pages_are_told_apart(pages: Path, run: Run) -> None:
    outcome = run("extract", "pages/ash.html", "pages/beech.htm")
    assert outcome.status == 0
    assert outcome.out.startswith("==> pages/ash.html <==\n")
    assert "\n\n==> pages/beech.htm <==\n" in outcome.out


def test_a_folder_is_read_to_its_depth_in_order(pages: Path, run: Run) -> None:
    lines = run("extract", "pages").out.splitlines()
    heads = [line for line in lines if line.startswith("==>")]
    assert heads == [
        f"==> {os.path.join('pages', *p.split('/'))} <==" for p in ("ash.html", "beech.htm", "sub/ash.html")
    ]


def test_a_folder_gives_pages_alone(pages: Path) -> None:
    for name in ("a.XHTML", "b.HTML.gz", "notes.txt", "page", ".hidden.html", ".git/x.html", "picture.png"):
        (pages / name).parent.mkdir(exist_ok=True)
        (pages / name).write_text("")
    found = [Path(source.name).relative_to("pages").as_posix() for source in find(["pages"])]
    assert found == ["a.XHTML", "ash.html", "b.HTML.gz", "beech.htm", "sub/ash.html"]


def test_a_file_named_itself_may_have_any_name(folder: Path, run: Run, article: Article) -> None:
    (folder / "page").write_text(article("yew"))
    assert "The heartwood of yew" in run("extract", "page").out


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


def test_a_bad_page_does_not_stop_the_others(pages: Path, run: Run) -> None:
    (pages / "bad.html.gz").write_bytes(b"junk")
    (pages / "empty.html").write_text("")
    outcome = run("extract", "pages", "missing.html")
    assert outcome.status == 1
    assert outcome.out.count("==>") == 3
    assert outcome.err.splitlines()[-1] == "duramen: of 6 pages, 2 failed and 1 had no content"


def test_quiet_says_failures_and_no_more(pages: Path, run: Run) -> None:
    (pages / "empty.html").write_text("")
    outcome = run("extract", "pages", "missing.html", "--quiet")
    assert outcome.err == "duramen: missing.html: no such file\n"


def test_a_folder_without_pages_is_said(folder: Path, run: Run) -> None:
    (folder / "pages").mkdir()
    outcome = run("extract", "pages")
    assert outcome.status == 1
    assert "no pages in this folder" in outcome.err


@pytest.mark.parametrize(
    ("format", "suffix"), [("text", "txt"), ("markdown", "md"), ("html", "html"), ("json", "json"), ("xml", "xml")]
)
def test_outputs_keep_the_paths_of_their_pages(format: str, suffix: str, pages: Path, run: Run) -> None:
    assert run("extract", "pages", "-o", "out", "--format", format) == (0, "", "")
    assert names_below(Path("out")) == [f"ash.{suffix}", f"beech.{suffix}", f"sub/ash.{suffix}"]
    assert "mountain ash" in Path(f"out/sub/ash.{suffix}").read_text(encoding="utf-8")


def test_pages_of_two_folders_do_not_meet(pages: Path, run: Run) -> None:
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
    inputs = find(arguments)
    output = Folder(Path(), "text", inputs)
    taken = [str(output.path(source)).casefold() for source in inputs]
    assert len(set(taken)) == len(arguments)


def test_one_page_goes_to_the_file_that_is_named(page: Path, run: Run) -> None:
    assert run("extract", page, "-o", "new/out.txt") == (0, "", "")
    assert "The heartwood of oak" in Path("new/out.txt").read_text(encoding="utf-8")
    assert names_below(Path("new")) == ["out.txt"]


def test_one_page_goes_into_a_folder_that_exists_or_ends_so(page: Path, run: Run) -> None:
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


@pytest.mark.parametrize("target", ["page.html", ".", "./"])
def test_a_page_is_never_overwritten_by_its_content(target: str, page: Path, run: Run, article: Article) -> None:
    outcome = run("extract", "page.html", "-o", target, "--format", "html")
    assert outcome.status == 2
    assert "overwritten" in outcome.err
    assert page.read_text(encoding="utf-8") == article("oak")


def test_outputs_below_the_folder_are_not_read_again(pages: Path, run: Run) -> None:
    for _ in range(2):
        assert run("extract", "pages", "-o", "pages/out", "--format", "html").status == 0
    assert names_below(pages / "out") == ["ash.html", "beech.html", "sub/ash.html"]


def test_a_symbolic_link_stays_one(page: Path, run: Run) -> None:
    Path("real.txt").write_text("old")
    Path("link.txt").symlink_to("real.txt")
    run("extract", page, "-o", "link.txt")
    assert Path("link.txt").is_symlink()
    assert "The heartwood of oak" in Path("real.txt").read_text(encoding="utf-8")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said_in_one_line(page: Path, run: Run) -> None:
    outcome = run("extract", page, "-o", "/dev/full")
    assert outcome.status == 1
    assert outcome.err == "duramen: /dev/full: cannot be written: No space left on device\n"


def test_a_full_disk_leaves_no_half_file_and_stops_the_run(
    pages: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_bytes(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    outcome = run("extract", "pages", "-o", "out")
    assert outcome.status == 1
    assert outcome.err == f"duramen: {Path('out/ash.txt')}: cannot be written: No space left on device\n"
    assert names_below(Path("out")) == []


def test_a_name_that_cannot_be_is_that_page_alone(pages: Path, run: Run) -> None:
    Path("out/ash.txt").mkdir(parents=True)
    outcome = run("extract", "pages", "-o", "out")
    assert outcome.status == 1
    assert f"{Path('out/ash.txt')}: cannot be written: " in outcome.err
    assert names_below(Path("out")) == ["beech.txt", "sub/ash.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any bytes for a name")
def test_a_name_in_no_encoding_is_kept(folder: Path, run: Run, article: Article) -> None:
    name = os.fsdecode(b"caf\xe9.html")
    (folder / name).write_text(article("oak"))
    assert run("extract", name, "-o", "out/") == (0, "", "")
    assert os.listdir(b"out") == [b"caf\xe9.txt"]
    assert run("extract", name, name).out.startswith("==> caf\\udce9.html <==\n")


@dataclass
class Fetched:
    url: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def test_an_address_is_fetched(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, article: Article) -> None:
    asked = {}

    def fetch(url: str, *, timeout: float, max_bytes: int, allow_private: bool | None) -> Fetched:
        asked.update(url=url, timeout=timeout, max_bytes=max_bytes, allow_private=allow_private)
        return Fetched(
            url + "final",
            b"<meta charset=koi8-r>" + article("дуб").encode("cp1251"),
            {"Content-Type": "text/html; charset=windows-1251"},
        )

    monkeypatch.setattr(fetching, "fetch", fetch)
    outcome = run("extract", "https://wood.example/", "--timeout", "2", "--max-size", "1M")
    assert "The heartwood of дуб" in outcome.out
    wanted = {"url": "https://wood.example/", "timeout": 2.0, "max_bytes": 1_000_000}
    assert asked == wanted | {"allow_private": None}, "who names a local host may read it"


def test_an_address_that_fails_is_said(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(url: str, *, timeout: float, max_bytes: int, allow_private: bool | None) -> Fetched:
        raise FetchError(f"{url}: the server did not answer in 30 seconds")

    monkeypatch.setattr(fetching, "fetch", fetch)
    outcome = run("extract", "https://wood.example/")
    assert outcome == (1, "", "duramen: https://wood.example/: the server did not answer in 30 seconds\n")


def test_a_password_in_an_address_is_not_shown(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def fetch(url: str, *, timeout: float, max_bytes: int, allow_private: bool | None) -> Fetched:
        asked.append(url)
        return Fetched(url, b"")

    monkeypatch.setattr(fetching, "fetch", fetch)
    outcome = run("extract", "https://me:secret@wood.example/")
    assert asked == ["https://me:secret@wood.example/"]
    assert outcome.err.startswith("duramen: https://wood.example/: nothing found")
    assert "secret" not in outcome.out + outcome.err


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://wood.example", "wood.example/index"),
        ("https://wood.example/a/b.html", "wood.example/a/b"),
        ("https://me:secret@wood.example/a/", "wood.example/a/index"),
        ("https://wood.example/a?x=1&y=../..", "wood.example/a-x-1-y"),
        ("https://wood.example/../../etc/passwd", "wood.example/etc/passwd"),
        ("https://wood.example/%2e%2e/%2Fetc", "wood.example/etc"),
        ("http://[bad/", "address"),
    ],
)
def test_an_address_makes_a_path_below_the_folder(address: str, place: str) -> None:
    assert find([address])[0].place.as_posix() == place


@given(st.text().map(lambda text: "https://" + text))
def test_no_address_leaves_the_folder(address: str) -> None:
    place = find([address])[0].place
    assert not place.is_absolute()
    assert ".." not in place.parts
    assert all(len(part.encode("utf-8", "replace")) <= 255 for part in place.parts)
