"""Words of class and id attributes, and what they say about an element.

This module has all rules of this package about class and id words. `name_words` splits the attributes into words. The
flags say which groups of words an element has; `find_flagged` reads them for many elements in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from duramen.dom.elements import INVISIBLE_TAGS, SECTION_HEADING_TAGS
from duramen.dom.lexbor import UNSURE, WordFlags
from duramen.dom.tree import Tree

_MAX_NAME_CHARS: Final = 300
_camel_case = re.compile("(?<=[a-z])(?=[A-Z])")
_word = re.compile(r"[^\W_]+")

FOREIGN_WORDS: Final = frozenset(
    "comment comments commentlist disqus respond reply replies related recommended recommendations recommendation"
    " nav navbar navigation menu popular trending promo teaser teasers upsell carousel recirc recirculation copyright"
    " cookie cookies consent modal popup subscribe signup breadcrumb breadcrumbs latest readmore ad ads advert".split()
)
"""Words of page parts that are about something else, or by someone else."""
TRAILING_WORDS: Final = frozenset(
    "comment comments commentlist disqus replies related recommended recommendations recommendation".split()
)
"""The foreign words of parts that follow the main text. Such a part is not the main text, however long it is."""
SIDE_WORDS: Final = frozenset("sidebar aside footer rail".split())
"""Words of parts beside the main text. They may be about the page or not."""

AUTHOR_WORDS: Final = frozenset("author authors byline writer contributor autor auteur autore автор".split())
NAME_WORDS: Final = frozenset(("name", "fullname", "displayname"))
USER_WORDS: Final = frozenset(("username", "bigusername", "postuser", "poster", "user"))
DATE_WORDS: Final = frozenset(
    "date published pubdate publishdate posted datetime timestamp publication dateline time fecha datum data".split()
)
MODIFIED_WORDS: Final = frozenset("updated modified update lastmod revised edited reviewed".split())
BYLINE_WORDS: Final = AUTHOR_WORDS | NAME_WORDS | USER_WORDS | DATE_WORDS | MODIFIED_WORDS
"""Words that designers use for authors and dates."""
FIELD_WORDS: Final = BYLINE_WORDS | frozenset(("entry", "hentry", "p", "dt", "vcard", "fn"))
"""The same, and words of microformats."""
PORTRAIT_WORDS: Final = frozenset(("avatar", "author"))
COMMENT_HEADING_WORDS: Final = frozenset(
    "comments replies kommentare commentaires comentarios commenti reacties комментарии".split()
)
"""Words of a heading above comments."""

# `<time>` elements: their class, their itemprop, and the text before them.
TIME_PUBLISHED_WORDS: Final = frozenset("published publish pubdate posted publication entry created date".split())
TIME_MODIFIED_WORDS: Final = frozenset("updated modified update revised edited reviewed changed".split())
TIME_EVENT_WORDS: Final = frozenset(
    "start starts startdate dtstart end ends enddate dtend expires valid deadline".split()
)
"""Words of the start or end of an event."""

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


def name_words(classes: str | None, element_id: str | None) -> frozenset[str]:
    """Return the words of a class and an id: `postMeta entry-date` has post, meta, entry, date."""
    both = f"{classes} {element_id}" if classes and element_id else classes or element_id or ""
    both = both[:_MAX_NAME_CHARS]
    return frozenset(_word.findall(both if both.islower() else _camel_case.sub(" ", both).lower()))


class FlaggedElements(NamedTuple):
    """Elements of the body that have a flag, or a tag that may begin a part of the page."""

    nodes: list[int]
    flags: list[int]
    """The flags of each element. `UNSURE` is set if its names may say more than the flags."""

    def with_any(self, wanted: int) -> list[int]:
        """Return the elements that have one of these flags."""
        return [node for node, flags in zip(self.nodes, self.flags, strict=True) if flags & wanted]


def may_hold_time(attribute: str) -> bool:
    """Return whether an attribute of this name may hold a time."""
    return attribute[-4:] in _TIME_ATTRIBUTE_ENDS and attribute not in _COMMON_ATTRIBUTES


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
