"""Weights of words: learnt together, on pages where each alone would mislead."""

from __future__ import annotations

import sys

import pytest
from tests.training.test_auto_learning import page_of

from duramen.errors import MissingExtraError
from duramen.training.auto.pages import LabelledPage
from duramen.training.auto.weights import Ways, learn_weights, read_ways

WORDS = ["<div>", "<p>", "comments", "content", "entry", "rare"]


def pages() -> list[LabelledPage]:
    """Content stands in an entry's content, never in its comments; `entry` is over both alike."""
    return [
        page_of(
            f"<div class=entry><div class=content><p>oak {site} heartwood</div><div class=comments><p>nice {site}</div>"
            "</div>" + ("<div class=rare>x</div>" if site == "a" else ""),
            f"oak {site} heartwood",
            site=site,
        )
        for site in "abcdefgh"
    ]


@pytest.fixture(scope="module")
def ways() -> Ways:
    return read_ways(pages(), WORDS, 2)


def test_words_that_tell_weigh_and_others_do_not(ways: Ways) -> None:
    weights = dict(zip(WORDS, learn_weights(ways, WORDS), strict=True))
    assert weights["content"] > 0 > weights["comments"]
    assert abs(weights["entry"]) < weights["content"] / 4
    assert abs(weights["rare"]) < abs(weights["comments"]) / 4


def test_weights_stand_in_the_order_of_the_words_asked_for(ways: Ways) -> None:
    first = learn_weights(ways, ["content", "comments"])
    assert list(reversed(first)) == list(learn_weights(ways, ["comments", "content"]))


def test_weights_without_a_fold_are_those_of_the_other_pages(ways: Ways) -> None:
    others = [page for page in pages() if page.fold(2) != 1]
    assert 0 < len(others) < len(pages())
    assert learn_weights(ways, WORDS, [1]) == learn_weights(read_ways(others, WORDS, 2), WORDS)


def test_of_nothing_nothing_is_learnt(ways: Ways) -> None:
    assert list(learn_weights(ways, [])) == []
    assert list(learn_weights(ways, WORDS, [0, 1])) == [0] * len(WORDS)


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingExtraError, match=r"scipy.*training"):
        read_ways(pages(), WORDS, 2)
