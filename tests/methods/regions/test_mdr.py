"""MDR: similar runs of adjacent siblings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from duramen import methods
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.methods.regions.mdr import MAX_DISTANCES, compute_edit_distance, find_main_data_region

tags = st.lists(st.sampled_from("abc"), max_size=12).map(tuple)


def find(html: str) -> tuple[str, int, int] | None:
    tree = Tree.parse(html)
    region = find_main_data_region(tree, range(tree.body + 1, len(tree)))
    return None if region is None else (tree.tag[region.parent], region.size, region.repeats)


def test_similar_siblings_are_a_region() -> None:
    items = "<li><b>a</b><i>b</i><u>c</u></li>" * 4
    assert find(f"<div><p>head</p></div><ul>{items}</ul>") == ("ul", 1, 4)


def test_a_record_may_be_several_siblings() -> None:
    assert find("<dl>" + "<dt><b>name</b></dt><dd><i>text</i><u>more</u><s>x</s></dd>" * 3 + "</dl>") == ("dl", 2, 3)


def test_siblings_that_differ_a_little_are_similar() -> None:
    rows = "<tr><td>1<td>2<td>3<td>4</tr>" * 2 + "<tr><td>1<td>2<td>3<td><b>4</b></tr>"
    assert find(f"<table><tbody>{rows}</tbody></table>") == ("tbody", 1, 3)


def test_without_similar_siblings_there_is_no_region() -> None:
    assert find("<div><p>a</p></div>") is None


def test_the_work_is_bounded() -> None:
    names = "abcdefghij"
    html = "".join(f"<div>{'<b></b>' * 9}<x-{names[i % 10]}{i}></x-{names[i % 10]}{i}></div>" for i in range(5_000))
    assert MAX_DISTANCES < 5_000
    assert find(f"<main>{html}</main>") is not None


@given(tags, tags)
def test_the_distance_is_that_of_the_definition(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            if not i or not j:
                table[i][j] = i + j
            else:
                change = table[i - 1][j - 1] + (first[i - 1] != second[j - 1])
                table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, change)
    assert compute_edit_distance(first, second) == table[-1][-1]


def test_tag_path_gives_the_list_within_its_part() -> None:
    items = "".join(f"<li><b>a{i}</b><i>b</i><u>c</u></li>" for i in range(8))
    page = Page.parse(f"<nav><a href=a>x</a><a href=b>y</a></nav><div><h2>Results</h2><ol>{items}</ol></div>")
    content = methods.get("tag-path:mdr=yes")(page)
    assert content.text.startswith("1. a0")
    assert "by MDR" in content.reason
