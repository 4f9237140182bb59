"""Find code that was written line by line: consecutive paragraphs or lines of one `code` each are one block."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from duramen.dom.tree import TEXT, Tree
from duramen.structure.code import NO_BLOCK_CODE_IN, ends_line, find_code_blocks, has_text_beside
from duramen.structure.code_text import read_code

_CODE_CHARACTER = re.compile(r"[ =(){};:./\\$<>_-]")
_SURE_CODE = re.compile(r"[=(){};$<>\\]|\S[ ]\S")
_MIN_RUN: Final = 2
_MIN_LOOSE_RUN: Final = 3
"""From so many lines on, half of them have to look like code; in a shorter run, all."""
_MAX_NODES_BETWEEN: Final = 3
_MAX_RUN_NODES: Final = 500


class CodeRun(NamedTuple):
    """Paragraphs or lines of one `code` each, one after another: the nodes from `first` to before `stop`."""

    first: int
    stop: int
    text: str


def find_code_runs(tree: Tree, within: range | None = None) -> list[CodeRun]:
    """Return the runs of paragraphs or lines that hold only one `code` of one line.

    A run has two or more of them.
    """
    codes = tree.find_all("code", within)
    if len(codes) < _MIN_RUN:
        return []
    lines = [line for code in codes if (line := _find_run_line(tree, code)) is not None]
    runs: list[CodeRun] = []
    start = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or not _follows(tree, lines[at - 1], lines[at]):
            run = _make_run(tree, lines[start:at]) if at - start >= _MIN_RUN else None
            if run is not None:
                runs.append(run)
            start = at
    if runs:
        starts = sorted(find_code_blocks(tree))
        runs = [run for run in runs if not _is_in_block(tree, run, starts)]
    return runs


class _RunLine(NamedTuple):
    node: int  # the paragraph, or the `code` itself where `<br>` ends the lines
    code: int


def _find_run_line(tree: Tree, code: int) -> _RunLine | None:
    """Return the paragraph that holds only this `code`, or the `code` if it stands between boxes and breaks."""
    if tree.end[code] - code > _MAX_RUN_NODES or "br" in tree.tag[code : tree.end[code]]:
        return None
    node = code
    parent = tree.parent[code]
    for _level in range(3):
        if tree.tag[parent] in ("p", "div", "span", "font", "b", "strong") and not has_text_beside(tree, node, parent):
            node = parent
            if tree.tag[node] in ("p", "div"):
                return _RunLine(node, code)
            parent = tree.parent[node]
            continue
        break
    is_alone = ends_line(tree, node, -1) and ends_line(tree, node, 1)
    return _RunLine(node, code) if is_alone and tree.tag[tree.parent[node]] not in NO_BLOCK_CODE_IN else None


def _follows(tree: Tree, before: _RunLine, after: _RunLine) -> bool:
    """True if only whitespace and one break stand between two lines of one parent."""
    if tree.parent[before.node] != tree.parent[after.node] or tree.tag[before.node] != tree.tag[after.node]:
        return False
    start, stop = tree.end[before.node], after.node
    if stop - start > _MAX_NODES_BETWEEN:
        return False
    between = tree.tag[start:stop]
    is_broken = tree.tag[before.node] in ("p", "div") or between.count("br") == 1
    return is_broken and all(
        tag == "br" or (tag == TEXT and text.isspace())
        for tag, text in zip(between, tree.text[start:stop], strict=True)
    )


def _make_run(tree: Tree, lines: list[_RunLine]) -> CodeRun | None:
    """Return the run of these lines; None if most of them are single words, as in a list of names."""
    texts = [read_code(tree, line.code).text for line in lines]
    if len(texts) < _MIN_LOOSE_RUN and not all(map(_SURE_CODE.search, texts)):
        return None
    if 2 * sum(_CODE_CHARACTER.search(text) is not None for text in texts) < len(texts):
        return None
    return CodeRun(lines[0].node, tree.end[lines[-1].node], "\n".join(texts))


def _is_in_block(tree: Tree, run: CodeRun, starts: list[int]) -> bool:
    """True if a run is inside a block of code, or holds one."""
    at = bisect_left(starts, run.stop) - 1
    return at >= 0 and (starts[at] >= run.first or run.first < tree.end[starts[at]])
