"""Follow the pages of a list: one host, a delay between requests, robots.txt obeyed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from duramen.batch.crawl.client import Client
from duramen.batch.crawl.fetcher import Fetcher
from duramen.batch.crawl.messages import FetchTarget
from duramen.batch.crawl.politeness import CrawlSettings, RequestLimiter
from duramen.dom.page import Page
from duramen.errors import FetchError

FindNext = Callable[[Page], str | None]
"""From a page to the URL of the next one."""


def follow_pages(first: Page, find_next: FindNext, limit: int, settings: CrawlSettings) -> Iterator[Page]:
    """Give at most `limit` pages that follow a page, each found on the one before it.

    Pages of other hosts and pages that were seen are not followed. Raise `FetchError` if one cannot be downloaded.
    """
    seen = {_without_fragment(first.url or "")}
    page = first
    with asyncio.Runner() as runner:
        client = Client(settings)
        runner.run(client.__aenter__())
        try:
            fetcher = Fetcher(client, settings, RequestLimiter(1))
            for _ in range(limit):
                url = find_next(page)
                if url is None or _without_fragment(url) in seen or _host(url) != _host(first.url or ""):
                    return
                seen.add(_without_fragment(url))
                result = runner.run(fetcher.fetch(FetchTarget(url, url)))
                if result.page is None:
                    raise FetchError(f"{url}: {(result.error or '').partition(': ')[2]}")
                response = result.page
                page = Page.parse(response.body, url=response.url, headers=dict(response.headers))
                yield page
        finally:
            runner.run(client.__aexit__())


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).netloc
    except ValueError:  # "http://[broken"
        return None
