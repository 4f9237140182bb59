"""The page as arrays."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.depth_limit import MAX_DEPTH, flatten, may_be_deep
from duramen.dom.tree import TEXT, Tree

PAGE = "<!doctype html><title>T</title><!-- c --><div id=a hidden>one<b>two</b><br></div><p class='x y'>three"


def test_arrays_are_in_document_order() -> None:
    assert Tree.parse(PAGE).tag == ["html", "head", "title", TEXT, "body", "div", TEXT, "b", TEXT, "br", "p", TEXT]


def test_parents_and_ends_agree() -> None:
    tree = Tree.parse(PAGE)
    for node in range(len(tree)):
        below = [other for other in range(len(tree)) if node == other or node in tree.ancestors(other)]
        assert below == list(range(node, tree.end[node]))


def test_depth_counts_from_the_root() -> None:
    assert Tree.parse(PAGE).depth == [0, 1, 2, 3, 1, 2, 3, 3, 4, 3, 2, 3]


def test_only_text_nodes_have_text() -> None:
    assert [text for text in Tree.parse(PAGE).text if text] == ["T", "one", "two", "three"]


def test_attributes_without_a_value_are_none() -> None:
    tree = Tree.parse(PAGE)
    assert tree.attributes[5] == {"id": "a", "hidden": None}
    assert tree.attributes[10] == {"class": "x y"}
    assert tree.attributes[11] == {}
    assert list(tree.attributes)[5:6] == tree.attributes[5:6]


def test_hidden_elements_are_found_by_their_attributes() -> None:
    html = "<div hidden>a</div><p style='color:red'>b</p><p style='display:none'>c</p><p style='Visibility: Hidden'>d"
    tree = Tree.parse(html)
    assert [tree.tag[node] for node in sorted(tree.hidden)] == ["div", "p", "p"]
    assert pickle.loads(pickle.dumps(tree)).hidden == tree.hidden


def test_a_page_that_hides_itself_until_a_script_runs_is_not_hidden() -> None:
    assert not Tree.parse("<html style='visibility:hidden'><body style='display:none'><p>a").hidden
    page = f"<body><div style='visibility:hidden'><h1>a</h1>{'<p>b</p>' * 20}<p hidden>c</p></div><script>d</script>"
    tree = Tree.parse(page)
    assert [tree.text[node + 1] for node in tree.hidden] == ["c"]
    tree = Tree.parse(f"{page}<p>Too much for a mere notice beside it.</p>")
    assert sorted(tree.tag[node] for node in tree.hidden) == ["div", "p"]
    stream = f"<header>Shop</header><div style='display:none'>{'<p>What a script is to put into place.</p>' * 9}</div>"
    assert not Tree.parse(stream).hidden
    assert Tree.parse(f"<main>{'<p>What is there, and seen.</p>' * 3}</main>{stream}").hidden
    assert Tree.parse("<div hidden><p>Please turn your device.</p><p>Or do not.</p></div>").hidden


@pytest.mark.parametrize(
    ("html", "hidden"),
    [
        (
            "<button aria-controls='x a'>Q</button><div id=a hidden>answer</div><div id=b hidden>secret</div>",
            ["secret"],
        ),
        ("<div role=TabPanel style='display:none'>tab<p hidden>secret</p></div>", ["secret"]),
        ("<div hidden>secret<div role=tabpanel hidden>tab</div></div>", ["secret"]),
        ("<nav><button aria-controls=m>Menu</button><div id=m hidden>menu</div></nav>", ["menu"]),
        ("<footer><p>c</p></footer><div role=tabpanel hidden>tab</div>", []),
        ("<aside><main><p>c</p></main><div role=tabpanel hidden>tab</div></aside>", ["tab"]),
        ("<footer><button aria-controls=p>Cookies</button></footer><div id=p hidden>partners</div>", ["partners"]),
        ("<a aria-controls=d>Open</a><div id=d role='modal dialog' hidden>over</div>", ["over"]),
        ("<a aria-controls=d>Open</a><div id=d aria-modal=true hidden>over</div>", ["over"]),
        ("<a aria-controls>Open</a><div id hidden>nothing</div>", ["nothing"]),
    ],
)
def test_elements_that_a_control_opens_are_not_hidden(html: str, hidden: list[str]) -> None:
    tree = Tree.parse(f"<p>Text</p>{html}")
    for each in (tree, pickle.loads(pickle.dumps(tree))):
        assert [each.text[node + 1] for node in sorted(each.hidden)] == hidden


def test_body_is_found_and_else_the_root() -> None:
    assert Tree.parse(PAGE).body == 4
    assert Tree.parse("<frameset><frame></frameset>").body == 0


def test_children_of_a_node() -> None:
    assert list(Tree.parse(PAGE).children(5)) == [6, 7, 9]


@pytest.mark.parametrize(("first", "last", "expected"), [(6, 8, 5), (8, 11, 4), (6, 6, 6), (3, 11, 0), (7, 8, 7)])
def test_common_ancestor(first: int, last: int, expected: int) -> None:
    assert Tree.parse(PAGE).common_ancestor(first, last) == expected


def test_a_tree_survives_pickling_and_copying() -> None:
    tree = Tree.parse(PAGE)
    for twin in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        assert twin.tag == tree.tag
        assert list(twin.attributes) == list(tree.attributes)
        assert type(twin.attributes) is list


def test_an_empty_page_has_its_three_elements() -> None:
    assert Tree.parse("").tag == ["html", "head", "body"]


def test_unknown_elements_keep_their_names() -> None:
    first, second = Tree.parse("<x-one>a</x-one><x-two>b"), Tree.parse("<y-one>a</y-one>")
    assert first.tag[3::2] == ["x-one", "x-two"]
    assert second.tag[3] == "y-one"


def test_template_contents_are_inert() -> None:
    assert TEXT not in Tree.parse("<template><p>hidden</p></template>").tag


def test_half_a_surrogate_becomes_a_replacement_character() -> None:
    tree = Tree.parse("<p>a\ud800b \U0001f333")
    assert tree.text[-1] == "a\ufffdb \U0001f333"


@given(st.text(alphabet=st.sampled_from("<>/abpdiv =\"'!-\0\n"), max_size=200))
def test_any_tag_soup_gives_a_valid_tree(soup: str) -> None:
    tree = Tree.parse(soup)
    assert tree.parent[0] == -1
    assert tree.end[0] == len(tree)
    for node in range(1, len(tree)):
        assert tree.parent[node] < node < tree.end[node] <= tree.end[tree.parent[node]]


HOSTILE = {
    "div": b"<div>" * 100_000 + b"end" + b"</div>" * 100_000,
    "span": b"<span>" * 100_000 + b"end",
    "lists": b"<ul><li>" * 100_000 + b"end",
    "tables": b"<table><tr><td>" * 50_000 + b"end",
    "stray end tags": b"<div></x>" * 100_000 + b"end",
    "ignored end tags": b"<span><div></span>" * 100_000 + b"end",
    "options": b"<optgroup>" * 100_000 + b"end",
    "behind an empty comment": b"<!-->" + b"<div>" * 100_000 + b"end",
    "in a drawing": b"<svg><title>" + b"<div>" * 100_000 + b"end",
    "end tags in comments": b"<div><!--</div>-->" * 100_000 + b"end",
    "end tags in scripts": b"<div><script></div></script>" * 50_000 + b"end",
    "links": b"<a><div>" * 100_000 + b"end",
    "formatting opened anew in every paragraph": b"".join(b"<p><font size=%d>x" % i for i in range(10_000)) + b"end",
    "too few tags to be sure": b"<ul><li>" * 3_000 + b"end</li>" + b"</ul>" * 2_999,
    "many open tags in few bytes": b"".join(b"<p><font size=%d>x" % i for i in range(1_900)) + b"end",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_nesting_is_flattened_and_loses_no_text(html: bytes) -> None:
    tree = Tree.parse(html)
    assert max(tree.depth) < 5 * MAX_DEPTH
    assert tree.text[-1].endswith("end")


@pytest.mark.parametrize("html", [b"<div a='" * 300_000, b"<!--" * 300_000, b"<" * 300_000, b"<script>" * 100_000])
def test_unfinished_markup_is_read_once(html: bytes) -> None:
    assert len(Tree.parse(html)) < 2_000  # less than a node for each 100 tags


def test_flattening_leaves_shallow_pages_alone() -> None:
    html = b"<div><p>a<b>b</b></p><script>'<div>'</script><!-- <div> --></div>" * 6_000
    assert may_be_deep(html)
    assert flatten(html) is html


def test_flattening_drops_the_end_tags_of_dropped_elements() -> None:
    deep = b"<div>" * (MAX_DEPTH + 2) + b"x" + b"</div>" * (MAX_DEPTH + 2) + b"<p>after"
    assert flatten(deep) == b"<div>" * MAX_DEPTH + b"x" + b"</div>" * MAX_DEPTH + b"<p>after"


def test_one_attribute_of_many_elements_equals_that_of_all_attributes() -> None:
    tree = Tree.parse('<link rel=icon href=/a><link REL="Canonical"><link rel><link>')
    links = [node for node, tag in enumerate(tree.tag) if tag == "link"]
    said = [own.get("rel") for own in tree.read_attributes(links)]
    assert tree.attribute_values("rel", links) == said
    assert said[:2] == ["icon", "Canonical"]
