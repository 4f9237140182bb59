"""The formulas of the pages in `tests/pages/structure` are those of the expected Markdown, in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duramen.dom.tree import TEXT, Tree
from duramen.structure.formulas import (
    find_formula_copies,
    find_formulas,
    find_text_formulas,
    uses_asciimath,
    uses_dollar_delimiters,
)

PAGES = Path(__file__).parents[1] / "pages" / "structure"
CASES = (
    "arxiv-latexml asciimath katex mathjax2 mathjax3 mathjax4 mathml-plain prices raw-tex stackexchange-math"
    " wikipedia-math wordpress-latex zhihu-math".split()
)
SKIPPED = frozenset(("code", "pre", "script", "style", "title"))


def list_formulas(tree: Tree) -> list[tuple[str, bool]]:
    """Return the formulas of elements and of text, in document order."""
    formulas, copies = find_formulas(tree), find_formula_copies(tree)
    dollars, asciimath = uses_dollar_delimiters(tree), uses_asciimath(tree)
    listed: list[tuple[str, bool]] = []
    node = 0
    while node < len(tree):
        if node in formulas:
            listed.append((formulas[node].tex, formulas[node].is_display))
        elif tree.tag[node] == TEXT:
            found = find_text_formulas(tree.text[node], dollars=dollars, asciimath=asciimath)
            listed += [(formula.tex, formula.is_display) for formula in found]
        elif tree.tag[node] not in SKIPPED and node not in copies:
            node += 1
            continue
        node = tree.end[node]
    return listed


def read_markdown_formulas(markdown: str) -> list[tuple[str, bool]]:
    markdown = re.sub(r"(?ms)^```.*?^```$", "", markdown)
    found = re.finditer(r"(?ms)^\$\$\n(.+?)\n\$\$$|\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)", markdown)
    return [(match[1], True) if match[1] else (match[2], False) for match in found]


@pytest.mark.parametrize("case", CASES)
def test_the_formulas_of_a_page_are_the_expected_ones(case: str) -> None:
    tree = Tree.parse((PAGES / case / "page.html").read_bytes())
    markdown = (PAGES / case / "expected.md").read_text("utf-8")
    expected = [] if case == "prices" else read_markdown_formulas(markdown)
    assert list_formulas(tree) == expected
    assert case == "prices" or len(expected) >= 3
