"""Write comments in the output formats: after the content, under a heading of their own.

Replies are indented by their depth: as quotes in Markdown, as nested `article` elements in HTML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from duramen.comments.model import Comment
from duramen.comments.posts import Post
from duramen.dom.text import remove_illegal_xml
from duramen.output import elements
from duramen.output.markdown_inline import write_inline, write_paragraph
from duramen.output.model import InlineRun

_HEADING: Final = "Comments"
_MAX_INDENT_LEVELS: Final = 16
"""Deeper replies are not indented further: nobody sees the difference, and hostile pages could make lines grow."""

_LINE_END: Final = "\n"
_split_paragraphs = re.compile(r"\n\s*\n").split


def add_comments(written: str, format: str, comments: Sequence[Comment]) -> str:
    """Add comments to a written content. JSON and XML get their field even where there are none."""
    match format:
        case "json":
            return json.dumps(
                json.loads(written) | {"comments": [comment.as_dict() for comment in comments]}, ensure_ascii=False
            )
        case "xml":
            document = fromstring(written)
            document.append(build_comments_xml(comments))
            return tostring(document, encoding="unicode", xml_declaration=False)
    if not comments:
        return written
    write = {"text": write_comments_text, "markdown": write_comments_markdown, "html": write_comments_html}[format]
    return "\n\n".join(part for part in (written.rstrip("\n"), write(comments)) if part)


def join_posts(parts: Sequence[tuple[Post | None, str]], format: str) -> str:
    """Join the written posts of a thread, each under its author and date. A part without a post has no such line."""
    if format == "html":
        return "".join([written if post is None else _write_post_html(post, written) for post, written in parts])
    lines = []
    for number, (post, written) in enumerate(parts):
        if number and post is not None:
            lines.append("---")
        byline = "" if post is None else _write_byline(post)
        if byline:
            lines.append(write_inline([InlineRun(byline, elements.STRONG)], one_line=True))
        lines.append(written.rstrip("\n"))
    return "\n\n".join(filter(None, lines)) + "\n"


def _write_post_html(post: Post, written: str) -> str:
    byline = _write_byline(post)
    header = f"<header>{escape(byline, quote=False)}</header>\n" if byline else ""
    return f"<article>\n{header}{written}</article>\n"


def write_comments_text(comments: Sequence[Comment]) -> str:
    """Write plain text: author and date on one line, the text below, replies indented."""
    parts = [_HEADING]
    for comment in comments:
        lines = [_write_byline(comment), *comment.text.split("\n")]
        indent = "    " * min(comment.depth, _MAX_INDENT_LEVELS)
        parts.append("\n".join(f"{indent}{line}" if line else "" for line in lines if line or comment.text))
    return "\n\n".join(parts)


def write_comments_markdown(comments: Sequence[Comment]) -> str:
    """Write Markdown: a heading, author and date in bold, replies as quotes."""
    parts = [f"## {_HEADING}"]
    for comment in comments:
        lines = [write_inline([InlineRun(_write_byline(comment), elements.STRONG)], one_line=True), ""]
        for paragraph in _split_paragraphs(comment.text):
            lines += [*_write_markdown_paragraph(paragraph).split("\n"), ""]
        quote = "> " * min(comment.depth, _MAX_INDENT_LEVELS)
        parts.append("\n".join(f"{quote}{line}".rstrip() for line in lines[:-1]))
    return "\n\n".join(parts)


def write_comments_html(comments: Sequence[Comment]) -> str:
    """Write HTML: a section with an article for each comment, replies inside the comment they reply to."""
    out = ['<section class="comments">', f"<h2>{_HEADING}</h2>"]
    opened = 0
    for comment in comments:
        depth = min(comment.depth, _MAX_INDENT_LEVELS)
        while opened > depth:
            out.append("</article>")
            opened -= 1
        out.append("<article>")
        opened += 1
        out.append(f"<header>{escape(_write_byline(comment), quote=False)}</header>")
        paragraphs = _split_paragraphs(escape(comment.text, quote=False))
        out += [f"<p>{paragraph.replace(_LINE_END, '<br>')}</p>" for paragraph in paragraphs]
    out += ["</article>"] * opened
    return "\n".join([*out, "</section>"])


def build_comments_xml(comments: Sequence[Comment]) -> Element:
    """Build XML: `comments` with a flat sequence of `comment` (author, date, stamp, depth, parent)."""
    root = Element("comments")
    for comment in comments:
        element = SubElement(root, "comment")
        for name, value in comment.as_dict().items():
            if name != "text" and value is not None:
                element.set(name, remove_illegal_xml(str(value)))
        for paragraph in _split_paragraphs(comment.text):
            SubElement(element, "p").text = remove_illegal_xml(paragraph)
    return root


def _write_byline(comment: Comment | Post) -> str:
    return ", ".join(part for part in (comment.author, comment.stamp) if part)


def _write_markdown_paragraph(paragraph: str) -> str:
    runs = [InlineRun(part) for line in paragraph.split("\n") for part in ("\n", line.strip()) if part]
    return write_paragraph(runs[1:])
