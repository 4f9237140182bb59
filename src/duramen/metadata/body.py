"""The parts of the body, by what they are called.

What other people's texts stand in is left out whole: comments, related stories, sidebars, navigation, the page's
footer. A date or a name in there is not the page's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from duramen.dom.cached import once
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import INVISIBLE, invisible
from duramen.metadata.called import name_words
from duramen.metadata.claims import NOWHERE
from duramen.metadata.marks import APART, FOLLOWS, HEADINGS, OF_OTHERS, STANDS_BESIDE, Marks, marks_around, read_marks
from duramen.metadata.strings import text_of

_PROSE: Final = 80
"""Characters: a text node as long as this is more than a label."""
_COMMENTS: Final = frozenset(
    "comments replies kommentare commentaires comentarios commenti reacties комментарии".split()
)
_IN_COMMENTS: Final = ("comment", "replies", "komment", "coment", "reacties")
"""Without one of these there is none of those among letters of ASCII."""
_LONGEST_HEADING: Final = 30
_LEFT_OUT: Final = INVISIBLE | APART


class Ranges(NamedTuple):
    """Ranges of nodes, in order and apart from each other."""

    starts: list[int]
    stops: list[int]

    def holds(self, node: int) -> bool:
        """Whether a node stands in one of them."""
        place = bisect_right(self.starts, node)
        return place > 0 and node < self.stops[place - 1]


@dataclass(frozen=True, eq=False, init=False)
class Body:
    """The body of a page with this headline, a node; what holds the headline is the page's own, whatever its name."""

    tree: Tree = field(repr=False)
    headline: int = NOWHERE
    is_part: bool = False
    """Whether only the marks around some nodes are known."""

    def __init__(self, tree: Tree, headline: int = NOWHERE) -> None:
        own = self.__dict__  # it is frozen
        own["tree"] = tree
        own["headline"] = headline

    @once
    def marks(self) -> Marks:
        """The elements that bear a mark, in order."""
        return read_marks(self.tree)

    def around(self, nodes: Sequence[int], *, own: bool = False) -> Body:
        """The body as far as it holds these nodes or the headline.

        Without `own` their own marks do not count, nor do headings. With it, it tells the same of them as the whole
        body, in a part of the time; so where that was read it is that.
        """
        if own and "marks" in self.__dict__ and not self.is_part:
            return self
        found = Body(self.tree, self.headline)
        held = [*nodes, self.headline] if self.headline > self.tree.body else nodes
        found.__dict__["marks"] = marks_around(self.tree, held, own)
        found.__dict__["is_part"] = True
        return found

    def is_apart(self, node: int) -> bool:
        """Whether a node stands in a part of the page that is left out."""
        return self._parts[0].holds(node)

    def own(self, nodes: Sequence[int], *, also_beside: bool = True) -> list[int]:
        """Of nodes that are in order those of the page's own parts; `also_beside`, in a sidebar or a footer as well."""
        apart, beside = self._parts
        found = _outside(apart.starts, apart.stops, list(nodes))
        return found if also_beside else _outside(beside.starts, beside.stops, found)

    @once
    def readable(self) -> list[int]:
        """The text nodes that a reader sees, in order."""
        tree, nodes = self.tree, self.marks.nodes
        skipped, tags = invisible(tree), tree.tag
        apart = [node for node in nodes if tags[node] in skipped]
        return _texts(tags, tree.text, tree.end, tree.body, sorted(tree.hidden.union(apart)))

    @once
    def _parts(self) -> tuple[Ranges, Ranges]:
        """What is apart from the page's own text, and what is beside it."""
        return _divided(self.tree, self.headline, self.marks.nodes, self.marks.tells)


def _divided(tree: Tree, headline: int, nodes: list[int], marks: list[int]) -> tuple[Ranges, Ranges]:
    apart, beside = Ranges([], []), Ranges([], [])
    if not nodes:
        return apart, beside
    tags, ends, parents = tree.tag, tree.end, tree.parent
    half = len(tags) - tree.body  # twice what is half of the page
    prose = _prose(tags, tree.text, parents, len(tags) if headline == NOWHERE else ends[headline])
    until = besides = inside = 0  # the ends of what is left out, of what is beside, and of the article around
    for place in range(len(nodes)):
        node, tells = nodes[place], marks[place]
        if node < until:
            continue
        tag, end = tags[node], ends[node]
        is_own = node <= headline < end
        is_most = 2 * (end - node) > half
        if tag in HEADINGS and node > headline and node > prose and _announces(tree, node):
            until = ends[max(parents[node], 0)]
            apart.starts.append(node)
            apart.stops.append(until)
        elif tells & OF_OTHERS or tag in _LEFT_OUT:
            # There may be more comments than text: after the text, what is called so is left out whatever its size.
            if not (is_own or (is_most and not (tells & FOLLOWS and node > prose))):
                until = end
                apart.starts.append(node)
                apart.stops.append(until)
        elif tag == "article" or tag == "main":
            inside = max(inside, end)
        elif tells & STANDS_BESIDE or (node >= inside and (tag == "aside" or tag == "footer")):
            if node >= besides and not (is_own or is_most):
                besides = end
                beside.starts.append(node)
                beside.stops.append(besides)
    return apart, beside


def _prose(tags: list[str], texts: list[str], parents: list[int], start: int) -> int:
    """The first text from `start` on that is more than a label; the end of the page where there is none."""
    for node in range(start, len(tags)):
        text = texts[node]
        if len(text) >= _PROSE and tags[parents[node]] not in INVISIBLE:
            return node
    return len(tags)


def _announces(tree: Tree, node: int) -> bool:
    """Whether a heading, such as "3 comments", says that readers wrote what follows, which may have no other name."""
    text = text_of(tree, node, _LONGEST_HEADING + 1)
    if len(text) > _LONGEST_HEADING or (text.isascii() and not _may_name_comments(text.lower())):
        return False
    return not _COMMENTS.isdisjoint(name_words(text, None))


def _may_name_comments(said: str) -> bool:
    return any(part in said for part in _IN_COMMENTS)


def _texts(tags: list[str], texts: list[str], ends: list[int], body: int, skipped: list[int]) -> list[int]:
    """What `visibility.text_nodes` finds, where it is known already which elements are not seen."""
    found = []
    at, count, node = 0, len(skipped), body + 1
    blank = " "  # the last one: most blanks of a page are one string
    skip = skipped[0] if skipped else -1
    while node < len(tags):
        if node == skip:
            node = ends[node]
            while at < count and skipped[at] < node:
                at += 1
            skip = skipped[at] if at < count else -1
            continue
        if tags[node] == TEXT:
            text = texts[node]
            if text is not blank:
                if text.isspace():
                    blank = text
                else:
                    found.append(node)
        node += 1
    return found


def _outside(starts: list[int], stops: list[int], nodes: list[int]) -> list[int]:
    """Of nodes those that stand in none of the ranges; all are in order."""
    found = []
    at, count = 0, len(starts)  # the next range
    until = 0  # the end of that before
    for node in nodes:
        while at < count and starts[at] <= node:
            until = stops[at]
            at += 1
        if node >= until:
            found.append(node)
    return found
