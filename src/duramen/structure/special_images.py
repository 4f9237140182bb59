"""Images that are not read by their own element: emoji as their characters, and images that only `noscript` has."""

from __future__ import annotations

import re
from typing import Final

from duramen.dom.tree import TEXT, Tree

_EMOJI_NAMES: Final = frozenset("emoji wp-smiley emojione twemoji joypixels smiley emoticon emojify".split())
_EMOJI_ADDRESS = re.compile(r"/(?:emojis?|twemoji|smil(?:ies|eys?)|emoticons?)/", re.IGNORECASE)
_EMOJI_WORD = re.compile(r":[\w+-]{1,40}:|[^\w\s]{1,3}[\w^.']{0,2}[^\w\s]{0,2}")
"""What describes an emoji in ASCII: ":smile:", ":-)", ":D"."""
_MAX_EMOJI_CHARS: Final = 16
_MAX_NOSCRIPT_NODES: Final = 12
_MAX_NODES_BESIDE: Final = 6


def find_emoji(tree: Tree, within: range | None = None) -> dict[int, str]:
    """Return the images that stand for a character, and the character or the word that describes each."""
    images = tree.find_all("img", within)
    found: dict[int, str] = {}
    if not images:
        return found
    classes, sources = tree.attribute_values("class", images), tree.attribute_values("src", images)
    for node, names, source in zip(images, classes, sources, strict=True):
        is_named = names and not _EMOJI_NAMES.isdisjoint(names.lower().split())
        if is_named or (source and _EMOJI_ADDRESS.search(source[:300])):
            text = (tree.attributes[node].get("alt") or "").strip()
            if text and (_EMOJI_WORD.fullmatch(text) or not text.isascii()) and len(text) <= _MAX_EMOJI_CHARS:
                found[node] = text
    return found


def find_noscript_images(tree: Tree, within: range | None = None) -> dict[int, int]:
    """Return the `noscript` elements that hold one image and no text, where no image beside them is the same one."""
    found: dict[int, int] = {}
    for node in tree.find_all("noscript", within):
        end = tree.end[node]
        if end - node > _MAX_NOSCRIPT_NODES:
            continue
        images = [inside for inside in range(node + 1, end) if tree.tag[inside] == "img"]
        has_words = any(tree.tag[inside] == TEXT and not tree.text[inside].isspace() for inside in range(node, end))
        if len(images) == 1 and not has_words and not _has_image_beside(tree, node):
            found[node] = images[0]
    return found


def _has_image_beside(tree: Tree, node: int) -> bool:
    """Return whether an image stands close before or after an element, in the same part of the page."""
    around = tree.parent[tree.parent[node]]
    before = range(max(around, node - _MAX_NODES_BESIDE), node)
    after = range(tree.end[node], min(tree.end[around], tree.end[node] + _MAX_NODES_BESIDE))
    for beside in (reversed(before), after):
        for place in beside:
            if tree.tag[place] in ("img", "amp-img"):
                return True
            if tree.tag[place] == TEXT and not tree.text[place].isspace():
                break
    return False
