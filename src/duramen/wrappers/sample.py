"""The pages of a site, read once: their visible texts, the terms in them, the places of their elements.

Whatever is learnt of a site is learnt from a `Sample`. Each page is walked once; what is asked of subtrees later is a
difference of two running sums. The texts of menus and footers are the same on every page, so the terms of a text are
found once a sample.

In the paper all words of a page speak for it. But a block that is mostly links is about other pages, and a comment is
by another author. With `own_words` such text is counted, and is never significant: lists of related stories and long
threads no longer pass for the article.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Protocol

from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import text_nodes
from duramen.language import terms
from duramen.wrappers.blocks import Block, blocks
from duramen.wrappers.languages import language_of
from duramen.wrappers.parts import comment_nodes
from duramen.wrappers.steps import DROPPED


class Described(Protocol):
    """What a feed says of a page."""

    @property
    def title(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...


@dataclass(frozen=True)
class Item:
    """A title and a description, where no feed is at hand to give them."""

    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, eq=False)
class SamplePage:
    """A page to learn from, with what is known of it beside its HTML."""

    page: Page
    feed_item: Described | None = None
    query: str = ""
    name: str | None = None
    """What to call it where it has no address: the name of its file."""


@dataclass(eq=False)
class Leaves:
    """One page of a sample: its visible text nodes and their terms."""

    given: SamplePage
    nodes: list[int] = field(repr=False)
    """The text nodes that a reader sees, in order."""
    terms: list[list[str]] = field(repr=False)
    """The terms of each."""
    others: frozenset[int] = field(default=frozenset(), repr=False)
    """The text nodes whose words are not the page's own: in lists of links, in comments."""

    @property
    def page(self) -> Page:
        return self.given.page

    @property
    def tree(self) -> Tree:
        return self.given.page.tree

    def own_terms(self) -> Iterable[tuple[int, list[str]]]:
        """The text nodes that speak for the page, with their terms."""
        everything = zip(self.nodes, self.terms, strict=True)
        return everything if not self.others else (pair for pair in everything if pair[0] not in self.others)

    @cached_property
    def frequencies(self) -> Counter[str]:
        """How often each term occurs in what speaks for the page."""
        return Counter(term for _, found in self.own_terms() for term in found)

    @cached_property
    def terms_before(self) -> list[int]:
        """How many terms stand before each node."""
        counts = [0] * len(self.tree)
        for node, found in zip(self.nodes, self.terms, strict=True):
            counts[node] = len(found)
        return list(accumulate(counts, initial=0))

    @cached_property
    def blocks(self) -> list[Block]:
        """The page's visible text, block by block."""
        return blocks(self.tree, self.nodes)

    @cached_property
    def dfs(self) -> list[int]:
        """The place of each element among the elements that are not dropped, the root at 0."""
        tree = self.tree
        counted = [tag != TEXT and tag not in DROPPED for tag in tree.tag]
        node = -1
        for _ in range(tree.tag.count("noscript")):
            node = tree.tag.index("noscript", node + 1)
            counted[node : tree.end[node]] = [False] * (tree.end[node] - node)
        return list(accumulate(counted, initial=0))[:-1]


@dataclass(eq=False)
class Sample:
    """Pages of one site."""

    pages: list[Leaves]
    lang: str | None = None

    @classmethod
    def of(cls, pages: Iterable[Page | SamplePage], lang: str | None = None, *, own_words: bool = False) -> Sample:
        """Read the pages. Without a language given, it is the one most of them name, or else the likeliest."""
        given = [page if isinstance(page, SamplePage) else SamplePage(page) for page in pages]
        trees = [found.page.tree for found in given]
        nodes = [text_nodes(tree) for tree in trees]
        if lang is None:
            lang = language_of(trees, nodes)
        known: dict[str, list[str]] = {}
        cut = [_terms(tree, found, lang, known) for tree, found in zip(trees, nodes, strict=True)]
        leaves = [Leaves(*parts) for parts in zip(given, nodes, cut, strict=True)]
        if own_words:
            for page in leaves:
                page.others = comment_nodes(page.tree).union(
                    *(range(block.first, block.last + 1) for block in page.blocks if block.is_linked)
                )
        return cls(leaves, lang)

    def __len__(self) -> int:
        return len(self.pages)

    def only(self, chosen: Iterable[int]) -> Sample:
        """Some of the pages."""
        return Sample([self.pages[index] for index in chosen], self.lang)

    @cached_property
    def document_frequencies(self) -> Counter[str]:
        """On how many pages each term occurs."""
        return Counter(term for page in self.pages for term in page.frequencies)


def _terms(tree: Tree, nodes: Sequence[int], lang: str | None, known: dict[str, list[str]]) -> list[list[str]]:
    found = []
    for node in nodes:
        text = tree.text[node]
        cut = known.get(text)
        if cut is None:
            cut = known[text] = terms(text, lang)
        found.append(cut)
    return found
