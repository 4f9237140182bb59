"""Score methods that learn wrappers from the pages of a site.

Two protocols. *All*: a wrapper is learned from all pages of a site and scored on the same pages, as in FOREST by Oita
and Senellart. *n*: each page is scored by a wrapper learned from n other pages of its site, as a user would apply it to
new pages. The pages of a site are split into parts; for each part, the wrapper is learned from the n pages that follow
it (after the last page comes the first). So every page is scored once, and never by a wrapper that was learned from it.

On a site with too few pages, the wrapper is learned from all pages but the scored one; if fewer than two are left, the
method is called on the page alone. `LearningPlan` lists these sites. The baselines sigfeed and description learn no
wrapper, as in the paper: each page is scored with its own feed item, or its metadata if it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from duramen import __version__, methods
from duramen.dom.page import Page
from duramen.errors import DuramenError, InputError
from duramen.evaluation.extractors import Extractor
from duramen.evaluation.sets import Example
from duramen.methods.forest.baselines import Description
from duramen.methods.forest.forest import Forest
from duramen.wrappers import PageDescription, SamplePage, Wrapper

PageKey = tuple[str, str]
"""The set and the id of a page."""

_MAX_SITES_LISTED = 5


@dataclass(frozen=True)
class SiteSplit:
    """Pages of one site: some to learn from, some to score."""

    training: tuple[Example, ...]
    test: tuple[Example, ...]


@dataclass
class LearningPlan:
    """The splits of all sites, and the sites, as "set/site", that have too few pages."""

    splits: list[SiteSplit] = field(default_factory=list)
    small_sites: list[str] = field(default_factory=list)
    """Sites where the wrapper is learned from all pages but the scored one."""
    single_pages: list[str] = field(default_factory=list)
    """Sites where the method is called on each page alone."""


def find_learners(names: Iterable[str]) -> dict[str, Forest]:
    """Return the methods among these names that learn wrappers.

    Other methods have a `learn` of another kind: that of mss-semi trains a model and takes other samples.
    """
    method_names = methods.names()
    chosen = {name: methods.get(name) for name in names if name.partition(":")[0] in method_names}
    return {name: method for name, method in chosen.items() if isinstance(method, Forest)}


def make_plan(examples: Sequence[Example], count: int | None, *, by_feed: bool = False) -> LearningPlan:
    """Plan to learn from `count` pages of each site, or from all pages (None).

    `by_feed` is for methods that use the feed: they learn first from pages that have a feed item.
    """
    sites: dict[PageKey, list[Example]] = {}
    for example in examples:
        sites.setdefault((example.set, example.site), []).append(example)
    plan = LearningPlan()
    for (set_name, site), pages in sites.items():
        if len(pages) < 2 or (count is not None and len(pages) < 3 and len(pages) <= count):
            plan.single_pages.append(f"{set_name}/{site}")
        elif count is None:
            plan.splits.append(SiteSplit(tuple(pages), tuple(pages)))
        else:
            if len(pages) <= count:
                plan.small_sites.append(f"{set_name}/{site}")
            plan.splits += split_site(pages, min(count, len(pages) - 1), by_feed=by_feed)
    return plan


def split_site(pages: Sequence[Example], count: int, *, by_feed: bool = False) -> list[SiteSplit]:
    """Split the pages of a site so that each is scored once after learning from `count` others."""
    parts = -(-len(pages) // min(count, len(pages) - count))
    splits = []
    for part in range(parts):
        test = pages[part::parts]
        others = [
            page
            for number, page in enumerate([*pages[part:], *pages[:part]])
            if (number + part) % len(pages) % parts != part
        ]
        if by_feed:
            others.sort(key=lambda example: get_feed_item(example) is None)
        splits.append(SiteSplit(tuple(others[:count]), tuple(test)))
    return splits


def get_feed_item(example: Example) -> PageDescription | None:
    """Return the feed item of a page, if the set has it."""
    item = example.fields.get("feed_item")
    return PageDescription(item.get("title"), item.get("description")) if isinstance(item, dict) else None


def make_sample_page(example: Example) -> SamplePage:
    """Return a page to learn from."""
    return SamplePage(Page.parse(example.read(), url=example.url), get_feed_item(example), name=example.id)


@dataclass
class LearnedExtractor:
    """The learned wrappers as a callable that can be pickled, and so sent to other processes."""

    method: Forest
    wrappers: list[Wrapper] = field(default_factory=list)
    wrapper_of_page: dict[PageKey, int] = field(default_factory=dict)
    """The index of the wrapper that a page is scored by."""
    errors: dict[PageKey, str] = field(default_factory=dict)
    """Pages for which nothing could be learned, and why."""

    def __call__(self, raw: bytes, example: Example) -> str:
        key = example.set, example.id
        if self.method.by_page:
            return self._extract_alone(raw, example)
        if key in self.errors:
            raise InputError(self.errors[key])
        page = Page.parse(raw, url=example.url)
        return (self.wrappers[self.wrapper_of_page[key]] if key in self.wrapper_of_page else self.method)(page).text

    def _extract_alone(self, raw: bytes, example: Example) -> str:
        """Extract a page with its own feed item, as the paper does with its baselines."""
        page, item = Page.parse(raw, url=example.url), get_feed_item(example)
        if item is None:
            return self.method(page).text
        if isinstance(self.method, Description):
            return self.method.extract_item(item).text
        return self.method.learn([SamplePage(page, item)])(page).text


def learn_extractor(
    method: Forest,
    name: str,
    examples: Sequence[Example],
    count: int | None,
    step: Callable[[], None] = lambda: None,
) -> Extractor:
    """Learn from `count` pages of each site, or from all (None); `step` is called after each wrapper."""
    learned = LearnedExtractor(method)
    by_feed = method.signifiers.startswith("feed")
    splits = [] if method.by_page else make_plan(examples, count, by_feed=by_feed).splits
    for split in splits:
        keys = [(example.set, example.id) for example in split.test]
        try:
            wrapper = method.learn([make_sample_page(example) for example in split.training])
        except DuramenError as error:  # nothing can be learned from these pages: the method fails on them
            learned.errors |= dict.fromkeys(keys, str(error))
        else:
            learned.wrapper_of_page |= dict.fromkeys(keys, len(learned.wrappers))
            learned.wrappers.append(wrapper)
        step()
    return Extractor(name, learned, __version__)


def describe_plan(plan: LearningPlan, count: int | None) -> Iterator[str]:
    """Return one line for each difference between the plan and the request."""
    if plan.small_sites:
        sites = _list_sites(plan.small_sites)
        yield f"fewer than {(count or 0) + 1} pages, so learned from all but the scored page: {sites}"
    if plan.single_pages:
        yield f"too few pages to learn from, so each is extracted alone: {_list_sites(plan.single_pages)}"


def _list_sites(sites: Sequence[str]) -> str:
    hidden = len(sites) - _MAX_SITES_LISTED
    return ", ".join(sites[:_MAX_SITES_LISTED]) + (f" and {hidden} more" if hidden > 0 else "")
