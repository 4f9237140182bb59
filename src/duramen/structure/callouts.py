"""Find callouts (admonitions, alerts): boxes in running text that are a note, a tip, a warning.

GitHub has five kinds: note, tip, important, warning, caution. Other names are mapped to these. The class of the box
names the kind: with a class that only callouts have (`admonition`, `markdown-alert`), or, where the class has other
uses too (`alert`, `note`), with a title or text around the box as further evidence.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from duramen.dom.class_names import split_words
from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.language.word_segmentation import count_words


class Callout(NamedTuple):
    """A box in running text."""

    node: int
    kind: str
    """`note`, `tip`, `important`, `warning` or `caution`."""
    title: str
    """The title, "" if there is none, or if it only repeats the kind."""
    title_node: int
    """The element of the title or icon, or -1."""


_KINDS: Final = {
    name: kind
    for kind, names in {
        "note": "note info information abstract summary tldr todo example quote cite question faq help seealso inform"
        " primary secondary default remark definition",
        "tip": "tip hint success check done recommendation best",
        "important": "important required",
        "warning": "warning attention warn alert-warning",
        "caution": "caution danger error bug failure fail missing critical",
    }.items()
    for name in names.split()
}
_WEAK_KINDS: Final = frozenset("primary secondary default best check done required".split())
"""Words that name a kind only where no other word does."""
_KIND_OF_ICON: Final = {
    "💡": "tip", "✅": "tip", "👍": "tip", "🔥": "important", "❗": "important", "‼": "important", "📌": "important",
    "⚠": "warning", "🚧": "warning", "🚨": "caution", "🛑": "caution", "⛔": "caution", "❌": "caution",
}  # fmt: skip

_TAGS: Final = ("div", "aside", "section", "blockquote", "figure", "p", "article")
_STRONG_NAMES: Final = frozenset(
    "admonition theme-admonition markdown-alert admonitionblock confluence-information-macro kg-callout-card"
    " starlight-aside nextra-callout".split()
)
"""Classes that only callouts have."""
_WEAK_NAMES: Final = frozenset(
    "alert callout custom-block bd-callout hint hint-block notice notices message pageinfo callout-box".split()
)
"""Classes of callouts that other boxes have, too: they need a kind, words, and text around them."""
_BARE_KINDS: Final = frozenset("note tip important warning warn caution danger info attention hint".split())
"""Kinds that are a class on their own: `div.note` (DocBook, Microsoft Learn). They need a title."""
_UNTITLED_KINDS: Final = {
    "blockquote": _BARE_KINDS,
    "p": _BARE_KINDS - {"note", "info"},
    "div": frozenset(("warning", "caution", "danger")),
}
"""Kinds that need no title if they are the only class: `p.tip` (docsify), `div.warning` (mdBook).

`p.note` and `p.info` are not among them: other paragraphs, such as captions, have these classes, too.
"""
_PREFIXES: Final = frozenset(
    "admonition alert aside bd callout confluence custom hint is markdown message nextra notice notices pageinfo"
    " starlight theme type".split()
)
"""First words of classes that end with a kind."""
_SILENT_TITLES: Final = frozenset("note info information tip hint important warning attention caution danger".split())
"""Titles that say no more than the kind."""
_ALL_NAMES: Final = _STRONG_NAMES | _WEAK_NAMES | _BARE_KINDS
_OTHER_NAMES: Final = frozenset(
    "alert-dismissible alert-dismissable cookie cookies banner toast modal newsletter sr-only visually-hidden".split()
)
_TITLE_WORDS: Final = frozenset(
    "title heading header admonitionheading titlebar caption label emoji icon titleinner indicator".split()
)
_ICON_TAGS: Final = frozenset(("svg", "i", "img", "style", "script", "button"))
_FIRST_WORDS_TAGS: Final = frozenset(("p", "strong", "b", "span", "em"))
_NOT_AROUND: Final = frozenset(("header", "nav", "footer", "form", "dialog", "table", "button", "a"))
_RUNNING_TAGS: Final = frozenset("p ul ol pre blockquote table dl h1 h2 h3 h4 h5 h6 figure".split())
_CONTROLS: Final = frozenset(("input", "select", "textarea", "form"))
_NOT_LETTERS = re.compile(r"[\W_]+")

_MAX_TITLE_NODES: Final = 40
_MAX_TITLE_CHARS: Final = 200
_MAX_SIBLINGS: Final = 8
_MAX_ANCESTORS: Final = 12
_MIN_ALERT_WORDS: Final = 3
_MIN_WORDS_BESIDE: Final = 8

_STRONG: Final = 2
_WEAK: Final = 1
_BARE: Final = 0


def find_callouts(tree: Tree, within: range | None = None) -> dict[int, Callout]:
    """Return the callouts of a page by their elements. A callout may hold others."""
    nodes = [node for tag in _TAGS for node in tree.find_all(tag, within)]
    values = tree.attribute_values("class", nodes)
    names = " ".join(filter(None, values)).lower()
    if _ALL_NAMES.isdisjoint(names.split()) and "-callout" not in names and "notice--" not in names:
        return {}
    marked = {classes for classes in set(values) if classes and _classify(classes, None) is not None}
    found: dict[int, Callout] = {}
    for node, classes in sorted(pair for pair in zip(nodes, values, strict=True) if pair[1] in marked):
        kind = tree.attributes[node].get("data-callout") if "callout" in str(classes) else None
        classified = _classify(str(classes), kind)
        callout = _make_callout(tree, node, *classified) if classified is not None else None
        if callout is not None and not _repeats_parent(tree, callout, found):
            found[node] = callout
    return found


@lru_cache(maxsize=1 << 11)
def _classify(classes: str, callout: str | None) -> tuple[int, str, str] | None:
    """Return how strongly a class marks a callout, its kind, and the name of the kind in the class; None if not."""
    names = classes.lower().split()
    if not _OTHER_NAMES.isdisjoint(names):
        return None
    if callout or not _STRONG_NAMES.isdisjoint(names):
        strength = _STRONG
    elif not _WEAK_NAMES.isdisjoint(names) or any(name.startswith("notice--") for name in names):
        strength = _WEAK
    elif any(name.startswith("wp-block-") and "callout" in name for name in names):
        return _WEAK, "note", ""
    elif not _BARE_KINDS.isdisjoint(names):
        strength = _BARE
    else:
        return None
    name = (callout or "").lower()
    if name not in _KINDS:
        candidates = [word for part in names if (word := _find_kind_word(part))]
        strong = [word for word in candidates if word not in _WEAK_KINDS and word not in _WEAK_NAMES]
        name = (strong or candidates or [""])[0]
    return strength, _KINDS.get(name, "note"), name


def _find_kind_word(name: str) -> str:
    """Return the word of a class that names a kind: "note", or the end of "alert-note" or "markdown-alert-note"."""
    words = split_words(name)
    is_kind = bool(words) and words[-1] in _KINDS and (len(words) == 1 or words[0] in _PREFIXES)
    return words[-1] if is_kind else ""


def _make_callout(tree: Tree, node: int, strength: int, kind: str, name: str) -> Callout | None:
    title, title_node = _find_title(tree, node)
    word = _NOT_LETTERS.sub("", title).lower()
    icon_kind = _KIND_OF_ICON.get(title[:1], "note") if title and not word else ""
    if strength == _BARE:
        if word not in _SILENT_TITLES and tree.tag[node] != "aside" and not _is_untitled_callout(tree, node):
            return None
    elif strength == _WEAK:
        has_kind = name or icon_kind or word in _SILENT_TITLES or tree.tag[node] == "aside"
        if not (has_kind or _is_wordpress_block(tree, node)) or not _is_in_running_text(tree, node):
            return None
    if icon_kind and (not name or name in _WEAK_KINDS):
        kind = icon_kind
    elif word in _SILENT_TITLES and _KINDS[word] == word:
        kind = word
    if word in _SILENT_TITLES or not word:
        title = ""
    return Callout(node, kind, title, title_node)


def _is_untitled_callout(tree: Tree, node: int) -> bool:
    classes = (tree.attributes[node].get("class") or "").strip().lower()
    return classes in _UNTITLED_KINDS.get(tree.tag[node], ()) and _is_in_running_text(tree, node)


def _is_wordpress_block(tree: Tree, node: int) -> bool:
    return "wp-block-" in (tree.attributes[node].get("class") or "")


def _find_title(tree: Tree, node: int) -> tuple[str, int]:
    """Return the title and its element, or "" and -1.

    It is marked by its class, or is a heading, an icon, or first words that only name the kind.
    """
    at = node + 1
    stop = min(tree.end[node], node + _MAX_TITLE_NODES)
    while at < stop:
        tag = tree.tag[at]
        if tag == TEXT:
            if not tree.text[at].isspace():
                break
        elif tag in _ICON_TAGS:
            at = tree.end[at]
            continue
        else:
            classes = tree.attributes[at].get("class")
            is_marked = tag in HEADING_TAGS or (classes and not _TITLE_WORDS.isdisjoint(_split_title_words(classes)))
            if is_marked or _is_icon_box(tree, at):
                return _read_title(tree, at), at
            if tag in _FIRST_WORDS_TAGS:
                title = _read_title(tree, at)
                if _NOT_LETTERS.sub("", title).lower() in _SILENT_TITLES:
                    return title, at
        at += 1
    return "", -1


@lru_cache(maxsize=1 << 10)
def _split_title_words(classes: str) -> tuple[str, ...]:
    return tuple(split_words(classes))


def _is_icon_box(tree: Tree, node: int) -> bool:
    """True for a box that holds nothing but an emoji, as exports of Notion have."""
    if tree.end[node] - node > 4:
        return False
    text = "".join(tree.text[node : tree.end[node]]).strip()
    return 0 < len(text) <= 3 and (text[0] in _KIND_OF_ICON or ord(text[0]) >= 0x1F300 or text[0] in "ℹ☝✏❓⭐")


def _read_title(tree: Tree, node: int) -> str:
    """Return the words of a title element, without those of its icons."""
    end = min(tree.end[node], node + _MAX_TITLE_NODES)
    pieces = []
    at = node + 1
    while at < end:
        if tree.tag[at] in ("svg", "button", "style", "script"):
            at = tree.end[at]
            continue
        pieces.append(tree.text[at])
        at += 1
    return " ".join("".join(pieces).split())[:_MAX_TITLE_CHARS]


def _is_in_running_text(tree: Tree, node: int) -> bool:
    """True if a box has words, no controls, and paragraphs, lists or headings beside it."""
    inside = range(node, min(tree.end[node], node + _MAX_TITLE_NODES * 5))
    if any(tree.tag[at] in _CONTROLS for at in inside) or node in tree.hidden:
        return False
    if sum(count_words(tree.text[at]) for at in inside) < _MIN_ALERT_WORDS:
        return False
    for _level, ancestor in zip(range(_MAX_ANCESTORS), tree.ancestors(node), strict=False):
        if tree.tag[ancestor] in _NOT_AROUND:
            return False
    return _count_words_beside(tree, node) >= _MIN_WORDS_BESIDE


def _count_words_beside(tree: Tree, node: int) -> int:
    """Return the number of words in the paragraphs, lists and headings close before and after a box."""
    parent = tree.parent[node]
    count = 0
    at = tree.end[node]
    for _step in range(_MAX_SIBLINGS):
        if at >= tree.end[parent]:
            break
        count += _count_words(tree, at)
        at = tree.end[at]
    at = node - 1
    for _step in range(_MAX_SIBLINGS):
        levels = 0
        while at > parent and tree.parent[at] != parent and levels < _MAX_ANCESTORS:
            at = tree.parent[at]
            levels += 1
        if at <= parent or tree.parent[at] != parent:
            break
        count += _count_words(tree, at)
        at -= 1
    return count


def _count_words(tree: Tree, node: int) -> int:
    """Return the number of words of an element of running text, counted in its first nodes."""
    if tree.tag[node] not in _RUNNING_TAGS:
        return 0
    return sum(count_words(text) for text in tree.text[node : min(tree.end[node], node + _MAX_TITLE_NODES)])


def _repeats_parent(tree: Tree, callout: Callout, found: dict[int, Callout]) -> bool:
    """True for a box inside a callout that is a part of it: its title, or its body."""
    node = callout.node
    for _level, ancestor in zip(range(2), tree.ancestors(node), strict=False):
        outer = found.get(ancestor)
        if outer is not None:
            is_title = outer.title_node >= 0 and outer.title_node <= node < tree.end[outer.title_node]
            return is_title or callout.title_node in (-1, outer.title_node)
    return False
