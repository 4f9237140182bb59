"""Options that several verbs share, and the types of their values."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duramen.errors import UsageError
from duramen.output.options import TABLE_FORMATS

if TYPE_CHECKING:
    from duramen.dom.page import Page

AddOption = Callable[..., Any]
"""The method `add_argument` of a parser or of a group of options."""

AddBoxes = Callable[["Page"], "Page"]
"""A function that returns a page with the positions of its elements on the screen."""

FETCH_TIMEOUT_SECONDS = 20.0
PAGE_TIMEOUT_SECONDS = 60.0
MAX_PAGE_SIZE = "50M"
WORKER_MEMORY = "4G"


def add_verb(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    *,
    help: str,
    description: str,
    epilog: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    """Add the parser of a verb, or of a part of one."""
    parser = subparsers.add_parser(
        name,
        help=help,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    return parser


def add_inputs(option: AddOption, *, nargs: str = "+", metavar: str = "INPUT") -> None:
    """Add the pages that a verb reads."""
    option("inputs", nargs=nargs, metavar=metavar, help="a file (.gz too), a folder, a URL, or - for standard input")


def add_url(option: AddOption) -> None:
    """Add --url."""
    option("--url", metavar="URL", help="the URL that a local page came from")


def add_fetch_limits(option: AddOption) -> None:
    """Add --timeout (for fetching a URL) and --max-size."""
    text = f"time limit for fetching a URL (default: {FETCH_TIMEOUT_SECONDS:g})"
    option("--timeout", type=parse_seconds, default=FETCH_TIMEOUT_SECONDS, metavar="SECONDS", help=text)
    _add_max_size(option)


def add_run_limits(option: AddOption) -> None:
    """Add --timeout (for the work on one page), --max-size and --memory."""
    text = f"time limit for one page (default: {PAGE_TIMEOUT_SECONDS:g}); a slower page becomes an error row"
    option("--timeout", type=parse_seconds, default=PAGE_TIMEOUT_SECONDS, metavar="SECONDS", help=text)
    _add_max_size(option)
    option(
        "--memory",
        type=parse_memory,
        default=WORKER_MEMORY,
        metavar="SIZE",
        help=f"memory limit of a worker, such as 2G, or none (default: {WORKER_MEMORY} beyond what it starts with)",
    )


def _add_max_size(option: AddOption) -> None:
    option(
        "--max-size",
        type=parse_size,
        default=parse_size(MAX_PAGE_SIZE),
        metavar="SIZE",
        help=f"largest page to read, after unpacking, in bytes or with k, M, G (default: {MAX_PAGE_SIZE})",
    )


def add_markup_options(option: AddOption) -> None:
    """Add --links, --images and --tables."""
    default = "default: with Markdown, HTML and XML"
    option(
        "--links", action=argparse.BooleanOptionalAction, help=f"write the URLs of links, or leave them out ({default})"
    )
    option("--images", action=argparse.BooleanOptionalAction, help=f"write images, or leave them out ({default})")
    option(
        "--tables",
        choices=TABLE_FORMATS,
        help="with Markdown: write tables as markdown (default), as html (with cells over several columns) or as csv",
    )


def add_imports(option: AddOption) -> None:
    """Add --import."""
    option(
        "--import",
        dest="modules",
        action="append",
        default=[],
        metavar="MODULE",
        help="import a Python module that registers methods of your own; may be given more than once",
    )


def import_modules(args: argparse.Namespace) -> None:
    """Import the modules that --import names; the current folder is searched, as with `python -m`."""
    add_current_folder(args)
    if args.modules:
        from duramen import methods

        methods.import_modules(args.modules)


def add_current_folder(args: argparse.Namespace) -> None:
    """Let modules that --import names be found in the current folder."""
    if args.modules and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def add_rendering(option: AddOption) -> None:
    """Add --render and --boxes."""
    option("--render", action="store_true", help="lay the pages out with Chromium, for methods that use positions")
    option(
        "--boxes",
        metavar="PATH",
        help="a file of positions written by duramen render, or a folder of them, to which --render adds",
    )


def wants_boxes(args: argparse.Namespace) -> bool:
    """Return whether --render or --boxes was given."""
    return bool(args.render) or args.boxes is not None


@contextmanager
def open_boxes(args: argparse.Namespace, *, several: bool) -> Iterator[AddBoxes]:
    """Give the function that adds positions to a page as --render and --boxes ask; without them it changes nothing."""
    if not wants_boxes(args):
        yield lambda page: page
        return
    from duramen.rendering.boxes import SUFFIX, Boxes
    from duramen.rendering.browser import Browser
    from duramen.rendering.cache import BoxCache

    path = None if args.boxes is None else Path(args.boxes)
    if path is not None and (path.is_file() or path.name.endswith(SUFFIX)):
        if several:
            raise UsageError("--boxes names the file of one page, but several pages were given: name a folder")
        if args.render:
            raise UsageError("--boxes names an existing file, and --render makes new positions: choose one")
        yield Boxes.load(path).on
        return
    if not args.render:
        if path is None or not path.is_dir():
            raise UsageError(f"there is no {path}: add --render to make the positions")
        yield BoxCache(path).add_boxes
        return
    with Browser() as browser:
        browser.version  # noqa: B018 - starts the browser: without Chromium no page need be read
        yield BoxCache(path, browser).add_boxes


def parse_names(text: str) -> list[str]:
    """Parse names with commas between them."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("no name was given")
    return names


def integer_from(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers that are not below `least`."""

    def parse(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} up")
        return int(text)

    return parse


def number_between(least: float, most: float) -> Callable[[str], float]:
    """Return a parser of numbers from `least` to `most`."""

    def parse(text: str) -> float:
        number = _parse_float(text)
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least:g} to {most:g}")
        return number

    return parse


def parse_seconds(text: str) -> float:
    """Parse a time limit."""
    seconds = _parse_float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def parse_delay(text: str) -> float:
    """Parse a waiting time, which may be 0."""
    seconds = _parse_float(text)
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds


def parse_size(text: str) -> int:
    """Parse a number of bytes, such as 500k or 10M."""
    match = re.fullmatch(r"(\d+)([kMG]?)B?", text, re.IGNORECASE | re.ASCII)
    size = int(match[1]) * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[match[2].lower()] if match else 0
    if size <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 500k, 10M or 1000000")
    return size


def parse_memory(text: str) -> int | None:
    """Parse a number of bytes, or `none`."""
    return None if text.lower() == "none" else parse_size(text)


def _parse_float(text: str) -> float:
    """Parse a number; what is none becomes NaN, which no range contains."""
    try:
        return float(text)
    except ValueError:
        return math.nan
