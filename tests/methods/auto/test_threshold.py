"""Readings: the cut-off is the best of all, and what a reading says of its page."""

from __future__ import annotations

import math
from array import array
from itertools import compress, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import NEWS, PAGES, blocks_of, both, made_pages, needs_compiled

from duramen.methods.auto import columns, features
from duramen.methods.auto.rows import Features
from duramen.methods.auto.threshold import (
    COUNT,
    GUESSES,
    LOOKED_AT,
    NAMES,
    SCRAP,
    Reading,
    describe_page,
    leaning,
    read,
    sharpened,
)
from duramen.methods.auto.title import Sayings

Page = list[tuple[int, float]]
"""Of each block its words and its probability."""
pages = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 20).map(lambda n: n / 20)), min_size=1, max_size=9)


def sizes_and_chances(page: Page) -> tuple[array[float], array[float]]:
    return array("d", [words for words, _ in page]), array("d", [p for _, p in page])


def apart(page: Page) -> array[int]:
    return array("q", range(len(page)))


def together(page: Page) -> array[int]:
    return array("q", [0] * len(page))


def runs(kept: list[bool]) -> int:
    return sum(here and not before for here, before in zip(kept, [False, *kept], strict=False))


def f1(page: Page, kept: list[bool], content: list[bool]) -> float:
    """Of what was kept, with the price of its runs."""
    sizes = [words for words, _ in page]
    both = sum(size for size, here, there in zip(sizes, kept, content, strict=True) if here and there)
    size = sum(compress(sizes, kept)) + sum(compress(sizes, content)) + SCRAP * runs(kept)
    return 2 * both / size if both else 0.0


def expected(page: Page, kept: list[bool], doubts: array[int]) -> float:
    """The mean F1 with the contents that are guessed."""
    found = 0.0
    for guess in range(GUESSES):
        levels = [((1 + 7 * doubt % (GUESSES - 1)) * guess + 13 * doubt) % GUESSES for doubt in doubts]
        content = [p * GUESSES > level + 0.5 for (_, p), level in zip(page, levels, strict=True)]
        found += f1(page, kept, content) / GUESSES
    return found


def kept(page: Page, doubts: array[int] | None = None) -> list[bool]:
    return read(*sizes_and_chances(page), apart(page) if doubts is None else doubts).kept


def test_sure_content_is_kept_and_the_rest_is_left() -> None:
    assert kept([(5, 0.0), (40, 1.0), (30, 0.9), (10, 0.05)]) == [False, True, True, False]


def test_the_cut_off_is_the_pages_own() -> None:
    assert kept([(40, 0.3), (40, 0.01)]) == [True, False]
    assert kept([(40, 0.99), (40, 0.3)]) == [True, False]


def test_scraps_cost_a_word() -> None:
    assert kept([(20, 0.9), (1, 0.5), (9, 0.0), (9, 0.0)]) == [True, True, False, False]
    assert kept([(20, 0.9), (9, 0.0), (9, 0.0), (1, 0.5)]) == [True, False, False, False]


def test_nothing_is_kept_of_nothing() -> None:
    assert read(array("d"), array("d"), array("q")).kept == []
    nothing = read(*sizes_and_chances([(5, 0.0), (6, 0.0)]), array("q", (0, 1)))
    assert (nothing.kept, nothing.expected) == ([False, False], 0.0)


def test_where_nothing_is_likely_the_likeliest_is_kept_and_little_expected() -> None:
    page = [(5, 0.004), (6, 0.004), (30, 0.0001)]
    reading = read(*sizes_and_chances(page), together(page))
    assert reading.kept == [True, True, False]
    assert 0.0 < reading.expected < 0.005


def test_a_list_that_is_doubted_as_a_whole_is_left_unless_it_is_likelier_than_not() -> None:
    story = [(100, 0.99)] * 3
    of_kinds = array("q", [0] * 3 + [1] * 20)
    for teaser, is_kept in ((0.3, False), (0.45, False), (0.55, True)):
        page = [*story, *[(30, teaser)] * 20]
        assert kept(page, of_kinds) == [True] * 3 + [is_kept] * 20
    page = [*story, *[(30, 0.45)] * 20]
    assert all(kept(page))  # each by itself, half of them would be content for sure


def test_kinds_are_doubted_each_by_itself() -> None:
    """With one doubt for all, teasers of twenty kinds are content all or none; with a doubt each, some are for sure."""
    page = [(100, 0.99), *[(30, 0.45)] * 40]
    of_kinds = array("q", [0, *(1 + place // 2 for place in range(40))])
    assert not any(kept(page, together(page))[1:])
    assert all(kept(page, of_kinds))


def test_a_post_leans_half_the_way_to_its_kind_in_which_long_posts_count_more() -> None:
    words, p = sizes_and_chances([(10, 0.9), (30, 0.1), (7, 0.6)])
    assert list(leaning(words, p, array("q", (4, 4, 2)))) == pytest.approx([0.6, 0.2, 0.6])
    assert not leaning(array("d"), array("d"), array("q"))
    words, p = sizes_and_chances([(10, 0.9), (10, 0.01)])
    assert leaning(words, p, array("q", (0, 0)))[1] == 0.01  # it is surely none


@needs_compiled
@given(pages)
def test_the_twins_lean_alike(page: Page) -> None:
    source, twin = both("methods.auto.threshold.leaning")
    words, p = sizes_and_chances(page)
    kinds = array("q", [block % 3 for block in range(len(page))])
    assert source(words, p, kinds) == twin(words, p, kinds)


@pytest.mark.parametrize("doubt", range(60))
def test_each_doubt_runs_through_all_levels(doubt: int) -> None:
    for share in (0.25, 0.5, 0.75):
        reading = read(array("d", (1000.0,)), array("d", (share,)), array("q", (doubt,)))
        assert reading.expected == pytest.approx(share * 2000 / (2000 + SCRAP), abs=0.5 / GUESSES)


@given(pages, st.data())
def test_no_other_cut_off_is_better(page: Page, data: st.DataObject) -> None:
    doubts = array("q", data.draw(st.lists(st.integers(0, 99), min_size=len(page), max_size=len(page))))
    reading = read(*sizes_and_chances(page), doubts)
    order = sorted(range(len(page)), key=lambda block: -page[block][1])
    cuts = [[block in order[:count] for block in range(len(page))] for count in range(len(page) + 1)]
    assert reading.kept in cuts
    assert reading.expected == pytest.approx(max(expected(page, kept, doubts) for kept in cuts))
    assert reading.expected == pytest.approx(expected(page, reading.kept, doubts))


@given(pages, st.sampled_from([0.5, 1.0, 2.0]))
def test_what_is_kept_is_surer_than_what_is_left(page: Page, sharpness: float) -> None:
    kept = read(*sizes_and_chances(page), apart(page), sharpness).kept
    inside = [p for (_, p), here in zip(page, kept, strict=True) if here]
    outside = [p for (_, p), here in zip(page, kept, strict=True) if not here]
    assert not inside or not outside or min(inside) >= max(outside)


def test_sharpness_keeps_less_and_its_opposite_more() -> None:
    page = [(20, 0.95), (20, 0.7), (20, 0.5), (20, 0.3), (20, 0.1)]
    kept = [sum(read(*sizes_and_chances(page), apart(page), sharpness).kept) for sharpness in (2.0, 1.0, 0.5)]
    assert kept == sorted(kept)
    assert kept[0] < kept[2]


def test_probabilities_are_sharpened_by_squares_and_roots() -> None:
    p = array("d", [0.0, 0.25, 1.0])
    assert sharpened(p, 1.0) is p
    assert list(sharpened(p, 2.0)) == [0.0, 0.0625, 1.0]
    assert list(sharpened(p, 0.5)) == [0.0, 0.5, 1.0]
    with pytest.raises(ValueError, match="no sharpness"):
        sharpened(p, 3.0)


def described(html: str) -> Features:
    return features.describe(blocks_of(html), {}, Sayings())


def chances(known: Features, seed: int) -> array[float]:
    return array("d", np.random.default_rng(seed).integers(0, 101, len(known)) / 100)


def test_what_a_reading_says_of_its_page() -> None:
    known = described(NEWS)  # words: 1 1 1 5 35 5 1 5 1
    p = array("d", [0, 0, 0, 1, 1, 0.5, 0, 0, 0])
    row = dict(zip(NAMES, describe_page(known, Reading(p, [False] * 3 + [True] * 3 + [False] * 3, 0.875)), strict=True))
    assert row["expected"] == 0.875
    assert row["share"] == 45 / 55
    assert row["mean"] == 45 / 3
    assert row["probability"] == 42.5 / 55
    assert row["doubt"] == 0.25 * 5 / 42.5
    assert row["density"] == 1.0
    assert row["runs"] == 1 / 3
    assert row["first"] == 3 / 55
    assert row["last"] == 7 / 55
    assert (row["page_short"], row["page_medium"]) == (35 / 55, 0.0)
    assert row["links_kept"] == pytest.approx(1 / 45)
    assert row["links_left"] == pytest.approx(3 / 10)
    assert row["words_expected"] == pytest.approx((5 * 5 + 35 * 35 + 0.5 * 5 * 5) / 42.5)


def test_a_reading_that_keeps_nothing_or_all() -> None:
    known = described(NEWS)
    for kept in (False, True):
        reading = Reading(chances(known, 1), [kept] * len(known), 0.0)
        row = dict(zip(NAMES, describe_page(known, reading), strict=True))
        assert row["share"] == float(kept)
        assert {row[f"{name}_{'left' if kept else 'kept'}"] for name in LOOKED_AT} == {-1.0}


def test_where_nothing_is_expected_its_means_are_none() -> None:
    known = described(NEWS)
    row = dict(zip(NAMES, describe_page(known, read(known.words, array("d", [0.0] * 9), known.kind)), strict=True))
    assert {row[f"{name}_expected"] for name in columns.NAMES} == {-1.0}


def test_an_empty_page_says_nothing() -> None:
    assert list(describe_page(described(""), Reading(array("d"), [], 0.0))) == [0.0] * COUNT


@given(made_pages(), st.integers(0, 99))
def test_numbers_are_finite(html: str, seed: int) -> None:
    known = described(html)
    assert all(map(math.isfinite, describe_page(known, read(known.words, chances(known, seed), known.kind))))


def same(html: str, seed: int) -> None:
    known = described(html)
    p = chances(known, seed)
    for sharpness, doubts in product((0.5, 1.0, 2.0), (known.kind, array("q", range(len(known))))):
        pure, twin = (function(known.words, p, doubts, sharpness) for function in both("methods.auto.threshold.read"))
        assert (pure.kept, pure.expected) == (twin.kept, twin.expected)
        rows = [function(known, pure) for function in both("methods.auto.threshold.describe_page")]
        assert rows[0] == rows[1]


@needs_compiled
@pytest.mark.parametrize("html", PAGES)
def test_the_twin_reads_written_pages_alike(html: str) -> None:
    same(html, 1)


@needs_compiled
@given(made_pages(), st.integers(0, 99))
def test_the_twin_reads_alike(html: str, seed: int) -> None:
    same(html, seed)
