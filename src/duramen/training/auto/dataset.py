"""Labeled pages: the features of a page, and how many words of each block the reference text has.

The words of a page's blocks are aligned with those of the reference text (`evaluation.metrics.positions`): the label of
a block is the share of its words that are in the reference. Of the tree only the names of its elements are kept.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen import language
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.tree import Tree
from duramen.evaluation.metrics.positions import count_common_words
from duramen.methods.auto import features
from duramen.methods.auto.class_scores import SCORE_NAMES, ClassScorer, ElementScore, inherit_scores, read_names
from duramen.methods.auto.features import NAMES
from duramen.methods.auto.page_type import read_facts
from duramen.methods.auto.title import PageTitle

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

_FIRST_SCORE, _PATH_WEIGHT = NAMES.index(SCORE_NAMES[0]), NAMES.index("path_weight")
MIN_FOUND_SHARE = 0.5
"""Share of the reference's words that must be on the page. Pages drawn by scripts are left out."""

BlockLabels = dict[int, tuple[int, int]]
"""For the first text node of a block: its words in the reference, and all its words."""


@dataclass(eq=False)
class LabeledPage:
    """A page, or a variant of one, to train or to score on."""

    site: str
    page_type: str
    rows: Floats = field(repr=False)
    """Features, one row per block."""
    words: Integers = field(repr=False)
    """Words of each block, as the reference counts them."""
    hits: Integers = field(repr=False)
    """Those of them that are in the reference."""
    reference_words: int
    tags: list[str] = field(repr=False)
    """Of each element: tag, names, parent, and range of blocks."""
    names: list[list[str]] = field(repr=False)
    parent: array[int] = field(repr=False)
    start: array[int] = field(repr=False)
    stop: array[int] = field(repr=False)
    owner: array[int] = field(repr=False)
    cluster: Integers = field(repr=False)
    containers: Integers = field(repr=False)
    weight: float = 1.0
    """Relative to other pages."""
    seed_index: int | None = None
    """The training seed that uses it; None for a page that all seeds use."""
    facts: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0), repr=False)
    known: NDArray[np.bool_] | None = field(default=None, repr=False)
    """Blocks whose label is known, on a page with partial gold; None where all are."""

    def fold(self, folds: int) -> int:
        """Return the fold of the page's site."""
        return fold_of(self.site, folds)

    @property
    def is_article(self) -> bool:
        return self.page_type == "article"

    @property
    def is_original(self) -> bool:
        """Whether it is an original page, not a variant."""
        return self.seed_index is None

    @property
    def is_usable(self) -> bool:
        return self.reference_words > 0 and int(self.hits.sum()) >= MIN_FOUND_SHARE * self.reference_words

    @property
    def labels(self) -> Floats:
        return (self.hits / np.maximum(self.words, 1)).astype(np.float32)

    def set_scores(self, scorer: ClassScorer) -> None:
        """Write the class-name features that a dictionary gives into the rows, as `features.describe` does."""
        numbers: dict[tuple[str, ...], int] = {}
        scores: list[ElementScore] = []
        words: list[int] = []
        ends, combination = array("q", (0,)), array("q")
        for names in self.names:
            key = tuple(names)
            if key not in numbers:
                numbers[key] = len(numbers)
                score, name_words = scorer.score_names(names)
                scores.append(score)
                words.extend(name_words)
                ends.append(len(words))
            combination.append(numbers[key])
        tag_words = array("q", scorer.number_words([f"<{tag}>" for tag in self.tags]))
        weights = np.asarray(scorer.sum_path_weights(self.parent, tag_words, combination, ends, words))
        owner = np.asarray(self.owner)
        inherited = inherit_scores(
            np.asarray(self.parent),
            np.array([scorer.score_tag(tag) for tag in self.tags], np.float64),
            np.array(scores, np.float64).reshape(-1, len(ElementScore._fields)),
            np.asarray(combination),
        )
        self.rows[:, _FIRST_SCORE : _FIRST_SCORE + len(SCORE_NAMES)] = inherited[:, owner].T
        self.rows[:, _PATH_WEIGHT] = weights[owner]

    def clear_scores(self) -> None:
        """Set the class-name features to 0, as on a page without class names."""
        self.rows[:, _FIRST_SCORE : _PATH_WEIGHT + 1] = 0.0


def fold_of(site: str, folds: int) -> int:
    """Return the fold of a site: the same on every run."""
    return crc32(site.encode()) % folds


def label_blocks(blocks: Blocks, reference: list[str]) -> BlockLabels:
    """Return the labels of the blocks of a page."""
    return dict(zip(blocks.first, count_common_words(blocks.text, reference), strict=True))


def label_marked_blocks(blocks: Blocks, must: Sequence[str], must_not: Sequence[str]) -> BlockLabels:
    """Return the labels of the blocks whose text is one of these, for a page with partial gold."""
    wanted = {_make_key(text): True for text in must} | {_make_key(text): False for text in must_not}
    labels: BlockLabels = {}
    for first, text in zip(blocks.first, blocks.text, strict=True):
        if (is_content := wanted.get(_make_key(text))) is not None:
            words = language.count_words(text)
            labels[first] = (words if is_content else 0, words)
    return labels


def _make_key(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def make_page(
    tree: Tree,
    title: PageTitle,
    labels: BlockLabels,
    reference_words: int,
    *,
    site: str,
    page_type: str,
    weight: float = 1.0,
    seed_index: int | None = None,
    url: str | None = None,
    is_partial: bool = False,
) -> LabeledPage:
    """Return the labeled page of a tree; a block without a label is no content, with partial gold it is unknown."""
    blocks = find_blocks(tree)
    described = features.describe(blocks, ClassScorer({}), title)
    counts = [
        labels.get(first) or (0, language.count_words(text))
        for first, text in zip(blocks.first, blocks.text, strict=True)
    ]
    names = [
        read_names(attributes) if tree.tag[node] not in ("html", "body") else []
        for node, attributes in zip(blocks.node, tree.read_attributes(blocks.node), strict=True)
    ]
    return LabeledPage(
        site=site,
        page_type=page_type,
        rows=described.matrix.T.astype(np.float32),
        hits=np.array([hits for hits, _ in counts], np.int64),
        words=np.array([words for _, words in counts], np.int64),
        reference_words=reference_words,
        tags=[tree.tag[node] for node in blocks.node],
        names=names,
        parent=blocks.parent,
        start=blocks.start,
        stop=blocks.stop,
        owner=blocks.owner,
        cluster=described.cluster,
        containers=described.containers,
        weight=weight,
        seed_index=seed_index,
        facts=read_facts(tree, described.currency_signs, url),
        known=np.array([first in labels for first in blocks.first], bool) if is_partial else None,
    )
