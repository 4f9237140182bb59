"""Data model: a claim, a candidate made from claims, the chosen value of a field.

Sources make claims (`Claim`). Claims with the same meaning become one candidate with evidence (`Candidate`). The
learned weights choose one candidate, which becomes the value of the field (`FieldValue`).
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

NO_NODE: Final = -1
"""The node of a claim that no element makes, or of a headline that the page does not have."""
PERSON: Final = "person"
ORGANIZATION: Final = "organization"

HEAD_SOURCES: Final = frozenset(("json-ld", "open-graph", "dublin-core", "citation", "meta", "twitter"))
"""Sources that describe the page for machines, wherever their elements stand in the document."""
NAME_FIELD_SOURCES: Final = frozenset(("dublin-core", "citation", "meta"))
"""Meta elements that declare the field under different names. What is learned about one counts for the rarer ones."""

HOME_URL: Final = "home page url"
ARTICLE_URL: Final = "article url"
SHOP_URL: Final = "shop url"
OTHER_URL: Final = "other url"
UNKNOWN_URL: Final = "unknown url"
"""The kind of a page whose URL is not known."""
URL_KINDS: Final = (HOME_URL, ARTICLE_URL, OTHER_URL, SHOP_URL)
"""What the words of a URL say about its page. Each kind is a feature of authors and dates."""

_NEAR_AFTER_NODES: Final = 120
"""A node at most this far after the headline is near it."""
_NEAR_BEFORE_NODES: Final = 60


class Claim(NamedTuple):
    """What one place on the page says about one field, as cleaned text."""

    value: str
    source: str
    """The kind of place: `json-ld`, `open-graph`, `time`, …"""
    detail: str = ""
    """More about the place: the kind of the described thing (`article`, `page`, `forum`), or the property's name."""
    node: int = NO_NODE
    """The element or text node that makes the claim."""
    is_name: bool = False
    """For an author: the value is exactly a name, not a line that contains one."""
    profile_url: str | None = None
    """For an author: the profile that the name links to."""
    author_kind: str | None = None
    """For an author: `person` or `organization`, if the source says it."""


class Claims(Protocol):
    """The claims by field, in document order; a field without claims has an empty list."""

    def __getitem__(self, field: str, /) -> list[Claim]: ...


def new_claims() -> Claims:
    """Return an empty collection of claims."""
    return defaultdict(list)


class Author(NamedTuple):
    """A person or organization that wrote the page."""

    name: str
    kind: str | None = None
    """`person` or `organization`, if the page says it or the name shows it."""
    url: str | None = None
    """The profile that the page links the name to."""

    def as_dict(self) -> dict[str, str]:
        """Return the known parts, ready for JSON."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class Candidate(NamedTuple, Generic[T]):
    """A possible value of a field, with the evidence for and against it."""

    value: T
    evidence: frozenset[str] | set[str]
    """Names of features, such as `json-ld article` or `near`. `weights.py` has a weight for each."""
    sources: tuple[str, ...]
    """The sources that make this claim, in order of their first claim."""
    node: int = NO_NODE


class FieldValue(NamedTuple, Generic[T]):
    """The value of a field, its source, and the confidence in it (0 to 1)."""

    value: T
    source: str
    """The first source that gives the value: `json-ld`, `open-graph`, `byline`, …"""
    confidence: float


class PageContext(NamedTuple):
    """What is known about the page when its candidates are made."""

    headline: int = NO_NODE
    page_kind: str = "page"
    """What the page declares to be: `forum`, `product`, `article` or `page`."""
    is_dated: bool = False
    has_long_headline: bool = False
    """True if the headline has more than four words: most articles have one, shops and services rarely."""
    site_names: tuple[str, ...] = ()
    brand: str = ""
    """The part of the host that names the site: `bbc` in `news.bbc.co.uk`."""
    url_path: str = ""
    """The path of the page's URL; '' if the URL is not known."""
    url_kind: str = UNKNOWN_URL
    """One of `URL_KINDS`, or `UNKNOWN_URL`."""
    url_month: tuple[int, int] | None = None
    """The year and month in the URL."""
    language: str | None = None
    today: date = date.max
    node_count: int = 0

    def proximity(self, node: int) -> str:
        """Return `near` or `far` from the headline; '' if the node or the headline is unknown."""
        if node == NO_NODE or self.headline == NO_NODE:
            return ""
        return "near" if -_NEAR_BEFORE_NODES <= node - self.headline <= _NEAR_AFTER_NODES else "far"
