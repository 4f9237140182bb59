"""The score of one extraction, and the texts that a reference accepts."""

from __future__ import annotations

from duramen.evaluation.metrics.agreement import agreement
from duramen.evaluation.score import Reference, list_acceptable_texts, normalize_text, score, share_of_snippets

STORY = "the oak fell in the night and nobody heard the sound of it".split()


def test_best_takes_the_label_that_fits_and_short_does_not():
    with_title = "Oak falls. " + " ".join(STORY)
    found = score(Reference(" ".join(STORY), with_title, title="Oak falls"), with_title)
    assert found.best.f1 == 1
    assert found.short == agreement(len(STORY), len(STORY) + 2, len(STORY))


def test_snippets_ignore_case_and_whitespace():
    assert share_of_snippets(["The  Oak", "a\nbench"], normalize_text("the oak and A bench")) == 1


def test_snippets_are_a_share():
    assert share_of_snippets(["oak", "elm", "ash", "yew"], normalize_text("an oak, an ash")) == 0.5


def test_no_snippets_have_no_share():
    assert share_of_snippets([], "oak") is None
    assert share_of_snippets(["  "], "oak") is None


def test_without_a_title_there_is_one_acceptable_text():
    assert list_acceptable_texts(["oak"], None) == [["oak"]]
    assert list_acceptable_texts(["oak"], " ") == [["oak"]]


def test_a_title_outside_the_text_is_added_for_the_second_text():
    assert list_acceptable_texts(["it", "fell"], "The Oak") == [["it", "fell"], ["the", "oak", "it", "fell"]]


def test_a_title_inside_the_text_is_taken_away_for_the_first_text():
    assert list_acceptable_texts(["the", "oak", "it", "fell"], "The Oak") == [
        ["it", "fell"],
        ["the", "oak", "it", "fell"],
    ]


def test_a_text_that_is_its_title_keeps_it():
    assert list_acceptable_texts(["the", "oak"], "The Oak")[0] == ["the", "oak"]
