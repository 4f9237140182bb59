"""Find footnotes, endnotes and side notes, and the marks in the text that refer to them.

A reference is a short link ("1", "[a]", "*") to an element of the page that links back to it, or that is marked as a
note or begins with the same label. The table of contents, page numbers and powers (x²) have no such target. References
may also be superscripts without a link: `plain_notes.py`. Side notes (Tufte, LaTeXML) stand right behind their mark,
and some notes are in an attribute of it: `side_notes.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.structure.note_items import NoteItem, find_note_items
from duramen.structure.note_marks import (
    REFERENCE,
    find_label,
    find_marks,
    is_bracketed,
    is_note_fragment,
    is_notes_heading,
    is_only_text,
    read_short_text,
)
from duramen.structure.plain_notes import find_plain_references
from duramen.structure.side_notes import SideNote, find_attribute_notes, find_side_copy, find_side_notes

_MAX_MARK_NODES: Final = 8
_MAX_MARK_CHARS: Final = 12


class Note(NamedTuple):
    """A note."""

    label: str
    """The label as the page shows it, without brackets; unique on the page."""
    spans: tuple[range, ...]
    """The nodes of its own text, without its label and the links back."""
    text: str = ""
    """The text of a note that is in an attribute of its mark."""


class PageNotes(NamedTuple):
    """The notes of a page."""

    references: dict[int, str]
    """The element of each reference mark, and the label of its note."""
    notes: list[Note]
    """The notes in the order of their first references."""
    dropped: set[int]
    """Elements that are not written where they stand: notes, their lists and headings, links back."""


class _Link(NamedTuple):
    node: int
    target: int
    label: str  # "" if its text is no label
    is_strong: bool  # marked as a reference, superscript or in brackets
    fragment: str
    is_in_parentheses: bool = False  # "(2)" leads to a formula, a clause or an item as often as to a note


_WORD_BACK = re.compile(r"#_(ftn|edn)ref(\d+)$")
_EDIT_LINK = re.compile(r"\[[^\]]*\]|¶|#")
_SUPERSCRIPT_STYLE: Final = "super"
_WRAPPER_TAGS: Final = frozenset("sup span small font b strong i em cite".split())
_MAX_WRAPPERS: Final = 3
_MAX_WRAPPER_NODES: Final = 24
_MAX_LEVELS: Final = 5
"""Levels above the notes at which lists and sections are dropped with them."""
_KEPT_TAGS: Final = frozenset(("html", "body", "main", "article"))


def find_notes(tree: Tree, within: range | None = None) -> PageNotes:
    """Return the notes of a page with the references to them. A note without a reference stays where it is."""
    side_notes = find_side_notes(tree)
    links = _find_links(tree, within)
    plain = find_plain_references(tree, within)
    if plain:
        links = sorted([*links, *(_Link(node, block, label, True, "") for node, block, label in plain)])
    accepted, items = _match(tree, links) if any(link.label for link in links) else ([], {})
    if not accepted and not side_notes:
        side_notes = find_attribute_notes(tree, within)
    if not accepted and not side_notes:
        return PageNotes({}, [], set())
    return _assemble(tree, accepted, items, side_notes)


def _find_links(tree: Tree, within: range | None) -> list[_Link]:
    """Return the links whose target is on the page, in order."""
    # Few links have a short text. Only where one has the label of a note, the addresses of all links are read.
    tags, texts_of, ends = tree.tag, tree.text, tree.end
    marks = [
        link
        for link in tree.find_all("a", within)
        if 1 < ends[link] - link <= _MAX_MARK_NODES
        and (tags[link + 1] != TEXT or len(texts_of[link + 1]) <= _MAX_MARK_CHARS)
        and find_label(read_short_text(tree, link))
    ]
    if not tree.attribute_values_containing("#", "href", marks):
        return []
    hrefs = tree.attribute_values_containing("#", "href", tree.find_all("a"))
    texts = {node: read_short_text(tree, node) for node, _ in hrefs}
    if not any(find_label(text) for text in texts.values()):
        return []
    targets = _find_targets(tree, {_read_fragment(href) for _, href in hrefs})
    for node, href in hrefs:
        # Word leaves the anchors out at times: then the link back is the target.
        match = _WORD_BACK.search(href)
        if match:
            targets.setdefault(f"_{match[1]}{match[2]}", node)
    links = []
    for node, href in hrefs:
        fragment = _read_fragment(href)
        target = targets.get(fragment, -1)
        if target < 0:
            continue
        text = texts[node]
        label = find_label(text)
        is_marked = bool(label) and _is_marked_reference(tree, node)
        is_strong = is_marked or (bool(label) and is_bracketed(text or ""))
        if href.startswith("#") or is_strong:  # other addresses may be other pages
            is_in_parentheses = not is_marked and (text or "").startswith(("(", "（"))
            links.append(_Link(node, target, label, is_strong, fragment, is_in_parentheses))
    return links


def _read_fragment(href: str) -> str:
    fragment = href.partition("#")[2].strip()
    return unquote(fragment) if "%" in fragment else fragment


def _find_targets(tree: Tree, fragments: set[str]) -> dict[str, int]:
    """Return the first element of each of these ids or names; GitHub puts `user-content-` before ids."""
    targets: dict[str, int] = {}
    fragments.discard("")
    anchors = tree.find_all("a")
    every = range(len(tree))
    for nodes, values in (
        (every, tree.attribute_values("id", every)),
        (anchors, tree.attribute_values("name", anchors)),
    ):
        for node, value in zip(nodes, values, strict=True):
            if value:
                name = value if value in fragments else value.removeprefix("user-content-")
                if name in fragments:
                    targets.setdefault(name, node)
    return targets


def _is_marked_reference(tree: Tree, link: int) -> bool:
    """True if a link is superscript, or marked as a reference."""
    if "sup" in tree.tag[link : tree.end[link]] or find_marks(tree.attributes[link]) & REFERENCE:
        return True
    for _level, ancestor in zip(range(_MAX_WRAPPERS), tree.ancestors(link), strict=False):
        if tree.tag[ancestor] not in _WRAPPER_TAGS:
            return False
        attributes = tree.attributes[ancestor]
        if tree.tag[ancestor] == "sup" or find_marks(attributes) & REFERENCE:
            return True
        if _SUPERSCRIPT_STYLE in (attributes.get("style") or ""):
            return True
    return False


def _match(tree: Tree, links: list[_Link]) -> tuple[list[_Link], dict[int, NoteItem]]:
    """Return the links that are references to notes, in order, and the notes by the target of the links."""
    candidates = [link for link in links if link.label and link.target > link.node]
    zones = _find_zones(tree, candidates)
    last_reference = max((link.node for link in candidates), default=-1)
    items = find_note_items(tree, {link.target for link in candidates}, last_reference)
    leads_back = _find_links_back(items, links, zones)
    accepted = []
    for link in candidates:
        item = items.get(link.target)
        if item is None or item.start <= link.node < item.stop:
            continue
        if link.node in leads_back.get(item.target, ()) or _reads_like_note(tree, link, item):
            accepted.append(link)
    starts = sorted(items[link.target].start for link in accepted)
    stops = {items[link.target].start: items[link.target].stop for link in accepted}

    def is_in_note(node: int) -> bool:
        at = bisect_left(starts, node + 1) - 1
        return at >= 0 and node < stops[starts[at]]

    # In a note, a plain number may lead to anything.
    accepted = [link for link in accepted if link.is_strong or not is_in_note(link.node)]
    kept = {link.target: items[link.target] for link in accepted}
    known = {link.node for link in links if link.target in zones}
    for item in kept.values():
        item.find_links_back(known)
    return accepted, kept


def _find_zones(tree: Tree, links: Iterable[_Link]) -> dict[int, int]:
    """Return the nodes at and around each reference that a link back may lead to, each with the reference."""
    zones: dict[int, int] = {}
    for link in links:
        nodes = [*range(max(link.node - 2, 0), min(tree.end[link.node], link.node + 4))]
        for _level, ancestor in zip(range(_MAX_WRAPPERS), tree.ancestors(link.node), strict=False):
            if tree.tag[ancestor] not in _WRAPPER_TAGS:
                break
            nodes += (ancestor, ancestor - 1)
        for node in nodes:
            zones.setdefault(node, link.node)
        zones[link.node] = link.node
    return zones


def _find_links_back(items: dict[int, NoteItem], links: list[_Link], zones: dict[int, int]) -> dict[int, set[int]]:
    """Return for each note, by its target, the references that links inside it lead back to."""
    leads_back: dict[int, set[int]] = {}
    starts = [link.node for link in links]
    for item in items.values():
        first, stop = bisect_left(starts, item.start), bisect_left(starts, item.stop)
        # A permalink leads to the item itself, which may stand right behind its first reference.
        leads_back[item.target] = {
            zones[link.target]
            for link in links[first:stop]
            if link.target in zones and not item.start <= link.target < item.stop
        }
    return leads_back


def _reads_like_note(tree: Tree, link: _Link, item: NoteItem) -> bool:
    """True if a link looks like a reference, and its target is marked as a note or begins with the same label."""
    if not link.is_strong and not is_note_fragment(link.fragment):
        return False
    return item.is_marked or (link.is_strong and not link.is_in_parentheses and item.has_label(link.label))


def _assemble(
    tree: Tree, links: Sequence[_Link], items: dict[int, NoteItem], side_notes: Sequence[SideNote]
) -> PageNotes:
    """Give the notes labels in the order of their first references, and collect what is dropped."""
    labels: dict[str, int] = {}
    notes: list[Note] = []
    references: dict[int, str] = {}
    label_of: dict[int, str] = {}
    dropped: set[int] = set()
    for node, label, key, side_note in sorted(
        [(link.node, link.label, link.target, None) for link in links]
        + [(note.reference, note.label, note.content, note) for note in side_notes],
        key=lambda entry: entry[0],
    ):
        if key not in label_of:
            label_of[key] = unique = _make_unique(label, labels)
            spans = side_note.spans if side_note is not None else items[key].find_spans(label)
            notes.append(Note(unique, spans, side_note.text if side_note is not None else ""))
            if side_note is not None and side_note.dropped >= 0:
                dropped.add(side_note.dropped)
        mark = node if side_note is not None and not side_note.text else _find_mark(tree, node)
        references[mark] = label_of[key]
        if side_note is None and (copy := find_side_copy(tree, mark)) >= 0:
            dropped.add(copy)
    listed = [element for item in items.values() for element in item.elements]
    dropped.update(listed)
    for item in items.values():
        dropped.update(item.links_back)
    dropped |= _find_emptied(tree, listed)
    return PageNotes(references, notes, dropped)


def _make_unique(label: str, labels: dict[str, int]) -> str:
    """Return the label, with a number if another note has it."""
    count = labels[label] = labels.get(label, 0) + 1
    while count > 1 and f"{label}-{count}" in labels:
        count += 1
    unique = label if count == 1 else f"{label}-{count}"
    labels.setdefault(unique, 1)
    labels[label] = count
    return unique


def _find_mark(tree: Tree, link: int) -> int:
    """Return the element of a reference: the link, or the `sup` or `span` around it that holds nothing else."""
    mark = link
    for _level, ancestor in zip(range(_MAX_WRAPPERS), tree.ancestors(link), strict=False):
        if tree.tag[ancestor] not in _WRAPPER_TAGS or not is_only_text(tree, ancestor, {mark}, _MAX_WRAPPER_NODES):
            break
        mark = ancestor
    return mark


def _find_emptied(tree: Tree, listed: Sequence[int]) -> set[int]:
    """Return the lists and sections of which nothing is left without the notes, and their headings and rules."""
    texts = tree.text_nodes

    def count_texts(node: int) -> int:
        return bisect_left(texts, tree.end[node]) - bisect_left(texts, node)

    emptied: set[int] = set()
    current = set(listed)
    for _level in range(_MAX_LEVELS):
        covered: dict[int, int] = {}
        first: dict[int, int] = {}
        for node in sorted(current):
            parent = tree.parent[node]
            covered[parent] = covered.get(parent, 0) + count_texts(node)
            first.setdefault(parent, node)
        current = set()
        for parent, count in covered.items():
            headings = _find_headings(tree, parent, first[parent])
            emptied.update(headings)
            count += sum(map(count_texts, headings))
            if count == count_texts(parent) and tree.tag[parent] not in _KEPT_TAGS:
                current.add(parent)
        emptied |= current
    return emptied


def _find_headings(tree: Tree, parent: int, node: int) -> list[int]:
    """Return the heading of notes and the rule just before the first of them."""
    headings: list[int] = []
    before = node - 1
    for _step in range(4):
        while before > parent and tree.parent[before] != parent:
            before = tree.parent[before]
        if before <= parent:
            break
        tag = tree.tag[before]
        if tag == "hr":
            headings.append(before)
        elif tag != TEXT:
            text = _EDIT_LINK.sub("", "".join(tree.text[before : min(tree.end[before], before + 20)])).strip()
            is_heading = tag in HEADING_TAGS or tag in ("p", "div", "header", "strong", "b")
            is_empty = not text and tree.end[before] - before < 4
            if not is_empty and not (is_heading and is_notes_heading(text)):
                break
            if not is_empty:
                headings.append(before)
        elif not tree.text[before].isspace():
            break
        before -= 1
    return headings
