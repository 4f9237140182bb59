"""Run extractors on pages and score them, in this process with times, or in several processes without.

All extractors run on a page before the next page is read, and each page begins with another extractor, so that a busy
machine slows all of them alike. Times are processor times from bytes to text, without reading the file and scoring.
The unit is a bare Lexbor parse of the same bytes.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from time import process_time

from selectolax.lexbor import LexborHTMLParser

from duramen.dom.page import Page
from duramen.dom.text import read_text
from duramen.errors import InputError
from duramen.evaluation.extractors import Extractor, get_extractor
from duramen.evaluation.reference import Reference
from duramen.evaluation.score import Score, score
from duramen.evaluation.sets import Example


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
    """Score page by page. The examples must have a reference text."""
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
    that can be pickled. `modules` are imported first; they may register methods.
    """
    # Processes are spawned: a fork would copy locks that threads of other libraries hold.
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start_process, (list(extractors), list(modules))) as pool:
        try:
            yield from pool.map(_score_page, examples, chunksize=4)
        except BaseException:  # above all Ctrl-C: pages that wait are not started
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_process_extractors: list[Extractor] = []
"""The extractors of this process, made when it starts: functions cannot be sent to another process."""


def _start_process(extractors: list[str | Extractor], modules: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    for module in modules:
        import_module(module)
    _process_extractors[:] = [get_extractor(which) for which in extractors]


def _score_page(example: Example) -> PageRun:
    (page_run,) = score_pages([example], _process_extractors, timed=False)
    return page_run


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
    return Reference(example.text or "", page_text, example.title, example.must, example.must_not)


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
