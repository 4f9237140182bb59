"""The reference text of a page."""

from __future__ import annotations

from duramen.evaluation.reference import list_acceptable_texts


def test_without_a_title_there_is_one_label():
    assert list_acceptable_texts(["oak"], None) == [["oak"]]
    assert list_acceptable_texts(["oak"], " ") == [["oak"]]


def test_a_title_outside_the_text_is_added_for_the_second_label():
    assert list_acceptable_texts(["it", "fell"], "The Oak") == [["it", "fell"], ["the", "oak", "it", "fell"]]


def test_a_title_inside_the_text_is_taken_away_for_the_first_label():
    assert list_acceptable_texts(["the", "oak", "it", "fell"], "The Oak") == [
        ["it", "fell"],
        ["the", "oak", "it", "fell"],
    ]


def test_a_text_that_is_its_title_keeps_it():
    assert list_acceptable_texts(["the", "oak"], "The Oak")[0] == ["the", "oak"]
