"""One XPath for the same element on several pages, in duramen and in lxml."""

from __future__ import annotations

from time import process_time

import pytest
from lxml import html as lxml_html
from tests.wrappers.sample_site import html, site

from duramen import xpath
from duramen.dom.tree import Tree
from duramen.wrappers import learn
from duramen.wrappers.selectors import SEARCH_ENDED_NOTE, find_shared_xpath


def places(*sources: str) -> list[tuple[Tree, int]]:
    """The element of each page that holds the text "here"."""
    trees = [Tree.parse(source) for source in sources]
    return [(tree, tree.parent[tree.text.index("here")]) for tree in trees]


@pytest.mark.parametrize(
    ("sources", "wanted"),
    [
        (["<div id=a>here</div><div>no", "<div>no</div><div id=a>here"], "//div[@id='a']"),
        (["<div id=post-1>here</div><div>no", "<div id=post-29>here</div><div>no"], "//div[starts-with(@id, 'post-')]"),
        (["<div class='x y'>here</div><div class=x>no"], f"//div[{xpath.make_class_test('y')}]"),
        (["<main>here</main>", "<p>no</p><main>here"], "//main"),
        (
            ["<div class=x><p>here</p></div><p>no", "<p>no</p><div class=x><p>here"],
            f"//div[{xpath.make_class_test('x')}]/p",
        ),
        (["<table id=t><tr><td>no<td>here</table>"] * 2, "//table[@id='t']//tr/td[2]"),
    ],
)
def test_names_are_tried_first_and_positions_last(sources: list[str], wanted: str) -> None:
    found = places(*sources)
    expression = find_shared_xpath(found)
    assert all(xpath.select(tree, expression) == [node] for tree, node in found)
    assert expression == wanted


def test_elements_with_different_tags_give_a_union() -> None:
    found = places("<div id=a>here</div>", "<section id=b>here</section>")
    assert find_shared_xpath(found) == "//div[@id='a'] | //section[@id='b']"


def test_elements_with_nothing_in_common_are_selected_by_a_union() -> None:
    found = places("<div><p>no</p><p>here</p></div>", "<p>here</p><div><p>no</div>")
    expression = find_shared_xpath(found)
    assert all(node in xpath.select(tree, expression) for tree, node in found)


def test_generated_ids_are_not_used() -> None:
    found = places("<div id=u8f3a91c class=story>here</div><div>", "<div id=u8f3a91c class=story>here</div>")
    assert "u8f3a91c" not in find_shared_xpath(found)


def test_a_learned_xpath_selects_the_same_element_in_lxml() -> None:
    wrapper = learn(site(4))
    found = lxml_html.fromstring(html(5)).xpath(wrapper.xpath)
    assert [element.get("id") for element in found] == ["main"]


def test_the_search_on_pages_with_hundreds_of_named_levels_ends_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    select = xpath.select
    monkeypatch.setattr(
        xpath, "select", lambda tree, expression, *at: tried.append(expression) or select(tree, expression, *at)
    )
    levels = "".join(f"<div class='level named{number % 7} box'>" for number in range(300))
    trees = [Tree.parse(f"{levels}<p>a<p>{end}" + "<p class=c>d" * 2_000) for end in ("b", "c")]
    elements = [(tree, tree.find_all("p")[1]) for tree in trees]
    notes: list[str] = []
    expression = find_shared_xpath(elements, notes)
    assert [select(tree, expression) for tree in trees] == [[node] for _, node in elements]
    assert notes == [SEARCH_ENDED_NOTE]
    whole_page = [one for one in tried if "//" in one]
    assert len(whole_page) < 1_000


def test_a_path_through_hundreds_of_tables_has_no_open_steps() -> None:
    nested = [Tree.parse("<table><tr><td>" * 300 + f"<p>oak {number}<i>b</i>") for number in range(2)]
    expression = find_shared_xpath([(tree, tree.find_all("p")[0]) for tree in nested])
    assert expression.count("//") < 20
    plain = [Tree.parse(f"<table><tr><td>oak {number}<td><i>b<b>c</b></i><b>d</b></table>") for number in range(2)]
    assert "tbody" not in find_shared_xpath([(tree, tree.find_all("td")[1]) for tree in plain])


def test_elements_with_many_classes_take_linear_time() -> None:
    source = f"<div class='{' '.join(f'post-c{n}' for n in range(60_000))}'><p>Oak</p></div><div>x</div>"
    tree = Tree.parse(source)
    node = tree.find_all("div")[0]
    start = process_time()
    assert find_shared_xpath([(tree, node), (tree, node)])
    assert process_time() - start < 10  # more than half a minute when each class was searched in a list
