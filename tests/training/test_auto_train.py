"""From labeled pages to the model of the default extractor: labels, names, trees, calibration."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import lightgbm
import numpy as np
import pytest

from duramen import language
from duramen.dom.blocks import find_blocks
from duramen.dom.tree import Tree
from duramen.errors import MissingExtraError
from duramen.evaluation.sets import Example, read_set
from duramen.methods.auto import features, page_type
from duramen.methods.auto.class_scores import ClassScorer
from duramen.methods.auto.model import BLOCK_FEATURES
from duramen.methods.auto.title import PageTitle
from duramen.training.auto import train
from duramen.training.auto.boosting import (
    BoostingSettings,
    average,
    derive_seed,
    flatten,
    require_lightgbm,
    train_booster,
)
from duramen.training.auto.dataset import LabeledPage, label_blocks, make_page
from duramen.training.auto.dictionary import count_words, make_dictionary
from duramen.training.auto.train import AutoTraining, TrainingSettings, read_training_set, with_seed

if TYPE_CHECKING:
    from conftest import MakeSet

SMALL = TrainingSettings(
    folds=2,
    boosting=BoostingSettings(trees=4, leaves=4, min_leaf_rows=2),
    type_boosting=BoostingSettings(trees=2, leaves=2, min_leaf_rows=2),
)


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """On sets so small, threads that wait for each other take longer than the work."""
    many = lightgbm.train
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lightgbm, "train", lambda settings, *rest: many({**settings, "num_threads": 1}, *rest))
        yield


def ignore_progress() -> None:
    pass


def page_of(html: str, gold: str, site: str = "a") -> LabeledPage:
    tree = Tree.parse(html)
    words = language.words(gold)
    labels = label_blocks(find_blocks(tree), words)
    return make_page(tree, PageTitle(), labels, len(words), site=site, page_type="article")


@pytest.fixture
def trees(make_set: MakeSet) -> list[Example]:
    return read_set(make_set([{"site": f"site{number}"} for number in range(8)]))


def test_a_label_is_the_share_of_words_that_the_gold_has() -> None:
    page = page_of("<p>menu</p><p>one two three four five</p><p>six seven</p>", "one two three four five six")
    assert page.labels.tolist() == [0.0, 1.0, 0.5]
    assert page.words.tolist() == [1, 5, 2]
    assert page.is_usable


def test_a_page_without_its_reference_text_is_not_used() -> None:
    assert not page_of("<p>drawn by a script</p>", "quite other words that are nowhere here").is_usable


def test_cleared_names_are_zeros() -> None:
    page = page_of("<div class=post><p>one two</p></div>", "one two")
    page.set_scores(ClassScorer({"post": 5, "<p>": 3}))
    at = features.NAMES.index("own_score")
    assert page.rows[:, at : at + len(features.SCORE_NAMES)].any()
    page.clear_scores()
    assert not page.rows[:, at : at + len(features.SCORE_NAMES)].any()


def pages_with_names(sites: int) -> list[LabeledPage]:
    html = "<div class=post-body><p>one two three</p></div><div class=side><p>four five</p></div>"
    return [page_of(html, "one two three", site=f"site{number}") for number in range(sites)]


def test_names_over_content_score_high_and_others_low() -> None:
    dictionary = make_dictionary(count_words(pages_with_names(8), 2))
    assert dictionary["post"] == dictionary["body"] == dictionary["post-body"] > 0 > dictionary["side"]
    assert list(dictionary) == sorted(dictionary)


def test_names_of_fewer_than_three_sites_are_left_out() -> None:
    assert make_dictionary(count_words(pages_with_names(2), 2)) == {}
    assert "post" in make_dictionary(count_words(pages_with_names(3), 2))


def test_many_pages_of_one_site_count_once() -> None:
    pages = [page for page in pages_with_names(1) for _ in range(9)]
    assert make_dictionary(count_words(pages, 2)) == {}


def test_a_dictionary_without_a_fold_has_no_words_of_it() -> None:
    pages = pages_with_names(12)
    counts = count_words(pages, 3)
    for fold in range(3):
        others = [page for page in pages if page.fold(3) != fold]
        assert 3 <= len(others) < 12
        assert make_dictionary(counts, [fold]) == make_dictionary(count_words(others, 3))


def test_flat_trees_score_like_lightgbm() -> None:
    generator = np.random.default_rng(1)
    rows = generator.normal(size=(300, 5))
    labels = (rows[:, 0] + rows[:, 3] > 0).astype(np.float32)
    booster = train_booster([rows], [labels], [np.ones(300)], BoostingSettings(trees=6, leaves=6, min_leaf_rows=5))
    flat = flatten(booster)
    assert len(flat) == 6
    scores = flat.score(np.ascontiguousarray(rows.T))
    assert list(scores) == pytest.approx(booster.predict(rows, raw_score=True).tolist())
    inner = [child >= 0 for child in (flat.left, flat.right)]
    for child, is_inner in zip((flat.left, flat.right), inner, strict=True):
        assert np.all(child[is_inner] > np.arange(len(child))[is_inner])


def test_the_average_of_seeds_scores_the_mean() -> None:
    generator = np.random.default_rng(1)
    rows = generator.normal(size=(300, 5))
    labels = (rows[:, 0] + rows[:, 3] > 0).astype(np.float32)
    growth = BoostingSettings(trees=3, leaves=6, min_leaf_rows=5)
    boosters = [train_booster([rows], [labels], [np.ones(300)], growth.for_seed_index(index)) for index in range(2)]
    booster_scores = [booster.predict(rows, raw_score=True) for booster in boosters]
    assert not np.allclose(*booster_scores)
    scores = average(boosters).score(np.ascontiguousarray(rows.T))
    assert list(scores) == pytest.approx(((booster_scores[0] + booster_scores[1]) / 2).tolist())


def test_labels_that_are_all_alike_make_trees_of_leaves() -> None:
    booster = train_booster(
        [np.zeros((20, 2))], [np.full(20, 0.5, np.float32)], [np.ones(20)], BoostingSettings(trees=2, min_leaf_rows=2)
    )
    assert list(flatten(booster).score(np.zeros((2, 1)))) == pytest.approx([0.0], abs=1e-6)


def test_without_lightgbm_the_error_explains_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(
        MissingExtraError, match=r"this needs lightgbm: install it with  pip install 'duramen\[training\]'"
    ):
        require_lightgbm()


def test_pages_are_gathered_with_their_variants(trees: list[Example]) -> None:
    gathered = read_training_set(trees, SMALL, ignore_progress)
    assert len(gathered.pages) == 8
    for page, *variants in gathered.groups:
        assert page.is_usable
        assert [variant.seed_index for variant in variants] == [0, 0, 1, 1, 0, 1]
        assert page.seed_index is None
        for variant in variants:
            assert (variant.site, variant.weight) == (page.site, SMALL.variant_weight)
            assert 0 < variant.reference_words < page.reference_words
            assert int(variant.hits.sum()) == variant.reference_words
    assert any(
        first.reference_words != second.reference_words for _, first, second, *_ in gathered.groups
    )  # thinned in different ways


def test_variants_have_the_url_of_the_page_or_none(trees: list[Example]) -> None:
    addressed = [replace(example, url=f"https://example.org/docs/{example.id}") for example in trees]
    at = page_type.NAMES.index("url_docs") - page_type.COUNT
    groups = read_training_set(addressed, SMALL, ignore_progress).groups
    assert all(group[0].facts[at] for group in groups)
    has_url = [bool(variant.facts[at]) for group in groups for variant in group[1:]]
    assert 0.25 < sum(has_url) / len(has_url) < 0.75


def test_each_seed_uses_all_pages_and_its_own_variants(trees: list[Example]) -> None:
    for group in read_training_set(trees, SMALL, ignore_progress).groups:
        one, other = ([*train.select_for_seed(group, index)] for index in range(2))
        assert one[0] is other[0] is group[0]
        assert len(one) == len(other) == 4
        assert not set(map(id, one[1:])) & set(map(id, other[1:]))


def test_no_seed_equals_a_seed_of_another_training() -> None:
    assert derive_seed(1, 0) == 1
    assert len({derive_seed(seed, index) for seed in range(50) for index in range(4)}) == 200


def test_a_variant_has_the_weight_of_the_settings(trees: list[Example]) -> None:
    settings = replace(SMALL, thinned=1, variant_weight=0.25)
    training = AutoTraining(read_training_set(trees, settings, ignore_progress), settings)
    for group in training.training_set.groups:
        assert [round(training.weigh_blocks(page).sum(), 6) for page in group] == [100.0, 25.0, 25.0, 25.0, 25.0]


def test_articles_are_grafted_with_branches_of_other_pages(make_set: MakeSet) -> None:
    posts = [f"Post number {number} says something of its own, and signs it." for number in range(9)]
    thread = "<nav>Forum</nav><ul>" + "".join(f"<li class=post>{post}</li>" for post in posts) + "</ul>"
    rows: list[dict[str, Any]] = [{"site": f"site{number}"} for number in range(6)]
    rows += [{"site": f"f{n}", "type": "forum", "text": "\n".join(posts), "page": thread} for n in range(6)]
    gathered = read_training_set(
        read_set(make_set(rows)), TrainingSettings(folds=2, grafted_share=1.0), ignore_progress
    )
    articles = [group for group in gathered.groups if group[0].is_article]
    assert len(articles) == 6
    for group in articles:
        assert all(["post"] in variant.names for variant in group[-2:])
        assert ["post"] not in group[0].names
        assert int(group[-1].hits.sum()) == group[-1].reference_words


LONGER = " It was told at length, and more than once, by people who had been there and by people who had not."


def strayed(make_set: MakeSet, count: int) -> list[list[LabeledPage]]:
    """Articles with a sidebar, and all their variants with something in it."""
    rows: list[dict[str, Any]] = []
    for number in range(count):
        text = "\n".join(f"Part {part} of story {number}.{LONGER}" for part in range(8))
        paragraphs = "".join(f"<p>{part}</p>" for part in text.split("\n"))
        side = "<div class=side><div class=widget>About this site</div></div>"
        rows.append({"site": f"site{number}", "text": text, "page": f"<div>{paragraphs}</div>{side}"})
    settings = TrainingSettings(folds=1, grafted_share=0.0, strayed_share=1.0, aged_share=0.0)
    return read_training_set(read_set(make_set(rows)), settings, ignore_progress).groups


def in_sidebars(page: LabeledPage) -> list[int]:
    """The sizes of the blocks in the sidebar, none of which is content."""
    side = page.names.index(["side"])
    inside = slice(page.start[side], page.stop[side])
    assert not page.hits[inside].any()
    return page.words[inside].tolist()


def test_paragraphs_of_other_articles_are_inserted_into_sidebars(make_set: MakeSet) -> None:
    groups = strayed(make_set, 6)
    assert {len(in_sidebars(group[0])) for group in groups} == {1}
    sidebar_words = [in_sidebars(variant) for group in groups for variant in group[-2:]]
    assert {len(each) for each in sidebar_words} == {1, 2}  # there are no lists to stray: then nothing does
    whole = language.count_words(f"Part 1 of story 1.{LONGER}")
    assert {max(each) for each in sidebar_words if len(each) == 2} == {whole}


def test_an_article_is_not_given_a_paragraph_of_its_own(make_set: MakeSet) -> None:
    [group] = strayed(make_set, 1)
    assert {len(in_sidebars(variant)) for variant in group} == {1}


def test_pages_that_cannot_be_used_are_counted(make_set: MakeSet) -> None:
    rows = [
        {"site": "good"},
        {"text": None},
        {"text": "Entirely other words", "page": "<p>nothing like it</p>"},
        {"page": "<script>s</script>"},
        {"page": None},
        {"page": b"%PDF-1.7 and so on"},
    ]
    gathered = read_training_set(read_set(make_set(rows)), SMALL, ignore_progress)
    assert len(gathered.pages) == 1
    assert gathered.unusable == 3
    assert [trouble.partition(":")[0] for trouble in gathered.unreadable] == ["trees/page4", "trees/page5"]


def parts(model: Any) -> list[Any]:
    ensembles = [model.first, model.second, *model.types.values()]
    numbers = [
        getattr(each, part).tolist()
        for each in ensembles
        for part in ("root", "feature", "threshold", "left", "right", "value")
    ]
    return [dict(model.dictionary), list(model.types), model.calibration, numbers]


def train_model(examples: list[Example], settings: TrainingSettings) -> AutoTraining:
    training = AutoTraining(read_training_set(examples, settings, ignore_progress), settings)
    training.run(ignore_progress)
    return training


def test_learning_is_the_same_twice_and_another_with_another_seed(trees: list[Example]) -> None:
    first, second, other = (
        train_model(trees, settings).make_model() for settings in (SMALL, SMALL, with_seed(SMALL, 2))
    )
    assert parts(first) == parts(second)
    assert parts(first) != parts(other)


def test_no_model_has_seen_the_fold_it_is_without(trees: list[Example], monkeypatch: pytest.MonkeyPatch) -> None:
    grown: list[int] = []

    def spy(rows: list[Any], *rest: Any) -> Any:
        grown.append(len(rows))
        return train_booster(rows, *rest)

    monkeypatch.setattr(train, "train_booster", spy)
    training = train_model(trees, SMALL)
    assert {len(group) for group in training.training_set.groups} == {7}
    # A voice learns from the page and three variants.
    sizes = [4 * sum(group[0].fold(2) != fold for group in training.training_set.groups) for fold in range(2)]
    each = [*sizes, sum(sizes)]
    assert grown == [size for _ in range(2) for size in each for _ in range(2)]
    assert set(training.boosters) == {0, 1, None}
    assert len(training.outcomes) == 7 * len(training.training_set.groups)


def test_the_model_uses_only_existing_features(trees: list[Example]) -> None:
    model = train_model(trees, SMALL).make_model()
    assert max(model.first.feature, default=0) < features.COUNT
    assert max(model.second.feature, default=0) < BLOCK_FEATURES


def test_a_calibration_rises() -> None:
    page = pages_with_names(1)[0]
    generator = np.random.default_rng(1)
    outcomes = [train.PageOutcome(page, float(e), float(f), np.zeros(0)) for e, f in generator.random((200, 2))]
    variants = [outcome._replace(page=replace(page, seed_index=0), f1=0.0) for outcome in outcomes]
    expected, mean_f1 = train._calibrate(outcomes + variants)
    assert (expected, mean_f1) == train._calibrate(outcomes)
    assert len(expected) == len(mean_f1) <= 10
    assert list(expected) == sorted(set(expected))
    assert list(mean_f1) == sorted(set(mean_f1))


def test_too_few_pages_are_not_calibrated() -> None:
    assert train._calibrate([]) == ((0.0, 1.0), (0.0, 1.0))


def test_variants_weigh_as_much_as_pages_in_the_training_of_types(
    monkeypatch: pytest.MonkeyPatch, trees: list[Example]
) -> None:
    grown: list[tuple[Any, Any]] = []

    def spy(rows: list[Any], labels: list[Any], weights: list[Any], settings: BoostingSettings) -> Any:
        grown.append((rows[0], weights[0]))
        return train_booster(rows, labels, weights, settings)

    half = len(trees) // 2
    training = train_model([*trees[:half], *(replace(example, type="forum") for example in trees[half:])], SMALL)
    monkeypatch.setattr(train, "train_booster", spy)
    pages = [outcome.page for outcome in training.outcomes]
    kinds = {page.page_type for page in pages}
    training.make_model()
    assert len(grown) == len(kinds) == 2
    for (rows, weights), kind in zip(grown, sorted(kinds), strict=True):
        assert len(rows) == len(pages)
        whole = [
            weight for weight, page in zip(weights, pages, strict=True) if page.is_original and page.page_type == kind
        ]
        others = [
            weight
            for weight, page in zip(weights, pages, strict=True)
            if not page.is_original and page.page_type == kind
        ]
        assert sum(whole) == pytest.approx(sum(others))
        own = sum(weight for weight, page in zip(weights, pages, strict=True) if page.page_type == kind)
        assert own == pytest.approx(sum(weights) / 2)
