"""region: find the main list of a page without a browser.

The task is that of Velloso and Dorneles, and of the paper behind `rendered-region`: which element holds the records of
a result page? The paper decides by the boxes of a rendered page. This method decides by the text: how much of it is
repeated, how evenly, and how similar the repetitions are. The algorithm is in `duramen.data_records`.

The content is the region: the lowest element that contains all records. On a page without a main list the content is
empty, and its reason says so. `records` gives the records themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duramen.content import Content, subtree
from duramen.data_records.regions import Region, find_regions, is_main
from duramen.data_records.table import Table
from duramen.dom.page import Page
from duramen.methods.registry import register


@register
@dataclass(frozen=True)
class RegionMethod:
    name: ClassVar[str] = "region"
    summary: ClassVar[str] = "the element that holds the main list: much, repeated evenly, alike; needs no browser"
    paper: ClassVar[str] = "after Velloso and Dorneles, JIDM 2013, and the main data region of search results"
    regional: ClassVar[bool] = True

    def __call__(self, page: Page) -> Content:
        best, reason = _find_main_region(page)
        if best is None:
            return Content(page, self.name, reason)
        return Content(page, self.name, reason, subtree(page.tree, best.node), best.confidence)

    def records(self, page: Page) -> Table:
        """The region and its records as a table without columns; `duramen.records` finds the columns, too."""
        best, reason = _find_main_region(page)
        if best is None:
            return Table(page, reason)
        return Table(page, reason, best.confidence, best.node, best.refine().records)


def _find_main_region(page: Page) -> tuple[Region | None, str]:
    """The main list of a page, if it has one, and the reason."""
    regions = find_regions(page.tree, 1)
    if not regions:
        return None, "nothing on the page is repeated"
    best = regions[0]
    if not is_main(best):
        return None, f"no main list: the likeliest one, {best.short_description}, is not enough"
    return best, best.short_description
