"""Pages written as XML keep what stands after an empty element."""

from __future__ import annotations

import pytest

from duramen.dom.page import Page

REST = "<div id='after'/><div id='main'>" + "<p>Heartwood carries the tree.</p>" * 60 + "</div>"


@pytest.mark.parametrize("name", ["iframe", "script", "title", "style", "textarea"])
@pytest.mark.parametrize("as_bytes", [False, True])
def test_an_empty_raw_element_does_not_swallow_the_page(name: str, as_bytes: bool) -> None:
    html = f"<html><body><{name} id='x'/>{REST}</body></html>"
    page = Page.parse(html.encode() if as_bytes else html)
    assert page.tree.tag.count("p") == 60
    after = next(node for node in range(len(page.tree)) if page.tree.attributes[node].get("id") == "after")
    assert page.tree.end[after] == after + 1  # the empty div is empty, as it was written


def test_void_elements_stay_as_they_are() -> None:
    page = Page.parse(f"<body><iframe src='x' /><br/><img src='a.png'/>{REST}")
    assert page.tree.tag.count("br") == page.tree.tag.count("img") == 1


def test_an_ordinary_page_is_left_alone() -> None:
    html = "<body><div/><p>One</p><script>var x = '<iframe/>';</script>"
    page = Page.parse(html)
    assert page.source == html
    assert page.tree.tag[page.tree.parent[page.tree.tag.index("p")]] == "div"  # as a browser reads it


def test_a_script_that_was_never_closed_is_not_a_page_of_xml() -> None:
    html = "<body><p>One</p><script>" + "var x = 1;" * 500
    page = Page.parse(html)
    assert page.source == html
    assert page.tree.tag.count("p") == 1
