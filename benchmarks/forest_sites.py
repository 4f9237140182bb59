"""Pages of sites, read once; wrappers learnt from them by either protocol, and scored by word 2-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import DuramenError, InputError
from duramen.evaluation import Example, extractor
from duramen.evaluation.learning import folds, item_of, sample_page
from duramen.evaluation.metrics.agreement import Agreement
from duramen.evaluation.metrics.bigrams import Bigram, bigram_agreement, bigrams
from duramen.language import words
from duramen.methods.forest.forest import Forest
from duramen.wrappers import SamplePage, Wrapper

PAPER = 0
"""In the place of a number of pages: the pages learnt from are the pages scored."""

Scores = list[Agreement]
"""One a page."""

Apply = Callable[[Wrapper, Page], Content]


@dataclass(frozen=True)
class Known:
    """A page, parsed, with its gold."""

    example: Example
    given: SamplePage
    gold: frozenset[Bigram]

    @classmethod
    def of(cls, example: Example) -> Known:
        return cls(example, sample_page(example), bigrams(words(example.text or "")))

    def score(self, text: str) -> Agreement:
        return bigram_agreement(self.gold, bigrams(words(text)))


@dataclass(frozen=True)
class Sites:
    """A set of pages by site."""

    name: str
    sites: dict[str, list[Known]]

    @classmethod
    def read(cls, name: str, examples: Sequence[Example], fewest: int, every: int = 1) -> Sites:
        """The sites with at least so many pages with a gold text; of the sites every so-manieth."""
        counts = Counter(example.site for example in examples if example.text)
        chosen = {site for site in list(counts)[::every] if counts[site] >= fewest}
        sites: dict[str, list[Known]] = {}
        for example in examples:
            if example.text and example.site in chosen:
                sites.setdefault(example.site, []).append(Known.of(example))
        return cls(name, sites)

    def at_least(self, pages: int) -> Sites:
        return Sites(self.name, {site: known for site, known in self.sites.items() if len(known) >= pages})

    @property
    def pages(self) -> list[Known]:
        return [page for site in self.sites.values() for page in site]

    @property
    def has_feeds(self) -> bool:
        return any(item_of(page.example) for page in self.pages)

    def told(self) -> str:
        return f"{self.name}: {len(self.pages)} pages of {len(self.sites)} sites"


Lesson = tuple[list[Known], list[Known]]
"""Pages to learn from, pages to score."""


def lessons(pages: list[Known], count: int, by_feed: bool) -> Iterator[Lesson]:
    """By the paper's protocol, or each page after `count` others; after all others where there are fewer."""
    if count == PAPER:
        yield pages, pages
        return
    by_id = {page.example.id: page for page in pages}
    for lesson in folds([page.example for page in pages], min(count, len(pages) - 1), by_feed=by_feed):
        yield [by_id[one.id] for one in lesson.learnt], [by_id[one.id] for one in lesson.scored]


def in_groups(pages: list[Known], count: int, by_feed: bool) -> Iterator[Lesson]:
    """The paper's protocol with no more than `count` pages: the last group begins earlier, where pages are lacking."""
    for start in range(0, len(pages), count):
        group = pages[max(0, min(start, len(pages) - count)) :][:count]
        yield group, pages[start : start + count]


def apply(wrapper: Wrapper, page: Page) -> Content:
    return wrapper(page)


def learnt(
    sites: Sites,
    method: Forest,
    count: int,
    applied: Sequence[Apply] = (apply,),
    cut: Callable[[list[Known], int, bool], Iterator[Lesson]] = lessons,
    otherwise: Callable[[Page], Content] | None = None,
) -> list[Scores]:
    """The scores of wrappers that a method learns; for each way to apply them.

    Where nothing can be learnt (of two pages that have no template in common) pages go to `otherwise`.
    """
    scores: list[Scores] = [[] for _ in applied]
    for pages in sites.sites.values():
        for sample, scored in cut(pages, count, method.signifiers == "feed"):
            try:
                wrapper = method.learn([page.given for page in sample])
            except InputError:
                wrapper = None
            for page in scored:
                for found, way in zip(scores, applied, strict=True):
                    if wrapper is not None:
                        text = way(wrapper, page.given.page).text
                    else:
                        text = otherwise(page.given.page).text if otherwise else ""
                    found.append(page.score(text))
    return scores


def alone(sites: Sites, name: str) -> Scores:
    """The scores of what looks at one page at a time: a method or a peer."""
    run = extractor(name).run
    scores = []
    for page in sites.pages:
        try:
            text = run(page.example.read(), page.example)
        except DuramenError:
            raise
        except Exception as error:  # of a peer, whatever it is: it is its score
            print(f"{name} on {page.example.id}: {type(error).__name__}")
            text = ""
        scores.append(page.score(text))
    return scores


def each_alone(sites: Sites, method: Forest) -> Scores:
    """The scores of a method that is given each page with its feed item."""
    return learnt(sites, method, PAPER, cut=lambda pages, *_: (([page], [page]) for page in pages))[0]


def described(sites: Sites, of_item: Callable[..., Content], otherwise: Callable[[Page], Content]) -> Scores:
    """The scores of the feed items themselves."""
    scores = []
    for page in sites.pages:
        item = page.given.feed_item
        scores.append(page.score((of_item(item) if item else otherwise(page.given.page)).text))
    return scores


def mean(scores: Scores) -> Agreement:
    """Precision, recall and F1, each averaged over the pages."""
    return Agreement(*(fmean(numbers) for numbers in zip(*scores, strict=True)))


def f1(scores: Scores) -> float:
    return mean(scores).f1
