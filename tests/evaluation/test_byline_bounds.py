"""Bylines as bounds of an article: section 4.1 of the paper on maximum subsequence segmentation."""

from __future__ import annotations

from duramen.evaluation.metrics.byline_bounds import MAX_BYLINE_DISTANCE, split_authors
from duramen.evaluation.score import Reference, score

TEXT = "The old oak fell in the storm of last night, and it took the fence with it."
AUTHORS = (("jane", "doe"),)


def best(page: str, extracted: str, title: str | None = None) -> float:
    return score(Reference(TEXT, page, title, AUTHORS), extracted).best.f1


def test_an_extraction_may_begin_with_the_byline() -> None:
    page = f"Menu Home By Jane Doe 3 May {TEXT} Share"
    assert best(page, f"By Jane Doe 3 May {TEXT}") == 1.0
    assert best(page, TEXT) == 1.0
    assert best(page, f"Home By Jane Doe 3 May {TEXT}") < 1.0


def test_an_extraction_may_end_with_the_byline() -> None:
    page = f"Menu Home {TEXT} Reported by Jane Doe. Share"
    assert best(page, f"{TEXT} Reported by Jane Doe.") == 1.0


def test_headline_and_byline_together() -> None:
    page = f"Menu Oak falls by Jane Doe {TEXT} Share"
    assert best(page, f"Oak falls by Jane Doe {TEXT}", title="Oak falls") == 1.0


def test_the_short_extraction_has_no_byline() -> None:
    page = f"Menu By Jane Doe {TEXT}"
    assert score(Reference(TEXT, page, None, AUTHORS), TEXT).short.f1 == 1.0
    assert score(Reference(TEXT, page, None, AUTHORS), f"By Jane Doe {TEXT}").short.f1 < 1.0


def test_a_name_far_from_the_text_is_no_byline() -> None:
    page = f"Jane Doe {'menu ' * MAX_BYLINE_DISTANCE} {TEXT}"
    assert best(page, page) < 1.0


def test_names_are_split() -> None:
    assert split_authors(["Jane Doe", "J. Roe"]) == [("jane", "doe"), ("j", "roe")]
    assert split_authors(None) == []
