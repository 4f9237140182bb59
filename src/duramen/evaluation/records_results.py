"""Run methods that find regions and records on the pages of a set, and show the results.

Every method can be scored: its region is the lowest element that contains what it keeps. A method that has
`records(page)` is scored on its records too, and if these have columns, on the values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean
from time import process_time
from typing import ClassVar, Final, Protocol, runtime_checkable

from duramen import __version__, methods
from duramen.api import records as extract_table
from duramen.content import Content
from duramen.data_records.table import Table
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation.leaderboard import NO_VALUE
from duramen.evaluation.record_values import count_values
from duramen.evaluation.records import (
    RecordNodes,
    RecordScore,
    ReferenceEntry,
    ReferenceRecords,
    ValueCount,
    match_entries,
    read_entries,
    read_records,
    score_entries,
    score_records,
)
from duramen.evaluation.run import time_bare_parse
from duramen.evaluation.score_tables import align_columns, format_report, list_sets, make_markdown_table
from duramen.evaluation.sets import Example
from duramen.methods import Method

MAX_FIELDS: Final = 4
"""Fields of the entries whose values are in the tables."""


class FoundRecords(Protocol):
    """The element of the region, and the records, that a finder returns."""

    @property
    def node(self) -> int | None: ...
    @property
    def records(self) -> Sequence[RecordNodes]: ...


@runtime_checkable
class RecordFinder(Protocol):
    """A method that also splits its region into records."""

    def records(self, page: Page) -> FoundRecords: ...


class TableFinder:
    """`duramen.records` as a method: the main list with its columns."""

    name: ClassVar[str] = "records"
    summary: ClassVar[str] = "the main list of a page as a table"
    paper: ClassVar[str] = ""

    def __call__(self, page: Page) -> Content:
        return methods.get("region")(page)

    def records(self, page: Page) -> Table:
        return extract_table(page)


@dataclass(frozen=True)
class RecordRun:
    """The score of one method on one page. A failure has an error, and the score of an empty result."""

    method: str
    example: Example
    score: RecordScore
    finds_records: bool
    """Whether the method finds records, and not only a region."""
    milliseconds: float
    parse_milliseconds: float
    error: str | None = None
    confidence: float = 0.0
    """The confidence of the table, if the method gives one."""


@dataclass(frozen=True)
class RecordSummary:
    """The means of one method over pages; None where nothing could be measured."""

    method: str
    pages: int
    exact: float | None
    contained: float | None
    precision: float | None
    recall: float | None
    pooled_precision: float | None
    pooled_recall: float | None
    unlisted: int
    """Pages without a main list."""
    unlisted_right: int
    """Those of them on which the method found none."""
    times_parse: float
    values: Mapping[str, float] = field(default_factory=dict)
    """For each field of the entries, the share of the values that are right, over the right records of all pages."""

    @property
    def f1(self) -> float | None:
        if self.precision is None or self.recall is None:
            return None
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass
class RecordResults:
    """The scores of all pages, and the pages that could not be read."""

    runs: list[RecordRun] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    entries: bool = False
    """Whether the reference is the texts of the records, and not their elements."""
    partial: bool = False

    @property
    def sets(self) -> list[str]:
        return list_sets(self.runs)

    def summaries(self, set_name: str | None = None) -> list[RecordSummary]:
        """Return a row for every method, in the order of the command line."""
        runs = [run for run in self.runs if set_name in (None, run.example.set)]
        names = dict.fromkeys(run.method for run in runs)
        return [self._summarize(name, [run for run in runs if run.method == name]) for name in names]

    def _summarize(self, name: str, runs: Sequence[RecordRun]) -> RecordSummary:
        scores = [run.score for run in runs]
        with_records = [run.score for run in runs if run.finds_records]
        unlisted = [score for score in scores if not score.listed]
        found_count, gold, right = (
            sum(getattr(score, name) for score in with_records) for name in ("found", "gold", "right")
        )
        return RecordSummary(
            method=name,
            pages=len(runs),
            exact=None if self.entries else _mean(score.exact for score in scores),
            contained=None if self.entries else _mean(score.contained for score in scores),
            precision=_mean(score.precision for score in with_records),
            recall=_mean(score.recall for score in with_records),
            pooled_precision=right / found_count if found_count else None,
            pooled_recall=right / gold if gold and with_records else None,
            unlisted=len(unlisted),
            unlisted_right=sum(score.exact for score in unlisted),
            values=_share_of_values([score.values for score in with_records]),
            times_parse=sum(run.milliseconds for run in runs) / max(sum(run.parse_milliseconds for run in runs), 1e-9),
        )


def score_record_pages(
    examples: Iterable[Example],
    methods: Sequence[tuple[str, Method]],
    results: RecordResults,
    prepare: Callable[[Page, Example], Page] = lambda page, example: page,
) -> Iterator[None]:
    """Score the methods page by page into `results`; yields after each page.

    `prepare` may add to a page what methods need besides, such as boxes; that is not timed.
    """
    needs_warm_up = True
    for example in examples:
        try:
            raw = example.read()
            reference: ReferenceRecords | list[ReferenceEntry]
            if results.entries:
                reference = read_entries(example)
            else:
                reference = read_records(example, Page.parse(raw, url=example.url).tree)
        except InputError as error:
            results.unreadable.append(str(error))
            yield
            continue
        if needs_warm_up:  # imports at first use must not count as time of a page
            for name, method in methods:
                _run_method(name, method, raw, example, reference, prepare)
            needs_warm_up = False
        results.runs += [_run_method(name, method, raw, example, reference, prepare) for name, method in methods]
        yield


def _run_method(
    name: str,
    method: Method,
    raw: bytes,
    example: Example,
    reference: ReferenceRecords | list[ReferenceEntry],
    prepare: Callable[[Page, Example], Page],
) -> RecordRun:
    parse = time_bare_parse(raw)
    start = process_time()
    page = Page.parse(raw, url=example.url)
    spent = process_time() - start
    page = prepare(page, example)
    finds_records = isinstance(method, RecordFinder)
    region: int | None = None
    records: Sequence[RecordNodes] = ()
    found: FoundRecords | None = None
    error = None
    start = process_time()
    try:
        if isinstance(method, RecordFinder):
            found = method.records(page)
            region, records = found.node, found.records
        else:
            region = method(page).node
    except Exception as failure:  # any error is a failure of this method on this page
        region, records, error = None, (), f"{type(failure).__name__}: {failure}"
    spent += process_time() - start
    if isinstance(reference, ReferenceRecords):
        score = score_records(page.tree, reference, region, records)
    else:
        score = score_entries(page.tree, reference, records)
        if isinstance(found, Table) and found.columns:
            score = replace(score, values=count_values(found.rows, match_entries(page.tree, reference, records)))
    confidence = found.confidence if isinstance(found, Table) else 0.0
    return RecordRun(name, example, score, finds_records, 1000 * spent, parse, error, confidence)


def make_records_table(results: RecordResults, *, timed: bool = True) -> str:
    """Make aligned text with a table for every set."""
    parts = []
    for name in results.sets:
        head, rows = _make_cells(results.summaries(name), entries=results.entries, timed=timed)
        title = f"{name} ({_count_pages(results, name)} pages)"
        parts.append("\n".join([title, *align_columns([head, *rows])]))
    return "\n\n".join(parts)


def make_records_markdown(results: RecordResults, *, timed: bool = True) -> str:
    """Make a Markdown section for every set."""
    parts = []
    for name in results.sets:
        head, rows = _make_cells(results.summaries(name), entries=results.entries, timed=timed)
        parts.append(f"## {name} ({_count_pages(results, name)} pages)\n\n{make_markdown_table(head, rows)}")
    return "\n\n".join(parts) + "\n"


def dumps(results: RecordResults) -> str:
    """Write everything as JSON, with one line for each page."""
    rows = {name: [asdict(row) for row in results.summaries(name)] for name in results.sets}
    pages = [
        {
            "set": run.example.set,
            "id": run.example.id,
            "method": run.method,
            **asdict(run.score),
            "confidence": round(run.confidence, 4),
            "milliseconds": round(run.milliseconds, 3),
            "error": run.error,
        }
        for run in results.runs
    ]
    summary = {"duramen": __version__, "partial": results.partial, "unreadable": results.unreadable, "sets": rows}
    return format_report(summary, pages)


def _make_cells(rows: Sequence[RecordSummary], *, entries: bool, timed: bool) -> tuple[list[str], list[list[str]]]:
    columns = {"method": [row.method for row in rows]}
    if not entries:
        columns["exact"] = [_format_share(row.exact) for row in rows]
        columns["contained"] = [_format_share(row.contained) for row in rows]
    columns["precision"] = [_format_share(row.precision) for row in rows]
    columns["recall"] = [_format_share(row.recall) for row in rows]
    columns["F1"] = [_format_share(row.f1) for row in rows]
    columns["pooled precision"] = [_format_share(row.pooled_precision) for row in rows]
    columns["pooled recall"] = [_format_share(row.pooled_recall) for row in rows]
    if any(row.unlisted for row in rows):
        columns["no list, none claimed"] = [f"{row.unlisted_right} of {row.unlisted}" for row in rows]
    for name in _most_common_fields(rows):
        columns[name] = [_format_share(row.values.get(name)) for row in rows]
    if timed:
        columns["× parse"] = [f"{row.times_parse:.1f}" for row in rows]
    order = sorted(range(len(rows)), key=lambda number: (-(rows[number].exact or rows[number].f1 or 0), number))
    return list(columns), [[columns[name][number] for name in columns] for number in order]


def _most_common_fields(rows: Sequence[RecordSummary]) -> list[str]:
    """The fields of the entries that have a column of their own in the tables, the most common first."""
    return list(dict.fromkeys(name for row in rows for name in row.values))[:MAX_FIELDS]


def _share_of_values(counts: Sequence[Mapping[str, ValueCount]]) -> dict[str, float]:
    """The share of right values of each field over all pages, the field with the most values first."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for values in counts:
        for name, count in values.items():
            right[name] += count.right
            total[name] += count.total
    return {name: right[name] / number for name, number in total.most_common()}


def _format_share(value: float | None) -> str:
    return NO_VALUE if value is None else f"{value:.3f}"


def _count_pages(results: RecordResults, name: str) -> int:
    return max(row.pages for row in results.summaries(name))


def _mean(shares: Iterable[float | None]) -> float | None:
    given = [float(share) for share in shares if share is not None]
    return fmean(given) if given else None
