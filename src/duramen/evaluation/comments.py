"""Score the comments that are found on pages against the comments of a set.

The reference comments of a page are one text, which mostly has their authors and dates too. So the comments found are
written the same way, and both are compared as multisets of words. On pages without reference comments, nothing should
be found. Sometimes the annotators missed comments: docs/comments.md has the count.
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
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.sets import Example
from duramen.language import words

OURS: Final = "duramen"
PEER: Final = "trafilatura"

CommentFinder = Callable[[bytes], str]
"""From the bytes of a page to the text of its comments."""


@dataclass(frozen=True)
class CommentPageScore:
    """The score of one finder on one page."""

    finder: str
    example: Example
    has_comments: bool
    agreement: Agreement | None
    """None if the page has no reference comments."""


@dataclass(frozen=True)
class CommentsSummary:
    """The score of one finder on all pages."""

    finder: str
    pages_with: int
    agreement: Agreement
    """Means over the pages with reference comments."""
    pages_without: int
    silent: float
    """The share of the pages without reference comments on which none were found."""


def write_comment(comment: Comment) -> str:
    """Write a comment with its author and its date, as references do."""
    return "\n".join(part for part in (comment.author, comment.stamp, comment.text) if part)


def get_comment_finders(*, with_peers: bool = False) -> dict[str, CommentFinder]:
    """Return the finders to score: ours and, with peers, trafilatura, which returns comments too."""
    finders: dict[str, CommentFinder] = {OURS: _find_ours}
    if with_peers:
        if PEER in peers.missing():
            raise MissingExtraError(PEER, peers.EXTRA)
        finders[PEER] = _find_trafilatura
    return finders


def score_comments(examples: Iterable[Example], finders: dict[str, CommentFinder]) -> Iterator[list[CommentPageScore]]:
    """Score every finder on each page. Raises `InputError` if a page cannot be read."""
    for example in examples:
        raw = example.read()
        reference = example.fields.get("comments") or ""
        if not isinstance(reference, str):
            raise InputError(
                f"the page {example.id!r} of the set {example.set!r}: the field 'comments' is not a string"
            )
        reference_counts = Counter(words(reference))
        scored = []
        for name, find in finders.items():
            text = find(raw)
            agreement = word_agreement(reference_counts, Counter(words(text))) if reference_counts else None
            scored.append(CommentPageScore(name, example, bool(text.strip()), agreement))
        yield scored


def summarize_comments(pages: Sequence[CommentPageScore], finder: str) -> CommentsSummary:
    """Summarize the pages of one finder."""
    own = [page for page in pages if page.finder == finder]
    agreements = [page.agreement for page in own if page.agreement is not None]
    without = [page for page in own if page.agreement is None]
    return CommentsSummary(
        finder,
        len(agreements),
        Agreement(*(sum(values) / len(agreements) for values in zip(*agreements, strict=True)))
        if agreements
        else Agreement(0, 0, 0),
        len(without),
        sum(not page.has_comments for page in without) / len(without) if without else 1.0,
    )


def make_comments_table(summaries: Sequence[CommentsSummary]) -> str:
    """Make a Markdown table."""
    lines = [
        "| | pages with comments | precision | recall | word F1 | pages without | none found |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in summaries:
        scores = " | ".join(f"{value:.3f}" for value in row.agreement)
        lines.append(f"| {row.finder} | {row.pages_with} | {scores} | {row.pages_without} | {row.silent:.1%} |")
    return "\n".join(lines)


def _find_ours(raw: bytes) -> str:
    return "\n\n".join(map(write_comment, find_comments(Page.parse(raw).tree)))


def _find_trafilatura(raw: bytes) -> str:
    from trafilatura import bare_extraction

    document = bare_extraction(raw, include_comments=True)
    return getattr(document, "comments", None) or ""
