"""Scores and confidence."""

from __future__ import annotations

from math import fsum

from tests.metadata.metadata_pages import ARTICLE, meta, metadata

from duramen.metadata.model import Candidate
from duramen.metadata.scoring import score


def test_agreement_increases_confidence() -> None:
    one = metadata(ARTICLE, "<p>By Jane Doe</p>").evidence("authors")
    two = metadata(ARTICLE + meta(author="Jane Doe"), "<p>By Jane Doe</p>").evidence("authors")
    assert one is not None
    assert two is not None
    assert two.confidence > one.confidence


def test_the_score_does_not_depend_on_the_order_of_evidence() -> None:
    weights = {"bias": 0.1, "one": 0.2, "two": 0.3, "three": -0.6}
    assert score(Candidate("", frozenset(("one", "two", "three")), ()), weights) == fsum(weights.values())
