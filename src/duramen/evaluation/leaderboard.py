"""The leaderboard: its columns (the metrics that it can be sorted by) and its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from duramen import __version__
from duramen.errors import UsageError
from duramen.evaluation.metrics.agreement import TOLERANCE
from duramen.evaluation.results import Results, Summary
from duramen.evaluation.score_tables import align_columns, make_markdown_table

if TYPE_CHECKING:
    from rich.table import Table

NO_VALUE = "–"

BARE_PARSE = "lexbor (bare parse)"
"""The row of the bare parser, whose time is the unit."""

_VERDICTS_TITLE = "c/w/m %"
_SHORT_TITLES = {
    "pages": "pages",
    "precision": "prec",
    "recall": "rec",
    "f1": "F1",
    "median": "med",
    "bigrams": "2-gram",
    "shingles": "4-gram",
    "cleaneval": "clean",
    "must": "must",
    "must-not": "not",
    "failures": "fail",
    "ms": "ms/page",
    "times-parse": "× parse",
}

_LEGEND = f"""\
All numbers are means over pages. **precision**, **recall**, **word F1**: words as multisets; **median**: of the word
F1. **2-gram F1**: sets of word pairs (FOREST). **shingle F1**: runs of four words as multisets. **short F1**,
**best F1**: words by position, against the text without its title, and against the better of with and without (MSS).
**CleanEval**: text-only score. **correct**, **wrong**, **missed**: all of the content and nothing else, all of it and
noise, a part or nothing (ECON), where "all" and "nothing else" mean {100 * (1 - TOLERANCE):.0f} % of the words.
**must**, **must not**: share of the wanted and of the unwanted snippets found. **failures**: pages with an exception,
which score as an empty text.
"""


def _format_share(value: float) -> str:
    """Write three digits without a leading zero: `.823`."""
    return f"{value:.3f}".removeprefix("0") if value < 0.9995 else "1.00"


def _format_percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _format_count(value: float) -> str:
    return f"{value:.0f}"


def _format_milliseconds(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


@dataclass(frozen=True)
class LeaderboardColumn:
    """A column: its name as a metric, its title, and how its value is computed and written."""

    name: str
    title: str
    value: Callable[[Summary], float | None]
    write: Callable[[float], str] = _format_share
    less_is_better: bool = False
    is_time: bool = False

    def cell(self, row: Summary) -> str:
        value = self.value(row)
        return NO_VALUE if value is None else self.write(value)


COLUMNS = (
    LeaderboardColumn("pages", "pages", lambda row: row.pages, _format_count),
    LeaderboardColumn("precision", "precision", lambda row: row.words.precision),
    LeaderboardColumn("recall", "recall", lambda row: row.words.recall),
    LeaderboardColumn("f1", "word F1", lambda row: row.words.f1),
    LeaderboardColumn("median", "median", lambda row: row.median),
    LeaderboardColumn("bigrams", "2-gram F1", lambda row: row.bigrams.f1),
    LeaderboardColumn("shingles", "shingle F1", lambda row: row.shingles.f1),
    LeaderboardColumn("short", "short F1", lambda row: row.short.f1),
    LeaderboardColumn("best", "best F1", lambda row: row.best.f1),
    LeaderboardColumn("cleaneval", "CleanEval", lambda row: row.cleaneval),
    LeaderboardColumn("correct", "correct %", lambda row: row.correct, _format_percent),
    LeaderboardColumn("wrong", "wrong %", lambda row: row.wrong, _format_percent, less_is_better=True),
    LeaderboardColumn("missed", "missed %", lambda row: row.missed, _format_percent, less_is_better=True),
    LeaderboardColumn("must", "must", lambda row: row.must),
    LeaderboardColumn("must-not", "must not", lambda row: row.must_not, less_is_better=True),
    LeaderboardColumn("failures", "failures", lambda row: row.failures, _format_count, less_is_better=True),
    LeaderboardColumn(
        "ms", "ms/page", lambda row: row.milliseconds, _format_milliseconds, less_is_better=True, is_time=True
    ),
    LeaderboardColumn(
        "times-parse", "× parse", lambda row: row.times_parse, _format_milliseconds, less_is_better=True, is_time=True
    ),
)

METRICS = {column.name: column for column in COLUMNS}


def get_metric(name: str) -> LeaderboardColumn:
    """Return a column by its name. Raises `UsageError` with the most similar name."""
    try:
        return METRICS[name]
    except KeyError:
        near = get_close_matches(name, METRICS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(METRICS)}"
        raise UsageError(f"there is no metric {name!r}: {hint}") from None


def sort_rows(rows: Iterable[Summary], metric: LeaderboardColumn) -> list[Summary]:
    """Sort rows: the best first, rows without a value last, equal ones by name."""

    def rank(row: Summary) -> tuple[bool, float, str]:
        value = metric.value(row)
        if value is None:
            return True, 0.0, row.extractor
        return False, value if metric.less_is_better else -value, row.extractor

    return sorted(rows, key=rank)


def make_terminal_table(results: Results, by: str, *, timed: bool) -> Table:
    """Make the table for a terminal."""
    from rich.table import Table
    from rich.text import Text

    head, rows = _make_main_cells(results, by, timed=timed)
    below = Text(make_caption(results, by))  # Text: names of sets must not be read as markup
    table = Table(caption=below, caption_justify="left", caption_style="dim", box=None, padding=(0, 1))
    table.add_column(head[0], no_wrap=True)
    for title in head[1:]:
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def make_plain_table(results: Results, by: str, *, timed: bool) -> str:
    """Make the table as aligned text."""
    head, rows = _make_main_cells(results, by, timed=timed)
    return "\n".join([*align_columns([head, *rows]), "", make_caption(results, by)])


def make_caption(results: Results, by: str) -> str:
    """Describe the pages and the order of a table."""
    pages = "1 page" if results.pages == 1 else f"{results.pages} pages"
    which = f"{pages} of {', '.join(results.sets) or 'no set'}; ordered by {get_metric(by).title}"
    return f"PARTIAL, stopped by hand: {which}" if results.partial else which


def make_markdown(results: Results, by: str, *, timed: bool) -> str:
    """Make the Markdown page: a table for all pages, one for each set, and the word F1 by type and language."""
    parts = ["# Scores", _make_heading(results, by), _LEGEND]
    if len(results.sets) > 1:
        parts.append("## All pages")
    parts.append(
        make_markdown_table(*_make_all_cells(results.leaderboard(), by, results.parse_milliseconds, timed=timed))
    )
    by_set = results.by(lambda example: example.set)
    if len(by_set) > 1:
        for name, rows in by_set.items():
            parts += [f"## {name}", make_markdown_table(*_make_all_cells(rows, by, None, timed=timed))]
    by_type, by_lang = results.by(lambda example: example.type), results.by(lambda example: example.lang)
    for title, groups in ("page type", by_type), ("language", by_lang):
        if len(groups) > 1:
            parts += [f"## Word F1 by {title}", _make_group_table(groups, results, by)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _make_heading(results: Results, by: str) -> str:
    versions = {e.name: e.version for e in results.extractors if e.version and e.version != __version__}
    others = "".join(f", {name} {version}" for name, version in sorted(versions.items()))
    return f"{make_caption(results, by)}. duramen {__version__}{others}."


def _make_main_cells(results: Results, by: str, *, timed: bool) -> tuple[list[str], list[list[str]]]:
    """Return the main columns, narrow enough for a terminal."""
    shown = [METRICS[name] for name in _SHORT_TITLES if timed or not METRICS[name].is_time]
    if get_metric(by) not in shown:
        shown.insert(1, get_metric(by))
    head = ["method", *(_SHORT_TITLES.get(column.name, column.title) for column in shown)]
    rows = [[row.extractor, *_write_row(row, shown)] for row in sort_rows(results.leaderboard(), get_metric(by))]
    if timed and results.parse_milliseconds is not None:
        rows.append([BARE_PARSE, *_write_parse_row(results.parse_milliseconds, shown)])
    place = head.index(_SHORT_TITLES["cleaneval"]) + 1
    head.insert(place, _VERDICTS_TITLE)
    summaries = {row.extractor: row for row in results.leaderboard()}
    for cells in rows:
        cells.insert(place, _write_verdicts(summaries[cells[0]]) if cells[0] in summaries else NO_VALUE)
    return head, rows


def _make_all_cells(
    summaries: Iterable[Summary], by: str, parse: float | None, *, timed: bool
) -> tuple[list[str], list[list[str]]]:
    shown = [column for column in COLUMNS if timed or not column.is_time]
    rows = [[row.extractor, *_write_row(row, shown)] for row in sort_rows(summaries, get_metric(by))]
    if timed and parse is not None:
        rows.append([BARE_PARSE, *_write_parse_row(parse, shown)])
    return ["method", *(column.title for column in shown)], rows


def _write_row(row: Summary, shown: Iterable[LeaderboardColumn]) -> list[str]:
    return [column.cell(row) for column in shown]


def _write_parse_row(milliseconds: float, shown: Iterable[LeaderboardColumn]) -> list[str]:
    values = {"ms": milliseconds, "times-parse": 1.0}
    return [column.write(values[column.name]) if column.name in values else NO_VALUE for column in shown]


def _write_verdicts(row: Summary) -> str:
    return "/".join(f"{100 * share:.0f}" for share in (row.correct, row.wrong, row.missed))


def _make_group_table(groups: dict[str, list[Summary]], results: Results, by: str) -> str:
    f1 = METRICS["f1"]
    by_group = {name: {row.extractor: row for row in rows} for name, rows in groups.items()}
    pages = {name: max(row.pages for row in rows) for name, rows in groups.items()}
    head = ["method", *(f"{name} ({pages[name]})" for name in groups)]
    rows = []
    for row in sort_rows(results.leaderboard(), get_metric(by)):
        here = [by_group[name].get(row.extractor) for name in groups]
        rows.append([row.extractor, *(NO_VALUE if cell is None else f1.cell(cell) for cell in here)])
    return make_markdown_table(head, rows)
