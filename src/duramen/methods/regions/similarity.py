"""How far two records are from each other, by their roots and the children of these alone.

Figueiredo et al. (section III-C) compare records by tree edit distance, with a price of 3 for a rename and 1 for each
other operation, and cut the trees to two levels. No general algorithm is needed for that. A rename never pays, since to
remove a node and to insert another costs 2. So either the roots correspond, being of one tag, or neither has a
counterpart, or the one root corresponds to a child of the other, whose other nodes then have none. The children are
aligned as sequences: what is not in the longest common subsequence is removed and inserted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from duramen.dom.tree import TEXT, Tree

Shape = tuple[str, tuple[str, ...]]
"""The tag of a root, and the tags of its children."""

IGNORED = frozenset("br h1 h2 h3 h4 h5 h6 a".split())
"""Elements that part records from each other, or tell something of them, and are no records."""

_LONGEST = 60
"""Children: of more, only how many of each tag there are is compared, which is never above the distance."""


def shape(tree: Tree, node: int) -> Shape:
    """A node and its children, but for those that are ignored."""
    tags = (tree.tag[child] for child in tree.children(node))
    return tree.tag[node], tuple(tag for tag in tags if tag != TEXT and tag not in IGNORED)


@lru_cache(maxsize=1 << 16)
def distance(one: Shape, other: Shape) -> int:
    """The least number of nodes to remove from one and to insert into it to get the other."""
    (root, children), (other_root, other_children) = one, other
    apart = _unaligned(children, other_children)
    if root == other_root:
        return apart
    if root in other_children or other_root in children:
        return min(2 + apart, len(children) + len(other_children))
    return 2 + apart


def mean_distance(these: Mapping[Shape, int], those: Mapping[Shape, int]) -> float:
    """The mean distance between two sets of records, each given as how many there are of each shape."""
    pairs = sum(these.values()) * sum(those.values())
    total = sum(n * m * distance(one, other) for one, n in these.items() for other, m in those.items())
    return total / pairs


def _unaligned(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many elements of two sequences are outside their longest common subsequence."""
    if one == other:
        return 0
    if max(len(one), len(other)) > _LONGEST:
        return ((Counter(one) - Counter(other)) + (Counter(other) - Counter(one))).total()
    row = [0] * (len(other) + 1)
    for mine in one:
        diagonal = 0
        for place, theirs in enumerate(other, 1):
            above = row[place]
            row[place] = diagonal + 1 if mine == theirs else max(above, row[place - 1])
            diagonal = above
    return len(one) + len(other) - 2 * row[-1]
