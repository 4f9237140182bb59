"""Read the text of a code block line by line, without line numbers, buttons and headers.

Highlighters write lines in many ways: newlines in the text, `<br>`, a `<span class=line>` with or without a newline
inside, a `<div>`, a list item or a table row for each line, and two of these at once. Here, the end of an element that
is a line makes the end of the line *due*; a newline or `<br>` that follows is that end, and the start of another line
writes it. So each line ends once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from duramen.dom.class_names import split_words
from duramen.dom.tag_sets import BLOCK_TAGS
from duramen.dom.tree import TEXT, Attributes, Tree
from duramen.structure.code_language import find_known_language

SKIPPED_TAGS: Final = frozenset(
    "button svg style script noscript template textarea input select iframe object video audio canvas".split()
)
"""Elements inside a code block that are not code."""

_RUN_LABELS: Final = frozenset(("run", "copy", "try", "try it", "▶", "▶ run", "playground"))
GUTTER: Final = 1
"""Line numbers."""
CHROME: Final = 2
"""Buttons, tool bars, headers: what highlighters add for the reader."""
LINE: Final = 4
"""One line of code."""

_TABLE_PARTS: Final = frozenset(("table", "tbody", "thead", "tr", "ol", "ul", "colgroup"))
_LINE_TAGS: Final = frozenset(("tr", "li", "p"))
_NEVER_SKIPPED: Final = frozenset(("pre", "code", "table", "tbody"))

_GUTTER_WORDS: Final = frozenset("gutter gutters lineno linenos linenumber linenumbers linenodiv lnt".split())
_GUTTER_NAMES: Final = frozenset(
    "line-number line-numbers line-no line-num line-numbers-rows line-numbers-wrapper line_number line_numbers"
    " hljs-ln-numbers hljs-ln-n pre-numbering blob-num js-line-number crayon-nums crayon-num ace_gutter-layer"
    " code-line-number codeline-number ln-num linenums-gutter".split()
)
_CHROME_WORDS: Final = frozenset(
    "copy copied clipboard toolbar button buttons btn tooltip tooltips popup fullscreen header filename".split()
)
_CHROME_NAMES: Final = frozenset(
    "hover-info code-title codeblock-title code-block-title code-lang lang-label language-label code-language"
    " crayon-plain-wrap crayon-info enlighter-raw codemirror-measure codemirror-scrollbar-filler codemirror-cursors"
    " cm-announced cm-panels cm-cursorlayer cm-selectionlayer codemirror-linewidget ace_cursor-layer ace_marker-layer"
    " tools lang minimap gist-meta".split()
)
_LINE_NAMES: Final = frozenset(("line", "row-line", "js-file-line", "blob-code-inner", "ace_line_group"))
_LINE_SUFFIXES: Final = ("-line", "_line")
_LINE_SUFFIX_EXCEPTIONS: Final = frozenset(("highlighted-line", "highlight-line", "diff-line"))

_NUMBER_TOKENS: Final = frozenset(
    "hljs-number number token cm-number mi mf mh mo il m lit nu0 numeric constant pl-c1 crayon-cn".split()
)
"""Classes that highlighters give to numbers of the code itself."""

_INVISIBLE = re.compile("[\u200b\ufeff\u2060]")
_NUMBER = re.compile(r"\s*(\d{1,6})[.:|]?\s*")
_BLANK_START = re.compile(r"(?:[^\S\n]*\n)+")
_NOT_SELECTABLE = re.compile(r"user-select:\s*none")

_MAX_CHROME_NODES: Final = 120
_MAX_NUMBER_NODES: Final = 4
_MIN_NUMBERED_LINES: Final = 3
_MAX_LABEL_CHARS: Final = 24


@lru_cache(maxsize=1 << 11)
def classify_code_class(classes: str) -> int:
    """Return what an element inside or beside code is by its class: `GUTTER`, `CHROME`, `LINE`, or 0."""
    names = [name.lower() for name in classes.split()]
    if "token" in names or (names and all(name.startswith("hljs-") for name in names) and "hljs-ln" not in classes):
        return CHROME if "hljs-button" in names or "hljs-copy-button" in names else 0
    for name, original in zip(names, classes.split(), strict=True):
        words = split_words(original)
        if name in _GUTTER_NAMES or not _GUTTER_WORDS.isdisjoint(words):
            return GUTTER
        if name == "code-toolbar" or "wrapper" in words or "container" in words:
            continue
        if name in _CHROME_NAMES or not _CHROME_WORDS.isdisjoint(words):
            return CHROME
    for name in names:
        if name in _LINE_NAMES or (name.endswith(_LINE_SUFFIXES) and name not in _LINE_SUFFIX_EXCEPTIONS):
            return LINE
    return 0


def classify_code_element(tree: Tree, node: int, attributes: Attributes) -> int:
    """Return what an element inside or beside code is: `GUTTER`, `CHROME`, `LINE`, or 0."""
    tag = tree.tag[node]
    if tag in SKIPPED_TAGS:
        return CHROME
    classes = attributes.get("class")
    kind = classify_code_class(classes) if classes else 0
    if kind == GUTTER or ("data-line-number" in attributes and "data-line" not in attributes and not kind):
        return 0 if tag in _NEVER_SKIPPED else GUTTER
    if kind == CHROME:
        return 0 if tag in _NEVER_SKIPPED or tree.end[node] - node > _MAX_CHROME_NODES else CHROME
    if not kind and tag == "span" and "data-line" in attributes:
        return LINE
    return kind


def _is_run_link(tree: Tree, node: int) -> bool:
    """Return whether a link is the button that runs or copies an example: rustdoc has one before the code."""
    return tree.end[node] == node + 2 and tree.text[node + 1].strip().lower() in _RUN_LABELS


class CodeText(NamedTuple):
    """The text of a block, and the known language that its header shows, or ""."""

    text: str
    label: str


def read_code(tree: Tree, body: int, *, verbatim: bool = True, break_lines: bool = False) -> CodeText:
    """Return the code below an element.

    Without `verbatim`, whitespace between elements is layout of the source, except in a `pre` and in a line. With
    `break_lines`, only `<br>` ends a line (`code` without `pre`).
    """
    return _CodeReader(tree, body, verbatim=verbatim, break_lines=break_lines).read()


class _OpenLine(NamedTuple):
    """An element that starts and ends lines, while the walk is inside it."""

    end: int
    piece_count: int  # pieces that were there at its start
    is_block: bool
    is_line: bool  # it is a line even if it is empty


class _CodeReader:
    """State of the walk over one block."""

    def __init__(self, tree: Tree, body: int, *, verbatim: bool, break_lines: bool) -> None:
        self.tree = tree
        self.body = body
        self.verbatim_end = tree.end[body] if verbatim else 0
        self.break_lines = break_lines
        self.pieces: list[str] = []
        self.label = ""
        self.is_line_start = True  # nothing but whitespace was written since the last newline
        self.is_end_due = False  # a line ended without a newline
        self.is_end_soft = False  # the line was inline: newlines that follow it are part of the code
        self.numbers: list[tuple[int, int]] = []  # index of a piece at the start of a line, and the number it is
        self.sure_numbers: list[int] = []  # indexes of pieces that cannot be selected: line numbers

    def read(self) -> CodeText:
        tree = self.tree
        tags, ends, attributes, hidden = tree.tag, tree.end, tree.attributes, tree.hidden
        open_lines: list[_OpenLine] = []
        node, stop = self.body + 1, ends[self.body]
        code_end = 0  # end of the last `code` that is one of several lines
        while node < stop:
            while open_lines and node >= open_lines[-1].end:
                self._end_line(open_lines.pop())
            tag = tags[node]
            if tag == TEXT:
                self._add_text(node)
            elif tag == "br":
                self._write_newline()
            else:
                given = attributes[node]
                kind = classify_code_element(tree, node, given)
                if tag == "code" and not kind and tags[tree.parent[node]] == "pre":
                    # WeChat writes a `code` for each line of a `pre`, without a newline between.
                    if node == code_end or (ends[node] < stop and tags[ends[node]] == "code"):
                        kind = LINE
                        code_end = ends[node]
                if tag == "a" and not self.pieces and _is_run_link(tree, node):
                    kind = CHROME
                if kind in (GUTTER, CHROME) or node in hidden:
                    if kind == CHROME and not self.label:
                        self.label = find_label(tree, node, ends[node])
                    node = ends[node]
                    continue
                if tag == "pre" or (kind == LINE and not self.break_lines):
                    self.verbatim_end = max(self.verbatim_end, ends[node])
                is_block = tag in BLOCK_TAGS and tag not in ("td", "th", "tbody", "table")
                if is_block or kind == LINE:
                    # An empty box is an empty line if it is made as a line, or follows another box without a gap.
                    is_line = kind == LINE or tag in _LINE_TAGS or (self.is_end_due and ends[node] == node + 1)
                    self._start_line(is_block)
                    open_lines.append(_OpenLine(ends[node], len(self.pieces), is_block, is_line))
                elif self.is_line_start and ends[node] - node <= _MAX_NUMBER_NODES and given:
                    self._note_number(node, given)
            node += 1
        return CodeText(self._finish(), self.label)

    def _start_line(self, is_block: bool) -> None:
        if self.is_end_due:
            self._write_newline()
        elif is_block and not self._is_at_start():
            is_after_number = self.numbers and self.numbers[-1][0] == len(self.pieces) - 1
            if not is_after_number:
                self._write_newline()

    def _end_line(self, line: _OpenLine) -> None:
        if len(self.pieces) == line.piece_count:
            if not line.is_line:
                return
        elif self.pieces[-1].endswith("\n"):
            return
        self.is_end_due = True
        self.is_end_soft = not line.is_block

    def _is_at_start(self) -> bool:
        return not self.pieces or self.pieces[-1].endswith("\n")

    def _write_newline(self) -> None:
        self.pieces.append("\n")
        self.is_end_due = False
        self.is_line_start = True

    def _add_text(self, node: int) -> None:
        text = self.tree.text[node]
        if self.break_lines:
            if self._is_at_start() and text[0] in "\r\n":
                text = text.lstrip(" \t\r\n")
            text = text.replace("\n", " ")
        text = text.replace("\xa0", " ")
        if not text.isascii():
            text = _INVISIBLE.sub("", text)
        if not text:
            return
        is_blank = text.isspace()
        if is_blank and "\n" in text and self.tree.tag[self.tree.parent[node]] in _TABLE_PARTS:
            return
        if self.is_end_due:
            if is_blank and not self.is_end_soft:
                self._write_newline()
                return
            if text.lstrip(" \t").startswith("\n"):
                self.is_end_due = False
            else:
                self._write_newline()
        if is_blank and "\n" in text and node >= self.verbatim_end:
            return
        self.pieces.append(text)
        self.is_line_start = text.rpartition("\n")[2].strip() == "" and (self.is_line_start or "\n" in text)

    def _note_number(self, node: int, attributes: Attributes) -> None:
        """Remember a small element at the start of a line that holds only a number: it may be the line's number."""
        tree = self.tree
        inner = [at for at in range(node + 1, tree.end[node]) if tree.tag[at] == TEXT]
        if len(inner) != 1 or not _NUMBER_TOKENS.isdisjoint((attributes.get("class") or "").split()):
            return
        match = _NUMBER.fullmatch(tree.text[inner[0]])
        if match is None:
            return
        self.numbers.append((len(self.pieces), int(match[1])))
        if _NOT_SELECTABLE.search(attributes.get("style") or "") or attributes.get("aria-hidden") == "true":
            self.sure_numbers.append(len(self.pieces))

    def _finish(self) -> str:
        pieces = self.pieces
        for index in self._find_line_numbers():
            # The start of the line is empty now, and so is the newline that the number may have ended with.
            pieces[index] = ""
        text = "".join(pieces).rstrip()
        blank = _BLANK_START.match(text)
        return text[blank.end() :] if blank else text

    def _find_line_numbers(self) -> list[int]:
        if self.sure_numbers and len(self.sure_numbers) >= len(self.numbers) / 2:
            return self.sure_numbers
        numbers = self.numbers
        if len(numbers) < _MIN_NUMBERED_LINES or len(numbers) <= "".join(self.pieces).strip("\n").count("\n"):
            return []
        first = numbers[0][1]
        if any(number != first + index for index, (_, number) in enumerate(numbers)):
            return []
        self._drop_separators([index for index, _ in numbers])
        return [index for index, _ in numbers]

    def _drop_separators(self, indexes: list[int]) -> None:
        """Remove the space between each number and its line, if all lines have one."""
        pieces = self.pieces
        after = [index + 1 for index in indexes if index + 1 < len(pieces)]
        if all(pieces[index].startswith((" ", "\n")) for index in after):
            for index in after:
                pieces[index] = pieces[index].removeprefix(" ")


def find_label(tree: Tree, first: int, stop: int) -> str:
    """Return the known language that one of the short texts of a header names, or ""."""
    for node in range(first + 1, min(stop, first + _MAX_CHROME_NODES)):
        if tree.tag[node] == TEXT and tree.tag[tree.parent[node]] not in SKIPPED_TAGS:
            text = tree.text[node].strip()
            if text and len(text) <= _MAX_LABEL_CHARS and (language := find_known_language(text)):
                return language
    return ""
