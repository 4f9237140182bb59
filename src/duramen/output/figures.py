"""Media between kept nodes, and their captions: they belong to the content although no method keeps them.

Methods keep text. An image or a video has none, so it is kept only if it is between two kept pieces of text with
nothing else between them. Here one is added if the nearest element around it that holds other text than its caption
holds kept text: it stands among the paragraphs, and not in a teaser or a sidebar, whose own text was not kept. The
caption comes with it. Without images captions are left to the method: most of them say nothing on their own. A post of
a social network that the page quotes is added whole, with the link to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from duramen.dom.tree import Tree
from duramen.output.elements import IMAGE_TAGS
from duramen.output.options import OutputOptions
from duramen.structure.embeds import find_quoted_posts
from duramen.structure.units import find_structure

_MAX_LEVELS: Final = 12
"""Elements around an image that are looked at: a figure, links and boxes around it."""
_COPY: Final = -2
_ASIDE_TAGS: Final = frozenset(("nav", "aside", "footer", "form", "button", "noscript"))


def add_media(tree: Tree, spans: Sequence[range], options: OutputOptions) -> list[range]:
    """Return the spans, with the media between the first and the last kept node that belong to them.

    Images are added if the options have images; videos, audio and quoted posts if they have links.
    """
    if not spans:
        return []
    starts = [span.start for span in spans]
    added: list[range] = []
    for node, stop in _find_media(tree, spans, options):
        figure = _find_figure(tree, node)
        if figure == _COPY:
            continue
        if not _stands_among(tree, node if figure < 0 else figure, spans, starts):
            continue
        if not _is_kept(node, spans, starts):
            added.append(range(node, stop))
        if figure >= 0:
            added += [
                range(child, tree.end[child])
                for child in tree.children(figure)
                if _is_caption(tree, child) and not _is_kept_in_part(tree, child, spans, starts)
            ]
    return merge_spans([*spans, *added]) if added else list(spans)


def _find_media(tree: Tree, spans: Sequence[range], options: OutputOptions) -> Iterator[tuple[int, int]]:
    """Yield the element of each image, video and so on between the first and the last kept node, and its end."""
    first, last = spans[0].start, spans[-1].stop
    structure = find_structure(tree, spans)
    if options.images:
        images = sorted(chain.from_iterable(map(tree.find_all, IMAGE_TAGS)))
        yield from ((node, node + 1) for node in images[bisect_left(images, first) : bisect_left(images, last)])
        yield from ((node, tree.end[node]) for node in structure.noscript_images if first <= node < last)
    if options.links:
        embeds = (*structure.embeds, *find_quoted_posts(tree, structure.within))
        yield from ((node, tree.end[node]) for node in embeds if first <= node < last)


def merge_spans(spans: Iterable[range]) -> list[range]:
    """Return spans in order and without overlap that cover the same nodes."""
    merged: list[range] = []
    for span in sorted(spans, key=lambda span: (span.start, span.stop)):
        if merged and span.start < merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, span.stop))
        else:
            merged.append(span)
    return merged


def _find_figure(tree: Tree, node: int) -> int:
    """Return the figure around an image; −1 if there is none; `_COPY` for the copy of another in a `noscript`."""
    for _ in range(_MAX_LEVELS):
        node = tree.parent[node]
        if node < 0:
            break
        if tree.tag[node] == "noscript":
            return _COPY
        if tree.tag[node] == "figure" or "wp-caption" in (tree.attributes[node].get("class") or "").split():
            return node
    return -1


def _is_caption(tree: Tree, node: int) -> bool:
    """Return whether a child of a figure is its caption; older pages of WordPress have no `figcaption`."""
    if tree.tag[node] == "figcaption":
        return True
    return tree.tag[node] == "p" and "wp-caption-text" in (tree.attributes[node].get("class") or "").split()


def _is_kept(node: int, spans: Sequence[range], starts: Sequence[int]) -> bool:
    place = bisect_left(starts, node + 1) - 1
    return place >= 0 and node < spans[place].stop


def _is_kept_in_part(tree: Tree, node: int, spans: Sequence[range], starts: Sequence[int]) -> bool:
    place = bisect_left(starts, tree.end[node]) - 1
    return place >= 0 and spans[place].stop > node


def _stands_among(tree: Tree, node: int, spans: Sequence[range], starts: Sequence[int]) -> bool:
    """Return whether the nearest element with text around an image or a figure holds kept nodes."""
    texts = tree.text_nodes
    own_texts = bisect_left(texts, tree.end[node]) - bisect_left(texts, node)
    for _ in range(_MAX_LEVELS):
        node = tree.parent[node]
        if node < 0 or tree.tag[node] in _ASIDE_TAGS or node in tree.hidden:
            return False
        if bisect_left(texts, tree.end[node]) - bisect_left(texts, node) > own_texts:
            return _is_kept_in_part(tree, node, spans, starts)
    return False
