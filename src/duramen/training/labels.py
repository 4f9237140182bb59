"""Labels: which tokens of a page are the article that its gold text tells.

A gold text has no markup, and a classifier of tokens needs a beginning and an end in the page. The words of the page's
text are laid beside those of the gold (`evaluation.metrics.positions`); each word of the page is worth 1 if the gold
has it and −1 if not; the maximum subsequence is the block that the gold marks best. How well it does is its *quality*:
the F1 of the block's words against the gold's. It is below 1 where something stands inside the article that is no part
of it, where a part of the gold lies elsewhere on the page, and where the gold is wrong.

Pasternack and Roth, WWW 2009, section 5.1, label pages with wrappers made by hand, and discard those with fewer than
fifty words and symbols in the block, or more than 20 % tags: `Label.flaw` says which.
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

FEWEST = 50
MOST_TAGS = 0.2


class Label(NamedTuple):
    """The article is tokens `start` to `stop`, without the last."""

    start: int
    stop: int
    quality: float
    """From 0 to 1: how well the block's words agree with the gold's."""
    tags: int
    """How many tokens of the block are tags."""

    @property
    def texts(self) -> int:
        """How many tokens of the block are words and symbols."""
        return self.stop - self.start - self.tags

    def flaw(self, *, fewest: int = FEWEST, most_tags: float = MOST_TAGS) -> str | None:
        """Why no classifier should learn from this block, in a few words; None when it may."""
        if self.texts < fewest:
            return f"fewer than {fewest} words and symbols"
        if self.tags > most_tags * (self.stop - self.start):
            return f"more than {most_tags:.0%} tags"
        return None


class _Words(NamedTuple):
    """The words of a page's text, and the token that each is part of."""

    words: list[str]
    tokens: list[int]


def label(tokens: Tokens, gold: str) -> Label | None:
    """The block of tokens that a gold text marks best; None when the page has no word of it."""
    wanted = language.words(gold)
    page = _words(tokens)
    placed = PageWords(page.words).place(wanted).positions
    scores = np.full(len(page.words), -1.0)
    scores[list(placed)] = 1.0
    run = maximum_subsequence(scores.tolist())
    if run is None:
        return None
    length = run.stop - run.start
    common = (length + int(run.value)) // 2  # of the words, as many as are worth 1
    start, stop = _with_symbols(tokens, page.tokens, run.start, run.stop)
    return Label(start, stop, agreement(common, length, len(wanted)).f1, int(tokens.is_tag[start:stop].sum()))


def _words(tokens: Tokens) -> _Words:
    """All words of the text tokens: those that the classifier will meet."""
    found = _Words([], [])
    texts, tags = tokens.tree.text, tokens.tree.tag
    for node, first in zip(tokens.nodes.tolist(), tokens.firsts.tolist(), strict=False):
        if tags[node] != TEXT:
            continue
        pieces = language.tokens(texts[node])
        words = language.words(texts[node])
        places = [first + index for index, piece in enumerate(pieces) if piece[0].isalnum()]
        if len(words) != len(places):  # underscores and soft hyphens: a token may be several words, and none
            each = [language.words(piece) for piece in pieces]
            words = [word for of_piece in each for word in of_piece]
            places = [first + index for index, of_piece in enumerate(each) for _ in of_piece]
        found.words.extend(words)
        found.tokens.extend(places)
    return found


def _with_symbols(tokens: Tokens, places: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """From word `first` up to word `last`, with the symbols around them.

    The full stop after the last word is the article's; so is what opens the text node of the first, such as a quotation
    mark. Symbols that follow a word outside belong to that one.
    """
    begin = int(tokens.firsts[tokens.piece(places[first])])
    opens = first == 0 or places[first - 1] < begin
    end = int(tokens.firsts[tokens.piece(places[last - 1]) + 1])
    stop = min(end, places[last]) if last < len(places) else end
    return begin if opens else places[first], stop
