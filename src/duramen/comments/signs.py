"""Whether it is worth looking: most pages have no comments, and that should be found out quickly.

To read the names of all elements costs nearly as much as to parse the page; the parser chooses those with a certain
string in them much faster. What is called a place for comments is worth a closer look if there is a date in it, or an
element that is called a comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from duramen.comments import names
from duramen.comments.stamps import is_stamp
from duramen.dom.tree import TEXT, Tree

_HEADINGS: Final = ("h2", "h3", "h4")

_MOST_HEADINGS: Final = 4
"""From the last one up; a page has one, and one more for the form."""
_ANYWHERE: Final = (*((name, "omment") for name in ("class", "id", "itemprop", "itemtype")), ("id", "disqus"))
_STEMS: Final = {
    **dict.fromkeys(("es", "pt", "ca", "gl", "ro"), "omentari"),
    **dict.fromkeys(("pl", "cs", "sk", "sl", "hr", "sr", "bs", "lt", "id"), "koment"),
    **{"nl": "reactie", "tr": "yorum", "hu": "hozzaszol", "zh": "pinglun", "vi": "binhluan"},
}
"""What the names of comments hold beside `comment` (and `Kommentar`, `commentaire`), by the page's language."""


@dataclass(frozen=True)
class Signs:
    """What speaks for comments on a page."""

    named: dict[int, int] = field(repr=False)
    """Elements with a name that tells something, and what it tells."""
    promising: bool
    """Whether a date or a comment stands in what is called a place for them."""
    headings: list[int]
    """Headings that announce comments, with a date somewhere after them."""


def find_signs(tree: Tree) -> Signs:
    """The signs of comments on a page."""
    chosen = [node for node in _chosen(tree) if node > tree.body]
    verdicts = map(names.judge, tree.read_attributes(chosen))
    named = {node: verdict for node, verdict in zip(chosen, verdicts, strict=True) if verdict}
    heading = first_heading(tree)
    return Signs(named, _is_promising(tree, named, heading), list(_announcing(tree, named)))


def first_heading(tree: Tree) -> int:
    """The page's first `h1`; −1 where there is none."""
    return tree.tag.index("h1") if "h1" in tree.tag else -1


def _chosen(tree: Tree) -> list[int]:
    """The elements whose names are worth reading."""
    selected = getattr(tree.attributes, "selected", None)  # a tree that was pickled has a plain list
    if selected is None:
        return [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    stem = _STEMS.get((tree.attributes[0].get("lang") or "")[:2].lower())
    attributes = [*_ANYWHERE, ("class", stem), ("id", stem)] if stem else _ANYWHERE
    chosen: list[int] = selected(",".join(f'[{name}*="{part}"i]' for name, part in attributes))
    return chosen


def _is_promising(tree: Tree, named: dict[int, int], heading: int) -> bool:
    stop = 0
    for node, verdict in named.items():
        if node < stop:
            continue
        if verdict == names.ELSEWHERE:
            stop = tree.end[node]
        elif not node <= heading < tree.end[node]:
            stop = tree.end[node]
            if any(_speaks(tree, below, named) for below in range(node, stop)):
                return True
    return False


def _speaks(tree: Tree, node: int, named: dict[int, int]) -> bool:
    if tree.tag[node] == TEXT:
        return is_stamp(tree.text[node])
    return named.get(node) == names.ITEM and tree.end[node] > node + 2


def _announcing(tree: Tree, named: dict[int, int]) -> Iterator[int]:
    headings = sorted(node for tag in _HEADINGS for node in _elements(tree, tag))
    tried = 0
    for node in reversed(headings):
        if named.get(node, names.NOTHING) >= names.PLACE or names.is_heading(_short_text(tree, node)):
            after = range(tree.end[node], tree.end[max(tree.parent[tree.parent[node]], 0)])
            if any(tree.tag[below] == TEXT and is_stamp(tree.text[below]) for below in after):
                yield node
            tried += 1
            if tried == _MOST_HEADINGS:
                return


def _elements(tree: Tree, tag: str) -> Iterator[int]:
    node = -1
    try:
        while True:
            node = tree.tag.index(tag, node + 1)
            yield node
    except ValueError:  # no more of them
        return


def _short_text(tree: Tree, node: int) -> str:
    return " ".join("".join(tree.text[node : min(tree.end[node], node + 8)]).split())
