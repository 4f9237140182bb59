"""The documentation site builds without a warning, and asks no other host for anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


def build_site(folder: Path) -> None:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed (duramen[docs])")
    pytest.importorskip("mkdocstrings", reason="mkdocstrings is not installed (duramen[docs])")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr


class Loads(HTMLParser):
    """The URLs that a browser loads with a page."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if tag in LOADING and values.get("rel") != "canonical":
            self.urls.append(values.get(LOADING[tag]) or "")


def check_all_documents_are_pages(site: Path) -> None:
    pages = {path.relative_to(site).with_suffix(".md").as_posix() for path in site.rglob("*.html")}
    documents = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert documents <= pages
    assert {"index.md", "contributing.md", "changelog.md", "reference/cli.md", "reference/model-cards.md"} <= pages


def check_nothing_is_loaded_from_another_host_and_no_path_of_this_machine_is_shown(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        loads = Loads()
        loads.feed(text)
        assert not [url for url in loads.urls if re.match(r"(https?:)?//", url)], path
        assert str(ROOT) not in text, path


def check_the_site_shows_the_version_the_options_and_the_docstrings(site: Path) -> None:
    import duramen

    assert f"duramen {duramen.__version__}" in (site / "index.html").read_text("utf-8")
    assert "--allow-private" in (site / "reference" / "cli.html").read_text("utf-8")
    reference = (site / "reference" / "api.html").read_text("utf-8")
    missing = [name for name in duramen.__all__ if f'id="duramen.{name}"' not in reference]
    assert not missing


def check_pages_can_be_searched(site: Path) -> None:
    assert "heartwood" in (site / "search" / "search_index.json").read_text("utf-8").lower()


def test_no_page_is_in_the_menu_twice() -> None:
    """That none is missing is checked by `validation.nav.omitted_files` when the site is built."""
    targets = re.findall(r"^ +- .*?([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert len(targets) > 50
    assert sorted(targets) == sorted(set(targets))


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    """One test, so that the site is built once, however many processes run the tests."""
    build_site(tmp_path)
    check_all_documents_are_pages(tmp_path)
    check_nothing_is_loaded_from_another_host_and_no_path_of_this_machine_is_shown(tmp_path)
    check_the_site_shows_the_version_the_options_and_the_docstrings(tmp_path)
    check_pages_can_be_searched(tmp_path)
