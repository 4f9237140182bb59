"""Learning the XPaths of authors, dates, tags and categories."""

from __future__ import annotations

from datetime import date

import pytest

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.metadata import Metadata
from duramen.wrappers.metadata_fields import learn_fields
from duramen.wrappers.wrapper_json import format_wrapper, parse_wrapper

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


def test_xpaths_of_authors_and_dates_are_learned() -> None:
    assert dict(learn_fields([page(number) for number in range(3)])) == {
        "authors": "//p[contains(concat(' ', normalize-space(@class), ' '), ' signed ')]",
        "published": "//p[contains(concat(' ', normalize-space(@class), ' '), ' stamp ')]",
    }


def test_two_pages_are_too_few_for_fields() -> None:
    assert learn_fields([page(0), page(1)]) == ()


def test_a_field_is_read_from_its_known_element() -> None:
    unseen = page(3, declared=False)
    nodes = {unseen.tree.attributes[node].get("class"): node for node, tag in enumerate(unseen.tree.tag) if tag == "p"}
    read = Metadata.read(unseen, field_nodes={"authors": nodes["signed"], "published": nodes["stamp"]})
    assert ([author.name for author in read.authors], read.published) == (["Max Moe"], date(2024, 5, 6))
    found = read.evidence("authors")
    assert found is not None
    assert found.source == "wrapper"


def test_fields_are_saved_and_used_for_the_content() -> None:
    from duramen.wrappers.wrapper import RegionSelector, Wrapper

    wrapper = Wrapper(
        "a.example", (RegionSelector("//body", "//body", (1,), 3),), fields=(("authors", "//p[@class='signed']"),)
    )
    again = parse_wrapper(format_wrapper(wrapper))
    assert again.fields == wrapper.fields
    content = again.extract(page(3, declared=False))
    assert [author.name for author in content.metadata.authors] == ["Max Moe"]


TAGS = [("oak", "elm"), ("ash",), ("elm", "fir", "oak"), ("yew", "box")]
CLOUD = "<div class=cloud>" + "".join(f"<a href=/tag/{tag}>{tag}</a> " for tag in ("oak", "elm", "ash")) + "</div>"


def labeled(number: int, folder: str = "tag", more: str = CLOUD, rel: str = "", head: str = "") -> Page:
    listed = ", ".join(f"<a href='/{folder}/{tag}' {rel}>{tag.title()}</a>" for tag in TAGS[number])
    text = f"<p>Its wood is dark in the middle, and <a href=/{number}>light</a> outside.</p>"
    return Page.parse(f"{head}<h1>Of tree {number}</h1>{text}<p class=filed>Filed under {listed}</p>{more}")


def keywords(*words: str) -> str:
    return f'<meta name="keywords" content="{", ".join(words)}">'


def learn_from(pages: list[Page]) -> dict[str, str]:
    return dict(learn_fields(pages))


FILED = "//p[contains(concat(' ', normalize-space(@class), ' '), ' filed ')]"


@pytest.mark.parametrize(
    ("folder", "rel", "name"),
    [
        ("tag", "", "tags"),
        ("kategorie", "", "categories"),
        ("x", "rel=tag", "tags"),
        ("x", "rel='category tag'", "categories"),
    ],
)
def test_xpaths_of_labels_are_learned_from_their_links(folder: str, rel: str, name: str) -> None:
    assert learn_from([labeled(number, folder, "", rel) for number in range(3)]) == {name: FILED}


def test_links_with_the_keywords_of_the_head_are_labels() -> None:
    pages = [labeled(number, "x", "", head=keywords(*TAGS[number])) for number in range(3)]
    assert learn_from(pages) == {"tags": FILED}


def test_a_tag_cloud_that_is_the_same_on_every_page_is_ignored() -> None:
    assert learn_from([labeled(number) for number in range(3)]) == {"tags": FILED}
    bare = [Page.parse(f"<h1>Of tree {number}</h1><p>Its wood is dark.</p>{CLOUD}") for number in range(4)]
    assert learn_from(bare) == {}


def test_labels_of_other_articles_are_ignored() -> None:
    def teased(number: int) -> Page:
        teasers = "".join(
            f"<div class=teaser><p class=filed><a href=/tag/{tag}>{tag}</a></p><a href=/{tag}>Of {tag}</a></div>"
            for tag in TAGS[number] * 2
        )
        return Page.parse(f"<h1>Of tree {number}</h1><p>Its wood is dark.</p>{teasers}")

    assert learn_from([teased(number) for number in range(4)]) == {}


def test_a_single_label_gives_the_element_of_the_list() -> None:
    def listing(*tags: str) -> Page:
        items = "".join(f"<li class=item><a href=/tag/{tag}>{tag}</a></li>" for tag in tags)
        return Page.parse(f"<h1>Of trees</h1><p>Their wood is dark.</p><ul class=own>{items}</ul>")

    assert learn_from([listing("oak"), listing("elm"), listing("ash")]) == {
        "tags": FILED.replace("p[", "ul[").replace("filed", "own")
    }


def test_a_wrapper_reads_the_labels_of_the_next_page() -> None:
    from duramen.wrappers.wrapper import RegionSelector, Wrapper

    wrapper = Wrapper("a.example", (RegionSelector("//body", "//body", (1,), 3),), fields=(("tags", FILED),))
    again = parse_wrapper(format_wrapper(wrapper))
    assert again == wrapper
    metadata = again.extract(labeled(3)).metadata
    assert metadata.tags == ("Yew", "Box")
    found = metadata.evidence("tags")
    assert found is not None
    assert found.source == "wrapper"


def test_the_keywords_of_the_head_win_if_they_are_more() -> None:
    page = labeled(3, head=keywords("yew", "box", "fir"))
    node = next(node for node, tag in enumerate(page.tree.tag) if tag == "p" and page.tree.attributes[node])
    assert Metadata.read(page, field_nodes={"tags": node}).tags == ("yew", "box", "fir")


def test_the_xpath_of_the_modification_date_is_learned_if_it_is_another_day() -> None:
    def changed(number: int) -> Page:
        head = "".join(
            f'<meta property="article:{name}_time" content="2024-0{month}-0{number + 3}">'
            for name, month in (("published", 5), ("modified", 6))
        )
        body = f"<p class=stamp>{number + 3} May 2024</p><p class=new>{number + 3} June 2024</p>"
        return Page.parse(f"<meta property=og:type content=article>{head}<h1>Of tree {number}</h1>{body}")

    learned = learn_from([changed(number) for number in range(3)])
    assert learned["modified"] == FILED.replace("filed", "new")
    read = Metadata.read(Page.parse("<p>9 June 2024</p>"), field_nodes={"modified": 3})
    assert read.modified == date(2024, 6, 9)


def test_a_file_with_an_unknown_field_raises_an_error() -> None:
    from duramen.wrappers.wrapper import RegionSelector, Wrapper

    wrapper = Wrapper("a.example", (RegionSelector("//body", "//body", (1,), 3),), fields=(("tags", FILED),))
    with pytest.raises(InputError, match="unknown field 'color'"):
        parse_wrapper(format_wrapper(wrapper).replace('"tags"', '"color"'))
