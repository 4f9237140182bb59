"""The source `meta`."""

from __future__ import annotations

from tests.metadata.metadata_pages import HEADLINE, TEXT, TODAY, metadata, names

from duramen.dom.page import Page
from duramen.metadata import Metadata

ARTICLE = '<meta property="og:type" content="article">'


def meta(**fields: str) -> str:
    return "".join(f'<meta name="{name.replace("__", ".")}" content="{value}">' for name, value in fields.items())


def test_twitter_labels_name_the_author() -> None:
    head = meta(**{"twitter:label1": "Written by", "twitter:data1": "Jane Doe"})
    assert names(metadata(ARTICLE + head, "<p>By Jane Doe</p>")) == ["Jane Doe"]


ADDRESS = "https://wood.example/articles/oaks"


def read(html: str, url: str | None = ADDRESS) -> Metadata:
    return Metadata.read(Page.parse(html, url), TODAY)


def test_capitals_and_missing_schemes_do_not_matter() -> None:
    top = f"<DIV ITEMSCOPE ITEMTYPE=schema.org/Article><H1 ITEMPROP=headline>{HEADLINE}</H1>"
    assert read(f"{top}<P ITEMPROP=Description>Oaks.</P>{TEXT}").description == "Oaks."
