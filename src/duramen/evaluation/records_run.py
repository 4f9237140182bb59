"""Finders of regions and records over the pages of a set, and what came of it.

A finder is any method: its region is the lowest element that holds what it keeps, so that every method can be measured
at that. One that has `records(page)` as well is scored on its records, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from time import process_time
from typing import Protocol, runtime_checkable

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation.records_gold import Marked, Post, marked, posts
from duramen.evaluation.records_score import Record, RecordScore, score_posts, score_records
from duramen.evaluation.run import bare_parse
from duramen.evaluation.sets import Example
from duramen.methods import Method


class Found(Protocol):
    """What a finder of records says of a page."""

    @property
    def region(self) -> int | None: ...
    @property
    def records(self) -> Sequence[Record]: ...


@runtime_checkable
class RecordFinder(Protocol):
    """A method that also parts its region into records."""

    def records(self, page: Page) -> Found: ...


@dataclass(frozen=True)
class RecordRun:
    """One method on one page. A failure has its error, and the score of having found nothing."""

    method: str
    example: Example
    score: RecordScore
    parted: bool
    """Whether the method finds records, and not only a region."""
    milliseconds: float
    parse_milliseconds: float
    error: str | None = None


@dataclass(frozen=True)
class RecordSummary:
    """One method on several pages. Shares are means over pages; None where nothing was to be measured."""

    method: str
    pages: int
    exact: float | None
    contained: float | None
    precision: float | None
    recall: float | None
    pooled_precision: float | None
    pooled_recall: float | None
    unlisted: int
    """Pages without a main list, and on how many of them the method said so."""
    unlisted_right: int
    times_parse: float

    @property
    def f1(self) -> float | None:
        if self.precision is None or self.recall is None:
            return None
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass
class RecordResults:
    """All that was scored, and the pages that could not be."""

    runs: list[RecordRun] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    posts: bool = False
    partial: bool = False

    @property
    def sets(self) -> list[str]:
        return list(dict.fromkeys(run.example.set for run in self.runs))

    def summaries(self, of_set: str | None = None) -> list[RecordSummary]:
        """A row for every method, in the order they were named."""
        runs = [run for run in self.runs if of_set in (None, run.example.set)]
        names = dict.fromkeys(run.method for run in runs)
        return [self._summary(name, [run for run in runs if run.method == name]) for name in names]

    def _summary(self, name: str, runs: Sequence[RecordRun]) -> RecordSummary:
        scores = [run.score for run in runs]
        parted = [run.score for run in runs if run.parted]
        unlisted = [score for score in scores if not score.listed]
        found, gold, right = (sum(getattr(score, of) for score in parted) for of in ("found", "gold", "right"))
        return RecordSummary(
            method=name,
            pages=len(runs),
            exact=None if self.posts else _mean(score.exact for score in scores),
            contained=None if self.posts else _mean(score.contained for score in scores),
            precision=_mean(score.precision for score in parted),
            recall=_mean(score.recall for score in parted),
            pooled_precision=right / found if found else None,
            pooled_recall=right / gold if gold and parted else None,
            unlisted=len(unlisted),
            unlisted_right=sum(score.exact for score in unlisted),
            times_parse=sum(run.milliseconds for run in runs) / max(sum(run.parse_milliseconds for run in runs), 1e-9),
        )


def score_record_pages(
    examples: Iterable[Example],
    methods: Sequence[tuple[str, Method]],
    results: RecordResults,
    prepare: Callable[[Page, Example], Page] = lambda page, example: page,
) -> Iterator[None]:
    """Score the methods page by page into the results, giving way after each page.

    `prepare` may lay on a page what it is to have besides, such as boxes; that is not timed.
    """
    warm = False
    for example in examples:
        try:
            raw = example.read()
            gold: Marked | list[Post]
            gold = posts(example) if results.posts else marked(example, Page.parse(raw, url=example.url).tree)
        except InputError as error:
            results.unreadable.append(str(error))
            yield
            continue
        if not warm:  # what is imported and compiled on first use belongs to no page
            for name, method in methods:
                _run(name, method, raw, example, gold, prepare)
            warm = True
        results.runs += [_run(name, method, raw, example, gold, prepare) for name, method in methods]
        yield


def _run(
    name: str,
    method: Method,
    raw: bytes,
    example: Example,
    gold: Marked | list[Post],
    prepare: Callable[[Page, Example], Page],
) -> RecordRun:
    parse = bare_parse(raw)
    start = process_time()
    page = Page.parse(raw, url=example.url)
    spent = process_time() - start
    page = prepare(page, example)
    parted = isinstance(method, RecordFinder)
    region: int | None = None
    records: Sequence[Record] = ()
    error = None
    start = process_time()
    try:
        if isinstance(method, RecordFinder):
            found = method.records(page)
            region, records = found.region, found.records
        else:
            region = method(page).node
    except Exception as failure:  # whatever it is, it is this method's score for this page
        region, records, error = None, (), f"{type(failure).__name__}: {failure}"
    spent += process_time() - start
    if isinstance(gold, Marked):
        score = score_records(page.tree, gold, region, records)
    else:
        score = score_posts(page.tree, gold, records)
    return RecordRun(name, example, score, parted, 1000 * spent, parse, error)


def _mean(shares: Iterable[float | None]) -> float | None:
    known = [float(share) for share in shares if share is not None]
    return fmean(known) if known else None
