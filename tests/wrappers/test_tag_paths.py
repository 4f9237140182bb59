"""Tag paths, and pages grouped by them."""

from __future__ import annotations

import pytest
from tests.wrappers.sample_site import second_template, site

from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.wrappers.tag_paths import (
    CAPTION,
    COMMENTS,
    MAX_BOX_LEVELS,
    BoxPaths,
    TagPaths,
    find_path_sets,
    find_roles,
    find_templates,
    format_step,
    jaccard_similarity,
    tolerant_form,
)


@pytest.mark.parametrize(
    ("value", "wanted"), [("post wrapper-02", "post"), ("post-17", "post-"), ("2012", ""), ("  a b", "a"), ("", "")]
)
def test_tolerant_form_is_the_first_token_without_digits(value: str, wanted: str) -> None:
    assert tolerant_form(value) == wanted


def test_a_step_is_written_as_in_css() -> None:
    assert format_step("div", {"id": "post-12", "class": "story big"}) == "div#post-.story"
    assert format_step("p", {"class": None}) == "p"


def test_box_paths_start_at_the_nearest_element_with_an_id_or_class() -> None:
    tree = Tree.parse("<div id=main><p>a</p><ul class=related><li><b>b</b></ul></div>")
    paths = BoxPaths(tree, tree.tag.index("div"))
    assert paths[tree.tag.index("p")] == "/p"
    assert paths[tree.tag.index("b")] == "ul.related/li/b"
    assert paths[0] == ""


def test_the_same_tag_path_has_the_same_number_on_all_pages() -> None:
    paths = TagPaths()
    first, second = (paths.number_nodes(Tree.parse(f"<div id=a-{n}><p class='x y{n}'>text")) for n in (1, 2))
    assert first == second
    assert len(set(first) - {-1}) == 5


@pytest.mark.parametrize(
    ("path", "roles"),
    [
        ("div.comments-area", {COMMENTS}),
        ("div#disqus_thread", {COMMENTS}),
        ("div.comments/p", set()),
        ("figcaption", {CAPTION}),
        ("div.story/p.caption-text", {CAPTION}),
        ("p.comment-caption", {COMMENTS, CAPTION}),
        ("p", set()),
    ],
)
def test_the_last_step_of_a_path_names_the_role_of_the_element(path: str, roles: set[str]) -> None:
    assert find_roles(path) == roles


def test_templates_do_not_depend_on_the_order_of_the_pages() -> None:
    trees = [*(one.tree for one in site(3)), *(Page.parse(second_template(n)).tree for n in range(3))]
    groups = {frozenset(one.pages) for one in find_templates(find_path_sets(trees))}
    backwards = {frozenset(5 - at for at in one.pages) for one in find_templates(find_path_sets(trees[::-1]))}
    assert groups == backwards == {frozenset({0, 1, 2}), frozenset({3, 4, 5})}


def test_similarity_is_the_share_of_common_paths() -> None:
    assert jaccard_similarity(frozenset({1, 2, 3}), frozenset({2, 3, 4})) == 0.5
    assert jaccard_similarity(frozenset(), frozenset()) == 1.0


def test_only_the_nearest_elements_around_a_block_are_looked_at() -> None:
    tree = Tree.parse("<div id=top>" + "<table><tr><td>" * 100 + "oak")
    region = tree.tag.index("div")
    around = BoxPaths(tree, region).elements_around(len(tree) - 1)
    assert len(around) == MAX_BOX_LEVELS
    assert around[0] == len(tree) - 1


def test_paths_below_hundreds_of_levels_are_short() -> None:
    tree = Tree.parse("<div>" * 480 + "".join(f"<x-{number}>oak</x-{number}>" for number in range(300)))
    paths = BoxPaths(tree, tree.body)
    assert sum(len(paths[node]) for node in range(len(tree) - 600, len(tree))) < 700_000
    assert len({paths[node] for node in tree.find_all("x-7") + tree.find_all("x-8")}) == 2
