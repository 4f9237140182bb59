"""Signifiers: the terms that say what a page is about, with weights, the largest weight first.

Oita and Senellart, FOREST, section 3.1, take them from a tf-idf analysis of the sample or from the page's item in a
feed, and name further sources in section 5. Each source is a function that returns the signifiers of each page:

- `tfidf`: the terms that are frequent on the page and rare on the others;
- `feed`: title and description of the feed item;
- `metadata`: title, description, keywords and headline that the page itself declares;
- `anchors`: the text of links to the page on the other pages of the sample;
- `query`: the words that the page was searched by.

Terms that a source names more often get a larger weight. A term that it names for every page, such as the name of the
site in each title, distinguishes none of them and is left out if there is more than one page.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from math import log
from typing import Final, NamedTuple

from duramen.dom.tree import TEXT, Tree
from duramen.dom.urls import join_url, normalize_url
from duramen.errors import UsageError
from duramen.language import terms
from duramen.wrappers.sample import Sample

Signifiers = dict[str, float]
"""Terms with their weights, the largest first. The weights of a page add up to 1."""

SignifierSource = Callable[[Sample, int], list[Signifiers]]

DEFAULT_COUNT: Final = 10
"""k, the number of signifiers of a page: the paper's value."""


class BackgroundCounts(NamedTuple):
    """Pages seen before: their number, and the number of them on which each term occurred."""

    pages: int = 0
    terms: Mapping[str, int] = {}


def find_signifiers(
    sample: Sample, source: str, k: int = DEFAULT_COUNT, background: BackgroundCounts | None = None
) -> list[Signifiers]:
    """Return the signifiers of each page of a sample from a source given by name; `background` is for tf-idf."""
    if source not in SIGNIFIER_SOURCES:
        near = get_close_matches(source, SIGNIFIER_SOURCES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(SIGNIFIER_SOURCES)}"
        raise UsageError(f"unknown signifiers {source!r}: {hint}")
    if k < 1:
        raise UsageError(f"a page needs one signifier or more, not {k}")
    if source == "tfidf" and background:
        return _from_tfidf(sample, k, background)
    return SIGNIFIER_SOURCES[source](sample, k)


def find_signifiers_of_one_page(sample: Sample, k: int = DEFAULT_COUNT) -> list[Signifiers]:
    """Return the terms of the page's metadata and, if these are too few, its most frequent terms.

    Terms of the metadata that do not occur in the page's text are left out: they would take the place of others.
    """
    declared = _from_metadata(sample, sys.maxsize)
    signifiers = []
    for page, page_terms in zip(sample.pages, declared, strict=True):
        counts = page.term_counts
        chosen = [term for term in page_terms if term in counts]
        chosen += sorted((term for term in counts if term not in page_terms), key=lambda term: (-counts[term], term))
        signifiers.append(_choose_heaviest({term: float(counts[term]) for term in chosen[:k]}, k))
    return signifiers


def _from_tfidf(sample: Sample, k: int, background: BackgroundCounts | None = None) -> list[Signifiers]:
    pages, page_counts = len(sample), sample.document_frequencies
    if background:
        pages, page_counts = pages + background.pages, page_counts + Counter(background.terms)
    return [_choose_heaviest(_weigh_terms(page.term_counts, page_counts, pages), k) for page in sample.pages]


def _from_feed(sample: Sample, k: int) -> list[Signifiers]:
    items = [page.sample_page.feed_item for page in sample.pages]
    texts = [[] if item is None else [item.title or "", item.description or ""] for item in items]
    return _from_texts(sample, texts, k)


def _from_metadata(sample: Sample, k: int) -> list[Signifiers]:
    return _from_texts(sample, [list(_find_declared_texts(page.tree)) for page in sample.pages], k)


def _from_query(sample: Sample, k: int) -> list[Signifiers]:
    counts_of_pages = [Counter(terms(page.sample_page.query, sample.lang)) for page in sample.pages]
    return [_choose_heaviest({term: float(count) for term, count in counts.items()}, k) for counts in counts_of_pages]


def _from_anchors(sample: Sample, k: int) -> list[Signifiers]:
    """Use the texts of links on other pages. A link of a page to itself, as in a menu, does not count."""
    indexes = {normalize_url(page.page.url): index for index, page in enumerate(sample.pages) if page.page.url}
    anchor_texts: list[list[str]] = [[] for _ in sample.pages]
    for index, page in enumerate(sample.pages):
        tree, base = page.tree, page.page.base
        for node, tag in enumerate(tree.tag):
            if tag == "a" and (href := tree.attributes[node].get("href")):
                target = indexes.get(normalize_url(join_url(base, href) or ""), index)
                if target != index:
                    anchor_texts[target].append(_join_texts(tree, node))
    return _from_texts(sample, anchor_texts, k)


SIGNIFIER_SOURCES: Final[dict[str, SignifierSource]] = {
    "tfidf": _from_tfidf,
    "feed": _from_feed,
    "metadata": _from_metadata,
    "anchors": _from_anchors,
    "query": _from_query,
}


def _from_texts(sample: Sample, texts_of_pages: Iterable[Iterable[str]], k: int) -> list[Signifiers]:
    """Weigh terms by how often they occur in the texts of this page and how rarely in those of the others."""
    counts_of_pages = [Counter(term for text in texts for term in terms(text, sample.lang)) for texts in texts_of_pages]
    pages_with_terms = sum(1 for counts in counts_of_pages if counts)
    page_counts = Counter(term for counts in counts_of_pages for term in counts)
    return [_choose_heaviest(_weigh_terms(counts, page_counts, pages_with_terms), k) for counts in counts_of_pages]


def _weigh_terms(counts: Counter[str], page_counts: Counter[str], pages: int) -> dict[str, float]:
    """Return the tf-idf weight of each term; its count if there is no other page to compare with."""
    if pages < 2:
        return {term: float(count) for term, count in counts.items()}
    return {term: count * log(pages / page_counts[term]) for term, count in counts.items()}


def _choose_heaviest(weights: dict[str, float], k: int) -> Signifiers:
    chosen = sorted(((-weight, term) for term, weight in weights.items() if weight > 0))[:k]
    total = sum(weight for weight, _ in chosen)
    return {term: weight / total for weight, term in chosen}


_META_NAMES: Final = frozenset(
    ("description", "keywords", "news_keywords", "title", "og:title", "og:description", "twitter:title",
     "twitter:description", "dc.title", "dc.description", "headline")
)  # fmt: skip


def _find_declared_texts(tree: Tree) -> Iterable[str]:
    """Yield the texts that describe the page: its title, meta elements that repeat or describe it, its first h1."""
    has_heading = False
    for node, tag in enumerate(tree.tag):
        if tag == "title" and node < tree.body:
            yield _join_texts(tree, node)
        elif tag == "meta":
            attributes = tree.attributes[node]
            name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or ""
            if name.lower() in _META_NAMES:
                yield attributes.get("content") or ""
        elif tag == "h1" and not has_heading:
            has_heading = True
            yield _join_texts(tree, node)


def _join_texts(tree: Tree, node: int) -> str:
    return " ".join(tree.text[i] for i in range(node, tree.end[node]) if tree.tag[i] == TEXT)
