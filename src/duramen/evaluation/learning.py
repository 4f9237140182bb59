"""Methods that learn from the pages of a site, scored page by page like any other.

Two protocols. *All*: the pages learnt from are the pages scored, as in Oita and Senellart's FOREST. *n*: each page is
scored by a wrapper learnt from n other pages of its site, which is what a user has who comes back tomorrow. The pages
of a site are dealt out to as many parts as that takes; of the pages that are not of a part, the n that come next, from
the last on to the first, are learnt from, and the part is scored. So every page is scored once, and never by a wrapper
that has seen it.

A site with too few pages for that learns from all but the page that is scored; if fewer than two are left, the method
is called on the page alone. `Plan` says which sites these are. DESCRIPTION needs no learning where a page has a feed
item: there it is the item's text, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from duramen import __version__
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import DuramenError, InputError
from duramen.evaluation.extractors import Extractor
from duramen.evaluation.sets import Example
from duramen.methods.forest.description import Description
from duramen.wrappers import Item, SamplePage, Wrapper

ALL = "all"

Key = tuple[str, str]
"""Of a page: its set and its id."""


@runtime_checkable
class Learner(Protocol):
    """A method that also learns."""

    @property
    def name(self) -> str: ...
    def __call__(self, page: Page) -> Content: ...
    def learn(self, pages: Sequence[SamplePage]) -> Wrapper: ...


@dataclass(frozen=True)
class Lesson:
    """Pages of one site: some to learn from, some to be scored by what was learnt."""

    learnt: tuple[Example, ...]
    scored: tuple[Example, ...]


@dataclass
class Plan:
    """Which pages are learnt from for which; sites by "set/site" where there were fewer than asked for."""

    lessons: list[Lesson] = field(default_factory=list)
    fewer: list[str] = field(default_factory=list)
    """Learnt from all but the page scored."""
    alone: list[str] = field(default_factory=list)
    """Each page alone."""


def plan(examples: Sequence[Example], count: int | None, *, by_feed: bool = False) -> Plan:
    """The lessons for `count` pages a site; None is for the protocol of the paper.

    For a method that goes `by_feed`, pages that have a feed item are learnt from first.
    """
    sites: dict[Key, list[Example]] = {}
    for example in examples:
        sites.setdefault((example.set, example.site), []).append(example)
    made = Plan()
    for (of_set, site), pages in sites.items():
        if len(pages) < 2 or (count is not None and len(pages) < 3 and len(pages) <= count):
            made.alone.append(f"{of_set}/{site}")
        elif count is None:
            made.lessons.append(Lesson(tuple(pages), tuple(pages)))
        else:
            if len(pages) <= count:
                made.fewer.append(f"{of_set}/{site}")
            made.lessons += folds(pages, min(count, len(pages) - 1), by_feed=by_feed)
    return made


def folds(pages: Sequence[Example], count: int, *, by_feed: bool = False) -> list[Lesson]:
    """Parts of the pages, each to be scored after `count` others, or first of all those of them with a feed item."""
    parts = -(-len(pages) // min(count, len(pages) - count))
    lessons = []
    for part in range(parts):
        scored = pages[part::parts]
        others = [
            page for at, page in enumerate([*pages[part:], *pages[:part]]) if (at + part) % len(pages) % parts != part
        ]
        if by_feed:
            others.sort(key=lambda example: item_of(example) is None)
        lessons.append(Lesson(tuple(others[:count]), tuple(scored)))
    return lessons


def item_of(example: Example) -> Item | None:
    """What a feed says of the page, where the set has that."""
    said = example.fields.get("feed_item")
    return Item(said.get("title"), said.get("description")) if isinstance(said, dict) else None


def sample_page(example: Example) -> SamplePage:
    """A page to learn from."""
    return SamplePage(Page.parse(example.read(), url=example.url), item_of(example), name=example.id)


@dataclass
class Learnt:
    """What was learnt, ready to run. It can be sent to other processes, as functions cannot."""

    method: Learner
    wrappers: list[Wrapper] = field(default_factory=list)
    places: dict[Key, int] = field(default_factory=dict)
    """Which wrapper a page is scored by."""
    troubles: dict[Key, str] = field(default_factory=dict)
    """Pages whose lesson failed, and why."""

    def __call__(self, raw: bytes, example: Example) -> str:
        key = example.set, example.id
        if isinstance(self.method, Description) and (item := item_of(example)):
            return self.method.of_item(item).text
        if key in self.troubles:
            raise InputError(self.troubles[key])
        page = Page.parse(raw, url=example.url)
        return (self.wrappers[self.places[key]] if key in self.places else self.method)(page).text


def learn(
    method: Learner,
    name: str,
    examples: Sequence[Example],
    count: int | None,
    step: Callable[[], None] = lambda: None,
) -> Extractor:
    """An extractor that has learnt from `count` pages of each site, or from all (None); `step` is called after each."""
    learnt = Learnt(method)
    for lesson in plan(examples, count, by_feed=getattr(method, "signifiers", "") == "feed").lessons:
        keys = [(example.set, example.id) for example in lesson.scored]
        try:
            wrapper = method.learn([sample_page(example) for example in lesson.learnt])
        except DuramenError as error:  # nothing to learn from these pages: that is this method's score
            learnt.troubles |= dict.fromkeys(keys, str(error))
        else:
            learnt.places |= dict.fromkeys(keys, len(learnt.wrappers))
            learnt.wrappers.append(wrapper)
        step()
    return Extractor(name, learnt, __version__)


def told(made: Plan, count: int | None) -> Iterator[str]:
    """One line each for what the plan could not do as asked."""
    if made.fewer:
        yield f"fewer than {(count or 0) + 1} pages, so learnt from all but the page scored: {_listed(made.fewer)}"
    if made.alone:
        yield f"too few pages to learn from, so each is taken alone: {_listed(made.alone)}"


def _listed(sites: Sequence[str]) -> str:
    return ", ".join(sites[:5]) + (f" and {len(sites) - 5} more" if len(sites) > 5 else "")
