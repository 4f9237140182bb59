"""What a reader never sees."""

from __future__ import annotations

import pytest

from duramen.dom.tree import Tree
from duramen.dom.tree_queries import ignore_hidden
from duramen.dom.visibility import find_invisible_tags, find_visible_texts, hides_more_than, is_hidden


def test_text_nodes_are_neither_blank_nor_invisible() -> None:
    tree = Tree.parse("<title>t</title><script>s</script><p>a <b>b</b>\n</p> <noscript>n</noscript><select><option>o")
    assert [tree.text[node] for node in find_visible_texts(tree)] == ["a ", "b"]


@pytest.mark.parametrize(
    "attributes",
    [
        {"hidden": None},
        {"hidden": ""},
        {"style": "display:none"},
        {"style": "color:red; Display : NONE !important"},
        {"style": "visibility: hidden"},
    ],
)
def test_hidden(attributes: dict[str, str | None]) -> None:
    assert is_hidden(attributes)


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"style": None},
        {"style": "display:block"},
        {"style": "--x-display:none"},
        {"hidden": "until-found"},
        {"hidden": "", "id": "S:1f"},
    ],
)
def test_not_hidden(attributes: dict[str, str | None]) -> None:
    assert not is_hidden(attributes)


NOTICE = "<noscript>Please switch JavaScript on.</noscript>"


def test_noscript_is_invisible() -> None:
    tree = Tree.parse(f"<p>text</p>{NOTICE}")
    assert [tree.text[node] for node in find_visible_texts(tree)] == ["text"]


def test_noscript_is_read_if_the_page_has_no_other_text() -> None:
    posts = "".join(f"<p>Post number {i} of a forum whose pages are drawn by a script.</p>" for i in range(9))
    tree = Tree.parse(f"<p>Loading</p>{NOTICE}<noscript>{posts}</noscript>")
    assert len(find_visible_texts(tree)) == 11
    assert "noscript" not in find_invisible_tags(tree)


def test_hidden_text_is_counted_once_and_without_scripts() -> None:
    inner = "<p hidden>four</p> <script>no text at all</script>"
    tree = Tree.parse(f"<p>seen</p><div hidden>twelve chars{inner}</div><p style='display:none'>six in</p>")
    held = len("twelve chars") + len("four") + len("six in")
    assert hides_more_than(tree, held - 1)
    assert not hides_more_than(tree, held)
    assert not hides_more_than(Tree.parse("<p>seen</p>"), 0)


def test_a_tree_without_hiding_differs_only_in_hidden_elements() -> None:
    tree = Tree.parse("<p>seen</p><p hidden>not seen</p>")
    unveiled = ignore_hidden(tree)
    assert [unveiled.text[node] for node in find_visible_texts(unveiled)] == ["seen", "not seen"]
    assert [tree.text[node] for node in find_visible_texts(tree)] == ["seen"]
    assert unveiled.tag == tree.tag


PIECES = (
    "<p hidden>",
    "</p>",
    "<div style='display:none'>",
    "</div>",
    "some words",
    " ",
    "<script>no</script>",
    "<b>bold</b>",
)
