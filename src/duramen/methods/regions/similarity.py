"""Tree edit distance of two records, limited to their roots and the children of the roots.

Figueiredo et al. (section III-C) compare records by tree edit distance, with a cost of 3 for a rename and 1 for each
other operation, and cut the trees to two levels. No general algorithm is needed for that. A rename never pays, because
to remove one node and insert another costs 2. So either the roots correspond, having one tag, or neither root has a
counterpart, or the root of one corresponds to a child of the other, whose other nodes then have none. The children are
aligned as sequences: what is not in the longest common subsequence is removed and inserted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from duramen.dom.tree import TEXT, Tree

TwoLevelTree = tuple[str, tuple[str, ...]]
"""The tag of a root, and the tags of its children."""

IGNORED_TAGS: Final = frozenset("br h1 h2 h3 h4 h5 h6 a".split())
"""Elements that separate records or describe them, and are no records themselves."""
MAX_ALIGNED_CHILDREN: Final = 60
"""With more children, only the numbers of each tag are compared, which gives a lower bound of the distance."""


def two_level_tree(tree: Tree, node: int) -> TwoLevelTree:
    """A node and its children, without ignored elements."""
    tags = (tree.tag[child] for child in tree.children(node))
    return tree.tag[node], tuple(tag for tag in tags if tag != TEXT and tag not in IGNORED_TAGS)


@lru_cache(maxsize=1 << 16)
def edit_distance(one: TwoLevelTree, other: TwoLevelTree) -> int:
    """The least number of nodes to remove from one tree and to insert into it to get the other."""
    (root, children), (other_root, other_children) = one, other
    unaligned = _count_unaligned(children, other_children)
    if root == other_root:
        return unaligned
    if root in other_children or other_root in children:
        return min(2 + unaligned, len(children) + len(other_children))
    return 2 + unaligned


def mean_distance(these: Mapping[TwoLevelTree, int], those: Mapping[TwoLevelTree, int]) -> float:
    """The mean distance between two sets of records, each given as the number of records of each tree."""
    pairs = sum(these.values()) * sum(those.values())
    total = sum(n * m * edit_distance(one, other) for one, n in these.items() for other, m in those.items())
    return total / pairs


def _count_unaligned(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The number of elements of two sequences outside their longest common subsequence."""
    if one == other:
        return 0
    if max(len(one), len(other)) > MAX_ALIGNED_CHILDREN:
        return ((Counter(one) - Counter(other)) + (Counter(other) - Counter(one))).total()
    lengths = [0] * (len(other) + 1)
    for mine in one:
        diagonal = 0
        for position, theirs in enumerate(other, 1):
            above = lengths[position]
            lengths[position] = diagonal + 1 if mine == theirs else max(above, lengths[position - 1])
            diagonal = above
    return len(one) + len(other) - 2 * lengths[-1]
