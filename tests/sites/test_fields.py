"""A wrapper knows where a site shows its authors and dates."""

from __future__ import annotations

from datetime import date

from duramen.metadata import Metadata
from duramen.page import Page
from duramen.sites.fields import learn_fields
from duramen.sites.wrapper_file import dumps, loads

NAMES = ["Jane Doe", "John Roe", "Ann Poe", "Max Moe"]


def page(number: int, *, declared: bool = True) -> Page:
    name, day = NAMES[number], f"{number + 3} May 2024"
    head = (
        f'<meta name="author" content="{name}"><meta property="article:published_time" content="2024-05-0{number + 3}">'
    )
    body = f"<p class=signed>{name}</p><p class=stamp>{day}</p><p class=other>Jack Soe</p>"
    title = f"Of tree {number} and its rings"
    top = f"<title>{title}</title>{head if declared else ''}<h1>{title}</h1>"
    return Page.parse(f'<meta property="og:type" content="article">{top}{body}<p>Its wood is dark in the middle.</p>')


def test_the_places_of_authors_and_dates_are_learnt() -> None:
    assert dict(learn_fields([page(number) for number in range(3)])) == {
        "authors": "//p[contains(concat(' ', normalize-space(@class), ' '), ' signed ')]",
        "published": "//p[contains(concat(' ', normalize-space(@class), ' '), ' stamp ')]",
    }


def test_two_pages_make_nothing_sure() -> None:
    assert learn_fields([page(0), page(1)]) == ()


def test_what_is_known_to_show_a_field_is_read() -> None:
    unseen = page(3, declared=False)
    nodes = {unseen.tree.attributes[node].get("class"): node for node, tag in enumerate(unseen.tree.tag) if tag == "p"}
    read = Metadata.read(unseen, marked={"authors": nodes["signed"], "published": nodes["stamp"]})
    assert ([author.name for author in read.authors], read.published) == (["Max Moe"], date(2024, 5, 6))
    found = read.how("authors")
    assert found is not None
    assert found.source == "wrapper"


def test_fields_are_kept_in_the_file_and_reach_the_content() -> None:
    from duramen.sites.wrapper import Place, Wrapper

    wrapper = Wrapper("a.example", (Place("//body", "//body", (1,), 3),), fields=(("authors", "//p[@class='signed']"),))
    again = loads(dumps(wrapper))
    assert again.fields == wrapper.fields
    content = again.extract(page(3, declared=False))
    assert [author.name for author in content.metadata.authors] == ["Max Moe"]
