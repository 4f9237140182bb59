"""Read formulas that MathJax 3 or 4 has drawn, and whose source the page does not have, as MathML.

MathJax draws the nodes of MathML one by one: as elements `mjx-mi`, `mjx-msup` … (CHTML) or as groups with the attribute
`data-mml-node` (SVG). A character is an element whose class or attribute has its code point. So the MathML can be built
again, with its parts put into their order. Fences that were stretched are read as the character that they stand for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from duramen.dom.tree import TEXT, Attributes, Tree

_TOKENS: Final = frozenset(("mi", "mo", "mn", "mtext", "ms"))
_NODES: Final = _TOKENS | frozenset(
    "math mrow msup msub msubsup munder mover munderover mfrac msqrt mroot mtable mtr mlabeledtr mtd mspace mstyle"
    " mpadded mphantom menclose merror semantics TeXAtom texatom".split()
)
_PARTS: Final = frozenset(("base", "over", "under", "num", "den", "root", "script", "box"))
"""Elements of CHTML around a part of a node, which tell what part it is."""
_SKIPPED: Final = frozenset(("surd", "labels", "assistive-mml", "speech", "braille"))
_CHARACTER_CLASS = re.compile(r"(?:^|\s)mjx-c([0-9A-F]{1,6})(?=\s|\Z)")
_CODE_POINT = re.compile(r"[0-9A-F]{1,6}\Z")
_SURD: Final = "<mo>√</mo>"
_LAST_CODE_POINT: Final = 0x10FFFF
_MAX_NODES: Final = 5_000
"""Nodes of one drawn formula that are read."""


class _Part(NamedTuple):
    role: str
    """What part of its node it is, where the drawing says so; otherwise ""."""
    markup: list[str]


class _OpenNode(NamedTuple):
    end: int
    name: str
    """Of the node of MathML, or of the part of one."""
    is_part: bool
    has_limits: bool
    """Whether the parts are over and under the base, and not beside it as scripts."""
    parts: list[_Part]


def read_drawn_formula(tree: Tree, container: int) -> str:
    """Return the MathML of a formula in an element `mjx-container`; "" if it is empty or very large."""
    end = tree.end[container]
    if end - container > _MAX_NODES:
        return ""
    stack = [_OpenNode(end, "math", is_part=False, has_limits=True, parts=[])]
    node = container + 1
    while node < end:
        while node >= stack[-1].end:
            _close(stack)
        tag = tree.tag[node]
        if tag == TEXT:
            if stack[-1].name in _TOKENS:
                stack[-1].parts.append(_Part("", [escape(tree.text[node], quote=False)]))
            node += 1
            continue
        attributes = tree.attributes[node]
        name = tag[4:] if tag.startswith("mjx-") else attributes.get("data-mml-node") or ""
        if name in _SKIPPED:
            node = tree.end[node]
            continue
        character = _find_character(tag, name, attributes)
        if character:
            # MathJax 4 writes the character as text, too.
            stack[-1].parts.append(_Part("", [escape(character, quote=False)]))
            node = tree.end[node]
            continue
        is_inner = name == "munder" and any(open_node.name == "munderover" for open_node in stack[-2:])
        if name in _PARTS or (name in _NODES and not is_inner):
            has_limits = attributes.get("limits") != "false"
            stack.append(_OpenNode(tree.end[node], name, name in _PARTS, has_limits, []))
        node += 1
    while len(stack) > 1:
        _close(stack)
    return f"<math>{_join(stack[0].parts)}</math>" if stack[0].parts else ""


def _find_character(tag: str, name: str, attributes: Attributes) -> str:
    """Return the character that an element draws, or ""."""
    code = ""
    if name == "c" or name.startswith("stretchy-"):
        match = _CHARACTER_CLASS.search(attributes.get("class") or "")
        code = match[1] if match else ""
    elif tag in ("use", "path"):
        code = attributes.get("data-c") or ""
    if not _CODE_POINT.match(code) or not 0 < int(code, 16) <= _LAST_CODE_POINT:
        return ""
    return chr(int(code, 16))


def _close(stack: list[_OpenNode]) -> None:
    """Write the innermost node, and add it to the one around it."""
    node = stack.pop()
    outer = stack[-1].parts
    if node.is_part:
        if node.name == "box" and any(part.role for part in node.parts):
            outer.extend(node.parts)  # the base and the part under it
        else:
            outer.append(_Part(node.name, [markup for part in node.parts for markup in part.markup]))
    else:
        outer.append(_Part("", [_write_node(node)]))


def _write_node(node: _OpenNode) -> str:
    name = node.name
    if name in _TOKENS:
        return f"<{name}>{''.join(markup for part in node.parts for markup in part.markup)}</{name}>"
    if name == "mspace":
        return "<mspace width='1em'/>"
    if name in ("mtable", "mtr", "mtd"):
        return f"<{name}>{_join(node.parts)}</{name}>"
    if name in ("msqrt", "mroot"):
        return _write_root(node)
    arguments = _find_arguments(node)
    if arguments is None:
        return f"<mrow>{_join(node.parts)}</mrow>"
    if not node.has_limits:
        name = {"munder": "msub", "mover": "msup", "munderover": "msubsup"}.get(name, name)
    return f"<{name}>{''.join(map(_group, arguments))}</{name}>"


def _find_arguments(node: _OpenNode) -> list[list[str]] | None:
    """Return the arguments of a node in the order of MathML; None if the drawing does not have them all."""
    roles = {part.role: part.markup for part in node.parts if part.role}
    plain = [part.markup for part in node.parts if not part.role]
    name = node.name
    if name == "mfrac":
        found = [roles["num"], roles["den"]] if {"num", "den"} <= roles.keys() else plain
        return found if len(found) == 2 else None
    if name in ("msup", "msub", "munder", "mover") or name in ("msubsup", "munderover"):
        count = 3 if name in ("msubsup", "munderover") else 2
        if "base" in roles:
            order = {"munder": ("under",), "mover": ("over",), "munderover": ("under", "over")}.get(name, ())
            found = [roles["base"], *(roles[part] for part in order if part in roles)]
        elif "script" in roles:
            scripts = [[markup] for markup in roles["script"]] if count == 3 else [roles["script"]]
            found = [*plain, *reversed(scripts)]  # the superscript is drawn first
        elif name == "msubsup" and len(plain) == 3:  # SVG: base, superscript, subscript
            found = [plain[0], plain[2], plain[1]]
        else:
            found = plain
        return found if len(found) == count else None
    return None


def _write_root(node: _OpenNode) -> str:
    roles = {part.role: part.markup for part in node.parts if part.role}
    plain = [markup for part in node.parts if not part.role for markup in part.markup if markup != _SURD]
    content = "".join(roles.get("box", plain))
    if "root" in roles:
        return f"<mroot><mrow>{content}</mrow>{_group(roles['root'])}</mroot>"
    if node.name == "mroot" and len(plain) == 2:  # SVG: the content, the index
        return f"<mroot>{plain[0]}{plain[1]}</mroot>"
    return f"<msqrt>{content}</msqrt>"


def _join(parts: Sequence[_Part]) -> str:
    return "".join(markup for part in parts for markup in part.markup)


def _group(markup: Sequence[str]) -> str:
    return markup[0] if len(markup) == 1 else f"<mrow>{''.join(markup)}</mrow>"
