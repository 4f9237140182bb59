"""ECON: prose has periods and commas, menus have not.

Guo, Tang, Song, Wang and Ding, "ECON: an approach to extract content from web news page", APWeb 2010. A *big-node* is
an element with text of its own, or one of the elements that break prose into pieces (`<p>`, `<br>`, `<b>` …).
Neighbouring big-nodes form a *text-node-set*, their text a *text-para*; a set without a period or a comma is noise and
is pruned (Joint-para). From the first node of the longest text-para, the *snippet-node*, the method climbs as long as
each parent has more periods and commas than its child; the child below the first parent that has not is the
*summary-node*, and what it holds, less the pruned sets, is the content (Extract-news). No weight, no threshold.

Where the paper is silent:
- Blank text between tags is no text. A text node beside big-nodes belongs to their set: otherwise every bold word
  without a comma would be pruned from the middle of its sentence.
- A big-node inside a big-node is a part of its text-para and is not joined or pruned again, for the same reason; and
  so is whatever stands in a phrase of it, as in `<p>a <a><b>word</b></a>, that is linked</p>`.
- The length of a text-para counts text that is reached through big-nodes only: else a stray word below `<body>` would
  make the whole page one text-para.
- "Select randomly one node": the first, so that the result is the same each time.

One departure, which `skip_wrappers=False` takes back: a parent that wraps the snippet-node and no other text is taken
for the same snippet in another wrapper, and climbing starts from the outermost of these. By the letter of the paper the
climb ends there at once, and on sites that put each paragraph into a `<div>` of its own one paragraph is all it finds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from duramen.content import Content, subtree
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import invisible, text_nodes
from duramen.language import count_punctuation
from duramen.methods.registry import register

BREAKING = frozenset("p br h1 h2 h3 h4 h5 h6 strong em b i tt font".split())
"""The elements that condition 2 of the paper makes big-nodes."""

PHRASE = frozenset(
    "a abbr acronym bdi bdo big cite code del dfn ins kbd label mark q s samp small span strike sub sup time"
    " u var".split()
)
"""Elements inside a sentence: within a big-node they are a part of it."""


@register
@dataclass(frozen=True)
class Econ:
    name: ClassVar[str] = "econ"
    summary: ClassVar[str] = "from the longest passage upwards while periods and commas grow"
    paper: ClassVar[str] = "Guo, Tang, Song, Wang and Ding, APWeb 2010"

    skip_wrappers: bool = True

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        texts = text_nodes(tree)
        if not texts:
            return Content(page, self.name, "the page has no text")
        marks = [0] * len(tree)
        for node in texts:
            marks[node] = count_punctuation(tree.text[node])
        marks_before = list(accumulate(marks, initial=0))
        if not marks_before[-1]:
            return Content(page, self.name, "the text of the page has neither period nor comma")

        snippet, longest = -1, 0
        pruned: list[int] = []
        lengths = _lengths(tree, texts)
        for node_set in _text_node_sets(tree, lengths):
            if any(marks_before[tree.end[node]] > marks_before[node] for node in node_set):
                length = sum(lengths[node] for node in node_set)
                if length > longest:
                    snippet, longest = node_set[0], length
            else:
                pruned += node_set

        def punc_num(node: int) -> int:
            return marks_before[tree.end[node]] - marks_before[node]

        node = self._start(tree, texts, snippet)
        while (parent := tree.parent[node]) >= 0 and punc_num(parent) > punc_num(node):
            node = parent
        reason = f"the {tree.tag[node]} that holds {punc_num(node)} of the page's {marks_before[-1]} periods and commas"
        spans = subtree(tree, node, sorted(pruned))
        return Content(page, self.name, reason, spans, punc_num(node) / marks_before[-1])

    def _start(self, tree: Tree, texts: list[int], snippet: int) -> int:
        """The snippet-node, or the outermost element that wraps it and no other text."""
        if not self.skip_wrappers:
            return snippet
        first = bisect_left(texts, snippet)
        last = bisect_left(texts, tree.end[snippet])
        node = snippet
        while (parent := tree.parent[node]) >= tree.body:
            if first > 0 and texts[first - 1] >= parent:
                break
            if last < len(texts) and texts[last] < tree.end[parent]:
                break
            node = parent
        return node


def _lengths(tree: Tree, texts: list[int]) -> list[int]:
    """For each big-node the characters reached through big-nodes only, and -1 for what is not a big-node.

    Text nodes that are not blank count as big-nodes here: they join the sets of their neighbours.
    """
    tags, parents = tree.tag, tree.parent
    lengths = [-1] * len(tree)
    for node in texts:
        lengths[node] = len(tree.text[node])
        lengths[parents[node]] = 0
    for node, tag in enumerate(tags):
        if lengths[node] < 0 and (tag in BREAKING or (tag in PHRASE and lengths[parents[node]] >= 0)):
            lengths[node] = 0
    for node in range(len(tree) - 1, 0, -1):
        if lengths[node] > 0 and lengths[parents[node]] >= 0:
            lengths[parents[node]] += lengths[node]
    return lengths


def _text_node_sets(tree: Tree, lengths: list[int]) -> Iterator[list[int]]:
    """The runs of neighbouring big-nodes below a parent that is none itself.

    Blank text and invisible elements between two neighbours do not part them; any other element does.
    """
    tags, parents, ends = tree.tag, tree.parent, tree.end
    skipped, hidden = invisible(tree), tree.hidden
    open_sets: dict[int, list[int]] = {}
    node, count = 1, len(tree)
    while node < count:
        if tags[node] in skipped or node in hidden:
            node = ends[node]
            continue
        parent = parents[node]
        if lengths[parent] < 0:
            if lengths[node] >= 0:
                open_sets.setdefault(parent, []).append(node)
            elif parent in open_sets and tags[node] != TEXT:
                yield open_sets.pop(parent)
        node += 1
    yield from open_sets.values()
