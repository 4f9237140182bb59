"""The role of each HTML element in the outputs: block, container, inline formatting, invisible.

An element that is not listed is inline without formatting: it neither breaks a line nor marks its words. CSS treats
unknown elements in the same way.
"""

from __future__ import annotations

from sys import intern
from typing import Final

from duramen.dom.tag_sets import BLOCK_TAGS, HEADING_TAGS, INVISIBLE_TAGS, TABLE_CELL_TAGS

# The order matters: `build.py` compares roles to tell groups of them apart (block roles are below FIRST_INLINE).
INVISIBLE: Final = 1
DIALOG: Final = 2
BLOCK: Final = 3
PARAGRAPH: Final = 4
HEADING: Final = 5
LIST: Final = 6
ITEM: Final = 7
QUOTE: Final = 8
PRE: Final = 9
DEFINITION_LIST: Final = 10
TERM: Final = 11
DEFINITION: Final = 12
TABLE: Final = 13
ROW: Final = 14
CELL: Final = 15
TABLE_CAPTION: Final = 16
FIGURE: Final = 17
FIGURE_CAPTION: Final = 18
RULE: Final = 19
DETAILS: Final = 20
SUMMARY: Final = 21
NOTE: Final = 22
FIRST_INLINE: Final = 23
LINE_BREAK: Final = 23
IMAGE: Final = 24
INLINE_QUOTE: Final = 25
LINK: Final = 26
FORMATTING: Final = 27

# Formatting marks are bits: words can have several.
STRONG: Final = 1
EMPHASIS: Final = 2
DELETED: Final = 4
SUPERSCRIPT: Final = 8
SUBSCRIPT: Final = 16
SCRIPTS: Final = SUPERSCRIPT | SUBSCRIPT
CODE: Final = 32
FORMULA: Final = 64
"""The text is TeX."""
NOTE_REFERENCE: Final = 128
"""The text is the label of a note."""
ATOMIC: Final = FORMULA | NOTE_REFERENCE
"""Marks of a run that is a unit: it is joined with no other run, and nothing in it is escaped."""

IMAGE_TAGS: Final = ("img", "amp-img")

_TAGS_BY_ROLE = {
    DIALOG: "dialog",
    PARAGRAPH: "p",
    HEADING: " ".join(HEADING_TAGS),
    LIST: "ul ol menu dir",
    ITEM: "li",
    QUOTE: "blockquote",
    PRE: "pre listing xmp plaintext",
    DEFINITION_LIST: "dl",
    TERM: "dt",
    DEFINITION: "dd",
    TABLE: "table",
    ROW: "tr",
    CELL: " ".join(TABLE_CELL_TAGS),
    TABLE_CAPTION: "caption",
    FIGURE: "figure",
    FIGURE_CAPTION: "figcaption",
    RULE: "hr",
    DETAILS: "details",
    SUMMARY: "summary",
    LINE_BREAK: "br",
    INLINE_QUOTE: "q",
}

MARK_OF_TAG: Final = {
    tag: bit
    for bit, tags in {
        STRONG: "strong b",
        EMPHASIS: "em i",
        DELETED: "del s strike",
        SUPERSCRIPT: "sup",
        SUBSCRIPT: "sub",
        CODE: "code kbd samp tt",
    }.items()
    for tag in tags.split()
}

ROLES: Final = {intern(tag): INVISIBLE for tag in INVISIBLE_TAGS}
ROLES.update((intern(tag), BLOCK) for tag in BLOCK_TAGS)
ROLES.update((intern(tag), role) for role, tags in _TAGS_BY_ROLE.items() for tag in tags.split())
# Plain text needs to know superscripts, which have characters of their own, and code, in which TeX is no formula.
ROLES.update((intern(tag), FORMATTING) for tag, bit in MARK_OF_TAG.items() if bit & (SCRIPTS | CODE))
"""Role of each tag in every output."""

RICH_ROLES: Final = {**ROLES, **dict.fromkeys(MARK_OF_TAG, FORMATTING)}
"""Role of each tag in the outputs with formatting marks: all but plain text."""
