"""How good are the methods, and how fast: sets of pages with their gold, measures, leaderboard.

In use:

    from duramen.evaluation import evaluate, read_set

    results = evaluate(read_set("sets/news"), ["econ", "trafilatura"])
    for row in results.leaderboard():
        print(row.extractor, row.words.f1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from duramen.errors import UsageError
from duramen.evaluation import peers
from duramen.evaluation.extractors import Extractor, of_method
from duramen.evaluation.results import Results, Summary
from duramen.evaluation.run import PageRun, PageScore, score_pages
from duramen.evaluation.score import Score, score
from duramen.evaluation.sets import Example, choose, find_set, read_set

if TYPE_CHECKING:
    from duramen.dom.page import Page
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
    "extractor",
    "find_set",
    "read_set",
    "score",
    "score_pages",
]


def evaluate(
    examples: Iterable[Example], extractors: Sequence[str | Method | Extractor], *, timed: bool = True
) -> Results:
    """Run and score the extractors on every example that has gold text.

    An extractor is the name of a method or a peer, a method, or any `Extractor`. An exception of one on a page is
    that page's score, and is kept in the results.
    """
    known = [extractor(which) for which in extractors]
    return Results(known, list(score_pages((e for e in examples if e.text), known, timed=timed)))


def extractor(which: str | Method | Extractor, lay: Callable[[Page], Page] | None = None) -> Extractor:
    """What can be run: the method or the peer of this name. A method goes before a peer that is called the same.

    `lay` may lay on a page what a method is to have besides, such as boxes.
    """
    if isinstance(which, Extractor):
        return which
    if not isinstance(which, str):
        return of_method(which, lay)
    from duramen import methods

    if which.partition(":")[0] in methods.names():
        return replace(of_method(methods.get(which), lay), name=which)  # with its parameters, where they are named
    if which in peers.names():
        return peers.get(which)
    known = [*methods.names(), *peers.names()]
    near = get_close_matches(which, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    raise UsageError(f"there is no method or peer {which!r}: {hint}")
