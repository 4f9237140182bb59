"""What pages of one template of a site have in common, as evidence for the method `auto`.

A `SiteModel` keeps a sketch of each page it has seen (`sketch.py`), of no more than `MAX_PAGES` pages: those with the
smallest keys, which are hashes of their texts. So it is a random sample that does not depend on the order of the
pages, two models merge into the one that all their pages give, and the size is bounded.

A page that is extracted is compared with the *other* pages: the page itself, if it is in the sample, and its copies
under other addresses are left out, because their text repeats whatever it is. With no other page there is no evidence,
and the result is that of `auto`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from duramen.content import Content
from duramen.dom.blocks import Blocks
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.explanation import Explanation
from duramen.methods.auto.boosted_trees import Floats
from duramen.methods.auto.method import Auto
from duramen.site_model.evidence import BlockEvidence, SiteCounts, describe_evidence, weigh_evidence
from duramen.site_model.sketch import PageSketch, sketch_page

MAX_PAGES: Final = 32
"""Pages of a sample. More than ten add little: see docs/sites.md."""
MIN_COPIED_WORDS: Final = 8
"""Shorter blocks do not show whether a page is a copy."""
COPY_SHARE, RETITLED_COPY_SHARE = 0.5, 0.9
"""Share of the words of its probable content that a copy has in common with the page: with the same title, or not."""


class SiteModel:
    """What the pages of one template of a site have in common."""

    def __init__(self, site: str | None = None) -> None:
        self.site = site
        """The host, if it is known; for the user only."""
        self._pages: dict[int, PageSketch] = {}
        self._counts: tuple[frozenset[int], SiteCounts] | None = None
        self._last: tuple[Tree, PageSketch] | None = None

    @classmethod
    def learn(cls, pages: Iterable[Page | str | bytes], site: str | None = None) -> SiteModel:
        """Return the model of these pages."""
        model = cls(site)
        for page in pages:
            model.add(page)
        return model

    def __len__(self) -> int:
        """Return the number of pages in the sample."""
        return len(self._pages)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(site={self.site!r}, pages={len(self)})"

    @cached_property
    def core(self) -> frozenset[int]:
        """The places that at least half of the pages have."""
        counts = Counter(place for sketch in self._pages.values() for place in sketch.place_set)
        return frozenset(place for place, count in counts.items() if 2 * count >= len(self))

    @property
    def pages(self) -> Sequence[PageSketch]:
        """The sketches of the sample, in the order of their keys."""
        return [self._pages[key] for key in sorted(self._pages)]

    def add(self, page: Page | str | bytes) -> None:
        """Learn from one more page; after `extract` of the same page this costs nothing."""
        self.add_sketch(self.sketch(page))

    def add_sketch(self, sketch: PageSketch) -> None:
        """Add a page by its sketch. A page without text, or one that is in the sample already, changes nothing."""
        if not len(sketch) or sketch.key in self._pages:
            return
        if len(self._pages) >= MAX_PAGES:
            largest = max(self._pages)
            if sketch.key > largest:
                return
            del self._pages[largest]
        self._pages[sketch.key] = sketch.cut()
        self._counts = None
        self.__dict__.pop("core", None)

    def sketch(self, page: Page | str | bytes) -> PageSketch:
        """Return what the model would keep of a page."""
        page = _parse(page)
        if self._last is not None and self._last[0] is page.tree:
            return self._last[1]
        sketch = sketch_page(*Auto().score_blocks(page))
        self._last = page.tree, sketch
        return sketch

    def merge(self, other: SiteModel) -> SiteModel:
        """Return the model of the pages of both."""
        merged = SiteModel(self.site or other.site)
        for sketch in (*self._pages.values(), *other._pages.values()):
            merged.add_sketch(sketch)
        return merged

    def extract(self, page: Page | str | bytes, **options: Any) -> Content:
        """Extract the content of a page by `auto` and by what the site shows; `options` are those of `auto`.

        With nothing known about the site the content is exactly that of `auto`.
        """
        page = _parse(page)
        used = 0

        def add_evidence(blocks: Blocks, probabilities: Floats) -> Floats | None:
            nonlocal used
            sketch = sketch_page(blocks, probabilities)
            if blocks.tree is page.tree and not options.get("model"):
                self._last = page.tree, sketch
            others = self._find_others(sketch)
            used = len(others)
            return weigh_evidence(sketch, others) if others else None

        content = Auto(**options).extract(page, add_evidence)
        if not used:
            return content
        count = "one other page" if used == 1 else f"{used} other pages"
        reason = f"{content.reason}; with what {count} of the site show"
        return replace(content, reason=reason, explainer=partial(self._explain, content.explainer, reason))

    def evidence(self, page: Page | str | bytes) -> list[BlockEvidence]:
        """Return the evidence of the site for each block of a page, in the order of `dom.blocks.find_blocks`."""
        sketch = self.sketch(page)
        return describe_evidence(sketch, self._find_others(sketch))

    def _explain(self, explain_auto: Any, reason: str, content: Content, features: bool) -> Explanation:
        """Explain a content that this model extracted."""
        from duramen.site_model.site_explanation import add_site_facts  # only when it is asked for

        explanation: Explanation = replace(explain_auto(content, features), reason=reason)
        blocks, probabilities = Auto().score_blocks(content.page)
        sketch = sketch_page(blocks, probabilities)
        others = self._find_others(sketch)
        pages_with_text = others.count_pages_with_text(sketch).tolist()
        return add_site_facts(explanation, blocks.first, describe_evidence(sketch, others), pages_with_text)

    def _find_others(self, page: PageSketch) -> SiteCounts:
        """Return the counts of the sample without the page itself and its copies."""
        excluded = frozenset(key for key, other in self._pages.items() if key == page.key or is_copy(page, other))
        if self._counts is None or self._counts[0] != excluded:
            others = [sketch for key, sketch in sorted(self._pages.items()) if key not in excluded]
            self._counts = excluded, SiteCounts(others)
        return self._counts[1]

    def to_json(self) -> str:
        """Return the model as JSON."""
        from duramen.site_model.model_json import format_model

        return format_model(self)

    @classmethod
    def from_json(cls, text: str, name: str = "this") -> SiteModel:
        """Read a model. Raises `InputError`, which calls the text `name`, if it is damaged or of a later version."""
        from duramen.site_model.model_json import parse_model

        return parse_model(text, name)

    def save(self, path: str | Path) -> None:
        """Write the model as JSON."""
        from duramen.site_model.model_json import save_model

        save_model(self, path)

    @classmethod
    def load(cls, path: str | Path) -> SiteModel:
        """Read a model from a file. Raises `InputError` if the file is missing, damaged or of a later version."""
        from duramen.site_model.model_json import load_model

        return load_model(path)


def is_copy(page: PageSketch, other: PageSketch) -> bool:
    """Return whether most of what is probably the content of a page stands on the other page too."""
    longer = np.flatnonzero(page.is_likely & (page.words >= MIN_COPIED_WORDS))
    words = page.words[longer]
    if not len(longer):
        return False
    common = np.fromiter((text in other.text_set for text in page.texts[longer].tolist()), bool, len(longer))
    has_same_title = page.title == other.title
    return bool(words[common].sum() >= (COPY_SHARE if has_same_title else RETITLED_COPY_SHARE) * words.sum())


def _parse(page: Page | str | bytes) -> Page:
    return page if isinstance(page, Page) else Page.parse(page)
