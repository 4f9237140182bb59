"""Readings: the cut-off is the best of all, and what a reading says of its page."""

from __future__ import annotations

import math
from array import array
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import NEWS, PAGES, blocks_of, both, made_pages, needs_twins

from duramen.auto import features
from duramen.auto.readings import COUNT, LOOKED_AT, NAMES, SCRAP, SHARED, Reading, describe_page, read, sharpened
from duramen.auto.rows import Features
from duramen.auto.sayings import Sayings

pages = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 20).map(lambda n: n / 20)), min_size=1, max_size=9)


def columns(page: list[tuple[int, float]]) -> tuple[array[float], array[float]]:
    return array("d", [words for words, _ in page]), array("d", [p for _, p in page])


def runs(kept: list[bool]) -> int:
    return sum(here and not before for here, before in zip(kept, [False, *kept], strict=False))


def expected_together(page: list[tuple[int, float]], kept: list[bool]) -> float:
    """The F1 to expect, by the formula of the module: the content is what is likelier than some level."""
    levels = sorted({0.0, *(p for _, p in page)})
    size = sum(words for (words, _), here in zip(page, kept, strict=True) if here)
    found = 0.0
    for low, high in pairwise(levels):
        content = [p >= high for _, p in page]
        hits = sum(words for (words, _), here, there in zip(page, kept, content, strict=True) if here and there)
        total = sum(words for (words, _), there in zip(page, content, strict=True) if there)
        found += (high - low) * 2 * hits / (size + total + SCRAP * runs(kept))
    return found


def expected_apart(page: list[tuple[int, float]], kept: list[bool]) -> float:
    """The same where each block is doubted by itself."""
    hits = sum(words * p for (words, p), here in zip(page, kept, strict=True) if here)
    size = sum(words for (words, _), here in zip(page, kept, strict=True) if here)
    total = sum(words * p for words, p in page)
    return 2 * hits / (size + total + SCRAP * runs(kept)) if size else 0.0


def test_sure_content_is_kept_and_the_rest_is_left() -> None:
    assert read(*columns([(5, 0.0), (40, 1.0), (30, 0.9), (10, 0.05)])).kept == [False, True, True, False]


def test_the_cut_off_is_the_pages_own() -> None:
    assert read(*columns([(40, 0.3), (40, 0.01)])).kept == [True, False]
    assert read(*columns([(40, 0.99), (40, 0.3)])).kept == [True, False]


def test_scraps_cost_a_word() -> None:
    joined, apart = [(20, 0.9), (1, 0.5), (9, 0.0), (9, 0.0)], [(20, 0.9), (9, 0.0), (9, 0.0), (1, 0.5)]
    assert read(*columns(joined)).kept == [True, True, False, False]
    assert read(*columns(apart)).kept == [True, False, False, False]


def test_nothing_is_kept_of_nothing() -> None:
    assert read(array("d"), array("d")).kept == []
    nothing = read(*columns([(5, 0.0), (6, 0.0)]))
    assert (nothing.kept, nothing.expected) == ([False, False], 0.0)


def test_a_list_that_is_doubted_as_a_whole_is_left_unless_it_is_likelier_than_not() -> None:
    story = [(100, 0.99)] * 3
    for teaser, is_kept in ((0.3, False), (0.45, False), (0.55, True)):
        assert read(*columns([*story, *[(30, teaser)] * 20]), shared=1.0).kept == [True] * 3 + [is_kept] * 20
    assert all(read(*columns([*story, *[(30, 0.45)] * 20]), shared=0.0).kept)


def test_levels_that_are_very_close_are_taken_for_one() -> None:
    many = [(20, 1 - place / 4000) for place in range(3000)]
    reading = read(*columns(many), shared=1.0)
    assert reading.expected == pytest.approx(expected_together(many, reading.kept), abs=1e-3)
    assert reading.expected == pytest.approx(read(*columns(many[::10]), shared=1.0).expected, abs=1e-2)


@given(pages, st.sampled_from([0.0, SHARED, 1.0]))
def test_no_other_cut_off_is_better(page: list[tuple[int, float]], shared: float) -> None:
    def expected(page: list[tuple[int, float]], kept: list[bool]) -> float:
        return shared * expected_together(page, kept) + (1 - shared) * expected_apart(page, kept)

    reading = read(*columns(page), shared=shared)
    order = sorted(range(len(page)), key=lambda block: -page[block][1])
    cuts = [[block in order[:count] for block in range(len(page))] for count in range(len(page) + 1)]
    assert reading.kept in cuts
    assert reading.expected == pytest.approx(max(expected(page, kept) for kept in cuts))
    assert reading.expected == pytest.approx(expected(page, reading.kept))


@given(pages, st.sampled_from([0.5, 1.0, 2.0]))
def test_what_is_kept_is_surer_than_what_is_left(page: list[tuple[int, float]], sharpness: float) -> None:
    kept = read(*columns(page), sharpness).kept
    inside = [p for (_, p), here in zip(page, kept, strict=True) if here]
    outside = [p for (_, p), here in zip(page, kept, strict=True) if not here]
    assert not inside or not outside or min(inside) >= max(outside)


def test_sharpness_keeps_less_and_its_opposite_more() -> None:
    words, p = columns([(20, 0.95), (20, 0.7), (20, 0.5), (20, 0.3), (20, 0.1)])
    kept = [sum(read(words, p, sharpness).kept) for sharpness in (2.0, 1.0, 0.5)]
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


def test_a_reading_that_keeps_nothing_or_all() -> None:
    known = described(NEWS)
    for kept in (False, True):
        reading = Reading(chances(known, 1), [kept] * len(known), 0.0)
        row = dict(zip(NAMES, describe_page(known, reading), strict=True))
        assert row["share"] == float(kept)
        assert {row[f"{name}_{'left' if kept else 'kept'}"] for name in LOOKED_AT} == {-1.0}


def test_an_empty_page_says_nothing() -> None:
    assert list(describe_page(described(""), Reading(array("d"), [], 0.0))) == [0.0] * COUNT


@given(made_pages(), st.integers(0, 99))
def test_numbers_are_finite(html: str, seed: int) -> None:
    known = described(html)
    assert all(map(math.isfinite, describe_page(known, read(known.words, chances(known, seed)))))


def same(html: str, seed: int) -> None:
    known = described(html)
    p = chances(known, seed)
    for sharpness, shared in product((0.5, 1.0, 2.0), (0.0, 0.5, 1.0)):
        pure, twin = (function(known.words, p, sharpness, shared) for function in both("readings.read"))
        assert (pure.kept, pure.expected) == (twin.kept, twin.expected)
        rows = [function(known, pure) for function in both("readings.describe_page")]
        assert rows[0] == rows[1]


@needs_twins
@pytest.mark.parametrize("html", PAGES)
def test_the_twin_reads_written_pages_alike(html: str) -> None:
    same(html, 1)


@needs_twins
@given(made_pages(), st.integers(0, 99))
def test_the_twin_reads_alike(html: str, seed: int) -> None:
    same(html, seed)
