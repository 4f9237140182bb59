"""Compare a wrapper with `auto` on the pages it was learned from, and say which to use.

There is no reference text: the two are compared with each other. Where they agree, both are probably right, and the
XPaths alone are as good as anything. Where they do not, the fusion follows the more certain one, page by page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from duramen.dom.page import Page
from duramen.methods.auto.method import Auto
from duramen.site_model.fusion import find_blocks_in_spans
from duramen.site_model.model import SiteModel
from duramen.wrappers.wrapper import EXACT, FUSED, Wrapper

MIN_AGREEMENT, MIN_PAGE_AGREEMENT = 0.95, 0.8
"""Mean agreement, and that of the worst page, from which on the XPaths alone are recommended."""
MIN_PAGES: Final = 3


class PageComparison(NamedTuple):
    """The words that the XPaths and `auto` keep of one page."""

    name: str
    both: int
    only_wrapper: int
    only_auto: int

    @property
    def agreement(self) -> float:
        """F1 of the one against the other."""
        total = 2 * self.both + self.only_wrapper + self.only_auto
        return 2 * self.both / total if total else 1.0


class WrapperComparison(NamedTuple):
    """A wrapper and `auto` on the pages of a sample."""

    pages: tuple[PageComparison, ...]
    unfit: int
    """Pages on which the XPaths select nothing."""

    @property
    def agreement(self) -> float:
        return sum(page.agreement for page in self.pages) / len(self.pages) if self.pages else 0.0

    @property
    def recommendation(self) -> str:
        """The mode of extraction: exact or fused."""
        is_sure = len(self.pages) >= MIN_PAGES and not self.unfit and self.agreement >= MIN_AGREEMENT
        return EXACT if is_sure and min(page.agreement for page in self.pages) >= MIN_PAGE_AGREEMENT else FUSED

    def describe(self) -> list[str]:
        """Return the comparison in a few lines."""
        if not self.pages:
            return ["no page to compare with auto"]
        count = len(self.pages)
        only_wrapper = sum(page.only_wrapper for page in self.pages)
        only_auto = sum(page.only_auto for page in self.pages)
        lines = [
            f"the XPaths and auto agree by {self.agreement:.0%} on {count} {'page' if count == 1 else 'pages'}: "
            f"the XPaths alone would lose {only_auto:,} words that auto keeps, auto {only_wrapper:,} that they keep"
        ]
        worst = min(self.pages, key=lambda page: page.agreement)
        if worst.agreement < MIN_PAGE_AGREEMENT:
            lines.append(
                f"least on {worst.name}: {worst.agreement:.0%}, {worst.only_wrapper:,} words of the XPaths alone, "
                f"{worst.only_auto:,} of auto alone"
            )
        lines.append(f"recommended: {self.recommendation} ({self._explain()})")
        return lines

    def _explain(self) -> str:
        if self.recommendation == EXACT:
            return "the pages agree, so that the XPaths can be used without duramen too"
        if self.unfit:
            return f"the XPaths select nothing on {self.unfit} of {len(self.pages)} pages"
        if len(self.pages) < MIN_PAGES:
            return f"fewer than {MIN_PAGES} pages prove little"
        return "where the two disagree, auto with the wrapper as evidence is right more often"


def compare_with_auto(wrapper: Wrapper, pages: Iterable[tuple[str, Page]]) -> WrapperComparison:
    """Compare what a wrapper selects with what `auto` keeps, on named pages."""
    compared, unfit = [], 0
    for name, page in pages:
        seen = SiteModel().score(page)
        blocks = seen.scored.blocks
        words = np.array(blocks.words)
        content = Auto().extract(page, None, seen.scored)
        spans = wrapper.find_spans(page.tree)
        unfit += not spans
        by_wrapper, by_auto = (
            find_blocks_in_spans(blocks, part) if part else np.zeros(len(blocks), bool)
            for part in (spans, content.spans if content.page is page else ())
        )
        sums = [words[mask].sum() for mask in (by_wrapper & by_auto, by_wrapper & ~by_auto, by_auto & ~by_wrapper)]
        compared.append(PageComparison(name, *map(int, sums)))
    return WrapperComparison(tuple(compared), unfit)
