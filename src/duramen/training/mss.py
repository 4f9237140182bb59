"""Train the model of maximum subsequence segmentation on labeled pages: `duramen train mss`.

Pages are read once, one after the other: each is converted to tokens, labeled by its reference text (`token_labels.py`)
and counted (`counts.py`). Only the counts are kept, separately for each *fold* of the sites, so that the model of all
pages and the models without a fold (`held_out.py`) are sums of the same counts.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, sections
5.1 and 6.2.3.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from zlib import crc32

import numpy as np

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation.sets import Example
from duramen.methods.mss.model import ORDERS, MssModel, NgramTable
from duramen.methods.mss.tokens import Tokens, tokenize
from duramen.training.counts import NgramCounter, TokenCounts
from duramen.training.perceptron import TrainingPage, make_training_page
from duramen.training.token_labels import MAX_TAG_SHARE, MIN_WORDS, ArticleLabel, label

_MAX_NGRAMS = 30_000_000  # of one order, in all folds together; each takes 20 bytes


@dataclass(frozen=True)
class MssTrainingSettings:
    """How to train. The first two values are the paper's; the others are not in the paper."""

    fewest: int = MIN_WORDS
    """Discard a page with fewer words and symbols in its article."""
    most_tags: float = MAX_TAG_SHARE
    """Discard a page with a larger share of tags in its article."""
    smoothing: float = 0.1
    """Added to each count, so that no n-gram has an infinite score."""
    at_least: int = 1
    """Leave out pairs and triples of tokens that were seen less often."""
    faintest: float = 0.0
    """Leave out pairs and triples whose log odds are nearer to 0: the log odds of unseen n-grams are 0."""
    tag_pairs: bool = False
    """Count the two most recent unclosed tags as well, for `tag_pair=yes` (section 6.2)."""
    folds: int = 5
    """The number of parts of the sites for the held-out scores; 0 for no scores."""

    @property
    def prunes(self) -> bool:
        return self.at_least > 1 or self.faintest > 0

    def without_pruning(self) -> MssTrainingSettings:
        return dataclasses.replace(self, at_least=1, faintest=0.0)


@dataclass
class LabeledCounts:
    """The counts of the labeled pages, and which pages were used."""

    folds: list[TokenCounts]
    """The counts of each fold."""
    qualities: list[float] = field(default_factory=list)
    """The label quality of each page that was used."""
    discarded: Counter[str] = field(default_factory=Counter)
    """Pages that were not used, by reason."""
    unreadable: list[str] = field(default_factory=list)
    """The error of each page that could not be read."""
    used: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Pages that were used, by set and site."""

    @property
    def pages(self) -> int:
        return self.used.total()

    def model(self, settings: MssTrainingSettings, *, without: int | None = None) -> MssModel:
        """Make the model of all pages, or of those outside one fold."""
        chosen = [counts for fold, counts in enumerate(self.folds) if fold != without]
        at_least = {order: settings.at_least for order in ORDERS if order > 1}
        model = _sum_counts(chosen).model(smoothing=settings.smoothing, at_least=at_least)
        if not settings.faintest:
            return model
        tables = {
            order: table if order == 1 else _drop_small_log_odds(table, settings.faintest)
            for order, table in model.tables.items()
        }
        return dataclasses.replace(model, tables=tables)


def learn(
    examples: Iterable[Example], settings: MssTrainingSettings, after_page: Callable[[], None] = lambda: None
) -> LabeledCounts:
    """Read, label and count the pages. Pages that cannot be read or are not fit for training are recorded as such."""
    parts = max(settings.folds, 1)
    counts = LabeledCounts([_make_counts(_MAX_NGRAMS // parts, tag_pairs=settings.tag_pairs) for _ in range(parts)])
    for example in examples:
        try:
            _count_page(example, settings, counts)
        except InputError as error:
            counts.discarded["cannot be read"] += 1
            counts.unreadable.append(f"{example.set}/{example.id}: {error}")
        after_page()
    return counts


def find_fold(site: str, folds: int) -> int:
    """Return the fold of a site. It does not depend on the machine, the run or the other sites."""
    return crc32(site.encode("utf-8", "surrogatepass")) % folds if folds else 0


def _count_page(example: Example, settings: MssTrainingSettings, counts: LabeledCounts) -> None:
    labeled = _label_page(example, settings)
    if isinstance(labeled, str):
        counts.discarded[labeled] += 1
        return
    tokens, article = labeled
    counts.folds[find_fold(example.site, settings.folds)].add(tokens, article.start, article.stop)
    counts.qualities.append(article.quality)
    counts.used[example.set, example.site] += 1


def _label_page(example: Example, settings: MssTrainingSettings) -> tuple[Tokens, ArticleLabel] | str:
    """Return the tokens of a page and its article, or why the page is not used."""
    if not example.text:
        return "no gold text"
    tokens = tokenize(Page.parse(example.read(), url=example.url).tree)
    article = label(tokens, example.text)
    if article is None:
        return "no word of the gold text on the page"
    flaw = article.find_flaw(fewest=settings.fewest, most_tags=settings.most_tags)
    return flaw or (tokens, article)


class PerceptronPages(NamedTuple):
    """The pages that a perceptron is trained on, and their number by set and site."""

    pages: list[TrainingPage]
    used: Counter[tuple[str, str]]


def read_training_pages(
    examples: Iterable[Example], settings: MssTrainingSettings, after_page: Callable[[], None] = lambda: None
) -> PerceptronPages:
    """Read the pages that are fit to train a perceptron."""
    read = PerceptronPages([], Counter())
    for example in examples:
        labeled = _label_page(example, settings)
        if not isinstance(labeled, str):
            tokens, article = labeled
            read.pages.append(make_training_page(tokens, article.start, article.stop))
            read.used[example.set, example.site] += 1
        after_page()
    return read


def _make_counts(max_ngrams: int, *, tag_pairs: bool) -> TokenCounts:
    return TokenCounts(
        {order: NgramCounter(max_ngrams) for order in ORDERS},
        NgramCounter(max_ngrams),
        NgramCounter(max_ngrams) if tag_pairs else None,
    )


def _sum_counts(parts: list[TokenCounts]) -> TokenCounts:
    if len(parts) == 1:
        return parts[0]
    return TokenCounts(
        ngrams={order: _sum_counters([part.ngrams[order] for part in parts]) for order in ORDERS},
        open_tags=_sum_counters([part.open_tags for part in parts]),
        tag_pairs=_sum_counters(pairs) if (pairs := [part.tag_pairs for part in parts if part.tag_pairs]) else None,
        pages=sum(part.pages for part in parts),
        inside=sum(part.inside for part in parts),
        outside=sum(part.outside for part in parts),
    )


def _sum_counters(parts: list[NgramCounter]) -> NgramCounter:
    for part in parts:
        part.merge()
    keys, indexes = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
    inside, outside = (
        np.bincount(indexes, weights=np.concatenate(numbers), minlength=len(keys)).astype(np.int64)
        for numbers in ([part.inside for part in parts], [part.outside for part in parts])
    )
    return NgramCounter(keys=keys, inside=inside, outside=outside)


def _drop_small_log_odds(table: NgramTable, faintest: float) -> NgramTable:
    kept = np.abs(table.values) >= faintest
    return NgramTable(table.keys[kept], table.values[kept])
