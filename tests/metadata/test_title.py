"""Titles: parts, site names, candidates."""

from __future__ import annotations

import re
from time import process_time
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import HEADLINE, TEXT, json_ld, metadata

from duramen.dom.page import Page
from duramen.metadata import Metadata
from duramen.metadata.model import Claim, PageContext
from duramen.metadata.title import drop_site_name, has_separator, split_title, title_candidates
from duramen.metadata.weights import TITLE


@given(st.text("ab -|:»_/", max_size=9))
def test_a_title_without_separator_is_one_part(title: str) -> None:
    if not has_separator(title):
        assert len(split_title(title)) < 2
        assert drop_site_name(title, (title,), title) == title


@pytest.mark.parametrize(
    ("head", "source"),
    [
        ("<title>Of oaks that fall</title>", "title"),
        ('<meta property="og:title" content="Of oaks that fall">', "open-graph"),
        ('<meta name="twitter:title" content="Of oaks that fall">', "twitter"),
        ('<meta name="DC.title" content="Of oaks that fall">', "dublin-core"),
        ('<meta name="citation_title" content="Of oaks that fall">', "citation"),
        ('<meta name="title" content="Of oaks that fall">', "meta"),
        (json_ld('{"@type": "Article", "headline": "Of oaks that fall"}'), "json-ld"),
    ],
)
def test_each_source_of_the_head_gives_the_title(head: str, source: str) -> None:
    found = Metadata.read(Page.parse(f"{head}<p>Text of the page.")).evidence("title")
    assert found is not None
    assert (found.value, found.source) == ("Of oaks that fall", source)


def test_the_site_is_removed_from_the_title() -> None:
    read = metadata(f'<title>{HEADLINE} | The Forester</title><meta property="og:site_name" content="The Forester">')
    assert (read.title, read.site) == (HEADLINE, "The Forester")


def test_without_headings_the_title_comes_from_the_head() -> None:
    assert Metadata.read(Page.parse("<title>Of oaks</title><p>Text")).title == "Of oaks"


HERE = "https://www.wood.example/trees/old-oaks/"


def title(html: str, url: str = HERE) -> str | None:
    return Metadata.read(Page.parse(html, url)).title


def trail(*names: str) -> str:
    steps = ", ".join(f'{{"@type": "ListItem", "name": "{name}"}}' for name in names)
    return json_ld(f'{{"@type": "BreadcrumbList", "itemListElement": [{steps}]}}')


def test_names_in_links_and_breadcrumbs_are_evidence() -> None:
    menu = "<a href=/trees/old-oaks>Old oaks</a>"
    page = f"<title>Ten giants to see</title>{trail('Trees', 'Old oaks')}{menu}<h1>Old oaks</h1>"
    sources = Metadata.read(Page.parse(page, HERE)).sources
    evidence = {
        candidate.value: candidate.evidence
        for candidate in title_candidates(sources.titles, PageContext(), sources.linked_names)
    }
    assert {"in links", "in breadcrumbs"} <= evidence["Old oaks"]
    assert {"not in links", "not in breadcrumbs"} <= evidence["Ten giants to see"]


def test_a_name_in_links_has_a_positive_weight() -> None:
    assert TITLE["in links"] > 0 > TITLE["not in links"]


def test_text_after_a_colon_belongs_to_the_title() -> None:
    whole = "Old Oaks: how they fall and what is left of them"
    head = f'<title>{whole}</title><meta property="og:title" content="{whole}">'
    assert title(f"{head}<body><h1>Trees and their friends</h1>{TEXT}", "https://wood.example/p/17") == whole


def test_a_heading_at_the_top_without_support_is_a_logo() -> None:
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
def test_template_additions_are_removed(head: str, body: str, found: str) -> None:
    assert title(f"{head}{body}{TEXT}", "https://wood.example/x1") == found


def test_home_is_not_a_title() -> None:
    head = "<title>Home - The Acme Blog</title>"
    assert title(f"{head}<h2>Latest</h2>{TEXT}", "https://acme.example/") == "The Acme Blog"
    assert title(f"<title>Home: a history of houses</title>{TEXT}") == "Home: a history of houses"


def test_headings_of_a_numbered_list_are_recognized() -> None:
    def numbered(*headings: str) -> list[bool]:
        claims = [Claim(heading, "heading", "h1", at) for at, heading in enumerate(headings)]
        return ["numbered" in candidate.evidence for candidate in title_candidates(claims, PageContext(url_path="/x"))]

    assert numbered("Oaks that fell", "1. The old one", "2. The hollow one", "3. The last") == [False, True, True, True]
    assert numbered("Oaks that fell", "10 oaks that stand") == [False, False]


def test_home_pages_have_their_own_evidence() -> None:
    claims = [Claim("Acme", "heading", "h1", 3), Claim("Oak | Elm", "title")]
    evidence = {
        candidate.value: candidate.evidence for candidate in title_candidates(claims, PageContext(url_path="/"))
    }
    assert "home heading" in evidence["Acme"]
    assert "home whole" in evidence["Oak | Elm"]
    assert "home part" in evidence["Oak"]
    elsewhere = title_candidates(claims, PageContext(url_path="/oak"))
    assert not any(sign.startswith("home") for candidate in elsewhere for sign in candidate.evidence)


def test_words_of_scripts_without_spaces_are_counted_by_characters() -> None:
    (candidate,) = title_candidates([Claim("北京的老橡树在暴风雨后倒下", "title")], PageContext(url_path="/x"))
    assert "15 words" in candidate.evidence
    (candidate,) = title_candidates([Claim("Why old oaks fall", "title")], PageContext(url_path="/x"))
    assert "5 words" in candidate.evidence


def test_many_truncated_titles_take_linear_time() -> None:
    claims = [Claim(f"Why old oaks fall slowly {'a' * at}…", "meta") for at in range(3000)]
    started = process_time()
    assert len(title_candidates(claims, PageContext(url_path="/x"))) == 1
    assert process_time() - started < 5


@pytest.mark.parametrize("part", ["Newsletters", "Related articles", "Menu", "相关新闻"])
def test_a_section_heading_is_not_the_title(part: str) -> None:
    assert title(f"<title>Old oaks</title><h1>{part}</h1>{TEXT}") == "Old oaks"


PIECES: Final = [
    *"ab |-–:»›｜_/\\<>·Aé’&;#=$",
    "  ",
    "\n",
    "\u00a0",
    "\u200b",
    "\u00ad",
    "一",
    "中",
    "&amp",
    "&lt;",
    "&w=1",
]


_MARK: Final = re.compile(r"\s+(?:[|–—\-·•:»«/~<>]|::|--|\\)+\s+|\s*[|»›｜]\s*|:\s+|[-_](?=[一-鿿])|(?<=[一-鿿])[-_]")


TEXTS: Final = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(TEXTS)
@example("a -一 - b|")
@example("a - : b -- c:: d")
def test_split_title_follows_the_separator_expression(title: str) -> None:
    found, start = [], 0
    for match in _MARK.finditer(title):
        if match.start() > start:
            found.append((start, match.start(), match[0].strip()))
        start = match.end()
    if start < len(title):
        found.append((start, len(title), ""))
    assert [tuple(part) for part in split_title(title)] == found


@pytest.mark.parametrize(
    ("title", "sites", "brand", "bare"),
    [
        ("Oaks | The Forester", ["The Forester"], "", "Oaks"),
        ("The Forester: Oaks", ["The Forester"], "", "Oaks"),
        ("Oaks - Forester.example", [], "forester", "Oaks"),
        ("Oaks - and elms", [], "forester", "Oaks - and elms"),
        ("The Forester", ["The Forester"], "", "The Forester"),
        ("Oaks – New York Times", [], "nyt", "Oaks"),
    ],
)
def test_drop_site_name(title: str, sites: list[str], brand: str, bare: str) -> None:
    assert drop_site_name(title, tuple(sites), brand) == bare
