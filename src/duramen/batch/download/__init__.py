"""Downloads, many at a time and none too many: politely, within limits, and into the public internet only.

    targets ── Crawl ── Visit ── Client ── aiohttp
                          │  └── Hosts      whose turn it is: delay and concurrency per host
                          └───── Robots     what the host's robots.txt asks for

A *target* is an address to download, with where it was found. Its *outcome* is a page or a sentence that says why there
is none; every target has exactly one. aiohttp does the HTTP: of the asynchronous clients it is the one with the
steadiest upkeep, its licence is permissive, and it lets us choose the very addresses it connects to. What a hostile
server could use against us is not left to it: redirects, unpacking and cookies are switched off there and done here,
or not at all.
"""

from __future__ import annotations

from duramen.batch.download.crawl import Crawl
from duramen.batch.download.manners import Manners
from duramen.batch.download.target import Answer, Outcome, Target

__all__ = ["Answer", "Crawl", "Manners", "Outcome", "Target"]
