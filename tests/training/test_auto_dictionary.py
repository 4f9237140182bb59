"""Weights of words: learned together, on pages where each alone would mislead."""

from __future__ import annotations

import sys

import pytest
from tests.training.test_auto_train import page_of

from duramen.errors import MissingExtraError
from duramen.training.auto.dataset import LabeledPage
from duramen.training.auto.dictionary import PathTable, learn_weights, read_paths

WORDS = ["<div>", "<p>", "comments", "content", "entry", "rare"]


def pages() -> list[LabeledPage]:
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
def paths() -> PathTable:
    return read_paths(pages(), WORDS, 2)


def test_only_informative_words_have_weight(paths: PathTable) -> None:
    weights = dict(zip(WORDS, learn_weights(paths, WORDS), strict=True))
    assert weights["content"] > 0 > weights["comments"]
    assert abs(weights["entry"]) < weights["content"] / 4
    assert abs(weights["rare"]) < abs(weights["comments"]) / 4


def test_weights_are_in_the_order_of_the_given_words(paths: PathTable) -> None:
    first = learn_weights(paths, ["content", "comments"])
    assert list(reversed(first)) == list(learn_weights(paths, ["comments", "content"]))


def test_weights_without_a_fold_are_those_of_the_other_pages(paths: PathTable) -> None:
    others = [page for page in pages() if page.fold(2) != 1]
    assert 0 < len(others) < len(pages())
    assert learn_weights(paths, WORDS, [1]) == learn_weights(read_paths(others, WORDS, 2), WORDS)


def test_without_paths_no_weights_are_learned(paths: PathTable) -> None:
    assert list(learn_weights(paths, [])) == []
    assert list(learn_weights(paths, WORDS, [0, 1])) == [0] * len(WORDS)


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingExtraError, match=r"scipy.*training"):
        read_paths(pages(), WORDS, 2)
