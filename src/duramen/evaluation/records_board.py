"""The leaderboard of regions and records: a table on the terminal, Markdown, and JSON down to each page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from duramen import __version__
from duramen.evaluation.leaderboard import markdown_table
from duramen.evaluation.records_run import RecordResults, RecordSummary

_NOTHING = "–"


def plain(results: RecordResults, *, timed: bool = True) -> str:
    """The rows of every set, in columns."""
    parts = []
    for name in results.sets:
        head, rows = _cells(results.summaries(name), posts=results.posts, timed=timed)
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if not place else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in [head, *rows]
        ]
        parts.append("\n".join([f"{name} ({_pages(results, name)} pages)", *lines]))
    return "\n\n".join(parts)


def markdown(results: RecordResults, *, timed: bool = True) -> str:
    """A section for every set, to be checked in."""
    parts = []
    for name in results.sets:
        head, rows = _cells(results.summaries(name), posts=results.posts, timed=timed)
        parts.append(f"## {name} ({_pages(results, name)} pages)\n\n{markdown_table(head, rows)}")
    return "\n\n".join(parts) + "\n"


def dumps(results: RecordResults) -> str:
    """Everything as JSON, a line for each row and page."""
    rows = {name: [asdict(row) for row in results.summaries(name)] for name in results.sets}
    pages = [
        {
            "set": run.example.set,
            "id": run.example.id,
            "method": run.method,
            **asdict(run.score),
            "milliseconds": round(run.milliseconds, 3),
            "error": run.error,
        }
        for run in results.runs
    ]
    written = {"duramen": __version__, "partial": results.partial, "unreadable": results.unreadable, "sets": rows}
    lines = ",\n".join(json.dumps(page, ensure_ascii=False) for page in pages)
    head = json.dumps(written, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{head},\n "pages": [\n{lines}\n]}}\n'


def _cells(rows: Sequence[RecordSummary], *, posts: bool, timed: bool) -> tuple[list[str], list[list[str]]]:
    columns = {"method": [row.method for row in rows]}
    if not posts:
        columns["exact"] = [_share(row.exact) for row in rows]
        columns["contained"] = [_share(row.contained) for row in rows]
    columns["precision"] = [_share(row.precision) for row in rows]
    columns["recall"] = [_share(row.recall) for row in rows]
    columns["F1"] = [_share(row.f1) for row in rows]
    columns["pooled precision"] = [_share(row.pooled_precision) for row in rows]
    columns["pooled recall"] = [_share(row.pooled_recall) for row in rows]
    if any(row.unlisted for row in rows):
        columns["no list, said so"] = [f"{row.unlisted_right} of {row.unlisted}" for row in rows]
    if timed:
        columns["× parse"] = [f"{row.times_parse:.1f}" for row in rows]
    ordered = sorted(range(len(rows)), key=lambda place: (-(rows[place].exact or rows[place].f1 or 0), place))
    return list(columns), [[columns[name][place] for name in columns] for place in ordered]


def _share(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.3f}"


def _pages(results: RecordResults, name: str) -> int:
    return max(row.pages for row in results.summaries(name))
