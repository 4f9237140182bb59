"""Settings of a crawl: limits on what it costs the sites, and on what it costs us."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from duramen.errors import UsageError
from duramen.net.http import MAX_REDIRECTS, USER_AGENT


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
