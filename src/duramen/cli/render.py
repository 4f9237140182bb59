"""`duramen render`: where the elements of pages stand on the screen."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.limits import add_limits, positive, seconds
from duramen.errors import DuramenError, NoBrowserError, UsageError

if TYPE_CHECKING:
    from duramen.cli.inputs import Input, Limits
    from duramen.cli.progress import Progress
    from duramen.dom.page import Page
    from duramen.rendering.boxes import Boxes
    from duramen.rendering.browser import Browser

_EXAMPLES = """\
examples:
  duramen render page.html -o page.boxes.json          the boxes of a page, kept in a file
  duramen render pages/ -o boxes/                      those of every page of a folder
  duramen extract --boxes page.boxes.json --method rendered-region page.html
  duramen render --scripts --network --format html https://example.org/ -o after.html

The program is Chromium or Chrome: the one that --chromium or DURAMEN_CHROMIUM names, or the first that is found. The
page's scripts do not run, and nothing is asked of the network, unless --scripts and --network say so.

exit status: 0 every page was laid out; 1 one could not be read, or not be laid out; 2 wrong usage; 130 stopped by
Ctrl-C.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "render",
        help="lay pages out with Chromium and keep the boxes",
        description="Lay pages out with Chromium and write where each element stands: x, y, width, height.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("inputs", nargs="+", metavar="INPUT", help="a file (.gz too), a folder, a URL, or - for standard input")
    option("-o", "--output", metavar="PATH", help="a file, or a folder: for several pages, or with a / at the end")
    option(
        "--format",
        choices=("boxes", "html"),
        default="boxes",
        help="boxes, or the page as its scripts have left it (default: boxes)",
    )
    option("--width", type=positive, default=1280, metavar="PIXELS", help="of the window (default: %(default)s)")
    option("--height", type=positive, default=1024, metavar="PIXELS", help="of the window (default: %(default)s)")
    option("--deadline", type=seconds, default=30.0, metavar="SECONDS", help="for a page (default: %(default)g)")
    option("--tabs", type=positive, default=4, metavar="N", help="pages laid out at once (default: %(default)s)")
    option("--scripts", action="store_true", help="let the page's scripts run; needs --format html")
    option("--network", action="store_true", help="let the page load its styles, pictures and the rest")
    option("--chromium", metavar="PROGRAM", help="Chromium or Chrome, where it is not at a usual place")
    option("--url", metavar="URL", help="the address a local page came from")
    add_limits(option)
    option("--quiet", action="store_true", help="no progress bar, no notes on single elements")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from duramen.cli.inputs import Limits, find, is_several
    from duramen.cli.outputs import is_folder, open_output
    from duramen.cli.progress import Progress, wants_bar
    from duramen.rendering.browser import Browser

    several = is_several(args.inputs)
    if args.url and several:
        raise UsageError("--url is the address of one page, and several were given")
    if args.scripts and args.format == "boxes":
        raise UsageError("scripts make another page, which the boxes would be of: --format html writes that page")
    to_stdout = args.output in (None, "-")
    to_folder = not to_stdout and is_folder(args.output, several=several)
    inputs = find(args.inputs, besides=Path(args.output) if to_folder else None)
    output = open_output(args.output, args.format, inputs, several=several)
    settings = {"width": args.width, "height": args.height, "deadline": args.deadline}
    bar = not args.quiet and wants_bar(len(inputs), to_stdout=to_stdout)
    with (
        Browser(args.chromium, scripts=args.scripts, network=args.network, **settings) as browser,
        Progress(len(inputs), bar=bar) as progress,
    ):
        browser.version  # noqa: B018 - starts it: without Chromium no page need be read
        work = _Work(args, browser, progress, Limits(args.timeout, args.max_size))
        try:
            for source, result in work.results(inputs):
                output.write(source, result)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"after {progress.done} of {len(inputs)} pages" if several else "") from None
        output.close()
    return 1 if work.failed else 0


class _Work:
    """The run over the inputs, and how many of them have failed."""

    def __init__(self, args: argparse.Namespace, browser: Browser, progress: Progress, limits: Limits) -> None:
        self.args = args
        self.browser = browser
        self.progress = progress
        self.limits = limits
        self.failed = 0
        self._under_way: deque[Input] = deque()

    def results(self, inputs: list[Input]) -> Iterator[tuple[Input, str]]:
        """What is to be written of each page that could be read and laid out."""
        for found in self._laid_out(self._pages(inputs)):
            source = self._under_way.popleft()
            self.progress.advance()
            if isinstance(found, NoBrowserError):
                raise found
            if isinstance(found, Exception):
                self.fail(source, found)
            else:
                yield source, self._written(source, found)

    def _laid_out(self, pages: Iterator[Page]) -> Iterator[Page | Boxes | Exception]:
        if self.args.format == "html":
            return self.browser.render_all(pages, self.args.tabs)
        return self.browser.boxes_of_all(pages, self.args.tabs)

    def _pages(self, inputs: list[Input]) -> Iterator[Page]:
        for source in inputs:
            try:
                page = source.read(self.limits, self.args.url)
            except DuramenError as error:
                self.fail(source, error)
                self.progress.advance()
                continue
            self._under_way.append(source)
            yield page

    def _written(self, source: Input, found: Page | Boxes) -> str:
        from duramen.dom.page import Page

        if isinstance(found, Page):
            return found.html
        if found.note and not self.args.quiet:
            self.progress.say(f"{source.name}: {found.note}")
        return found.dumps()

    def fail(self, source: Input, error: Exception) -> None:
        self.failed += 1
        self.progress.say(f"{source.name}: {error}")
