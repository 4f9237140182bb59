"""`duramen evaluate` on sets that mark records: regions, records and posts in place of texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.rendered import Lay
from duramen.errors import NoBrowserError, RenderError, UsageError

if TYPE_CHECKING:
    from duramen.dom.page import Page
    from duramen.evaluation import Example
    from duramen.methods import Method

_STOPPED = 130
_SHOWN = 10


def wanted(sets: Sequence[str]) -> bool:
    """Whether all of these sets mark records."""
    from duramen.evaluation import find_set, read_set
    from duramen.evaluation.records_gold import has_records

    kinds = {has_records(read_set(find_set(name))) for name in sets}
    if len(kinds) > 1:
        raise UsageError("some of these sets mark records and some texts: evaluate them apart, or give --records")
    return kinds == {True}


def run(args: argparse.Namespace, lay: Lay) -> int:
    from duramen.cli.outputs import write_whole
    from duramen.cli.progress import Progress, say, wants_bar
    from duramen.evaluation import choose, find_set, read_set
    from duramen.evaluation.records_board import dumps, markdown, plain
    from duramen.evaluation.records_gold import has_records
    from duramen.evaluation.records_run import RecordResults, score_record_pages

    methods = _methods(args.method)
    marked, threads = RecordResults(), RecordResults(posts=True)
    work: list[tuple[RecordResults, list[Example]]] = []
    for folder in dict.fromkeys(find_set(name).resolve() for name in args.sets):
        examples = read_set(folder)
        results = marked if has_records(examples) else threads
        chosen = choose(examples, sites=args.sites, types=args.type, langs=args.lang, limit=args.limit)
        if results is threads:
            chosen = [example for example in chosen if example.fields.get("records")]
        if not chosen:
            raise UsageError(f"no page of {folder.name} has records to score against")
        work.append((results, chosen))
    folder = Path(args.output)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, and the results need a folder: give -o another name")
    total = sum(len(chosen) for _, chosen in work)
    with Progress(total, bar=wants_bar(total, to_stdout=False)) as progress:
        try:
            for results, chosen in work:
                for _ in score_record_pages(chosen, methods, results, _prepared(lay, say)):
                    progress.advance()
        except KeyboardInterrupt:
            marked.partial = threads.partial = True
    both = [results for results in (marked, threads) if results.runs]
    timed = not args.no_time
    if both:
        print("\n\n".join(plain(results, timed=timed) for results in both))
    for results in both:
        name = "posts" if results.posts else "records"
        write_whole(folder / f"{name}.json", dumps(results))
        write_whole(folder / f"{name}.md", markdown(results, timed=timed))
        say(f"written: {folder / name}.json and .md")
    troubles = [f"not scored: {why}" for results in (marked, threads) for why in results.unreadable]
    troubles += [
        f"{run.method} failed on {run.example.id}: {run.error}" for one in both for run in one.runs if run.error
    ]
    for trouble in troubles[:_SHOWN]:
        say(trouble)
    if len(troubles) > _SHOWN:
        say(f"and {len(troubles) - _SHOWN} more like these")
    if args.write_scores is not None and both and not marked.partial:
        write_whole(Path(args.write_scores), "\n".join(markdown(results, timed=False) for results in both))
    return _STOPPED if marked.partial else 1 if marked.unreadable or threads.unreadable else 0


def _prepared(lay: Lay, say: Callable[[str], None]) -> Callable[[Page, Example], Page]:
    """Lay the boxes over a page; one that cannot be laid out is scored without."""
    failed: set[str] = set()

    def prepare(page: Page, example: Example) -> Page:
        if example.id in failed:
            return page
        try:
            return lay(page)
        except NoBrowserError:
            raise
        except RenderError as error:
            say(f"{example.id} is scored without boxes: {error}")
            failed.add(example.id)
            return page

    return prepare


def _methods(names: Sequence[str] | None) -> list[tuple[str, Method]]:
    """The methods named; without names, those that look for a region."""
    from duramen import methods

    if names is None:
        names = [name for name in methods.names() if getattr(methods.get(name), "regional", False)]
    return [(name, methods.get(name)) for name in dict.fromkeys(names)]
