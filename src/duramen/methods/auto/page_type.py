# cython: boundscheck=False, wraparound=False
# Indices are blocks of the page, lines of its matrix, and places in lists, none of them negative.
"""Features of a page that tell its type (article, forum, product, …).

From the selection of blocks: how sure it is, how much of the page it keeps, what kept and dropped blocks look like, and
the mean of every feature over the expected content. From the page: `og:type`, types in JSON-LD, currency signs. From
its URL: depth, form, and words such as `docs` or `forum`; without a URL, from the one that the page claims. None of
these can be trusted alone (shops call their pages articles), so each is a feature of the model. No block is classified
by them. Words and types with the same meaning share a feature.

As in `features`, each feature is declared once. The module is compiled.
"""

from __future__ import annotations

import re
from array import array
from typing import Any

import numpy as np

from duramen.dom.tree import Tree
from duramen.methods.auto import features as block_features
from duramen.methods.auto.boosted_trees import Floats
from duramen.methods.auto.feature_names import declare_in
from duramen.methods.auto.features import Features
from duramen.methods.auto.threshold import NEGLIGIBLE_PROBABILITY, Selection

CONTRASTED = (
    "links ends_sentence commas digits words_before heading lowest_score earlier_copies since_paragraph cluster_share"
    " group_share group_size group_words three_peers article main list table pre form parent_images title_words"
).split()
"""Features whose means over kept and over dropped blocks are compared."""
_CONTRASTED_LINES = array("q", [block_features.NAMES.index(name) for name in CONTRASTED])
_LINKS = block_features.NAMES.index("links")

NAMES: list[str] = []
"""The names of all features of a page, in the order of the model: first those of its selection of blocks."""
_column = declare_in(NAMES)

_EXPECTED_F1 = _column("expected_f1")
_KEPT_SHARE = _column("kept_share")
_KEPT_MEAN_WORDS = _column("kept_mean_words")
_EXPECTED_SHARE = _column("expected_share")
_VARIANCE = _column("variance")
_DENSITY = _column("density")
_RUNS = _column("runs")
_WORDS_BEFORE = _column("words_before")
_WORDS_AFTER = _column("words_after")
_SHORT_PARAGRAPHS = _column("short_paragraphs")
_MEDIUM_PARAGRAPHS = _column("medium_paragraphs")
_LONG_PARAGRAPHS = _column("long_paragraphs")
_KEPT = _column(*[f"{name}_kept" for name in CONTRASTED])
_DROPPED = _column(*[f"{name}_dropped" for name in CONTRASTED])
_EXPECTED = _column(*[f"{name}_expected" for name in block_features.NAMES])
_SELECTION_COUNT = len(NAMES)

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

NAMES.extend(_NO_FACTS)
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


def describe_selection(features: Features, selection: Selection) -> Floats:
    """Return the features of a page that its selection of blocks gives."""
    row = np.zeros(_SELECTION_COUNT)
    if len(features):
        # Buffers, not arrays: without a compiler Python reads single numbers from them twice as fast.
        matrix, words, p = features.matrix.data, features.words.data, selection.probabilities.data
        kept = selection.kept.view(np.uint8).data
        _summarize(row.data, matrix, words, p, kept, selection.expected_f1)
        _contrast(row.data, matrix, _CONTRASTED_LINES, words, kept)
        candidates = (selection.probabilities >= NEGLIGIBLE_PROBABILITY).nonzero()[0]
        expected = (selection.probabilities * features.words)[candidates]
        _average_expected(row.data, matrix, candidates.data, expected.data)
    return row


def _summarize(row: Any, matrix: Any, words: Any, p: Any, kept: Any, expected_f1: float) -> None:
    """How sure the selection is, and how much it keeps, and where."""
    total = kept_words = expected_words = variance = before = after = short = medium = long = 0.0
    kept_count = runs = 0
    for block in range(len(p)):
        size = words[block]
        total += size
        expected_words += p[block] * size
        variance += p[block] * (1.0 - p[block]) * size
        plain = size * (1.0 - matrix[_LINKS, block])
        short += plain if plain >= 15.0 else 0.0
        medium += plain if plain >= 40.0 else 0.0
        long += plain if plain >= 80.0 else 0.0
        if kept[block]:
            kept_words += size
            kept_count += 1
            runs += block == 0 or not kept[block - 1]
            after = 0.0
        else:
            after += size
            before += 0.0 if kept_count else size
    row[_EXPECTED_F1] = expected_f1
    row[_EXPECTED_SHARE] = expected_words / total
    row[_VARIANCE] = variance / expected_words if expected_words > 0.0 else 0.0
    row[_SHORT_PARAGRAPHS] = short / total
    row[_MEDIUM_PARAGRAPHS] = medium / total
    row[_LONG_PARAGRAPHS] = long / total
    if kept_count:
        row[_KEPT_SHARE] = kept_words / total
        row[_KEPT_MEAN_WORDS] = kept_words / kept_count
        row[_DENSITY] = kept_words / (total - before - after)
        row[_RUNS] = runs / kept_count
        row[_WORDS_BEFORE] = before / total
        row[_WORDS_AFTER] = after / total
    else:
        row[_WORDS_AFTER] = 1.0


def _contrast(row: Any, matrix: Any, lines: Any, words: Any, kept: Any) -> None:
    """Means over kept blocks, and over dropped ones; −1 where there are none."""
    count = len(lines)
    for place in range(count):
        line = lines[place]
        kept_words = kept_sum = dropped_words = dropped_sum = 0.0
        for block in range(len(words)):
            if kept[block]:
                kept_words += words[block]
                kept_sum += matrix[line, block] * words[block]
            else:
                dropped_words += words[block]
                dropped_sum += matrix[line, block] * words[block]
        row[_KEPT + place] = kept_sum / kept_words if kept_words else -1.0
        row[_DROPPED + place] = dropped_sum / dropped_words if dropped_words else -1.0


def _average_expected(row: Any, matrix: Any, candidates: Any, expected: Any) -> None:
    """Means over the expected content; −1 where there is none."""
    weight = 0.0
    for place in range(len(candidates)):
        weight += expected[place]
    for line in range(len(row) - _EXPECTED):
        total = 0.0
        for place in range(len(candidates)):
            total += expected[place] * matrix[line, candidates[place]]
        row[_EXPECTED + line] = total / weight if weight else -1.0


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
    last = segments[len(segments) - 1] if segments else ""
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
