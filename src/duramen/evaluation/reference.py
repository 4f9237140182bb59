"""The reference text of a page, and what the measures need of it, computed once per page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from duramen.evaluation.metrics.alignment import find_word_bits
from duramen.evaluation.metrics.ngrams import Bigram, Shingle, bigrams, shingles
from duramen.evaluation.metrics.positions import PageWords, PlacedWords
from duramen.language import words


@dataclass(frozen=True)
class Reference:
    """The reference text, its title if it is known, the snippets, and the visible text of the whole page."""

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
    def word_bits(self) -> dict[str, int]:
        return find_word_bits(self.words)

    @cached_property
    def page_words(self) -> PageWords:
        return PageWords(words(self.page_text))

    @cached_property
    def placed_texts(self) -> list[PlacedWords]:
        """The acceptable texts on the page, the short one first."""
        return [self.page_words.place(text) for text in list_acceptable_texts(self.words, self.title)]


def list_acceptable_texts(text: Sequence[str], title: str | None) -> list[Sequence[str]]:
    """Return the text without its title and, if the title is known, with it.

    Some sets count the title as part of the text and some do not; the first text never has it.
    """
    heading = words(title or "")
    if not heading:
        return [text]
    if len(text) > len(heading) and list(text[: len(heading)]) == heading:
        return [text[len(heading) :], text]
    return [text, [*heading, *text]]
