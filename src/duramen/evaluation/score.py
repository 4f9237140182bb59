"""The reference text of a page, and the score of an extracted text by every measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from duramen.evaluation.metrics.agreement import Agreement, EconVerdict, judge
from duramen.evaluation.metrics.byline_bounds import extend_to_bylines
from duramen.evaluation.metrics.common_subsequence import find_word_bits, text_only_score
from duramen.evaluation.metrics.ngrams import (
    Bigram,
    Shingle,
    bigram_agreement,
    bigrams,
    shingle_agreement,
    shingles,
    word_agreement,
)
from duramen.evaluation.metrics.positions import PageWords, PlacedWords, short_and_best
from duramen.language import words


@dataclass(frozen=True)
class Reference:
    """The reference text, its title if it is known, the snippets, and the visible text of the whole page.

    What the measures need of it is computed once per page.
    """

    text: str
    page_text: str
    title: str | None = None
    authors: tuple[tuple[str, ...], ...] = ()
    """The words of each name: the text may begin or end with a byline."""
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    is_partial: bool = False
    """Whether `text` is only the texts that must be found, and others are known by `must_not` alone."""

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
        texts = [self.page_words.place(text) for text in list_acceptable_texts(self.words, self.title)]
        return extend_to_bylines(self.page_words.words, texts, self.authors)


@dataclass(frozen=True)
class Score:
    """All values are from 0 to 1, and 1 is best, except for `must_not`: the share of unwanted snippets found.

    `must` and `must_not` are None if the page has no snippets.
    """

    words: Agreement
    bigrams: Agreement
    shingles: Agreement
    short: Agreement
    best: Agreement
    cleaneval: float
    verdict: EconVerdict
    must: float | None
    must_not: float | None


def score(reference: Reference, text: str) -> Score:
    """Score an extracted text by every measure; with partial gold, what it has of the known texts."""
    if reference.is_partial:
        text = find_known_texts(reference, text)
    extracted = words(text)
    by_words = word_agreement(reference.counts, Counter(extracted))
    short, best = short_and_best(reference.placed_texts, reference.page_words.place(extracted))
    normalized = normalize_text(text) if reference.must or reference.must_not else ""
    return Score(
        words=by_words,
        bigrams=bigram_agreement(reference.bigrams, bigrams(extracted)),
        shingles=shingle_agreement(reference.shingles, shingles(extracted)),
        short=short,
        best=best,
        cleaneval=text_only_score(reference.words, extracted, reference.word_bits),
        verdict=judge(by_words),
        must=share_of_snippets(reference.must, normalized),
        must_not=share_of_snippets(reference.must_not, normalized),
    )


def find_known_texts(reference: Reference, text: str) -> str:
    """Return the wanted and unwanted snippets that a text contains, each in a line."""
    normalized = normalize_text(text)
    known = (*reference.must, *reference.must_not)
    return "\n".join(snippet for snippet in known if normalize_text(snippet) in normalized)


def normalize_text(text: str) -> str:
    """Prepare a text for the search of snippets: case and the amount of whitespace do not matter."""
    return " ".join(text.casefold().split())


def share_of_snippets(snippets: Iterable[str], normalized: str) -> float | None:
    """Return the share of snippets that a normalized text contains, or None if there are no snippets.

    Snippets are sentences that must be in the output, or must not be. They show what kind of error was made.
    """
    wanted = [snippet for snippet in map(normalize_text, snippets) if snippet]
    if not wanted:
        return None
    return sum(snippet in normalized for snippet in wanted) / len(wanted)


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
