"""What is taken out of a block, by the paper's rule and by ours."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.content import subtree
from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError
from duramen.methods.mss.cleaning import CLEANING_RULES, clean
from duramen.output import write_text

FIRST = "<p>The first words of the article stand here.</p>"
LAST = "<p>The last words of it stand here.</p>"
RELATED = "<div><a href=/1>Another story</a></div>"


def cleaned(middle: str, rule: str, around: str = "<div>{}</div>") -> str:
    """What is left between the first and the last paragraph of a block, which starts and ends inside them."""
    tree = Tree.parse(around.format(FIRST + middle + LAST))
    texts = [node for node in range(len(tree)) if tree.tag[node] == TEXT]
    left = clean(tree, (range(texts[0], texts[-1] + 1),), rule)
    lines = write_text(tree, left).split("\n\n")
    assert FIRST.startswith(f"<p>{lines[0]}")
    assert LAST.startswith(f"<p>{lines[-1]}")
    return "\n\n".join(lines[1:-1])


@pytest.mark.parametrize("tag", ["a href=/", "iframe", "table", "img", "embed", "applet", "object"])
def test_the_paper_rule_removes_a_div_with_a_link_or_an_image(tag: str) -> None:
    assert cleaned(f"<div><p>Some words <{tag}></{tag.split()[0]}></p></div>", "paper") == ""


def test_the_paper_removes_tables_and_keeps_divs_of_text() -> None:
    assert cleaned("<table><tr><td>A cell</table><div><p>Plain words</p></div>", "paper") == "Plain words"


def test_the_paper_keeps_links_outside_of_divs() -> None:
    assert cleaned("<p>Some words and <a href=/>a link</a></p>", "paper") == "Some words and a link"


def test_the_paper_rule_keeps_elements_that_are_not_closed_in_the_block() -> None:
    html = f"{FIRST}<div><p>Some words and <a href=/>a link</a></p>{LAST}</div>"
    tree = Tree.parse(html)
    block = (range(tree.body + 1, len(tree)),)
    assert clean(tree, block, "paper") == block
    assert cleaned("<p>Some words</p>", "paper", "<div><img>{}</div>") == "Some words"


@pytest.mark.parametrize("box", ["div", "ul", "ol", "section", "aside", "p", "nav"])
def test_gentle_removes_boxes_of_links(box: str) -> None:
    links = (
        "<li><a href=/1>Another story</a><li><a href=/2>One more story</a>" if box in ("ul", "ol") else RELATED[5:-6]
    )
    assert cleaned(f"<{box}>{links}</{box}><p>Plain words</p>", "gentle") == "Plain words"


@pytest.mark.parametrize(
    "middle",
    [
        "<div><p>A sentence with <a href=/>a link</a> in it.</p><img></div>",
        "<p>A sentence <span><a href=/>with a link</a></span> in it.</p>",
        "<h2><a href=/>A section</a></h2><p>Its words</p>",
        "<table><tr><td>A<td>cell<tr><td>and<td>more</table>",
    ],
)
def test_gentle_keeps_prose_with_links(middle: str) -> None:
    everything = Tree.parse(middle)
    assert cleaned(middle, "gentle") == write_text(everything, subtree(everything, everything.body))


def test_gentle_removes_above_nine_tenths_of_linked_words() -> None:
    nine = "<a href=/>one two three four five six seven eight nine</a>"
    plain = "<p>" + " ".join(["plain"] * 20) + "</p>"
    assert "nine" in cleaned(f"<div>ten {nine}</div>{plain}", "gentle")
    assert "nine" not in cleaned(f"<div>ten {nine} {nine}</div>{plain}", "gentle")


def test_gentle_removes_a_list_of_links_that_ends_the_block() -> None:
    tree = Tree.parse(f"<div>{FIRST}{LAST}<ul><li><a href=/1>Another story</a></ul></div>")
    assert "Another" not in write_text(tree, clean(tree, subtree(tree, tree.body + 1), "gentle"))


def test_gentle_does_not_change_a_block_that_is_mostly_links() -> None:
    tree = Tree.parse("<div>" + RELATED * 9 + "<p>A few words.</p></div>")
    spans = subtree(tree, tree.body + 1)
    assert clean(tree, spans, "gentle") == spans


def test_gentle_counts_only_visible_words() -> None:
    menu = "<a href=/>Another story</a><script>" + "var x; " * 99 + "</script><div hidden>" + "word " * 99 + "</div>"
    assert cleaned(f"<div>{menu}</div>", "gentle") == ""


def test_gentle_counts_a_link_that_the_block_starts_in() -> None:
    tree = Tree.parse("<a href=/><p>Another story</p><p>One more</p></a><p>" + "Plain words. " * 9 + "</p>")
    second = [node for node in range(len(tree)) if tree.tag[node] == "p"][1]
    assert write_text(tree, clean(tree, (range(second, len(tree)),), "gentle")).startswith("Plain")


def test_nodes_outside_the_spans_are_not_counted() -> None:
    tree = Tree.parse(f"{FIRST}<div><p>Plain words</p><img></div>{LAST}")
    image = tree.tag.index("img")
    spans = subtree(tree, tree.body, [image])
    assert clean(tree, spans, "paper") == spans


def test_an_unknown_rule_raises_an_error() -> None:
    with pytest.raises(UsageError, match="choose one of paper, gentle"):
        clean(Tree.parse(FIRST), (), "harsh")


@pytest.mark.parametrize("rule", CLEANING_RULES)
def test_no_spans_give_no_spans(rule: str) -> None:
    assert clean(Tree.parse(FIRST), (), rule) == ()
    assert clean(Tree.parse(FIRST), (range(2, 2),), rule) == ()


@pytest.mark.parametrize("rule", CLEANING_RULES)
def test_deep_and_wide_pages_take_linear_time(rule: str) -> None:
    started = time.process_time()
    for html in ("<div>" * 20_000 + "words <a href=/>link</a>", "<div>words <a href=/>link</a></div>" * 20_000):
        tree = Tree.parse(html + LAST)
        clean(tree, subtree(tree, tree.body), rule)
        clean(tree, tuple(range(node, node + 1) for node in range(0, len(tree), 2)), rule)
    assert time.process_time() - started < 10


PIECES = st.sampled_from(
    ["<div>", "</div>", "<p>", "words. ", "<a href=/>link</a>", "<a href=/>", "<img>", "<table><td>", "</table>",
     "<ul><li>", "</ul>", "<span>", "</span>", "<iframe></iframe>", "<script>x</script>", "<div hidden>"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join), st.data(), st.sampled_from(CLEANING_RULES))
def test_the_result_is_ordered_disjoint_and_inside_the_spans(html: str, data: st.DataObject, rule: str) -> None:
    tree = Tree.parse(html)
    borders = sorted(data.draw(st.sets(st.integers(0, len(tree)), max_size=8)))
    spans = tuple(range(start, stop) for start, stop in zip(borders[::2], borders[1::2], strict=False))
    left = clean(tree, spans, rule)
    nodes = [node for kept in left for node in kept]
    assert all(left)
    assert nodes == sorted(set(nodes))
    assert set(nodes) <= {node for kept in spans for node in kept}
    removed = {node for kept in spans for node in kept} - set(nodes)
    stop = spans[-1].stop if spans else 0
    for node in removed:  # whole elements go, as far as they were kept, and only such as end inside the block
        top = min(removed & {node, *tree.ancestors(node)})
        assert tree.end[top] <= stop
        assert not set(range(top, tree.end[top])) & set(nodes)
