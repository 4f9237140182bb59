"""The Markdown of whole pages, each after the markup of a generator, is what was written by hand beside the page."""

from __future__ import annotations

from pathlib import Path

import pytest

import duramen

PAGES = Path(__file__).parents[1] / "pages" / "structure"
CASES = sorted(path.parent.name for path in PAGES.glob("*/page.html"))


@pytest.mark.parametrize("case", CASES)
def test_markdown_is_as_expected(case: str) -> None:
    content = duramen.extract(PAGES / case / "page.html")
    assert content.markdown == (PAGES / case / "expected.md").read_text("utf-8")
