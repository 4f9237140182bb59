"""What a page is called where its sources are at odds."""

from __future__ import annotations

from time import process_time

import pytest
from tests.metadata.metadata_pages import TEXT, json_ld

from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.metadata import Metadata
from duramen.metadata.claims import Claim
from duramen.metadata.elsewhere import crumbs, own_links
from duramen.metadata.head import Head
from duramen.metadata.json_ld import read_things
from duramen.metadata.options import Setting
from duramen.metadata.title_signs import title_options
from duramen.metadata.weights import TITLE

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


@pytest.mark.parametrize(
    ("head", "body", "found"),
    [
        ("<title>Acme Boards • View topic - Oak falls</title>", "", "Oak falls"),
        ("<title>(3) Oak falls in the night</title>", "<h2>Menu</h2>", "Oak falls in the night"),
        ("<title>Title: Oak falls in the night</title>", "<h2>Menu</h2>", "Oak falls in the night"),
        ("<title>/ Oak falls in the night</title>", "<h2>Menu</h2>", "Oak falls in the night"),
        (
            "<title>Black Edition Complete Oak Table</title>"
            '<meta property="og:title" content="Black Edition Complete Oak Table">',
            "<h1><span>Black Edition</span><span>Complete Oak Table</span></h1>",
            "Black Edition Complete Oak Table",
        ),
        (
            "<title>Why old oaks fall slowly and...</title>"
            '<meta name="twitter:title" content="Why old oaks fall slowly and all at once">',
            "<h2>Menu</h2>",
            "Why old oaks fall slowly and all at once",
        ),
    ],
    ids=["view topic", "new messages", "label", "mark", "no space", "cut off"],
)
def test_what_a_template_does_to_a_title_is_undone(head: str, body: str, found: str) -> None:
    assert title(f"{head}{body}{TEXT}", "https://wood.example/x1") == found


def test_home_is_no_name_of_a_page() -> None:
    head = "<title>Home - The Acme Blog</title>"
    assert title(f"{head}<h2>Latest</h2>{TEXT}", "https://acme.example/") == "The Acme Blog"
    assert title(f"<title>Home: a history of houses</title>{TEXT}") == "Home: a history of houses"


def test_the_parts_of_a_numbered_list_are_told_apart() -> None:
    def numbered(*headings: str) -> list[bool]:
        claims = [Claim(heading, "heading", "h1", at) for at, heading in enumerate(headings)]
        return ["numbered" in option.signs for option in title_options(claims, Setting(path="/x"))]

    assert numbered("Oaks that fell", "1. The old one", "2. The hollow one", "3. The last") == [False, True, True, True]
    assert numbered("Oaks that fell", "10 oaks that stand") == [False, False]


def test_what_a_home_page_is_called_has_signs_of_its_own() -> None:
    claims = [Claim("Acme", "heading", "h1", 3), Claim("Oak | Elm", "title")]
    signs = {option.value: option.signs for option in title_options(claims, Setting(path="/"))}
    assert "home heading" in signs["Acme"]
    assert "home whole" in signs["Oak | Elm"]
    assert "home part" in signs["Oak"]
    elsewhere = title_options(claims, Setting(path="/oak"))
    assert not any(sign.startswith("home") for option in elsewhere for sign in option.signs)


def test_words_without_spaces_are_counted_by_their_characters() -> None:
    (option,) = title_options([Claim("北京的老橡树在暴风雨后倒下", "title")], Setting(path="/x"))
    assert "15 words" in option.signs
    (option,) = title_options([Claim("Why old oaks fall", "title")], Setting(path="/x"))
    assert "5 words" in option.signs


def test_many_titles_that_are_cut_off_take_no_longer() -> None:
    claims = [Claim(f"Why old oaks fall slowly {'a' * at}…", "meta") for at in range(3000)]
    started = process_time()
    assert len(title_options(claims, Setting(path="/x"))) == 1
    assert process_time() - started < 5


@pytest.mark.parametrize("part", ["Newsletters", "Related articles", "Menu", "相关新闻"])
def test_the_heading_of_a_part_names_no_page(part: str) -> None:
    assert title(f"<title>Old oaks</title><h1>{part}</h1>{TEXT}") == "Old oaks"
