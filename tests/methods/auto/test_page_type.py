"""What a page says it is."""

from __future__ import annotations

import json
import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import both, needs_compiled

from duramen.dom.tree import Tree
from duramen.methods.auto.characters import count_marks
from duramen.methods.auto.page_type import COUNT, NAMES, read_facts


def facts(html: str, address: str | None = None, currencies: int = 0) -> dict[str, float]:
    """Those that are not 0."""
    row = read_facts(Tree.parse(html), currencies, address)
    assert len(row) == COUNT
    return {name: number for name, number in zip(NAMES, row, strict=True) if number}


def linked(said: object, kind: str = "application/ld+json") -> str:
    text = said if isinstance(said, str) else json.dumps(said)
    return f"<script type='{kind}'>{text}</script>"


def test_each_number_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == COUNT


def test_a_page_that_says_nothing() -> None:
    assert facts("<title>Oak</title><p>Oak") == {}
    assert facts("") == {}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("article", {"og_article": 1}),
        (" Website ", {"og_website": 1}),
        ("video.movie", {"og_other": 1}),
        ("product.group", {"og_product": 1}),
        ("og:product", {"og_product": 1}),
        ("books.book", {"og_other": 1}),
        ("", {}),
    ],
)
def test_open_graph(said: str, found: dict[str, float]) -> None:
    assert facts(f"<meta name=a content=b><meta property=og:type content='{said}'>") == found


def test_open_graph_without_content_says_nothing() -> None:
    assert facts("<meta property=og:type><meta property=og:url>") == {}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"@type": "Product"}, {"ld_product": 1}),
        ({"@type": ["Product", "Car"]}, {"ld_product": 1}),
        ({"@type": "https://schema.org/QAPage"}, {"ld_thread": 1}),
        ({"@type": ["schema:NewsArticle", "http://schema.org#Article"]}, {"ld_article": 2}),
        ({"@graph": [{"@type": "WebPage"}, {"x": {"@type": "Event"}}]}, {"ld_page": 1}),
        ([{"@type": "ListItem"}] * 99, {"ld_item": 30}),
        ('{"@type" :\n"Offer", broken', {"ld_offer": 1}),
        ({"@type": "Thing"}, {}),
    ],
)
def test_what_json_ld_speaks_of(said: object, found: dict[str, float]) -> None:
    assert facts(f"<p>Oak{linked(said)}") == found | {"ld_any": 1}


def test_what_is_no_json_ld_is_not_read() -> None:
    said = {"@type": "Product"}
    assert facts(linked(said, "application/LD+JSON")) == {"ld_product": 1, "ld_any": 1}
    assert (
        facts(
            linked(said, "text/javascript")
            + linked({})
            + linked({"@type": []})
            + linked({"@type": ""})
            + f"<script>{json.dumps(said)}</script>"
        )
        == {}
    )


def test_of_very_much_json_ld_the_beginning_is_read() -> None:
    long = linked([{"@type": "Offer", "name": "x" * 200_000}, {"@type": "Product"}])
    assert facts(long + linked({"@type": "Review"})) == {"ld_any": 1, "ld_offer": 1}
    assert facts(linked({"@type": ["Product", "x" * 200]})) == {}  # lists without an end are not looked for twice
    assert facts(linked('{"@type":[' + '"' * 90_000)) == facts(linked('"@type":[' * 9_000)) == {}


def test_an_address() -> None:
    found = facts("", "https://docs.example.org/Blog/2024/05/why-oak-3?page=2#top")
    expected = {"address_docs": 1, "address_article": 1, "depth": 4, "last": 9, "hyphens": 2, "digits": 1, "query": 1}
    assert found == expected | {"address": 1, "dated": 1}


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://example.org", {}),
        ("https://example.org/", {}),
        ("https://example.org/product_list.php", {"depth": 1, "last": 16, "address_product": 1}),
        ("https://example.org//docs//", {"depth": 1, "last": 4, "address_docs": 1}),
        ("example.org/t/oak", {"depth": 2, "last": 3, "address_thread": 1}),
        ("/forum/oak", {"depth": 2, "last": 3, "address_thread": 1}),
        ("http://[::1", {}),
        ("//example.org/docs/oak ", {"depth": 2, "last": 3, "address_docs": 1}),
        ("\ud800://shop/\udfff", {"depth": 1, "last": 1, "address_shop": 1}),
        ("https://example.org/" + "a/" * 9000, {"depth": 490, "last": 1}),
    ],
)
def test_addresses_of_all_kinds(address: str, found: dict[str, float]) -> None:
    assert facts("", address) == found | {"address": 1}


def test_the_address_that_a_page_claims_counts_where_none_is_given() -> None:
    page = "<meta property=og:url content='https://example.org/wiki/oak'>"
    assert facts(page) == facts("", "https://example.org/wiki/oak")
    assert facts(page, "https://example.org/") == {"address": 1}


def test_signs_of_currencies() -> None:
    assert facts("", currencies=3) == {"currencies": 3}


TEXTS = ["", "A $5 b", "€ 3,50 £2 ¥1 ₹9 ￥7", "$" * (1 << 15), "9A.€" * 10_000, "x" * 40_000 + "$，"]


@pytest.mark.parametrize(("text", "currencies"), [*zip(TEXTS, (0, 1, 5, 1 << 15, 10_000, 1), strict=True)])
def test_signs_of_currencies_are_counted_in_texts_of_any_length(text: str, currencies: int) -> None:
    counts = [array("q", [0]) for _ in range(3)]
    assert count_marks([text], *counts) == currencies
    found = [sum(character in marks for character in text) for marks in ("0123456789", "ABCXYZ", ",.，")]
    assert [count[0] for count in counts] == found


@needs_compiled
def test_the_twin_counts_alike() -> None:
    found = []
    for count_all in both("methods.auto.characters.count_marks"):
        counts = [array("q", [0] * len(TEXTS)) for _ in range(3)]
        found.append((count_all(TEXTS, *counts), counts))
    assert found[0] == found[1]


SAID = st.text('"@type:[]{}/ ,ProductArticle\n\ud800$', max_size=40)


@needs_compiled
@given(SAID, SAID, SAID, st.one_of(st.none(), st.text("htps:/?#-_.9docs\ud800", max_size=40)))
def test_the_twin_reads_alike(kind: str, own: str, said: str, address: str | None) -> None:
    metas = [{"property": "og:type", "content": kind}, {"property": "og:url", "content": own}]
    tree = Tree(
        tag=["html", "meta", "meta", "script", "#text"],
        parent=[-1, 0, 0, 0, 3],
        end=[5, 2, 3, 5, 5],
        text=["", "", "", "", f'{{"@type":"Product","@type":{said}'],
        attributes=[{}, *metas, {"type": "application/ld+json"}, {}],
    )
    pure, twin = (read(tree, 2, address) for read in both("methods.auto.page_type.read_facts"))
    assert pure == twin
    assert all(map(math.isfinite, pure))
