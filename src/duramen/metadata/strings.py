"""Strings as a reader would see them: no tags, no entities written twice, no stray spaces, nothing unprintable."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from html.entities import html5
from typing import Final
from unicodedata import normalize

from duramen.compiled import faster
from duramen.tree import TEXT, Tree

_COMPILED = __name__.startswith("duramen.compiled.")

LONGEST: Final = 5000
"""Characters: what is longer than this is no title, name or description, and is cut."""

_OLD: Final = "|".join(name for name in html5 if not name.endswith(";"))  # names that do without a semicolon
# Without any of these nothing is changed: of `?w=640&h=480` that is told in a tenth of the time.
_ENTITY = re.compile(rf"&(?:#|[^\t\n\f <&#;]{{1,32}};|{_OLD})")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_LONE = re.compile("[\ud800-\udfff]")
# Controls, and what is not seen: soft hyphens, zero-width spaces and marks of direction.
_UNSEEN: Final = "\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_NOT_TEXT = re.compile(f"[{_UNSEEN}\ud800-\udfff]")
_HAN = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_WORD = re.compile(r"\w+")
_LOWER_WORDS: Final = bytes([ord(chr(code).lower() if _WORD.match(chr(code)) else " ") for code in range(128)]) * 2
"""Of each ASCII character what stands for it in a key: to translate bytes is five times as quick as a string."""

_UNREAD = frozenset("script style noscript template svg button select textarea".split())
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rb ruby s samp small span"
    " strike strong sub sup time tt u var wbr".split()
)


@faster
def tidy(value: str | None) -> str:
    """The value on one line, as a reader would see it; '' for None."""
    return _tidy(value) if value else ""


def _tidy(value: str) -> str:
    if len(value) > LONGEST:
        value = value[:LONGEST]
    if _COMPILED and _is_tidy(value):  # which Python would take longer to tell
        return value
    if "&" in value and _ENTITY.search(value):
        value = unescape(value)
    if "<" in value:
        value = _TAG.sub(" ", value)
    if value.isprintable():  # nothing in it is unseen, and no space is any but the plain one: most need no more
        if "  " not in value and value[:1] != " " and value[-1:] != " ":
            return value
    elif _NOT_TEXT.search(value):
        value = _NOT_TEXT.sub("", _LONE.sub("\N{REPLACEMENT CHARACTER}", value))
    return " ".join(value.split())


def _is_tidy(value: str) -> bool:
    """Whether a reader sees every character as it stands, and no space stands at the ends or beside another."""
    is_after_space = True
    for character in value:
        if character == " ":
            if is_after_space:
                return False
            is_after_space = True
        elif (
            character < " " or character == "&" or character == "<" or (character > "~" and not character.isprintable())
        ):
            return False  # of spaces only the plain one is printable
        else:
            is_after_space = False
    return not is_after_space


@faster
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
        elif tag not in _INLINE:
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


@faster
@lru_cache(maxsize=512)  # the few titles and names of a page are compared with each other again and again
def key(value: str) -> str:
    """The value's words in lower case: values of the same key say the same."""
    if value.isascii():
        said = value.encode().translate(_LOWER_WORDS).decode()
        is_spaced = "  " in said or said[:1] == " " or said[-1:] == " "
        return " ".join(said.split()) if is_spaced else said
    said = normalize("NFKC", value).casefold()
    return " ".join(_words(said) if _COMPILED else _WORD.findall(said))


def _words(said: str) -> list[str]:
    """What the expression finds, without its many steps for each word."""
    found = []
    start = -1  # of the word that is open
    for place in range(len(said)):
        character = said[place]
        if character.isalnum() or character == "_":
            if start < 0:
                start = place
        elif start >= 0:
            found.append(said[start:place])
            start = -1
    if start >= 0:
        found.append(said[start:])
    return found
