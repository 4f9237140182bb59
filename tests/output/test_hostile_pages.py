"""Deep or long pages: every output writes them in linear time."""

from __future__ import annotations

import time
from functools import cache
from xml.etree import ElementTree

import pytest
from tests.hostile.work import count_lines
from tests.output.made_pages import EVERYTHING, body, page

from duramen.dom.tree import TEXT, Tree
from duramen.output import write_html, write_markdown, write_text, write_xml

WRITERS = [write_text, write_markdown, write_html, write_xml]
DEEP = 100_000


@cache
def nested(tags: tuple[str, ...], depth: int, *, words: bool) -> Tree:
    """Elements in each other, with a word in each or one in the innermost."""
    tag, parent, text = ["html", "body"], [-1, 0], ["", ""]
    inner = 1
    for level in range(depth):
        tag.append(tags[level % len(tags)])
        parent.append(inner)
        text.append("")
        inner = len(tag) - 1
        if words or level == depth - 1:
            tag.append(TEXT)
            parent.append(inner)
            text.append(f"w{level} ")
    end = [node + 1 if name == TEXT else len(tag) for node, name in enumerate(tag)]
    return Tree(tag, parent, end, text, [{}] * len(tag))


NESTS = [
    ["div"], ["span"], ["b", "i"], ["b", "div"], ["ul", "li"], ["ol", "li"], ["ul"], ["li"],
    ["blockquote"], ["q"], ["pre", "div"], ["dl", "dd"], ["table", "tr", "td"],
    ["figure", "figcaption"], ["h1"], ["span", "hr"], ["ul", "li", "table", "tr", "td"],
]  # fmt: skip


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("tags", NESTS, ids="-".join)
def test_every_nesting_is_written(tags: list[str], write) -> None:  # type: ignore[no-untyped-def]
    tree = nested(tuple(tags), 1_000, words=True)
    written = write(tree, body(tree), EVERYTHING)
    assert "w0" in written
    assert "w999" in written
    assert len(written) < 200 * len(tree)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("tags", [["div"], ["b"], ["ul", "li"], ["blockquote"], ["table", "tr", "td"]], ids="-".join)
def test_a_hundred_thousand_levels_are_written(tags: list[str], write) -> None:  # type: ignore[no-untyped-def]
    tree = nested(tuple(tags), DEEP, words=False)
    assert f"w{DEEP - 1}" in write(tree, body(tree), EVERYTHING)


def test_deep_xml_can_be_parsed() -> None:
    tree = nested(("ul", "li"), 10_000, words=True)
    assert "w9999" in "".join(ElementTree.fromstring(write_xml(tree, body(tree))).itertext())


LONG = {
    "marks": "<p>" + "<b>a</b><i>.</i>b " * 2_000,
    "stars": "<p>" + "*" * 50_000,
    "brackets": "<p>" + "[](" * 20_000,
    "spaces in pre": "<pre>a" + " " * 50_000 + "b",
    "lines in pre": "<pre>a" + " \n" * 20_000 + "b",
    "items": "<ol reversed>" + "<li>a" * 5_000,
    "stray items": "<div>" + "<li>a" * 5_000,
    "breaks": "<p>" + "a<br>" * 5_000,
    "cells": "<table>" + "<tr><td>a<td>b" * 3_000,
    "spans": "<table>" + "<tr><td colspan=1000>a<td rowspan=60000>b" * 2_000,
    "wide": "<table><tr>" + "<td>a" * 5_000,
}


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("html", LONG.values(), ids=LONG)
def test_long_pages_are_written_in_time(html: str, write) -> None:  # type: ignore[no-untyped-def]
    tree = page(html)
    start = time.process_time()
    assert write(tree, body(tree), EVERYTHING)
    assert time.process_time() - start < 5  # far more than it takes, far less than a loop in a loop would


@pytest.mark.parametrize("write", WRITERS)
def test_every_text_node_may_be_a_span(write) -> None:  # type: ignore[no-untyped-def]
    tree = page("<ul>" + "<li><p>a <b>b</b></p>" * 2_000)
    spans = [range(node, node + 1) for node in range(len(tree)) if tree.tag[node] == TEXT]
    assert write(tree, spans).count("b") >= 2_000


def make_chained_notes(count: int) -> Tree:
    """Notes each of which refers to the next: the writer learns of each only from the one before."""
    notes = "".join(
        f'<p id="n{n}" class="footnote">N{n}<sup><a href="#n{n + 1}">{n + 1}</a></sup></p>' for n in range(count)
    )
    return page(f'<p>Text<sup><a href="#n0">0</a></sup></p>{notes}<p id="n{count}" class="footnote">End.</p>')


HOSTILE_PAGES = {
    "subscripts": lambda n: page("<p>" + "x<sub>1</sub>" * n + "</p>"),
    "images": lambda n: page("".join(f"<p>a b</p><figure><img src=/{i}.png><figcaption>c</figcaption></figure>"
                                     for i in range(n))),
    "cells": lambda n: page("<table>" + "<tr><th>a<td>b<td>c<td>d" * (n // 4) + "</table>"),
    "spans": lambda n: page("<table>" + "<tr><td rowspan=1000 colspan=1000>a<td>b" * (n // 16) + "</table>"),
    "notes": make_chained_notes,
    "plain notes": lambda n: page("<p>Text<sup>1</sup></p>" * n + "<hr><p><sup>1</sup> Note.</p>" * n),
    "formulas": lambda n: page(r"<p>a \(\frac{x}{y}\) b</p>" * n),
}  # fmt: skip


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("name", HOSTILE_PAGES)
def test_work_grows_with_the_number_of_structures(name: str, write) -> None:  # type: ignore[no-untyped-def]
    def count(size: int) -> int:
        tree = HOSTILE_PAGES[name](size)
        return count_lines(lambda: write(tree, body(tree), EVERYTHING))

    count(10)  # what is cached between pages is so for both
    assert count(2_000) < 6 * count(500) + 2_000
