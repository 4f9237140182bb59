"""`duramen record`: print the fields of the one thing that a page is about."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from duramen.cli.options import add_fetch_limits, add_inputs, add_rendering, add_url, add_verb, open_boxes
from duramen.data_records.format_names import RECORD_EXPORT_FORMATS

if TYPE_CHECKING:
    from duramen.cli.per_page import PageResult
    from duramen.dom.page import Page


_EXAMPLES = """\
examples:
  duramen record product.html                      print the fields of a product
  duramen record product.html --format json --raw  as JSON, with the texts of the page beside the values
  duramen record pages/ --format json -o records/  write one file for each page of a folder

exit status: 0 every page had fields; 1 a page could not be read, or has none; 2 wrong usage; 130 stopped by Ctrl-C.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "record",
        help="find the fields of a product, a recipe, a job",
        description="Find the fields of the one thing that a page is about: a product, a recipe, a job.",
        epilog=_EXAMPLES,
        run=run,
    )
    option = parser.add_argument
    add_inputs(option)
    formats = ", ".join(RECORD_EXPORT_FORMATS)
    option(
        "--format", choices=RECORD_EXPORT_FORMATS, default="text", metavar="FORMAT", help=f"{formats} (default: text)"
    )
    option("--raw", action="store_true", help="in json and csv: the texts of the page beside the values")
    option("-o", "--output", metavar="PATH", help="a file; for several pages a folder, with a file for each")
    add_url(option)
    add_rendering(option)
    add_fetch_limits(option)
    option("--quiet", action="store_true", help="no progress bar, no message for pages without fields, no summary")


def run(args: argparse.Namespace) -> int:
    from duramen.api import record
    from duramen.cli.per_page import PageResult, PerPage, for_each
    from duramen.data_records.detail import format_record

    pages = PerPage(args)
    with open_boxes(args, several=pages.several) as add_boxes:

        def make_result(page: Page) -> PageResult:
            found = record(add_boxes(page))
            text = format_record(found, args.format, raw=args.raw)
            return PageResult(text, "" if found else "no fields were found", found.note)

        return pages.run(for_each(make_result), write_empty=args.format == "json", empty_phrase="had no fields")
