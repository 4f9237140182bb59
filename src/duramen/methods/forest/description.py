"""DESCRIPTION: what the feed says of the page is the content.

A baseline of Oita and Senellart, FOREST, 2012, section 4: title and description of the feed item, which some feeds give
in full. `of_item` is just that: a Content made of the item. On a page without an item, title and description are those
of its metadata, and its content is the blocks of the page that say what they say: half of whose pairs of words stand
in them. A wrapper learnt with it names the lowest element around these blocks.

Of a page that describes itself with no word nothing could be said; the region of its most frequent terms is taken, as
`forest` would, and the reason says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from typing import ClassVar

from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.visibility import text_nodes
from duramen.language import words
from duramen.methods.forest.forest import Forest
from duramen.methods.registry import register
from duramen.wrappers.blocks import Block, blocks
from duramen.wrappers.patterns import Pattern, pattern_of
from duramen.wrappers.regions import Chooser, by_relevance
from duramen.wrappers.relevance import Candidate, Settings
from duramen.wrappers.sample import Described, Leaves, Sample
from duramen.wrappers.signifiers import Signifiers


@register
@dataclass(frozen=True)
class Description(Forest):
    name: ClassVar[str] = "description"
    summary: ClassVar[str] = "what the feed item or the metadata say, found on the page; baseline of forest"
    paper: ClassVar[str] = "Oita and Senellart, FOREST, 2012, section 4"

    refined: bool = False

    def __call__(self, page: Page) -> Content:
        found = _said(page, _described(page), blocks(page.tree, text_nodes(page.tree)))
        if not found:
            content = Forest()(page)
            reason = f"no description of the page is found on it; {content.reason}"
            return replace(content, method=self.name, reason=reason)
        reason = f"{len(found)} blocks say what title and description say"
        spans = tuple(range(block.first, block.last + 1) for block in found)
        return Content(page, self.name, reason, spans, 1.0)

    def of_item(self, item: Described) -> Content:
        """The baseline as the paper has it: title and description of a feed item, whatever the page holds."""
        parts = [escape(text) for text in (item.title, item.description) if text]
        page = Page.parse(f"<body>{''.join(f'<p>{part}</p>' for part in parts)}</body>")
        if not parts:
            return Content(page, self.name, "the feed item is empty")
        tree = page.tree
        return Content(page, self.name, "title and description of the feed item", (range(tree.body, len(tree)),), 1.0)

    def _choose(self) -> Chooser:
        return by_description


def by_description(sample: Sample, signifiers: Sequence[Signifiers], settings: Settings) -> list[Candidate]:
    """The lowest elements around what is said of each page, by pattern; those of most pages first."""
    patterns: dict[Pattern, dict[int, int]] = {}
    for index, page in enumerate(sample.pages):
        node = _lowest(page)
        if node is not None:
            tree = page.tree
            attributes = tree.attributes[node]
            pattern = pattern_of(tree.depth[node], tree.tag[node], attributes, page.dfs[node], settings.tolerant)
            patterns.setdefault(pattern, {})[index] = node
    candidates = []
    for pattern, found in patterns.items():
        nodes = tuple(found.get(index, -1) for index in range(len(sample)))
        dfs = {sample.pages[index].dfs[node] for index, node in found.items()}
        values = tuple(float(node >= 0) for node in nodes)
        candidates.append(Candidate(pattern, tuple(sorted(dfs)), len(found), float(len(found)), values, nodes))
    ranked = sorted(candidates, key=lambda one: (-one.relevance, -one.level, one.dfs))
    return ranked or by_relevance(sample, signifiers, settings)


def _lowest(page: Leaves) -> int | None:
    found = _said(page.page, page.given.feed_item or _described(page.page), page.blocks)
    if not found:
        return None
    node = page.tree.common_ancestor(found[0].first, found[-1].last)
    return found[0].node if node == found[0].first else node


def _described(page: Page) -> Described:
    from duramen.metadata import Metadata

    return Metadata.read(page)


def _said(page: Page, item: Described, found: Sequence[Block]) -> list[Block]:
    """The blocks that say what title and description say; none where there is no description."""
    if not item.description:
        return []
    said = {*pairwise(words(item.title or "")), *pairwise(words(item.description))}
    return [block for block in found if _shares(block, said)]


def _shares(block: Block, said: set[tuple[str, str]]) -> bool:
    pairs = set(pairwise(block.text.split()))
    return bool(pairs) and 2 * len(pairs & said) >= len(pairs)
