"""What a method gives back: which nodes of the page, how sure, why; and the ways to read them.

A Content keeps *spans*: ranges of node indexes, in document order and apart from each other. A text node inside a span
is kept; an element inside a span is kept as markup around what it holds. So a subtree is one span, a subtree with
pruned parts is several, and a run of words that starts in one element and ends in another is one again: whatever a
method's idea of content is, it can say it. Elements that hold kept nodes without being kept themselves still lend
their markup, so that the HTML is always well formed and an item of a list stays one. Where content starts or ends in
the middle of a text node, *clips* say which characters of it are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from duramen import output, xpath
from duramen.article import Verdict, is_article
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.comments import Comment
    from duramen.metadata import Metadata

FORMATS = ("text", "markdown", "html", "json", "xml")

Spans = tuple[range, ...]


@dataclass(frozen=True, eq=False)
class Content:
    """The kept part of a page. Empty, and false, when nothing was found; `reason` says why either way."""

    page: Page = field(repr=False)
    """The page as the method read it: `auto` may have read it with nothing hidden."""
    method: str
    reason: str
    spans: Spans = field(default=(), repr=False)
    confidence: float = 0.0
    clips: Mapping[int, tuple[int, int]] = field(default_factory=dict, repr=False)
    page_type: str | None = None
    """What kind of page it is (article, forum, product, …), where the method tells."""
    field_nodes: Mapping[str, int] = field(default_factory=dict, repr=False)
    """The elements that show fields of the metadata, where the method knows them: `authors`, `published`."""

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __str__(self) -> str:
        return self.text

    @cached_property
    def node(self) -> int | None:
        """The lowest element that holds all that was kept; None when nothing was."""
        if not self.spans:
            return None
        tree = self.page.tree
        node = tree.common_ancestor(self.spans[0].start, self.spans[-1].stop - 1)
        return tree.parent[node] if tree.tag[node] == TEXT else node

    @cached_property
    def xpath(self) -> str | None:
        """Where `node` stands, as a positional XPath; None when nothing was kept."""
        return None if self.node is None else xpath.positional(self.page.tree, self.node)

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says of itself."""
        from duramen.metadata import Metadata  # its tables and expressions are a third of what importing duramen costs

        return Metadata.read(self.page, field_nodes=self.field_nodes)

    @cached_property
    def comments(self) -> list[Comment]:
        """What readers wrote under the page, whether or not the method kept it; looked for when first asked."""
        from duramen.comments import find_comments  # few ask for them

        posts = self.spans if self.page_type == "forum" else ()
        return find_comments(self.page.tree, posts=posts, address=self.page.url or "")

    @property
    def _without_comments(self) -> Content:
        """The content without what stands in `comments`: nothing is to be written twice."""
        told = sorted((span for comment in self.comments for span in comment.whole), key=lambda span: span.start)
        return replace(self, spans=_minus(self.spans, told)) if told else self

    @cached_property
    def is_article(self) -> Verdict:
        """Whether what was kept is a work of prose of some length: true or false, with a `reason`."""
        return is_article(self._clipped_tree, self.spans)

    @cached_property
    def text(self) -> str:
        """What a person would copy from the screen."""
        return self.to("text")

    @cached_property
    def markdown(self) -> str:
        """CommonMark, with the tables and strikethrough of GitHub; without links and images."""
        return self.to("markdown")

    @cached_property
    def html(self) -> str:
        """Clean, well-formed HTML; without links and images."""
        return self.to("html")

    @cached_property
    def json(self) -> str:
        """Text and metadata in one object."""
        return self.to("json")

    @cached_property
    def xml(self) -> str:
        """Text and metadata in one document."""
        return self.to("xml")

    @property
    def _clipped_tree(self) -> Tree:
        """The page's tree with no more of its text than is kept: what the outputs are given."""
        tree = self.page.tree
        if not self.clips:
            return tree
        text = list(tree.text)
        for node, (start, stop) in self.clips.items():
            text[node] = text[node][start:stop]
        return replace(tree, text=text)

    def as_dict(self) -> dict[str, object]:
        """Text and metadata, as they stand in the JSON."""
        fields = self.metadata.as_dict()
        if self.page_type:  # the method's word goes before what the page says
            told = {"source": "method", "confidence": round(self.confidence, 3)}
            fields |= {"page_type": self.page_type, "sources": {**self.metadata.sources_of_fields(), "page_type": told}}
        return {
            **fields,
            "method": self.method,
            "confidence": round(self.confidence, 4),
            "is_article": bool(self.is_article),
            "reason": self.reason,
            "xpath": self.xpath,
            "text": self.text,
        }

    def to(
        self, format: str, *, links: bool = False, images: bool = False, comments: bool = False, metadata: bool = False
    ) -> str:
        """The content in one of `FORMATS`; `links` and `images` say whether those are written.

        `comments` adds what readers wrote, after the text, under a heading or a field of its own; `metadata` puts
        what the page says of itself before Markdown, as front matter. JSON and XML hold it anyhow.
        """
        if metadata and format == "markdown":
            return f"{self.metadata.front_matter}\n{self.to(format, links=links, images=images, comments=comments)}"
        if comments:
            from duramen.comments import add_comments

            said = self._without_comments.to(format, links=links, images=images)
            return add_comments(said, format, self.comments)
        tree, options = self._clipped_tree, output.Options(links=links, images=images, base=self.page.base)
        match format:
            case "text":
                return output.write_text(tree, self.spans, options)
            case "markdown":
                return output.write_markdown(tree, self.spans, options)
            case "html":
                return output.write_html(tree, self.spans, options)
            case "json":
                text = {"text": self.to("text", links=links, images=images)}
                return json.dumps(self.as_dict() | text, ensure_ascii=False)
            case "xml":
                return _xml(self, options)
        raise UsageError(f"unknown format {format!r}: choose one of {', '.join(FORMATS)}")


def subtree(tree: Tree, node: int, pruned: Iterable[int] = ()) -> Spans:
    """The spans of a node's subtree without the subtrees of `pruned`, which are in document order."""
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


def _minus(spans: Spans, cuts: Sequence[range]) -> Spans:
    """What is left of spans without others, both in order and apart from each other."""
    left, at = [], 0
    for span in spans:
        start = span.start
        while at < len(cuts) and cuts[at].start < span.stop:
            if cuts[at].start > start:
                left.append(range(start, cuts[at].start))
            start = max(start, cuts[at].stop)
            if start >= span.stop:  # the cut may go on in the next span
                break
            at += 1
        if start < span.stop:
            left.append(range(start, span.stop))
    return tuple(left)


def _xml(content: Content, options: output.Options) -> str:
    document = ElementTree.Element("document")
    fields = content.as_dict()
    for name, value in fields.items():
        if name != "text" and value is not None and not isinstance(value, (list, dict)):
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            document.set(name, output.legal_xml(shown))
    document.append(content.metadata.xml)
    document.append(output.xml_body(content._clipped_tree, content.spans, options))
    return ElementTree.tostring(document, encoding="unicode", xml_declaration=False)
