"""What a reader of the page never sees, as far as the HTML alone can tell."""

from __future__ import annotations

from duramen.dom.tree import TEXT, Tree

INVISIBLE = frozenset(
    "head title script style template noscript svg iframe object video audio canvas select option optgroup datalist"
    " textarea input rp annotation annotation-xml noframes embed applet progress meter".split()
)
"""Elements whose text is not on the screen, or stands in a control and is not part of the page's text."""

SCRIPTLESS = INVISIBLE - {"noscript"}
"""The same on a page that is for readers without scripts."""
_NOTICE = 200
"""Characters: a plea to switch scripts on is shorter than this, and need not be compared with the rest of the page."""


def invisible(tree: Tree) -> frozenset[str]:
    """The elements of this page whose text is not on the screen.

    Readers have scripts on and do not see `noscript`. But a page that says more there than in all its other text is
    drawn by a script that does not run here; what its author wrote for readers without scripts is then the page.
    """
    if not tree.noscript:
        return INVISIBLE
    inside = sum(len(text.strip()) for node in tree.noscript for text in tree.text[node : tree.end[node]])
    if inside <= _NOTICE or _says_as_much(tree.tag, tree.text, tree.end, tree.hidden, INVISIBLE, inside):
        return INVISIBLE
    return SCRIPTLESS


def text_nodes(tree: Tree) -> list[int]:
    """The text nodes that a reader sees: not blank, and not inside an invisible or hidden element. In order."""
    return _text_nodes(tree.tag, tree.text, tree.end, tree.hidden, invisible(tree))


def hides_more(tree: Tree, size: int) -> bool:
    """Whether hidden elements hold more characters than these, of what a reader could see if they were shown."""
    return _hides_more(tree.tag, tree.text, tree.end, sorted(tree.hidden), invisible(tree), size)


def _text_nodes(
    tags: list[str], texts: list[str], ends: list[int], hidden: frozenset[int], skipped: frozenset[str]
) -> list[int]:
    found: list[int] = []
    node, count = 0, len(tags)
    while node < count:
        tag = tags[node]
        if tag == TEXT:
            text = texts[node]
            if not text.isspace():
                found.append(node)
        elif tag in skipped or (hidden and node in hidden):
            node = ends[node]
            continue
        node += 1
    return found


def _says_as_much(
    tags: list[str],
    texts: list[str],
    ends: list[int],
    hidden: frozenset[int],
    skipped: frozenset[str],
    size: int,
) -> bool:
    """Whether so many characters stand outside these elements. Most pages say as much near their beginning."""
    node, count = 0, len(tags)
    while node < count:
        tag = tags[node]
        if tag == TEXT:
            text = texts[node]
            size -= len(text.strip())
            if size <= 0:
                return True
        elif tag in skipped or (hidden and node in hidden):
            node = ends[node]
            continue
        node += 1
    return False


def _hides_more(
    tags: list[str], texts: list[str], ends: list[int], hidden: list[int], skipped: frozenset[str], size: int
) -> bool:
    node = 0
    for start in hidden:
        node = start if start > node else node  # one may stand in another
        while node < ends[start]:
            tag = tags[node]
            if tag == TEXT:
                text = texts[node]
                size -= len(text.strip())
                if size < 0:
                    return True
            elif tag in skipped:
                node = ends[node]
                continue
            node += 1
    return False
