"""JSON-LD: scripts in which a page describes itself with the vocabulary of schema.org.

Only the things that the page itself is make claims: objects at the top, in a list or a `@graph` there, and their
`mainEntity`. The articles of a list of links, comments and reviews are not read. If there are several articles at the
top, the one with the page's own URL or title describes the page. If none has it, the page is a list of articles, and
none of them describes it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from duramen.dom.cached import cached_property
from duramen.dom.text import clean_text, word_key
from duramen.dom.tree import Tree
from duramen.dom.tree_queries import find_json_ld_elements
from duramen.metadata.model import ORGANIZATION, PERSON, Claim, Claims
from duramen.metadata.sources.json_repair import load_json_values

JSON_LD: Final = "json-ld"

_MAX_SCRIPTS: Final = 2000
_MAX_JSON_CHARS: Final = 4_000_000
"""Characters of JSON-LD read from one page. More is data, not description."""
_MAX_OBJECTS: Final = 20_000
_MAX_VALUES: Final = 100
"""Authors or keywords of one thing."""
_JSON_STARTS: Final = "{[</"
"""First characters of JSON and of its wrappers: `<!--`, `//<![CDATA[`. Other scripts are programs."""
_MAX_LEADING_SPACES: Final = 200

WORK_KINDS: Final = frozenset(("article", "forum"))
"""Kinds of things that somebody wrote."""
_FORUM_TYPES: Final = frozenset(("DiscussionForumPosting", "Question", "QAPage", "SocialMediaPosting"))
_ARTICLE_TYPES: Final = frozenset(
    "Report Review Recipe HowTo CreativeWork VideoObject PodcastEpisode ClaimReview Thesis".split()
)
_PRODUCT_TYPES: Final = frozenset(
    "Product ProductGroup SoftwareApplication MobileApplication WebApplication VideoGame Book Movie Event Course"
    " Vehicle Service TVSeries MusicAlbum MusicRecording JobPosting RealEstateListing Hotel Restaurant Store"
    " LocalBusiness".split()
)
_ORGANIZATION_ENDINGS: Final = ("Organization", "Corporation", "NGO", "Business", "University", "Brand", "Team")
_LIST_TYPES: Final = frozenset(("ItemList", "Blog", "FAQPage", "CollectionPage", "SearchResultsPage"))
_TOP_LEVEL_PROPERTIES: Final = ("itemReviewed", "mainEntityOfPage", "mainEntity", "@graph")
"""Properties whose values are also things at the top. The last is read first."""
_KIND_RANK: Final = {"forum": 5, "article": 4, "product": 3, "page": 2, "site": 1}

_FIELD_PROPERTIES: Final = {
    "published": ("datePublished", "dateCreated", "uploadDate"),
    "modified": ("dateModified",),
    "description": ("description",),
    "category": ("articleSection",),
    "tag": ("keywords",),
    "language": ("inLanguage",),
    "license": ("license",),
    "image": ("image", "thumbnailUrl", "primaryImageOfPage"),
    "canonical": ("url",),
}
"""The properties of schema.org for each field, the most trusted first."""
PROPERTY_NAMES: Final = frozenset(
    "@id @type @value author creator familyName givenName headline item itemListElement name publisher".split()
).union(_TOP_LEVEL_PROPERTIES, *_FIELD_PROPERTIES.values())
"""Every property that is read, here and from breadcrumbs (`links.py`)."""


class SchemaThing(NamedTuple):
    """An object of schema.org."""

    kind: str
    """`article`, `forum`, `product`, `page`, `site`, or '' for anything else."""
    type: str
    data: dict[str, Any]
    node: int


@dataclass(frozen=True, eq=False)
class JsonLd:
    """The JSON-LD of a page: its values, and the things at the top of them."""

    values: list[Any]
    things: list[SchemaThing]

    @cached_property
    def objects_by_id(self) -> dict[str, dict[str, Any]]:
        """Every object that has an `@id`, at any depth."""
        objects: dict[str, dict[str, Any]] = {}
        for value in self.values:
            _index_objects(value, objects)
        return objects

    def resolve(self, value: Any) -> Any:
        """Return the object that a reference stands for; any other value unchanged."""
        if not isinstance(value, dict) or "name" in value:
            return value
        wanted = value.get("@id")
        # Most references are to the top of a graph, which needs no index of all objects.
        if isinstance(wanted, Hashable) and wanted in self._named_things_by_id:
            return self._named_things_by_id[wanted]
        return self.objects_by_id.get(str(wanted), value)

    @cached_property
    def _named_things_by_id(self) -> dict[Hashable, dict[str, Any]]:
        things: dict[Hashable, dict[str, Any]] = {}
        for thing in self.things:
            name = thing.data.get("@id")
            if "name" in thing.data and isinstance(name, Hashable):
                things.setdefault(name, thing.data)
        return things


def find_json_ld_scripts(tree: Tree) -> list[tuple[int, str]]:
    """Find the JSON-LD scripts whose text begins like JSON, each with its text."""
    texts, ends = tree.text, tree.end
    return [
        (node, "".join(texts[node + 1 : ends[node]]))
        for node in find_json_ld_elements(tree)[:_MAX_SCRIPTS]
        if ends[node] > node + 1 and _begins_like_json(texts[node + 1])
    ]


def _begins_like_json(text: str) -> bool:
    start = text[:_MAX_LEADING_SPACES].lstrip()
    return not start or start[0] in _JSON_STARTS


def parse_json_ld(scripts: list[tuple[int, str]]) -> JsonLd:
    """Parse the JSON-LD scripts of a page."""
    values: list[Any] = []
    things: list[SchemaThing] = []
    chars_left = _MAX_JSON_CHARS
    for node, text in scripts:
        chars_left -= len(text)
        if chars_left < 0:
            break
        for value in load_json_values(text):
            values.append(value)
            things += find_things(value, node)
    return JsonLd(values, things)


def find_things(value: Any, node: int) -> list[SchemaThing]:
    """Find the things that a JSON value is: itself, the members of a list or graph, and main entities."""
    things: list[SchemaThing] = []
    waiting, seen = [value], 0
    while waiting and seen < _MAX_OBJECTS:
        value = waiting.pop()
        seen += 1
        if isinstance(value, dict):
            type_name = _type_of(value)
            things.append(SchemaThing(classify_type(type_name), type_name, value, node))
            # The main entity of a list is its members, and that of a FAQ its questions. None of them is the page.
            if type_name not in _LIST_TYPES:
                waiting += [value[name] for name in _TOP_LEVEL_PROPERTIES if name in value]
        elif isinstance(value, list):
            waiting += value[:_MAX_OBJECTS][::-1]
    return things


def _index_objects(value: Any, by_id: dict[str, dict[str, Any]]) -> None:
    waiting, seen = [value], 0
    while waiting and seen < _MAX_OBJECTS:
        value = waiting.pop()
        seen += 1
        if isinstance(value, dict):
            name = value.get("@id")
            if isinstance(name, str) and len(value) > 1:
                by_id.setdefault(name, value)
            waiting += [inner for inner in value.values() if isinstance(inner, (dict, list))]
        elif isinstance(value, list):
            waiting += value


def claims_about_page(json_ld: JsonLd, url: str | None, title: str) -> Claims:
    """Return the claims of the JSON-LD about the page with this URL and title."""
    return _LazyClaims(json_ld, _select_things_of_page(json_ld.things, url, title))


class _LazyClaims:
    """Claims that are read field by field, on the first access."""

    def __init__(self, json_ld: JsonLd, things: list[SchemaThing]) -> None:
        self._json_ld = json_ld
        self._things = things
        self._claims: dict[str, list[Claim]] = {}

    def __getitem__(self, field: str) -> list[Claim]:
        if field not in self._claims:
            self._claims[field] = [claim for thing in self._things for claim in _claims(self._json_ld, thing, field)]
        return self._claims[field]


def _claims(json_ld: JsonLd, thing: SchemaThing, field: str) -> list[Claim]:
    """Return the claims of one thing about a field."""
    kind, type_name, data, node = thing
    if field == "site":
        return _site_claims(json_ld, thing)
    if kind == "site":
        return []
    if field in _FIELD_PROPERTIES:
        names = [name for name in _FIELD_PROPERTIES[field] if name in data]
        return [claim for name in names for claim in _text_claims(data[name], kind, node)]
    if field == "author":
        return _author_claims(json_ld, thing) if kind in ("article", "forum", "page") else []
    if field == "type":
        return [Claim(type_name, JSON_LD, kind, node)]
    if field == "title":
        has_headline = kind in WORK_KINDS and data.get("headline")
        return _text_claims(data.get("headline" if has_headline else "name"), kind, node)
    return []


def _text_claims(value: Any, detail: str, node: int) -> list[Claim]:
    return [Claim(text, JSON_LD, detail, node) for text in _read_texts(value)]


def _site_claims(json_ld: JsonLd, thing: SchemaThing) -> list[Claim]:
    if thing.kind == "site":
        return _text_claims(thing.data.get("name"), "site", thing.node)
    publishers = _as_list(json_ld.resolve(thing.data.get("publisher")))
    return [
        claim
        for publisher in publishers
        if isinstance(publisher, dict)
        for claim in _text_claims(publisher.get("name"), "publisher", thing.node)
    ]


def _author_claims(json_ld: JsonLd, thing: SchemaThing) -> list[Claim]:
    claims: list[Claim] = []
    for author in _as_list(thing.data.get("author") or thing.data.get("creator"))[:_MAX_VALUES]:
        author = json_ld.resolve(author)
        profile_url = author_kind = None
        if isinstance(author, dict):
            type_name = _type_of(author)
            if type_name.endswith(_ORGANIZATION_ENDINGS):
                author_kind = ORGANIZATION
            elif type_name == "Person":
                author_kind = PERSON
            urls = [url for url in _read_texts(author.get("url")) if url.startswith(("http", "/"))]
            profile_url = urls[0] if urls else None
            names = _read_texts(author.get("name")) or _read_full_name(author)
        else:
            names = _read_texts(author)
        claims += [Claim(name, JSON_LD, thing.kind, thing.node, True, profile_url, author_kind) for name in names]
    return claims


def _read_full_name(person: dict[str, Any]) -> list[str]:
    parts = [part for name in ("givenName", "familyName") for part in _read_texts(person.get(name))[:1]]
    return [" ".join(parts)] if parts else []


def _select_things_of_page(things: list[SchemaThing], url: str | None, title: str) -> list[SchemaThing]:
    """Select the things that describe the page: first works, of several the page's own, then all others."""
    works = [thing for thing in things if thing.kind in WORK_KINDS]
    others = [thing for thing in things if thing.kind and thing.kind not in WORK_KINDS]
    return (works if len(works) < 2 else _select_works_of_page(works, url, title)) + others


def _select_works_of_page(works: list[SchemaThing], url: str | None, title: str) -> list[SchemaThing]:
    """Select the works that are the page, by URL, else by title. Works with one and the same title are all the page."""
    names = {
        word_key(name) for work in works for name in _read_texts(work.data.get("headline") or work.data.get("name"))
    }
    if len(names) <= 1:
        return works
    if url:
        here = _without_fragment(url)
        selected = [work for work in works if here in map(_without_fragment, _read_urls(work.data))]
        if selected:
            return selected
    title_key = word_key(title)
    return [work for work in works if any(_has_words(title_key, word_key(name)) for name in _read_titles(work.data))]


def _without_fragment(url: str) -> str:
    return url.partition("#")[0].rstrip("/")


def _read_titles(data: dict[str, Any]) -> list[str]:
    return _read_texts(data.get("headline")) + _read_texts(data.get("name"))


def _has_words(key: str, part: str) -> bool:
    return bool(part) and f" {part} " in f" {key} "


def _read_urls(data: dict[str, Any]) -> list[str]:
    page = data.get("mainEntityOfPage")
    page_url = page.get("@id") if isinstance(page, dict) else page
    return _read_texts([data.get("url"), data.get("@id"), page_url])


def _type_of(data: dict[str, Any]) -> str:
    """Return the type of an object; of several types the most specific one."""
    names = data.get("@type")
    if isinstance(names, str):
        return _local_name(names)
    types = [_local_name(str(name)) for name in _as_list(names) if name]
    return max(types, key=lambda name: _KIND_RANK.get(classify_type(name), 0), default="")


def _local_name(type_name: str) -> str:
    """Return a type without its vocabulary: "https://schema.org/Article", "schema:Article"."""
    return type_name.rpartition("/")[2].rpartition(":")[2]


@lru_cache(maxsize=512)
def classify_type(type_name: str) -> str:
    """Return the kind of a type of schema.org: one of the kinds of `SchemaThing`."""
    if type_name in _FORUM_TYPES:
        return "forum"
    if type_name.endswith(("Article", "BlogPosting")) or type_name in _ARTICLE_TYPES:
        return "article"
    if type_name in _PRODUCT_TYPES:
        return "product"
    if type_name.endswith("Page"):
        return "page"
    return "site" if type_name == "WebSite" else ""


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _read_texts(value: Any) -> list[str]:
    """Return the strings of a value: a string, a list of strings, or objects with a URL, a value or a name."""
    texts: list[str] = []
    for member in _as_list(value)[:_MAX_VALUES]:
        if isinstance(member, dict):
            member = _read_url_or_name(member)
        if isinstance(member, (str, int)) and not isinstance(member, bool):
            if text := clean_text(str(member)):
                texts.append(text)
    return texts


def _read_url_or_name(data: dict[str, Any]) -> str | None:
    for name in ("url", "@value", "name", "@id"):
        value = data.get(name)
        if isinstance(value, str):
            return value
    return None
