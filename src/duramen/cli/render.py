"""`duramen render`: write the position and the size of each element of pages, measured by Chromium."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from duramen.cli.options import add_fetch_limits, add_inputs, add_url, add_verb, integer_from, parse_seconds
from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.cli.per_page import PageResult
    from duramen.dom.page import Page
    from duramen.rendering.browser import Browser

_EXAMPLES = """\
examples:
  duramen render page.html -o page.boxes.json          write the positions of the elements of a page
  duramen render pages/ -o boxes/                      the same for every page of a folder
  duramen extract --boxes page.boxes.json --method rendered-region page.html
  duramen render --scripts --network --format html https://example.org/ -o after.html

The browser is Chromium or Chrome: the program that --chromium or DURAMEN_CHROMIUM names, or the first that is found.
Scripts of the page do not run without --scripts, and nothing is loaded from the network without --network.

exit status: 0 every page was rendered; 1 a page could not be read or rendered; 2 wrong usage; 130 stopped by Ctrl-C.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "render",
        help="lay pages out with Chromium and write the positions of elements",
        description="Lay pages out with Chromium and write the position of each element: x, y, width, height.",
        epilog=_EXAMPLES,
        run=run,
    )
    option = parser.add_argument
    add_inputs(option)
    option("-o", "--output", metavar="PATH", help="a file; or a folder, for several pages or if PATH ends in /")
    option(
        "--format",
        choices=("boxes", "html"),
        default="boxes",
        help="boxes (positions), or html (the page after its scripts have run) (default: boxes)",
    )
    positive = integer_from(1)
    option("--width", type=positive, default=1280, metavar="PIXELS", help="width of the window (default: %(default)s)")
    option("--height", type=positive, default=1024, metavar="PIXELS", help="its height (default: %(default)s)")
    option(
        "--deadline",
        type=parse_seconds,
        default=30.0,
        metavar="SECONDS",
        help="time limit for a page (default: %(default)g)",
    )
    option("--tabs", type=positive, default=4, metavar="N", help="pages rendered at once (default: %(default)s)")
    option("--scripts", action="store_true", help="run the scripts of the page; needs --format html")
    option("--network", action="store_true", help="let the page load style sheets, images and other files")
    option("--chromium", metavar="PROGRAM", help="path of Chromium or Chrome, if it is not in a usual place")
    add_url(option)
    add_fetch_limits(option)
    option("--quiet", action="store_true", help="no progress bar, no notes on single elements, no summary")


def run(args: argparse.Namespace) -> int:
    from duramen.cli.per_page import PerPage
    from duramen.rendering.browser import Browser

    if args.scripts and args.format == "boxes":
        raise UsageError("scripts change the page, so that the positions would not fit it: use --format html")
    pages = PerPage(args)
    settings = {"width": args.width, "height": args.height, "deadline": args.deadline}
    with Browser(args.chromium, scripts=args.scripts, network=args.network, **settings) as browser:
        browser.version  # noqa: B018 - starts the browser: without Chromium no page need be read
        render = _render_html if args.format == "html" else _render_boxes
        return pages.run(lambda stream: render(browser, stream, args.tabs))


def _render_html(browser: Browser, pages: Iterator[Page], tabs: int) -> Iterator[PageResult | Exception]:
    from duramen.cli.per_page import PageResult

    for rendered in browser.render_all(pages, tabs):
        yield rendered if isinstance(rendered, Exception) else PageResult(rendered.html)


def _render_boxes(browser: Browser, pages: Iterator[Page], tabs: int) -> Iterator[PageResult | Exception]:
    from duramen.cli.per_page import PageResult

    for boxes in browser.boxes_of_all(pages, tabs):
        yield boxes if isinstance(boxes, Exception) else PageResult(boxes.dumps(), note=boxes.note or "")
