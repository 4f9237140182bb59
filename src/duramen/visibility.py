"""What a reader of the page never sees, as far as the HTML alone can tell."""

from __future__ import annotations

from duramen.tree import TEXT, Tree

INVISIBLE = frozenset(
    "head title script style template noscript svg iframe object video audio canvas select option optgroup datalist"
    " textarea input rp annotation annotation-xml noframes embed applet progress meter".split()
)
"""Elements whose text is not on the screen, or stands in a control and is not part of the page's text."""

_SCRIPTLESS = INVISIBLE - {"noscript"}
_NOTICE = 200
"""Characters: a plea to switch scripts on is shorter than this, and need not be compared with the rest of the page."""


def invisible(tree: Tree) -> frozenset[str]:
    """The elements of this page whose text is not on the screen.

    Readers have scripts on and do not see `noscript`. But a page that says more there than in all its other text is
    drawn by a script that does not run here; what its author wrote for readers without scripts is then the page.
    """
    inside = _inside(tree, "noscript")
    if inside > _NOTICE and inside > sum(len(tree.text[node].strip()) for node in _text_nodes(tree, INVISIBLE)):
        return _SCRIPTLESS
    return INVISIBLE


def text_nodes(tree: Tree) -> list[int]:
    """The text nodes that a reader sees: not blank, and not inside an invisible or hidden element. In order."""
    return _text_nodes(tree, invisible(tree))


def _inside(tree: Tree, tag: str) -> int:
    """How many characters of text stand inside elements of this tag."""
    length = position = 0
    try:
        while True:
            node = tree.tag.index(tag, position)
            position = tree.end[node]
            length += sum(len(text.strip()) for text in tree.text[node:position])
    except ValueError:  # no more of them
        return length


def _text_nodes(tree: Tree, skipped: frozenset[str]) -> list[int]:
    found: list[int] = []
    node, count = 0, len(tree)
    tag, text, end, hidden = tree.tag, tree.text, tree.end, tree.hidden
    while node < count:
        name = tag[node]
        if name == TEXT:
            if not text[node].isspace():
                found.append(node)
        elif name in skipped or node in hidden:
            node = end[node]
            continue
        node += 1
    return found
