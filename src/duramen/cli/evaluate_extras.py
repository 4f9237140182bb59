"""`duramen evaluate` for comments (--comments), metadata (--metadata) and records (--records)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.evaluate import EXIT_INTERRUPTED, make_results_folder, read_examples
from duramen.cli.options import AddBoxes
from duramen.cli.outputs import write_file
from duramen.cli.progress import Progress, count_pages, say, say_first, wants_bar
from duramen.errors import NoBrowserError, RenderError, UsageError

if TYPE_CHECKING:
    from duramen.dom.page import Page
    from duramen.evaluation import Example
    from duramen.evaluation.records_results import RecordResults
    from duramen.methods import Method

_MAX_PRINTED_PROBLEMS = 10


def evaluate_comments(args: argparse.Namespace) -> int:
    """Score the comments that are found, and print the table."""
    from duramen.evaluation.comments import (
        CommentPageScore,
        get_comment_finders,
        make_comments_table,
        score_comments,
        summarize_comments,
    )

    examples = read_examples(args, with_text=True)
    finders = get_comment_finders(with_peers=args.peers)
    scores: list[CommentPageScore] = []
    stopped = False
    with Progress(len(examples), bar=wants_bar(len(examples), to_stdout=False)) as progress:
        try:
            for page_scores in score_comments(examples, finders):
                scores += page_scores
                progress.advance()
        except KeyboardInterrupt:
            stopped = True
    table = make_comments_table([summarize_comments(scores, finder) for finder in finders])
    print(table)
    if stopped:
        say(f"stopped after {len(scores) // len(finders)} of {count_pages(len(examples))}")
        return EXIT_INTERRUPTED
    if args.write_scores is not None:
        write_file(Path(args.write_scores), table)
    return 0


def evaluate_metadata(args: argparse.Namespace) -> int:
    """Score titles, authors and dates, and print the table."""
    from duramen.evaluation.metadata import (
        find_reference_fields,
        get_metadata_readers,
        make_metadata_markdown,
        make_metadata_table,
        score_metadata,
    )

    examples = read_examples(args, with_text=False)
    fields = find_reference_fields(examples)
    if not fields:
        raise UsageError("none of the pages has a reference title, author or date to score against")
    readers, missing = get_metadata_readers(with_peers=True)
    if missing:
        say(missing)
    with Progress(len(examples), bar=wants_bar(len(examples), to_stdout=False)) as progress:
        report = score_metadata(examples, readers, fields, progress.advance)
    print(make_metadata_table(report, timed=not args.no_time))
    if report.unreadable:
        say(f"not scored, because they could not be read: {count_pages(report.unreadable)}")
    if args.write_scores is not None:
        sets = sorted({example.set for example in examples})
        write_file(Path(args.write_scores), make_metadata_markdown(report, sets))
    return 1 if report.unreadable else 0


def marks_records(sets: Sequence[str]) -> bool:
    """Return whether all of these sets mark records; raise an error if only some do."""
    from duramen.evaluation import find_set, read_set
    from duramen.evaluation.records import has_records

    kinds = {has_records(read_set(find_set(name))) for name in sets}
    if len(kinds) > 1:
        raise UsageError("some of these sets mark records and some texts: evaluate them apart, or give --records")
    return kinds == {True}


def evaluate_records(args: argparse.Namespace, add_boxes: AddBoxes) -> int:
    """Score regions and records, by their elements or by their texts, and print the tables."""
    from duramen.evaluation.records_confidence import make_confidence_markdown
    from duramen.evaluation.records_results import (
        RecordResults,
        dumps,
        make_records_markdown,
        make_records_table,
        score_record_pages,
    )

    methods = _get_methods(args.method)
    records, entries = RecordResults(), RecordResults(entries=True)
    work = _choose_record_pages(args, records, entries)
    folder = make_results_folder(args.output)
    total = sum(len(examples) for _, examples in work)
    with Progress(total, bar=wants_bar(total, to_stdout=False)) as progress:
        try:
            for results, examples in work:
                for _ in score_record_pages(examples, methods, results, _make_preparation(add_boxes)):
                    progress.advance()
        except KeyboardInterrupt:
            records.partial = entries.partial = True
    scored = [results for results in (records, entries) if results.runs]
    timed = not args.no_time
    if scored:
        print("\n\n".join(make_records_table(results, timed=timed) for results in scored))
    for results in scored:
        name = "entries" if results.entries else "records"
        write_file(folder / f"{name}.json", dumps(results))
        write_file(folder / f"{name}.md", make_records_markdown(results, timed=timed))
        say(f"written: {folder / name}.json and .md")
    problems = [f"not scored: {reason}" for results in (records, entries) for reason in results.unreadable]
    problems += [
        f"{run.method} failed on {run.example.id}: {run.error}"
        for results in scored
        for run in results.runs
        if run.error
    ]
    say_first(problems, _MAX_PRINTED_PROBLEMS, " such problems")
    if args.write_scores is not None and scored and not records.partial:
        tables = [make_records_markdown(results, timed=False) for results in scored]
        tables.append(make_confidence_markdown(scored))
        write_file(Path(args.write_scores), "\n".join(tables))
    return EXIT_INTERRUPTED if records.partial else 1 if records.unreadable or entries.unreadable else 0


def _choose_record_pages(
    args: argparse.Namespace, records: RecordResults, entries: RecordResults
) -> list[tuple[RecordResults, list[Example]]]:
    """Return the pages of each set, with the results that their scores belong to.

    A set without any records is one of articles: its articles have no main list, and other pages are left out.
    """
    from duramen.evaluation import choose, find_set, read_set
    from duramen.evaluation.records import has_records

    work = []
    for folder in dict.fromkeys(find_set(name).resolve() for name in args.sets):
        examples = read_set(folder)
        has_texts = any(example.fields.get("records") for example in examples)
        results = entries if has_texts and not has_records(examples) else records
        chosen = choose(examples, sites=args.sites, types=args.type, langs=args.lang, limit=args.limit)
        if results is entries:
            chosen = [example for example in chosen if example.fields.get("records")]
        elif not has_records(examples):
            chosen = [example for example in chosen if example.type == "article"]
        if not chosen:
            raise UsageError(f"no page of {folder.name} has records to score against, or is an article")
        work.append((results, chosen))
    return work


def _make_preparation(add_boxes: AddBoxes) -> Callable[[Page, Example], Page]:
    """Return a function that adds positions to a page; a page that cannot be rendered is scored without them."""
    failed: set[str] = set()

    def prepare(page: Page, example: Example) -> Page:
        if example.id in failed:
            return page
        try:
            return add_boxes(page)
        except NoBrowserError:
            raise
        except RenderError as error:
            say(f"{example.id} is scored without boxes: {error}")
            failed.add(example.id)
            return page

    return prepare


def _get_methods(names: Sequence[str] | None) -> list[tuple[str, Method]]:
    """Return the methods named; without names, all that find a region."""
    from duramen import methods

    if names is None:
        names = [name for name in methods.names() if getattr(methods.get(name), "regional", False)]
    from duramen.evaluation.records_results import TableFinder

    return [(name, TableFinder() if name == TableFinder.name else methods.get(name)) for name in dict.fromkeys(names)]
