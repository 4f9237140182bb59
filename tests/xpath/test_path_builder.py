"""What is written about a node selects that node, and only that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError
from duramen.xpath import (
    looks_stable,
    make_class_test,
    make_portable_xpath,
    make_positional_xpath,
    make_step,
    quote_literal,
    select,
)


def has(token: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {token} ')"


def test_positions_count_siblings_of_the_same_tag() -> None:
    tree = Tree.parse("<div>a</div><p>b</p><div>c<b>d</b>e</div>")
    assert make_positional_xpath(tree, 0) == "/html[1]"
    assert [make_positional_xpath(tree, node) for node in range(len(tree)) if tree.tag[node] in ("div", "b")] == [
        "/html[1]/body[1]/div[1]",
        "/html[1]/body[1]/div[2]",
        "/html[1]/body[1]/div[2]/b[1]",
    ]
    assert make_positional_xpath(tree, len(tree) - 1) == "/html[1]/body[1]/div[2]/text()[2]"


def test_every_node_of_a_page_has_its_own_expression() -> None:
    html = "<html><head><title>t</title></head><body><ul><li>1</li><li>2<i>x</i></li></ul><p>y</p>z</body></html>"
    tree = Tree.parse(html)
    etree = pytest.importorskip("lxml.etree")
    document = etree.fromstring(html)
    for node in range(len(tree)):
        (found,) = document.xpath(make_positional_xpath(tree, node))
        assert found == tree.text[node] if tree.tag[node] == TEXT else found.tag == tree.tag[node]


def test_tags_that_xpath_cannot_name_are_counted_among_all_elements() -> None:
    tree = Tree.parse("<p>a<o:p>b</o:p></p><svg><g><a>c</a></g></svg>")
    assert make_positional_xpath(tree, tree.tag.index("o:p")) == "/html[1]/body[1]/p[1]/*[1]"
    assert make_positional_xpath(tree, tree.tag.index("a")) == "/html[1]/body[1]/*[2]/*[1]/*[1]"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("story", "'story'"),
        ("it's", '"it\'s"'),
        ('the "best"', "'the \"best\"'"),
        ('it\'s "best"', "concat('it', \"'\", 's \"best\"')"),
        ("''\"", "concat(\"''\", '\"')"),
    ],
)
def test_a_literal_is_quoted_by_its_content(value: str, written: str) -> None:
    assert quote_literal(value) == written


@given(st.text(alphabet="a'\" ]", max_size=12))
def test_any_value_survives_being_written(value: str) -> None:
    tree = Tree.parse(f'<div id="{value.replace(chr(34), "&quot;")}">')
    assert select(tree, f"//div[@id={quote_literal(value)}]") == [3]


def test_a_step_by_attributes() -> None:
    assert make_step("div", {"id": "main"}) == "div[@id='main']"
    assert make_step("div", {"role": "main"}, ["story"], 2) == f"div[@role='main' and {has('story')}][2]"
    assert make_step() == "*"


@pytest.mark.parametrize("token", ["", "two words", "tab\there"])
def test_a_value_that_is_not_a_token_is_refused(token: str) -> None:
    with pytest.raises(UsageError, match="not one token"):
        make_class_test(token)


@pytest.mark.parametrize("name", ["o:p", "", "a b", "x']", "1st"])
def test_a_name_that_would_break_the_expression_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="cannot be named"):
        make_step(name)
    with pytest.raises(UsageError, match="cannot be named"):
        make_step("div", {name: "x"})


@pytest.mark.parametrize(
    "value", ["main", "story-body", "col-md-8", "h2", "articleBody", "post_content2", "статья", "3col"]
)
def test_names_written_by_people_look_stable(value: str) -> None:
    assert looks_stable("div", "id", value)


@pytest.mark.parametrize("value", ["post-48151", "css-1dbjc4n", "yui_3_17_2_1", "123", "a" * 80, "--", "u5f2a9c"])
def test_generated_names_do_not_look_stable(value: str) -> None:
    assert not looks_stable("div", "id", value)


PAGE = """<div id=top><a>x</a></div>
<div id=wrap><div class="post hentry"><h1>t</h1><p>1<p class=lead>2<p>3</div>
<div class="post teaser"><p>4</div><div class="teaser">5</div></div>
<div itemprop=articleBody><span>6</span><span>7</span></div>
<div id=post-48151><i>8</i><i>9</i></div><main><b>10</b><b>11</b></main>"""


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("x", "//a"),
        ("t", "//h1"),
        ("1", f"//div[{has('hentry')}]/p[1]"),
        ("2", f"//p[{has('lead')}]"),
        ("5", "//div[@id='wrap']/div[3]"),
        ("7", "//div[@itemprop='articleBody']/span[2]"),
        ("8", "/html/body/div[4]/i[1]"),
        ("11", "//main/b[2]"),
    ],
)
def test_a_node_is_selected_by_the_nearest_name(text: str, expression: str) -> None:
    tree = Tree.parse(PAGE)
    assert make_portable_xpath(tree, tree.parent[tree.text.index(text)]) == expression


def test_two_names_together_come_before_a_position() -> None:
    tree = Tree.parse("<div class='a'></div><div class='b'></div><div class='a b'>x</div>")
    assert make_portable_xpath(tree, tree.parent[tree.text.index("x")]) == f"//div[{has('a')} and {has('b')}]"


def test_the_caller_decides_which_names_are_stable() -> None:
    tree = Tree.parse("<div class='politics story'></div><div class=x></div>")
    assert make_portable_xpath(tree, 3) == f"//div[{has('politics')}]"
    assert (
        make_portable_xpath(tree, 3, stable=lambda tag, attribute, value: value == "story") == f"//div[{has('story')}]"
    )
    assert make_portable_xpath(tree, 3, stable=lambda tag, attribute, value: False) == "/html/body/div[1]"


def test_a_tbody_that_may_not_be_in_the_source_is_left_out() -> None:
    tree = Tree.parse("<table id=t><tr><td>1<tr><td>2</table>")
    assert make_portable_xpath(tree, tree.parent[tree.text.index("2")]) == "//table[@id='t']//tr[2]/td"


def test_a_tbody_is_named_if_it_makes_a_difference() -> None:
    tree = Tree.parse("<table id=t><thead><tr><td>0<tr><td>1</thead><tbody><tr><td>2<tr><td>3</table>")
    assert make_portable_xpath(tree, tree.parent[tree.text.index("3")]) == "//table[@id='t']/tbody/tr[2]/td"


def test_text_nodes_and_drawings_have_portable_expressions_too() -> None:
    tree = Tree.parse("<p id=a>1<b>2</b>3</p><svg><a id=z>4</a></svg><a>5</a>")
    for node in range(len(tree)):
        assert select(tree, make_portable_xpath(tree, node)) == [node]
    assert make_portable_xpath(tree, tree.text.index("4")) == "/html/body/*[2]/*[1]/text()"


def test_a_page_without_a_body_has_portable_expressions() -> None:
    tree = Tree.parse("<frameset><frame><frame></frameset>")
    assert [select(tree, make_portable_xpath(tree, node)) for node in range(len(tree))] == [
        [node] for node in range(len(tree))
    ]


def test_naming_every_node_of_a_wide_and_deep_page_is_fast() -> None:
    import time

    html = "<div class='a b c'>" * 300 + "<p class='x y'>t</p>" * 2_000
    tree = Tree.parse(html)
    start = time.process_time()
    for node in range(0, len(tree), 10):
        make_portable_xpath(tree, node)
    assert time.process_time() - start < 5
