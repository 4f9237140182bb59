"""Find the elements that a reader of the page does not see, as far as the HTML alone shows.

Three rules: elements whose text is never on the screen (`INVISIBLE_TAGS`), `noscript`, and elements that their own
attributes hide (`find_hidden`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from duramen.dom.lexbor import TEXT
from duramen.dom.tag_sets import INVISIBLE_TAGS

if TYPE_CHECKING:
    from duramen.dom.tree import Tree

_INVISIBLE_WITHOUT_SCRIPTS: Final = INVISIBLE_TAGS - {"noscript"}
_MAX_NOSCRIPT_NOTICE_CHARS: Final = 200
"""A request to switch scripts on is not longer; more text is compared with the rest of the page."""


def find_invisible_tags(tree: Tree) -> frozenset[str]:
    """Return the tags whose elements have no text on the screen of this page."""
    return _INVISIBLE_WITHOUT_SCRIPTS if tree._needs_noscript else INVISIBLE_TAGS


def needs_noscript(tree: Tree) -> bool:
    """Return whether the text of a page is in `noscript`, for the tree, which keeps the answer.

    Readers have scripts on and do not see `noscript`. But if a page has more text there than in all its other elements,
    a script draws the page, and scripts do not run here. Then the text of `noscript` is the text of the page.
    """
    outermost: list[int] = []
    for node in tree.find_all("noscript"):
        if not outermost or node >= tree.end[outermost[-1]]:
            outermost.append(node)
    chars = sum(len(text.strip()) for node in outermost for text in tree.text[node : tree.end[node]])
    return chars > _MAX_NOSCRIPT_NOTICE_CHARS and not _has_visible_chars(tree, chars)


def find_visible_texts(tree: Tree) -> list[int]:
    """Return the text nodes that a reader sees, in order: not blank, not in an invisible or hidden element."""
    return [node for node in _visible_texts(tree, find_invisible_tags(tree)) if not tree.text[node].isspace()]


def hides_more_than(tree: Tree, chars: int) -> bool:
    """Return whether hidden elements have more than `chars` characters that would be visible if they were shown."""
    invisible = find_invisible_tags(tree)
    tags, texts, ends = tree.tag, tree.text, tree.end
    node = 0
    for start in sorted(tree.hidden):
        node = max(node, start)  # a hidden element may be inside another
        while node < ends[start]:
            if tags[node] == TEXT:
                chars -= len(texts[node].strip())
                if chars < 0:
                    return True
            elif tags[node] in invisible:
                node = ends[node]
                continue
            node += 1
    return False


def _has_visible_chars(tree: Tree, chars: int) -> bool:
    """Return whether at least `chars` characters are visible. Most pages have that many near their beginning."""
    for node in _visible_texts(tree, INVISIBLE_TAGS):
        chars -= len(tree.text[node].strip())
        if chars <= 0:
            return True
    return False


def _visible_texts(tree: Tree, invisible: frozenset[str]) -> Iterator[int]:
    tags, ends, hidden = tree.tag, tree.end, tree.hidden
    node, count = 0, len(tags)
    while node < count:
        tag = tags[node]
        if tag == TEXT:
            yield node
        elif tag in invisible or (hidden and node in hidden):
            node = ends[node]
            continue
        node += 1


# React's server sends late parts at the end of the page in <div hidden id="S:1">; a script moves them into place.
_REACT_STREAM_ID = re.compile(r"S:[0-9a-f]+")
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE | re.ASCII)

_MIN_TEXT_RATIO: Final = 5
"""A hidden element with this many times the text outside of it is the page itself: a script will show it."""
_MIN_PAGE_NODES: Final = 10
"""A hidden element with fewer nodes is a notice, however little text is outside of it."""

# Tabs, accordions and answers to questions are hidden by the same attributes as elements that no reader sees. But a
# control of the page names them (aria-controls), or they are tab panels (role=tabpanel), as the WAI-ARIA patterns
# require. On pages with a reference text, three in four words of such elements are part of it, and one in twenty words
# of other hidden elements.
_CONTROL_TAGS: Final = ("button", "a", "h2", "h3", "h4")
"""Nine in ten of the elements with `aria-controls`."""
_ASIDE_TAGS: Final = ("nav", "header", "footer", "aside", "dialog")
"""An element hidden in these, or shown by a control in these, is a menu or a form."""
_OVERLAY_ROLES: Final = frozenset(
    "dialog alertdialog alert menu menubar listbox navigation search status tooltip".split()
)
_TAB_PANEL: Final = ""
"""The name of a tab panel: no control needs to name it."""


def is_hidden(attributes: Mapping[str, str | None]) -> bool:
    """Return whether an element with these attributes is hidden: by `hidden`, or by its style."""
    if "hidden" in attributes:
        return attributes["hidden"] != "until-found" and not _REACT_STREAM_ID.fullmatch(attributes.get("id") or "")
    style = attributes.get("style")
    return style is not None and _HIDING_STYLE.search(style) is not None


def describe_hiding(attributes: Mapping[str, str | None]) -> str:
    """Return what hides an element with these attributes, which `is_hidden` says is hidden."""
    if "hidden" in attributes:
        return "has the attribute hidden"
    match = _HIDING_STYLE.search(attributes.get("style") or "")
    declaration = re.sub(r"[;\s]", "", match[0]).replace(":", ": ").lower() if match else "display: none"
    return f"has the style {declaration}"


def find_hidden(tree: Tree) -> frozenset[int]:
    """Return the elements that their own attributes hide from the reader for good.

    The root, the body and an element with nearly all text are never hidden: scripts, which do not run here, show them.
    Collapsed elements are not hidden either: tabs, and answers that a click shows.
    """
    attributes, body = tree.attributes, tree.body
    candidates = tree._elements.may_be_hidden()
    hidden = [node for node in candidates if node > body and is_hidden(attributes[node])]
    if not hidden:
        return frozenset()
    if pages := _find_whole_pages(tree, hidden):
        hidden = [node for node in hidden if node not in pages]
    return frozenset(hidden).difference(_find_collapsed(tree, hidden))


def _find_whole_pages(tree: Tree, hidden: Sequence[int]) -> set[int]:
    """Return those of the hidden elements with most nodes of the body and nearly all of its text."""
    min_nodes = max(_MIN_PAGE_NODES, (3 * (len(tree) - tree.body) + 3) // 4)
    large = [node for node in hidden if tree.end[node] - node >= min_nodes]
    if not large:
        return set()
    chars_before = [0]  # characters for readers before each node
    for tag, parent, text in zip(tree.tag, tree.parent, tree.text, strict=True):
        is_read = tag == TEXT and tree.tag[parent] not in ("script", "style", "noscript") and not text.isspace()
        chars_before.append(chars_before[-1] + (len(text) if is_read else 0))
    in_body = chars_before[-1] - chars_before[tree.body]
    inside = {node: chars_before[tree.end[node]] - chars_before[node] for node in large}
    return {node for node, chars in inside.items() if chars >= _MIN_TEXT_RATIO * (in_body - chars)}


def _find_collapsed(tree: Tree, hidden: Sequence[int]) -> Iterator[int]:
    """Yield those of the hidden elements, which are in order, that a control of the page shows."""
    filled = [node for node in hidden if tree.end[node] > node + 1]
    names = {node: name for node in filled if (name := _collapsed_name(tree.attributes[node])) is not None}
    if not names:
        return
    controls: dict[int, list[str]] = {}  # each control of one of these elements, with the ids that it names
    if any(names.values()):
        wanted = set(names.values())
        for tag in _CONTROL_TAGS:
            nodes = tree.find_all(tag)
            for node, value in zip(nodes, tree.attribute_values("aria-controls", nodes), strict=True):
                if value and not wanted.isdisjoint(ids := value.split()):
                    controls[node] = ids
    if not controls and _TAB_PANEL not in names.values():
        return
    asides = sorted(chain.from_iterable(map(tree.find_all, _ASIDE_TAGS)))
    controlled = {_TAB_PANEL}.union(*(controls[node] for node in _find_outside(tree, asides, sorted(controls))))
    yield from _find_outside(tree, asides, [node for node, name in names.items() if name in controlled])


def _collapsed_name(attributes: Mapping[str, str | None]) -> str | None:
    """Return the id by which a control may show a hidden element, or `_TAB_PANEL`; None if none can."""
    roles = (attributes.get("role") or "").lower().split()
    if "tabpanel" in roles:
        return _TAB_PANEL
    is_overlay = "aria-modal" in attributes or not _OVERLAY_ROLES.isdisjoint(roles)
    return None if is_overlay else attributes.get("id") or None


def _find_outside(tree: Tree, containers: Sequence[int], nodes: Sequence[int]) -> Iterator[int]:
    """Yield those of the nodes that are in none of the containers; both are in order."""
    index = end = 0  # of the next container, and the end of those before it
    for node in nodes:
        while index < len(containers) and containers[index] <= node:
            end = max(end, tree.end[containers[index]])
            index += 1
        if node >= end:
            yield node
