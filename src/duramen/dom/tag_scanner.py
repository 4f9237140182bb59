"""Find the tags of a page and their attributes without a parser: all that a parser may find, and some more.

Only a parser knows which `<` begins a tag: `<b` in a script does not. So here each `<` before a letter does, even
inside of another tag, and all of these tags are followed at once through the states of the tokenizer of the HTML
standard (13.2.5). Tags in the same state stay together from there on, so the work for a character is bounded by the
number of states, and no real tag is missed, whatever surrounds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

# States of a tag: its name; before, in and after the name of an attribute; before its value; in a value with double,
# single or no quotation marks; after a quoted value.
STATES, _CLOSED = 9, -1
_DOUBLE_QUOTED, _SINGLE_QUOTED = 5, 6
_OTHER = 6
NEXT_STATES = (
    (1, 1, 3, 3, 4, 5, 6, 1, 1),  # white space
    (1, 1, 1, 1, 7, 5, 6, 7, 1),  # /
    (-1, -1, -1, -1, -1, 5, 6, -1, -1),  # >
    (0, 11, 4, 4, 7, 5, 6, 7, 11),  # =
    (0, 11, 2, 11, 5, 8, 6, 7, 11),  # "
    (0, 11, 2, 11, 6, 5, 8, 7, 11),  # '
    (0, 11, 2, 11, 7, 5, 6, 7, 11),  # any other character; more of them change nothing
)
"""For each kind of character, the state after each state; `STATES` is added where an attribute begins."""
_KINDS_OF_CHARACTERS = {b"\t\n\f\r ": 0, b"/": 1, b">": 2, b"=": 3, b'"': 4, b"'": 5}
CHARACTER_KINDS = bytes(
    next((kind for characters, kind in _KINDS_OF_CHARACTERS.items() if byte in characters), _OTHER)
    for byte in range(256)
)
_TAG_CHARACTER = re.compile(rb"""[\t\n\f\r />="'<]""")
_TAG_START = re.compile(rb"(?:<|(?<=<)/)(?=[a-zA-Z])")
_DOCUMENT_TAG = re.compile(rb"<(?:html|body)[\t\n\f\r /]", re.IGNORECASE)


def scan_attributes(html: bytes, max_attributes: int) -> tuple[list[int], int, int]:
    """Return where tags must be closed that have more attributes, and the number of attributes and of tags.

    There are at least as many of both as the parser will find.
    """
    closings: list[int] = []
    total = tags = 0

    def count_attribute(position: int, number: int) -> bool:
        nonlocal total
        total += 1
        if number > max_attributes:
            closings.append(position)
        return number > max_attributes

    def count_tag(position: int) -> bool:
        nonlocal tags
        tags += 1
        return False

    scan_tags(html, count_attribute, count_tag)
    return closings, total, tags


def scan_tags(html: bytes, closes_before: Callable[[int, int], bool], is_text: Callable[[int], bool]) -> None:
    """Follow all possible tags of a page at once.

    `closes_before` gets the position of each attribute and its number in the tag; if it returns True, the scan goes on
    as if the tag were closed there. `is_text` gets the position of each name of a tag; if it returns True, it is none.
    """
    counts: dict[int, int] = {}  # for each state that a tag is in: the most attributes of such a tag
    document_count = 0  # attributes of <html> and <body> tags
    position, size = 0, len(html)
    while position < size:
        found = (_TAG_CHARACTER if counts else _TAG_START).search(html, position)
        place = found.start() if found else size
        if counts and place > position:
            counts, document_count = _advance(counts, _OTHER, position, closes_before, document_count)
        if found is None:
            return
        kind = CHARACTER_KINDS[html[place]]
        if counts:
            counts, document_count = _advance(counts, kind, place, closes_before, document_count)
        position = place + 1
        if _TAG_START.match(html, place) and not is_text(position):
            is_document = _DOCUMENT_TAG.match(html, place) is not None
            state = STATES if is_document else 0
            counts[state] = max(counts.get(state, 0), document_count if is_document else 0)


def _advance(
    counts: dict[int, int], kind: int, place: int, closes_before: Callable[[int, int], bool], document_count: int
) -> tuple[dict[int, int], int]:
    """Return the states after a character, and the attributes of <html> and <body> tags."""
    advanced: dict[int, int] = {}
    most = 0  # attributes of a tag that has one beginning here
    for state, count in counts.items():
        extra, local = divmod(state, STATES)
        following = NEXT_STATES[kind][local]
        if following == _CLOSED:
            continue
        if following >= STATES:  # an attribute begins
            following -= STATES
            count += 1
            most = max(most, count)
            if extra:
                document_count = max(document_count, count)
        following += extra * STATES
        advanced[following] = max(advanced.get(following, 0), count)
    if most and closes_before(place, most):
        quoted = (_DOUBLE_QUOTED, _SINGLE_QUOTED)
        advanced = {state: count for state, count in advanced.items() if state % STATES in quoted}
    return advanced, document_count
