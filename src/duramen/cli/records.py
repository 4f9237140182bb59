"""`duramen records`: the lists of pages as tables."""

from __future__ import annotations

import argparse
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.limits import add_limits
from duramen.cli.rendered import add_rendering, rendering
from duramen.errors import DuramenError, FetchError, UsageError

if TYPE_CHECKING:
    from duramen.cli.inputs import Input, Limits
    from duramen.cli.outputs import Output
    from duramen.cli.progress import Progress
    from duramen.data_records.table import Table
    from duramen.dom.page import Page

_FORMATS = ("table", "csv", "json", "jsonl", "xml")
_ONE_TABLE = ("csv", "jsonl")
_SUFFIXES = (".csv", ".json", ".jsonl", ".xml", ".txt")

_EXAMPLES = """\
examples:
  duramen records results.html                         the main list, as a table to look at
  duramen records results.html --format csv -o results.csv
  duramen records results.html --explain               where it stands, and what each column is
  duramen records results.html --all                   every list of the page, the likeliest main one first
  duramen records results.html --save site.json        keep what was found out,
  duramen records --wrapper site.json next.html        and use it for the next page of the site

In csv and table the values of a list are joined by " | ", and csv puts a ' before what a spreadsheet would run.

exit status: 0 every page had a list; 1 a page could not be read, or has no main list; 2 wrong usage; 130 stopped by
Ctrl-C.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "records",
        help="find the lists of pages and their records",
        description="Find the main list of pages, its records and their fields, and print them as a table.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("inputs", nargs="+", metavar="INPUT", help="a file (.gz too), a folder, a URL, or - for standard input")
    option(
        "--format", choices=_FORMATS, default="table", metavar="FORMAT", help=f"{', '.join(_FORMATS)} (default: table)"
    )
    option("--all", action="store_true", help="every list of a page, ranked, with its confidence")
    option("--explain", action="store_true", help="say where the list stands, why, and how each column is read")
    option("--save", metavar="FILE", help="keep the expressions for other pages of the site, as JSON")
    option("--wrapper", metavar="FILE", help="read pages by the expressions that --save has kept")
    option("-o", "--output", metavar="PATH", help="a file; for several pages a folder, with a file for each")
    option("--url", metavar="URL", help="the address a local page came from")
    add_rendering(option)
    add_limits(option)
    option("--quiet", action="store_true", help="no progress bar, no word on pages without a list")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from duramen.cli.inputs import Limits, find, is_several
    from duramen.cli.outputs import is_folder, open_output
    from duramen.cli.progress import Progress, wants_bar

    several = is_several(args.inputs)
    _check(args, several=several)
    tables = _finder(args)
    to_stdout = args.output in (None, "-")
    to_folder = not to_stdout and is_folder(args.output, several=several)
    inputs = find(args.inputs, besides=Path(args.output) if to_folder else None)
    output = open_output(args.output, args.format, inputs, several=several)
    bar = not args.quiet and wants_bar(len(inputs), to_stdout=to_stdout)
    with rendering(args, several=several) as lay, Progress(len(inputs), bar=bar) as progress:
        work = _Work(args, lambda page: tables(lay(page)), output, progress, Limits(args.timeout, args.max_size))
        try:
            for source in inputs:
                work.do(source)
                progress.advance()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"after {progress.done} of {len(inputs)} pages" if several else "") from None
        output.close()
    return 1 if work.failed or work.empty else 0


def _check(args: argparse.Namespace, *, several: bool) -> None:
    """Refuse what does not go together, before anything is read."""
    if args.url and several:
        raise UsageError("--url is the address of one page, and several were given")
    if args.save and several:
        raise UsageError("--save keeps what one page teaches, and several were given")
    if args.wrapper and (args.save or args.all):
        raise UsageError("--wrapper reads what --save has kept: it goes neither with --save nor with --all")
    if args.all and args.format in _ONE_TABLE:
        raise UsageError(f"{args.format} holds one table, and --all gives several: use table, json or xml")
    if args.explain and args.format not in ("table", "json"):
        raise UsageError("--explain is for people, or with --format json for programs")
    if several and args.format == "csv" and args.output in (None, "-"):
        raise UsageError("csv holds one table: name a folder for several pages with -o")
    if several and args.output and not args.output.endswith("/") and not Path(args.output).is_dir():
        suffix = Path(args.output).suffix.lower()
        if suffix in _SUFFIXES:
            raise UsageError(
                f"-o {args.output} is named like a file, and several pages need a folder, for a file each: "
                f"name a folder, or write {args.output}/ if that is to be its name"
            )


def _finder(args: argparse.Namespace) -> Callable[[Page], list[Table]]:
    """What gives the tables of a page."""
    from duramen.api import records, records_all

    if args.wrapper:
        from duramen.data_records.wrapper import RecordsWrapper

        wrapper = RecordsWrapper.load(args.wrapper)
        return lambda page: [wrapper.extract(page)]
    if args.all:
        return lambda page: records_all(page) or [records(page)]
    return lambda page: [records(page)]


class _Work:
    """The run over the inputs, and what has become of them so far."""

    def __init__(
        self,
        args: argparse.Namespace,
        tables: Callable[[Page], list[Table]],
        output: Output,
        progress: Progress,
        limits: Limits,
    ) -> None:
        self.args = args
        self.tables = tables
        self.output = output
        self.progress = progress
        self.limits = limits
        self.failed = 0
        self.empty = 0

    def do(self, source: Input) -> None:
        """Read, tabulate and write one page; whatever is wrong with it is said and counted, and the run goes on."""
        from duramen.cli.progress import unexpected

        try:
            tables = self.tables(source.read(self.limits, self.args.url))
            result = self._written(tables)
        except FetchError as error:  # names the address itself, and where it was redirected to
            self.fail(str(error))
            return
        except DuramenError as error:
            self.fail(f"{source.name}: {error}")
            return
        except Exception as error:
            if self.args.debug:
                traceback.print_exc()
            self.fail(f"{source.name}: {unexpected(error)}")
            return
        if not any(tables):
            self.empty += 1
            if not self.args.quiet:
                self.progress.say(f"{source.name}: {tables[0].reason}")
            if self.args.format != "json":  # JSON says itself that, and why, there is nothing
                return
        elif self.args.save:
            self._save(tables[0])
        self.output.write(source, result)

    def fail(self, message: str) -> None:
        self.failed += 1
        self.progress.say(message)

    def _save(self, table: Table) -> None:
        from duramen.cli.outputs import write_whole
        from duramen.data_records.wrapper import RecordsWrapper

        write_whole(Path(self.args.save), RecordsWrapper.of(table).dumps())

    def _written(self, tables: list[Table]) -> str:
        from duramen.data_records.explaining import explain
        from duramen.data_records.formats import as_dict, as_xml, dumps, write

        wide = _width(to_stdout=self.args.output in (None, "-"))
        match self.args.format:
            case "json":
                return dumps({"tables": [as_dict(table) for table in tables]} if self.args.all else as_dict(tables[0]))
            case "xml" if self.args.all:
                return "<tables>\n" + "".join(map(as_xml, tables)) + "</tables>\n"
            case "table" if self.args.explain:
                return "\n".join(map(explain, tables))
            case "table" if self.args.all:
                return "\n".join(
                    _headed(number, table) + write(table, "table", width=wide) for number, table in enumerate(tables, 1)
                )
        return write(tables[0], self.args.format, width=wide)


def _width(*, to_stdout: bool) -> int:
    """The columns of the terminal that the table is for."""
    import shutil
    import sys

    from duramen.data_records.formats import WIDTH

    if to_stdout and sys.stdout is not None and sys.stdout.isatty():
        return shutil.get_terminal_size((WIDTH, 24)).columns
    return WIDTH


def _headed(number: int, table: Table) -> str:
    return f"{number}. {table.xpath}  ({table.confidence:.2f}: {table.reason})\n\n"
