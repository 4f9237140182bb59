"""How well are comments found?

The gold of a page's comments is one text, in which their authors and dates mostly stand, too; so what was found is
written the same way, and both are compared as multisets of words. On pages without such gold silence is right. It may
be the annotators that were silent: see docs/comments.md for how often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from duramen.comments import Comment, find_comments
from duramen.dom.page import Page
from duramen.errors import InputError, MissingExtraError
from duramen.evaluation import peers
from duramen.evaluation.metrics.agreement import Agreement
from duramen.evaluation.metrics.words import word_agreement
from duramen.evaluation.sets import Example
from duramen.language import words

OURS: Final = "duramen"
PEER: Final = "trafilatura"

Finder = Callable[[bytes], str]
"""From a page to the text of its comments."""


@dataclass(frozen=True)
class PageOfComments:
    """One finder on one page."""

    finder: str
    example: Example
    found: bool
    agreement: Agreement | None
    """None where the page has no gold comments."""


@dataclass(frozen=True)
class CommentsSummary:
    """One finder on all pages."""

    finder: str
    pages_with: int
    agreement: Agreement
    """Means over the pages with gold comments."""
    pages_without: int
    silent: float
    """The share of the pages without gold comments on which none were found."""


def said(comment: Comment) -> str:
    """A comment in one text, with its author and its date, as gold has it."""
    return "\n".join(part for part in (comment.author, comment.stamp, comment.text) if part)


def finders(*, with_peers: bool = False) -> dict[str, Finder]:
    """Those to be scored. With peers, trafilatura, which keeps comments apart, too."""
    found: dict[str, Finder] = {OURS: _ours}
    if with_peers:
        if PEER in peers.missing():
            raise MissingExtraError(PEER, peers.EXTRA)
        found[PEER] = _trafilatura
    return found


def score_comments(examples: Iterable[Example], which: dict[str, Finder]) -> Iterator[list[PageOfComments]]:
    """Each page, scored by every finder. Raises `InputError` where a page cannot be read."""
    for example in examples:
        raw = example.read()
        gold = example.fields.get("comments") or ""
        if not isinstance(gold, str):
            raise InputError(
                f"the page {example.id!r} of the set {example.set!r}: the field 'comments' is not a string"
            )
        counted = Counter(words(gold))
        scored = []
        for name, find in which.items():
            text = find(raw)
            agreement = word_agreement(counted, Counter(words(text))) if counted else None
            scored.append(PageOfComments(name, example, bool(text.strip()), agreement))
        yield scored


def summary(pages: Sequence[PageOfComments], finder: str) -> CommentsSummary:
    """One finder's pages together."""
    own = [page for page in pages if page.finder == finder]
    found = [page.agreement for page in own if page.agreement is not None]
    without = [page for page in own if page.agreement is None]
    return CommentsSummary(
        finder,
        len(found),
        Agreement(*(sum(values) / len(found) for values in zip(*found, strict=True))) if found else Agreement(0, 0, 0),
        len(without),
        sum(not page.found for page in without) / len(without) if without else 1.0,
    )


def table(summaries: Sequence[CommentsSummary]) -> str:
    """In Markdown."""
    lines = [
        "| | pages with comments | precision | recall | word F1 | pages without | none found |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in summaries:
        scores = " | ".join(f"{value:.3f}" for value in row.agreement)
        lines.append(f"| {row.finder} | {row.pages_with} | {scores} | {row.pages_without} | {row.silent:.1%} |")
    return "\n".join(lines)


def _ours(raw: bytes) -> str:
    return "\n\n".join(map(said, find_comments(Page.parse(raw).tree)))


def _trafilatura(raw: bytes) -> str:
    from trafilatura import bare_extraction

    found = bare_extraction(raw, include_comments=True)
    return getattr(found, "comments", None) or ""
