"""Models of many sites: pages are grouped by host, and the pages of a host by template.

A page belongs to the template whose pages share most of its places (tag paths with ids and classes, as in
`wrappers.tag_paths`), or starts a new one. Each host has at most `MAX_TEMPLATES`; a page that fits none of them is
extracted by the nearest one, which knows at least the menus.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.urls import find_site_name
from duramen.site_model.model import ScoredPage, SiteModel
from duramen.site_model.sketch import PageSketch
from duramen.wrappers.tag_paths import SAME_TEMPLATE_SIMILARITY, jaccard_similarity

WINDOW: Final = 64
"""Pages that are parsed and classified at the same time in `SiteModels.extract_together`."""
MAX_TEMPLATES: Final = 16
"""Templates of one host. Sites have three to six; a host with random class names would have one for each page."""


@dataclass
class SiteModels:
    """The models of the templates of each host. A `host` that is given replaces the page's own."""

    by_host: dict[str, list[SiteModel]] = field(default_factory=dict)

    def add(self, page: Page | ScoredPage, host: str | None = None) -> None:
        """Learn from a page."""
        seen = SiteModel().score(page)
        host = find_host(seen.page, host)
        models = self.by_host.setdefault(host, [])
        model, similarity = find_nearest_template(models, seen.sketch)
        if (model is None or similarity < SAME_TEMPLATE_SIMILARITY) and len(models) < MAX_TEMPLATES:
            model = SiteModel(host or None)
            models.append(model)
        if model is not None:
            model.add(seen)

    def extract(self, page: Page | ScoredPage, host: str | None = None, **options: Any) -> Content:
        """Extract a page by `auto` and what its site shows; exactly `auto` for an unknown site.

        `options` are those of `SiteModel.extract`.
        """
        seen = SiteModel().score(page)
        model = self.find_model(seen, host)
        return (model if model is not None else SiteModel()).extract(seen, **options)

    def find_model(self, page: Page | ScoredPage, host: str | None = None) -> SiteModel | None:
        """Return the model of the template that a page fits best; None for an unknown host."""
        seen = SiteModel().score(page)
        return find_nearest_template(self.by_host.get(find_host(seen.page, host), []), seen.sketch)[0]

    def extract_together(self, pages: Iterable[Page], **options: Any) -> Iterator[Content | Exception]:
        """Extract pages that learn from each other, in their order; a page that fails gives its exception.

        `WINDOW` pages are held at a time: a page is extracted when the pages around it and all before it are known.
        """
        pages = iter(pages)
        while window := list(islice(pages, WINDOW)):
            seen: list[ScoredPage | Exception] = []
            for page in window:
                try:
                    scored = SiteModel().score(page)
                    self.add(scored)
                    seen.append(scored)
                except Exception as error:  # reported in the page's turn
                    seen.append(error)
            for one in seen:
                if isinstance(one, Exception):
                    yield one
                    continue
                try:
                    yield self.extract(one, **options)
                except Exception as error:
                    yield error


def find_host(page: Page, host: str | None = None) -> str:
    """Return the host of a page in the form that models are kept by; empty if neither the page nor its head has it."""
    if host is not None:
        return host
    if page.url is None:
        from duramen.metadata import Metadata

        return find_site_name(Metadata.read(page).url) or ""
    return find_site_name(page.url) or ""


def find_nearest_template(models: list[SiteModel], page: PageSketch) -> tuple[SiteModel | None, float]:
    """Return the model whose pages have most places in common with the page, the first of equals; and how similar."""
    best, best_similarity = None, -1.0
    for model in models:
        similarity = measure_similarity(model, page)
        if similarity > best_similarity:
            best, best_similarity = model, similarity
    return best, best_similarity


def measure_similarity(model: SiteModel, page: PageSketch) -> float:
    """Return Jaccard's similarity of a page's places and those that at least half of the model's pages have."""
    return jaccard_similarity(model.core, page.place_set)
