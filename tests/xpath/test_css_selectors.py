"""XPath as CSS: the selectors select the same elements, or there is none."""

from __future__ import annotations

import pytest
from lxml import html
from lxml.cssselect import CSSSelector

from duramen.xpath.css_selectors import to_css

PAGE = """<html><body><main id=a><div class="x item"><h3><a href=/1>1</a></h3><p class=price>5</p><p>6</p></div>
<div class="item y"><h3>2</h3><p>7</p><p itemprop=name>8</p></div><ul><li>9<li>10</ul></main></body></html>"""


@pytest.mark.parametrize(
    "expression",
    [
        "//main/div",
        "//main[@id='a']/div[contains(concat(' ', normalize-space(@class), ' '), ' item ')]",
        "//div//p[not(@class)]",
        "//div/p[2]",
        "//main/div[h3/a]",
        "//div[not(contains(concat(' ', normalize-space(@class), ' '), ' x '))]",
        "//p[@itemprop='name' and not(@class)]",
        "/html/body/main",
        "//*[@id='a']/ul/li[1]",
    ],
)
def test_the_selector_means_the_same(expression: str) -> None:
    root = html.fromstring(PAGE)
    selector = to_css(expression)
    assert selector is not None
    found = CSSSelector(selector, translator="html")(root)
    assert found == root.xpath(expression)
    assert found


def test_relative_paths_begin_at_the_scope() -> None:
    assert to_css(".") == ":scope"
    assert to_css("./h3/a") == ":scope > h3 > a"
    assert to_css(".//a[1]") == ":scope a:nth-of-type(1)"


@pytest.mark.parametrize(
    "expression",
    [
        "./p[starts-with(normalize-space(.), 'Salary:')]",
        "./text()",
        "./p[contains(concat(' ', normalize-space(@class), ' '), ' price ')][2]",
        "./*[3]",
        "./dd[preceding-sibling::dt[1]='Price']",
    ],
)
def test_what_css_cannot_express_has_no_selector(expression: str) -> None:
    assert to_css(expression) is None
