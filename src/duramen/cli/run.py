"""`duramen run`: a crawl in, a corpus out."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.limits import add_page_limits
from duramen.cli.progress import say
from duramen.cli.run_downloads import add_downloads, finish_downloads, with_downloads
from duramen.cli.run_engine import add_engine, is_elsewhere, place_elsewhere, run_of
from duramen.cli.run_stages import add_stages, with_stages
from duramen.errors import RunError, UsageError

if TYPE_CHECKING:
    from duramen.batch.place import Place
    from duramen.batch.report import Report
    from duramen.batch.settings import Settings

FORMATS = ("text", "markdown", "html")
FORMS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "files")

_EXAMPLES = """\
examples:
  duramen run pages/ -o corpus.jsonl.gz                a folder of pages into one file of rows
  duramen run crawl.warc.gz -o corpus/                 a WARC into a folder of shards
  duramen run crawl/*.warc.gz -o corpus.parquet --format markdown
  duramen run pages/ -o texts/ --as files              a text file for each page
  duramen run dump.jsonl.zst --html-column raw -o - | jq -r .title
  duramen run https://example.org/sitemap.xml urls.txt -o corpus/ --keep crawl.warc.gz

A run that was stopped or killed goes on where it was: give the same command again.

exit status: 0 every page has its row, be it one that says what went wrong; 1 part of the input could not be read or
was empty, or the output could not be written; 2 wrong usage; 130 stopped by Ctrl-C; 143 stopped by SIGTERM.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "run",
        help="find the content of many pages: folders, WARCs, JSON Lines, Parquet",
        description="Find the content of many pages and write a row for each: url, text, title, confidence, error …",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("inputs", nargs="+", metavar="INPUT", help="pages, folders, .warc, .jsonl (also .gz, .zst), .parquet, URLs")
    option("-o", "--output", required=True, metavar="OUT", help="a file by its name's end, a folder, or - (JSON Lines)")
    option(
        "--as",
        dest="form",
        choices=FORMS,
        help="what to write, where the name of OUT does not say (a folder: jsonl.gz)",
    )
    option("--format", choices=FORMATS, default="text", help="what the text is written in (default: text)")
    option("--method", metavar="NAME", help="how to find the content; duramen methods lists the names")
    option("--import", dest="modules", action="append", default=[], metavar="MODULE", help="with methods of your own")
    option("--links", action="store_true", help="keep the addresses of links")
    option("--images", action="store_true", help="keep images")
    reading = parser.add_argument_group("reading")
    reading.add_argument("--include", action="append", default=[], metavar="PATTERN", help="of files in folders")
    reading.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="of files in folders")
    reading.add_argument("--html-column", default="html", metavar="NAME", help="of JSONL and Parquet (default: html)")
    reading.add_argument("--url-column", default="url", metavar="NAME", help="of JSONL and Parquet (default: url)")
    add_downloads(parser)
    add_stages(parser)
    add_engine(parser)
    limits = parser.add_argument_group("the run")
    limits.add_argument("--jobs", type=_jobs, default=0, metavar="N", help="worker processes (default: one a core)")
    add_page_limits(limits.add_argument)
    limits.add_argument("--overwrite", action="store_true", help="throw away what an earlier run has left in OUT")
    limits.add_argument("--quiet", action="store_true", help="no progress, no summary")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from duramen.batch.run import Stopped
    from duramen.cli.run_progress import RunProgress

    settings = settings_of(args)
    with ExitStack() as stack:
        place = _place(args, stack)
        settings = with_stages(with_downloads(settings, args, place), args)
        progress = stack.enter_context(RunProgress(quiet=args.quiet, to_stdout=args.output == "-"))
        stdout = sys.stdout.buffer if args.output == "-" else None
        task = run_of(args, place, settings)
        try:
            report = task(progress, stdout)
        except Stopped as stop:
            progress.stop()
            say(_stopped(stop.report, args))
            return 128 + stop.signal_number
        except RunError as error:
            progress.stop()
            say(f"{error}: the run stops here; {_after_error(args)}")
            return 1
        progress.stop()
        finish_downloads(args, place)
        if not args.quiet:
            progress.sum_up(report, place)
        for problem in report.problems[:_SHOWN]:
            say(problem)
        if len(report.problems) > _SHOWN:
            say(f"… and {len(report.problems) - _SHOWN} more such: {place.work / 'report.json'} has them all")
        return 1 if report.problems else 0


_SHOWN = 10


def settings_of(args: argparse.Namespace) -> Settings:
    """What the options ask for."""
    from duramen import methods
    from duramen.batch.settings import Reading, Settings

    if os.getcwd() not in sys.path and args.modules:
        sys.path.insert(0, os.getcwd())  # as for `python -m`
    reading = Reading(
        html_column=args.html_column,
        url_column=args.url_column,
        include=tuple(args.include),
        exclude=tuple(args.exclude),
        max_bytes=args.max_size,
    )
    return Settings(
        method=args.method or methods.DEFAULT,
        format=args.format,
        links=args.links,
        images=args.images,
        timeout=args.timeout,
        memory=args.memory,
        modules=tuple(args.modules),
        reading=reading,
    )


def _place(args: argparse.Namespace, stack: ExitStack) -> Place:
    from duramen.batch.place import Place

    if is_elsewhere(args):
        return place_elsewhere(args)
    if args.output != "-":
        return Place.of(args.output, args.form, root=_root(args.inputs))
    if args.overwrite:
        raise UsageError("--overwrite is for files and folders, and -o - is neither")
    passing = stack.enter_context(tempfile.TemporaryDirectory(prefix="duramen-"))
    return Place.of("-", args.form, passing=Path(passing))


def _root(inputs: list[str]) -> str:
    """The lowest folder that holds all that was named: the names of text files begin below it."""
    folders = [name if os.path.isdir(name) else os.path.dirname(name) for name in inputs if "://" not in name]
    try:
        return os.path.commonpath([os.path.abspath(folder) for folder in folders]) if folders else ""
    except ValueError:  # on several drives
        return ""


def _stopped(report: Report, args: argparse.Namespace) -> str:
    if args.output == "-":
        return "stopped"
    return f"stopped: {report.rows:,} rows are safe; the same command goes on from there"


def _after_error(args: argparse.Namespace) -> str:
    if args.output == "-":
        return "the same command begins again, since nothing is kept of a run to standard output: -o FILE can go on"
    return "what is done is safe, and the same command goes on from there"


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MOST_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes, from 1 to {_MOST_JOBS}")
    return int(text)


_MOST_JOBS = 1024
