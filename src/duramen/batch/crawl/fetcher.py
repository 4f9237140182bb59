"""Fetch a URL: obey robots.txt, wait for the host's slot, follow redirects, retry transient failures."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from duramen.batch.crawl.client import Client, TransientFetchError
from duramen.batch.crawl.messages import FetchRefused, FetchResult, FetchTarget, HttpResponse
from duramen.batch.crawl.politeness import CrawlSettings, Host, Hosts, RequestLimiter
from duramen.batch.crawl.robots import MAX_ROBOTS_BYTES, RobotsCache
from duramen.net.http import REDIRECTS, explain_status, prepare_url, resolve_redirect

_TRANSIENT_STATUSES = (408, 429, 500, 502, 503, 504)
_OVERLOAD_STATUSES = (429, 503)
"""After these the whole host is left alone for a while."""


class Fetcher:
    """Fetches URLs within the crawl settings."""

    def __init__(self, client: Client, settings: CrawlSettings, limiter: RequestLimiter) -> None:
        self._client = client
        self._settings = settings
        self._hosts = Hosts(settings)
        self._limiter = limiter
        self.robots = RobotsCache(self._fetch_robots, settings)

    async def fetch(self, target: FetchTarget, kind: str = "page", max_bytes: int | None = None) -> FetchResult:
        """Fetch a target. `kind` is "page" for HTML only, or "any"."""
        responses: list[HttpResponse] = []
        try:
            await self._follow_redirects(target.url, kind, max_bytes, responses)
        except FetchRefused as refusal:
            return FetchResult(target, tuple(responses), str(refusal))
        except Exception as error:  # an unexpected response must not end the other downloads
            return FetchResult(target, tuple(responses), f"download: unexpected {type(error).__name__}: {error}")
        return FetchResult(target, tuple(responses))

    async def _fetch_robots(self, url: str) -> HttpResponse:
        return await self._follow_redirects(url, "any", MAX_ROBOTS_BYTES, [], robots=False)

    async def _follow_redirects(
        self, url: str, kind: str, max_bytes: int | None, responses: list[HttpResponse], robots: bool = True
    ) -> HttpResponse:
        """Return the response after all redirects. The rules apply to every host on the way."""
        for _ in range(self._settings.max_redirects + 1):
            url = make_fetchable(url)
            host = self._hosts[url]
            if robots and self._settings.robots:
                host.delay = max(host.delay, await self.robots.check_delay(url))
            response = await self._request(url, host, kind, max_bytes)
            responses.append(response)
            location = response.header("location")
            if response.status not in REDIRECTS or not location:
                if not 200 <= response.status < 300:
                    raise FetchRefused("status", explain_status(response.status, response.reason), response.status)
                return response
            try:
                url = resolve_redirect(response.url, location)
            except ValueError:
                raise FetchRefused("address", "the site redirects to something that is not a URL") from None
        limit = self._settings.max_redirects
        raise FetchRefused("redirects", f"more than {limit} redirects: the site redirects in a circle")

    async def _request(self, url: str, host: Host, kind: str, max_bytes: int | None) -> HttpResponse:
        """Send a request, and retry after a transient failure."""
        failure = ""
        for attempt in range(self._settings.retries + 1):
            wait = self._settings.backoff * 2**attempt * random.uniform(0.5, 1.0)  # random: not all at the same time
            try:
                async with host.slot(self._limiter):
                    response = await self._client.get(url, kind=kind, max_bytes=max_bytes)
            except TransientFetchError as error:
                failure = str(error)
            else:
                host.note_answer(True)
                if response.status not in _TRANSIENT_STATUSES or attempt == self._settings.retries:
                    return response
                asked = parse_retry_after(response)
                longest = self._settings.longest_wait
                if asked > longest:
                    why = f"the site asks to wait {asked:.0f} s, more than the {longest:g} s allowed"
                    raise FetchRefused("status", f"HTTP status {response.status}: {why}", response.status)
                wait = max(wait, asked)
                if response.status in _OVERLOAD_STATUSES:
                    host.pause(wait)
            if attempt < self._settings.retries:
                await asyncio.sleep(wait)
        host.note_answer(False)
        times = f"tried {self._settings.retries + 1} times" if self._settings.retries else "tried once"
        raise FetchRefused("download", f"{failure} ({times})")


def make_fetchable(url: str) -> str:
    """Return a URL as HTTP needs it. Raises `FetchRefused` for other text and for a URL with a password."""
    try:
        target, credentials = prepare_url(url)
    except ValueError as error:
        raise FetchRefused("address", str(error)) from None
    if credentials is not None:
        raise FetchRefused("address", "it holds a user name or a password: these are neither sent nor stored")
    return target


def parse_retry_after(response: HttpResponse) -> float:
    """Return the seconds that the server asks to wait; 0 if it does not say."""
    value = response.header("retry-after").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, IndexError, TypeError):  # raised for invalid dates
        return 0.0
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
