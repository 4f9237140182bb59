"""A sample of pages of a site: their visible text nodes, the terms in them, the positions of their elements.

All learning starts from a `Sample`. Each page is walked once; counts for a subtree are differences of running sums.
Menus and footers have the same texts on every page, so the terms of a text are computed once for a sample.

In the paper all words of a page can be signifiers. But a block that is mostly links is about other pages, and a
comment is by another author. With `own_words_only` such text is counted but never significant, so that lists of related
stories and long threads are not mistaken for the article.

If no page declares its language, stop words decide: they are half of a text in their language, and few of them are
words of another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import accumulate
from typing import Final, Protocol

from duramen import language
from duramen.dom.elements import SCRIPT_TAGS
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_visible_texts
from duramen.wrappers.tag_paths import COMMENTS, find_roles, format_step
from duramen.wrappers.text_blocks import TextBlock, find_text_blocks

_LANGUAGES: Final = (
    "en ar bg ca cs da de el es et eu fa fi fr ga hi hr hu hy id it ja ko lt lv nl no pl pt ro ru sk sl sv th tr uk ur"
    " vi zh".split()
)
_LANGUAGE_SAMPLE_WORDS: Final = 2000
"""Words to guess the language from: enough to know the share of stop words to a few hundredths."""

_MIN_STOP_WORD_SHARE: Final = 0.2
"""A smaller share of stop words occurs now and then in a text of any language."""


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
        return find_text_blocks(self.tree, self.text_nodes)

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
        cls, pages: Iterable[Page | SamplePage], lang: str | None = None, *, own_words_only: bool = False
    ) -> Sample:
        """Read the pages. Without `lang`, the language is the one most pages declare, or the likeliest."""
        sample_pages = [page if isinstance(page, SamplePage) else SamplePage(page) for page in pages]
        trees = [page.page.tree for page in sample_pages]
        nodes = [find_visible_texts(tree) for tree in trees]
        if lang is None:
            lang = find_language(trees, nodes)
        terms_by_text: dict[str, list[str]] = {}
        terms = [_find_terms(tree, own, lang, terms_by_text) for tree, own in zip(trees, nodes, strict=True)]
        page_terms = [PageTerms(*parts) for parts in zip(sample_pages, nodes, terms, strict=True)]
        if own_words_only:
            for page in page_terms:
                page.foreign_nodes = find_comment_nodes(page.tree).union(
                    *(range(block.first, block.last + 1) for block in page.text_blocks if block.is_mostly_links)
                )
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
    nodes: list[int] = []
    node, count, tag, attributes = tree.body + 1, len(tree), tree.tag, tree.attributes
    while node < count:
        if tag[node] != TEXT and COMMENTS in find_roles(format_step("", attributes[node])):
            nodes += [below for below in range(node, tree.end[node]) if tag[below] == TEXT]
            node = tree.end[node]
        else:
            node += 1
    comment_chars = sum(len(tree.text[node].strip()) for node in nodes)
    page_chars = sum(len(text.strip()) for text in tree.text[tree.body :])
    return frozenset() if 2 * comment_chars > page_chars else frozenset(nodes)


def find_language(trees: Sequence[Tree], find_visible_texts: Sequence[Sequence[int]]) -> str | None:
    """Return the language that most pages declare, or the one that their stop words show; None for neither."""
    declared = Counter(name for tree in trees if (name := language.primary_subtag(tree.attributes[0].get("lang"))))
    if declared:
        return min(declared, key=lambda name: (-declared[name], name))
    return guess_language(_read_longest_texts(trees, find_visible_texts))


def guess_language(words: Sequence[str]) -> str | None:
    """Return the language with the most stop words among these words; None if even these are few."""
    counts = Counter(words)
    total = sum(counts.values())
    languages_by_word = _languages_by_stop_word()
    stop_words: Counter[str] = Counter()
    for word, count in counts.items():
        for name in languages_by_word.get(word, ()):
            stop_words[name] += count
    # The lists differ in length, but the right list has nearly all of the frequent words.
    best = max(_LANGUAGES, key=lambda name: stop_words[name])
    return best if total and stop_words[best] >= _MIN_STOP_WORD_SHARE * total else None


def _read_longest_texts(trees: Sequence[Tree], find_visible_texts: Sequence[Sequence[int]]) -> list[str]:
    """Return words of the longest texts of the pages: these are prose if there is any."""
    texts = {tree.text[node] for tree, nodes in zip(trees, find_visible_texts, strict=True) for node in nodes}
    words: list[str] = []
    for text in sorted(texts, key=lambda text: (-len(text), text)):
        if len(words) >= _LANGUAGE_SAMPLE_WORDS:
            break
        words += language.words(text[:_LANGUAGE_SAMPLE_WORDS])
    return words


@cache
def _languages_by_stop_word() -> dict[str, list[str]]:
    languages: dict[str, list[str]] = {}
    for name in _LANGUAGES:
        for word in language.stop_words(name):
            languages.setdefault(word, []).append(name)
    return languages
