"""The options of verbs whose pages may have boxes, and what they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.dom.page import Page

Lay = Callable[["Page"], "Page"]
"""Gives a page with its boxes."""


def add_rendering(option: Callable[..., Any]) -> None:
    """Add --render and --boxes to a parser, by its `add_argument`."""
    option("--render", action="store_true", help="let Chromium lay the pages out, for methods that look at boxes")
    option(
        "--boxes",
        metavar="PATH",
        help="boxes of the page by duramen render, or a folder of them, to which --render adds",
    )


def is_wanted(args: argparse.Namespace) -> bool:
    """Whether pages are to have boxes."""
    return bool(args.render) or args.boxes is not None


@contextmanager
def rendering(args: argparse.Namespace, *, several: bool) -> Iterator[Lay]:
    """What --render and --boxes ask for: something that lays the boxes over a page, or gives it back as it is."""
    if not is_wanted(args):
        yield _as_it_is
        return
    from duramen.rendering.boxes import SUFFIX, Boxes
    from duramen.rendering.browser import Browser
    from duramen.rendering.cache import BoxCache

    path = None if args.boxes is None else Path(args.boxes)
    if path is not None and (path.is_file() or path.name.endswith(SUFFIX)):
        if several:
            raise UsageError("--boxes names the boxes of one page, and several were given: name a folder")
        if args.render:
            raise UsageError("--boxes names boxes that are there, and --render makes new ones: choose one")
        yield Boxes.load(path).on
        return
    if not args.render:
        if path is None or not path.is_dir():
            raise UsageError(f"there is no {path}: --render makes boxes")
        yield BoxCache(path).add_boxes
        return
    with Browser() as browser:
        browser.version  # noqa: B018 - starts it: without Chromium no page need be read
        yield BoxCache(path, browser).add_boxes


def _as_it_is(page: Page) -> Page:
    return page
