"""Structural patterns, ranked by relevance; the best ones give the regions.

Oita and Senellart, FOREST, section 3.2. A text node that holds a signifier is *significant*; so are the elements on its
tag path, from the root down. The *type* of an element is its tag with its attributes, whose values are reduced to their
*tolerant form*, or with its dfs position if it has no attribute that identifies it. Type and level together are the
*structural pattern*, by which elements of different pages are compared.

Section 3.3: signifier density J, unexpectedness U, and their product, the informativeness I. Of the terms of an element
`x` are signifiers and `y` are not; `X` and `Y` are the same for the whole page. All logarithms are natural: only with
these do the paper's "23 bits" and "6 bits" come out.

Equations (5) and (7): the relevance is R = (Σ over pages of I, or of Cov) × p × level, with p the number of sample
pages in which the pattern occurs on a significant path. If a page has several elements of the same pattern, the one
with the largest value represents the page.

The most relevant pattern gives the region of the pages that have it. The pages of a site seldom have all the same
structure: on some the article stands in another element, or on another level. For those the ranking is repeated until
each page has its region. This is not in the paper. The regions are in the order in which they are tried on a new page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final, NamedTuple

from duramen.dom.tree import Attributes
from duramen.errors import UsageError
from duramen.wrappers.sample import DEFAULT_COUNT, LINKS, PageTerms, Sample, Signifiers, find_signifiers
from duramen.wrappers.tag_paths import COMMENTS, tolerant_form

IGNORED_ATTRIBUTES: Final = frozenset(
    "style href src srcset action cite content value alt title width height datetime lang dir".split()
)
"""Attributes that identify nothing: they give the appearance, the target or the content of an element."""


class StructuralPattern(NamedTuple):
    """The level of an element and its type: its tag, and its attributes or its dfs position."""

    level: int
    tag: str
    attributes: tuple[tuple[str, str], ...]
    dfs: int | None

    @property
    def type(self) -> str:
        """The type as the paper writes it: `//div[@class='story']`, or `//p[@dfs=98]`."""
        if self.dfs is not None:
            return f"//{self.tag}[@dfs={self.dfs}]"
        tests = " and ".join(f"@{name}={_quote(value)}" for name, value in self.attributes)
        return f"//{self.tag}[{tests}]" if tests else f"//{self.tag}"

    @property
    def clue(self) -> str:
        """The type as it is written in the paper's wrapper: `//div[contains(@class,'story')]`, or `//p`."""
        tests = " and ".join(f"contains(@{name},{_quote(value)})" for name, value in self.attributes)
        return f"//{self.tag}[{tests}]" if tests else f"//{self.tag}"


@dataclass(frozen=True)
class Occurrence:
    """A significant element: its pattern, its position, and its numbers of signifiers (x) and other terms (y)."""

    pattern: StructuralPattern
    node: int
    dfs: int
    x: int
    y: int
    covered_weight: float
    """The sum of the weights of the different signifiers in the element."""


def find_identifying_attributes(attributes: Attributes, tolerant: bool = True) -> list[tuple[str, str]]:
    """Return the attributes that identify an element, with their values."""
    identifying = []
    for name, value in attributes.items():
        if value is None or name in IGNORED_ATTRIBUTES or name.startswith("on"):
            continue
        kept = tolerant_form(value) if tolerant else " ".join(value.split())
        if kept:
            identifying.append((name, kept))
    return identifying


def make_pattern(level: int, tag: str, attributes: Attributes, dfs: int, tolerant: bool = True) -> StructuralPattern:
    """Return the structural pattern of an element. There is one html and one body: they need no position."""
    identifying = tuple(sorted(find_identifying_attributes(attributes, tolerant)))
    return StructuralPattern(level, tag, identifying, None if identifying or level < 2 else dfs)


def add_dfs_positions(clue: str, positions: Iterable[int]) -> str:
    """Return the paper's wrapper: `//div[contains(@class,'story') and (@dfs='78' or @dfs='82')]`."""
    tests = " or ".join(f"@dfs='{position}'" for position in positions)
    if clue.endswith("]"):
        return f"{clue.removesuffix(']')} and ({tests})]"
    return f"{clue}[{tests}]"


def _quote(value: str) -> str:
    return f"'{value}'" if "'" not in value else f'"{value}"'


def find_occurrences(page: PageTerms, signifiers: Signifiers, tolerant: bool = True) -> list[Occurrence]:
    """Return the elements on the significant tag paths of a page, in document order."""
    tree = page.tree
    parent = tree.parent
    signifier_numbers = {term: number for number, term in enumerate(signifiers)}
    counts: dict[int, int] = {}
    masks: dict[int, int] = {}  # which signifiers an element holds, one bit for each
    for node, terms in page.own_terms():
        numbers = [signifier_numbers[term] for term in terms if term in signifier_numbers]
        if numbers:
            above = parent[node]
            counts[above] = counts.get(above, 0) + len(numbers)
            for number in numbers:
                masks[above] = masks.get(above, 0) | 1 << number
            while (above := parent[above]) >= 0 and above not in counts:
                counts[above] = masks[above] = 0
    nodes = sorted(counts)
    for node in reversed(nodes):
        if (above := parent[node]) >= 0:
            counts[above] += counts[node]
            masks[above] |= masks[node]
    before, end, depth, dfs = page.terms_before, tree.end, tree.depth, page.dfs
    weights = list(signifiers.values())
    occurrences = []
    for node in nodes:
        pattern = make_pattern(depth[node], tree.tag[node], tree.attributes[node], dfs[node], tolerant)
        x = counts[node]
        y = before[end[node]] - before[node] - x
        covered_weight = sum(weight for number, weight in enumerate(weights) if masks[node] >> number & 1)
        occurrences.append(Occurrence(pattern, node, dfs[node], x, y, covered_weight))
    return occurrences


InformativenessMeasure = Callable[[int, int, int, int], float]
"""A function of x, y, X and Y."""


def signifier_density(x: int, y: int) -> float:
    """J, equation (2): the lower end, with 70 % confidence, of the share of signifiers among the terms of an element.

    >>> round(signifier_density(8, 20), 4), round(signifier_density(1, 0), 4)
    (0.2071, 0.317)
    """
    terms = x + y
    if terms == 0:
        return 0.0
    return max(0.0, (x + 0.5 - sqrt((x + 0.5) * (y + 0.5) / terms)) / (terms + 1))


def unexpectedness(x: int, y: int, page_x: int, page_y: int) -> float:
    """U, equation (3): what is saved by describing the terms of the element as x signifiers and y other terms.

    It is never negative. It is greatest for long elements with a larger share of signifiers than the whole page.

    >>> round(unexpectedness(10, 26, 20, 100), 3)
    22.658
    """
    saved = (x + y) * log(page_x + page_y) if x + y else 0.0
    if x:
        saved -= x * log(page_x)
    if y:
        saved -= y * log(page_y)
    return max(0.0, saved)  # rounding errors may be slightly negative


def informativeness(x: int, y: int, page_x: int, page_y: int) -> float:
    """I = J × U, equation (4)."""
    return signifier_density(x, y) * unexpectedness(x, y, page_x, page_y)


def _density_alone(x: int, y: int, page_x: int, page_y: int) -> float:
    return signifier_density(x, y)


MEASURES: Final[dict[str, InformativenessMeasure]] = {
    "ju": informativeness,
    "j": _density_alone,
    "u": unexpectedness,
}
"""The paper's measure and each of its two factors alone (figure 7), by name."""


# Relevance

COVERAGE: Final = "coverage"

_MAX_REGIONS: Final = 8
"""Regions of one site: if more are needed, the pages have nothing in common."""


FOREIGN_TEXT: Final = {"links": (LINKS,), "comments": (COMMENTS,), "both": (LINKS, COMMENTS), "none": ()}
"""The values of `LearnSettings.foreign`. The paper names both filters under "challenges" (section 4)."""


@dataclass(frozen=True)
class LearnSettings:
    """How patterns are ranked, and which further steps are done; `PAPER_SETTINGS` has the paper's choices."""

    signifiers: str = "tfidf"
    """Where signifiers come from: tfidf, feed, feed-bigrams, metadata, anchors or query."""
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
    """Do the steps that are not in the paper: see `learning.py`. It has no effect on `rank_patterns`."""
    lang: str | None = None
    """The language of the pages, if it is known better than from the pages."""
    foreign: str = ""
    """Text whose words are no signifiers: links, comments, both or none; empty for both if refined, else none."""

    @property
    def foreign_text(self) -> tuple[str, ...]:
        """The kinds of text whose words are no signifiers."""
        return FOREIGN_TEXT[self.foreign or ("both" if self.refined else "none")]

    def __post_init__(self) -> None:
        if self.foreign and self.foreign not in FOREIGN_TEXT:
            raise UsageError(f"unknown foreign text {self.foreign!r}: choose one of {', '.join(FOREIGN_TEXT)}")
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
