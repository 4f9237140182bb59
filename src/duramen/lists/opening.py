"""The first post of a thread, which often stands apart from the replies, in a container of its own.

What replies have in common is a vocabulary: the classes that occur in every one of them (`author`, `avatar`,
`posted`, `message`). The opening post speaks it, too. It is the smallest element before the replies in which most of
the vocabulary occurs, with little between it and them.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from duramen.lists.outline import Outline
from duramen.lists.partition import Record, weigh
from duramen.tree import TEXT

SPOKEN: Final = 0.7
"""The share of the vocabulary that the opening must have."""
WORDS: Final = 6
"""The fewest words that make a vocabulary."""
GAP: Final = 2.0
"""Of the usual weight of a record, the most that may stand between the opening and the rest."""
LIGHT: Final = 0.3
HEAVY: Final = 40.0
_SAMPLE = 4
"""Records that are listened to: what all of them say is the vocabulary."""
_NODES = 150
"""Nodes of an element in which words are looked for."""


def opening(outline: Outline, region: int, records: Sequence[Record]) -> Record | None:
    """The element before a list that is its first record."""
    tree = outline.tree
    sample = records[:_SAMPLE]
    said = _said(outline, records[0])
    if len(said) < WORDS:
        return None
    usual = median(weigh(outline, [record]) for record in sample)
    vocabulary: set[str] | None = None
    first = records[0][0]
    node = first - 1
    while node > tree.body and outline.before[first] - outline.before[node] <= HEAVY * usual:
        block = _block(outline, node, first)
        if block is not None and outline.weight(block) >= LIGHT * usual:
            words = _words(outline, block)
            if len(words & said) >= SPOKEN * WORDS:  # else it cannot speak a vocabulary, whatever the other records say
                vocabulary = _vocabulary(outline, sample) if vocabulary is None else vocabulary
                if not vocabulary:
                    return None
                if len(vocabulary & words) >= SPOKEN * len(vocabulary):
                    return (_innermost(outline, block, vocabulary, LIGHT * usual),)
            if outline.before[first] - outline.before[block] > GAP * usual:
                return None
        node = node - 1 if block is None else block - 1
    return None


def _vocabulary(outline: Outline, sample: Sequence[Record]) -> set[str]:
    """The words that all of these records say; none where they are too few to make a vocabulary."""
    found = set.intersection(*(_said(outline, record) for record in sample))
    return found if len(found) >= WORDS else set()


def _said(outline: Outline, record: Record) -> set[str]:
    return {word for top in record for word in _words(outline, top)}


def _block(outline: Outline, node: int, first: int) -> int | None:
    """The largest element around a node that ends before the records; None where that is the text itself."""
    tree = outline.tree
    while tree.end[tree.parent[node]] <= first:
        node = tree.parent[node]
    return None if tree.tag[node] == TEXT or tree.end[node] > first else node


def _innermost(outline: Outline, node: int, vocabulary: set[str], least: float) -> int:
    """The smallest element in there that still has as much of the vocabulary."""
    needed = vocabulary & _words(outline, node)
    while True:
        inner = next(
            (
                child
                for child in outline.tree.children(node)
                if outline.weight(child) >= least and needed <= _words(outline, child)
            ),
            None,
        )
        if inner is None:
            return node
        node = inner


def _words(outline: Outline, top: int) -> set[str]:
    tree = outline.tree
    tags = tree.tag
    elements = [node for node in range(top, min(tree.end[top], top + _NODES)) if tags[node] != TEXT]
    return {
        f"{tags[node]}.{token}"
        for node, known in zip(elements, tree.values_of("class", elements), strict=True)
        if known
        for token in known.split()
    }
