"""Text: read that of an element, clean values from markup, and compare values by their words.

Inline elements do not separate words (`<b>W</b>ord` is one word); all other elements do, where they start and where
they end. Elements whose text is not on the screen are left out.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache
from html import unescape
from html.entities import html5
from typing import Final
from unicodedata import normalize

from duramen.dom.tag_sets import INLINE_TAGS, INVISIBLE_TAGS
from duramen.dom.tree import TEXT, Tree

MAX_VALUE_CHARS: Final = 5000
"""Longer values of metadata are cut: they are no title, name or description."""
_SKIPPED_TAGS: Final = INVISIBLE_TAGS | {"button"}

_BARE_ENTITY_STARTS: Final = frozenset(name[:2] for name in html5 if not name.endswith(";"))
"""The first two letters of the entities that are valid without a semicolon."""
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Control characters and invisible ones: soft hyphens, zero-width spaces, direction marks.
_INVISIBLE_CHARS: Final = "\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_NOT_TEXT = re.compile(f"[{_INVISIBLE_CHARS}\ud800-\udfff]")
_HAN_OR_KANA = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_WORD = re.compile(r"\w+")
_ILLEGAL_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]+")


def read_text(
    tree: Tree,
    node: int = 0,
    *,
    separator: str = " ",
    skipped: frozenset[str] = INVISIBLE_TAGS,
    skipped_nodes: Set[int] = frozenset(),
    max_chars: int | None = None,
    separate_ends: bool = True,
) -> str:
    """Return the text below an element as it is in the page, with `separator` between blocks.

    Text nodes after the first `max_chars` characters are not read. Without `separate_ends`, blocks are separated only
    from the text before them.
    """
    tags, texts, ends = tree.tag, tree.text, tree.end
    if tags[node] == TEXT:
        return texts[node]
    pieces: list[str] = []
    open_blocks: list[int] = []  # the ends of the blocks around the current node
    length, at, end = 0, node + 1, ends[node]
    while at < end:
        while open_blocks and at >= open_blocks[-1]:
            open_blocks.pop()
            pieces.append(separator)
        tag = tags[at]
        if tag == TEXT:
            pieces.append(texts[at])
            length += len(texts[at])
            if max_chars is not None and length >= max_chars:
                break
        elif tag in skipped or at in skipped_nodes:
            if separate_ends:
                pieces.append(separator)
            at = ends[at]
            continue
        elif tag not in INLINE_TAGS:
            pieces.append(separator)
            if separate_ends:
                open_blocks.append(ends[at])
        at += 1
    return "".join(pieces)


def join_first_texts(tree: Tree, node: int, max_nodes: int) -> str:
    """Return the texts of the first nodes of an element as they are: enough for a mark or a short heading."""
    return "".join(tree.text[node : min(tree.end[node], node + max_nodes)])


def read_clean_text(tree: Tree, node: int, max_chars: int = MAX_VALUE_CHARS) -> str:
    """Return the text of an element or text node on one line, at most about `max_chars` characters of it.

    Buttons are left out, and blocks are separated only from what stands before them. The weights of metadata were
    learned from such texts. With separators at the ends of blocks, the text of 7 in 400 pages is better separated, but
    the confidence of the authors changes.
    """
    if tree.tag[node] == TEXT:
        return " ".join(tree.text[node][:max_chars].split())
    text = read_text(tree, node, skipped=_SKIPPED_TAGS, max_chars=max_chars, separate_ends=False)
    return clean_text(text[:max_chars])


def clean_text(value: str | None) -> str:
    """Return the value on one line, without tags, entities and invisible characters; '' for None."""
    if not value:
        return ""
    value = value[:MAX_VALUE_CHARS]
    if "&" in value and _may_contain_entity(value):
        value = unescape(value)
    if "<" in value:
        value = _TAG.sub(" ", value)
    value = value.strip()
    if not value.isprintable():
        if _NOT_TEXT.search(value):
            value = _NOT_TEXT.sub("", _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", value))
        return " ".join(value.split())
    while "  " in value:  # the plain space is the only printable space
        value = value.replace("  ", " ")
    return value


def _may_contain_entity(value: str) -> bool:
    """Return False if no `&` of the value begins an entity, as in most image URLs: `?w=640&h=480`."""
    if ";" in value:
        return True
    at = value.find("&")
    while at >= 0:
        if value[at + 1 : at + 2] == "#" or value[at + 1 : at + 3] in _BARE_ENTITY_STARTS:
            return True
        at = value.find("&", at + 1)
    return False


def has_han_or_kana(value: str) -> bool:
    """Return whether the value has Chinese characters or Japanese syllables: scripts without spaces between words."""
    return _HAN_OR_KANA.search(value) is not None


def count_key_words(key: str) -> int:
    """Count the words of a word key; in scripts without spaces each character counts as one."""
    spaced = key.count(" ") + bool(key)
    return spaced if key.isascii() else max(spaced, len(_HAN_OR_KANA.findall(key)))


@lru_cache(maxsize=512)  # the few titles and names of a page are compared with each other many times
def word_key(value: str) -> str:
    """Return the words of a value in lower case, joined by spaces. Two values with equal keys mean the same."""
    return " ".join(_WORD.findall(normalize("NFKC", value).casefold()))


def have_same_words(first: str, second: str) -> bool:
    """Return whether two values have the same word key."""
    return word_key(first) == word_key(second)


def remove_illegal_xml(text: str) -> str:
    """Remove the characters that XML 1.0 does not allow: controls and halves of surrogate pairs."""
    return _ILLEGAL_IN_XML.sub("", text)
