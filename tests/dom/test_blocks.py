"""Blocks: where one ends and the next begins, and which elements hold them."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.methods.auto.pages import NEWS, PAGES, blocks_of, made_pages

from duramen.dom.blocks import count_words
from duramen.dom.tree import TEXT
from duramen.dom.visibility import find_visible_texts


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<p>One</p><p>Two</p>", ["One", "Two"]),
        ("<div>before<p>in</p>after</div>", ["before", "in", "after"]),
        ("<p>a <a href=/>b</a> <b><i>c</i></b>d<span> e</span></p>", ["a b c d e"]),
        ("one<br>two", ["one two"]),
        ("one<br><br>two", ["one", "two"]),
        ("one<br> \n <br>two", ["one", "two"]),
        ("one<br><br><br>two<br>three", ["one", "two three"]),
        ("one<hr>two", ["one", "two"]),
        ("one<div></div>two", ["one", "two"]),
        ("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>", ["a", "b", "c", "d"]),
        ("<p>  much \n\t space\u00a0 here </p>", ["much space here"]),
        ("<p> </p><div>\n</div>", []),
    ],
)
def test_borders(html: str, texts: list[str]) -> None:
    assert blocks_of(html).text == texts


def test_hidden_text_is_in_no_block_and_no_border() -> None:
    blocks = blocks_of("<title>t</title><p>a<span hidden>b</span><script>c</script>d<p style='display:none'>e<p>f")
    assert blocks.text == ["a d", "f"]


def test_a_block_has_its_first_and_last_text_node() -> None:
    blocks = blocks_of("<p>one <b>two</b> three</p><p>four</p>")
    texts = blocks.tree.text
    assert [
        (texts[first].strip(), texts[last].strip()) for first, last in zip(blocks.first, blocks.last, strict=True)
    ] == [
        ("one", "three"),
        ("four", "four"),
    ]


def test_words_in_links_and_bold_ones_are_counted() -> None:
    blocks = blocks_of("<p>a <a href=/>b <b>c d</b></a> e <strong>f</strong> g</p><p><b>h</b></p><p>i</p>")
    assert blocks.words.tolist() == [7, 1, 1]
    assert blocks.linked.tolist() == [3, 0, 0]
    assert blocks.bold.tolist() == [3, 1, 0]


def test_a_link_around_blocks_links_them_all() -> None:
    assert blocks_of("<a href=/><div>one two</div><div>three</div></a><p>four").linked.tolist() == [2, 1, 0]


def test_characters_of_scripts_without_spaces_count_as_words() -> None:
    assert count_words("ascii only", 2) == 2
    assert count_words("Ünïcode où", 2) == 2
    texts = ("树木", "树木的心材很坚硬", "2026年的 heartwood 心材")
    assert [blocks_of(f"<p>{text}</p>").words[0] for text in texts] == [2, 8, 6]


def test_pictures_are_counted_in_every_element_that_holds_them() -> None:
    blocks = blocks_of("<div><p>a<img></p><p>b<a href=/><img></a><img></p></div><div>c</div>")
    tags = [blocks.tree.tag[node] for node in blocks.node]
    assert list(zip(tags, blocks.images, strict=True))[2:] == [("div", 3), ("p", 1), ("p", 2), ("div", 0)]


def test_only_elements_with_blocks_are_listed() -> None:
    blocks = blocks_of("<div><section></section><p> </p></div><div><p>a</p><p hidden>b</p></div>")
    assert [blocks.tree.tag[node] for node in blocks.node] == ["html", "body", "div", "p"]


@pytest.mark.parametrize("html", ["", " ", "<p></p>", "<script>s</script>", "<div hidden>a</div>", "<frameset><frame>"])
def test_a_page_without_words_has_no_blocks(html: str) -> None:
    blocks = blocks_of(html)
    assert len(blocks) == 0
    assert [*blocks.node, *blocks.text, *blocks.owner] == []


def test_deep_pages_need_no_recursion() -> None:
    assert blocks_of("<div>" * 20_000 + "deep").text == ["deep"]


def check(html: str) -> None:
    """What holds on every page."""
    blocks = blocks_of(html)
    tree = blocks.tree
    lists = blocks.first, blocks.last, blocks.text, blocks.words, blocks.linked, blocks.bold, blocks.owner
    assert {len(each) for each in lists} == {len(blocks)}
    visible = find_visible_texts(tree)
    # every text that is visible is in one block, and in order
    covered = [node for first, last in zip(blocks.first, blocks.last, strict=True) for node in range(first, last + 1)]
    assert covered == sorted(set(covered))
    assert [node for node in visible if node not in set(covered)] == []
    assert " ".join(blocks.text).split() == " ".join(tree.text[node] for node in visible).split()
    for block, owner in enumerate(blocks.owner):
        assert tree.tag[blocks.first[block]] == TEXT
        assert 0 <= blocks.linked[block] <= blocks.words[block]
        assert 0 <= blocks.bold[block] <= blocks.words[block]
        assert blocks.start[owner] <= block < blocks.stop[owner]
    for element, (node, above) in enumerate(zip(blocks.node, blocks.parent, strict=True)):
        inside = [block for block, first in enumerate(blocks.first) if node < first < tree.end[node]]
        assert inside == list(range(blocks.start[element], blocks.stop[element])) != []
        assert above < element
        if above >= 0:
            assert blocks.node[above] in tree.ancestors(node)
    assert [element for element, above in enumerate(blocks.parent) if above < 0] == ([0] if len(blocks) else [])


@pytest.mark.parametrize("html", PAGES)
def test_every_written_page_is_covered(html: str) -> None:
    check(html)


@given(made_pages())
def test_every_page_is_covered(html: str) -> None:
    check(html)


def test_the_blocks_of_a_whole_page() -> None:
    assert [text[:12] for text in blocks_of(NEWS).text] == [
        *("Home", "News", "Sport", "The oak and ", "Half of the ", "Nobody remem", "Nice!", "So true, 10 ", "Home")
    ]
