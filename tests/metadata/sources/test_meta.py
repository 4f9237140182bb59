"""The source `meta`."""

from __future__ import annotations

from tests.metadata.metadata_pages import ARTICLE, HEADLINE, TEXT, meta, metadata, names, read_page


def test_twitter_labels_name_the_author() -> None:
    head = meta(**{"twitter:label1": "Written by", "twitter:data1": "Jane Doe"})
    assert names(metadata(ARTICLE + head, "<p>By Jane Doe</p>")) == ["Jane Doe"]


def test_capitals_and_missing_schemes_do_not_matter() -> None:
    top = f"<DIV ITEMSCOPE ITEMTYPE=schema.org/Article><H1 ITEMPROP=headline>{HEADLINE}</H1>"
    assert read_page(f"{top}<P ITEMPROP=Description>Oaks.</P>{TEXT}").description == "Oaks."
