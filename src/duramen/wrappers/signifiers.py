"""Signifiers: the terms that say what a page is about, each with a weight, the weightiest first.

Oita and Senellart, FOREST, section 3.1, take them from a tf-idf analysis of the sample or from the page's item in a
feed, and name further sources in section 5. Each source is a function of the sample that gives a list for each page:

- `tfidf`: the terms that are frequent on the page and rare on the others;
- `feed`: title and description of the feed item;
- `metadata`: title, description, keywords and headline that the page itself names;
- `anchors`: the text of links to the page on the other pages of the sample;
- `query`: the words that the page was searched by.

Terms that a page names more often weigh more; a term that every page names (the site's own name in each title) says
nothing about any of them, and is left out wherever there is more than one page to tell.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from math import log
from typing import Final, NamedTuple
from urllib.parse import urljoin

from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError
from duramen.language import terms
from duramen.wrappers.addresses import normalise
from duramen.wrappers.sample import Sample

Signifiers = dict[str, float]
"""Terms with their weights, the weightiest first. Weights of a page add up to 1."""

Source = Callable[[Sample, int], list[Signifiers]]

DEFAULT_COUNT: Final = 10
"""k, the number of signifiers of a page: the paper's."""


class Background(NamedTuple):
    """Pages seen before: how many, and on how many of them terms occurred."""

    pages: int = 0
    terms: Mapping[str, int] = {}


def find_signifiers(
    sample: Sample, source: str, k: int = DEFAULT_COUNT, background: Background | None = None
) -> list[Signifiers]:
    """The signifiers of each page of a sample from a source known by name; `background` is for tf-idf."""
    if source not in SOURCES:
        near = get_close_matches(source, SOURCES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(SOURCES)}"
        raise UsageError(f"unknown signifiers {source!r}: {hint}")
    if k < 1:
        raise UsageError(f"a page needs one signifier or more, not {k}")
    if source == "tfidf" and background:
        return _tfidf(sample, k, background)
    return SOURCES[source](sample, k)


def _tfidf(sample: Sample, k: int, background: Background | None = None) -> list[Signifiers]:
    pages, spread = len(sample), sample.document_frequencies
    if background:
        pages, spread = pages + background.pages, spread + Counter(background.terms)
    return [_heaviest(_weighed(page.frequencies, spread, pages), k) for page in sample.pages]


def of_one_page(sample: Sample, k: int = DEFAULT_COUNT) -> list[Signifiers]:
    """What can be had of a page alone: the terms of its metadata, and if they are too few, its most frequent terms.

    Terms of the metadata that the page does not use elsewhere would stand in the way of others, and are left out.
    """
    named = _metadata(sample, sys.maxsize)
    found = []
    for page, own in zip(sample.pages, named, strict=True):
        counts = page.frequencies
        chosen = [term for term in own if term in counts]
        chosen += sorted((term for term in counts if term not in own), key=lambda term: (-counts[term], term))
        found.append(_heaviest({term: float(counts[term]) for term in chosen[:k]}, k))
    return found


def _feed(sample: Sample, k: int) -> list[Signifiers]:
    said = []
    for page in sample.pages:
        item = page.given.feed_item
        said.append([] if item is None else [item.title or "", item.description or ""])
    return _from_texts(sample, said, k)


def _metadata(sample: Sample, k: int) -> list[Signifiers]:
    return _from_texts(sample, [list(_named(page.tree)) for page in sample.pages], k)


def _query(sample: Sample, k: int) -> list[Signifiers]:
    found = [Counter(terms(page.given.query, sample.lang)) for page in sample.pages]
    return [_heaviest({term: float(count) for term, count in counts.items()}, k) for counts in found]


def _anchors(sample: Sample, k: int) -> list[Signifiers]:
    """A link to the page itself, as in a menu, is no one's word for it."""
    places = {normalise(page.page.url): index for index, page in enumerate(sample.pages) if page.page.url}
    said: list[list[str]] = [[] for _ in sample.pages]
    for index, page in enumerate(sample.pages):
        tree, base = page.tree, page.page.base or ""
        for node, tag in enumerate(tree.tag):
            if tag == "a" and (href := tree.attributes[node].get("href")):
                target = places.get(normalise(_join(base, href)), index)
                if target != index:
                    said[target].append(_text(tree, node))
    return _from_texts(sample, said, k)


SOURCES: Final[dict[str, Source]] = {
    "tfidf": _tfidf,
    "feed": _feed,
    "metadata": _metadata,
    "anchors": _anchors,
    "query": _query,
}
"""Where signifiers come from, by name."""


def _from_texts(sample: Sample, said: Iterable[Iterable[str]], k: int) -> list[Signifiers]:
    """Weigh terms by how often they are said of this page and how few others they are said of."""
    counts = [Counter(term for text in texts for term in terms(text, sample.lang)) for texts in said]
    speaking = sum(1 for count in counts if count)
    spread = Counter(term for count in counts for term in count)
    return [_heaviest(_weighed(count, spread, speaking), k) for count in counts]


def _weighed(counts: Counter[str], spread: Counter[str], pages: int) -> dict[str, float]:
    if pages < 2:  # no other page to tell what is special about this one
        return {term: float(count) for term, count in counts.items()}
    return {term: count * log(pages / spread[term]) for term, count in counts.items()}


def _heaviest(weights: dict[str, float], k: int) -> Signifiers:
    chosen = sorted(((-weight, term) for term, weight in weights.items() if weight > 0))[:k]
    total = sum(weight for weight, _ in chosen)
    return {term: weight / total for weight, term in chosen}


_NAMES: Final = frozenset(
    ("description", "keywords", "news_keywords", "title", "og:title", "og:description", "twitter:title",
     "twitter:description", "dc.title", "dc.description", "headline")
)  # fmt: skip


def _named(tree: Tree) -> Iterable[str]:
    """What a page says of itself: its title, the meta elements that repeat or describe it, its first headings."""
    headed = False
    for node, tag in enumerate(tree.tag):
        if tag == "title" and node < tree.body:
            yield _text(tree, node)
        elif tag == "meta":
            attributes = tree.attributes[node]
            name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or ""
            if name.lower() in _NAMES:
                yield attributes.get("content") or ""
        elif tag == "h1" and not headed:
            headed = True
            yield _text(tree, node)


def _text(tree: Tree, node: int) -> str:
    return " ".join(tree.text[i] for i in range(node, tree.end[node]) if tree.tag[i] == TEXT)


def _join(base: str, href: str) -> str:
    try:
        return urljoin(base, href.strip())
    except ValueError:  # "http://[broken"
        return ""
