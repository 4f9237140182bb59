"""Semi-supervised MSS (section 6.2.4): confidence, importance, iteration."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen import methods
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.methods.mss.model import MssModel, NgramTable, hash_ngrams
from duramen.methods.mss.semi import (
    MssSemi,
    UnlabeledPage,
    choose_most_confident,
    compute_border_nearness,
    count_trigrams,
    make_labels,
)
from duramen.methods.mss.supervised import find_best_block, logistic
from duramen.methods.mss.tokens import tokenize

ARTICLE = "<nav><a>Home</a><a>News</a></nav><h1>Heartwood</h1>" + "".join(
    f"<p>Paragraph {i} speaks of trees, of rings, and of what holds them up in a storm.</p>" for i in range(8)
)


# Importance


def test_importance_is_one_on_either_side_of_a_border_and_falls_to_zero() -> None:
    # The article is tokens 4 to 7; with a distance of 4 each step away from a border costs a quarter.
    assert compute_border_nearness(14, (4, 8), 4).tolist() == [
        *(0.25, 0.5, 0.75, 1, 1, 0.75, 0.75),
        *(1, 1, 0.75, 0.5, 0.25, 0, 0),
    ]


def test_importance_reaches_64_tokens_in_the_paper() -> None:
    near = compute_border_nearness(200, (100, 200), MssSemi().distance)
    assert near[100 - 64] == pytest.approx(1 / 64)
    assert near[100 - 65] == 0.0


@given(st.integers(1, 80), st.data(), st.integers(1, 64))
def test_importance_is_the_formula_as_printed(size: int, data: st.DataObject, distance: int) -> None:
    start = data.draw(st.integers(0, size - 1))
    stop = data.draw(st.integers(start + 1, size))
    j, k = start, stop - 1
    by_hand = [max(0.0, distance - (min(abs(i - (j - 0.5)), abs(i - (k + 0.5))) - 0.5)) / distance for i in range(size)]
    assert compute_border_nearness(size, (start, stop), distance).tolist() == pytest.approx(by_hand)


def test_the_importance_of_a_trigram_is_the_mean_over_its_tokens() -> None:
    # Trigram 0 stands next to a border once and far from it once; trigram 2 is never seen.
    places = np.array([1, 0, 1, 1, 1, 0, 1])
    statistics = count_trigrams([(places, (2, 3))], 3, distance=2, smoothing=0.5)
    assert statistics.importance.tolist() == pytest.approx(
        [(1.0 + 0.0) / 2, (0.5 + 1.0 + 1.0 + 0.5 + 0.0) / 5, 0.0], abs=1e-3
    )


def test_trigrams_are_counted_for_naive_bayes() -> None:
    statistics = count_trigrams([(np.array([0, 1, 1, 0, 2, 2]), (1, 4))], 4, distance=64, smoothing=0.5)
    inside, outside = [1.5 / 4.5, 2.5 / 4.5, 0.5 / 4.5], [1.5 / 4.5, 0.5 / 4.5, 2.5 / 4.5]
    by_hand = [math.log(a / b) for a, b in zip(inside, outside, strict=True)]
    assert statistics.log_odds.tolist() == pytest.approx([*by_hand, 0.0], abs=1e-3)
    assert statistics.seen.tolist() == [True, True, True, False]
    assert statistics.prior == 0.0


def test_labels_are_one_inside_the_block() -> None:
    assert make_labels(5, (1, 3)).tolist() == [0, 1, 1, 0, 0]


# Which pages are learned from


def test_sixty_per_cent_of_each_source_are_kept() -> None:
    sources = ["a"] * 5 + ["b"] * 5
    sure = [0.1, 0.9, 0.5, 0.8, 0.2, 0.04, 0.01, 0.03, 0.02, 0.05]
    assert choose_most_confident(sources, sure, 0.6) == [1, 2, 3, 5, 7, 9]


def test_of_pages_with_the_same_confidence_the_first_are_kept() -> None:
    assert choose_most_confident(["a"] * 5, [0.5] * 5, 0.6) == [0, 1, 2]


def test_a_source_with_one_page_keeps_it() -> None:
    assert choose_most_confident(["a", "b", "b"], [0.1, 0.9, 0.8], 0.4) == [0, 1]


# The score


def test_a_score_is_weighted_by_importance() -> None:
    scores = MssSemi().weigh_scores(np.array([0.75, 0.75, 0.25, 0.5]), np.array([0.0, 1.0, 0.5, 1.0]))
    assert scores.tolist() == pytest.approx([0.25, 0.25 * 25, -0.25 * 13, 0.0])


def made_model(folder: Path, html: str) -> tuple[MssModel, str]:
    """A model that likes the first half of this page's trigrams, dislikes the others, and finds all half important."""
    terms = tokenize(Page.parse(html).tree).terms
    trigrams = hash_ngrams(terms, 3)
    odds = np.where(np.arange(len(terms)) < len(terms) // 2, 2.0, -2.0)
    order = np.argsort(trigrams)
    table = NgramTable(trigrams[order], odds[order].astype(np.float16))
    importance = NgramTable(trigrams[order], np.full(len(terms), 0.5, np.float16))
    model = MssModel(0.0, {1: NgramTable.empty(), 2: NgramTable.empty(), 3: table}, NgramTable.empty(), importance)
    path = folder / "semi.npz"
    model.save(path)
    return model, str(path)


def test_a_model_from_unlabeled_pages_scores_by_trigrams_alone(tmp_path: Path) -> None:
    html = "<p>oak tree ring bark leaf root</p><p>home news sport shop help terms about more</p>"
    model, path = made_model(tmp_path, html)
    content = methods.get(f"mss-semi:model={path}")(Page.parse(html))
    tokens = tokenize(Page.parse(html).tree)
    odds, _ = model.log_odds(tokens, 3, open_tag=False)
    block = find_best_block((logistic(odds) - 0.5) * (0.5 * 24 + 1), tokens)
    assert block is not None
    assert content.text.startswith("oak tree ring bark leaf root")
    assert "terms" not in content.text
    assert content.reason == f"the run of {block[1] - block[0]} tokens with the largest sum of scores"


def test_a_page_unlike_the_training_pages_gives_an_empty_content_with_a_reason(tmp_path: Path) -> None:
    table = NgramTable(np.array([1], np.uint32), np.array([1.0], np.float16))
    path = tmp_path / "semi.npz"
    MssModel(0.0, {1: NgramTable.empty(), 2: NgramTable.empty(), 3: table}, NgramTable.empty(), table).save(path)
    content = MssSemi(model=str(path))(Page.parse(ARTICLE))
    assert not content
    assert content.reason == "no run of tokens looks like the articles that the model was learned from"


# Learning


def make_unlabeled_page(terms: list[int], probabilities: list[float], block: tuple[int, int] | None) -> UnlabeledPage:
    return UnlabeledPage("a", np.array(terms, np.uint32), np.array(probabilities), block)


def test_without_a_block_there_is_no_model() -> None:
    assert MssSemi().train([make_unlabeled_page([1, 2], [0.1, 0.1], None)]) is None


def test_the_score_of_an_unseen_trigram_is_0() -> None:
    pages = [
        make_unlabeled_page([1, 2, 3, 4], [0.1, 0.9, 0.9, 0.1], (1, 3)),
        make_unlabeled_page([5, 6], [0.2, 0.2], None),
    ]
    model = MssSemi(kept=0.5).train(pages)
    assert model is not None
    assert model.prior == 0.0
    assert model.tables[3].keys.tolist() == model.importance.keys.tolist() == [1, 2, 3, 4]


def test_with_a_prior_the_score_of_an_unseen_trigram_is_the_prior() -> None:
    model = MssSemi(prior=True).train([make_unlabeled_page([1, 2, 3, 4], [0.1, 0.9, 0.1, 0.1], (1, 2))])
    assert model is not None
    assert model.prior == pytest.approx(math.log(1 / 3))


def test_the_iteration_ends_when_nothing_changes() -> None:
    model = MssSemi(window=1).train([make_unlabeled_page([1, 2, 3, 4], [0.1, 0.9, 0.9, 0.1], (1, 3))])
    assert model is not None
    assert model.card["stopped"] == "when nothing changed any more"
    assert model.card["iterations"] == [{"pages": 1, "confidence": 0.9, "changed": 0}]


def test_the_iteration_ends_after_the_given_number() -> None:
    # What the first classifier got wrong changes at once: trigram 3 is inside on the page that is surest.
    sure = make_unlabeled_page([1, 2, 3, 4], [0.1, 0.9, 0.9, 0.1], (1, 3))
    wrong = make_unlabeled_page([1, 2, 3, 4], [0.4, 0.6, 0.4, 0.4], (1, 2))
    model = MssSemi(kept=0.5, iterations=1).train([sure, wrong])
    assert model is not None
    assert model.card["stopped"] == "after the last iteration"
    assert [turn["changed"] for turn in model.card["iterations"]] == [1]


@pytest.mark.parametrize("setting", ["kept=0", "kept=1.5", "iterations=0", "distance=0", "smoothing=0"])
def test_parameters_out_of_range_raise_an_error(setting: str) -> None:
    with pytest.raises(UsageError, match=setting.partition("=")[0]):
        methods.get(f"mss-semi:{setting}")


# With no model of its own


def test_one_page_is_enough() -> None:
    content = methods.get("mss-semi")(Page.parse(ARTICLE))
    assert all(f"Paragraph {i} speaks" in content.text for i in range(8))
    assert 0.5 < content.confidence <= 1.0


def test_a_page_without_an_article_gives_an_empty_content_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "supervised.npz"
    MssModel(-1.0, dict.fromkeys((1, 2, 3), NgramTable.empty()), NgramTable.empty()).save(path)
    content = MssSemi(model=str(path))(Page.parse(ARTICLE))
    assert not content
    assert content.reason == "no token of the page is likely to be in an article"


def test_it_has_no_learn_method_for_sample_pages() -> None:
    # A method with `learn` makes a wrapper from `SamplePage`s, as `Forest` does; `train` takes other pages.
    assert not hasattr(MssSemi, "learn")
    assert MssSemi().train([MssSemi().label_page(tokenize(Page.parse(ARTICLE).tree), "site")]) is not None
