"""Remove advertisements, pictures and lists of links from the block of an article.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
4.2. The block runs from the first word of the article to the last, and may contain advertisements, pictures with their
captions and lists of links to other stories. The rule "paper" is theirs, made for the news of 2008:

1. Remove the contents of any iframe or table.
2. Remove the contents of any div that contains a link, an iframe, a table, an image, an embed, an applet or an object.

It assumes that a div is a box beside the text. On modern pages the whole article is in divs, and its sentences have
links, so the second rule removes it, as the authors predicted. The rule "gentle" looks at the content of an element: it
removes a block element if more than nine tenths of its words are in links. A related story is such an element, a
paragraph that links to its sources is not.

Both rules look only at elements that open and close inside the kept part of the block. Both are linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_invisible_tags
from duramen.errors import UsageError
from duramen.language import count_words

CLEANING_RULES: Final = ("paper", "gentle")

_REMOVED_TAGS: Final = frozenset(("iframe", "table"))
_BOX_SIGN_TAGS: Final = frozenset(("a", "iframe", "table", "img", "embed", "applet", "object"))

_BOX_TAGS: Final = frozenset("div section article aside header footer nav ul ol dl table p li figure".split())
"""Tags that "gentle" may remove. Not a span: it may be a link in a sentence. Not a heading: it may be a link."""

_MAX_LINKED_SHARE: Final = 0.9
"""An element is removed if a larger share of its words is in links."""

_MAX_REMOVED_SHARE: Final = 0.5
"""The share of the words that "gentle" may remove: the content of a block of mostly links is the list of links."""


def clean(tree: Tree, spans: Sequence[range], rule: str) -> tuple[range, ...]:
    """Return the spans without what a rule, "paper" or "gentle", removes."""
    if rule not in CLEANING_RULES:
        raise UsageError(f"unknown rule {rule!r}: choose one of {', '.join(CLEANING_RULES)}")
    spans = tuple(kept for kept in spans if kept)
    if not spans:
        return ()
    cuts = _find_paper_cuts(tree, spans) if rule == "paper" else _find_gentle_cuts(tree, spans)
    return _subtract(spans, cuts)


def _find_paper_cuts(tree: Tree, spans: Sequence[range]) -> list[range]:
    tag, end, start = tree.tag, tree.end, spans[0].start
    signs = [0]  # the number of signs before each node of the block
    for node, kept in _iterate_block(spans):
        signs.append(signs[-1] + (kept and tag[node] in _BOX_SIGN_TAGS))

    def is_removed(node: int) -> bool:
        name = tag[node]
        return name in _REMOVED_TAGS or (name == "div" and signs[end[node] - start] > signs[node - start])

    # The block ends with a word: an element that ends with that word is closed outside the block.
    return _find_cuts(tree, spans, spans[-1].stop - 1, is_removed)


def _find_gentle_cuts(tree: Tree, spans: Sequence[range]) -> list[range]:
    tag, end, start = tree.tag, tree.end, spans[0].start
    words, linked = _count_words(tree, spans)

    def is_removed(node: int) -> bool:
        if tag[node] not in _BOX_TAGS:
            return False
        first, last = node - start, end[node] - start
        return linked[last] - linked[first] > _MAX_LINKED_SHARE * (words[last] - words[first])

    # A list of links may end the block without holding the last word of the article.
    cuts = _find_cuts(tree, spans, spans[-1].stop, is_removed)
    removed = sum(words[cut.stop - start] - words[cut.start - start] for cut in cuts)
    return [] if removed > _MAX_REMOVED_SHARE * words[-1] else cuts


def _count_words(tree: Tree, spans: Sequence[range]) -> tuple[list[int], list[int]]:
    """Return the number of kept words before each node of the block, and of those in links."""
    tag, end, text = tree.tag, tree.end, tree.text
    invisible_tags, hidden = find_invisible_tags(tree), tree.hidden
    start = spans[0].start
    link_end = next((end[node] for node in tree.ancestors(start) if tag[node] == "a"), 0)
    invisible_end = 0
    words, linked = [0], [0]
    for node, kept in _iterate_block(spans):
        name, count = tag[node], 0
        if name == TEXT:
            if kept and node >= invisible_end:
                count = count_words(text[node])
        elif name in invisible_tags or node in hidden:
            invisible_end = max(invisible_end, end[node])
        elif name == "a":
            link_end = max(link_end, end[node])
        words.append(words[-1] + count)
        linked.append(linked[-1] + (count if node < link_end else 0))
    return words, linked


def _iterate_block(spans: Sequence[range]) -> Iterator[tuple[int, bool]]:
    """Yield every node from the first kept one to the last, and whether it is kept."""
    position = spans[0].start
    for kept in spans:
        for node in range(position, kept.stop):
            yield node, node >= kept.start
        position = kept.stop


def _find_cuts(tree: Tree, spans: Sequence[range], last: int, is_removed: Callable[[int], bool]) -> list[range]:
    """Return the outermost removed elements that start in a span and end at `last` or before."""
    end, cuts, position = tree.end, list[range](), 0
    for kept in spans:
        for node in range(max(kept.start, position), kept.stop):
            if node >= position and end[node] <= last and is_removed(node):
                position = end[node]
                cuts.append(range(node, position))
    return cuts


def _subtract(spans: Sequence[range], cuts: Sequence[range]) -> tuple[range, ...]:
    """Return the spans without the cuts; both are in order."""
    left = []
    index = 0
    for kept in spans:
        start = kept.start
        while index < len(cuts) and cuts[index].start < kept.stop:
            if start < cuts[index].start:
                left.append(range(start, cuts[index].start))
            start = max(start, cuts[index].stop)
            if cuts[index].stop > kept.stop:
                break  # the cut continues in the next span
            index += 1
        if start < kept.stop:
            left.append(range(start, kept.stop))
    return tuple(left)
