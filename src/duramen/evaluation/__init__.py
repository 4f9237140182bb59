"""Measure how good and how fast extraction methods are, on sets of pages with a reference text.

Example:

    from duramen.evaluation import evaluate, read_set

    results = evaluate(read_set("sets/news"), ["econ", "trafilatura"])
    for row in results.leaderboard():
        print(row.extractor, row.words.f1)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from duramen.evaluation.extractors import Extractor, get_extractor
from duramen.evaluation.results import Results, Summary
from duramen.evaluation.run import PageRun, PageScore, score_pages
from duramen.evaluation.score import Score, score
from duramen.evaluation.sets import Example, choose, find_set, read_set

if TYPE_CHECKING:
    from duramen.methods import Method

__all__ = [
    "Example",
    "Extractor",
    "PageRun",
    "PageScore",
    "Results",
    "Score",
    "Summary",
    "choose",
    "evaluate",
    "find_set",
    "get_extractor",
    "read_set",
    "score",
    "score_pages",
]


def evaluate(
    examples: Iterable[Example], extractors: Sequence[str | Method | Extractor], *, timed: bool = True
) -> Results:
    """Run and score the extractors on every example that has a reference text.

    An extractor is the name of a method or a peer, a method, or an `Extractor`. If one raises an exception on a page,
    the page is scored as an empty text, and the error is kept in the results.
    """
    chosen = [get_extractor(which) for which in extractors]
    return Results(chosen, list(score_pages((e for e in examples if e.text or e.is_partial), chosen, timed=timed)))
