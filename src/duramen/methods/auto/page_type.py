"""Features of a page that tell its type (article, forum, product, …).

From the selection of blocks: see `selection_features`. From the page: `og:type`, types in JSON-LD, currency signs. From
its URL: depth, form, and words such as `docs` or `forum`; without a URL, from the one that the page claims. None of
these can be trusted alone (shops call their pages articles), so each is a feature of the model. No block is classified
by them. Words and types with the same meaning share a feature.
"""

from __future__ import annotations

import re

import numpy as np

from duramen.dom.tree import Tree
from duramen.methods.auto import selection_features
from duramen.methods.auto.forest import Floats

_OG_TYPES = ("article", "product", "website")
_JSON_LD_TYPES = {
    "article": "Article NewsArticle BlogPosting TechArticle ScholarlyArticle ReportageNewsArticle OpinionNewsArticle",
    "product": "Product ProductGroup ProductModel",
    "offer": "Offer AggregateOffer",
    "list": "ItemList CollectionPage SearchResultsPage OfferCatalog",
    "item": "ListItem",
    "thread": "DiscussionForumPosting QAPage Answer Comment",
    "questions": "FAQPage Question",
    "review": "Review AggregateRating",
    "business": "Service LocalBusiness ProfessionalService",
    "organization": "Organization Corporation",
    "person": "Person",
    "page": "WebPage",
    "site": "WebSite",
    "breadcrumbs": "BreadcrumbList",
    "image": "ImageObject",
    "video": "VideoObject",
}
_URL_WORDS = {
    "article": "blog blogs news article articles post posts story stories artikel noticias actualites",
    "product": "product products p dp item produkt produkte produit produits producto productos",
    "shop": "shop store collections collection category categories c tag catalog catalogue katalog kategorie",
    "thread": "forum forums foro thread threads topic topics t viewtopic showthread questions question community"
    " communities discussion discussions discuss comments r",
    "docs": "docs doc documentation wiki reference guide guides manual manuals api tutorial tutorials handbook learn",
    "service": "services service solutions pricing features about company leistungen servicios",
    "list": "list lists best top search jobs courses events directory",
    "help": "help support faq hilfe",
}
"""Labels of the host, and first words of the segments of the path."""
_JSON_LD_FEATURE = {name: f"ld_{group}" for group, names in _JSON_LD_TYPES.items() for name in names.split()}
_URL_FEATURE = {word: f"url_{group}" for group, words in _URL_WORDS.items() for word in words.split()}

_NO_FACTS: dict[str, float] = dict.fromkeys(
    [
        *(f"og_{type_}" for type_ in (*_OG_TYPES, "other")),
        *(f"ld_{group}" for group in (*_JSON_LD_TYPES, "any")),
        "currency_signs",
        *"url url_depth url_last_chars url_hyphens url_query url_digits url_dated".split(),
        *(f"url_{group}" for group in _URL_WORDS),
    ],
    0.0,
)

NAMES: list[str] = [*selection_features.NAMES, *_NO_FACTS]
"""The names of all features of a page, in the order of the model."""
COUNT = len(NAMES)

MAX_JSON_LD_COUNT = 30.0
"""More objects of one type say no more."""
MAX_JSON_LD_CHARS, MAX_URL_CHARS = 100_000, 1000
# A list of types is at most 200 characters long: hostile pages have very many lists that never end.
_json_ld_type = re.compile(r'"@type"\s*:\s*(?:"([^"]*)"|\[([^\]]{0,200})\])')
_quoted = re.compile(r'"([^"]*)"')
_vocabulary = re.compile(r".*[/#:]", re.S)
_year = re.compile(r"(?:^|/)(?:19|20)\d\d/")
_digit = re.compile(r"\d")
_segment_end = re.compile(r"[-_.]")


def read_facts(tree: Tree, currency_signs: int, url: str | None) -> Floats:
    """Return the features that the page's markup and its URL give."""
    facts = dict(_NO_FACTS)
    facts["currency_signs"] = currency_signs
    nodes = tree.find_all("meta")
    properties = tree.attribute_values("property", nodes)
    og_type = _read_meta(tree, nodes, properties, "og:type").partition(".")[0].rpartition(":")[2].strip().lower()
    if og_type:
        facts[f"og_{og_type}" if og_type in _OG_TYPES else "og_other"] = 1.0
    _count_json_ld(facts, tree)
    url = (url or _read_meta(tree, nodes, properties, "og:url")).strip()
    if url:
        _read_url(facts, url[:MAX_URL_CHARS].lower())
    return np.array(list(facts.values()), np.float64)


def _read_meta(tree: Tree, nodes: list[int], properties: list[str | None], name: str) -> str:
    if name not in properties:
        return ""
    return tree.attribute_values("content", [nodes[properties.index(name)]])[0] or ""


def _count_json_ld(facts: dict[str, float], tree: Tree) -> None:
    """Count the objects of each type."""
    nodes = tree.find_all("script")
    chars_left = MAX_JSON_LD_CHARS
    for node, script_type in zip(nodes, tree.attribute_values("type", nodes), strict=True):
        if not script_type or chars_left <= 0 or "ld+json" not in script_type.lower():
            continue
        text = "".join(tree.text[node : tree.end[node]])[:chars_left]
        chars_left -= len(text)
        for single, several in _json_ld_type.findall(text):
            for type_ in filter(None, _quoted.findall(several) if several else [single]):
                facts["ld_any"] = 1.0
                name = _JSON_LD_FEATURE.get(_vocabulary.sub("", type_, count=1))
                if name and facts[name] < MAX_JSON_LD_COUNT:
                    facts[name] += 1.0


def _read_url(facts: dict[str, float], url: str) -> None:
    address, _, query = url.partition("#")[0].partition("?")
    host, _, path = (address.partition("://")[2] or address.removeprefix("//")).partition("/")
    segments = [segment for segment in path.split("/") if segment]
    last = segments[-1] if segments else ""
    facts["url"] = 1.0
    facts["url_depth"] = len(segments)
    facts["url_last_chars"] = len(last)
    facts["url_hyphens"] = last.count("-")
    facts["url_query"] = 1.0 if query else 0.0
    facts["url_digits"] = 1.0 if _digit.search(last) else 0.0
    facts["url_dated"] = 1.0 if _year.search(path) else 0.0
    for word in (*(_segment_end.split(segment, maxsplit=1)[0] for segment in segments), *host.split(".")):
        if word in _URL_FEATURE:
            facts[_URL_FEATURE[word]] = 1.0
