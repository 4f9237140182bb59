"""The images of a page with their captions."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urljoin

from duramen.dom.lexbor import UNSURE
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.metadata.body import Body
from duramen.metadata.marks import OF_PICTURES
from duramen.metadata.strings import text_of, tidy

_LONGEST: Final = 1000
_MOST: Final = 500
_SOURCE: Final = "src"
_LATE_SOURCES: Final = ("data-src", "data-original", "data-lazy-src")
_SETS: Final = ("srcset", "data-srcset")
_NO_ADDRESSES: Final = ("data:", "javascript:", "about:", "blob:")
"""What a source may begin with that leads to no picture: an image that is fetched late has a tiny one in its place."""
_DOT: Final = ("0", "1", "0px", "1px")
_HIGHEST: Final = 6
"""Elements around an image that are looked at."""


class Image(NamedTuple):
    url: str
    caption: str | None = None
    alt: str | None = None
    """What stands for the image where it is not shown."""


def images(page: Page, body: Body) -> tuple[Image, ...]:
    """The images of the page's own parts, each once, in order. Pictures that are written into the page are left out."""
    tree = page.tree
    found: dict[str, Image] = {}
    nodes = [node for node in tree.find_all("img") if node > tree.body]
    body = body.around(nodes, own=True)
    nodes = body.own(nodes, also_beside=False)
    # What may be called a caption; the marks are of what stands in the body, not of itself.
    named = frozenset((0, tree.body, *body.marks.telling(OF_PICTURES | UNSURE)))
    captions: dict[int, str | None] = {}  # by what holds them: many images may stand in one
    read = zip(
        nodes,
        tree.attribute_values(_SOURCE, nodes),
        tree.attribute_values("alt", nodes),
        tree.attribute_values("width", nodes),
        strict=True,
    )
    for node, source, alt, width in read:
        if len(found) >= _MOST:
            break
        if width in _DOT and tree.attributes[node].get("height") in _DOT:
            continue  # it counts who reads the page
        url = _address(page, node, tidy(source))
        if url is not None and url not in found:
            found[url] = Image(url, _caption(tree, node, named, captions), tidy(alt) or None)
    return tuple(found.values())


def _address(page: Page, node: int, source: str) -> str | None:
    if not source or source.lower().startswith(_NO_ADDRESSES):
        own = page.tree.attributes[node]
        told = [tidy(own.get(name)) for name in _LATE_SOURCES]
        told += [tidy(own.get(name)).split(",")[0].split(" ")[0] for name in _SETS]  # the first of several sizes
        source = next((value for value in told if value and not value.lower().startswith(_NO_ADDRESSES)), "")
    if not source or source.startswith(("https://", "http://")):
        return source or None
    try:
        return urljoin(page.base or "", source)
    except ValueError:  # "http://[broken"
        return None


def _caption(tree: Tree, node: int, named: frozenset[int], captions: dict[int, str | None]) -> str | None:
    """The caption of the figure that holds an image, or of what is called one; `named` may be called so."""
    tags, parents = tree.tag, tree.parent
    above = parents[node]
    for _ in range(_HIGHEST):
        if above < 0:
            break
        # WordPress: <div class="wp-caption">
        if tags[above] == "figure" or (above in named and "caption" in _class_words(tree, above)):
            if above not in captions:
                captions[above] = _caption_in(tree, above)
            return captions[above]
        above = parents[above]
    return None


def _caption_in(tree: Tree, holder: int) -> str | None:
    tags = tree.tag
    for inner in range(holder + 1, tree.end[holder]):
        if tags[holder] == "figure":
            is_caption = tags[inner] == "figcaption"
        else:
            is_caption = tags[inner] != "img" and "caption" in (tree.attributes[inner].get("class") or "").lower()
        if is_caption:
            return text_of(tree, inner, _LONGEST) or None
    return None


def _class_words(tree: Tree, node: int) -> list[str]:
    return (tree.attributes[node].get("class") or "").lower().replace("_", "-").replace("-", " ").split()
