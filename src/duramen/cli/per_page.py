"""The loop of the verbs that turn each page into one result: extract, records and render.

The loop reads each input, gives the page to the verb's function and writes the result. A problem with one page is
reported in one line, and the loop goes on with the next page.
"""

from __future__ import annotations

import argparse
import errno
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.inputs import Input, ReadLimits, find_inputs, may_name_several
from duramen.cli.outputs import Output, is_output_folder, open_output
from duramen.cli.progress import Progress, count_pages, describe_unexpected, wants_bar
from duramen.errors import DuramenError, FetchError, NoBrowserError, UsageError

if TYPE_CHECKING:
    from duramen.dom.page import Page

# Errors that concern the name of one file. Any other (a full disk, a read-only folder) would hit all later pages too.
_FILE_NAME_ERRORS = {errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.EILSEQ, errno.EINVAL}


@dataclass(frozen=True)
class PageResult:
    """What a verb makes of a page."""

    text: str
    """What is written."""
    nothing_found: str = ""
    """Why nothing was found; empty if something was."""
    note: str = ""
    """A remark that is not an error."""
    is_fallback: bool = False
    """Whether the page did not fit its wrapper."""


PageFunction = Callable[["Page"], PageResult]
StreamFunction = Callable[[Iterator["Page"]], Iterable[PageResult | Exception]]
"""From pages to their results, in order; a page that fails gives its exception."""


def for_each(function: PageFunction) -> StreamFunction:
    """Turn a function of one page into a function of a stream of pages."""

    def run(pages: Iterator[Page]) -> Iterator[PageResult | Exception]:
        for page in pages:
            try:
                yield function(page)
            except Exception as error:  # reported with the name of the page
                yield error

    return run


class PerPage:
    """The inputs and the output of a verb, and the counts of what happened to the pages."""

    def __init__(self, args: argparse.Namespace, output: Output | None = None) -> None:
        """Find the inputs and open the output; `output` replaces the one that `-o` and `--format` name."""
        self._args = args
        self.several = may_name_several(args.inputs)
        if args.url and self.several:
            raise UsageError("--url is the URL of one page, but several pages were given")
        self._to_stdout = args.output in (None, "-")
        to_folder = not self._to_stdout and output is None and is_output_folder(args.output, several=self.several)
        self._inputs = find_inputs(args.inputs, exclude=Path(args.output) if to_folder else None)
        self._output = output or open_output(args.output, args.format, self._inputs, several=self.several)
        self._being_processed: deque[Input] = deque()
        self._failed = self._empty = self._fallbacks = 0

    def run(self, function: StreamFunction, *, write_empty: bool = False, empty_phrase: str = "had no content") -> int:
        """Process all pages and return the exit status.

        `write_empty` also writes the results of pages on which nothing was found. `empty_phrase` names them in the
        summary.
        """
        total = len(self._inputs)
        bar = not self._args.quiet and wants_bar(total, to_stdout=self._to_stdout)
        with Progress(total, bar=bar) as progress:
            try:
                for result in function(self._read_pages(progress)):
                    self._handle(self._being_processed.popleft(), result, progress, write_empty)
                    progress.advance()
            except KeyboardInterrupt:
                raise KeyboardInterrupt(
                    f"after {progress.done} of {count_pages(total)}" if self.several else ""
                ) from None
            self._output.close()
            if self.several and not self._args.quiet:
                self._sum_up(progress, empty_phrase)
        return 1 if self._failed or self._empty else 0

    def _read_pages(self, progress: Progress) -> Iterator[Page]:
        limits = ReadLimits(self._args.timeout, self._args.max_size)
        for source in self._inputs:
            try:
                page = source.read(limits, self._args.url)
            except Exception as error:
                self._report_error(source, error, progress)
                progress.advance()
                continue
            self._being_processed.append(source)
            yield page

    def _handle(self, source: Input, result: PageResult | Exception, progress: Progress, write_empty: bool) -> None:
        if isinstance(result, NoBrowserError):
            raise result
        if isinstance(result, Exception):
            self._report_error(source, result, progress)
            return
        self._fallbacks += result.is_fallback
        if result.note and not self._args.quiet:
            progress.say(f"{source.name}: {result.note}")
        if result.nothing_found:
            self._empty += 1
            if not self._args.quiet:
                progress.say(f"{source.name}: {result.nothing_found}")
            if not write_empty:
                return
        try:
            self._output.write(source, result.text)
        except OSError as error:
            if error.errno not in _FILE_NAME_ERRORS:
                raise
            self._fail(f"{error.filename}: {error.strerror}", progress)

    def _report_error(self, source: Input, error: Exception, progress: Progress) -> None:
        if isinstance(error, FetchError):  # its message has the URL, and where it was redirected to
            self._fail(str(error), progress)
        elif isinstance(error, DuramenError):
            self._fail(f"{source.name}: {error}", progress)
        else:
            if self._args.debug:
                traceback.print_exception(error)
            self._fail(f"{source.name}: {describe_unexpected(error)}", progress)

    def _fail(self, message: str, progress: Progress) -> None:
        self._failed += 1
        progress.say(message)

    def _sum_up(self, progress: Progress, empty_phrase: str) -> None:
        counts = []
        if self._failed:
            counts.append(f"{self._failed} failed")
        if self._empty:
            counts.append(f"{self._empty} {empty_phrase}")
        if self._fallbacks:
            counts.append(f"{self._fallbacks} did not fit the wrapper")
        if counts:
            *most, last = counts
            listed = f"{', '.join(most)} and {last}" if most else last
            progress.say(f"of {count_pages(progress.total)}, {listed}")
