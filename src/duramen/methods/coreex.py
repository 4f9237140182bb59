"""CoreEx: the node whose text children have the most text and the fewest links.

Prasad and Paepcke, "CoreEx: content extraction from online news articles", CIKM 2008; the baseline of ECON. Words and
links are counted for every node, bottom up; a link counts as one link and one word, however long it is. A child with
more than 0.9 of its words outside links is added to the node's set. The node's score is that same share over the whole
set, weighted 0.99, plus the set's share of all words of the page, weighted 0.01: among nodes of pure text the one with
the most text wins. The set is extracted, not the node, so that a list of links beside the paragraphs is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from duramen.content import Content, Spans
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.dom.visibility import find_visible_texts
from duramen.language import count_words
from duramen.methods.registry import register


@register
@dataclass(frozen=True)
class CoreEx:
    """The method CoreEx, with the parameters of the paper."""

    name: ClassVar[str] = "coreex"
    summary: ClassVar[str] = "the node whose children have the most text outside links"
    paper: ClassVar[str] = "Prasad and Paepcke, CIKM 2008; the baseline of Guo et al., APWeb 2010"

    threshold: float = 0.9
    weight_ratio: float = 0.99
    weight_text: float = 0.01

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        words, links = _count_words_and_links(tree)
        if not words[0]:
            return Content(page, self.name, "the page has no words")
        parents = tree.parent
        words_in_set = [0] * len(tree)
        links_in_set = [0] * len(tree)
        best_node, best_score = -1, -1.0
        # Backwards: the children of a node are in its set before the node itself is reached.
        for node in range(len(tree) - 1, -1, -1):
            if words_in_set[node]:
                outside_links = 1 - links_in_set[node] / words_in_set[node]
                score = self.weight_ratio * outside_links + self.weight_text * words_in_set[node] / words[0]
                if score >= best_score:  # the outermost of equals
                    best_node, best_score = node, score
            if node and words[node] and self._passes(words[node], links[node]):
                words_in_set[parents[node]] += words[node]
                links_in_set[parents[node]] += links[node]
        if best_node < 0:
            return Content(page, self.name, f"no element has more than {self.threshold:g} of its words outside links")
        reason = f"the {tree.tag[best_node]} whose text outside links scores {best_score:.3f}"
        passing = (child for child in tree.children(best_node) if self._passes(words[child], links[child]))
        return Content(page, self.name, reason, _join_subtrees(tree, passing), best_score)

    def _passes(self, words: int, links: int) -> bool:
        return words > 0 and (words - links) / words > self.threshold


def _count_words_and_links(tree: Tree) -> tuple[list[int], list[int]]:
    """Return the words and the links of every node; 0 for nodes inside a link, which are no candidates."""
    tags, parents, ends = tree.tag, tree.parent, tree.end
    words = [0] * len(tree)
    links = [0] * len(tree)
    for node in find_visible_texts(tree):
        words[node] = count_words(tree.text[node])
    for node in range(len(tree) - 1, 0, -1):
        if not words[node]:
            continue
        if tags[node] == "a":
            words[node : ends[node]] = [0] * (ends[node] - node)
            links[node : ends[node]] = [0] * (ends[node] - node)
            words[node] = links[node] = 1
        parent = parents[node]
        words[parent] += words[node]
        links[parent] += links[node]
    return words, links


def _join_subtrees(tree: Tree, nodes: Iterable[int]) -> Spans:
    """Return the subtrees of these nodes as spans; adjacent subtrees are one span."""
    spans: list[range] = []
    for node in nodes:
        if spans and spans[-1].stop == node:
            spans[-1] = range(spans[-1].start, tree.end[node])
        else:
            spans.append(range(node, tree.end[node]))
    return tuple(spans)
