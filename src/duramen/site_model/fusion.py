"""Wrappers fused with `auto`: what was learned about a site as evidence, not as a replacement.

A wrapper's region is a guess from a few pages. Where it is right, `auto` mostly agrees; where it is wrong, it is wrong
on every page of a structure that the sample did not have. So the region raises the log-odds of the blocks that the
wrapper keeps and lowers those of others, by no more than a few pages can prove, and the sample's pages add what they
have in common (`model.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from duramen.content import Content, Spans
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.methods.auto.boosted_trees import Floats
from duramen.site_model.evidence import find_tables
from duramen.site_model.model import ScoredPage, SiteModel
from duramen.site_model.sketch import find_places
from duramen.wrappers.wrapper import Wrapper

PAGES_BEHIND_RULES: Final = 5
MIN_CORE_SHARE: Final = 0.5
"""A page with text at fewer of the places of the sample is of a new design: see benchmarks/site_redesigns.py."""


def extract_fused(wrapper: Wrapper, page: Page | ScoredPage, **options: Any) -> Content:
    """Extract a page by `auto`, with the wrapper as evidence.

    A page that does not fit is extracted by `auto` alone. `options` are those of `auto`.
    """
    model = read_site_model(wrapper)
    seen = model.score(page)
    tree = seen.page.tree
    spans = wrapper.find_spans(tree)

    def weigh(blocks: Blocks) -> Floats | None:
        # Of a page whose hidden text is read, the tree is another one.
        region = weigh_region(wrapper, blocks, spans if blocks.tree is tree else wrapper.find_spans(blocks.tree))
        return None if region is None else model.weights.region * region

    content = model.extract(seen, others=weigh, **options)
    field_nodes = wrapper.find_field_nodes(content.page.tree)
    if not spans:
        reason = "the page does not fit the wrapper: it has no text where the pages it was learned from had theirs"
        return replace(content, reason=f"{reason}; {content.method}: {content.reason}", field_nodes=field_nodes)
    count = f"{len(wrapper.pages)} pages" if len(wrapper.pages) != 1 else "one page"
    reason = f"the region learned from {count}, as evidence for {content.method}: {content.reason}"
    return replace(content, method=wrapper.name, reason=reason, field_nodes=field_nodes)


def weigh_region(wrapper: Wrapper, blocks: Blocks, spans: Spans) -> Floats | None:
    """Return the evidence of a wrapper for each block, from −1 to 1.

    Blocks that it does not keep have negative values. Return None if the page does not fit.
    """
    if not spans:
        return None
    # Imported rules name no pages: people wrote them, who had seen some.
    pages = len(wrapper.pages) or PAGES_BEHIND_RULES
    weight = wrapper.confidence * (pages / (pages + 1.0)) ** 2
    kept = find_blocks_in_spans(blocks, spans)
    for start, stop in find_tables(blocks, kept):
        # A table is kept or dropped whole: the wrapper takes the names of rows for boilerplate, because they repeat.
        kept[start:stop] = kept[start:stop].any()
    return np.where(kept, weight, -weight)


def find_blocks_in_spans(blocks: Blocks, spans: Spans) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which blocks start in one of these spans, which are sorted and do not overlap."""
    first = np.asarray(blocks.first)
    starts, stops = np.array([span.start for span in spans]), np.array([span.stop for span in spans])
    at = np.searchsorted(starts, first, side="right") - 1
    return np.asarray((at >= 0) & (first < stops[at]))


def has_same_template(wrapper: Wrapper, tree: Tree) -> bool:
    """Return whether a page has text at enough of the places at which half of the sample of a wrapper has it."""
    core = read_site_model(wrapper).core
    return len(core & find_places(find_blocks(tree))) >= MIN_CORE_SHARE * len(core)


def read_site_model(wrapper: Wrapper) -> SiteModel:
    """Return the site model that a wrapper has; an empty one if it has none."""
    return _parse_model(wrapper.site_model) if wrapper.site_model else SiteModel(wrapper.site)


@lru_cache(maxsize=32)  # the wrappers of a set are asked in turn
def _parse_model(text: str) -> SiteModel:
    return SiteModel.from_json(text, "the site model of the wrapper")


def add_site_models(wrappers: Sequence[Wrapper], pages: Iterable[tuple[str, Page]]) -> list[Wrapper]:
    """Return the wrappers with site models of the named pages that they were learned from, added to those they have."""
    models = [read_site_model(wrapper).merge(SiteModel()) for wrapper in wrappers]
    names = [{page.name for page in wrapper.pages} for wrapper in wrappers]
    for name, page in pages:
        for model, known in zip(models, names, strict=True):
            if name in known:
                model.add(page)
    # On one line, as a wrapper has it after it was written and read.
    texts = [json.dumps(json.loads(model.to_json())) for model in models]
    return [replace(wrapper, site_model=text) for wrapper, text in zip(wrappers, texts, strict=True)]
