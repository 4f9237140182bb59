"""ECON: find the element with the periods and commas of the page's prose.

Guo, Tang, Song, Wang and Ding, "ECON: an approach to extract content from web news page", APWeb 2010. A *big-node* is
an element with text of its own, or one of the elements that break prose into pieces (`<p>`, `<br>`, `<b>` …).
Adjacent big-nodes form a *text-node-set*, their text a *text-para*; a set without a period or a comma is noise and
is pruned (Joint-para). From the first node of the longest text-para, the *snippet-node*, the method climbs as long as
each parent has more periods and commas than its child; the child of the first parent that has not is the
*summary-node*, and its text without the pruned sets is the content (Extract-news). There is no weight and no threshold.

Not specified in the paper:
- Blank text between tags is no text. A text node beside big-nodes belongs to their set: otherwise every bold word
  without a comma would be pruned from its sentence.
- A big-node inside a big-node is a part of its text-para and is not joined or pruned again, for the same reason; and
  so is everything in an inline element of it, as in `<p>a <a><b>word</b></a>, that is linked</p>`.
- The length of a text-para counts text that is reached through big-nodes only: else a stray word below `<body>` would
  make the whole page one text-para.
- "Select randomly one node": the first, so that the result is the same each time.

One difference to the paper, which `skip_wrappers=False` switches off: a parent that contains the snippet-node and no
other text is treated as the same snippet, and climbing starts from the outermost of these. Read literally, the paper
ends the climb there at once: on sites with a `<div>` around each paragraph the result is one paragraph.
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
from duramen.dom.visibility import find_invisible_tags, find_visible_texts
from duramen.language import count_punctuation
from duramen.methods.registry import register

BIG_NODE_TAGS = frozenset("p br h1 h2 h3 h4 h5 h6 strong em b i tt font".split())
"""Big-nodes by condition 2 of the paper."""

PHRASE_TAGS = frozenset(
    "a abbr acronym bdi bdo big cite code del dfn ins kbd label mark q s samp small span strike sub sup time"
    " u var".split()
)
"""Elements inside a sentence: within a big-node they are part of it."""


@register
@dataclass(frozen=True)
class Econ:
    """The method ECON."""

    name: ClassVar[str] = "econ"
    summary: ClassVar[str] = "up from the longest passage as long as the number of periods and commas grows"
    paper: ClassVar[str] = "Guo, Tang, Song, Wang and Ding, APWeb 2010"

    skip_wrappers: bool = True

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        texts = find_visible_texts(tree)
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
        lengths = _count_chars(tree, texts)
        for node_set in _find_text_node_sets(tree, lengths):
            if any(marks_before[tree.end[node]] > marks_before[node] for node in node_set):
                length = sum(lengths[node] for node in node_set)
                if length > longest:
                    snippet, longest = node_set[0], length
            else:
                pruned += node_set

        def count_marks(node: int) -> int:
            return marks_before[tree.end[node]] - marks_before[node]

        node = self._find_start(tree, texts, snippet)
        while (parent := tree.parent[node]) >= 0 and count_marks(parent) > count_marks(node):
            node = parent
        count, total = count_marks(node), marks_before[-1]
        reason = f"the {tree.tag[node]} that holds {count} of the page's {total} periods and commas"
        return Content(page, self.name, reason, subtree(tree, node, sorted(pruned)), count / total)

    def _find_start(self, tree: Tree, texts: list[int], snippet: int) -> int:
        """Return the snippet-node, or the outermost element that contains it and no other text."""
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


def _count_chars(tree: Tree, texts: list[int]) -> list[int]:
    """Return for each big-node the characters reached through big-nodes only; -1 for other nodes.

    Text nodes that are not blank count as big-nodes: they join the sets of their neighbors.
    """
    tags, parents = tree.tag, tree.parent
    lengths = [-1] * len(tree)
    for node in texts:
        lengths[node] = len(tree.text[node])
        lengths[parents[node]] = 0
    for node, tag in enumerate(tags):
        if lengths[node] < 0 and (tag in BIG_NODE_TAGS or (tag in PHRASE_TAGS and lengths[parents[node]] >= 0)):
            lengths[node] = 0
    for node in range(len(tree) - 1, 0, -1):
        if lengths[node] > 0 and lengths[parents[node]] >= 0:
            lengths[parents[node]] += lengths[node]
    return lengths


def _find_text_node_sets(tree: Tree, lengths: list[int]) -> Iterator[list[int]]:
    """Yield the runs of adjacent big-nodes below a parent that is not a big-node.

    Blank text and invisible elements between two big-nodes do not separate them; any other element does.
    """
    tags, parents, ends = tree.tag, tree.parent, tree.end
    skipped, hidden = find_invisible_tags(tree), tree.hidden
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
