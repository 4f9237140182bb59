"""Experiments on main data regions: pages with boxes and reference records, and the results of methods on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from duramen import methods
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation import Example, read_set
from duramen.evaluation.records import find_container, read_records
from duramen.rendering.cache import BoxCache

SETS = ("records-yamada-dev", "records-zhao1-dev", "records-modern-dev")
RENDERED = "rendered-region"
RENDERED_WITHOUT_CLIMB = f"{RENDERED}:without=climb"
METHODS = (RENDERED, RENDERED_WITHOUT_CLIMB, "xpath-rank", "tag-path", "tag-path:mdr=yes", "region")
COUNT_VALUES = range(1, 11)
"""Values of the parameters #min and δmax in figure 4."""
SHARE_VALUES = [round(0.05 * step, 2) for step in range(1, 11)]
"""Values of the four thresholds in figure 5."""

EXACT, WITHIN, AROUND, OVERLAPS, ELSEWHERE = "exact", "within", "around", "overlaps", "elsewhere"
"""Relation of a region to the reference region. Overlaps: it has some records, and is neither inside nor around."""


@dataclass(frozen=True)
class ListPage:
    """A page that has a main list."""

    example: Example
    page: Page
    regions: frozenset[int]
    """The elements that are correct regions."""
    records: tuple[int, ...]

    @property
    def group(self) -> str:
        """The set of the page, and the kind of its site or page if the set has it."""
        parts = self.example.site.split("/")
        kind = parts[1] if len(parts) > 2 else self.example.type
        return f"{short_name(self.example.set)}, {kind}"


def short_name(set_name: str) -> str:
    """Return the name of a set for the tables."""
    return set_name.removeprefix("records-").removesuffix("-dev")


def read_pages(data: Path, box_cache: BoxCache, every: int) -> tuple[list[ListPage], list[str]]:
    """Read the pages with a main list and their boxes; return also the reasons why others are left out."""
    pages: list[ListPage] = []
    left_out: Counter[str] = Counter()
    for name in SETS:
        for example in read_set(data / name)[::every]:
            page = Page.parse(example.read(), url=example.url)
            try:
                gold = read_records(example, page.tree)
            except InputError:
                left_out[f"{short_name(name)}: the gold expression selects nothing"] += 1
                continue
            if not gold.records:
                left_out[f"{short_name(name)}: no main list"] += 1
                continue
            accepted = [gold.records, tuple(sorted({*gold.records, *gold.optional}))]
            if gold.alternative:
                accepted.append(gold.alternative)
            regions = frozenset(find_container(page.tree, nodes) for nodes in accepted)
            pages.append(ListPage(example, box_cache.add_boxes(page), regions, gold.records))
    return pages, [f"{reason} ({count})" for reason, count in sorted(left_out.items())]


def compare_region(list_page: ListPage, region: int | None) -> str:
    """Return the relation of a region to the reference region."""
    if region is None:
        return ELSEWHERE
    if region in list_page.regions:
        return EXACT
    end = list_page.page.tree.end
    contained = sum(region <= node < end[region] for node in list_page.records)
    if contained == len(list_page.records):
        return AROUND
    if any(correct <= region < end[correct] for correct in list_page.regions):
        return WITHIN
    return OVERLAPS if contained else ELSEWHERE


def run_method(pages: Iterable[ListPage], method: str) -> list[str]:
    """Return for each page the relation of the region of a method to the reference region."""
    run = methods.get(method)
    return [compare_region(list_page, run(list_page.page).node) for list_page in pages]


def share_by_set(
    pages: Sequence[ListPage], relations: Sequence[str], accepted: Iterable[str] = (EXACT,)
) -> list[float]:
    """Return the share of pages with an accepted relation: of each set, then of all."""
    chosen = frozenset(accepted)
    shares = []
    for name in (*SETS, None):
        hits = [
            relation in chosen
            for list_page, relation in zip(pages, relations, strict=True)
            if name in (None, list_page.example.set)
        ]
        shares.append(sum(hits) / len(hits) if hits else 0.0)
    return shares


def sweep_parameter(
    pages: Sequence[ListPage], parameter: str, values: Iterable[float], options: str = ""
) -> list[list[float]]:
    """Return the shares of exact regions for each value of a parameter.

    `options` are other parameters of the method.
    """
    return [share_by_set(pages, run_method(pages, f"{RENDERED}{options}:{parameter}={value:g}")) for value in values]
