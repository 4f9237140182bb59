"""What each element of HTML means to an output: what is a block, what marks words, what is not written at all.

An element that is not named here is inline and lends nothing: it neither breaks a line nor marks its words. That is
what CSS does with elements it does not know.
"""

from __future__ import annotations

from sys import intern
from typing import Final

from duramen.dom import visibility

# Roles are plain integers in this order, so that the pass over the nodes can tell groups of them apart by comparing.
INVISIBLE: Final = 1
DIALOG: Final = 2
BLOCK: Final = 3
PARAGRAPH: Final = 4
HEADING: Final = 5
LIST: Final = 6
ITEM: Final = 7
QUOTE: Final = 8
PRE: Final = 9
GLOSSARY: Final = 10
TERM: Final = 11
DEFINITION: Final = 12
TABLE: Final = 13
ROW: Final = 14
CELL: Final = 15
CAPTION: Final = 16
FIGURE: Final = 17
LEGEND: Final = 18
RULE: Final = 19
FIRST_INLINE: Final = 20
BREAK: Final = 20
IMAGE: Final = 21
QUOTATION: Final = 22
LINK: Final = 23
MARK: Final = 24

# Marks on words: bits, since words may bear several.
STRONG: Final = 1
EMPHASIS: Final = 2
DELETED: Final = 4
SUPERSCRIPT: Final = 8
SUBSCRIPT: Final = 16
CODE: Final = 32

_TAGS = {
    INVISIBLE: " ".join(sorted(visibility.INVISIBLE)),
    DIALOG: "dialog",
    BLOCK: (
        "html body div section article main header footer nav aside address center details summary form fieldset "
        "legend hgroup search tbody thead tfoot marquee"
    ),
    PARAGRAPH: "p",
    HEADING: "h1 h2 h3 h4 h5 h6",
    LIST: "ul ol menu dir",
    ITEM: "li",
    QUOTE: "blockquote",
    PRE: "pre listing xmp plaintext",
    GLOSSARY: "dl",
    TERM: "dt",
    DEFINITION: "dd",
    TABLE: "table",
    ROW: "tr",
    CELL: "td th",
    CAPTION: "caption",
    FIGURE: "figure",
    LEGEND: "figcaption",
    RULE: "hr",
    BREAK: "br",
    QUOTATION: "q",
}

MARKS: Final = {
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

ROLES: Final = {intern(tag): role for role, tags in _TAGS.items() for tag in tags.split()}
"""The role of each tag in every output."""

RICH_ROLES: Final = {**ROLES, **dict.fromkeys(MARKS, MARK)}
"""The roles where words may bear marks: in all outputs but plain text."""

BLOCK_TAGS: Final = frozenset(tag for tag, role in ROLES.items() if BLOCK <= role < FIRST_INLINE)
"""The elements that start a new line."""
