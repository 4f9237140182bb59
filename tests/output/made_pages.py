"""Generated pages for the tests of the outputs, and helpers that parse what was written."""

from __future__ import annotations

import html

from hypothesis import strategies as st
from markdown_it import MarkdownIt

from duramen.dom.tree import TEXT, Tree
from duramen.output import OutputOptions, write_text

EVERYTHING = OutputOptions(links=True, images=True)

HOSTILE = [
    "*a*", "_a_", "__a__", "**", "*", "_", "1. x", "1) x", "1986. It", "1986.", "# x", "#", "x #",
    "- x", "-", "+ x", "> x", "<div>", "</p>", "<!-- x -->", "<https://example.com>",
    "https://example.com/a_b_c?d=e&f=g", "me@example.com", "&amp;", "&copy;", "&#35;", "|", "a|b",
    "\\|", "`", "``", "`a`", "```", "~~~", "[x](y)", "[x]", "[x]: y", "[ ] x", "![", "![x](y)", "!",
    "]", "](", "[", "~~", "~~a~~", "~", "---", "===", "***", "- - -", "___", ":--", "|--|", "--|--",
    "\\", "a\\", "\\*", "    x", "\tx", "a\tb", "“q”", "中文。", "中文", "€", "€5", "…", "a.", "(a)",
    "snake_case", "2 * 3", "é", "e\u0301", "\u00ada\u200bb", "\u00a0", "\u3000中", "👩‍👩‍👧", "ا\u200cب",
    "+", "=", "$x$", ":", "1", ".", "'", '"', "{", "^a^",
]  # fmt: skip
"""Texts that Markdown or HTML would take for markup, and texts beside which marks are hard to place."""

WORDS = st.one_of(st.sampled_from(HOSTILE), st.text("ab1.*_`~[]()<>&|\\ -#\n!中。€", max_size=6))


def _element(tag: str) -> st.SearchStrategy[str]:
    return INLINE.map(lambda inner: f"<{tag}>{inner}</{tag}>")


INLINE: st.SearchStrategy[str] = st.deferred(
    lambda: st.lists(
        st.one_of(
            WORDS.map(lambda text: html.escape(text, quote=False)),
            WORDS.map(lambda text: html.escape(text, quote=False)),
            st.sampled_from([" ", "\n", "<br>", " <br> ", "<br><br>", "<wbr>", "<img src=x.png alt=y>", "word", " "]),
            st.sampled_from(
                ["b", "i", "em", "strong", "code", "del", "sup", "span", "q", "a href='/x (y)?a=b'"]
            ).flatmap(lambda tag: INLINE.map(lambda inner: f"<{tag}>{inner}</{tag.split()[0]}>")),
        ),
        max_size=4,
    ).map("".join)
)

BLOCKS: st.SearchStrategy[str] = st.deferred(
    lambda: st.lists(
        st.one_of(
            INLINE,
            st.sampled_from(["p", "p", "div", "h1", "h3", "section", "span", "b"]).flatmap(_element),
            WORDS.map(lambda text: f"<pre>\n{html.escape(text)}\n  {html.escape(text)}</pre>"),
            st.just("<hr>"),
            st.sampled_from(["ul", "ol", "ol start=3", "ol reversed", "menu"]).flatmap(_list),
            st.sampled_from(["blockquote", "div", "figure", "article"]).flatmap(_box),
            st.lists(st.tuples(st.sampled_from(["dt", "dd"]), BLOCKS), max_size=3).map(_glossary),
            st.lists(st.lists(_cell(), max_size=3), max_size=3).map(_table),
        ),
        max_size=3,
    ).map("".join)
)


def _box(tag: str) -> st.SearchStrategy[str]:
    return BLOCKS.map(lambda inner: f"<{tag}>{inner}</{tag}>")


def _list(tag: str) -> st.SearchStrategy[str]:
    items = st.lists(st.tuples(st.sampled_from(["li", "li", "li value=7", "div"]), BLOCKS), max_size=3)
    return items.map(
        lambda found: "".join(
            [f"<{tag}>", *(f"<{item}>{inner}</{item.split()[0]}>" for item, inner in found), f"</{tag.split()[0]}>"]
        )
    )


def _glossary(items: list[tuple[str, str]]) -> str:
    return f"<dl>{''.join(f'<{tag}>{inner}</{tag}>' for tag, inner in items)}</dl>"


def _cell() -> st.SearchStrategy[str]:
    # A cell over several rows is not among them: Markdown repeats its words.
    tags = st.sampled_from(["td", "td", "th", "td colspan=2"])
    inner = st.one_of(INLINE, INLINE, _list("ul"), BLOCKS)
    return st.tuples(tags, inner).map(lambda found: f"<{found[0]}>{found[1]}</{found[0].split()[0]}>")


def _table(rows: list[list[str]]) -> str:
    return "<table>" + "".join(f"<tr>{''.join(row)}</tr>" for row in rows) + "</table>"


def page(inner: str) -> Tree:
    return Tree.parse(f"<body>{inner}")


def body(tree: Tree) -> list[range]:
    """All of a page."""
    return [range(tree.body, tree.end[tree.body])]


def text(inner: str) -> str:
    """A page, all of it kept, as text."""
    tree = page(inner)
    return write_text(tree, body(tree))


def kept(tree: Tree, *texts: str) -> list[range]:
    """The spans of the text nodes that are exactly these."""
    return [range(node, node + 1) for node, found in enumerate(tree.text) if tree.tag[node] == TEXT and found in texts]


def rendered(markdown: str) -> Tree:
    """What a reader of Markdown makes of it."""
    return Tree.parse(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown))


def words(tree: Tree) -> list[str]:
    """The text of a whole page, white space aside."""
    return write_text(tree, body(tree)).split()
