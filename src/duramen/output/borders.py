"""Where a word ends and another begins, though no white space stands between.

Inline elements join what stands beside them: `<b>W</b>ord` is one word. But many pages set inline elements apart by
style alone, `<a>Action</a><a>Adventure</a>`, where a reader sees two words. Style is not known here, but letters tell:
a small one before a capital, and, between two elements, a capital or a number at the beginning of the second. A name
such as `You<b>Tube</b>` is parted, too; single letters, formulas and code are not.
"""

from __future__ import annotations

from duramen.dom.tree import Tree
from duramen.output.elements import BLOCK_TAGS

# What is written letter by letter: H₂O, formulas, and names in code. It is looked for this far around a text.
_EXACT = frozenset("sub sup code kbd samp tt var math".split())
_NEAR = 16


def are_parted(tree: Tree, before: int, node: int) -> bool:
    """Whether two texts are two words, of which the second begins with a capital or a number, and the first ends with a
    letter, or with a digit before a capital."""
    left, right = tree.parent[before], tree.parent[node]
    if left == right:  # a comment may stand between, and parts nothing
        return False
    text, after = tree.text[before], tree.text[node]
    if len(text) == 1 or (len(after) == 1 and after.isupper()):  # letters that move one by one, a unit
        return False
    is_beside = right < before or tree.end[left] > node  # one of the two is in no element of its own
    if is_beside and not (text[-1].islower() and after[0].isupper()):
        return False
    return not (_is_exact(tree, left) or _is_exact(tree, right))


def _is_exact(tree: Tree, node: int) -> bool:
    """Whether an inline element, or one around it, is written letter by letter."""
    for _ in range(_NEAR):
        tag = tree.tag[node]
        if tag in _EXACT:
            return True
        if tag in BLOCK_TAGS or node <= 0:
            return False
        node = tree.parent[node]
    return False
