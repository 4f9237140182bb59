"""What a site asks of robots: its robots.txt, read by `protego` after RFC 9309, with Crawl-delay and Request-rate.

Where there is none (a status of the four hundreds), all is allowed. Where it cannot be had (the server fails, or does
not answer), nothing is: the RFC wants it so, since nobody knows what it would have said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from duramen.batch.download.manners import Manners
from duramen.batch.download.target import Answer, Refused
from duramen.errors import MissingExtraError

if TYPE_CHECKING:
    from protego import Protego

MAX_BYTES = 2_000_000
"""More is no robots.txt; RFC 9309 asks for at least 500 KiB."""

_REMEMBERED = 10_000
_TOO_MANY_REQUESTS = 429
_OF_THE_HOST = ("private", "download", "address")  # what is true of the host is true of the page


@dataclass(frozen=True)
class Rules:
    """What one site asks for: `parsed` is None where it asks for nothing."""

    parsed: Protego | None = None
    unknown: Refused | None = None
    """Why the rules could not be had."""

    def refuse(self, url: str, agent: str) -> None:
        """Raise `Refused` where a robot of that name should not ask for a page."""
        if self.unknown is not None:
            if self.unknown.kind in _OF_THE_HOST:
                raise Refused(self.unknown.kind, self.unknown.sentence)
            why = f"the site's robots.txt cannot be had ({self.unknown.sentence}), so nothing may be fetched"
            raise Refused("robots", why)
        if self.parsed is not None and not self.parsed.can_fetch(url, agent):
            raise Refused("robots", "the site's robots.txt asks robots not to fetch this")

    def delay(self, agent: str) -> float:
        """The seconds between two requests."""
        if self.parsed is None:
            return 0.0
        rate = self.parsed.request_rate(agent)
        by_rate = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return max(self.parsed.crawl_delay(agent) or 0.0, by_rate)


class Robots:
    """The rules of all sites, each asked for once."""

    def __init__(self, fetch: Callable[[str], Awaitable[Answer]], manners: Manners) -> None:
        try:
            from protego import Protego
        except ImportError:
            raise MissingExtraError("protego", "download") from None
        self._parse = Protego.parse
        self._fetch = fetch
        self._agent = agent_name(manners.user_agent)
        self._longest_wait = manners.longest_wait
        self._rules: dict[str, asyncio.Task[Rules]] = {}

    async def delay(self, url: str) -> float:
        """The seconds between two requests that the site asks for; raises `Refused` where it asks not to be asked."""
        rules = await self._known(url)
        rules.refuse(url, self._agent)
        delay = rules.delay(self._agent)
        if delay > self._longest_wait:
            raise Refused(
                "robots",
                f"the site's robots.txt asks for {delay:g} s between requests, more than the {self._longest_wait:g} s "
                "that are allowed",
            )
        return delay

    async def sitemaps(self, url: str) -> list[str]:
        """The sitemaps that the site's robots.txt names."""
        rules = await self._known(url)
        return list(rules.parsed.sitemaps) if rules.parsed is not None else []

    async def _known(self, url: str) -> Rules:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._rules:
            if len(self._rules) >= _REMEMBERED:
                self._forget()
            self._rules[origin] = asyncio.create_task(self._ask(f"{origin}/robots.txt"))
        # Whoever asked first may be cancelled; the others still want to know.
        return await asyncio.shield(self._rules[origin])

    async def _ask(self, url: str) -> Rules:
        try:
            answer = await self._fetch(url)
        except Refused as refusal:
            return Rules() if is_absent(refusal) else Rules(unknown=refusal)
        # In a thread: a long one takes a while, and others have a deadline.
        return Rules(await asyncio.to_thread(self._parse, answer.body.decode("utf-8", "replace")))

    def _forget(self) -> None:
        known = [origin for origin, task in self._rules.items() if task.done()]
        for origin in known[: _REMEMBERED // 10]:
            del self._rules[origin]


def is_absent(refusal: Refused) -> bool:
    """Whether a robots.txt that was refused is one that is not there, as opposed to one that cannot be had."""
    return refusal.status is not None and 400 <= refusal.status < 500 and refusal.status != _TOO_MANY_REQUESTS


def agent_name(user_agent: str) -> str:
    """The name that a robots.txt knows a robot by: the first word, or all of it for one that calls itself Mozilla."""
    name = user_agent.partition("/")[0].split()[0]
    return user_agent if name.lower() == "mozilla" else name
