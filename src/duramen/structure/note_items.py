"""The elements that hold a note, found from the target of a reference, and the note's own text in them.

The target may be the item of a list, a paragraph, a table row, a definition, or only an anchor inside one of these.
Where several anchors stand in one paragraph, line breaks separate the notes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.structure.note_marks import (
    BACK,
    NOTE,
    NOTES,
    find_first_text,
    find_label,
    find_marks,
    is_back_text,
    is_only_text,
    is_punctuation,
    read_short_text,
)

_ITEM_TAGS: Final = frozenset("li p div aside dd dt tr table section blockquote small".split())
_CLIMBED_TAGS: Final = frozenset(("li", "dd", "aside", "div", "section"))
_CONTINUATION_TAGS: Final = frozenset("p ul ol blockquote pre table div dl figure".split())
_FILLED_TAGS: Final = frozenset(("img", "svg", "math", "video", "picture"))
_WRAPPER_TAGS: Final = frozenset("sup span small b strong i em p cite div font".split())
_REJECTED_NAME: Final = "ltx_bib"
_MAX_LEVELS: Final = 6
_MAX_CONTINUATIONS: Final = 4
_MAX_BACK_NODES: Final = 400
_MAX_ITEM_NODES: Final = 5000
"""Nodes of the longest note. The bound keeps boxes inside boxes cheap, each the target of a link."""


@dataclass
class NoteItem:
    """The place of one note: the elements to drop, and the nodes that hold its text."""

    tree: Tree
    target: int
    elements: list[int]
    regions: list[range]
    is_marked: bool
    ordinal: int = 0
    links_back: list[int] = field(default_factory=list)

    @property
    def start(self) -> int:
        return min(self.regions[0].start, self.target, *self.elements[:1])

    @property
    def stop(self) -> int:
        return self.regions[-1].stop

    def has_label(self, label: str) -> bool:
        """True if the note begins with this label, or is the item of an ordered list with this number."""
        if self.ordinal and label == str(self.ordinal):
            return True
        text = find_first_text(self.tree, self.start, self.stop)
        if text < 0:
            return False
        first = self.tree.text[text].strip()
        if not label[-1:].isalnum() and first.startswith(label):
            return True
        return find_label(first) == label or first.startswith((f"{label}.", f"[{label}]", f"{label})", f"({label})"))

    def find_links_back(self, known: set[int]) -> None:
        """Find the links that only lead back, with the elements around them that hold nothing else."""
        tree = self.tree
        links = {node for node in range(self.start, self.stop) if tree.tag[node] == "a" and _is_back(tree, node, known)}
        end = 0
        for link in sorted(links):
            if link < end:
                continue
            mark = link
            for _level, ancestor in zip(range(_MAX_LEVELS), tree.ancestors(link), strict=False):
                if ancestor < self.start or ancestor in self.elements or tree.tag[ancestor] not in _WRAPPER_TAGS:
                    break
                is_marked = find_marks(tree.attributes[ancestor]) & BACK
                if not is_marked and not is_only_text(tree, ancestor, links, _MAX_BACK_NODES):
                    break
                mark = ancestor
            self.links_back.append(mark)
            end = tree.end[mark]

    def find_spans(self, label: str) -> tuple[range, ...]:
        """Return the nodes of the note's own text, without the links back and its label."""
        excluded = list(self.links_back)
        mark = self._find_label_mark(label, set(excluded))
        if mark >= 0:
            excluded.append(mark)
        excluded.sort()
        return tuple(span for region in self.regions for span in self._subtract(region, excluded))

    def _find_label_mark(self, label: str, excluded: set[int]) -> int:
        """Return the element or text node at the start that holds only the label; -1 if there is none."""
        tree = self.tree
        for region in self.regions[:1]:
            at = region.start
            while at < region.stop:
                if at in excluded or (tree.tag[at] == TEXT and is_punctuation(tree.text[at])):
                    at = tree.end[at]
                    continue
                text = read_short_text(tree, at)
                if text and find_label(text) == label:
                    return at
                if tree.tag[at] == TEXT:
                    return -1
                at += 1
        return -1

    def _subtract(self, region: range, excluded: list[int]) -> list[range]:
        tree = self.tree
        spans = []
        start = region.start
        for node in excluded[bisect_left(excluded, region.start) :]:
            if node >= region.stop:
                break
            spans.append(range(start, node))
            start = max(start, tree.end[node])
        spans.append(range(start, region.stop))
        return [span for span in spans if _has_content(tree, span)]


def _has_content(tree: Tree, span: range) -> bool:
    """True if a range of nodes has words or pictures."""
    texts = tree.text_nodes
    for at in range(bisect_left(texts, span.start), len(texts)):
        if texts[at] >= span.stop:
            break
        if not is_punctuation(tree.text[texts[at]]) or len(tree.text[texts[at]].strip()) == 1:
            return True
    return not _FILLED_TAGS.isdisjoint(tree.tag[span.start : span.stop])


def _is_back(tree: Tree, link: int, known: set[int]) -> bool:
    """True for a link that only leads back: by its mark or its text, or with a short text to a reference."""
    if find_marks(tree.attributes[link]) & BACK:
        return True
    text = read_short_text(tree, link)
    if text is None:
        return False
    if is_back_text(text) and text:
        return True
    return link in known and (find_label(text) != "" or is_punctuation(text))


def find_note_items(tree: Tree, targets: Iterable[int], last_reference: int) -> dict[int, NoteItem]:
    """Return the notes by their targets; a target that cannot be a note has none. Notes do not nest.

    Behind the last reference there are only notes, so that paragraphs between two of them belong to the first.
    """
    ordered = sorted(targets)
    groups: dict[int, list[int]] = {}
    for target in ordered:
        block = _find_block(tree, target)
        if block >= 0:
            groups.setdefault(block, []).append(target)
    headings = sorted(node for tag in HEADING_TAGS for node in tree.find_all(tag))
    ordinals: dict[int, dict[int, int]] = {}
    items: list[NoteItem] = []
    end = 0
    for block in sorted(groups):
        if block < end or tree.end[block] - block > _MAX_ITEM_NODES:
            continue
        if tree.tag[block] not in HEADING_TAGS and _has_any(headings, block, tree.end[block]):
            continue  # a section
        group = groups[block]
        made = [_make_item(tree, block, group[0], ordered)] if len(group) == 1 else _split_block(tree, block, group)
        for item in made:
            if item is not None and any(_has_content(tree, region) for region in item.regions):
                item.ordinal = _find_ordinal(tree, item, ordinals)
                items.append(item)
                end = max(end, item.stop)
    _add_continuations(tree, [item for item in items if item.start > last_reference])
    return {item.target: item for item in items}


def _has_any(nodes: list[int], start: int, stop: int) -> bool:
    """True if one of the sorted nodes is in a range."""
    return bisect_left(nodes, start) < bisect_left(nodes, stop)


def _find_block(tree: Tree, target: int) -> int:
    """Return the block that a target is or stands in; -1 if no block there can be a note."""
    node = target
    for _level in range(_MAX_LEVELS):
        tag = tree.tag[node]
        if tag in ("td", "th"):
            node = tree.parent[node]
            continue
        if tag in _ITEM_TAGS or tag in HEADING_TAGS:
            return node
        node = tree.parent[node]
        if node <= tree.body:
            return -1
    return -1


def _make_item(tree: Tree, block: int, target: int, targets: list[int]) -> NoteItem | None:
    """Return the note of a block with one target; None if it is the heading of a section."""
    tag = tree.tag[block]
    if tag in HEADING_TAGS:
        if not find_label(read_short_text(tree, block)):
            return None
        elements = [block, *_find_siblings(tree, block, targets)]
        regions = [range(node, tree.end[node]) for node in elements[1:]]
    elif tag == "dt":
        elements = [block, *_find_siblings(tree, block, targets, "dd")]
        regions = [range(node + 1, tree.end[node]) for node in elements[1:]]
    else:
        block = _climb(tree, block, targets)
        elements = [block]
        regions = [range(block + 1, tree.end[block])]
    if not regions or _REJECTED_NAME in (tree.attributes[block].get("class") or ""):
        return None
    return NoteItem(tree, target, elements, regions, _is_marked(tree, target, block))


def _climb(tree: Tree, block: int, targets: list[int]) -> int:
    """Return the largest box around a block that holds the same note and no other."""
    for _level in range(_MAX_LEVELS):
        parent = tree.parent[block]
        if tree.tag[parent] not in _CLIMBED_TAGS or parent <= tree.body:
            break
        if bisect_left(targets, tree.end[parent]) - bisect_left(targets, parent) > 1:
            break
        if tree.end[parent] - parent > _MAX_ITEM_NODES:
            break
        marks = find_marks(tree.attributes[parent])
        if marks & NOTES or not (marks & NOTE or tree.tag[parent] in ("li", "dd")):
            break
        block = parent
    return block


def _find_siblings(tree: Tree, node: int, targets: list[int], tag: str = "") -> list[int]:
    """Return the elements after a node, of one tag if given, up to the next target or heading."""
    siblings: list[int] = []
    at, stop = tree.end[node], tree.end[tree.parent[node]]
    while at < stop and len(siblings) <= _MAX_CONTINUATIONS:
        if tree.tag[at] != TEXT:
            if _has_any(targets, at, tree.end[at]) or tree.tag[at] in HEADING_TAGS or (tag and tree.tag[at] != tag):
                break
            siblings.append(at)
        elif not tree.text[at].isspace():
            break
        at = tree.end[at]
    return siblings


def _split_block(tree: Tree, block: int, targets: list[int]) -> list[NoteItem | None]:
    """Return the notes of a paragraph with several anchors, each from its anchor to the next one."""
    first_text = find_first_text(tree, block, tree.end[block])
    if first_text < targets[0] or any(tree.end[a] > b for a, b in pairwise(targets)):
        return []
    stops = [*targets[1:], tree.end[block]]
    return [
        NoteItem(
            tree,
            target,
            [block] if target == targets[0] else [],
            [range(target, stop)],
            _is_marked(tree, target, block),
        )
        for target, stop in zip(targets, stops, strict=True)
    ]


def _is_marked(tree: Tree, target: int, block: int) -> bool:
    """True if the target, its block, or a box close around it is marked as a note or as notes."""
    nodes = [target, block]
    for _level, ancestor in zip(range(3), tree.ancestors(block), strict=False):
        if tree.tag[ancestor] in ("body", "html", "article", "main"):
            break
        nodes.append(ancestor)
    return any(find_marks(tree.attributes[node]) & (NOTE | NOTES) for node in nodes)


def _find_ordinal(tree: Tree, item: NoteItem, ordinals: dict[int, dict[int, int]]) -> int:
    """Return the number of a note that is the item of an ordered list, or 0."""
    element = item.elements[0] if item.elements else -1
    parent = tree.parent[element] if element >= 0 else -1
    if parent < 0 or tree.tag[element] != "li" or tree.tag[parent] != "ol":
        return 0
    if parent not in ordinals:
        start = tree.attributes[parent].get("start") or "1"
        children = [child for child in tree.children(parent) if tree.tag[child] == "li"]
        first = int(start) if start.isdecimal() and len(start) < 6 else 1
        ordinals[parent] = {child: number for number, child in enumerate(children, first)}
    return ordinals[parent].get(element, 0)


def _add_continuations(tree: Tree, items: list[NoteItem]) -> None:
    """Give a note in a paragraph the elements up to the next note, if they are few."""
    for item, following in pairwise(items):
        if not item.elements or not following.elements or tree.tag[item.elements[0]] != "p":
            continue
        last, stop = item.elements[-1], following.elements[0]
        if tree.parent[last] != tree.parent[stop]:
            continue
        between: list[int] = []
        at = tree.end[last]
        while at < stop and len(between) <= _MAX_CONTINUATIONS:
            if tree.tag[at] != TEXT:
                between.append(at)
            at = tree.end[at]
        if len(between) <= _MAX_CONTINUATIONS and all(tree.tag[node] in _CONTINUATION_TAGS for node in between):
            item.elements += between
            item.regions += [range(node, tree.end[node]) for node in between]
