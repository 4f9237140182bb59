"""Decide whether the kept content is an article.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
4.1, define an article as "a contiguous, coherent work of prose on a single topic or multiple closely related topics
that alone comprises the main informational content of the page", and not "a collection of headlines with brief
summaries, a list of search results, or a set of blog posts"; a news article has at least two paragraphs and eight
sentences. They leave the classifier open. This one follows the definition:

- *Prose.* A paragraph is a block that contains the end of a sentence.
- *Contiguous.* Between the posts of a thread and the teasers of a list there are names, dates and "read more"; in an
  article a paragraph follows another paragraph, a heading, a list or a table. So prose is split into runs at two
  consecutive lines that are not sentences, and the two paragraphs and eight sentences must be in one run. At least one
  paragraph of the run must not have a headline that links to another page.
- *Main information.* The run has more words than all links to other pages. So a menu is no article, even with a few
  sentences below it.
- *No posts, no products.* A page may declare these with schema.org or the Open Graph protocol.

The numbers of paragraphs and sentences are the paper's; the two lines are our own. On the half of the WCXB sites that
it was not developed on, precision is .74 and recall .94 (`benchmarks/articles.py`). Most false positives are prose that
the set files under another type: three quarters of the documentation pages, half of the service pages.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from duramen.dom.tag_sets import INVISIBLE_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.language import count_sentences, count_words
from duramen.output import OutputOptions
from duramen.output.build import build_plain_blocks
from duramen.output.model import (
    HEADING_BLOCK,
    LINE_BLOCK,
    PARAGRAPH_BLOCK,
    PREFORMATTED_BLOCK,
    Container,
    OutputBlock,
)

_MIN_LINES_BETWEEN_RUNS: Final = 2
"""Consecutive lines without a sentence that end a run of prose. A single one is a caption, a name or a label."""

_NON_ARTICLE_TYPES: Final = frozenset(
    "DiscussionForumPosting QAPage Question Answer Comment UserComments ItemList"
    " Product ProductGroup ProductModel IndividualProduct SomeProducts".split()
)
"""Types of schema.org whose prose is one post, one answer or one offer among others."""

_NON_ARTICLE_PAGE_TYPES: Final = frozenset("DiscussionForumPosting QAPage Product ProductGroup".split())
"""Those of them that describe the page as a whole; an article can list its comments or its images."""

_OPTIONS: Final = OutputOptions()
_BLANK_LINE: Final = re.compile(r"\n\s*\n")
_find_types = re.compile(r'"@type"\s*:\s*\[?\s*"(?:https?://schema\.org/)?(\w+)"').findall
_is_product = re.compile(r"\b(?:product|item)\b", re.IGNORECASE).search

# Thai and Lao separate sentences with a space, without a mark.
_find_unmarked_sentences = re.compile("[\u0e01-\u0eff]{30,}").findall


@dataclass(frozen=True)
class ArticleVerdict:
    """True or false, with the reason."""

    is_article: bool
    reason: str

    def __bool__(self) -> bool:
        return self.is_article


@dataclass
class _ProseRun:
    """Paragraphs of prose with only headings, lists, tables and single lines between them."""

    words: int = 0
    sentences: int = 0
    linked_headings: int = 0
    """Headings that link to another page."""
    paragraphs: list[tuple[int, int]] = field(default_factory=list)
    """Element and number of words of each paragraph."""


def is_article(
    tree: Tree, spans: Sequence[range], *, min_paragraphs: int = 2, min_sentences: int = 8
) -> ArticleVerdict:
    """Decide whether the kept nodes are an article. The default numbers are the paper's, for a news article."""
    spans = [span for span in spans if span]
    if not spans:
        return ArticleVerdict(False, "nothing was kept")
    links = list(_find_links(tree, range(spans[0].start, spans[-1].stop)))
    runs = list(_find_prose_runs(tree, spans, links))
    if not runs:
        return ArticleVerdict(False, "no prose: nothing that was kept holds a sentence")
    run = max(runs, key=lambda run: run.words)
    sentences, paragraphs = _count(run.sentences, "sentence"), _count(len(run.paragraphs), "paragraph")
    if run.sentences < min_sentences or len(run.paragraphs) < min_paragraphs:
        if len(runs) > 1:
            return ArticleVerdict(False, f"prose in {len(runs)} pieces, the largest of {sentences} in {paragraphs}")
        if len(run.paragraphs) < min_paragraphs:
            return ArticleVerdict(False, f"only {paragraphs} of prose")
        return ArticleVerdict(False, f"only {sentences} in {paragraphs}")
    if run.linked_headings >= len(run.paragraphs):
        return ArticleVerdict(False, f"a list of headlines: {run.linked_headings} that are links, over {paragraphs}")
    linked_words = _count_words(tree, _intersect(links, spans))
    if linked_words >= run.words:
        reason = f"a list of links: {linked_words} words in links, {run.words} in the largest piece of prose"
        return ArticleVerdict(False, reason)
    if declared_type := _find_declared_type(tree, run):
        return ArticleVerdict(False, f"the page marks it as {declared_type}")
    return ArticleVerdict(True, f"{sentences} in {paragraphs}")


def _find_prose_runs(tree: Tree, spans: Sequence[range], links: Sequence[range]) -> Iterator[_ProseRun]:
    link_starts = [link.start for link in links]
    run, lines, linked_headings = _ProseRun(), 0, 0
    for block in build_plain_blocks(tree, spans, _OPTIONS):
        if block.kind == HEADING_BLOCK:
            last_link = bisect_right(link_starts, tree.end[block.node] - 1) - 1
            if last_link >= 0 and links[last_link].stop > block.node:
                linked_headings += 1
            continue
        for text in _split_paragraphs(block):
            sentences = count_sentences(text) or (0 if text.isascii() else len(_find_unmarked_sentences(text)))
            words = count_words(text) if sentences else 0
            if words:
                if lines >= _MIN_LINES_BETWEEN_RUNS and run.words:
                    yield run
                    run = _ProseRun()
                run.words += words
                run.sentences += sentences
                run.linked_headings += linked_headings
                run.paragraphs.append((block.node, words))
                lines = linked_headings = 0
            elif block.kind != PREFORMATTED_BLOCK and not _is_in_list(block.container):
                lines += 1
    if run.words:
        yield run


def _split_paragraphs(block: OutputBlock) -> Sequence[str]:
    """Return what may be paragraphs; blank lines separate them in preformatted text, such as a page in one `<pre>`."""
    if block.kind == PREFORMATTED_BLOCK:
        return _BLANK_LINE.split(block.text)
    return (block.text,) if block.kind in (LINE_BLOCK, PARAGRAPH_BLOCK) else ()


def _is_in_list(container: Container | None) -> bool:
    while container is not None:
        if container.is_list:
            return True
        container = container.parent
    return False


def _find_links(tree: Tree, kept: range) -> Iterator[range]:
    """Find the visible links to other pages; links within the page are its table of contents and its notes."""
    position = next((node for node in tree.ancestors(kept.start) if tree.tag[node] == "a"), kept.start)
    hidden, hidden_end = deque(sorted(tree.hidden)), 0
    for node in _find_elements(tree, "a", position, kept.stop):
        while hidden and hidden[0] <= node:
            hidden_end = max(hidden_end, tree.end[hidden.popleft()])
        if node < max(position, hidden_end):
            continue
        href = tree.attributes[node].get("href")
        if href and not href.startswith("#"):
            position = tree.end[node]
            yield range(node, position)


def _intersect(first: Sequence[range], second: Sequence[range]) -> Iterator[range]:
    """Yield the intersections of two ordered sequences of ranges."""
    i = j = 0
    while i < len(first) and j < len(second):
        start, stop = max(first[i].start, second[j].start), min(first[i].stop, second[j].stop)
        if start < stop:
            yield range(start, stop)
        if first[i].stop < second[j].stop:
            i += 1
        else:
            j += 1


def _count_words(tree: Tree, ranges: Iterable[range]) -> int:
    tag, parent = tree.tag, tree.parent
    texts = (
        node for nodes in ranges for node in nodes if tag[node] == TEXT and tag[parent[node]] not in INVISIBLE_TAGS
    )
    return sum(count_words(tree.text[node]) for node in texts)


def _find_declared_type(tree: Tree, run: _ProseRun) -> str | None:
    """Return a type other than article that the page declares for itself or for the elements around most of the run."""
    types: set[str] = set()
    for node in _find_elements(tree, "script"):
        if tree.attributes[node].get("type") == "application/ld+json" and tree.end[node] > node + 1:
            types.update(_find_types(tree.text[node + 1]))
    other_types = [name for name in sorted(types) if name in _NON_ARTICLE_PAGE_TYPES]
    if other_types and not any(name.endswith(("Article", "BlogPosting")) for name in types):
        return other_types[0]
    for node in _find_elements(tree, "meta"):
        attributes = tree.attributes[node]
        if attributes.get("property") == "og:type" and _is_product(attributes.get("content") or ""):
            return "goods"
    return _find_type_of_elements(tree, run)


def _find_type_of_elements(tree: Tree, run: _ProseRun) -> str | None:
    """Return the type declared by `itemtype` on elements around more than half of the words."""
    type_of: dict[int, str | None] = {-1: None}  # no element is read twice
    words_of_type: Counter[str] = Counter()
    for paragraph, words in run.paragraphs:
        path = []
        node = paragraph
        while node not in type_of:
            path.append(node)
            node = tree.parent[node]
        item_type = type_of[node]
        for node in reversed(path):
            own_type = (tree.attributes[node].get("itemtype") or "").strip().rpartition("/")[2]
            item_type = type_of[node] = own_type if own_type in _NON_ARTICLE_TYPES else item_type
        if item_type:
            words_of_type[item_type] += words
    return words_of_type.most_common(1)[0][0] if 2 * words_of_type.total() > run.words else None


def _find_elements(tree: Tree, tag: str, start: int = 0, stop: int = sys.maxsize) -> Iterator[int]:
    """Yield the elements of a tag among the nodes from `start` to `stop`."""
    node = start - 1
    try:
        while True:
            node = tree.tag.index(tag, node + 1, stop)
            yield node
    except ValueError:  # no more of them
        return


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
