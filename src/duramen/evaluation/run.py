"""Running extractors over pages: for each page every extractor in turn, timed on the same raw bytes, then scored.

Page by page, and each page with another extractor first: so a busy machine slows all of them alike. The time is the
processor's, not the clock's, from bytes to text; reading the file and scoring are outside
it. A bare Lexbor parse of the same bytes is the unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import process_time

from selectolax.lexbor import LexborHTMLParser

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation.extractors import Extractor
from duramen.evaluation.gold import Gold
from duramen.evaluation.score import Score, score
from duramen.evaluation.sets import Example
from duramen.evaluation.visible import visible_text


@dataclass(frozen=True)
class PageScore:
    """One extractor on one page. A failure has its error and the score of an empty text."""

    extractor: str
    example: Example
    score: Score
    milliseconds: float | None = None
    error: str | None = None


@dataclass(frozen=True)
class PageRun:
    """All extractors on one page. A page that could not be read has no scores, and `unreadable` says why."""

    example: Example
    scores: tuple[PageScore, ...] = ()
    parse_milliseconds: float | None = None
    unreadable: str | None = None


def score_pages(
    examples: Iterable[Example], extractors: Sequence[Extractor], *, timed: bool = True
) -> Iterator[PageRun]:
    """The scores page by page. The examples must have gold text."""
    cold = timed
    for number, example in enumerate(examples):
        try:
            raw = example.read()
        except InputError as error:
            yield PageRun(example, unreadable=str(error))
            continue
        if cold:  # what is imported and compiled on first use belongs to no page
            bare_parse(raw)
            for extractor in extractors:
                _extract(extractor, raw, example)
            cold = False
        yield _run_page(raw, example, _rotated(extractors, number), timed=timed)


def _run_page(raw: bytes, example: Example, extractors: Sequence[Extractor], *, timed: bool) -> PageRun:
    parse_milliseconds = bare_parse(raw) if timed else None
    outcomes = [(extractor, *_extract(extractor, raw, example)) for extractor in extractors]
    gold = gold_of(example, raw)
    found = {text: score(gold, text) for text in {text for _, text, _, _ in outcomes}}  # many agree to the letter
    scores = tuple(
        PageScore(extractor.name, example, found[text], milliseconds if timed else None, error)
        for extractor, text, milliseconds, error in outcomes
    )
    return PageRun(example, scores, parse_milliseconds)


def gold_of(example: Example, raw: bytes) -> Gold:
    page_text = visible_text(Page.parse(raw).tree)
    return Gold(example.text or "", page_text, example.title, example.must, example.must_not)


def _extract(extractor: Extractor, raw: bytes, example: Example) -> tuple[str, float, str | None]:
    start = process_time()
    try:
        text, error = extractor.run(raw, example), None
    except Exception as failure:  # whatever it is, it is this extractor's score for this page
        text, error = "", f"{type(failure).__name__}: {failure}"
    return text, (process_time() - start) * 1000, error


def bare_parse(raw: bytes) -> float:
    """The milliseconds of a bare Lexbor parse: the unit of all times."""
    start = process_time()
    LexborHTMLParser(raw)
    return (process_time() - start) * 1000


def _rotated(extractors: Sequence[Extractor], by: int) -> Sequence[Extractor]:
    by %= len(extractors) or 1
    return [*extractors[by:], *extractors[:by]]
