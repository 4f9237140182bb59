"""Pages made of pages: what a collection of well-behaved articles does not teach.

*Thinned*: most of the content is taken away, its beginning or its end kept. A short article amid the same menus,
teasers and comments is content all the same.

*Grafted*: a branch of another page is put in beside the content of an article: the posts of a thread, the cards of a
list. On a page of their own these are content; here they are comments and teasers, and are not.

*Aged*: elements that name their purpose (`article`, `nav`) become plain `div`, roles and properties are forgotten. So
were pages written before HTML5, and so are many still.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from duramen.auto.blocks import INLINE, Blocks
from duramen.training.auto.pages import Labels
from duramen.tree import TEXT, Tree

FEWEST = 6
"""Blocks of content that a page must have to be thinned, or to give a branch."""
_OUTERMOST = ("html", "body")
_MODERN = frozenset("article main header footer nav aside section figure figcaption".split())


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


def age(tree: Tree) -> Tree:
    """The page as it might have been written long ago; what is hidden on it, and what is not, stays so."""
    aged = replace(
        tree,
        tag=["div" if tag in _MODERN else tag for tag in tree.tag],
        attributes=[
            {name: value for name, value in own.items() if name not in ("role", "itemprop")} for own in tree.attributes
        ],
    )
    vars(aged)["hidden"] = tree.hidden  # a panel is known by its role, and a menu by the element around it
    return aged


def branch(tree: Tree, blocks: Blocks, content: Sequence[int]) -> Branch | None:
    """The element that holds the middle of the content: its ends may lie outside the list. None for the whole page."""
    margin = len(content) // 6
    node = _around(tree, blocks, content[margin : len(content) - margin])
    return None if tree.tag[node] in _OUTERMOST else Branch(tree, node)


def graft(tree: Tree, blocks: Blocks, content: Sequence[int], scion: Branch, labels: Labels) -> tuple[Tree, Labels]:
    """The page with a branch put in right after what holds its content, and the labels moved accordingly."""
    after = _around(tree, blocks, content)
    if tree.tag[after] in _OUTERMOST:
        after = blocks.node[blocks.owner[content[-1]]]
        while tree.parent[after] > 0 and tree.tag[tree.parent[after]] not in _OUTERMOST:
            after = tree.parent[after]
    if tree.tag[after] in _OUTERMOST:
        return tree, labels
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
