"""A sample of pages of a site, with their terms and signifiers.

All learning starts from a `Sample`. Each page is walked once; counts for a subtree are differences of running sums.
Menus and footers have the same texts on every page, so the terms of a text are computed once for a sample.

In the paper all words of a page can be signifiers. But a block that is mostly links is about other pages, and a
comment is by another author. Both can be made `foreign`: such text is counted but never significant, so that lists of
related stories and long threads are not mistaken for the article.

*Signifiers* are the terms that say what a page is about, with weights, the largest weight first. Oita and Senellart,
FOREST, section 3.1, take them from a tf-idf analysis of the sample or from the page's item in a feed, and name further
sources in section 5. Each source is a function that returns the signifiers of each page:

- `tfidf`: the terms that are frequent on the page and rare on the others;
- `feed`: title and description of the feed item;
- `metadata`: title, description, keywords and headline that the page itself declares;
- `anchors`: the text of links to the page on the other pages of the sample;
- `query`: the words that the page was searched by;
- `feed-bigrams`: the terms of the pairs of terms that feed item and page have in common.

Terms that a source names more often get a larger weight. A term that it names for every page, such as the name of the
site in each title, distinguishes none of them and is left out if there is more than one page.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import accumulate, pairwise
from math import log
from typing import Final, NamedTuple, Protocol

from duramen import language
from duramen.dom.page import Page
from duramen.dom.tag_sets import SCRIPT_TAGS
from duramen.dom.text import read_text
from duramen.dom.tree import TEXT, Tree
from duramen.dom.urls import join_url, normalize_url
from duramen.dom.visibility import find_visible_texts
from duramen.errors import UsageError
from duramen.wrappers.boilerplate import TextBlock, find_text_blocks
from duramen.wrappers.tag_paths import COMMENTS, find_roles, format_step

LINKS: Final = "links"
"""Lists of links, as a kind of foreign text beside `COMMENTS`."""
_LANGUAGE_SAMPLE_WORDS: Final = 2000
"""Words to guess the language from: enough to know the share of stop words to a few hundredths."""


class HasDescription(Protocol):
    """An object that describes a page: a feed item, or the metadata of the page."""

    @property
    def title(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...


@dataclass(frozen=True)
class PageDescription:
    """A title and a description of a page that come from no feed."""

    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, eq=False)
class SamplePage:
    """A page to learn from, with what is known about it besides its HTML."""

    page: Page
    feed_item: HasDescription | None = None
    query: str = ""
    name: str | None = None
    """A name for a page without a URL, such as its file name."""


@dataclass(eq=False)
class PageTerms:
    """A page of a sample: its visible text nodes and their terms."""

    sample_page: SamplePage
    text_nodes: list[int] = field(repr=False)
    """The visible text nodes, in order."""
    terms: list[list[str]] = field(repr=False)
    """The terms of each text node."""
    foreign_nodes: frozenset[int] = field(default=frozenset(), repr=False)
    """The text nodes whose words are not the page's own: in lists of links, in comments."""

    @property
    def page(self) -> Page:
        return self.sample_page.page

    @property
    def tree(self) -> Tree:
        return self.sample_page.page.tree

    def own_terms(self) -> Iterable[tuple[int, list[str]]]:
        """Return the text nodes that are the page's own, with their terms."""
        pairs = zip(self.text_nodes, self.terms, strict=True)
        return pairs if not self.foreign_nodes else (pair for pair in pairs if pair[0] not in self.foreign_nodes)

    @cached_property
    def term_counts(self) -> Counter[str]:
        """How often each term occurs in the page's own text."""
        return Counter(term for _, terms in self.own_terms() for term in terms)

    @cached_property
    def terms_before(self) -> list[int]:
        """The number of terms before each node, and after the last."""
        counts = [0] * len(self.tree)
        for node, terms in zip(self.text_nodes, self.terms, strict=True):
            counts[node] = len(terms)
        return list(accumulate(counts, initial=0))

    @cached_property
    def text_blocks(self) -> list[TextBlock]:
        """The visible text in blocks."""
        return find_text_blocks(self.tree)

    @cached_property
    def dfs(self) -> list[int]:
        """The dfs position of each element among the counted elements; the root has 0."""
        tree = self.tree
        is_counted = [tag != TEXT and tag not in SCRIPT_TAGS for tag in tree.tag]
        node = -1
        for _ in range(tree.tag.count("noscript")):
            node = tree.tag.index("noscript", node + 1)
            is_counted[node : tree.end[node]] = [False] * (tree.end[node] - node)
        return list(accumulate(is_counted, initial=0))[:-1]


@dataclass(eq=False)
class Sample:
    """Pages of one site."""

    pages: list[PageTerms]
    lang: str | None = None

    @classmethod
    def read(
        cls, pages: Iterable[Page | SamplePage], lang: str | None = None, *, foreign: Container[str] = ()
    ) -> Sample:
        """Read the pages. Without `lang`, the language is the one most pages declare, or the likeliest.

        `foreign` says whose words are not the page's own: `LINKS`, those of lists of links, and `COMMENTS`.
        """
        sample_pages = [page if isinstance(page, SamplePage) else SamplePage(page) for page in pages]
        trees = [page.page.tree for page in sample_pages]
        nodes = [find_visible_texts(tree) for tree in trees]
        if lang is None:
            lang = find_language(trees, nodes)
        terms_by_text: dict[str, list[str]] = {}
        terms = [_find_terms(tree, own, lang, terms_by_text) for tree, own in zip(trees, nodes, strict=True)]
        page_terms = [PageTerms(*parts) for parts in zip(sample_pages, nodes, terms, strict=True)]
        for page in page_terms:
            nodes_of_others: set[int] = set()
            if COMMENTS in foreign:
                nodes_of_others |= find_comment_nodes(page.tree)
            if LINKS in foreign:
                link_blocks = (block for block in page.text_blocks if block.is_mostly_links)
                nodes_of_others.update(*(range(block.first, block.last + 1) for block in link_blocks))
            page.foreign_nodes = frozenset(nodes_of_others)
        return cls(page_terms, lang)

    def __len__(self) -> int:
        return len(self.pages)

    def select(self, indexes: Iterable[int]) -> Sample:
        """Return a sample of some of the pages."""
        return Sample([self.pages[index] for index in indexes], self.lang)

    @cached_property
    def document_frequencies(self) -> Counter[str]:
        """The number of pages on which each term occurs."""
        return Counter(term for page in self.pages for term in page.term_counts)


def _find_terms(tree: Tree, nodes: Sequence[int], lang: str | None, cache: dict[str, list[str]]) -> list[list[str]]:
    terms_of_nodes = []
    for node in nodes:
        text = tree.text[node]
        terms = cache.get(text)
        if terms is None:
            terms = cache[text] = language.terms(text, lang)
        terms_of_nodes.append(terms)
    return terms_of_nodes


def find_comment_nodes(tree: Tree) -> frozenset[int]:
    """Return the text nodes inside elements named comments; none if that is most of the page."""
    elements = [node for node in range(tree.body + 1, len(tree)) if tree.tag[node] != TEXT]
    names, name_of = tree.attribute_combinations(("id", "class"), elements)
    is_comments = [COMMENTS in find_roles(format_step("", {"id": name[0], "class": name[1]})) for name in names]
    if True not in is_comments:
        return frozenset()
    nodes: list[int] = []
    end = 0
    for node, name in zip(elements, name_of, strict=True):
        if node >= end and is_comments[name]:
            end = tree.end[node]
            nodes += [below for below in range(node, end) if tree.tag[below] == TEXT]
    comment_chars = sum(len(tree.text[node].strip()) for node in nodes)
    page_chars = sum(len(text.strip()) for text in tree.text[tree.body :])
    return frozenset() if 2 * comment_chars > page_chars else frozenset(nodes)


def find_language(trees: Sequence[Tree], nodes_of_pages: Sequence[Sequence[int]]) -> str | None:
    """Return the language that most pages declare, or the one that their stop words show; None for neither."""
    declared = Counter(name for tree in trees if (name := language.primary_subtag(tree.attributes[0].get("lang"))))
    if declared:
        return min(declared, key=lambda name: (-declared[name], name))
    return language.guess_language(_read_longest_texts(trees, nodes_of_pages))


def _read_longest_texts(trees: Sequence[Tree], nodes_of_pages: Sequence[Sequence[int]]) -> list[str]:
    """Return words of the longest texts of the pages: these are prose if there is any."""
    texts = {tree.text[node] for tree, nodes in zip(trees, nodes_of_pages, strict=True) for node in nodes}
    words: list[str] = []
    for text in sorted(texts, key=lambda text: (-len(text), text)):
        if len(words) >= _LANGUAGE_SAMPLE_WORDS:
            break
        words += language.words(text[:_LANGUAGE_SAMPLE_WORDS])
    return words


# Signifiers

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


def _from_feed_bigrams(sample: Sample, k: int) -> list[Signifiers]:
    """Use the terms of the pairs of adjacent terms that the feed item and the page have in common.

    The paper's feed signifiers are "terms or n-grams" (section 3.1). Text nodes are compared term by term, so a pair is
    looked for on the whole page, and its two terms are the signifiers.
    """
    chosen: list[Signifiers] = []
    for page, signifiers in zip(sample.pages, _from_feed(sample, sys.maxsize), strict=True):
        item = page.sample_page.feed_item
        texts = [] if item is None else [item.title or "", item.description or ""]
        item_pairs = {pair for text in texts for pair in pairwise(language.terms(text, sample.lang))}
        page_pairs = {pair for _, terms in page.own_terms() for pair in pairwise(terms)}
        common = {term for pair in item_pairs & page_pairs for term in pair}
        chosen.append(_choose_heaviest({term: signifiers[term] for term in common if term in signifiers}, k))
    return chosen


def _from_metadata(sample: Sample, k: int) -> list[Signifiers]:
    return _from_texts(sample, [list(_find_declared_texts(page.tree)) for page in sample.pages], k)


def _from_query(sample: Sample, k: int) -> list[Signifiers]:
    counts_of_pages = [Counter(language.terms(page.sample_page.query, sample.lang)) for page in sample.pages]
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
                    anchor_texts[target].append(read_text(tree, node))
    return _from_texts(sample, anchor_texts, k)


SIGNIFIER_SOURCES: Final[dict[str, SignifierSource]] = {
    "tfidf": _from_tfidf,
    "feed": _from_feed,
    "metadata": _from_metadata,
    "anchors": _from_anchors,
    "query": _from_query,
    "feed-bigrams": _from_feed_bigrams,
}


def _from_texts(sample: Sample, texts_of_pages: Iterable[Iterable[str]], k: int) -> list[Signifiers]:
    """Weigh terms by how often they occur in the texts of this page and how rarely in those of the others."""
    counts_of_pages = [
        Counter(term for text in texts for term in language.terms(text, sample.lang)) for texts in texts_of_pages
    ]
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
            yield read_text(tree, node)
        elif tag == "meta":
            attributes = tree.attributes[node]
            name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or ""
            if name.lower() in _META_NAMES:
                yield attributes.get("content") or ""
        elif tag == "h1" and not has_heading:
            has_heading = True
            yield read_text(tree, node)
