"""The command line: a file a verb.

A verb is a module with `add(subparsers)`, which describes its options, and `run(args)`, which does the work and
returns the exit status. Verbs import what is heavy inside `run`, so that one verb does not wait for another's imports.

Exit status: 0 all went well, 1 a page failed or nothing was found on it, 2 wrong usage, 130 stopped by Ctrl-C,
141 the reader of standard output went away, 143 stopped by SIGTERM (`run`).
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from duramen.cli.progress import say, unexpected
from duramen.errors import DuramenError, MissingExtraError, UsageError

FAILED, WRONG_USAGE, STOPPED, NO_READER = 1, 2, 130, 141

_EXAMPLES = """\
examples:
  duramen extract page.html                    the main text of a page
  duramen extract pages/ -o texts/             a folder of pages into a folder of texts
  curl -s https://example.org | duramen extract - --format markdown
  duramen run crawl.warc.gz -o corpus/         a crawl into a corpus, on all cores
  duramen records results.html --format csv    the main list of a page as a table
  duramen learn pages/ -o site.json            where the content of a site stands
  duramen methods                              the ways to find the content

Each verb has its own help: duramen extract --help
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status; argparse exits by itself on --help and on an unknown option."""
    _write_utf8()
    try:
        try:
            return _run(argv)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here a full disk or a closed pipe can still be answered
    except KeyboardInterrupt as stop:
        say(f"stopped {stop}".rstrip())
        return STOPPED
    except BrokenPipeError:
        _abandon_stdout()
        return NO_READER
    except OSError as error:
        if error.filename is None:
            _abandon_stdout()
        say(f"{error.filename or 'standard output'}: {error.strerror or error}")
        return FAILED


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    args = parser.parse_args(argv)
    if args.verb is None:
        parser.print_help()
        return 0
    try:
        status: int = args.run(args)
    except (UsageError, MissingExtraError) as error:
        say(str(error))
        return WRONG_USAGE
    except DuramenError as error:
        say(str(error))
        return FAILED
    except OSError:
        raise
    except Exception as error:
        if args.debug:
            traceback.print_exc()
        say(unexpected(error))
        return FAILED
    return status


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as everything else here does, and where to read more."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USAGE, f"{self.prog}: error: {message} ({self.prog} --help says more)\n")


def _parser() -> argparse.ArgumentParser:
    from duramen import __version__
    from duramen.build_info import describe_build
    from duramen.cli import evaluate, extract, learn, methods, records, render, run, train

    parser = _Parser(
        prog="duramen",
        description="Find the main content of web pages.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"duramen {__version__} ({describe_build()})")
    verbs = parser.add_subparsers(title="verbs", dest="verb", metavar="VERB")
    for verb in (extract, records, learn, run, render, methods, evaluate, train):
        verb.add(verbs)
    for described in verbs.choices.values():
        described.add_argument("--debug", action="store_true", help="show the traceback of an unexpected error")
    return parser


def _write_utf8() -> None:
    """Whatever the locale: a page's text is no business of the terminal's settings."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def _abandon_stdout() -> None:
    """Let the interpreter's own flush at exit go nowhere, as the Python documentation advises after a broken pipe."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, io.UnsupportedOperation, ValueError):  # closed, or not a file at all
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
