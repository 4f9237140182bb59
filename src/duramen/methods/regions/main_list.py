"""region: find the main list of a page without a browser.

The task is that of Velloso and Dorneles, and of the paper behind `rendered-region`: which element holds the records of
a result page? The paper decides by the boxes of a rendered page. This method decides by the text: how much of it is
repeated, how evenly, and how similar the repetitions are. The algorithm is in `duramen.data_records`.

A classifier of the page, that of `auto`, says whether the page is an article, where its main content is, and whether
hidden elements are read.

The content is the region: the lowest element that contains all records. On a page without a main list the content is
empty, and its reason says so. `records` gives the records themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from duramen.content import Content, subtree
from duramen.data_records.page_context import ListContext
from duramen.data_records.regions import Region, find_regions, is_main, is_surely_no_article, may_have_main_list
from duramen.data_records.table import Table
from duramen.dom.page import Page
from duramen.dom.tree_queries import ignore_hidden
from duramen.dom.visibility import hides_more_than
from duramen.dom.work_limit import limit_nodes
from duramen.methods.auto.method import Auto
from duramen.methods.registry import register

MIN_HIDDEN_LIST_CHARS, HIDDEN_LIST_RATIO = 500, 2
"""Least weight of a hidden main list, and as a multiple of the weight of the best visible list."""

MAX_TRIED_LISTS, MIN_TRIED_REGULARITY = 3, 0.8
"""Lists of a page that is no article, of which one is the main list if the first is not; it must be so regular."""


@register
@dataclass(frozen=True)
class RegionMethod:
    name: ClassVar[str] = "region"
    summary: ClassVar[str] = "the element that holds the main list: much, repeated evenly, alike; needs no browser"
    paper: ClassVar[str] = "after Velloso and Dorneles, JIDM 2013, and the main data region of search results"
    regional: ClassVar[bool] = True

    def __call__(self, page: Page) -> Content:
        result = find_main_region(page)
        if result.region is None:
            return Content(result.page, self.name, result.reason)
        return Content(
            result.page,
            self.name,
            result.reason,
            subtree(result.page.tree, result.region.node),
            result.region.confidence,
        )

    def records(self, page: Page) -> Table:
        """The region and its records as a table without columns; `duramen.records` finds the columns, too."""
        result = find_main_region(page)
        region = result.region
        if region is None:
            return Table(result.page, result.reason)
        return Table(result.page, result.reason, region.confidence, region.node, region.refine().records)


class MainRegion(NamedTuple):
    """The main list of a page, if it has one."""

    page: Page
    """The page as it was read: perhaps with hidden elements shown."""
    region: Region | None
    reason: str
    context: ListContext


def find_main_region(page: Page) -> MainRegion:
    """Find the main list of a page."""
    found = _find_main_region(limit_nodes(page))
    return found._replace(reason=f"{found.reason}; {found.page.note}") if found.page.note else found


def _find_main_region(page: Page) -> MainRegion:
    page, context = _classify(page)
    if not may_have_main_list(context):
        return MainRegion(page, None, "no main list: the page is an article", context)
    best = next(iter(find_regions(page.tree, 1, context)), None)
    if best is not None and is_main(best):
        return MainRegion(page, best, best.short_description, context)
    if best is not None and is_surely_no_article(context):
        others = find_regions(page.tree, MAX_TRIED_LISTS, context)[1:]
        regular = (other for other in others if other.candidates.regularity >= MIN_TRIED_REGULARITY)
        if (other := next(filter(is_main, regular), None)) is not None:
            return MainRegion(page, other, other.short_description, context)
    unhidden = _find_hidden_list(page, context, best)
    if unhidden is not None:
        return unhidden
    if best is None:
        return MainRegion(page, None, "no main list: nothing on the page is repeated", context)
    reason = f"no main list: the likeliest one, {best.short_description}, is not enough"
    return MainRegion(page, None, reason, context)


def find_other_regions(refused: MainRegion) -> list[Region]:
    """Return the regular lists of a page whose likeliest list was refused.

    They are, for example, in the sections of the page. For an article there are none.
    """
    if refused.region is None or refused.context.article_log_odds > 0:
        return []
    node = refused.region.node
    others = find_regions(refused.page.tree, MAX_TRIED_LISTS, refused.context, without=node)
    regular = [other for other in others if other.candidates.regularity >= MIN_TRIED_REGULARITY]
    return [other for other in regular if is_main(other) and other.node != node]


def _find_hidden_list(page: Page, context: ListContext, visible: Region | None) -> MainRegion | None:
    """The main list that a script would show, where it is far larger than the best visible list; else None."""
    visible_weight = visible.candidates.weight if visible else 0
    min_weight = max(MIN_HIDDEN_LIST_CHARS, HIDDEN_LIST_RATIO * visible_weight)
    if not page.tree.hidden or not hides_more_than(page.tree, min_weight):
        return None
    unhidden = replace(page, tree=ignore_hidden(page.tree))
    best = next(iter(find_regions(unhidden.tree, 1, context)), None)
    if best is None or not is_main(best) or best.candidates.weight < min_weight:
        return None
    first = best.candidates.records[0][0]
    if page.tree.hidden.isdisjoint(page.tree.ancestors_or_self(first)):
        return None
    return MainRegion(unhidden, best, f"{best.short_description}, hidden until a script shows it", context)


def find_page_regions(page: Page) -> tuple[Page, list[Region]]:
    """The lists of a page, the most likely main list first, and the page as it was read."""
    page, context = _classify(limit_nodes(page))
    return page, find_regions(page.tree, context=context)


def _classify(page: Page) -> tuple[Page, ListContext]:
    """The page as the classifier reads it, and what it says."""
    content = Auto()(page)
    log_odds = content.type_log_odds.get("article", 0.0)
    return content.page, ListContext(log_odds, content.spans, content.page_type == "forum")
