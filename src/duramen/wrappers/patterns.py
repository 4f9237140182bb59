"""Structural patterns: elements of a site's pages that are of one type and stand on one level.

Oita and Senellart, FOREST, section 3.2. A text node that holds a signifier is *significant*; so are the elements on its
tag path, from the root down. The *type* of an element is its tag with its attributes, whose values are reduced to their
*tolerant form*, or with its dfs position where it has no attribute that identifies it. Type and level together are the
*structural pattern*, by which elements of different pages are told to be the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from duramen.dom.tree import Attributes
from duramen.wrappers.sample import Leaves
from duramen.wrappers.signifiers import Signifiers
from duramen.wrappers.steps import tolerant_form

SILENT: Final = frozenset(
    "style href src srcset action cite content value alt title width height datetime lang dir".split()
)
"""Attributes that identify nothing: how the element looks, where it leads, what it says."""


class Pattern(NamedTuple):
    """The level of an element and its type: its tag, and its attributes or its dfs position."""

    level: int
    tag: str
    attributes: tuple[tuple[str, str], ...]
    dfs: int | None

    @property
    def type(self) -> str:
        """As the paper writes it: `//div[@class='story']`, or `//p[@dfs=98]`."""
        if self.dfs is not None:
            return f"//{self.tag}[@dfs={self.dfs}]"
        clues = " and ".join(f"@{name}={quoted(value)}" for name, value in self.attributes)
        return f"//{self.tag}[{clues}]" if clues else f"//{self.tag}"

    @property
    def clue(self) -> str:
        """The type as it stands in the paper's wrapper: `//div[contains(@class,'story')]`, or `//p`."""
        clues = " and ".join(f"contains(@{name},{quoted(value)})" for name, value in self.attributes)
        return f"//{self.tag}[{clues}]" if clues else f"//{self.tag}"


@dataclass(frozen=True)
class Occurrence:
    """A significant element, with its pattern, its place, and how many signifiers and other terms it holds."""

    pattern: Pattern
    node: int
    dfs: int
    x: int
    y: int
    covered: float
    """The weights of the different signifiers it holds, added up."""


def identifying(attributes: Attributes, tolerant: bool = True) -> list[tuple[str, str]]:
    """The attributes that identify an element, with their values."""
    found = []
    for name, value in attributes.items():
        if value is None or name in SILENT or name.startswith("on"):
            continue
        kept = tolerant_form(value) if tolerant else " ".join(value.split())
        if kept:
            found.append((name, kept))
    return found


def pattern_of(level: int, tag: str, attributes: Attributes, dfs: int, tolerant: bool = True) -> Pattern:
    """The structural pattern of an element. There is one html and one body: they need no position."""
    found = tuple(sorted(identifying(attributes, tolerant)))
    return Pattern(level, tag, found, None if found or level < 2 else dfs)


def with_positions(clue: str, places: Iterable[int]) -> str:
    """The paper's wrapper: `//div[contains(@class,'story') and (@dfs='78' or @dfs='82')]`."""
    either = " or ".join(f"@dfs='{place}'" for place in places)
    if clue.endswith("]"):
        return f"{clue.removesuffix(']')} and ({either})]"
    return f"{clue}[{either}]"


def quoted(value: str) -> str:
    return f"'{value}'" if "'" not in value else f'"{value}"'


def occurrences(page: Leaves, signifiers: Signifiers, tolerant: bool = True) -> list[Occurrence]:
    """The elements on the significant tag paths of a page, in document order."""
    tree = page.tree
    parent = tree.parent
    order = {term: place for place, term in enumerate(signifiers)}
    counts: dict[int, int] = {}
    masks: dict[int, int] = {}  # which signifiers: a bit for each
    for node, terms in page.own_terms():
        found = [order[term] for term in terms if term in order]
        if found:
            above = parent[node]
            counts[above] = counts.get(above, 0) + len(found)
            for place in found:
                masks[above] = masks.get(above, 0) | 1 << place
            while (above := parent[above]) >= 0 and above not in counts:
                counts[above] = masks[above] = 0
    nodes = sorted(counts)
    for node in reversed(nodes):
        if (above := parent[node]) >= 0:
            counts[above] += counts[node]
            masks[above] |= masks[node]
    before, end, depth, dfs = page.terms_before, tree.end, tree.depth, page.dfs
    weights = list(signifiers.values())
    occurring = []
    for node in nodes:
        tag = tree.tag[node]
        pattern = pattern_of(depth[node], tag, tree.attributes[node], dfs[node], tolerant)
        x = counts[node]
        covered = sum(weight for place, weight in enumerate(weights) if masks[node] >> place & 1)
        occurring.append(Occurrence(pattern, node, dfs[node], x, before[end[node]] - before[node] - x, covered))
    return occurring
