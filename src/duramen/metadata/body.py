"""The elements of the body that bear marks: attributes that may say what their text is.

What other people's texts stand in is left out whole: comments, related stories, sidebars, navigation, the page's
footer. A date or a name in there is not the page's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from duramen.metadata.claims import NOWHERE
from duramen.metadata.once import once
from duramen.metadata.strings import text_of
from duramen.tree import TEXT, Attributes, Tree
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
_APART: Final = frozenset(("nav", "form", "dialog"))
_TELLING: Final = INVISIBLE | _APART | _HEADINGS | {"article", "main", "aside", "footer"}
"""The tags that may say where a part of the page begins."""
_capitals = re.compile("(?<=[a-z])(?=[A-Z])")
_parts = re.compile(r"[^\W_]+")


class Mark(NamedTuple):
    """An element with attributes."""

    node: int
    own: Attributes
    words: frozenset[str]
    """The words of its class and id, in lower case."""


@dataclass(frozen=True, eq=False)
class Body:
    """The body of a page with this headline, a node; what holds the headline is the page's own, whatever its name."""

    tree: Tree = field(repr=False)
    headline: int = NOWHERE

    @once
    def marks(self) -> list[Mark]:
        """The elements with attributes that are the page's own, in order."""
        return self._walked[0]

    def is_apart(self, node: int) -> bool:
        """Whether a node stands in a part of the page that is left out."""
        return _within(node, self._walked[1])

    def is_beside(self, node: int) -> bool:
        """Whether a node stands beside the text: in a sidebar, a footer."""
        return _within(node, self._walked[2])

    @once
    def readable(self) -> list[int]:
        """The text nodes that a reader sees, in order."""
        return text_nodes(self.tree)

    @once
    def _walked(self) -> tuple[list[Mark], list[range], list[range]]:
        tree, headline = self.tree, self.headline
        tags, ends = tree.tag, tree.end
        elements = [node for node in range(tree.body + 1, len(tree)) if tags[node] != TEXT]
        marks: list[Mark] = []
        apart: list[range] = []
        beside: list[range] = []
        until = besides = inside = 0  # the ends of what is left out, of what is beside, and of the article around
        for node, own in zip(elements, tree.attributes_of(elements), strict=True):
            if node < until:
                continue
            words, is_other, is_beside = _called(own.get("class"), own.get("id")) if own else _UNCALLED
            tag = tags[node]
            if is_other or is_beside or tag in _TELLING:  # few are
                if tag in _HEADINGS and headline < node and self._announces(node):
                    until = ends[max(tree.parent[node], 0)]
                    apart.append(range(node, until))
                    continue
                if is_other or tag in INVISIBLE or tag in _APART:
                    is_own = node <= headline < ends[node] or (self._is_most(node) and not self._follows(node, words))
                    if not is_own:
                        until = ends[node]
                        apart.append(range(node, until))
                        continue
                elif tag in ("article", "main"):
                    inside = max(inside, ends[node])
                elif is_beside or (tag in ("aside", "footer") and node >= inside):
                    if node >= besides and not (node <= headline < ends[node] or self._is_most(node)):
                        besides = ends[node]
                        beside.append(range(node, besides))
            if own:
                marks.append(Mark(node, own, words))
        return marks, apart, beside

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


def _within(node: int, ranges: list[range]) -> bool:
    """Whether a node is in one of some ranges, which are in order and apart from each other."""
    place = bisect_right(ranges, node, key=lambda each: each.start)
    return place > 0 and node < ranges[place - 1].stop


_UNCALLED: Final[tuple[frozenset[str], bool, bool]] = frozenset(), False, False


@lru_cache(maxsize=1 << 13)  # a page repeats its names, and a site those of its pages
def _called(classes: str | None, name: str | None) -> tuple[frozenset[str], bool, bool]:
    """The words of a class and an id, and whether they name what is another's, or what stands beside the text."""
    words = name_words(classes, name)
    return words, not words.isdisjoint(_OTHERS), not words.isdisjoint(_BESIDE)


@lru_cache(maxsize=1 << 13)
def name_words(classes: str | None, name: str | None) -> frozenset[str]:
    """The words of a class and an id: `postMeta entry-date` is post, meta, entry, date."""
    both = f"{classes or ''} {name or ''}"[:300]
    if not both.islower():  # most are
        both = _capitals.sub(" ", both).lower()
    return frozenset(_parts.findall(both))
