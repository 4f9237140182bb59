"""The score of one extraction."""

from __future__ import annotations

from duramen.evaluation.metrics.agreement import agreement
from duramen.evaluation.reference import Reference
from duramen.evaluation.score import normalize_text, score, share_of_snippets

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
