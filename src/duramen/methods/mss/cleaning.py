"""What to take out of a block of HTML that was found to be the article.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
4.2. The block runs from the first word of the article to the last, and may hold advertisements, pictures with their
captions and lists of links to other stories. The rule "paper" is theirs, made for the news of 2008:

1. Remove the contents of any iframe or table.
2. Remove the contents of any div that contains a link, an iframe, a table, an image, an embed, an applet or an object.

It takes a page's word for it that a div is a box beside the text. Pages of today set whole articles in divs, and link
in their sentences, so that the second rule loses them, as the authors foresaw. The rule "gentle" asks what a box is
made of: it removes a block element if more than nine tenths of its words stand in links. A related story is such an
element, a paragraph that links to its sources is not.

Both look only at elements that open and close inside the block, as far as it was kept. Both are linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import invisible
from duramen.errors import UsageError
from duramen.language import count_words

RULES: Final = ("paper", "gentle")

_REMOVED: Final = frozenset(("iframe", "table"))
_SIGNS: Final = frozenset(("a", "iframe", "table", "img", "embed", "applet", "object"))

_BOXES: Final = frozenset("div section article aside header footer nav ul ol dl table p li figure".split())
"""What "gentle" may remove. Not a span, which may wrap a link in a sentence; not a heading, which may be a link."""

_LINKED: Final = 0.9
"""An element goes if more than this share of its words is in links."""

_MOST: Final = 0.5
"""The share of the words that "gentle" may remove: what is mostly links is a list, and they are its content."""


def clean(tree: Tree, spans: Sequence[range], rule: str) -> tuple[range, ...]:
    """The spans without what a rule, "paper" or "gentle", removes. Nothing outside the given spans is ever kept."""
    if rule not in RULES:
        raise UsageError(f"unknown rule {rule!r}: choose one of {', '.join(RULES)}")
    spans = tuple(kept for kept in spans if kept)
    if not spans:
        return ()
    return _without(spans, _paper(tree, spans) if rule == "paper" else _gentle(tree, spans))


def _paper(tree: Tree, spans: Sequence[range]) -> list[range]:
    tag, end, start = tree.tag, tree.end, spans[0].start
    signs = [0]  # how many there are before each node of the block
    for node, kept in _block(spans):
        signs.append(signs[-1] + (kept and tag[node] in _SIGNS))

    def goes(node: int) -> bool:
        name = tag[node]
        return name in _REMOVED or (name == "div" and signs[end[node] - start] > signs[node - start])

    # The block ends with a word: what ends with that word is closed after it, outside the block.
    return _cuts(tree, spans, spans[-1].stop - 1, goes)


def _gentle(tree: Tree, spans: Sequence[range]) -> list[range]:
    tag, end, start = tree.tag, tree.end, spans[0].start
    words, linked = _words(tree, spans)

    def goes(node: int) -> bool:
        if tag[node] not in _BOXES:
            return False
        first, last = node - start, end[node] - start
        return linked[last] - linked[first] > _LINKED * (words[last] - words[first])

    # A list of links may well end the block, and need not hold the article's last word.
    cuts = _cuts(tree, spans, spans[-1].stop, goes)
    removed = sum(words[cut.stop - start] - words[cut.start - start] for cut in cuts)
    return [] if removed > _MOST * words[-1] else cuts


def _words(tree: Tree, spans: Sequence[range]) -> tuple[list[int], list[int]]:
    """How many words are kept before each node of the block, and how many of them in links."""
    tag, end, text = tree.tag, tree.end, tree.text
    unseen, hidden = invisible(tree), tree.hidden
    start = spans[0].start
    link_end = next((end[node] for node in tree.ancestors(start) if tag[node] == "a"), 0)
    unseen_end = 0
    words, linked = [0], [0]
    for node, kept in _block(spans):
        name, count = tag[node], 0
        if name == TEXT:
            if kept and node >= unseen_end:
                count = count_words(text[node])
        elif name in unseen or node in hidden:
            unseen_end = max(unseen_end, end[node])
        elif name == "a":
            link_end = max(link_end, end[node])
        words.append(words[-1] + count)
        linked.append(linked[-1] + (count if node < link_end else 0))
    return words, linked


def _block(spans: Sequence[range]) -> Iterator[tuple[int, bool]]:
    """Every node from the first that is kept to the last, and whether it is kept."""
    position = spans[0].start
    for kept in spans:
        for node in range(position, kept.stop):
            yield node, node >= kept.start
        position = kept.stop


def _cuts(tree: Tree, spans: Sequence[range], last: int, goes: Callable[[int], bool]) -> list[range]:
    """The outermost elements that start in a span, end at `last` or before it, and go."""
    end, cuts, position = tree.end, list[range](), 0
    for kept in spans:
        for node in range(max(kept.start, position), kept.stop):
            if node >= position and end[node] <= last and goes(node):
                position = end[node]
                cuts.append(range(node, position))
    return cuts


def _without(spans: Sequence[range], cuts: Sequence[range]) -> tuple[range, ...]:
    """The spans less the cuts; both are in order."""
    left = []
    place = 0
    for kept in spans:
        start = kept.start
        while place < len(cuts) and cuts[place].start < kept.stop:
            if start < cuts[place].start:
                left.append(range(start, cuts[place].start))
            start = max(start, cuts[place].stop)
            if cuts[place].stop > kept.stop:
                break  # it goes on into the next span
            place += 1
        if start < kept.stop:
            left.append(range(start, kept.stop))
    return tuple(left)
