"""`duramen learn`: learn the wrapper of a site from a few of its pages."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.options import add_fetch_limits, add_inputs, add_verb, import_modules, integer_from
from duramen.errors import InputError, UsageError

if TYPE_CHECKING:
    from duramen.methods.forest.forest import Forest
    from duramen.wrappers import LearnResult, SamplePage, Wrapper

_DEFAULT_MAX_PAGES = 500
_DEFAULT_DOWNLOADS = 10  # figure 5 of the paper: more than ten pages gain little

_EXAMPLES = """\
examples:
  duramen learn pages/ -o site.json                    learn a wrapper for each page template
  duramen learn pages/ --explain                       print what would be chosen, and why
  duramen learn --feed https://example.org/feed.xml -o site.json
  duramen learn pages/ --feed feed.xml --signifiers feed -o site.json
  duramen learn --update site.json new/*.html
  duramen learn --import rules/ pages/ -o wrappers/    site rules of ftr-site-config, checked on some pages
  duramen extract --wrapper site.json page.html

A wrapper is a readable JSON file: the XPath of the article and of its headline, the text that repeats on all pages, and
a confidence. If the pages have several templates, -o site.json writes site.json, site-2.json and so on, the template
of most pages first.

exit status: 0 a wrapper was learned; 1 nothing could be learned, or a page could not be read; 2 wrong usage; 130
stopped by Ctrl-C, with nothing written.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "learn",
        help="learn where the pages of a site have their content",
        description="Learn from a few pages of a site where its content is, and write that to a file, the wrapper.",
        epilog=_EXAMPLES,
        run=run,
    )
    option = parser.add_argument
    add_inputs(option, nargs="*", metavar="PAGE")
    option("-o", "--output", metavar="FILE", help="the wrapper's file, such as site.json; - for standard output")
    option(
        "--update",
        metavar="FILE",
        help="add the pages to this wrapper, and write it back or to -o; after a redesign of the site, learn a new one "
        "and keep both",
    )
    option("--explain", action="store_true", help="print the table of compared elements; then -o is not needed")
    option("--method", default="forest", metavar="NAME", help="forest (the default), coverage, sigfeed or description")
    option(
        "--import",
        dest="modules",
        action="append",
        default=[],
        metavar="PATH",
        help="make wrappers of site rules in the ftr-site-config format, a file or a folder; the PAGEs are checked "
        "with them. Or a Python module that registers methods of your own. May be given more than once",
    )
    option(
        "--signifiers",
        metavar="NAME",
        help="where the words come from that say what a page is about: "
        "tfidf (the default), feed, metadata, anchors or query",
    )
    option("-k", type=integer_from(1), metavar="N", help="number of signifiers of a page (default: 10)")
    option("--query", metavar="WORDS", help="words that the pages are about; they become the signifiers")
    option(
        "--limit",
        type=integer_from(1),
        default=_DEFAULT_MAX_PAGES,
        metavar="N",
        help="largest number of pages to learn from (default: %(default)s)",
    )
    option("--quiet", action="store_true", help="no progress bar and no report")
    feed = parser.add_argument_group("feeds and URLs").add_argument
    feed("--feed", metavar="FEED", help="a file or a URL: RSS, Atom or JSON Feed, whose items are matched to the pages")
    feed("--urls", metavar="FILE", help="a list of the URLs of saved pages: on each line a file, a space and a URL")
    feed(
        "--download",
        type=integer_from(0),
        metavar="N",
        help="fetch up to N pages of feed items that are not among the pages "
        f"(default: {_DEFAULT_DOWNLOADS} if no PAGE is given, else 0)",
    )
    add_fetch_limits(feed)


def run(args: argparse.Namespace) -> int:
    from duramen.cli.inputs import ReadLimits
    from duramen.cli.learn_pages import SamplePageReader
    from duramen.cli.learn_report import print_report, warn_of_old_files
    from duramen.cli.progress import say

    if rules := [name for name in args.modules if os.path.exists(name)]:
        from duramen.cli.learn_import import import_rules

        return import_rules(args, rules)
    if args.download is None:
        args.download = 0 if args.inputs else _DEFAULT_DOWNLOADS
    if not args.inputs and args.feed is None:
        raise UsageError("there is nothing to learn from: name pages, a folder or --feed")
    target = args.output or args.update
    if target is None and not args.explain:
        raise UsageError("no output was named: add -o site.json, or --explain to print what would be learned")
    import_modules(args)
    old = _load_wrappers(args.update) if args.update is not None else ()
    method = _get_method(args, old[0] if old else None)
    output = _check_output(target) if target not in (None, "-") else None
    reader = SamplePageReader(args, ReadLimits(args.timeout, args.max_size))
    pages = reader.read_all()
    learned = _learn(method, pages, old)
    if output is not None:
        _write(learned, output, as_set=bool(old))
    elif args.output == "-":
        _print(learned, as_set=bool(old))
    if not args.quiet:
        to_stderr = args.output == "-"
        put = say if to_stderr else print
        print_report(learned, pages, output, in_one_file=bool(old), explain=args.explain, put=put)
        if not old:
            warn_of_old_files(learned, output)
    return 1 if reader.failed else 0


def _get_method(args: argparse.Namespace, old: Wrapper | None) -> Forest:
    """Return the learning method: the one that --method names, or for an update the one of the old wrapper."""
    from duramen import methods
    from duramen.methods.forest.forest import Forest

    if old is not None:
        for name, given in (("--method", args.method != "forest"), ("--signifiers", args.signifiers), ("-k", args.k)):
            if given:
                raise UsageError(f"{name} cannot be changed by --update: leave it out")
        if (old.settings.signifiers == "query") != (args.query is not None):
            raise UsageError("--update needs --query if the wrapper was learned with --query, and only then")
        method = methods.get(old.learner) if old.learner in methods.names() else None
        if not isinstance(method, Forest):
            raise InputError(f"{args.update} is damaged: {old.learner!r} learns no wrappers")
        return method
    method = methods.get(args.method)
    if not isinstance(method, Forest):
        learners = [name for name in methods.names() if isinstance(methods.get(name), Forest)]
        raise UsageError(f"{args.method} does not learn from the pages of a site: choose one of {', '.join(learners)}")
    changes: dict[str, str | int] = {}
    if args.query is not None and args.signifiers not in (None, "query"):
        raise UsageError(f"--query and --signifiers {args.signifiers} name different signifiers: choose one of them")
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


def _learn(method: Forest, pages: list[SamplePage], old: tuple[Wrapper, ...]) -> LearnResult:
    """Learn from the pages, or update the newest of the old wrappers; after a redesign learn a new one beside it."""
    from datetime import date

    from duramen.cli.progress import say
    from duramen.dom.urls import find_site_name
    from duramen.site_model.fusion import add_site_models
    from duramen.wrappers import LearnResult

    named = [(page.name or "", page.page) for page in pages]
    today = date.today().isoformat()
    if not old:
        learned = method.learn_all(pages)
        wrappers = [replace(wrapper, learned=today) for wrapper in learned.wrappers]
        return replace(learned, wrappers=tuple(add_site_models(wrappers, named)))
    unfit = [page for page in pages if not old[0].fits(page.page)]
    if 2 * len(unfit) <= len(pages):
        updated = replace(method.update(old[0], pages), learned=today)
        return LearnResult((*add_site_models([updated], named), *old[1:]))
    other_sites = {site for page in unfit if (site := find_site_name(page.page.url))} - {old[0].site}
    if old[0].site and other_sites:
        listed = ", ".join(sorted(other_sites))
        raise InputError(f"the wrapper is of {old[0].site}, and there are pages of {listed}")
    say(f"{len(unfit)} of {len(pages)} pages do not fit the wrapper: the site was redesigned, and both are kept")
    learned = method.learn_all(unfit)
    wrappers = add_site_models([replace(wrapper, learned=today) for wrapper in learned.wrappers], named)
    return replace(learned, wrappers=(*wrappers, *old))


def _load_wrappers(name: str) -> tuple[Wrapper, ...]:
    """Return the wrappers of a file, the newest first."""
    from duramen.wrappers import WrapperSet, load_wrapper

    loaded = load_wrapper(name)
    return loaded.wrappers if isinstance(loaded, WrapperSet) else (loaded,)


def _write(learned: LearnResult, output: Path, *, as_set: bool) -> None:
    from duramen.cli.outputs import write_file
    from duramen.wrappers.wrapper_json import format_wrapper

    if as_set:
        write_file(output, _format_all(learned))
        return
    for number in range(1, len(learned.wrappers)):  # the first was checked before the work
        _check_output(str(number_file(output, number)))
    for number, wrapper in enumerate(learned.wrappers):
        write_file(number_file(output, number), format_wrapper(wrapper))


def _print(learned: LearnResult, *, as_set: bool) -> None:
    if len(learned.wrappers) > 1 and not as_set:
        raise UsageError(
            f"the pages have {len(learned.wrappers)} templates, each with its own wrapper: give -o the name of a file"
        )
    print(_format_all(learned), end="")


def _format_all(learned: LearnResult) -> str:
    """Return one wrapper, or several as a set."""
    from duramen.wrappers import WrapperSet
    from duramen.wrappers.wrapper_json import format_wrapper

    wrappers = learned.wrappers
    return format_wrapper(wrappers[0] if len(wrappers) == 1 else WrapperSet(wrappers))


def number_file(output: Path, number: int) -> Path:
    """Return the file of a wrapper: site.json, site-2.json, site-3.json."""
    return output if number == 0 else output.with_name(f"{output.stem}-{number + 1}{output.suffix}")


def _check_output(name: str) -> Path:
    """Return the output's path, or raise an error if it cannot be written or holds something else than a wrapper."""
    path = Path(name)
    if path.is_dir() or name.endswith(("/", os.sep)):
        raise UsageError(f"{name} is a folder, but a wrapper is a file: give -o a name such as site.json")
    if path.is_file() and path.stat().st_size:
        from duramen.wrappers import load_wrapper

        try:
            load_wrapper(path)
        except InputError as error:
            raise UsageError(f"{name} exists and would be overwritten, but {error}: give -o another name") from error
    from duramen.cli.outputs import check_writable

    check_writable(name)
    return path
