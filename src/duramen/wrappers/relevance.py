"""The relevance of a structural pattern: how informative it is on each page, on how many pages, on what level.

Oita and Senellart, FOREST, equations (5) and (7): R = (Σ over pages of I, or of Cov) × p × level, with p the number of
sample pages in which the pattern occurs on a significant path. Where one page has several elements of the same pattern,
the one with the largest value stands for that page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from duramen.errors import UsageError
from duramen.wrappers.informativeness import MEASURES
from duramen.wrappers.patterns import Occurrence, Pattern, occurrences, with_positions
from duramen.wrappers.sample import Sample
from duramen.wrappers.signifiers import DEFAULT_COUNT, Signifiers, find_signifiers

COVERAGE: Final = "coverage"


@dataclass(frozen=True)
class Settings:
    """How patterns are ranked, and whether more is learnt than the paper does; `PAPER` has the paper's choices."""

    signifiers: str = "tfidf"
    k: int = DEFAULT_COUNT
    measure: str = "u"
    """J × U ("ju"), one of the two alone ("j", "u"), or "coverage".

    With many pages U and J × U choose nearly the same. With few, J, which favours small elements, can make single
    paragraphs win. Wrappers learnt from two pages score .846 by U and .847 by J × U on the other pages of
    news-sites-dev, .967 and .867 on feed-sites-dev, .887 and .854 on articles-2012-dev (F1 of word 2-grams); from five,
    .967 and .968, .980 and .908, .926 and .926. These sets were at hand when U was chosen.
    """
    tolerant: bool = True
    """Attribute values in their tolerant form; as they stand otherwise."""
    frequency: bool = True
    """Multiply by p, the number of pages."""
    level: bool = True
    """Multiply by the level, in favour of deep elements."""
    refined: bool = True
    """What the paper does not have: see `learning.py`. It has no effect on `rank`."""
    lang: str | None = None
    """The language of the pages, where it is known better than they say."""

    def __post_init__(self) -> None:
        if self.measure not in MEASURES and self.measure != COVERAGE:
            known = ", ".join([*MEASURES, COVERAGE])
            raise UsageError(f"unknown measure {self.measure!r}: choose one of {known}")

    def relevance(self, value: float, n: int, level: int) -> float:
        """Equation (5), or (7): of what the pages add up to, their number, and the level."""
        return value * (n if self.frequency else 1) * (level if self.level else 1)


PAPER: Final = Settings(measure="ju", refined=False)
"""FOREST as it was published, but for the expression, which is portable."""


@dataclass(frozen=True)
class Candidate:
    """A structural pattern with what speaks for it: a row of the paper's figure 3."""

    pattern: Pattern
    dfs: tuple[int, ...]
    """The dfs positions at which it was seen, in order."""
    n: int
    """The number of pages on which it occurs on a significant path."""
    relevance: float
    values: tuple[float, ...]
    """For each page how informative its element of this pattern is; 0 where it has none."""
    nodes: tuple[int, ...]
    """That element on each page; -1 where there is none."""
    signifiers: int = 0
    """How many signifiers these elements hold."""

    @property
    def level(self) -> int:
        return self.pattern.level

    @property
    def expression(self) -> str:
        """The paper's wrapper: `//div[contains(@class,'story') and (@dfs='78' or @dfs='82')]`."""
        return with_positions(self.pattern.clue, self.dfs)


def rank(sample: Sample, settings: Settings, signifiers: Sequence[Signifiers] | None = None) -> list[Candidate]:
    """All structural patterns of a sample, the most relevant first; of equals the deeper one, the first in the page."""
    if signifiers is None:
        signifiers = find_signifiers(sample, settings.signifiers, settings.k)
    seen: dict[Pattern, list[_Best]] = {}
    places: dict[Pattern, set[int]] = {}
    for index, (page, terms) in enumerate(zip(sample.pages, signifiers, strict=True)):
        found = occurrences(page, terms, settings.tolerant)
        if not found:
            continue
        whole = found[0]  # the root
        for occurrence in found:
            value = _value(occurrence, whole, len(terms), settings.measure)
            best = seen.setdefault(occurrence.pattern, [_NONE] * len(sample))
            places.setdefault(occurrence.pattern, set()).add(occurrence.dfs)
            if best[index].node < 0 or value > best[index].value:
                best[index] = _Best(value, occurrence.node, occurrence.x)
    candidates = [_candidate(pattern, best, places[pattern], settings) for pattern, best in seen.items()]
    return sorted(candidates, key=_order)


class _Best(NamedTuple):
    """The element that stands for a pattern on a page."""

    value: float
    node: int
    x: int


_NONE: Final = _Best(0.0, -1, 0)


def _order(candidate: Candidate) -> tuple[float, int, int, tuple[int, ...], str]:
    # Where a page has no other terms than signifiers, U is 0 for all: then most signifiers decide.
    held = candidate.signifiers if candidate.relevance == 0 else 0
    return -candidate.relevance, -held, -candidate.level, candidate.dfs, candidate.pattern.type


def _value(occurrence: Occurrence, whole: Occurrence, k: int, measure: str) -> float:
    if measure == COVERAGE:
        return occurrence.covered / k
    return MEASURES[measure](occurrence.x, occurrence.y, whole.x, whole.y)


def _candidate(pattern: Pattern, best: list[_Best], places: set[int], settings: Settings) -> Candidate:
    values = tuple(found.value for found in best)
    nodes = tuple(found.node for found in best)
    n = sum(node >= 0 for node in nodes)
    relevance = settings.relevance(sum(values), n, pattern.level)
    signifiers = sum(found.x for found in best)
    return Candidate(pattern, tuple(sorted(places)), n, relevance, values, nodes, signifiers)
