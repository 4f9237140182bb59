"""Politeness: the settings of a crawl, and the limits on requests to one host and to all."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

from duramen.batch.crawl.messages import FetchRefused
from duramen.errors import UsageError
from duramen.net.http import MAX_REDIRECTS, USER_AGENT

_MAX_UNANSWERED_URLS = 8
"""A host that gave no response to so many URLs in a row is no longer asked."""
_MAX_REMEMBERED_HOSTS = 10_000
_MAX_PENDING_BYTES = 64_000_000
"""Bytes of pages that may wait to be taken."""


@dataclass(frozen=True)
class CrawlSettings:
    """Settings of downloads. The defaults should disturb no site. The field names are stored in `run.json`."""

    user_agent: str = USER_AGENT
    delay: float = 1.0
    """Seconds between the starts of two requests to a host; a robots.txt may ask for more."""
    per_host: int = 1
    """Simultaneous requests to one host."""
    concurrency: int = 32
    """Simultaneous requests to all hosts."""
    timeout: float = 20.0
    """Seconds for one request, from the name lookup to the last byte."""
    max_bytes: int = 20_000_000
    """Bytes of one response, as received and decompressed."""
    max_redirects: int = MAX_REDIRECTS
    retries: int = 2
    """Retries after a transient failure."""
    backoff: float = 1.0
    """Seconds before the first retry, about; each further retry waits twice as long."""
    longest_wait: float = 60.0
    """A site that asks for a longer wait between requests, by Crawl-delay or Retry-After, is not crawled."""
    max_addresses: int = 1_000_000
    """URLs taken from one feed or sitemap, with all the sitemaps that it names."""
    robots: bool = True
    """Obey robots.txt."""
    allow_private: bool = False
    """Allow addresses of private networks."""

    def __post_init__(self) -> None:
        if not self.user_agent.strip() or not self.user_agent.isprintable() or not self.user_agent.isascii():
            raise UsageError(
                "the user agent must be one line of printable ASCII, such as  mybot/1.0 (+https://example.org)"
            )
        for name in ("per_host", "concurrency", "max_bytes", "max_addresses"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name.replace('_', '-')} must be 1 or more, not {getattr(self, name)}")
        for name in ("delay", "retries", "backoff", "max_redirects", "longest_wait"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name.replace('_', '-')} must be 0 or more, not {getattr(self, name)}")
        if not self.timeout > 0:
            raise UsageError(f"timeout must be more than 0 seconds, not {self.timeout:g}")

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, saved: str) -> CrawlSettings:
        return cls(**json.loads(saved))


class RequestLimiter:
    """Limits the requests to all hosts; no request starts while too many or too large results wait to be taken.

    So memory holds at most twice as many pages of the largest size as there may be requests, and usually far less.
    """

    def __init__(self, max_requests: int) -> None:
        self._max_requests = max_requests
        self._slots = asyncio.Semaphore(max_requests)
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._pending = 0
        self._pending_bytes = 0

    def result_added(self, size: int) -> None:
        """Count a result of this size that waits to be taken."""
        self._pending += 1
        self._pending_bytes += size
        if self._pending >= self._max_requests or self._pending_bytes >= _MAX_PENDING_BYTES:
            self._has_room.clear()

    def result_taken(self, size: int) -> None:
        """Count a result of this size that has been taken."""
        self._pending -= 1
        self._pending_bytes -= size
        if self._pending < self._max_requests and self._pending_bytes < _MAX_PENDING_BYTES:
            self._has_room.set()

    async def acquire(self) -> None:
        await self._has_room.wait()
        await self._slots.acquire()

    def release(self) -> None:
        self._slots.release()


class Host:
    """One host: when it may be asked again, and whether it answers."""

    def __init__(self, delay: float, per_host: int) -> None:
        self.delay = delay
        self._free_at = 0.0
        self._slots = asyncio.Semaphore(per_host)
        self._next = asyncio.Lock()
        self._waiting = 0
        self._unanswered = 0

    @property
    def is_idle(self) -> bool:
        return not self._waiting and time.monotonic() > self._free_at

    def note_answer(self, answered: bool) -> None:
        """Note whether the host answered for a URL, after all retries."""
        self._unanswered = 0 if answered else self._unanswered + 1

    def pause(self, seconds: float) -> None:
        """Send it no request for so long."""
        self._free_at = max(self._free_at, time.monotonic() + seconds)

    @contextlib.asynccontextmanager
    async def slot(self, limiter: RequestLimiter) -> AsyncIterator[None]:
        """Wait until one request may be sent. Raises `FetchRefused` for a host that does not answer."""
        self._waiting += 1
        try:
            async with self._slots:
                async with self._next:
                    if self._unanswered >= _MAX_UNANSWERED_URLS:
                        raise FetchRefused("download", "the host has stopped answering and is no longer asked")
                    while (wait := self._free_at - time.monotonic()) > 0:  # a pause may be added meanwhile
                        await asyncio.sleep(wait)
                    await limiter.acquire()
                    self.pause(self.delay)
                try:
                    yield
                finally:
                    limiter.release()
        finally:
            self._waiting -= 1


class Hosts:
    """All hosts. The oldest idle ones are forgotten, so that a crawl of the web fits into memory."""

    def __init__(self, settings: CrawlSettings) -> None:
        self._settings = settings
        self._hosts: dict[str, Host] = {}

    def __getitem__(self, url: str) -> Host:
        name = urlsplit(url).hostname or ""
        host = self._hosts.pop(name, None)
        if host is None:
            host = Host(self._settings.delay, self._settings.per_host)
            if len(self._hosts) >= _MAX_REMEMBERED_HOSTS:
                self._forget_idle()
        self._hosts[name] = host  # at the end: the most recently used
        return host

    def _forget_idle(self) -> None:
        idle = [name for name, host in self._hosts.items() if host.is_idle]
        for name in idle[: _MAX_REMEMBERED_HOSTS // 10]:
            del self._hosts[name]
