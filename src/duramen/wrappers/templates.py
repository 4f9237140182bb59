"""Group pages by template: pages of one template share most of their tag paths.

Each page is the set of its tag paths in tolerant form. In the first pass every page joins the template whose *core*
(the paths that at least half of its pages have) is most similar to it, or starts a new template. In the second pass
pages may change to a template that was started later. Similarity is Jaccard's, |A ∩ B| / |A ∪ B|. The result is
deterministic, and the time is linear in the pages for a given number of templates.

On news-sites-dev and feed-sites-dev, pages of different sites have a similarity of at most 0.33, and that only if both
are bare tables of 2005 (0.05 is usual for modern pages). Pages of one template have 0.5 or more, blog posts with much
markup 0.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from duramen.dom.tree import Tree
from duramen.wrappers.tag_paths import TagPaths

SAME_TEMPLATE_SIMILARITY: Final = 0.4
"""Pages with at least this similarity are of one template."""

SAME_SITE_SIMILARITY: Final = 0.1
"""Pages with less similarity have nothing in common but HTML."""


@dataclass
class PageTemplate:
    """Pages of one template, by index."""

    pages: list[int] = field(default_factory=list)
    _path_counts: Counter[int] = field(default_factory=Counter, repr=False)

    def add(self, page: int, paths: frozenset[int]) -> None:
        self.pages.append(page)
        self._path_counts.update(paths)

    def find_core(self) -> frozenset[int]:
        """Return the paths that at least half of the pages have."""
        return frozenset(path for path, count in self._path_counts.items() if 2 * count >= len(self.pages))


def find_path_sets(trees: Sequence[Tree]) -> list[frozenset[int]]:
    """Return the tag paths of each page below its body: all pages have a head and a body."""
    paths = TagPaths()
    return [frozenset(paths.number_nodes(tree)[tree.body + 1 :]) - {-1} for tree in trees]


def jaccard_similarity(first: frozenset[int], second: frozenset[int]) -> float:
    """Return the share of the paths of either set that both sets have."""
    union = len(first | second)
    return len(first & second) / union if union else 1.0


def find_templates(
    path_sets: Sequence[frozenset[int]], min_similarity: float = SAME_TEMPLATE_SIMILARITY
) -> list[PageTemplate]:
    """Group pages, given by their tag paths, into templates; the largest first."""
    first_pass: list[PageTemplate] = []
    cores: list[frozenset[int]] = []
    for page, paths in enumerate(path_sets):
        index, similarity = _find_nearest(paths, cores)
        if similarity < min_similarity:
            index = len(first_pass)
            first_pass.append(PageTemplate())
            cores.append(frozenset())
        first_pass[index].add(page, paths)
        cores[index] = first_pass[index].find_core()
    templates = [PageTemplate() for _ in first_pass]
    for page, paths in enumerate(path_sets):
        templates[_find_nearest(paths, cores)[0]].add(page, paths)
    return sorted(
        (template for template in templates if template.pages),
        key=lambda template: (-len(template.pages), template.pages),
    )


def _find_nearest(paths: frozenset[int], cores: Sequence[frozenset[int]]) -> tuple[int, float]:
    """Return the index of the most similar core, the first of equals, and its similarity."""
    similarities = [jaccard_similarity(paths, core) for core in cores]
    return max(enumerate(similarities), key=lambda pair: (pair[1], -pair[0]), default=(0, -1.0))
