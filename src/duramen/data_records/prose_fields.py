"""Elements of records that are prose, so that no fields are looked for below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.data_records.labels import read_label
from duramen.data_records.subtrees import SubtreeWeights
from duramen.data_records.values import IGNORED_TAGS, is_formatting
from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import TEXT, Tree

FIELD_TAGS: Final = HEADING_TAGS.union(("img", "table", "ul", "ol", "dl"))
MAX_SAMPLED_ELEMENTS: Final = 20
"""Aligned elements that are tested for prose."""
MAX_SAMPLED_RECORDS: Final = 5
"""Records that are tested for fields."""
_PARAGRAPH_TAGS = frozenset(("p", "blockquote", "pre"))


def are_prose(weights: SubtreeWeights, nodes: Sequence[int]) -> bool:
    """True if most of the aligned elements are prose, with no fields to look for below."""
    sample = [node for node in nodes if weights.weight(node)][:MAX_SAMPLED_ELEMENTS]
    return 2 * sum(_is_prose(weights, node) for node in sample) > len(sample)


def _is_prose(weights: SubtreeWeights, node: int) -> bool:
    """True if an element is prose: text with links and emphasis in it, or several paragraphs.

    Paragraphs with different classes are fields, and so are paragraphs with labels.
    """
    tree = weights.tree
    prose_chars = field_chars = paragraph_chars = 0
    paragraph_classes: list[str | None] = []
    for child in tree.children(node):
        tag = tree.tag[child]
        if tag == TEXT:
            prose_chars += len(tree.text[child].strip())
        elif is_formatting(tree, child):
            prose_chars += weights.char_count(child)
        elif tag in _PARAGRAPH_TAGS:
            if read_label(tree, child):
                field_chars += weights.char_count(child)
                continue
            paragraph_classes.append(tree.attributes[child].get("class"))
            paragraph_chars += weights.char_count(child)
        elif tag not in IGNORED_TAGS:
            field_chars += weights.char_count(child)
    if (len(paragraph_classes) > 1 and len(set(paragraph_classes)) == 1) or prose_chars:
        prose_chars += paragraph_chars
    else:
        field_chars += paragraph_chars
    return prose_chars > 2 * field_chars


def have_fields(tree: Tree, nodes: Sequence[int]) -> bool:
    """True if records have headings, images or children with names: then they are more than prose."""
    return any(
        tree.tag[child] in FIELD_TAGS or "class" in tree.attributes[child] or "itemprop" in tree.attributes[child]
        for node in nodes[:MAX_SAMPLED_RECORDS]
        for child in tree.children(node)
        if tree.tag[child] != TEXT
    )
