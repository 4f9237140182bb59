"""Features of a page that tell its type (article, forum, product, …).

From the selection of blocks: how sure it is, how much of the page it keeps, what kept and dropped blocks look like, and
the mean of every feature over the expected content. From the page: `og:type`, types in JSON-LD, currency signs. From
its URL: depth, form, and words such as `docs` or `forum`; without a URL, from the one that the page claims. None of
these can be trusted alone (shops call their pages articles), so each is a feature of the model. No block is classified
by them. Words and types with the same meaning share a feature.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.dom.tree import Tree
from duramen.methods.auto import features as block_features
from duramen.methods.auto.features import Features
from duramen.methods.auto.forest import Floats
from duramen.methods.auto.threshold import NEGLIGIBLE_PROBABILITY, Selection, find_runs

CONTRASTED = (
    "links ends_sentence commas digits words_before heading lowest_score earlier_copies since_paragraph cluster_share"
    " group_share group_size group_words three_peers article main list table pre form parent_images title_words"
).split()
"""Features whose means over kept and over dropped blocks are compared."""
_CONTRASTED_LINES = [block_features.NAMES.index(name) for name in CONTRASTED]
_LINKS = block_features.NAMES.index("links")

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


def describe_selection(features: Features, selection: Selection) -> Floats:
    """Return the features of a page that its selection of blocks gives."""
    if not len(features):
        return np.zeros(len(NAMES) - len(_NO_FACTS))
    words, p, kept = features.words, selection.probabilities, selection.kept
    summary = _summarize(words, p, kept, features.matrix[_LINKS]) | {"expected_f1": selection.expected_f1}
    contrasted = features.matrix[_CONTRASTED_LINES] * words
    candidates = np.flatnonzero(p >= NEGLIGIBLE_PROBABILITY)
    expected = (p * words)[candidates]
    return np.concatenate(
        (
            list(summary.values()),
            _divide(contrasted * kept, _sum(words * kept)),
            _divide(contrasted * ~kept, _sum(words * ~kept)),
            _divide(features.matrix[: block_features.COUNT, candidates] * expected, _sum(expected)),
        )
    )


def _summarize(words: Floats, p: Floats, kept: NDArray[np.bool_], links: Floats) -> dict[str, float]:
    total, kept_words, kept_count = _sum(words) or 1.0, _sum(words * kept), int(kept.sum())
    runs = find_runs(kept)
    first, stop = (runs[0][0], runs[-1][1]) if runs else (0, 0)
    before, after = _sum(words[:first]), _sum(words[stop:])
    expected_words = _sum(p * words)
    plain = words * (1.0 - links)
    return {
        "expected_f1": 0.0,
        "kept_share": kept_words / total,
        "kept_mean_words": kept_words / kept_count if kept_count else 0.0,
        "expected_share": expected_words / total,
        "variance": _sum(p * (1.0 - p) * words) / expected_words if expected_words > 0.0 else 0.0,
        "density": kept_words / (total - before - after) if kept_count else 0.0,
        "runs": len(runs) / kept_count if kept_count else 0.0,
        "words_before": before / total,
        "words_after": after / total,
        "short_paragraphs": _sum(np.where(plain >= 15.0, plain, 0.0)) / total,
        "medium_paragraphs": _sum(np.where(plain >= 40.0, plain, 0.0)) / total,
        "long_paragraphs": _sum(np.where(plain >= 80.0, plain, 0.0)) / total,
    }


def _sum(values: NDArray[Any]) -> float:
    """Add one number after the other: NumPy's own sum depends on the machine in its last digit."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def _divide(weighted: Floats, weight: float) -> Floats:
    """Return the weighted mean of each line, or −1 without weight."""
    if not weight:
        return np.full(len(weighted), -1.0)
    return np.asarray(np.cumsum(weighted, axis=1)[:, -1] / weight)


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


NAMES: list[str] = [
    *_summarize(np.zeros(0), np.zeros(0), np.zeros(0, bool), np.zeros(0)),
    *(f"{name}_kept" for name in CONTRASTED),
    *(f"{name}_dropped" for name in CONTRASTED),
    *(f"{name}_expected" for name in block_features.NAMES),
    *_NO_FACTS,
]
COUNT = len(NAMES)
