"""Microformats, and the names that themes give to the same things without knowing of any format.

hAtom's `hentry` (`entry-title`, `author`, `vcard`, `fn`, `published`, `updated`) and its heir h-entry (`p-name`,
`p-author`, `dt-published`, `dt-updated`, `p-category`) come first. Then the words that designers use of themselves:
`byline`, `author-name`, `post-date`. `rel=author` is read here too, and so are `<address>`, which HTML keeps for the
author's, links to somebody's profile, and portraits.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from duramen.dom.lexbor import UNSURE, Vocabulary
from duramen.dom.tree import Attributes, Tree
from duramen.metadata.body import Body
from duramen.metadata.called import name_words
from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.marks import (
    AUTHOR,
    AUTHOR_ATTRIBUTES,
    CALLED,
    CHANGED,
    DATE,
    HOLDING,
    NAME,
    OF_PICTURES,
    SPEAKING,
    SPEAKS,
    USER,
    may_hold_time,
)
from duramen.metadata.relations import REL
from duramen.metadata.strings import text_of, tidy

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
_NOT_A_NAME: Final = frozenset(
    "bio about description image img avatar photo box role title job date time social follow share info list more links"
    " published category".split()
)
_PICTURE_OF = re.compile(
    r"^(?:picture|photo|headshot|image|avatar|portrait|profile (?:picture|photo|image))\s+(?:of|for)\s+", re.IGNORECASE
)
_PICTURE_STARTS: Final = "pPhHiIaA"
"""Of ASCII, what it begins with."""
_PROFILE = re.compile(
    r"/(?:authors?|writers?|contributors?|profiles?|people|by|staff|experts?|reporters?|bio|members?|users?|team)"
    r"/(?!log-?in|sign-?(?:in|up)|regist|subscri|newsletter|e-?mail|alert|account|settings|clipping|join|new/|add/|edit/)[^/]",
    re.IGNORECASE,
)
_PROFILES: Final = Vocabulary(
    dict.fromkeys(
        "author authors writer writers contributor contributors profile profiles people by staff expert experts"
        " reporter reporters bio member members user users team".split(),
        1,
    )
)
"""The words of which the address of a profile has one."""
_PORTRAIT: Final = frozenset(("avatar", "author"))
_NOTHING: Final[frozenset[str]] = frozenset()
_MOST_WORDS: Final = 4
_OF_PLACES: Final = frozenset(
    "street road rd lane avenue ave square house floor suite box building tel phone telephone fax contact"
    " straße strasse str platz rue calle ulica ul улица ул проспект οδός 路 街".split()
)
"""Words of postal addresses, and of what stands beside them."""
_LONGEST_NAME: Final = 120
_LONGEST_DATE: Final = 80


def read_microformats(body: Body) -> Claims:
    """What classes and relations claim."""
    claims = no_claims()
    tree, marks = body.tree, body.marks
    pictures = _pictures(body)
    named = frozenset(marks.telling(OF_PICTURES | SPEAKS | UNSURE))
    # Those that bear a mark besides their names; most elements bear none at all, and are not read.
    besides = {*marks.telling(HOLDING | UNSURE), *tree.find_all("address"), *_profiles(tree)}
    found = besides.union(marks.telling(SPEAKS)).difference(tree.find_all("img"))
    nodes = [node for node in body.own(sorted(found)) if node > tree.body]
    own_of = dict(zip(nodes, tree.read_attributes(nodes), strict=True))
    inside = 0  # the end of an element that is called the author's
    for node in sorted([*nodes, *pictures]):
        if node in pictures:
            is_portrait = node < inside or (node in named and _is_portrait(tree, node))
            _read_picture(claims, node, pictures[node], is_portrait)
        else:
            own = own_of[node]
            if node in besides:
                _read_attributes(claims, body, node, own)
            words = name_words(own.get("class"), own.get("id")) if node in named else _NOTHING
            if not words.isdisjoint(SPEAKING):
                inside = _read_names(claims, body, node, own, words, inside)
    return claims


def _profiles(tree: Tree) -> list[int]:
    """The links to somebody's page."""
    links = tree.attribute_values_with_words(_PROFILES, "href", tree.find_all("a"))
    return [node for node, href in links if _PROFILE.search(href)]


def _pictures(body: Body) -> dict[int, str]:
    """The images that have words, and those."""
    tree = body.tree
    nodes = [node for node in body.own(tree.find_all("img")) if node > tree.body]
    return {node: said for node, said in zip(nodes, tree.attribute_values("alt", nodes), strict=True) if said}


def _read_attributes(claims: Claims, body: Body, node: int, own: Attributes) -> None:
    """What the attributes and the tag of an element claim."""
    tag = body.tree.tag[node]
    of_author, of_time = _telling(tuple(own))
    for name in of_author:
        if said := own.get(name):
            claims["author"].append(Claim(tidy(said), NAMED, "attribute", node, is_name=True))
    for name in of_time:
        if (said := own[name]) and said[:2] in ("19", "20"):
            claims["published"].append(Claim(said, NAMED, "attribute", node))
    if tag == "a" and _PROFILE.search(own.get("href") or ""):
        _claim(claims, "author", body, node, own, PROFILE, "", _LONGEST_NAME)
    if (rel := own.get("rel")) and "author" in rel.lower().split():
        _claim(claims, "author", body, node, own, REL, "", _LONGEST_NAME)
    if tag == "address":
        words = name_words(text_of(body.tree, node, _LONGEST_NAME + 1), None)
        if words.isdisjoint(_OF_PLACES):
            of = "article" if _is_of_article(body, node, words) else ""
            _claim(claims, "author", body, node, own, ADDRESS, of, _LONGEST_NAME)


def _read_names(claims: Claims, body: Body, node: int, own: Attributes, words: frozenset[str], inside: int) -> int:
    """What the class and the id of an element claim; gives the end of what is called the author's, so far."""
    for name in (own.get("class") or "").split():
        if known := _CLASSES.get(name):
            field, source = known
            most = _LONGEST_DATE if field in ("published", "modified") else _LONGEST_NAME * 2
            _claim(claims, field, body, node, own, source, name, most)
    if words.isdisjoint(CALLED):
        return inside
    tag = body.tree.tag[node]
    is_name = not words.isdisjoint(NAME)
    if not words.isdisjoint(AUTHOR):
        inside = max(inside, body.tree.end[node])
        if is_name or words.isdisjoint(_NOT_A_NAME):
            of = "name" if is_name or tag == "a" else "byline" if "byline" in words else ""
            _claim(claims, "author", body, node, own, NAMED, of, _LONGEST_NAME)
    elif is_name and node < inside:
        _claim(claims, "author", body, node, own, NAMED, "name", _LONGEST_NAME)
    elif not words.isdisjoint(USER):
        _claim(claims, "author", body, node, own, NAMED, "user", _LONGEST_NAME)
    is_date = not words.isdisjoint(DATE)
    if not words.isdisjoint(CHANGED):
        if is_date or tag == "time":
            _claim(claims, "modified", body, node, own, NAMED, "", _LONGEST_DATE)
    elif is_date and tag != "time":
        _claim(claims, "published", body, node, own, NAMED, "", _LONGEST_DATE)
    return inside


def _is_of_article(body: Body, node: int, said: frozenset[str]) -> bool:
    """Whether an `<address>` is that of the article under the headline, and its words may be a name."""
    if not 2 <= len(said) <= _MOST_WORDS or any(any(map(str.isdigit, word)) for word in said):
        return False
    tree, headline = body.tree, body.headline
    return any(tree.tag[above] == "article" and above <= headline < tree.end[above] for above in tree.ancestors(node))


@lru_cache(maxsize=1 << 12)  # the elements of a page have the same attributes again and again
def _telling(names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Of the names of an element's attributes those that may hold an author, and those that may hold a time."""
    times = [name for name in names if may_hold_time(name)] if len(names) > 2 else []
    return [name for name in AUTHOR_ATTRIBUTES if name in names], times


def _read_picture(claims: Claims, node: int, alt: str, is_portrait: bool) -> None:
    """A portrait, by its words: "Picture of Jane Doe", or the name alone where it is known to be one."""
    said = tidy(alt)
    if said and len(said) <= _LONGEST_NAME:
        name = _PICTURE_OF.sub("", said) if said[0] in _PICTURE_STARTS or not said.isascii() else said
        if is_portrait or name != said:
            claims["author"].append(Claim(name, PORTRAIT, "", node, False, None, None))


def _is_portrait(tree: Tree, node: int) -> bool:
    own = tree.attributes[node]
    return not name_words(own.get("class"), own.get("id")).isdisjoint(_PORTRAIT)


def _claim(claims: Claims, field: str, body: Body, node: int, own: Attributes, source: str, of: str, most: int) -> None:
    value = ""
    if field in ("published", "modified"):
        value = tidy(own.get("datetime") or own.get("content") or own.get("title"))
        if value and not any(map(str.isdigit, value)):
            value = ""
    value = value or text_of(body.tree, node, most + 1)
    if value and len(value) <= most:
        url = own.get("href") if field == "author" and body.tree.tag[node] == "a" else None
        claims[field].append(Claim(value, source, of, node, of == "fn", url, None))
