"""The rendering-based method: each stage of the paper, with it and without it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duramen import methods
from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.tree import Box, Tree
from duramen.errors import UsageError
from duramen.methods.regions.rendered import RenderedRegion, find_candidates


def lay_out(html: str, default: tuple[int, int] = (1000, 10)) -> Page:
    """A page whose elements have the size in their attribute `data-size`: "width height"."""
    page = Page.parse(html)
    box: list[Box | None] = []
    for node, tag in enumerate(page.tree.tag):
        size = page.tree.attributes[node].get("data-size")
        width, height = map(float, size.split()) if size else default
        box.append(None if tag == "#text" or size == "" else (0.0, 0.0, width, height))
    return replace(page, tree=replace(page.tree, box=box))


def region_id(content: Content) -> str | None:
    assert content.node is not None
    return content.page.tree.attributes[content.node].get("id") or content.page.tree.tag[content.node]


ITEMS = "<li><p>one</p></li><li><p>two</p></li><li><p>three</p></li>"
# A menu that is narrow, a header that is low, and between them the results, in a main element with a title and a pager.
PAGE = f"""<body data-size="1000 1000">
<ul id=head data-size="1000 150">{ITEMS}</ul>
<ul id=menu data-size="200 900">{ITEMS}</ul>
<div id=main data-size="800 800"><div>title</div>
<ol id=results data-size="800 700"><li><b>a</b><i>1</i><u>x</u></li><li><b>b</b><i>2</i><u>x</u></li>
<li><b>c</b><i>3</i><u>x</u></li></ol><div>next</div><div>last</div></div></body>"""


def test_the_largest_list_is_the_region() -> None:
    content = RenderedRegion()(lay_out(PAGE))
    assert region_id(content) == "results"
    assert content.xpath == "/html[1]/body[1]/div[1]/ol[1]"
    assert content.confidence == 1.0
    assert "56% of the body" in content.reason


def test_without_boxes_the_content_is_empty_with_a_reason() -> None:
    content = RenderedRegion()(Page.parse(PAGE))
    assert not content
    assert "--render" in content.reason


def test_with_no_candidate_left_the_body_is_the_region() -> None:
    content = RenderedRegion()(lay_out("<p>one</p><p>two</p>"))
    assert region_id(content) == "body"
    assert content.confidence == 0.0


def test_a_page_without_text_has_no_region() -> None:
    assert not RenderedRegion()(lay_out("<ul><li><li><li></ul>"))


@pytest.mark.parametrize("tag", ["input", "option", "img", "td", "script", "noscript"])
def test_elements_that_are_no_records_make_no_candidate(tag: str) -> None:
    tree = Tree.parse(f"<table><tr>{f'<{tag}></{tag}>' * 4}</table><div>{f'<{tag}></{tag}>' * 4}</div>")
    assert find_candidates(tree, 3) == []


def test_a_candidate_has_enough_children_of_one_tag() -> None:
    tree = Tree.parse("<div><p>a<p>b<hr></div><div><p>a<p>b<p>c</div>")
    assert [tree.tag[node] for node in find_candidates(tree, 3)] == ["div"]
    assert len(find_candidates(tree, 2)) == 3  # the body has two of them


# For each stage: a page that needs it, the region with the stage, the region without it.
NEEDED = {
    "area": (f'<body data-size="1000 1000"><ul id=small data-size="320 250">{ITEMS}</ul>', "body", "small"),
    "height": (f'<body data-size="1000 1000"><ul id=low data-size="1000 150">{ITEMS}</ul>', "body", "low"),
    "width": (f'<body data-size="1000 1000"><ul id=narrow data-size="200 900">{ITEMS}</ul>', "body", "narrow"),
    "parent": (PAGE, "results", "main"),
    "climb": (
        f'<body data-size="1000 1000"><div id=all data-size="900 900"><ol id=a data-size="900 500">{ITEMS}</ol>'
        f'<p>advertisement</p><ol id=b data-size="900 300">{ITEMS}</ol></div>',
        "all",
        "a",
    ),
}


@pytest.mark.parametrize("stage", NEEDED)
def test_a_stage_can_be_switched_off(stage: str) -> None:
    html, with_it, without_it = NEEDED[stage]
    assert region_id(RenderedRegion()(lay_out(html))) == with_it
    assert region_id(methods.get(f"rendered-region:without={stage}")(lay_out(html))) == without_it


def test_an_unknown_stage_cannot_be_switched_off() -> None:
    with pytest.raises(UsageError, match="no stage 'tide'"):
        methods.get("rendered-region:without=area+tide")


def test_thresholds_are_parameters() -> None:
    html = NEEDED["width"][0]
    assert region_id(methods.get("rendered-region:width=0.2")(lay_out(html))) == "narrow"
    assert region_id(methods.get("rendered-region:min_children=4:without=width")(lay_out(html))) == "body"


def test_equation_4_drops_any_ancestor_and_not_only_the_parent() -> None:
    around = PAGE.replace('<ol id=results data-size="800 700">', '<div><ol id=results data-size="800 700">').replace(
        "</ol>", "</ol></div>"
    )
    assert region_id(RenderedRegion()(lay_out(around))) == "results"
    assert region_id(RenderedRegion(ancestors=False)(lay_out(around))) == "main"


def test_the_climb_needs_similar_records() -> None:
    html = NEEDED["climb"][0].replace(f"{ITEMS}</ol></div>", "<li><b>a</b><i>b</i><u>c</u></li>" * 3 + "</ol></div>")
    assert region_id(RenderedRegion()(lay_out(html))) == "a"
    assert region_id(RenderedRegion(distance=4.0)(lay_out(html))) == "all"


def test_the_climb_is_limited_to_some_steps() -> None:
    html = (
        NEEDED["climb"][0]
        .replace("<ol id=a", "<div><div><div><ol id=a")
        .replace("</ol><p>", "</ol></div></div></div><p>")
    )
    assert region_id(RenderedRegion(steps=4)(lay_out(html))) == "all"
    assert region_id(RenderedRegion()(lay_out(html))) == "a"


def test_lists_that_are_not_on_the_screen_cause_no_climb() -> None:
    html = NEEDED["climb"][0].replace('<ol id=b data-size="900 300">', '<ol id=b data-size="">')
    assert region_id(RenderedRegion()(lay_out(html))) == "a"


def test_dropped_candidates_cause_no_climb() -> None:
    html = NEEDED["climb"][0].replace('<ol id=b data-size="900 300">', '<ol id=b data-size="200 900">')
    assert region_id(RenderedRegion()(lay_out(html))) == "a"
    assert region_id(RenderedRegion(width=0.1)(lay_out(html))) == "all"


def test_a_body_without_height_is_replaced_by_the_root() -> None:
    html = PAGE.replace('<body data-size="1000 1000">', '<html data-size="1000 1000"><body data-size="1000 0">')
    assert region_id(RenderedRegion()(lay_out(html))) == "results"
