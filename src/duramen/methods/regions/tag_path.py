"""The main data region as the part of the page whose tag paths recur among each other.

Velloso and Dorneles, "Automatic web page segmentation and noise removal for structured extraction using tag path
sequences", JIDM 4(3), 2013: the second baseline of Figueiredo et al. The body is written as the sequence of its tag
paths; rare paths are set aside until the others fall into parts without a path in common; the larger part is kept,
and split again, until it cannot be or would be less than `least` of the page (`regions.tag_paths`).

The answer is a run of elements; `content.node` is the lowest element that holds them all. Where nothing can be split
off, that is the body. Text nodes are no symbols: with them, fewer pages come out right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.visibility import text_nodes
from duramen.methods.regions.path_counts import main_part, symbols
from duramen.methods.registry import register


@register
@dataclass(frozen=True)
class TagPath:
    name: ClassVar[str] = "tag-path"
    summary: ClassVar[str] = "the part of the page whose tag paths recur and stand nowhere else"
    paper: ClassVar[str] = "Velloso and Dorneles, JIDM 2013; a baseline of Figueiredo et al."
    regional: ClassVar[bool] = True

    least: float = 0.2

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        if not text_nodes(tree):
            return Content(page, self.name, "the page has no text")
        paths = symbols(tree, tree.body)
        elements, sequence = list(paths), list(paths.values())
        start, stop = main_part(sequence, self.least)
        share = (stop - start) / len(sequence)
        different = len(set(sequence[start:stop]))
        reason = f"{stop - start} elements, {share:.0%} of the body's, have {different} tag paths that cannot be parted"
        first = elements[start]
        spans = (range(first, max(tree.end[element] for element in elements[start:stop])),)
        return Content(page, self.name, reason, spans, 1.0 - share)
