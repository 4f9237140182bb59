"""Positional expressions select the node they were made of: lxml agrees."""

from __future__ import annotations

import pytest

from duramen.tree import TEXT, Tree
from duramen.xpath import positional


def test_positions_count_siblings_of_the_same_tag() -> None:
    tree = Tree.parse("<div>a</div><p>b</p><div>c<b>d</b>e</div>")
    assert positional(tree, 0) == "/html[1]"
    assert [positional(tree, node) for node in range(len(tree)) if tree.tag[node] in ("div", "b")] == [
        "/html[1]/body[1]/div[1]",
        "/html[1]/body[1]/div[2]",
        "/html[1]/body[1]/div[2]/b[1]",
    ]
    assert positional(tree, len(tree) - 1) == "/html[1]/body[1]/div[2]/text()[2]"


def test_every_node_of_a_page_has_its_own_expression() -> None:
    html = "<html><head><title>t</title></head><body><ul><li>1</li><li>2<i>x</i></li></ul><p>y</p>z</body></html>"
    tree = Tree.parse(html)
    etree = pytest.importorskip("lxml.etree")
    document = etree.fromstring(html)
    for node in range(len(tree)):
        (found,) = document.xpath(positional(tree, node))
        assert found == tree.text[node] if tree.tag[node] == TEXT else found.tag == tree.tag[node]
