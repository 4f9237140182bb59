"""The visible text of a whole page: all that a reader could see, wanted or not.

Words by position are counted in it, and peers that answer with HTML are read with it. Inline elements join what stands
beside them (`<b>W</b>ord` is one word), all others part it.
"""

from __future__ import annotations

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import INVISIBLE

_INLINE = frozenset(
    {"a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins"}
    | {"kbd", "label", "mark", "nobr", "q", "rp", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub"}
    | {"sup", "time", "tt", "u", "var", "wbr"}
)


def visible_text(tree: Tree) -> str:
    pieces: list[str] = []
    open_blocks: list[int] = []  # where the blocks end that hold the node at hand
    node = 0
    while node < len(tree):
        while open_blocks and node >= open_blocks[-1]:
            open_blocks.pop()
            pieces.append("\n")
        tag = tree.tag[node]
        if tag == TEXT:
            pieces.append(tree.text[node])
        elif tag in INVISIBLE:
            pieces.append("\n")
            node = tree.end[node]
            continue
        elif tag not in _INLINE:
            pieces.append("\n")
            open_blocks.append(tree.end[node])
        node += 1
    return "".join(pieces)
