"""Values on a page: the text of an element, and the kind of a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal

from duramen.dom.date_forms import has_date, is_day_name
from duramen.dom.elements import INLINE_TAGS, SCRIPT_TAGS
from duramen.dom.text import read_text
from duramen.dom.tree import TEXT, Tree

TextLine = tuple[int, str]
"""The node where a line begins, and its text; "" if the line has no text of its own, but an element with text."""

ValueKind = Literal["link", "image", "price", "date", "number", "text"]

MIN_KIND_SHARE: Final = 0.7
"""A column has a kind if at least this share of its values has it."""
MAX_DATE_CHARS: Final = 60
MAX_PRICE_CHARS: Final = 40

_CURRENCY = (
    r"(?:[$€£¥₹₩₽₺₫₴₪฿]|(?:R|US|A|C)\$|kr\.?|zł|Kč|Ft|lei|USD|EUR|GBP|JPY|CHF|BRL|INR|SEK|NOK|DKK|PLN|CZK|TL|руб\.?|р\."
    r"|元|円)"
)
_AMOUNT = r"\d[\d.,'’\s\u00a0\u202f]*"
_PRICE = re.compile(rf"(?:{_CURRENCY}\s*{_AMOUNT}|{_AMOUNT}\s*(?:{_CURRENCY}|,-))", re.IGNORECASE)
_NUMBER = re.compile(r"[-+±~#]?\s*\d[\d.,\s\u00a0\u202f]*\s*(?:%|°|\(\d+\))?|\(\d[\d.,]*\)|\d+(?:[.,]\d+)?\s*/\s*\d+")


def kind_of_values(values: Sequence[str]) -> ValueKind:
    """The kind that most of the values have. The values must not be empty strings."""
    if not values:
        return "text"
    tests: dict[ValueKind, Callable[[str], bool]] = {"price": is_price, "date": is_date, "number": is_number}
    for kind, test in tests.items():
        if sum(map(test, values)) >= MIN_KIND_SHARE * len(values):
            return kind
    return "text"


def is_price(value: str) -> bool:
    """True for an amount of money with at most a few words around it."""
    return len(value) <= MAX_PRICE_CHARS and _PRICE.search(value) is not None


def is_date(value: str) -> bool:
    """True for a date, for the name of a day such as "today", and for an age such as "2 days ago"."""
    return len(value) <= MAX_DATE_CHARS and (has_date(value) or is_day_name(value))


def is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value.strip()) is not None


# Text

# Elements that name a kind of value (`time`, `data`) or that pages use as containers (`a`, `span`) are not formatting.
FORMATTING_TAGS: Final = INLINE_TAGS - {"a", "span", "data", "dfn", "label", "rb", "ruby", "samp", "time", "var"} | {
    "br",
    "center",
}
"""Elements that change how text looks and not what it means."""
# Not all of `dom.elements.INVISIBLE_TAGS`: with all of them the tables of 3 in 400 pages get other columns. Which
# of the two sets is better was not scored.
IGNORED_TAGS: Final = SCRIPT_TAGS | {"svg", "select", "option", "textarea", "iframe", "head"}
_BLOCK_END: Final = "\0"
"""Separates blocks: the parser leaves no such character in a text."""


def element_text(tree: Tree, node: int, *, whole: bool = False) -> str:
    """The text of an element and of the formatting elements in it, with single spaces.

    With `whole`, the text of the complete subtree; each block starts a new line.
    """
    if tree.tag[node] == TEXT:
        return " ".join(tree.text[node].split())
    if whole:
        blocks = read_text(tree, node, separator=_BLOCK_END, skipped=IGNORED_TAGS).split(_BLOCK_END)
        return "\n".join(line for block in blocks if (line := " ".join(block.split())))
    pieces: list[str] = []
    position, end = node + 1, tree.end[node]
    while position < end:
        tag = tree.tag[position]
        if tag == TEXT:
            pieces.append(tree.text[position])
        elif tag == "br" or not is_formatting(tree, position):
            pieces.append(" ")
            if tag != "br":
                position = tree.end[position]
                continue
        position += 1
    return " ".join("".join(pieces).split())


def is_formatting(tree: Tree, node: int) -> bool:
    """True if an element only changes how text looks: `<b>`, but not `<b itemprop="brand">` or `<b class="x">`."""
    if tree.tag[node] not in FORMATTING_TAGS:
        return False
    return not ("itemprop" in tree.attributes[node] or "class" in tree.attributes[node])


def read_lines(tree: Tree, node: int) -> list[str]:
    """The lines of an element that have text of their own. Text of non-formatting elements belongs to these."""
    return [text for _, text in split_at_breaks(tree, node) if text]


def split_at_breaks(tree: Tree, node: int) -> list[TextLine]:
    """What is between the `<br>` of an element, without empty lines."""
    lines: list[TextLine] = []
    pieces: list[str] = []
    start, has_own_text = -1, False
    position, end = node + 1, tree.end[node]
    while position <= end:
        tag = tree.tag[position] if position < end else "br"
        if tag == "br":
            if start >= 0:
                lines.append((start, " ".join("".join(pieces).split()) if has_own_text else ""))
            pieces, start, has_own_text = [], -1, False
            position += 1
        elif tag == TEXT:
            pieces.append(tree.text[position])
            if tree.text[position].strip():
                start, has_own_text = (position if start < 0 else start), True
            position += 1
        elif is_formatting(tree, position):
            position += 1
        else:
            if tag not in IGNORED_TAGS:
                pieces.append(element_text(tree, position, whole=True))
                start = position if start < 0 else start
            position = tree.end[position]
    return lines
