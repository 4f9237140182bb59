"""Limit the nesting of elements, so that parsing takes linear time for every page.

By the HTML standard, the parser searches its stack of open elements at most tags. With 100,000 nested `<div>` the stack
is that long and the parse is quadratic: half a minute for half a megabyte. Browsers therefore nest at most 512 elements
and make the others siblings. `flatten` does the same before the parse: tags that would nest deeper are removed, and
their text becomes text of the deepest element.

Formatting elements (`<b>`, `<font>`) have a lower limit. An unclosed one is opened again in every later paragraph, so a
page of n paragraphs and n unclosed elements has n² nodes.

Only pages with very many tags, or with many tags open at once, are checked. On other pages the tags are only counted.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from duramen.dom import lexbor
from duramen.dom.tag_sets import HEADING_TAGS, RAW_TEXT_TAGS, VOID_TAGS

MAX_DEPTH = 512
"""Chromium's limit (kMaximumHTMLParserDOMTreeDepth)."""

MAX_OPEN_FORMATTING = 32
"""Formatting elements that may be open at once."""

_MAX_SAFE_TAGS = 20_000
"""Pages with fewer tags are parsed as they are: if all are nested, that takes about a second."""
_MAX_SAFE_UNCLOSED_TAGS = 3_000
"""The same for pages that are mostly tags, most of them never closed."""
_MAX_SAFE_OPEN_TAGS = 2_000
"""The same for pages with more start tags than this without an end tag before some place of the page.

Not all of their elements are open there: some elements have no end tag.
"""
_COUNTED_PARTS = 16
"""Places of a page at which the tags that are open are counted."""

_TAG = re.compile(
    rb"<!--(?:-?>|.*?(?:--!?>|\Z))"  # <!--> and <!---> are whole comments
    rb"|<(?P<slash>/?)(?P<name>[a-z][^\s/>]*)[^>]*(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def _names(words: str, tags: Iterable[str] = ()) -> frozenset[bytes]:
    return frozenset(words.encode().split()).union(tag.encode() for tag in tags)


# Elements that never stay open around their own kind: void ones, and those whose next sibling closes them.
_NOT_COUNTED = _names(
    "basefont bgsound frame keygen p li dt dd tr td th tbody thead tfoot caption colgroup option a html head body",
    VOID_TAGS,
)
_FORMATTING = _names("b big code em font i nobr s small strike strong tt u")
# The content of these is text, not markup, except in SVG and MathML.
_RAW = _names("", RAW_TEXT_TAGS)
_DRAWING = _names("svg math")
# An end tag does not reach past these.
_SCOPES = _names("table template applet marquee object svg math select")
# The end tag of any other element is ignored when one of these was opened after its start tag.
_SPECIAL = _SCOPES | _names(
    "address article aside blockquote button center details dir div dl fieldset figcaption figure footer form"
    " frameset header hgroup iframe listing main menu nav noscript ol plaintext pre search section summary ul xmp",
    HEADING_TAGS,
)


def may_be_deep(html: bytes) -> bool:
    """Return whether the page has enough tags to nest so deep that parsing takes long."""
    tags = lexbor.count_byte(html, ord("<"))
    if tags < _MAX_SAFE_UNCLOSED_TAGS:
        return False
    # Ordinary pages have a tag in a hundred bytes, and most of their tags in pairs.
    dense = len(html) < 25 * tags
    return (
        tags > _MAX_SAFE_TAGS
        or (dense and tags - 2 * html.count(b"</") > tags // 2)
        or _count_open_tags(html) > _MAX_SAFE_OPEN_TAGS
    )


def _count_open_tags(html: bytes) -> int:
    """Return the most start tags without an end tag before any of a few places."""
    most = count = 0
    step = len(html) // _COUNTED_PARTS + 1
    for start in range(0, len(html), step):
        count += html.count(b"<", start, start + step) - 2 * html.count(b"</", start, start + step)
        most = max(most, count)
    return most


def flatten(html: bytes) -> bytes:
    """Return the page with nothing nested deeper than `MAX_DEPTH`; the same bytes if nothing is."""
    kept: list[bytes] = []
    position = 0
    for start, end in _find_deep_tags(html):
        kept.append(html[position:start])
        position = end
    if not kept:
        return html
    kept.append(html[position:])
    return b"".join(kept)


def _find_deep_tags(html: bytes) -> list[tuple[int, int]]:
    """Return start and end of the tags that nest too deep, by a stack that approximates the rules of the standard.

    The computed depth may be too large on pages with many unclosed formatting elements, which then lose some of these,
    and too small on hostile pages, which then take longer to parse.
    """
    deep_tags: list[tuple[int, int]] = []
    stack = _Stack()
    dropped: Counter[bytes] = Counter()
    markup_from = 0
    for match in _TAG.finditer(html):
        name = match["name"]
        if name is None or match.start() < markup_from:
            continue
        name = name.lower()
        if name in _RAW and not match["slash"] and not stack.has_drawing:
            end = re.compile(rb"</" + re.escape(name), re.IGNORECASE).search(html, match.end())
            markup_from = end.end() if end else len(html)
            continue
        if name in _NOT_COUNTED:
            continue
        if not match["slash"]:
            if len(stack) < MAX_DEPTH and (name not in _FORMATTING or stack.formatting < MAX_OPEN_FORMATTING):
                stack.open(name)
            else:
                dropped[name] += 1
                deep_tags.append(match.span())
        elif dropped[name] > 0:
            dropped[name] -= 1
            deep_tags.append(match.span())
        else:
            stack.close(name)
    return deep_tags


class _Stack:
    """The open elements. Opening and closing take constant time, except for elements that are closed with others."""

    def __init__(self) -> None:
        self._names: list[bytes] = []
        self._places: defaultdict[bytes, list[int]] = defaultdict(list)  # of the open elements with a name
        self._scopes: list[int] = []
        self._specials: list[int] = []
        self.formatting = 0
        """The number of open formatting elements."""

    def __len__(self) -> int:
        return len(self._names)

    @property
    def has_drawing(self) -> bool:
        return any(self._places.get(name) for name in _DRAWING)

    def open(self, name: bytes) -> None:
        place = len(self._names)
        self._names.append(name)
        self._places[name].append(place)
        self.formatting += name in _FORMATTING
        if name in _SCOPES:
            self._scopes.append(place)
        if name in _SPECIAL:
            self._specials.append(place)

    def close(self, name: bytes) -> None:
        """Close elements up to the one that an end tag closes, if it reaches it."""
        places = self._places.get(name)
        barriers = self._scopes if name in _SPECIAL else self._specials
        if not places or (barriers and barriers[-1] > places[-1]):
            return
        place = places[-1]
        while len(self._names) > place:
            closed = self._names.pop()
            self._places[closed].pop()
            self.formatting -= closed in _FORMATTING
        for barriers in (self._scopes, self._specials):
            while barriers and barriers[-1] >= place:
                barriers.pop()
