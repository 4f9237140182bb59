"""`duramen extract`: the main content of pages."""

from __future__ import annotations

import argparse
import errno
import math
import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.progress import unexpected
from duramen.content import FORMATS
from duramen.errors import DuramenError, FetchError, UsageError

if TYPE_CHECKING:
    from duramen.cli.inputs import Input, Limits
    from duramen.cli.outputs import Output
    from duramen.cli.progress import Progress
    from duramen.methods import Method

_TIMEOUT = 20.0
_MAX_SIZE = "50M"
# Errors of one file's name; any other (a full disk, a folder closed to us) would meet every page that follows.
_OF_THE_NAME = {errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.EILSEQ, errno.EINVAL}

_EXAMPLES = """\
examples:
  duramen extract page.html                            text to standard output
  duramen extract page.html --format markdown -o page.md
  duramen extract pages/ -o texts/                     every page of a folder
  duramen extract https://example.org/ --links
  curl -s https://example.org/ | duramen extract - --url https://example.org/

exit status: 0 content was found on every page; 1 a page could not be read, or nothing was found on it;
2 wrong usage; 130 stopped by Ctrl-C.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "extract",
        help="find the main content of pages",
        description="Find the main content of pages and print it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("inputs", nargs="+", metavar="INPUT", help="a file (.gz too), a folder, a URL, or - for standard input")
    option("--format", choices=FORMATS, default="text", metavar="FORMAT", help=f"{', '.join(FORMATS)} (default: text)")
    option("--method", metavar="NAME", help="how to find the content; duramen methods lists the names")
    option("-o", "--output", metavar="PATH", help="a file, or a folder: for several pages, or with a / at the end")
    option("--links", action="store_true", help="keep the addresses of links")
    option("--images", action="store_true", help="keep images")
    option("--url", metavar="URL", help="the address a local page came from")
    option("--timeout", type=_seconds, default=_TIMEOUT, metavar="SECONDS", help=f"for a URL (default: {_TIMEOUT:g})")
    option(
        "--max-size",
        type=_size,
        default=_size(_MAX_SIZE),
        metavar="SIZE",
        help=f"largest page, unpacked, in bytes, or with k, M, G (default: {_MAX_SIZE})",
    )
    option("--quiet", action="store_true", help="no progress bar, no word on pages without content, no summary")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from duramen import methods
    from duramen.cli.inputs import Limits, find, is_several
    from duramen.cli.outputs import is_folder, open_output
    from duramen.cli.progress import Progress, wants_bar

    several = is_several(args.inputs)
    if args.url and several:
        raise UsageError("--url is the address of one page, and several were given")
    method = methods.get(args.method or methods.DEFAULT)
    to_stdout = args.output in (None, "-")
    to_folder = not to_stdout and is_folder(args.output, several=several)
    inputs = find(args.inputs, besides=Path(args.output) if to_folder else None)
    output = open_output(args.output, args.format, inputs, several=several)
    bar = not args.quiet and wants_bar(len(inputs), to_stdout=to_stdout)
    with Progress(len(inputs), bar=bar) as progress:
        work = _Work(args, method, output, progress, Limits(args.timeout, args.max_size))
        try:
            for source in inputs:
                work.do(source)
                progress.advance()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"after {progress.done} of {len(inputs)} pages" if several else "") from None
        output.close()
        if several and not args.quiet:
            work.sum_up()
    return 1 if work.failed or work.empty else 0


class _Work:
    """The run over the inputs, and what has become of them so far."""

    def __init__(
        self, args: argparse.Namespace, method: Method, output: Output, progress: Progress, limits: Limits
    ) -> None:
        self.args = args
        self.method = method
        self.output = output
        self.progress = progress
        self.limits = limits
        self.failed = 0
        self.empty = 0

    def do(self, source: Input) -> None:
        """Read, extract and write one page; whatever is wrong with it is said and counted, and the run goes on."""
        try:
            content = self.method(source.read(self.limits, self.args.url))
            result = content.to(self.args.format, links=self.args.links, images=self.args.images)
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
        if not content:
            self.empty += 1
            if not self.args.quiet:
                self.progress.say(f"{source.name}: nothing found: {content.reason}")
            if self.args.format != "json":  # JSON says itself that, and why, there is nothing
                return
        try:
            self.output.write(source, result)
        except OSError as error:
            if error.errno not in _OF_THE_NAME:
                raise
            self.fail(f"{error.filename}: {error.strerror}")

    def fail(self, message: str) -> None:
        self.failed += 1
        self.progress.say(message)

    def sum_up(self) -> None:
        counts = []
        if self.failed:
            counts.append(f"{self.failed} failed")
        if self.empty:
            counts.append(f"{self.empty} had no content")
        if counts:
            self.progress.say(f"of {self.progress.total} pages, {' and '.join(counts)}")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d+)([kMG]?)B?", text, re.IGNORECASE | re.ASCII)
    size = int(match[1]) * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[match[2].lower()] if match else 0
    if size <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 500k, 10M or 1000000")
    return size
