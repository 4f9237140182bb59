"""`duramen extract`: print the main content of pages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.options import (
    add_fetch_limits,
    add_imports,
    add_inputs,
    add_markup_options,
    add_rendering,
    add_url,
    add_verb,
    import_modules,
    open_boxes,
)
from duramen.content import FORMATS
from duramen.errors import InputError, UsageError

if TYPE_CHECKING:
    from duramen.cli.options import AddBoxes
    from duramen.cli.outputs import Output
    from duramen.cli.per_page import PageFunction, PageResult, StreamFunction
    from duramen.content import Content
    from duramen.dom.page import Page

    ExtractFunction = Callable[[Page], Content]

PARTS = ("headline", "leads", "captions", "comments", "repeats")
"""The parts of a page that --keep and --drop name."""

_WRAPPER_METHOD = "wrapper"

_EXAMPLES = """\
examples:
  duramen extract page.html                            print the text
  duramen extract page.html --format markdown -o page.md
  duramen extract pages/ -o texts/                     write one text file for each page of a folder
  duramen extract pages/ --site -o texts/              the same, and the pages of each site learn from each other
  duramen extract https://example.org/ --links
  duramen extract --wrapper site.json pages/ --fallback econ
  duramen extract pages/ --only-metadata --format csv -o pages.csv
  duramen extract page.html --explain                  print why each block was kept or dropped
  duramen extract page.html --import my_methods --method my-method
  curl -s https://example.org/ | duramen extract - --url https://example.org/

exit status: 0 content (metadata) was found on every page; 1 a page could not be read, or nothing was found on it;
2 wrong usage; 130 stopped by Ctrl-C.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "extract",
        help="find the main content of pages",
        description="Find the main content of pages and print it.",
        epilog=_EXAMPLES,
        run=run,
    )
    option = parser.add_argument
    add_inputs(option)
    option(
        "--format",
        choices=(*FORMATS, "csv"),
        default="text",
        metavar="FORMAT",
        help=f"output format: {', '.join(FORMATS)} (default: text); csv only with --only-metadata",
    )
    option("--method", metavar="NAME", help="extraction method; duramen methods lists the names (default: auto)")
    add_imports(option)
    option("--favor", choices=("precision", "recall"), help="with the method auto: keep less text, or more")
    option(
        "--wrapper",
        action="append",
        metavar="FILE",
        help="use a wrapper that duramen learn wrote for this site, or a folder of them; may be given more than once",
    )
    option(
        "--site",
        action="store_true",
        help="pages of one site learn from each other: what repeats, and where the content stands (method auto)",
    )
    option(
        "--mode",
        choices=("fused", "exact"),
        help="with --wrapper: fused takes the wrapper as evidence for auto (default), exact keeps what its XPaths "
        "select (default with --fallback, --within, --keep and --drop)",
    )
    option("--fallback", metavar="NAME", help="with --wrapper: the method for pages that do not fit the wrapper")
    option("--within", metavar="NAME", help="with --wrapper: keep only the text that this method finds too")
    option(
        "--keep",
        type=_parse_parts,
        default=[],
        metavar="PARTS",
        help=f"with --wrapper: parts of the page to keep, of {', '.join(PARTS)}",
    )
    option(
        "--drop", type=_parse_parts, default=[], metavar="PARTS", help="with --wrapper: parts of the page to leave out"
    )
    option("-o", "--output", metavar="PATH", help="a file; or a folder, for several pages or if PATH ends in /")
    add_markup_options(option)
    option("--comments", action="store_true", help="add the readers' comments after the text")
    option("--metadata", action="store_true", help="with Markdown: write title, authors and dates as front matter")
    option(
        "--only-metadata",
        action="store_true",
        help="print title, authors, dates and other metadata, not the content; csv gives one table for all pages",
    )
    option(
        "--explain",
        action="store_true",
        help="print why each block of the page was kept or dropped, and every claim about the metadata",
    )
    option("--detect-language", action="store_true", help="with --only-metadata: also detect the language of the text")
    add_url(option)
    add_rendering(option)
    add_fetch_limits(option)
    option("--quiet", action="store_true", help="no progress bar, no message for pages without content, no summary")


def run(args: argparse.Namespace) -> int:
    from duramen.cli.per_page import PerPage, for_each

    _check_metadata_options(args)
    import_modules(args)
    if args.site:
        _check_site_options(args)
    extract = _load_wrappers(args) if args.wrapper else _get_method(args)
    pages = PerPage(args, _open_table(args))
    with open_boxes(args, several=pages.several) as add_boxes:
        if args.site:
            return pages.run(_make_site_function(args, add_boxes), write_empty=args.format == "json")

        def extract_with_boxes(page: Page) -> Content:
            return extract(add_boxes(page))

        make = _make_metadata_function if args.only_metadata else _make_content_function
        # JSON and CSV results show themselves that nothing was found.
        return pages.run(for_each(make(args, extract_with_boxes)), write_empty=args.format in ("json", "csv"))


def _check_metadata_options(args: argparse.Namespace) -> None:
    if args.explain and (args.only_metadata or args.format != "text"):
        raise UsageError("--explain prints a text of its own: leave --format and --only-metadata out")
    if args.only_metadata:
        from duramen.cli.metadata_only import check_options

        check_options(args)
    elif args.format == "csv" or args.detect_language:
        given = "--format csv" if args.format == "csv" else "--detect-language"
        raise UsageError(f"{given} works only with --only-metadata")
    elif args.metadata and args.format in ("text", "html"):
        raise UsageError(
            f"--metadata is for Markdown: {args.format} cannot hold metadata, and JSON and XML always hold it"
        )


def _get_method(args: argparse.Namespace) -> ExtractFunction:
    from duramen import methods

    for name in ("mode", "fallback", "within", "keep", "drop"):
        if getattr(args, name):
            raise UsageError(f"--{name} is for wrappers: name one with --wrapper")
    name = args.method or methods.DEFAULT
    if args.favor:
        if name.split(":")[0] != "auto":
            raise UsageError(f"--favor is for the method auto, not for {name}")
        name += f":favor={args.favor}"
    return methods.get(name)


def _check_site_options(args: argparse.Namespace) -> None:
    if args.wrapper:
        raise UsageError("--site learns from the pages themselves, and --wrapper from others: choose one of them")
    if args.only_metadata:
        raise UsageError("--site is about the content: leave --only-metadata out")
    if args.method not in (None, "auto"):
        raise UsageError(f"--site adds to the method auto, not to {args.method}")


def _make_site_function(args: argparse.Namespace, add_boxes: AddBoxes) -> StreamFunction:
    """Return the function from the pages to their results, in which the pages of a site learn from each other."""
    from duramen.site_model import SiteModels

    options = {"favor": args.favor} if args.favor else {}

    def extract_all(pages: Iterator[Page]) -> Iterator[PageResult | Exception]:
        make_result = _make_result_function(args)
        for content in SiteModels().extract_together(map(add_boxes, pages), **options):
            try:
                yield content if isinstance(content, Exception) else make_result(content)
            except Exception as error:  # reported with the name of the page
                yield error

    return extract_all


def _load_wrappers(args: argparse.Namespace) -> ExtractFunction:
    """Return the function that extracts a page with the wrapper that fits it best."""
    from duramen import methods
    from duramen.wrappers import Wrapper, WrapperSet, load_wrapper

    if args.mode == "fused" and (args.fallback or args.within):
        raise UsageError("--fallback and --within are for --mode exact: a fused wrapper needs neither")
    if args.favor:
        raise UsageError("--favor is for the method auto, not for wrappers")
    if args.method:
        raise UsageError(
            "--wrapper replaces --method: --fallback names a method for pages that do not fit the wrapper, "
            "--within one that limits it"
        )
    if both := set(args.keep) & set(args.drop):
        raise UsageError(f"--keep and --drop both name {', '.join(sorted(both))}")
    parts = dict.fromkeys(args.keep, True) | dict.fromkeys(args.drop, False)
    loaded: list[Wrapper] = []
    for path in _find_wrapper_files(args.wrapper):
        one = load_wrapper(path)
        loaded += one.wrappers if isinstance(one, WrapperSet) else [one]
    wrappers = WrapperSet(tuple(replace(wrapper, keep=replace(wrapper.keep, **parts)) for wrapper in loaded))
    fallback = methods.get(args.fallback) if args.fallback else None
    within = methods.get(args.within) if args.within else None
    return lambda page: wrappers.extract(page, mode=args.mode, fallback=fallback, within=within)


def _find_wrapper_files(names: Sequence[str]) -> list[Path]:
    paths = []
    for name in names:
        path = Path(name)
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not files:
            raise InputError(f"{name}: no wrappers in this folder (looked for .json)")
        paths += files
    return paths


def _open_table(args: argparse.Namespace) -> Output | None:
    if args.format != "csv":
        return None
    from duramen.cli.metadata_only import MetadataTableOutput

    return MetadataTableOutput(args.output)


def _make_content_function(args: argparse.Namespace, extract: ExtractFunction) -> PageFunction:
    make_result = _make_result_function(args)
    return lambda page: make_result(extract(page))


def _make_result_function(args: argparse.Namespace) -> Callable[[Content], PageResult]:
    from duramen.cli.per_page import PageResult

    def make_result(content: Content) -> PageResult:
        if args.explain:
            from duramen.cli.explain_text import write_explanation

            is_terminal = args.output in (None, "-") and sys.stdout.isatty()
            return PageResult(write_explanation(content.explain(), is_terminal=is_terminal))
        text = content.to(
            args.format,
            links=args.links,
            images=args.images,
            comments=args.comments,
            tables=args.tables,
            metadata=args.metadata,
        )
        is_fallback = bool(args.wrapper) and content.method != _WRAPPER_METHOD
        return PageResult(
            text,
            nothing_found="" if content else f"nothing found: {content.reason}",
            note=content.reason if is_fallback else "",
            is_fallback=is_fallback,
        )

    return make_result


def _make_metadata_function(args: argparse.Namespace, extract: ExtractFunction) -> PageFunction:
    from duramen.cli.metadata_only import is_empty, write_metadata
    from duramen.cli.per_page import PageResult
    from duramen.metadata import Metadata

    def make_result(page: Page) -> PageResult:
        # A wrapper knows where some fields are; other methods add nothing to the metadata.
        metadata = extract(page).metadata if args.wrapper else Metadata.read(page)
        text = write_metadata(metadata, args.format, detect=args.detect_language)
        return PageResult(text, "nothing found: the page has no metadata" if is_empty(metadata) else "")

    return make_result


def _parse_parts(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in PARTS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(
            f"{text!r} names no parts: choose from {', '.join(PARTS)}, with commas between"
        )
    return names
