"""Pages made of pages: what a collection of well-behaved articles does not teach.

*Thinned*: most of the content is taken away, its beginning or its end kept. A short article amid the same menus,
teasers and comments is content all the same.

*Clipped*: of the content of an article its first words are left, five or a hundred. Such are posts of a picture or a
film and a line below it; without them length alone would tell content from the lines of a sidebar.

*Grafted*: a branch of another page is put in beside the content of an article: the posts of a thread, the cards of a
list. On a page of their own these are content; here they are comments and teasers, and are not.

*Strayed*: such a branch, or a paragraph of another article, is put into a part of the page that is apart from the
content: news in a column, a word in the sidebar on who writes here. Only where it stands tells that it is no content.

*Aged*: elements that name their purpose (`article`, `nav`) become plain `div`, roles and properties are forgotten, and
so is what the page says it is. So were pages written before HTML5, and so are many still.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import exp, log
from typing import NamedTuple

from duramen import language
from duramen.dom.blocks import INLINE, Blocks, unspaced
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import text_nodes
from duramen.training.auto.pages import Labels

FEWEST = 6
"""Blocks of content that a page must have to be thinned, or to give a branch."""
SHORTEST, LONGEST = 5, 100
"""Words that are left of the content of a page when it is clipped, at least and at most: small numbers are likelier."""
PASSAGE = 20
"""Words of a paragraph that is worth putting in."""
_OF_LISTS = frozenset("li dt dd tr td th tbody thead tfoot".split())
_OUTERMOST = ("html", "body")
_MODERN = frozenset("article main header footer nav aside section figure figcaption".split())
_MEANINGFUL = ("role", "itemprop")
_DECLARING = (("meta", "property"), ("script", "type"))
"""By what a page says what it is: Open Graph, JSON-LD."""


class Branch(NamedTuple):
    """A part of a page that can be put into another."""

    tree: Tree
    node: int


def content_blocks(blocks: Blocks, labels: Labels) -> list[int]:
    """The blocks that are content by more than half."""
    return [block for block, first in enumerate(blocks.first) if labels[first][0] * 2 > labels[first][1]]


def thin(
    tree: Tree, blocks: Blocks, content: Sequence[int], chance: random.Random, most: float
) -> tuple[Tree, list[int]]:
    """The page with a share of its content, at most `most`; and which blocks of content are left."""
    kept = max(2, int(len(content) * chance.uniform(0.1, most)))
    left = list(content[:kept] if chance.random() < 0.7 else content[-kept:])
    text = list(tree.text)
    for block in set(content) - set(left):
        for node in range(blocks.first[block], blocks.last[block] + 1):
            text[node] = ""
    return replace(tree, text=text), left


def clip(
    tree: Tree, blocks: Blocks, content: Sequence[int], chance: random.Random, labels: Labels
) -> tuple[Tree, list[int], Labels]:
    """The page with the first words of its content; which blocks are left, and what labels they have now."""
    budget = int(exp(chance.uniform(log(SHORTEST), log(LONGEST))))
    text, clipped = list(tree.text), dict(labels)
    seen = frozenset(text_nodes(tree))
    left = []
    for block in content:
        first = blocks.first[block]
        hits, words = labels[first]
        kept = 0
        for node in range(first, blocks.last[block] + 1):
            if node in seen:  # and in no script, nor hidden
                text[node], size = _clipped(text[node], budget)
                budget -= size
                kept += size
        if kept:
            left.append(block)
            clipped[first] = (hits, words) if kept >= words else (min(kept, round(hits * kept / words)), kept)
    return replace(tree, text=text), left, clipped


def _clipped(text: str, most: int) -> tuple[str, int]:
    """The first words of a text, and how many they are."""
    size = language.count_words(text)
    if size <= most:
        return text, size
    if most <= 0:
        return "", 0
    cut = text.strip()[:most] if unspaced(text) else " ".join(text.split()[:most])
    return cut, language.count_words(cut)


def age(tree: Tree) -> Tree:
    """The page as it might have been written long ago; what is hidden on it, and what is not, stays so."""
    aged = replace(
        tree,
        tag=["div" if tag in _MODERN else tag for tag in tree.tag],
        attributes=[
            {name: value for name, value in own.items() if name not in _MEANINGFUL and (tag, name) not in _DECLARING}
            for tag, own in zip(tree.tag, tree.attributes, strict=True)
        ],
    )
    vars(aged)["hidden"] = tree.hidden  # a panel is known by its role, and a menu by the element around it
    return aged


def branch(tree: Tree, blocks: Blocks, content: Sequence[int]) -> Branch | None:
    """The element that holds the middle of the content: its ends may lie outside the list. None for the whole page."""
    margin = len(content) // 6
    node = _around(tree, blocks, content[margin : len(content) - margin])
    return None if tree.tag[node] in _OUTERMOST else Branch(tree, node)


def passage(tree: Tree, blocks: Blocks, content: Sequence[int]) -> Branch | None:
    """A paragraph from within the content; None where none is long."""
    for block in content[len(content) // 3 :]:
        node = blocks.node[blocks.owner[block]]
        if tree.tag[node] == "p" and blocks.words[block] >= PASSAGE:
            return Branch(tree, node)
    return None


def graft(tree: Tree, blocks: Blocks, content: Sequence[int], scion: Branch, labels: Labels) -> tuple[Tree, Labels]:
    """The page with a branch put in right after what holds its content, and the labels moved accordingly."""
    after = _around(tree, blocks, content)
    if tree.tag[after] in _OUTERMOST:
        after = blocks.node[blocks.owner[content[-1]]]
        while tree.parent[after] > 0 and tree.tag[tree.parent[after]] not in _OUTERMOST:
            after = tree.parent[after]
    return (tree, labels) if tree.tag[after] in _OUTERMOST else _insert(tree, after, scion, labels)


def stray(
    tree: Tree, blocks: Blocks, content: Sequence[int], scion: Branch, labels: Labels, chance: random.Random
) -> tuple[Tree, Labels]:
    """The page with a branch put into a part that is apart from the content, and the labels moved accordingly."""
    places = _apart(tree, blocks, content)
    return _insert(tree, chance.choice(places), scion, labels) if places else (tree, labels)


def _apart(tree: Tree, blocks: Blocks, content: Sequence[int]) -> list[int]:
    """The elements that hold blocks before and after the content, in other elements that hold none of it either."""
    first, last = blocks.first[content[0]], blocks.last[content[-1]]
    found = []
    for block in (*range(content[0]), *range(content[-1] + 1, len(blocks))):
        node = blocks.node[blocks.owner[block]]
        while tree.tag[node] in _OF_LISTS:
            node = tree.parent[node]
        above = tree.parent[node]
        if above > last or 0 < tree.end[above] <= first:
            found.append(node)
    return found


def _insert(tree: Tree, after: int, scion: Branch, labels: Labels) -> tuple[Tree, Labels]:
    """The tree with a branch right after a node, and the labels moved accordingly."""
    place, above = tree.end[after], tree.parent[after]
    first, last = scion.node, scion.tree.end[scion.node]
    size = last - first
    end = list(tree.end)
    for node in (above, *tree.ancestors(above)):
        end[node] += size
    return (
        Tree(
            tag=tree.tag[:place] + scion.tree.tag[first:last] + tree.tag[place:],
            parent=[
                *tree.parent[:place],
                above,
                *(parent - first + place for parent in scion.tree.parent[first + 1 : last]),
                *(parent if parent < place else parent + size for parent in tree.parent[place:]),
            ],
            end=[
                *end[:place],
                *(each - first + place for each in scion.tree.end[first:last]),
                *(each + size for each in tree.end[place:]),
            ],
            text=tree.text[:place] + scion.tree.text[first:last] + tree.text[place:],
            attributes=[
                *tree.attributes[:place],
                *scion.tree.attributes[first:last],
                *tree.attributes[place:],
            ],
        ),
        {node if node < place else node + size: label for node, label in labels.items()},
    )


def _around(tree: Tree, blocks: Blocks, content: Sequence[int]) -> int:
    """The lowest element, and not an inline one, that holds these blocks."""
    node = tree.common_ancestor(blocks.first[content[0]], blocks.last[content[-1]])
    while tree.tag[node] == TEXT or tree.tag[node] in INLINE:
        node = tree.parent[node]
    return node
