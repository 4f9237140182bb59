"""`duramen records`: print the lists of pages as tables."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.options import (
    add_fetch_limits,
    add_inputs,
    add_rendering,
    add_url,
    add_verb,
    integer_from,
    open_boxes,
    parse_delay,
)
from duramen.cli.progress import say
from duramen.data_records.format_names import TABLE_EXPORT_FORMATS
from duramen.errors import FetchError, UsageError

if TYPE_CHECKING:
    from duramen.cli.per_page import PageResult
    from duramen.data_records.table import Table
    from duramen.dom.page import Page

_ONE_TABLE_FORMATS = ("csv", "jsonl")
_FILE_SUFFIXES = (".csv", ".json", ".jsonl", ".xml", ".txt")

_EXAMPLES = """\
examples:
  duramen records results.html                         print the main list as a table
  duramen records results.html --format csv -o results.csv
  duramen records results.html --explain               print where the list is and how each column is read
  duramen records results.html --all                   print every list, the most likely main list first
  duramen records results.html --like "Oak table"      print the list that holds this text
  duramen records https://shop.example/ --follow 5     print the list and its next five pages as one table
  duramen records results.html --save site.json        save the expressions of the list,
  duramen records --wrapper site.json next.html        and use them for the next page of the site
  duramen records --learn a.html b.html -o site.json   learn the expressions from several pages
  duramen records --wrapper site.json --export scrapy  write a spider with these expressions

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
    add_inputs(option, nargs="*")
    option(
        "--format",
        choices=TABLE_EXPORT_FORMATS,
        default="table",
        metavar="FORMAT",
        help=f"output format: {', '.join(TABLE_EXPORT_FORMATS)} (default: table)",
    )
    option("--all", action="store_true", help="print every list of a page, best first, with its confidence")
    option("--raw", action="store_true", help="write the texts of the page beside converted values: price_raw")
    option(
        "--like",
        action="append",
        default=[],
        metavar="TEXT",
        help="a value of the wanted list, which is chosen by it; may be given more than once",
    )
    option(
        "--follow", type=integer_from(1), default=0, metavar="N", help="add the records of the next N pages of the list"
    )
    option(
        "--delay", type=parse_delay, default=1.0, metavar="SECONDS", help="with --follow: between pages (default: 1)"
    )
    option(
        "--ignore-robots", action="store_true", help="with --follow: do not read robots.txt: only for your own sites"
    )
    option("--explain", action="store_true", help="print where the list is, why, and how columns are read")
    option("--save", metavar="FILE", help="save the expressions of the list as JSON, for other pages of the site")
    option("--wrapper", metavar="FILE", help="read pages with the expressions that --save wrote")
    option("--learn", action="store_true", help="learn the expressions from all pages, and write them to -o")
    option(
        "--export",
        choices=("crawl4ai", "crawl4ai-css", "scrapy"),
        metavar="TOOL",
        help="with --wrapper: write it for crawl4ai (XPath), crawl4ai-css (CSS selectors) or scrapy",
    )
    option("-o", "--output", metavar="PATH", help="a file; for several pages a folder, with a file for each")
    add_url(option)
    add_rendering(option)
    add_fetch_limits(option)
    option("--quiet", action="store_true", help="no progress bar, no message for pages without a list, no summary")


def run(args: argparse.Namespace) -> int:
    from duramen.cli.per_page import PageResult, PerPage, for_each

    if args.export:
        return _export(args)
    _check_options(args)
    if args.learn:
        return _learn(args)
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
    from duramen.cli.inputs import is_url, may_name_several

    if not args.inputs:
        raise UsageError("name a page: a file, a folder, a URL, or - for standard input")
    several = may_name_several(args.inputs)
    if args.learn and (args.wrapper or args.save or not args.output):
        raise UsageError(
            "--learn writes a wrapper to the file that -o names; it does not work with --wrapper and --save"
        )
    if args.learn:
        return
    if args.follow and (several or args.all or not is_url(args.inputs[0])):
        raise UsageError("--follow starts from one URL: name just that, without --all")
    if args.like and (args.wrapper or args.all):
        raise UsageError("--like chooses a list: it does not work with --wrapper and --all")
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

    if args.all:
        return lambda page: records_all(page) or [records(page)]
    if args.wrapper:
        from duramen.data_records.records_wrapper import RecordsWrapper

        find_first = RecordsWrapper.load(args.wrapper).extract
    else:

        def find_first(page: Page) -> Table:
            return records(page, like=args.like or None)

    if args.follow:
        return lambda page: [_follow(args, find_first(page))]
    return lambda page: [find_first(page)]


def _follow(args: argparse.Namespace, first: Table) -> Table:
    """Return the table of a page and of the pages that follow it, read with the expressions of the first page."""
    from duramen.batch.crawl.pagination import follow_pages
    from duramen.batch.crawl.politeness import CrawlSettings
    from duramen.data_records.page_links import find_next_page
    from duramen.data_records.records_wrapper import RecordsWrapper
    from duramen.data_records.table import join_tables
    from duramen.net.private_networks import is_private_url

    if not first:
        return first
    wrapper = RecordsWrapper.of(first)
    settings = CrawlSettings(
        delay=args.delay,
        timeout=args.timeout,
        max_bytes=args.max_size,
        robots=not args.ignore_robots,
        # The user named this host; a page of a public one does not lead to the local network.
        allow_private=is_private_url(args.inputs[0]),
    )
    tables = [first]
    try:
        tables.extend(map(wrapper.extract, follow_pages(first.page, find_next_page, args.follow, settings)))
    except FetchError as error:
        say(str(error))  # the pages before it are printed
    return join_tables([table for table in tables if table])


def _learn(args: argparse.Namespace) -> int:
    """Learn a wrapper from all pages and write it."""
    from duramen.cli.inputs import ReadLimits, find_inputs
    from duramen.cli.outputs import write_file
    from duramen.data_records.records_wrapper import RecordsWrapper

    limits = ReadLimits(args.timeout, args.max_size)
    pages = [source.read(limits, args.url) for source in find_inputs(args.inputs)]
    write_file(Path(args.output), RecordsWrapper.learn(pages).dumps())
    return 0


def _export(args: argparse.Namespace) -> int:
    """Write a wrapper for another tool."""
    from duramen.cli.outputs import write_file, write_stdout
    from duramen.data_records.records_wrapper import RecordsWrapper
    from duramen.data_records.schema_export import export_wrapper, find_exportable

    if not args.wrapper or args.inputs:
        raise UsageError("--export writes a wrapper for another tool: name it with --wrapper, and no pages")
    wrapper = RecordsWrapper.load(args.wrapper)
    text = export_wrapper(wrapper, args.export)
    if args.output in (None, "-"):
        write_stdout(text)
    else:
        write_file(Path(args.output), text)
    _, others = find_exportable(wrapper, args.export)
    if others and not args.quiet:
        selectors = "CSS" if args.export == "crawl4ai-css" else "XPath"
        say(f"left out, {selectors} alone cannot read them: {', '.join(others)}")
    return 0


def _save_wrapper(table: Table, path: Path) -> None:
    from duramen.cli.outputs import write_file
    from duramen.data_records.records_wrapper import RecordsWrapper

    write_file(path, RecordsWrapper.of(table).dumps())


def _write_tables(args: argparse.Namespace, tables: list[Table]) -> str:
    from duramen.data_records.export import dump_json, explain_table, format_table, table_to_dict, table_to_xml

    width = _get_width(to_stdout=args.output in (None, "-"))
    match args.format:
        case "json":
            return dump_json(
                {"tables": [table_to_dict(table, raw=args.raw) for table in tables]}
                if args.all
                else table_to_dict(tables[0], raw=args.raw)
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
    return format_table(tables[0], args.format, width=width, raw=args.raw)


def _get_width(*, to_stdout: bool) -> int:
    """Return the width of the terminal, or the default width where the table goes elsewhere."""
    from duramen.data_records.export import DEFAULT_WIDTH

    if to_stdout and sys.stdout is not None and sys.stdout.isatty():
        return shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns
    return DEFAULT_WIDTH
