"""The images of a page with their captions."""

from __future__ import annotations

from typing import Final, NamedTuple

from duramen.dom.class_names import has_caption_word, split_words
from duramen.dom.images import find_best_image_url
from duramen.dom.lexbor import UNSURE
from duramen.dom.page import Page
from duramen.dom.text import clean_text, read_clean_text
from duramen.dom.tree import Tree
from duramen.metadata.sources.body import PICTURE_FLAG, Body

_MAX_CAPTION_CHARS: Final = 1000
_MAX_IMAGES: Final = 500
_TRACKING_PIXEL_SIZES: Final = ("0", "1", "0px", "1px")
_MAX_CAPTION_LEVELS: Final = 6
"""Ancestors of an image that are searched for a caption."""


class Image(NamedTuple):
    """An image of the page."""

    url: str
    caption: str | None = None
    alt: str | None = None
    """The alternative text."""

    def as_dict(self) -> dict[str, str | None]:
        """Return all parts, ready for JSON."""
        return {"url": self.url, "caption": self.caption, "alt": self.alt}


def find_images(page: Page, body: Body) -> tuple[Image, ...]:
    """Find the images of the page's own parts, each once, in document order. Embedded data is left out."""
    tree = page.tree
    images: dict[str, Image] = {}
    nodes = [node for node in tree.find_all("img") if node > tree.body]
    body = body.restrict_to(nodes, with_nodes=True)
    nodes = body.own_nodes(nodes, include_side=False)
    may_be_captioned = frozenset((0, tree.body, *body.flagged.with_any(PICTURE_FLAG | UNSURE)))
    captions: dict[int, str | None] = {}  # by their container, which may have many images
    attributes = zip(
        nodes,
        tree.attribute_values("alt", nodes),
        tree.attribute_values("width", nodes),
        strict=True,
    )
    for node, alt, width in attributes:
        if len(images) >= _MAX_IMAGES:
            break
        if width in _TRACKING_PIXEL_SIZES and tree.attributes[node].get("height") in _TRACKING_PIXEL_SIZES:
            continue
        url = find_best_image_url(tree, node, page.base)
        if url is not None and url not in images:
            images[url] = Image(url, _find_caption(tree, node, may_be_captioned, captions), clean_text(alt) or None)
    return tuple(images.values())


def _find_caption(
    tree: Tree, node: int, may_be_captioned: frozenset[int], captions: dict[int, str | None]
) -> str | None:
    """Return the caption of the figure around an image, or of an element with a caption class around it."""
    container = tree.parent[node]
    for _ in range(_MAX_CAPTION_LEVELS):
        if container < 0:
            break
        # WordPress: <div class="wp-caption">
        is_captioned = container in may_be_captioned and "caption" in split_words(
            tree.attributes[container].get("class") or ""
        )
        if tree.tag[container] == "figure" or is_captioned:
            if container not in captions:
                captions[container] = _read_caption(tree, container)
            return captions[container]
        container = tree.parent[container]
    return None


def _read_caption(tree: Tree, container: int) -> str | None:
    tags = tree.tag
    for node in range(container + 1, tree.end[container]):
        if tags[container] == "figure":
            is_caption = tags[node] == "figcaption"
        else:
            is_caption = tags[node] != "img" and has_caption_word(tree.attributes[node].get("class") or "")
        if is_caption:
            return read_clean_text(tree, node, _MAX_CAPTION_CHARS) or None
    return None
