"""Deep or long pages: the finders take linear time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.hostile.work import count_lines

from duramen.dom.tree import TEXT, Tree
from duramen.structure.callouts import find_callouts
from duramen.structure.code import find_code_blocks
from duramen.structure.code_runs import find_code_runs
from duramen.structure.headings import find_heading_marks
from duramen.structure.notes import find_notes

FINDERS = [find_code_blocks, find_code_runs, find_notes, find_callouts, find_heading_marks]
SMALL, GROWTH = 250, 4
MOST_GROWTH = 1.5 * GROWTH
"""A quadratic loop would grow by GROWTH²."""


def nest(tag: str, attributes: dict[str, str | None], depth: int, *, words: bool = True) -> Tree:
    """Elements in each other, deeper than a parser makes them, with a word in each or one in the innermost."""
    tags, parents, texts, given = ["html", "body"], [-1, 0], ["", ""], [{}, {}]
    inner = 1
    for level in range(depth):
        tags.append(tag)
        parents.append(inner)
        texts.append("")
        given.append({name: (value or "").format(level) for name, value in attributes.items()})
        inner = len(tags) - 1
        if words or level == depth - 1:
            tags.append(TEXT)
            parents.append(inner)
            texts.append("a\n")
            given.append({})
    ends = [node + 1 if name == TEXT else len(tags) for node, name in enumerate(tags)]
    return Tree(tags, parents, ends, texts, given)


PAGES: dict[str, Callable[[int], Tree]] = {
    "nested pre": lambda n: nest("pre", {}, n),
    "nested pre without text": lambda n: nest("pre", {}, n, words=False),
    "nested code": lambda n: nest("code", {"class": "block"}, n),
    "nested wrappers": lambda n: nest("div", {"class": "highlight"}, n),
    "nested editors": lambda n: nest("div", {"class": "CodeMirror"}, n),
    "nested callouts": lambda n: nest("div", {"class": "admonition note"}, n),
    "nested alerts": lambda n: nest("div", {"class": "alert alert-info"}, n),
    "nested headings": lambda n: nest("h2", {"class": "anchor"}, n),
    "nested targets": lambda n: Tree.parse(
        "<p>" + "".join(f"<sup><a href=#fn{i}>1</a></sup>" for i in range(n)) + "</p>" + "<div id=fn1>" * 400
    ),
    "pre in one wrapper": lambda n: Tree.parse("<div class=highlight>" + "<pre>x</pre>" * n),
    "gutters": lambda n: Tree.parse("<table><tr>" + "<td class=gutter><pre>1</pre></td>" * n),
    "lines": lambda n: Tree.parse("<pre>" + "<div class=line>x</div>" * n),
    "numbers": lambda n: Tree.parse("<pre>" + "".join(f"<span class=n>{i}</span>\n" for i in range(n))),
    "code paragraphs": lambda n: Tree.parse("<p><code>a b</code></p>" * n),
    "superscripts": lambda n: Tree.parse("<p>" + "x<sup>2</sup>" * n),
    "references to one note": lambda n: Tree.parse(
        "<p>" + "<sup><a href=#fn1>1</a></sup>" * n + "</p><ol class=footnotes><li id=fn1>Note.</ol>"
    ),
    "notes": lambda n: Tree.parse(
        "<p>" + "".join(f"<sup id=r{i}><a href=#fn{i}>1</a></sup>" for i in range(n)) + "</p><ol class=footnotes>"
        + "".join(f"<li id=fn{i}>Note. <a href=#r{i}>↩</a></li>" for i in range(n))
    ),
    "anchors in one paragraph": lambda n: Tree.parse(
        "<p>" + "".join(f"<sup><a href=#fn{i}>1</a></sup>" for i in range(n)) + "</p><p>"
        + "".join(f"<a name=fn{i}></a>x<br>" for i in range(n))
    ),
    "alerts": lambda n: Tree.parse('<div class="alert alert-info">a b c</div><p>one two three four five</p>' * n),
}  # fmt: skip


def measure(page: Callable[[int], Tree], size: int) -> int:
    """The lines of Python that all finders run on a page."""
    tree = page(size)
    return count_lines(lambda: [find(tree) for find in FINDERS])  # type: ignore[operator]


@pytest.mark.parametrize("name", PAGES)
def test_work_grows_with_the_size_of_the_page(name: str) -> None:
    page = PAGES[name]
    measure(page, 10)  # what is cached between pages is so for both
    assert measure(page, SMALL * GROWTH) < MOST_GROWTH * measure(page, SMALL) + 2_000


def test_a_hundred_thousand_references_to_one_note() -> None:
    notes = find_notes(PAGES["references to one note"](100_000))
    assert len(notes.references) == 100_000
    assert len(notes.notes) == 1


def test_nested_pre_are_one_block() -> None:
    assert len(find_code_blocks(PAGES["nested pre"](100_000))) == 1
