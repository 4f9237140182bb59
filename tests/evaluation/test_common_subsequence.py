"""The bits against the table."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.evaluation.metrics import common_subsequence
from duramen.evaluation.metrics.common_subsequence import find_word_bits, lcs_length, lcs_pairs, text_only_score

few_words = st.lists(st.sampled_from("abcde"), max_size=40)
many_words = st.lists(st.text("abcdefgh", min_size=1, max_size=2), max_size=60)


def by_table(first, second):
    lengths = [0] * (len(second) + 1)
    for one in first:
        corner = 0
        for j, other in enumerate(second, 1):
            corner, lengths[j] = lengths[j], corner + 1 if one == other else max(lengths[j], lengths[j - 1])
    return lengths[-1]


def check_pairs(first, second, pairs):
    assert len(pairs) == by_table(first, second)
    assert all(first[i] == second[j] for i, j in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


@given(few_words, few_words)
def test_length_is_that_of_the_table(first, second):
    assert lcs_length(find_word_bits(first), len(first), second) == by_table(first, second)


@given(many_words, many_words)
def test_length_is_that_of_the_table_with_more_words(first, second):
    assert lcs_length(find_word_bits(first), len(first), second) == by_table(first, second)


@given(few_words, few_words)
def test_pairs_are_a_longest_common_subsequence(first, second):
    check_pairs(first, second, lcs_pairs(first, second))


@given(few_words, few_words)
def test_pairs_found_in_pieces_are_as_many(first, second):
    kept = common_subsequence._MAX_TRACEBACK_BITS
    common_subsequence._MAX_TRACEBACK_BITS = 8
    try:
        check_pairs(first, second, lcs_pairs(first, second))
    finally:
        common_subsequence._MAX_TRACEBACK_BITS = kept


@given(few_words)
def test_positions_are_those_of_the_words(words):
    found = find_word_bits(words)
    for word in set(words):
        assert [i for i in range(len(words)) if found[word] >> i & 1] == [i for i, w in enumerate(words) if w == word]


def test_pairs_are_leftmost():
    assert lcs_pairs(list("abab"), list("ab")) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(("first", "second"), [("", ""), ("a", ""), ("", "a"), ("a", "b")])
def test_nothing_in_common_has_no_pairs(first, second):
    assert lcs_pairs(list(first), list(second)) == []
    assert lcs_length(find_word_bits(first), len(first), second) == 0


def test_ten_thousand_words_are_no_hundred_million_cells():
    draw = random.Random(1)
    first = [str(draw.randrange(1500)) for _ in range(10_000)]
    second = [str(draw.randrange(1500)) for _ in range(10_000)]
    start = time.process_time()
    length = lcs_length(find_word_bits(first), len(first), second)
    pairs = lcs_pairs(first, second)
    assert len(pairs) == length > 0
    assert time.process_time() - start < 5  # it takes a tenth of a second; the table would take half a minute


def test_cleaneval_of_the_papers_example():
    assert text_only_score("the dog barked".split(), "the dog".split()) == pytest.approx(2 / 3)


def test_cleaneval_has_no_substitutions():
    assert text_only_score("a b c".split(), "a x c".split()) == pytest.approx(2 / 4)


def test_cleaneval_sees_the_order():
    assert text_only_score(["a", "b"], ["b", "a"]) == pytest.approx(1 / 3)


def test_cleaneval_of_empty_texts():
    assert text_only_score([], []) == 1
    assert text_only_score(["a"], []) == 0
    assert text_only_score([], ["a"]) == 0
