"""The container of the comments: which elements are in it, and where in it there are dates and words.

An element belongs to the container if it, or one around it, has such a name (`dom.class_names`) and does not contain
the first heading of the page: elements around the article do not hold its comments, whatever their names.

Most pages have no comments, and that must be found out quickly. To read the names of all elements costs nearly as much
as to parse the page; the parser selects those with a certain string much faster. An element with the name of a
container is worth a closer look if it contains a date, or an element with the name of a comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from duramen.comments.timestamps import find_posting_dates
from duramen.dom import class_names
from duramen.dom.blocks import Blocks
from duramen.dom.date_forms import MAX_DATE_LINE_WORDS, has_date
from duramen.dom.tag_sets import SECTION_HEADING_TAGS
from duramen.dom.text import join_first_texts
from duramen.dom.tree import TEXT, Tree

_MAX_HEADINGS: Final = 4
"""Headings tried, from the last one up: a page has one, and one more for the form."""
_HEADING_NODES: Final = 8
"""Nodes of a heading whose text is read."""

_SELECTED_PARTS: Final = (*((name, "omment") for name in ("class", "id", "itemprop", "itemtype")), ("id", "disqus"))
_STEM_OF_LANGUAGE: Final = {
    **dict.fromkeys(("es", "pt", "ca", "gl", "ro"), "omentari"),
    **dict.fromkeys(("pl", "cs", "sk", "sl", "hr", "sr", "bs", "lt", "id"), "koment"),
    **{"nl": "reactie", "tr": "yorum", "hu": "hozzaszol", "zh": "pinglun", "vi": "binhluan"},
}
"""Part of the names of comments besides `comment` (and `Kommentar`, `commentaire`), by the language of the page."""


@dataclass(frozen=True)
class CommentEvidence:
    """What suggests that a page has comments."""

    classes: dict[int, int] = field(repr=False)
    """Elements whose names say something about comments, in document order, each with its class of `class_names`."""
    has_named_container: bool
    """Whether an element with the name of a container holds a date or a comment."""
    headings: list[int]
    """Headings that announce comments, with a date somewhere after them."""


@dataclass(frozen=True, eq=False)
class CommentContainer:
    """What the search for comments needs to know of the elements and the blocks of a page."""

    blocks: Blocks
    classes: list[int] = field(repr=False)
    """Class of each element (`class_names`)."""
    elements: list[int]
    """Elements in the container, in document order."""
    has_posting_date: list[bool] = field(repr=False)
    """For each block, whether it holds a date under which a comment was posted."""
    has_mentioned_date: list[bool] = field(repr=False)
    """For each block, whether it holds a date that a comment talks about."""
    excluded: list[bool] = field(repr=False)
    """For each block, whether it is in the form for the next comment or in comments of other pages."""
    date_sums: list[int] = field(repr=False)
    """Number of blocks with a posting date before each block."""
    word_sums: list[int] = field(repr=False)
    """Number of words of comments before each block: outside links, dates and excluded blocks."""
    other_sums: list[int] = field(repr=False)
    """Number of blocks without a date before each block, outside the form."""
    first_block: int = 0
    """First block after the heading that announces the comments; 0 where elements alone delimit the container."""


def find_evidence(tree: Tree) -> CommentEvidence:
    """Find what suggests that a page has comments."""
    selected = [node for node in _select_elements(tree) if node > tree.body]
    verdicts = map(class_names.classify, tree.read_attributes(selected))
    classes = {node: verdict for node, verdict in zip(selected, verdicts, strict=True) if verdict}
    return CommentEvidence(classes, _has_named_container(tree, classes), list(_find_headings(tree, classes)))


def _select_elements(tree: Tree) -> list[int]:
    """Select the elements whose names are worth reading."""
    select = getattr(tree.attributes, "selected", None)  # the attributes of an unpickled tree are a plain list
    if select is None:
        return [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    stem = _STEM_OF_LANGUAGE.get((tree.attributes[0].get("lang") or "")[:2].lower())
    parts = [*_SELECTED_PARTS, ("class", stem), ("id", stem)] if stem else _SELECTED_PARTS
    selected: list[int] = select(",".join(f'[{name}*="{part}"i]' for name, part in parts))
    return selected


def _find_first_heading(tree: Tree) -> int:
    """Return the first `h1` of the page; −1 where there is none."""
    return tree.tag.index("h1") if "h1" in tree.tag else -1


def _has_named_container(tree: Tree, classes: dict[int, int]) -> bool:
    heading = _find_first_heading(tree)
    stop = 0
    for node, verdict in classes.items():
        if node < stop:
            continue
        if verdict == class_names.EXCLUDED:
            stop = tree.end[node]
        elif not node <= heading < tree.end[node]:
            stop = tree.end[node]
            for below in range(node, stop):
                if tree.tag[below] == TEXT:
                    if has_date(tree.text[below]):
                        return True
                elif classes.get(below) == class_names.COMMENT and tree.end[below] > below + 2:
                    return True
    return False


def _find_headings(tree: Tree, classes: dict[int, int]) -> Iterator[int]:
    """Find the last headings that announce comments and have a date after them."""
    tried = 0
    for node in sorted((node for tag in SECTION_HEADING_TAGS for node in tree.find_all(tag)), reverse=True):
        if classes.get(node, class_names.UNRELATED) >= class_names.CONTAINER or class_names.is_comments_heading(
            _read_short_text(tree, node)
        ):
            after = range(tree.end[node], tree.end[max(tree.parent[tree.parent[node]], 0)])
            if any(tree.tag[below] == TEXT and has_date(tree.text[below]) for below in after):
                yield node
            tried += 1
            if tried == _MAX_HEADINGS:
                return


def _read_short_text(tree: Tree, node: int) -> str:
    return " ".join(join_first_texts(tree, node, _HEADING_NODES).split())


def find_containers(blocks: Blocks, evidence: CommentEvidence) -> Iterator[CommentContainer]:
    """Find possible containers: first by names, then after a heading, from the last heading up."""
    classes = [evidence.classes.get(node, class_names.UNRELATED) for node in blocks.node]
    if evidence.has_named_container:
        elements = _find_elements_by_name(blocks, classes)
        if elements:
            yield describe_container(blocks, classes, elements)
    if evidence.headings:
        headings = set(evidence.headings)
        for element in reversed(range(len(classes))):
            if blocks.node[element] in headings and (container := _find_container_after(blocks, classes, element)):
                yield container


def _find_elements_by_name(blocks: Blocks, classes: list[int]) -> list[int]:
    tree = blocks.tree
    heading = _find_first_heading(tree)
    states: list[int] = []
    elements: list[int] = []
    for element, verdict in enumerate(classes):
        parent = blocks.parent[element]
        state = states[parent] if parent >= 0 else class_names.UNRELATED
        if state != class_names.EXCLUDED:
            if verdict == class_names.EXCLUDED:
                state = verdict
            elif verdict and not blocks.node[element] <= heading < tree.end[blocks.node[element]]:
                state = class_names.CONTAINER
        states.append(state)
        if state == class_names.CONTAINER:
            elements.append(element)
    return elements


def _find_container_after(blocks: Blocks, classes: list[int], heading: int) -> CommentContainer | None:
    """Return what follows a heading in the element around it, or, where it ends there, in the one around that.

    Pages whose comments have no names still tell their readers where they begin.
    """
    start = blocks.stop[heading]
    around = blocks.parent[heading]
    while around >= 0 and blocks.stop[around] == start:
        around = blocks.parent[around]
    if around < 0:
        return None
    stop = blocks.stop[around]
    elements = [
        element
        for element in range(heading + 1, len(classes))
        if start <= blocks.start[element] < blocks.stop[element] <= stop
    ]
    return describe_container(blocks, classes, elements, range(start, stop))


def describe_container(
    blocks: Blocks, classes: list[int], elements: list[int], extent: range | None = None
) -> CommentContainer:
    """Describe the container that consists of these elements, or of these blocks with all elements in them."""
    count = len(blocks)
    inside = [False] * count
    if extent is not None:
        inside[extent.start : extent.stop] = [True] * len(extent)
    for element in elements:
        start, stop = blocks.start[element], blocks.stop[element]
        if not inside[start] or not inside[stop - 1]:
            inside[start:stop] = [True] * (stop - start)
    excluded = _find_excluded(blocks, classes, elements)
    searched = [is_inside and not out for is_inside, out in zip(inside, excluded, strict=True)]
    posting, mentioned = find_posting_dates(blocks, classes, searched)
    words = [
        max(0, blocks.words[block] - blocks.linked[block] - (MAX_DATE_LINE_WORDS if posting[block] else 0))
        if searched[block]
        else 0
        for block in range(count)
    ]
    return CommentContainer(
        blocks,
        classes,
        elements,
        posting,
        mentioned,
        excluded,
        list(accumulate(posting, initial=0)),
        list(accumulate(words, initial=0)),
        list(accumulate((not excluded[block] and not posting[block] for block in range(count)), initial=0)),
        extent.start if extent is not None else 0,
    )


def _find_excluded(blocks: Blocks, classes: list[int], elements: list[int]) -> list[bool]:
    """Find the blocks of forms with a text area, and of comments of other pages."""
    tree = blocks.tree
    excluded_elements = [element for element, verdict in enumerate(classes) if verdict == class_names.EXCLUDED]
    for element in elements:
        node = blocks.node[element]
        if tree.tag[node] == "form" and "textarea" in tree.tag[node : tree.end[node]]:
            excluded_elements.append(element)
    excluded = [False] * len(blocks)
    for element in excluded_elements:
        start, stop = blocks.start[element], blocks.stop[element]
        excluded[start:stop] = [True] * (stop - start)
    return excluded
