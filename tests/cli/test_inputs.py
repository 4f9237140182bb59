"""Pages to read: files, folders, URLs and standard input."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.cli.inputs import find_inputs
from duramen.errors import FetchError
from duramen.net import fetch as fetching

if TYPE_CHECKING:
    from tests.cli.conftest import Article, Run


@dataclass
class Fetched:
    url: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


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
    found = [Path(source.name).relative_to("pages").as_posix() for source in find_inputs(["pages"])]
    assert found == ["a.XHTML", "ash.html", "b.HTML.gz", "beech.htm", "sub/ash.html"]


def test_a_file_named_itself_may_have_any_name(folder: Path, run: Run, article: Article) -> None:
    (folder / "page").write_text(article("yew"))
    assert "The heartwood of yew" in run("extract", "page").out


def test_a_folder_without_pages_is_reported(folder: Path, run: Run) -> None:
    (folder / "pages").mkdir()
    outcome = run("extract", "pages")
    assert outcome.status == 1
    assert "no pages in this folder" in outcome.err


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any bytes for a name")
def test_a_name_in_no_encoding_is_kept(folder: Path, run: Run, article: Article) -> None:
    name = os.fsdecode(b"caf\xe9.html")
    (folder / name).write_text(article("oak"))
    assert run("extract", name, "-o", "out/") == (0, "", "")
    assert os.listdir(b"out") == [b"caf\xe9.txt"]
    assert run("extract", name, name).out.startswith("==> caf\\udce9.html <==\n")


def test_a_url_is_fetched(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, article: Article) -> None:
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


def test_a_url_that_fails_is_reported(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(url: str, *, timeout: float, max_bytes: int, allow_private: bool | None) -> Fetched:
        raise FetchError(f"{url}: the server did not answer in 30 seconds")

    monkeypatch.setattr(fetching, "fetch", fetch)
    outcome = run("extract", "https://wood.example/")
    assert outcome == (1, "", "duramen: https://wood.example/: the server did not answer in 30 seconds\n")


def test_a_password_in_a_url_is_not_shown(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_url_makes_a_path_below_the_folder(address: str, place: str) -> None:
    assert find_inputs([address])[0].output_stem.as_posix() == place


@given(st.text().map(lambda text: "https://" + text))
def test_no_url_leaves_the_folder(address: str) -> None:
    place = find_inputs([address])[0].output_stem
    assert not place.is_absolute()
    assert ".." not in place.parts
    assert all(len(part.encode("utf-8", "replace")) <= 255 for part in place.parts)
