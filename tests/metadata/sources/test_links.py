"""The source `links`."""

from __future__ import annotations

import pytest
from tests.metadata.metadata_pages import HEADLINE, TODAY, json_ld

from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.metadata import Metadata
from duramen.metadata.sources.json_ld import find_json_ld_scripts, parse_json_ld
from duramen.metadata.sources.links import find_breadcrumb_names, find_self_link_names


@pytest.mark.parametrize("rel", ["tag", "TAG", "Category tAg", "nofollow tag", "tag\u00a0nofollow", "étag tag"])
def test_rel_tag_is_read_in_any_spelling(rel: str) -> None:
    page = Page.parse(f"<article><h1>{HEADLINE}</h1><a rel='{rel}' href=/oaks>Oaks</a></article>")
    found = Metadata.read(page, TODAY)
    assert (found.tags or found.categories) == ("Oaks",)


@pytest.mark.parametrize("rel", ["tags", "no-tag", "x-tag", "licensee", "stylesheet", ""])
def test_other_relations_give_no_tags(rel: str) -> None:
    found = Metadata.read(Page.parse(f"<h1>{HEADLINE}</h1><a rel='{rel}' href=/oaks>Oaks</a>"), TODAY)
    assert not found.tags
    assert not found.license


HERE = "https://www.wood.example/trees/old-oaks/"


def trail(*names: str) -> str:
    steps = ", ".join(f'{{"@type": "ListItem", "name": "{name}"}}' for name in names)
    return json_ld(f'{{"@type": "BreadcrumbList", "itemListElement": [{steps}]}}')


@pytest.mark.parametrize(
    "href",
    [
        "/trees/old-oaks",
        "/trees/old-oaks/",
        " https://wood.example/trees/old-oaks ",
        "//www.wood.example/trees/old-oaks/",
    ],
)
def test_a_self_link_names_the_page(href: str) -> None:
    assert find_self_link_names(Tree.parse(f'<a href="{href}">Old <b>Oaks</b></a>'), HERE, "/trees/old-oaks/") == {
        "old oaks"
    }


@pytest.mark.parametrize(
    "href",
    [
        "/",
        "/trees",
        "/trees/old-oaks#comments",
        "/trees/old-oaks/2",
        "/new/trees/old-oaks",
        "https://b.example/trees/old-oaks",
    ],
)
def test_a_link_to_another_page_does_not_name_the_page(href: str) -> None:
    assert not find_self_link_names(Tree.parse(f'<a href="{href}">Old Oaks</a>'), HERE, "/trees/old-oaks/")


def test_links_to_a_home_page_do_not_name_it() -> None:
    assert not find_self_link_names(Tree.parse('<a href="/">Home</a>'), "https://wood.example/", "/")


def test_the_last_breadcrumb_names_the_page() -> None:
    page = Tree.parse(trail("Home", "Trees", "Old &amp; hollow oaks"))
    assert find_breadcrumb_names(parse_json_ld(find_json_ld_scripts(page)).things) == {"old hollow oaks"}


@pytest.mark.parametrize("steps", ["[]", "null", '"x"', "[1]", '[{"item": "https://wood.example/"}]', '[{"name": 3}]'])
def test_malformed_breadcrumbs_give_no_name(steps: str) -> None:
    page = Tree.parse(json_ld(f'{{"@type": "BreadcrumbList", "itemListElement": {steps}}}'))
    assert not find_breadcrumb_names(parse_json_ld(find_json_ld_scripts(page)).things)
