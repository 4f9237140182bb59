"""Parse a command line, run its verb, and turn errors into messages and exit statuses.

A verb is a module with `add(subparsers)`, which describes its options, and `run(args)`, which does the work and returns
the exit status. Verbs import heavy modules inside `run`, so that one verb does not wait for the imports of another.

Exit statuses: 0 success, 1 a page failed or nothing was found on it, 2 wrong usage, 130 stopped by Ctrl-C, 141 the
reader of standard output closed it, 143 stopped by SIGTERM (`run`).
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import NoReturn

from duramen.cli.config import FILE_NAME, OPTION, PROJECT_FILE, list_options, load_config
from duramen.cli.progress import describe_unexpected, say
from duramen.errors import DuramenError, MissingExtraError, UsageError

VERBS = ("extract", "inspect", "records", "record", "learn", "run", "render", "methods", "evaluate", "train")
"""The names of the verbs and of their modules, in the order of the help."""
EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED, EXIT_NO_READER = 1, 2, 130, 141

SHELLS = ("bash", "zsh", "fish")
"""For which `--completion` writes a script."""

_EXAMPLES = """\
examples:
  duramen extract page.html                    print the main text of a page
  duramen extract pages/ -o texts/             write one text file for each page of a folder
  curl -s https://example.org | duramen extract - --format markdown
  duramen run crawl.warc.gz -o corpus/         extract a whole crawl on all cores
  duramen records results.html --format csv    print the main list of a page as a table
  duramen learn pages/ -o site.json            learn a wrapper from pages of one site
  duramen inspect page.html                    show what is kept of a page, and why
  duramen methods                              list the extraction methods

Each verb has its own help: duramen extract --help
Defaults of options: duramen.toml, or [tool.duramen.defaults] in pyproject.toml, with a table for each verb.
"""


def run_command_line(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status. argparse exits by itself on --help and on an unknown option."""
    _use_utf8()
    try:
        try:
            return _run_verb(argv)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here a full disk or a closed pipe can still be reported
    except KeyboardInterrupt as stop:
        say(f"stopped {stop}".rstrip())
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _discard_stdout()
        return EXIT_NO_READER
    except OSError as error:
        if error.filename is None:
            _discard_stdout()
        say(f"{error.filename or 'standard output'}: {error.strerror or error}")
        return EXIT_FAILED


def _run_verb(argv: Sequence[str] | None) -> int:
    arguments = sys.argv[1:] if argv is None else list(argv)
    verb = arguments[0] if arguments else None
    parser = build_parser(verb)
    try:
        if verb in VERBS:
            verb_parser = parser.verb_parsers[verb]
            if (config := load_config(arguments, {*VERBS, *list_options(verb_parser)})) is not None:
                config.apply(verb, verb_parser, VERBS)
    except UsageError as error:
        say(str(error))
        return EXIT_USAGE
    args = parser.parse_args(arguments)
    if args.completion:
        from duramen.cli.shell_completion import write_completion

        sys.stdout.write(write_completion(build_parser(), args.completion))
        return 0
    if args.verb is None:
        parser.print_help()
        return 0
    try:
        status: int = args.run(args)
    except (UsageError, MissingExtraError) as error:
        say(str(error))
        return EXIT_USAGE
    except DuramenError as error:
        say(str(error))
        return EXIT_FAILED
    except OSError:
        raise
    except Exception as error:
        if args.debug:
            traceback.print_exc()
        say(describe_unexpected(error))
        return EXIT_FAILED
    return status


class _OneLineErrorParser(argparse.ArgumentParser):
    """A parser that reports an error in one line instead of printing the whole usage."""

    verb_parsers: dict[str, argparse.ArgumentParser]
    """The parsers of the verbs; only the whole command has them."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def build_parser(first: str | None = None) -> _OneLineErrorParser:
    """Build the parser of the verb that is the first argument, or of all verbs if it is none of them."""
    from duramen import __version__
    from duramen.build_info import describe_build, explain_build

    parser = _OneLineErrorParser(
        prog="duramen",
        description="Find the main content of web pages.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    with warnings.catch_warnings():
        if first == "--version":  # it says itself that nothing is compiled
            warnings.simplefilter("ignore", RuntimeWarning)
        version = f"duramen {__version__} ({describe_build()})"
    parser.add_argument("--version", action="version", version=version + explain_build())
    parser.add_argument("--completion", choices=SHELLS, metavar="SHELL", help=f"print {', '.join(SHELLS)} completion")
    verbs = parser.add_subparsers(title="verbs", dest="verb", metavar="VERB")
    for name in (first,) if first in VERBS else VERBS:
        importlib.import_module(f"duramen.cli.{name}").add(verbs)
    parser.verb_parsers = dict(verbs.choices)
    for verb_parser in verbs.choices.values():
        verb_parser.add_argument("--debug", action="store_true", help="show the traceback of an unexpected error")
        verb_parser.add_argument(
            OPTION,
            metavar="FILE",
            help=f"defaults of options, or none (default: {FILE_NAME}, or [tool.duramen.defaults] of {PROJECT_FILE})",
        )
    return parser


def _use_utf8() -> None:
    """Write UTF-8 to standard output, whatever the locale."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def _discard_stdout() -> None:
    """Send the interpreter's final flush to /dev/null, as the Python documentation advises after a broken pipe."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, io.UnsupportedOperation, ValueError):  # closed, or not a file
        return
    null_device = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null_device, descriptor)
    os.close(null_device)
