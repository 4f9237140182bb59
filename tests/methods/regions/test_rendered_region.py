"""The largest list on the screen: each stage of the paper, and what it is like without it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duramen import methods
from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.tree import Box, Tree
from duramen.errors import UsageError
from duramen.methods.regions.rendered import RenderedRegion, candidates


def laid(html: str, default: tuple[int, int] = (1000, 10)) -> Page:
    """A page whose elements are as large as their `data-size` says, "width height"."""
    page = Page.parse(html)
    box: list[Box | None] = []
    for node, tag in enumerate(page.tree.tag):
        size = page.tree.attributes[node].get("data-size")
        width, height = map(float, size.split()) if size else default
        box.append(None if tag == "#text" or size == "" else (0.0, 0.0, width, height))
    return replace(page, tree=replace(page.tree, box=box))


def identity(content: Content) -> str | None:
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
    content = RenderedRegion()(laid(PAGE))
    assert identity(content) == "results"
    assert content.xpath == "/html[1]/body[1]/div[1]/ol[1]"
    assert content.confidence == 1.0
    assert "56% of the body" in content.reason


def test_without_boxes_nothing_is_found_and_the_reason_says_why() -> None:
    content = RenderedRegion()(Page.parse(PAGE))
    assert not content
    assert "--render" in content.reason


def test_with_no_candidate_left_the_body_is_the_region() -> None:
    content = RenderedRegion()(laid("<p>one</p><p>two</p>"))
    assert identity(content) == "body"
    assert content.confidence == 0.0


def test_a_page_without_text_has_no_region() -> None:
    assert not RenderedRegion()(laid("<ul><li><li><li></ul>"))


@pytest.mark.parametrize("tag", ["input", "option", "img", "td", "script", "noscript"])
def test_what_is_no_record_makes_no_candidate(tag: str) -> None:
    tree = Tree.parse(f"<table><tr>{f'<{tag}></{tag}>' * 4}</table><div>{f'<{tag}></{tag}>' * 4}</div>")
    assert candidates(tree, 3) == []


def test_a_candidate_has_enough_children_of_one_tag() -> None:
    tree = Tree.parse("<div><p>a<p>b<hr></div><div><p>a<p>b<p>c</div>")
    assert [tree.tag[node] for node in candidates(tree, 3)] == ["div"]
    assert len(candidates(tree, 2)) == 3  # the body has two of them


# Each stage, a page on which it is needed, what is found with it, and without.
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
    assert identity(RenderedRegion()(laid(html))) == with_it
    assert identity(methods.get(f"rendered-region:without={stage}")(laid(html))) == without_it


def test_a_stage_that_does_not_exist_cannot_be() -> None:
    with pytest.raises(UsageError, match="no stage 'tide'"):
        methods.get("rendered-region:without=area+tide")


def test_thresholds_are_parameters() -> None:
    html = NEEDED["width"][0]
    assert identity(methods.get("rendered-region:width=0.2")(laid(html))) == "narrow"
    assert identity(methods.get("rendered-region:min_children=4:without=width")(laid(html))) == "body"


def test_any_ancestor_gives_way_and_not_only_the_parent() -> None:
    around = PAGE.replace('<ol id=results data-size="800 700">', '<div><ol id=results data-size="800 700">').replace(
        "</ol>", "</ol></div>"
    )
    assert identity(RenderedRegion()(laid(around))) == "results"
    assert identity(RenderedRegion(ancestors=False)(laid(around))) == "main"


def test_the_climb_looks_for_records_that_are_alike() -> None:
    html = NEEDED["climb"][0].replace(f"{ITEMS}</ol></div>", "<li><b>a</b><i>b</i><u>c</u></li>" * 3 + "</ol></div>")
    assert identity(RenderedRegion()(laid(html))) == "a"
    assert identity(RenderedRegion(distance=4.0)(laid(html))) == "all"


def test_the_climb_ends_after_some_steps() -> None:
    html = (
        NEEDED["climb"][0]
        .replace("<ol id=a", "<div><div><div><ol id=a")
        .replace("</ol><p>", "</ol></div></div></div><p>")
    )
    assert identity(RenderedRegion(steps=4)(laid(html))) == "all"
    assert identity(RenderedRegion()(laid(html))) == "a"


def test_lists_that_are_not_on_the_screen_make_nobody_climb() -> None:
    html = NEEDED["climb"][0].replace('<ol id=b data-size="900 300">', '<ol id=b data-size="">')
    assert identity(RenderedRegion()(laid(html))) == "a"


def test_lists_that_the_filters_dropped_make_nobody_climb() -> None:
    html = NEEDED["climb"][0].replace('<ol id=b data-size="900 300">', '<ol id=b data-size="200 900">')
    assert identity(RenderedRegion()(laid(html))) == "a"
    assert identity(RenderedRegion(width=0.1)(laid(html))) == "all"


def test_a_body_without_height_is_measured_by_the_root() -> None:
    html = PAGE.replace('<body data-size="1000 1000">', '<html data-size="1000 1000"><body data-size="1000 0">')
    assert identity(RenderedRegion()(laid(html))) == "results"
