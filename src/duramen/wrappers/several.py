"""Several wrappers as one method: a page goes to the one that it fits best.

A site has templates, and a crawl has sites. Wrappers of the page's own site are asked first, where its address is
known; among these the one that knows most of what stands in its region; among equals the one that was named first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duramen.content import Content
from duramen.dom.page import Page
from duramen.wrappers.addresses import site_name
from duramen.wrappers.wrapper import Extractor, Wrapper


@dataclass(frozen=True)
class Wrappers:
    name: ClassVar[str] = Wrapper.name
    summary: ClassVar[str] = "what was learnt of several sites or templates"
    paper: ClassVar[str] = Wrapper.paper

    wrappers: tuple[Wrapper, ...]

    def __call__(self, page: Page) -> Content:
        return self.extract(page)

    def best(self, page: Page) -> Wrapper:
        """The wrapper for a page; the first, where the page fits none."""
        if len(self.wrappers) == 1:
            return self.wrappers[0]
        from duramen.metadata import Metadata

        site = site_name(Metadata.read(page).url)
        order = [(site is not None and wrapper.site == site, wrapper.fit(page)) for wrapper in self.wrappers]
        fitting = [at for at, (_, fit) in enumerate(order) if fit > 0]
        return self.wrappers[max(fitting, key=lambda at: (order[at], -at), default=0)]

    def extract(
        self, page: Page | str | bytes, *, fallback: Extractor | None = None, within: Extractor | None = None
    ) -> Content:
        """As `Wrapper.extract`, by the wrapper that the page fits best."""
        if not isinstance(page, Page):
            page = Page.parse(page)
        return self.best(page).extract(page, fallback=fallback, within=within)
