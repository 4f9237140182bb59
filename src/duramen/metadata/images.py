"""The images of a page with their captions."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urljoin

from duramen.metadata.body import Body
from duramen.metadata.head import Head
from duramen.metadata.strings import text_of, tidy
from duramen.page import Page
from duramen.tree import Attributes, Tree

_LONGEST: Final = 1000
_MOST: Final = 500
_SOURCES: Final = ("src", "data-src", "data-original", "data-lazy-src")


class Image(NamedTuple):
    url: str
    caption: str | None = None
    alt: str | None = None
    """What stands for the image where it is not shown."""


def images(page: Page, head: Head, body: Body) -> tuple[Image, ...]:
    """The images of the page's own parts, each once, in order. Pictures that are written into the page are left out."""
    tree = page.tree
    found: dict[str, Image] = {}
    nodes = [node for node in head.tree.places("img") if node > tree.body]
    nodes = [node for node in nodes if not body.is_apart(node) and not body.is_beside(node)]
    for node, own in zip(nodes, tree.attributes_of(nodes), strict=True):
        if len(found) >= _MOST:
            break
        url = _address(page, own)
        if url is not None and url not in found:
            found[url] = Image(url, _caption(tree, node), tidy(own.get("alt")) or None)
    return tuple(found.values())


def _address(page: Page, own: Attributes) -> str | None:
    for name in _SOURCES:  # an image that is fetched late has a tiny one in its place
        value = tidy(own.get(name))
        if value and not value.startswith("data:"):
            if value.startswith(("https://", "http://")):
                return value
            try:
                return urljoin(page.base or "", value)
            except ValueError:  # "http://[broken"
                return None
    return None


def _caption(tree: Tree, node: int) -> str | None:
    """The caption of the figure that holds an image, or of what is called one."""
    for steps, above in enumerate(tree.ancestors(node)):
        if tree.tag[above] == "figure":
            for inner in range(above + 1, tree.end[above]):
                if tree.tag[inner] == "figcaption":
                    return text_of(tree, inner, _LONGEST) or None
            return None
        words = frozenset(
            (tree.attributes[above].get("class") or "").lower().replace("_", "-").replace("-", " ").split()
        )
        if "caption" in words:  # WordPress before HTML5: <div class="wp-caption">
            for inner in range(above + 1, tree.end[above]):
                own = tree.attributes[inner]
                if inner != node and "caption" in (own.get("class") or "").lower():
                    return text_of(tree, inner, _LONGEST) or None
            return None
        if steps >= 5:
            break
    return None
