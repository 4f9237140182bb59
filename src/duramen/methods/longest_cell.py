"""Longest cell: the table cell or `<div>` with the most characters.

McKeown et al., "Tracking and summarizing news on a daily basis with Columbia's Newsblaster", HLT 2002, took the table
cell; Pasternack and Roth (WWW 2009, section 6.2.1) let `<div>` compete and use it as their first baseline. An element
includes the text of its descendants, so on a page inside one `<div>` this `<div>` is chosen: high recall, low
precision, as they found. Of several elements with the same text the innermost is taken; on a page that has neither
cell nor `<div>` the body is the cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from duramen.content import Content, subtree
from duramen.dom.page import Page
from duramen.dom.visibility import find_visible_texts
from duramen.methods.registry import register


@register
@dataclass(frozen=True)
class LongestCell:
    """The method longest-cell."""

    name: ClassVar[str] = "longest-cell"
    summary: ClassVar[str] = "the table cell or div with the most characters"
    paper: ClassVar[str] = "McKeown et al., HLT 2002; Pasternack and Roth, WWW 2009, baseline 1"

    cells: frozenset[str] = frozenset({"td", "th", "div"})

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        lengths = [0] * len(tree)
        for node in find_visible_texts(tree):
            lengths[node] = len(tree.text[node])
        chars_before = list(accumulate(lengths, initial=0))
        if not chars_before[-1]:
            return Content(page, self.name, "the page has no text")
        longest, most = tree.body, 0
        for node, tag in enumerate(tree.tag):
            if tag in self.cells:
                length = chars_before[tree.end[node]] - chars_before[node]
                if length and length >= most:  # the innermost of equals comes last
                    longest, most = node, length
        if not most:
            most = chars_before[tree.end[longest]] - chars_before[longest]
            reason = "there is neither cell nor div with text, so the body is taken"
        else:
            reason = f"the {tree.tag[longest]} with the most characters, {most} of {chars_before[-1]}"
        if not most:
            return Content(page, self.name, "the body has no text")
        return Content(page, self.name, reason, subtree(tree, longest), most / chars_before[-1])
