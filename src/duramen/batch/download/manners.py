"""How downloads behave: what they may cost us, and what they may cost others."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from duramen.errors import UsageError
from duramen.net.http import MAX_REDIRECTS, USER_AGENT


@dataclass(frozen=True)
class Manners:
    """The settings of downloads, with defaults that no site should mind."""

    user_agent: str = USER_AGENT
    delay: float = 1.0
    """Seconds from the start of one request to a host to the start of the next; a robots.txt may ask for more."""
    per_host: int = 1
    """Requests to one host at the same time."""
    concurrency: int = 32
    """Requests at the same time, over all hosts."""
    timeout: float = 20.0
    """Seconds for one request, from looking up the name to the last byte."""
    max_bytes: int = 20_000_000
    """Bytes of one answer, as it arrives and unpacked."""
    max_redirects: int = MAX_REDIRECTS
    retries: int = 2
    """How often a request is made again after a failure that may pass."""
    backoff: float = 1.0
    """Seconds to wait before the first of them, about; each further one waits twice as long."""
    longest_wait: float = 60.0
    """Seconds that a site may make us wait between requests, by Crawl-delay or Retry-After, before we leave it."""
    max_addresses: int = 1_000_000
    """Addresses taken from one feed or sitemap, with all the sitemaps that it names."""
    robots: bool = True
    allow_private: bool = False

    def __post_init__(self) -> None:
        if not self.user_agent.strip() or not self.user_agent.isprintable() or not self.user_agent.isascii():
            raise UsageError("a user agent is one line of printable ASCII, such as  mybot/1.0 (+https://example.org)")
        for name in ("per_host", "concurrency", "max_bytes", "max_addresses"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is a number from 1 up, not {getattr(self, name)}")
        for name in ("delay", "retries", "backoff", "max_redirects", "longest_wait"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name} is a number from 0 up, not {getattr(self, name)}")
        if not self.timeout > 0:
            raise UsageError(f"timeout is a number of seconds above 0, not {self.timeout:g}")

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, saved: str) -> Manners:
        return cls(**json.loads(saved))
