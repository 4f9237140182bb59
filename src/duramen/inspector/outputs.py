"""Text, Markdown and HTML of a content for the report: each line with the block of the page that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from duramen.content import Content
from duramen.dom.blocks import find_blocks
from duramen.dom.tree import Tree
from duramen.explanation import BlockExplanation
from duramen.inspector.sanitize import make_marks, sanitize

FORMATS: Final = ("text", "markdown", "html")
MAX_VARIANT_CHARS: Final = 300_000
"""Of a longer content, only the outputs with the default options are in the report."""

_LOOKAHEAD: Final = 40
"""Blocks after the last one that was found in which a line is searched."""
_MIN_PART_CHARS: Final = 3
_MARKDOWN_TARGET = re.compile(r"!?\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_TAG = re.compile(r"<[^<>]*>")
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]+);", re.IGNORECASE)


class StringTable:
    """Strings that are written once, and referred to by their number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def add(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    @property
    def strings(self) -> list[str]:
        return list(self.numbers)


def write_outputs(content: Content, blocks: Sequence[BlockExplanation], strings: StringTable) -> dict[str, list[int]]:
    """Return the lines of each format with each combination of options: string and block, one after the other.

    The key names format and options: `markdown links images`. A combination that is missing has the default options.
    """
    outputs = {}
    combinations = list(product((True, False), repeat=3)) if len(content.text) <= MAX_VARIANT_CHARS else []
    for format_ in FORMATS:
        for links, images, comments in combinations or [(format_ != "text", format_ != "text", False)]:
            written = content.to(format_, links=links, images=images, comments=comments)
            options = {"links": links, "images": images, "comments": comments}
            key = " ".join((format_, *(name for name, is_on in options.items() if is_on)))
            outputs[key] = _number_lines(written, blocks, strings)
    return outputs


def render_outputs(content: Content, blocks: Sequence[BlockExplanation], strings: StringTable) -> dict[str, int]:
    """Return Markdown and HTML as they look, without and with comments: documents for a frame."""
    from markdown_it import MarkdownIt  # a dependency of rich

    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    rendered = {}
    for comments in (False, True) if content.comments else (False,):
        suffix = " comments" if comments else ""
        documents = {
            "markdown": markdown.render(content.to("markdown", comments=comments)),
            "html": content.to("html", comments=comments),
        }
        for name, html in documents.items():
            rendered[f"{name}{suffix}"] = strings.add(_mark_document(html, blocks))
    return rendered


def _mark_document(html: str, blocks: Sequence[BlockExplanation]) -> str:
    """Return a sanitized document whose blocks have the numbers of the page's blocks with the same text."""
    tree = Tree.parse(html)
    found = find_blocks(tree)
    numbers = match_texts(found.text, blocks)
    marks = make_marks(
        (number, found.node[found.owner[place]], found.first[place], found.last[place])
        for place, number in enumerate(numbers)
        if number >= 0
    )
    return sanitize(tree, marks, styles=False)


def _number_lines(written: str, blocks: Sequence[BlockExplanation], strings: StringTable) -> list[int]:
    lines = written.split("\n")
    numbers = match_texts(map(_strip_markup, lines), blocks)
    return [number for line, block in zip(lines, numbers, strict=True) for number in (strings.add(line), block)]


def _strip_markup(line: str) -> str:
    return _ENTITY.sub(" ", _TAG.sub(" ", _MARKDOWN_TARGET.sub(r"\1", line)))


def match_texts(texts: Iterator[str] | Sequence[str], blocks: Sequence[BlockExplanation]) -> list[int]:
    """Return for each text the kept block that has it, or −1. Both are in document order."""
    keys = [(_make_key(block.text), block.index) for block in blocks if block.kept]
    first = dict(reversed(keys))
    numbers = []
    place = 0
    for text in texts:
        number = -1
        if key := _make_key(text):
            for at in range(place, min(place + _LOOKAHEAD, len(keys))):
                if _have_same_text(key, keys[at][0]):
                    place, number = at, keys[at][1]
                    break
            else:
                number = first.get(key, -1)
        numbers.append(number)
    return numbers


def _make_key(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _have_same_text(line: str, block: str) -> bool:
    if line == block:
        return True
    shorter, longer = sorted((line, block), key=len)
    return len(shorter) >= _MIN_PART_CHARS and shorter in longer


def list_comments(content: Content, find_block: Any) -> list[dict[str, Any]]:
    """Return the reader comments, each with its block."""
    return [{**comment.as_dict(), "block": find_block(comment.node)} for comment in content.comments]
