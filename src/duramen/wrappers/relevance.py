"""Rank structural patterns by relevance, and choose the region of each page.

Oita and Senellart, FOREST, equations (5) and (7): R = (Σ over pages of I, or of Cov) × p × level, with p the number of
sample pages in which the pattern occurs on a significant path. If a page has several elements of the same pattern, the
one with the largest value represents the page.

The most relevant pattern gives the region of the pages that have it. The pages of a site seldom have all the same
structure: on some the article stands in another element, or on another level. For those the ranking is repeated until
each page has its region. This is not in the paper. The regions are in the order in which they are tried on a new page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from duramen.errors import UsageError
from duramen.wrappers.patterns import MEASURES, Occurrence, StructuralPattern, add_dfs_positions, find_occurrences
from duramen.wrappers.sample import Sample
from duramen.wrappers.signifiers import DEFAULT_COUNT, Signifiers, find_signifiers

COVERAGE: Final = "coverage"

_MAX_REGIONS: Final = 8
"""Regions of one site: if more are needed, the pages have nothing in common."""


@dataclass(frozen=True)
class LearnSettings:
    """How patterns are ranked, and which further steps are done; `PAPER_SETTINGS` has the paper's choices."""

    signifiers: str = "tfidf"
    """Where signifiers come from: tfidf, feed, metadata, anchors or query."""
    k: int = DEFAULT_COUNT
    """The number of signifiers of a page."""
    measure: str = "u"
    """J × U ("ju"), one of the two alone ("j", "u"), or "coverage".

    With many pages U and J × U choose nearly the same. With few, J, which favors small elements, can make single
    paragraphs win. Wrappers learned from two pages score .846 by U and .847 by J × U on the other pages of
    news-sites-dev, .967 and .867 on feed-sites-dev, .887 and .854 on articles-2012-dev (F1 of word 2-grams); from five,
    .967 and .968, .980 and .908, .926 and .926. U was chosen with these sets at hand.
    """
    tolerant: bool = True
    """Compare attribute values in their tolerant form; as they are otherwise."""
    frequency: bool = True
    """Multiply by p, the number of pages."""
    level: bool = True
    """Multiply by the level, in favor of deep elements."""
    refined: bool = True
    """Do the steps that are not in the paper: see `learn.py`. It has no effect on `rank_patterns`."""
    lang: str | None = None
    """The language of the pages, if it is known better than from the pages."""

    def __post_init__(self) -> None:
        if self.measure not in MEASURES and self.measure != COVERAGE:
            choices = ", ".join([*MEASURES, COVERAGE])
            raise UsageError(f"unknown measure {self.measure!r}: choose one of {choices}")

    def relevance(self, value: float, n: int, level: int) -> float:
        """Equation (5), or (7): the value summed over the pages, times their number, times the level."""
        return value * (n if self.frequency else 1) * (level if self.level else 1)


PAPER_SETTINGS: Final = LearnSettings(measure="ju", refined=False)
"""FOREST as published, except for the XPath, which is portable."""


@dataclass(frozen=True)
class PatternCandidate:
    """A structural pattern with its relevance: a row of the paper's figure 3."""

    pattern: StructuralPattern
    dfs: tuple[int, ...]
    """The dfs positions at which it was seen, in order."""
    n: int
    """The number of pages on which it occurs on a significant path."""
    relevance: float
    values: tuple[float, ...]
    """For each page how informative its element of this pattern is; 0 if it has none."""
    nodes: tuple[int, ...]
    """That element of each page; -1 if there is none."""
    signifiers: int = 0
    """The number of signifiers in these elements."""

    @property
    def level(self) -> int:
        return self.pattern.level

    @property
    def paper_xpath(self) -> str:
        """The paper's wrapper: `//div[contains(@class,'story') and (@dfs='78' or @dfs='82')]`."""
        return add_dfs_positions(self.pattern.clue, self.dfs)


def rank_patterns(
    sample: Sample, settings: LearnSettings, signifiers: Sequence[Signifiers] | None = None
) -> list[PatternCandidate]:
    """Return all structural patterns of a sample, the most relevant first; of equals the deeper, then the earlier."""
    if signifiers is None:
        signifiers = find_signifiers(sample, settings.signifiers, settings.k)
    best_elements: dict[StructuralPattern, list[_BestElement]] = {}
    positions: dict[StructuralPattern, set[int]] = {}
    for index, (page, terms) in enumerate(zip(sample.pages, signifiers, strict=True)):
        occurrences = find_occurrences(page, terms, settings.tolerant)
        if not occurrences:
            continue
        root = occurrences[0]
        for occurrence in occurrences:
            value = _measure(occurrence, root, len(terms), settings.measure)
            best = best_elements.setdefault(occurrence.pattern, [_NO_ELEMENT] * len(sample))
            positions.setdefault(occurrence.pattern, set()).add(occurrence.dfs)
            if best[index].node < 0 or value > best[index].value:
                best[index] = _BestElement(value, occurrence.node, occurrence.x)
    candidates = [
        _make_candidate(pattern, best, positions[pattern], settings) for pattern, best in best_elements.items()
    ]
    return sorted(candidates, key=_ranking_key)


class _BestElement(NamedTuple):
    """The element that represents a pattern on a page."""

    value: float
    node: int
    x: int


_NO_ELEMENT: Final = _BestElement(0.0, -1, 0)


def _ranking_key(candidate: PatternCandidate) -> tuple[float, int, int, tuple[int, ...], str]:
    # If all terms of a page are signifiers, U is 0 for all patterns: then the number of signifiers decides.
    signifiers = candidate.signifiers if candidate.relevance == 0 else 0
    return -candidate.relevance, -signifiers, -candidate.level, candidate.dfs, candidate.pattern.type


def _measure(occurrence: Occurrence, root: Occurrence, k: int, measure: str) -> float:
    if measure == COVERAGE:
        return occurrence.covered_weight / k
    return MEASURES[measure](occurrence.x, occurrence.y, root.x, root.y)


def _make_candidate(
    pattern: StructuralPattern, best: list[_BestElement], positions: set[int], settings: LearnSettings
) -> PatternCandidate:
    values = tuple(element.value for element in best)
    nodes = tuple(element.node for element in best)
    n = sum(node >= 0 for node in nodes)
    relevance = settings.relevance(sum(values), n, pattern.level)
    signifiers = sum(element.x for element in best)
    return PatternCandidate(pattern, tuple(sorted(positions)), n, relevance, values, nodes, signifiers)


@dataclass(frozen=True)
class ContentRegion:
    """The elements of one pattern that hold the article, at most one of each page."""

    candidate: PatternCandidate
    nodes: dict[int, int]
    """The element of each page, by the index of the page in the sample."""
    runners_up: tuple[PatternCandidate, ...] = ()


PatternChooser = Callable[[Sample, Sequence[Signifiers], LearnSettings], list[PatternCandidate]]
"""A function that ranks the candidates for some pages, the best first."""


def choose_by_relevance(
    sample: Sample, signifiers: Sequence[Signifiers], settings: LearnSettings
) -> list[PatternCandidate]:
    """Rank patterns by relevance, as in the paper."""
    return rank_patterns(sample, settings, signifiers)


def find_regions(
    sample: Sample,
    signifiers: Sequence[Signifiers],
    settings: LearnSettings,
    choose: PatternChooser = choose_by_relevance,
) -> list[ContentRegion]:
    """Return the regions of a sample; only the first, as in the paper, unless the settings are `refined`."""
    regions: list[ContentRegion] = []
    left = list(range(len(sample)))
    while left and len(regions) < (_MAX_REGIONS if settings.refined else 1):
        subsample = sample if len(left) == len(sample) else sample.select(left)
        candidates = choose(subsample, [signifiers[index] for index in left], settings)
        if not candidates:
            break
        best = candidates[0]
        nodes = {index: node for index, node in zip(left, best.nodes, strict=True) if node >= 0}
        regions.append(ContentRegion(best, nodes, tuple(candidates[1:])))
        left = [index for index in left if index not in nodes]
    return regions
