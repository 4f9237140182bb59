"""What a reader of the page never sees, as far as the HTML alone can tell."""

from __future__ import annotations

import re

from duramen.tree import TEXT, Attributes, Tree

INVISIBLE = frozenset(
    "head title script style template noscript svg iframe object video audio canvas select option optgroup datalist"
    " textarea input rp annotation annotation-xml".split()
)
"""Elements whose text is not on the screen, or stands in a control and is not part of the page's text.

`noscript` is among them because readers have scripts on. A method that means to keep one names it in its spans.
"""

_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def is_hidden(attributes: Attributes) -> bool:
    """Whether an element's own attributes take it off the screen."""
    if "hidden" in attributes:
        return attributes["hidden"] != "until-found"
    style = attributes.get("style")
    return style is not None and _HIDING_STYLE.search(style) is not None


def text_nodes(tree: Tree) -> list[int]:
    """The text nodes that are not blank and not inside an `INVISIBLE` element, in document order.

    Attributes are not looked at: that would cost as much as the rest of the tree.
    """
    found: list[int] = []
    node, count = 0, len(tree)
    tag, text, end = tree.tag, tree.text, tree.end
    while node < count:
        name = tag[node]
        if name == TEXT:
            if not text[node].isspace():
                found.append(node)
        elif name in INVISIBLE:
            node = end[node]
            continue
        node += 1
    return found
