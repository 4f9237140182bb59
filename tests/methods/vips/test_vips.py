"""Vision-based page segmentation: the rules of blocks, the separators, and the tree of segments."""

from __future__ import annotations

from dataclasses import replace

import pytest

import duramen
from duramen import methods
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Box, Style
from duramen.errors import NoBrowserError, UsageError
from duramen.methods.vips.method import Vips
from duramen.methods.vips.screen import Screen
from duramen.methods.vips.segmentation import MAX_ROUNDS, segment_page
from duramen.methods.vips.separators import find_separators
from duramen.methods.vips.visual_blocks import VisualBlock, extract_blocks
from duramen.rendering.find_browser import find_browser

PLAIN = Style(16.0, 400, "")


def lay_out(html: str) -> Page:
    """A page whose elements have the box in `data-box`, "x y width height", and the look in `data-look`."""
    page = Page.parse(html)
    box: list[Box | None] = []
    style: list[Style | None] = []
    for node, tag in enumerate(page.tree.tag):
        attributes = page.tree.attributes[node]
        x, y, width, height = map(float, attributes.get("data-box", "0 0 1000 1000").split())
        size, weight, background = [*attributes.get("data-look", "16 400").split(), ""][:3]
        box.append(None if tag == TEXT else (x, y, width, height))
        style.append(None if tag == TEXT else Style(float(size), int(weight), background))
    return replace(page, tree=replace(page.tree, box=box, style=style))


def blocks_of(html: str, threshold: float = 0.0) -> list[tuple[str, int]]:
    """The text of each block below the body, and its degree of coherence."""
    tree = lay_out(html).tree
    assert tree.box is not None
    return [
        (" ".join(tree.text[node].strip() for node in block.nodes if tree.tag[node] == TEXT), block.coherence)
        for block in extract_blocks(Screen(tree, tree.box), tree.body, threshold)
    ]


# The rules


def test_text_of_one_font_is_a_block_of_the_highest_coherence() -> None:
    assert blocks_of("<div><p>One <b>two</b>.</p><p>Three.</p></div>") == [("One two .", 10), ("Three.", 10)]


def test_text_of_two_fonts_is_less_coherent() -> None:
    assert blocks_of('<div><p>One <b data-look="16 700">two</b></p><p>Three.</p></div>')[0] == ("One two", 9)


def test_an_element_with_nothing_to_see_is_left_out() -> None:
    assert blocks_of("<div><div></div><div hidden>no</div><p>yes</p></div>") == [("yes", 10)]


def test_a_small_element_with_text_is_not_divided() -> None:
    html = '<div data-box="0 0 100 100">text<p data-box="0 50 100 50">more</p></div><p>other</p>'
    assert blocks_of(html, threshold=0.05)[0] == ("text more", 6)
    assert [text for text, _ in blocks_of(html)] == ["text", "more", "other"]


def test_an_element_of_small_children_is_not_divided() -> None:
    html = '<ul><li data-box="0 0 100 20">a</li><li data-box="0 20 100 20">b</li></ul><p>other</p>'
    assert blocks_of(html, threshold=0.05)[0][0] == "a b"
    assert blocks_of(html)[0][0] == "a"


def test_a_horizontal_rule_divides() -> None:
    html = '<div data-box="0 0 100 100">a<hr data-box="0 50 100 2">b</div><p>other</p>'
    assert [text for text, _ in blocks_of(html, threshold=0.5)][:2] == ["a", "b"]


def test_another_background_is_a_block_of_its_own() -> None:
    html = '<div><p>a</p><div data-look="16 400 red"><p>b</p><p>c</p></div></div>'
    assert [text for text, _ in blocks_of(html)] == ["a", "b c"]


def test_a_table_is_a_block_until_it_is_the_root() -> None:
    assert [text for text, _ in blocks_of("<p>a</p><table><tr><td>b<td>c</table>")] == ["a", "b c"]


# The separators


def block(x: float, y: float, width: float, height: float, style: Style = PLAIN, background: str = "") -> VisualBlock:
    return VisualBlock(range(1), (x, y, width, height), 10, style, background, is_text=True)


def test_separators_are_where_no_block_is() -> None:
    pool = [block(0, 0, 500, 100), block(600, 50, 400, 100), block(0, 200, 1000, 100)]
    found = find_separators(pool, [], is_horizontal=True)
    assert [(separator.start, separator.stop) for separator in found] == [(150, 200)]
    assert not find_separators(pool, [], is_horizontal=False)
    assert len(find_separators(pool[:2], [], is_horizontal=False)) == 1


def weight(first: VisualBlock, second: VisualBlock, rules: tuple[float, ...] = ()) -> int:
    return find_separators([first, second], rules, is_horizontal=True)[0].weight


def test_what_makes_a_separator_heavier() -> None:
    above, near = block(0, 0, 100, 100), block(0, 116, 100, 100)
    plain = weight(above, near)
    assert weight(above, block(0, 140, 100, 100)) > plain
    assert weight(above, near, (108.0,)) > plain
    assert weight(above, replace(near, background="red")) > plain
    larger = replace(near, style=Style(24.0, 400, ""))
    assert weight(above, larger) > plain
    assert weight(above, larger) > weight(replace(above, style=larger.style), replace(near, style=PLAIN))
    assert weight(replace(above, is_text=False), near) > plain


# The tree

COLUMNS = """<body data-box="0 0 1000 1000"><div data-box="0 0 1000 100"><p data-box="0 0 1000 100">head</p></div>
<div data-box="0 140 200 800"><p data-box="0 140 200 400">menu</p><p data-box="0 540 200 400">menu two</p></div>
<div data-box="240 140 760 800"><p data-box="240 140 760 400">The long text of the article, in words.</p>
<p data-box="240 540 760 400">And the second paragraph of the article, in more words.</p></div></body>"""


def test_columns_below_a_head_are_segments() -> None:
    tree = lay_out(COLUMNS).tree
    assert tree.box is not None
    root = segment_page(Screen(tree, tree.box), 10)
    head, rest = root.children
    assert (len(head.children), len(rest.children)) == (0, 2)
    assert [len(column.children) for column in rest.children] == [2, 2]


def test_the_segment_with_most_words_and_fewest_tags_is_the_content() -> None:
    content = Vips()(lay_out(COLUMNS))
    assert content.text.startswith("The long text")
    assert content.text.endswith("more words.")
    assert "segments" in content.reason


def test_a_lower_degree_of_coherence_has_fewer_segments() -> None:
    page = lay_out(COLUMNS.replace("<p ", "<div ").replace("</p>", "<ul><li>a</li><li>b</li></ul></div>"))
    counts = [len(Vips(coherence=degree)(page) and Vips(coherence=degree).segments(page)) for degree in (1, 6, 10)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_without_boxes_the_content_is_empty_with_a_reason() -> None:
    content = Vips()(Page.parse(COLUMNS))
    assert not content
    assert "--render" in content.reason


@pytest.mark.parametrize("degree", [0, 11])
def test_the_degree_is_from_one_to_ten(degree: int) -> None:
    with pytest.raises(UsageError, match="from 1 to 10"):
        methods.get("vips", coherence=degree)


@pytest.mark.parametrize(
    "html",
    ["", "<p></p>", "<p>x", "<table><tr><td>" * 60 + "deep, deeper.", "<p>some text, with commas.</p>" * 9_000],
    ids=["empty", "blank", "word", "nested tables", "wide"],
)
def test_every_page_gives_a_content(html: str) -> None:
    page = lay_out(html)
    content = Vips()(page)
    assert bool(content) == bool((html and "x" in html) or "deep" in html or "some" in html)
    assert len(Vips().segments(page)) <= len(page.tree) + MAX_ROUNDS


def test_a_page_in_chromium() -> None:
    try:
        find_browser()
    except NoBrowserError:
        pytest.skip("no Chromium here")
    paragraphs = "".join(
        f"<p>Paragraph {i} speaks of trees, of rings, and of what holds them up.</p>" for i in range(8)
    )
    page = duramen.render(
        "<style>#menu{float:left;width:20%;background:#ddd}#main{float:left;width:80%}</style>"
        "<div id=menu><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></div>"
        f"<div id=main><h1>Heartwood</h1>{paragraphs}</div>"
        "<div style='clear:both'><hr>All rights reserved. No part may be copied.</div>"
    )
    assert page.tree.style is not None
    heading, menu = page.tree.tag.index("h1"), page.tree.tag.index("div")
    assert page.tree.style[heading] == Style(32.0, 700, "")
    assert (page.tree.style[menu] or PLAIN).background == "rgb(221, 221, 221)"
    text = Vips()(page).text
    assert all(f"Paragraph {i} speaks" in text for i in range(8))
    assert "News" not in text
    assert "All rights" not in text
