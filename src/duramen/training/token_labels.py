"""Label the tokens of a page: which of them are the article of its reference text.

A reference text has no markup, and a classifier of tokens needs a start and an end in the page. The words of the page
are aligned with those of the reference (`evaluation.metrics.positions`); each word of the page scores 1 if it is
aligned and −1 if not; the maximum subsequence is the block that fits the reference best. Its *quality* is the F1 of the
block's words against the reference. It is below 1 if the block contains text that is not part of the article, if part
of the reference is elsewhere on the page, or if the reference is wrong.

Pasternack and Roth, WWW 2009, section 5.1, label pages with wrappers made by hand, and discard those with fewer than
fifty words and symbols in the block, or more than 20 % tags: `ArticleLabel.find_flaw` does the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from duramen import language
from duramen.dom.tree import TEXT
from duramen.evaluation.metrics.agreement import agreement
from duramen.evaluation.metrics.positions import PageWords
from duramen.methods.mss.subsequence import maximum_subsequence
from duramen.methods.mss.tokens import Tokens

MIN_WORDS = 50
"""Words and symbols of an article: the paper's value."""
MAX_TAG_SHARE = 0.2
"""Share of tags among the tokens of an article: the paper's value."""


class ArticleLabel(NamedTuple):
    """The article is the tokens from `start` up to `stop`, without the last."""

    start: int
    stop: int
    quality: float
    """From 0 to 1: the F1 of the block's words against the reference."""
    tags: int
    """The number of tags in the block."""

    @property
    def words(self) -> int:
        """The number of words and symbols in the block."""
        return self.stop - self.start - self.tags

    def find_flaw(self, *, fewest: int = MIN_WORDS, most_tags: float = MAX_TAG_SHARE) -> str | None:
        """Return why the block is not fit for training, in a few words; None if it is fit."""
        if self.words < fewest:
            return f"fewer than {fewest} words and symbols"
        if self.tags > most_tags * (self.stop - self.start):
            return f"more than {most_tags:.0%} tags"
        return None


class _PageWords(NamedTuple):
    """The words of a page, and the token of each."""

    words: list[str]
    tokens: list[int]


def label(tokens: Tokens, gold: str) -> ArticleLabel | None:
    """Return the block of tokens that fits a reference text best; None if the page has no word of it."""
    reference = language.words(gold)
    page = _find_words(tokens)
    placed = PageWords(page.words).place(reference).positions
    scores = np.full(len(page.words), -1.0)
    scores[list(placed)] = 1.0
    run = maximum_subsequence(scores.tolist())
    if run is None:
        return None
    length = run.stop - run.start
    common = (length + int(run.value)) // 2  # the number of words that score 1
    start, stop = _include_symbols(tokens, page.tokens, run.start, run.stop)
    return ArticleLabel(start, stop, agreement(common, length, len(reference)).f1, int(tokens.is_tag[start:stop].sum()))


def _find_words(tokens: Tokens) -> _PageWords:
    """Return all words of the text tokens."""
    page_words = _PageWords([], [])
    texts, tags = tokens.tree.text, tokens.tree.tag
    for node, first in zip(tokens.piece_nodes.tolist(), tokens.piece_starts.tolist(), strict=False):
        if tags[node] != TEXT:
            continue
        text_tokens = language.tokens(texts[node])
        words = language.words(texts[node])
        positions = [first + index for index, token in enumerate(text_tokens) if token[0].isalnum()]
        if len(words) != len(positions):  # with underscores and soft hyphens a token may be several words, or none
            words_of_tokens = [language.words(token) for token in text_tokens]
            words = [word for token_words in words_of_tokens for word in token_words]
            positions = [first + index for index, token_words in enumerate(words_of_tokens) for _ in token_words]
        page_words.words.extend(words)
        page_words.tokens.extend(positions)
    return page_words


def _include_symbols(tokens: Tokens, positions: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """Return the tokens from word `first` up to word `last`, with the symbols around them.

    The period after the last word is part of the article; so are symbols at the start of the first text node, such as a
    quotation mark. Symbols after a word outside of the article are not.
    """
    begin = int(tokens.piece_starts[tokens.find_piece(positions[first])])
    opens = first == 0 or positions[first - 1] < begin
    end = int(tokens.piece_starts[tokens.find_piece(positions[last - 1]) + 1])
    stop = min(end, positions[last]) if last < len(positions) else end
    return begin if opens else positions[first], stop
