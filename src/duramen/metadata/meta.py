"""The `<meta>` elements: Open Graph, Dublin Core, Twitter, Highwire's `citation_*`, the plain names and some of trade.

One table says which name speaks of which field; names are compared in lower case.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.dom.lexbor import Names, Remark
from duramen.metadata.claims import Claim, Claims
from duramen.metadata.head import Head
from duramen.metadata.scopes import of_page
from duramen.metadata.strings import tidy

OPEN_GRAPH: Final = "open-graph"
DUBLIN_CORE: Final = "dublin-core"
TWITTER: Final = "twitter"
CITATION: Final = "citation"
META: Final = "meta"

# source → field → names
_TABLE: Final[dict[str, dict[str, str]]] = {
    OPEN_GRAPH: {
        "title": "og:title",
        "author": "article:author og:article:author og:author book:author",
        "published": "article:published_time og:article:published_time og:published_time article:published og:pubdate",
        "modified": "article:modified_time og:article:modified_time og:updated_time og:modified_time article:modified",
        "site": "og:site_name",
        "description": "og:description",
        "tag": "article:tag og:article:tag og:video:tag video:tag book:tag",
        "category": "article:section og:article:section og:section",
        "canonical": "og:url",
        "image": "og:image og:image:url og:image:secure_url",
        "language": "og:locale",
        "type": "og:type",
    },
    TWITTER: {
        "title": "twitter:title",
        "description": "twitter:description",
        "image": "twitter:image twitter:image:src",
        "canonical": "twitter:url",
    },
    DUBLIN_CORE: {
        "title": "dc.title dc:title dcterms.title",
        "author": "dc.creator dc:creator dcterms.creator dc.contributor.author dc.author",
        "published": "dc.date dc:date dc.date.issued dc.date.created dc.created dc.issued dcterms.date dcterms.issued"
        " dcterms.created dc.date.published dc:created",
        "modified": "dc.date.modified dcterms.modified dc.modified dc:modified",
        "site": "dc.publisher dcterms.publisher",
        "description": "dc.description dc:description dcterms.description dcterms.abstract dc.description.abstract",
        "tag": "dc.subject dc:subject dcterms.subject",
        "language": "dc.language dc:language dcterms.language",
        "licence": "dc.rights.license dcterms.license dc.license",
        "type": "dc.type dcterms.type",
    },
    CITATION: {
        "title": "citation_title",
        "author": "citation_author citation_authors",
        "published": "citation_publication_date citation_date citation_online_date citation_cover_date",
        "site": "citation_journal_title citation_publisher",
        "description": "citation_abstract",
        "tag": "citation_keywords citation_keyword",
        "language": "citation_language",
    },
    META: {
        "title": "title headline parsely-title sailthru.title",
        "author": "author authors byl parsely-author sailthru.author article:author_name creator article.author"
        " shareaholic:article_author_name rbauthors dcsext.author",
        "published": "date pubdate publish-date publish_date publishdate publication_date publication-date"
        " publicationdate published published_date published-date parsely-pub-date sailthru.date datepublished"
        " article.published article_date_original date.created created creation_date originalpublicationdate"
        " shareaholic:article_published_time release_date bt:pubdate cxenseparse:recs:publishtime ptime",
        "modified": "last-modified lastmod last_modified lastmodified revised revision_date datemodified modified"
        " modified_date modified-date updated date.updated article.updated shareaholic:article_modified_time utime",
        "site": "application-name apple-mobile-web-app-title shareaholic:site_name",
        "description": "description",
        "tag": "keywords news_keywords parsely-tags sailthru.tags",
        "category": "parsely-section cxenseparse:category section category articlesection",
        "image": "thumbnail parsely-image-url sailthru.image.full image thumbnailurl",
        "language": "content-language language lang",
        "licence": "license licence",
        "type": "parsely-type pagetype page-type",
    },
}

_NAMES: Final = {
    name: (field, source, name)
    for source, fields in _TABLE.items()
    for field, names in fields.items()
    for name in names.split()
}
_NONE: Final[list[Claim]] = []
_NOTHING: Final = {field: _NONE for fields in _TABLE.values() for field in fields}
"""No claim on any field: one list stands for them all, and nobody writes to it."""
_SILENT: Final = Names(
    frozenset(
        "viewport robots generator theme-color url name position referrer google-site-verification X-UA-Compatible"
        " Content-Type twitter:card twitter:site twitter:creator twitter:image:alt og:image:width og:image:height"
        " og:image:type og:image:alt og:locale:alternate article:publisher fb:app_id fb:pages msapplication-TileImage"
        " msapplication-TileColor interactionType userInteractionCount format-detection width height".split()
    ),
    frozenset(
        "og:title og:description og:url og:site_name og:image og:image:secure_url og:type og:locale og:updated_time"
        " twitter:title twitter:description twitter:image description keywords author article:author article:section"
        " article:tag article:published_time article:modified_time".split()
    ),
)
"""The names on most pages that speak of no field, two thirds of what the table does not have; and the usual ones."""
_AUTHOR_LABELS: Final = frozenset(("written by", "author", "by", "interview by", "authors", "posted by"))
_parts = re.compile(r"[^\W_]+")


def read_metas(head: Head) -> Claims:
    """What the `<meta>` elements claim."""
    told = head.metas(_SILENT)
    if told and told[-1][0] > head.tree.body:
        told = of_page(head.tree, told)
    return _claims(told)


def _claims(told: list[Remark]) -> Claims:
    claims = _NOTHING.copy()
    labels: dict[str, str] = {}
    for node, name, value in told:
        known = _NAMES.get(name)
        if known is None:
            name = name.strip().lower()
            known = _NAMES.get(name) or _told(name, value, labels)
            if known is None:
                continue
        field, source, of = known
        if text := tidy(value):
            claim = Claim(text, source, of, node, False, None, None)
            said = claims[field]
            if said:
                said.append(claim)
            else:
                claims[field] = [claim]
    return claims


def _told(name: str, value: str, labels: dict[str, str]) -> tuple[str, str, str] | None:
    """What a name speaks of that no table has: a label of Twitter's cards, or `w-published-date`, `ms.date`."""
    if name.startswith("twitter:"):
        if name.startswith("twitter:label"):
            labels[name.removeprefix("twitter:label")] = tidy(value).lower().rstrip(":")
        elif name.startswith("twitter:data") and labels.get(name.removeprefix("twitter:data")) in _AUTHOR_LABELS:
            return "author", TWITTER, ""
        return None
    if ("date" in name or "publi" in name) and tidy(value)[:4].isdigit():
        words = set(_parts.findall(name))
        if words & {"modified", "updated", "update"}:
            return "modified", META, "named"
        if words & {"published", "publish", "publication"}:
            return "published", META, "named"
        if words & {"date", "created"} and not words & {"expires", "expiry", "end", "event", "start"}:
            return "published", META, "date"
    return None
