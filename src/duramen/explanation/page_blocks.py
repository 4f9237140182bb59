"""Build the parts of an explanation that every method has: the blocks of the page, and why some are hidden."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Final, Protocol

from duramen.comments import Comment
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.tree_queries import ignore_hidden
from duramen.dom.visibility import describe_hiding, find_invisible_tags
from duramen.explanation.facts import HIDDEN_STEP, METHOD_STEP, BlockExplanation, Explanation
from duramen.metadata import Metadata
from duramen.metadata.field_explanation import explain_metadata
from duramen.xpath.path_builder import make_positional_xpaths

_MAX_NAME_CHARS: Final = 40


class Explainable(Protocol):
    """What an explanation needs of a content."""

    @property
    def page(self) -> Page: ...
    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def spans(self) -> tuple[range, ...]: ...
    @property
    def confidence(self) -> float: ...
    @property
    def page_type(self) -> str | None: ...
    @property
    def type_log_odds(self) -> Mapping[str, float]: ...
    @property
    def comments(self) -> list[Comment]: ...
    @property
    def metadata(self) -> Metadata: ...


@dataclass(frozen=True, eq=False)
class ExplainedBlocks:
    """All blocks of a page, also those that the method did not read because they are hidden."""

    blocks: tuple[BlockExplanation, ...]
    """Not decided yet: nothing is kept."""
    read: tuple[int, ...]
    """The index of each block that the method read, in their order."""


def explain_spans(content: Explainable) -> Explanation:
    """Explain a content by its spans alone, for methods that keep no record of their steps."""
    blocks = []
    for block in describe_page(content).blocks:
        kept = _overlaps(content.spans, block)
        if block.hidden is None or kept:
            verb = "Kept" if kept else "Dropped"
            reason = f"{verb} by the method {content.method}: {content.reason}."
            block = replace(block, kept=kept, step=METHOD_STEP, reason=reason)
        blocks.append(block)
    return Explanation(
        content.method,
        content.reason,
        content.confidence,
        tuple(blocks),
        tuple(explain_metadata(content.metadata)),
        page_type=content.page_type,
        page_types=number_types(content.type_log_odds),
    )


def describe_page(content: Explainable) -> ExplainedBlocks:
    """Return the blocks of a page, each with its XPath, and why it is hidden or a comment."""
    tree = content.page.tree
    read = find_blocks(tree)
    places = [(read, number) for number in range(len(read))]
    hiding = replace(tree, ignores_hidden=False)
    if hiding.hidden and not tree.ignores_hidden:
        whole = find_blocks(ignore_hidden(tree))
        places += [(whole, number) for number in range(len(whole)) if not _holds_start(whole, number, read)]
        places.sort(key=lambda place: place[0].first[place[1]])
    first = [blocks.first[number] for blocks, number in places]
    last = [blocks.last[number] for blocks, number in places]
    comments = _find_comment_reasons(content.comments, first, last)
    hidden = _find_hidden_reasons(hiding, first)
    nodes = [blocks.node[blocks.owner[number]] for blocks, number in places]
    paths = make_positional_xpaths(tree, nodes)
    invisible = find_invisible_tags(tree)
    described = tuple(
        BlockExplanation(
            index,
            nodes[index],
            first[index],
            last[index],
            paths[nodes[index]],
            _read_text(blocks, number, invisible),
            blocks.words[number],
            kept=False,
            step=HIDDEN_STEP,
            reason=f"Not read: {hidden[index]}." if index in hidden else "",
            hidden=hidden.get(index),
            comment=comments.get(index),
        )
        for index, (blocks, number) in enumerate(places)
    )
    return ExplainedBlocks(described, tuple(index for index, (blocks, _) in enumerate(places) if blocks is read))


def _read_text(blocks: Blocks, number: int, invisible: frozenset[str]) -> str:
    """Return the text of a block as a reader sees it: words in two inline elements may touch."""
    tree, node, last = blocks.tree, blocks.first[number], blocks.last[number]
    if node == last:
        return blocks.text[number]
    pieces = []
    while node <= last:
        tag = tree.tag[node]
        if tag == TEXT:
            pieces.append(tree.text[node])
        elif tag in invisible or node in tree.hidden:
            node = tree.end[node]
            continue
        elif tag == "br":
            pieces.append(" ")
        node += 1
    return " ".join("".join(pieces).split())


def _holds_start(whole: Blocks, number: int, read: Blocks) -> bool:
    """Return whether a block of the whole page holds the start of one that was read."""
    place = bisect_left(read.first, whole.first[number])
    return place < len(read) and read.first[place] <= whole.last[number]


def number_types(log_odds: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each page type, the highest first.

    Each type has a classifier of its own; their probabilities are divided by their sum.
    """
    odds = {name: 1.0 / (1.0 + exp(-max(min(score, 30.0), -30.0))) for name, score in log_odds.items()}
    total = sum(odds.values()) or 1.0
    return {name: odds[name] / total for name in sorted(odds, key=lambda name: -odds[name])}


def _overlaps(spans: Sequence[range], block: BlockExplanation) -> bool:
    place = bisect_left(spans, block.first + 1, key=lambda span: span.stop)  # the first span that ends after its start
    return place < len(spans) and spans[place].start <= block.last


def _find_comment_reasons(comments: Sequence[Comment], first: Sequence[int], last: Sequence[int]) -> dict[int, str]:
    reasons: dict[int, str] = {}
    for comment in comments:
        author, stamp = comment.author or "a reader", f", {comment.stamp}" if comment.stamp else ""
        for span in comment.all_spans:
            for index in range(bisect_left(last, span.start), bisect_left(first, span.stop)):
                reasons[index] = f"part of a reader comment by {author}{stamp}"
    return reasons


def name_element(tree: Tree, node: int) -> str:
    """Return the tag of an element with its id, or else with its first class: `<div id=paywall>`."""
    attributes = tree.attributes[node]
    for key in ("id", "class"):
        if names := (attributes.get(key) or "").split():
            return f"<{tree.tag[node]} {key}={names[0][:_MAX_NAME_CHARS]}>"
    return f"<{tree.tag[node]}>"


def _find_hidden_reasons(tree: Tree, first: Sequence[int]) -> dict[int, str]:
    reasons: dict[int, str] = {}
    end = 0
    for node in sorted(tree.hidden):
        if node < end:  # inside the one before
            continue
        end = tree.end[node]
        why = f"{name_element(tree, node)} around it {describe_hiding(tree.attributes[node])}"
        for index in range(bisect_left(first, node), bisect_left(first, end)):
            reasons[index] = why
    return reasons
