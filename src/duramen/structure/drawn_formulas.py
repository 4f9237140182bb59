"""Read formulas that KaTeX or MathJax 2 has drawn with spans, as MathML.

They are read only if the page does not have their source. KaTeX stacks the parts of a fraction, a root or a pair of
scripts in a `vlist`, from the lowest to the highest. MathJax 2 places each part by `position: absolute` and the
distance `top`. In both, a class names the kind of construct.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import Final

from duramen.dom.tree import TEXT, Tree

_SKIPPED: Final = frozenset(
    "strut pstrut vlist-s nulldelimiter mspace frac-line hide-tail arraycolsep vertical-separator hline tag"
    " MJX_Assistive_MathML MathJax_Preview".split()
)
_SKIPPED_TAGS: Final = frozenset(("svg", "math", "script", "style"))
_KINDS: Final = frozenset(
    "vlist msupsub mfrac sqrt op-limits accent mtable text mtext root msubsup munderover msqrt mrow mstyle texatom"
    " math".split()
)
_VARIANTS: Final = {
    "mathbb": "double-struck",
    "mathcal": "script",
    "mathscr": "script",
    "mathfrak": "fraktur",
    "mathbf": "bold",
    "boldsymbol": "bold-italic",
    "mathrm": "normal",
}
_FENCES: Final = {
    piece: fence
    for fence, pieces in {"(": "⎛⎜⎝", ")": "⎞⎟⎠", "[": "⎡⎢⎣", "]": "⎤⎥⎦", "{": "⎧⎨⎩⎪", "}": "⎫⎬⎭"}.items()
    for piece in pieces
}
_TOP = re.compile(r"(?:^|[\s;])top:\s*(-?\d+(?:\.\d+)?)em")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|\S")
_MAX_NODES: Final = 5_000
"""Nodes of one drawn formula that are read."""


@dataclass(slots=True)
class _Open:
    end: int
    kind: str = ""
    variant: str = ""
    top: float | None = None
    """Of a part that is placed, or of a row of a `vlist` (0)."""
    has_depth: bool = False
    """Something of it is below the base line."""
    has_operator: bool = False
    parts: list[str] = field(default_factory=list)
    rows: list[tuple[float, str, bool]] = field(default_factory=list)
    """The distance, the MathML, and whether it has an operator, of each row."""


def read_spans(tree: Tree, node: int) -> str:
    """Return the MathML of a drawn formula; "" if it is empty or very large."""
    end = tree.end[node]
    if end - node > _MAX_NODES:
        return ""
    stack = [_Open(end)]
    at = node + 1
    while at < end:
        while at >= stack[-1].end:
            _close(stack)
        tag = tree.tag[at]
        if tag == TEXT:
            stack[-1].parts += _write_text(tree.text[at], stack[-1])
        else:
            attributes = tree.attributes[at]
            names = (attributes.get("class") or "").split()
            if tag in _SKIPPED_TAGS or not _SKIPPED.isdisjoint(names):
                at = tree.end[at]
                continue
            outer = stack[-1]
            opened = _Open(tree.end[at], next((name for name in names if name in _KINDS), ""), outer.variant)
            opened.variant = next((_VARIANTS[name] for name in names if name in _VARIANTS), outer.variant)
            opened.has_depth = "vlist-t2" in names
            opened.has_operator = "mop" in names
            if outer.kind == "vlist":
                opened.top = 0.0
            elif "absolute" in (style := attributes.get("style") or "") and (match := _TOP.search(style)):
                opened.top = float(match[1])
            if outer.kind in ("text", "mtext"):
                opened.kind = "text"
            stack.append(opened)
        at += 1
    while len(stack) > 1:
        _close(stack)
    body = "".join([*stack[0].parts, *(markup for _, markup, _ in stack[0].rows)])
    return f"<math>{body}</math>" if body else ""


def _write_text(text: str, opened: _Open) -> list[str]:
    text = text.replace("\u200b", "")
    if opened.kind in ("text", "mtext"):
        return [f"<mtext>{escape(text, quote=False)}</mtext>"] if text else []
    if text.strip() and set(text.strip()) <= _FENCES.keys():
        return [f"<mo>{_FENCES[text.strip()[0]]}</mo>"]
    tokens = []
    for token in _TOKEN.findall(text):
        variant = f' mathvariant="{opened.variant}"' if opened.variant else ""
        if token[0].isdigit():
            tokens.append(f"<mn>{token}</mn>")
        elif token[0].isalpha():
            tokens.append(f"<mi{variant}>{token}</mi>")
        else:
            tokens.append(f"<mo>{escape(token, quote=False)}</mo>")
    return tokens


def _close(stack: list[_Open]) -> None:
    """Write the innermost element, and add it to the one around it."""
    node = stack.pop()
    outer = stack[-1]
    markup = _group(node.parts)
    outer.has_operator = outer.has_operator or node.has_operator
    if node.top is not None and node.kind not in _KINDS:
        if node.parts:
            outer.rows.append((node.top, markup, node.has_operator))
        return
    if node.kind == "msupsub":
        _add_scripts(node, outer)
    elif node.kind in ("", "text", "mtext", "vlist", "root") or not node.rows:
        outer.rows += node.rows
        outer.has_depth = outer.has_depth or node.has_depth
        if node.kind == "root" and node.rows:
            outer.rows[-len(node.rows) :] = []
            outer.rows.insert(0, (float("-inf"), node.rows[0][1], False))
        elif len(node.parts) > 1:
            outer.parts.append(markup)
        else:
            outer.parts += node.parts
    else:
        outer.parts.append(_write_construct(node))


def _add_scripts(node: _Open, outer: _Open) -> None:
    """Attach the scripts of KaTeX to what stands before them."""
    base = outer.parts.pop() if outer.parts else "<mrow></mrow>"
    scripts = [markup for _, markup, _ in node.rows]
    if len(scripts) >= 2:
        outer.parts.append(f"<msubsup>{base}{scripts[0]}{scripts[1]}</msubsup>")
    elif scripts:
        name = "msub" if node.has_depth else "msup"
        outer.parts.append(f"<{name}>{base}{scripts[0]}</{name}>")
    else:
        outer.parts.append(base)


def _write_construct(node: _Open) -> str:
    """Write a construct of several rows.

    A part whose place is not known stays where it is in the source.
    """
    rows = [markup for _, markup, _ in node.rows]
    if node.kind == "mfrac" and len(rows) == 2:
        is_lowest_first = node.rows[0][0] >= node.rows[1][0]
        return f"<mfrac>{''.join(reversed(rows) if is_lowest_first else rows)}</mfrac>"
    if node.kind in ("sqrt", "msqrt"):
        if node.rows[0][0] == float("-inf") and len(rows) > 1:
            return f"<mroot>{rows[1]}{rows[0]}</mroot>"
        return f"<msqrt>{rows[0]}</msqrt>"
    if node.kind == "accent" and len(rows) == 2:
        return f'<mover accent="true">{rows[0]}{rows[1]}</mover>'
    if node.kind == "op-limits":
        base = next((index for index, row in enumerate(node.rows) if row[2]), -1)
        if base >= 0:
            return _write_scripts("munderover", rows[base], "".join(rows[:base]), "".join(rows[base + 1 :]))
    if node.kind in ("msubsup", "munderover") and len(rows) in (2, 3):
        tops = [top for top, _, _ in node.rows]
        above = "".join(markup for top, markup in zip(tops[1:], rows[1:], strict=True) if top < tops[0])
        below = "".join(markup for top, markup in zip(tops[1:], rows[1:], strict=True) if top >= tops[0])
        return _write_scripts(node.kind, rows[0], below, above)
    return _group([*node.parts, *rows])


def _write_scripts(kind: str, base: str, below: str, above: str) -> str:
    names = ("msub", "msup", "msubsup") if kind == "msubsup" else ("munder", "mover", "munderover")
    if below and above:
        return f"<{names[2]}>{base}{_group([below])}{_group([above])}</{names[2]}>"
    if below or above:
        name = names[0] if below else names[1]
        return f"<{name}>{base}{_group([below or above])}</{name}>"
    return base


def _group(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"
