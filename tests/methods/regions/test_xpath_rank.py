"""The method xpath-rank."""

from __future__ import annotations

from dataclasses import replace

from duramen.dom.page import Page
from duramen.methods.regions.xpath_rank import XpathRank

MENU = "<ul id=menu>" + "<li><a href=/>Home</a></li>" * 6 + "</ul>"
RESULT = "<div class=result><h3><a href=/r>A result</a></h3><p>Some words that tell of it.</p><i>3 stars</i></div>"
PAGE = f"<div id=top>{MENU}</div><div id=main><h1>Results</h1>{RESULT * 8}<p>next</p></div><div id=foot><p>x</p></div>"


def region_id(method: XpathRank, page: Page) -> str | None:
    node = method(page).node
    return None if node is None else page.tree.attributes[node].get("id") or page.tree.tag[node]


def test_the_region_is_the_lowest_element_around_the_records() -> None:
    content = XpathRank()(Page.parse(PAGE))
    assert region_id(XpathRank(), Page.parse(PAGE)) == "main"
    assert content.confidence > 0.9
    assert "8 div elements" in content.reason


def test_an_xpath_needs_enough_elements() -> None:
    assert not XpathRank(min_nodes=9)(Page.parse(PAGE.replace(MENU, "")))


def test_an_xpath_needs_similar_elements() -> None:
    odd = "<div><p>a</p></div><div><ul><li>b<li>c</ul></div><div><table><tr><td>d</table></div>"
    assert not XpathRank()(Page.parse(odd))
    assert XpathRank(min_similarity=0.0, mean_similarity=0.0)(Page.parse(odd))


def test_areas_are_used_on_a_rendered_page() -> None:
    page = Page.parse(PAGE)
    tree = page.tree
    menu = next(node for node in range(len(tree)) if tree.attributes[node].get("id") == "menu")
    box = [
        (0.0, 0.0, 500.0, 500.0) if menu <= node < tree.end[menu] else (0.0, 0.0, 1.0, 1.0) for node in range(len(tree))
    ]
    assert region_id(XpathRank(), replace(page, tree=replace(tree, box=box))) == "menu"
