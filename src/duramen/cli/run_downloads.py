"""The options of `duramen run` for pages from the web, and what happens to the downloads when the run is over."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.batch.place import Place
    from duramen.batch.settings import Settings

_FOLDER = "downloads"
_ENDING = ".warc.gz"


def add_downloads(parser: argparse.ArgumentParser) -> None:
    """Add the options for downloads."""
    option = parser.add_argument_group(
        "downloads", "where INPUT is a URL, or a file with URLs: a list with one a line, a feed, a sitemap"
    ).add_argument
    option("--keep", metavar="FILE", help="keep what is downloaded, as a WARC: crawl.warc.gz")
    option("--user-agent", metavar="TEXT", help="say who you are, and how to reach you (default: duramen, its version)")
    option("--delay", type=_seconds, default=1.0, metavar="SECONDS", help="between requests to a host (default: 1)")
    option("--per-host", type=_number, default=1, metavar="N", help="requests to a host at a time (default: 1)")
    option("--concurrency", type=_number, default=32, metavar="N", help="requests at a time, in all (default: 32)")
    option("--request-timeout", type=_seconds, default=20.0, metavar="SECONDS", help="for a request (default: 20)")
    option("--retries", type=_number, default=2, metavar="N", help="after failures that may pass (default: 2)")
    option(
        "--longest-wait",
        type=_seconds,
        default=60.0,
        metavar="SECONDS",
        help="that a site may ask for between requests before it is left alone (default: 60)",
    )
    option("--ignore-robots", action="store_true", help="do not ask for robots.txt: for sites of your own")
    option(
        "--allow-private",
        action="store_true",
        help="also from this computer and the local network; never from link-local addresses",
    )


def with_downloads(settings: Settings, args: argparse.Namespace, place: Place) -> Settings:
    """The settings with what downloads need to know."""
    from duramen.batch.sources import inputs_of

    if not any(whole.kind == "addresses" for whole in inputs_of(args.inputs)):
        if args.keep is not None:
            raise UsageError("--keep is for downloads, and nothing here is downloaded")
        return settings
    from duramen.batch.download.manners import Manners
    from duramen.net.http import USER_AGENT

    _check_keep(args, place)
    manners = Manners(
        user_agent=USER_AGENT if args.user_agent is None else args.user_agent,
        delay=args.delay,
        per_host=args.per_host,
        concurrency=args.concurrency,
        timeout=args.request_timeout,
        max_bytes=args.max_size,
        retries=args.retries,
        longest_wait=args.longest_wait,
        robots=not args.ignore_robots,
        allow_private=args.allow_private,
    )
    folder = _folder(args, place)
    given = (*settings.reading.given, ("downloads", str(folder)), ("manners", manners.to_json()))
    return replace(settings, reading=replace(settings.reading, given=given))


def _check_keep(args: argparse.Namespace, place: Place) -> None:
    """Say before the work what would stand in its way after it."""
    from duramen.batch.books import REPORT

    if args.keep is None:
        return
    keep = Path(args.keep)
    if not args.keep.lower().endswith(_ENDING) or keep.is_dir():
        raise UsageError(f"--keep writes a gzipped WARC: give it a name that ends in {_ENDING}, not {args.keep}")
    if not keep.absolute().parent.is_dir():
        raise UsageError(f"{keep} cannot be written: there is no folder {keep.absolute().parent}")
    is_over = (place.work / REPORT).exists() and not args.overwrite
    if keep.exists() and not is_over and not _folder(args, place).exists():
        raise UsageError(f"{keep} exists: name it as INPUT to extract it again, or give --keep another name")


def finish_downloads(args: argparse.Namespace, place: Place) -> None:
    """After a run that is over: make one WARC of the segments, or do away with them."""
    folder = _folder(args, place)
    if not folder.is_dir():
        return
    from duramen.batch.keeping import join, remove, segments_of

    below = sorted(path for path in folder.iterdir() if path.is_dir())
    if args.keep is not None:
        join([path for crawl in below for path in segments_of(crawl)], Path(args.keep))
    for crawl in below:
        remove(crawl)
    if not any(folder.iterdir()):
        folder.rmdir()


def _folder(args: argparse.Namespace, place: Place) -> Path:
    """Where the segments are until then: beside the WARC that they become, or with the books of the run."""
    return Path(f"{args.keep}.parts") if args.keep is not None else place.work / _FOLDER


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)
