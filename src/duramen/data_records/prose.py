"""Prose: which records look like parts of an article, and not like entries of a list.

Paragraphs and sections are repeated like records. An entry has something that a part of an article has not: a link that
stands by itself or begins the entry, a price or a date outside of sentences, or an image beside a short text. The links
of an article are inside its sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.data_records.record_segmentation import Record, total_weight
from duramen.data_records.subtrees import SubtreeWeights
from duramen.data_records.values import is_date, is_price
from duramen.dom.tag_sets import HEADING_TAGS, INLINE_TAGS
from duramen.dom.tree import TEXT, Tree

MAX_SAMPLED_RECORDS: Final = 20
"""Records that are tested."""
MAX_PARAGRAPHS_PER_RECORD: Final = 4
"""With more paragraphs and headings per record on average, the records are chapters."""
MAX_CHARS_BEFORE_LINK: Final = 60
"""Characters before the first link of a paragraph that may be an entry of a list."""
MAX_CHARS_OF_MARK: Final = 8
"""Characters before a link that begins a paragraph: a bullet, a number."""
MIN_LINKED_SHARE: Final = 0.2
"""Share of its text in links that a paragraph has which is an entry and does not begin with a link."""
MAX_DATUM_NODES: Final = 60
"""Nodes of an element in which a price or a date is looked for."""
MAX_LINK_NODES: Final = 400
"""Nodes of an element in which a link outside of sentences is looked for."""
MAX_CAPTION_CHARS: Final = 600
"""Weight of a record that an image makes an entry: the sections of an article have images, too."""

_PARAGRAPH_TAGS = HEADING_TAGS | {"p", "blockquote", "pre"}
_FLOW_TAGS = _PARAGRAPH_TAGS | {"figure", "img", "hr", "br", "b", "strong", "em", "i", TEXT}
_RUNNING_TAGS = INLINE_TAGS | {TEXT}


def prose_share(weights: SubtreeWeights, records: Sequence[Record]) -> float:
    """The share of the records that look like parts of an article.

    Paragraphs, headings and lists in a row are an article unless each begins with a link.
    """
    sample = records[:MAX_SAMPLED_RECORDS]
    paragraphs = sum(weights.tree.tag[top] in _PARAGRAPH_TAGS for record in sample for top in record)
    if paragraphs > MAX_PARAGRAPHS_PER_RECORD * len(sample):
        return 1.0
    return sum(not is_entry(weights, record) for record in sample) / len(sample)


def is_entry(weights: SubtreeWeights, record: Record) -> bool:
    """True if a record looks like an entry of a list, and not like a part of an article."""
    tree = weights.tree
    if tree.tag[record[0]] == "dt":
        return True
    if _is_running_text(tree, record):
        return False
    if tree.tag[record[0]] not in _FLOW_TAGS:
        weight = total_weight(weights, [record])
        return (
            any(tree.tag[top] == "tr" for top in record)
            or "itemscope" in tree.attributes[record[0]]
            or any(_has_free_link(weights, top) for top in record)
            or (weight <= MAX_CAPTION_CHARS and any("img" in tree.tag[top : tree.end[top]] for top in record))
            or _has_datum(weights, record)
            or (tree.tag[record[0]] == "li" and weight <= MAX_CHARS_BEFORE_LINK)
        )
    if not any(map(weights.link_weight, record)):
        return False
    start = record[0]
    end = tree.end[record[-1]]
    if "br" in tree.tag[start:end]:
        return True
    sums = weights.link_weight_sums
    first_link = next((node for node in range(start, end) if sums[node + 1] > sums[node]), end)
    before = weights.weight_sums[first_link] - weights.weight_sums[start]
    if before <= MAX_CHARS_OF_MARK:
        return True
    linked = sum(map(weights.link_weight, record))
    return before < MAX_CHARS_BEFORE_LINK and linked >= MIN_LINKED_SHARE * total_weight(weights, [record])


def _is_running_text(tree: Tree, record: Record) -> bool:
    """True for a run of links and text between them in one line: a part of a sentence."""
    if len(record) < 2 or any(tree.tag[top] not in _RUNNING_TAGS for top in record):
        return False
    return not any(tag not in _RUNNING_TAGS for tag in tree.tag[record[0] : tree.end[record[-1]]])


def _has_free_link(weights: SubtreeWeights, top: int) -> bool:
    """True if a record has a link that begins or ends a line, or is most of it: not one inside a sentence."""
    tree = weights.tree
    if not weights.link_count(top):
        return False
    for node in range(top, min(top + MAX_LINK_NODES, tree.end[top])):
        if tree.tag[node] != "a" or not weights.weight(node):
            continue
        outer = node
        while outer > top and tree.tag[tree.parent[outer]] in INLINE_TAGS and tree.parent[outer] >= top:
            outer = tree.parent[outer]
        if outer == top:
            return True
        block = tree.parent[outer]
        if 2 * weights.link_weight(block) >= weights.weight(block) or _is_at_line_end(tree, block, outer):
            return True
    return tree.end[top] - top > MAX_LINK_NODES


def _is_at_line_end(tree: Tree, block: int, node: int) -> bool:
    """True if an inline element begins or ends a line of its block: no text and no other inline element is there."""
    before = None
    for child in tree.children(block):
        if child == node:
            if before is None or tree.tag[before] not in _RUNNING_TAGS:
                return True
        elif tree.tag[child] != TEXT or tree.text[child].strip():
            if child > node:
                return tree.tag[child] not in _RUNNING_TAGS
            before = child
    return True


def _has_datum(weights: SubtreeWeights, record: Record) -> bool:
    """True if a text node of a record is a price or a date. In prose these are inside sentences."""
    tree = weights.tree
    texts = (
        tree.text[node]
        for top in record
        for node in range(top, min(top + MAX_DATUM_NODES, tree.end[top]))
        if not weights.tag_ids[node]
    )
    return any(is_price(text) or is_date(text) for text in texts)
