"""Convert MathML without an annotation to TeX.

The nodes of the formula are read from last to first, so that the TeX of all children is there when their parent is
read: no recursion. Each result has a kind, which says whether it needs braces under a script, and whether a fence
around it makes it a matrix. Formulas that nest deeper than any real one are given up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from duramen.dom.tree import TEXT, Attributes, Tree
from duramen.structure.mathml_symbols import (
    FUNCTIONS,
    LARGE_OPERATORS,
    OVER_ACCENTS,
    UNDER_ACCENTS,
    VARIANT_COMMANDS,
    find_symbol,
)
from duramen.structure.tex_source import join_tex

MAX_DEPTH: Final = 150
"""Levels of a formula. Each level may copy the TeX below it once."""

# Kinds of results.
ATOM: Final = 0
"""A symbol, a number, or a command with its arguments."""
ROW: Final = 1
SCRIPTED: Final = 2
FENCE: Final = 3
"""An operator that opens or closes a group, or does both."""
MATRIX: Final = 4
"""The rows of a table, without the environment."""
ALIGNMENT: Final = 5
BINOMIAL: Final = 6
"""A fraction without a line: both parts in braces."""
LABEL: Final = 7
"""A row of a table with a label: `\\tag` is at its end."""
CELL: Final = 8


class Part(NamedTuple):
    """The TeX of an element."""

    tex: str
    kind: int
    source: str = ""
    """The characters of an operator, an identifier or a text."""
    stretches: bool = True


_EMPTY: Final = Part("", ROW)
_TEXT_ESCAPES: Final = str.maketrans({char: "\\" + char for char in "{}%#&$_"} | {"\\": "\\backslash "})
_OPENING: Final = frozenset("([{⟨〈⌊⌈")
_CLOSING: Final = frozenset(")]}⟩〉⌋⌉")
_BOTH: Final = frozenset("|∣‖∥")
_MATRIX_OF_FENCES: Final = {
    ("(", ")"): "pmatrix",
    ("[", "]"): "bmatrix",
    ("{", "}"): "Bmatrix",
    ("|", "|"): "vmatrix",
    ("∣", "∣"): "vmatrix",
    ("‖", "‖"): "Vmatrix",
    ("∥", "∥"): "Vmatrix",
    ("{", ""): "cases",
}
_TALL = re.compile(r"\\(?:d?frac|sum|prod|int|begin|sqrt|underset|overset|binom|bigcup|bigcap)(?![a-z])")
_LENGTH = re.compile(r"\s*(-?[\d.]+)\s*(em|ex|px|pt|mu|cm|%)?")
_EMS_OF_UNIT: Final = {"em": 1.0, "ex": 0.43, "px": 1 / 16, "pt": 0.1, "mu": 1 / 18, "cm": 2.4}
_SPACES: Final = ((1.9, "\\qquad"), (0.9, "\\quad"), (0.45, "\\enspace"), (0.25, "\\;"), (0.2, "\\:"), (0.1, "\\,"))
_ENCLOSURES: Final = (
    ("box", "\\boxed"),
    ("updiagonalstrike", "\\cancel"),
    ("downdiagonalstrike", "\\bcancel"),
    ("horizontalstrike", "\\sout"),
    ("top", "\\overline"),
    ("bottom", "\\underline"),
    ("radical", "\\sqrt"),
)
_NOT_PRESENTATION: Final = frozenset(("annotation", "annotation-xml", "script", "style", "svg"))


def mathml_to_tex(tree: Tree, node: int) -> str:
    """Return the TeX of a `<math>` element, or of a part of it; "" if it is empty or nests too deeply."""
    tags, parents, ends = tree.tag, tree.parent, tree.end
    depths = {node: 0}
    for at in range(node + 1, ends[node]):
        depth = depths[at] = depths[parents[at]] + 1
        if depth > MAX_DEPTH:
            return ""
    parts: dict[int, Part] = {}
    for at in range(ends[node] - 1, node - 1, -1):
        tag = tags[at].rpartition(":")[2]  # publishers leave the prefix of XML: `mml:mi`
        if tag == TEXT or tag in _NOT_PRESENTATION:
            continue
        if tag in _TOKENS:
            text = "".join(tree.text[at + 1 : ends[at]])
            parts[at] = _TOKENS[tag](text, tree.attributes[at])
            continue
        children = [parts.pop(child) for child in tree.children(at) if child in parts]
        parts[at] = _ELEMENTS.get(tag, _make_row)(children, tree.attributes[at])
    return _finish(parts.get(node, _EMPTY)).strip()


# Tokens.


def _read_identifier(text: str, attributes: Attributes) -> Part:
    name = " ".join(text.split())
    variant = (attributes.get("mathvariant") or "").lower()
    if name in FUNCTIONS:
        return Part("\\" + name, ATOM, name)
    if len(name) < 2:
        tex = find_symbol(name) if name else ""
    elif name.isascii() and name.isalpha():
        command = VARIANT_COMMANDS.get(variant, "mathrm")
        return Part(f"\\{command}{{{name}}}", ATOM, name)
    else:
        tex = _convert_characters(name)
    command = VARIANT_COMMANDS.get(variant, "")
    if command and tex and not (command == "mathrm" and not name.isascii()):
        if tex.startswith("\\") and command == "mathbf":
            command = "boldsymbol"
        tex = f"\\{command}{{{tex}}}"
    return Part(tex, ATOM if len(name) < 2 or command else ROW, name)


def _read_number(text: str, attributes: Attributes) -> Part:
    number = "".join(text.split())
    tex = _convert_characters(number)
    command = VARIANT_COMMANDS.get((attributes.get("mathvariant") or "").lower(), "")
    if command and command != "mathrm" and tex:
        tex = f"\\{command}{{{tex}}}"
    return Part(tex, ATOM, number)


def _read_operator(text: str, attributes: Attributes) -> Part:
    operator = "".join(text.split())
    if operator in FUNCTIONS:
        return Part("\\" + operator, ATOM, operator)
    if len(operator) > 1 and operator.isalpha() and operator.isascii():
        return Part(f"\\operatorname{{{operator}}}", ATOM, operator)
    is_fence = operator in _OPENING or operator in _CLOSING or operator in _BOTH
    is_fence = is_fence or (not operator and (attributes.get("fence") or "").lower() == "true")
    stretches = (attributes.get("stretchy") or "").lower() != "false"
    tex = _convert_characters(operator) if operator or not text else "\\ "
    return Part(tex, FENCE if is_fence else ATOM, operator, stretches)


def _read_text(text: str, attributes: Attributes) -> Part:
    if not text.strip():
        return Part("\\ ", ATOM, " ") if text else _EMPTY
    words = re.sub(r"\s+", " ", text)
    command = {"bold": "textbf", "italic": "textit", "monospace": "texttt"}.get(
        (attributes.get("mathvariant") or "").lower(), "text"
    )
    return Part(f"\\{command}{{{words.translate(_TEXT_ESCAPES)}}}", ATOM, words)


def _read_space(text: str, attributes: Attributes) -> Part:
    if (attributes.get("linebreak") or "").lower() == "newline":
        return Part("\\\\", ATOM)
    length = _LENGTH.match(attributes.get("width") or "")
    if not length:
        return _EMPTY
    try:
        ems = float(length[1]) * _EMS_OF_UNIT.get(length[2] or "", 0.0)
    except ValueError:  # "1.2.3"
        return _EMPTY
    if ems < 0:
        return Part("\\!", ATOM)
    return Part(next((tex for width, tex in _SPACES if ems >= width), ""), ATOM)


def _convert_characters(text: str) -> str:
    return join_tex([find_symbol(char) for char in text])


_TOKENS: Final[dict[str, Callable[[str, Attributes], Part]]] = {
    "mi": _read_identifier,
    "mn": _read_number,
    "mo": _read_operator,
    "mtext": _read_text,
    "ms": _read_text,
    "mspace": _read_space,
}


# Elements with children.


def _finish(part: Part) -> str:
    """Return the TeX of a part that stands alone."""
    if part.kind == MATRIX:
        return f"\\begin{{matrix}} {part.tex} \\end{{matrix}}"
    if part.kind == ALIGNMENT:
        return f"\\begin{{aligned}} {part.tex} \\end{{aligned}}"
    if part.kind == BINOMIAL:
        return f"\\genfrac{{}}{{}}{{0pt}}{{}}{part.tex}"
    return part.tex


def _make_row(children: Sequence[Part], attributes: Attributes) -> Part:
    parts = [part for part in children if part.tex or part.kind == FENCE]
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return _EMPTY
    first, last = parts[0], parts[-1]
    if first.kind == FENCE and len(parts) in (2, 3) and (fenced := _make_fenced_table(parts)):
        return fenced
    pieces = [_finish(part) for part in parts]
    if first.kind == last.kind == FENCE and first.stretches and last.stretches and len(parts) > 2:
        is_pair = (first.source in _OPENING and last.source in _CLOSING) or (
            first.source == last.source and first.source in _BOTH
        )
        is_pair = is_pair or not first.source or not last.source
        if is_pair and any(_TALL.search(piece) for piece in pieces):
            inner = join_tex(pieces[1:-1])
            return Part(f"\\left{pieces[0] or '.'} {inner} \\right{pieces[-1] or '.'}", ATOM)
    return Part(join_tex(pieces), ROW)


def _make_fenced_table(parts: Sequence[Part]) -> Part | None:
    inner = parts[1]
    closing = parts[2] if len(parts) == 3 else Part("", FENCE)
    if closing.kind != FENCE:
        return None
    fences = (parts[0].source, closing.source)
    if inner.kind == BINOMIAL and fences == ("(", ")"):
        return Part("\\binom" + inner.tex, ATOM)
    if inner.kind in (MATRIX, ALIGNMENT) and (name := _MATRIX_OF_FENCES.get(fences)):
        return Part(f"\\begin{{{name}}} {inner.tex} \\end{{{name}}}", ATOM)
    return None


def _group(part: Part) -> str:
    """Return TeX in braces, unless it is one character."""
    tex = _finish(part)
    return tex if len(tex) == 1 and tex not in "'^_" else f"{{{tex}}}"


def _read_base(part: Part) -> str:
    tex = _finish(part)
    return tex if part.kind in (ATOM, FENCE) and tex and not tex.endswith("'") else f"{{{tex}}}"


def _child(children: Sequence[Part], index: int) -> Part:
    return children[index] if index < len(children) else _EMPTY


def _add_scripts(base: str, sub: Part, sup: Part) -> Part:
    tex = base
    if sub.tex:
        tex += "_" + _group(sub)
    if sup.tex:
        tex += sup.tex if not sup.tex.strip("'") else "^" + _group(sup)
    return Part(tex, SCRIPTED)


def _make_sub(children: Sequence[Part], attributes: Attributes) -> Part:
    return _add_scripts(_read_base(_child(children, 0)), _child(children, 1), _EMPTY)


def _make_sup(children: Sequence[Part], attributes: Attributes) -> Part:
    return _add_scripts(_read_base(_child(children, 0)), _EMPTY, _child(children, 1))


def _make_sub_sup(children: Sequence[Part], attributes: Attributes) -> Part:
    return _add_scripts(_read_base(_child(children, 0)), _child(children, 1), _child(children, 2))


def _make_under(children: Sequence[Part], attributes: Attributes) -> Part:
    return _add_limits(_child(children, 0), _child(children, 1), _EMPTY)


def _make_over(children: Sequence[Part], attributes: Attributes) -> Part:
    return _add_limits(_child(children, 0), _EMPTY, _child(children, 1))


def _make_under_over(children: Sequence[Part], attributes: Attributes) -> Part:
    return _add_limits(_child(children, 0), _child(children, 1), _child(children, 2))


def _add_limits(base: Part, under: Part, over: Part) -> Part:
    tex = _finish(base)
    if tex in LARGE_OPERATORS or tex.startswith(("\\operatorname", "\\underbrace", "\\overbrace")):
        return _add_scripts(tex, under, over)
    if under.tex:
        command = UNDER_ACCENTS.get(under.source)
        tex = f"\\{command}{{{tex}}}" if command else f"\\underset{{{_finish(under)}}}{{{tex}}}"
    if over.tex:
        command = OVER_ACCENTS.get(over.source)
        if command and len(base.source or tex) > 1 and command in ("hat", "tilde"):
            command = "wide" + command
        elif command in ("bar", "vec") and len(base.source or tex) > 1:
            command = {"bar": "overline", "vec": "overrightarrow"}[command]
        tex = f"\\{command}{{{tex}}}" if command else f"\\overset{{{_finish(over)}}}{{{tex}}}"
    return Part(tex, ATOM)


def _make_fraction(children: Sequence[Part], attributes: Attributes) -> Part:
    top, bottom = _finish(_child(children, 0)), _finish(_child(children, 1))
    if (attributes.get("linethickness") or "").strip().startswith("0"):
        return Part(f"{{{top}}}{{{bottom}}}", BINOMIAL)
    if (attributes.get("bevelled") or "").lower() == "true":
        return Part(f"{_group(_child(children, 0))}/{_group(_child(children, 1))}", ROW)
    return Part(f"\\frac{{{top}}}{{{bottom}}}", ATOM)


def _make_square_root(children: Sequence[Part], attributes: Attributes) -> Part:
    return Part(f"\\sqrt{{{_finish(_make_row(children, attributes))}}}", ATOM)


def _make_root(children: Sequence[Part], attributes: Attributes) -> Part:
    return Part(f"\\sqrt[{_finish(_child(children, 1))}]{{{_finish(_child(children, 0))}}}", ATOM)


def _make_fenced(children: Sequence[Part], attributes: Attributes) -> Part:
    opening, closing = attributes.get("open", "("), attributes.get("close", ")")
    separators = "".join((attributes.get("separators", ",") or "").split())
    row: list[Part] = [_read_operator(opening or "", {"fence": "true"})]
    for index, child in enumerate(children):
        if index and separators:
            row.append(_read_operator(separators[min(index - 1, len(separators) - 1)], {}))
        row.append(child)
    row.append(_read_operator(closing or "", {"fence": "true"}))
    return _make_row(row, attributes)


def _make_enclosed(children: Sequence[Part], attributes: Attributes) -> Part:
    row = _make_row(children, attributes)
    notations = (attributes.get("notation") or "longdiv").split()
    command = next((command for notation, command in _ENCLOSURES if notation in notations), None)
    return Part(f"{command}{{{_finish(row)}}}", ATOM) if command else row


def _make_phantom(children: Sequence[Part], attributes: Attributes) -> Part:
    row = _make_row(children, attributes)
    return Part(f"\\phantom{{{_finish(row)}}}", ATOM) if row.tex else _EMPTY


def _take_first(children: Sequence[Part], attributes: Attributes) -> Part:
    return _child(children, 0)


def _make_multiscripts(children: Sequence[Part], attributes: Attributes) -> Part:
    marks = [index for index, part in enumerate(children) if part.source == "mprescripts"]
    stop = marks[0] if marks else len(children)
    after, before = children[1:stop], children[stop + 1 :]
    tex = _read_base(_child(children, 0))
    if before:
        tex = "{}" + "".join(_write_pair(before, index) for index in range(0, len(before), 2)) + tex
    tex += "{}".join(_write_pair(after, index) for index in range(0, len(after), 2))
    return Part(tex, SCRIPTED)


def _write_pair(scripts: Sequence[Part], index: int) -> str:
    return _add_scripts("", scripts[index], _child(scripts, index + 1)).tex


def _mark_prescripts(children: Sequence[Part], attributes: Attributes) -> Part:
    return Part("", ATOM, "mprescripts")


# Tables.


def _make_cell(children: Sequence[Part], attributes: Attributes) -> Part:
    return Part(_finish(_make_row(children, attributes)), CELL)


def _make_table_row(children: Sequence[Part], attributes: Attributes) -> Part:
    return Part(" & ".join(_finish(part) for part in children), ROW)


def _make_labeled_row(children: Sequence[Part], attributes: Attributes) -> Part:
    label = _child(children, 0).tex
    cells = " & ".join(_finish(part) for part in children[1:])
    label = label.replace("\\text{", "").replace("}", "").replace("{", "").strip("() ")
    label = f"${label}$" if "\\" in label else label
    return Part(f"{cells} \\tag{{{label}}}" if label else cells, LABEL)


def _make_table(children: Sequence[Part], attributes: Attributes) -> Part:
    rows = [part.tex for part in children]
    if len(rows) == 1 and (children[0].kind == LABEL or " & " not in rows[0]):
        return Part(rows[0], ROW)
    alignment = (attributes.get("columnalign") or "").lower().split()
    is_alignment = (attributes.get("displaystyle") or "").lower() == "true" or alignment[:2] == ["right", "left"]
    is_alignment = is_alignment or alignment[:3] == ["right", "center", "left"]
    return Part(" \\\\ ".join(rows), ALIGNMENT if is_alignment else MATRIX)


_ELEMENTS: Final[dict[str, Callable[[Sequence[Part], Attributes], Part]]] = {
    "msub": _make_sub,
    "msup": _make_sup,
    "msubsup": _make_sub_sup,
    "munder": _make_under,
    "mover": _make_over,
    "munderover": _make_under_over,
    "mmultiscripts": _make_multiscripts,
    "mprescripts": _mark_prescripts,
    "mfrac": _make_fraction,
    "msqrt": _make_square_root,
    "mroot": _make_root,
    "mfenced": _make_fenced,
    "menclose": _make_enclosed,
    "mphantom": _make_phantom,
    "semantics": _take_first,
    "maction": _take_first,
    "mtable": _make_table,
    "mtr": _make_table_row,
    "mlabeledtr": _make_labeled_row,
    "mtd": _make_cell,
}
