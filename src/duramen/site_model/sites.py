"""Models of many sites: pages are grouped by host, and the pages of a host by template.

A page belongs to the template whose pages share most of its places (tag paths with ids and classes, as in
`wrappers.tag_paths`), or starts a new one. Each host has at most `MAX_TEMPLATES`; a page that fits none of them is
extracted by the nearest one, which knows at least the menus.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.urls import find_site_name
from duramen.site_model.model import SiteModel
from duramen.site_model.sketch import PageSketch
from duramen.wrappers.tag_paths import SAME_TEMPLATE_SIMILARITY, jaccard_similarity

MAX_TEMPLATES: Final = 16
"""Templates of one host. Sites have three to six; a host with random class names would have one for each page."""


@dataclass
class SiteModels:
    """The models of the templates of each host. `host` of a method is the URL's own unless it is given."""

    by_host: dict[str, list[SiteModel]] = field(default_factory=dict)

    def add(self, page: Page, host: str | None = None) -> None:
        """Learn from a page."""
        host = find_host(page, host)
        models = self.by_host.setdefault(host, [])
        sketch = SiteModel().sketch(page)
        model, similarity = find_nearest_template(models, sketch)
        if (model is None or similarity < SAME_TEMPLATE_SIMILARITY) and len(models) < MAX_TEMPLATES:
            model = SiteModel(host or None)
            models.append(model)
        if model is not None:
            model.add_sketch(sketch)

    def extract(self, page: Page, host: str | None = None, **options: Any) -> Content:
        """Extract a page by `auto` and what its site shows; exactly `auto` for an unknown site."""
        model = self.find_model(page, host)
        return (model if model is not None else SiteModel()).extract(page, **options)

    def find_model(self, page: Page, host: str | None = None) -> SiteModel | None:
        """Return the model of the template that a page fits best; None for an unknown host."""
        models = self.by_host.get(find_host(page, host), [])
        if len(models) < 2:
            return models[0] if models else None
        return find_nearest_template(models, models[0].sketch(page))[0]


def find_host(page: Page, host: str | None = None) -> str:
    """Return the host of a page in the form that models are kept by; empty if the page has no URL."""
    return host if host is not None else find_site_name(page.url) or ""


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
