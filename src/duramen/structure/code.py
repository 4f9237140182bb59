"""Find blocks of code: `pre` elements, the tables and boxes of highlighters and editors, and `code` with lines.

A block starts from an element that holds the code: an editor or a table with one element for each line, a `pre`, or a
`code` of several lines. From there it grows to the box that the highlighter made around it, as long as everything else
in that box is line numbers, buttons or the name of the language. A file name or a caption stops it, so that these stay
on the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from textwrap import dedent
from typing import Final, NamedTuple

from duramen.dom.tag_sets import BLOCK_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.structure.code_language import find_known_language, find_language
from duramen.structure.code_text import (
    CHROME,
    GUTTER,
    LINE,
    SKIPPED_TAGS,
    classify_code_class,
    classify_code_element,
    find_label,
    read_code,
)


class CodeBlock(NamedTuple):
    """A block of code."""

    node: int
    """The element that the block replaces, with its whole subtree."""
    text: str
    """The code as it is, without line numbers and buttons, and without blank lines at its start and end."""
    language: str
    """The usual name of the language in lower case; "" if it is not known."""


_PREFORMATTED_TAGS: Final = ("pre", "listing", "xmp")
_EDITOR_TAGS: Final = ("div", "table", "figure")
_EDITOR_NAMES: Final = frozenset(
    "codemirror cm-editor cm-content ace_editor monaco-editor syntaxhighlighter crayon-syntax dp-highlighter"
    " js-file-line-container enlighter-default enlighter-code fragment".split()
)
"""Classes of boxes that hold code with an element for each line, perhaps without `pre`."""
_LINES_NAMES: Final = frozenset(
    "codemirror-code cm-content ace_text-layer view-lines crayon-pre lines enlighter-code".split()
)
"""Classes of the part of an editor that holds the lines."""
_NEEDS_LINES: Final = "fragment"
"""The class of Doxygen: other pages have fragments that are no code."""

_WRAPPER = re.compile(
    "code|highlight|snippet|language-|shiki|prism|hljs|crayon|chroma|listing|literal|gist|verbatim|syntax|enlighter"
    "|lntable|rouge|clipboard",
    re.IGNORECASE,
)
_WRAPPER_TAGS: Final = frozenset("div figure span section code td tr tbody table p center font".split())
_LANGUAGE_TAGS: Final = frozenset(("div", "figure", "section", "code", "span", "td", "table", "tr", "tbody", "pre"))
_TABLE_PARTS: Final = frozenset(("td", "tr", "tbody"))
_COPY_LABELS: Final = frozenset(
    (
        "copy", "copy code", "copy to clipboard", "copied", "copied!", "copy snippet", "run", "run code", "expand",
        "collapse", "wrap", "download", "edit", "view raw", "raw", "open in playground", "try it", "print", "?",
        "view code", "show code", "hide code", "expand code", "copy snippet", "view plain", "view source",
        "查看代码", "展开代码", "收起代码", "显示代码", "隐藏代码", "全选", "点击复制", "折叠", "已复制", "复制成功",
        "复制", "复制代码", "代码", "运行", "收起", "展开", "コピー", "copier", "kopieren", "copiar", "копировать",
    )
)  # fmt: skip
"""Texts of buttons, also of those that are no `button`."""
_NUMBERS = re.compile(r"[\d\s]+")
_CELL_PROMPT = re.compile(r"(?:In|Out)\s*\[[\d* ]*\]:?")
"""What notebooks of Jupyter write beside a cell."""
_BLOCK_STYLE = re.compile(r"display:\s*block")
_NOT_SELECTABLE = re.compile(r"user-select:\s*none")

_MAX_LEVELS: Final = 9
"""Levels that a block may grow. Docusaurus and ChatGPT have up to eight boxes around the code."""
_MAX_LANGUAGE_LEVELS: Final = 3
"""Levels above the block at which the language is looked for."""
_MIN_BROKEN_LINES: Final = 2
"""Lines of a `code` with `<br>` that make it a block; the quotation marks of a `q` are no line."""
_MAX_CHROME_LEVELS: Final = 6
_CHROME_TEXTS: Final = 48
"""Texts beside the code that may be line numbers and buttons, if it has no lines; each line allows two more."""
NO_BLOCK_CODE_IN: Final = frozenset("td th dt a button label h1 h2 h3 h4 h5 h6 caption summary".split())


def find_code_blocks(tree: Tree, within: range | None = None) -> dict[int, CodeBlock]:
    """Return the blocks of code of a page by the node that each replaces. Blocks do not nest."""
    blocks: dict[int, CodeBlock] = {}
    gutters: list[int] = []
    end = block_end = 0
    for body in _find_bodies(tree, within):
        if body < end:
            continue
        if tree.tag[body] == "pre" and _is_gutter(tree, body):
            gutters.append(body)
            end = tree.end[body]
            continue
        end = tree.end[body]
        block = _make_block(tree, body, block_end)
        if block is not None:
            blocks[block.node] = block
            end = block_end = tree.end[block.node]
    if gutters:
        blocks = _add_uncovered(tree, blocks, gutters)
    return blocks


def _add_uncovered(tree: Tree, blocks: dict[int, CodeBlock], gutters: list[int]) -> dict[int, CodeBlock]:
    """Add the `pre` elements of numbers that turned out to stand beside no code."""
    starts = sorted(blocks)
    for gutter in gutters:
        at = bisect_left(starts, gutter) - 1
        if at < 0 or gutter >= tree.end[starts[at]]:
            text = read_code(tree, gutter).text
            if text:
                blocks[gutter] = CodeBlock(gutter, text, "")
    return dict(sorted(blocks.items()))


def _find_bodies(tree: Tree, within: range | None) -> list[int]:
    """Return the elements that hold code, in order."""
    bodies = [node for tag in _PREFORMATTED_TAGS for node in tree.find_all(tag, within)]
    codes = tree.find_all("code", within)
    if codes:
        bodies += _find_block_codes(tree, codes)
    bodies += _find_editors(tree, within)
    bodies.sort()
    return bodies


def _find_editors(tree: Tree, within: range | None) -> list[int]:
    """Return the boxes of editors and highlighters that hold an element for each line."""
    nodes = [node for tag in _EDITOR_TAGS for node in tree.find_all(tag, within)]
    values = tree.attribute_values("class", nodes)
    if _EDITOR_NAMES.isdisjoint(" ".join(filter(None, values)).lower().split()):
        return []
    editors = {classes for classes in set(values) if classes and _is_editor_class(classes)}
    found = []
    end = 0
    for node, classes in sorted(pair for pair in zip(nodes, values, strict=True) if pair[1] in editors):
        if node < end:
            continue
        if _NEEDS_LINES not in (classes or "").lower().split() or _has_line_children(tree, node):
            found.append(node)
            end = tree.end[node]
    return found


@lru_cache(maxsize=1 << 11)
def _is_editor_class(classes: str) -> bool:
    return not _EDITOR_NAMES.isdisjoint(classes.lower().split())


def _has_line_children(tree: Tree, node: int) -> bool:
    first = next((child for child in tree.children(node) if tree.tag[child] != TEXT), None)
    return first is not None and classify_code_class(tree.attributes[first].get("class") or "") == LINE


def _find_block_codes(tree: Tree, codes: list[int]) -> Iterator[int]:
    """Yield the `code` elements of several lines, other than those in a `pre`, which comes first anyway."""
    end = 0
    for code in codes:
        if code < end:
            continue
        end = tree.end[code]
        if end - code > 2 and "br" in tree.tag[code:end]:
            if tree.tag[_find_block_parent(tree, code)] not in NO_BLOCK_CODE_IN:
                yield code
        elif _is_block_by_style(tree, code):
            yield code


def _find_block_parent(tree: Tree, node: int) -> int:
    for _level, ancestor in zip(range(_MAX_CHROME_LEVELS), tree.ancestors(node), strict=False):
        if tree.tag[ancestor] in BLOCK_TAGS or tree.tag[ancestor] in NO_BLOCK_CODE_IN:
            return ancestor
    return tree.body


def _is_block_by_style(tree: Tree, code: int) -> bool:
    """True for a `code` with a class or style of a block, or of several lines, a language, and alone in its box."""
    attributes = tree.attributes[code]
    if not attributes:
        return False
    if "block" in (attributes.get("class") or "").split() or _BLOCK_STYLE.search(attributes.get("style") or ""):
        return tree.tag[_find_block_parent(tree, code)] not in NO_BLOCK_CODE_IN
    if not find_language(attributes, is_code=False) or "\n" not in "".join(tree.text[code : tree.end[code]]).strip():
        return False
    return ends_line(tree, code, -1) and ends_line(tree, code, 1)


def has_text_beside(tree: Tree, node: int, parent: int) -> bool:
    """True if `parent` has text outside `node`."""
    texts = tree.text_nodes
    before = bisect_left(texts, node)
    if before and texts[before - 1] > parent:
        return True
    after = bisect_left(texts, tree.end[node])
    return after < len(texts) and texts[after] < tree.end[parent]


def _is_gutter(tree: Tree, pre: int) -> bool:
    """True for a `pre` of line numbers: by its class or that of the cell around it, or in a cell before another."""
    text = next((tree.text[node] for node in range(pre + 1, tree.end[pre]) if tree.tag[node] == TEXT), "")
    if text.strip() and not _NUMBERS.fullmatch(text):
        return False
    chain = [pre]
    for _level, ancestor in zip(range(3), tree.ancestors(pre), strict=False):
        chain.append(ancestor)
        if tree.tag[ancestor] in ("td", "tr", "pre", "body"):
            break
    cell = chain[-1]
    if not any(classify_code_class(tree.attributes[node].get("class") or "") == GUTTER for node in chain):
        if tree.tag[cell] != "td" or not any(
            tree.tag[at] == "pre" for at in range(tree.end[cell], _end_of(tree, cell))
        ):
            return False
    return all(_NUMBERS.fullmatch(tree.text[node]) for node in range(pre + 1, tree.end[pre]) if tree.tag[node] == TEXT)


def _end_of(tree: Tree, cell: int) -> int:
    """Return the end of the row of a cell, or of its beginning if the row is very long."""
    return min(tree.end[tree.parent[cell]], tree.end[cell] + 8)


def _make_block(tree: Tree, body: int, start: int) -> CodeBlock | None:
    """Return the block of the code in an element; None if there is none. It does not begin before node `start`."""
    tag = tree.tag[body]
    if tag in _PREFORMATTED_TAGS:
        editor = _find_inner_editor(tree, body)
        text, label = read_code(tree, editor)
        label = label or find_label(tree, body, editor)
    elif tag == "code":
        has_breaks = "br" in tree.tag[body : tree.end[body]]
        text, label = read_code(tree, body, break_lines=has_breaks)
        if not has_breaks:
            text = dedent(text)
        elif sum(bool(line.strip(" “”‘’")) for line in text.split("\n")) < _MIN_BROKEN_LINES:
            return None
    else:
        lines = _find_lines(tree, body)
        text, label = read_code(tree, lines, verbatim=False)
        label = label or find_label(tree, body, lines)
    if not text.strip():
        return None
    node, wrapper_label = _grow(tree, body, start, text.count("\n") + 1)
    language = _find_block_language(tree, body, node)
    return CodeBlock(node, text, language or label or wrapper_label)


def _find_inner_editor(tree: Tree, pre: int) -> int:
    """Return the lines of an editor inside a `pre`, or the `pre`."""
    for node in range(pre + 1, min(tree.end[pre], pre + 60)):
        if tree.tag[node] == "div" and _is_editor_class(tree.attributes[node].get("class") or ""):
            return _find_lines(tree, node)
    return pre


def _find_lines(tree: Tree, editor: int) -> int:
    """Return the part of an editor that holds the lines, or the editor."""
    for node in range(editor + 1, tree.end[editor]):
        if tree.tag[node] in ("div", "td", "pre"):
            classes = tree.attributes[node].get("class")
            if classes and not _LINES_NAMES.isdisjoint(classes.lower().split()):
                return node
    return editor


def _grow(tree: Tree, body: int, start: int, line_count: int) -> tuple[int, str]:
    """Return the box that the highlighter made around the code, and the language that its header shows."""
    node = box = body
    label = ""
    budget = _CHROME_TEXTS + 2 * line_count
    has_gutter = False  # in a row of the table around the code
    for _level in range(_MAX_LEVELS):
        parent = tree.parent[node]
        tag = tree.tag[parent] if parent > 0 else ""
        if parent < start or (tag not in _WRAPPER_TAGS and "-" not in tag):
            break
        beside = _find_texts_beside(tree, node, parent, budget)
        if beside is None:
            break
        labels = [_read_chrome(tree, text, parent) for text in beside]
        if None in labels:
            break
        budget -= len(beside)
        label = label or next(filter(None, labels), "")
        if tag in _TABLE_PARTS:
            has_gutter = has_gutter or bool(beside)
        elif (
            beside
            or (tag == "table" and has_gutter)
            or tag in ("code", "p")
            or _WRAPPER.search(tree.attributes[parent].get("class") or "")
        ):
            box = parent
        node = parent
    return box, label


def _find_texts_beside(tree: Tree, node: int, parent: int, limit: int) -> list[int] | None:
    """Return the texts in `parent` that are not in `node`; None if there are more than `limit`."""
    texts = tree.text_nodes
    first, before = bisect_left(texts, parent), bisect_left(texts, node)
    after, last = bisect_left(texts, tree.end[node]), bisect_left(texts, tree.end[parent])
    if before - first + last - after > limit:
        return None
    return texts[first:before] + texts[after:last]


def _read_chrome(tree: Tree, text_node: int, limit: int) -> str | None:
    """Return the language that a text beside code names, "" for other texts of the highlighter, None for real text."""
    text = tree.text[text_node].strip()
    if text.lower() in _COPY_LABELS or _CELL_PROMPT.fullmatch(text):
        return ""
    label = find_known_language(text)
    is_number = _NUMBERS.fullmatch(text) is not None
    for _level, ancestor in zip(range(_MAX_CHROME_LEVELS), tree.ancestors(text_node), strict=False):
        if ancestor <= limit:
            break
        tag = tree.tag[ancestor]
        if tag in SKIPPED_TAGS or ancestor in tree.hidden:
            return ""
        attributes = tree.attributes[ancestor]
        kind = classify_code_element(tree, ancestor, attributes)
        if kind == GUTTER:
            return ""
        if kind == CHROME and not _is_file_header(attributes.get("class") or ""):
            return label
        if is_number and (
            tag == "td"
            or attributes.get("aria-hidden") == "true"
            or _NOT_SELECTABLE.search(attributes.get("style") or "")
            or classify_code_class(attributes.get("class") or "") == GUTTER
        ):
            return ""
    return label or None


def _is_file_header(classes: str) -> bool:
    """True for a header that may hold a file name: its text counts only if it names a language."""
    lower = classes.lower()
    return "header" in lower or "title" in lower or "file" in lower


def find_code_headers(tree: Tree, blocks: Iterable[int]) -> set[int]:
    """Return the elements right before code that only name its language and hold buttons to copy or run it."""
    headers = set()
    for block in blocks:
        before = _find_element_before(tree, block)
        texts = [] if before < 0 else _list_texts(tree, before)
        if not texts or not _may_be_header(tree, before):
            continue
        if all(_read_chrome(tree, text, before - 1) is not None for text in texts):
            headers.add(before)
    return headers


def _may_be_header(tree: Tree, node: int) -> bool:
    """Return whether an element has a button or the class of a header: a paragraph may consist of the word "C", too."""
    classes = (tree.attributes[node].get("class") or "").lower()
    return "button" in tree.tag[node : tree.end[node]] or any(word in classes for word in ("head", "lang", "toolbar"))


def _find_element_before(tree: Tree, node: int) -> int:
    """Return the sibling right before an element, with nothing but white space between; −1 if there is none."""
    place = node - 1
    if place > 0 and tree.tag[place] == TEXT and tree.text[place].isspace():
        place -= 1
    parent = tree.parent[node]
    for _level in range(_MAX_LEVELS + 2):
        if place <= parent:
            return -1
        if tree.parent[place] == parent:
            return -1 if tree.tag[place] == TEXT else place
        place = tree.parent[place]
    return -1


def _list_texts(tree: Tree, node: int) -> list[int]:
    """Return the texts of a header; none if there are more than a header has."""
    texts = tree.text_nodes[bisect_left(tree.text_nodes, node) : bisect_left(tree.text_nodes, tree.end[node])]
    return texts if len(texts) <= _CHROME_TEXTS else []


def _find_block_language(tree: Tree, body: int, node: int) -> str:
    """Return the language named on the code, on the boxes that are part of the block, or close above it."""
    inner = [at for at in range(body + 1, min(tree.end[body], body + 12)) if tree.tag[at] in ("code", "pre")]
    for at in [*inner[:1], body]:
        if language := find_language(tree.attributes[at], is_code=True):
            return language
    levels_above = 0
    for _level, ancestor in zip(range(_MAX_LEVELS + _MAX_LANGUAGE_LEVELS), tree.ancestors(body), strict=False):
        levels_above += ancestor < node
        if levels_above > _MAX_LANGUAGE_LEVELS or tree.tag[ancestor] not in _LANGUAGE_TAGS:
            break
        if language := find_language(tree.attributes[ancestor], is_code=False):
            return language
    return ""


def ends_line(tree: Tree, node: int, step: int) -> bool:
    """True if a break, a box or the end of the parent stands before (-1) or after (1) an element."""
    if step > 0:
        at = tree.end[node]
        stop = tree.end[tree.parent[node]]
        while at < stop and tree.tag[at] == TEXT and tree.text[at].isspace():
            at += 1
        return at >= stop or tree.tag[at] == "br" or tree.tag[at] in BLOCK_TAGS
    at = node - 1
    parent = tree.parent[node]
    while at > parent and tree.tag[at] == TEXT and tree.text[at].isspace():
        at -= 1
    for _level in range(_MAX_CHROME_LEVELS):
        if tree.parent[at] <= parent:
            break
        at = tree.parent[at]
    return at == parent or (tree.parent[at] == parent and (tree.tag[at] == "br" or tree.tag[at] in BLOCK_TAGS))
