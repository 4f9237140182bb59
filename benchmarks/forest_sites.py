"""Learn wrappers from the pages of sites by two protocols, and score them by word 2-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import DuramenError, InputError
from duramen.evaluation import Example, get_extractor
from duramen.evaluation.learned_wrappers import get_feed_item, make_sample_page, split_site
from duramen.evaluation.metrics.agreement import Agreement
from duramen.evaluation.metrics.ngrams import Bigram, bigram_agreement, bigrams
from duramen.language import words
from duramen.methods.forest.forest import Forest
from duramen.wrappers import SamplePage, Wrapper

PAPER = 0
"""Used as a number of pages: learn from the scored pages, as in the paper."""

Scores = list[Agreement]
"""The score of each page."""

Apply = Callable[[Wrapper, Page], Content]


@dataclass(frozen=True)
class ParsedPage:
    """A parsed page with its reference text."""

    example: Example
    sample_page: SamplePage
    gold: frozenset[Bigram]

    @classmethod
    def of(cls, example: Example) -> ParsedPage:
        return cls(example, make_sample_page(example), bigrams(words(example.text or "")))

    def score(self, text: str) -> Agreement:
        return bigram_agreement(self.gold, bigrams(words(text)))


@dataclass(frozen=True)
class Sites:
    """A set of pages by site."""

    name: str
    sites: dict[str, list[ParsedPage]]

    @classmethod
    def read(
        cls,
        name: str,
        examples: Sequence[Example],
        min_pages: int,
        every: int = 1,
        max_sites: int | None = None,
        max_pages: int | None = None,
    ) -> Sites:
        """Read the sites with at least `min_pages` pages with a reference text.

        Only every `every`-th site, at most `max_sites` of them, evenly spaced, and the first `max_pages` pages of each.
        """
        counts = Counter(example.site for example in examples if example.text)
        chosen = [site for site in list(counts)[::every] if counts[site] >= min_pages]
        if max_sites is not None and len(chosen) > max_sites:
            chosen = [chosen[number * len(chosen) // max_sites] for number in range(max_sites)]
        sites: dict[str, list[ParsedPage]] = {site: [] for site in chosen}
        for example in examples:
            pages = sites.get(example.site)
            if example.text and pages is not None and (max_pages is None or len(pages) < max_pages):
                pages.append(ParsedPage.of(example))
        return cls(name, sites)

    def at_least(self, pages: int) -> Sites:
        return Sites(self.name, {site: here for site, here in self.sites.items() if len(here) >= pages})

    @property
    def pages(self) -> list[ParsedPage]:
        return [page for site in self.sites.values() for page in site]

    @property
    def has_feeds(self) -> bool:
        return any(get_feed_item(page.example) for page in self.pages)

    def describe(self) -> str:
        return f"{self.name}: {len(self.pages)} pages of {len(self.sites)} sites"


PageSplit = tuple[list[ParsedPage], list[ParsedPage]]
"""Pages to learn from, pages to score."""


def split_for_learning(pages: list[ParsedPage], count: int, by_feed: bool) -> Iterator[PageSplit]:
    """Split by the paper's protocol, or score each page after `count` others, or all others if there are fewer."""
    if count == PAPER:
        yield pages, pages
        return
    by_id = {page.example.id: page for page in pages}
    for lesson in split_site([page.example for page in pages], min(count, len(pages) - 1), by_feed=by_feed):
        yield [by_id[one.id] for one in lesson.training], [by_id[one.id] for one in lesson.test]


def split_in_groups(pages: list[ParsedPage], count: int, by_feed: bool) -> Iterator[PageSplit]:
    """Split by the paper's protocol in groups of `count` pages; the last group starts earlier if it is too small."""
    for start in range(0, len(pages), count):
        group = pages[max(0, min(start, len(pages) - count)) :][:count]
        yield group, pages[start : start + count]


def apply(wrapper: Wrapper, page: Page) -> Content:
    return wrapper(page)


def score_wrappers(
    sites: Sites,
    method: Forest,
    count: int,
    applied: Sequence[Apply] = (apply,),
    split: Callable[[list[ParsedPage], int, bool], Iterator[PageSplit]] = split_for_learning,
    otherwise: Callable[[Page], Content] | None = None,
) -> list[Scores]:
    """Return the scores of the wrappers that a method learns, for each function that applies them.

    If nothing can be learned (from two pages without a common template) `otherwise` extracts the pages.
    """
    scores: list[Scores] = [[] for _ in applied]
    for pages in sites.sites.values():
        for sample, scored in split(pages, count, method.signifiers.startswith("feed")):
            try:
                wrapper = method.learn([page.sample_page for page in sample])
            except InputError:
                wrapper = None
            for page in scored:
                for values, apply in zip(scores, applied, strict=True):
                    if wrapper is not None:
                        text = apply(wrapper, page.sample_page.page).text
                    else:
                        text = otherwise(page.sample_page.page).text if otherwise else ""
                    values.append(page.score(text))
    return scores


def score_extractor(sites: Sites, name: str) -> Scores:
    """Return the scores of a method or a peer for single pages."""
    run = get_extractor(name).run
    scores = []
    for page in sites.pages:
        try:
            text = run(page.example.read(), page.example)
        except DuramenError:
            raise
        except Exception as error:  # any error of a peer counts as an empty text
            print(f"{name} on {page.example.id}: {type(error).__name__}")
            text = ""
        scores.append(page.score(text))
    return scores


def score_single_pages(sites: Sites, method: Forest) -> Scores:
    """Return the scores of a method that gets each page with its feed item."""
    return score_wrappers(sites, method, PAPER, split=lambda pages, *_: (([page], [page]) for page in pages))[0]


def score_feed_items(sites: Sites, of_item: Callable[..., Content], otherwise: Callable[[Page], Content]) -> Scores:
    """Return the scores of the feed items themselves."""
    scores = []
    for page in sites.pages:
        item = page.sample_page.feed_item
        scores.append(page.score((of_item(item) if item else otherwise(page.sample_page.page)).text))
    return scores


def mean(scores: Scores) -> Agreement:
    """Return the means of precision, recall and F1 over the pages."""
    return Agreement(*(fmean(numbers) for numbers in zip(*scores, strict=True)))


def f1(scores: Scores) -> float:
    return mean(scores).f1
