"""On well-formed pages an expression selects what lxml selects."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from duramen.dom.tree import TEXT, Tree
from duramen.xpath import (
    Index,
    make_class_test,
    make_portable_xpath,
    make_positional_xpath,
    quote_literal,
    select,
    select_strings,
)

etree = pytest.importorskip("lxml.etree")
lxml_html = pytest.importorskip("lxml.html")

TAGS = ["div", "section", "span", "em"]  # these nest in each other in HTML, too
NAMES = ["id", "class", "data-n"]
# No "1e3": libxml2 takes it for a number, XPath 1.0 and browsers do not.
VALUES = [
    "",
    "a",
    "b",
    "a b",
    " a  b",
    "ab",
    "b\na",
    "a\tb",
    "\u00a0a",
    "it's",
    '"a"',
    "'\"",
    "1",
    " 2 ",
    "2.0",
    "-3",
    "x1",
]

escape = str.maketrans({"&": "&amp;", "<": "&lt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;"})

texts = st.text(alphabet="xyz é ", min_size=1, max_size=3)
attributes = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VALUES), max_size=2)


def element(tag: str, own: dict[str, str], inner: list[str]) -> str:
    written = "".join(f' {name}="{value.translate(escape)}"' for name, value in own.items())
    return f"<{tag}{written}>{''.join(inner)}</{tag}>"


elements = st.recursive(
    st.builds(element, st.sampled_from(TAGS), attributes, st.lists(texts, max_size=1)),
    lambda inner: st.builds(element, st.sampled_from(TAGS), attributes, st.lists(inner | texts, max_size=4)),
    max_leaves=14,
)


@st.composite
def pages(draw: st.DrawFn) -> str:
    inner = "".join(draw(st.lists(elements, min_size=1, max_size=3)))
    return f"<html><head><title>t</title></head><body>{inner}</body></html>"


attribute = st.sampled_from(NAMES).map("@{}".format)
nodes = st.sampled_from([".", "preceding-sibling::div[1]", "preceding-sibling::span[1]"])
below = st.sampled_from(["div", "*", "div/span", "em[1]", "*/*[@id]", "span/text()"])
literals = st.sampled_from(VALUES).map(quote_literal)
numbers = st.sampled_from(["0", "1", "2", "3", "2.5", "position()", "last()", "count(ancestor::*)"])
written_strings = st.recursive(
    literals | attribute | nodes,
    lambda inner: st.builds("concat({}, {})".format, inner, inner) | st.builds("normalize-space({})".format, inner),
    max_leaves=3,
)
signs = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
conditions = st.recursive(
    st.one_of(
        attribute,
        nodes,
        below.map("not({})".format),
        numbers,
        written_strings,
        st.sampled_from(["a", "b", "ab", "x1"]).map(make_class_test),
        st.builds("contains({}, {})".format, written_strings, written_strings),
        st.builds("starts-with({}, {})".format, written_strings, written_strings),
        st.builds("{} {} {}".format, written_strings | numbers, signs, written_strings | numbers),
    ),
    lambda inner: st.one_of(
        st.builds("not({})".format, inner),
        st.builds("({})".format, inner),
        st.builds("{} and {}".format, inner, inner),
        st.builds("{} or {}".format, inner, inner),
        st.builds("({}) {} ({})".format, inner, signs, inner),
    ),
    max_leaves=4,
)
steps = st.builds(
    "{}{}".format,
    st.sampled_from([*TAGS, "*", "*", "text()", "body", "html"]),
    st.lists(conditions.map("[{}]".format), max_size=2).map("".join),
)


@st.composite
def paths(draw: st.DrawFn) -> str:
    start = draw(st.sampled_from(["/", "//", "//", ".//", "./", "", "/html/body/"]))
    node_steps = [draw(steps) for _ in range(draw(st.integers(1, 3)))]
    slashes = [draw(st.sampled_from(["/", "//"])) for _ in node_steps[1:]]
    return start + node_steps[0] + "".join(slash + step for slash, step in zip(slashes, node_steps[1:], strict=True))


@st.composite
def expressions(draw: st.DrawFn) -> str:
    return " | ".join(draw(st.lists(paths(), min_size=1, max_size=2)))


@st.composite
def attribute_paths(draw: st.DrawFn) -> str:
    path = draw(paths()) + draw(st.sampled_from(["/", "//"]))
    return draw(st.sampled_from([path, "/", "//", ".//", "./", ""])) + draw(attribute)


PARSERS = [etree.fromstring, lambda page: lxml_html.document_fromstring(page)]


def key(found: Any) -> object:
    """What tells a node of lxml's from all others: an element, or an element and which side of it a text is on."""
    return (found.getparent(), found.is_tail) if isinstance(found, str) else found


def numbers(document: Any) -> dict[object, int]:
    """The nodes of lxml's document, numbered as in our tree."""
    return {key(node): number for number, node in enumerate(document.xpath("//* | //text()"))}


@pytest.mark.parametrize("parse", PARSERS, ids=["etree", "html"])
@settings(max_examples=250, deadline=None)
@given(page=pages(), expression=expressions(), data=st.data())
def test_the_same_nodes_are_selected(parse: Any, page: str, expression: str, data: st.DataObject) -> None:
    tree, document = Tree.parse(page), parse(page)
    number = numbers(document)
    assert len(number) == len(tree)
    context = data.draw(st.sampled_from([node for node in number if not isinstance(node, tuple)]))
    wanted = [number[key(found)] for found in context.xpath(expression)]
    assert select(tree, expression, number[context]) == wanted
    index = Index(tree, min_nodes=0)
    for _ in range(2):  # looked up, and then known
        assert index.select(expression, number[context]) == wanted


@settings(max_examples=150, deadline=None)
@given(page=pages(), expression=attribute_paths())
@example(page='<html><head></head><body id="a"><div id="b">t</div></body></html>', expression="//@id")
def test_the_same_strings_are_selected(page: str, expression: str) -> None:
    assert select_strings(Tree.parse(page), expression) == etree.fromstring(page).xpath(expression)


@settings(max_examples=100, deadline=None)
@given(page=pages())
def test_an_expression_for_a_node_selects_only_that_node(page: str) -> None:
    tree, document = Tree.parse(page), etree.fromstring(page)
    number = numbers(document)
    for node in range(len(tree)):
        for write in (make_portable_xpath, make_positional_xpath):
            expression = write(tree, node)
            assert select(tree, expression) == [node]
            assert [number[key(found)] for found in document.xpath(expression)] == [node]


def test_text_nodes_are_numbered_as_in_the_tree() -> None:
    page = "<html><head></head><body>a<div>b</div>c</body></html>"
    tree = Tree.parse(page)
    texts = [found for found in etree.fromstring(page).xpath("//* | //text()") if isinstance(found, str)]
    assert texts == [tree.text[node] for node in range(len(tree)) if tree.tag[node] == TEXT]
