"""What expressions select on a tree, and what is refused."""

from __future__ import annotations

import pickle
import re

import pytest

from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError
from duramen.xpath import compile, select, select_strings
from duramen.xpath.evaluator import MIN_ELEMENTS_FOR_CSS

PAGE = """<html id=root><head></head><body>
<div id=main class="top story"><p>1</p><p lang=en>2<b>3</b></p><div class=storyline><p>4</p></div></div>
<div hidden class="a&#10;b"><p>5</p><p>6</p><a href="/x" id="it's">7</a></div></body></html>"""
TREE = Tree.parse(PAGE.replace("\n<div", "<div"))


def texts(expression: str, context: int = 0) -> str:
    """The texts of what is selected: of an element, its first text."""
    return " ".join(
        next(TREE.text[below] for below in range(node, TREE.end[node]) if TREE.tag[below] == TEXT)
        for node in select(TREE, expression, context)
    )


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("/html/body/div[2]/p", "5 6"),
        ("//p", "1 2 4 5 6"),
        ("//p[1]", "1 4 5"),
        ("//p[last()]", "2 4 6"),
        ("//p[position()=2]", "2 6"),
        ("//p[position()>1]", "2 6"),
        ("//div//p", "1 2 4 5 6"),
        ("//div/*", "1 2 4 4 5 6 7"),
        ("//div[@id='main']", "1"),
        ('//div[@id="main"]/p[@lang]', "2"),
        ("//div[@hidden]", "5"),
        ("//div[@hidden='']", "5"),
        ("//div[@hidden!='x']", "5"),
        ("//div[not(@hidden)]", "1 4"),
        ("//div[contains(@class,'story')]", "1 4"),
        ("//div[contains(concat(' ', normalize-space(@class), ' '), ' story ')]", "1"),
        ("//div[contains(concat(' ', normalize-space(@class), ' '), ' b ')]", "5"),
        ("//*[starts-with(@class, 'top')]", "1"),
        ("//*[@lang='en' or @href]", "2 7"),
        ("//div[@id and (@class='x' or contains(@class, 'top'))]", "1"),
        ("//p[count(ancestor::*)=4]", "4"),
        ("//*[@id=concat('it', \"'\", 's')]", "7"),
        ("//a | //b|//a", "3 7"),
        ("//p[2]/text()", "2 6"),
        ("//p[@lang][1]", "2"),
        ("//a[2 <= not(@lang)]", ""),
        ("//a[2 = not(@lang)]", "7"),
        ("//p[1][@lang]", ""),
        ("/html/p", ""),
        ("//text()[1][count(ancestor::*)=5]", "3 4"),
        (" // p [ 1 ] ", "1 4 5"),
    ],
)
def test_selected(expression: str, wanted: str) -> None:
    assert texts(expression) == wanted


def test_relative_paths_start_at_the_context() -> None:
    main = select(TREE, "//div[@id='main']")[0]
    assert texts(".//p", main) == "1 2 4"
    assert texts("./p", main) == texts("p", main) == "1 2"
    assert select(TREE, ".", main) == [main]
    assert texts("//a", main) == "7"
    assert select(TREE, "./body") == [TREE.body]


def test_attributes_are_strings() -> None:
    assert select_strings(TREE, "//@id") == ["root", "main", "it's"]
    assert select_strings(TREE, "//div/@hidden") == [""]
    assert select_strings(TREE, "//a/@id | //a/@href") == ["/x", "it's"]
    assert select_strings(TREE, ".//@lang", select(TREE, "//p[@lang]")[0]) == ["en"]
    assert select_strings(TREE, "/@id") == []
    assert select_strings(TREE, "//b/text()") == ["3"]


def test_nodes_are_not_strings_and_strings_are_no_nodes() -> None:
    with pytest.raises(UsageError, match="selects attributes"):
        select(TREE, "//a | //@id")
    with pytest.raises(UsageError, match="selects elements"):
        select_strings(TREE, "//a")


def test_a_tree_whose_attributes_are_a_plain_list_gives_the_same() -> None:
    twin = pickle.loads(pickle.dumps(TREE))
    for expression in ("//*[@id]", "//*[@id or @hidden]", "//*[contains(@class, 'story')]"):
        assert select(twin, expression) == select(TREE, expression)


def test_attributes_are_read_only_if_they_make_a_difference() -> None:
    html = "<div id=a><i>x</i></div>" + "<div><i>y</i></div>" * 500
    for expression in ("//*[@id='a']", "//i[1][count(ancestor::*)=3]", "//*[@id]/i"):
        tree = Tree.parse(html)
        assert select(tree, expression)
        assert len(tree._elements.cached) < 5  # type: ignore[attr-defined]


def test_an_expression_is_read_once_and_survives_pickling() -> None:
    expression = compile("//p[1]")
    assert compile("//p[1]") is expression
    assert pickle.loads(pickle.dumps(expression)) == expression
    assert select(TREE, expression) == select(TREE, "//p[1]")
    assert str(expression) == "//p[1]"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "is expected, at its end"),
        ("/", "is expected, at its end"),
        ("//div[", "a condition is expected, at its end"),
        ("//div[@id='a]", "the quote ' is never closed, at character 11"),
        ("//div[#]", "'#' is not understood, at character 7"),
        ("//div[p//b]", "a path inside a predicate goes from child to child, at character 8"),
        ("//div[.//b]", "a path inside a predicate begins with a child, at character 8"),
        ("//div[p/@lang]", "a path inside a predicate ends with an element, at character 9"),
        ("//div[p='1']", "can only be asked whether it leads anywhere, at character 7"),
        ("//div[contains(p, '1')]", "can only be asked whether it leads anywhere, at character 7"),
        ("//div[preceding-sibling::p]", "only 'preceding-sibling::tag[1]' is read, at character 7"),
        ("//div[following-sibling::p[1]]", "only 'preceding-sibling::tag[1]' is read, at character 7"),
        ("//div[substring(@id, 2)]", "the function 'substring' is not read, at character 7"),
        ("//div[contains(@id)]", "'contains' takes 2 arguments, at character 7"),
        ("//div[concat('a')='a']", "'concat' takes 2 or more arguments"),
        ("//div[count(p)=1]", "only 'ancestor::*' can be counted, at character 13"),
        ("//div[last()-1]", "']' is expected, at character 13"),
        ("//div[1=1=1]", "a comparison of comparisons is not read, at character 10"),
        ("//div/..", "is expected, at character 7, before '..'"),
        ("//o:p", "prefixes are not read, at character 3"),
        ("//div/following-sibling::p", "axes are not read, at character 7"),
        ("//@id/a", "an attribute is the last step, at character 6"),
        ("//@id[1]", "an attribute takes no predicate here, at character 6"),
        ("//comment()", "'comment()' is not a step that duramen reads, at character 3"),
        ("(//div)[1]", "is expected, at character 1"),
        ("//div[@id]]", "outside what duramen reads of XPath, at character 11"),
        ("//div[" + "(" * 100_000 + "1", "nested deeper than 30"),
        ("//div[" + "not(" * 1_000 + "1", "nested deeper than 30"),
    ],
)
def test_expressions_outside_the_subset_are_refused_with_their_position(expression: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        compile(expression)


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("//p[b]", "2"),
        ("//div[div/p]/p", "1 2"),
        ("//div[p[3]]", ""),
        ("//div[not(div)]", "4 5"),
        ("//div[p and @hidden]", "5"),
        ("//p[.='23']", "2"),
        ("//p[starts-with(normalize-space(.), '2')]", "2"),
        ("//p[contains(., '3')]", "2"),
        ("//p[preceding-sibling::p[1]='1']", "2"),
        ("//p[preceding-sibling::p[1]]", "2 6"),
        ("//a[normalize-space(preceding-sibling::p[1])='6']", "7"),
    ],
)
def test_predicates_test_children_and_preceding_siblings(expression: str, wanted: str) -> None:
    assert texts(expression) == wanted


def test_a_context_outside_the_tree_is_refused() -> None:
    with pytest.raises(UsageError, match="has no node 99999"):
        select(TREE, "//p", 99_999)


def test_time_is_linear_in_the_page() -> None:
    import time

    tree = Tree.parse("<div class='a'>" * 500 + "<p>x</p>" * 100_000)
    start = time.process_time()
    for expression in (
        "//div//div//p[3]",
        "//p[position()=last()]",
        "//*[@class]//p[count(ancestor::*)=502]/text()",
        "//p[starts-with(normalize-space(.), 'x')]",
        "//p[preceding-sibling::p[1]='x']",
        "//div[p]",
    ):
        assert select(tree, expression)
    assert time.process_time() - start < 5


NAMES = ["story", "story wide", "wide  story", "storyline", "STORY", "post-1", "post-29", "it's", "", "a\tstory\n"]


@pytest.mark.parametrize(
    "expression",
    [
        "//div[@id='story']",
        "//div[@class='wide  story']",
        "//div[contains(concat(' ', normalize-space(@class), ' '), ' story ')]",
        "//div[starts-with(@id, 'post-')]",
        "//*[contains(@class, 'story') and @id='post-1']",
        '//div[contains(@class, "it\'s")]',
        "//div[contains(@class, 'story')][2]",
        "//section//div[@id='story']",
    ],
)
def test_many_elements_are_found_by_the_parser_and_are_the_same(expression: str) -> None:
    inner = "".join(f'<div id="{one}" class="{other}"><div></div>x</div>' for one in NAMES for other in NAMES)
    tree = Tree.parse(f"<section>{inner}</section><p>{inner}</p>")
    plain = pickle.loads(pickle.dumps(tree))  # whose attributes the parser cannot be asked for
    assert tree.tag.count("div") > 2 * MIN_ELEMENTS_FOR_CSS
    assert select(tree, expression) == select(plain, expression) != []
