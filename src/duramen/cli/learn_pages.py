"""The pages that `duramen learn` learns from, with their URLs and their items in the site's feed.

The URL of a saved page is its canonical link or its `og:url`; where these are missing or wrong, a list gives it
(`--urls`). Items of a feed are matched to pages by URL.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.inputs import STDIN, FileInput, Input, ReadLimits, UrlInput, find_inputs, is_url
from duramen.cli.progress import Progress, count, count_pages, say, say_first, wants_bar
from duramen.errors import DuramenError, FetchError, InputError, UsageError

if TYPE_CHECKING:
    from duramen.wrappers import SamplePage
    from duramen.wrappers.feed import Feed, FeedItem

_MAX_NAMES_LISTED = 5


class SamplePageReader:
    """Reads the pages of `duramen learn`. Pages that cannot be read are reported, and counted in `failed`."""

    def __init__(self, args: argparse.Namespace, limits: ReadLimits) -> None:
        self.args = args
        self.limits = limits
        self.failed = 0
        self._allow_private_items: bool | None = None  # whether items of the feed may be on the local network

    def read_all(self) -> list[SamplePage]:
        """Read all pages to learn from."""
        urls = _read_url_list(self.args.urls) if self.args.urls is not None else {}
        feed = self._read_feed() if self.args.feed is not None else None
        pages = self._read_pages(self._limit(find_inputs(self.args.inputs)) if self.args.inputs else [], urls)
        if feed is not None:
            pages = self._add_feed_items(pages, feed)
        if not pages:
            raise InputError("nothing was learned: none of the pages could be read")
        if self.args.query is not None:
            pages = [replace(page, query=self.args.query) for page in pages]
        return pages

    def _limit(self, inputs: list[Input]) -> list[Input]:
        """Choose at most --limit inputs, spread evenly: neighbors in a folder are often alike."""
        limit = self.args.limit
        if len(inputs) <= limit:
            return inputs
        if not self.args.quiet:
            say(f"{limit} of {len(inputs)} pages are read, spread evenly; --limit changes that")
        return [inputs[number * len(inputs) // limit] for number in range(limit)]

    def _read_pages(self, inputs: list[Input], urls: dict[str, str]) -> list[SamplePage]:
        from duramen.dom.urls import normalize_url
        from duramen.metadata import Metadata
        from duramen.wrappers import SamplePage

        pages = []
        with Progress(len(inputs), bar=not self.args.quiet and wants_bar(len(inputs), to_stdout=False)) as progress:
            try:
                for source in inputs:
                    listed_url = urls.get(os.path.realpath(source.path)) if isinstance(source, FileInput) else None
                    try:
                        page = source.read(self.limits, listed_url)
                    except FetchError as error:  # its message has the URL
                        self._fail(str(error), progress)
                    except DuramenError as error:
                        self._fail(f"{source.name}: {error}", progress)
                    else:
                        stated_url = page.url or Metadata.read(page).url or ""
                        address = normalize_url(stated_url)
                        url = stated_url if address and address.host else None
                        pages.append(SamplePage(replace(page, url=url), name=source.name))
                    progress.advance()
            except KeyboardInterrupt:
                done = f"after {progress.done} of {count_pages(len(inputs))}; no wrapper was written"
                raise KeyboardInterrupt(done) from None
        return pages

    def _fail(self, message: str, progress: Progress) -> None:
        self.failed += 1
        progress.say(message)

    def _read_feed(self) -> Feed:
        from duramen.wrappers.feed import read_feed

        name = self.args.feed
        if is_url(name):
            from duramen.net.fetch import fetch

            fetched = fetch(name, timeout=self.limits.timeout, max_bytes=self.limits.max_bytes, feed=True)
            data, url = fetched.body, fetched.url
            self._allow_private_items = fetched.is_private  # a public feed must not lead into the local network
        elif name == STDIN:
            raise UsageError("--feed must be a file or a URL, not standard input")
        else:
            try:
                data, url = Path(name).read_bytes(), None
            except OSError as error:
                raise InputError(f"{name}: cannot be read: {error.strerror or error}") from error
        try:
            return read_feed(data, url)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error

    def _add_feed_items(self, pages: list[SamplePage], feed: Feed) -> list[SamplePage]:
        from duramen.wrappers.feed import match_items

        items = match_items(feed.items, [page.page for page in pages])
        matched = [replace(page, feed_item=item) for page, item in zip(pages, items, strict=True)]
        unmatched = [item for item in feed.items if not any(item is other for other in items)]
        fetched = self._download([item for item in unmatched if item.url]) if self.args.download else []
        if not self.args.quiet:
            _report_matches(matched, len(unmatched), len(fetched))
        if pages and not fetched and not any(items):
            raise InputError(
                "none of the items of the feed has the URL of one of the pages: "
                "--urls gives the URLs of saved pages, and --download fetches the pages of the items"
            )
        return matched + fetched

    def _download(self, items: list[FeedItem]) -> list[SamplePage]:
        wanted = {str(item.url): item for item in items[: self.args.download]}
        inputs = [
            replace(source, allow_private=self._allow_private_items) if isinstance(source, UrlInput) else source
            for source in (find_inputs(list(wanted)) if wanted else [])
        ]
        pages = self._read_pages(list(inputs), {})
        by_name = {source.name: wanted[source.url] for source in inputs if isinstance(source, UrlInput)}
        return [replace(page, feed_item=by_name[page.name or ""]) for page in pages]


def _report_matches(pages: list[SamplePage], unmatched_items: int, fetched: int) -> None:
    if pages:
        unmatched = [page.name or "" for page in pages if page.feed_item is None]
        say(f"items of the feed: {len(pages) - len(unmatched)} of {count_pages(len(pages))}")
        if len(unmatched) < len(pages):
            say_first([f"not in the feed: {name}" for name in unmatched], _MAX_NAMES_LISTED, "")
    if fetched:
        say(f"fetched {fetched} of {count(unmatched_items, 'item')}{' that were not among the pages' if pages else ''}")


def _read_url_list(name: str) -> dict[str, str]:
    """Read the list of --urls: the URL of each file. Files are searched beside the list and in the current folder."""
    path = Path(name)
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror or error if isinstance(error, OSError) else "it is not text in UTF-8"
        raise InputError(f"{name}: cannot be read: {reason}") from error
    urls: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        file, _, url = line.strip().replace("\t", " ").rpartition(" ")
        if not file.strip() or not is_url(url):
            raise InputError(f"line {number} of {name} is not a file, a space and a URL: {line.strip()!r}")
        for folder in (path.parent, Path()):
            urls.setdefault(os.path.realpath(folder / file.strip()), url)
    return urls
