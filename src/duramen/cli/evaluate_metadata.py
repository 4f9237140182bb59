"""`duramen evaluate --metadata`: titles, authors and dates against the gold, trafilatura's beside ours."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.evaluation import Example
    from duramen.evaluation.metadata import Report


def run(args: argparse.Namespace) -> int:
    """Score metadata on the chosen pages, print the table, and write it where `--write-scores` says."""
    from duramen.cli.outputs import write_whole
    from duramen.cli.progress import Progress, say, wants_bar
    from duramen.evaluation.metadata import gold_fields, readers, score_metadata

    examples = _examples(args)
    fields = gold_fields(examples)
    if not fields:
        raise UsageError("none of the pages has a gold title, author or date to score against")
    chosen, missing = readers(with_peers=True)
    if missing:
        say(missing)
    with Progress(len(examples), bar=wants_bar(len(examples), to_stdout=False)) as progress:
        report = score_metadata(examples, chosen, fields, progress.advance)
    sets = sorted({example.set for example in examples})
    print(table(report, timed=not args.no_time))
    if report.unreadable:
        say(f"not scored, because they could not be read: {report.unreadable} pages")
    if args.write_scores is not None:
        write_whole(Path(args.write_scores), markdown(report, sets))
    return 1 if report.unreadable else 0


def _examples(args: argparse.Namespace) -> list[Example]:
    from duramen.evaluation import choose, find_set, read_set

    folders = dict.fromkeys(find_set(name).resolve() for name in args.sets)
    examples = [example for folder in folders for example in read_set(folder)]
    chosen = choose(examples, sites=args.sites, types=args.type, langs=args.lang, limit=args.limit)
    if not chosen:
        raise UsageError("no page is of these sites, types and languages")
    return chosen


def rows(report: Report, *, timed: bool) -> list[list[str]]:
    """The table: a row for each reader and field."""
    found = [["", "field", "pages", "right", "near", "silent", "without", "false", *(["ms a page"] if timed else [])]]
    for scores in report.scores:
        for place, (field, tally) in enumerate(scores.fields.items()):
            pages = max(tally.pages, 1)
            row = [scores.name if place == 0 else "", field, str(tally.pages)]
            row += [f"{count / pages:.3f}" for count in (tally.right, tally.near, tally.silent)]
            row += [str(tally.without), str(tally.false)]
            found.append([*row, *([f"{scores.milliseconds / max(report.pages, 1):.1f}" if place == 0 else ""] * timed)])
    return found


def table(report: Report, *, timed: bool) -> str:
    """The table for a terminal."""
    cells = rows(report, timed=timed)
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    if timed:
        lines.append(f"a bare parse by Lexbor: {report.parse_milliseconds / max(report.pages, 1):.2f} ms a page")
    return "\n".join(lines)


def markdown(report: Report, sets: list[str]) -> str:
    """The table to check in, without times."""
    head, *body = rows(report, timed=False)
    lines = [
        "# Scores of metadata",
        "",
        f"By `duramen evaluate {' '.join(sets)} --metadata --write-scores FILE`, on {report.pages} pages. What is"
        " *right*, *near* and *false* stands in [metadata.md](metadata.md).",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * 2}{'---:|' * (len(head) - 2)}",
        *(f"| {' | '.join(row)} |" for row in body),
    ]
    return "\n".join(lines) + "\n"
