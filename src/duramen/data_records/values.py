"""Values on a page: the text of an element, and the kind of a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal

from duramen.data_records.prices import MAX_PRICE_CHARS, find_prices, read_price
from duramen.dom.date_forms import has_date, is_day_name
from duramen.dom.dates import parse_date
from duramen.dom.tag_sets import INLINE_TAGS, SCRIPT_TAGS, TABLE_CELL_TAGS
from duramen.dom.text import read_text
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import is_hidden

TextLine = tuple[int, str]
"""The node where a line begins, and its text; "" if the line has no text of its own, but an element with text."""

ValueKind = Literal["link", "image", "price", "date", "phone", "number", "text"]

MIN_KIND_SHARE: Final = 0.7
"""A column has a kind if at least this share of its values has it."""
MIN_PRICED_SHARE: Final = 0.3
"""The same for a column of prices whose other values are bare numbers."""
MAX_DATE_CHARS: Final = 60
MAX_PHONE_CHARS: Final = 30
_NUMBER = re.compile(r"[-+±~#]?\s*+\d[\d.,\s\u00a0\u202f]*+(?:%|°|\(\d+\))?|\(\d[\d.,]*\)|\d+(?:[.,]\d+)?\s*/\s*\d+")
_MISSING: Final = frozenset(("na", "n/a", "n.a.", "-", "–", "—", "--", "tbd", "tba", "k.a.", "null", "none"))
"""What tables write where there is no value."""
_PHONE = re.compile(r"(?:\+|00)?\s?\(?\d{1,4}\)?(?:[\s.·/-]{1,3}\(?\d{2,8}\)?){1,5}")
# "3DS" is no age, and "1-25-0150" and "2024 OK 51" are the numbers of cases.
_CODE = re.compile(r"\d{1,2}[A-Z]+|\d{1,2}-\d{1,2}-0\d+")
_CITATION = re.compile(r"(?:19|20)\d\d\s[A-Za-z][A-Za-z.]*\s")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:[\s.,]\d{3})+")
_MONTH_FIRST_DATE = re.compile(r"\b[01]?\d([/-])[0-3]?\d\1(?:\d{4}|\d\d)\b")
_PHONE_DIGITS: Final = range(7, 16)
_LOCAL_PHONE_DIGITS: Final = range(9, 14)
"""Shorter numbers in groups are those of cases and orders."""
_ENUMERATION = re.compile(r"\d+\.(?:\s\d+\.)*")
_PRICE_PART = re.compile(r"(?:^|[-_\s])(?:cents?|fraction|decimals?|sup|kopecks?)(?:$|[-_\s])", re.IGNORECASE)
_TWO_DIGITS = re.compile(r"\d\d")


def kind_of_values(values: Sequence[str]) -> ValueKind:
    """The kind that most of the values have. The values must not be empty strings."""
    values = [value for value in values if value.strip().casefold() not in _MISSING]
    if not values:
        return "text"
    tests: dict[ValueKind, Callable[[str], bool]] = {
        "price": is_price,
        "date": is_date,
        "phone": is_phone,
        "number": is_number,
    }
    for kind, test in tests.items():
        if do_most_pass(test, values, MIN_KIND_SHARE):
            return kind
    if do_most_pass(is_price, values, MIN_PRICED_SHARE) and all(
        is_price(value) or is_number(value) for value in values
    ):
        return "price"  # the currency is beside the amount, or in a style sheet, in some records
    return "text"


def do_most_pass(test: Callable[[str], bool], values: Sequence[str], share: float) -> bool:
    """True if at least this share of the values passes a test; no value is tested after that is known."""
    passed, needed = 0, share * len(values)
    for left in range(len(values), 0, -1):
        if passed >= needed or passed + left < needed:
            break
        passed += test(values[-left])
    return passed >= needed


def is_price(value: str) -> bool:
    """True for an amount of money with at most a few words around it."""
    return len(value) <= MAX_PRICE_CHARS and bool(find_prices(value))


def is_date(value: str) -> bool:
    """True for a date, for the name of a day such as "today", and for an age such as "2 days ago"."""
    return len(value) <= MAX_DATE_CHARS and _is_short_date(value)


@lru_cache(maxsize=1 << 12)
def _is_short_date(value: str) -> bool:
    if _is_enumeration(value) or _CODE.fullmatch(value.strip()):
        return False
    if _CITATION.match(value) and parse_date(value, "en") is None:
        return False
    return has_date(value) or is_day_name(value) or _MONTH_FIRST_DATE.search(value) is not None


def _is_enumeration(value: str) -> bool:
    """True for "7. 8. 9. 10.": numbers that follow each other."""
    if _ENUMERATION.fullmatch(value) is None:
        return False
    numbers = [int(number) for number in value.rstrip(".").split(".")]
    return all(second == first + 1 for first, second in pairwise(numbers))


def is_phone(value: str) -> bool:
    """True for a telephone number that is written in groups of digits."""
    value = value.strip()
    if len(value) > MAX_PHONE_CHARS or _PHONE.fullmatch(value) is None or _GROUPED_NUMBER.fullmatch(value):
        return False
    digits = sum(map(str.isdigit, value))
    return digits in _PHONE_DIGITS if value.startswith(("+", "(")) else digits in _LOCAL_PHONE_DIGITS


def is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value.strip()) is not None


# Text

# Elements that name a kind of value (`time`, `data`) or that pages use as containers (`a`, `span`) are not formatting.
FORMATTING_TAGS: Final = INLINE_TAGS - {"a", "span", "data", "dfn", "label", "rb", "ruby", "samp", "time", "var"} | {
    "br",
    "center",
}
"""Elements that change how text looks and not what it means."""
# Not all of `dom.tag_sets.INVISIBLE_TAGS`: with all of them the tables of 3 in 400 pages get other columns. Which
# of the two sets is better was not scored.
IGNORED_TAGS: Final = SCRIPT_TAGS | {"svg", "select", "option", "textarea", "iframe", "head"}
_LOOK_TAGS: Final = frozenset(("font", "mark"))
_HIGHLIGHT_CLASS = re.compile(
    r"(?:^|[-_\s])(?:highlight(?:ed)?|hilite|hl|keywords?|kw|match(?:ed|es)?)(?:$|[-_\s])", re.IGNORECASE
)
_OLD_PRICE_TAGS: Final = frozenset(("del", "s", "strike"))
MAX_PRICE_WORDS_CHARS: Final = 14
"""Length of the words beside a price in its element: "from", "starting at"."""
MAX_PRICE_NODES: Final = 16
"""Nodes of an element that may be one price."""
_BLOCK_END: Final = "\0"
"""Separates blocks: the parser leaves no such character in a text."""


def element_text(tree: Tree, node: int, *, whole: bool = False) -> str:
    """The text of an element and of the formatting elements in it, with single spaces.

    With `whole`, the text of the complete subtree; each block starts a new line. Hidden text in the cell of a table is
    a key to sort by, and left out; elsewhere it may be the rest of a text.
    """
    if tree.tag[node] == TEXT:
        return " ".join(tree.text[node].split())
    if tree.end[node] <= node + 2 and (tree.end[node] == node + 1 or tree.tag[node + 1] == TEXT):
        return " ".join(tree.text[tree.end[node] - 1].split())  # most elements: one text, or nothing
    if whole:
        keys = _find_sort_keys(tree, node) if tree.tag[node] in TABLE_CELL_TAGS else frozenset[int]()
        text = read_text(tree, node, separator=_BLOCK_END, skipped=IGNORED_TAGS, skipped_nodes=keys)
        blocks = text.split(_BLOCK_END)
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


def _find_sort_keys(tree: Tree, cell: int) -> frozenset[int]:
    """The hidden elements of a cell. Where `auto` reads hidden text, too, the tree has no hidden elements."""
    elements = [node for node in range(cell + 1, tree.end[cell]) if tree.tag[node] != TEXT]
    return frozenset(node for node in elements if is_hidden(tree.attributes[node]))


def has_own_text(tree: Tree, node: int) -> bool:
    """True if `element_text` of an element is not empty."""
    tags, ends = tree.tag, tree.end
    at, end = node if tags[node] == TEXT else node + 1, ends[node]
    while at < end:
        if tags[at] == TEXT:
            if tree.text[at].strip():
                return True
        elif not is_formatting(tree, at):
            at = ends[at]
            continue
        at += 1
    return False


def read_split_price(tree: Tree, node: int) -> str:
    """The text of an element that is one price, or one range, in several elements; "" if it is anything else.

    `<b>$10</b><sup>99</sup>` is "$10.99". A price that is written twice, once for screen readers, is read once.
    """
    if tree.end[node] - node > MAX_PRICE_NODES:
        return ""
    pieces: list[str] = []
    for below in range(node + 1, tree.end[node]):
        if tree.tag[below] == TEXT:
            text = tree.text[below].strip()
            if not text:
                continue
            if _TWO_DIGITS.fullmatch(text) and pieces and pieces[-1][-1].isdigit() and _is_fraction(tree, below, node):
                pieces.append("," if "." in pieces[-1] else ".")
            pieces.append(text)
        elif tree.tag[below] in _OLD_PRICE_TAGS:
            return ""
    text = "".join(pieces)
    price = read_price(text) if len(pieces) > 1 and len(text) <= MAX_PRICE_CHARS else None
    if price is None or price.old is not None:
        return ""
    prices = find_prices(text)
    others = text[: prices[0].start] + text[prices[-1].end :]
    if len(others) > MAX_PRICE_WORDS_CHARS or any(map(str.isdigit, others)):
        return ""
    if price.highest is not None:
        return " ".join(text.split())
    return text[prices[0].start : prices[0].end] if len(prices) > 1 else " ".join(text.split())


def _is_fraction(tree: Tree, text: int, top: int) -> bool:
    """True if the digits of a text are the fraction of a price, by the element around them."""
    for above in tree.ancestors(text):
        if above <= top:
            return False
        if tree.tag[above] == "sup" or _PRICE_PART.search(tree.attributes[above].get("class") or ""):
            return True
    return False


def is_formatting(tree: Tree, node: int) -> bool:
    """True if an element only changes how text looks: `<b>`, but not `<b itemprop="brand">` or `<b class="x">`.

    A class for the words of a query (`<em class="hl">`) changes the look, too; so does any class of `font` or `mark`.
    """
    tag, attributes = tree.tag[node], tree.attributes[node]
    if tag not in FORMATTING_TAGS or "itemprop" in attributes:
        return False
    if "class" not in attributes or tag in _LOOK_TAGS:
        return True
    return _HIGHLIGHT_CLASS.search(attributes["class"] or "") is not None


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
