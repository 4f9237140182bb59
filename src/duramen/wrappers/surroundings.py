"""What belongs to an article and stands outside its region: the headline, and what stands between it and the body.

A *headline* is told by the page's title, which repeats it, with the site's name or without. Of the tag paths outside
the region that bear one block a page, another on each, the headline's is the one whose blocks are most often part of
the title. A *lead* (a subtitle, a summary) stands between headline and region and holds signifiers at least as densely
as the region does, at the lower end of the paper's interval (J): a byline or a date line does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.language import words
from duramen.wrappers.blocks import Block
from duramen.wrappers.boilerplate import interval
from duramen.wrappers.expressions import shared
from duramen.wrappers.informativeness import signifier_density
from duramen.wrappers.sample import Leaves
from duramen.wrappers.signifiers import Signifiers
from duramen.wrappers.steps import TagPaths

_ALIKE: Final = 0.6
"""Part of a title, if more than this share of its pairs of words stand there: titles are cut, and quotes differ."""

_LONGEST: Final = 60
"""Words of a headline at most."""


@dataclass(eq=False)
class Around:
    """A page of the sample, its region, and the numbers of its tag paths."""

    page: Leaves
    region: int
    signifiers: Signifiers
    paths: list[int]

    @property
    def tree(self) -> Tree:
        return self.page.tree

    @cached_property
    def title(self) -> frozenset[tuple[str, str]]:
        return _pairs(words(title_of(self.tree)))

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks outside the region that are not links; none that the region is part of."""
        tree, region, end = self.tree, self.region, self.tree.end[self.region]
        return [
            block
            for block in self.page.blocks
            if not region <= block.first < end
            and not block.is_linked
            and not block.node <= region < tree.end[block.node]
        ]

    @cached_property
    def holds_headline(self) -> bool:
        """Whether the region itself has a block that is part of the title."""
        inside = range(self.region, self.tree.end[self.region])
        return any(block.first in inside and self.likeness(block) > _ALIKE for block in self.page.blocks)

    def likeness(self, block: Block) -> float:
        """The share of a block's pairs of words that stand in the title."""
        if not 1 < block.words <= _LONGEST:
            return 0.0
        pairs = _pairs(block.text.split())
        return len(pairs & self.title) / len(pairs)


def title_of(tree: Tree) -> str:
    """The page's `<title>`."""
    for node in range(1, tree.body):
        if tree.tag[node] == "title":
            return " ".join(tree.text[i] for i in range(node, tree.end[node]) if tree.tag[i] == TEXT)
    return ""


def around(pages: Sequence[Leaves], regions: Mapping[int, int], signifiers: Sequence[Signifiers]) -> list[Around]:
    """The pages of a sample that have a region."""
    paths = TagPaths()
    return [
        Around(pages[index], regions[index], signifiers[index], paths.of(pages[index].tree))
        for index in sorted(regions)
    ]


def headlines(pages: Sequence[Around]) -> list[tuple[str, dict[int, int]]]:
    """Expressions for the headline, the commonest first, with the element on each page by its place in `pages`."""
    by_path: defaultdict[int, dict[int, list[Block]]] = defaultdict(dict)
    left = set()
    for index, page in enumerate(pages):
        if page.title and not page.holds_headline:
            left.add(index)
            for block in page.blocks:
                by_path[page.paths[block.node]].setdefault(index, []).append(block)
    found: list[tuple[str, dict[int, int]]] = []
    while left:
        best: tuple[tuple[int, float], dict[int, int]] | None = None
        for blocks in by_path.values():
            alone = {index: own[0] for index, own in blocks.items() if index in left and len(own) == 1}
            if not alone or len({block.text for block in alone.values()}) < len(alone):
                continue
            likeness = {index: pages[index].likeness(block) for index, block in alone.items()}
            right = {index: alone[index].node for index, alike in likeness.items() if alike > _ALIKE}
            if not right or (interval(len(right), len(alone))[0] <= 0.5 and 2 * len(right) < len(left)):
                continue
            value = 2 * len(right) - len(alone), sum(likeness[index] * alone[index].words for index in right)
            if best is None or value > best[0]:
                best = value, right
        if best is None:
            break
        found.append((shared([(pages[index].tree, node) for index, node in best[1].items()]), best[1]))
        left -= best[1].keys()
    return found


def leads(pages: Sequence[Around], headline: Mapping[int, int]) -> list[str]:
    """Expressions for what stands between the headlines, given by place in `pages`, and the regions."""
    by_path: defaultdict[int, dict[int, list[Block]]] = defaultdict(dict)
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    whole = [0, 0]
    for index, page in enumerate(pages):
        tree = page.tree
        signs = {node: sum(term in page.signifiers for term in found) for node, found in page.page.own_terms()}
        before = page.page.terms_before
        region = range(page.region, tree.end[page.region])
        whole[0] += sum(count for node, count in signs.items() if node in region)
        whole[1] += before[region.stop] - before[region.start]
        if index not in headline:
            continue
        start = tree.end[headline[index]]
        for block in page.blocks:
            if start <= block.first < page.region:
                path = page.paths[block.node]
                by_path[path].setdefault(index, []).append(block)
                counts[path][0] += sum(signs.get(node, 0) for node in range(block.first, block.last + 1))
                counts[path][1] += before[block.last + 1] - before[block.first]
    found = []
    for path, blocks in by_path.items():
        texts = [block.text for own in blocks.values() for block in own]
        x, n = counts[path]
        if len(set(texts)) == len(texts) and signifier_density(x, n - x) * whole[1] > whole[0]:
            # Items of a list: the list is what they have in common.
            places = [
                (pages[index].tree, own[0].node if len(own) == 1 else pages[index].tree.parent[own[0].node])
                for index, own in blocks.items()
            ]
            found.append(shared(places))
    return list(dict.fromkeys(found))


def _pairs(found: Sequence[str]) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(found))
