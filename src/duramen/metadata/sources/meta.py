"""`<meta>` and `<title>` elements: Open Graph, Dublin Core, Twitter, Highwire's `citation_*`, and plain names.

One table maps the name of an element to a field. Names are compared in lower case. Elements count wherever they are in
the document: an unexpected element inside the head ends it, and the parser moves the rest into the body.
"""

from __future__ import annotations

from typing import Final

from duramen.dom.class_names import split_words
from duramen.dom.text import clean_text, read_clean_text
from duramen.dom.tree import Tree
from duramen.dom.tree_queries import NamedValue, find_meta_elements
from duramen.metadata.model import Claim, Claims, new_claims
from duramen.metadata.sources.microdata import select_meta_of_page

OPEN_GRAPH: Final = "open-graph"
DUBLIN_CORE: Final = "dublin-core"
TWITTER: Final = "twitter"
CITATION: Final = "citation"
META: Final = "meta"

_MAX_ELEMENTS: Final = 2000
"""Elements of one tag that are read: no ordinary page has more."""

# source → field → names
_FIELDS_BY_SOURCE: Final[dict[str, dict[str, str]]] = {
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
        "license": "dc.rights.license dcterms.license dc.license",
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
        "license": "license licence",
        "type": "parsely-type pagetype page-type",
    },
}


_FIELD_OF_NAME: Final = {
    name: (field, source)
    for source, fields in _FIELDS_BY_SOURCE.items()
    for field, names in fields.items()
    for name in names.split()
}
_IGNORED_NAMES: Final = frozenset(
    "viewport robots generator theme-color url name position referrer google-site-verification X-UA-Compatible"
    " Content-Type twitter:card twitter:site twitter:creator twitter:image:alt og:image:width og:image:height"
    " og:image:type og:image:alt og:locale:alternate article:publisher fb:app_id fb:pages msapplication-TileImage"
    " msapplication-TileColor interactionType userInteractionCount format-detection width height".split()
)
"""Frequent names that belong to no field; their values need not be read."""
_AUTHOR_LABELS: Final = frozenset(("written by", "author", "by", "interview by", "authors", "posted by"))
_MODIFIED_NAME_WORDS: Final = frozenset(("modified", "updated", "update"))
_PUBLISHED_NAME_WORDS: Final = frozenset(("published", "publish", "publication"))
_DATE_NAME_WORDS: Final = frozenset(("date", "created"))
_EVENT_NAME_WORDS: Final = frozenset(("expires", "expiry", "end", "event", "start"))


def read_meta_elements(tree: Tree) -> Claims:
    """Read the claims of the `<meta>` elements."""
    elements = find_meta_elements(tree, _IGNORED_NAMES)[:_MAX_ELEMENTS]
    if elements and elements[-1][0] > tree.body:
        elements = select_meta_of_page(tree, elements)
    return _make_claims(elements)


def _make_claims(elements: list[NamedValue]) -> Claims:
    claims = new_claims()
    card_labels: dict[str, str] = {}
    for node, name, content in elements:
        detail = name
        field_and_source = _FIELD_OF_NAME.get(name)
        if field_and_source is None:
            detail = name = name.strip().lower()
            field_and_source = _FIELD_OF_NAME.get(name)
        if field_and_source is not None:
            field, source = field_and_source
        elif guess := _guess_field(name, content, card_labels):
            field, source, detail = guess
        else:
            continue
        if value := clean_text(content):
            claims[field].append(Claim(value, source, detail, node))
    return claims


def _guess_field(name: str, content: str, card_labels: dict[str, str]) -> tuple[str, str, str] | None:
    """Return field, source and detail of a name that is not in the table; None if it belongs to no field.

    These are the labels and data of Twitter cards, and names such as `w-published-date` and `ms.date`.
    """
    if name.startswith("twitter:"):
        if name.startswith("twitter:label"):
            card_labels[name.removeprefix("twitter:label")] = clean_text(content).lower().rstrip(":")
        elif name.startswith("twitter:data") and card_labels.get(name.removeprefix("twitter:data")) in _AUTHOR_LABELS:
            return "author", TWITTER, ""
        return None
    if ("date" in name or "publi" in name) and clean_text(content)[:4].isdigit():
        words = set(split_words(name))
        if words & _MODIFIED_NAME_WORDS:
            return "modified", META, "named"
        if words & _PUBLISHED_NAME_WORDS:
            return "published", META, "named"
        if words & _DATE_NAME_WORDS and not words & _EVENT_NAME_WORDS:
            return "published", META, "date"
    return None


def read_title_element(tree: Tree) -> str:
    """Read the text of `<title>`; '' if there is none. Titles inside SVG images do not count."""
    for node in tree.find_all("title")[:_MAX_ELEMENTS]:
        parent = tree.parent[node]
        if parent < 0 or tree.tag[parent] in ("head", "body", "html"):
            return read_clean_text(tree, node)
    return ""
