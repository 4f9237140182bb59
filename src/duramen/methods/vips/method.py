"""VIPS: segment the rendered page by what a reader sees, and take the segment with the article.

Cai, Yu, Wen and Ma, "VIPS: a vision-based page segmentation algorithm", Microsoft Research MSR-TR-2003-79, 2003. In
turn: the page is divided into blocks by rules on tags, sizes, fonts and backgrounds (`visual_blocks.py`); the lines
between the blocks are found and weighted (`separators.py`); the blocks are joined into a tree of segments
(`segmentation.py`); and segments that are less coherent than the permitted degree of coherence are divided again.

VIPS does not say which segment is the article. Pasternack and Roth (WWW 2009, section 7.6) compare their method with it
in two ways: by the segment with the highest F1, which needs the right answer (`benchmarks/mss_vips.py`), and by the
segment with the most points, one for every word and minus two for every tag. This method is the second. Granularity 8
was best in their experiments; it is the permitted degree of coherence.

The method needs boxes, by `duramen.render`; without them the content is empty. Without the styles of a page (boxes
saved by an earlier version) the rules on fonts and backgrounds have no effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.tag_sets import VOID_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_visible_texts
from duramen.errors import UsageError
from duramen.language import count_words
from duramen.methods.registry import register
from duramen.methods.vips.screen import Screen
from duramen.methods.vips.segmentation import MAX_COHERENCE, Segment, segment_page


@register
@dataclass(frozen=True)
class Vips:
    """The method vips."""

    name: ClassVar[str] = "vips"
    summary: ClassVar[str] = "the segment of the rendered page with the most words and the fewest tags; needs boxes"
    paper: ClassVar[str] = "Cai, Yu, Wen and Ma, MSR-TR-2003-79; the choice by Pasternack and Roth, WWW 2009"

    needs_boxes: ClassVar[bool] = True

    coherence: int = 8
    """The permitted degree of coherence, from 1 to 10: with a larger one the segments are smaller."""
    tag_score: float = -2.0
    word_score: float = 1.0

    def __post_init__(self) -> None:
        if not 1 <= self.coherence <= MAX_COHERENCE:
            raise UsageError(f"{self.name}: coherence is from 1 to {MAX_COHERENCE}")

    def __call__(self, page: Page) -> Content:
        if page.tree.box is None:
            return Content(page, self.name, "the page has no boxes: use duramen.render, or the option --render")
        segments = self.segments(page)
        if not segments:
            return Content(page, self.name, "the page has no text")
        points = self._count_points(page.tree)
        scores = [sum(points[span.stop] - points[span.start] for span in segment.spans) for segment in segments]
        best = max(range(len(segments)), key=lambda number: (scores[number], -number))
        chosen = segments[best]
        reason = f"the segment with the most points, {scores[best]:g}, of {len(segments)} segments"
        spans = tuple(sorted(chosen.spans, key=lambda span: span.start))
        return Content(page, self.name, reason, spans, chosen.coherence / MAX_COHERENCE)

    def segments(self, page: Page) -> list[Segment]:
        """Return all segments of a page with boxes, from the whole page down; none if it has no text."""
        tree = page.tree
        if tree.box is None or not find_visible_texts(tree):
            return []
        return segment_page(Screen(tree, tree.box), self.coherence).walk()

    def _count_points(self, tree: Tree) -> list[float]:
        """Return the points of all nodes before each node."""
        points = [0.0 if tag == TEXT else self.tag_score * (1 if tag in VOID_TAGS else 2) for tag in tree.tag]
        for node in find_visible_texts(tree):
            points[node] = self.word_score * count_words(tree.text[node])
        return list(accumulate(points, initial=0.0))
