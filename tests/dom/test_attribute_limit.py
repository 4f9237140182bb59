"""Pages with very many attributes or names: they are parsed in linear time, and others are not changed."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import duramen
from duramen.dom import attribute_limit, lexbor, tag_scanner
from duramen.dom.attribute_limit import MAX_ATTRIBUTES, MAX_NAMES, NOTE, limit_attributes
from duramen.dom.tree import Tree


def count_most_attributes(tree: Tree) -> int:
    return max(len(attributes) for attributes in tree.attributes)


MANY = " ".join(f"a{number}='>'" for number in range(10 * MAX_ATTRIBUTES))
TAGS = {
    "tag": f"<p {MANY}>text",
    "slashes": "<p/" + "/".join(f"a{number}" for number in range(10 * MAX_ATTRIBUTES)) + ">text",
    "no space": "<p a=''" + "".join(f"a{number}=''" for number in range(10 * MAX_ATTRIBUTES)) + ">text",
    "end tags": "<p a" + "".join(f"</a{number}" for number in range(10 * MAX_ATTRIBUTES)) + ">text",
    "never closed": f"<p>text<p {MANY}",
    "after a script": f"<script>x<b '</script><p z='>' {MANY}>text",
    "in a drawing": f"<script>x<b '</script><svg><title><p z='>' {MANY}>text</title>",
    "in a comment that is none": f"<!--> <p {MANY}>text",
    "html tags": "".join(f"<html a{number}=1>" for number in range(10 * MAX_ATTRIBUTES)) + "text",
    "body tags": "<body>" + "".join(f"<BODY/a{number}>" for number in range(10 * MAX_ATTRIBUTES)) + "text",
}


@pytest.mark.parametrize("html", TAGS.values(), ids=TAGS)
def test_no_element_has_too_many_attributes(html: str) -> None:
    tree = Tree.parse(html)
    assert count_most_attributes(tree) <= MAX_ATTRIBUTES
    assert "text" in "".join(tree.text)


@pytest.mark.parametrize(
    "of", ["<x{0}>text</x{0}>", "<p a{0}=1>text", "</x{0}>", "</p a{0}>", "<svg><x{0}:a b{0}:c=1 />"]
)
def test_a_page_has_not_too_many_names(of: str) -> None:
    html = "text" + "".join(of.format(number) for number in range(MAX_NAMES + 5_000))
    tree = Tree.parse(html)
    names = {name for attributes in tree.attributes for name in attributes}
    assert len(set(tree.tag)) <= MAX_NAMES + 10
    assert len(names) <= MAX_NAMES
    assert "text" in "".join(tree.text)
    limited = limit_attributes(html.encode())
    assert limit_attributes(limited) == limited


def test_other_pages_are_not_changed() -> None:
    attributes = " ".join(f"a{number}='<b c=d>'" for number in range(MAX_ATTRIBUTES))
    html = f"<p {attributes}>{'<i class=x>text</i>' * 5_000}<script>{'if (a<b) c = d > e;' * 2_000}</script>".encode()
    assert limit_attributes(html) is html
    assert count_most_attributes(Tree.parse(html)) == MAX_ATTRIBUTES


PIECES = ["<", ">", "=", '"', "'", " ", "/", "a", "<a", "</b", "<html ", "<body/", "x y=z", "\n", "\v", "!", "<hTml\t"]


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.integers(0, 5))
@example('<hTml\t<body/\n<body/<<html !<a  =<a>==<!<<aa<a" <body/</b', 0)
def test_the_scan_sees_all_attributes_of_the_parser(html: str, limit: int) -> None:
    data = html.encode()
    closings, _, _ = scanned = lexbor.scan_attributes(data, limit)
    assert scanned == tag_scanner.scan_attributes(data, limit)
    limited = attribute_limit._insert(data, [(position, b">") for position in closings])
    assert count_most_attributes(Tree.parse(limited)) <= limit


@pytest.mark.parametrize("method", ["auto", "econ", "region"])
def test_a_result_says_that_attributes_were_left_out(method: str) -> None:
    article = "<p>Oaks grow slowly, and their wood is hard, so that tables of oak last.</p>" * 9
    assert NOTE in duramen.extract(TAGS["tag"] + article, method=method).reason
    assert NOTE not in duramen.extract("<p>text" + article, method=method).reason


def test_a_table_and_a_record_say_that_attributes_were_left_out() -> None:
    table = duramen.records(
        TAGS["tag"] + "<ul>" + "".join(f"<li><b>Oak {n}</b> <i>{n} €</i>" for n in range(9)) + "</ul>"
    )
    assert NOTE in table.reason
    assert NOTE in duramen.record(TAGS["tag"] + "<h1>Oak</h1><dl><dt>Age<dd>9<dt>Price<dd>$2</dl>").note


def test_a_changed_script_is_no_loss() -> None:
    page = duramen.Page.parse(f"<script>x<b {MANY.replace('>', '')}</script>" + "<p>Oak.</p>" * 9)
    assert limit_attributes(page.html.encode()) != page.html.encode()
    assert page.note == ""


def test_a_page_with_too_many_names_has_a_note() -> None:
    assert duramen.Page.parse("".join(f"<br a{number}>" for number in range(MAX_NAMES + 1))).note == NOTE
