"""FOREST: choose the region whose tag paths lead to the words that the page is about.

Oita and Senellart, "FOREST: focused object retrieval by exploiting significant tag paths", 2012. The method learns from
several pages of a site (`learn`, see `duramen.wrappers`): terms that are frequent on a page and rare on the others are
its signifiers; elements on the paths to them are compared across pages by type and level, and ranked by how informative
they are (J × U), on how many pages, and how deep. The result is a wrapper, which is applied to any page of the site.

With one page there is nothing to compare. The terms of the page's metadata are then the signifiers, completed with its
most frequent terms, and the most relevant element of this page is the region.

The measure is U where the paper has J × U (`measure=ju:refined=no` is its form). On news-sites-dev, 20 templates with
ten pages each, the two choose the same pattern on 19, and J alone is far behind, unlike the paper's figure 7. J is a
density, and is largest for elements of a few words: J(1, 0) = 0.32, but the articles have 0.16. Headings, linked tags
and subtitles with a name are patterns that all pages have; on 13 of the 20 J alone chooses such an element, or a single
paragraph. U grows with the length of an element and falls where signifiers become rare, so U alone decides between the
elements around an article, where J differs little. On articles-2012-dev, many of them blogs with long comments, J helps
the paper's form: .802 with J × U, .767 with U. If words in comments and lists of links are no signifiers, it does not
(.929 and .940).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.methods.registry import register
from duramen.wrappers import LearnResult, LearnSettings, SamplePage, Wrapper, learn, learn_all, update
from duramen.wrappers.learning import ONE_PAGE_NOTE, PageInput, prepare_pages
from duramen.wrappers.patterns import PatternChooser, choose_by_relevance


@register
@dataclass(frozen=True)
class Forest:
    """The method FOREST. Its parameters are the fields of `LearnSettings`."""

    name: ClassVar[str] = "forest"
    summary: ClassVar[str] = "the region most informative about the page's signifiers; learns from pages of a site"
    paper: ClassVar[str] = "Oita and Senellart, FOREST, 2012"
    by_page: ClassVar[bool] = False
    """Whether the paper applies the method to single pages, each with its feed item, and learns no wrapper."""

    signifiers: str = "tfidf"
    """Where signifiers come from: tfidf, feed, feed-bigrams, metadata, anchors or query."""
    k: int = 10
    """The number of signifiers of a page."""
    measure: str = "u"
    """The paper's J × U is "ju"; each of them alone "j" and "u"."""
    tolerant: bool = True
    """Compare attributes by their first token, without digits."""
    frequency: bool = True
    """Multiply by the number of pages."""
    level: bool = True
    """Multiply by the level."""
    refined: bool = True
    """Do the steps that are not in the paper: see `duramen.wrappers.learning`."""
    foreign: str = ""
    """Text whose words are no signifiers: links, comments, both or none; empty for both if refined, else none."""

    def __post_init__(self) -> None:
        self.settings  # noqa: B018  # raises UsageError for an unknown measure

    @property
    def settings(self) -> LearnSettings:
        names = {field.name for field in fields(LearnSettings)}
        return LearnSettings(**{field.name: getattr(self, field.name) for field in fields(self) if field.name in names})

    def learn(self, pages: Iterable[PageInput]) -> Wrapper:
        """Learn the wrapper of pages of one template."""
        prepared = prepare_pages(pages)
        settings = self._settings_for_pages(prepared)
        return replace(learn(prepared, settings=settings, choose=self._pattern_chooser()), learner=self.name)

    def learn_all(self, pages: Iterable[PageInput]) -> LearnResult:
        """Learn the wrappers of pages of several templates."""
        prepared = prepare_pages(pages)
        settings = self._settings_for_pages(prepared)
        result = learn_all(prepared, settings=settings, choose=self._pattern_chooser())
        return replace(result, wrappers=tuple(replace(one, learner=self.name) for one in result.wrappers))

    def update(self, wrapper: Wrapper, pages: Iterable[PageInput]) -> Wrapper:
        """Add pages to a wrapper that this method learned; its settings do not change."""
        return update(wrapper, pages, choose=self._pattern_chooser())

    def __call__(self, page: Page) -> Content:
        try:
            wrapper = learn([page], settings=self._settings_for_one_page(), choose=self._pattern_chooser())
        except InputError as error:
            return Content(page, self.name, str(error))
        content = wrapper(page)
        best = wrapper.candidates[0]
        reason = f"the {best.clue} on level {best.level} is most relevant; {ONE_PAGE_NOTE}"
        return replace(content, method=self.name, reason=reason if content else content.reason)

    def _settings_for_pages(self, pages: Sequence[SamplePage]) -> LearnSettings:
        """Return the settings for these pages."""
        return self.settings

    def _settings_for_one_page(self) -> LearnSettings:
        return self.settings

    def _pattern_chooser(self) -> PatternChooser:
        return choose_by_relevance
