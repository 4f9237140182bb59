"""Which element of each page of a sample holds the article.

The most relevant structural pattern answers for the pages that have it. A site's pages are seldom all of one make: some
have the article in another element, or on another level. For those that are left the question is asked again, until
each page has its region. The regions come in the order in which they are to be tried on the next page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from duramen.wrappers.relevance import Candidate, Settings, rank
from duramen.wrappers.sample import Sample
from duramen.wrappers.signifiers import Signifiers

_MOST: Final = 8
"""Regions of one site: past this the pages have nothing in common."""


@dataclass(frozen=True)
class Region:
    """The elements of one kind, one a page."""

    candidate: Candidate
    nodes: dict[int, int]
    """The element on each page, by the page's place in the sample."""
    runners_up: tuple[Candidate, ...] = ()


Chooser = Callable[[Sample, Sequence[Signifiers], Settings], list[Candidate]]
"""Gives the candidates for some pages, the best first."""


def by_relevance(sample: Sample, signifiers: Sequence[Signifiers], settings: Settings) -> list[Candidate]:
    """The paper's choice."""
    return rank(sample, settings, signifiers)


def find_regions(
    sample: Sample,
    signifiers: Sequence[Signifiers],
    settings: Settings,
    choose: Chooser = by_relevance,
    *,
    all: bool = True,
) -> list[Region]:
    """The regions of a sample; only the first, as in the paper, unless `all` are wanted."""
    regions: list[Region] = []
    left = list(range(len(sample)))
    while left and len(regions) < (_MOST if all else 1):
        part = sample if len(left) == len(sample) else sample.only(left)
        candidates = choose(part, [signifiers[index] for index in left], settings)
        if not candidates:
            break
        best = candidates[0]
        nodes = {index: node for index, node in zip(left, best.nodes, strict=True) if node >= 0}
        regions.append(Region(best, nodes, tuple(candidates[1:])))
        left = [index for index in left if index not in nodes]
    return regions
