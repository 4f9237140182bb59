"""The two baselines of the rendering paper."""

from __future__ import annotations

from dataclasses import replace

from duramen.dom.page import Page
from duramen.methods.regions.tag_path import TagPath
from duramen.methods.regions.xpath_rank import XpathRank

MENU = "<ul id=menu>" + "<li><a href=/>Home</a></li>" * 6 + "</ul>"
RESULT = "<div class=result><h3><a href=/r>A result</a></h3><p>Some words that tell of it.</p><i>3 stars</i></div>"
PAGE = f"<div id=top>{MENU}</div><div id=main><h1>Results</h1>{RESULT * 8}<p>next</p></div><div id=foot><p>x</p></div>"


def found(method: TagPath | XpathRank, page: Page) -> str | None:
    node = method(page).node
    return None if node is None else page.tree.attributes[node].get("id") or page.tree.tag[node]


def test_tag_path_keeps_the_part_whose_paths_stand_nowhere_else() -> None:
    assert found(TagPath(), Page.parse(PAGE.replace("div id=main", "section id=main"))) == "main"


def test_tag_path_takes_the_body_where_nothing_can_be_split_off() -> None:
    assert found(TagPath(least=1.0), Page.parse(PAGE)) == "body"


def test_xpath_rank_takes_the_home_of_the_records() -> None:
    content = XpathRank()(Page.parse(PAGE))
    assert found(XpathRank(), Page.parse(PAGE)) == "main"
    assert content.confidence > 0.9
    assert "8 div elements" in content.reason


def test_xpath_rank_needs_enough_elements() -> None:
    assert not XpathRank(min_nodes=9)(Page.parse(PAGE.replace(MENU, "")))


def test_xpath_rank_needs_elements_that_are_alike() -> None:
    odd = "<div><p>a</p></div><div><ul><li>b<li>c</ul></div><div><table><tr><td>d</table></div>"
    assert not XpathRank()(Page.parse(odd))
    assert XpathRank(min_similarity=0.0, mean_similarity=0.0)(Page.parse(odd))


def test_xpath_rank_goes_by_the_screen_where_it_can() -> None:
    page = Page.parse(PAGE)
    tree = page.tree
    menu = next(node for node in range(len(tree)) if tree.attributes[node].get("id") == "menu")
    box = [
        (0.0, 0.0, 500.0, 500.0) if menu <= node < tree.end[menu] else (0.0, 0.0, 1.0, 1.0) for node in range(len(tree))
    ]
    assert found(XpathRank(), replace(page, tree=replace(tree, box=box))) == "menu"
