"""Training from labelled pages: `duramen train mss`.

Pages are read once, one after the other: each is turned into tokens, labelled by its gold text (`labels`), counted
(`counts`) and forgotten. What stays are the counts, one lot for each *fold* of the sites, so that a model for all pages
and the models that never saw a fold (`held_out`) are sums of the same counts.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, sections
5.1 and 6.2.3.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation.sets import Example
from duramen.methods.mss.model import ORDERS, MssModel, Table
from duramen.methods.mss.tokens import tokenize
from duramen.training import counts
from duramen.training.counts import Counts
from duramen.training.labels import FEWEST, MOST_TAGS, label

_MOST_NGRAMS = 30_000_000  # of one order, of all folds together; what memory they take is 20 bytes each


@dataclass(frozen=True)
class Settings:
    """How to learn. The first two are the paper's; it says nothing of the others."""

    fewest: int = FEWEST
    """Discard a page with fewer words and symbols in its article."""
    most_tags: float = MOST_TAGS
    """Discard a page with a larger share of tags in its article."""
    smoothing: float = 0.1
    """Added to each count, so that no n-gram is certain."""
    at_least: int = 1
    """Leave out pairs and triples of tokens that were seen less often."""
    faintest: float = 0.0
    """Leave out pairs and triples whose log odds are nearer to 0: unseen, they count as 0."""
    folds: int = 5
    """Into how many parts the sites are cut to score the model; 0 for no scores."""

    @property
    def prunes(self) -> bool:
        return self.at_least > 1 or self.faintest > 0

    def without_pruning(self) -> Settings:
        return dataclasses.replace(self, at_least=1, faintest=0.0)


@dataclass
class Learnt:
    """What the pages have taught, and what has become of them."""

    counts: list[Counts]
    """One a fold."""
    qualities: list[float] = field(default_factory=list)
    """Of the labels of the pages that were used."""
    discarded: Counter[str] = field(default_factory=Counter)
    """Pages that were not used, by reason."""
    unreadable: list[str] = field(default_factory=list)
    """What was wrong with each page that could not be read."""
    used: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Pages that were used, by set and site."""

    @property
    def pages(self) -> int:
        return self.used.total()

    def model(self, settings: Settings, *, without: int | None = None) -> MssModel:
        """The model of all pages, or of those outside one fold."""
        chosen = [each for fold, each in enumerate(self.counts) if fold != without]
        at_least = {order: settings.at_least for order in ORDERS if order > 1}
        whole = _sum(chosen).model(smoothing=settings.smoothing, at_least=at_least)
        if not settings.faintest:
            return whole
        tables = {
            order: table if order == 1 else _without_faint(table, settings.faintest)
            for order, table in whole.tables.items()
        }
        return dataclasses.replace(whole, tables=tables)


def learn(examples: Iterable[Example], settings: Settings, after_page: Callable[[], None] = lambda: None) -> Learnt:
    """Read, label and count the pages. A page that cannot be read, or is of no use, is noted and passed over."""
    parts = max(settings.folds, 1)
    learnt = Learnt([_empty_counts(_MOST_NGRAMS // parts) for _ in range(parts)])
    for example in examples:
        try:
            _learn_page(example, settings, learnt)
        except InputError as error:
            learnt.discarded["cannot be read"] += 1
            learnt.unreadable.append(f"{example.set}/{example.id}: {error}")
        after_page()
    return learnt


def fold_of(site: str, folds: int) -> int:
    """The fold of a site: the same on every machine, in every run, whatever other sites there are."""
    return crc32(site.encode("utf-8", "surrogatepass")) % folds if folds else 0


def _learn_page(example: Example, settings: Settings, learnt: Learnt) -> None:
    if not example.text:
        learnt.discarded["no gold text"] += 1
        return
    tokens = tokenize(Page.parse(example.read(), url=example.url).tree)
    found = label(tokens, example.text)
    if found is None:
        learnt.discarded["no word of the gold text on the page"] += 1
        return
    flaw = found.flaw(fewest=settings.fewest, most_tags=settings.most_tags)
    if flaw is not None:
        learnt.discarded[flaw] += 1
        return
    learnt.counts[fold_of(example.site, settings.folds)].add(tokens, found.start, found.stop)
    learnt.qualities.append(found.quality)
    learnt.used[example.set, example.site] += 1


def _empty_counts(most: int) -> Counts:
    return Counts({order: counts.Counter(most) for order in ORDERS}, counts.Counter(most))


def _sum(parts: list[Counts]) -> Counts:
    if len(parts) == 1:
        return parts[0]
    return Counts(
        ngrams={order: _sum_counters([part.ngrams[order] for part in parts]) for order in ORDERS},
        open_tags=_sum_counters([part.open_tags for part in parts]),
        pages=sum(part.pages for part in parts),
        inside=sum(part.inside for part in parts),
        outside=sum(part.outside for part in parts),
    )


def _sum_counters(parts: list[counts.Counter]) -> counts.Counter:
    for part in parts:
        part.merge()
    keys, places = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
    inside, outside = (
        np.bincount(places, weights=np.concatenate(numbers), minlength=len(keys)).astype(np.int64)
        for numbers in ([part.inside for part in parts], [part.outside for part in parts])
    )
    return counts.Counter(keys=keys, inside=inside, outside=outside)


def _without_faint(table: Table, faintest: float) -> Table:
    kept = np.abs(table.values) >= faintest
    return Table(table.keys[kept], table.values[kept])
