"""Which pages are of one template: those that share most of their tag paths.

Each page is the set of its tag paths in tolerant form. In one pass every page joins the template whose *core*, the
paths that half of its pages or more have, is most like it, or founds a new one; a second pass lets pages change to a
template that was founded later. Likeness is Jaccard's, |A ∩ B| / |A ∪ B|. Deterministic, and linear in the pages for a
given number of templates.

On news-sites-dev and feed-sites-dev pages of different sites are at most 0.33 alike, and that only where both are bare
tables of 2005 (0.05 is usual for pages of today); pages of one template 0.5 and more, blog posts rich in markup 0.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from duramen.dom.tree import Tree
from duramen.wrappers.steps import TagPaths

SAME_TEMPLATE: Final = 0.4
"""Pages at least so alike are of one template."""

SAME_SITE: Final = 0.1
"""Pages less alike than this have nothing in common but HTML."""


@dataclass
class Template:
    """Pages of one make, by their places."""

    pages: list[int] = field(default_factory=list)
    _counts: Counter[int] = field(default_factory=Counter, repr=False)

    def add(self, page: int, paths: frozenset[int]) -> None:
        self.pages.append(page)
        self._counts.update(paths)

    def core(self) -> frozenset[int]:
        return frozenset(path for path, count in self._counts.items() if 2 * count >= len(self.pages))


def path_sets(trees: Sequence[Tree]) -> list[frozenset[int]]:
    """The tag paths of each page, as far as they lead into its body: all pages have a head and a body."""
    paths = TagPaths()
    return [frozenset(paths.of(tree)[tree.body + 1 :]) - {-1} for tree in trees]


def likeness(first: frozenset[int], second: frozenset[int]) -> float:
    """The share of the paths of either that both have."""
    either = len(first | second)
    return len(first & second) / either if either else 1.0


def templates(sets: Sequence[frozenset[int]], least: float = SAME_TEMPLATE) -> list[Template]:
    """The templates of pages, given by their tag paths; the largest first."""
    found: list[Template] = []
    cores: list[frozenset[int]] = []
    for page, paths in enumerate(sets):
        place, alike = _nearest(paths, cores)
        if alike < least:
            place = len(found)
            found.append(Template())
            cores.append(frozenset())
        found[place].add(page, paths)
        cores[place] = found[place].core()
    settled = [Template() for _ in found]
    for page, paths in enumerate(sets):
        settled[_nearest(paths, cores)[0]].add(page, paths)
    return sorted((template for template in settled if template.pages), key=lambda one: (-len(one.pages), one.pages))


def _nearest(paths: frozenset[int], cores: Sequence[frozenset[int]]) -> tuple[int, float]:
    alike = [likeness(paths, core) for core in cores]
    return max(enumerate(alike), key=lambda pair: (pair[1], -pair[0]), default=(0, -1.0))
