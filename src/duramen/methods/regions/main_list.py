"""Region: the main list of a page, found without a browser.

The task is that of Velloso and Dorneles, and of the paper behind `rendered-region`: which element holds the records of
a result page. There the boxes of a rendered page decide; here what can be seen does: how much of it is repeated, how
evenly, and how alike. The idea and its parts stand in `duramen.data_records`.

As a method its content is the region: the lowest element that holds all records. On a page without a main list it
finds nothing, and says so. `records` gives the records themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duramen.content import Content, subtree
from duramen.data_records.finding import find_regions, is_main
from duramen.dom.page import Page
from duramen.methods.registry import register


@dataclass(frozen=True)
class Found:
    """The region of a page and the top nodes of its records; None and nothing where there is no main list."""

    region: int | None = None
    records: tuple[tuple[int, ...], ...] = ()


@register
@dataclass(frozen=True)
class RegionMethod:
    name: ClassVar[str] = "region"
    summary: ClassVar[str] = "the element that holds the main list: much, repeated evenly, alike; needs no browser"
    paper: ClassVar[str] = "after Velloso and Dorneles, JIDM 2013, and the main data region of search results"
    regional: ClassVar[bool] = True

    def __call__(self, page: Page) -> Content:
        regions = find_regions(page.tree, 1)
        if not regions:
            return Content(page, self.name, "nothing on the page is repeated")
        best = regions[0]
        if not is_main(best):
            return Content(page, self.name, f"no main list: the likeliest one, {best.told_briefly}, is not enough")
        return Content(page, self.name, best.told_briefly, subtree(page.tree, best.node), best.confidence)

    def records(self, page: Page) -> Found:
        """The region and its records."""
        regions = find_regions(page.tree, 1)
        if not regions or not is_main(regions[0]):
            return Found()
        return Found(regions[0].node, regions[0].records)
