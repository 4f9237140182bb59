"""`duramen extract`: the main content of pages."""

from __future__ import annotations

import argparse
import errno
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.limits import add_limits
from duramen.cli.progress import unexpected
from duramen.cli.rendered import add_rendering, rendering
from duramen.content import FORMATS
from duramen.errors import DuramenError, FetchError, UsageError

if TYPE_CHECKING:
    from duramen.cli.inputs import Input, Limits
    from duramen.cli.outputs import Output
    from duramen.cli.progress import Progress
    from duramen.cli.wrapped import Wrapped
    from duramen.content import Content
    from duramen.dom.page import Page
    from duramen.methods import Method

PARTS = ("headline", "leads", "captions", "comments", "repeats")
_WRAPPER = "wrapper"
# Errors of one file's name; any other (a full disk, a folder closed to us) would meet every page that follows.
_OF_THE_NAME = {errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.EILSEQ, errno.EINVAL}

_EXAMPLES = """\
examples:
  duramen extract page.html                            text to standard output
  duramen extract page.html --format markdown -o page.md
  duramen extract pages/ -o texts/                     every page of a folder
  duramen extract https://example.org/ --links
  duramen extract --wrapper site.json pages/ --fallback econ
  duramen extract pages/ --only-metadata --format csv -o pages.csv
  curl -s https://example.org/ | duramen extract - --url https://example.org/

exit status: 0 content (metadata) was found on every page; 1 a page could not be read, or nothing was found on it;
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
    option(
        "--format",
        choices=(*FORMATS, "csv"),
        default="text",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: text), and csv for --only-metadata",
    )
    option("--method", metavar="NAME", help="how to find the content; duramen methods lists the names")
    option("--favor", choices=("precision", "recall"), help="with auto, the default: keep less, or more")
    option(
        "--wrapper", action="append", metavar="FILE", help="of this site, by duramen learn; may be given more than once"
    )
    option("--fallback", metavar="NAME", help="with --wrapper: the method for pages that do not fit")
    option("--within", metavar="NAME", help="with --wrapper: keep only what this method finds, too")
    option("--keep", type=_parts, default=[], metavar="PARTS", help=f"with --wrapper: of {', '.join(PARTS)}")
    option("--drop", type=_parts, default=[], metavar="PARTS", help="with --wrapper: of the same")
    option("-o", "--output", metavar="PATH", help="a file, or a folder: for several pages, or with a / at the end")
    option("--links", action="store_true", help="keep the addresses of links")
    option("--images", action="store_true", help="keep images")
    option("--comments", action="store_true", help="add what readers wrote under the page, after its text")
    option("--metadata", action="store_true", help="with Markdown: title, authors and dates before it, as front matter")
    option(
        "--only-metadata", action="store_true", help="title, authors, dates and the rest, no content; csv is one file"
    )
    option("--detect-language", action="store_true", help="with --only-metadata: tell the language from the text, too")
    option("--url", metavar="URL", help="the address a local page came from")
    add_rendering(option)
    add_limits(option)
    option("--quiet", action="store_true", help="no progress bar, no word on pages without content, no summary")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from duramen.cli.inputs import Limits, find, is_several
    from duramen.cli.outputs import is_folder, open_output
    from duramen.cli.progress import Progress, wants_bar

    several = is_several(args.inputs)
    if args.url and several:
        raise UsageError("--url is the address of one page, and several were given")
    _check_metadata(args)
    method = _wrapped(args) if args.wrapper else _method(args)
    to_stdout = args.output in (None, "-")
    to_folder = not to_stdout and args.format != "csv" and is_folder(args.output, several=several)
    inputs = find(args.inputs, besides=Path(args.output) if to_folder else None)
    if args.format == "csv":
        from duramen.cli.only_metadata import Table

        output: Output = Table(args.output)
    else:
        output = open_output(args.output, args.format, inputs, several=several)
    bar = not args.quiet and wants_bar(len(inputs), to_stdout=to_stdout)
    with rendering(args, several=several) as lay, Progress(len(inputs), bar=bar) as progress:
        work = _Work(args, lambda page: method(lay(page)), output, progress, Limits(args.timeout, args.max_size))
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


def _check_metadata(args: argparse.Namespace) -> None:
    if args.only_metadata:
        from duramen.cli.only_metadata import check

        check(args)
    elif args.format == "csv" or args.detect_language:
        given = "--format csv" if args.format == "csv" else "--detect-language"
        raise UsageError(f"{given} is for --only-metadata")
    elif args.metadata and args.format in ("text", "html"):
        raise UsageError(f"--metadata is for Markdown; {args.format} has no place for it, JSON and XML hold it anyhow")


def _method(args: argparse.Namespace) -> Method:
    from duramen import methods

    for name in ("fallback", "within", "keep", "drop"):
        if getattr(args, name):
            raise UsageError(f"--{name} is for wrappers: name one with --wrapper")
    name = args.method or methods.DEFAULT
    if args.favor:
        if name.split(":")[0] != "auto":
            raise UsageError(f"--favor is for the method auto, and {name} knows nothing of it")
        name += f":favor={args.favor}"
    return methods.get(name)


def _wrapped(args: argparse.Namespace) -> Wrapped:
    from duramen.cli.wrapped import Wrapped

    if args.favor:
        raise UsageError("--favor is for the method auto, and a wrapper knows nothing of it")
    if args.method:
        raise UsageError("a wrapper is the method: --fallback names one for pages that do not fit, --within one to add")
    return Wrapped.load(args.wrapper, fallback=args.fallback, within=args.within, keep=args.keep, drop=args.drop)


class _Work:
    """The run over the inputs, and what has become of them so far."""

    def __init__(
        self,
        args: argparse.Namespace,
        method: Callable[[Page], Content],
        output: Output,
        progress: Progress,
        limits: Limits,
    ) -> None:
        self.args = args
        self.method = method
        self.output = output
        self.progress = progress
        self.limits = limits
        self.failed = 0
        self.empty = 0
        self.unfit = 0

    def do(self, source: Input) -> None:
        """Read, extract and write one page; whatever is wrong with it is said and counted, and the run goes on."""
        try:
            page, args = source.read(self.limits, self.args.url), self.args
            if args.only_metadata:
                result, reason = self.metadata(page)
            else:
                content = self.method(page)
                shown = {"comments": args.comments, "metadata": args.metadata}
                result = content.to(args.format, links=args.links, images=args.images, **shown)
                reason = "" if content else content.reason
                self.note_unfit(source, content)
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
        if reason:
            self.empty += 1
            if not self.args.quiet:
                self.progress.say(f"{source.name}: nothing found: {reason}")
            if self.args.format not in ("json", "csv"):  # these say themselves that there is nothing
                return
        self.write(source, result)

    def metadata(self, page: Page) -> tuple[str, str]:
        """What a page says of itself, in the format that is wanted, and the reason why there is nothing, if so."""
        from duramen.cli.only_metadata import is_silent, written
        from duramen.metadata import Metadata

        # A wrapper knows where some fields stand; other methods know nothing of them.
        found = self.method(page).metadata if self.args.wrapper else Metadata.read(page)
        reason = "the page says nothing of itself" if is_silent(found) else ""
        return written(found, self.args.format, detect=self.args.detect_language), reason

    def note_unfit(self, source: Input, content: Content) -> None:
        if self.args.wrapper and self.args.fallback and content.method != _WRAPPER:
            self.unfit += 1
            if not self.args.quiet:
                self.progress.say(f"{source.name}: {content.reason}")

    def write(self, source: Input, result: str) -> None:
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
        if self.unfit:
            counts.append(f"{self.unfit} did not fit")
        if counts:
            *most, last = counts
            listed = f"{', '.join(most)} and {last}" if most else last
            self.progress.say(f"of {self.progress.total} pages, {listed}")


def _parts(value: str) -> list[str]:
    names = [name.strip() for name in value.split(",") if name.strip()]
    unknown = [name for name in names if name not in PARTS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"{value!r} names no parts: choose of {', '.join(PARTS)}, with commas between")
    return names
