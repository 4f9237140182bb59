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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import compress
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from duramen.content import Content
from duramen.dom.blocks import Blocks
from duramen.dom.page import Page
from duramen.explanation import Explanation
from duramen.methods.auto.boosted_trees import Floats
from duramen.methods.auto.method import Auto, Scored, is_list_of_things
from duramen.site_model.evidence import (
    FRAME_LOG_ODDS,
    LIST_SHARE,
    WEIGHTS,
    BlockEvidence,
    Measured,
    SiteCounts,
    add_region_evidence,
    describe_evidence,
    find_frame,
    measure_evidence,
    weigh_evidence,
)
from duramen.site_model.sketch import PageSketch, find_field_places, sketch_page

MAX_PAGES: Final = 32
"""Pages of a sample. More than ten add little: see docs/sites.md."""
COPY_SHARE, RETITLED_COPY_SHARE = 0.5, 0.9
"""Share of the words of its probable content that a copy has in common with the page: with the same title, or not."""


class ScoredPage(NamedTuple):
    """A page, what `auto` says about its blocks, and what a model keeps of it."""

    page: Page
    scored: Scored
    sketch: PageSketch


PageInput = Page | ScoredPage | str | bytes
"""A page, with or without its classification; str and bytes are HTML."""


class SiteModel:
    """What the pages of one template of a site have in common."""

    def __init__(self, site: str | None = None) -> None:
        self.site = site
        """The host, if it is known; for the user only."""
        self.weights = WEIGHTS
        """Of the evidence. benchmarks/site_weights.py compares others."""
        self._pages: dict[int, PageSketch] = {}
        self._counts: tuple[frozenset[int], SiteCounts] | None = None
        self._last: ScoredPage | None = None

    @classmethod
    def learn(cls, pages: Iterable[PageInput], site: str | None = None) -> SiteModel:
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

    def add(self, page: PageInput) -> None:
        """Learn from one more page.

        The places of its fields are read only if the page belongs to the sample.
        """
        seen = self.score(page)
        if self._is_wanted(seen.sketch):
            self.add_sketch(self.sketch(seen))

    def add_sketch(self, sketch: PageSketch) -> None:
        """Add a page by its sketch. A page without text, or one that is in the sample already, changes nothing."""
        if not self._is_wanted(sketch):
            return
        if len(self._pages) >= MAX_PAGES:
            del self._pages[max(self._pages)]
        self._pages[sketch.key] = sketch.cut()
        self._counts = None
        self.__dict__.pop("core", None)

    def _is_wanted(self, sketch: PageSketch) -> bool:
        """Return whether a page belongs to the sample, and is not in it already."""
        if not len(sketch) or sketch.key in self._pages:
            return False
        return len(self._pages) < MAX_PAGES or sketch.key < max(self._pages)

    def sketch(self, page: PageInput) -> PageSketch:
        """Return what the model would keep of a page."""
        seen = self.score(page)
        return replace(seen.sketch, fields=find_field_places(seen.page, seen.scored.blocks, seen.sketch.places))

    def score(self, page: PageInput) -> ScoredPage:
        """Return the page with its classification by `auto`, which `add` and `extract` then need not repeat."""
        if isinstance(page, ScoredPage):
            return page
        page = page if isinstance(page, Page) else Page.parse(page)
        if self._last is None or self._last.page is not page:
            scored = Auto().score_blocks(page)
            self._last = ScoredPage(page, scored, sketch_page(scored.blocks, scored.probabilities))
        return self._last

    def merge(self, other: SiteModel) -> SiteModel:
        """Return the model of the pages of both."""
        merged = SiteModel(self.site or other.site)
        for sketch in (*self._pages.values(), *other._pages.values()):
            merged.add_sketch(sketch)
        return merged

    def extract(
        self,
        page: PageInput,
        *,
        others: Callable[[Blocks], Floats | None] | None = None,
        drop_frame: bool = False,
        **options: Any,
    ) -> Content:
        """Extract the content of a page by `auto` and by what the site shows; `options` are those of `auto`.

        With nothing known about the site the content is exactly that of `auto`. `others` gives the log-odds of further
        evidence for each block, or None. `drop_frame` leaves out all texts of `find_frame`, also those that `auto`
        would keep. On pages that are lists other evidence counts less (`LIST_SHARE`): their records repeat.
        """
        seen = self.score(page)
        used = 0

        def add_evidence(blocks: Blocks, probabilities: Floats, is_list: bool) -> Floats | None:
            nonlocal used
            is_seen = probabilities is seen.scored.probabilities
            sketch = seen.sketch if is_seen else sketch_page(blocks, probabilities)
            counts = self._find_others(sketch)
            used = len(counts)
            share = LIST_SHARE if is_list else 1.0
            log_odds: list[Floats] = []
            if others is not None and (other := others(blocks)) is not None:
                log_odds.append(share * other)
            if used and len(sketch):
                log_odds.append(share * weigh_evidence(sketch, counts, blocks, self.weights))
            if used and len(sketch) and drop_frame:
                log_odds.append(np.where(find_frame(sketch, counts), FRAME_LOG_ODDS, 0.0))
            return np.sum(log_odds, axis=0) if log_odds else None

        # Another model of `auto` gives other probabilities, which the sketches of the sample do not have.
        scored = None if options.get("model") else seen.scored
        content = Auto(**options).extract(seen.page, add_evidence, scored)
        if content.site is None:
            return content
        if used:
            site = content.site._replace(pages=used)
            content = replace(content, site=site, reason=f"{content.reason}; {site}")
        explainer = partial(self._explain, content.explainer, content.reason, others)
        return replace(content, explainer=explainer)

    def evidence(self, page: PageInput) -> list[BlockEvidence]:
        """Return the evidence of the site for each block of a page, in the order of `dom.blocks.find_blocks`."""
        seen = self.score(page)
        return describe_evidence(seen.sketch, self._find_others(seen.sketch), seen.scored.blocks, self.weights)

    def measure(self, page: PageInput) -> Measured | None:
        """Return the evidence for each block before it is weighed; None without any."""
        seen = self.score(page)
        others = self._find_others(seen.sketch)
        return measure_evidence(seen.sketch, others, seen.scored.blocks) if others and len(seen.sketch) else None

    def find_frame(self, page: PageInput) -> list[str]:
        """Return the texts of a page that repeat on the other pages: menus, footers, contacts, cookie notices."""
        seen = self.score(page)
        repeated = find_frame(seen.sketch, self._find_others(seen.sketch))
        return list(compress(seen.scored.blocks.text, repeated.tolist()))

    def _explain(
        self,
        explain_auto: Any,
        reason: str,
        others: Callable[[Blocks], Floats | None] | None,
        content: Content,
        features: bool,
    ) -> Explanation:
        """Explain a content that this model extracted."""
        from duramen.site_model.site_explanation import add_site_facts  # only when it is asked for

        explanation: Explanation = replace(explain_auto(content, features), reason=reason)
        blocks, _, probabilities = Auto().score_blocks(content.page)
        sketch = sketch_page(blocks, probabilities)
        counts = self._find_others(sketch)
        pages_with_text = counts.count_pages_with_text(sketch).tolist() if counts else [0] * len(sketch)
        share = LIST_SHARE if is_list_of_things(content.type_log_odds) else 1.0
        described = describe_evidence(sketch, counts, blocks, self.weights, share)
        if others is not None and (region := others(blocks)) is not None:
            described = add_region_evidence(described, share * region)
        return add_site_facts(explanation, blocks.first, described, pages_with_text)

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
    total = sum(words for _, words in page.likely_texts)
    common = sum(words for text, words in page.likely_texts if text in other.text_set)
    return total > 0 and common >= (COPY_SHARE if page.title == other.title else RETITLED_COPY_SHARE) * total
