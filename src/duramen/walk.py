"""One pass over Lexbor's tree that fills the arrays of a `Tree`: the hot loop of the whole library.

It is written for the interpreter: `list.append` written out is faster than a bound method kept in a name, two nested
loops are faster than one with a flag, and the next sibling goes on the stack when its elder is entered, so that no node
is visited twice. It is compiled where that can be (`walk.pxd`, `duramen.compiled`).
"""

from __future__ import annotations

from typing import cast

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from duramen.compiled import faster

TEXT = "#text"
"""The tag of a text node."""

_TEXT_ID = 2  # Lexbor's tag id of a text node
_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)  # nobody listens to mutations here; 8 % of the parse saved

# Lexbor numbers the standard tags the same way in every document; ids past these are pointers, good for one document.
_STANDARD_IDS = 256
_NAMES: list[str | None] = [None] * _STANDARD_IDS

Arrays = tuple[list[str], list[int], list[int], list[str], list[LexborNode | None]]
"""Of each node: its tag, its parent, the end of its subtree, its text; and the parser's own node of an element."""


@faster
def arrays(html: bytes, most: int) -> Arrays | None:
    """The arrays of a page; None when there are more than `most` nodes.

    With more nodes than bytes, the page is made to multiply (`nesting`).
    """
    # `root` is None only for a fragment; a document always has its html element.
    return _arrays(LexborHTMLParser(html, options=_WITHOUT_EVENTS).root, most)


@faster
def depths(parents: list[int]) -> list[int]:
    """The level of each node, of which the parents are given; the root is at 0."""
    return _depths(parents)


@faster
def places(chosen: list[LexborNode], elements: list[LexborNode | None]) -> list[int]:
    """Where some of the elements stand, in order."""
    return _places({element.mem_id for element in chosen}, elements) if chosen else []


def _arrays(node: LexborNode | None, most: int) -> Arrays | None:
    tags: list[str] = []
    parents: list[int] = []
    ends: list[int] = []
    texts: list[str | None] = []
    elements: list[LexborNode | None] = []
    names = _NAMES
    siblings = []
    parent = -1
    count = 0
    while True:
        while node is not None:
            tag_id = node.tag_id
            if tag_id == _TEXT_ID:
                tags.append(TEXT)
                elements.append(None)
                texts.append(node.text_content)
                parents.append(parent)
                count += 1
                ends.append(count)
                node = node.next
                continue
            name = names[tag_id] if tag_id < _STANDARD_IDS else None
            if name is None:
                name = node.tag
                if name is None or name.startswith("-"):  # a comment, a doctype, a processing instruction
                    node = node.next
                    continue
                if tag_id < _STANDARD_IDS:
                    names[tag_id] = name
            tags.append(name)
            elements.append(node)
            texts.append("")
            parents.append(parent)
            count += 1
            ends.append(count)
            child = node.first_child
            if child is None:
                node = node.next
            else:
                siblings.append(node.next)
                parent = count - 1
                node = child
        if not siblings:
            # `text_content` is None for what is no text node, and was asked of text nodes alone.
            return tags, parents, ends, cast(list[str], texts), elements
        if count > most:
            return None
        ends[parent] = count
        node = siblings.pop()
        parent = parents[parent]


def _depths(parents: list[int]) -> list[int]:
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return depths


def _places(wanted: set[int], elements: list[LexborNode | None]) -> list[int]:
    found: list[int] = []
    missing = len(wanted)
    for index, element in enumerate(elements):
        if element is not None and element.mem_id in wanted:
            found.append(index)
            missing -= 1
            if not missing:
                break
    return found
