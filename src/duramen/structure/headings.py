"""Find the marks that generators add to headings.

They are permalinks (¶, #, 🔗), the "[edit]" links of wikis, and links to the top of the page (↑).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from duramen.dom.class_names import split_words
from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.structure.note_marks import is_only_text

_MARK_TEXT = re.compile(
    r"|[\s\[\](){}]*(?:[#¶§🔗⚓∞☍🖇↑⇧⬆\u200b\ufe0e\ufe0f\ufeff]+"
    r"|(?:perma(?:nent)?[\s-]?link|direct link|link|anchor|anchor link|heading link|section link|copy(?: the)? link)"
    r"(?: (?:to|for) .{1,200})?"
    r"|(?:back to )?top|edit(?: source| section)?|编辑|編集|bearbeiten|modifier|editar|править|修改)[\s\[\](){}]*",
    re.IGNORECASE | re.DOTALL,
)
_MARK_WORDS: Final = frozenset(
    "headerlink permalink anchor anchorjs hashlink headinglink headeranchor headinganchor sectionlink headinganchorlink"
    " directlink sectionanchor anchorlink permalinkwidget headlink tocanchor".split()
)
_MAY_BE_MARK = re.compile("anchor|link", re.IGNORECASE)
"""A quick test: most classes have neither of these words."""
_EDIT_NAMES: Final = frozenset(("mw-editsection", "editsection"))
_MARK_TAGS: Final = ("a", "button")
_BRACKET_TAGS: Final = ("small", "span", "sup")
"""Elements that hold "[edit]" if only the word between the brackets is a link."""
_MAX_MARK_NODES: Final = 16


def find_heading_marks(tree: Tree, within: range | None = None) -> set[int]:
    """Return the elements that mark a heading for the reader of the page, and are not part of its words."""
    headings = sorted(node for tag in HEADING_TAGS for node in tree.find_all(tag, within))
    marks: set[int] = set()
    if not headings:
        return marks
    for tag in _MARK_TAGS:
        nodes = tree.find_all(tag, within)
        if nodes:
            marks.update(_find_marks(tree, nodes, headings))
    for node, classes in tree.attribute_values_containing("editsection", "class", tree.find_all("span", within)):
        if not _EDIT_NAMES.isdisjoint(classes.split()):
            marks.add(node)
    return marks


def _find_marks(tree: Tree, nodes: list[int], headings: list[int]) -> Iterable[int]:
    values = tree.attribute_values("class", nodes)
    marked = {classes for classes in set(values) if classes and _has_mark_word(classes)}
    for node, classes in zip(nodes, values, strict=True):
        has_word = classes in marked
        at = bisect_left(headings, node) - 1
        is_inside = at >= 0 and node < tree.end[headings[at]]
        if not is_inside and not has_word:
            continue
        text = _read_mark(tree, node)
        if text is None or _MARK_TEXT.fullmatch(text) is None:
            continue
        if not text and not has_word and "img" in tree.tag[node : tree.end[node]]:
            continue  # a picture that is a link
        if tree.tag[node] == "a" and not has_word and not _is_mark_link(tree, node, text):
            continue
        parent = tree.parent[node]
        is_in_brackets = tree.tag[parent] in _BRACKET_TAGS and is_only_text(tree, parent, {node}, _MAX_MARK_NODES)
        yield parent if is_in_brackets else node


def _is_mark_link(tree: Tree, link: int, text: str) -> bool:
    """True if a link without a class of marks leads to a place on the page, or is the "[edit]" link of a wiki."""
    href = tree.attributes[link].get("href") or ""
    if "#" in href or not text:
        return bool(href)
    return "action=edit" in href or "title" in tree.attributes[link] or not any(map(str.isalpha, text))


@lru_cache(maxsize=1 << 10)
def _has_mark_word(classes: str) -> bool:
    if _MAY_BE_MARK.search(classes) is None:
        return False
    for name in classes.split():
        words = split_words(name)
        if not _MARK_WORDS.isdisjoint(words) or "".join(words) in _MARK_WORDS:
            return True
    return False


def _read_mark(tree: Tree, node: int) -> str | None:
    """Return the text of a mark, without its pictures; None if it has too many parts to be one."""
    end = tree.end[node]
    pieces = []
    at = node + 1
    count = 0
    while at < end:
        if tree.tag[at] == "svg":
            at = tree.end[at]
            continue
        count += 1
        if count > _MAX_MARK_NODES:
            return None
        if tree.tag[at] == TEXT:
            pieces.append(tree.text[at])
        at += 1
    return "".join(pieces).strip()
