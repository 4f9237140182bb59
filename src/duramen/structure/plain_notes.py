"""Find references to notes that are not links: a superscript label, and a block that begins with the same label.

Superscripts are also powers ("m²"), ordinals ("1st") and verse numbers. So a superscript is a reference only if a note
with its label follows: a block that begins with the label in superscript, or in a section of notes in bold or in
brackets, or the item of an ordered list of notes. Verses stand before their words, references behind them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.structure.note_marks import (
    NOTE,
    NOTES,
    REFERENCE,
    find_first_text,
    find_label,
    find_marks,
    is_notes_heading,
    read_short_text,
)


class PlainReference(NamedTuple):
    """A superscript label, and the block of the note that begins with it."""

    node: int
    block: int
    label: str


_BLOCK_TAGS: Final = frozenset(("p", "li", "div", "dd", "aside"))
_INLINE_TAGS: Final = frozenset(("sup", "b", "strong", "span", "em", "i", "font", "small", "a"))
_MAX_LEVELS: Final = 4
_MAX_MARKS: Final = 10_000
"""Superscripts of a page that are looked at; more are formulas or tables of numbers."""
_MAX_MARKS_IN_NOTE: Final = 50
_MAX_LIST_ITEMS: Final = 1000
_MAX_SIBLINGS_BEFORE: Final = 6
_PLAIN_LABEL = re.compile(r"\d{1,3}|[a-z]|[*†‡§⁎∗]{1,4}", re.IGNORECASE)
_LETTERS_AND_DIGITS: Final = frozenset((*map(str, range(1000)), *"abcdefghijklmnopqrstuvwxyz"))
_SIGN = re.compile(r"\s*([*†‡§⁎∗]{1,4})\s*\w")
_BRACKETED = re.compile(r"\s*[\[［【]\s*(\d{1,3})\s*[\]］】]\s*")
_MAX_SIGNED_NODES: Final = 60
_UNIT = re.compile(r"(?:^|[^\w])[^\W\d_]{1,2}$")
"""A short word at the end of a text, whose superscript is a power: "km²", "x²"."""


def find_plain_references(tree: Tree, within: range | None = None) -> list[PlainReference]:
    """Return the references without links whose notes are on the page, in document order."""
    marks = tree.find_all("sup", within)
    if not marks or len(marks) > _MAX_MARKS:
        return []
    labels = {node: label for node in marks if (label := _read_label(tree, node))}
    references = [node for node in labels if _is_reference(tree, node, labels[node])]
    if not references:
        return []
    blocks = _find_labeled_blocks(tree, {labels[node] for node in references}, references)
    # Only a reference in brackets may refer to "[1] …": "Name¹" refers to an address of the author.
    bracketed = {node for node in references if _BRACKETED.fullmatch(read_short_text(tree, node) or "")}
    bracketed_blocks = _find_bracketed_blocks(tree, {labels[node] for node in bracketed}, references)
    found = []
    for node in references:
        label = labels[node]
        starts = blocks.get(label) or (bracketed_blocks.get(label, []) if node in bracketed else [])
        place = bisect_right(starts, node)
        if place < len(starts):
            found.append(PlainReference(node, starts[place], label))
    return found


def _read_label(tree: Tree, node: int) -> str:
    """Return the label that an element holds; "" if it holds a link or another text."""
    if "a" in tree.tag[node : tree.end[node]]:
        return ""
    label = find_label(read_short_text(tree, node))
    return label if _PLAIN_LABEL.fullmatch(label) else ""


def _is_reference(tree: Tree, mark: int, label: str) -> bool:
    """Return whether a superscript stands behind a word, and is no power of a number or a unit."""
    if any(tree.tag[ancestor] == "a" for _, ancestor in zip(range(_MAX_LEVELS), tree.ancestors(mark), strict=False)):
        return False
    block, first = _find_block(tree, mark)
    if first or block < 0:
        return False
    if find_marks(tree.attributes[mark]) & REFERENCE:
        return True
    text = tree.text[mark - 1] if tree.tag[mark - 1] == TEXT else ""
    if tree.tag[mark - 1] == TEXT and (not text or text[-1].isspace()):
        # "a word. ¹" at the end of a paragraph; before other words it is the number of a verse
        return find_first_text(tree, tree.end[mark], tree.end[block]) < 0
    if label.isdigit() and text[-1:].isdigit():
        return False
    return not (label.isdigit() and len(label) == 1 and _UNIT.search(text[-3:]))


def _find_block(tree: Tree, node: int) -> tuple[int, bool]:
    """Return the block around an inline element, and whether the element holds the block's first words; −1 if none."""
    block = node
    for _ in range(_MAX_LEVELS):
        block = tree.parent[block]
        if block <= tree.body:
            return -1, False
        if tree.tag[block] not in _INLINE_TAGS:
            return block, find_first_text(tree, block, node) < 0
    return -1, False


def _find_labeled_blocks(tree: Tree, labels: set[str], references: list[int]) -> dict[str, list[int]]:
    """Return the blocks that begin with one of these labels, in document order."""
    blocks: dict[str, list[int]] = {}
    for mark in tree.find_all("sup"):
        label = _read_label(tree, mark)
        if label in labels:
            _add_block(tree, blocks, references, mark, label)
    if signs := labels.difference(_LETTERS_AND_DIGITS):
        _add_signed_blocks(tree, blocks, signs, references)
    bold_blocks: list[tuple[int, int, str]] = []
    for mark in sorted([*tree.find_all("b"), *tree.find_all("strong")]):
        label = find_label(read_short_text(tree, mark))
        if label in labels and "sup" not in tree.tag[mark : tree.end[mark]]:
            block, first = _find_block(tree, mark)
            if first and tree.tag[block] == "p":
                bold_blocks.append((block, mark, label))
    _add_blocks_of_sections(tree, blocks, references, bold_blocks)
    for listed in tree.find_all("ol"):
        if _is_notes_list(tree, listed):
            _add_items(tree, blocks, labels, listed)
    for starts in blocks.values():
        starts.sort()
    return blocks


def _find_bracketed_blocks(tree: Tree, labels: set[str], references: list[int]) -> dict[str, list[int]]:
    """Return the paragraphs of notes that begin with a label in brackets, by label.

    An example is "[1] As in …".
    """
    found = []
    for block in tree.find_all("p", range(references[0], tree.end[tree.body])) if labels else ():
        text = find_first_text(tree, block, tree.end[block])
        match = _BRACKETED.match(tree.text[text]) if text >= 0 else None
        if match is None or match[1] not in labels:
            continue
        if match.end() < len(tree.text[text]) or find_first_text(tree, text + 1, tree.end[block]) >= 0:
            found.append((block, text, match[1]))
    blocks: dict[str, list[int]] = {}
    _add_blocks_of_sections(tree, blocks, references, found)
    return blocks


def _add_blocks_of_sections(
    tree: Tree, blocks: dict[str, list[int]], references: list[int], marked: list[tuple[int, int, str]]
) -> None:
    """Add the marked blocks that follow a rule or a heading of notes.

    `marked` has the block, its mark and its label.
    """
    sections: set[int] = set()
    for block, mark, label in marked:
        if tree.parent[block] in sections or _starts_notes(tree, block):
            sections.add(tree.parent[block])
            _add_block(tree, blocks, references, mark, label)


def _add_signed_blocks(tree: Tree, blocks: dict[str, list[int]], signs: set[str], references: list[int]) -> None:
    """Add the paragraphs behind the first reference that begin with one of these signs and a word: "* In 1990"."""
    for block in [*tree.find_all("p"), *tree.find_all("div")]:
        if block < references[0] or tree.end[block] - block > _MAX_SIGNED_NODES:
            continue
        text = find_first_text(tree, block, tree.end[block])
        match = _SIGN.match(tree.text[text]) if text >= 0 else None
        if match is None or match[1] not in signs:
            continue
        is_inner = any(tree.tag[node] in _BLOCK_TAGS for node in range(block + 1, text))
        if not is_inner and bisect_left(references, block) == bisect_left(references, tree.end[block]):
            blocks.setdefault(match[1], []).append(block)


def _add_block(tree: Tree, blocks: dict[str, list[int]], references: list[int], mark: int, label: str) -> None:
    block, first = _find_block(tree, mark)
    has_words = tree.tag[mark] == TEXT or find_first_text(tree, tree.end[mark], tree.end[block]) >= 0
    if not first or not has_words or tree.tag[block] not in _BLOCK_TAGS:
        return
    # A paragraph of verses, or of the places where several authors work, has labels inside.
    others = tree.find_all("sup", range(mark + 1, tree.end[block]))[:_MAX_MARKS_IN_NOTE]
    has_others = any(_read_label(tree, other) and tree.text[other - 1][-1:].isspace() for other in others)
    if not has_others and bisect_left(references, block) == bisect_left(references, tree.end[block]):
        blocks.setdefault(label, []).append(block)


def _starts_notes(tree: Tree, block: int) -> bool:
    """Return whether a rule or a heading of notes stands right before a block, or its attributes mark it as a note."""
    if find_marks(tree.attributes[block]) & (NOTE | NOTES):
        return True
    before = block - 1
    for _ in range(_MAX_SIBLINGS_BEFORE):
        if before <= tree.parent[block]:
            return False
        if tree.tag[before] == "hr":
            return True
        if tree.tag[before] == TEXT and not tree.text[before].isspace():
            holder = tree.parent[before]
            return tree.tag[holder] in (*HEADING_TAGS, "p", "b", "strong") and is_notes_heading(tree.text[before])
        before -= 1
    return False


def _is_notes_list(tree: Tree, listed: int) -> bool:
    """Return whether an ordered list is marked as notes, stands in an aside, or follows a rule or heading of notes."""
    if find_marks(tree.attributes[listed]) & NOTES or _starts_notes(tree, listed):
        return True
    for _, ancestor in zip(range(2), tree.ancestors(listed), strict=False):
        if tree.tag[ancestor] == "aside" or find_marks(tree.attributes[ancestor]) & (NOTE | NOTES):
            return True
    return False


def _add_items(tree: Tree, blocks: dict[str, list[int]], labels: set[str], listed: int) -> None:
    """Add the items of a list of notes if the text refers to each of them: else it is another list."""
    start = tree.attributes[listed].get("start") or "1"
    items = [child for child in tree.children(listed) if tree.tag[child] == "li"]
    if len(items) > _MAX_LIST_ITEMS or not start.isdecimal() or len(start) > 4:
        return
    numbers = [str(number) for number, _ in enumerate(items, int(start))]
    if labels.issuperset(numbers):
        for number, item in zip(numbers, items, strict=True):
            blocks.setdefault(number, []).append(item)
