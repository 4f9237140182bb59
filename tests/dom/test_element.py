"""Elements that users select with XPath and CSS."""

from __future__ import annotations

import pickle

import pytest

from duramen.dom.page import Page
from duramen.errors import UsageError

HTML = """<title>T</title><body id=top><h1 class="big red">Two  <b>words</b></h1>
<div><p>One</p><p>Two<script>x()</script></p></div><p hidden>Three</p>"""


def test_xpath_gives_elements_with_text_and_attributes() -> None:
    (heading,) = Page.parse(HTML).xpath("//h1")
    assert (heading.tag, heading.text, heading.attributes) == ("h1", "Two words", {"class": "big red"})


def test_relative_paths_start_at_the_element() -> None:
    (division,) = Page.parse(HTML).xpath("//div")
    assert [element.text for element in division.xpath("./p")] == ["One", "Two"]
    assert [element.text for element in division.xpath("//p")] == ["One", "Two", "Three"]


def test_text_nodes_are_not_elements() -> None:
    assert Page.parse(HTML).xpath("//h1/text()") == []


def test_css_selects_in_document_order() -> None:
    page = Page.parse(HTML)
    assert [element.text for element in page.css("h1.big, div > p")] == ["Two words", "One", "Two"]
    assert [element.tag for element in page.css("html")] == ["html"]
    assert page.css("h2") == []


def test_css_of_an_element_selects_below_it() -> None:
    (division,) = Page.parse(HTML).css("div")
    assert [element.text for element in division.css("p")] == ["One", "Two"]
    assert [element.text for element in division.css("body p:first-child")] == ["One"]
    assert division.css("div") == []


def test_css_selects_the_same_on_a_pickled_page() -> None:
    page = Page.parse(HTML)
    copy = pickle.loads(pickle.dumps(page))
    assert [element.node for element in copy.css("p")] == [element.node for element in page.css("p")]


def test_the_text_of_an_invisible_element_is_its_own() -> None:
    assert Page.parse(HTML).css("title")[0].text == "T"
    assert Page.parse(HTML).css("body")[0].text == "Two words One Two Three"


def test_an_invalid_selector_is_a_usage_error() -> None:
    page = Page.parse(HTML)
    with pytest.raises(UsageError, match="CSS selector"):
        page.css("p[")
    with pytest.raises(UsageError, match="XPath"):
        page.xpath("//p[")


def test_repr_shows_tag_and_text() -> None:
    (heading,) = Page.parse(HTML).css("h1")
    assert repr(heading) == f"""<Element {heading.node}: <h1 class="big red"> 'Two words'>"""
