"""`duramen inspect`: write a report that shows what is kept of a page, what is dropped, and why."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.options import (
    add_fetch_limits,
    add_imports,
    add_url,
    add_verb,
    import_modules,
    integer_from,
    parse_names,
)
from duramen.cli.progress import say
from duramen.errors import InputError, UsageError

if TYPE_CHECKING:
    from duramen.inspector import InspectOptions

_EXAMPLES = """\
examples:
  duramen inspect page.html                            write page.report.html
  duramen inspect https://example.org/ -o report.html
  duramen inspect page.html --method auto,econ,trafilatura     compare with another method and an installed peer
  duramen inspect page.html --wrapper site.json --records
  duramen inspect page.html --gold gold.txt            compare with the right text
  duramen inspect --serve                              a page with an address box, on this computer only

The report is one HTML file. It needs no network, and the inspected page runs no script in it.

exit status: 0 the report was written; 1 the page could not be read; 2 wrong usage; 130 stopped by Ctrl-C.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "inspect",
        help="show what is kept of a page, what is dropped, and why",
        description="Write an HTML report that shows what is kept of a page, what is dropped, and why.",
        epilog=_EXAMPLES,
        run=run,
    )
    option = parser.add_argument
    option("input", nargs="?", metavar="INPUT", help="a file (.gz too), a URL, or - for standard input")
    option("-o", "--output", metavar="FILE", help="the report (default: the name of the page with .report.html)")
    option(
        "--method",
        type=parse_names,
        default=["auto"],
        metavar="NAMES",
        help="the method to inspect, then methods and installed peers to compare it with; a peer cannot come first"
        " (default: auto)",
    )
    add_imports(option)
    option(
        "--wrapper", action="append", default=[], metavar="FILE", help="compare with a wrapper that duramen learn wrote"
    )
    option(
        "--site",
        metavar="PATH",
        help="what is known of the page's site, as evidence for auto: a wrapper that duramen learn wrote, a site model,"
        " or a folder of pages (the first 32 count)",
    )
    option("--records", action="store_true", help="also show the main list of the page as a table")
    option("--gold", metavar="FILE", help="a text file with the right text, to compare with")
    add_url(option)
    option("--serve", action="store_true", help="serve a page with an address box instead, on this computer only")
    option("--port", type=integer_from(0), default=0, metavar="N", help="with --serve: the port (default: a free one)")
    add_fetch_limits(option)


def run(args: argparse.Namespace) -> int:
    import_modules(args)
    if args.serve:
        return _serve(args)
    if args.input is None:
        raise UsageError("name a page, or serve the inspector with --serve")
    return _write_report(args)


def _make_options(args: argparse.Namespace, name: str) -> InspectOptions:
    from duramen.inspector import InspectOptions

    gold = None
    if args.gold:
        try:
            gold = Path(args.gold).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{args.gold}: the gold text cannot be read: {error}") from error
    wrappers = tuple(Path(path) for path in args.wrapper)
    site = Path(args.site) if args.site else None
    return InspectOptions(tuple(args.method), wrappers, site, args.records, gold, name)


def _write_report(args: argparse.Namespace) -> int:
    from duramen.cli.inputs import ReadLimits, find_inputs, may_name_several
    from duramen.dom.blocks import find_blocks
    from duramen.dom.tree_queries import ignore_hidden
    from duramen.files import write_atomically
    from duramen.inspector import make_report

    if may_name_several([args.input]):
        raise UsageError("inspect shows one page: name a file, not a folder")
    (source,) = find_inputs([args.input])
    options = _make_options(args, source.name)
    try:
        page = source.read(ReadLimits(args.timeout, args.max_size), args.url)
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from error
    output = Path(args.output) if args.output else Path(f"{source.output_stem.name}.report.html")
    report = make_report(page, options).encode("utf-8", "replace")
    write_atomically(output, lambda file: file.write(report), sync=False)
    say(f"wrote {output}")
    if not find_blocks(ignore_hidden(page.tree)):
        say(f"warning: {source.name} has no words: the report is empty")
    return 0


def _serve(args: argparse.Namespace) -> int:
    from duramen.inspector.server import ServerLimits, serve

    if args.input is not None or args.output or args.gold:
        raise UsageError("--serve takes pages in the browser: leave INPUT, --output and --gold out")
    limits = ServerLimits(args.timeout, args.max_size)
    serve(_make_options(args, ""), limits, args.port, say)
    return 0
