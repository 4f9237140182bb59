"""Train the model of the default extractor, and models that have not seen some sites.

The second trees get the probabilities of the first trees as features. On pages that they were trained on, these are too
good, so those of another fold are used, whose trees have not seen the page's site (cross-fitting). The same holds for
the dictionary of class names. The first trees only supply context features, so they use fewer rounds.

Variants of pages and samples of rows are random, and two trainings differ. So each ensemble is the average of several
seeds, each trained on all pages and on variants of its own.

Sites are assigned to folds by a checksum of their names: the same on every run.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen import language
from duramen.dom.blocks import find_blocks
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.errors import InputError
from duramen.evaluation import Example
from duramen.methods.auto import features
from duramen.methods.auto.boosted_trees import MAX_UNSURE, MIN_UNSURE, logistic
from duramen.methods.auto.class_scores import ClassScorer
from duramen.methods.auto.context_features import add_context
from duramen.methods.auto.features import Features
from duramen.methods.auto.model import BLOCK_FEATURES, AutoModel
from duramen.methods.auto.page_type import describe_selection
from duramen.methods.auto.threshold import NEGLIGIBLE_PROBABILITY, maximize_expected_f1
from duramen.methods.auto.title import read_title
from duramen.training.auto.augment import (
    MIN_CONTENT_BLOCKS,
    Branch,
    age,
    clip,
    find_branch,
    find_passage,
    graft,
    list_content_blocks,
    stray,
    thin,
)
from duramen.training.auto.boosting import BoostingSettings, average, derive_seed, flatten, train_booster
from duramen.training.auto.dataset import LabeledPage, label_blocks, label_marked_blocks, make_page
from duramen.training.auto.dictionary import count_words, learn_weights, make_dictionary, read_paths

Boosters = tuple[list[Any], list[Any]]
"""First and second boosters, one per seed."""


@dataclass(frozen=True)
class TrainingSettings:
    """Parameters of the training."""

    folds: int = 5
    other_type_weight: float = 1.0
    """Weight of a page that is no article."""
    seeds: int = 2
    """Number of seeds whose trees are averaged."""
    thinned: int = 2
    """Thinned variants of a page per seed: more of them reduce the effect of chance."""
    variant_weight: float = 0.7
    """Weight of a variant relative to its page."""
    nameless_share: float = 0.3
    """Share of the first thinned variants whose class names are cleared."""
    clips_articles: bool = True
    """Whether the last thinned variant of an article is clipped instead."""
    grafted_share: float = 0.3
    """Share of the articles that get a branch of another page beside the content."""
    strayed_share: float = 0.3
    """Share of the articles that get a branch or a paragraph apart from the content."""
    aged_share: float = 0.5
    """Share of the variants that are aged."""
    no_url_share: float = 0.5
    """Share of the variants without URL."""
    boosting: BoostingSettings = field(default_factory=BoostingSettings)
    type_boosting: BoostingSettings = field(
        default_factory=lambda: BoostingSettings(trees=100, leaves=8, min_leaf_rows=20, feature_share=0.5)
    )
    seed: int = 1


def with_seed(settings: TrainingSettings, seed: int) -> TrainingSettings:
    """Return the same settings with another seed for everything random."""
    return replace(
        settings,
        seed=seed,
        boosting=replace(settings.boosting, seed=seed),
        type_boosting=replace(settings.type_boosting, seed=seed),
    )


@dataclass(eq=False)
class TrainingSet:
    """Pages to train on, each followed by its variants."""

    groups: list[list[LabeledPage]] = field(default_factory=list, repr=False)
    unreadable: list[str] = field(default_factory=list)
    unusable: int = 0

    @property
    def pages(self) -> list[LabeledPage]:
        """The pages of which all labels are known."""
        return [group[0] for group in self.groups if group[0].known is None]


def read_training_set(
    examples: Sequence[Example], settings: TrainingSettings, after_page: Callable[[], None]
) -> TrainingSet:
    """Read the pages in two passes: branches are inserted after all have been collected."""
    training_set = TrainingSet()
    # By fold and by whether the page is an article: lists of other pages, paragraphs of articles, with their pages.
    branches: dict[tuple[int, bool], list[tuple[Example, Branch]]] = defaultdict(list)
    usable: list[tuple[Example, list[LabeledPage]]] = []
    for example in examples:
        after_page()
        try:
            group, branch = _read_page(example, settings)
        except InputError as error:
            training_set.unreadable.append(f"{example.set}/{example.id}: {error}")
            continue
        if group is None:
            training_set.unusable += 1
            continue
        usable.append((example, group))
        if branch is not None:
            branches[group[0].fold(settings.folds), group[0].is_article].append((example, branch))
    for example, group in usable:
        after_page()
        fold = group[0].fold(settings.folds)
        lists, passages = (
            [branch for source, branch in branches[fold, is_article] if source is not example]
            for is_article in (False, True)
        )
        group += _make_grafted(example, lists, passages, settings)
        training_set.groups.append(group)
    return training_set


def _read_page(example: Example, settings: TrainingSettings) -> tuple[list[LabeledPage] | None, Branch | None]:
    """Return a page with its thinned variants, and the branch that it can give to others."""
    tree = Page.parse(example.read(), url=example.url).tree
    reference = language.words(example.text or "")
    blocks = find_blocks(tree)
    if example.is_partial:
        return _read_partial_page(example, tree), None
    if not reference or not len(blocks):
        return None, None
    labels = label_blocks(blocks, reference)
    facts: dict[str, Any] = {"site": example.site, "page_type": example.type}
    title = read_title(tree)
    page = make_page(tree, title, labels, len(reference), **facts, url=example.url)
    if not page.is_usable:
        return None, None
    content = list_content_blocks(blocks, labels)
    if len(content) < MIN_CONTENT_BLOCKS:
        return [page], None
    group = [page]
    for number in range(settings.seeds * settings.thinned):
        generator = _make_random(example, settings, "thin" + " again" * number)
        seed_index, turn = divmod(number, settings.thinned)
        variant_labels = labels
        if settings.clips_articles and page.is_article and turn == settings.thinned - 1:
            variant, left, variant_labels = clip(tree, blocks, content, generator, labels)
        else:
            variant, left = thin(tree, blocks, content, generator, max_share=0.5)
        words = sum(variant_labels[blocks.first[block]][0] for block in left)
        variant = _age_some(variant, generator, settings)
        url = _keep_some_urls(example, generator, settings)
        facts |= {"weight": settings.variant_weight, "seed_index": seed_index, "url": url}
        group.append(make_page(variant, title, variant_labels, words, **facts))
    return group, (find_passage if page.is_article else find_branch)(tree, blocks, content)


def _read_partial_page(example: Example, tree: Tree) -> list[LabeledPage] | None:
    """Return a page of which some blocks are known; None if none of them is on the page. It has no variants."""
    labels = label_marked_blocks(find_blocks(tree), example.must, example.must_not)
    if not labels:
        return None
    words = sum(hits for hits, _ in labels.values())
    facts: dict[str, Any] = {"site": example.site, "page_type": example.type, "url": example.url}
    return [make_page(tree, read_title(tree), labels, words, is_partial=True, **facts)]


def _make_grafted(
    example: Example, lists: Sequence[Branch], passages: Sequence[Branch], settings: TrainingSettings
) -> list[LabeledPage]:
    """Return for each seed a differently thinned page; articles often with a part of another page."""
    tree = Page.parse(example.read(), url=example.url).tree
    blocks = find_blocks(tree)
    page_labels = label_blocks(blocks, language.words(example.text or ""))
    content = list_content_blocks(blocks, page_labels)
    if len(content) < MIN_CONTENT_BLOCKS // 2:
        return []
    is_article = example.type == "article"
    facts: dict[str, Any] = {"site": example.site, "page_type": example.type, "weight": settings.variant_weight}
    title = read_title(tree)
    pages = []
    for seed_index in range(settings.seeds):
        generator = _make_random(example, settings, "graft" + " again" * seed_index)
        variant, left, labels = tree, content, page_labels
        drawn = generator.random()
        is_grafted = is_article and drawn < settings.grafted_share
        is_strayed = is_article and settings.grafted_share <= drawn < settings.grafted_share + settings.strayed_share
        if is_strayed and generator.random() < 0.5:
            variant, left, labels = clip(tree, blocks, content, generator, page_labels)
        elif len(content) >= MIN_CONTENT_BLOCKS:
            variant, left = thin(tree, blocks, content, generator, max_share=0.7)
        words = sum(labels[blocks.first[block]][0] for block in left)
        if is_grafted and lists:
            variant, labels = graft(variant, blocks, left, generator.choice(lists), labels)
        elif is_strayed and (offered := generator.choice((lists, passages))):
            variant, labels = stray(variant, blocks, content, generator.choice(offered), labels, generator)
        variant = _age_some(variant, generator, settings)
        url = _keep_some_urls(example, generator, settings)
        pages.append(make_page(variant, title, labels, words, seed_index=seed_index, url=url, **facts))
    return pages


def _age_some(tree: Tree, generator: random.Random, settings: TrainingSettings) -> Tree:
    return age(tree) if generator.random() < settings.aged_share else tree


def _keep_some_urls(example: Example, generator: random.Random, settings: TrainingSettings) -> str | None:
    return None if generator.random() < settings.no_url_share else example.url


def _make_random(example: Example, settings: TrainingSettings, purpose: str) -> random.Random:
    return random.Random(crc32(f"{settings.seed} {purpose} {example.set}/{example.id}".encode()))


def select_for_seed(pages: Iterable[LabeledPage], seed_index: int) -> Iterable[LabeledPage]:
    """Return the pages and variants that one seed trains on."""
    return (page for page in pages if page.seed_index in (None, seed_index))


@dataclass(eq=False)
class AutoTraining:
    """All boosters: trained on all pages, and without each fold."""

    training_set: TrainingSet
    settings: TrainingSettings
    word_counts: Any = field(init=False, repr=False)
    paths: Any = field(init=False, repr=False)
    scorers: dict[frozenset[int], ClassScorer] = field(default_factory=dict, repr=False)
    """Dictionaries of class names, by the folds they were learned without."""
    boosters: dict[int | None, Boosters] = field(default_factory=dict, repr=False)
    outcomes: list[PageOutcome] = field(default_factory=list, repr=False)
    """Of pages and variants, by models that have not seen their sites."""

    def run(self, after_step: Callable[[], None]) -> None:
        """Train everything."""
        self.word_counts = count_words(self.training_set.pages, self.settings.folds)
        self.paths = read_paths(self.training_set.pages, list(make_dictionary(self.word_counts)), self.settings.folds)
        without: list[int | None] = [*range(self.settings.folds), None]
        seeds = range(self.settings.seeds)
        first: dict[int | None, list[Any]] = {}
        first_probabilities: dict[int, NDArray[Any]] = {}  # by the identity of the page
        for fold in without:
            first[fold] = [self._train_first(fold, seed) for seed in seeds]
            after_step()
            if fold is not None:
                for page in self._list_pages(only=fold):
                    page.set_scores(self.make_scorer(fold))
                    first_probabilities[id(page)] = _predict(first[fold], page.rows)
        described = {id(page): describe_context(page, first_probabilities[id(page)]) for page in self._list_pages()}
        for fold in without:
            second = [self._train_second(fold, described, seed) for seed in seeds]
            self.boosters[fold] = first[fold], second
            after_step()
            if fold is not None:
                self.outcomes += [
                    _extract(page, described[id(page)], second)
                    for page in self._list_pages(only=fold)
                    if page.known is None
                ]

    def make_model(self, without: int | None = None) -> AutoModel:
        """Return the model trained on all pages, or on those outside a fold."""
        first, second = self.boosters[without]
        scorer = self.make_scorer() if without is None else self.make_scorer(without)
        outcomes = [each for each in self.outcomes if each.page.fold(self.settings.folds) != without]
        return AutoModel(
            scorer.dictionary,
            average(first),
            average(second),
            self._train_types(outcomes),
            _calibrate(outcomes),
            path_weights=scorer.weights.tolist(),
        )

    def make_scorer(self, *without: int) -> ClassScorer:
        """Return the dictionary of class names learned without these folds."""
        folds = frozenset(without)
        if folds not in self.scorers:
            dictionary = make_dictionary(self.word_counts, folds)
            self.scorers[folds] = ClassScorer(dictionary, learn_weights(self.paths, dictionary, folds))
        return self.scorers[folds]

    def _list_pages(self, only: int | None = None, but: int | None = None) -> Iterable[LabeledPage]:
        for group in self.training_set.groups:
            fold = group[0].fold(self.settings.folds)
            if (only is None or fold == only) and (but is None or fold != but):
                yield from group

    def _train_first(self, without: int | None, seed_index: int) -> Any:
        hidden = [] if without is None else [without]
        scorers = {fold: self.make_scorer(*hidden, fold) for fold in range(self.settings.folds) if fold != without}
        generator = random.Random(derive_seed(self.settings.seed, seed_index))
        rows, labels, weights = [], [], []
        for group in self.training_set.groups:
            fold = group[0].fold(self.settings.folds)
            if fold == without:
                continue
            for number, page in enumerate(select_for_seed(group, seed_index)):
                if number == 1 and generator.random() < self.settings.nameless_share:
                    page.clear_scores()
                else:
                    page.set_scores(scorers[fold])
                rows.append(page.rows.copy())
                labels.append(page.labels)
                weights.append(self.weigh_blocks(page))
        boosting = self.settings.boosting.for_seed_index(seed_index).with_fewer_rounds()
        return train_booster(rows, labels, weights, boosting)

    def _train_second(self, without: int | None, described: dict[int, DescribedPage], seed_index: int) -> Any:
        pages = [(page, described[id(page)]) for page in select_for_seed(self._list_pages(but=without), seed_index)]
        return train_booster(
            [each.rows[each.is_training_row] for _, each in pages],
            [page.labels[each.is_training_row] for page, each in pages],
            [self.weigh_blocks(page)[each.is_training_row] for page, each in pages],
            self.settings.boosting.for_seed_index(seed_index),
        )

    def weigh_blocks(self, page: LabeledPage) -> NDArray[Any]:
        """Return the weights of blocks: pages weigh the same; within a page, the square root of the words.

        A block of which it is not known whether it is content weighs nothing.
        """
        weights = np.sqrt(page.words + 1.0)
        known = 1.0 if page.known is None else page.known
        total = 100.0 * page.weight * (1.0 if page.is_article else self.settings.other_type_weight)
        return np.asarray(weights * (total / weights.sum()) * known, np.float64)

    def _train_types(self, outcomes: Sequence[PageOutcome]) -> dict[str, Any]:
        """Train one classifier per type. All variants together weigh as much as all original pages."""
        types = sorted({outcome.page.page_type for outcome in outcomes})
        if len(types) < 2:
            return {}
        rows = np.array([outcome.row for outcome in outcomes])
        is_original = np.array([outcome.page.is_original for outcome in outcomes])
        shares = np.where(is_original, 1.0, is_original.sum() / max(1, (~is_original).sum()))
        trained = {}
        for page_type in types:
            labels = np.array([outcome.page.page_type == page_type for outcome in outcomes], np.float32)
            own = float(shares @ labels)
            weights = shares * np.where(labels > 0, 0.5 / own, 0.5 / (shares.sum() - own)) * len(labels)
            trained[page_type] = flatten(train_booster([rows], [labels], [weights], self.settings.type_boosting))
        return trained


@dataclass(eq=False)
class DescribedPage:
    """A page with its context features."""

    features: Features
    first: NDArray[np.float64] = field(repr=False)
    """Probabilities of the first trees."""

    @property
    def is_training_row(self) -> NDArray[np.bool_]:
        """Rows that the second trees are trained on: more than they classify, because certain ones help too."""
        return np.asarray(self.first >= NEGLIGIBLE_PROBABILITY)

    @property
    def is_unsure(self) -> NDArray[np.bool_]:
        """Rows that the second trees classify."""
        return np.asarray((self.first >= MIN_UNSURE) & (self.first <= MAX_UNSURE))

    @property
    def rows(self) -> NDArray[np.float64]:
        return np.ascontiguousarray(self.features.matrix.T)


def describe_context(page: LabeledPage, first: NDArray[Any]) -> DescribedPage:
    """Return a page with context features made from the first probabilities."""
    matrix = np.zeros((BLOCK_FEATURES, len(page.words)))
    matrix[: features.COUNT] = page.rows.T
    described = Features(
        matrix,
        matrix[0].copy(),
        np.asarray(page.owner),
        np.asarray(page.parent),
        np.asarray(page.start),
        np.asarray(page.stop),
        page.containers,
        page.cluster,
    )
    add_context(described, first)
    return DescribedPage(described, first)


def _predict(boosters: Sequence[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    scores = np.mean([booster.predict(rows, raw_score=True) for booster in boosters], axis=0)
    return logistic(np.asarray(scores, np.float64))


class PageOutcome(NamedTuple):
    """The blocks of a page that a model selects which has not seen its site."""

    page: LabeledPage
    expected_f1: float
    f1: float
    row: NDArray[np.float64]
    """Features of the page for its type."""


def _extract(page: LabeledPage, described: DescribedPage, second: Sequence[Any]) -> PageOutcome:
    probabilities = described.first.copy()
    unsure = described.is_unsure
    if unsure.any():
        probabilities[unsure] = _predict(second, described.rows[unsure])
    selection = maximize_expected_f1(described.features.words, probabilities, described.features.cluster)
    size = int(page.words[selection.kept].sum())
    f1 = 2 * int(page.hits[selection.kept].sum()) / (size + page.reference_words)
    row = np.concatenate((describe_selection(described.features, selection), page.facts))
    return PageOutcome(page, selection.expected_f1, f1, row)


def _calibrate(outcomes: Sequence[PageOutcome], parts: int = 10) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the mean F1 for each tenth of the pages by expected F1, made monotone (pool adjacent violators)."""
    ordered = sorted((outcome.expected_f1, outcome.f1) for outcome in outcomes if outcome.page.is_original)
    if len(ordered) < 2 * parts:
        return (0.0, 1.0), (0.0, 1.0)
    pools = [[*np.mean(part, 0).tolist(), len(part)] for part in np.array_split(np.array(ordered), parts)]
    merged: list[list[float]] = []
    for pool in pools:
        merged.append(pool)
        while len(merged) > 1 and merged[-2][1] >= merged[-1][1]:
            last, before = merged.pop(), merged.pop()
            size = last[2] + before[2]
            merged.append([(last[place] * last[2] + before[place] * before[2]) / size for place in (0, 1)] + [size])
    return tuple(pool[0] for pool in merged), tuple(pool[1] for pool in merged)
