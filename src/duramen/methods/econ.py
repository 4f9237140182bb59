"""ECON: find the element with the periods and commas of the page's prose.

Guo, Tang, Song, Wang and Ding, "ECON: an approach to extract content from web news page", APWeb 2010. A *big-node* is
an element with text of its own, or one of the elements that break prose into pieces (`<p>`, `<br>`, `<b>` …).
Adjacent big-nodes form a *text-node-set*, their text a *text-para*; a set without a period or a comma is noise and
is pruned (Joint-para). From the first node of the longest text-para, the *snippet-node*, the method climbs as long as
each parent has more periods and commas than its child; the child of the first parent that has not is the
*summary-node*, and its text without the pruned sets is the content (Extract-news). There is no weight and no threshold.

Four readings depart from the letter of the paper; `reading="paper"` switches all of them off:

1. A text node beside big-nodes belongs to their set. By the letter it separates them.
2. A big-node inside a big-node is a part of its text-para and is not joined or pruned again, and so is everything in an
   inline element of it, as in `<p>a <a><b>word</b></a>, that is linked</p>`. By the letter Joint-para is performed for
   each big-node: a bold word without a comma is pruned from its sentence.
3. The length of a text-para counts text that is reached through big-nodes only. By the letter it is all text of its
   nodes: a stray word below `<body>` makes the whole page one text-para.
4. A parent that contains the snippet-node and no other text is treated as the same snippet, and climbing starts from
   the outermost of these. By the letter the climb ends there at once: on sites with a `<div>` around each paragraph the
   result is one paragraph. `skip_wrappers=False` switches this one off alone.

In both readings blank text between tags is no text, as in the parsers of the time; invisible text is no text; and
"select randomly one node" is the first, so that the result is the same each time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Final, NamedTuple

from duramen.content import Content, subtree
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_invisible_tags, find_visible_texts
from duramen.errors import UsageError
from duramen.language import count_punctuation
from duramen.methods.registry import register

BIG_NODE_TAGS = frozenset("p br h1 h2 h3 h4 h5 h6 strong em b i tt font".split())
"""Big-nodes by condition 2 of the paper."""

PHRASE_TAGS = frozenset(
    "a abbr acronym bdi bdo big cite code del dfn ins kbd label mark q s samp small span strike sub sup time"
    " u var".split()
)
"""Elements inside a sentence: within a big-node they are part of it."""

PRACTICAL: Final = "practical"
READINGS: Final = (PRACTICAL, "paper")


class Found(NamedTuple):
    """The snippet-node, the summary-node, and what lies between them."""

    snippet: int
    summary: int
    steps: int
    """Steps of backtracking from the start of the climb to the summary-node."""
    pruned: list[int]
    marks: int
    """Periods and commas in the summary-node."""
    all_marks: int
    """Periods and commas of the page."""


@register
@dataclass(frozen=True)
class Econ:
    """The method ECON."""

    name: ClassVar[str] = "econ"
    summary: ClassVar[str] = "up from the longest passage as long as the number of periods and commas grows"
    paper: ClassVar[str] = "Guo, Tang, Song, Wang and Ding, APWeb 2010"

    skip_wrappers: bool = True
    reading: str = PRACTICAL
    """`practical`, or `paper` for the letter of the paper."""

    def __post_init__(self) -> None:
        if self.reading not in READINGS:
            raise UsageError(f"{self.name}: reading is one of {', '.join(READINGS)}")

    def __call__(self, page: Page) -> Content:
        if not find_visible_texts(page.tree):
            return Content(page, self.name, "the page has no text")
        found = self.find(page.tree)
        if found is None:
            return Content(page, self.name, "the text of the page has neither period nor comma")
        node = found.summary
        reason = (
            f"the {page.tree.tag[node]} that holds {found.marks} of the page's {found.all_marks} periods and commas"
        )
        return Content(page, self.name, reason, subtree(page.tree, node, found.pruned), found.marks / found.all_marks)

    def find(self, tree: Tree) -> Found | None:
        """Return the summary-node and how it was reached; None if the page has no period and no comma."""
        texts = find_visible_texts(tree)
        marks_before = _sum_before(tree, texts, count_punctuation)
        if not marks_before[-1]:
            return None

        def count_marks(node: int) -> int:
            return marks_before[tree.end[node]] - marks_before[node]

        snippet, longest = -1, 0
        pruned: list[int] = []
        for node_set, length in self._find_sets(tree, texts):
            if not any(map(count_marks, node_set)):
                pruned += node_set
            elif length > longest:
                snippet, longest = node_set[0], length
        node = self._find_start(tree, texts, snippet)
        steps = 0
        while (parent := tree.parent[node]) >= 0 and count_marks(parent) > count_marks(node):
            node = parent
            steps += 1
        return Found(snippet, node, steps, sorted(pruned), count_marks(node), marks_before[-1])

    def _find_sets(self, tree: Tree, texts: list[int]) -> Iterator[tuple[list[int], int]]:
        """Yield the text-node-sets, and the length of each text-para."""
        if self.reading == PRACTICAL:
            lengths = _count_chars(tree, texts)
            for node_set in _find_text_node_sets(tree, lengths):
                yield node_set, sum(lengths[node] for node in node_set)
        else:
            chars_before = _sum_before(tree, texts, len)
            for node_set in _find_literal_sets(tree, texts):
                yield node_set, sum(chars_before[tree.end[node]] - chars_before[node] for node in node_set)

    def _find_start(self, tree: Tree, texts: list[int], snippet: int) -> int:
        """Return the snippet-node, or the outermost element that contains it and no other text."""
        if not self.skip_wrappers or self.reading != PRACTICAL:
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


def _sum_before(tree: Tree, texts: list[int], measure: Callable[[str], int]) -> list[int]:
    """Return the sum of a measure of all visible texts before each node."""
    values = [0] * len(tree)
    for node in texts:
        values[node] = measure(tree.text[node])
    return list(accumulate(values, initial=0))


def _find_literal_sets(tree: Tree, texts: list[int]) -> Iterator[list[int]]:
    """Yield the runs of adjacent big-nodes of every element, outer ones first."""
    tags, parents = tree.tag, tree.parent
    visible = set(texts)
    is_big = [tag in BIG_NODE_TAGS for tag in tags]
    for node in texts:
        is_big[parents[node]] = True
    invisible_tags, hidden = find_invisible_tags(tree), tree.hidden
    runs: dict[int, list[int]] = {}  # by parent, the run that may still grow
    found: list[list[int]] = []
    node, count = 1, len(tree)
    while node < count:
        if tags[node] in invisible_tags or node in hidden:
            node = tree.end[node]
            continue
        parent = parents[node]
        if tags[node] == TEXT:
            if node in visible:
                runs.pop(parent, None)
        elif is_big[node]:
            if parent in runs:
                runs[parent].append(node)
            else:
                runs[parent] = [node]
                found.append(runs[parent])
        else:
            runs.pop(parent, None)
        node += 1
    return iter(found)


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
