"""Simple maximum subsequence segmentation: a word scores 1, a tag -3.25.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
6.2.2. The page is read as a sequence of tags (closing tags too), words and symbols; text between script and
style tags is discarded; the run of tokens with the largest sum is the article, found in one pass (their figure 1).

All words of one text node have the same score, so the best run starts at the first token of a text node and ends at the
last of another. It is therefore enough to step from text node to text node and count the tags in between: two for each
element opened on the way, one for each void element, corrected by the difference in depth. In scripts without
spaces each character counts as a word. Words that a reader does not see, in `<title>`, in `<select>`, in a hidden
element, are discarded like those of scripts: the paper's pages had few of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.tag_sets import VOID_TAGS
from duramen.dom.tree import TEXT
from duramen.dom.visibility import find_visible_texts
from duramen.language import count_words, tokens
from duramen.methods.registry import register

_ASCII_SYMBOLS = bytes(i for i in range(128) if not chr(i).isalnum() and not chr(i).isspace())


@register
@dataclass(frozen=True)
class MssSimple:
    """The method mss-simple, with the scores of the paper."""

    name: ClassVar[str] = "mss-simple"
    summary: ClassVar[str] = "the run of tokens with the most words and the fewest tags"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009, baseline 2"

    tag_score: float = -3.25
    word_score: float = 1.0

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        tag, text, depth = tree.tag, tree.text, tree.depth
        visible = set(find_visible_texts(tree))
        best = total = 0.0
        first = last = start = -1
        words = best_words = 0  # of the current run, and of the best
        tags, previous_depth = 0, 0  # tags since the last text node, and its depth
        for node, name in enumerate(tag):
            if name != TEXT:
                tags += 1 if name in VOID_TAGS else 2
            elif node in visible:
                total += self.tag_score * (tags - depth[node] + previous_depth)
                if total < 0 or start < 0:
                    start, total, words = node, 0.0, 0
                tags, previous_depth = 0, depth[node]
                count = count_tokens(text[node])
                words += count
                total += self.word_score * count
                if total > best:
                    best, best_words, first, last = total, words, start, node
        if first < 0:
            return Content(page, self.name, "the page has no words")
        reason = f"the run of tokens with the largest sum, {best:g}, holds {best_words} words and symbols"
        return Content(page, self.name, reason, (range(first, last + 1),), best / (self.word_score * best_words))


def count_tokens(text: str) -> int:
    """Return `len(tokens(text))`, several times as fast for most text."""
    if text.isascii() and "_" not in text:
        return count_words(text) + len(text) - len(text.encode().translate(None, _ASCII_SYMBOLS))
    return len(tokens(text))
