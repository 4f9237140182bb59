"""Downloads: many at a time, polite to hosts, within limits, and from the public internet only.

    targets ── Crawler ── Fetcher ── Client ── aiohttp
                            │  └── Hosts         delay and concurrency per host
                            └───── RobotsCache   the rules of each site's robots.txt

A *target* is a URL to download, with the place where it was found. Its *result* is a page or an error; every target has
exactly one. aiohttp does the HTTP: of the asynchronous clients it is the most steadily maintained, its license is
permissive, and it lets the caller choose the addresses it connects to. What a hostile server could abuse is not left to
it: redirects, decompression and cookies are switched off there and handled here, or not at all.
"""

from __future__ import annotations

from duramen.batch.crawl.crawler import Crawler
from duramen.batch.crawl.messages import FetchResult, FetchTarget, HttpResponse
from duramen.batch.crawl.politeness import CrawlSettings

__all__ = ["CrawlSettings", "Crawler", "FetchResult", "FetchTarget", "HttpResponse"]
