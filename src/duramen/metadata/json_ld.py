"""JSON-LD: the `<script>` elements in which a page describes itself in the words of schema.org.

What counts is the thing that the page is, not all that it mentions: what stands at the top, in a list or a `@graph`
there, and what those name as their `mainEntity`. The articles in a list of links, comments and reviews are left
alone. Where several articles stand at the top, the one that bears the page's own address or title is the page's; if
none does, the page is a list of them, and none speaks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from duramen.dom.cached import once
from duramen.metadata.claims import Claim, Claims
from duramen.metadata.head import Head
from duramen.metadata.json_repair import loads
from duramen.metadata.json_scan import Scanner
from duramen.metadata.strings import key, tidy

JSON_LD: Final = "json-ld"

_MOST_READ: Final = 4_000_000
"""Characters of JSON-LD that are read on one page: beyond this lies data, not description."""
_MOST_SEEN: Final = 20_000
"""Objects that are looked at."""
_MOST_NAMES: Final = 100
"""Authors or keywords that one thing may have."""
_MOST_KINDS: Final = 512

WORKS: Final = frozenset(("article", "forum"))
"""Kinds of things that somebody wrote."""
_FORUM: Final = frozenset(("DiscussionForumPosting", "Question", "QAPage", "SocialMediaPosting"))
_ARTICLE: Final = frozenset(
    "Report Review Recipe HowTo CreativeWork VideoObject PodcastEpisode ClaimReview Thesis".split()
)
_PRODUCT: Final = frozenset(
    "Product ProductGroup SoftwareApplication MobileApplication WebApplication VideoGame Book Movie Event Course"
    " Vehicle Service TVSeries MusicAlbum MusicRecording JobPosting RealEstateListing Hotel Restaurant Store"
    " LocalBusiness".split()
)
_ORGANISATIONS: Final = ("Organization", "Corporation", "NGO", "Business", "University", "Brand", "Team")
_LISTS: Final = frozenset(("ItemList", "Blog", "FAQPage", "CollectionPage", "SearchResultsPage"))
_ENTRIES: Final = ("itemReviewed", "mainEntityOfPage", "mainEntity", "@graph")
"""What holds things of the same rank, the last to be looked at first."""


class Thing(NamedTuple):
    kind: str
    """`article`, `forum`, `product`, `page`, `site`, or '' for anything else."""
    type: str
    data: dict[str, Any]
    node: int


@dataclass(frozen=True, eq=False, init=False)
class JsonLd:
    """The things at the top of a page's JSON-LD, and all objects that others refer to."""

    texts: list[str]
    things: list[Thing]

    def __init__(self, texts: list[str], things: list[Thing]) -> None:
        own = self.__dict__  # it is frozen
        own["texts"] = texts
        own["things"] = things

    @once
    def by_id(self) -> dict[str, dict[str, Any]]:
        """Every object that has a name of its own, wherever it stands: few pages refer to what is not at the top."""
        found: dict[str, dict[str, Any]] = {}
        for text in self.texts:
            for value in loads(text):
                _index(value, found)
        return found

    def referred(self, value: Any) -> Any:
        """What an object that is only a reference stands for; anything else is itself."""
        if not isinstance(value, dict) or "name" in value:
            return value
        wanted = value.get("@id")
        for thing in self.things:  # most stand at the top of a graph; the rest is not looked through for them
            if thing.data.get("@id") == wanted and "name" in thing.data:
                return thing.data
        return self.by_id.get(str(wanted), value)


_NAMED: Final = {
    "published": ("datePublished", "dateCreated", "uploadDate"),
    "modified": ("dateModified",),
    "description": ("description",),
    "category": ("articleSection",),
    "tag": ("keywords",),
    "language": ("inLanguage",),
    "licence": ("license",),
    "image": ("image", "thumbnailUrl", "primaryImageOfPage"),
    "canonical": ("url",),
}
"""The names of schema.org that speak of a field, in the order of trust."""
ASKED: Final = frozenset(
    "@id @type @value author creator familyName givenName headline item itemListElement name publisher".split()
).union(_ENTRIES, *_NAMED.values())
"""Every name whose value is looked at, here and in `elsewhere.py`: nothing else need be read of an object."""
_scan: Final = Scanner(ASKED).scan


def read_things(head: Head) -> JsonLd:
    """The JSON-LD of a page."""
    texts: list[str] = []
    things: list[Thing] = []
    left = _MOST_READ
    for node, text in head.json_ld:
        left -= len(text)
        if left < 0:
            break
        texts.append(text)
        for value in loads(text, _scan):
            _add_things(value, node, things)
    return JsonLd(texts, things)


def read_json_ld(ld: JsonLd, address: str | None, title: str) -> Claims:
    """What the JSON-LD claims of a page with this address and this title."""
    return _Unread(ld, _own(ld, address, title))


class _Unread:
    """Claims that are read field by field, each when it is first asked for: few ask for all."""

    def __init__(self, ld: JsonLd, own: list[Thing]) -> None:
        self._ld = ld
        self._own = [tuple(thing) for thing in own]  # whose parts are told at once, without a look at their names
        self._read: dict[str, list[Claim]] = {}

    def __getitem__(self, field: str) -> list[Claim]:
        found = self._read.get(field)
        if found is None:
            found = self._read[field] = _claims(self._ld, self._own, field)
        return found


def _claims(ld: JsonLd, own: list[tuple[Any, ...]], field: str) -> list[Claim]:
    """What the page's own things claim on a field."""
    found: list[Claim] = []
    named = _NAMED.get(field)
    for kind, of, data, node in own:
        if named is not None:
            if kind != "site":
                for name in named:
                    if name in data:
                        _add(found, data[name], kind, node)
        elif field == "site":
            _add_sites(found, ld, data, kind, node)
        elif kind == "site":
            continue
        elif field == "author":
            if kind in ("article", "forum", "page"):
                _add_authors(found, ld, data, kind, node)
        elif field == "type":
            found.append(Claim(of, JSON_LD, kind, node, False, None, None))
        elif field == "title":
            is_work = kind in WORKS and data.get("headline")
            _add(found, data.get("headline" if is_work else "name"), kind, node)
    return found


def _add(found: list[Claim], value: Any, of: str, node: int) -> None:
    found += [Claim(text, JSON_LD, of, node, False, None, None) for text in _texts(value)]


def _add_sites(found: list[Claim], ld: JsonLd, data: dict[str, Any], kind: str, node: int) -> None:
    if kind == "site":
        _add(found, data.get("name"), "site", node)
        return
    for publisher in _listed(ld.referred(data.get("publisher"))):
        if isinstance(publisher, dict):
            _add(found, publisher.get("name"), "publisher", node)


def _add_authors(found: list[Claim], ld: JsonLd, data: dict[str, Any], kind: str, node: int) -> None:
    for author in _listed(data.get("author") or data.get("creator"))[:_MOST_NAMES]:
        whole = ld.referred(author)
        url: str | None = None
        told: str | None = None
        if isinstance(whole, dict):
            of = _type(whole)
            told = "organisation" if of.endswith(_ORGANISATIONS) else "person" if of == "Person" else None
            for address in _texts(whole.get("url")):
                if address.startswith(("http", "/")):
                    url = address
                    break
            names = _texts(whole.get("name")) or _full_name(whole)
        else:
            names = _texts(whole)
        found += [Claim(name, JSON_LD, kind, node, True, url, told) for name in names]


def _full_name(person: dict[str, Any]) -> list[str]:
    parts = [part for name in ("givenName", "familyName") for part in _texts(person.get(name))[:1]]
    return [" ".join(parts)] if parts else []


def _own(ld: JsonLd, address: str | None, title: str) -> list[Thing]:
    """The things that speak for the page: the best kind first, and of several works the page's own."""
    works: list[Thing] = []
    others: list[Thing] = []
    for thing in ld.things:
        kind = thing.kind
        if kind == "article" or kind == "forum":
            works.append(thing)
        elif kind:
            others.append(thing)
    return (works if len(works) < 2 else _same_page(works, address, title)) + others


def _same_page(works: list[Thing], address: str | None, title: str) -> list[Thing]:
    """Those among several works that are about the page: all, if they are one work told several times."""
    named = {key(name) for work in works for name in _texts(work.data.get("headline") or work.data.get("name"))}
    if len(named) <= 1:
        return works
    if address:
        here = address.partition("#")[0].rstrip("/")
        own = [work for work in works if here in {url.partition("#")[0].rstrip("/") for url in _addresses(work.data)}]
        if own:
            return own
    wanted = key(title)
    return [work for work in works if any(_in(key(name), wanted) for name in _titles(work.data))]


def _titles(data: dict[str, Any]) -> list[str]:
    return _texts(data.get("headline")) + _texts(data.get("name"))


def _in(part: str, whole: str) -> bool:
    return bool(part) and f" {part} " in f" {whole} "


def _addresses(data: dict[str, Any]) -> list[str]:
    page = data.get("mainEntityOfPage")
    named = page.get("@id") if isinstance(page, dict) else page
    return _texts([data.get("url"), data.get("@id"), named])


def _add_things(value: Any, node: int, found: list[Thing]) -> None:
    waiting, seen = [value], 0
    while waiting and seen < _MOST_SEEN:
        value = waiting.pop()
        seen += 1
        if isinstance(value, dict):
            of = _type(value)
            found.append(Thing(_kind(of), of, value, node))
            # A list names its pages as its main entity, and a page of questions its questions: none is the page.
            if of not in _LISTS:
                _add_entries(value, waiting)
        elif isinstance(value, list):
            waiting += value[:_MOST_SEEN][::-1]


def things_in(data: dict[str, Any], node: int) -> list[Thing]:
    """The thing that an object is, and those that stand in for it, such as its main entity."""
    found: list[Thing] = []
    _add_things(data, node, found)
    return found


def _add_entries(data: dict[str, Any], found: list[Any]) -> None:
    found += [data[name] for name in _ENTRIES if name in data]


def _index(value: Any, by_id: dict[str, dict[str, Any]]) -> None:
    waiting, seen = [value], 0
    while waiting and seen < _MOST_SEEN:
        value = waiting.pop()
        seen += 1
        if isinstance(value, dict):
            name = value.get("@id")
            if isinstance(name, str) and len(value) > 1:
                by_id.setdefault(name, value)
            waiting += [inner for inner in value.values() if type(inner) is dict or type(inner) is list]
        elif isinstance(value, list):
            waiting += value


def _type(data: dict[str, Any]) -> str:
    """The thing's type; of several the one that says most."""
    names = data.get("@type")
    if isinstance(names, str):
        return _local(names)
    if names is None:
        return ""
    found = [_local(str(name)) for name in _listed(names) if name]
    return max(found, key=lambda name: _RANK.get(_kind(name), 0), default="")


def _local(name: str) -> str:
    """The name of a type without where it comes from: "https://schema.org/Article", "schema:Article"."""
    return name.rpartition("/")[2].rpartition(":")[2] if "/" in name or ":" in name else name


_RANK: Final = {"article": 4, "forum": 5, "product": 3, "page": 2, "site": 1}


_KINDS: dict[str, str] = {}
"""Of the names of types that were met: there are few. What a page makes up is not kept."""


def kind_of(of: str) -> str:
    """What the type of a thing comes down to, of the kinds that `Thing` has."""
    return _kind(of)


def _kind(of: str) -> str:
    found = _KINDS.get(of)
    if found is None:
        found = _told_kind(of)
        if len(_KINDS) < _MOST_KINDS:
            _KINDS[of] = found
    return found


def _told_kind(of: str) -> str:
    if of in _FORUM:
        return "forum"
    if of.endswith(("Article", "BlogPosting")) or of in _ARTICLE:
        return "article"
    if of in _PRODUCT:
        return "product"
    if of.endswith("Page"):
        return "page"
    return "site" if of == "WebSite" else ""


def _address_or_name(thing: dict[str, Any]) -> str | None:
    for name in ("url", "@value", "name", "@id"):
        said = thing.get(name)
        if isinstance(said, str):
            return said
    return None


def _listed(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _texts(value: Any) -> list[str]:
    """The strings that a value is or names: a string, a list of them, an object with an address, a name or a value."""
    if isinstance(value, str):
        return [text] if (text := tidy(value)) else []
    if value is None:
        return []
    found: list[str] = []
    for one in _listed(value)[:_MOST_NAMES]:
        if isinstance(one, dict):
            one = _address_or_name(one)
        if isinstance(one, (str, int)) and not isinstance(one, bool):
            if text := tidy(str(one)):
                found.append(text)
    return found
