"""A page without scripts and without requests, its blocks marked, for a frame of the report.

The tree is written again from a list of allowed elements and attributes; everything else is dropped or becomes a box.
So nothing that a page says reaches the report as markup of its own: no script, no handler, no address except images
that the page itself carries (`data:`), no form, no frame. Links lose their address and show it as their title.

A block is marked by the attribute `data-b` with its number: on the element that holds it, if that holds no other
block, else on a `span` around each of its texts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final, NamedTuple

from duramen.dom.lexbor import Attributes
from duramen.dom.tag_sets import BLOCK_TAGS, INLINE_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.inspector.style_sheets import MAX_CSS_CHARS, clean_css

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""The content security policy of a frame: nothing is loaded, nothing runs."""

_SVG_TAGS: Final = frozenset(
    "svg g path rect circle ellipse line polyline polygon text tspan defs clippath lineargradient radialgradient stop"
    " symbol use".split()
)
_MATH_TAGS: Final = frozenset(
    "math mrow mi mn mo msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mspace mstyle"
    " mfenced mpadded mphantom mmultiscripts mprescripts none".split()
)
_RENAMED: Final = {
    **dict.fromkeys(("form", "dialog", "noscript", "body", "html", "frameset", "search", "portal", "slot"), "div"),
    **dict.fromkeys(("button", "label", "output", "font", "nobr", "tt", "blink", "marquee", "noindex"), "span"),
    **dict.fromkeys(("listing", "xmp", "plaintext"), "pre"),
    **{"center": "div", "dir": "ul", "acronym": "abbr", "strike": "s", "big": "span", "menu": "ul"},
}
_KEPT_TAGS: Final = (
    (BLOCK_TAGS | INLINE_TAGS | frozenset("br wbr hr ruby rt rp col colgroup map picture details summary".split()))
    - frozenset(_RENAMED)
    - {"html", "body"}
)
_BOXES: Final = frozenset("iframe object embed video audio canvas applet frame".split())
"""Elements that become an empty box of their size."""
_CONTROLS: Final = frozenset("input textarea select".split())
_DROPPED: Final = frozenset(
    "head script style template title meta link base noembed noframes source track param area option optgroup datalist"
    " progress meter annotation annotation-xml keygen".split()
)
_VOID: Final = frozenset("br wbr hr col img".split())
_ATTRIBUTES: Final = frozenset(
    "class id title lang dir width height colspan rowspan align valign bgcolor color start value reversed alt datetime"
    " cellpadding cellspacing border role hidden open span scope size face".split()
)
_SVG_ATTRIBUTES: Final = frozenset(
    "viewbox d x y x1 y1 x2 y2 cx cy r rx ry width height fill stroke stroke-width points transform offset"
    " preserveaspectratio opacity fill-rule stop-color class".split()
)
_ARIA: Final = re.compile(r"aria-[a-z]+")
_FUNCTION: Final = re.compile(r"\b(?:url|src|image)\s*\(", re.IGNORECASE)
_DATA_IMAGE: Final = re.compile(
    r"\s*data:image/(?:png|jpe?g|gif|webp|avif|bmp|x-icon);base64,[A-Za-z0-9+/=\s]*\Z", re.IGNORECASE
)
_SIZE: Final = re.compile(r"\s*(\d{1,5})(?:px)?\s*\Z")
_MAX_ATTRIBUTE_CHARS: Final = 2000
_MAX_STYLE_CHARS: Final = 5 * MAX_CSS_CHARS

BASE_CSS: Final = (
    "body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1c1d1f;background:#fff;"
    "overflow-wrap:anywhere}img,svg{max-width:100%}a{color:#1a56b0;text-decoration:underline}"
    "table{border-collapse:collapse}td,th{padding:2px 8px;vertical-align:top}"
    ".duramen-box{display:inline-block;box-sizing:border-box;max-width:100%;overflow:hidden;border:1px dashed #b9bec6;"
    "background:#eef0f3;color:#6b7280;font:12px/1.3 system-ui,sans-serif;padding:3px 6px;vertical-align:middle}"
    ".duramen-control{display:inline-block;border:1px solid #c6cad1;border-radius:3px;background:#fff;"
    "color:#6b7280;padding:1px 8px;min-width:4em;min-height:1.2em}"
)

PLAIN_CSS: Final = "body{padding:12px 16px;max-width:60em}"
"""For pages without style sheets of their own."""


class Marks(NamedTuple):
    """Where blocks are: the number of each by its first and last text node, and by the element that holds it alone."""

    starts: list[int]
    stops: list[int]
    numbers: list[int]
    owners: Mapping[int, int]

    def find(self, node: int) -> int:
        """Return the block of a text node, or −1."""
        place = bisect_left(self.stops, node)
        return self.numbers[place] if place < len(self.starts) and self.starts[place] <= node else -1


def make_marks(blocks: Iterable[tuple[int, int, int, int]]) -> Marks:
    """Return the marks of blocks, each a number, an element, a first and a last text node, in document order."""
    places = list(blocks)
    owners: dict[int, int] = {}
    shared: set[int] = set()
    for number, node, _, _ in places:
        if node in owners:
            shared.add(node)
        owners.setdefault(node, number)
    return Marks(
        [first for _, _, first, _ in places],
        [last for _, _, _, last in places],
        [number for number, _, _, _ in places],
        {node: number for node, number in owners.items() if node not in shared},
    )


NO_MARKS: Final = Marks([], [], [], {})


def sanitize(tree: Tree, marks: Marks = NO_MARKS, css: str = "", *, styles: bool = True) -> str:
    """Return a document that runs nothing and requests nothing.

    `css` is added at the end of the head. Without `styles` the page's own style sheets are left out.
    """
    writer = _Writer(tree, _drop_outer_owners(tree, marks))
    body = tree.body
    attributes = writer.write_attributes(tree.attributes[body], "body")
    page_css = _collect_css(tree) if styles else ""
    base_css = BASE_CSS if page_css else BASE_CSS + PLAIN_CSS
    content = writer.write(range(body + 1, tree.end[body]))
    return (
        f'<!DOCTYPE html><html{writer.write_attributes(tree.attributes[0], "html")}><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{base_css}</style>'
        f"<style data-page>{page_css}</style><style>{css}</style></head><body{attributes}>{content}</body></html>"
    )


def _drop_outer_owners(tree: Tree, marks: Marks) -> Marks:
    """Leave out elements that hold a block and have other blocks below them: their texts are marked instead."""
    owners = {}
    for node, number in marks.owners.items():
        first = bisect_left(marks.starts, node)
        last = bisect_left(marks.starts, tree.end[node])
        if last - first == 1 and node != tree.body and tree.tag[node] not in ("html", "body"):
            owners[node] = number
    return marks._replace(owners=owners)


def _collect_css(tree: Tree) -> str:
    sheets = []
    chars_left = _MAX_STYLE_CHARS
    for node in tree.find_all("style"):
        css = clean_css("".join(tree.text[node : tree.end[node]])[:chars_left])
        chars_left -= len(css)
        sheets.append(css)
        if chars_left <= 0:
            break
    return "\n".join(sheets)


class _Writer:
    """Writes nodes; elements that are dropped are skipped with all that is in them."""

    def __init__(self, tree: Tree, marks: Marks) -> None:
        self.tree = tree
        self.marks = marks

    def write(self, nodes: range) -> str:
        tree, out = self.tree, []
        open_tags: list[tuple[int, str]] = []  # the end of each open element, and its end tag
        covered = -1  # the end of the innermost element that is marked as a whole
        node = nodes.start
        while node < nodes.stop:
            while open_tags and node >= open_tags[-1][0]:
                out.append(open_tags.pop()[1])
            tag = tree.tag[node]
            if tag == TEXT:
                out.append(self._write_text(node, covered))
                node += 1
                continue
            end = tree.end[node]
            if tag in _DROPPED:
                node = end
                continue
            if tag in _BOXES or tag in _CONTROLS or tag == "img":
                out.append(self._write_box(node, tag))
                node = end
                continue
            name = self._rename(node, tag)
            mark = self.marks.owners.get(node)
            extra = ""
            if mark is not None:
                extra, covered = f' data-b="{mark}"', end
            if name == "details":
                extra += " open"
            attributes = tree.attributes[node]
            if tag == "a" and (href := attributes.get("href")) and not attributes.get("title"):
                extra += f' title="{escape(href[:_MAX_ATTRIBUTE_CHARS])}"'
            out.append(f"<{name}{self.write_attributes(attributes, name)}{extra}>")
            if name not in _VOID:
                open_tags.append((end, f"</{name}>"))
            node += 1
        out.extend(end_tag for _, end_tag in reversed(open_tags))
        return "".join(out)

    def _rename(self, node: int, tag: str) -> str:
        if tag in _RENAMED:
            return _RENAMED[tag]
        if tag in _KEPT_TAGS or tag in _SVG_TAGS or tag in _MATH_TAGS:
            return tag
        if tag in ("mtext", "ms"):
            return "mi"
        tree = self.tree
        return "span" if BLOCK_TAGS.isdisjoint(tree.tag[node : tree.end[node]]) else "div"

    def _write_text(self, node: int, covered: int) -> str:
        text = escape(self.tree.text[node], quote=False)
        if node < covered or not text.strip():
            return text
        number = self.marks.find(node)
        return text if number < 0 else f'<span data-b="{number}">{text}</span>'

    def _write_box(self, node: int, tag: str) -> str:
        attributes = self.tree.attributes[node]
        if tag == "img":
            source = attributes.get("src") or ""
            if _DATA_IMAGE.match(source):
                return f'<img src="{escape(source.strip())}"{self.write_attributes(attributes, "img")}>'
        if tag == "input" and (attributes.get("type") or "").lower() == "hidden":
            return ""
        if tag in _CONTROLS:
            shown = attributes.get("placeholder") or ""
            return f'<span class="duramen-control">{escape(shown[:100])}</span>'
        size = ""
        for name in ("width", "height"):
            if match := _SIZE.match(attributes.get(name) or ""):
                size += f"{name}:{match[1]}px;"
        label = attributes.get("alt") if tag == "img" else tag
        if not size and not label:
            return ""
        return f'<span class="duramen-box" style="{size}">{escape((label or "")[:200])}</span>'

    def write_attributes(self, attributes: Attributes, name: str) -> str:
        """Return the allowed attributes of an element that is written with this name."""
        is_svg = name in _SVG_TAGS
        written = []
        for key, value in attributes.items():
            value = (value or "")[:_MAX_ATTRIBUTE_CHARS]
            if key == "style":
                value = clean_css(value)
            elif key in ("href", "xlink:href") and name == "use" and value.startswith("#"):
                key = "href"
            elif not _is_allowed(key, value, _SVG_ATTRIBUTES if is_svg else _ATTRIBUTES):
                continue
            written.append(f' {key}="{escape(value)}"')
        return "".join(written)


def _is_allowed(name: str, value: str, allowed: frozenset[str]) -> bool:
    if name not in allowed and not _ARIA.fullmatch(name):
        return False
    return _FUNCTION.search(value) is None and "\\" not in value
