"""From labeled pages to a model, its scores on held-out sites, and its make_card."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from duramen.dom.page import Page
from duramen.evaluation.metrics.agreement import Agreement
from duramen.evaluation.sets import Example, read_set
from duramen.methods.mss import model as mss
from duramen.methods.mss.model import MssModel, hash_ngrams
from duramen.methods.mss.supervised import MssSupervised
from duramen.methods.mss.tokens import hash_term
from duramen.training.card import CREDITS, describe, make_card
from duramen.training.held_out import FoldScores, mean_agreement, score_held_out
from duramen.training.mss import MssTrainingSettings, find_fold, learn

if TYPE_CHECKING:
    from conftest import MakeSet

WHOLE = MssTrainingSettings(folds=0)


@pytest.fixture
def trees(make_set: MakeSet) -> list[Example]:
    """Twelve articles of twelve sites."""
    return read_set(make_set([{"site": f"site{number}"} for number in range(12)]))


def value(model: MssModel, *words: str) -> float:
    """The log odds of an n-gram of words that are their own stems."""
    key = hash_ngrams(np.array([hash_term(word) for word in words], np.uint32), len(words))[:1]
    values, seen = model.tables[len(words)].look_up(key)
    assert seen[0]
    return float(values[0])


def same(first: MssModel, second: MssModel) -> bool:
    tables = [(first.tables[order], second.tables[order]) for order in mss.ORDERS]
    tables.append((first.open_tags, second.open_tags))
    return first.prior == second.prior and all(
        np.array_equal(a.keys, b.keys) and np.array_equal(a.values, b.values) for a, b in tables
    )


def test_words_of_articles_are_likely_and_words_of_menus_are_not(trees: list[Example]) -> None:
    model = learn(trees, WHOLE).model(WHOLE)
    assert value(model, "oak") > 1 > -1 > value(model, "sport")
    assert value(model, "the", "oak", "stand") > 1


def test_the_model_finds_the_article_of_a_page_it_has_not_seen(trees: list[Example], tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    learn(trees[1:], WHOLE).model(WHOLE).save(path)
    content = MssSupervised(model=str(path))(Page.parse(trees[0].read()))
    assert content.text.split() == (trees[0].text or "").split()


def test_log_odds_are_those_of_smoothed_counts(make_set: MakeSet) -> None:
    words = [first + second for first in "bcdfghjk" for second in "bcdfghjk"][:60]
    page = f"<nav>bb delta</nav><p>alpha {' '.join(words)}</p>"
    examples = read_set(make_set([{"text": f"alpha {' '.join(words)}", "page": page}]))
    model = learn(examples, WHOLE).model(MssTrainingSettings(folds=0, smoothing=0.5))
    # <html> <head> </head> <body> <nav> bb delta </nav> <p> | alpha and 60 words | </p> </body> </html>
    inside, outside, kinds = 61, 12, 60 + 2 + 10
    expected = np.log((1.5 / (inside + 0.5 * kinds)) / (1.5 / (outside + 0.5 * kinds)))
    assert value(model, "bb") == pytest.approx(expected, abs=0.002)
    expected = np.log((0.5 / (inside + 0.5 * kinds)) / (1.5 / (outside + 0.5 * kinds)))
    assert value(model, "delta") == pytest.approx(expected, abs=0.002)
    assert model.prior == pytest.approx(np.log(61 / 12))


def test_every_unused_page_has_a_reason(make_set: MakeSet) -> None:
    rows = [
        {"site": "good"},
        {"text": None},
        {"text": "Entirely other words", "page": "<p>nothing like it</p>"},
        {"text": "Too short.", "page": "<p>Too short.</p>"},
        {"text": "word " * 60, "page": "<p>word</p>" * 60},
        {"page": None},
        {"page": b"%PDF-1.7 and so on"},
    ]
    learned = learn(read_set(make_set(rows)), WHOLE)
    assert learned.pages == 1
    assert learned.discarded == {
        "no gold text": 1,
        "no word of the gold text on the page": 1,
        "fewer than 50 words and symbols": 1,
        "more than 20% tags": 1,
        "cannot be read": 2,
    }
    assert [trouble.partition(":")[0] for trouble in learned.unreadable] == ["trees/page5", "trees/page6"]


def test_the_limits_for_discarding_can_be_set(make_set: MakeSet) -> None:
    rows = [
        {"text": "Too short.", "page": "<p>Too short.</p>"},
        {"text": "word " * 60, "page": "<p>word</p>" * 60},
    ]
    assert learn(read_set(make_set(rows)), MssTrainingSettings(fewest=2, most_tags=0.8)).pages == 2


def test_folds_do_not_change_the_model(trees: list[Example]) -> None:
    five = MssTrainingSettings(folds=5)
    assert same(learn(trees, five).model(five), learn(trees, WHOLE).model(WHOLE))


def test_a_model_without_a_fold_is_not_trained_on_it(trees: list[Example]) -> None:
    folds = MssTrainingSettings(folds=3)
    learned = learn(trees, folds)
    for fold in range(3):
        others = [example for example in trees if find_fold(example.site, 3) != fold]
        assert 0 < len(others) < 12
        assert same(learned.model(folds, without=fold), learn(others, WHOLE).model(WHOLE))


def test_pages_of_one_site_are_in_one_fold() -> None:
    assert {find_fold("trees.example", 5) for _ in range(3)} == {find_fold("trees.example", 5)}
    assert {find_fold(f"site{number}", 5) for number in range(50)} == set(range(5))
    assert find_fold("any", 0) == 0


def test_rare_ngrams_are_left_out_except_single_tokens(trees: list[Example]) -> None:
    learned = learn(trees, WHOLE)
    whole, pruned = learned.model(WHOLE), learned.model(MssTrainingSettings(folds=0, at_least=2))
    assert len(pruned.tables[1]) == len(whole.tables[1])
    for order in (2, 3):
        assert 0 < len(pruned.tables[order]) < len(whole.tables[order])
    assert value(pruned, "the", "oak", "stand") == value(whole, "the", "oak", "stand")


def test_ngrams_with_small_log_odds_are_left_out(trees: list[Example]) -> None:
    learned = learn(trees, WHOLE)
    pruned = learned.model(MssTrainingSettings(folds=0, faintest=2.0))
    assert np.abs(learned.model(WHOLE).tables[2].values).min() < 2
    assert np.abs(pruned.tables[2].values).min() >= 2
    assert np.abs(pruned.tables[3].values).min() >= 2


def test_all_pages_are_scored_by_models_of_other_sites(trees: list[Example]) -> None:
    folds = MssTrainingSettings(folds=3)
    scores = score_held_out(trees, learn(trees, folds), folds)
    assert sum(fold.pages for fold in scores) == 12
    assert {name for fold in scores for name in fold.pruned} == {"mss-supervised", "mss"}
    assert all(score.f1 > 0.9 for fold in scores for score in fold.pruned["mss-supervised"])
    assert not any(fold.whole for fold in scores)


def test_the_model_is_scored_with_and_without_pruning(trees: list[Example]) -> None:
    settings = MssTrainingSettings(folds=3, at_least=2)
    scores = score_held_out(trees, learn(trees, settings), settings)
    assert [len(fold.whole["mss"]) for fold in scores] == [fold.pages for fold in scores]


def test_scoring_leaves_no_files_behind(trees: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    folds = MssTrainingSettings(folds=2)
    assert score_held_out(trees, learn(trees, folds), folds)
    assert not list((tmp_path / "temporary").iterdir())


def test_pages_of_a_single_site_cannot_be_scored(make_set: MakeSet) -> None:
    folds = MssTrainingSettings(folds=5)
    examples = read_set(make_set([{"site": "one"}] * 3))
    assert score_held_out(examples, learn(examples, folds), folds) == []


def test_progress_is_reported_for_each_page(trees: list[Example]) -> None:
    done: list[int] = []
    folds = MssTrainingSettings(folds=2)
    learned = learn(trees, folds, lambda: done.append(1))
    assert len(done) == 12
    score_held_out(trees, learned, folds, lambda: done.append(1))
    assert len(done) == 24


def test_means_are_taken_for_each_value() -> None:
    assert mean_agreement([Agreement(1.0, 0.5, 0.6), Agreement(0.0, 0.5, 0.2)]) == pytest.approx((0.5, 0.5, 0.4))


def test_the_card_has_data_date_parameters_and_scores(trees: list[Example]) -> None:
    settings = MssTrainingSettings(folds=2, at_least=2)
    learned = learn(trees, settings)
    model = learned.model(settings)
    made = make_card(model, learned, settings, ["article"], score_held_out(trees, learned, settings))
    assert json.loads(json.dumps(made)) == made
    assert made["algorithm"] == "supervised"
    assert made["date"].endswith("+00:00")
    assert made["sets"] == [{"name": "trees", "credit": "trees", "pages": 12, "sites": 12}]
    assert made["types"] == ["article"]
    assert made["parameters"]["at_least"] == 2
    assert made["quality"] == {"mean": 1.0, "deciles": [1.0] * 11}
    assert made["ngrams"]["3"] == len(model.tables[3])
    scores = made["scores"]["methods"]["mss-supervised"]
    assert [fold["fold"] for fold in scores["folds"]] == [0, 1]
    assert sum(fold["pages"] for fold in scores["folds"]) == made["scores"]["pages"] == 12
    assert scores["f1"] > 0.9


def test_the_card_names_the_license_of_a_known_set(make_set: MakeSet) -> None:
    learned = learn(read_set(make_set([{}], name="wcxb-dev")), WHOLE)
    made = make_card(learned.model(WHOLE), learned, WHOLE, [], [])
    assert made["sets"][0]["credit"] == CREDITS["wcxb-dev"] == "WCXB v1.0, CC BY 4.0"
    assert made["types"] == ["all"]
    assert made["scores"] == {}


@pytest.mark.parametrize(
    ("whole", "pruned", "said"),
    [
        (0.9, 0.8, "costs 0.1000: word F1 0.9000 with all n-grams, 0.8000 with those that were kept"),
        (0.8, 0.9, "gains 0.1000: word F1 0.8000 with all n-grams, 0.9000 with those that were kept"),
        (0.9, 0.9, "costs nothing: word F1 0.9000 with all n-grams, 0.9000 with those that were kept"),
    ],
)
def test_the_card_has_the_cost_of_pruning(trees: list[Example], whole: float, pruned: float, said: str) -> None:
    learned = learn(trees, WHOLE)
    scores = FoldScores(0, 1, 1, {"mss": [Agreement(1, 1, pruned)]}, {"mss": [Agreement(1, 1, whole)]})
    made = make_card(learned.model(WHOLE), learned, WHOLE, [], [scores])
    assert made["pruning"] == {"mss": said}
    assert f"pruning      mss: {said}" in describe(made)


def test_a_model_with_tag_pairs_scores_by_them(trees: list[Example], tmp_path: Path) -> None:
    settings = MssTrainingSettings(folds=0, tag_pairs=True)
    path = tmp_path / "pairs.npz"
    learn(trees[1:], settings).model(settings).save(path)
    assert len(MssModel.load(path).tag_pairs) > 3
    text = MssSupervised(model=str(path), tag_pair=True)(Page.parse(trees[0].read())).text
    assert "The oak stands" in text


def test_the_open_tag_has_the_smoothing_of_the_trigrams(trees: list[Example]) -> None:
    strong, weak = (
        learn(trees, replace(WHOLE, smoothing=smoothing)).model(replace(WHOLE, smoothing=smoothing))
        for smoothing in (0.01, 10.0)
    )
    assert np.abs(strong.open_tags.values).max() > np.abs(weak.open_tags.values).max() + 1
