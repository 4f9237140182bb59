"""One address after another on the way to a page: its site's wishes, its turn, its redirects, and second chances."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from duramen.batch.download.client import Broken, Client
from duramen.batch.download.hosts import Flow, Host, Hosts
from duramen.batch.download.manners import Manners
from duramen.batch.download.robots import MAX_BYTES as MAX_ROBOTS
from duramen.batch.download.robots import Robots
from duramen.batch.download.target import Answer, Outcome, Refused, Target
from duramen.net.http import REDIRECTS, redirected, sendable, status_sentence

_MAY_PASS = (408, 429, 500, 502, 503, 504)
_ASK_LATER = (429, 503)


class Visitor:
    """Visits addresses, within the manners."""

    def __init__(self, client: Client, manners: Manners, flow: Flow) -> None:
        self._client = client
        self._manners = manners
        self._hosts = Hosts(manners)
        self._flow = flow
        self.robots = Robots(self._robots_txt, manners)

    async def visit(self, target: Target, kind: str = "page", max_bytes: int | None = None) -> Outcome:
        """What becomes of a target."""
        answers: list[Answer] = []
        try:
            await self._follow(target.url, kind, max_bytes, answers)
        except Refused as refusal:
            return Outcome(target, tuple(answers), str(refusal))
        except Exception as error:  # no answer, however strange, should cost the other targets theirs
            return Outcome(target, tuple(answers), f"download: unexpected {type(error).__name__}: {error}")
        return Outcome(target, tuple(answers))

    async def _robots_txt(self, url: str) -> Answer:
        return await self._follow(url, "any", MAX_ROBOTS, [], robots=False)

    async def _follow(
        self, url: str, kind: str, max_bytes: int | None, answers: list[Answer], robots: bool = True
    ) -> Answer:
        """The answer at the end of all redirects; each host on the way is asked as the first one is."""
        for _ in range(self._manners.max_redirects + 1):
            url = fetchable(url)
            host = self._hosts[url]
            if robots and self._manners.robots:
                host.delay = max(host.delay, await self.robots.delay(url))
            answer = await self._ask(url, host, kind, max_bytes)
            answers.append(answer)
            location = answer.header("location")
            if answer.status not in REDIRECTS or not location:
                if not 200 <= answer.status < 300:
                    raise Refused("status", status_sentence(answer.status, answer.reason), answer.status)
                return answer
            try:
                url = redirected(answer.url, location)
            except ValueError:
                raise Refused("address", "the site redirects to something that is not a URL") from None
        most = self._manners.max_redirects
        raise Refused("redirects", f"more than {most} redirects: the site sends its visitors in a circle")

    async def _ask(self, url: str, host: Host, kind: str, max_bytes: int | None) -> Answer:
        """The answer to a request, made again where a failure may pass."""
        failure = ""
        for attempt in range(self._manners.retries + 1):
            wait = self._manners.backoff * 2**attempt * random.uniform(0.5, 1.0)  # not all at the same moment
            try:
                async with host.turn(self._flow):
                    answer = await self._client.get(url, kind=kind, max_bytes=max_bytes)
            except Broken as broken:
                failure = str(broken)
            else:
                host.answered(True)
                if answer.status not in _MAY_PASS or attempt == self._manners.retries:
                    return answer
                asked = retry_after(answer)
                if asked > self._manners.longest_wait:
                    why = f"the site asks to wait {asked:.0f} s, more than the {self._manners.longest_wait:g} s allowed"
                    raise Refused("status", f"HTTP status {answer.status}: {why}", answer.status)
                wait = max(wait, asked)
                if answer.status in _ASK_LATER:
                    host.pause(wait)
            if attempt < self._manners.retries:
                await asyncio.sleep(wait)
        host.answered(False)
        times = f"tried {self._manners.retries + 1} times" if self._manners.retries else "tried once"
        raise Refused("download", f"{failure} ({times})")


def fetchable(url: str) -> str:
    """The address as HTTP wants it; `Refused` where it is none, or carries a password that would end in the rows."""
    try:
        target, credentials = sendable(url)
    except ValueError as error:
        raise Refused("address", str(error)) from None
    if credentials is not None:
        raise Refused("address", "it holds a user name or a password: these are not sent, nor kept")
    return target


def retry_after(answer: Answer) -> float:
    """The seconds that the server wants us to wait; 0 where it does not say."""
    value = answer.header("retry-after").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, IndexError, TypeError):  # what it makes of broken dates
        return 0.0
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
