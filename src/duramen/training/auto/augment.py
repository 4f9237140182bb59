"""Variants of training pages: cases that a collection of well-behaved articles does not contain.

- *Thinned*: most of the content is removed; its start or end is kept. A short article amid the same menus, teasers and
  comments is still content.
- *Clipped*: only the first 5 to 100 words of an article are left, as in a post of a picture and a line below it.
  Otherwise length alone would distinguish content from the lines of a sidebar.
- *Grafted*: a branch of another page (posts of a thread, cards of a list) is inserted beside the content of an article.
  On its own page it is content; here it is comments or teasers.
- *Strayed*: such a branch, or a paragraph of another article, is inserted in a part of the page apart from the content
  (news or a biography in a sidebar). Only its position shows that it is not content.
- *Aged*: elements that name their purpose (`article`, `nav`) become `div`, and roles, properties and declared types are
  removed, as on pages from before HTML5.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import exp, log
from typing import NamedTuple

from duramen import language
from duramen.dom.blocks import INLINE, Blocks, has_unspaced_script
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_visible_texts
from duramen.training.auto.dataset import BlockLabels

MIN_CONTENT_BLOCKS = 6
"""Blocks of content that a page must have to be thinned, or to give a branch."""
MIN_CLIPPED_WORDS, MAX_CLIPPED_WORDS = 5, 100
"""Words that are left of a clipped page: drawn evenly on a logarithmic scale."""
MIN_PASSAGE_WORDS = 20
"""Words of a paragraph that is inserted elsewhere."""
_LIST_PARTS = frozenset("li dt dd tr td th tbody thead tfoot".split())
_ROOTS = ("html", "body")
_HTML5_TAGS = frozenset("article main header footer nav aside section figure figcaption".split())
_SEMANTIC_ATTRIBUTES = ("role", "itemprop")
_DECLARATIONS = (("meta", "property"), ("script", "type"))
"""Attributes by which a page declares its type: Open Graph, JSON-LD."""


class Branch(NamedTuple):
    """A part of a page that can be inserted in another."""

    tree: Tree
    node: int


def list_content_blocks(blocks: Blocks, labels: BlockLabels) -> list[int]:
    """Return the blocks of which more than half is content."""
    return [block for block, first in enumerate(blocks.first) if labels[first][0] * 2 > labels[first][1]]


def thin(
    tree: Tree, blocks: Blocks, content: Sequence[int], generator: random.Random, max_share: float
) -> tuple[Tree, list[int]]:
    """Return the page with a random share of its content, and the blocks that are left."""
    kept = max(2, int(len(content) * generator.uniform(0.1, max_share)))
    left = list(content[:kept] if generator.random() < 0.7 else content[-kept:])
    text = list(tree.text)
    for block in set(content) - set(left):
        for node in range(blocks.first[block], blocks.last[block] + 1):
            text[node] = ""
    return replace(tree, text=text), left


def clip(
    tree: Tree, blocks: Blocks, content: Sequence[int], generator: random.Random, labels: BlockLabels
) -> tuple[Tree, list[int], BlockLabels]:
    """Return the page with the first words of its content, the blocks that are left, and the new labels."""
    budget = int(exp(generator.uniform(log(MIN_CLIPPED_WORDS), log(MAX_CLIPPED_WORDS))))
    text, clipped = list(tree.text), dict(labels)
    seen = frozenset(find_visible_texts(tree))
    left = []
    for block in content:
        first = blocks.first[block]
        hits, words = labels[first]
        kept = 0
        for node in range(first, blocks.last[block] + 1):
            if node in seen:  # and in no script, nor hidden
                text[node], size = _clip_text(text[node], budget)
                budget -= size
                kept += size
        if kept:
            left.append(block)
            clipped[first] = (hits, words) if kept >= words else (min(kept, round(hits * kept / words)), kept)
    return replace(tree, text=text), left, clipped


def _clip_text(text: str, max_words: int) -> tuple[str, int]:
    """Return the first words of a text, and their number."""
    size = language.count_words(text)
    if size <= max_words:
        return text, size
    if max_words <= 0:
        return "", 0
    cut = text.strip()[:max_words] if has_unspaced_script(text) else " ".join(text.split()[:max_words])
    return cut, language.count_words(cut)


def age(tree: Tree) -> Tree:
    """Return the page as it might have been written before HTML5; what is hidden stays hidden."""
    aged = replace(
        tree,
        tag=["div" if tag in _HTML5_TAGS else tag for tag in tree.tag],
        attributes=[
            {
                name: value
                for name, value in own.items()
                if name not in _SEMANTIC_ATTRIBUTES and (tag, name) not in _DECLARATIONS
            }
            for tag, own in zip(tree.tag, tree.attributes, strict=True)
        ],
    )
    vars(aged)["hidden"] = tree.hidden  # panels are recognized by their role, menus by the element around them
    return aged


def find_branch(tree: Tree, blocks: Blocks, content: Sequence[int]) -> Branch | None:
    """Return the element with the middle two thirds of the content (its ends may be outside the list), or None."""
    margin = len(content) // 6
    node = _find_container(tree, blocks, content[margin : len(content) - margin])
    return None if tree.tag[node] in _ROOTS else Branch(tree, node)


def find_passage(tree: Tree, blocks: Blocks, content: Sequence[int]) -> Branch | None:
    """Return a long paragraph from within the content, or None."""
    for block in content[len(content) // 3 :]:
        node = blocks.node[blocks.owner[block]]
        if tree.tag[node] == "p" and blocks.words[block] >= MIN_PASSAGE_WORDS:
            return Branch(tree, node)
    return None


def graft(
    tree: Tree, blocks: Blocks, content: Sequence[int], branch: Branch, labels: BlockLabels
) -> tuple[Tree, BlockLabels]:
    """Return the page with a branch after the element of its content, and the shifted labels."""
    after = _find_container(tree, blocks, content)
    if tree.tag[after] in _ROOTS:
        after = blocks.node[blocks.owner[content[-1]]]
        while tree.parent[after] > 0 and tree.tag[tree.parent[after]] not in _ROOTS:
            after = tree.parent[after]
    return (tree, labels) if tree.tag[after] in _ROOTS else _insert(tree, after, branch, labels)


def stray(
    tree: Tree, blocks: Blocks, content: Sequence[int], branch: Branch, labels: BlockLabels, generator: random.Random
) -> tuple[Tree, BlockLabels]:
    """Return the page with a branch in a part without content, and the shifted labels."""
    places = _find_elements_apart(tree, blocks, content)
    return _insert(tree, generator.choice(places), branch, labels) if places else (tree, labels)


def _find_elements_apart(tree: Tree, blocks: Blocks, content: Sequence[int]) -> list[int]:
    """Return the elements of blocks before and after the content whose parents hold no content either."""
    first, last = blocks.first[content[0]], blocks.last[content[-1]]
    elements = []
    for block in (*range(content[0]), *range(content[-1] + 1, len(blocks))):
        node = blocks.node[blocks.owner[block]]
        while tree.tag[node] in _LIST_PARTS:
            node = tree.parent[node]
        above = tree.parent[node]
        if above > last or 0 < tree.end[above] <= first:
            elements.append(node)
    return elements


def _insert(tree: Tree, after: int, branch: Branch, labels: BlockLabels) -> tuple[Tree, BlockLabels]:
    """Return the tree with a branch after a node, and the shifted labels."""
    place, above = tree.end[after], tree.parent[after]
    first, last = branch.node, branch.tree.end[branch.node]
    size = last - first
    end = list(tree.end)
    for node in tree.ancestors_or_self(above):
        end[node] += size
    return (
        Tree(
            tag=tree.tag[:place] + branch.tree.tag[first:last] + tree.tag[place:],
            parent=[
                *tree.parent[:place],
                above,
                *(parent - first + place for parent in branch.tree.parent[first + 1 : last]),
                *(parent if parent < place else parent + size for parent in tree.parent[place:]),
            ],
            end=[
                *end[:place],
                *(each - first + place for each in branch.tree.end[first:last]),
                *(each + size for each in tree.end[place:]),
            ],
            text=tree.text[:place] + branch.tree.text[first:last] + tree.text[place:],
            attributes=[
                *tree.attributes[:place],
                *branch.tree.attributes[first:last],
                *tree.attributes[place:],
            ],
        ),
        {node if node < place else node + size: label for node, label in labels.items()},
    )


def _find_container(tree: Tree, blocks: Blocks, content: Sequence[int]) -> int:
    """Return the lowest block-level element that holds these blocks."""
    node = tree.common_ancestor(blocks.first[content[0]], blocks.last[content[-1]])
    while tree.tag[node] == TEXT or tree.tag[node] in INLINE:
        node = tree.parent[node]
    return node
