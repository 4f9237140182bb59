"""What a page is called where its sources are at odds."""

from __future__ import annotations

import pytest
from metadata_pages import TEXT, json_ld

from duramen.metadata import Metadata
from duramen.metadata.elsewhere import crumbs, own_links
from duramen.metadata.head import Head
from duramen.metadata.json_ld import read_things
from duramen.metadata.options import Setting
from duramen.metadata.title_signs import title_options
from duramen.metadata.weights import TITLE
from duramen.page import Page
from duramen.tree import Tree

HERE = "https://www.wood.example/trees/old-oaks/"


def title(html: str, url: str = HERE) -> str | None:
    return Metadata.read(Page.parse(html, url)).title


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
def test_a_link_to_the_page_itself_says_its_name(href: str) -> None:
    assert own_links(Head(Tree.parse(f'<a href="{href}">Old <b>Oaks</b></a>')), HERE, "/trees/old-oaks/") == {
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
def test_a_link_to_another_page_does_not(href: str) -> None:
    assert not own_links(Head(Tree.parse(f'<a href="{href}">Old Oaks</a>')), HERE, "/trees/old-oaks/")


def test_what_leads_to_a_home_page_is_no_name_of_it() -> None:
    assert not own_links(Head(Tree.parse('<a href="/">Home</a>')), "https://wood.example/", "/")


def test_a_trail_of_breadcrumbs_ends_in_the_page() -> None:
    page = Tree.parse(trail("Home", "Trees", "Old &amp; hollow oaks"))
    assert crumbs(read_things(Head(page)).things) == {"old hollow oaks"}


@pytest.mark.parametrize("steps", ["[]", "null", '"x"', "[1]", '[{"item": "https://wood.example/"}]', '[{"name": 3}]'])
def test_a_trail_that_names_nothing_is_none(steps: str) -> None:
    page = Tree.parse(json_ld(f'{{"@type": "BreadcrumbList", "itemListElement": {steps}}}'))
    assert not crumbs(read_things(Head(page)).things)


def test_the_name_in_links_and_breadcrumbs_counts_for_an_option() -> None:
    menu = "<a href=/trees/old-oaks>Old oaks</a>"
    page = f"<title>Ten giants to see</title>{trail('Trees', 'Old oaks')}{menu}<h1>Old oaks</h1>"
    sources = Metadata.read(Page.parse(page, HERE)).sources
    signs = {option.value: option.signs for option in title_options(sources.titles, Setting(), sources.elsewhere)}
    assert {"in links", "in crumbs"} <= signs["Old oaks"]
    assert {"not in links", "not in crumbs"} <= signs["Ten giants to see"]


def test_what_the_menu_calls_a_page_speaks_for_it() -> None:
    assert TITLE["in links"] > 0 > TITLE["not in links"]


def test_what_stands_after_a_colon_is_part_of_the_title() -> None:
    whole = "Old Oaks: how they fall and what is left of them"
    head = f'<title>{whole}</title><meta property="og:title" content="{whole}">'
    assert title(f"{head}<body><h1>Trees and their friends</h1>{TEXT}", "https://wood.example/p/17") == whole


def test_a_heading_at_the_top_that_the_address_does_not_know_is_a_logo() -> None:
    page = f"<title>Old oaks and how they fall - Trees of the North</title><body><h1>Trees of the North</h1>{TEXT}"
    assert title(page) == "Old oaks and how they fall"
