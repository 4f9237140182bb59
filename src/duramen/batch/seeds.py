"""What a crawl starts from: the pages, lists, feeds and sitemaps that a command names, here or on the web.

What a seed is, its content says. On the web, a sitemap, a feed, a list of addresses and a robots.txt, which names the
site's sitemaps, give the addresses they hold; anything else is a page. A file here is never a page: it is a sitemap, a
feed or a list. What cannot be read is an outcome with an error, so that it becomes a row and nothing goes missing
unsaid.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from io import BytesIO
from urllib.parse import urlsplit

from duramen.batch.download.client import refuse_other_kinds
from duramen.batch.download.crawl import Stream, key
from duramen.batch.download.manners import Manners
from duramen.batch.download.target import Answer, Outcome, Refused, Target
from duramen.batch.download.visit import Visitor
from duramen.batch.opening import damaged, open_unpacked, read_at_most
from duramen.batch.sources.feeds import addresses_of, is_cut_off, is_feed
from duramen.batch.sources.sitemaps import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_SITEMAPS,
    absolute,
    encoding_of,
    is_list,
    is_sitemap,
    read_list,
    read_sitemap,
    unpacked,
)
from duramen.dom.encoding import refuse_other_formats
from duramen.errors import DuramenError, InputError, NotHTMLError

_ON_THE_WEB = re.compile(r"https?://", re.IGNORECASE)
_HEAD = 1 << 16
_FEW = 1_000
"""Addresses after which the other work of the event loop has its turn."""

Found = AsyncIterator[Target | Outcome]


def streams(names: Iterable[str], manners: Manners, done: Set[bytes] = frozenset()) -> list[Stream]:
    """The targets of each seed; a page that is `done` is not asked for again to see whether it is one."""
    return [_Seed(name, manners).targets for name in names if key(name) not in done]


def holds_addresses(path: str) -> bool:
    """Whether a file here is a sitemap, a feed or a list of addresses; not, where it cannot be read."""
    try:
        head = _read(path, _HEAD)
    except InputError:
        return False
    return is_sitemap(head) or is_feed(head) or is_list(head)


def refuse_binary(path: str) -> None:
    """Raise an `InputError` for a file that can be neither a list nor a page: a picture, say, called urls.txt."""
    try:
        head = _read(path, _HEAD)
    except InputError:
        return  # the row of the file will say it
    try:
        refuse_other_formats(head)
    except NotHTMLError as error:
        raise InputError(f"{path}: {error}, and no list of addresses") from error


@dataclass(frozen=True)
class _Seed:
    """One seed."""

    name: str
    manners: Manners

    async def targets(self, visitor: Visitor) -> Found:
        if _ON_THE_WEB.match(self.name):
            is_robots = urlsplit(self.name).path == "/robots.txt"
            found = self._robots(visitor) if is_robots else self._address(visitor)
        else:
            found = self._file(visitor)
        given = 0
        try:
            async for target in found:
                yield target
                given += 1
                if given % _FEW == 0:
                    await asyncio.sleep(0)
        except DuramenError:
            raise
        except Exception as error:  # no list, however strange, should cost the others their pages
            yield _failed(self.name, f"unexpected {type(error).__name__}: {error}")

    async def _file(self, visitor: Visitor) -> Found:
        try:
            head = await asyncio.to_thread(_read, self.name, _HEAD)
            if is_list(head):
                for number, address in _lines(self.name, encoding_of(head)):
                    yield Target(address, self.name, number)
                return
            data = head if len(head) <= _HEAD else await asyncio.to_thread(_read, self.name, MAX_BYTES)
        except InputError as error:
            yield _failed(self.name, str(error))
            return
        async for target in self._listed(data, self.name, None, visitor):
            yield target

    async def _robots(self, visitor: Visitor) -> Found:
        named = await visitor.robots.sitemaps(self.name)
        if not named:
            yield _failed(self.name, "this robots.txt names no sitemap, or cannot be had")
        async for target in self._sitemaps([absolute(address, self.name) for address in named], visitor):
            yield target

    async def _address(self, visitor: Visitor) -> Found:
        outcome = await visitor.visit(Target(self.name, self.name), kind="any", max_bytes=MAX_BYTES)
        page = outcome.page
        if page is None:
            yield outcome
            return
        try:
            data = await asyncio.to_thread(unpacked, page.body)
        except InputError as error:
            yield _failed(self.name, str(error))
            return
        if is_sitemap(data) or is_feed(data) or is_list(data):
            async for target in self._listed(data, self.name, page.url, visitor):
                yield target
        else:
            yield replace(outcome, error=self._no_page(page))

    def _no_page(self, answer: Answer) -> str | None:
        """Why this is no page after all: it was asked for when it might have been a sitemap."""
        try:
            refuse_other_kinds(answer, answer.body)
        except Refused as refusal:
            return str(refusal)
        if len(answer.body) > self.manners.max_bytes:
            return f"too-large: larger than {self.manners.max_bytes:,} bytes"
        return None

    async def _listed(self, data: bytes, name: str, url: str | None, visitor: Visitor) -> Found:
        """The targets in what was read. `url` is where it lies on the web, `name` what it goes by in rows."""
        if is_sitemap(data):
            async for target in self._sitemaps([name], visitor, {name: (data, url)}):
                yield target
            return
        try:
            found = await asyncio.to_thread(_addresses, data, url)
        except InputError as error:
            yield _failed(name, str(error))
            return
        for number, address in found[: self.manners.max_addresses]:
            yield Target(address, name, number)
        if is_cut_off(data):
            yield _failed(name, f"the feed is cut off; the {len(found):,} addresses before that are used")
        if len(found) > self.manners.max_addresses:
            yield self._too_many(name)

    async def _sitemaps(
        self, names: list[str], visitor: Visitor, at_hand: dict[str, tuple[bytes, str | None]] | None = None
    ) -> Found:
        """The targets in sitemaps and those that they name, in their order and each sitemap once."""
        waiting = [(name, 1) for name in reversed(names)]
        seen: set[str] = set()
        left = self.manners.max_addresses
        while waiting:
            name, depth = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            if depth > MAX_DEPTH or len(seen) > MAX_SITEMAPS:
                most = f"deeper than {MAX_DEPTH} steps" if depth > MAX_DEPTH else f"more than {MAX_SITEMAPS:,}"
                yield _failed(name, f"sitemaps that name sitemaps, {most}: not followed")
                if depth > MAX_DEPTH:
                    continue
                return
            try:
                data, url = at_hand[name] if at_hand and name in at_hand else await self._fetched(name, visitor)
                if is_sitemap(data):
                    sitemap = await asyncio.to_thread(read_sitemap, data, url)
                    found, problem = list(enumerate(sitemap.pages, 1)), sitemap.problem
                    waiting.extend((address, depth + 1) for address in reversed(sitemap.sitemaps))
                else:
                    found, problem = await asyncio.to_thread(_addresses, data, url), None
            except _Unvisited as unvisited:
                yield unvisited.outcome
                continue
            except InputError as error:
                yield _failed(name, str(error))
                continue
            for number, address in found[:left]:
                yield Target(address, name, number)
            if problem is not None:
                yield _failed(name, f"{problem}; the {len(found):,} addresses before that are used")
            if len(found) > left:
                yield self._too_many(name)
                return
            left -= len(found)

    async def _fetched(self, name: str, visitor: Visitor) -> tuple[bytes, str]:
        outcome = await visitor.visit(Target(name, name, is_list=True), kind="any", max_bytes=MAX_BYTES)
        if outcome.page is None:
            raise _Unvisited(outcome)
        return await asyncio.to_thread(unpacked, outcome.page.body), outcome.page.url

    def _too_many(self, name: str) -> Outcome:
        return _failed(name, f"more than {self.manners.max_addresses:,} addresses: the rest was left out")


class _Unvisited(Exception):  # noqa: N818 - an outcome, not a fault
    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome


def _addresses(data: bytes, url: str | None) -> list[tuple[int, str]]:
    """The addresses in a feed or a list, both of which the protocol of sitemaps allows, too."""
    if is_feed(data):
        return addresses_of(data, url)
    if not is_list(data):
        what = "neither a sitemap nor a feed, nor a list with one http:// or https:// address a line"
        raise InputError(f"this is {what}")
    return list(read_list(BytesIO(data), encoding_of(data)))


def _read(path: str, most: int) -> bytes:
    """The file, unpacked, or the beginning of it: one byte more than `most` tells that there is more."""
    try:
        with open_unpacked(path) as file:
            data = read_at_most(file, most)
    except Exception as error:
        raise _unreadable(error) from error
    if most == MAX_BYTES and len(data) > most:
        raise InputError(f"larger than {most:,} bytes, unpacked: no feed, and no sitemap, is")
    return data


def _lines(path: str, encoding: str) -> Iterator[tuple[int, str]]:
    """The addresses in a file of any length."""
    try:
        with open_unpacked(path) as file:
            yield from read_list(file, encoding)
    except Exception as error:
        raise _unreadable(error) from error


def _unreadable(error: Exception) -> Exception:
    """An `InputError` where the file is at fault; what it was, where it is not."""
    why = damaged(error)
    if why is not None:
        return InputError(why)
    if isinstance(error, OSError):
        return InputError((error.strerror or str(error)).lower())
    return error


def _failed(name: str, sentence: str) -> Outcome:
    return Outcome(Target(name, name, is_list=True), (), f"unreadable: {sentence}")
