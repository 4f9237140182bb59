"""Seeds of a crawl: the pages, lists, feeds and sitemaps that a command names, as files or on the web.

The content of a seed decides what it is. On the web, a sitemap, a feed, a list of URLs and a robots.txt (which names
the sitemaps) give the URLs they hold; anything else is a page. A local file is never a page: it is a sitemap, a feed or
a list. A seed that cannot be read gives a result with an error, which becomes a row.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from io import BytesIO
from urllib.parse import urlsplit

from duramen.batch.crawl.client import refuse_non_html
from duramen.batch.crawl.crawler import TargetStream, make_url_key
from duramen.batch.crawl.fetcher import Fetcher
from duramen.batch.crawl.messages import FetchRefused, FetchResult, FetchTarget, HttpResponse
from duramen.batch.crawl.politeness import CrawlSettings
from duramen.batch.crawl.sitemaps import (
    MAX_SITEMAP_BYTES,
    MAX_SITEMAP_DEPTH,
    MAX_SITEMAPS,
    decompress,
    find_encoding,
    is_feed,
    is_feed_cut_off,
    is_sitemap,
    is_url_list,
    read_feed_urls,
    read_sitemap,
    read_url_list,
)
from duramen.batch.inputs.io import describe_damage, open_decompressed, read_at_most
from duramen.dom.encoding import refuse_other_formats
from duramen.dom.urls import make_absolute
from duramen.errors import DuramenError, InputError, NotHTMLError

_WEB_URL = re.compile(r"https?://", re.IGNORECASE)
_HEAD_BYTES = 1 << 16
_TARGETS_PER_TURN = 1_000
"""Targets after which the other tasks of the event loop get a turn."""

Targets = AsyncIterator[FetchTarget | FetchResult]


def make_target_streams(
    names: Iterable[str], settings: CrawlSettings, done: Set[bytes] = frozenset()
) -> list[TargetStream]:
    """Make a stream of targets for each seed. A page in `done` is not fetched again to see what it is."""
    return [_Seed(name, settings).find_targets for name in names if make_url_key(name) not in done]


def holds_urls(path: str) -> bool:
    """True for a local sitemap, feed or list of URLs; false if the file cannot be read."""
    try:
        head = _read_file(path, _HEAD_BYTES)
    except InputError:
        return False
    return is_sitemap(head) or is_feed(head) or is_url_list(head)


def refuse_binary(path: str) -> None:
    """Raise an `InputError` for a file that can be neither a list nor a page, such as an image named urls.txt."""
    try:
        head = _read_file(path, _HEAD_BYTES)
    except InputError:
        return  # the row of the file will report it
    try:
        refuse_other_formats(head)
    except NotHTMLError as error:
        raise InputError(f"{path}: {error}, and not a list of URLs") from error


@dataclass(frozen=True)
class _Seed:
    name: str
    settings: CrawlSettings

    async def find_targets(self, fetcher: Fetcher) -> Targets:
        if _WEB_URL.match(self.name):
            is_robots = urlsplit(self.name).path == "/robots.txt"
            targets = self._read_robots(fetcher) if is_robots else self._read_web(fetcher)
        else:
            targets = self._read_local(fetcher)
        count = 0
        try:
            async for target in targets:
                yield target
                count += 1
                if count % _TARGETS_PER_TURN == 0:
                    await asyncio.sleep(0)
        except DuramenError:
            raise
        except Exception as error:  # an unexpected list must not end the other downloads
            yield _failed_list(self.name, f"unexpected {type(error).__name__}: {error}")

    async def _read_local(self, fetcher: Fetcher) -> Targets:
        try:
            head = await asyncio.to_thread(_read_file, self.name, _HEAD_BYTES)
            if is_url_list(head):
                for number, url in _read_lines(self.name, find_encoding(head)):
                    yield FetchTarget(url, self.name, number)
                return
            is_whole = len(head) <= _HEAD_BYTES
            data = head if is_whole else await asyncio.to_thread(_read_file, self.name, MAX_SITEMAP_BYTES)
        except InputError as error:
            yield _failed_list(self.name, str(error))
            return
        async for target in self._read_list(data, self.name, None, fetcher):
            yield target

    async def _read_robots(self, fetcher: Fetcher) -> Targets:
        sitemaps = await fetcher.robots.find_sitemaps(self.name)
        if not sitemaps:
            yield _failed_list(self.name, "this robots.txt names no sitemap, or cannot be fetched")
        async for target in self._read_sitemaps([make_absolute(url, self.name) for url in sitemaps], fetcher):
            yield target

    async def _read_web(self, fetcher: Fetcher) -> Targets:
        target = FetchTarget(self.name, self.name)
        result = await fetcher.fetch(target, kind="any", max_bytes=MAX_SITEMAP_BYTES)
        page = result.page
        if page is None:
            yield result
            return
        try:
            data = await asyncio.to_thread(decompress, page.body)
        except InputError as error:
            yield _failed_list(self.name, str(error))
            return
        if is_sitemap(data) or is_feed(data) or is_url_list(data):
            async for target_of_list in self._read_list(data, self.name, page.url, fetcher):
                yield target_of_list
        else:
            yield replace(result, error=self._page_error(page))

    def _page_error(self, response: HttpResponse) -> str | None:
        """Return why a response is not a page. It was fetched without these checks, since it could be a sitemap."""
        try:
            refuse_non_html(response, response.body)
        except FetchRefused as refusal:
            return str(refusal)
        if len(response.body) > self.settings.max_bytes:
            return f"too-large: larger than {self.settings.max_bytes:,} bytes"
        return None

    async def _read_list(self, data: bytes, name: str, url: str | None, fetcher: Fetcher) -> Targets:
        """Give the targets of a sitemap, feed or list. `url` is its URL on the web, `name` its name in rows."""
        if is_sitemap(data):
            async for target in self._read_sitemaps([name], fetcher, {name: (data, url)}):
                yield target
            return
        try:
            urls = await asyncio.to_thread(_read_urls, data, url)
        except InputError as error:
            yield _failed_list(name, str(error))
            return
        for number, page_url in urls[: self.settings.max_addresses]:
            yield FetchTarget(page_url, name, number)
        if is_feed_cut_off(data):
            yield _failed_list(name, f"the feed is cut off; the URLs before that are used: {len(urls):,}")
        if len(urls) > self.settings.max_addresses:
            yield self._too_many_urls(name)

    async def _read_sitemaps(
        self, names: list[str], fetcher: Fetcher, loaded: dict[str, tuple[bytes, str | None]] | None = None
    ) -> Targets:
        """Give the targets of sitemaps and of those that they name, in order and each sitemap once."""
        stack = [(name, 1) for name in reversed(names)]
        seen: set[str] = set()
        left = self.settings.max_addresses
        while stack:
            name, depth = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            if depth > MAX_SITEMAP_DEPTH:
                yield _failed_list(name, f"sitemaps nested deeper than {MAX_SITEMAP_DEPTH} levels: not followed")
                continue
            if len(seen) > MAX_SITEMAPS:
                yield _failed_list(name, f"more than {MAX_SITEMAPS:,} nested sitemaps: not followed")
                return
            try:
                data, url = loaded[name] if loaded and name in loaded else await self._fetch_list(name, fetcher)
                if is_sitemap(data):
                    sitemap = await asyncio.to_thread(read_sitemap, data, url)
                    urls, problem = list(enumerate(sitemap.pages, 1)), sitemap.problem
                    stack.extend((nested, depth + 1) for nested in reversed(sitemap.sitemaps))
                else:
                    urls, problem = await asyncio.to_thread(_read_urls, data, url), None
            except _FetchFailed as failure:
                yield failure.result
                continue
            except InputError as error:
                yield _failed_list(name, str(error))
                continue
            for number, page_url in urls[:left]:
                yield FetchTarget(page_url, name, number)
            if problem is not None:
                yield _failed_list(name, f"{problem}; the URLs before that are used: {len(urls):,}")
            if len(urls) > left:
                yield self._too_many_urls(name)
                return
            left -= len(urls)

    async def _fetch_list(self, name: str, fetcher: Fetcher) -> tuple[bytes, str]:
        target = FetchTarget(name, name, is_list=True)
        result = await fetcher.fetch(target, kind="any", max_bytes=MAX_SITEMAP_BYTES)
        if result.page is None:
            raise _FetchFailed(result)
        return await asyncio.to_thread(decompress, result.page.body), result.page.url

    def _too_many_urls(self, name: str) -> FetchResult:
        return _failed_list(name, f"more than {self.settings.max_addresses:,} URLs: the rest was left out")


class _FetchFailed(Exception):  # noqa: N818 - a result, not a fault
    def __init__(self, result: FetchResult) -> None:
        self.result = result


def _read_urls(data: bytes, url: str | None) -> list[tuple[int, str]]:
    """Read the URLs of a feed or a list; the sitemap protocol allows both."""
    if is_feed(data):
        return read_feed_urls(data, url)
    if not is_url_list(data):
        raise InputError("this is neither a sitemap nor a feed, nor a list with one http:// or https:// URL per line")
    return list(read_url_list(BytesIO(data), find_encoding(data)))


def _read_file(path: str, max_bytes: int) -> bytes:
    """Read a file, decompressed, up to one byte more than `max_bytes`."""
    try:
        with open_decompressed(path) as file:
            data = read_at_most(file, max_bytes)
    except Exception as error:
        raise _as_input_error(error) from error
    if max_bytes == MAX_SITEMAP_BYTES and len(data) > max_bytes:
        raise InputError(f"larger than {max_bytes:,} bytes, decompressed: too large for a feed or a sitemap")
    return data


def _read_lines(path: str, encoding: str) -> Iterator[tuple[int, str]]:
    """Give the URLs of a list of any length."""
    try:
        with open_decompressed(path) as file:
            yield from read_url_list(file, encoding)
    except Exception as error:
        raise _as_input_error(error) from error


def _as_input_error(error: Exception) -> Exception:
    """Return an `InputError` if the file is at fault, otherwise the error itself."""
    damage = describe_damage(error)
    if damage is not None:
        return InputError(damage)
    if isinstance(error, OSError):
        return InputError((error.strerror or str(error)).lower())
    return error


def _failed_list(name: str, sentence: str) -> FetchResult:
    return FetchResult(FetchTarget(name, name, is_list=True), (), f"unreadable: {sentence}")
