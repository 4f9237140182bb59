"""The marks that elements of the body bear: words in their classes and ids, attributes that speak, tags that part.

Everybody who reads the body looks for some of them, and a page has thousands of elements: so one look finds all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from duramen.dom.lexbor import UNSURE, Vocabulary
from duramen.dom.tree import Tree
from duramen.dom.visibility import INVISIBLE
from duramen.metadata.called import name_words

OTHERS: Final = frozenset(
    "comment comments commentlist disqus respond reply replies related recommended recommendations recommendation"
    " nav navbar navigation menu popular trending promo teaser teasers upsell carousel recirc recirculation copyright"
    " cookie cookies consent modal popup subscribe signup breadcrumb breadcrumbs latest readmore ad ads advert".split()
)
"""Words that name a part of the page which is about something else, or by someone else."""
AFTER_THE_TEXT: Final = frozenset(
    "comment comments commentlist disqus replies related recommended recommendations recommendation".split()
)
"""Those of them that name what follows a text: however long it is, it is not the text."""
BESIDE: Final = frozenset("sidebar aside footer rail".split())
"""Words that name a part beside the text: it may speak of the page, or not."""
APART: Final = frozenset(("nav", "form", "dialog"))
HEADINGS: Final = frozenset(("h2", "h3", "h4"))
_PARTING: Final = INVISIBLE | APART | HEADINGS | {"article", "main", "aside", "footer"}
"""The tags that may say where a part of the page begins."""

AUTHOR: Final = frozenset("author authors byline writer contributor autor auteur autore автор".split())
NAME: Final = frozenset(("name", "fullname", "displayname"))
USER: Final = frozenset(("username", "bigusername", "postuser", "poster", "user"))
DATE: Final = frozenset(
    "date published pubdate publishdate posted datetime timestamp publication dateline time fecha datum data".split()
)
CHANGED: Final = frozenset("updated modified update lastmod revised edited reviewed".split())
CALLED: Final = AUTHOR | NAME | USER | DATE | CHANGED
"""What designers call those who wrote it, and its dates."""
SPEAKING: Final = CALLED | frozenset(("entry", "hentry", "p", "dt", "vcard", "fn"))
"""The same, and words of the classes of microformats."""

ITEM: Final = 1
"""An attribute of microdata or RDFa."""
HOLDING: Final = 2
"""An attribute that may hold an author or a time."""
SPEAKS: Final = 4
"""One of the words that are `SPEAKING`."""
OF_OTHERS: Final = 8
FOLLOWS: Final = 16
STANDS_BESIDE: Final = 32
"""Words of `OTHERS`, of `AFTER_THE_TEXT`, of `BESIDE`."""
OF_PICTURES: Final = 64
"""The words `avatar` and `caption`."""
_MEANINGS: Final = (
    (SPEAKS, SPEAKING),
    (OF_OTHERS, OTHERS),
    (FOLLOWS, AFTER_THE_TEXT),
    (STANDS_BESIDE, BESIDE),
    (OF_PICTURES, frozenset(("avatar", "caption"))),
)
_WORDS: Final = Vocabulary(
    {
        word: sum(meaning for meaning, words in _MEANINGS if word in words)
        for word in frozenset().union(*(words for _, words in _MEANINGS))
    }
)

AUTHOR_ATTRIBUTES: Final = ("author", "data-author", "data-author-name")
_ITEM_ATTRIBUTES: Final = frozenset(("itemscope", "typeof", "itemprop", "property"))
_PLAIN: Final = frozenset("class id href src alt title style rel type name content property itemprop datetime".split())
_OF_TIME: Final = frozenset(("date", "time", "tamp", "shed", "ated"))
"""How attributes end that hold a time: `data-published`, `created-timestamp`."""


class Marks(NamedTuple):
    """The elements of the body that bear a mark, or whose tag parts the page."""

    nodes: list[int]
    tells: list[int]
    """Of each, those of the numbers above that are true of it; and `UNSURE` where its names may say more."""

    def telling(self, wanted: int) -> list[int]:
        """The elements that tell one of these."""
        return _telling(self.nodes, self.tells, wanted)


def _telling(nodes: list[int], tells: list[int], wanted: int) -> list[int]:
    return [node for node, told in zip(nodes, tells, strict=True) if told & wanted]


def may_hold_time(name: str) -> bool:
    """Whether an attribute of this name may hold a time."""
    return name[-4:] in _OF_TIME and name not in _PLAIN


def _tells(name: str) -> int:
    if name in _ITEM_ATTRIBUTES:
        return ITEM
    return HOLDING if name in AUTHOR_ATTRIBUTES or may_hold_time(name) else 0


def read_marks(tree: Tree) -> Marks:
    """The marks of the body, in order."""
    return _made_sure(tree, *tree.find_marked(_PARTING, _WORDS, _tells))


def marks_around(tree: Tree, nodes: Sequence[int], own: bool) -> Marks:
    """The marks of those elements of the body that hold one of these nodes, in order: nothing else is looked at.

    With `own`, those of the nodes themselves, too, and of headings, which may say what follows them.
    """
    found = tree.ancestors_of_all(nodes)
    if own:
        told = [node for tag in HEADINGS for node in tree.find_all(tag) if node > tree.body]
        found = sorted({*found, *told, *nodes})
    return _made_sure(tree, *tree.find_marked(_PARTING, _WORDS, _tells, found))


def _made_sure(tree: Tree, nodes: list[int], tells: list[int]) -> Marks:
    """The marks, where names that are too long to be looked up at once are read."""
    unsure = [place for place, told in enumerate(tells) if told & UNSURE]
    if unsure:
        asked = [nodes[place] for place in unsure]
        names = zip(tree.attribute_values("class", asked), tree.attribute_values("id", asked), strict=True)
        for place, (classes, name) in zip(unsure, names, strict=True):
            words = name_words(classes, name)
            tells[place] |= sum(meaning for meaning, wanted in _MEANINGS if not words.isdisjoint(wanted))
    return Marks(nodes, tells)
