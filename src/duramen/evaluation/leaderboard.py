"""The leaderboard for people: a table on a terminal, aligned text in a pipe, and a Markdown page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from duramen import __version__
from duramen.evaluation.columns import COLUMNS, METRICS, NOTHING, Column, metric, ordered
from duramen.evaluation.metrics.verdict import TOLERANCE
from duramen.evaluation.results import Results, Summary

if TYPE_CHECKING:
    from rich.table import Table

BARE_PARSE = "lexbor (bare parse)"
"""The row of the parser alone: the unit of time."""

_VERDICTS = "c/w/m %"
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


def terminal_table(results: Results, by: str, *, timed: bool) -> Table:
    from rich.table import Table
    from rich.text import Text

    head, rows = _cells(results, by, timed=timed)
    below = Text(caption(results, by))  # names of sets are not markup
    table = Table(caption=below, caption_justify="left", caption_style="dim", box=None, padding=(0, 1))
    table.add_column(head[0], no_wrap=True)
    for title in head[1:]:
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def plain_table(results: Results, by: str, *, timed: bool) -> str:
    head, rows = _cells(results, by, timed=timed)
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        name, *numbers = row
        aligned = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join([name.ljust(widths[0]), *aligned]).rstrip())
    return "\n".join([*lines, "", caption(results, by)])


def caption(results: Results, by: str) -> str:
    pages = "1 page" if results.pages == 1 else f"{results.pages} pages"
    which = f"{pages} of {', '.join(results.sets) or 'no set'}; ordered by {metric(by).title}"
    return f"PARTIAL, stopped by hand: {which}" if results.partial else which


def markdown(results: Results, by: str, *, timed: bool) -> str:
    """The whole of it: a table for all pages, one for each set, and the word F1 by type and language."""
    parts = ["# Scores", _heading(results, by), _LEGEND]
    if len(results.sets) > 1:
        parts.append("## All pages")
    parts.append(markdown_table(*_all_cells(results.leaderboard(), by, results.parse_milliseconds, timed=timed)))
    by_set = results.by(lambda example: example.set)
    if len(by_set) > 1:
        for name, rows in by_set.items():
            parts += [f"## {name}", markdown_table(*_all_cells(rows, by, None, timed=timed))]
    by_type, by_lang = results.by(lambda example: example.type), results.by(lambda example: example.lang)
    for title, groups in ("page type", by_type), ("language", by_lang):
        if len(groups) > 1:
            parts += [f"## Word F1 by {title}", _group_table(groups, results, by)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _heading(results: Results, by: str) -> str:
    versions = {e.name: e.version for e in results.extractors if e.version and e.version != __version__}
    others = "".join(f", {name} {version}" for name, version in sorted(versions.items()))
    return f"{caption(results, by)}. duramen {__version__}{others}."


def _cells(results: Results, by: str, *, timed: bool) -> tuple[list[str], list[list[str]]]:
    """The main columns, narrow enough for a terminal."""
    shown = [METRICS[name] for name in _SHORT_TITLES if timed or not METRICS[name].timing]
    if metric(by) not in shown:
        shown.insert(1, metric(by))
    head = ["method", *(_SHORT_TITLES.get(column.name, column.title) for column in shown)]
    rows = [[row.extractor, *_row(row, shown)] for row in ordered(results.leaderboard(), metric(by))]
    if timed and results.parse_milliseconds is not None:
        rows.append([BARE_PARSE, *_parse_row(results.parse_milliseconds, shown)])
    place = head.index(_SHORT_TITLES["cleaneval"]) + 1
    head.insert(place, _VERDICTS)
    found = {row.extractor: row for row in results.leaderboard()}
    for cells in rows:
        cells.insert(place, _verdicts(found[cells[0]]) if cells[0] in found else NOTHING)
    return head, rows


def _all_cells(
    summaries: Iterable[Summary], by: str, parse: float | None, *, timed: bool
) -> tuple[list[str], list[list[str]]]:
    shown = [column for column in COLUMNS if timed or not column.timing]
    rows = [[row.extractor, *_row(row, shown)] for row in ordered(summaries, metric(by))]
    if timed and parse is not None:
        rows.append([BARE_PARSE, *_parse_row(parse, shown)])
    return ["method", *(column.title for column in shown)], rows


def _row(row: Summary, shown: Iterable[Column]) -> list[str]:
    return [column.cell(row) for column in shown]


def _parse_row(milliseconds: float, shown: Iterable[Column]) -> list[str]:
    known = {"ms": milliseconds, "times-parse": 1.0}
    return [column.form(known[column.name]) if column.name in known else NOTHING for column in shown]


def _verdicts(row: Summary) -> str:
    return "/".join(f"{100 * share:.0f}" for share in (row.correct, row.wrong, row.missed))


def _group_table(groups: dict[str, list[Summary]], results: Results, by: str) -> str:
    f1 = METRICS["f1"]
    found = {name: {row.extractor: row for row in rows} for name, rows in groups.items()}
    pages = {name: max(row.pages for row in rows) for name, rows in groups.items()}
    head = ["method", *(f"{name} ({pages[name]})" for name in groups)]
    rows = []
    for row in ordered(results.leaderboard(), metric(by)):
        here = [found[name].get(row.extractor) for name in groups]
        rows.append([row.extractor, *(NOTHING if cell is None else f1.cell(cell) for cell in here)])
    return markdown_table(head, rows)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as GitHub reads it, numbers to the right."""
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
