"""Kinds of values."""

from __future__ import annotations

import pytest

from duramen.data_records.values import element_text, kind_of_values
from duramen.dom.tree import Tree


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["$1.50", "20 €", "1.299,00 EUR"], "price"),
        (["2024-01-31", "3 May 2020", "Dec 11, 2002", "2 days ago"], "date"),
        (["12", "1,024", "#3", "(41)", "4.5"], "number"),
        (["oak", "12 chairs of oak", "beech"], "text"),
        ([], "text"),
    ],
)
def test_the_kind_of_most_values_is_found(values: list[str], kind: str) -> None:
    assert kind_of_values(values) == kind


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div><ul><li>Oak</li><li>Elm</li></ul></div>", "Oak\nElm"),
        ("<div><h4>Step 1</h4><section>Saw the wood.</section></div>", "Step 1\nSaw the wood."),
        ("<div>Mail:<b>\n</b>info@example.org<script>1</script></div>", "Mail: info@example.org"),
    ],
)
def test_blocks_of_a_whole_text_are_lines(html: str, text: str) -> None:
    tree = Tree.parse(html)
    assert element_text(tree, tree.tag.index("div"), whole=True) == text


def test_the_own_text_of_an_element_has_its_formatting_and_not_its_fields() -> None:
    tree = Tree.parse("<p>An <b>old</b> oak<br>of <span class='place'>Kent</span></p>")
    assert element_text(tree, tree.tag.index("p")) == "An old oak of"
