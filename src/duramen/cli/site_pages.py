"""The pages that a wrapper is learnt from: read, with their addresses, and with their items in the site's feed.

A saved page tells its address by its canonical link or by Open Graph's `og:url`; where it does not, or does so wrongly,
a list says it (`--urls`). Items of a feed are matched to pages by these addresses. What was matched is said.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.inputs import STDIN, Address, File, Input, Limits, find, is_address
from duramen.cli.progress import Progress, say, wants_bar
from duramen.errors import DuramenError, FetchError, InputError, UsageError

if TYPE_CHECKING:
    from duramen.wrappers import SamplePage
    from duramen.wrappers.feed import Feed, FeedItem

_NAMED = 5  # pages and items that are listed one by one


class Reading:
    """What comes of the inputs of `duramen learn`; `failed` pages are said, and the others read on."""

    def __init__(self, args: argparse.Namespace, limits: Limits) -> None:
        self.args = args
        self.limits = limits
        self.failed = 0
        self._private_items: bool | None = None  # whether items of the feed may lie on the local network

    def pages(self) -> list[SamplePage]:
        """All pages to learn from."""
        addresses = _addresses(self.args.urls) if self.args.urls is not None else {}
        feed = self._feed() if self.args.feed is not None else None
        pages = self._read(self._chosen(find(self.args.inputs)) if self.args.inputs else [], addresses)
        if feed is not None:
            pages = self._with_items(pages, feed)
        if not pages:
            raise InputError("nothing was learnt: none of the pages could be read")
        if self.args.query is not None:
            pages = [replace(page, query=self.args.query) for page in pages]
        return pages

    def _chosen(self, inputs: list[Input]) -> list[Input]:
        """No more than the limit, from all over the list: neighbours in a folder are often alike."""
        limit = self.args.limit
        if len(inputs) <= limit:
            return inputs
        if not self.args.quiet:
            say(f"of {len(inputs)} pages, {limit} are read, spread evenly; --limit changes that")
        return [inputs[at * len(inputs) // limit] for at in range(limit)]

    def _read(self, inputs: list[Input], addresses: dict[str, str]) -> list[SamplePage]:
        from duramen.metadata import Metadata
        from duramen.wrappers import SamplePage
        from duramen.wrappers.addresses import normalise

        found = []
        with Progress(len(inputs), bar=not self.args.quiet and wants_bar(len(inputs), to_stdout=False)) as progress:
            try:
                for source in inputs:
                    known = addresses.get(os.path.realpath(source.path)) if isinstance(source, File) else None
                    try:
                        page = source.read(self.limits, known)
                    except FetchError as error:  # names the address itself
                        self._fail(str(error), progress)
                    except DuramenError as error:
                        self._fail(f"{source.name}: {error}", progress)
                    else:
                        said = page.url or Metadata.read(page).url or ""
                        address = normalise(said)
                        url = said if address and address.host else None
                        found.append(SamplePage(replace(page, url=url), name=source.name))
                    progress.advance()
            except KeyboardInterrupt:
                done = f"after {progress.done} of {len(inputs)} pages; no wrapper was written"
                raise KeyboardInterrupt(done) from None
        return found

    def _fail(self, message: str, progress: Progress) -> None:
        self.failed += 1
        progress.say(message)

    def _feed(self) -> Feed:
        from duramen.wrappers.feed import read_feed

        name = self.args.feed
        if is_address(name):
            from duramen.net.fetch import fetch

            fetched = fetch(name, timeout=self.limits.timeout, max_bytes=self.limits.max_bytes, feed=True)
            data, url = fetched.body, fetched.url
            self._private_items = fetched.is_private  # a public feed sends nobody into the local network
        elif name == STDIN:
            raise UsageError("--feed is a file or a URL")
        else:
            try:
                data, url = Path(name).read_bytes(), None
            except OSError as error:
                raise InputError(f"{name}: cannot be read: {error.strerror or error}") from error
        try:
            return read_feed(data, url)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error

    def _with_items(self, pages: list[SamplePage], feed: Feed) -> list[SamplePage]:
        from duramen.wrappers.feed import match

        items = match(feed.items, [page.page for page in pages])
        matched = [replace(page, feed_item=item) for page, item in zip(pages, items, strict=True)]
        left = [item for item in feed.items if not any(item is other for other in items)]
        fetched = self._download([item for item in left if item.url]) if self.args.download else []
        if not self.args.quiet:
            self._tell_matches(matched, feed, len(left), len(fetched))
        if pages and not fetched and not any(items):
            raise InputError(
                f"none of the {len(feed.items)} items of the feed is one of the pages, as far as their addresses tell: "
                "--urls says the addresses of saved pages, and --download fetches the items' own"
            )
        return matched + fetched

    def _download(self, items: list[FeedItem]) -> list[SamplePage]:
        wanted = {str(item.url): item for item in items[: self.args.download]}
        found = find(list(wanted)) if wanted else []
        inputs = [replace(s, allow_private=self._private_items) if isinstance(s, Address) else s for s in found]
        pages = self._read(list(inputs), {})
        by_name = {source.name: wanted[source.url] for source in inputs if isinstance(source, Address)}
        return [replace(page, feed_item=by_name[page.name or ""]) for page in pages]

    def _tell_matches(self, pages: list[SamplePage], feed: Feed, left: int, fetched: int) -> None:
        if pages:
            lost = [page.name or "" for page in pages if page.feed_item is None]
            say(f"{len(pages) - len(lost)} of {len(pages)} pages are items of the feed")
            for name in lost[:_NAMED] if len(lost) < len(pages) else []:
                say(f"no item of the feed: {name}")
            if _NAMED < len(lost) < len(pages):
                say(f"and {len(lost) - _NAMED} more")
        if fetched:
            say(f"fetched {fetched} of {left} items{' that were not saved' if pages else ''}")


def _addresses(name: str) -> dict[str, str]:
    """The list of `--urls`: of each file its address. Files are looked for beside the list, and where we are."""
    path = Path(name)
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror or error if isinstance(error, OSError) else "it is not text in UTF-8"
        raise InputError(f"{name}: cannot be read: {why}") from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        file, _, url = line.strip().replace("\t", " ").rpartition(" ")
        if not file.strip() or not is_address(url):
            raise InputError(f"line {number} of {name} is not a file, a space and a URL: {line.strip()!r}")
        for folder in (path.parent, Path()):
            found.setdefault(os.path.realpath(folder / file.strip()), url)
    return found
