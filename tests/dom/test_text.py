"""The text of an element."""

from __future__ import annotations

import pytest

from duramen.dom.text import read_text
from duramen.dom.tree import Tree


def words_of(html: str) -> list[str]:
    return read_text(Tree.parse(html)).split()


def test_inline_elements_join():
    assert words_of("<p><b>W</b>ord <i>an<u>oth</u>er</i></p>") == ["Word", "another"]


@pytest.mark.parametrize("html", ["<p>a<p>b", "<div>a</div>b", "a<br>b", "a<div>b</div>", "<td>a</td><td>b</td>"])
def test_other_elements_separate_words(html):
    assert words_of(f"<table><tr>{html}</table>" if "<td" in html else html) == ["a", "b"]


def test_the_end_of_a_block_separates_words_at_any_depth():
    assert words_of("<div><section><p><b>a</b></p></section></div><b>b</b>") == ["a", "b"]


def test_invisible_text_is_left_out():
    assert words_of("<title>t</title><body><script>s</script><style>c</style><noscript>n</noscript>a") == ["a"]


def test_deep_pages_are_read():
    assert words_of("<div>" * 20_000 + "oak") == ["oak"]
