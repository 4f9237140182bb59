"""Pieces of evidence from other pages: fields, tables, and how they are weighed."""

from __future__ import annotations

from pathlib import Path

from tests.wrappers.sample_site import TOPICS

from duramen import Page, SiteModel
from duramen.site_model.evidence import WEIGHTS
from duramen.wrappers.metadata_fields import find_field_elements

MUSEUM = sorted((Path(__file__).parents[1] / "sites_pages" / "museum").glob("*.html"))


def make_page(topic: int) -> str:
    name = TOPICS[topic][0]
    return (
        f"<html><head><title>The {name} in winter</title><meta name=author content='Ada Moss'>"
        f"<meta property='article:published_time' content='2024-03-0{topic + 1}'></head><body>"
        f"<div class=head><h1>The {name} in winter</h1></div><p class=by>By Ada Moss</p>"
        f"<div class=text><p>A {name} is seen by few people in the winter, and by fewer still in {topic} months of it. "
        f"Those who see the {name} do not say where it was, and nobody asks them.</p></div></body></html>"
    )


def test_elements_that_show_fields_are_found() -> None:
    page = Page.parse(make_page(0))
    elements = find_field_elements(page)
    assert page.tree.tag[elements["title"]] == "h1"
    assert page.tree.attributes[elements["authors"]]["class"] == "by"


def test_places_of_the_title_and_the_byline_are_counted_weighed_and_shown() -> None:
    model = SiteModel.learn([make_page(topic) for topic in range(3)])
    measured = model.measure(make_page(3))
    assert measured is not None
    assert measured.pages_with_title.tolist() == [3, 0, 0]
    assert measured.pages_with_byline.tolist() == [0, 3, 0]
    model.weights = WEIGHTS._replace(title=2.0, byline=-2.0)
    title, byline, text = model.evidence(make_page(3))
    [title_item] = [item for item in title.items if item.kind == "field"]
    [byline_item] = [item for item in byline.items if item.kind == "field"]
    assert title_item.sentence == "the place of the title on 3 of 3 pages"
    assert byline_item.sentence == "the place of the byline on 3 of 3 pages"
    assert title_item.log_odds == -byline_item.log_odds == 1.5
    assert all(item.kind != "field" for item in text.items)


def test_places_of_fields_are_saved() -> None:
    model = SiteModel.learn([make_page(topic) for topic in range(3)])
    read = SiteModel.from_json(model.to_json())
    assert [page.fields.tolist() for page in read.pages] == [page.fields.tolist() for page in model.pages]
    assert all(page.fields[:2].all() for page in read.pages)


def test_a_data_table_with_new_values_does_not_repeat() -> None:
    assert len(MUSEUM) == 5
    pages = [path.read_bytes() for path in MUSEUM]
    model = SiteModel.learn(pages[1:])
    seen = model.score(pages[0])
    measured = model.measure(seen)
    assert measured is not None
    texts = list(seen.scored.blocks.text)
    table = slice(texts.index("Material"), texts.index("Accession number") + 2)
    assert measured.pages_with_text[table].max() == 4  # names of rows repeat
    assert measured.pages_with_text[table].min() == 0  # values do not
    assert not measured.strengths[:3, table].any()
    assert "Accession number\t1958.17" in SiteModel.learn(pages[1:]).extract(pages[0]).text
