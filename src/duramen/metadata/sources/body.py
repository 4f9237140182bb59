"""The parts of the body that belong to the page itself.

Parts with other people's texts are left out: comments, related stories, sidebars, navigation, the footer. A date or a
name in there is not the page's. The parts are found by tags and by class and id words (`dom.class_names`).

One pass over the body finds the flags of its elements: which groups of words they have, and which attributes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import Final, NamedTuple

from duramen.dom.cached import cached_property
from duramen.dom.class_names import (
    COMMENT_HEADING_WORDS,
    FIELD_WORDS,
    FOREIGN_WORDS,
    PICTURE_WORDS,
    SIDE_WORDS,
    TRAILING_WORDS,
    name_words,
)
from duramen.dom.lexbor import UNSURE, WordFlags
from duramen.dom.tag_sets import INVISIBLE_TAGS, SECTION_HEADING_TAGS
from duramen.dom.text import read_clean_text
from duramen.dom.tree import Tree
from duramen.dom.tree_queries import find_ancestors
from duramen.dom.visibility import find_invisible_tags
from duramen.metadata.model import NO_NODE

# Flags of elements: bits of one number below `UNSURE`. Those without a description stand for groups of words.

ITEM_FLAG: Final = 1
"""The element has an attribute of microdata or RDFa."""
VALUE_FLAG: Final = 2
"""The element has an attribute that may hold an author or a time."""
FIELD_FLAG: Final = 4
FOREIGN_FLAG: Final = 8
TRAILING_FLAG: Final = 16
SIDE_FLAG: Final = 32
PICTURE_FLAG: Final = 64
_FLAG_WORDS: Final = (
    (FIELD_FLAG, FIELD_WORDS),
    (FOREIGN_FLAG, FOREIGN_WORDS),
    (TRAILING_FLAG, TRAILING_WORDS),
    (SIDE_FLAG, SIDE_WORDS),
    (PICTURE_FLAG, PICTURE_WORDS),
)
_VOCABULARY: Final = WordFlags(
    {
        word: sum(flag for flag, words in _FLAG_WORDS if word in words)
        for word in frozenset().union(*(words for _, words in _FLAG_WORDS))
    }
)

_SEPARATE_TAGS: Final = frozenset(("nav", "form", "dialog"))
_PART_TAGS: Final = INVISIBLE_TAGS | _SEPARATE_TAGS | SECTION_HEADING_TAGS | {"article", "main", "aside", "footer"}
"""Tags that may begin a part of the page."""

AUTHOR_ATTRIBUTES: Final = ("author", "data-author", "data-author-name")
_ITEM_ATTRIBUTES: Final = frozenset(("itemscope", "typeof", "itemprop", "property"))
_COMMON_ATTRIBUTES: Final = frozenset(
    "class id href src alt title style rel type name content property itemprop datetime".split()
)
_TIME_ATTRIBUTE_ENDS: Final = frozenset(("date", "time", "tamp", "shed", "ated"))
"""The last four letters of attributes that hold a time: `data-published`, `created-timestamp`."""


class FlaggedElements(NamedTuple):
    """Elements of the body that have a flag, or a tag that may begin a part of the page."""

    nodes: list[int]
    flags: list[int]
    """The flags of each element. `UNSURE` is set if its names may say more than the flags."""

    def with_any(self, wanted: int) -> list[int]:
        """Return the elements that have one of these flags."""
        return list(compress(self.nodes, map(wanted.__and__, self.flags)))


def may_hold_time(attribute: str) -> bool:
    """Return whether an attribute of this name may hold a time."""
    return attribute[-4:] in _TIME_ATTRIBUTE_ENDS and attribute not in _COMMON_ATTRIBUTES


@lru_cache(maxsize=1024)  # pages have a few dozen names of attributes
def attribute_flag(attribute: str) -> int:
    """Return the flag that the presence of an attribute gives to its element; 0 for most."""
    if attribute in _ITEM_ATTRIBUTES:
        return ITEM_FLAG
    return VALUE_FLAG if attribute in AUTHOR_ATTRIBUTES or may_hold_time(attribute) else 0


def word_flags(words: frozenset[str]) -> int:
    """Return the flags that the words of a class and an id give to their element."""
    return sum(flag for flag, wanted in _FLAG_WORDS if not words.isdisjoint(wanted))


def find_flagged(tree: Tree) -> FlaggedElements:
    """Find the flagged elements of the body, in document order."""
    return _resolve_unsure(tree, *tree.find_marked(_PART_TAGS, _VOCABULARY, attribute_flag))


def find_flagged_around(tree: Tree, nodes: Sequence[int], *, with_nodes: bool) -> FlaggedElements:
    """Find the flagged elements of the body that contain one of the nodes; no others are read.

    With `with_nodes`, also the nodes themselves and all section headings, which may describe what follows them.
    """
    wanted = find_ancestors(tree, nodes)
    if with_nodes:
        headings = [node for tag in SECTION_HEADING_TAGS for node in tree.find_all(tag) if node > tree.body]
        wanted = sorted({*wanted, *headings, *nodes})
    return _resolve_unsure(tree, *tree.find_marked(_PART_TAGS, _VOCABULARY, attribute_flag, wanted))


def _resolve_unsure(tree: Tree, nodes: list[int], flags: list[int]) -> FlaggedElements:
    """Read the names that were too long or too unusual for the quick lookup."""
    unsure = [index for index, flag in enumerate(flags) if flag & UNSURE]
    if unsure:
        elements = [nodes[index] for index in unsure]
        names = zip(tree.attribute_values("class", elements), tree.attribute_values("id", elements), strict=True)
        for index, (classes, element_id) in zip(unsure, names, strict=True):
            flags[index] |= word_flags(name_words(classes, element_id))
    return FlaggedElements(nodes, flags)


# Parts of the body

_MIN_PROSE_CHARS: Final = 80
"""A text node of this length is more than a label."""
_MAX_HEADING_CHARS: Final = 30
_FOREIGN_TAGS: Final = INVISIBLE_TAGS | _SEPARATE_TAGS


class NodeRanges(NamedTuple):
    """Ranges of nodes, in order and disjoint."""

    starts: list[int]
    ends: list[int]

    def contain(self, node: int) -> bool:
        """Return whether a node is in one of the ranges."""
        index = bisect_right(self.starts, node)
        return index > 0 and node < self.ends[index - 1]

    def add(self, start: int, end: int) -> None:
        """Add a range after the others."""
        self.starts.append(start)
        self.ends.append(end)

    def drop_contained(self, nodes: Sequence[int]) -> list[int]:
        """Return the nodes, which are in order, that are in none of the ranges."""
        outside = []
        index, count, range_end = 0, len(self.starts), 0
        for node in nodes:
            while index < count and self.starts[index] <= node:
                range_end = self.ends[index]
                index += 1
            if node >= range_end:
                outside.append(node)
        return outside


class Body:
    """The body of a page. An element that contains the headline belongs to the page, whatever its class says."""

    def __init__(self, tree: Tree, headline: int = NO_NODE) -> None:
        self.tree = tree
        self.headline = headline
        self.is_partial = False
        """True if only the elements around some nodes are known."""
        self._own_flagged: dict[int, list[int]] = {}

    @cached_property
    def flagged(self) -> FlaggedElements:
        """The elements with class words, attributes or tags that matter, in document order."""
        return find_flagged(self.tree)

    def restrict_to(self, nodes: Sequence[int], *, with_nodes: bool = False) -> Body:
        """Return the body with only the flagged elements that contain one of the nodes or the headline.

        That is faster than to read the whole body. With `with_nodes`, the flags of the nodes and of section headings
        are read too; then `own_nodes` gives the same answer for these nodes as for the whole body.
        """
        if with_nodes and "flagged" in self.__dict__ and not self.is_partial:
            return self
        partial = Body(self.tree, self.headline)
        partial.is_partial = True
        wanted = [*nodes, self.headline] if self.headline > self.tree.body else nodes
        partial.__dict__["flagged"] = find_flagged_around(self.tree, wanted, with_nodes=with_nodes)
        return partial

    def is_foreign(self, node: int) -> bool:
        """Return whether a node is in a part of the page that is left out."""
        return self._foreign_and_side_parts[0].contain(node)

    def own_nodes(self, nodes: Sequence[int], *, include_side: bool = True) -> list[int]:
        """Return the nodes, which are in order, that are in the page's own parts.

        Without `include_side`, those in sidebars and footers are left out too.
        """
        foreign, side = self._foreign_and_side_parts
        own = foreign.drop_contained(nodes)
        return own if include_side else side.drop_contained(own)

    def own_flagged(self, flags: int, *, include_side: bool = True) -> list[int]:
        """Return the elements with one of these flags that are in the page's own parts (`own_nodes`)."""
        if flags not in self._own_flagged:  # several sources ask for the same flags
            self._own_flagged[flags] = self.own_nodes(self.flagged.with_any(flags))
        own = self._own_flagged[flags]
        return own if include_side else self._foreign_and_side_parts[1].drop_contained(own)

    @cached_property
    def visible_text_nodes(self) -> list[int]:
        """The text nodes that a reader sees, in order. The same as `visibility.text_nodes`, with fewer lookups."""
        tree = self.tree
        tags, ends = tree.tag, tree.end
        invisible_tags = find_invisible_tags(tree)
        skipped = tree.hidden.union([node for node in self.flagged.nodes if tags[node] in invisible_tags])
        parts = NodeRanges([0], [tree.body + 1])
        for node in sorted(skipped):
            if node >= parts.ends[-1]:  # not inside the part before it
                parts.add(node, ends[node])
        return parts.drop_contained(tree.text_nodes)

    @cached_property
    def _foreign_and_side_parts(self) -> tuple[NodeRanges, NodeRanges]:
        return _find_parts(self.tree, self.headline, self.flagged)


def _find_parts(tree: Tree, headline: int, flagged: FlaggedElements) -> tuple[NodeRanges, NodeRanges]:
    """Find the parts of the page that are foreign, and those beside the main text."""
    foreign, side = NodeRanges([], []), NodeRanges([], [])
    if not flagged.nodes:
        return foreign, side
    tags, ends, parents = tree.tag, tree.end, tree.parent
    body_size = len(tags) - tree.body
    prose = _find_prose(tree, len(tags) if headline == NO_NODE else ends[headline])
    foreign_end = side_end = article_end = 0
    for node, flags in zip(flagged.nodes, flagged.flags, strict=True):
        if node < foreign_end:
            continue
        tag, end = tags[node], ends[node]
        has_headline = node <= headline < end
        is_most_of_body = 2 * (end - node) > body_size
        if tag in SECTION_HEADING_TAGS and node > headline and node > prose and _announces_comments(tree, node):
            foreign_end = ends[max(parents[node], 0)]
            foreign.add(node, foreign_end)
        elif flags & FOREIGN_FLAG or tag in _FOREIGN_TAGS:
            # Comments may be longer than the text. After the text, they are left out whatever their size.
            is_trailing = flags & TRAILING_FLAG and node > prose
            if not has_headline and (not is_most_of_body or is_trailing):
                foreign_end = end
                foreign.add(node, foreign_end)
        elif tag == "article" or tag == "main":
            article_end = max(article_end, end)
        elif flags & SIDE_FLAG or (node >= article_end and (tag == "aside" or tag == "footer")):
            if node >= side_end and not (has_headline or is_most_of_body):
                side_end = end
                side.add(node, side_end)
    return foreign, side


def _find_prose(tree: Tree, start: int) -> int:
    """Return the first text node from `start` that is more than a label; the end of the page if there is none."""
    tags, texts, parents = tree.tag, tree.text, tree.parent
    for node in range(start, len(tags)):
        if len(texts[node]) >= _MIN_PROSE_CHARS and tags[parents[node]] not in INVISIBLE_TAGS:
            return node
    return len(tags)


def _announces_comments(tree: Tree, node: int) -> bool:
    """Return whether a heading says that comments follow: "3 comments"."""
    text = read_clean_text(tree, node, _MAX_HEADING_CHARS + 1)
    return len(text) <= _MAX_HEADING_CHARS and not COMMENT_HEADING_WORDS.isdisjoint(name_words(text, None))
