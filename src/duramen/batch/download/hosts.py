"""Whose turn it is: no more requests to a host at the same time, and no sooner after one another, than it may bear."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from duramen.batch.download.manners import Manners
from duramen.batch.download.target import Refused

_GIVE_UP = 8
"""Addresses in a row that a host gave no answer for, until it is no longer asked."""
_REMEMBERED = 10_000
"""Hosts that are remembered after their last request."""


_WAITING_BYTES = 64_000_000
"""Bytes of pages that may wait to be taken."""


class Flow:
    """Requests over all hosts: so many at a time, and none while as many outcomes, or too large ones, wait to be taken.

    So no more memory is used than for twice as many pages of the largest size as there may be requests at a time, and
    in practice far less.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._slots = asyncio.Semaphore(most)
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._untaken = 0
        self._bytes = 0

    def given(self, size: int) -> None:
        """An outcome of that size waits to be taken."""
        self._untaken += 1
        self._bytes += size
        if self._untaken >= self._most or self._bytes >= _WAITING_BYTES:
            self._has_room.clear()

    def taken(self, size: int) -> None:
        """It waits no longer."""
        self._untaken -= 1
        self._bytes -= size
        if self._untaken < self._most and self._bytes < _WAITING_BYTES:
            self._has_room.set()

    async def acquire(self) -> None:
        await self._has_room.wait()
        await self._slots.acquire()

    def release(self) -> None:
        self._slots.release()


class Host:
    """One host: when it may be asked again, and whether it answers at all."""

    def __init__(self, delay: float, per_host: int) -> None:
        self.delay = delay
        self._free_at = 0.0
        self._places = asyncio.Semaphore(per_host)
        self._next = asyncio.Lock()
        self._waiting = 0
        self._silent = 0

    @property
    def is_idle(self) -> bool:
        return not self._waiting and time.monotonic() > self._free_at

    def answered(self, does: bool) -> None:
        """Note whether it gave an answer to an address, after all attempts."""
        self._silent = 0 if does else self._silent + 1

    def pause(self, seconds: float) -> None:
        """Ask nothing of it for so long."""
        self._free_at = max(self._free_at, time.monotonic() + seconds)

    @contextlib.asynccontextmanager
    async def turn(self, flow: Flow) -> AsyncIterator[None]:
        """The time in which one request may be made; `Refused` for a host that gives no answers."""
        self._waiting += 1
        try:
            async with self._places:
                async with self._next:
                    if self._silent >= _GIVE_UP:
                        raise Refused("download", "the host has not answered for a while, and is no longer asked")
                    while (wait := self._free_at - time.monotonic()) > 0:  # a pause may be put in meanwhile
                        await asyncio.sleep(wait)
                    await flow.acquire()
                    self.pause(self.delay)
                try:
                    yield
                finally:
                    flow.release()
        finally:
            self._waiting -= 1


class Hosts:
    """All hosts. The oldest that nobody waits for are forgotten, so that a crawl of the web fits into memory."""

    def __init__(self, manners: Manners) -> None:
        self._manners = manners
        self._hosts: dict[str, Host] = {}

    def __getitem__(self, url: str) -> Host:
        name = urlsplit(url).hostname or ""
        host = self._hosts.pop(name, None)
        if host is None:
            host = Host(self._manners.delay, self._manners.per_host)
            if len(self._hosts) >= _REMEMBERED:
                self._forget()
        self._hosts[name] = host  # at the end: the one used last
        return host

    def _forget(self) -> None:
        idle = [name for name, host in self._hosts.items() if host.is_idle]
        for name in idle[: _REMEMBERED // 10]:
            del self._hosts[name]
