"""Downloads of `duramen run`: the options, the settings they give, and the WARC file kept at the end."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.options import parse_delay
from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.batch.outputs.output_paths import OutputLayout
    from duramen.batch.settings import RunSettings

_DOWNLOADS_FOLDER = "downloads"
_WARC_SUFFIX = ".warc.gz"


def add_download_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for downloads."""
    option = parser.add_argument_group(
        "downloads", "for an INPUT that is a URL, or a file of URLs: a list with one URL per line, a feed, a sitemap"
    ).add_argument
    option("--keep", metavar="FILE", help="keep the downloaded pages in this WARC file, such as crawl.warc.gz")
    option(
        "--user-agent",
        metavar="TEXT",
        help="User-Agent header: say who you are and how to reach you (default: duramen and its version)",
    )
    option("--delay", type=parse_delay, default=1.0, metavar="SECONDS", help="between requests to a host (default: 1)")
    option("--per-host", type=_parse_count, default=1, metavar="N", help="simultaneous requests to a host (default: 1)")
    option("--concurrency", type=_parse_count, default=32, metavar="N", help="simultaneous requests (default: 32)")
    option("--request-timeout", type=parse_delay, default=20.0, metavar="SECONDS", help="time limit (default: 20)")
    option("--retries", type=_parse_count, default=2, metavar="N", help="after temporary failures (default: 2)")
    option(
        "--longest-wait",
        type=parse_delay,
        default=60.0,
        metavar="SECONDS",
        help="skip a site that asks for a longer wait between requests (default: 60)",
    )
    option("--ignore-robots", action="store_true", help="do not read robots.txt: only for sites of your own")
    option(
        "--allow-private",
        action="store_true",
        help="also fetch from this computer and the local network, but never from link-local addresses",
    )


def add_download_settings(settings: RunSettings, args: argparse.Namespace, layout: OutputLayout) -> RunSettings:
    """Return the settings with those for downloads, if there is anything to download."""
    from duramen.batch.inputs import parse_inputs

    if not any(source.kind == "addresses" for source in parse_inputs(args.inputs)):
        if args.keep is not None:
            raise UsageError("--keep is for downloads, and nothing here is downloaded")
        return settings
    from duramen.batch.crawl.politeness import CrawlSettings
    from duramen.batch.settings import CRAWL_SETTINGS_KEY, DOWNLOAD_FOLDER_KEY
    from duramen.net.http import USER_AGENT

    _check_keep(args, layout)
    crawl = CrawlSettings(
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
    folder = _find_segments_folder(args, layout)
    given = (*settings.reading.given, (DOWNLOAD_FOLDER_KEY, str(folder)), (CRAWL_SETTINGS_KEY, crawl.to_json()))
    return replace(settings, reading=replace(settings.reading, given=given))


def _check_keep(args: argparse.Namespace, layout: OutputLayout) -> None:
    """Check before the run whether the WARC file can be written after it."""
    from duramen.batch.outputs.output_paths import REPORT

    if args.keep is None:
        return
    keep = Path(args.keep)
    if not args.keep.lower().endswith(_WARC_SUFFIX) or keep.is_dir():
        raise UsageError(f"--keep writes a gzipped WARC: give it a name that ends in {_WARC_SUFFIX}, not {args.keep}")
    if not keep.absolute().parent.is_dir():
        raise UsageError(f"{keep} cannot be written: there is no folder {keep.absolute().parent}")
    is_finished = (layout.run_folder / REPORT).exists() and not args.overwrite
    if keep.exists() and not is_finished and not _find_segments_folder(args, layout).exists():
        raise UsageError(f"{keep} exists: name it as INPUT to extract it again, or give --keep another name")


def finish_downloads(args: argparse.Namespace, layout: OutputLayout) -> None:
    """After a finished run, join the segments to one WARC file, or delete them."""
    folder = _find_segments_folder(args, layout)
    if not folder.is_dir():
        return
    from duramen.batch.crawl.warc_writer import join_segments, list_segments, remove_segments

    crawls = sorted(path for path in folder.iterdir() if path.is_dir())
    if args.keep is not None:
        join_segments([path for crawl in crawls for path in list_segments(crawl)], Path(args.keep))
    for crawl in crawls:
        remove_segments(crawl)
    if not any(folder.iterdir()):
        folder.rmdir()


def _find_segments_folder(args: argparse.Namespace, layout: OutputLayout) -> Path:
    """Return the folder of the WARC segments: beside the final WARC file, or with the state of the run."""
    return Path(f"{args.keep}.parts") if args.keep is not None else layout.run_folder / _DOWNLOADS_FOLDER


def _parse_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)
