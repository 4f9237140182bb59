"""The source `microdata`."""

from __future__ import annotations

import pytest
from tests.metadata.metadata_pages import HEADLINE, TEXT, read_body, read_page


def test_itemref_adds_properties() -> None:
    item = '<div itemscope itemtype="https://schema.org/Article" itemref="a b nowhere"></div>'
    parts = (
        '<p id="a"><i itemprop="description">Of oaks.</i></p><img id="b" itemprop="image" src="/oak.jpg">'
        '<p id="c"><i itemprop="keywords">elm</i></p>'
    )
    for body in (item + parts, parts + item):
        metadata = read_body(f"<h1>{HEADLINE}</h1>{body}{TEXT}")
        assert (metadata.description, metadata.image, metadata.tags) == ("Of oaks.", "https://wood.example/oak.jpg", ())


def test_circular_references_end() -> None:
    one = '<div id="a" itemscope itemtype="https://schema.org/WebPage" itemref="b"><i itemprop="mainEntity" itemscope '
    other = 'itemtype="https://schema.org/WebPage" itemref="a" id="b"><b itemprop="name">Oaks</b></i></div>'
    assert read_body(one + other + TEXT).page_type == "page"
    crossed = (
        '<div itemscope itemtype="https://schema.org/Article">'
        '<i id="y" itemprop="mainEntity" itemscope itemref="x"></i></div>'
        '<div itemscope itemtype="https://schema.org/Article">'
        '<i id="x" itemprop="mainEntity" itemscope itemref="y"></i></div>'
    )
    assert read_body(crossed + TEXT).title is None


def test_each_link_is_a_keyword() -> None:
    body = '<p itemprop="keywords"><a href="/o">oak</a><a href="/e">elm</a></p>'
    metadata = read_body(f'<article itemscope itemtype="https://schema.org/Article"><h1>{HEADLINE}</h1>{body}{TEXT}')
    assert metadata.tags == ("oak", "elm")


@pytest.mark.parametrize(
    "html",
    [
        '<div itemscope itemtype="">',
        '<div itemscope itemtype="https://schema.org/">',
        "<div typeof>",
        "<div property>",
        "<div itemprop itemscope itemref>",
        '<div class="h-entry" itemscope typeof="a b c" itemref="x y" property="::">',
        '<meta itemprop="author" content><meta property=" " content="x">',
        '<div itemscope itemprop="url image license" itemtype="https://schema.org/Article">',
    ],
)
def test_empty_markup_gives_nothing(html: str) -> None:
    metadata = read_page(f"{html}<h1>{HEADLINE}</h1>{TEXT}")
    assert (metadata.title, metadata.description, metadata.image, metadata.license) == (HEADLINE, None, None, None)


@pytest.mark.parametrize("name", ["itemprop=author", "itemprop=mainEntity", ""])
def test_circular_itemrefs_end(name: str) -> None:
    one = f"<div id=one><div itemscope {name} itemref=two><i itemprop=name>Oak</i></div></div>"
    two = f"<div id=two><div itemscope {name} itemref=one><i itemprop=name>Elm</i></div></div>"
    assert read_page(f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1>{one}{two}{TEXT}").title == HEADLINE
