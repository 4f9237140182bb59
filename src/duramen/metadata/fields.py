"""The fields whose sources have an order: the first source that says something sensible is believed.

Sources that say the same make the answer surer.

The markup of the body (`described.py`) comes after all of the head. Who writes a head writes it of this page; what is
marked in the body may be a part of it only, or one of the many that a template fills in. So it is asked where the head
does not even tell what type of page it is, and no page whose head describes it pays for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar
from urllib.parse import urljoin, urlsplit

from duramen.dom.tree import Tree
from duramen.language.vocabulary import base
from duramen.metadata.addresses import host_and_path
from duramen.metadata.choosing import said_together
from duramen.metadata.claims import Author, Claim, Found
from duramen.metadata.dates import Moment, day_of, read_date
from duramen.metadata.described import other_things
from duramen.metadata.names import authors
from duramen.metadata.sources import Sources
from duramen.metadata.strings import alike, key, key_once, text_of, tidy

T = TypeVar("T")

_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@].*)?$", re.IGNORECASE)
# The order of sources: those that are not in it come last.
_OF_SITE: Final = ("open-graph", "json-ld", "citation", "dublin-core", "meta")
_OF_DESCRIPTION: Final = ("meta", "open-graph", "json-ld", "twitter")
_OF_IMAGE: Final = ("open-graph", "json-ld", "twitter")
_DESCRIBED: Final = frozenset(("article", "forum", "product"))
_SCHEMES: Final = ("http://", "https://")
_MOST_TAGS: Final = 512
_LONGEST_TAG: Final = 12
_MOST_LISTED: Final = 50
_LONGEST_LISTED: Final = 80
_LONGEST_MARKED: Final = 160
_WRAPPER: Final = "wrapper"
_SURE_MARKED: Final = 0.95
"""How sure a place is that was learnt from several pages: they all agreed."""


def modified(sources: Sources, body: bool) -> Found[Moment] | None:
    """The day of the last change; with `body`, what readers see counts too."""
    lang, today = sources.declared_language, sources.today
    told: list[tuple[Moment, str]] = []
    said, found = "", None
    for claim in sources.claims("modified", body=body):
        if claim.value != said:  # most write it as the one before does
            said = claim.value
            found = read_date(said, lang)
        if found and day_of(found) <= today:
            told.append((found, claim.source))
    return _first(told, _of_one_day)


def marked_authors(sources: Sources, node: int | None) -> Found[tuple[Author, ...]] | None:
    """The authors that an element shows which is known to show them."""
    if node is None:
        return None
    found = authors([Claim(text_of(sources.page.tree, node, _LONGEST_MARKED), _WRAPPER, "", node)])
    return Found(found, _WRAPPER, _SURE_MARKED) if found else None


def with_addresses(sources: Sources, found: Found[tuple[Author, ...]]) -> Found[tuple[Author, ...]]:
    """The same authors, each with a whole address, where the page's own is known."""
    for one in found.value:
        if one.url is not None and not one.url.startswith(_SCHEMES):
            break
    else:
        return found
    linked = [one._replace(url=_address(sources, one.url) if one.url else None) for one in found.value]
    return found._replace(value=tuple(linked))


def marked_date(sources: Sources, node: int | None) -> Found[Moment] | None:
    """The day that an element shows which is known to show it."""
    if node is None:
        return None
    said = tidy(sources.page.tree.attributes[node].get("datetime"))
    for value in (said, text_of(sources.page.tree, node, _LONGEST_MARKED)):
        found = read_date(value, sources.declared_language)
        if found and day_of(found) <= sources.today:
            return Found(found, _WRAPPER, _SURE_MARKED)
    return None


def labels(sources: Sources, name: str, node: int | None) -> Found[tuple[str, ...]] | None:
    """Tags or categories: as an element lists them that is known to, unless the head names these and others."""
    told, declared = None if node is None else _shown_list(sources, node), listed(sources, name)
    if told and declared and set(map(key, told.value)) < set(map(key, declared.value)):
        return declared
    return told or declared


def _shown_list(sources: Sources, node: int) -> Found[tuple[str, ...]] | None:
    """What the links in an element say."""
    tree = sources.page.tree
    links = (link for link in range(node, tree.end[node]) if tree.tag[link] == "a")
    texts = (text_of(tree, link, _LONGEST_LISTED + 1).strip(" #") for link in links)
    values: dict[str, str] = {}
    for text in texts:
        if len(text) <= _LONGEST_LISTED and (name := key(text)):
            values.setdefault(name, text)
    return Found(tuple(values.values())[:_MOST_LISTED], _WRAPPER, _SURE_MARKED) if values else None


def described_title(sources: Sources) -> Found[str] | None:
    """What the markup of the body calls the page."""
    return _first(_described(sources, "title"), alike)


def site(sources: Sources) -> Found[str] | None:
    return _in_order(sources, "site", _OF_SITE, alike) or _first(_described(sources, "site"), alike)


def language(sources: Sources) -> Found[str] | None:
    """The declared language: of `<html lang>`, which browsers and screen readers heed, before all others."""
    own = sources.declared_language
    if own and (tag := language_tag(own)):
        return said_together(tag, ["html"])  # nobody else is asked: all they could do is to agree
    claims = sources.json_ld["language"] + sources.metas["language"]
    header = sources.page.headers.get("content-language")
    if header and isinstance(header, str):  # whoever has the page gave it: a claim's value is text
        claims.append(Claim(header, "http"))
    told = [(tag, one.source) for one in claims if (tag := language_tag(one.value))]
    told = told or [(tag, source) for said, source in _described(sources, "language") if (tag := language_tag(said))]
    return _first(told, _of_one_language)


_TAGS: dict[str, str | None] = {}
"""Of the ways to write them that were met: there are few. What a page makes up is not kept."""


def language_tag(value: str) -> str | None:
    """A language tag in its usual spelling: `en_us` is `en-US`; None for what is none."""
    found = _TAGS.get(value, "")
    if found != "":
        return found
    found = _language_tag(value)
    if len(_TAGS) < _MOST_TAGS and len(value) <= _LONGEST_TAG:
        _TAGS[value] = found
    return found


def _language_tag(value: str) -> str | None:
    first, last = value[:2], value[3:]
    if (len(value) == 2 or (len(value) == 5 and value[2] in "-_")) and value.isascii() and (first + last).isalpha():
        first = first.lower()  # as nearly all are: `en`, `en-US`
        return None if first == "xx" else f"{first}-{last.upper()}" if last else first
    match = _LANGUAGE.match(value.strip().split(",")[0].strip())
    if not match or match[1].lower() in ("und", "xx", "utf"):
        return None
    parts = (match[1].lower(), match[2] and match[2].title(), match[3] and match[3].upper())
    return "-".join(filter(None, parts))


def description(sources: Sources) -> Found[str] | None:
    found = _in_order(sources, "description", _OF_DESCRIPTION, alike)
    return found or _first(_described(sources, "description"), alike)


def listed(sources: Sources, name: str) -> Found[tuple[str, ...]] | None:
    """Tags or categories: all that any source of the head names, each once; where none does, those of links.

    Where no link is meant so, those of the markup of the body.
    """
    claims = [*sources.json_ld[name], *sources.metas[name]] or _linked(sources, name) or _marked(sources, name)
    values: dict[str, str] = {}
    said: dict[str, None] = {}
    for claim in claims:
        _add_listed(claim.value, claim.source, values, said)
    return said_together(tuple(values.values())[:_MOST_LISTED], list(said)) if values else None


def _linked(sources: Sources, name: str) -> list[Claim]:
    """What the links of the page's own parts say: those of its article, if there are any, and not a cloud beside it."""
    told = sources.anchors[name]
    if not told:
        return told
    nodes = [claim.node for claim in told]
    body = sources.body.around(nodes)
    own = set(body.own(nodes))
    told = [claim for claim in told if claim.node in own]
    if told and (others := other_things(body, sources.head.title)).starts:
        told = [claim for claim in told if not others.holds(claim.node)]
    article, end = _article(sources.page.tree, body.headline)
    return [claim for claim in told if article <= claim.node < end] or told


def _article(tree: Tree, headline: int) -> tuple[int, int]:
    """The outermost article that holds the headline, as a range of nodes; an empty one where there is none."""
    tags, parents, found = tree.tag, tree.parent, 0
    node = headline
    while node > 0:
        if tags[node] == "article":
            found = node
        node = parents[node]
    return found, tree.end[found] if found else 0


def _add_listed(value: str, source: str, values: dict[str, str], said: dict[str, None]) -> None:
    parts = [value] if source == "rel" else value.replace(";", ",").replace("|", ",").split(",")
    for part in parts:
        part = part.strip(" #")
        if 0 < len(part) <= _LONGEST_LISTED and (name := key_once(part)):
            values.setdefault(name, part)
            said[source] = None


def canonical(sources: Sources) -> Found[str] | None:
    told = [(href, "link") for rel, href in sources.head.links if "canonical" in rel.split()]
    told += [(claim.value, claim.source) for claim in sources.metas["canonical"]]
    if found := _first(_wholes(sources, told), None):
        return found
    ld = sources.json_ld["canonical"]
    told = [(claim.value, claim.source) for claim in ld if claim.of in ("article", "page", "forum")]
    return _first(_wholes(sources, told), None) or _first(_described_address(sources), None)


def _described_address(sources: Sources) -> list[tuple[str, str]]:
    """The address that the markup of the body gives the page: one on another site is that of where it was copied to."""
    told = _wholes(sources, _described(sources, "canonical"))
    host = sources.host
    return [one for one in told if not host or host_and_path(one[0])[0] == host]


def _wholes(sources: Sources, told: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The whole addresses among these values: a part of one is none where the rest is not known."""
    found = []
    for value, source in told:
        address = _address(sources, value)
        if address and (address.startswith(_SCHEMES) or urlsplit(address).scheme):
            found.append((address, source))
    return found


def licence(sources: Sources) -> Found[str] | None:
    told = [(href, "link") for rel, href in sources.head.links if "license" in rel.split()]
    told += [(claim.value, claim.source) for claim in sources.json_ld["licence"] + sources.metas["licence"]]
    told = told or [(claim.value, claim.source) for claim in sources.anchors["licence"]]
    told = told or _described(sources, "licence")
    named: list[tuple[str, str]] = []
    for value, source in told:
        if address := value if " " in value else _address(sources, value):
            named.append((address, source))
    return _first(named, None)


def image(sources: Sources) -> Found[str] | None:
    if found := _in_order(sources, "image", _OF_IMAGE, None):
        return found
    hrefs = [href for rel, href in sources.head.links if rel == "image_src"]
    told = [(href, "link") for href in hrefs] or _described(sources, "image")
    return _first([(address, source) for value, source in told if (address := _address(sources, value))], None)


def page_type(sources: Sources) -> Found[str] | None:
    """What the page says it is: by the kind of its JSON-LD, else by `og:type`, else by the markup of its body."""
    kinds = [(claim.of, claim.source) for claim in sources.json_ld["type"]]
    told = [one for kind in ("forum", "article", "product") for one in kinds if one[0] == kind]
    told += [(type_, claim.source) for claim in sources.metas["type"] if (type_ := _graph_type(claim.value))]
    told += [one for one in kinds if one[0] == "page"]
    return _first(told or [(claim.of, claim.source) for claim in _marked(sources, "type")], None)


def _graph_type(value: str) -> str:
    """`article` of "article", `product` of "og:product", `video` of "video.other"."""
    return tidy(value).lower().rpartition(":")[2].partition(".")[0][:40]


def _described(sources: Sources, field: str) -> list[tuple[str, str]]:
    """What the markup of the body says on a field, and which."""
    return [(claim.value, claim.source) for claim in _marked(sources, field)]


def _marked(sources: Sources, field: str) -> list[Claim]:
    """What the markup of the body claims, if the head does not describe the page."""
    return [] if is_told(sources) else sources.described[field]


def is_told(sources: Sources) -> bool:
    """Whether the head describes what the page is: what such a description leaves out, few pages have.

    Nearly all pages lack a licence, and many lack tags: their bodies need not be read for that. So it is enough if the
    head tells the type of page, as nearly all heads do that are written for others to read.
    """
    return bool(sources.metas["type"]) or not _DESCRIBED.isdisjoint([thing.kind for thing in sources.things.things])


def _in_order(
    sources: Sources, field: str, order: tuple[str, ...], same: Callable[[str, str], bool] | None
) -> Found[str] | None:
    """The first claim that can be read, of sources in their order, those that are not in it last.

    JSON-LD is not read where a source that comes before it has an answer. Without `same` the values are addresses.
    """
    claims = sources.metas[field]
    before = order[: order.index("json-ld")]
    for claim in claims:
        if claim.source in before:
            if found := _first(_read_in_order(sources, claims, order, same is None), same):
                return found
            break
    return _first(_read_in_order(sources, sources.json_ld[field] + claims, order, same is None), same)


def _read_in_order(
    sources: Sources, claims: list[Claim], order: tuple[str, ...], are_addresses: bool
) -> list[tuple[str, str]]:
    """What claims say, and which source, in the order of their sources."""
    told: list[tuple[str, str]] = []
    for claim in claims:
        value = claim.value
        if read := _address(sources, value) if are_addresses else value:
            told.append((read, claim.source))
    if len(told) < 2:
        return told
    known = [one for source in order for one in told if one[1] == source]
    return known if len(known) == len(told) else known + [one for one in told if one[1] not in order]


def _of_one_day(one: Moment, other: Moment) -> bool:
    return day_of(one) == day_of(other)


def _of_one_language(one: str, other: str) -> bool:
    return base(one) == base(other)


def _first(told: list[tuple[T, str]], same: Callable[[T, T], bool] | None) -> Found[T] | None:
    """The first value, as sure as all sources are together that give it, or one that comes to the same."""
    if not told:
        return None
    chosen, source = told[0]
    said = [source]
    for value, source in told[1:]:
        if source not in said and (value == chosen or (same is not None and same(value, chosen))):
            said.append(source)
    return said_together(chosen, said)


def _address(sources: Sources, value: str) -> str | None:
    """The absolute address that a value is; None for what is no address of a page or a picture."""
    if value.startswith(_SCHEMES) and " " not in value and "[" not in value:
        return value
    try:
        address = urljoin(sources.page.base or "", value.strip())
        parts = urlsplit(address)
    except ValueError:  # "http://[broken"
        return None
    return address if (parts.scheme in ("http", "https") and parts.netloc) or not parts.scheme else None
