"""The gold of one page, with what the measures need of it: made once a page, however many extractors are scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from duramen.evaluation.metrics.bigrams import Bigram, bigrams
from duramen.evaluation.metrics.lcs import places
from duramen.evaluation.metrics.positions import PageWords, Placed
from duramen.evaluation.metrics.shingles import Shingle, shingles
from duramen.language import words


@dataclass(frozen=True)
class Gold:
    """The gold text, its title where it is known, the snippets, and the visible text of the page it was taken from."""

    text: str
    page_text: str
    title: str | None = None
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()

    @cached_property
    def words(self) -> list[str]:
        return words(self.text)

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(self.words)

    @cached_property
    def bigrams(self) -> frozenset[Bigram]:
        return bigrams(self.words)

    @cached_property
    def shingles(self) -> Counter[Shingle]:
        return shingles(self.words)

    @cached_property
    def places(self) -> dict[str, int]:
        return places(self.words)

    @cached_property
    def page_words(self) -> PageWords:
        return PageWords(words(self.page_text))

    @cached_property
    def labels(self) -> list[Placed]:
        """The acceptable extractions, the short one first."""
        return [self.page_words.place(label) for label in acceptable(self.words, self.title)]


def acceptable(text: Sequence[str], title: str | None) -> list[Sequence[str]]:
    """The extractions that would do: the text without its title, and with it, as far as the title is known.

    Some sets count the title as part of the text and some do not; either way the short extraction has none.
    """
    heading = words(title or "")
    if not heading:
        return [text]
    if len(text) > len(heading) and list(text[: len(heading)]) == heading:
        return [text[len(heading) :], text]
    return [text, [*heading, *text]]
