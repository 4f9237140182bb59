"""`duramen learn`: the wrapper of a site from a few of its pages."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.limits import add_limits, positive
from duramen.errors import InputError, UsageError

if TYPE_CHECKING:
    from duramen.methods.forest.forest import Forest
    from duramen.wrappers import Learnt, SamplePage, Wrapper

_LIMIT = 500
_DOWNLOADS = 10  # the paper's figure 5: past ten pages little is gained

_EXAMPLES = """\
examples:
  duramen learn pages/ -o site.json                    a wrapper for each template among the pages
  duramen learn pages/ --explain                       what would be chosen, and why
  duramen learn --feed https://example.org/feed.xml -o site.json
  duramen learn pages/ --feed feed.xml --signifiers feed -o site.json
  duramen learn --update site.json new/*.html
  duramen extract --wrapper site.json page.html

A wrapper is a JSON file that people can read: the XPath of the article and of its headline, what inside it is the same
on all pages, and how sure that is. With several templates among the pages, -o site.json makes site.json, site-2.json
and so on, the template of most pages first.

exit status: 0 a wrapper was learnt; 1 nothing could be learnt, or a page could not be read; 2 wrong usage; 130 stopped
by Ctrl-C, with nothing written.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "learn",
        help="learn where the content of a site stands",
        description="Learn from a few pages of a site where its content stands, and write that down as a wrapper.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("inputs", nargs="*", metavar="PAGE", help="a file (.gz too), a folder, a URL, or - for standard input")
    option("-o", "--output", metavar="FILE", help="where the wrapper goes, such as site.json; - for standard output")
    option("--update", metavar="FILE", help="add the pages to this wrapper, and write it back or to -o")
    option("--explain", action="store_true", help="print the table of what was compared; -o is not needed then")
    option("--method", default="forest", metavar="NAME", help="forest (the default), coverage, sigfeed or description")
    option("--signifiers", metavar="NAME", help="tfidf (the default), feed, metadata, anchors or query")
    option("-k", type=positive, metavar="N", help="signifiers of a page (default: 10)")
    option("--query", metavar="WORDS", help="words that the pages are about; they are the signifiers")
    option("--limit", type=positive, default=_LIMIT, metavar="N", help=f"pages to learn from (default: {_LIMIT})")
    option("--quiet", action="store_true", help="no progress bar and no report")
    feed = parser.add_argument_group("feeds and addresses").add_argument
    feed("--feed", metavar="FEED", help="a file or a URL: RSS, Atom or JSON Feed, whose items are matched to the pages")
    feed("--urls", metavar="FILE", help="the addresses of saved pages: a line for each, its file, a space, its URL")
    feed(
        "--download",
        type=_whole,
        metavar="N",
        help=f"fetch up to N pages of items that were not saved (default: {_DOWNLOADS} without PAGES, else 0)",
    )
    add_limits(feed)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from duramen.cli.inputs import Limits
    from duramen.cli.learnt import say_nothing_new, tell
    from duramen.cli.progress import say
    from duramen.cli.site_pages import Reading

    if args.download is None:
        args.download = 0 if args.inputs else _DOWNLOADS
    if not args.inputs and args.feed is None:
        raise UsageError("there is nothing to learn from: name pages, a folder of them, or --feed")
    target = args.output or args.update
    if target is None and not args.explain:
        raise UsageError("say where the wrapper goes: -o site.json (or --explain, to see what it would be)")
    old = _load(args) if args.update is not None else None
    method = _method(args, old)
    output = _writable(target) if target not in (None, "-") else None
    reading = Reading(args, Limits(args.timeout, args.max_size))
    pages = reading.pages()
    learnt = _learn(method, pages, old)
    if output is not None:
        _write(learnt, output, args.quiet)
    elif args.output == "-":
        _print(learnt)
    if not args.quiet:
        to_stderr = args.output == "-"
        tell(learnt, output, explain=args.explain, put=say if to_stderr else print)
        say_nothing_new(learnt, output, say)
    return 1 if reading.failed else 0


def _method(args: argparse.Namespace, old: Wrapper | None) -> Forest:
    """What learns: named by --method, or for an update as the wrapper was learnt."""
    from duramen import methods
    from duramen.methods.forest.forest import Forest

    if old is not None:
        for name, given in (("--method", args.method != "forest"), ("--signifiers", args.signifiers), ("-k", args.k)):
            if given:
                raise UsageError(f"{name} was settled when the wrapper was learnt: leave it out with --update")
        if (old.settings.signifiers == "query") != (args.query is not None):
            raise UsageError("a wrapper learnt with --query is updated with --query, and no other is")
        method = methods.get(old.learner) if old.learner in methods.names() else None
        if not isinstance(method, Forest):
            raise InputError(f"{args.update} is damaged: {old.learner!r} learns no wrappers")
        return method
    method = methods.get(args.method)
    if not isinstance(method, Forest):
        learners = [name for name in methods.names() if isinstance(methods.get(name), Forest)]
        raise UsageError(f"{args.method} learns nothing from the pages of a site: choose one of {', '.join(learners)}")
    changes: dict[str, str | int] = {}
    if args.query is not None and args.signifiers not in (None, "query"):
        raise UsageError(f"--query gives the signifiers, and --signifiers {args.signifiers} others: choose one of them")
    if args.query is not None or args.signifiers is not None:
        changes["signifiers"] = args.signifiers or "query"
    if args.k is not None:
        changes["k"] = args.k
    method = replace(method, **changes)  # type: ignore[arg-type]
    if method.signifiers == "query" and not (args.query or "").strip():
        raise UsageError("--signifiers query needs the words: --query WORDS")
    if args.signifiers == "feed" and args.feed is None:
        raise UsageError("--signifiers feed needs the feed: --feed FEED")
    return method


def _learn(method: Forest, pages: list[SamplePage], old: Wrapper | None) -> Learnt:
    from duramen.wrappers import Learnt

    if old is None:
        return method.learn_all(pages)
    return Learnt((method.update(old, pages),))


def _load(args: argparse.Namespace) -> Wrapper:
    from duramen.wrappers import Wrapper

    return Wrapper.load(args.update)


def _write(learnt: Learnt, output: Path, quiet: bool) -> None:
    from duramen.cli.outputs import write_whole
    from duramen.wrappers.wrapper_file import dumps

    for number in range(1, len(learnt.wrappers)):  # the first was asked for before the work
        _writable(str(numbered(output, number)))
    for number, wrapper in enumerate(learnt.wrappers):
        write_whole(numbered(output, number), dumps(wrapper))


def _print(learnt: Learnt) -> None:
    from duramen.wrappers.wrapper_file import dumps

    if len(learnt.wrappers) > 1:
        raise UsageError(f"the pages are of {len(learnt.wrappers)} templates, a wrapper each: give -o a file's name")
    print(dumps(learnt.wrappers[0]), end="")


def numbered(output: Path, number: int) -> Path:
    """The file of a wrapper: site.json, site-2.json, site-3.json."""
    return output if number == 0 else output.with_name(f"{output.stem}-{number + 1}{output.suffix}")


def _writable(name: str) -> Path:
    """The output's path, if a wrapper may be put there: better said before the work than after it."""
    path = Path(name)
    if path.is_dir() or name.endswith(("/", os.sep)):
        raise UsageError(f"{name} is a folder, and a wrapper is a file: give -o a name such as site.json")
    if path.is_file() and path.stat().st_size:
        from duramen.wrappers import Wrapper

        try:
            Wrapper.load(path)
        except InputError as error:
            raise UsageError(f"{name} exists and would be overwritten, but {error}: give -o another name") from error
    from duramen.cli.outputs import check_folder

    check_folder(name)
    return path


def _whole(value: str) -> int:
    if not value.isdecimal():
        raise argparse.ArgumentTypeError(f"{value!r} is not a whole number")
    return int(value)
