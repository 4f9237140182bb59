"""Content: the nodes of a page that a method kept, with reason and confidence, and the formats to read them in.

A Content keeps *spans*: ranges of node indexes in document order that do not overlap. A text node inside a span is
kept; an element inside a span is kept as markup around its kept descendants. So a subtree is one span, a subtree with
pruned parts is several, and a run of words that starts in one element and ends in another is one again. Elements
around kept nodes still provide their markup, so that the HTML is well-formed and a list item stays one. Where content
starts or ends inside a text node, *clips* give the range of its characters that is kept.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree import ElementTree

from duramen import output, xpath
from duramen.article import ArticleVerdict, is_article
from duramen.dom.page import Page
from duramen.dom.text import remove_illegal_xml
from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError
from duramen.language import count_words
from duramen.output.build import build_plain_blocks
from duramen.output.model import KIND_NAMES, RULE_BLOCK, TABLE_BLOCK
from duramen.output.text import write_table

if TYPE_CHECKING:
    from duramen.comments import Comment
    from duramen.comments.posts import Post
    from duramen.explanation import Explanation
    from duramen.metadata import Metadata

FORMATS = ("text", "markdown", "html", "json", "xml")
_THREAD_FORMATS: Final = ("markdown", "html")
"""Formats in which the posts of a thread are written apart from each other."""
MARKUP_FORMATS: Final = ("markdown", "html", "xml")
"""Formats with links and images where nothing else is said, as readers of Markdown and HTML expect."""

Spans = tuple[range, ...]
"""Ranges of node indexes, in document order, without overlap."""

_MAX_REPR_CHARS: Final = 60


class ContentBlock(NamedTuple):
    """One block of the content: a paragraph, a heading, a table and so on."""

    kind: str
    """`line` (text without margins: in a div, an item), `paragraph`, `heading`, `preformatted` or `table`."""
    text: str
    """Its text; the rows of a table are lines, with a tab between cells."""
    node: int
    """The element of `content.page.tree` that the block comes from."""
    level: int
    """1 to 6 for a heading, otherwise 0."""


class SiteContribution(NamedTuple):
    """What other pages of the site have changed in the selection of blocks."""

    pages: int
    """Other pages that were compared."""
    dropped: int
    """Blocks that the page alone would have kept."""
    added: int
    """Blocks that the page alone would have dropped."""

    def __str__(self) -> str:
        pages = "1 other page" if self.pages == 1 else f"{self.pages} other pages"
        return f"{pages} of the site dropped {self.dropped} and added {self.added} of these blocks"


@dataclass(frozen=True, eq=False, repr=False)
class Content:
    """The kept part of a page. It is empty, and false, when nothing was kept; `reason` explains the result."""

    page: Page
    """The page as the method read it: `auto` may have read it with hidden elements shown."""
    method: str
    reason: str
    spans: Spans = ()
    """Ranges of the kept nodes of `page.tree`, in document order."""
    confidence: float = 0.0
    clips: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Start and stop of the kept characters, for text nodes that are kept in part."""
    page_type: str | None = None
    """Type of the page (article, forum, product and so on), if the method determines it."""
    type_log_odds: Mapping[str, float] = field(default_factory=dict)
    """Log odds of each page type, as if half of all pages were of that type, if the method determines them."""
    site: SiteContribution | None = None
    """What other pages of the site contributed, if they were compared."""
    field_nodes: Mapping[str, int] = field(default_factory=dict)
    """Elements that show fields of the metadata, if the method knows them: `authors`, `published`."""
    links: bool | None = None
    """The defaults of `to`: whether links, images and reader comments are written. None: in formats with markup."""
    images: bool | None = None
    with_comments: bool = False
    tables: str = "markdown"
    """How Markdown writes tables: `markdown`, `html` or `csv`."""
    explainer: Callable[[Content, bool], Explanation] | None = field(default=None, repr=False)
    """What explains the content, if the method can do it; see `explain`."""

    def __post_init__(self) -> None:
        if self.page.note and self.page.note not in self.reason:
            object.__setattr__(self, "reason", f"{self.reason}; {self.page.note}")

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        if not self.spans:
            return f"<Content: method {self.method}, nothing kept: {self.reason}>"
        start = " ".join(self.text[: 4 * _MAX_REPR_CHARS].split())
        if len(start) > _MAX_REPR_CHARS:
            start = start[:_MAX_REPR_CHARS].rstrip() + "…"
        return f"<Content: {self._describe()}: {start!r}>"

    def _repr_html_(self) -> str:
        """Show the content in a notebook."""
        heading = self._describe() if self.spans else f"method {self.method}, nothing kept: {self.reason}"
        return f"<p><small>{escape(heading)}</small></p>\n{self.html}"

    def _describe(self) -> str:
        words, page_type = count_words(self.text), f", {self.page_type}" if self.page_type else ""
        return f"method {self.method}, {words} words, confidence {self.confidence:.2f}{page_type}"

    @cached_property
    def node(self) -> int | None:
        """The lowest element around all kept nodes; None when nothing was kept."""
        if not self.spans:
            return None
        tree = self.page.tree
        node = tree.common_ancestor(self.spans[0].start, self.spans[-1].stop - 1)
        return tree.parent[node] if tree.tag[node] == TEXT else node

    @cached_property
    def xpath(self) -> str | None:
        """The positional XPath of `node`; None when nothing was kept."""
        return None if self.node is None else xpath.make_positional_xpath(self.page.tree, self.node)

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and so on, read on first use."""
        from duramen.metadata import Metadata  # a third of the import time of duramen

        return Metadata.read(self.page, field_nodes=self.field_nodes)

    @cached_property
    def comments(self) -> list[Comment]:
        """Reader comments on the page, whether or not the method kept them; searched on first use."""
        from duramen.comments import find_comments  # rarely needed

        posts = self.spans if self.page_type == "forum" else ()
        return find_comments(self.page.tree, posts=posts, url=self.page.url or "")

    @property
    def _without_comments(self) -> Content:
        """The content without the nodes of `comments`, so that nothing is written twice."""
        cuts = sorted((span for comment in self.comments for span in comment.all_spans), key=lambda span: span.start)
        return replace(self, spans=_subtract_spans(self.spans, cuts)) if cuts else self

    @cached_property
    def is_article(self) -> ArticleVerdict:
        """Whether the content is a work of prose of some length: true or false, with a `reason`."""
        return is_article(self._clipped_tree, self.spans)

    def explain(self, *, features: bool = True) -> Explanation:
        """Explain the content: for each block of the page whether it was kept, by which step, and why.

        The method runs again with a record of its steps. A method that keeps no record of scores explains each block by
        whether it was kept. Without `features` the evidence for and against each block is left out: that is most of the
        work.
        """
        if self.explainer is not None:
            return self.explainer(self, features)
        from duramen.explanation import explain_spans

        return explain_spans(self)

    @cached_property
    def blocks(self) -> tuple[ContentBlock, ...]:
        """The blocks that `text` is written from, in document order; horizontal rules are left out."""
        options = output.OutputOptions(base=self.page.base)
        return tuple(
            ContentBlock(
                KIND_NAMES[block.kind],
                write_table(block) if block.kind == TABLE_BLOCK else block.text,
                block.node,
                block.level if KIND_NAMES[block.kind] == "heading" else 0,
            )
            for block in build_plain_blocks(self._clipped_tree, self.spans, options)
            if block.kind != RULE_BLOCK
        )

    @cached_property
    def text(self) -> str:
        """Plain text, as a person would copy it from the screen."""
        return self.to("text")

    @cached_property
    def markdown(self) -> str:
        """CommonMark with the tables and the strikethrough of GitHub."""
        return self.to("markdown")

    @cached_property
    def html(self) -> str:
        """Clean, well-formed HTML."""
        return self.to("html")

    @cached_property
    def json(self) -> str:
        """Text and metadata as one JSON object."""
        return self.to("json")

    @cached_property
    def xml(self) -> str:
        """Text and metadata as one XML document."""
        return self.to("xml")

    @property
    def _clipped_tree(self) -> Tree:
        """The tree of the page, in which clipped text nodes have only their kept characters."""
        tree = self.page.tree
        if not self.clips:
            return tree
        text = list(tree.text)
        for node, (start, stop) in self.clips.items():
            text[node] = text[node][start:stop]
        return replace(tree, text=text)

    def _metadata_fields(self) -> dict[str, object]:
        """Return the metadata, with the page type of the method instead of the one that the page declares."""
        fields = self.metadata.as_dict()
        if self.page_type:
            source = {"source": "method", "confidence": round(self.confidence, 3)}
            sources = {**self.metadata.sources_of_fields(), "page_type": source}
            fields |= {"page_type": self.page_type, "sources": sources}
        return fields

    def as_dict(self) -> dict[str, object]:
        """Return text and metadata as in the JSON."""
        return {
            **self._metadata_fields(),
            "method": self.method,
            "confidence": round(self.confidence, 4),
            "is_article": bool(self.is_article),
            "reason": self.reason,
            "xpath": self.xpath,
            "text": self.text,
        }

    def to(
        self,
        format: str,
        *,
        links: bool | None = None,
        images: bool | None = None,
        comments: bool | None = None,
        tables: str | None = None,
        metadata: bool = False,
    ) -> str:
        """Write the content in one of `FORMATS`. An option that is None has the value given to `extract`.

        Links and images are written in formats with markup (Markdown, HTML, XML) unless they are switched off, and in
        text and JSON if they are switched on. `tables` says how Markdown writes tables: as `markdown`, as `html` with
        all spans, or as `csv`. `comments` adds the reader comments after the text, under a heading or in a field of
        their own. `metadata` adds the metadata before Markdown, as front matter; JSON and XML always contain it.
        """
        if format not in FORMATS:
            raise UsageError(f"unknown format {format!r}: choose one of {', '.join(FORMATS)}")
        has_markup = format in MARKUP_FORMATS
        links, images = (
            next((one for one in (argument, setting) if one is not None), has_markup)
            for argument, setting in ((links, self.links), (images, self.images))
        )
        tables = self.tables if tables is None else tables
        output.check_table_format(tables)
        comments = self.with_comments if comments is None else comments
        if metadata and format == "markdown":
            written = self.to(format, links=links, images=images, comments=comments, tables=tables)
            from duramen.metadata import serialize

            front_matter = serialize.to_front_matter(serialize.to_plain_fields(self._metadata_fields()))
            return f"{front_matter}\n{written}"
        if comments:
            from duramen.comments import add_comments

            written = self._without_comments.to(format, links=links, images=images, comments=False, tables=tables)
            return add_comments(written, format, self.comments)
        tree = self._clipped_tree
        options = output.OutputOptions(links=links, images=images, base=self.page.base, tables=tables)
        if self.page_type == "forum" and format in _THREAD_FORMATS and (thread := self._write_thread(format, options)):
            return thread
        spans = output.add_media(tree, self.spans, options) if has_markup or images else self.spans
        match format:
            case "markdown":
                return output.write_markdown(tree, spans, options)
            case "html":
                return output.write_html(tree, spans, options)
            case "json":
                text = {"text": self.to("text", links=links, images=images, comments=False)}
                return json.dumps(self.as_dict() | text, ensure_ascii=False)
            case "xml":
                return _write_xml(self, spans, options)
        return output.write_text(tree, spans, options)

    def _write_thread(self, format: str, options: output.OutputOptions) -> str:
        """Write the posts of a thread apart from each other, each with its author and date; "" if there are none.

        What was kept between the posts stays where it is.
        """
        from duramen.comments.posts import find_posts  # few pages are threads
        from duramen.comments.serialize import join_posts

        tree = self._clipped_tree
        posts = find_posts(tree, self.spans, self.page.url or "")
        if not posts:
            return ""
        write = output.write_markdown if format == "markdown" else output.write_html
        cuts = sorted((span for post in posts for span in post.all_spans), key=lambda span: span.start)
        between: list[list[range]] = [[] for _ in range(len(posts) + 1)]
        starts = [post.all_spans[0].start for post in posts]
        for span in _subtract_spans(self.spans, cuts):
            between[bisect_right(starts, span.start)].append(span)
        parts: list[tuple[Post | None, str]] = []
        for post, rest in zip((None, *posts), between, strict=True):
            if post is not None:
                spans = output.add_media(tree, post.spans, options)
                parts.append((post, write(tree, spans, options)))
            if rest and (written := write(tree, rest, options)):
                parts.append((None, written))
        return join_posts(parts, format)


def subtree(tree: Tree, node: int, pruned: Iterable[int] = ()) -> Spans:
    """Return the spans of the subtree of a node without the subtrees of `pruned`, which are in document order."""
    spans = []
    start, end = node, tree.end[node]
    for cut in pruned:
        if start <= cut < end:
            if start < cut:
                spans.append(range(start, cut))
            start = tree.end[cut]
    if start < end:
        spans.append(range(start, end))
    return tuple(spans)


def _subtract_spans(spans: Spans, cuts: Sequence[range]) -> Spans:
    """Return the spans without the cuts; both are in order and without overlap."""
    rest, index = [], 0
    for span in spans:
        start = span.start
        while index < len(cuts) and cuts[index].start < span.stop:
            if cuts[index].start > start:
                rest.append(range(start, cuts[index].start))
            start = max(start, cuts[index].stop)
            if start >= span.stop:  # the cut may continue in the next span
                break
            index += 1
        if start < span.stop:
            rest.append(range(start, span.stop))
    return tuple(rest)


def _write_xml(content: Content, spans: Sequence[range], options: output.OutputOptions) -> str:
    from duramen.metadata import serialize

    document = ElementTree.Element("document")
    for name, value in content.as_dict().items():
        if name != "text" and value is not None and not isinstance(value, (list, dict)):
            text = str(value).lower() if isinstance(value, bool) else str(value)
            document.set(name, remove_illegal_xml(text))
    document.append(serialize.to_xml(content._metadata_fields()))
    document.append(output.build_xml_body(content._clipped_tree, spans, options))
    return ElementTree.tostring(document, encoding="unicode", xml_declaration=False)
