"""The first post of a thread, which often stands apart from the replies, in a container of its own.

What replies have in common is a vocabulary: the classes that occur in every one of them (`author`, `avatar`,
`posted`, `message`). The opening post speaks it, too. It is the smallest element before the replies in which most of
the vocabulary occurs, with little between it and them.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from duramen.data_records.outline import Outline
from duramen.data_records.partition import Record, weigh
from duramen.data_records.shape import likeness, shape_of
from duramen.dom.tree import TEXT

SPOKEN: Final = 0.7
"""The share of the vocabulary that the opening must have."""
WORDS: Final = 6
"""The fewest words that make a vocabulary."""
FEW_WORDS, ALIKE = 2, 0.8
"""So few make one, too, if all are spoken by what is as like the first record as this."""
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
    if len(said) < FEW_WORDS:
        return None
    usual = median(weigh(outline, [record]) for record in sample)
    least = LIGHT * usual
    vocabulary: set[str] | None = None
    first = records[0][0]
    node = first - 1
    while node > tree.body and outline.before[first] - outline.before[node] <= HEAVY * usual:
        block = _block(outline, node, first)
        if block is not None and outline.weight(block) >= least:
            words = _words(outline, block)
            # What shares fewer words with one record cannot speak a vocabulary, whatever the other records say.
            if len(words & said) >= min(FEW_WORDS, SPOKEN * WORDS):
                vocabulary = _vocabulary(outline, sample) if vocabulary is None else vocabulary
                if not vocabulary:
                    return None
                if len(vocabulary) >= WORDS:
                    if len(vocabulary & words) >= SPOKEN * len(vocabulary):
                        return (_innermost(outline, block, vocabulary, least),)
                elif vocabulary <= words:
                    inner = _innermost(outline, block, vocabulary, least)
                    made = shape_of(outline, (inner,))
                    return (inner,) if likeness(made, shape_of(outline, records[0])) >= ALIKE else None
            if outline.before[first] - outline.before[block] > GAP * usual:
                return None
        node = node - 1 if block is None else block - 1
    return None


def _vocabulary(outline: Outline, sample: Sequence[Record]) -> set[str]:
    """The words that all of these records say; none where they are too few to make a vocabulary.

    Few words must be those of the parts: an opening has a name of its own.
    """
    found = set.intersection(*(_said(outline, record) for record in sample))
    if len(found) < WORDS and len(sample[0]) == 1:
        found -= _words(outline, sample[0][0], 1)
    return found if len(found) >= FEW_WORDS else set()


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


def _words(outline: Outline, top: int, nodes: int = _NODES) -> set[str]:
    tree = outline.tree
    tags = tree.tag
    elements = [node for node in range(top, min(tree.end[top], top + nodes)) if tags[node] != TEXT]
    return {
        f"{tags[node]}.{token}"
        for node, known in zip(elements, tree.attribute_values("class", elements), strict=True)
        if known
        for token in known.split()
    }
