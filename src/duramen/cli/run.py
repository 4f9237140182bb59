"""`duramen run`: extract a whole crawl and write one row for each page."""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.batch.settings import METADATA_FIELDS
from duramen.cli.options import (
    add_current_folder,
    add_imports,
    add_markup_options,
    add_run_limits,
    add_verb,
    parse_names,
)
from duramen.cli.progress import RunProgress, count, count_pages, say, say_first
from duramen.cli.run_downloads import add_download_options, add_download_settings, finish_downloads
from duramen.errors import RunError, UsageError

if TYPE_CHECKING:
    from duramen.batch.outputs.output_paths import OutputLayout
    from duramen.batch.run import Run
    from duramen.batch.run_store import Report
    from duramen.batch.settings import RunSettings

_ROW_FORMATS = ("text", "markdown", "html")
OUTPUT_KINDS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "files")
TABLE_KINDS = ("csv", "jsonl")
DUPLICATE_KINDS = ("exact", "near")
ENGINES = ("local", "ray")

_MAX_JOBS = 1024
_MAX_PRINTED_PROBLEMS = 10

_EXAMPLES = """\
examples:
  duramen run pages/ -o corpus.jsonl.gz                write the rows of a folder of pages to one file
  duramen run crawl.warc.gz -o corpus/                 write the rows of a WARC file to a folder of shards
  duramen run crawl/*.warc.gz -o corpus.parquet --format markdown
  duramen run pages/ -o texts/ --as files              write one text file for each page
  duramen run dump.jsonl.zst --html-column raw -o - | jq -r .title
  duramen run shop/ -o shop.jsonl --records             also write shop.tables/: a table for each template
  duramen run https://example.org/sitemap.xml urls.txt -o corpus/ --keep crawl.warc.gz

To resume a run that was stopped or killed, give the same command again.

exit status: 0 every page has a row, perhaps one that holds an error; 1 part of the input could not be read or was
empty, a page of the local network was refused, or the output could not be written; 2 wrong usage; 130 stopped by
Ctrl-C; 143 stopped by SIGTERM.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "run",
        help="find the content of many pages: folders, WARC, JSON Lines, Parquet",
        description="Find the content of many pages and write a row for each: url, text, title, confidence, error …",
        epilog=_EXAMPLES,
        run=run,
    )
    option = parser.add_argument
    option("inputs", nargs="+", metavar="INPUT", help="pages, folders, .warc, .jsonl (also .gz, .zst), .parquet, URLs")
    option(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help="a file, whose ending gives its kind; a folder; or - for JSON Lines on standard output",
    )
    option(
        "--as",
        dest="form",
        choices=OUTPUT_KINDS,
        help="the kind of output, if the ending of OUT does not give it (default for a folder: jsonl.gz)",
    )
    option("--format", choices=_ROW_FORMATS, default="text", help="format of the text in a row (default: text)")
    option(
        "--fields",
        type=_parse_fields,
        metavar="NAMES",
        help=f"metadata to read, of {', '.join(METADATA_FIELDS)}; with commas between, or none (default: all)",
    )
    option("--method", metavar="NAME", help="extraction method; duramen methods lists the names (default: auto)")
    option("--records", action="store_true", help="find the main list of each page, not its text, and write tables")
    option("--tables-as", choices=TABLE_KINDS, default="csv", help="the kind of these tables (default: csv)")
    add_imports(option)
    add_markup_options(option)
    reading = parser.add_argument_group("reading").add_argument
    reading("--include", action="append", default=[], metavar="PATTERN", help="read only such files of folders")
    reading("--exclude", action="append", default=[], metavar="PATTERN", help="do not read such files of folders")
    reading("--html-column", default="html", metavar="NAME", help="column of the page in JSON Lines and Parquet")
    reading("--url-column", default="url", metavar="NAME", help="column of the URL in JSON Lines and Parquet")
    add_download_options(parser)
    stages = parser.add_argument_group("sites and duplicates").add_argument
    stages(
        "--sites",
        "--learn",
        dest="learn",
        action="store_true",
        help="first learn what the pages of each site have in common, and use it as evidence for auto",
    )
    stages(
        "--frame-once",
        action="store_true",
        help="leave menus and footers that repeat on a site out of all rows, and write them once to frames.jsonl",
    )
    stages(
        "--duplicates",
        choices=DUPLICATE_KINDS,
        metavar="KIND",
        help="mark rows that repeat an earlier row: exact (the same text) or near (most of the text)",
    )
    engine = parser.add_argument_group("more than one machine").add_argument
    engine("--engine", choices=ENGINES, default="local", help="local (this machine, the default) or ray (a cluster)")
    engine("--address", metavar="ADDRESS", help="Ray cluster: HOST:PORT, or auto (default: one on this machine)")
    limits = parser.add_argument_group("the run").add_argument
    limits("--jobs", type=_parse_jobs, default=0, metavar="N", help="worker processes (default: one for each core)")
    add_run_limits(limits)
    limits("--overwrite", action="store_true", help="delete what an earlier run has left in OUT")
    limits("--verify", action="store_true", help="read the output of a finished run and compare its checksums")
    limits("--quiet", action="store_true", help="no progress, no summary")


def run(args: argparse.Namespace) -> int:
    from duramen.batch.run import RunStopped

    settings = _make_settings(args)
    with ExitStack() as stack:
        layout = _make_layout(args, stack)
        settings = add_download_settings(settings, args, layout)
        progress = stack.enter_context(RunProgress(quiet=args.quiet, to_stdout=args.output == "-"))
        stdout = sys.stdout.buffer if args.output == "-" else None
        batch_run = _make_run(args, layout, settings)
        try:
            report = batch_run(progress, stdout)
        except RunStopped as stop:
            progress.stop()
            say(_describe_stop(stop.report, args))
            return 128 + stop.signal_number
        except RunError as error:
            progress.stop()
            say(f"{error}: the run stops here; {_describe_resuming(args)}")
            return 1
        progress.stop()
        finish_downloads(args, layout)
        if not args.quiet:
            progress.sum_up(report, layout)
        say_first(report.problems, _MAX_PRINTED_PROBLEMS, f"; all are in {layout.run_folder / 'report.json'}")
        refused = not args.allow_private and report.errors["private"]
        if refused:
            them = "it" if refused == 1 else "them"
            say(f"{count_pages(refused)} of this computer or the local network: refused; --allow-private allows {them}")
        all_failed = report.rows > 0 and report.failed == report.rows
        return 1 if report.problems or refused or all_failed else 0


def _make_settings(args: argparse.Namespace) -> RunSettings:
    from duramen import methods
    from duramen.batch.settings import TABLE_FORMAT, ReadSettings, RunSettings, check_fields

    if args.records and (args.format != "text" or args.method or args.learn or args.frame_once):
        raise UsageError("--records finds lists: it does not work with --format, --method and --sites")
    add_current_folder(args)  # the run itself imports the modules, in every worker process
    reading = ReadSettings(
        html_column=args.html_column,
        url_column=args.url_column,
        include=tuple(args.include),
        exclude=tuple(args.exclude),
        max_bytes=args.max_size,
    )
    return RunSettings(
        method=args.method or methods.DEFAULT,
        format=TABLE_FORMAT if args.records else args.format,
        links=args.links,
        images=args.images,
        tables=args.tables or "markdown",
        timeout=args.timeout,
        memory=args.memory,
        modules=tuple(args.modules),
        learn=args.learn or args.frame_once,
        frame_once=args.frame_once,
        duplicates=args.duplicates,
        fields=METADATA_FIELDS if args.fields is None else check_fields(args.fields),
        reading=reading,
    )


def _make_layout(args: argparse.Namespace, stack: ExitStack) -> OutputLayout:
    """Return where the rows and the state of the run are written."""
    from duramen.batch.outputs.output_paths import OutputLayout
    from duramen.batch.run import find_common_folder

    if _is_object_store(args):
        from duramen.batch.ray import run

        return run.choose_remote_layout(args.output, args.form)[0]
    if args.output != "-":
        return OutputLayout.choose(args.output, args.form, text_root=find_common_folder(args.inputs))
    if args.overwrite:
        raise UsageError("--overwrite is for files and folders, not for -o -")
    temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="duramen-"))
    return OutputLayout.choose("-", args.form, temporary_folder=Path(temporary))


def _make_run(args: argparse.Namespace, layout: OutputLayout, settings: RunSettings) -> Run:
    from duramen.batch.run import Run

    if args.engine == "local":
        return Run(args.inputs, layout, settings, args.jobs, args.overwrite, args.verify, f".{args.tables_as}")
    from duramen.batch.ray import run

    shard_store = run.choose_remote_layout(args.output, args.form)[1] if _is_object_store(args) else None
    inputs = run.expand_remote_inputs(args.inputs)
    return run.RayRun(
        inputs,
        layout,
        settings,
        args.jobs,
        args.overwrite,
        args.verify,
        f".{args.tables_as}",
        args.address,
        shard_store,
    )


def _is_object_store(args: argparse.Namespace) -> bool:
    """Return whether OUT is in an object store; check the options of engines."""
    if args.address is not None and args.engine != "ray":
        raise UsageError("--address is that of a Ray cluster: add --engine ray")
    if "://" not in args.output:
        return False
    if args.engine != "ray":
        raise UsageError(f"{args.output}: object stores are written to with --engine ray")
    return True


def _describe_stop(report: Report, args: argparse.Namespace) -> str:
    if args.output == "-":
        return "stopped"
    rows = f"{count(report.rows, 'row')} {'is' if report.rows == 1 else 'are'} safe"
    return f"stopped: {rows}; the same command resumes the run"


def _describe_resuming(args: argparse.Namespace) -> str:
    if args.output == "-":
        return "the same command starts from the beginning; only a run with -o FILE can be resumed"
    return "what is done is safe, and the same command resumes the run"


def _parse_fields(text: str) -> list[str]:
    return [] if text.strip() == "none" else parse_names(text)


def _parse_jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MAX_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes, from 1 to {_MAX_JOBS}")
    return int(text)
