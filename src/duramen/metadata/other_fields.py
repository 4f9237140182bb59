"""The fields without scoring: description, site, language, image, tags, categories, license, canonical URL, page type.

Their sources have a fixed order. The first source with a usable value is believed, and sources that agree increase the
confidence. Structured markup of the body (`sources/body_markup.py`) comes last: it may describe only a part of the
page. It is read only if the head does not declare the type of the page, so that most pages do not pay for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from duramen.dom.dates import Moment, as_date, parse_date
from duramen.dom.text import clean_text, have_same_words, read_clean_text, word_key
from duramen.dom.tree import Tree
from duramen.dom.urls import join_url, split_host_and_path
from duramen.language.vocabulary import primary_subtag
from duramen.metadata.author_names import read_authors
from duramen.metadata.authors import Authors
from duramen.metadata.model import Claim, FieldValue
from duramen.metadata.scoring import combine_sources
from duramen.metadata.sources.body_markup import find_foreign_ranges
from duramen.metadata.sources.collection import Sources
from duramen.metadata.sources.links import REL

SourcedValue = tuple[str, str]
"""A value and its source."""

_LANGUAGE_TAG = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@].*)?$", re.IGNORECASE)
_NO_LANGUAGES: Final = ("und", "xx", "utf")
# The order of sources. Sources that are not in it come last.
_SITE_ORDER: Final = ("open-graph", "json-ld", "citation", "dublin-core", "meta")
_DESCRIPTION_ORDER: Final = ("meta", "open-graph", "json-ld", "twitter")
_IMAGE_ORDER: Final = ("open-graph", "json-ld", "twitter")
_DESCRIBED_KINDS: Final = frozenset(("article", "forum", "product"))
_SCHEMES: Final = ("http://", "https://")
_MAX_TERMS: Final = 50
_MAX_TERM_CHARS: Final = 80
"""A term is one tag or category."""
_MAX_PAGE_TYPE_CHARS: Final = 40
_MAX_MARKED_CHARS: Final = 160
_WRAPPER: Final = "wrapper"
_WRAPPER_CONFIDENCE: Final = 0.95
"""Confidence in an element that was learned from several pages of the site, which all agreed."""


# Elements that a wrapper knows to show a field


def read_marked_authors(sources: Sources, node: int | None) -> FieldValue[Authors] | None:
    """Read the authors from the element that is known to show them."""
    if node is None:
        return None
    # A `meta` element, or an element that a script fills, has its value in an attribute.
    text = read_clean_text(sources.tree, node, _MAX_MARKED_CHARS) or clean_text(
        sources.tree.attributes[node].get("content")
    )
    authors = read_authors([Claim(text, _WRAPPER, "", node)])
    return FieldValue(authors, _WRAPPER, _WRAPPER_CONFIDENCE) if authors else None


def read_marked_date(sources: Sources, node: int | None) -> FieldValue[Moment] | None:
    """Read a date from the element that is known to show it."""
    if node is None:
        return None
    attributes = sources.tree.attributes[node]
    machine_readable = (clean_text(attributes.get(name)) for name in ("datetime", "content"))
    for value in (*machine_readable, read_clean_text(sources.tree, node, _MAX_MARKED_CHARS)):
        moment = parse_date(value, sources.declared_language)
        if moment and as_date(moment) <= sources.today:
            return FieldValue(moment, _WRAPPER, _WRAPPER_CONFIDENCE)
    return None


def _read_marked_terms(sources: Sources, node: int) -> FieldValue[tuple[str, ...]] | None:
    """Read the texts of the links in an element that is known to list tags or categories."""
    tree = sources.tree
    links = (link for link in range(node, tree.end[node]) if tree.tag[link] == "a")
    terms: dict[str, str] = {}
    for link in links:
        text = read_clean_text(tree, link, _MAX_TERM_CHARS + 1).strip(" #")
        if len(text) <= _MAX_TERM_CHARS and (key := word_key(text)):
            terms.setdefault(key, text)
    return FieldValue(tuple(terms.values())[:_MAX_TERMS], _WRAPPER, _WRAPPER_CONFIDENCE) if terms else None


# Texts


def find_body_title(sources: Sources) -> FieldValue[str] | None:
    """Find the title in the structured markup of the body."""
    return _first_with_agreement(_body_values(sources, "title"), have_same_words)


def find_site(sources: Sources) -> FieldValue[str] | None:
    """Find the name of the site."""
    site = _find_in_order(sources, "site", _SITE_ORDER)
    return site or _first_with_agreement(_body_values(sources, "site"), have_same_words)


def find_description(sources: Sources) -> FieldValue[str] | None:
    """Find the description."""
    description = _find_in_order(sources, "description", _DESCRIPTION_ORDER)
    return description or _first_with_agreement(_body_values(sources, "description"), have_same_words)


def find_language(sources: Sources) -> FieldValue[str] | None:
    """Find the declared language: `<html lang>`, which browsers and screen readers use, before all others."""
    declared = sources.declared_language
    if declared and (tag := normalize_language_tag(declared)):
        return combine_sources(tag, ["html"])
    values = _values(sources.json_ld["language"] + sources.meta["language"])
    header = sources.page.headers.get("content-language")
    if header and isinstance(header, str):  # headers come from the caller and may be anything
        values.append((header, "http"))
    tags = _language_tags(values) or _language_tags(_body_values(sources, "language"))
    return _first_with_agreement(tags, lambda first, second: primary_subtag(first) == primary_subtag(second))


def _language_tags(values: list[SourcedValue]) -> list[SourcedValue]:
    return [(tag, source) for value, source in values if (tag := normalize_language_tag(value))]


@lru_cache(maxsize=512)
def normalize_language_tag(value: str) -> str | None:
    """Return a language tag in its usual spelling, `en-US` for `en_us`; None if the value is no language tag."""
    match = _LANGUAGE_TAG.match(value.strip().split(",")[0].strip())
    if not match or match[1].lower() in _NO_LANGUAGES:
        return None
    parts = (match[1].lower(), match[2] and match[2].title(), match[3] and match[3].upper())
    return "-".join(filter(None, parts))


def find_page_type(sources: Sources) -> FieldValue[str] | None:
    """Find the declared type of page: the kind of its JSON-LD, else `og:type`, else the markup of the body."""
    kinds = [(claim.detail, claim.source) for claim in sources.json_ld["type"]]
    types = [one for kind in ("forum", "article", "product") for one in kinds if one[0] == kind]
    types += [(name, claim.source) for claim in sources.meta["type"] if (name := _read_og_type(claim.value))]
    types += [one for one in kinds if one[0] == "page"]
    return _first_with_agreement(types or [(claim.detail, claim.source) for claim in _body_claims(sources, "type")])


def _read_og_type(value: str) -> str:
    """Return `article` for "article", `product` for "og:product", `video` for "video.other"."""
    return clean_text(value).lower().rpartition(":")[2].partition(".")[0][:_MAX_PAGE_TYPE_CHARS]


# Tags and categories


def find_terms(sources: Sources, field: str, node: int | None) -> FieldValue[tuple[str, ...]] | None:
    """Find the tags or categories (`field` is `tag` or `category`).

    The element that is known to list them goes first, unless the head has the same terms and more.
    """
    marked = None if node is None else _read_marked_terms(sources, node)
    declared = _find_declared_terms(sources, field)
    if marked and declared and set(map(word_key, marked.value)) < set(map(word_key, declared.value)):
        return declared
    return marked or declared


def _find_declared_terms(sources: Sources, field: str) -> FieldValue[tuple[str, ...]] | None:
    """Return all terms of the head, each once; if it has none, those of links; else those of the body's markup."""
    claims = [*sources.json_ld[field], *sources.meta[field]]
    claims = claims or _find_linked_terms(sources, field) or _body_claims(sources, field)
    terms: dict[str, str] = {}
    term_sources: dict[str, None] = {}
    for claim in claims:
        parts = [claim.value] if claim.source == REL else re.split("[,;|]", claim.value)
        for part in parts:
            part = part.strip(" #")
            if 0 < len(part) <= _MAX_TERM_CHARS and (key := word_key(part)):
                terms.setdefault(key, part)
                term_sources[claim.source] = None
    return combine_sources(tuple(terms.values())[:_MAX_TERMS], list(term_sources)) if terms else None


def _find_linked_terms(sources: Sources, field: str) -> list[Claim]:
    """Return the terms of links in the page's own parts; if its article has some, only those, not a cloud beside it."""
    claims = sources.rel_links[field]
    if not claims:
        return []
    nodes = [claim.node for claim in claims]
    body = sources.body.restrict_to(nodes)
    own = set(body.own_nodes(nodes))
    foreign = find_foreign_ranges(body, sources.title_element)
    claims = [claim for claim in claims if claim.node in own and not foreign.contain(claim.node)]
    start, end = _find_article_range(sources.tree, body.headline)
    return [claim for claim in claims if start <= claim.node < end] or claims


def _find_article_range(tree: Tree, headline: int) -> tuple[int, int]:
    """Return the nodes of the outermost `<article>` that contains the headline; an empty range if there is none."""
    articles = [node for node in tree.ancestors(headline) if tree.tag[node] == "article"] if headline > 0 else []
    return (articles[-1], tree.end[articles[-1]]) if articles else (0, 0)


# URLs


def find_canonical(sources: Sources) -> FieldValue[str] | None:
    """Find the URL that the page declares as its own."""
    values = [(href, "link") for rel, href in sources.link_elements if "canonical" in rel.split()]
    values += _values(sources.meta["canonical"])
    if canonical := _first_with_agreement(_complete_urls(sources, values)):
        return canonical
    json_ld = [claim for claim in sources.json_ld["canonical"] if claim.detail in ("article", "page", "forum")]
    if canonical := _first_with_agreement(_complete_urls(sources, _values(json_ld))):
        return canonical
    # In the body, a URL on another host is that of a copy.
    urls = _complete_urls(sources, _body_values(sources, "canonical"))
    return _first_with_agreement([one for one in urls if sources.host in ("", split_host_and_path(one[0])[0])])


def _complete_urls(sources: Sources, values: list[SourcedValue]) -> list[SourcedValue]:
    """Return the values that are complete URLs; a relative URL is not, if the page's own is not known."""
    urls = ((absolute_url(sources, value), source) for value, source in values)
    return [(url, source) for url, source in urls if url and (url.startswith(_SCHEMES) or urlsplit(url).scheme)]


def find_license(sources: Sources) -> FieldValue[str] | None:
    """Find the license: usually its URL."""
    values = [(href, "link") for rel, href in sources.link_elements if "license" in rel.split()]
    values += _values(sources.json_ld["license"] + sources.meta["license"])
    values = values or _values(sources.rel_links["license"]) or _body_values(sources, "license")
    licenses = ((value if " " in value else absolute_url(sources, value), source) for value, source in values)
    return _first_with_agreement([(value, source) for value, source in licenses if value])


def find_image(sources: Sources) -> FieldValue[str] | None:
    """Find the URL of the lead image."""
    if image := _find_in_order(sources, "image", _IMAGE_ORDER, are_urls=True):
        return image
    values = [(href, "link") for rel, href in sources.link_elements if rel == "image_src"]
    return _first_with_agreement(_absolute_urls(sources, values or _body_values(sources, "image")))


def complete_author_urls(sources: Sources, authors: FieldValue[Authors]) -> FieldValue[Authors]:
    """Return the authors with absolute profile URLs, if the page's own URL is known."""
    if all(author.url is None or author.url.startswith(_SCHEMES) for author in authors.value):
        return authors
    completed = [
        author._replace(url=absolute_url(sources, author.url) if author.url else None) for author in authors.value
    ]
    return authors._replace(value=tuple(completed))


def _absolute_urls(sources: Sources, values: list[SourcedValue]) -> list[SourcedValue]:
    return [(url, source) for value, source in values if (url := absolute_url(sources, value))]


def absolute_url(sources: Sources, value: str) -> str | None:
    """Return the absolute URL of a value; None if it is not the URL of a page or an image."""
    if value.startswith(_SCHEMES) and " " not in value and "[" not in value:
        return value
    url = join_url(sources.page.base, value)
    if url is None:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:  # "http://[broken"
        return None
    return url if (parts.scheme in ("http", "https") and parts.netloc) or not parts.scheme else None


# Choice by the order of sources


def describes_page_in_head(sources: Sources) -> bool:
    """Return whether the head declares the type of the page.

    Few pages with such a description have fields in the body that it leaves out. Nearly all pages lack a license, and
    many lack tags: their bodies are not read for that.
    """
    if sources.meta["type"]:
        return True
    return any(thing.kind in _DESCRIBED_KINDS for thing in sources.json_ld_things.things)


def _body_claims(sources: Sources, field: str) -> list[Claim]:
    """Return the claims of the body's markup, if the head does not describe the page."""
    return [] if describes_page_in_head(sources) else sources.body_markup[field]


def _body_values(sources: Sources, field: str) -> list[SourcedValue]:
    return _values(_body_claims(sources, field))


def _values(claims: list[Claim]) -> list[SourcedValue]:
    return [(claim.value, claim.source) for claim in claims]


def _find_in_order(
    sources: Sources, field: str, order: tuple[str, ...], *, are_urls: bool = False
) -> FieldValue[str] | None:
    """Return the first value in the order of sources.

    JSON-LD is not parsed if a source before it has a value.
    """
    is_same = None if are_urls else have_same_words
    before_json_ld = order[: order.index("json-ld")]
    meta = sources.meta[field]
    if any(claim.source in before_json_ld for claim in meta):
        if value := _first_with_agreement(_sort_values(sources, meta, order, are_urls), is_same):
            return value
    return _first_with_agreement(_sort_values(sources, sources.json_ld[field] + meta, order, are_urls), is_same)


def _sort_values(sources: Sources, claims: list[Claim], order: tuple[str, ...], are_urls: bool) -> list[SourcedValue]:
    values = _absolute_urls(sources, _values(claims)) if are_urls else _values(claims)
    return sorted(values, key=lambda value: order.index(value[1]) if value[1] in order else len(order))


def _first_with_agreement(
    values: list[SourcedValue], is_same: Callable[[str, str], bool] | None = None
) -> FieldValue[str] | None:
    """Return the first value, with the confidence of all sources that give the same. None if there is no value."""
    if not values:
        return None
    chosen, first_source = values[0]
    sources = [first_source]
    for value, source in values[1:]:
        if source not in sources and (value == chosen or (is_same is not None and is_same(value, chosen))):
            sources.append(source)
    return combine_sources(chosen, sources)
