"""Visual block extraction: divide a subtree into the blocks that a reader sees in it.

Cai, Yu, Wen and Ma, MSR-TR-2003-79, section 4.1. From the root of a subtree down, rules decide whether a node is
divided into its children or is one block; each block gets a degree of coherence (DoC) from 1 to 10. The rules in our
words, with the numbers of the report:

1.  An element with nothing to see is left out.
2.  An element with one visible child, which is not text, is divided.
3.  The root of the subtree is divided if the subtree is the whole block.
4.  An element of text and virtual text alone is a block: DoC 10 if all of it has one font size and weight, else 9.
5.  An element with a child that breaks the line is divided.
6.  An element with an `<hr>` among its children is divided.
7.  An element with a child of another background is divided; that child is a block of its own in this round.
8.  An element with text among its children, smaller than the threshold, is a block.
9.  An element whose largest child is smaller than the threshold is a block.
10. A cell after a cell that was not divided is not divided either.
11. Otherwise an element is divided …
12. … or, if it is a table, a row or a cell, it is a block.

Which rules hold for which tag is the table of the report, except for rule 7: there only tables and rows have it,
because the pages of 2003 colored those; here a `<div>` has it, too. The report leaves open, and here it is so:

- The threshold is a share of the page's area that shrinks from round to round (`SIZE_THRESHOLDS`).
- The DoC of rules 7, 8, 9 and 12 "by tag and size" is `_rate`.
- Text and inline elements between elements that break the line are one block. A text has no box: theirs is the space
  that their neighbors leave.
- An element without an area, whose children float, has the box of its children, and is not left out by rule 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from duramen.dom.tree import TEXT, Box, Style
from duramen.methods.vips.screen import INLINE_TAGS, Screen, unite

SIZE_THRESHOLDS: Final = (0.1, 0.05, 0.025, 0.0125, 0.006, 0.003, 0.0015, 0.0)
"""Shares of the page's area: the threshold of rules 8 and 9 in each round; the last holds from then on."""

_TEXT_TAGS: Final = frozenset("address blockquote caption dd dt figcaption h1 h2 h3 h4 h5 h6 li p pre td th".split())
_LIST_TAGS: Final = frozenset("dl ol table tbody tr ul".split())
_LARGE_SHARE: Final = 0.1
_TEXT_COHERENCE: Final = 9
"""The DoC of rule 4: text without parts."""
_RULES_OF_TAGS: Final = {
    "table": (1, 2, 3, 7, 9, 12),
    "tbody": (1, 2, 3, 7, 9, 12),
    "tr": (1, 2, 3, 7, 9, 12),
    "td": (1, 2, 3, 4, 8, 9, 10, 12),
    "th": (1, 2, 3, 4, 8, 9, 10, 12),
}
_RULES_OF_PARAGRAPHS: Final = (1, 2, 3, 4, 5, 6, 8, 9, 11)
"""For `<p>` and for inline elements."""
_RULES_OF_OTHERS: Final = (1, 2, 3, 4, 6, 7, 8, 9, 11)


@dataclass(frozen=True)
class VisualBlock:
    """Siblings that are seen as one block."""

    nodes: range
    box: Box
    coherence: int
    style: Style
    """Of its first text."""
    background: str
    is_text: bool
    """Whether it is text of one element, without parts."""


class _Verdict(NamedTuple):
    is_divided: bool
    coherence: int = 0


_DIVIDED: Final = _Verdict(is_divided=True)


def extract_blocks(screen: Screen, root: int, threshold: float) -> list[VisualBlock]:
    """Divide the subtree of an element into blocks, in document order."""
    tree = screen.tree
    blocks: list[VisualBlock] = []
    rows_with_block: set[int] = set()  # rows with a cell that was not divided
    waiting = [root]
    while waiting:
        node = waiting.pop()
        verdict = _judge(screen, node, threshold, is_root=node == root, rows_with_block=rows_with_block)
        if verdict is None:
            continue
        if verdict.is_divided:
            runs, children = _divide(screen, node)
            blocks += runs
            waiting += reversed(children)
            continue
        rows_with_block.add(tree.parent[node])
        box = screen.box[node]
        if box is not None:
            blocks.append(_make_block(screen, range(node, tree.end[node]), box, verdict.coherence))
    return sorted(blocks, key=lambda block: block.nodes.start)


def _judge(screen: Screen, node: int, threshold: float, *, is_root: bool, rows_with_block: set[int]) -> _Verdict | None:
    """Apply the rules of a tag in order; None if the node is left out."""
    tags, is_text, background = screen.tree.tag, screen.is_text, screen.background
    tag, parent = tags[node], screen.tree.parent[node]
    children = screen.valid_children(node)
    texts = sum(is_text[child] for child in children)
    if not is_root and background[node] != background[parent] and screen.has_text[node]:
        return _Verdict(False, _rate(screen, node))  # the second half of rule 7
    for rule in _find_rules(tag):
        match rule:
            case 1 if not children:
                return None
            case 2 if len(children) == 1 and not texts:
                return _DIVIDED
            case 3 if is_root and texts < len(children):
                return _DIVIDED
            case 4 if texts == len(children):
                return _Verdict(False, 10 if len({screen.style(child)[:2] for child in children}) == 1 else 9)
            case 5 if any(not is_text[child] and tags[child] not in INLINE_TAGS for child in children):
                return _DIVIDED
            case 6 if any(tags[child] == "hr" for child in children):
                return _DIVIDED
            case 7 if any(background[child] != background[node] for child in children):
                return _DIVIDED
            case 8 if texts and screen.relative_size(node) < threshold:
                return _Verdict(False, _rate(screen, node))
            case 9 if max(map(screen.relative_size, children)) < threshold:
                return _Verdict(False, _rate(screen, node))
            case 10 if parent in rows_with_block:
                return _Verdict(False, _rate(screen, node))
            case 11:
                return _DIVIDED
            case 12:
                return _Verdict(False, _rate(screen, node))
    raise AssertionError("the last rule of every tag decides")


def _find_rules(tag: str) -> tuple[int, ...]:
    if tag == "p" or tag in INLINE_TAGS:
        return _RULES_OF_PARAGRAPHS
    return _RULES_OF_TAGS.get(tag, _RULES_OF_OTHERS)


def _divide(screen: Screen, node: int) -> tuple[list[VisualBlock], list[int]]:
    """Return the runs of text among the children as blocks, and the other children."""
    tree = screen.tree
    blocks: list[VisualBlock] = []
    others: list[int] = []
    run: list[int] = []

    def end_run(following: int | None) -> None:
        if any(screen.is_text[child] for child in run):
            box = _measure_run(screen, node, run, others[-1] if others else None, following)
            fonts = {screen.style(child)[:2] for child in run if screen.is_text[child]}
            nodes = range(run[0], tree.end[run[-1]])
            blocks.append(_make_block(screen, nodes, box, 10 if len(fonts) == 1 else 9))
        run.clear()

    for child in tree.children(node):
        if screen.is_text[child] or (run and tree.tag[child] == "br"):
            run.append(child)
        elif screen.is_valid[child]:
            end_run(child)
            others.append(child)
    end_run(None)
    return blocks, others


def _measure_run(screen: Screen, parent: int, run: list[int], before: int | None, after: int | None) -> Box:
    """Return the space between the neighbors of a run of text, or the boxes of its inline elements."""
    left, top, width, height = screen.box[parent] or (0.0, 0.0, 1.0, 1.0)
    bottom = top + height
    if before is not None and (above := screen.box[before]):
        top = max(top, above[1] + above[3])
    if after is not None and (below := screen.box[after]):
        bottom = min(bottom, below[1])
    if bottom - top >= 1.0:
        return left, top, width, bottom - top
    inline: Box | None = None
    for child in run:
        inline = unite(inline, screen.box[child])
    return inline or (left, top, width, 1.0)


def _make_block(screen: Screen, nodes: range, box: Box, coherence: int) -> VisualBlock:
    tree = screen.tree
    first_text = next((node for node in nodes if tree.tag[node] == TEXT and screen.is_text[node]), nodes.start)
    is_text = coherence >= _TEXT_COHERENCE
    return VisualBlock(nodes, box, coherence, screen.style(first_text), screen.background[nodes.start], is_text)


def _rate(screen: Screen, node: int) -> int:
    """Return the DoC of an element that is not divided, from 5 to 8: by its tag, less if it is large."""
    tag = screen.tree.tag[node]
    coherence = 8 if tag in _TEXT_TAGS else 7 if tag in _LIST_TAGS else 6
    return coherence - (screen.relative_size(node) > _LARGE_SHARE)
