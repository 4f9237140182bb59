"""Many targets: an event loop in a thread of its own, and the outcomes one by one for whoever iterates.

Outcomes come in the order in which they are ready. Who takes them slowly slows the downloads down: while as many
outcomes wait as there may be requests at a time, no request is made. At most `WINDOW` targets are known at a time, so a
list may be of any length.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import queue
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Self

from duramen.batch.download.client import Client
from duramen.batch.download.hosts import Flow
from duramen.batch.download.manners import Manners
from duramen.batch.download.target import Outcome, Refused, Target, shown
from duramen.batch.download.visit import Visitor, fetchable

WINDOW = 10_000
_LISTS = 32
"""Lists, feeds and sitemaps that are read at the same time."""

Stream = Callable[[Visitor], AsyncIterator[Target | Outcome]]
"""What gives targets: it may ask the visitor for the feed or the sitemap that they are in. An outcome among them is
that of something it has visited itself."""


class Crawl:
    """The outcomes of all targets, each address once. To be used in a `with`, and iterated over once.

    Addresses that were `done` before are passed over; those that come a second time are counted in `skipped`.
    """

    def __init__(self, streams: Sequence[Stream], manners: Manners, done: set[bytes] | None = None) -> None:
        self.skipped: Counter[str] = Counter()
        self._streams = streams
        self._manners = manners
        self._done = done if done is not None else set()
        self._seen: set[bytes] = set()
        self._client = Client(manners)  # here, where a missing extra is the caller's to hear of
        self._outcomes: queue.SimpleQueue[Outcome | BaseException | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="duramen-crawl", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._flow: Flow
        self._main: asyncio.Task[None]
        self._begun = threading.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        self._begun.wait()
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop is not None and self._thread.is_alive():
            with contextlib.suppress(RuntimeError):  # it ended in this moment, and its loop is closed
                self._loop.call_soon_threadsafe(self._main.cancel)
            self._thread.join()

    def stop(self) -> None:
        """End it from another thread: whoever iterates gets a `CancelledError`."""
        self._outcomes.put(CancelledError())

    def __iter__(self) -> Iterator[Outcome]:
        while (outcome := self._outcomes.get()) is not None:
            if isinstance(outcome, BaseException):
                raise outcome
            assert self._loop is not None
            with contextlib.suppress(RuntimeError):  # these are the last ones: the loop has ended
                self._loop.call_soon_threadsafe(self._flow.taken, outcome.size)
            yield outcome

    def _run(self) -> None:
        try:
            asyncio.run(self._crawl())
        except asyncio.CancelledError:
            pass  # by __exit__: nobody wants the rest
        except BaseExceptionGroup as group:  # of the first task that failed, and those it took with it
            self._outcomes.put(group.exceptions[0])
        except BaseException as error:  # handed over, not swallowed: the caller's thread raises it
            self._outcomes.put(error)
        finally:
            self._begun.set()
            self._outcomes.put(None)

    async def _crawl(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._main = asyncio.current_task()  # type: ignore[assignment]
        self._flow = Flow(self._manners.concurrency)
        self._window = asyncio.Semaphore(WINDOW)
        self._begun.set()
        lists = asyncio.Semaphore(_LISTS)
        async with self._client as client, asyncio.TaskGroup() as group:
            visitor = Visitor(client, self._manners, self._flow)

            async def read(stream: Stream) -> None:
                async for found in stream(visitor):
                    await self._take(found, visitor, group)

            for stream in self._streams:
                await lists.acquire()
                group.create_task(read(stream)).add_done_callback(lambda _: lists.release())

    async def _take(self, found: Target | Outcome, visitor: Visitor, group: asyncio.TaskGroup) -> None:
        """Begin with what a stream gave, as soon as there is room for it."""
        target = found.target if isinstance(found, Outcome) else found
        known = key(target.url, is_list=target.is_list)
        if known in self._done:
            return
        if known in self._seen:
            self.skipped["address seen before"] += 1
            return
        self._seen.add(known)
        if isinstance(found, Outcome):
            self._give(found)
            return
        await self._window.acquire()
        group.create_task(self._visit(found, visitor)).add_done_callback(lambda _: self._window.release())

    async def _visit(self, target: Target, visitor: Visitor) -> None:
        self._give(await visitor.visit(target))

    def _give(self, outcome: Outcome) -> None:
        self._flow.given(outcome.size)
        self._outcomes.put(outcome)


def key(url: str, *, is_list: bool = False) -> bytes:
    """What an address is remembered by: few bytes, the same for all spellings that ask for the same, and for the one
    that is shown in its place."""
    url = shown(url)
    with contextlib.suppress(Refused):  # it will be an outcome, once
        url = fetchable(url)
    person = b"list" if is_list else b"page"
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=12, person=person).digest()
