"""Run extractors on pages and score them, in this process with times, or in several processes without.

All extractors run on a page before the next page is read, and each page begins with another extractor, so that a busy
machine slows all of them alike. Times are processor times from bytes to text, without reading the file and scoring.
The unit is a bare Lexbor parse of the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import process_time

from selectolax.lexbor import LexborHTMLParser

from duramen import methods
from duramen.dom.page import Page
from duramen.dom.text import read_text
from duramen.errors import InputError
from duramen.evaluation.extractors import Extractor, get_extractor
from duramen.evaluation.metrics.byline_bounds import split_authors
from duramen.evaluation.score import Reference, Score, score
from duramen.evaluation.sets import Example
from duramen.processes import run_tasks

_PAGE_TIMEOUT_SECONDS = 1800.0
"""For all extractors on one page, in a process of its own. Some peers take minutes for a large page."""


@dataclass(frozen=True)
class PageScore:
    """The score of one extractor on one page. A failure has an error, and the score of an empty text."""

    extractor: str
    example: Example
    score: Score
    milliseconds: float | None = None
    error: str | None = None


@dataclass(frozen=True)
class PageRun:
    """The scores of all extractors on one page. A page that could not be read has none; `unreadable` is the reason."""

    example: Example
    scores: tuple[PageScore, ...] = ()
    parse_milliseconds: float | None = None
    unreadable: str | None = None


def score_pages(
    examples: Iterable[Example], extractors: Sequence[Extractor], *, timed: bool = True
) -> Iterator[PageRun]:
    """Score page by page. The examples must have a reference text, or partial gold."""
    needs_warm_up = timed
    for number, example in enumerate(examples):
        try:
            raw = example.read()
        except InputError as error:
            yield PageRun(example, unreadable=str(error))
            continue
        if needs_warm_up:  # imports at first use must not count as time of a page
            time_bare_parse(raw)
            for extractor in extractors:
                run_extractor(extractor, raw, example)
            needs_warm_up = False
        yield _run_page(raw, example, _rotate(extractors, number), timed=timed)


def score_pages_in_processes(
    examples: Iterable[Example], extractors: Sequence[str | Extractor], jobs: int, modules: Sequence[str] = ()
) -> Iterator[PageRun]:
    """Score pages as `score_pages` does, in the same order, in several processes.

    Nothing is timed, because processes slow each other down. Extractors are names of methods and peers, or extractors
    that can be pickled. `modules` are imported first; they may register methods. A page on which a process dies counts
    as unreadable.
    """
    early: dict[int, PageRun] = {}
    following = 0
    for done in run_tasks(_PageScorer(extractors, modules), enumerate(examples), jobs, _PAGE_TIMEOUT_SECONDS):
        number, example = done.task
        early[number] = done.result or PageRun(example, unreadable=f"the page {example.id!r}: {done.error}")
        while following in early:
            yield early.pop(following)
            following += 1


@dataclass
class _PageScorer:
    """Scores pages in another process. The extractors are made there, because functions cannot be sent."""

    which: Sequence[str | Extractor]
    modules: Sequence[str]

    def __call__(self, task: tuple[int, Example]) -> PageRun:
        (page_run,) = score_pages([task[1]], self._extractors, timed=False)
        return page_run

    @cached_property
    def _extractors(self) -> list[Extractor]:
        methods.import_modules(self.modules)
        return [get_extractor(which) for which in self.which]


def _run_page(raw: bytes, example: Example, extractors: Sequence[Extractor], *, timed: bool) -> PageRun:
    parse_milliseconds = time_bare_parse(raw) if timed else None
    outcomes = [(extractor, *run_extractor(extractor, raw, example)) for extractor in extractors]
    reference = make_reference(example, raw)
    # Extractors often return the same text: each text is scored once.
    scores_of_texts = {text: score(reference, text) for text in {text for _, text, _, _ in outcomes}}
    scores = tuple(
        PageScore(extractor.name, example, scores_of_texts[text], milliseconds if timed else None, error)
        for extractor, text, milliseconds, error in outcomes
    )
    return PageRun(example, scores, parse_milliseconds)


def make_reference(example: Example, raw: bytes) -> Reference:
    """Return the reference of an example, whose raw bytes are given."""
    page_text = read_text(Page.parse(raw).tree, separator="\n")
    authors = tuple(split_authors(example.fields.get("author")))
    text = "\n".join(example.must) if example.is_partial else example.text or ""
    return Reference(text, page_text, example.title, authors, example.must, example.must_not, example.is_partial)


def run_extractor(extractor: Extractor, raw: bytes, example: Example) -> tuple[str, float, str | None]:
    """Return the text of a page, the milliseconds of processor time, and the error if the extractor failed."""
    start = process_time()
    try:
        text, error = extractor.run(raw, example), None
    except Exception as failure:  # any error is a failure of this extractor on this page
        text, error = "", f"{type(failure).__name__}: {failure}"
    return text, (process_time() - start) * 1000, error


def time_bare_parse(raw: bytes) -> float:
    """Return the milliseconds of a bare Lexbor parse, the unit of all times."""
    start = process_time()
    LexborHTMLParser(raw)
    return (process_time() - start) * 1000


def _rotate(extractors: Sequence[Extractor], by: int) -> Sequence[Extractor]:
    by %= len(extractors) or 1
    return [*extractors[by:], *extractors[:by]]
