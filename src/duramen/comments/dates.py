"""Which dates are those that comments were posted under, and which somebody speaks of: "I planted it on 3 May 2011."

By its form one is as good as the other, but a comment is posted once. Where it has a `<time>`, an element that is
called a date, or a date that stands for itself, the dates among its words are part of what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.comments.names import ITEM
from duramen.comments.roles import AUTHOR, BODY, PLAIN, STAMP, role
from duramen.comments.stamps import is_change, is_sentence, is_stamp, may_be_said
from duramen.dom.blocks import Blocks
from duramen.dom.tree import TEXT, Tree

_NONE: Final = 0
_SENTENCE: Final = 1
"""In a sentence, or where it tells when the comment was changed."""
_LINE: Final = 2
"""In a line with some words, which may be a sentence, or say who wrote the comment."""
_ALONE: Final = 3
"""With next to nothing beside it."""
_MARKED: Final = 4
"""In what is called a date."""

_NEAR: Final = 4
"""So many elements around a date may say that it is one: those farther out hold more than the date."""


def posting_dates(blocks: Blocks, verdicts: Sequence[int], within: Sequence[bool]) -> tuple[list[bool], list[bool]]:
    """Of each block whether it has a date that a comment was posted under; and whether it has one that is spoken of."""
    ways = [_way(blocks, block) if inside else _NONE for block, inside in enumerate(within)]
    spoken = [False] * len(ways)
    if _SENTENCE in ways or _LINE in ways:
        for block in _spoken(ways, _comments(blocks, verdicts), within):
            spoken[block] = True
    return [bool(way) and not said for way, said in zip(ways, spoken, strict=True)], spoken


def _spoken(ways: Sequence[int], comments: Sequence[int], within: Sequence[bool]) -> list[int]:
    dates: dict[int, list[int]] = {}
    for block, comment in enumerate(comments):
        if ways[block]:
            dates.setdefault(comment, []).append(block)
    found: list[int] = []
    prosaic: list[int] = []  # comments that have a date in a sentence, and no other
    for comment, own in dates.items():
        said = [block for block in own if ways[block] < _ALONE]
        apart = len(own) - len(said)
        if apart >= len(said) or (comment >= 0 and any(ways[block] == _MARKED for block in own)):
            found += said
            continue
        sentences = [block for block in said if ways[block] == _SENTENCE]
        if len(sentences) < len(own):
            found += sentences
        elif comment >= 0:
            prosaic.append(comment)
    # If most comments are like that, it is how this page writes its dates.
    count = len({comment for comment, inside in zip(comments, within, strict=True) if inside and comment >= 0})
    if 2 * len(prosaic) < count:
        found += [block for comment in prosaic for block in dates[comment]]
    return found


def _comments(blocks: Blocks, verdicts: Sequence[int]) -> list[int]:
    """Of each block the innermost element around it that is called a comment; −1 where none is."""
    around: list[int] = []
    for element, verdict in enumerate(verdicts):
        parent = blocks.parent[element]
        around.append(element if verdict == ITEM else around[parent] if parent >= 0 else -1)
    return [around[owner] for owner in blocks.owner]


def _way(blocks: Blocks, block: int) -> int:
    """How a block holds its date; the plainest, where it holds several."""
    tree = blocks.tree
    way = _MARKED if tree.tag[tree.parent[blocks.first[block]]] == "time" else _NONE
    for node in range(blocks.first[block], blocks.last[block] + 1):
        if way == _MARKED:
            break
        if tree.tag[node] == "time":
            way = _MARKED
        elif tree.tag[node] == TEXT and is_stamp(tree.text[node]):
            way = max(way, _way_of_text(tree, node))
    return _SENTENCE if way and is_change(blocks.text[block]) else way


def _way_of_text(tree: Tree, node: int) -> int:
    text = tree.text[node]
    around, called = tree.parent[node], PLAIN
    for _ in range(_NEAR):
        called = role(tree.tag[around], tree.attributes[around])
        if called == STAMP:
            return _MARKED
        around = tree.parent[around]
        if called != PLAIN or around < 0:
            break
    if called == AUTHOR and len(text.split()) == 1:
        return _NONE  # the name "3dPrint.at"
    if not may_be_said(text):
        return _LINE if called == BODY else _ALONE  # "When did it fall?" – "3 May 2011"
    return _SENTENCE if is_sentence(text) or is_change(text) else _LINE
