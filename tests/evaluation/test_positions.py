"""Agreement of words by position."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.evaluation.metrics.agreement import Agreement, agreement
from duramen.evaluation.metrics.positions import PageWords, _EqualRun, _heaviest_increasing_runs, position_agreement

NAV = "home the news of the day contact".split()

STORY = "the oak fell in the night and nobody heard the sound of it".split()

FOOT = "the oak news is sent by post every day".split()

PAGE = PageWords(NAV + STORY + FOOT)

WHERE = range(len(NAV), len(NAV) + len(STORY))


def agree(label, extracted, page):
    return position_agreement(page.place(label), page.place(extracted))


def test_a_text_is_found_at_its_position():
    assert PAGE.place(STORY).positions == set(WHERE)


def test_words_before_the_first_anchor_are_drawn_to_it():
    # "the" stands in the menu too, and the run "oak fell in the" is the first that is found only once.
    assert PageWords(["the", "x", "the", *STORY[1:]]).place(STORY).positions == set(range(2, 2 + len(STORY)))


def test_the_same_words_elsewhere_are_other_words():
    found = agree(STORY, FOOT, PAGE)
    assert found == Agreement(0, 0, 0)


def test_a_repeated_word_is_two_words():
    page = PageWords("a b c d e f g h a b".split())
    assert agree("a b c d e f g h a b".split(), "a b c d e f g h".split(), page) == agreement(8, 8, 10)


def test_words_that_are_not_on_the_page_are_noise():
    found = agree(STORY, [*STORY, "invented", "words"], PAGE)
    assert found.precision == pytest.approx(len(STORY) / (len(STORY) + 2))
    assert found.recall == 1


def test_gold_words_that_are_not_on_the_page_are_missed():
    found = agree([*STORY, "invented"], STORY, PAGE)
    assert found.recall == pytest.approx(len(STORY) / (len(STORY) + 1))


def test_words_that_cannot_be_aligned_are_bags_of_words():
    assert agree(["a", "b", "b"], ["b", "c", "b"], PageWords([])) == agreement(2, 3, 3)
    assert agree([*STORY, "hidden"], [*STORY, "hidden"], PAGE).f1 == 1


def test_a_page_with_all_text_twice_is_aligned():
    page = PageWords(STORY + STORY)
    assert agree(STORY, STORY, page).f1 == 1


def test_a_text_in_another_order_keeps_its_longest_part():
    found = PAGE.place(FOOT + STORY).positions
    assert found >= set(WHERE)
    assert len(found) < len(FOOT + STORY)


@given(st.lists(st.sampled_from("abcdef"), max_size=50), st.lists(st.sampled_from("abcdef"), max_size=30))
def test_no_word_of_the_page_is_taken_twice(page, text):
    found = PageWords(page).place(text).positions
    assert len(PageWords(page).place(text)) == len(text)
    assert len(found) <= min(len(page), len(text))
    assert all(0 <= position < len(page) for position in found)


@given(st.lists(st.sampled_from("abcdef"), max_size=40), st.data())
def test_any_slice_of_a_page_is_found_whole(page, data):
    start = data.draw(st.integers(0, len(page)))
    end = data.draw(st.integers(start, len(page)))
    assert len(PageWords(page).place(page[start:end]).positions) == end - start


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 4)), max_size=7))
def test_the_runs_kept_are_the_heaviest_that_rise(pairs):
    runs = [_EqualRun(on_page, number * 10, length) for number, (on_page, length) in enumerate(pairs)]

    def rises(chosen):
        return all(a.on_page + a.length <= b.on_page for a, b in pairwise(chosen))

    heaviest = max(
        sum(run.length for run in chosen)
        for size in range(len(runs) + 1)
        for chosen in combinations(runs, size)
        if rises(chosen)
    )
    kept = _heaviest_increasing_runs(runs)
    assert rises(kept)
    assert sum(run.length for run in kept) == heaviest
