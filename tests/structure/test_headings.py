"""Marks in headings: permalinks and links to edit."""

from __future__ import annotations

import pytest

from duramen.dom.tree import Tree
from duramen.structure.headings import find_heading_marks

MARKS = [
    '<h2 id="x">Title<a class="headerlink" href="#x" title="Link to this heading">¶</a></h2>',
    '<h2 id="x">Title<a class="hash-link" href="#x" aria-label="Direct link to Title">\u200b</a></h2>',
    '<h2 id="x">Title <a class="header-anchor" href="#x">#</a></h2>',
    '<h2 id="x"><a class="anchor" href="#x"><svg></svg></a>Title</h2>',
    '<h2 id="x">Title<a class="anchorjs-link" href="#x"></a></h2>',
    '<h2 id="x">Title <a href="#x">🔗</a></h2>',
    '<h2 id="x">Title <a href="#x">#</a></h2>',
    '<h2 id="x">Title <a class="heading-anchor" href="#x"><span class="sr-only">Link to this heading</span></a></h2>',
    '<h2 id="x">Title <a class="permalink" href="#x">Permalink</a></h2>',
    '<h2 id="x">Title <a class="anchor" href="#x">Permalink to “Title”</a></h2>',
    '<div class="markdown-heading"><h2>Title</h2><a class="anchor" href="#x"><svg></svg></a></div>',
    '<h2>Title <span class="mw-editsection">[<a href="/w/?action=edit">edit</a>]</span></h2>',
    '<div class="mw-heading"><h2>Title</h2><span class="mw-editsection">[<a href="/w/">edit source</a>]</span></div>',
    '<h2>Title <button class="copy-link">🔗</button></h2>',
]


def read(tree: Tree) -> str:
    marks = find_heading_marks(tree)
    assert marks
    pieces, node = [], 0
    while node < len(tree):
        if node in marks:
            node = tree.end[node]
            continue
        pieces.append(tree.text[node])
        node += 1
    return "".join(pieces).strip()


@pytest.mark.parametrize("html", MARKS)
def test_marks_are_found(html: str) -> None:
    assert read(Tree.parse(html)) == "Title"


@pytest.mark.parametrize(
    "html",
    [
        '<h2><a class="anchor" href="#x">Title</a></h2>',
        '<h2>1. <a href="https://e.com/items/4#notes">Item</a></h2>',
        '<h2><a href="/tags/python">#python</a></h2>',
        '<h2><a href="/issue">Link containers</a></h2>',
        '<h2>fn <a class="primitive" href="unit.html">()</a></h2>',
        '<h3><button>Is it open on Sunday?</button></h3>',
        '<p><a href="#x">#</a></p><h2>Title</h2>',
        '<h2><a href="/"><img src="logo.png" alt="Logo"></a></h2>',
        '<p><a class="anchor" href="#x">¶</a></p>',
    ],
)  # fmt: skip
def test_words_are_no_marks(html: str) -> None:
    assert find_heading_marks(Tree.parse(html)) == set()
