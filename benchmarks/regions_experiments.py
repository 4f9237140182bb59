"""The experiments on main data regions: pages with their boxes and gold, and what a method makes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from duramen import methods
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation import Example, read_set
from duramen.evaluation.records_gold import marked
from duramen.evaluation.records_score import lowest
from duramen.rendering.cache import BoxCache

SETS = ("records-yamada-dev", "records-zhao1-dev", "records-modern-dev")
RENDERED = "rendered-region"
ALONE = f"{RENDERED}:without=climb"
METHODS = (RENDERED, ALONE, "xpath-rank", "tag-path", "region")
COUNTS = range(1, 11)
SHARES = [round(0.05 * step, 2) for step in range(1, 11)]

EXACT, WITHIN, AROUND, ASTRIDE, ELSEWHERE = "exact", "within", "around", "astride", "elsewhere"
"""Where a region stands to the gold one. Astride: it holds some of the records, and is neither in nor around it."""


@dataclass(frozen=True)
class Listed:
    """A page that has a main list."""

    example: Example
    page: Page
    regions: frozenset[int]
    """The elements that are right."""
    records: tuple[int, ...]

    @property
    def group(self) -> str:
        """What kind of page it is: its set, and the kind of site or page where the set tells."""
        parts = self.example.site.split("/")
        kind = parts[1] if len(parts) > 2 else self.example.type
        return f"{short(self.example.set)}, {kind}"


def short(name: str) -> str:
    """The name of a set as the tables show it."""
    return name.removeprefix("records-").removesuffix("-dev")


def read(data: Path, kept: BoxCache, every: int) -> tuple[list[Listed], list[str]]:
    """The pages that have a main list, with their boxes; and what is to be said of the others."""
    found: list[Listed] = []
    left_out: Counter[str] = Counter()
    for name in SETS:
        for example in read_set(data / name)[::every]:
            page = Page.parse(example.read(), url=example.url)
            try:
                gold = marked(example, page.tree)
            except InputError:
                left_out[f"{short(name)}: the gold expression selects nothing"] += 1
                continue
            if not gold.records:
                left_out[f"{short(name)}: no main list"] += 1
                continue
            ways = [gold.records, tuple(sorted({*gold.records, *gold.optional}))] + ([gold.other] if gold.other else [])
            right = frozenset(lowest(page.tree, nodes) for nodes in ways)
            found.append(Listed(example, kept.add_boxes(page), right, gold.records))
    return found, [f"{why} ({count})" for why, count in sorted(left_out.items())]


def place(listed: Listed, region: int | None) -> str:
    """Where a region stands to the gold one."""
    if region is None:
        return ELSEWHERE
    if region in listed.regions:
        return EXACT
    end = listed.page.tree.end
    held = sum(region <= node < end[region] for node in listed.records)
    if held == len(listed.records):
        return AROUND
    if any(right <= region < end[right] for right in listed.regions):
        return WITHIN
    return ASTRIDE if held else ELSEWHERE


def places(pages: Iterable[Listed], method: str) -> list[str]:
    """Where the region of a method stands on each page."""
    run = methods.get(method)
    return [place(listed, run(listed.page).node) for listed in pages]


def by_set(pages: Sequence[Listed], found: Sequence[str], right: Iterable[str] = (EXACT,)) -> list[float]:
    """The share of pages that are right: of each set, then of all."""
    chosen = frozenset(right)
    shares = []
    for name in (*SETS, None):
        these = [one in chosen for listed, one in zip(pages, found, strict=True) if name in (None, listed.example.set)]
        shares.append(sum(these) / len(these) if these else 0.0)
    return shares


def sweep(pages: Sequence[Listed], parameter: str, values: Iterable[float], besides: str = "") -> list[list[float]]:
    """The shares of exact regions for each value of a parameter."""
    return [by_set(pages, places(pages, f"{RENDERED}{besides}:{parameter}={value:g}")) for value in values]
