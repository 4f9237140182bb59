"""The front door to records: whatever holds a page in, its tables out."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, overload

from duramen.extracting import page_of
from duramen.lists.finding import find_regions, is_main
from duramen.lists.table import Table, tabulate
from duramen.page import Page


@overload
def records(source: str | bytes | Path | Page, *, url: str | None = None, all: Literal[False] = False) -> Table: ...
@overload
def records(source: str | bytes | Path | Page, *, url: str | None = None, all: Literal[True]) -> list[Table]: ...
def records(source: str | bytes | Path | Page, *, url: str | None = None, all: bool = False) -> Table | list[Table]:
    """The main list of a page as a table; with `all`, every list of it, the likeliest main one first.

    `source` is what `extract` takes. A page without a main list gives a Table that is empty and false, and whose
    `reason` says why. Raises what `extract` raises.
    """
    page = page_of(source, url)
    if all:
        return [tabulate(page, region) for region in find_regions(page.tree)]
    regions = find_regions(page.tree, 1)
    if not regions:
        return Table(page, "no main list: nothing on the page is repeated")
    if not is_main(regions[0]):
        return Table(page, f"no main list: the likeliest one, {regions[0].told}, is not enough")
    return tabulate(page, regions[0])
