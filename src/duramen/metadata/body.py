"""The parts of the body, by what they are called.

What other people's texts stand in is left out whole: comments, related stories, sidebars, navigation, the page's
footer. A date or a name in there is not the page's.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

from duramen import walk
from duramen.metadata.called import Called, called, name_words
from duramen.metadata.claims import NOWHERE
from duramen.metadata.once import once
from duramen.metadata.strings import text_of
from duramen.tree import Tree
from duramen.visibility import INVISIBLE, text_nodes

_OTHERS: Final = frozenset(
    "comment comments commentlist disqus respond reply replies related recommended recommendations recommendation"
    " nav navbar navigation menu popular trending promo teaser teasers upsell carousel recirc recirculation copyright"
    " cookie cookies consent modal popup subscribe signup breadcrumb breadcrumbs latest readmore ad ads advert".split()
)
"""Words that name a part of the page which is about something else, or by someone else."""
_AFTER_THE_TEXT: Final = frozenset(
    "comment comments commentlist disqus replies related recommended recommendations recommendation".split()
)
"""Those of them that name what follows a text: however long it is, it is not the text."""
_PROSE: Final = 80
"""Characters: a text node as long as this is more than a label."""
_HEADINGS: Final = frozenset(("h2", "h3", "h4"))
_COMMENTS: Final = frozenset(
    "comments replies kommentare commentaires comentarios commenti reacties комментарии".split()
)
_LONGEST_HEADING: Final = 30
_BESIDE: Final = frozenset("sidebar aside footer rail".split())
"""Words that name a part beside the text: it may speak of the page, or not."""
_NAMING: Final = _OTHERS | _BESIDE
_NOTHING: Final[frozenset[str]] = frozenset()
_APART: Final = frozenset(("nav", "form", "dialog"))
_TELLING: Final = tuple(INVISIBLE | _APART | _HEADINGS | {"article", "main", "aside", "footer"})
"""The tags that may say where a part of the page begins."""


class _Ranges:
    """Ranges of nodes, in order and apart from each other."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []

    def append(self, start: int, stop: int) -> None:
        self._starts.append(start)
        self._stops.append(stop)

    def __contains__(self, node: int) -> bool:
        place = bisect_right(self._starts, node)
        return place > 0 and node < self._stops[place - 1]


@dataclass(frozen=True, eq=False)
class Body:
    """The body of a page with this headline, a node; what holds the headline is the page's own, whatever its name."""

    tree: Tree = field(repr=False)
    headline: int = NOWHERE

    @once
    def elements(self) -> array[int]:
        """The elements of the body, in order."""
        return walk.elements(self.tree.tag, self.tree.body + 1)

    @once
    def called(self) -> Called:
        """What the elements are called."""
        return called(self.tree, self.elements)

    def is_apart(self, node: int) -> bool:
        """Whether a node stands in a part of the page that is left out."""
        return node in self._parts[0]

    def is_beside(self, node: int) -> bool:
        """Whether a node stands beside the text: in a sidebar, a footer."""
        return node in self._parts[1]

    @once
    def readable(self) -> list[int]:
        """The text nodes that a reader sees, in order."""
        return text_nodes(self.tree)

    @once
    def _parts(self) -> tuple[_Ranges, _Ranges]:
        """What is apart from the page's own text, and what is beside it."""
        tree, headline = self.tree, self.headline
        tags, ends = tree.tag, tree.end
        words, which = self.called.words, self.called.which
        speaking = {number for number, each in enumerate(words) if not each.isdisjoint(_NAMING)}
        called = dict.fromkeys([node for nodes in walk.places_of(tags, _TELLING).values() for node in nodes], _NOTHING)
        called |= {self.elements[place]: words[which[place]] for place in walk.holding(which, speaking)}
        apart, beside = _Ranges(), _Ranges()
        until = besides = inside = 0  # the ends of what is left out, of what is beside, and of the article around
        for node in sorted(called):
            if node < until or node <= tree.body:
                continue
            tag, names = tags[node], called[node]
            if tag in _HEADINGS and headline < node and self._announces(node):
                until = ends[max(tree.parent[node], 0)]
                apart.append(node, until)
            elif not names.isdisjoint(_OTHERS) or tag in INVISIBLE or tag in _APART:
                is_own = node <= headline < ends[node]
                if not (is_own or (self._is_most(node) and not self._follows(node, names))):
                    until = ends[node]
                    apart.append(node, until)
            elif tag in ("article", "main"):
                inside = max(inside, ends[node])
            elif not names.isdisjoint(_BESIDE) or (tag in ("aside", "footer") and node >= inside):
                if node >= besides and not (node <= headline < ends[node] or self._is_most(node)):
                    besides = ends[node]
                    beside.append(node, besides)
        return apart, beside

    def _is_most(self, node: int) -> bool:
        """Whether an element holds more than half of the page."""
        return 2 * (self.tree.end[node] - node) > len(self.tree) - self.tree.body

    def _follows(self, node: int, words: frozenset[str]) -> bool:
        """Whether an element stands after the text and is called so: there may be more comments than text."""
        return not words.isdisjoint(_AFTER_THE_TEXT) and self._is_after_text(node)

    def _announces(self, node: int) -> bool:
        """Whether a heading, such as "3 comments", stands over what readers wrote, which may have no other name."""
        text = text_of(self.tree, node, _LONGEST_HEADING + 1)
        is_said = len(text) <= _LONGEST_HEADING and not _COMMENTS.isdisjoint(name_words(text, None))
        return is_said and self._is_after_text(node)

    def _is_after_text(self, node: int) -> bool:
        """Whether there is text between the headline and a node."""
        return node > self._prose

    @once
    def _prose(self) -> int:
        """The first text after the headline that is more than a label; where there is no headline, none is."""
        tree, nowhere = self.tree, len(self.tree)
        if self.headline == NOWHERE:
            return nowhere
        tags, texts, parents = tree.tag, tree.text, tree.parent
        after = range(tree.end[self.headline], nowhere)
        return next((at for at in after if len(texts[at]) >= _PROSE and tags[parents[at]] not in INVISIBLE), nowhere)
