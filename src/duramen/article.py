"""Is what was kept an article?

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
4.1, mean by an article "a contiguous, coherent work of prose on a single topic or multiple closely related topics that
alone comprises the main informational content of the page", and not "a collection of headlines with brief summaries, a
list of search results, or a set of blog posts"; in news it has at least two paragraphs and eight sentences. They leave
the classifier to others. Ours takes them at their word:

- *A work of prose.* A paragraph is a block with the end of a sentence in it.
- *Contiguous.* Between the posts of a thread and the teasers of a list stand names, dates and "read more"; in an
  article a paragraph follows a paragraph, or a heading, a list, a table. So prose is cut into runs where two lines that
  are no sentences follow each other, and the two paragraphs and eight sentences must stand in one run. Nor may every
  paragraph of it have a headline that leads to another page.
- *The main information.* The run has more words than all links that lead elsewhere. So a menu is no article, even with
  a few sentences below it.
- *Not a set of posts, nor goods.* A page may say so itself, in the words of schema.org or of the Open Graph protocol.

Two of the numbers are the paper's; the two lines are ours. On the half of the sites of WCXB that it was not made on,
precision is .74 and recall .94 (`benchmarks/articles.py`). Most of what is wrongly called an article is prose that its
set files elsewhere: three quarters of the pages of documentation, half of those on services.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import INVISIBLE
from duramen.language import count_sentences, count_words
from duramen.output import Options, model
from duramen.output.blocks import plain_blocks

_BREAK: Final = 2
"""Lines that are no sentences, one after the other, end a run. A single one is a caption, a name or a label."""

_NO_ARTICLE: Final = frozenset(
    "DiscussionForumPosting QAPage Question Answer Comment UserComments ItemList"
    " Product ProductGroup ProductModel IndividualProduct SomeProducts".split()
)
"""Types of schema.org whose prose is one post, one answer or one offer among others."""

_NO_ARTICLE_PAGE: Final = frozenset("DiscussionForumPosting QAPage Product ProductGroup".split())
"""Those of them that are said of a page as a whole; an article may well list its comments or its pictures."""

_FORMAT: Final = Options()
_BLANK_LINE: Final = re.compile(r"\n\s*\n")
_find_types = re.compile(r'"@type"\s*:\s*\[?\s*"(?:https?://schema\.org/)?(\w+)"').findall
_is_goods = re.compile(r"\b(?:product|item)\b", re.IGNORECASE).search

# Thai and Lao part their sentences with a space and no mark.
_find_unmarked = re.compile("[\u0e01-\u0eff]{30,}").findall


@dataclass(frozen=True)
class Verdict:
    """Yes or no, and why."""

    is_article: bool
    reason: str

    def __bool__(self) -> bool:
        return self.is_article


@dataclass
class _Run:
    """Paragraphs of prose with nothing but headings, lists, tables and single lines between them."""

    words: int = 0
    sentences: int = 0
    headlines: int = 0
    """Headings that are links to elsewhere."""
    paragraphs: list[tuple[int, int]] = field(default_factory=list)
    """The element of each and its words."""


def is_article(tree: Tree, spans: Sequence[range], *, min_paragraphs: int = 2, min_sentences: int = 8) -> Verdict:
    """Whether the kept nodes are an article; the two numbers are the paper's, of a news story."""
    spans = [kept for kept in spans if kept]
    if not spans:
        return Verdict(False, "nothing was kept")
    links = list(_links(tree, range(spans[0].start, spans[-1].stop)))
    runs = list(_runs(tree, spans, links))
    if not runs:
        return Verdict(False, "no prose: nothing that was kept holds a sentence")
    run = max(runs, key=lambda run: run.words)
    sentences, paragraphs = _count(run.sentences, "sentence"), _count(len(run.paragraphs), "paragraph")
    if run.sentences < min_sentences or len(run.paragraphs) < min_paragraphs:
        if len(runs) > 1:
            return Verdict(False, f"prose in {len(runs)} pieces, the largest of {sentences} in {paragraphs}")
        if len(run.paragraphs) < min_paragraphs:
            return Verdict(False, f"only {paragraphs} of prose")
        return Verdict(False, f"only {sentences} in {paragraphs}")
    if run.headlines >= len(run.paragraphs):
        return Verdict(False, f"a list of headlines: {run.headlines} that are links, over {paragraphs}")
    linked = _words(tree, _meet(links, spans))
    if linked >= run.words:
        return Verdict(False, f"a list of links: {linked} words in links, {run.words} in the largest piece of prose")
    if name := _called(tree, run):
        return Verdict(False, f"the page marks it as {name}")
    return Verdict(True, f"{sentences} in {paragraphs}")


def _runs(tree: Tree, spans: Sequence[range], links: Sequence[range]) -> Iterator[_Run]:
    starts = [link.start for link in links]
    run, lines, headlines = _Run(), 0, 0
    for block in plain_blocks(tree, spans, _FORMAT):
        if block.kind == model.HEADING:
            before = bisect_right(starts, tree.end[block.node] - 1) - 1
            if before >= 0 and links[before].stop > block.node:
                headlines += 1
            continue
        for text in _paragraphs(block):
            sentences = count_sentences(text) or _unmarked_sentences(text)
            words = count_words(text) if sentences else 0
            if words:
                if lines >= _BREAK and run.words:
                    yield run
                    run = _Run()
                run.words += words
                run.sentences += sentences
                run.headlines += headlines
                run.paragraphs.append((block.node, words))
                lines = headlines = 0
            elif block.kind != model.VERBATIM and not _in_list(block.container):
                lines += 1
    if run.words:
        yield run


def _paragraphs(block: model.Block) -> Sequence[str]:
    """What may be a paragraph; in verbatim text a blank line parts them, as in a page that is one `<pre>`."""
    if block.kind == model.VERBATIM:
        return _BLANK_LINE.split(block.text)
    return (block.text,) if block.kind == model.LINE or block.kind == model.PARAGRAPH else ()


def _unmarked_sentences(text: str) -> int:
    return 0 if text.isascii() else len(_find_unmarked(text))


def _in_list(container: model.Container | None) -> bool:
    while container is not None:
        if container.is_list:
            return True
        container = container.parent
    return False


def _links(tree: Tree, kept: range) -> Iterator[range]:
    """The links on the screen that lead elsewhere; those within the page are its table of contents and its notes."""
    position = next((node for node in tree.ancestors(kept.start) if tree.tag[node] == "a"), kept.start)
    hidden, shown = deque(sorted(tree.hidden)), 0  # nodes before `shown` are hidden, where one before them is
    for node in _nodes(tree, "a", position, kept.stop):
        while hidden and hidden[0] <= node:
            shown = max(shown, tree.end[hidden.popleft()])
        if node < max(position, shown):
            continue
        href = tree.attributes[node].get("href")
        if href and not href.startswith("#"):
            position = tree.end[node]
            yield range(node, position)


def _meet(first: Sequence[range], second: Sequence[range]) -> Iterator[range]:
    """What two ordered sequences of ranges have in common."""
    i = j = 0
    while i < len(first) and j < len(second):
        start, stop = max(first[i].start, second[j].start), min(first[i].stop, second[j].stop)
        if start < stop:
            yield range(start, stop)
        if first[i].stop < second[j].stop:
            i += 1
        else:
            j += 1


def _words(tree: Tree, ranges: Iterable[range]) -> int:
    tag, parent = tree.tag, tree.parent
    texts = (node for nodes in ranges for node in nodes if tag[node] == TEXT and tag[parent[node]] not in INVISIBLE)
    return sum(count_words(tree.text[node]) for node in texts)


def _called(tree: Tree, run: _Run) -> str | None:
    """What other than an article the page calls itself, or the elements that most of the run stands in."""
    types: set[str] = set()
    for node in _nodes(tree, "script"):
        if tree.attributes[node].get("type") == "application/ld+json" and tree.end[node] > node + 1:
            types.update(_find_types(tree.text[node + 1]))
    found = [name for name in sorted(types) if name in _NO_ARTICLE_PAGE]
    if found and not any(name.endswith(("Article", "BlogPosting")) for name in types):
        return found[0]
    for node in _nodes(tree, "meta"):
        attributes = tree.attributes[node]
        if attributes.get("property") == "og:type" and _is_goods(attributes.get("content") or ""):
            return "goods"
    return _called_around(tree, run)


def _called_around(tree: Tree, run: _Run) -> str | None:
    inside: dict[int, str | None] = {-1: None}  # no element is asked twice
    words: Counter[str] = Counter()
    for block, count in run.paragraphs:
        way = []
        node = block
        while node not in inside:
            way.append(node)
            node = tree.parent[node]
        name = inside[node]
        for node in reversed(way):
            own = (tree.attributes[node].get("itemtype") or "").strip().rpartition("/")[2]
            name = inside[node] = own if own in _NO_ARTICLE else name
        if name:
            words[name] += count
    return words.most_common(1)[0][0] if 2 * words.total() > run.words else None


def _nodes(tree: Tree, tag: str, start: int = 0, stop: int = sys.maxsize) -> Iterator[int]:
    """The elements of a tag among the nodes from `start` to `stop`."""
    node = start - 1
    try:
        while True:
            node = tree.tag.index(tag, node + 1, stop)
            yield node
    except ValueError:  # no more of them
        return


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
