"""The structure of whole pages, as the Markdown that was written by hand beside each page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duramen.dom.elements import HEADING_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.structure.callouts import find_callouts
from duramen.structure.code import find_code_blocks, find_code_runs
from duramen.structure.headings import find_heading_marks
from duramen.structure.notes import find_notes

CASES = sorted(path.parent for path in (Path(__file__).parents[1] / "pages" / "structure").glob("*/page.html"))
FENCE = re.compile(r"^```(\w*[+#]*)\n((?:.*\n)*?)```$", re.MULTILINE)
NOTE = re.compile(r"^\[\^([^\]]+)\]: (.*(?:\n\n? {4}.*)*)", re.MULTILINE)
CALLOUT = re.compile(r"^> \[!([A-Z]+)\] ?(.*)$", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)


def words(text: str) -> str:
    """The text without marks of emphasis, its whitespace collapsed."""
    return " ".join(re.sub(r"[*_`]", "", text).split())


def read(tree: Tree, span: range, left_out: set[int] = set()) -> str:  # noqa: B006
    """The words of a range of nodes; blocks do not join words."""
    pieces = []
    node = span.start
    while node < span.stop:
        if node in left_out:
            node = tree.end[node]
            continue
        pieces.append(tree.text[node] if tree.tag[node] == TEXT else " " if tree.tag[node] == "p" else "")
        node += 1
    return words("".join(pieces))


@pytest.fixture(params=CASES, ids=lambda path: path.name)
def case(request: pytest.FixtureRequest) -> tuple[Tree, str]:
    folder: Path = request.param
    return Tree.parse((folder / "page.html").read_bytes()), (folder / "expected.md").read_text("utf-8")


def test_there_is_a_page_for_each_generator() -> None:
    assert len(CASES) == 27


def test_code(case: tuple[Tree, str]) -> None:
    tree, markdown = case
    found = [(block.node, block.language, f"{block.text}\n") for block in find_code_blocks(tree).values()]
    found += [(run.first, "", f"{run.text}\n") for run in find_code_runs(tree)]
    assert [block[1:] for block in sorted(found)] == FENCE.findall(markdown)


def test_notes(case: tuple[Tree, str]) -> None:
    tree, markdown = case
    notes = find_notes(tree)
    made = [(note.label, " ".join(read(tree, span) for span in note.spans).strip()) for note in notes.notes]
    assert made == [(label, words(text)) for label, text in NOTE.findall(markdown)]
    running = FENCE.sub("", NOTE.sub("", markdown))
    assert list(notes.references.values()) == re.findall(r"\[\^([^\]]+)\]", running)


def test_callouts(case: tuple[Tree, str]) -> None:
    tree, markdown = case
    made = [(callout.kind.upper(), callout.title) for callout in find_callouts(tree).values()]
    assert made == CALLOUT.findall(FENCE.sub("", markdown))


def test_headings(case: tuple[Tree, str]) -> None:
    tree, markdown = case
    marks = find_heading_marks(tree)
    left_out = find_notes(tree).dropped | marks
    headings = [
        read(tree, range(node, tree.end[node]), marks)
        for node in range(len(tree))
        if tree.tag[node] in HEADING_TAGS
        and not any(ancestor in left_out for ancestor in (node, *tree.ancestors(node)))
    ]
    assert headings == list(map(words, HEADING.findall(FENCE.sub("", markdown))))


def test_words_that_stay_are_those_of_the_markdown(case: tuple[Tree, str]) -> None:
    """What is left of the article without code, notes, titles and marks has no word that the Markdown has not."""
    tree, markdown = case
    notes, callouts = find_notes(tree), find_callouts(tree)
    left_out = {*find_code_blocks(tree), *notes.references, *notes.dropped, *find_heading_marks(tree)}
    left_out.update(callout.title_node for callout in callouts.values())
    article = tree.find_all("article")[0]
    left = read(tree, range(article, tree.end[article]), left_out)
    expected = words(re.sub(r"\[\^[^\]]+\]:?", "", markdown))
    allowed = {"PowerShellCopy"}  # the header beside the code is no part of the block on Microsoft Learn
    assert set(left.split()) - set(expected.split()) <= allowed
