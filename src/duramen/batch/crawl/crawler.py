"""Download of many targets: an event loop in its own thread, and an iterator over the results.

Results come in the order in which they are ready. A slow reader slows the downloads down: no request is sent while as
many results wait as there may be requests. At most `MAX_OPEN_TARGETS` targets are open at a time, so that a list may
have any length.
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

from duramen.batch.crawl.client import Client
from duramen.batch.crawl.fetcher import Fetcher, make_fetchable
from duramen.batch.crawl.messages import FetchRefused, FetchResult, FetchTarget, printable_url
from duramen.batch.crawl.politeness import CrawlSettings, RequestLimiter

MAX_OPEN_TARGETS = 10_000
_MAX_OPEN_LISTS = 32
"""Lists, feeds and sitemaps that are read at the same time."""

TargetStream = Callable[[Fetcher], AsyncIterator[FetchTarget | FetchResult]]
"""Gives targets. It may use the fetcher to read the feed or sitemap that holds them, and gives the result of a URL that
it has fetched itself."""


class Crawler:
    """Downloads all targets, each URL once. Use it in a `with` statement and iterate over it once.

    URLs in `done` are passed over; repeated URLs are counted in `skipped`.
    """

    def __init__(
        self, streams: Sequence[TargetStream], settings: CrawlSettings, done: set[bytes] | None = None
    ) -> None:
        self.skipped: Counter[str] = Counter()
        self._streams = streams
        self._settings = settings
        self._done = done if done is not None else set()
        self._seen: set[bytes] = set()
        self._client = Client(settings)  # here, so that a missing library is reported to the caller
        self._results: queue.SimpleQueue[FetchResult | BaseException | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="duramen-crawl", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._limiter: RequestLimiter
        self._main_task: asyncio.Task[None]
        self._started = threading.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop is not None and self._thread.is_alive():
            with contextlib.suppress(RuntimeError):  # it has just ended, and its loop is closed
                self._loop.call_soon_threadsafe(self._main_task.cancel)
            self._thread.join()

    def stop(self) -> None:
        """Stop from another thread: the iteration raises a `CancelledError`."""
        self._results.put(CancelledError())

    def __iter__(self) -> Iterator[FetchResult]:
        while (result := self._results.get()) is not None:
            if isinstance(result, BaseException):
                raise result
            assert self._loop is not None
            with contextlib.suppress(RuntimeError):  # the loop has ended: these are the last results
                self._loop.call_soon_threadsafe(self._limiter.result_taken, result.size)
            yield result

    def _run(self) -> None:
        try:
            asyncio.run(self._crawl())
        except asyncio.CancelledError:
            pass  # by __exit__
        except BaseExceptionGroup as group:  # the first is the cause of the others
            self._results.put(group.exceptions[0])
        except BaseException as error:  # raised again in the caller's thread
            self._results.put(error)
        finally:
            self._started.set()
            self._results.put(None)

    async def _crawl(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._main_task = asyncio.current_task()  # type: ignore[assignment]
        self._limiter = RequestLimiter(self._settings.concurrency)
        self._open_targets = asyncio.Semaphore(MAX_OPEN_TARGETS)
        self._started.set()
        open_lists = asyncio.Semaphore(_MAX_OPEN_LISTS)
        async with self._client as client, asyncio.TaskGroup() as group:
            fetcher = Fetcher(client, self._settings, self._limiter)

            async def read(stream: TargetStream) -> None:
                async for item in stream(fetcher):
                    await self._take(item, fetcher, group)

            for stream in self._streams:
                await open_lists.acquire()
                group.create_task(read(stream)).add_done_callback(lambda _: open_lists.release())

    async def _take(self, item: FetchTarget | FetchResult, fetcher: Fetcher, group: asyncio.TaskGroup) -> None:
        """Start the download of a target from a stream, as soon as there is room for it."""
        target = item.target if isinstance(item, FetchResult) else item
        key = make_url_key(target.url, is_list=target.is_list)
        if key in self._done:
            return
        if key in self._seen:
            self.skipped["address seen before"] += 1
            return
        self._seen.add(key)
        if isinstance(item, FetchResult):
            self._add_result(item)
            return
        await self._open_targets.acquire()
        group.create_task(self._fetch(item, fetcher)).add_done_callback(lambda _: self._open_targets.release())

    async def _fetch(self, target: FetchTarget, fetcher: Fetcher) -> None:
        self._add_result(await fetcher.fetch(target))

    def _add_result(self, result: FetchResult) -> None:
        self._limiter.result_added(result.size)
        self._results.put(result)


def make_url_key(url: str, *, is_list: bool = False) -> bytes:
    """Return a short key of a URL, equal for all spellings that request the same and for its printable form."""
    url = printable_url(url)
    with contextlib.suppress(FetchRefused):  # not a URL: it will have one result, with an error
        url = make_fetchable(url)
    person = b"list" if is_list else b"page"
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=12, person=person).digest()
