"""Rate limits: how many requests may run at a time and how soon a host may be asked again."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from duramen.batch.crawl.messages import FetchRefused
from duramen.batch.crawl.politeness import CrawlSettings

_MAX_UNANSWERED_URLS = 8
"""A host that gave no response to so many URLs in a row is no longer asked."""
_MAX_REMEMBERED_HOSTS = 10_000
_MAX_PENDING_BYTES = 64_000_000
"""Bytes of pages that may wait to be taken."""


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
