"""What a page says it is."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.pages import NEWS, blocks_of, made_pages

from duramen.dom.tree import Tree
from duramen.methods.auto import features
from duramen.methods.auto.boosted_trees import Floats
from duramen.methods.auto.class_scores import ClassScorer
from duramen.methods.auto.features import Features
from duramen.methods.auto.page_type import CONTRASTED, COUNT, NAMES, describe_selection, read_facts
from duramen.methods.auto.threshold import Selection, maximize_expected_f1
from duramen.methods.auto.title import PageTitle


def facts(html: str, address: str | None = None, currencies: int = 0) -> dict[str, float]:
    """Those that are not 0."""
    row = read_facts(Tree.parse(html), currencies, address)
    names = NAMES[COUNT - len(row) :]
    return {name: number for name, number in zip(names, row.tolist(), strict=True) if number}


def linked(declared: object, kind: str = "application/ld+json") -> str:
    text = declared if isinstance(declared, str) else json.dumps(declared)
    return f"<script type='{kind}'>{text}</script>"


def test_each_feature_has_its_own_name() -> None:
    assert len(set(NAMES)) == COUNT


def test_a_page_without_evidence() -> None:
    assert facts("<title>Oak</title><p>Oak") == {}
    assert facts("") == {}


@pytest.mark.parametrize(
    ("declared", "expected"),
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
def test_open_graph(declared: str, expected: dict[str, float]) -> None:
    assert facts(f"<meta name=a content=b><meta property=og:type content='{declared}'>") == expected


def test_open_graph_without_content_is_no_evidence() -> None:
    assert facts("<meta property=og:type><meta property=og:url>") == {}


@pytest.mark.parametrize(
    ("declared", "expected"),
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
def test_types_in_json_ld(declared: object, expected: dict[str, float]) -> None:
    assert facts(f"<p>Oak{linked(declared)}") == expected | {"ld_any": 1}


def test_data_that_is_not_json_ld_is_not_read() -> None:
    declared = {"@type": "Product"}
    assert facts(linked(declared, "application/LD+JSON")) == {"ld_product": 1, "ld_any": 1}
    assert (
        facts(
            linked(declared, "text/javascript")
            + linked({})
            + linked({"@type": []})
            + linked({"@type": ""})
            + f"<script>{json.dumps(declared)}</script>"
        )
        == {}
    )


def test_of_very_much_json_ld_the_beginning_is_read() -> None:
    long = linked([{"@type": "Offer", "name": "x" * 200_000}, {"@type": "Product"}])
    assert facts(long + linked({"@type": "Review"})) == {"ld_any": 1, "ld_offer": 1}
    assert facts(linked({"@type": ["Product", "x" * 200]})) == {}  # lists without an end are not looked for twice
    assert facts(linked('{"@type":[' + '"' * 90_000)) == facts(linked('"@type":[' * 9_000)) == {}


def test_features_of_a_url() -> None:
    evidence = facts("", "https://docs.example.org/Blog/2024/05/why-oak-3?page=2#top")
    expected = {
        "url_docs": 1,
        "url_article": 1,
        "url_depth": 4,
        "url_last_chars": 9,
        "url_hyphens": 2,
        "url_digits": 1,
        "url_query": 1,
    }
    assert evidence == expected | {"url": 1, "url_dated": 1}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org", {}),
        ("https://example.org/", {}),
        ("https://example.org/product_list.php", {"url_depth": 1, "url_last_chars": 16, "url_product": 1}),
        ("https://example.org//docs//", {"url_depth": 1, "url_last_chars": 4, "url_docs": 1}),
        ("example.org/t/oak", {"url_depth": 2, "url_last_chars": 3, "url_thread": 1}),
        ("/forum/oak", {"url_depth": 2, "url_last_chars": 3, "url_thread": 1}),
        ("http://[::1", {}),
        ("//example.org/docs/oak ", {"url_depth": 2, "url_last_chars": 3, "url_docs": 1}),
        ("\ud800://shop/\udfff", {"url_depth": 1, "url_last_chars": 1, "url_shop": 1}),
        ("https://example.org/" + "a/" * 9000, {"url_depth": 490, "url_last_chars": 1}),
    ],
)
def test_features_of_urls_of_all_kinds(url: str, expected: dict[str, float]) -> None:
    assert facts("", url) == expected | {"url": 1}


def test_the_declared_url_is_used_if_no_url_is_given() -> None:
    page = "<meta property=og:url content='https://example.org/wiki/oak'>"
    assert facts(page) == facts("", "https://example.org/wiki/oak")
    assert facts(page, "https://example.org/") == {"url": 1}


def test_signs_of_currencies() -> None:
    assert facts("", currencies=3) == {"currency_signs": 3}


SELECTION_NAMES = NAMES[: NAMES.index("og_article")]


def described(html: str) -> Features:
    return features.describe(blocks_of(html), ClassScorer({}), PageTitle())


def chances(block_features: Features, seed: int) -> Floats:
    return np.asarray(np.random.default_rng(seed).integers(0, 101, len(block_features)) / 100)


def test_features_of_a_selection() -> None:
    block_features = described(NEWS)  # words: 1 1 1 5 35 5 1 5 1
    p = np.array([0, 0, 0, 1, 1, 0.5, 0, 0, 0])
    row = dict(
        zip(
            SELECTION_NAMES,
            describe_selection(block_features, Selection(p, np.array([False] * 3 + [True] * 3 + [False] * 3), 0.875)),
            strict=True,
        )
    )
    assert row["expected_f1"] == 0.875
    assert row["kept_share"] == 45 / 55
    assert row["kept_mean_words"] == 45 / 3
    assert row["expected_share"] == 42.5 / 55
    assert row["variance"] == 0.25 * 5 / 42.5
    assert row["density"] == 1.0
    assert row["runs"] == 1 / 3
    assert row["words_before"] == 3 / 55
    assert row["words_after"] == 7 / 55
    assert (row["short_paragraphs"], row["medium_paragraphs"]) == (35 / 55, 0.0)
    assert row["links_kept"] == pytest.approx(1 / 45)
    assert row["links_dropped"] == pytest.approx(3 / 10)
    assert row["words_expected"] == pytest.approx((5 * 5 + 35 * 35 + 0.5 * 5 * 5) / 42.5)


def test_a_selection_that_keeps_nothing_or_all() -> None:
    block_features = described(NEWS)
    for kept in (False, True):
        selection = Selection(chances(block_features, 1), np.full(len(block_features), kept), 0.0)
        row = dict(zip(SELECTION_NAMES, describe_selection(block_features, selection), strict=True))
        assert row["kept_share"] == float(kept)
        assert {row[f"{name}_{'dropped' if kept else 'kept'}"] for name in CONTRASTED} == {-1.0}


def test_means_over_no_blocks_are_none() -> None:
    block_features = described(NEWS)
    row = dict(
        zip(
            SELECTION_NAMES,
            describe_selection(
                block_features, maximize_expected_f1(block_features.words, np.zeros(9), block_features.cluster)
            ),
            strict=True,
        )
    )
    assert {row[f"{name}_expected"] for name in features.NAMES} == {-1.0}


def test_an_empty_page_has_no_evidence() -> None:
    assert list(describe_selection(described(""), Selection(np.zeros(0), np.zeros(0, bool), 0.0))) == [0.0] * len(
        SELECTION_NAMES
    )


@given(made_pages(), st.integers(0, 99))
def test_features_of_any_selection_are_finite(html: str, seed: int) -> None:
    block_features = described(html)
    assert np.isfinite(
        describe_selection(
            block_features,
            maximize_expected_f1(block_features.words, chances(block_features, seed), block_features.cluster),
        )
    ).all()
