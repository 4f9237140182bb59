"""Text, Markdown and HTML of a content for the report: each line with the block of the page that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterable
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

MAX_RENDERED_CHARS: Final = 500_000
"""Of a longer output, only the beginning is shown as it looks."""

_LOOKAHEAD: Final = 40
"""Blocks after the last one that was found in which a line is searched."""
_MIN_PART_CHARS: Final = 3
_KEY_CHARS: Final = 300
"""The beginning of a text by which it is compared."""
_MARKDOWN_TARGET = re.compile(r"!?\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_NO_LETTER = re.compile(r"[\W_]+")
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


class BlockIndex:
    """The kept blocks of a page by their letters and digits, to find the block of a line."""

    def __init__(self, blocks: Iterable[BlockExplanation]) -> None:
        self.keys = [(_make_key(block.text), block.index) for block in blocks if block.kept]
        self._first = dict(reversed(self.keys))

    def match(self, texts: Iterable[str]) -> list[int]:
        """Return for each text, in document order, the block that has it, or −1."""
        keys, numbers, place = self.keys, [], 0
        for text in texts:
            number = -1
            if key := _make_key(text):
                for at in range(place, min(place + _LOOKAHEAD, len(keys))):
                    if _have_same_text(key, keys[at][0]):
                        place, number = at, keys[at][1]
                        break
                else:
                    number = self._first.get(key, -1)
            numbers.append(number)
        return numbers


def write_outputs(content: Content, index: BlockIndex, strings: StringTable) -> dict[str, list[int]]:
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
            outputs[key] = _number_lines(written, index, strings)
    return outputs


def render_outputs(content: Content, index: BlockIndex, strings: StringTable) -> dict[str, int]:
    """Return Markdown and HTML as they look, without and with comments: documents for a frame."""
    from markdown_it import MarkdownIt  # a dependency of rich

    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    rendered = {}
    for comments in (False, True) if content.comments else (False,):
        suffix = " comments" if comments else ""
        documents = {
            "markdown": markdown.render(_cut(content.to("markdown", comments=comments), "\n\n")),
            "html": _cut(content.to("html", comments=comments), "\n"),
        }
        for name, html in documents.items():
            rendered[f"{name}{suffix}"] = strings.add(_mark_document(html, index))
    return rendered


def _cut(written: str, separator: str) -> str:
    """Return the beginning of a long output, up to the end of a part."""
    if len(written) <= MAX_RENDERED_CHARS:
        return written
    return written[: written.rfind(separator, 0, MAX_RENDERED_CHARS)] + f"{separator}… The rest is in the source."


def _mark_document(html: str, index: BlockIndex) -> str:
    """Return a sanitized document whose blocks have the numbers of the page's blocks with the same text."""
    tree = Tree.parse(html)
    found = find_blocks(tree)
    numbers = index.match(found.text)
    marks = make_marks(
        (number, found.node[found.owner[place]], found.first[place], found.last[place])
        for place, number in enumerate(numbers)
        if number >= 0
    )
    return sanitize(tree, marks, styles=False)


def _number_lines(written: str, index: BlockIndex, strings: StringTable) -> list[int]:
    lines = written.split("\n")
    numbers = index.match(map(_strip_markup, lines))
    return [number for line, block in zip(lines, numbers, strict=True) for number in (strings.add(line), block)]


def _strip_markup(line: str) -> str:
    return _ENTITY.sub(" ", _TAG.sub(" ", _MARKDOWN_TARGET.sub(r"\1", line)))


def _make_key(text: str) -> str:
    return _NO_LETTER.sub("", text[:_KEY_CHARS]).casefold()


def _have_same_text(line: str, block: str) -> bool:
    if line == block:
        return True
    shorter, longer = sorted((line, block), key=len)
    return len(shorter) >= _MIN_PART_CHARS and shorter in longer


def list_comments(content: Content, find_block: Any) -> list[dict[str, Any]]:
    """Return the reader comments, each with its block."""
    return [{**comment.as_dict(), "block": find_block(comment.node)} for comment in content.comments]
