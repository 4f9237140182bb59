"""`duramen records`: print the lists of pages as tables."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.options import add_fetch_limits, add_inputs, add_rendering, add_url, add_verb, open_boxes
from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.cli.per_page import PageResult
    from duramen.data_records.table import Table
    from duramen.dom.page import Page

_FORMATS = ("table", "csv", "json", "jsonl", "xml")
_ONE_TABLE_FORMATS = ("csv", "jsonl")
_FILE_SUFFIXES = (".csv", ".json", ".jsonl", ".xml", ".txt")

_EXAMPLES = """\
examples:
  duramen records results.html                         print the main list as a table
  duramen records results.html --format csv -o results.csv
  duramen records results.html --explain               print where the list is and how each column is read
  duramen records results.html --all                   print every list, the most likely main list first
  duramen records results.html --save site.json        save the expressions of the list,
  duramen records --wrapper site.json next.html        and use them for the next page of the site

In csv and table the values of a list are joined by " | ", and csv puts a ' before text that a spreadsheet would run as
a formula.

exit status: 0 every page had a list; 1 a page could not be read, or has no main list; 2 wrong usage; 130 stopped by
Ctrl-C.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "records",
        help="find the lists of pages and their records",
        description="Find the main list of pages, its records and their fields, and print them as a table.",
        epilog=_EXAMPLES,
        run=run,
    )
    option = parser.add_argument
    add_inputs(option)
    option(
        "--format",
        choices=_FORMATS,
        default="table",
        metavar="FORMAT",
        help=f"output format: {', '.join(_FORMATS)} (default: table)",
    )
    option("--all", action="store_true", help="print every list of a page, best first, with its confidence")
    option("--explain", action="store_true", help="print where the list is, why, and how columns are read")
    option("--save", metavar="FILE", help="save the expressions of the list as JSON, for other pages of the site")
    option("--wrapper", metavar="FILE", help="read pages with the expressions that --save wrote")
    option("-o", "--output", metavar="PATH", help="a file; for several pages a folder, with a file for each")
    add_url(option)
    add_rendering(option)
    add_fetch_limits(option)
    option("--quiet", action="store_true", help="no progress bar, no message for pages without a list, no summary")


def run(args: argparse.Namespace) -> int:
    from duramen.cli.per_page import PageResult, PerPage, for_each

    _check_options(args)
    find_tables = _make_finder(args)
    pages = PerPage(args)
    main_tables: list[Table] = []  # for --save, which takes one page
    with open_boxes(args, several=pages.several) as add_boxes:

        def make_result(page: Page) -> PageResult:
            tables = find_tables(add_boxes(page))
            if any(tables) and args.save:
                main_tables.append(tables[0])
            return PageResult(_write_tables(args, tables), "" if any(tables) else tables[0].reason)

        # A JSON result itself has the reason why nothing was found.
        status = pages.run(for_each(make_result), write_empty=args.format == "json", empty_phrase="had no list")
    for table in main_tables:
        _save_wrapper(table, Path(args.save))
    return status


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not work together."""
    from duramen.cli.inputs import may_name_several

    several = may_name_several(args.inputs)
    if args.save and several:
        raise UsageError("--save learns from one page, but several pages were given")
    if args.wrapper and (args.save or args.all):
        raise UsageError("--wrapper uses a file that --save wrote: it does not work with --save or --all")
    if args.all and args.format in _ONE_TABLE_FORMATS:
        raise UsageError(f"{args.format} holds one table, but --all gives several: use table, json or xml")
    if args.explain and args.format not in ("table", "json"):
        raise UsageError("--explain works only with the formats table and json")
    if several and args.format == "csv" and args.output in (None, "-"):
        raise UsageError("csv holds one table: name a folder for several pages with -o")
    if several and args.output and not args.output.endswith("/") and not Path(args.output).is_dir():
        suffix = Path(args.output).suffix.lower()
        if suffix in _FILE_SUFFIXES:
            raise UsageError(
                f"-o {args.output} looks like a file, but several pages need a folder, with a file for each: "
                f"name a folder, or write {args.output}/ if the folder has this name"
            )


def _make_finder(args: argparse.Namespace) -> Callable[[Page], list[Table]]:
    """Return the function that finds the tables of a page."""
    from duramen.api import records, records_all

    if args.wrapper:
        from duramen.data_records.wrapper import RecordsWrapper

        wrapper = RecordsWrapper.load(args.wrapper)
        return lambda page: [wrapper.extract(page)]
    if args.all:
        return lambda page: records_all(page) or [records(page)]
    return lambda page: [records(page)]


def _save_wrapper(table: Table, path: Path) -> None:
    from duramen.cli.outputs import write_file
    from duramen.data_records.wrapper import RecordsWrapper

    write_file(path, RecordsWrapper.of(table).dumps())


def _write_tables(args: argparse.Namespace, tables: list[Table]) -> str:
    from duramen.data_records.export import dump_json, explain_table, format_table, table_to_dict, table_to_xml

    width = _get_width(to_stdout=args.output in (None, "-"))
    match args.format:
        case "json":
            return dump_json(
                {"tables": [table_to_dict(table) for table in tables]} if args.all else table_to_dict(tables[0])
            )
        case "xml" if args.all:
            return "<tables>\n" + "".join(map(table_to_xml, tables)) + "</tables>\n"
        case "table" if args.explain:
            return "\n".join(map(explain_table, tables))
        case "table" if args.all:
            return "\n".join(
                f"{number}. {table.xpath}  ({table.confidence:.2f}: {table.reason})\n\n"
                + format_table(table, "table", width=width)
                for number, table in enumerate(tables, 1)
            )
    return format_table(tables[0], args.format, width=width)


def _get_width(*, to_stdout: bool) -> int:
    """Return the width of the terminal, or the default width where the table goes elsewhere."""
    from duramen.data_records.export import DEFAULT_WIDTH

    if to_stdout and sys.stdout is not None and sys.stdout.isatty():
        return shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns
    return DEFAULT_WIDTH
