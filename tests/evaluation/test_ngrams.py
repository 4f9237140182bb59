"""Agreement of words, bigrams and shingles."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from duramen.evaluation.metrics.agreement import Agreement, agreement
from duramen.evaluation.metrics.common_subsequence import text_only_score
from duramen.evaluation.metrics.ngrams import bigram_agreement, bigrams, shingle_agreement, shingles, word_agreement

texts = st.lists(st.sampled_from("abcd"), max_size=12)


def test_words_count_as_often_as_they_occur_in_both():
    gold, extracted = Counter("the cat and the dog".split()), Counter("the the the cat".split())
    assert word_agreement(gold, extracted) == agreement(3, 4, 5)


def test_words_do_not_care_for_the_order():
    assert word_agreement(Counter("abc"), Counter("cba")).f1 == 1


def test_bigrams_are_pairs_of_neighbours():
    assert bigrams("a b c".split()) == {("a", "b"), ("b", "c")}


def test_bigrams_are_a_set():
    assert bigrams("a b a b".split()) == {("a", "b"), ("b", "a")}


def test_bigram_agreement_follows_forest():
    gold, extracted = bigrams("the cat sat on the mat".split()), bigrams("the cat sat down".split())
    assert bigram_agreement(gold, extracted) == agreement(2, 3, 5)


def test_a_text_of_one_word_can_agree_in_bigrams():
    assert bigram_agreement(bigrams(["oak"]), bigrams(["oak"])).f1 == 1
    assert bigrams([]) == frozenset()


def test_shingles_are_four_words_counted():
    assert shingles("a b a b a b".split()) == {("a", "b", "a", "b"): 2, ("b", "a", "b", "a"): 1}


def test_a_text_shorter_than_a_shingle_is_one_shingle():
    assert shingles("a b".split()) == {("a", "b"): 1}
    assert shingles([]) == {}


def test_shingles_count_as_often_as_they_occur_in_both():
    gold, extracted = shingles("a b c d e".split()), shingles("a b c d a b c d".split())
    assert shingle_agreement(gold, extracted) == agreement(1, 5, 2)


@given(texts)
def test_every_measure_gives_the_gold_itself_full_marks(words):
    assert word_agreement(Counter(words), Counter(words)).f1 == 1
    assert bigram_agreement(bigrams(words), bigrams(words)).f1 == 1
    assert shingle_agreement(shingles(words), shingles(words)).f1 == 1
    assert text_only_score(words, words) == 1


@given(texts, texts)
def test_swapping_the_texts_swaps_precision_and_recall(one, other):
    for found, back in (
        (word_agreement(Counter(one), Counter(other)), word_agreement(Counter(other), Counter(one))),
        (bigram_agreement(bigrams(one), bigrams(other)), bigram_agreement(bigrams(other), bigrams(one))),
        (shingle_agreement(shingles(one), shingles(other)), shingle_agreement(shingles(other), shingles(one))),
    ):
        assert found == Agreement(back.recall, back.precision, back.f1)
        assert all(0 <= number <= 1 for number in found)


@given(texts, texts)
def test_counts_agree_as_counters_intersect(one, other):
    assert word_agreement(Counter(one), Counter(other)) == agreement(
        (Counter(one) & Counter(other)).total(), len(other), len(one)
    )
