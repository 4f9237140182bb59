"""Find the headline of an article and the lead between it and the body, if they stand outside the region.

The page's `<title>` repeats the headline, with the site's name or without. Of the tag paths outside the region that
have one block on each page, with a different text on each, the headline's is the one whose blocks are most often part
of the title. A *lead* (a subtitle, a summary) stands between headline and region and has at least the region's density
of signifiers, at the lower end of the paper's interval (J). A byline or a date line has not.
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
from duramen.wrappers.boilerplate import TextBlock, confidence_interval
from duramen.wrappers.patterns import signifier_density
from duramen.wrappers.sample import PageTerms, Signifiers
from duramen.wrappers.selectors import find_shared_xpath
from duramen.wrappers.tag_paths import TagPaths

_MIN_TITLE_SHARE: Final = 0.6
"""A block is part of the title if more than this share of its word pairs is: titles are cut, and quotes differ."""

_MAX_HEADLINE_WORDS: Final = 60
MAX_LEADS: Final = 8
"""Leads that a wrapper has at most; a site has one or two. Each costs a search for its XPath."""


@dataclass(eq=False)
class PageSurroundings:
    """A page of the sample: its region, and the numbers of its tag paths."""

    page: PageTerms
    region: int
    signifiers: Signifiers
    paths: list[int]

    @property
    def tree(self) -> Tree:
        return self.page.tree

    @cached_property
    def title_pairs(self) -> frozenset[tuple[str, str]]:
        """The pairs of neighboring words of the title."""
        return frozenset(pairwise(words(_find_title(self.tree))))

    @cached_property
    def blocks(self) -> list[TextBlock]:
        """The blocks outside the region that are not mostly links; none whose element contains the region."""
        tree, region, end = self.tree, self.region, self.tree.end[self.region]
        return [
            block
            for block in self.page.text_blocks
            if not region <= block.first < end
            and not block.is_mostly_links
            and not block.node <= region < tree.end[block.node]
        ]

    @cached_property
    def has_headline_in_region(self) -> bool:
        """True if a block of the region is part of the title."""
        inside = range(self.region, self.tree.end[self.region])
        return any(
            block.first in inside and self.title_share(block) > _MIN_TITLE_SHARE for block in self.page.text_blocks
        )

    def title_share(self, block: TextBlock) -> float:
        """Return the share of a block's word pairs that are in the title."""
        if block.words > _MAX_HEADLINE_WORDS:
            return 0.0
        pairs = frozenset(pairwise(block.text.split()))
        return len(pairs & self.title_pairs) / len(pairs) if pairs else 0.0


def _find_title(tree: Tree) -> str:
    """Return the text of the page's `<title>`."""
    for node in range(1, tree.body):
        if tree.tag[node] == "title":
            return " ".join(tree.text[i] for i in range(node, tree.end[node]) if tree.tag[i] == TEXT)
    return ""


def find_surroundings(
    pages: Sequence[PageTerms], regions: Mapping[int, int], signifiers: Sequence[Signifiers]
) -> list[PageSurroundings]:
    """Return the pages of a sample that have a region; `regions` gives its element by page index."""
    paths = TagPaths()
    return [
        PageSurroundings(pages[index], regions[index], signifiers[index], paths.number_nodes(pages[index].tree))
        for index in sorted(regions)
    ]


def find_headlines(pages: Sequence[PageSurroundings]) -> list[tuple[str, dict[int, int]]]:
    """Return XPaths of the headline, the most frequent first, each with the element by index in `pages`."""
    by_path: defaultdict[int, dict[int, list[TextBlock]]] = defaultdict(dict)
    left = set()
    for index, page in enumerate(pages):
        if page.title_pairs and not page.has_headline_in_region:
            left.add(index)
            for block in page.blocks:
                by_path[page.paths[block.node]].setdefault(index, []).append(block)
    headlines: list[tuple[str, dict[int, int]]] = []
    while left:
        best: tuple[tuple[int, float], dict[int, int]] | None = None
        for blocks_of_pages in by_path.values():
            single = {
                index: blocks[0] for index, blocks in blocks_of_pages.items() if index in left and len(blocks) == 1
            }
            if not single or len({block.text for block in single.values()}) < len(single):
                continue
            shares = {index: pages[index].title_share(block) for index, block in single.items()}
            matching = {index: single[index].node for index, share in shares.items() if share > _MIN_TITLE_SHARE}
            if not matching or (
                confidence_interval(len(matching), len(single))[0] <= 0.5 and 2 * len(matching) < len(left)
            ):
                continue
            value = 2 * len(matching) - len(single), sum(shares[index] * single[index].words for index in matching)
            if best is None or value > best[0]:
                best = value, matching
        if best is None:
            break
        headlines.append((find_shared_xpath([(pages[index].tree, node) for index, node in best[1].items()]), best[1]))
        left -= best[1].keys()
    return headlines


def find_leads(pages: Sequence[PageSurroundings], headlines: Mapping[int, int]) -> list[str]:
    """Return XPaths of the leads between the headlines, given by index in `pages`, and the regions."""
    by_path: defaultdict[int, dict[int, list[TextBlock]]] = defaultdict(dict)
    path_counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])  # signifiers and terms of each path
    region_counts = [0, 0]  # signifiers and terms of all regions
    for index, page in enumerate(pages):
        tree = page.tree
        signifiers_in = {node: sum(term in page.signifiers for term in terms) for node, terms in page.page.own_terms()}
        before = page.page.terms_before
        region = range(page.region, tree.end[page.region])
        region_counts[0] += sum(count for node, count in signifiers_in.items() if node in region)
        region_counts[1] += before[region.stop] - before[region.start]
        if index not in headlines:
            continue
        start = tree.end[headlines[index]]
        for block in page.blocks:
            if start <= block.first < page.region:
                path = page.paths[block.node]
                by_path[path].setdefault(index, []).append(block)
                path_counts[path][0] += sum(signifiers_in.get(node, 0) for node in range(block.first, block.last + 1))
                path_counts[path][1] += before[block.last + 1] - before[block.first]
    leads = []
    for path, blocks_of_pages in by_path.items():
        texts = [block.text for blocks in blocks_of_pages.values() for block in blocks]
        x, terms = path_counts[path]
        if len(set(texts)) == len(texts) and signifier_density(x, terms - x) * region_counts[1] > region_counts[0]:
            # Several blocks of one path on a page are items of a list: then the list is selected.
            elements = [
                (pages[index].tree, blocks[0].node if len(blocks) == 1 else pages[index].tree.parent[blocks[0].node])
                for index, blocks in blocks_of_pages.items()
            ]
            leads.append(find_shared_xpath(elements))
            if len(leads) == MAX_LEADS:
                break
    return list(dict.fromkeys(leads))
