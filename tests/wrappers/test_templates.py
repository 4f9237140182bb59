"""Grouping pages by template."""

from __future__ import annotations

from tests.wrappers.sample_site import second_template, site

from duramen.dom.page import Page
from duramen.wrappers.templates import find_path_sets, find_templates, jaccard_similarity


def test_templates_do_not_depend_on_the_order_of_the_pages() -> None:
    trees = [*(one.tree for one in site(3)), *(Page.parse(second_template(n)).tree for n in range(3))]
    groups = {frozenset(one.pages) for one in find_templates(find_path_sets(trees))}
    backwards = {frozenset(5 - at for at in one.pages) for one in find_templates(find_path_sets(trees[::-1]))}
    assert groups == backwards == {frozenset({0, 1, 2}), frozenset({3, 4, 5})}


def test_similarity_is_the_share_of_common_paths() -> None:
    assert jaccard_similarity(frozenset({1, 2, 3}), frozenset({2, 3, 4})) == 0.5
    assert jaccard_similarity(frozenset(), frozenset()) == 1.0
