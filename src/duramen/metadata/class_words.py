"""Flags of elements: which groups of class and id words they have (`dom.class_names`), and which attributes.

`find_flagged` reads the flags of many elements in one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import Final, NamedTuple

from duramen.dom.class_names import FIELD_WORDS, FOREIGN_WORDS, SIDE_WORDS, TRAILING_WORDS, name_words
from duramen.dom.elements import INVISIBLE_TAGS, SECTION_HEADING_TAGS
from duramen.dom.lexbor import UNSURE, WordFlags
from duramen.dom.tree import Tree

# Flags of an element: bits of one number below `UNSURE`.
ITEM_FLAG: Final = 1
"""The element has an attribute of microdata or RDFa."""
VALUE_FLAG: Final = 2
"""The element has an attribute that may hold an author or a time."""
FIELD_FLAG: Final = 4
FOREIGN_FLAG: Final = 8
TRAILING_FLAG: Final = 16
SIDE_FLAG: Final = 32
PICTURE_FLAG: Final = 64
"""The words `avatar` and `caption`."""
_FLAG_WORDS: Final = (
    (FIELD_FLAG, FIELD_WORDS),
    (FOREIGN_FLAG, FOREIGN_WORDS),
    (TRAILING_FLAG, TRAILING_WORDS),
    (SIDE_FLAG, SIDE_WORDS),
    (PICTURE_FLAG, frozenset(("avatar", "caption"))),
)
_VOCABULARY: Final = WordFlags(
    {
        word: sum(flag for flag, words in _FLAG_WORDS if word in words)
        for word in frozenset().union(*(words for _, words in _FLAG_WORDS))
    }
)

SEPARATE_TAGS: Final = frozenset(("nav", "form", "dialog"))
_PART_TAGS: Final = INVISIBLE_TAGS | SEPARATE_TAGS | SECTION_HEADING_TAGS | {"article", "main", "aside", "footer"}
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
    wanted = tree.ancestors_of_all(nodes)
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
