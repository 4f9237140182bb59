"""Rules of robots.txt files, read by `protego` after RFC 9309, with Crawl-delay and Request-rate.

Without a robots.txt (status 4xx) everything is allowed. If it cannot be fetched (a server error, or no response),
nothing is: the RFC requires it, because the rules are unknown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from duramen.batch.crawl.messages import FetchRefused, HttpResponse
from duramen.batch.crawl.politeness import CrawlSettings
from duramen.errors import MissingExtraError

if TYPE_CHECKING:
    from protego import Protego

MAX_ROBOTS_BYTES = 2_000_000
"""RFC 9309 asks for at least 500 KiB."""

_MAX_REMEMBERED_SITES = 10_000
_TOO_MANY_REQUESTS = 429
_HOST_ERRORS = ("private", "download", "address")  # errors of the host apply to its pages as well


@dataclass(frozen=True)
class RobotsRules:
    """The rules of one site; `parsed` is None if it has none."""

    parsed: Protego | None = None
    failure: FetchRefused | None = None
    """Why the rules could not be fetched."""

    def check_allowed(self, url: str, agent: str) -> None:
        """Raise `FetchRefused` if a robot of this name may not fetch a page."""
        if self.failure is not None:
            if self.failure.kind in _HOST_ERRORS:
                raise FetchRefused(self.failure.kind, self.failure.sentence)
            why = f"the site's robots.txt cannot be fetched ({self.failure.sentence}), so nothing may be fetched"
            raise FetchRefused("robots", why)
        if self.parsed is not None and not self.parsed.can_fetch(url, agent):
            raise FetchRefused("robots", "the site's robots.txt asks robots not to fetch this")

    def delay(self, agent: str) -> float:
        """Return the seconds between two requests that the site asks for."""
        if self.parsed is None:
            return 0.0
        rate = self.parsed.request_rate(agent)
        by_rate = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return max(self.parsed.crawl_delay(agent) or 0.0, by_rate)


class RobotsCache:
    """The rules of all sites, each fetched once."""

    def __init__(self, fetch: Callable[[str], Awaitable[HttpResponse]], settings: CrawlSettings) -> None:
        try:
            from protego import Protego
        except ImportError:
            raise MissingExtraError("protego", "download") from None
        self._parse = Protego.parse
        self._fetch = fetch
        self._agent = find_agent_name(settings.user_agent)
        self._longest_wait = settings.longest_wait
        self._rules: dict[str, asyncio.Task[RobotsRules]] = {}

    async def check_delay(self, url: str) -> float:
        """Return the seconds between requests that a site asks for. Raises `FetchRefused` if a page is not allowed."""
        rules = await self._get_rules(url)
        rules.check_allowed(url, self._agent)
        delay = rules.delay(self._agent)
        if delay > self._longest_wait:
            raise FetchRefused(
                "robots",
                f"the site's robots.txt asks for {delay:g} s between requests, more than the {self._longest_wait:g} s "
                "that are allowed",
            )
        return delay

    async def find_sitemaps(self, url: str) -> list[str]:
        """Return the sitemaps that the site's robots.txt names."""
        rules = await self._get_rules(url)
        return list(rules.parsed.sitemaps) if rules.parsed is not None else []

    async def _get_rules(self, url: str) -> RobotsRules:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._rules:
            if len(self._rules) >= _MAX_REMEMBERED_SITES:
                self._forget()
            self._rules[origin] = asyncio.create_task(self._fetch_rules(f"{origin}/robots.txt"))
        # The first caller may be cancelled while others still wait for the rules.
        return await asyncio.shield(self._rules[origin])

    async def _fetch_rules(self, url: str) -> RobotsRules:
        try:
            response = await self._fetch(url)
        except FetchRefused as refusal:
            return RobotsRules() if is_absent(refusal) else RobotsRules(failure=refusal)
        # In a thread: parsing a long file takes a while, and other requests have deadlines.
        return RobotsRules(await asyncio.to_thread(self._parse, response.body.decode("utf-8", "replace")))

    def _forget(self) -> None:
        done = [origin for origin, task in self._rules.items() if task.done()]
        for origin in done[: _MAX_REMEMBERED_SITES // 10]:
            del self._rules[origin]


def is_absent(refusal: FetchRefused) -> bool:
    """True if there is no robots.txt, as opposed to one that could not be fetched."""
    return refusal.status is not None and 400 <= refusal.status < 500 and refusal.status != _TOO_MANY_REQUESTS


def find_agent_name(user_agent: str) -> str:
    """Return the name that rules apply to: the first word of the user agent, or all of it if that is Mozilla."""
    name = user_agent.partition("/")[0].split()[0]
    return user_agent if name.lower() == "mozilla" else name
