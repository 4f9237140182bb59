"""Structural patterns, and how informative an element is about its page.

Oita and Senellart, FOREST, section 3.2. A text node that holds a signifier is *significant*; so are the elements on its
tag path, from the root down. The *type* of an element is its tag with its attributes, whose values are reduced to their
*tolerant form*, or with its dfs position if it has no attribute that identifies it. Type and level together are the
*structural pattern*, by which elements of different pages are compared.

Section 3.3: signifier density J, unexpectedness U, and their product, the informativeness I. Of the terms of an element
`x` are signifiers and `y` are not; `X` and `Y` are the same for the whole page. All logarithms are natural: only with
these do the paper's "23 bits" and "6 bits" come out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import log, sqrt
from typing import Final, NamedTuple

from duramen.dom.tree import Attributes
from duramen.wrappers.sample import PageTerms
from duramen.wrappers.signifiers import Signifiers
from duramen.wrappers.tag_paths import tolerant_form

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
