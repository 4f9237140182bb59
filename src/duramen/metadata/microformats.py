"""Microformats, and the names that themes give to the same things without knowing of any format.

hAtom's `hentry` (`entry-title`, `author`, `vcard`, `fn`, `published`, `updated`) and its heir h-entry (`p-name`,
`p-author`, `dt-published`, `dt-updated`, `p-category`) come first. Then the words that designers use of themselves:
`byline`, `author-name`, `post-date`. `rel=author` is read here too, and so are `<address>`, which HTML keeps for the
author's, links to somebody's profile, and portraits.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from duramen import walk
from duramen.metadata.body import Body
from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.head import Head
from duramen.metadata.relations import REL
from duramen.metadata.strings import text_of, tidy
from duramen.tree import Attributes

HATOM: Final = "hatom"
H_ENTRY: Final = "h-entry"
ADDRESS: Final = "address"
PROFILE: Final = "profile"
"""A link to somebody's page."""
PORTRAIT: Final = "portrait"
NAMED: Final = "named"
"""Called so by the page's author: `byline`, `post-date`."""

_CLASSES: Final = {
    "entry-title": ("title", HATOM),
    "p-name": ("title", H_ENTRY),
    "p-author": ("author", H_ENTRY),
    "dt-published": ("published", H_ENTRY),
    "dt-updated": ("modified", H_ENTRY),
    "p-category": ("tag", H_ENTRY),
    "published": ("published", HATOM),
    "updated": ("modified", HATOM),
    "vcard": ("author", HATOM),
    "fn": ("author", HATOM),
}
_AUTHOR: Final = frozenset("author authors byline writer contributor autor auteur autore автор".split())
_NOT_A_NAME: Final = frozenset(
    "bio about description image img avatar photo box role title job date time social follow share info list more links"
    " published category".split()
)
_NAME: Final = frozenset(("name", "fullname", "displayname"))
_USER: Final = frozenset(("username", "bigusername", "postuser", "poster", "user"))
_PICTURE_OF = re.compile(
    r"^(?:picture|photo|headshot|image|avatar|portrait|profile (?:picture|photo|image))\s+(?:of|for)\s+", re.IGNORECASE
)
_PROFILE = re.compile(
    r"/(?:authors?|writers?|contributors?|profiles?|people|by|staff|experts?|reporters?|bio|members?|users?|team)/(?!log-?in|sign-?(?:in|up)|register)[^/]",
    re.IGNORECASE,
)
_AUTHOR_ATTRIBUTES: Final = ("author", "data-author", "data-author-name")
_DATE: Final = frozenset(
    "date published pubdate publishdate posted datetime timestamp publication dateline time fecha datum data".split()
)
_CHANGED: Final = frozenset("updated modified update lastmod revised edited reviewed".split())
_CALLED: Final = _AUTHOR | _NAME | _USER | _DATE | _CHANGED
_SPEAKING: Final = _CALLED | {name.partition("-")[0] for name in _CLASSES}
"""Words that an element must be called by, one of them, to be looked at."""
_PLAIN: Final = frozenset("class id href src alt title style rel type name content property itemprop datetime".split())
_OF_TIME: Final = frozenset(("date", "time", "tamp", "shed", "ated"))
"""How attributes end that hold a time: `data-published`, `created-timestamp`."""
_LONGEST_NAME: Final = 120
_LONGEST_DATE: Final = 80


class _Mark(NamedTuple):
    """An element that bears a mark."""

    node: int
    own: Attributes
    words: frozenset[str]
    """The words of its class and id, in lower case."""


def read_microformats(head: Head, body: Body) -> Claims:
    """What classes and relations claim."""
    claims = no_claims()
    tree = body.tree
    inside = 0  # the end of an element that is called the author's
    for mark in _marks(head, body):
        node, own = mark.node, mark.own
        tag = tree.tag[node]
        if tag == "img":
            _read_picture(claims, mark, of_author=node < inside)
            continue
        of_author, of_time = _telling(tuple(own))
        for name in of_author:
            if said := own.get(name):
                claims["author"].append(Claim(tidy(said), NAMED, "attribute", node, is_name=True))
        for name in of_time:
            if (said := own[name]) and said[:2] in ("19", "20"):
                claims["published"].append(Claim(said, NAMED, "attribute", node))
        if tag == "a" and _PROFILE.search(own.get("href") or ""):
            _claim(claims, "author", body, mark, PROFILE, "", _LONGEST_NAME)
        if (rel := own.get("rel")) and "author" in rel.lower().split():
            _claim(claims, "author", body, mark, REL, "", _LONGEST_NAME)
        if tag == "address":
            _claim(claims, "author", body, mark, ADDRESS, "", _LONGEST_NAME)
        words = mark.words
        if not words:
            continue
        for name in (own.get("class") or "").split():
            if known := _CLASSES.get(name):
                field, source = known
                most = _LONGEST_DATE if field in ("published", "modified") else _LONGEST_NAME * 2
                _claim(claims, field, body, mark, source, name, most)
        if words.isdisjoint(_CALLED):  # most are
            continue
        if words & _AUTHOR:
            inside = max(inside, tree.end[node])
            if words & _NAME or not words & _NOT_A_NAME:
                of = "name" if words & _NAME or tag == "a" else "byline" if "byline" in words else ""
                _claim(claims, "author", body, mark, NAMED, of, _LONGEST_NAME)
        elif node < inside and words & _NAME:
            _claim(claims, "author", body, mark, NAMED, "name", _LONGEST_NAME)
        elif words & _USER:
            _claim(claims, "author", body, mark, NAMED, "user", _LONGEST_NAME)
        if words & _CHANGED:
            if words & _DATE or tag == "time":
                _claim(claims, "modified", body, mark, NAMED, "", _LONGEST_DATE)
        elif words & _DATE and tag != "time":
            _claim(claims, "published", body, mark, NAMED, "", _LONGEST_DATE)
    return claims


def _marks(head: Head, body: Body) -> Iterator[_Mark]:
    """The elements that bear a mark, in order. Most bear none, which their names alone tell, and are not read."""
    tree, (names, words, which) = body.tree, body.called
    telling = {number for number, each in enumerate(words) if not each.isdisjoint(_SPEAKING)}
    telling |= {number for number, (*_, rel) in enumerate(names) if rel and "author" in rel.lower()}
    found = {body.elements[place] for place in walk.holding(which, telling)}
    found.update(tree.bearing(_may_hold, body.elements), head.tree.places("address"))
    for tag, name, tells in (("a", "href", _PROFILE.search), ("img", "alt", bool)):
        values = tree.values_of(name, head.tree.places(tag))
        found.update([node for node, said in zip(head.tree.places(tag), values, strict=True) if said and tells(said)])
    nodes = [node for node in sorted(found) if node > tree.body and not body.is_apart(node)]
    for node, own in zip(nodes, tree.attributes_of(nodes), strict=True):
        if own:
            yield _Mark(node, own, words[which[bisect_left(body.elements, node)]])


def _may_hold(name: str) -> bool:
    """Whether an attribute of this name may hold an author or a time."""
    return name in _AUTHOR_ATTRIBUTES or (name[-4:] in _OF_TIME and name not in _PLAIN)


@lru_cache(maxsize=1 << 12)  # the elements of a page have the same attributes again and again
def _telling(names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Of the names of an element's attributes those that may hold an author, and those that may hold a time."""
    times = [name for name in names if name[-4:] in _OF_TIME and name not in _PLAIN] if len(names) > 2 else []
    return [name for name in _AUTHOR_ATTRIBUTES if name in names], times


def _read_picture(claims: Claims, mark: _Mark, *, of_author: bool) -> None:
    """A portrait, by its words: "Picture of Jane Doe", or the name alone where it is called an avatar."""
    said = tidy(mark.own.get("alt"))
    if not said or len(said) > _LONGEST_NAME:
        return
    name = _PICTURE_OF.sub("", said)
    if name != said or of_author or mark.words & {"avatar", "author"}:
        claims["author"].append(Claim(name, PORTRAIT, "", mark.node))


def _claim(claims: Claims, field: str, body: Body, mark: _Mark, source: str, of: str, most: int) -> None:
    own = mark.own
    value = ""
    if field in ("published", "modified"):
        value = tidy(own.get("datetime") or own.get("content") or own.get("title"))
        if not any(map(str.isdigit, value)):
            value = ""
    value = value or text_of(body.tree, mark.node, most + 1)
    if value and len(value) <= most:
        url = own.get("href") if field == "author" and body.tree.tag[mark.node] == "a" else None
        claims[field].append(Claim(value, source, of, mark.node, is_name=of == "fn", url=url))
