"""FOREST: the region whose tag paths lead to the words that the page is about.

Oita and Senellart, "FOREST: focused object retrieval by exploiting significant tag paths", 2012. It learns from several
pages of a site (`learn`, see `duramen.wrappers`): terms that are frequent on a page and rare on the others are its
signifiers; elements on the paths to them are compared across pages by type and level, and ranked by how informative
they are (J × U), on how many pages, and how deep. What is learnt is a wrapper, to be applied to any page of the site.

Called on one page alone it has nothing to compare. The terms of the page's metadata are then the signifiers, topped up
with its most frequent terms, and the most relevant element of this page is the region.

The measure is U where the paper has J × U (`measure=ju:refined=no` is its form). On news-sites-dev, 20 templates with
ten pages each, the two choose the same pattern on 19, and J alone falls far behind, unlike the paper's figure 7. J is a
density, and largest where a few words are all there is: J(1, 0) = 0.32, but the articles have 0.16. Headings, linked
tags and subtitles that bear a name are patterns that all pages have; on 13 of the 20 J alone chooses such a thing, or a
single paragraph. U grows with the length of an element and falls where signifiers thin out, so that between the
elements around an article it alone decides, and J differs little there. On articles-2012-dev, many of them blogs with
long comments, J helps the paper's form: .802 with J × U, .767 with U. With words in comments and lists of links no
longer signifiers it does not (.929 and .940).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.methods.registry import register
from duramen.wrappers import SamplePage, Settings, Wrapper, learn, learn_all, update
from duramen.wrappers.learning import ONE_PAGE, Given, Learnt, prepared
from duramen.wrappers.regions import Chooser, by_relevance


@register
@dataclass(frozen=True)
class Forest:
    name: ClassVar[str] = "forest"
    summary: ClassVar[str] = "the region most informative about the page's signifiers; learns from pages of a site"
    paper: ClassVar[str] = "Oita and Senellart, FOREST, 2012"

    signifiers: str = "tfidf"
    """Where signifiers come from: tfidf, feed, metadata, anchors or query."""
    k: int = 10
    """How many signifiers a page has."""
    measure: str = "u"
    """The paper's J × U is "ju"; each of them alone "j" and "u"."""
    tolerant: bool = True
    """Compare attributes by their first token, without digits."""
    frequency: bool = True
    """Multiply by the number of pages."""
    level: bool = True
    """Multiply by the level."""
    refined: bool = True
    """With what follows the choice of the region, and is not in the paper: see `duramen.wrappers.learning`."""

    def __post_init__(self) -> None:
        self.settings  # noqa: B018  # its checks are ours

    @property
    def settings(self) -> Settings:
        known = {field.name for field in fields(Settings)}
        return Settings(**{field.name: getattr(self, field.name) for field in fields(self) if field.name in known})

    def learn(self, pages: Iterable[Given]) -> Wrapper:
        """The wrapper of pages of one template."""
        given = prepared(pages)
        return replace(learn(given, self._for(given), choose=self._choose()), learner=self.name)

    def learn_all(self, pages: Iterable[Given]) -> Learnt:
        """The wrappers of pages of several templates."""
        given = prepared(pages)
        learnt = learn_all(given, self._for(given), choose=self._choose())
        return replace(learnt, wrappers=tuple(replace(one, learner=self.name) for one in learnt.wrappers))

    def update(self, wrapper: Wrapper, pages: Iterable[Given]) -> Wrapper:
        """A wrapper that this method learnt, after these pages, too; its settings stay."""
        return update(wrapper, pages, choose=self._choose())

    def __call__(self, page: Page) -> Content:
        try:
            wrapper = learn([page], self._alone(), choose=self._choose())
        except InputError as error:
            return Content(page, self.name, str(error))
        content = wrapper(page)
        reason = f"the {wrapper.candidates[0].clue} on level {wrapper.candidates[0].level} is most relevant; {ONE_PAGE}"
        return replace(content, method=self.name, reason=reason if content else content.reason)

    def _for(self, pages: Sequence[SamplePage]) -> Settings:
        """How to choose on these pages."""
        return self.settings

    def _alone(self) -> Settings:
        """How to choose on one page."""
        return self.settings

    def _choose(self) -> Chooser:
        return by_relevance
