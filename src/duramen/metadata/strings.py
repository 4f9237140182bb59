"""Strings as a reader would see them: no tags, no entities written twice, no stray spaces, nothing unprintable."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from html.entities import html5
from typing import Final
from unicodedata import normalize

from duramen.dom.tree import TEXT, Tree
from duramen.metadata.characters import ascii_key, is_tidy

LONGEST: Final = 5000
"""Characters: what is longer than this is no title, name or description, and is cut."""

_OLD: Final = "|".join(name for name in html5 if not name.endswith(";"))  # names that do without a semicolon
# Without any of these nothing is changed: of `?w=640&h=480` that is told in a tenth of the time.
_ENTITY = re.compile(rf"&(?:#|[^\t\n\f <&#;]{{1,32}};|{_OLD})")
_OLD_STARTS: Final = frozenset(name[:2] for name in html5 if not name.endswith(";"))
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_LONE = re.compile("[\ud800-\udfff]")
# Controls, and what is not seen: soft hyphens, zero-width spaces and marks of direction.
_UNSEEN: Final = "\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_NOT_TEXT = re.compile(f"[{_UNSEEN}\ud800-\udfff]")
_HAN = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_WORD = re.compile(r"\w+")
_SPACE: Final = 32
_BEYOND: Final = 0

_UNREAD = frozenset("script style noscript template svg button select textarea".split())
INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rb ruby s samp small span"
    " strike strong sub sup time tt u var wbr".split()
)
"""The elements that stand in a line and do not break it."""


def tidy(value: str | None) -> str:
    """The value on one line, as a reader would see it; '' for None."""
    return _tidy(value) if value else ""


def _tidy(value: str) -> str:
    if len(value) > LONGEST:
        value = value[:LONGEST]
    if is_tidy(value):
        return value
    if "&" in value and _may_hold_entity(value) and _ENTITY.search(value):
        value = unescape(value)
    if "<" in value:
        value = _TAG.sub(" ", value)
    value = value.strip()  # for most that are not tidy, of a line break at an end
    if not value.isprintable():
        if _NOT_TEXT.search(value):
            value = _NOT_TEXT.sub("", _LONE.sub("\N{REPLACEMENT CHARACTER}", value))
        return " ".join(value.split())
    while "  " in value:  # of what is printable only the plain space is a space: no string for each word is needed
        value = value.replace("  ", " ")
    return value


def _may_hold_entity(value: str) -> bool:
    """Whether an entity may stand in a value with `&`: not in most addresses of pictures, which are full of them."""
    if ";" in value:
        return True
    at = value.find("&")
    while at >= 0:
        if value[at + 1 : at + 2] == "#" or value[at + 1 : at + 3] in _OLD_STARTS:
            return True
        at = value.find("&", at + 1)
    return False


def text_of(tree: Tree, node: int, most: int = LONGEST) -> str:
    """The text of an element on one line; of a text node its own. No more of it is read than `most` characters."""
    return _text_of(tree.tag, tree.text, tree.end, node, most)


def _text_of(tags: list[str], texts: list[str], ends: list[int], node: int, most: int) -> str:
    if tags[node] == TEXT:
        return " ".join(texts[node][:most].split())
    pieces: list[str] = []
    length, at, end = 0, node + 1, ends[node]
    while at < end and length < most:
        tag = tags[at]
        if tag == TEXT:
            pieces.append(texts[at])
            length += len(texts[at])
        elif tag in _UNREAD:
            at = ends[at]
            continue
        elif tag not in INLINE:
            pieces.append(" ")
        at += 1
    return tidy("".join(pieces)[:most]) if pieces else ""


def has_han(value: str) -> bool:
    """Whether there are Chinese characters in it, or Japanese syllables: scripts that put no spaces between words."""
    return _HAN.search(value) is not None


def word_count(said: str) -> int:
    """How many words there are in a key; in scripts without spaces every character counts for one."""
    spaced = said.count(" ") + bool(said)
    return spaced if said.isascii() else max(spaced, len(_HAN.findall(said)))


def key(value: str) -> str:
    """The value's words in lower case: values of the same key say the same."""
    return ascii_key(value) if value.isascii() else wide_key(value)


def key_once(value: str) -> str:
    """The same, not remembered: for what is not asked about again."""
    return ascii_key(value) if value.isascii() else _wide_key(value)


@lru_cache(maxsize=512)  # the few titles and names of a page are compared with each other again and again
def wide_key(value: str) -> str:
    """The key of a value beyond ASCII, which takes longer to tell than to remember."""
    return _wide_key(value)


def _wide_key(value: str) -> str:
    said = normalize("NFKC", value).casefold()
    return " ".join(_WORD.findall(said))


def alike(one: str, other: str) -> bool:
    """Whether two values have the same key: of long ones it is told where they first differ."""
    return key(one) == key(other)
