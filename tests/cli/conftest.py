"""What the tests of the command line share: a folder to work in, pages in it, and a way to run a command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.evaluation.conftest import make_set

import duramen
from duramen.cli import main

__all__ = ["make_set"]  # a fixture of the tests of evaluate

SENTENCE = "The heartwood of {name} is the dark middle of its trunk, which carries no water, but holds it upright. "


def write_article(name: str) -> str:
    """A page with a menu, an article of four paragraphs on `name`, and a footer."""
    paragraphs = "".join(f"<p>{SENTENCE.format(name=name) * 3}</p>" for _ in range(4))
    return (
        f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>On {name}</title></head><body>"
        "<nav><ul><li><a href='/'>Home</a></li><li><a href='/shop'>Shop</a></li></ul></nav>"
        f"<main><article><h1>On {name}</h1>{paragraphs}"
        f"<p>See <a href='https://wood.example/{name}'>the page on {name}</a>, which tells more of the same story, "
        "at greater length, and with pictures of the wood when it is cut and when it is dry.</p>"
        "</article></main>"
        "<footer><a href='/terms'>Terms</a> <a href='/privacy'>Privacy</a></footer></body></html>"
    )


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Outcome]
Article = Callable[[str], str]


@pytest.fixture
def article() -> Article:
    return write_article


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def page(folder: Path) -> Path:
    """`page.html`, an article on oak."""
    path = folder / "page.html"
    path.write_text(write_article("oak"), encoding="utf-8")
    return path


@pytest.fixture
def pages(folder: Path) -> Path:
    """A folder `pages` with three articles, one of them further down."""
    (folder / "pages" / "sub").mkdir(parents=True)
    for place, name in (("ash.html", "ash"), ("beech.htm", "beech"), ("sub/ash.html", "mountain ash")):
        (folder / "pages" / place).write_text(write_article(name), encoding="utf-8")
    return folder / "pages"


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process."""

    def run(*argv: str | Path) -> Outcome:
        status = main([str(argument) for argument in argv])
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture
def command(folder: Path) -> list[str]:
    """How to start duramen as a process of its own."""
    return [sys.executable, "-m", "duramen"]


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of such a process: it finds the package under test, and nothing else that was set by hand."""
    source = str(Path(duramen.__file__).parents[1])
    set_by_hand = ("PYTHON", "COLUMNS", "NO_COLOR", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(set_by_hand)}
    return {**kept, "PYTHONPATH": source, "TERM": "xterm"}
