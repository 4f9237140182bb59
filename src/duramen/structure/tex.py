"""Write TeX as MathML, for HTML output.

The library latex2mathml converts; without it, or where it gives up, the formula is its TeX as text. The TeX is always
kept in an annotation. Nothing of the library's output is copied as it is: the elements it builds are written with
everything escaped, and only with attributes that neither link nor style.
"""

from __future__ import annotations

import html
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

MAX_TEX_CHARS: Final = 2_000
"""Longer TeX is not converted: the library takes up to 70 µs per character."""
MAX_PAGE_TEX_CHARS: Final = 50_000
"""Characters of TeX that are converted on one page, for the same reason: at most about three seconds."""
MAX_NESTING: Final = 40
"""Groups, environments and fences around each other. The library recurses."""

_OPENING_OR_CLOSING = re.compile(r"\\(?:(begin|left)|(end|right))(?![A-Za-z])|\\.|([{])|([}])", re.DOTALL)
_MACRO = re.compile(r"\\(?:[egx]?def|let|(?:re)?newcommand|providecommand|newenvironment|DeclareMathOperator)(?![a-z])")
_CHAINED = re.compile(r"\\(?:[cdt]?frac|sqrt|over|[dt]?binom|not|overset|underset|stackrel)(?![A-Za-z])|\^|_")
_MAX_CHAINED: Final = 400
_INNER_ENVIRONMENT = re.compile(r"(\\(?:begin|end))\{(align|gather)ed\}")
"""Environments that the library knows only by the name that they have outside others."""
MATH_ATTRIBUTES: Final = frozenset(
    "accent accentunder columnalign columnlines columnspacing depth displaystyle fence form height largeop linebreak"
    " linethickness lspace mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines"
    " rowspacing rspace scriptlevel separator stretchy symmetric voffset width".split()
)
MATH_ELEMENTS: Final = frozenset(
    "math menclose merror mfenced mfrac mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow"
    " mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none ms".split()
)


def tex_to_mathml(tex: str, *, is_display: bool, convert: bool = True) -> str:
    """Return a `<math>` element that shows TeX, with the TeX in an annotation; without `convert`, as text."""
    shown = (_convert(tex, is_display) if convert else None) or f"<mtext>{html.escape(tex, quote=False)}</mtext>"
    display = ' display="block"' if is_display else ""
    annotation = f'<annotation encoding="application/x-tex">{html.escape(tex, quote=False)}</annotation>'
    return f"<math{display}><semantics>{shown}{annotation}</semantics></math>"


@cache
def _load_converter() -> Callable[..., Any] | None:
    try:
        from latex2mathml.converter import convert_to_element
    except ModuleNotFoundError:  # the extra `math` is not installed: formulas are shown as TeX
        return None
    converter: Callable[..., Any] = convert_to_element
    return converter


def _convert(tex: str, is_display: bool) -> str | None:
    """Return one element of MathML, or None if the TeX cannot be converted."""
    if not _is_safe(tex):
        return None
    convert = _load_converter()
    if convert is None:
        return None
    try:
        root = convert(_INNER_ENVIRONMENT.sub(r"\1{\2*}", tex), display="block" if is_display else "inline")
    except Exception:
        # The library has a class of its own for each error in TeX, without a common base, and raises IndexError,
        # KeyError and others for TeX that it does not foresee. Whatever it is, the TeX itself is then shown.
        return None
    return _write(root)


def _is_safe(tex: str) -> bool:
    """Return whether the TeX is short and flat enough, and defines no macros that could grow without limit."""
    if not tex.strip() or len(tex) > MAX_TEX_CHARS or _MACRO.search(tex):
        return False
    if sum(1 for _ in _CHAINED.finditer(tex)) > _MAX_CHAINED:
        return False
    depth = 0
    for match in _OPENING_OR_CLOSING.finditer(tex):
        if match[1] or match[3]:
            depth += 1
            if depth > MAX_NESTING:
                return False
        elif match[2] or match[4]:
            depth -= 1
    return True


def _write(root: Element) -> str | None:
    """Write the children of the root as one `<mrow>`; None if there is an element that is no MathML."""
    pieces: list[str] = []
    stack: list[Element | str] = [root[0] if len(root) == 1 else root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        if item.tag not in MATH_ELEMENTS:
            return None
        tag = "mrow" if item.tag == "math" else item.tag
        attributes = "".join(
            f' {name}="{html.escape(str(value))}"' for name, value in item.attrib.items() if name in MATH_ATTRIBUTES
        )
        # The library puts character references into texts, to be written as they are.
        pieces.append(f"<{tag}{'' if item is root else attributes}>")
        pieces.append(html.escape(html.unescape(item.text or ""), quote=False))
        stack.append(f"</{tag}>")
        for child in reversed(item):
            if child.tail:
                stack.append(html.escape(html.unescape(child.tail), quote=False))
            stack.append(child)
    return "".join(pieces)
