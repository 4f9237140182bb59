"""Text nodes of an element, and blocks of text."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.tree import Tree
from duramen.dom.visibility import find_visible_texts
from duramen.wrappers.text_blocks import find_text_blocks, find_text_nodes


@given(st.integers(0, 10_000))
def test_text_nodes_of_an_element_are_the_visible_ones_of_the_page_inside_it(seed: int) -> None:
    tags = ["div", "p", "script", "noscript", "div hidden", "span", "select", "p style='display:none'", "b"]
    shuffled = random.Random(seed)
    html = ""
    for number in range(40):
        name = shuffled.choice(tags)
        html += f"<{name}>word {number}" + (f"</{name.split()[0]}>" * shuffled.randint(0, 1))
    tree = Tree.parse(html)
    everywhere = find_visible_texts(tree)
    for node in range(len(tree)):
        assert find_text_nodes(tree, node) == [text for text in everywhere if node <= text < tree.end[node]]


def test_a_block_is_the_text_of_one_paragraph_with_its_linked_words() -> None:
    tree = Tree.parse("<p>An <b>old</b> <a href=/o>oak</a></p><li><a href=/e>elm trees</a>")
    first, second = find_text_blocks(tree, find_visible_texts(tree))
    assert (first.text, first.words, first.linked_words, first.is_mostly_links) == ("an old oak", 3, 1, False)
    assert (second.text, second.is_mostly_links) == ("elm trees", True)


def test_the_words_of_long_blocks_without_links_are_not_read() -> None:
    tree = Tree.parse("<p>A long paragraph about an oak</p><p>Short</p>")
    assert [block.text for block in find_text_blocks(tree, find_visible_texts(tree), max_chars=10)] == ["", "short"]
