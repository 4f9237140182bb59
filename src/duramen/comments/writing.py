"""Comments in the formats of the outputs: under a heading of their own, after the content and never in it.

Replies are set in by their depth: as quotes in Markdown, as articles inside articles in HTML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from duramen.comments.comment import Comment
from duramen.output import elements, legal_xml
from duramen.output.emphasis import inline_markdown, paragraph_markdown
from duramen.output.model import Run

HEADING: Final = "Comments"
DEEPEST: Final = 16
"""Replies are set in no further: past that nobody sees the difference, and an attacker could make lines grow."""

_LINE_END: Final = "\n"
_paragraphs = re.compile(r"\n\s*\n").split


def add_comments(written: str, format: str, comments: Sequence[Comment]) -> str:
    """A written content with the comments behind it. JSON and XML have their field even where there are none."""
    match format:
        case "json":
            return json.dumps(
                json.loads(written) | {"comments": [comment.as_dict() for comment in comments]}, ensure_ascii=False
            )
        case "xml":
            document = fromstring(written)
            document.append(comments_xml(comments))
            return tostring(document, encoding="unicode", xml_declaration=False)
    if not comments:
        return written
    write = {"text": comments_text, "markdown": comments_markdown, "html": comments_html}[format]
    return "\n\n".join(part for part in (written.rstrip("\n"), write(comments)) if part)


def comments_text(comments: Sequence[Comment]) -> str:
    """Plain text: who and when in one line, what was said below it, replies set in."""
    parts = [HEADING]
    for comment in comments:
        lines = [_line(comment), *comment.text.split("\n")]
        indent = "    " * min(comment.depth, DEEPEST)
        parts.append("\n".join(f"{indent}{line}" if line else "" for line in lines if line or comment.text))
    return "\n\n".join(parts)


def comments_markdown(comments: Sequence[Comment]) -> str:
    """Markdown: a heading, who and when in bold, replies as quotes."""
    parts = [f"## {HEADING}"]
    for comment in comments:
        lines = [inline_markdown([Run(_line(comment), elements.STRONG)], one_line=True), ""]
        for paragraph in _paragraphs(comment.text):
            lines += [*_marked(paragraph).split("\n"), ""]
        quote = "> " * min(comment.depth, DEEPEST)
        parts.append("\n".join(f"{quote}{line}".rstrip() for line in lines[:-1]))
    return "\n\n".join(parts)


def comments_html(comments: Sequence[Comment]) -> str:
    """HTML: a section with an article for each, replies inside what they reply to."""
    out = ['<section class="comments">', f"<h2>{HEADING}</h2>"]
    opened = 0
    for comment in comments:
        depth = min(comment.depth, DEEPEST)
        while opened > depth:
            out.append("</article>")
            opened -= 1
        out.append("<article>")
        opened += 1
        out.append(f"<header>{escape(_line(comment), quote=False)}</header>")
        paragraphs = _paragraphs(escape(comment.text, quote=False))
        out += [f"<p>{paragraph.replace(_LINE_END, '<br>')}</p>" for paragraph in paragraphs]
    out += ["</article>"] * opened
    return "\n".join([*out, "</section>"])


def comments_xml(comments: Sequence[Comment]) -> Element:
    """XML: `comments`, with a `comment` (author, date, stamp, depth, parent) for each, in order and side by side."""
    root = Element("comments")
    for comment in comments:
        element = SubElement(root, "comment")
        for name, value in comment.as_dict().items():
            if name != "text" and value is not None:
                element.set(name, legal_xml(str(value)))
        for paragraph in _paragraphs(comment.text):
            SubElement(element, "p").text = legal_xml(paragraph)
    return root


def _line(comment: Comment) -> str:
    return ", ".join(part for part in (comment.author, comment.stamp) if part)


def _marked(paragraph: str) -> str:
    runs = [Run(part) for line in paragraph.split("\n") for part in ("\n", line.strip()) if part]
    return paragraph_markdown(runs[1:])
