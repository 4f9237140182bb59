"""Limit the attributes of one tag and the different names of a page, so that parsing takes linear time for every page.

The parser compares each attribute of a tag with those before it: 32,000 attributes of one tag take two seconds. And it
keeps names of tags and attributes in a hash table of fixed size, where 100,000 different names take five seconds.

No page of a person has so many. A tag is closed before the attribute that is too many, and the rest of the tag is text;
tags with new names become text when there are too many names.

`tag_scanner` finds the tags. It finds more than there are: where a script has `<b` and then a thousand words without
`>`, a `>` is added to the script, which nobody reads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from duramen.dom import lexbor
from duramen.dom.lexbor import Attributes
from duramen.dom.tag_scanner import scan_tags

MAX_ATTRIBUTES = 1_000
"""Attributes of one start tag; also of all `<html>` tags and all `<body>` tags together, which are one element."""
MAX_NAMES = 50_000
"""Different names of tags, and of attributes."""

NOTE = f"attributes and names were left out: one tag has more than {MAX_ATTRIBUTES:,}, or the page {MAX_NAMES:,}"
"""What a result says about a page that was changed."""

_MAX_SAFE_BYTES = 16_000
"""Shorter pages have no room for enough attributes."""
_MAX_NAME_BYTES = 64
"""Of a longer name, this much is compared. Each counts as a new name."""
_TAG_NAME = re.compile(rb"</?([a-zA-Z][^\s/>]{0,63})")
_NAME_END = re.compile(rb"[\t\n\f\r />=]")


def limit_attributes(html: bytes) -> bytes:
    """Return the page without attributes and names that are too many; nearly always the same bytes."""
    if len(html) < _MAX_SAFE_BYTES:
        return html
    closings, attributes, tags = lexbor.scan_attributes(html, MAX_ATTRIBUTES)
    html = _insert(html, [(position, b">") for position in closings])
    if attributes > MAX_NAMES or (tags > MAX_NAMES and len(set(_TAG_NAME.findall(html))) > MAX_NAMES):
        html = _limit_names(html)
    return html


def is_at_limit(tags: Sequence[str], attributes: Sequence[Attributes]) -> bool:
    """Return whether the tree of a changed page lacks attributes or names.

    If only the text of a script was changed, it lacks none. Half of a limit counts as reached, because an attribute
    that a tag has twice is in the tree once.
    """
    if 2 * max(map(len, attributes)) >= MAX_ATTRIBUTES:
        return True
    names = {name for of_element in attributes for name in of_element}
    return 2 * max(len(names), len(set(tags))) >= MAX_NAMES


def _limit_names(html: bytes) -> bytes:
    insertions: list[tuple[int, bytes]] = []
    attribute_names: set[bytes] = set()
    tag_names: set[bytes] = set()

    def closes_before(position: int, count: int) -> bool:
        if _add_name(attribute_names, html, position):
            return False
        insertions.append((position, b">"))
        return True

    def is_text(position: int) -> bool:
        if _add_name(tag_names, html, position):
            return False
        insertions.append((position, b" "))  # "< b" is text
        return True

    scan_tags(html, closes_before, is_text)
    return _insert(html, insertions)


def _insert(html: bytes, insertions: list[tuple[int, bytes]]) -> bytes:
    if not insertions:
        return html
    parts: list[bytes] = []
    start = 0
    for position, inserted in insertions:
        parts += (html[start:position], inserted)
        start = position
    return b"".join([*parts, html[start:]])


def _add_name(names: set[bytes], html: bytes, start: int) -> bool:
    """Add a name that begins at a position; return False if it is new and there are enough already."""
    end = _NAME_END.search(html, start + 1, start + _MAX_NAME_BYTES)  # a name may begin with "="
    name = html[start : end.start()].lower() if end else html[start : start + _MAX_NAME_BYTES] + b"%d" % start
    if name not in names:
        if len(names) >= MAX_NAMES:
            return False
        names.add(name)
    return True
