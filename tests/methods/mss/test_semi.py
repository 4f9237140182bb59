"""Section 6.2.4: certainty, importance, and what a site's own pages teach."""

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
from duramen.methods.mss.model import MssModel, Table, ngrams
from duramen.methods.mss.semi import MssSemi, Unlabelled, labels, learn_trigrams, most_certain, nearness
from duramen.methods.mss.supervised import best_block, probability
from duramen.methods.mss.tokens import tokenize

ARTICLE = "<nav><a>Home</a><a>News</a></nav><h1>Heartwood</h1>" + "".join(
    f"<p>Paragraph {i} speaks of trees, of rings, and of what holds them up in a storm.</p>" for i in range(8)
)


# Importance


def test_importance_is_one_on_either_side_of_a_border_and_falls_to_zero() -> None:
    # The article is tokens 4 to 7; with a distance of 4 each step away from a border costs a quarter.
    assert nearness(14, (4, 8), 4).tolist() == [0.25, 0.5, 0.75, 1, 1, 0.75, 0.75, 1, 1, 0.75, 0.5, 0.25, 0, 0]


def test_importance_reaches_64_tokens_in_the_paper() -> None:
    near = nearness(200, (100, 200), MssSemi().distance)
    assert near[100 - 64] == pytest.approx(1 / 64)
    assert near[100 - 65] == 0.0


@given(st.integers(1, 80), st.data(), st.integers(1, 64))
def test_importance_is_the_formula_as_printed(size: int, data: st.DataObject, distance: int) -> None:
    start = data.draw(st.integers(0, size - 1))
    stop = data.draw(st.integers(start + 1, size))
    j, k = start, stop - 1
    by_hand = [max(0.0, distance - (min(abs(i - (j - 0.5)), abs(i - (k + 0.5))) - 0.5)) / distance for i in range(size)]
    assert nearness(size, (start, stop), distance).tolist() == pytest.approx(by_hand)


def test_the_importance_of_a_trigram_is_the_mean_over_its_tokens() -> None:
    # Trigram 0 stands next to a border once and far from it once; trigram 2 is never seen.
    places = np.array([1, 0, 1, 1, 1, 0, 1])
    learnt = learn_trigrams([(places, (2, 3))], 3, distance=2, smoothing=0.5)
    assert learnt.importance.tolist() == pytest.approx(
        [(1.0 + 0.0) / 2, (0.5 + 1.0 + 1.0 + 0.5 + 0.0) / 5, 0.0], abs=1e-3
    )


def test_trigrams_are_learnt_by_naive_bayes() -> None:
    learnt = learn_trigrams([(np.array([0, 1, 1, 0, 2, 2]), (1, 4))], 4, distance=64, smoothing=0.5)
    inside, outside = [1.5 / 4.5, 2.5 / 4.5, 0.5 / 4.5], [1.5 / 4.5, 0.5 / 4.5, 2.5 / 4.5]
    by_hand = [math.log(a / b) for a, b in zip(inside, outside, strict=True)]
    assert learnt.log_odds.tolist() == pytest.approx([*by_hand, 0.0], abs=1e-3)
    assert learnt.seen.tolist() == [True, True, True, False]
    assert learnt.prior == 0.0


def test_labels_are_one_inside_the_block() -> None:
    assert labels(5, (1, 3)).tolist() == [0, 1, 1, 0, 0]


# Which pages are learnt from


def test_sixty_per_cent_of_each_source_are_kept() -> None:
    sources = ["a"] * 5 + ["b"] * 5
    sure = [0.1, 0.9, 0.5, 0.8, 0.2, 0.04, 0.01, 0.03, 0.02, 0.05]
    assert most_certain(sources, sure, 0.6) == [1, 2, 3, 5, 7, 9]


def test_of_equally_certain_pages_the_first_are_kept() -> None:
    assert most_certain(["a"] * 5, [0.5] * 5, 0.6) == [0, 1, 2]


def test_a_source_with_one_page_keeps_it() -> None:
    assert most_certain(["a", "b", "b"], [0.1, 0.9, 0.8], 0.4) == [0, 1]


# The score


def test_a_score_is_weighted_by_importance() -> None:
    scores = MssSemi().weighted(np.array([0.75, 0.75, 0.25, 0.5]), np.array([0.0, 1.0, 0.5, 1.0]))
    assert scores.tolist() == pytest.approx([0.25, 0.25 * 25, -0.25 * 13, 0.0])


def made_model(folder: Path, html: str) -> tuple[MssModel, str]:
    """A model that likes the first half of this page's trigrams, dislikes the others, and finds all half important."""
    terms = tokenize(Page.parse(html).tree).terms
    trigrams = ngrams(terms, 3)
    odds = np.where(np.arange(len(terms)) < len(terms) // 2, 2.0, -2.0)
    order = np.argsort(trigrams)
    table = Table(trigrams[order], odds[order].astype(np.float16))
    importance = Table(trigrams[order], np.full(len(terms), 0.5, np.float16))
    model = MssModel(0.0, {1: Table.empty(), 2: Table.empty(), 3: table}, Table.empty(), importance)
    path = folder / "semi.npz"
    model.save(path)
    return model, str(path)


def test_a_model_learnt_from_unlabelled_pages_scores_by_trigrams_alone(tmp_path: Path) -> None:
    html = "<p>oak tree ring bark leaf root</p><p>home news sport shop help terms about more</p>"
    model, path = made_model(tmp_path, html)
    content = methods.get(f"mss-semi:model={path}")(Page.parse(html))
    tokens = tokenize(Page.parse(html).tree)
    odds, _ = model.log_odds(tokens, 3, open_tag=False)
    block = best_block((probability(odds) - 0.5) * (0.5 * 24 + 1), tokens)
    assert block is not None
    assert content.text.startswith("oak tree ring bark leaf root")
    assert "terms" not in content.text
    assert content.reason == f"the run of {block[1] - block[0]} tokens with the largest sum of scores"


def test_a_page_unlike_those_learnt_from_says_so(tmp_path: Path) -> None:
    table = Table(np.array([1], np.uint32), np.array([1.0], np.float16))
    path = tmp_path / "semi.npz"
    MssModel(0.0, {1: Table.empty(), 2: Table.empty(), 3: table}, Table.empty(), table).save(path)
    content = MssSemi(model=str(path))(Page.parse(ARTICLE))
    assert not content
    assert content.reason == "no run of tokens looks like the articles that the model was learnt from"


# Learning


def unlabelled(terms: list[int], probabilities: list[float], block: tuple[int, int] | None) -> Unlabelled:
    return Unlabelled("a", np.array(terms, np.uint32), np.array(probabilities), block)


def test_without_a_block_there_is_nothing_to_learn() -> None:
    assert MssSemi().learn([unlabelled([1, 2], [0.1, 0.1], None)]) is None


def test_an_unseen_trigram_is_worth_nothing() -> None:
    pages = [unlabelled([1, 2, 3, 4], [0.1, 0.9, 0.9, 0.1], (1, 3)), unlabelled([5, 6], [0.2, 0.2], None)]
    model = MssSemi(kept=0.5).learn(pages)
    assert model is not None
    assert model.prior == 0.0
    assert model.tables[3].keys.tolist() == model.importance.keys.tolist() == [1, 2, 3, 4]


def test_with_a_prior_an_unseen_trigram_is_worth_the_prior() -> None:
    model = MssSemi(prior=True).learn([unlabelled([1, 2, 3, 4], [0.1, 0.9, 0.1, 0.1], (1, 2))])
    assert model is not None
    assert model.prior == pytest.approx(math.log(1 / 3))


def test_the_iteration_ends_when_nothing_changes() -> None:
    model = MssSemi(window=1).learn([unlabelled([1, 2, 3, 4], [0.1, 0.9, 0.9, 0.1], (1, 3))])
    assert model is not None
    assert model.card["stopped"] == "when nothing changed any more"
    assert model.card["iterations"] == [{"pages": 1, "confidence": 0.9, "changed": 0}]


def test_the_iteration_ends_after_as_many_turns_as_are_wanted() -> None:
    # What the first classifier got wrong changes at once: trigram 3 is inside on the page that is surest.
    sure = unlabelled([1, 2, 3, 4], [0.1, 0.9, 0.9, 0.1], (1, 3))
    wrong = unlabelled([1, 2, 3, 4], [0.4, 0.6, 0.4, 0.4], (1, 2))
    model = MssSemi(kept=0.5, iterations=1).learn([sure, wrong])
    assert model is not None
    assert model.card["stopped"] == "after the last iteration"
    assert [turn["changed"] for turn in model.card["iterations"]] == [1]


@pytest.mark.parametrize("setting", ["kept=0", "kept=1.5", "iterations=0", "distance=0", "smoothing=0"])
def test_parameters_out_of_range_are_wrong_usage(setting: str) -> None:
    with pytest.raises(UsageError, match=setting.partition("=")[0]):
        methods.get(f"mss-semi:{setting}")


# With no model of its own


def test_one_page_is_enough_to_begin_with() -> None:
    content = methods.get("mss-semi")(Page.parse(ARTICLE))
    assert all(f"Paragraph {i} speaks" in content.text for i in range(8))
    assert 0.5 < content.confidence <= 1.0


def test_a_page_without_an_article_is_a_content_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "supervised.npz"
    MssModel(-1.0, dict.fromkeys((1, 2, 3), Table.empty()), Table.empty()).save(path)
    content = MssSemi(model=str(path))(Page.parse(ARTICLE))
    assert not content
    assert content.reason == "no token of the page is likely to be in an article"
