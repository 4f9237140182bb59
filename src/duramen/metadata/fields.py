"""The fields whose sources have an order: the first source that says something sensible is believed.

Sources that say the same make the answer surer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final, TypeVar
from urllib.parse import urljoin, urlsplit

from duramen.metadata.choosing import Found, agreed, said_together
from duramen.metadata.claims import Claim
from duramen.metadata.dates import Moment, day_of, read_date
from duramen.metadata.names import Author, authors
from duramen.metadata.sources import Sources
from duramen.metadata.strings import key, text_of, tidy

T = TypeVar("T")

_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@].*)?$", re.IGNORECASE)
# The order of sources: those that are not in it come last.
_OF_SITE: Final = dict(zip("open-graph json-ld citation dublin-core meta".split(), range(5), strict=True))
_OF_DESCRIPTION: Final = dict(zip("meta open-graph json-ld twitter".split(), range(4), strict=True))
_OF_IMAGE: Final = dict(zip("open-graph json-ld twitter".split(), range(3), strict=True))
_SCHEMES: Final = ("http://", "https://")
_MOST_LISTED: Final = 50
_LONGEST_LISTED: Final = 80
_LONGEST_MARKED: Final = 160
_WRAPPER: Final = "wrapper"
_SURE_MARKED: Final = 0.95
"""How sure a place is that was learnt from several pages: they all agreed."""


def modified(sources: Sources, *, body: bool) -> Found[Moment] | None:
    """The day of the last change; with `body`, what readers see counts too."""

    def moment(claim: Claim) -> Moment | None:
        found = read_date(claim.value, sources.declared_language)
        return found if found and day_of(found) <= sources.today else None

    return _first(sources.claims("modified", body=body), moment, _day)


def marked_authors(sources: Sources, node: int | None) -> Found[tuple[Author, ...]] | None:
    """The authors that an element shows which is known to show them."""
    if node is None:
        return None
    found = authors([Claim(text_of(sources.page.tree, node, _LONGEST_MARKED), _WRAPPER, "", node)])
    return Found(found, _WRAPPER, _SURE_MARKED) if found else None


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


def site(sources: Sources) -> Found[str] | None:
    return _in_order(sources, "site", _OF_SITE, _itself, key)


def language(sources: Sources) -> Found[str] | None:
    """The declared language: of `<html lang>`, which browsers and screen readers heed, before all others."""
    own = sources.declared_language
    if own and (tag := language_tag(own)):
        return agreed(tag, [Claim(own, "html")])  # nobody else is asked: all they could do is to agree
    claims = sources.json_ld["language"] + sources.metas["language"]
    if header := sources.page.headers.get("content-language"):
        claims.append(Claim(header, "http"))
    return _first(claims, lambda claim: language_tag(claim.value), lambda tag: tag.partition("-")[0])


def language_tag(value: str) -> str | None:
    """A language tag in its usual spelling: `en_us` is `en-US`; None for what is none."""
    match = _LANGUAGE.match(value.strip().split(",")[0].strip())
    if not match or match[1].lower() in ("und", "xx", "utf"):
        return None
    parts = (match[1].lower(), match[2] and match[2].title(), match[3] and match[3].upper())
    return "-".join(filter(None, parts))


def description(sources: Sources) -> Found[str] | None:
    return _in_order(sources, "description", _OF_DESCRIPTION, _itself, key)


def listed(sources: Sources, name: str) -> Found[tuple[str, ...]] | None:
    """Tags or categories: all that any source of the head names, each once; where none does, those of links."""
    claims = [*sources.json_ld[name], *sources.metas[name]] or sources.anchors[name]
    values: dict[str, str] = {}
    said: list[Claim] = []
    for claim in claims:
        value = claim.value
        for part in value.replace(";", ",").replace("|", ",").split(",") if claim.source != "rel" else [value]:
            if 0 < len(part := part.strip(" #")) <= _LONGEST_LISTED and (name := key(part)):
                values.setdefault(name, part)
                said.append(claim)
    return agreed(tuple(values.values())[:_MOST_LISTED], said) if values else None


def canonical(sources: Sources) -> Found[str] | None:
    claims = [Claim(href, "link") for rel, href in sources.head.links if "canonical" in rel.split()]
    claims += sources.metas["canonical"]

    def whole(claim: Claim) -> str | None:
        """A part of an address is none where the rest is not known."""
        address = _address(sources, claim.value)
        return address if address and (address.startswith(_SCHEMES) or urlsplit(address).scheme) else None

    if found := _first(claims, whole, _itself_text):
        return found
    claims = [claim for claim in sources.json_ld["canonical"] if claim.of in ("article", "page", "forum")]
    return _first(claims, whole, _itself_text)


def licence(sources: Sources) -> Found[str] | None:
    claims = [Claim(href, "link") for rel, href in sources.head.links if "license" in rel.split()]
    claims += sources.json_ld["licence"] + sources.metas["licence"]
    claims = claims or sources.anchors["licence"]

    def named(claim: Claim) -> str | None:
        return claim.value if " " in claim.value else _address(sources, claim.value)

    return _first(claims, named, _itself_text)


def image(sources: Sources) -> Found[str] | None:
    def address(claim: Claim) -> str | None:
        return _address(sources, claim.value)

    found = _in_order(sources, "image", _OF_IMAGE, address, _itself_text)
    links = [Claim(href, "link") for rel, href in sources.head.links if rel == "image_src"] if found is None else []
    return found or _first(links, address, _itself_text)


def page_type(sources: Sources) -> Found[str] | None:
    """What the page says it is: by the kind of its JSON-LD, else by `og:type`."""
    rank = {"forum": 0, "article": 1, "product": 2}
    claims = sorted(sources.json_ld["type"], key=lambda claim: rank.get(claim.of, 3))
    told = [claim._replace(value=claim.of) for claim in claims if claim.of in rank]
    told += [claim._replace(value=_graph_type(claim.value)) for claim in sources.metas["type"]]
    told += [claim._replace(value="page") for claim in claims if claim.of == "page"]
    return _first(told, _itself, _itself_text)


def _graph_type(value: str) -> str:
    """`article` of "article", `product` of "og:product", `video` of "video.other"."""
    return tidy(value).lower().rpartition(":")[2].partition(".")[0][:40]


def _in_order(
    sources: Sources,
    field: str,
    ranks: Mapping[str, int],
    read: Callable[[Claim], T | None],
    same: Callable[[T], object],
) -> Found[T] | None:
    """The first claim that can be read, of sources in the order of their ranks.

    JSON-LD is not read where a source that comes before it has an answer.
    """
    last = len(ranks)

    def rank(claim: Claim) -> int:
        return ranks.get(claim.source, last)

    claims = sources.metas[field]
    if len(claims) > 1:
        claims = sorted(claims, key=rank)
    if claims and rank(claims[0]) < ranks["json-ld"] and (found := _first(claims, read, same)):
        return found
    return _first(sorted([*sources.json_ld[field], *claims], key=rank), read, same)


def _first(claims: Sequence[Claim], read: Callable[[Claim], T | None], same: Callable[[T], object]) -> Found[T] | None:
    """The first claim that can be read, with all that say the same."""
    chosen: T | None = None
    told: object = None
    said: list[str] = []
    for claim in claims:
        if claim.source in said or not (value := read(claim)):
            continue
        if chosen is None:
            chosen = value
        elif value != chosen:
            told = same(chosen) if told is None else told
            if same(value) != told:
                continue
        said.append(claim.source)
    return None if chosen is None else said_together(chosen, said)


def _itself(claim: Claim) -> str:
    return claim.value


def _itself_text(value: str) -> str:
    return value


def _day(moment: Moment) -> date:
    return day_of(moment)


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
